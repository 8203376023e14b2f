/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An AF_XDP socket in copy mode that only sends, with the kernel's interface and
 * no library.  For programs of one file.
 */
#ifndef NB_XSK_RING_H
#define NB_XSK_RING_H

#include <errno.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "program.h"

/* Of newer kernels than the host's headers are for. */
#ifndef XDP_MAX_TX_SKB_BUDGET
#define XDP_MAX_TX_SKB_BUDGET	9
#endif
#ifndef XDP_PKT_CONTD
#define XDP_PKT_CONTD		(1 << 0)
#endif
#ifndef XDP_USE_SG
#define XDP_USE_SG		(1 << 4)
#endif
#ifndef AF_XDP
#define AF_XDP			44
#endif

enum { XSK_CHUNK = 2048 };

/**
 * struct xsk_ring - a ring that is shared with the kernel
 * @producer: index of the next entry that is filled, never masked
 * @consumer: index of the next entry that is read
 * @desc: the entries: struct xdp_desc of a TX ring, else addresses
 * @mask: an index is masked with that
 * @map: where all of it is mapped
 * @size: of the mapping
 */
struct xsk_ring {
	uint32_t *producer;
	uint32_t *consumer;
	void *desc;
	uint32_t mask;
	char *map;
	size_t size;
};

/**
 * struct xsk - the socket
 * @fd: of it
 * @umem: the memory of the frames, in chunks of XSK_CHUNK bytes
 * @chunks: number of chunks
 * @tx: what is to be sent
 * @cq: what has been
 */
struct xsk {
	int fd;
	unsigned char *umem;
	uint32_t chunks;
	struct xsk_ring tx, cq;
};

static inline void xsk_set(const struct xsk *x, int option, uint32_t value)
{
	if (setsockopt(x->fd, SOL_XDP, option, &value, sizeof(value)))
		fail("setsockopt of an AF_XDP socket");
}

static inline void xsk_map(const struct xsk *x, struct xsk_ring *ring, off_t which,
			   const struct xdp_ring_offset *off, uint32_t entries, size_t size)
{
	ring->size = off->desc + entries * size;
	ring->map = mmap(NULL, ring->size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_POPULATE, x->fd, which);
	if (ring->map == MAP_FAILED)
		fail("mmap of a ring");
	ring->producer = (void *)(ring->map + off->producer);
	ring->consumer = (void *)(ring->map + off->consumer);
	ring->desc = ring->map + off->desc;
	ring->mask = entries - 1;
}

static inline void xsk_map_tx(struct xsk *x, uint32_t entries)
{
	struct xdp_mmap_offsets off;
	socklen_t len = sizeof(off);

	xsk_set(x, XDP_TX_RING, entries);
	if (getsockopt(x->fd, SOL_XDP, XDP_MMAP_OFFSETS, &off, &len))
		fail("XDP_MMAP_OFFSETS");
	xsk_map(x, &x->tx, XDP_PGOFF_TX_RING, &off.tx, entries, sizeof(struct xdp_desc));
}

static inline void xsk_socket(struct xsk *x)
{
	x->fd = socket(AF_XDP, SOCK_RAW, 0);
	if (x->fd < 0)
		fail("socket");
}

/* xsk_open CHUNKS TX CQ: numbers of entries are powers of two. */
static inline void xsk_open(struct xsk *x, uint32_t chunks, uint32_t tx, uint32_t cq)
{
	struct xdp_umem_reg reg = { .len = chunks * XSK_CHUNK, .chunk_size = XSK_CHUNK };
	struct xdp_mmap_offsets off;
	socklen_t len = sizeof(off);

	xsk_socket(x);
	x->chunks = chunks;
	x->umem = mmap(NULL, reg.len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (x->umem == MAP_FAILED)
		fail("mmap of the frames");
	reg.addr = (uintptr_t)x->umem;
	if (setsockopt(x->fd, SOL_XDP, XDP_UMEM_REG, &reg, sizeof(reg)))
		fail("XDP_UMEM_REG");
	/* A fill ring belongs to it, though nothing is received. */
	xsk_set(x, XDP_UMEM_FILL_RING, 2);
	xsk_set(x, XDP_UMEM_COMPLETION_RING, cq);
	if (getsockopt(x->fd, SOL_XDP, XDP_MMAP_OFFSETS, &off, &len))
		fail("XDP_MMAP_OFFSETS");
	xsk_map(x, &x->cq, XDP_UMEM_PGOFF_COMPLETION_RING, &off.cr, cq, sizeof(uint64_t));
	xsk_map_tx(x, tx);
}

/* xsk_bind IFINDEX QUEUE FLAGS: of bind(), beside XDP_COPY.  The queue may be
 * another socket's for a moment after that one was closed.
 */
static inline void xsk_bind(const struct xsk *x, unsigned int ifindex, uint32_t queue, uint16_t flags)
{
	struct sockaddr_xdp addr = {
		.sxdp_family = AF_XDP,
		.sxdp_flags = XDP_COPY | flags,
		.sxdp_ifindex = ifindex,
		.sxdp_queue_id = queue,
	};

	int tries = 200;

	while (bind(x->fd, (struct sockaddr *)&addr, sizeof(addr))) {
		if (errno != EBUSY || !--tries)
			fail("bind in copy mode");
		usleep(5000);
	}
}

/* Another socket on the same frames, device, queue and completion ring. */
static inline void xsk_share(struct xsk *x, const struct xsk *first, uint32_t tx,
			     unsigned int ifindex, uint32_t queue)
{
	struct sockaddr_xdp addr = {
		.sxdp_family = AF_XDP,
		.sxdp_flags = XDP_SHARED_UMEM,
		.sxdp_ifindex = ifindex,
		.sxdp_queue_id = queue,
		.sxdp_shared_umem_fd = first->fd,
	};

	*x = *first;
	xsk_socket(x);
	xsk_map_tx(x, tx);
	if (bind(x->fd, (struct sockaddr *)&addr, sizeof(addr)))
		fail("bind to the same frames");
}

/* A socket that shares another's frames and completion ring leaves them. */
static inline void xsk_close(struct xsk *x, bool shares)
{
	munmap(x->tx.map, x->tx.size);
	if (!shares) {
		munmap(x->cq.map, x->cq.size);
		munmap(x->umem, (size_t)x->chunks * XSK_CHUNK);
	}
	close(x->fd);
}

/* What the kernel has read and not published yet is still in use. */
static inline uint32_t xsk_tx_free(const struct xsk *x)
{
	return x->tx.mask + 1 - (*x->tx.producer -
				 __atomic_load_n(x->tx.consumer, __ATOMIC_ACQUIRE));
}

/* The entry @i behind those that were submitted; there is room for it. */
static inline struct xdp_desc *xsk_tx_desc(const struct xsk *x, uint32_t i)
{
	return (struct xdp_desc *)x->tx.desc + ((*x->tx.producer + i) & x->tx.mask);
}

static inline void xsk_tx_submit(const struct xsk *x, uint32_t n)
{
	__atomic_store_n(x->tx.producer, *x->tx.producer + n, __ATOMIC_RELEASE);
}

static inline uint32_t xsk_cq_ready(const struct xsk *x)
{
	return __atomic_load_n(x->cq.producer, __ATOMIC_ACQUIRE) - *x->cq.consumer;
}

static inline uint64_t xsk_cq_addr(const struct xsk *x, uint32_t i)
{
	return ((uint64_t *)x->cq.desc)[(*x->cq.consumer + i) & x->cq.mask];
}

static inline void xsk_cq_release(const struct xsk *x, uint32_t n)
{
	__atomic_store_n(x->cq.consumer, *x->cq.consumer + n, __ATOMIC_RELEASE);
}

/* Returns 0, or the errno. */
static inline int xsk_kick(const struct xsk *x)
{
	return sendto(x->fd, NULL, 0, MSG_DONTWAIT, NULL, 0) < 0 ? errno : 0;
}

#endif
