/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What programs share that stand in for a virtual machine: its end of a tap
 * interface, and a thread that goes from CPU to CPU.
 */
#ifndef NB_TAP_H
#define NB_TAP_H

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "program.h"

/* A decimal number of at most @max, and nothing else. */
static inline bool number(const char *text, uint64_t max, uint64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *v <= max;
}

/* In the kernel's trace, when that is on. */
static inline void trace_move(unsigned int cpu)
{
	int fd = open("/sys/kernel/tracing/trace_marker", O_WRONLY);

	if (fd < 0)
		return;
	dprintf(fd, "moved to %u\n", cpu);
	close(fd);
}

static inline void go_to(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
}

/**
 * struct mover - a thread that does not stay on its CPU
 * @step: nanoseconds between two moves, 0: it stays
 * @due: when the next one is
 * @cpu: where it is
 * @moves: how often it went
 */
struct mover {
	uint64_t step;
	uint64_t due;
	unsigned int cpu;
	uint64_t moves;
};

static inline void mover_start(struct mover *m, unsigned int us)
{
	m->step = us * UINT64_C(1000);
	m->due = now_ns() + m->step;
}

/* To the next CPU, if it is time. */
static inline void mover_poll(struct mover *m)
{
	if (!m->step || now_ns() < m->due)
		return;
	m->cpu = (m->cpu + 1) % sysconf(_SC_NPROCESSORS_ONLN);
	go_to(m->cpu);
	trace_move(m->cpu);
	m->moves++;
	m->due = now_ns() + m->step;
}

/* The other end of the tap interface @name; @flags beside IFF_TAP. */
static inline int open_tap(const char *name, short flags)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI | flags };
	int fd = open("/dev/net/tun", O_RDWR);

	if (fd < 0)
		fail("/dev/net/tun");
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (ioctl(fd, TUNSETIFF, &ifr))
		fail(name);
	return fd;
}

/* The stack's own packets would take places in the queue of interface @name. */
static inline void tap_be_quiet(const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/net/ipv6/conf/%s/disable_ipv6", name);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return;		/* a kernel without IPv6 */
	if (write(fd, "1", 1) != 1)
		fail(path);
	close(fd);
}

#endif
