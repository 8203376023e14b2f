/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _NET_GRO_STATS_H
#define _NET_GRO_STATS_H
/*
 * What becomes of the lists of GRO_NORMAL packets: counters of each NAPI while the
 * sysctl net.core.gro_normal_stats is 1, and the tracepoint gro_normal_flush.
 * Nothing is done a packet; with neither in use, a list costs two static branches.
 */
#include <linux/jump_label.h>
#include <linux/tracepoint-defs.h>
#include <linux/types.h>

struct gro_node;

/**
 * enum gro_normal_reason - why a list of GRO_NORMAL packets goes up the stack
 * @GRO_NORMAL_FULL: it holds a whole batch
 * @GRO_NORMAL_POLL_END: the poll ends
 * @GRO_NORMAL_ADAPTIVE: the adaptive batch sees no reason to wait
 */
enum gro_normal_reason {
	GRO_NORMAL_FULL,
	GRO_NORMAL_POLL_END,
	GRO_NORMAL_ADAPTIVE,
};

#define GRO_NORMAL_REASONS	3

/* Lists of 1, 2 to 3, 4 to 7 and so on packets, up to 64 and more. */
#define GRO_NORMAL_HIST		7

/**
 * struct gro_normal_stats - lists of GRO_NORMAL packets that a NAPI passed up
 * @reason: number of lists by &enum gro_normal_reason
 * @hist: number of lists by the binary logarithm of their length in packets
 *
 * Written by whoever polls the NAPI, read at any time. Counts wrap.
 */
struct gro_normal_stats {
	unsigned long	reason[GRO_NORMAL_REASONS];
	unsigned long	hist[GRO_NORMAL_HIST];
};

DECLARE_STATIC_KEY_FALSE(gro_normal_stats_key);
DECLARE_TRACEPOINT(gro_normal_flush);

void __gro_normal_observe(struct gro_node *gro,
			  enum gro_normal_reason reason);

/**
 * gro_normal_observe() - tell observers about a list of GRO_NORMAL packets
 * @gro: node whose list, which is not empty, is about to be passed up
 * @reason: why
 *
 * Context: BH disabled, by the owner of @gro.
 */
static inline void gro_normal_observe(struct gro_node *gro,
				      enum gro_normal_reason reason)
{
	if (static_branch_unlikely(&gro_normal_stats_key) ||
	    tracepoint_enabled(gro_normal_flush))
		__gro_normal_observe(gro, reason);
}

#endif /* _NET_GRO_STATS_H */
