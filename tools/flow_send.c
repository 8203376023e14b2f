// SPDX-License-Identifier: GPL-2.0
/*
 * flow_send - runs in the guest: flows that have no socket on this host, sent by
 * a thread that does not stay on its CPU.
 *
 *   flow_send [OPTION]... TAP
 *
 *   -f FLOWS     (default 64) that take turns
 *   -n FRAMES    of all of them (default 100000)
 *   -m US        microseconds after which the thread goes to the next CPU
 *                (default 2000); 0: it stays
 *   -p PPS       no more frames a second than that (default 0: as fast as it goes)
 *   -x CPU[,..]  noise from these CPUs in turn, see noise.h
 *   -d DEVICE    for the noise
 *
 * The frames are those of a virtual machine: written to the tap interface TAP,
 * which is there already, at whose other end the kernel finds a bridge or a route.
 * What each frame must look like at the receiver is in wire.h.
 *
 * One line of key=value is the result: frames, moves, noise (sends of that kind),
 * ns.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "noise.h"
#include "tap.h"
#include "wire.h"

static struct {
	unsigned int flows;
	uint64_t frames;
	unsigned int move_us;
	unsigned int pps;
} opt = { .flows = 64, .frames = 100000, .move_us = 2000 };

static uint64_t send_flows(int fd)
{
	uint64_t gap = opt.pps ? 1000000000 / opt.pps : 0, start = now_ns(), i;
	struct mover mover = { };
	uint8_t f[FRAME_LEN];

	mover_start(&mover, opt.move_us);
	for (i = 0; i < opt.frames; i++) {
		make_flow_frame(f, i % opt.flows, i / opt.flows);
		while (gap && now_ns() < start + i * gap)
			;
		/* Full is a queue in the kernel that is as long as it may get. */
		while (write(fd, f, sizeof(f)) < 0)
			if (errno != ENOBUFS && errno != EAGAIN && errno != EINTR)
				fail("write to the tap");
		mover_poll(&mover);
	}
	return mover.moves;
}

static int usage(void)
{
	fprintf(stderr,
		"usage: flow_send [-f FLOWS] [-n FRAMES] [-m US] [-p PPS] [-x CPU,.. -d DEVICE] TAP\n");
	return 2;
}

static bool options(int argc, char **argv)
{
	uint64_t v = 0;
	int c;

	while ((c = getopt(argc, argv, "f:n:m:p:x:d:")) != -1) {
		switch (c) {
		case 'f':
			if (!number(optarg, MAX_FLOWS, &v) || !v)
				return false;
			opt.flows = v;
			break;
		case 'n':
			if (!number(optarg, UINT32_MAX, &opt.frames) || !opt.frames)
				return false;
			break;
		case 'm':
			if (!number(optarg, 10000000, &v))
				return false;
			opt.move_us = v;
			break;
		case 'p':
			if (!number(optarg, 1000000000, &v))
				return false;
			opt.pps = v;
			break;
		case 'x':
		case 'd':
			if (!noise_option(c, optarg))
				return false;
			break;
		default:
			return false;
		}
	}
	return optind + 1 == argc && (!noises || noise_ifindex);
}

int main(int argc, char **argv)
{
	uint64_t start, moves, sends;
	int fd;

	if (!options(argc, argv))
		return usage();
	fd = open_tap(argv[optind], 0);
	noise_start();
	start = now_ns();
	moves = send_flows(fd);
	start = now_ns() - start;
	sends = noise_end();
	printf("frames=%" PRIu64 " moves=%" PRIu64 " noise=%" PRIu64 " ns=%" PRIu64 "\n",
	       opt.frames, moves, sends, start);
	return 0;
}
