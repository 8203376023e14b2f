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
	u64 drop_offload;
	u64 csum;
	u64 tso;
	u64 contexts;
	u64 drop_down;
};

/* Those of the device's own come last. */
struct ixm_rx_values {
	u64 packets;
	u64 bytes;
	u64 alloc_fail;
	u64 drop_length;
	u64 drop_error;
	u64 drop_no_skb;
	u64 drop_down;
	u64 csum_ok;
	u64 csum_none;
	u64 xdp_pass;
	u64 xdp_drop;
	u64 xdp_aborted;
	u64 xdp_tx;
	u64 xdp_redirect;
	u64 hw_no_desc;
};

/* Of one queue, or the sum of several. */
struct ixm_queue_values {
	struct ixm_tx_values tx;
	struct ixm_tx_values xdp;
	struct ixm_rx_values rx;
};

#define IXM_QUEUE_VALUES (sizeof(struct ixm_queue_values) / sizeof(u64))

static const char * const ixm_tx_names[] = {
	"packets", "bytes", "tail_writes", "tail_deferred", "stopped",
	"restarted", "busy", "dropped_map", "dropped_linearize",
	"dropped_too_long", "dropped_offload", "csum", "tso",
	"contexts", "dropped_down",
};

static_assert(sizeof(struct ixm_tx_values) ==
	      ARRAY_SIZE(ixm_tx_names) * sizeof(u64));

static const char * const ixm_rx_names[] = {
	"packets", "bytes", "alloc_fail", "dropped_length", "dropped_error",
	"dropped_no_skb", "dropped_down", "csum_ok", "csum_none", "xdp_pass",
	"xdp_drop", "xdp_aborted", "xdp_tx", "xdp_redirect", "hw_no_desc",
};

static_assert(sizeof(struct ixm_rx_values) ==
	      ARRAY_SIZE(ixm_rx_names) * sizeof(u64));

/* Counters of the device that belong to no queue. */
#define IXM_HW_VALUE(name, field) { name, offsetof(struct ixm_hw_stats, field) }
static const struct {
	const char *name;
	u32 at;
} ixm_hw_values[] = {
	IXM_HW_VALUE("hw_rx_missed", missed),
	IXM_HW_VALUE("hw_rx_crc_errors", crc_errors),
	IXM_HW_VALUE("hw_rx_illegal_bytes", illegal_bytes),
	IXM_HW_VALUE("hw_rx_byte_errors", byte_errors),
	IXM_HW_VALUE("hw_rx_length_errors", length_errors),
	IXM_HW_VALUE("hw_rx_undersize", undersize),
	IXM_HW_VALUE("hw_rx_fragments", fragments),
	IXM_HW_VALUE("hw_rx_oversize", oversize),
	IXM_HW_VALUE("hw_rx_jabber", jabber),
	IXM_HW_VALUE("hw_rx_frames", rx_frames),
	IXM_HW_VALUE("hw_rx_bytes", rx_bytes),
	IXM_HW_VALUE("hw_rx_multicast", rx_multicast),
	IXM_HW_VALUE("hw_rx_broadcast", rx_broadcast),
	IXM_HW_VALUE("hw_rx_xon", rx_xon),
	IXM_HW_VALUE("hw_rx_xoff", rx_xoff),
	IXM_HW_VALUE("hw_tx_frames", tx_frames),
	IXM_HW_VALUE("hw_tx_bytes", tx_bytes),
	IXM_HW_VALUE("hw_tx_multicast", tx_multicast),
	IXM_HW_VALUE("hw_tx_broadcast", tx_broadcast),
	IXM_HW_VALUE("hw_tx_xon", tx_xon),
	IXM_HW_VALUE("hw_tx_xoff", tx_xoff),
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
		v->drop_offload = u64_stats_read(&tx->xmit.drop_offload);
		v->csum = u64_stats_read(&tx->xmit.csum);
		v->tso = u64_stats_read(&tx->xmit.tso);
		v->contexts = u64_stats_read(&tx->xmit.contexts);
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
		v->drop_down = u64_stats_read(&rx->stats.drop_down);
		v->csum_ok = u64_stats_read(&rx->stats.csum_ok);
		v->csum_none = u64_stats_read(&rx->stats.csum_none);
		v->xdp_pass = u64_stats_read(&rx->stats.xdp_pass);
		v->xdp_drop = u64_stats_read(&rx->stats.xdp_drop);
		v->xdp_aborted = u64_stats_read(&rx->stats.xdp_aborted);
		v->xdp_tx = u64_stats_read(&rx->stats.xdp_tx);
		v->xdp_redirect = u64_stats_read(&rx->stats.xdp_redirect);
	} while (u64_stats_fetch_retry(&rx->stats.syncp, start));
}

static u64 ixm_tx_dropped(const struct ixm_tx_values *v)
{
	return v->drop_map + v->drop_linearize + v->drop_too_long +
	       v->drop_offload + v->drop_down;
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

/*
 * The one loop over queues: the sum of those from @from to @to - 1.  Queues
 * that are not in use now keep their counters.
 */
static void ixm_queues_sum(struct ixm *ixm, const struct ixm_hw_stats *hw,
			   u32 from, u32 to, struct ixm_queue_values *sum)
{
	struct ixm_queue_values v;
	u32 i, n;

	memset(sum, 0, sizeof(*sum));
	for (i = from; i < to; i++) {
		ixm_tx_read(&ixm->q[i].tx, &v.tx);
		ixm_tx_read(&ixm->q[i].xdp, &v.xdp);
		ixm_rx_read(&ixm->q[i].rx, &v.rx);
		v.rx.hw_no_desc = hw->no_desc[i];
		for (n = 0; n < IXM_QUEUE_VALUES; n++)
			((u64 *)sum)[n] += ((u64 *)&v)[n];
	}
}

/**
 * ixm_get_stats64() - ndo_get_stats64
 * @dev: net device
 * @s: filled in
 */
void ixm_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *s)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_queue_values v;
	struct ixm_hw_stats hw;

	ixm_hw_read(ixm, &hw);
	ixm_queues_sum(ixm, &hw, 0, ixm->max_queues, &v);
	s->tx_packets = v.tx.packets + v.xdp.packets;
	s->tx_bytes = v.tx.bytes + v.xdp.bytes;
	s->tx_dropped = ixm_tx_dropped(&v.tx) + ixm_tx_dropped(&v.xdp) +
			v.xdp.busy;
	s->rx_packets = v.rx.packets;
	s->rx_bytes = v.rx.bytes;
	s->rx_dropped = v.rx.drop_no_skb;
	s->multicast = hw.rx_multicast;
	s->rx_frame_errors = v.rx.drop_error;
	s->rx_missed_errors = v.rx.hw_no_desc + hw.missed;
	s->rx_crc_errors = hw.crc_errors;
	s->rx_length_errors = v.rx.drop_length + hw.length_errors +
			      hw.undersize + hw.oversize + hw.fragments +
			      hw.jabber;
	s->rx_errors = s->rx_crc_errors + s->rx_length_errors +
		       s->rx_frame_errors + hw.illegal_bytes + hw.byte_errors;
}

/* ---- netlink: queues ---- */

static void ixm_fill_queue_tx(struct netdev_queue_stats_tx *stats,
			      const struct ixm_tx_values *v)
{
	stats->packets = v->packets;
	stats->bytes = v->bytes;
	stats->stop = v->stopped;
	stats->wake = v->restarted;
}

static void ixm_fill_queue_rx(struct netdev_queue_stats_rx *stats,
			      const struct ixm_rx_values *v)
{
	stats->packets = v->packets;
	stats->bytes = v->bytes;
	stats->alloc_fail = v->alloc_fail;
	stats->hw_drops = v->hw_no_desc;
	stats->hw_drop_overruns = v->hw_no_desc;
	stats->csum_unnecessary = v->csum_ok;
	stats->csum_none = v->csum_none;
}

static void ixm_get_queue_stats_tx(struct net_device *dev, int idx,
				   struct netdev_queue_stats_tx *stats)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_tx_values v;

	ixm_tx_read(&ixm->q[idx].tx, &v);
	ixm_fill_queue_tx(stats, &v);
}

static void ixm_get_queue_stats_rx(struct net_device *dev, int idx,
				   struct netdev_queue_stats_rx *stats)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_queue_values v;
	struct ixm_hw_stats hw;

	ixm_hw_read(ixm, &hw);
	ixm_queues_sum(ixm, &hw, idx, idx + 1, &v);
	ixm_fill_queue_rx(stats, &v.rx);
}

/* What queues counted that are not in use now. */
static void ixm_get_base_stats(struct net_device *dev,
			       struct netdev_queue_stats_rx *rx,
			       struct netdev_queue_stats_tx *tx)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_queue_values v;
	struct ixm_hw_stats hw;

	ixm_hw_read(ixm, &hw);
	ixm_queues_sum(ixm, &hw, ixm->config.queues, ixm->max_queues, &v);
	ixm_fill_queue_rx(rx, &v.rx);
	ixm_fill_queue_tx(tx, &v.tx);
}

const struct netdev_stat_ops ixm_stat_ops = {
	.get_queue_stats_rx = ixm_get_queue_stats_rx,
	.get_queue_stats_tx = ixm_get_queue_stats_tx,
	.get_base_stats = ixm_get_base_stats,
};

/* ---- ethtool: the standard groups ---- */

/**
 * ixm_get_pause_stats() - pause frames
 * @dev: net device
 * @stats: filled in
 */
void ixm_get_pause_stats(struct net_device *dev,
			 struct ethtool_pause_stats *stats)
{
	struct ixm_hw_stats hw;

	ixm_hw_read(netdev_priv(dev), &hw);
	stats->tx_pause_frames = hw.tx_xon + hw.tx_xoff;
	stats->rx_pause_frames = hw.rx_xon + hw.rx_xoff;
}

/**
 * ixm_get_eth_mac_stats() - frames and bytes, as the MAC counts them
 * @dev: net device
 * @stats: filled in
 */
void ixm_get_eth_mac_stats(struct net_device *dev,
			   struct ethtool_eth_mac_stats *stats)
{
	struct ixm_hw_stats hw;

	ixm_hw_read(netdev_priv(dev), &hw);
	stats->FramesTransmittedOK = hw.tx_frames;
	stats->OctetsTransmittedOK = hw.tx_bytes;
	stats->MulticastFramesXmittedOK = hw.tx_multicast;
	stats->BroadcastFramesXmittedOK = hw.tx_broadcast;
	stats->FramesReceivedOK = hw.rx_frames;
	stats->OctetsReceivedOK = hw.rx_bytes;
	stats->MulticastFramesReceivedOK = hw.rx_multicast;
	stats->BroadcastFramesReceivedOK = hw.rx_broadcast;
	stats->FrameCheckSequenceErrors = hw.crc_errors;
	stats->InRangeLengthErrors = hw.length_errors;
	stats->FrameTooLongErrors = hw.oversize;
}

/* The last one holds whatever MAXFRS lets in. */
static const struct ethtool_rmon_hist_range ixm_rmon_ranges[] = {
	{ 0, 64 }, { 65, 127 }, { 128, 255 }, { 256, 511 }, { 512, 1023 },
	{ 1024, IXM_FRAME_MAX }, {}
};

static_assert(ARRAY_SIZE(ixm_rmon_ranges) == IXM_SIZE_BINS + 1);

/**
 * ixm_get_rmon_stats() - sizes of frames
 * @dev: net device
 * @stats: filled in
 * @ranges: set to the limits of the sizes
 */
void ixm_get_rmon_stats(struct net_device *dev,
			struct ethtool_rmon_stats *stats,
			const struct ethtool_rmon_hist_range **ranges)
{
	struct ixm_hw_stats hw;
	u32 i;

	ixm_hw_read(netdev_priv(dev), &hw);
	stats->undersize_pkts = hw.undersize;
	stats->oversize_pkts = hw.oversize;
	stats->fragments = hw.fragments;
	stats->jabbers = hw.jabber;
	for (i = 0; i < IXM_SIZE_BINS; i++) {
		stats->hist[i] = hw.rx_size[i];
		stats->hist_tx[i] = hw.tx_size[i];
	}
	*ranges = ixm_rmon_ranges;
}

/* ---- ethtool -S ---- */

/**
 * ixm_stats_count() - number of counters that ethtool -S shows
 * @ixm: device
 *
 * Return: that number; it follows the number of queues.
 */
int ixm_stats_count(struct ixm *ixm)
{
	return ARRAY_SIZE(ixm_hw_values) +
	       ixm->config.queues * IXM_QUEUE_VALUES;
}

/**
 * ixm_stats_strings() - their names
 * @ixm: device
 * @data: ETH_GSTRING_LEN bytes for each
 */
void ixm_stats_strings(struct ixm *ixm, u8 *data)
{
	u32 i, n;

	for (n = 0; n < ARRAY_SIZE(ixm_hw_values); n++)
		ethtool_puts(&data, ixm_hw_values[n].name);
	for (i = 0; i < ixm->config.queues; i++) {
		for (n = 0; n < ARRAY_SIZE(ixm_tx_names); n++)
			ethtool_sprintf(&data, "tx%u_%s", i, ixm_tx_names[n]);
		for (n = 0; n < ARRAY_SIZE(ixm_tx_names); n++)
			ethtool_sprintf(&data, "xdp%u_%s", i, ixm_tx_names[n]);
		for (n = 0; n < ARRAY_SIZE(ixm_rx_names); n++)
			ethtool_sprintf(&data, "rx%u_%s", i, ixm_rx_names[n]);
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
	for (i = 0; i < ARRAY_SIZE(ixm_hw_values); i++)
		*data++ = *(u64 *)((void *)&hw + ixm_hw_values[i].at);
	for (i = 0; i < ixm->config.queues; i++) {
		ixm_queues_sum(ixm, &hw, i, i + 1,
			       (struct ixm_queue_values *)data);
		data += IXM_QUEUE_VALUES;
	}
}
