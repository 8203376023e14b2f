// SPDX-License-Identifier: GPL-2.0
/*
 * Many CPUs, one qdisc: what a sender does that meets another one.
 *
 * llist	Senders push their packets to Qdisc::defer_list and go on. The
 *		one that found the list empty has promised to take the root
 *		lock, to enqueue for all and to run the queue.
 * direct	Each sender takes the root lock and enqueues its own packet.
 * busylock	As direct, but a sender that sees the queue running takes the
 *		busylock first: the CPU that runs the queue never has more than
 *		one of them to compete with.
 *
 * The mode may change at any time and two CPUs may see different ones. All
 * that this relies on is written down, case by case, in
 * Documentation/networking/qdisc_contention.rst.
 */
#include <linux/cache.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/prefetch.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "dev.h"
#include "net-sysfs.h"
#include "qdisc_contention.h"

/* What is dirtied for each packet that leaves a qdisc shares a line. What the
 * crowd of senders writes is not on it, nor on the one behind it, where the
 * CPU that drains counts. With debugging, locks do not fit.
 */
#if defined(CONFIG_SMP) && SMP_CACHE_BYTES >= 64
static_assert(sizeof(spinlock_t) > 4 ||
	      offsetofend(struct Qdisc, qstats.backlog) -
	      offsetof(struct Qdisc, q) <= SMP_CACHE_BYTES);
static_assert(offsetof(struct Qdisc, q) % SMP_CACHE_BYTES == 0);
static_assert(offsetof(struct Qdisc, defer_count) % SMP_CACHE_BYTES == 0);
static_assert(offsetof(struct Qdisc, defer_count) >=
	      offsetofend(struct Qdisc, max_batch));
static_assert(offsetof(struct Qdisc, defer_list) >
	      offsetof(struct Qdisc, defer_count));
static_assert(offsetof(struct Qdisc, busylock) >
	      offsetof(struct Qdisc, defer_count));
static_assert(offsetof(struct Qdisc, burst_drops) >
	      offsetof(struct Qdisc, defer_count));
#endif

static const char * const qdisc_contention_names[] = {
	[QDISC_CONTENTION_LLIST]	= "llist",
	[QDISC_CONTENTION_DIRECT]	= "direct",
	[QDISC_CONTENTION_BUSYLOCK]	= "busylock",
};

DEFINE_STATIC_KEY_FALSE(qdisc_contention_locked);

static enum qdisc_contention_mode contention_mode __read_mostly;

/**
 * qdisc_contention_mode() - the present mode
 *
 * Context: Any. The answer may be outdated at once.
 * Return: What qdisc_contention_set() has chosen.
 */
enum qdisc_contention_mode qdisc_contention_mode(void)
{
	return READ_ONCE(contention_mode);
}

/**
 * qdisc_contention_set() - choose what senders do that meet at a root lock
 * @name: a word of the sysctl net.core.qdisc_contention
 *
 * Takes effect for packets that come to a qdisc from now on; those on their
 * way are sent all the same.
 *
 * Context: Process, may sleep.
 * Return: 0, or -EINVAL for a name that is none: nothing has changed then.
 */
int qdisc_contention_set(const char *name)
{
	static DEFINE_MUTEX(mutex);
	int mode;

	mode = match_string(qdisc_contention_names,
			    ARRAY_SIZE(qdisc_contention_names), name);
	if (mode < 0)
		return mode;

	mutex_lock(&mutex);
	/* First the mode: who sees the branch and still the old mode does as
	 * in direct, which goes together with all others.
	 */
	WRITE_ONCE(contention_mode, mode);
	if (mode == QDISC_CONTENTION_LLIST)
		static_branch_disable(&qdisc_contention_locked);
	else
		static_branch_enable(&qdisc_contention_locked);
	mutex_unlock(&mutex);
	return 0;
}

/**
 * qdisc_contention_sysctl() - handler of net.core.qdisc_contention
 * @table: entry of the sysctl, not used
 * @write: true: set, false: show
 * @buffer: see &proc_handler
 * @lenp: see &proc_handler
 * @ppos: see &proc_handler
 *
 * Context: Process, may sleep.
 * Return: 0, or a negative errno: -EINVAL for a word that is no mode.
 */
int qdisc_contention_sysctl(const struct ctl_table *table, int write,
			    void *buffer, size_t *lenp, loff_t *ppos)
{
	char name[16];	/* longer than a mode, so that none is cut to one */
	const struct ctl_table tmp = {
		.data	= name,
		.maxlen	= sizeof(name),
	};
	int ret;

	strscpy(name, qdisc_contention_names[qdisc_contention_mode()]);
	ret = proc_dostring(&tmp, write, buffer, lenp, ppos);
	if (write && !ret)
		ret = qdisc_contention_set(name);
	return ret;
}

/* Counters are written under the root lock and read without. */
static void qdisc_count_deferred(struct Qdisc *q, unsigned int deferred,
				 unsigned int batch)
{
	WRITE_ONCE(q->contended, q->contended + deferred);
	WRITE_ONCE(q->deferred, q->deferred + deferred);
	if (batch > q->max_batch)
		WRITE_ONCE(q->max_batch, batch);
}

static u64 qdisc_contended_start(void)
{
	return trace_qdisc_contended_enabled() ? ktime_get_ns() : 0;
}

/* The root lock is about to be dropped. */
static void qdisc_contended_end(struct Qdisc *q, struct netdev_queue *txq,
				enum qdisc_contention_mode mode,
				unsigned int batch, u64 start)
{
	if (start)
		trace_qdisc_contended(q, txq, mode, batch,
				      ktime_get_ns() - start);
}

/* The list that was just taken is one that another sender has promised to drain:
 * tell it that its packet is gone. It compares under the root lock.
 */
static void qdisc_count_taken(struct Qdisc *q)
{
	WRITE_ONCE(q->defer_taken, q->defer_taken + 1);
}

static void qdisc_free_later(struct sk_buff **to_free, struct sk_buff *dropped)
{
	struct sk_buff *last;

	if (likely(!dropped))
		return;

	for (last = dropped; last->next; last = last->next)
		;
	last->next = *to_free;
	*to_free = dropped;
}

/* Enqueue what other senders have deferred, or drop it like the qdisc that it
 * is for. Returns the number of packets.
 */
static unsigned int qdisc_enqueue_deferred(struct Qdisc *q,
					   struct netdev_queue *txq,
					   struct llist_node *newest,
					   struct sk_buff **to_free)
{
	bool drop = test_bit(__QDISC_STATE_DEACTIVATED, &q->state);
	struct llist_node *oldest = llist_reverse_order(newest);
	struct sk_buff *skb, *next;
	unsigned int n = 0;

	llist_for_each_entry_safe(skb, next, oldest, ll_node) {
		n++;
		if (unlikely(drop)) {
			__qdisc_drop(skb, to_free);
			continue;
		}
		if (next) {
			prefetch(next);
			prefetch(&next->priority);
		}
		skb_mark_not_on_list(skb);
		dev_qdisc_enqueue(skb, q, to_free, txq);
	}
	return n;
}

/**
 * qdisc_drain_deferred() - keep the promise of a sender in llist mode
 * @q: root qdisc
 * @txq: TX queue that the sender picked
 * @newest: what was on &Qdisc.defer_list, in the list's order, or NULL
 * @own: the sender's own packet is among them
 * @to_free: where packets go that were dropped
 *
 * For all cases but a list of just the sender's own packet. A sender in another
 * mode may have taken the list before the one that had promised to drain it
 * came to the root lock. Then @newest is NULL, or came later. The queue is run
 * in any case: __netif_schedule() may have seen the list when it was not empty,
 * and have left the queue to the promise.
 *
 * Context: BHs off, root lock held.
 * Return: The verdict for the sender: NET_XMIT_DROP when its packet was dropped
 *	because the qdisc is deactivated. Otherwise NET_XMIT_SUCCESS, whatever
 *	the qdisc did with it, as for all others on the list.
 */
int qdisc_drain_deferred(struct Qdisc *q, struct netdev_queue *txq,
			 struct llist_node *newest, bool own,
			 struct sk_buff **to_free)
{
	u64 start = qdisc_contended_start();
	unsigned int batch;

	lockdep_assert_held(qdisc_lock(q));
	if (newest && !own)
		qdisc_count_taken(q);
	batch = qdisc_enqueue_deferred(q, txq, newest, to_free);
	qdisc_count_deferred(q, batch - own, batch);

	if (unlikely(test_bit(__QDISC_STATE_DEACTIVATED, &q->state)))
		return own ? NET_XMIT_DROP : NET_XMIT_SUCCESS;

	qdisc_free_later(to_free, qdisc_run(q));
	qdisc_contended_end(q, txq, QDISC_CONTENTION_LLIST, batch, start);
	return NET_XMIT_SUCCESS;
}

/* Take over what senders in llist mode have left, before anything of our own
 * is enqueued: one of them may have come from the flow that we send for now.
 */
static void qdisc_section_take_deferred(struct qdisc_section *s)
{
	struct Qdisc *q = s->q;
	struct llist_node *newest;
	unsigned int n;

	/* A full barrier, which pairs with the one in netif_tx_wake_queue():
	 * when __netif_schedule() saw one of these packets and did nothing,
	 * the run below sees that the TX queue is awake.
	 */
	newest = llist_del_all(&q->defer_list);
	if (!newest)
		return;
	atomic_long_set(&q->defer_count, 0);
	qdisc_count_taken(q);

	n = qdisc_enqueue_deferred(q, s->txq, newest, &s->to_free);
	s->batch += n;
	if (!s->contended) {
		s->contended = true;
		s->start = qdisc_contended_start();
	}
	qdisc_count_deferred(q, n, n);
}

/**
 * qdisc_section_begin() - take the root lock as the mode has it
 * @s: to be given to qdisc_section_end()
 * @q: root qdisc, not TCQ_F_NOLOCK
 * @txq: TX queue that the sender picked
 * @take: enqueue what is deferred, ahead of anything of the caller. False only
 *	for one that has seen &Qdisc.defer_list empty before, since that is
 *	enough to know that nothing of its own flow is left there.
 *
 * In busylock mode a sender that sees the queue running waits for its turn at
 * the busylock.
 *
 * Context: BHs off. Acquires the root lock, and the busylock perhaps.
 */
void qdisc_section_begin(struct qdisc_section *s, struct Qdisc *q,
			 struct netdev_queue *txq, bool take)
{
	*s = (struct qdisc_section) {
		.q		= q,
		.txq		= txq,
		.mode		= qdisc_contention_mode(),
		.contended	= qdisc_seems_running(q),
	};

	s->busylock = s->contended && s->mode == QDISC_CONTENTION_BUSYLOCK;
	if (s->busylock)
		spin_lock(&q->busylock);
	spin_lock(qdisc_lock(q));

	if (s->contended) {
		WRITE_ONCE(q->contended, q->contended + 1);
		s->start = qdisc_contended_start();
	}
	if (take && !llist_empty(&q->defer_list))
		qdisc_section_take_deferred(s);
}

/**
 * qdisc_section_run_begin() - qdisc_run_begin(), without the busylock from there
 * @s: section
 *
 * The busylock is held as long as the sender is one of the crowd. The CPU that
 * runs the queue is not: it waits for the root lock again and again, and it
 * may do so for long.
 *
 * Context: In a section. Releases the busylock on success.
 * Return: What qdisc_run_begin() returned.
 */
bool qdisc_section_run_begin(struct qdisc_section *s)
{
	if (!qdisc_run_begin(s->q))
		return false;

	if (s->busylock) {
		s->busylock = false;
		spin_unlock(&s->q->busylock);
	}
	return true;
}

/**
 * qdisc_section_run_end() - qdisc_run_end(), what was dropped is freed later
 * @s: section
 *
 * Context: In a section.
 */
void qdisc_section_run_end(struct qdisc_section *s)
{
	qdisc_free_later(&s->to_free, qdisc_run_end(s->q));
}

/**
 * qdisc_section_end() - drop the locks, free what was dropped
 * @s: section
 *
 * Context: BHs off. Releases what qdisc_section_begin() acquired.
 */
void qdisc_section_end(struct qdisc_section *s)
{
	struct Qdisc *q = s->q;

	if (s->contended)
		qdisc_contended_end(q, s->txq, s->mode, s->batch, s->start);
	spin_unlock(qdisc_lock(q));
	if (s->busylock)
		spin_unlock(&q->busylock);

	tcf_kfree_skb_list(s->to_free, q, s->txq, s->txq->dev);
}

/**
 * qdisc_xmit_locked() - hand a packet to a qdisc, in direct and busylock mode
 * @skb: packet, on no list, ready to be enqueued
 * @q: root qdisc, not TCQ_F_NOLOCK
 * @dev: device
 * @txq: TX queue that was picked for @skb
 *
 * Context: BHs off. Takes the root lock, and the busylock perhaps.
 * Return: The qdisc's own verdict for this packet, which is consumed.
 */
int qdisc_xmit_locked(struct sk_buff *skb, struct Qdisc *q,
		      struct net_device *dev, struct netdev_queue *txq)
{
	struct qdisc_section s;
	int rc;

	qdisc_section_begin(&s, q, txq, true);
	s.batch++;

	if (unlikely(test_bit(__QDISC_STATE_DEACTIVATED, &q->state))) {
		__qdisc_drop(skb, &s.to_free);
		rc = NET_XMIT_DROP;
	} else if ((q->flags & TCQ_F_CAN_BYPASS) && !qdisc_qlen(q) &&
		   qdisc_section_run_begin(&s)) {
		/* Idle and work-conserving: nothing to wait for. */
		qdisc_bstats_update(q, skb);
		if (sch_direct_xmit(skb, q, dev, txq, qdisc_lock(q), true))
			__qdisc_run(q);
		qdisc_section_run_end(&s);
		rc = NET_XMIT_SUCCESS;
	} else {
		rc = dev_qdisc_enqueue(skb, q, &s.to_free, txq);
		qdisc_section_run(&s);
	}

	qdisc_section_end(&s);
	return rc;
}

#ifdef CONFIG_SYSFS
/* The qdisc may be replaced at any time and is freed after a grace period, its
 * counters with it.  The noop qdisc is shared by all that have none.
 */
#define QDISC_CONTENTION_ATTR(NAME, READ)				\
static ssize_t NAME##_show(struct kobject *kobj,			\
			   struct attribute *attr,			\
			   struct netdev_queue *queue, char *buf)	\
{									\
	unsigned long value = 0;					\
	struct Qdisc *q;						\
									\
	rcu_read_lock();						\
	q = rcu_dereference(queue->qdisc_sleeping);			\
	if (q && !(q->flags & TCQ_F_BUILTIN))				\
		value = READ;						\
	rcu_read_unlock();						\
	return sysfs_emit(buf, "%lu\n", value);				\
}									\
									\
static struct netdev_queue_attribute qdisc_##NAME##_attr __ro_after_init = \
	__ATTR_RO(NAME)

QDISC_CONTENTION_ATTR(contended, READ_ONCE(q->contended));
QDISC_CONTENTION_ATTR(deferred, READ_ONCE(q->deferred));
QDISC_CONTENTION_ATTR(max_batch, READ_ONCE(q->max_batch));
QDISC_CONTENTION_ATTR(burst_drops, atomic_long_read(&q->burst_drops));

static struct attribute *qdisc_contention_attrs[] __ro_after_init = {
	&qdisc_contended_attr.attr,
	&qdisc_deferred_attr.attr,
	&qdisc_max_batch_attr.attr,
	&qdisc_burst_drops_attr.attr,
	NULL
};

const struct attribute_group qdisc_contention_group = {
	.name	= "qdisc_contention",
	.attrs	= qdisc_contention_attrs,
};
#endif /* CONFIG_SYSFS */
