// SPDX-License-Identifier: GPL-2.0
/*
 * The transmit flow table: XPS picks a TX queue by the CPU that sends, and a
 * flow without a socket that remembers its queue changes it whenever its sender
 * moves to another CPU. Here a flow keeps its queue until nothing of it is left
 * there, neither in the qdisc nor in the driver.
 *
 * The idea is Tom Herbert's. Why no packet can overtake another one is argued,
 * step by step, in Documentation/networking/xps_flows.rst.
 */
#include <kunit/static_stub.h>
#include <linux/bitfield.h>
#include <linux/debugfs.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <linux/skbuff.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <net/sock.h>
#include <net/xfrm.h>

#include "dev.h"
#include "xps_flows.h"

#define CREATE_TRACE_POINTS
#include <trace/events/xps_flows.h>

DEFINE_STATIC_KEY_FALSE(xps_flows_needed);

/* With the root lock, or in the place of the one CPU that runs the queue: is
 * there nothing that was handed to the qdisc before and has not left it?
 */
static bool xps_flow_qdisc_locked_idle(struct Qdisc *q)
{
	return !q->running && !qdisc_qlen(q) && llist_empty(&q->defer_list);
}

static bool xps_flow_qdisc_nolock_idle(struct Qdisc *q)
{
	return nolock_qdisc_is_empty(q) && skb_queue_empty(&q->gso_skb) &&
	       skb_queue_empty(&q->skb_bad_txq);
}

/* Is there a moment during the call at which all packets that had been handed
 * over to @txq before it have reached the driver, or are gone? If so, @head is
 * set to the bytes that the driver was given up to some moment after it.
 *
 * False is always a safe answer: a lock that is taken means that the qdisc is
 * at work.
 */
static bool xps_flow_left_qdisc(struct netdev_queue *txq, u32 *head)
{
	struct Qdisc *q = rcu_dereference_bh(txq->qdisc);
	bool left;

	/* The device is going down, somebody may have a packet in hand. */
	if (unlikely(q == &noop_qdisc))
		return false;

	if (!q->enqueue) {
		left = true;
	} else if (q->flags & TCQ_F_NOLOCK) {
		if (!xps_flow_qdisc_nolock_idle(q) || !spin_trylock(&q->seqlock))
			return false;
		left = xps_flow_qdisc_nolock_idle(q);
		/* Another CPU may have left its packet to us meanwhile. */
		qdisc_run_end(q);
	} else {
		if (READ_ONCE(q->running) || READ_ONCE(q->q.qlen) ||
		    !llist_empty(&q->defer_list) || !spin_trylock(qdisc_lock(q)))
			return false;
		left = xps_flow_qdisc_locked_idle(q);
		spin_unlock(qdisc_lock(q));
	}

	*head = READ_ONCE(txq->dql.num_queued);
	return left;
}

/* Does the driver of @txq count? One that does not leaves both at 0, where one
 * that does finds them only when it has been reset and given nothing since.
 */
static bool xps_flow_counted(const struct netdev_queue *txq)
{
	return READ_ONCE(txq->dql.num_queued) ||
	       READ_ONCE(txq->dql.num_completed);
}

/* Has the driver completed the first @head bytes? They are still in flight if
 * and only if @head is one of those that are: completed < head <= queued, as
 * numbers that wrap.
 */
static bool xps_flow_left_driver(const struct netdev_queue *txq, u32 head)
{
	/* In this order: what is completed meanwhile makes the window larger. */
	u32 completed = READ_ONCE(txq->dql.num_completed);
	u32 queued;

	smp_rmb();	/* see above; a reset writes both to 0 */
	queued = READ_ONCE(txq->dql.num_queued);

	return head - completed - 1 >= queued - completed;
}

enum xps_flow_verdict {
	XPS_FLOW_MOVES,
	XPS_FLOW_FORCED,
	XPS_FLOW_HELD,
	XPS_FLOW_NO_BQL,
};

/* May the flow of entry @old leave its queue? Nothing of it may be on its way
 * to the qdisc, in it, or in the driver.
 */
static enum xps_flow_verdict xps_flow_may_move(struct net_device *dev, u64 old)
{
	enum xps_flow_verdict no = XPS_FLOW_HELD;
	u16 queue = FIELD_GET(XPS_FLOW_QUEUE, old);
	struct netdev_queue *txq;
	u32 head;

	/* The entry was read before anything else is: when it has no users,
	 * what they have done can be seen. Pairs with the barrier in
	 * xps_flows_handed_over() and the cmpxchg of xps_flow_look().
	 */
	smp_rmb();

	/* It cannot stay where the device no longer has a queue. */
	if (unlikely(queue >= READ_ONCE(dev->real_num_tx_queues)))
		no = XPS_FLOW_FORCED;

	if (old & (XPS_FLOW_USERS | XPS_FLOW_PINNED))
		return no;

	txq = netdev_get_tx_queue(dev, queue);
	if (old & XPS_FLOW_SEEN) {
		head = FIELD_GET(XPS_FLOW_STAMP, old);
	} else {
		if (!xps_flow_left_qdisc(txq, &head))
			return no;
		if (!xps_flow_counted(txq))
			return no == XPS_FLOW_HELD ? XPS_FLOW_NO_BQL : no;
	}
	return xps_flow_left_driver(txq, head) ? XPS_FLOW_MOVES : no;
}

/* The new queue of an entry that cannot stay as it is. Returns the entry
 * without its stamp and its users.
 */
static u64 xps_flow_renew(struct net_device *dev, u64 old, u64 want,
			  enum xps_flow_verdict *verdict)
{
	*verdict = XPS_FLOW_MOVES;
	if (!(old & XPS_FLOW_USED) || !((old ^ want) & XPS_FLOW_QUEUE))
		return want | (old & XPS_FLOW_PINNED);

	*verdict = xps_flow_may_move(dev, old);
	switch (*verdict) {
	case XPS_FLOW_MOVES:
		return want;
	case XPS_FLOW_FORCED:
		return want | (old & XPS_FLOW_PINNED);
	default:
		return (want & ~XPS_FLOW_QUEUE) |
		       (old & (XPS_FLOW_QUEUE | XPS_FLOW_PINNED));
	}
}

/* Count and trace what became of an entry that has not stayed as it was. */
static noinline void xps_flow_account(struct net_device *dev,
				      struct sk_buff *skb,
				      struct xps_flow_table *table,
				      u64 old, u64 new, u16 wish,
				      enum xps_flow_verdict verdict)
{
	u16 from = FIELD_GET(XPS_FLOW_QUEUE, old);
	u16 to = FIELD_GET(XPS_FLOW_QUEUE, new);

	if (!(old & XPS_FLOW_USED))
		return;
	if ((old ^ new) & XPS_FLOW_TAG)
		this_cpu_inc(table->stats->collided);
	if (from != to) {
		if (verdict == XPS_FLOW_FORCED)
			this_cpu_inc(table->stats->forced);
		else
			this_cpu_inc(table->stats->moved);
		trace_xps_flow_move(dev, skb, skb->hash & table->mask, from, to,
				    verdict == XPS_FLOW_FORCED);
	} else if (to != wish) {
		if (verdict == XPS_FLOW_NO_BQL)
			this_cpu_inc(table->stats->no_bql);
		else
			this_cpu_inc(table->stats->held);
	}
}

/**
 * xps_flow_pick_slow() - xps_flows_pick(), for an entry that cannot stay as it is
 * @skb: packet
 * @table: table of its device
 * @entry: of the flow
 * @old: value of @entry
 * @want: the queue that XPS wants, the tag, and that it is used
 * @ref: as for xps_flows_pick()
 *
 * It is new, wants to move, has too many users, or another flow.
 *
 * Context: As xps_flows_pick().
 * Return: As xps_flows_pick().
 */
bool xps_flow_pick_slow(struct sk_buff *skb, struct xps_flow_table *table,
			atomic64_t *entry, u64 old, u64 want,
			unsigned long *ref)
{
	u16 wish = FIELD_GET(XPS_FLOW_QUEUE, want), queue;
	struct net_device *dev = skb->dev;
	enum xps_flow_verdict verdict;
	bool counted;
	u64 new;

	do {
		new = xps_flow_renew(dev, old, want, &verdict) |
		      (old & (XPS_FLOW_STAMP | XPS_FLOW_USERS));
		counted = (old & XPS_FLOW_USERS) != XPS_FLOW_USERS;
		if (likely(counted)) {
			new += XPS_FLOW_TICK + 1;
		} else {
			/* Nobody will know when it is over. */
			new |= XPS_FLOW_PINNED;
			new += XPS_FLOW_TICK;
		}
	} while (!atomic64_try_cmpxchg(entry, (s64 *)&old, new));

	xps_flow_account(dev, skb, table, old, new, wish, verdict);
	queue = FIELD_GET(XPS_FLOW_QUEUE, new);
	if (counted) {
		*ref = (unsigned long)entry;
		/* It wants to move; or one flow wants to, and another one that
		 * it meets here must not make that forgotten.
		 */
		if (queue != wish ||
		    ((old & XPS_FLOW_SEEN) && ((old ^ new) & XPS_FLOW_TAG)))
			*ref |= XPS_FLOW_REF_LOOK;
	}
	if (queue == wish)
		return false;
	skb_set_queue_mapping(skb, queue);
	return true;
}

/* Does @sk remember a queue? When it did is not looked at: netdev_pick_tx() has
 * just asked XPS again if that was too long ago.
 */
static bool xps_flow_sk_steers(const struct sock *sk)
{
	return sk && READ_ONCE(sk->sk_tx_queue_mapping) != NO_QUEUE_MAPPING;
}

/**
 * __xps_flows_pick() - xps_flows_pick(), with all that it has to ask for
 * @skb: packet
 * @sb_dev: subordinate device, or NULL
 * @table: table of its device
 * @ref: as for xps_flows_pick()
 *
 * Context: As xps_flows_pick().
 * Return: As xps_flows_pick().
 */
bool __xps_flows_pick(struct sk_buff *skb, struct net_device *sb_dev,
		      struct xps_flow_table *table, unsigned long *ref)
{
	if (sb_dev || READ_ONCE(skb->dev->num_tc) || skb_sec_path(skb))
		return false;
	if (xps_flow_sk_steers(skb->sk))
		return false;

	return xps_flows_pick_entry(skb, table, skb_get_hash(skb), ref);
}

/**
 * xps_flow_look() - xps_flows_handed_over(), for a flow that wants to move
 * @txq: TX queue that the packet was handed to
 * @ref: as xps_flows_pick() has set it, with XPS_FLOW_REF_LOOK
 *
 * Records, if the packet has left the qdisc, when it will have left the driver.
 *
 * Context: As xps_flows_handed_over().
 */
void xps_flow_look(struct netdev_queue *txq, unsigned long ref)
{
	atomic64_t *entry = (atomic64_t *)(ref & ~XPS_FLOW_REF_LOOK);
	u16 queue = txq - txq->dev->_tx;
	u64 old, new;
	u32 head;

	old = atomic64_read(entry);
	do {
		new = old + XPS_FLOW_TICK - 1;
		/* Only the last user may look, and only at what is there after
		 * it has found itself to be the last. That none has come and
		 * gone since is what the cmpxchg tells, thanks to the count.
		 * Pairs with the barrier in xps_flows_handed_over() and the
		 * cmpxchg below.
		 */
		smp_rmb();
		if ((old & XPS_FLOW_USERS) == 1 &&
		    FIELD_GET(XPS_FLOW_QUEUE, old) == queue &&
		    xps_flow_left_qdisc(txq, &head) && xps_flow_counted(txq))
			new = (new & ~XPS_FLOW_STAMP) | XPS_FLOW_SEEN |
			      (u64)head << 32;
	} while (!atomic64_try_cmpxchg(entry, (s64 *)&old, new));
}

/**
 * xps_flows_alloc() - make a table
 * @entries: power of two
 *
 * Context: Process, may sleep.
 * Return: A table that is all empty, or NULL when there is no memory.
 */
struct xps_flow_table *xps_flows_alloc(unsigned int entries)
{
	struct xps_flow_table *table;

	KUNIT_STATIC_STUB_REDIRECT(xps_flows_alloc, entries);

	table = kvzalloc(struct_size(table, entry, entries),
			 GFP_KERNEL | __GFP_NOWARN);
	if (!table)
		return NULL;
	table->stats = alloc_percpu(struct xps_flow_stats);
	if (!table->stats) {
		kvfree(table);
		return NULL;
	}
	table->mask = entries - 1;
	return table;
}

/**
 * xps_flows_sum() - what a table has done, on all CPUs
 * @table: table
 * @sum: set to the sums
 *
 * Context: Any in which @table exists.
 */
void xps_flows_sum(const struct xps_flow_table *table,
		   struct xps_flow_stats *sum)
{
	int cpu;

	*sum = table->base;
	for_each_possible_cpu(cpu) {
		const struct xps_flow_stats *stats = per_cpu_ptr(table->stats, cpu);

		sum->moved += READ_ONCE(stats->moved);
		sum->held += READ_ONCE(stats->held);
		sum->no_bql += READ_ONCE(stats->no_bql);
		sum->collided += READ_ONCE(stats->collided);
		sum->forced += READ_ONCE(stats->forced);
	}
}

static void xps_flows_replace(struct net_device *dev,
			      struct xps_flow_table *table)
{
	struct xps_flow_table *old = rtnl_dereference(dev->xps_flows);
	struct xps_flow_stats sum;

	if (!table && !old)
		return;
	if (table && !old)
		static_branch_inc(&xps_flows_needed);
	rcu_assign_pointer(dev->xps_flows, table);
	/* From here on every packet meets the new table, and users of the old
	 * one are gone.
	 */
	synchronize_net();
	if (!old)
		return;

	if (table) {
		xps_flows_sum(old, &sum);
		table->base = sum;
	} else {
		static_branch_dec(&xps_flows_needed);
	}
	free_percpu(old->stats);
	kvfree(old);
}

/**
 * xps_flows_resize() - give a device a transmit flow table of another size
 * @dev: device
 * @entries: number of entries, rounded up to a power of two; 0: no table
 *
 * A new table is empty: where the packets are that were sent before, nobody
 * knows. From the return on, each packet that is sent meets the new table.
 *
 * Context: Process, may sleep, RTNL held.
 * Return: 0; -ERANGE for more than XPS_FLOWS_MAX, -EOPNOTSUPP for a device that
 *	picks its TX queues itself, -ENOMEM. The device keeps the table that it
 *	has then.
 */
int xps_flows_resize(struct net_device *dev, unsigned long entries)
{
	struct xps_flow_table *table = NULL;

	ASSERT_RTNL();
	if (entries > XPS_FLOWS_MAX)
		return -ERANGE;

	if (entries) {
		/* What it picks may have other reasons than XPS. */
		if (dev->netdev_ops->ndo_select_queue)
			return -EOPNOTSUPP;
		entries = roundup_pow_of_two(entries);
		if (entries == xps_flows_size(dev))
			return 0;
		table = xps_flows_alloc(entries);
		if (!table)
			return -ENOMEM;
	}
	xps_flows_replace(dev, table);
	return 0;
}

/**
 * xps_flows_size() - size of the transmit flow table
 * @dev: device
 *
 * Context: RTNL held, or any, for a figure that may be outdated at once.
 * Return: Number of entries, 0: there is no table.
 */
unsigned int xps_flows_size(const struct net_device *dev)
{
	const struct xps_flow_table *table;
	unsigned int size;

	rcu_read_lock();
	table = rcu_dereference(dev->xps_flows);
	size = table ? table->mask + 1 : 0;
	rcu_read_unlock();
	return size;
}

/**
 * xps_flows_uninit() - take the table from a device that goes away
 * @dev: device whose sysfs entries are gone
 *
 * Context: Process, may sleep, RTNL held.
 */
void xps_flows_uninit(struct net_device *dev)
{
	xps_flows_replace(dev, NULL);
}

#ifdef CONFIG_SYSFS
#define XPS_FLOWS_ATTR(NAME, VALUE)					\
static ssize_t NAME##_show(struct device *d,				\
			   struct device_attribute *attr, char *buf)	\
{									\
	const struct net_device *dev = to_net_dev(d);			\
	struct xps_flow_stats sum = { };				\
	const struct xps_flow_table *table;				\
									\
	rcu_read_lock();						\
	table = rcu_dereference(dev->xps_flows);			\
	if (table)							\
		xps_flows_sum(table, &sum);				\
	rcu_read_unlock();						\
	return sysfs_emit(buf, "%lu\n", VALUE);			\
}									\
									\
static DEVICE_ATTR_RO(NAME)

XPS_FLOWS_ATTR(moved, sum.moved);
XPS_FLOWS_ATTR(held, sum.held);
XPS_FLOWS_ATTR(no_bql, sum.no_bql);
XPS_FLOWS_ATTR(collided, sum.collided);
XPS_FLOWS_ATTR(forced, sum.forced);

static struct attribute *xps_flows_attrs[] __ro_after_init = {
	&dev_attr_moved.attr,
	&dev_attr_held.attr,
	&dev_attr_no_bql.attr,
	&dev_attr_collided.attr,
	&dev_attr_forced.attr,
	NULL
};

const struct attribute_group xps_flows_group = {
	.name	= "xps_dev_flow_stats",
	.attrs	= xps_flows_attrs,
};
#endif /* CONFIG_SYSFS */

#ifdef CONFIG_DEBUG_FS
static void xps_flows_show_entry(struct seq_file *m, unsigned int bucket,
				 u64 entry)
{
	seq_printf(m, "%7u %5u  %02x   %3u  ", bucket,
		   (u16)FIELD_GET(XPS_FLOW_QUEUE, entry),
		   (u8)FIELD_GET(XPS_FLOW_TAG, entry),
		   (u8)FIELD_GET(XPS_FLOW_USERS, entry));
	if (entry & XPS_FLOW_SEEN)
		seq_printf(m, "left the qdisc at byte %u\n",
			   (u32)FIELD_GET(XPS_FLOW_STAMP, entry));
	else
		seq_printf(m, "%s\n", entry & XPS_FLOW_PINNED ? "pinned" : "-");
}

static void xps_flows_show_dev(struct seq_file *m, const struct net_device *dev)
{
	const struct xps_flow_table *table;
	struct xps_flow_stats sum;
	unsigned int i;

	table = rcu_dereference(dev->xps_flows);
	if (!table)
		return;
	xps_flows_sum(table, &sum);
	seq_printf(m, "%s: %u entries, moved %lu held %lu no_bql %lu collided %lu forced %lu\n",
		   dev->name, table->mask + 1, sum.moved, sum.held, sum.no_bql,
		   sum.collided, sum.forced);
	seq_puts(m, " bucket queue tag users state\n");
	for (i = 0; i <= table->mask && !seq_has_overflowed(m); i++) {
		u64 entry = atomic64_read(&table->entry[i]);

		if (entry & XPS_FLOW_USED)
			xps_flows_show_entry(m, i, entry);
	}
}

/* The tables of all devices in the reader's network namespace. */
static int xps_flows_show(struct seq_file *m, void *v)
{
	struct net *net = current->nsproxy->net_ns;
	struct net_device *dev;

	rcu_read_lock();
	for_each_netdev_rcu(net, dev)
		xps_flows_show_dev(m, dev);
	rcu_read_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(xps_flows);

static int __init xps_flows_debugfs_init(void)
{
	debugfs_create_file("xps_flows", 0400, NULL, NULL, &xps_flows_fops);
	return 0;
}
late_initcall(xps_flows_debugfs_init);
#endif /* CONFIG_DEBUG_FS */
