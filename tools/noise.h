/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Noise for programs that send flows: threads that keep the TX queues of their
 * CPUs busy, in turn.  From each CPU, for 200 ms, a packet socket sends TCP segments
 * of 64 KB to be cut by the device; then nobody does for as long, and the queues run
 * empty.
 */
#ifndef NB_NOISE_H
#define NB_NOISE_H

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "tap.h"
#include "wire.h"

enum {
	MAX_NOISE	= 8,
	NOISE_HEADERS	= L4_OFF + 20,
	NOISE_PAYLOAD	= 45 * 1448,
	NOISE_SNDBUF	= 4 << 20,
	NOISE_NS	= 200000000,
};

/**
 * struct noise - a thread that keeps the queue of its CPU busy
 * @thread: the thread
 * @cpu: where it stays
 * @sends: what it has sent
 */
struct noise {
	pthread_t thread;
	unsigned int cpu;
	uint64_t sends;
};

static struct noise noise[MAX_NOISE];
static unsigned int noises;
static unsigned int noise_ifindex;
static volatile bool noise_over;

static inline int open_noise(void)
{
	int one = 1, size = NOISE_SNDBUF;
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (fd < 0)
		fail("packet socket");
	if (setsockopt(fd, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		fail("setsockopt");
	return fd;
}

/* A TCP segment of one connection, as it looks before the device has cut it. */
static inline void make_noise(uint8_t *f, unsigned int cpu)
{
	unsigned int len = NOISE_HEADERS - L3_OFF + NOISE_PAYLOAD;

	memset(f, 0, NOISE_HEADERS + NOISE_PAYLOAD);
	make_frame(f, 0);			/* addresses */
	memset(f + L4_OFF, 0, FRAME_LEN - L4_OFF);
	put_be16(f + L3_OFF + 2, len);
	f[L3_OFF + 9] = IPPROTO_TCP;
	put_be16(f + L3_OFF + 10, 0);
	put_be16(f + L3_OFF + 10, fold(sum16(f + L3_OFF, 20, 0)));
	put_be16(f + L4_OFF, 30000 + cpu);
	put_be16(f + L4_OFF + 2, 9);
	f[L4_OFF + 12] = 5 << 4;
	f[L4_OFF + 13] = 0x10;			/* ACK */
	/* The sum of the pseudo header: the device does the rest. */
	put_be16(f + L4_OFF + 16,
		 ~fold(sum16(f + L3_OFF + 12, 8, IPPROTO_TCP + len - 20)));
}

/* Is it the turn of @n? */
static inline bool noise_turn(const struct noise *n)
{
	return now_ns() / NOISE_NS % (2 * noises) == 2 * (unsigned int)(n - noise);
}

static inline void *noise_thread(void *arg)
{
	struct virtio_net_hdr vnet = {
		.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
		.gso_type = VIRTIO_NET_HDR_GSO_TCPV4,
		.hdr_len = NOISE_HEADERS,
		.gso_size = 1448,
		.csum_start = L4_OFF,
		.csum_offset = 16,
	};
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_IP),
		.sll_ifindex = noise_ifindex,
	};
	static uint8_t frames[MAX_NOISE][NOISE_HEADERS + NOISE_PAYLOAD];
	struct noise *n = arg;
	uint8_t *f = frames[n - noise];
	struct iovec iov[] = {
		{ .iov_base = &vnet, .iov_len = sizeof(vnet) },
		{ .iov_base = f, .iov_len = NOISE_HEADERS + NOISE_PAYLOAD },
	};
	struct msghdr msg = {
		.msg_name = &to, .msg_namelen = sizeof(to),
		.msg_iov = iov, .msg_iovlen = 2,
	};
	int fd = open_noise();

	go_to(n->cpu);
	make_noise(f, n->cpu);
	while (!noise_over) {
		if (!noise_turn(n))
			usleep(1000);
		else if (sendmsg(fd, &msg, 0) >= 0)
			n->sends++;
		else if (errno != ENOBUFS)
			fail("noise");
	}
	close(fd);
	return NULL;
}

/* The CPUs of a list "CPU[,..]", which is cut up. */
static inline bool noise_cpus(char *list)
{
	char *one;

	while ((one = strsep(&list, ","))) {
		uint64_t cpu;

		if (noises == MAX_NOISE || !number(one, CPU_SETSIZE - 1, &cpu))
			return false;
		noise[noises++].cpu = cpu;
	}
	return true;
}

/* Options -x CPU[,..] and -d DEVICE of the programs; false if @arg is wrong. */
static inline bool noise_option(int option, char *arg)
{
	if (option == 'x')
		return noise_cpus(arg);

	noise_ifindex = if_nametoindex(arg);
	if (!noise_ifindex)
		fail(arg);
	return true;
}

static inline void noise_start(void)
{
	unsigned int i;

	for (i = 0; i < noises; i++)
		if (pthread_create(&noise[i].thread, NULL, noise_thread, &noise[i]))
			fail("thread");
}

/* Returns how much has been sent. */
static inline uint64_t noise_end(void)
{
	uint64_t sends = 0;
	unsigned int i;

	noise_over = true;
	for (i = 0; i < noises; i++) {
		pthread_join(noise[i].thread, NULL);
		sends += noise[i].sends;
	}
	return sends;
}

#endif
