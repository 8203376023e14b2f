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
 *   -x CPU[,..]  noise: from each of these CPUs in turn, for 200 ms, a packet socket
 *                sends segments of 64 KB to be cut by the device, to -d; then none
 *                does for as long, and the queues run empty
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
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

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

static struct {
	unsigned int flows;
	uint64_t frames;
	unsigned int move_us;
	unsigned int pps;
	unsigned int ifindex;
} opt = { .flows = 64, .frames = 100000, .move_us = 2000 };

static struct noise noise[MAX_NOISE];
static unsigned int noises;
static volatile bool stop;

static void fail(const char *what)
{
	fprintf(stderr, "error: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

static void go_to(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
}

static int open_tap(const char *name)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	int fd = open("/dev/net/tun", O_RDWR);

	if (fd < 0)
		fail("/dev/net/tun");
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (ioctl(fd, TUNSETIFF, &ifr))
		fail(name);
	return fd;
}

static int open_noise(void)
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
static void make_noise(uint8_t *f, unsigned int cpu)
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

static void *noise_thread(void *arg)
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
		.sll_ifindex = opt.ifindex,
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
	while (!stop) {
		if (now_ns() / NOISE_NS % (2 * noises) != 2 * (unsigned int)(n - noise)) {
			usleep(1000);
			continue;
		}
		if (sendmsg(fd, &msg, 0) >= 0)
			n->sends++;
		else if (errno != ENOBUFS)
			fail("noise");
	}
	close(fd);
	return NULL;
}

static uint64_t send_flows(int fd)
{
	unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN), cpu = 0;
	uint64_t step = opt.move_us * UINT64_C(1000), gap = opt.pps ? 1000000000 / opt.pps : 0;
	uint64_t start = now_ns(), due = start + step, moves = 0, i;
	uint8_t f[FRAME_LEN];

	for (i = 0; i < opt.frames; i++) {
		make_flow_frame(f, i % opt.flows, i / opt.flows);
		while (gap && now_ns() < start + i * gap)
			;
		/* Full is a queue in the kernel that is as long as it may get. */
		while (write(fd, f, sizeof(f)) < 0)
			if (errno != ENOBUFS && errno != EAGAIN && errno != EINTR)
				fail("write to the tap");
		if (step && now_ns() >= due) {
			cpu = (cpu + 1) % cpus;
			go_to(cpu);
			moves++;
			due = now_ns() + step;
		}
	}
	return moves;
}

static bool number(const char *text, uint64_t max, uint64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *v <= max;
}

static bool noise_cpus(char *list)
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
			if (!noise_cpus(optarg))
				return false;
			break;
		case 'd':
			opt.ifindex = if_nametoindex(optarg);
			if (!opt.ifindex)
				fail(optarg);
			break;
		default:
			return false;
		}
	}
	return optind + 1 == argc && (!noises || opt.ifindex);
}

int main(int argc, char **argv)
{
	uint64_t start, moves, sends = 0;
	unsigned int i;
	int fd;

	if (!options(argc, argv))
		return usage();
	fd = open_tap(argv[optind]);
	for (i = 0; i < noises; i++)
		if (pthread_create(&noise[i].thread, NULL, noise_thread, &noise[i]))
			fail("thread");
	start = now_ns();
	moves = send_flows(fd);
	start = now_ns() - start;
	stop = true;
	for (i = 0; i < noises; i++) {
		pthread_join(noise[i].thread, NULL);
		sends += noise[i].sends;
	}
	printf("frames=%" PRIu64 " moves=%" PRIu64 " noise=%" PRIu64 " ns=%" PRIu64 "\n",
	       opt.frames, moves, sends, start);
	return 0;
}
