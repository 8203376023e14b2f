/* SPDX-License-Identifier: GPL-2.0 */
#ifndef __NET_QDISC_CONTENTION_H
#define __NET_QDISC_CONTENTION_H

#include <linux/jump_label.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/sysctl.h>
#include <linux/sysfs.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <trace/events/qdisc.h>

/* What senders do that meet at the root lock of a qdisc, see
 * Documentation/networking/qdisc_contention.rst.  Only qdiscs that have a root
 * lock are concerned: not TCQ_F_NOLOCK, not noqueue, not ingress.
 */

DECLARE_STATIC_KEY_FALSE(qdisc_contention_locked);

/* True when each sender enqueues its own packets under the root lock, false
 * for QDISC_CONTENTION_LLIST.  CPUs may disagree while the mode changes.
 */
static __always_inline bool qdisc_senders_lock(void)
{
	return static_branch_unlikely(&qdisc_contention_locked);
}

/**
 * struct qdisc_section - one sender under the root lock
 * @q: root qdisc
 * @txq: TX queue that the sender picked
 * @to_free: dropped packets, freed when the lock is no longer held
 * @start: ktime_get_ns() when the lock was taken, 0: nobody wants to know
 * @batch: packets that were enqueued, with those of other senders
 * @mode: what the sender took the mode for
 * @busylock: the qdisc's busylock is held, too
 * @contended: another CPU was seen at work
 */
struct qdisc_section {
	struct Qdisc			*q;
	struct netdev_queue		*txq;
	struct sk_buff			*to_free;
	u64				start;
	unsigned int			batch;
	enum qdisc_contention_mode	mode;
	bool				busylock;
	bool				contended;
};

void qdisc_section_begin(struct qdisc_section *s, struct Qdisc *q,
			 struct netdev_queue *txq, bool take);
void qdisc_section_end(struct qdisc_section *s);
bool qdisc_section_run_begin(struct qdisc_section *s);
void qdisc_section_run_end(struct qdisc_section *s);

static inline void qdisc_section_run(struct qdisc_section *s)
{
	if (qdisc_section_run_begin(s)) {
		__qdisc_run(s->q);
		qdisc_section_run_end(s);
	}
}

int qdisc_xmit_locked(struct sk_buff *skb, struct Qdisc *q,
		      struct net_device *dev, struct netdev_queue *txq);
int qdisc_drain_deferred(struct Qdisc *q, struct netdev_queue *txq,
			 struct llist_node *newest, bool own,
			 struct sk_buff **to_free);

enum qdisc_contention_mode qdisc_contention_mode(void);
int qdisc_contention_set(const char *name);
int qdisc_contention_sysctl(const struct ctl_table *table, int write,
			    void *buffer, size_t *lenp, loff_t *ppos);

#ifdef CONFIG_SYSFS
extern const struct attribute_group qdisc_contention_group;
#endif

/* Enqueue to a root qdisc; its lock is held if it has one. */
static inline int dev_qdisc_enqueue(struct sk_buff *skb, struct Qdisc *q,
				    struct sk_buff **to_free,
				    struct netdev_queue *txq)
{
	int rc = q->enqueue(skb, q, to_free) & NET_XMIT_MASK;

	if (rc == NET_XMIT_SUCCESS)
		trace_qdisc_enqueue(q, txq, skb);
	return rc;
}

#endif /* __NET_QDISC_CONTENTION_H */
