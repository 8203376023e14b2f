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
 *	63 ... 32  31 ... 27  26 ... 11  10      9      8        7 ... 0
 *	stamp      tag        queue      used    seen   pinned   users
 *
 * stamp	seen: bytes that had been given to the driver (&dql.num_queued of
 *		the queue) at a moment at which nothing of the flow was left
 *		ahead of the driver. In any case it changes with every change of
 *		the entry.
 * tag		top of the hash of the last packet, to tell flows that collide
 * queue	where the packets of the flow are
 * used		there has been a packet
 * seen		see stamp; only while there are no users
 * pinned	there have been more users than can be counted, never moves
 * users	packets that have picked the queue and are not handed over yet
 */
#define XPS_FLOW_USERS		GENMASK_ULL(7, 0)
#define XPS_FLOW_PINNED		BIT_ULL(8)
#define XPS_FLOW_SEEN		BIT_ULL(9)
#define XPS_FLOW_USED		BIT_ULL(10)
#define XPS_FLOW_QUEUE		GENMASK_ULL(26, 11)
#define XPS_FLOW_TAG		GENMASK_ULL(31, 27)
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

/* True when @dev has a table. */
static inline bool xps_flows_used(const struct net_device *dev)
{
	return rcu_access_pointer(dev->xps_flows);
}

/* In the reference to an entry that xps_flows_pick() makes: look, once the
 * packet is handed over, whether it has left the qdisc, since its flow wants to
 * move.
 */
#define XPS_FLOW_REF_LOOK	1UL

/* An entry that has these as a packet wants them changes in its stamp and its
 * users only. More than half as many users as can be counted are worth a look.
 */
#define XPS_FLOW_SAME	(XPS_FLOW_TAG | XPS_FLOW_QUEUE | XPS_FLOW_USED | \
			 XPS_FLOW_SEEN | XPS_FLOW_PINNED | BIT_ULL(7))

bool __xps_flows_pick(struct sk_buff *skb, struct net_device *sb_dev,
		      struct xps_flow_table *table, unsigned long *ref);
bool xps_flow_pick_slow(struct sk_buff *skb, struct xps_flow_table *table,
			atomic64_t *entry, u64 old, u64 want,
			unsigned long *ref);
void xps_flow_look(struct netdev_queue *txq, unsigned long ref);

static __always_inline bool
xps_flows_pick_entry(struct sk_buff *skb, struct xps_flow_table *table, u32 hash,
		     unsigned long *ref)
{
	atomic64_t *entry = &table->entry[hash & table->mask];
	u64 old, new, want;

	/* The tag is the top of the hash as it is. */
	want = XPS_FLOW_USED | (hash & XPS_FLOW_TAG) |
	       (u32)skb_get_queue_mapping(skb) << 11;

	old = atomic64_read(entry);
	do {
		if (unlikely((old ^ want) & XPS_FLOW_SAME))
			return xps_flow_pick_slow(skb, table, entry, old, want,
						  ref);
		new = old + XPS_FLOW_TICK + 1;
		/* As does the CPU that moves the flow: either it fails and
		 * finds this user, or this one fails and finds the new queue.
		 */
	} while (!atomic64_try_cmpxchg(entry, (s64 *)&old, new));

	*ref = (unsigned long)entry;
	return false;
}

/**
 * xps_flows_pick() - let a packet follow the ones of its flow before it
 * @dev: device
 * @skb: packet, whose queue mapping is the TX queue that it would take by XPS
 *	or by its hash; the one that it has to take on return
 * @sb_dev: subordinate device, or NULL
 * @ref: set to what xps_flows_handed_over() wants, where the packet is counted;
 *	0 on entry. It stays in memory, since the functions out of line are given
 *	its address: a register would be missed by the packets of all devices.
 *
 * Does nothing where a queue is not XPS' to choose: for a socket that remembers
 * one, a subordinate device, a device with traffic classes, and a packet that
 * IPsec may take away for a while.
 *
 * Context: BHs off. The packet has to be handed to its qdisc, or to the driver
 *	where there is none, in the same RCU read-side section, and
 *	xps_flows_handed_over() has to be called then.
 * Return: Whether the queue mapping has changed.
 */
static __always_inline bool xps_flows_pick(struct net_device *dev,
					   struct sk_buff *skb,
					   struct net_device *sb_dev,
					   unsigned long *ref)
{
	struct xps_flow_table *table = rcu_dereference_bh(dev->xps_flows);

	if (!table)
		return false;
	if (unlikely(sb_dev || READ_ONCE(dev->num_tc) || skb->sk ||
		     !(skb->l4_hash || skb->sw_hash) || skb_sec_path(skb)))
		return __xps_flows_pick(skb, sb_dev, table, ref);

	return xps_flows_pick_entry(skb, table, skb->hash, ref);
}

/**
 * xps_flows_handed_over() - a packet is in its queue, or gone
 * @txq: TX queue that @ref was picked for
 * @ref: as xps_flows_pick() has set it, or 0
 *
 * Context: The same RCU read-side section as xps_flows_pick(), BHs off.
 */
static __always_inline void xps_flows_handed_over(struct netdev_queue *txq,
						  unsigned long ref)
{
	if (!xps_flows_on() || !ref)
		return;

	if (unlikely(ref & XPS_FLOW_REF_LOOK)) {
		xps_flow_look(txq, ref);
		return;
	}

	/* What was done to hand the packet over comes before this user is gone.
	 * Pairs with the smp_rmb() of xps_flow_may_move() and xps_flow_look(),
	 * which look for the packet only after that.
	 */
	smp_mb__before_atomic();
	atomic64_add(XPS_FLOW_TICK - 1, (atomic64_t *)ref);
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

static inline bool xps_flows_used(const struct net_device *dev)
{
	return false;
}

static inline bool xps_flows_pick(struct net_device *dev, struct sk_buff *skb,
				  struct net_device *sb_dev, unsigned long *ref)
{
	return false;
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
