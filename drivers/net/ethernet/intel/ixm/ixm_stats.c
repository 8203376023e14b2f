// SPDX-License-Identifier: GPL-2.0
/* Statistics: the totals, those of each queue, and what ethtool -S shows. */
#include <linux/ethtool.h>
#include <net/netdev_queues.h>

#include "ixm.h"

/* What is shown of each queue, in the order of the strings below. */
struct ixm_tx_values {
	u64 packets;
	u64 bytes;
	u64 tail_writes;
	u64 tail_deferred;
	u64 stopped;
	u64 restarted;
	u64 busy;
	u64 drop_map;
	u64 drop_linearize;
	u64 drop_too_long;
	u64 drop_down;
};

struct ixm_rx_values {
	u64 packets;
	u64 bytes;
	u64 alloc_fail;
	u64 drop_length;
	u64 drop_error;
	u64 drop_no_skb;
	u64 csum_ok;
	u64 csum_none;
};

static const char * const ixm_tx_names[] = {
	"packets", "bytes", "tail_writes", "tail_deferred", "stopped",
	"restarted", "busy", "dropped_map", "dropped_linearize",
	"dropped_too_long", "dropped_down",
};

static_assert(sizeof(struct ixm_tx_values) ==
	      ARRAY_SIZE(ixm_tx_names) * sizeof(u64));

static const char * const ixm_rx_names[] = {
	"packets", "bytes", "alloc_fail", "dropped_length", "dropped_error",
	"dropped_no_skb", "csum_ok", "csum_none",
};

static_assert(sizeof(struct ixm_rx_values) ==
	      ARRAY_SIZE(ixm_rx_names) * sizeof(u64));

static const char * const ixm_hw_names[] = {
	"hw_rx_missed", "hw_rx_crc_errors", "hw_rx_illegal_bytes",
	"hw_rx_byte_errors", "hw_rx_length_errors", "hw_rx_undersize",
	"hw_rx_fragments", "hw_rx_oversize", "hw_rx_jabber",
};

static void ixm_tx_read(const struct ixm_tx_ring *tx, struct ixm_tx_values *v)
{
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&tx->xmit.syncp);
		v->tail_writes = u64_stats_read(&tx->xmit.tail_writes);
		v->tail_deferred = u64_stats_read(&tx->xmit.tail_deferred);
		v->stopped = u64_stats_read(&tx->xmit.stopped);
		v->busy = u64_stats_read(&tx->xmit.busy);
		v->drop_map = u64_stats_read(&tx->xmit.drop_map);
		v->drop_linearize = u64_stats_read(&tx->xmit.drop_linearize);
		v->drop_too_long = u64_stats_read(&tx->xmit.drop_too_long);
	} while (u64_stats_fetch_retry(&tx->xmit.syncp, start));

	do {
		start = u64_stats_fetch_begin(&tx->done.syncp);
		v->packets = u64_stats_read(&tx->done.packets);
		v->bytes = u64_stats_read(&tx->done.bytes);
		v->restarted = u64_stats_read(&tx->done.restarted);
		v->drop_down = u64_stats_read(&tx->done.drop_down);
	} while (u64_stats_fetch_retry(&tx->done.syncp, start));
}

static void ixm_rx_read(const struct ixm_rx_ring *rx, struct ixm_rx_values *v)
{
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&rx->stats.syncp);
		v->packets = u64_stats_read(&rx->stats.packets);
		v->bytes = u64_stats_read(&rx->stats.bytes);
		v->alloc_fail = u64_stats_read(&rx->stats.alloc_fail);
		v->drop_length = u64_stats_read(&rx->stats.drop_length);
		v->drop_error = u64_stats_read(&rx->stats.drop_error);
		v->drop_no_skb = u64_stats_read(&rx->stats.drop_no_skb);
		v->csum_ok = u64_stats_read(&rx->stats.csum_ok);
		v->csum_none = u64_stats_read(&rx->stats.csum_none);
	} while (u64_stats_fetch_retry(&rx->stats.syncp, start));
}

static u64 ixm_tx_dropped(const struct ixm_tx_values *v)
{
	return v->drop_map + v->drop_linearize + v->drop_too_long +
	       v->drop_down;
}

/* The counters of the device, brought up to date if it can be asked. */
static void ixm_hw_read(struct ixm *ixm, struct ixm_hw_stats *s)
{
	spin_lock_bh(&ixm->stats_lock);
	if (ixm->up)
		ixm_hw_read_stats(ixm);
	*s = ixm->hw_stats;
	spin_unlock_bh(&ixm->stats_lock);
}

/**
 * ixm_get_stats64() - ndo_get_stats64
 * @dev: net device
 * @s: filled in
 *
 * Queues that are not in use now count as well: their counters live on.
 */
void ixm_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *s)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_hw_stats hw;
	struct ixm_tx_values tx;
	struct ixm_rx_values rx;
	u32 i;

	ixm_hw_read(ixm, &hw);
	for (i = 0; i < ixm->max_queues; i++) {
		ixm_tx_read(&ixm->q[i].tx, &tx);
		s->tx_packets += tx.packets;
		s->tx_bytes += tx.bytes;
		s->tx_dropped += ixm_tx_dropped(&tx);
		ixm_rx_read(&ixm->q[i].rx, &rx);
		s->rx_packets += rx.packets;
		s->rx_bytes += rx.bytes;
		s->rx_dropped += rx.drop_no_skb;
		s->rx_length_errors += rx.drop_length;
		s->rx_frame_errors += rx.drop_error;
		s->rx_missed_errors += hw.no_desc[i];
	}
	s->rx_missed_errors += hw.missed;
	s->rx_crc_errors = hw.crc_errors;
	s->rx_length_errors += hw.length_errors + hw.undersize + hw.oversize +
			       hw.fragments + hw.jabber;
	s->rx_errors = s->rx_crc_errors + s->rx_length_errors +
		       s->rx_frame_errors + hw.illegal_bytes + hw.byte_errors;
}

static void ixm_get_queue_stats_tx(struct net_device *dev, int idx,
				   struct netdev_queue_stats_tx *stats)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_tx_values v;

	ixm_tx_read(&ixm->q[idx].tx, &v);
	stats->packets = v.packets;
	stats->bytes = v.bytes;
	stats->stop = v.stopped;
	stats->wake = v.restarted;
}

static void ixm_get_queue_stats_rx(struct net_device *dev, int idx,
				   struct netdev_queue_stats_rx *stats)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_hw_stats hw;
	struct ixm_rx_values v;

	ixm_rx_read(&ixm->q[idx].rx, &v);
	ixm_hw_read(ixm, &hw);
	stats->packets = v.packets;
	stats->bytes = v.bytes;
	stats->alloc_fail = v.alloc_fail;
	stats->hw_drops = hw.no_desc[idx];
	stats->hw_drop_overruns = hw.no_desc[idx];
	stats->csum_unnecessary = v.csum_ok;
	stats->csum_none = v.csum_none;
}

/* What queues counted that are not in use now. */
static void ixm_get_base_stats(struct net_device *dev,
			       struct netdev_queue_stats_rx *rx,
			       struct netdev_queue_stats_tx *tx)
{
	struct ixm *ixm = netdev_priv(dev);
	struct netdev_queue_stats_rx r;
	struct netdev_queue_stats_tx t;
	u32 i;

	memset(rx, 0, sizeof(*rx));
	memset(tx, 0, sizeof(*tx));
	for (i = ixm->config.queues; i < ixm->max_queues; i++) {
		ixm_get_queue_stats_tx(dev, i, &t);
		tx->packets += t.packets;
		tx->bytes += t.bytes;
		tx->stop += t.stop;
		tx->wake += t.wake;
		ixm_get_queue_stats_rx(dev, i, &r);
		rx->packets += r.packets;
		rx->bytes += r.bytes;
		rx->alloc_fail += r.alloc_fail;
		rx->hw_drops += r.hw_drops;
		rx->hw_drop_overruns += r.hw_drop_overruns;
		rx->csum_unnecessary += r.csum_unnecessary;
		rx->csum_none += r.csum_none;
	}
}

const struct netdev_stat_ops ixm_stat_ops = {
	.get_queue_stats_rx = ixm_get_queue_stats_rx,
	.get_queue_stats_tx = ixm_get_queue_stats_tx,
	.get_base_stats = ixm_get_base_stats,
};

/* ---- ethtool -S ---- */

/**
 * ixm_stats_count() - number of counters that ethtool -S shows
 * @ixm: device
 *
 * Return: that number; it follows the number of queues.
 */
int ixm_stats_count(struct ixm *ixm)
{
	/* hw_no_desc is the one counter more that each RX queue has */
	return ARRAY_SIZE(ixm_hw_names) + ixm->config.queues *
	       (ARRAY_SIZE(ixm_tx_names) + ARRAY_SIZE(ixm_rx_names) + 1);
}

/**
 * ixm_stats_strings() - their names
 * @ixm: device
 * @data: ETH_GSTRING_LEN bytes for each
 */
void ixm_stats_strings(struct ixm *ixm, u8 *data)
{
	u32 i, n;

	for (n = 0; n < ARRAY_SIZE(ixm_hw_names); n++)
		ethtool_puts(&data, ixm_hw_names[n]);
	for (i = 0; i < ixm->config.queues; i++) {
		for (n = 0; n < ARRAY_SIZE(ixm_tx_names); n++)
			ethtool_sprintf(&data, "tx%u_%s", i, ixm_tx_names[n]);
		for (n = 0; n < ARRAY_SIZE(ixm_rx_names); n++)
			ethtool_sprintf(&data, "rx%u_%s", i, ixm_rx_names[n]);
		ethtool_sprintf(&data, "rx%u_hw_no_desc", i);
	}
}

/**
 * ixm_stats_values() - their values
 * @ixm: device
 * @data: one for each
 */
void ixm_stats_values(struct ixm *ixm, u64 *data)
{
	struct ixm_hw_stats hw;
	u32 i;

	ixm_hw_read(ixm, &hw);
	*data++ = hw.missed;
	*data++ = hw.crc_errors;
	*data++ = hw.illegal_bytes;
	*data++ = hw.byte_errors;
	*data++ = hw.length_errors;
	*data++ = hw.undersize;
	*data++ = hw.fragments;
	*data++ = hw.oversize;
	*data++ = hw.jabber;
	for (i = 0; i < ixm->config.queues; i++) {
		ixm_tx_read(&ixm->q[i].tx, (struct ixm_tx_values *)data);
		data += ARRAY_SIZE(ixm_tx_names);
		ixm_rx_read(&ixm->q[i].rx, (struct ixm_rx_values *)data);
		data += ARRAY_SIZE(ixm_rx_names);
		*data++ = hw.no_desc[i];
	}
}
