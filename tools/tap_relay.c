// SPDX-License-Identifier: GPL-2.0
/*
 * tap_relay - runs in the guest: does for two tap interfaces what a hypervisor does
 * for a virtual machine's interface and the host's.  What one sends comes in at the
 * other, with its checksum and segmentation left to do.
 *
 *   tap_relay [OPTION]... VM HOST
 *
 *   -m US        microseconds after which the thread that carries from VM to HOST goes
 *                to the next CPU (default 2000); 0: it stays
 *   -x CPU[,..]  noise from these CPUs in turn, see noise.h
 *   -d DEVICE    for the noise
 *
 * Both interfaces are there already; VM may go to another namespace once "ready" has
 * been printed.  SIGTERM ends it, and one line of key=value is the result: up and
 * down (packets from VM and to it), lost (that no memory was there for), moves, noise.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <poll.h>
#include <signal.h>

#include "noise.h"
#include "tap.h"

enum {
	PACKET_MAX	= sizeof(struct virtio_net_hdr) + 14 + 65536,
	OFFLOADS	= TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6,
	POLL_MS		= 10,
};

/**
 * struct relay - one direction
 * @thread: that carries it
 * @from: interface to read from
 * @to: interface to write to
 * @mover: where the thread is
 * @packets: carried
 * @lost: not taken by @to
 */
struct relay {
	pthread_t thread;
	int from;
	int to;
	struct mover mover;
	uint64_t packets;
	uint64_t lost;
};

static volatile bool over;

static int open_end(const char *name)
{
	int fd = open_tap(name, IFF_VNET_HDR);

	if (ioctl(fd, TUNSETOFFLOAD, OFFLOADS))
		fail("TUNSETOFFLOAD");
	if (fcntl(fd, F_SETFL, O_NONBLOCK))
		fail("O_NONBLOCK");
	return fd;
}

static void carry(struct relay *r)
{
	static __thread uint8_t packet[PACKET_MAX];
	ssize_t n = read(r->from, packet, sizeof(packet));

	if (n < 0) {
		struct pollfd p = { .fd = r->from, .events = POLLIN };

		/* EIO: the interface is down */
		if (errno != EAGAIN && errno != EINTR && errno != EIO)
			fail("read");
		poll(&p, 1, POLL_MS);
		return;
	}
	if (write(r->to, packet, n) == n)
		r->packets++;
	else
		r->lost++;
}

static void *relay_thread(void *arg)
{
	struct relay *r = arg;

	while (!over) {
		carry(r);
		mover_poll(&r->mover);
	}
	return NULL;
}

static void relay_start(struct relay *r, int from, int to, unsigned int move_us)
{
	r->from = from;
	r->to = to;
	mover_start(&r->mover, move_us);
	if (pthread_create(&r->thread, NULL, relay_thread, r))
		fail("thread");
}

static int usage(void)
{
	fprintf(stderr, "usage: tap_relay [-m US] [-x CPU,.. -d DEVICE] VM HOST\n");
	return 2;
}

static bool options(int argc, char **argv, uint64_t *move_us)
{
	int c;

	while ((c = getopt(argc, argv, "m:x:d:")) != -1) {
		switch (c) {
		case 'm':
			if (!number(optarg, 10000000, move_us))
				return false;
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
	return optind + 2 == argc && (!noises || noise_ifindex);
}

int main(int argc, char **argv)
{
	struct relay up = { }, down = { };
	uint64_t move_us = 2000, sends;
	int vm, host, got;
	sigset_t end;

	if (!options(argc, argv, &move_us))
		return usage();
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, NULL);

	vm = open_end(argv[optind]);
	host = open_end(argv[optind + 1]);
	relay_start(&up, vm, host, move_us);
	relay_start(&down, host, vm, 0);
	noise_start();
	printf("ready\n");
	fflush(stdout);

	sigwait(&end, &got);
	over = true;
	pthread_join(up.thread, NULL);
	pthread_join(down.thread, NULL);
	sends = noise_end();
	printf("up=%" PRIu64 " down=%" PRIu64 " lost=%" PRIu64 " moves=%" PRIu64 " noise=%" PRIu64 "\n",
	       up.packets, down.packets, up.lost + down.lost, up.mover.moves, sends);
	return 0;
}
