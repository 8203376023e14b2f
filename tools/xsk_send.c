// SPDX-License-Identifier: GPL-2.0
/*
 * xsk_send - runs in the guest: an AF_XDP socket in copy mode sends the frames of
 * the bench from one thread, the way of xdpsock's txonly.
 *
 *   xsk_send [-b BURST] DEVICE FRAMES
 *
 * The frames are made before the first is sent.  BURST descriptors (default 64)
 * are put into the ring before each sendto(), which takes as many (the socket's
 * XDP_MAX_TX_SKB_BUDGET).  A frame's memory is used again when its completion has
 * come, so that the ring is full of frames when the device is slower.
 *
 * One line of key=value is the result: sent, calls (of sendto), again (calls that
 * left something in the ring).
 */
#include "wire.h"
#include "xsk_ring.h"

enum {
	CHUNKS	= 1024,		/* as many distinct frames as wirecheck knows */
	ENTRIES	= 2048,
};

static struct xsk xsk;

static void make_frames(void)
{
	uint32_t i;

	for (i = 0; i < CHUNKS; i++)
		make_frame(xsk.umem + i * XSK_CHUNK, i);
}

/* Chunks are sent in their order and complete in it, so there is only a number of
 * those that are free.
 */
static void reap(uint32_t *free)
{
	uint32_t n = xsk_cq_ready(&xsk);

	xsk_cq_release(&xsk, n);
	*free += n;
}

static void fill(uint64_t from, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		struct xdp_desc *desc = xsk_tx_desc(&xsk, i);

		desc->addr = (from + i) % CHUNKS * XSK_CHUNK;
		desc->len = FRAME_LEN;
		desc->options = 0;
	}
	xsk_tx_submit(&xsk, n);
}

static void kick(uint64_t *calls, uint64_t *again)
{
	int err = xsk_kick(&xsk);

	++*calls;
	if (err == EAGAIN || err == EBUSY || err == ENOBUFS) {
		++*again;
	} else if (err) {
		errno = err;
		fail("sendto");
	}
}

static void send_frames(uint64_t frames, uint32_t burst)
{
	uint64_t sent = 0, calls = 0, again = 0;
	uint32_t free = CHUNKS;

	while (sent < frames || free < CHUNKS) {
		uint32_t n = frames - sent < burst ? frames - sent : burst;

		reap(&free);
		if (n && n <= free) {
			fill(sent, n);
			sent += n;
			free -= n;
		}
		if (xsk_tx_free(&xsk) < ENTRIES)
			kick(&calls, &again);
	}
	printf("sent=%llu calls=%llu again=%llu\n", (unsigned long long)sent,
	       (unsigned long long)calls, (unsigned long long)again);
}

int main(int argc, char **argv)
{
	char *end = "", *end_frames = "";
	unsigned long burst = 64;
	unsigned int ifindex;
	uint64_t frames;
	int c;

	while ((c = getopt(argc, argv, "b:")) != -1) {
		if (c != 'b')
			goto usage;
		burst = strtoul(optarg, &end, 10);
	}
	if (argc - optind != 2)
		goto usage;
	frames = strtoull(argv[optind + 1], &end_frames, 10);
	if (*end || *end_frames || !burst || burst > CHUNKS || !frames)
		goto usage;
	ifindex = if_nametoindex(argv[optind]);
	if (!ifindex)
		fail(argv[optind]);

	xsk_open(&xsk, CHUNKS, ENTRIES, ENTRIES);
	make_frames();
	if (burst > 32)		/* what a socket has by itself, and its least */
		xsk_set(&xsk, XDP_MAX_TX_SKB_BUDGET, burst);
	xsk_bind(&xsk, ifindex, 0, 0);
	send_frames(frames, burst);
	return 0;
usage:
	fprintf(stderr, "usage: xsk_send [-b BURST] DEVICE FRAMES\n");
	return 2;
}
