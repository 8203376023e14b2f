// SPDX-License-Identifier: GPL-2.0
/*
 * Observers of GRO_NORMAL lists, see include/net/gro_stats.h.
 */
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/netdevice.h>
#include <net/gro_stats.h>
#include <trace/events/napi.h>

DEFINE_STATIC_KEY_FALSE(gro_normal_stats_key);

/* One writer, hence no atomic operation; readers may come at any time. */
static void count(unsigned long *counter)
{
	WRITE_ONCE(*counter, *counter + 1);
}

/**
 * __gro_normal_observe() - the part of gro_normal_observe() that is rarely run
 * @gro: node whose list, which is not empty, is about to be passed up
 * @reason: why
 *
 * Context: BH disabled, by the owner of @gro.
 */
void __gro_normal_observe(struct gro_node *gro,
			  enum gro_normal_reason reason)
{
	unsigned int packets = list_count_nodes(&gro->rx_list);
	unsigned int bin = min(ilog2(packets), GRO_NORMAL_HIST - 1);

	trace_gro_normal_flush(gro, packets, reason);

	/* A node without a NAPI, such as one of cpumap, counts nothing. */
	if (!static_branch_unlikely(&gro_normal_stats_key) || !gro->stats)
		return;
	count(&gro->stats->reason[reason]);
	count(&gro->stats->hist[bin]);
}
