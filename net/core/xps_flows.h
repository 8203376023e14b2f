/* SPDX-License-Identifier: GPL-2.0 */
#ifndef __NET_XPS_FLOWS_H
#define __NET_XPS_FLOWS_H

#include <linux/jump_label.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/sysfs.h>

/* The transmit flow table: a flow keeps its TX queue until nothing of it is left
 * there, see Documentation/networking/xps_flows.rst.
 */

/* The most entries that a table may have. */
#define XPS_FLOWS_MAX	BIT(20)

/* An entry, as one 64-bit word:
 *
 *	63 ... 32  31 ... 16  15 ... 11  10      9      8        7 ... 0
 *	stamp      queue      tag        used    seen   pinned   users
 *
 * stamp	seen: bytes that had been given to the driver (&dql.num_queued of
 *		the queue) at a moment at which nothing of the flow was left
 *		ahead of the driver. Else a count of the changes of the entry.
 * queue	where the packets of the flow are
 * tag		top of the hash of the last one, to tell flows that collide
 * used		there has been a packet
 * seen		see stamp; only while there are no users
 * pinned	there have been more users than can be counted, never moves
 * users	packets that have picked the queue and are not handed over yet
 */
#define XPS_FLOW_USERS		GENMASK_ULL(7, 0)
#define XPS_FLOW_PINNED		BIT_ULL(8)
#define XPS_FLOW_SEEN		BIT_ULL(9)
#define XPS_FLOW_USED		BIT_ULL(10)
#define XPS_FLOW_TAG		GENMASK_ULL(15, 11)
#define XPS_FLOW_QUEUE		GENMASK_ULL(31, 16)
#define XPS_FLOW_STAMP		GENMASK_ULL(63, 32)
#define XPS_FLOW_TICK		BIT_ULL(32)

/**
 * struct xps_flow_stats - what a table has done, on one CPU
 * @moved: flows that took another queue, with nothing of theirs in the old one
 * @held: packets that stayed with the queue of their flow, since something of
 *	it may be left there
 * @no_bql: as @held, because the driver of the queue does not count what it
 *	completes
 * @collided: packets that met an entry which another flow had used last
 * @forced: flows that had to leave a queue which the device no longer has
 */
struct xps_flow_stats {
	unsigned long	moved;
	unsigned long	held;
	unsigned long	no_bql;
	unsigned long	collided;
	unsigned long	forced;
};

/**
 * struct xps_flow_table - the transmit flow table of a device
 * @mask: number of entries - 1
 * @stats: per CPU
 * @base: what the tables before this one had done
 * @entry: one for each value of the hash below @mask, see XPS_FLOW_USERS ff
 */
struct xps_flow_table {
	u32				mask;
	struct xps_flow_stats __percpu	*stats;
	struct xps_flow_stats		base;
	atomic64_t			entry[] ____cacheline_aligned;
};

#ifdef CONFIG_XPS_FLOWS

DECLARE_STATIC_KEY_FALSE(xps_flows_needed);

/* True when some device has a table. */
static __always_inline bool xps_flows_on(void)
{
	return static_branch_unlikely(&xps_flows_needed);
}

unsigned long xps_flows_pick(struct net_device *dev, struct sk_buff *skb,
			     struct net_device *sb_dev);
void __xps_flows_handed_over(struct netdev_queue *txq, unsigned long ref);

/**
 * xps_flows_handed_over() - a packet is in its queue, or gone
 * @txq: TX queue that @ref was picked for
 * @ref: what xps_flows_pick() returned
 *
 * Context: The same RCU read-side section as xps_flows_pick(), BHs off.
 */
static __always_inline void xps_flows_handed_over(struct netdev_queue *txq,
						  unsigned long ref)
{
	if (xps_flows_on() && ref)
		__xps_flows_handed_over(txq, ref);
}

int xps_flows_resize(struct net_device *dev, unsigned long entries);
unsigned int xps_flows_size(const struct net_device *dev);
void xps_flows_sum(const struct xps_flow_table *table,
		   struct xps_flow_stats *sum);
struct xps_flow_table *xps_flows_alloc(unsigned int entries);
void xps_flows_uninit(struct net_device *dev);

#ifdef CONFIG_SYSFS
extern const struct attribute_group xps_flows_group;
#endif

#else /* CONFIG_XPS_FLOWS */

static inline bool xps_flows_on(void)
{
	return false;
}

static inline unsigned long xps_flows_pick(struct net_device *dev,
					   struct sk_buff *skb,
					   struct net_device *sb_dev)
{
	return 0;
}

static inline void xps_flows_handed_over(struct netdev_queue *txq,
					 unsigned long ref)
{
}

static inline void xps_flows_uninit(struct net_device *dev)
{
}

#endif /* CONFIG_XPS_FLOWS */

#endif /* __NET_XPS_FLOWS_H */
