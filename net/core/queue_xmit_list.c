// SPDX-License-Identifier: GPL-2.0
/*
 * Bursts through the qdisc: a list of packets is enqueued under one root lock
 * and the queue is run when they are all in, so that the driver sees them
 * together.  A packet meets the verdict that it would have met by itself.
 */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/dst.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <net/tcx.h>
#include <net/xfrm.h>
#include <trace/events/net.h>

#include "dev.h"
#include "qdisc_contention.h"

/* A list on its way through one qdisc to one TX queue. */
struct queue_xmit {
	struct sk_buff		**list;	/* what is left */
	struct sk_buff		*end;	/* the first one that does not belong */
	struct net_device	*dev;
	struct netdev_queue	*txq;
	struct Qdisc		*q;
	unsigned int		sent;	/* met NET_XMIT_SUCCESS */
};

/* Packets that see hooks on their way do so one at a time: a hook may send,
 * redirect or drop, and by then those behind must not have been touched.
 */
static bool queue_xmit_hooked(const struct net_device *dev)
{
#ifdef CONFIG_NET_EGRESS
	if (static_branch_unlikely(&egress_needed_key))
		return true;
#endif
#if IS_ENABLED(CONFIG_CGROUP_NET_PRIO)
	if (rcu_access_pointer(dev->priomap))
		return true;
#endif
	return false;
}

/* Getting a packet ready leaves no trace, and cannot fail. */
static bool queue_xmit_plain(const struct sk_buff *skb)
{
	return !skb_is_gso(skb) && skb->len && !skb_sec_path(skb) &&
	       !(skb_shinfo(skb)->tx_flags & (SKBTX_SCHED_TSTAMP | SKBTX_BPF));
}

/* In skb->cb of a packet that has picked its TX queue and is not handed over
 * yet. Picking overwrites what it picks by: doing it again would give another
 * queue, so a packet that is not handed over gets the old value back.
 */
struct queue_xmit_cb {
	u16	mapping;
};

static struct queue_xmit_cb *queue_xmit_cb(const struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct queue_xmit_cb) > sizeof(skb->cb));
	return (struct queue_xmit_cb *)skb->cb;
}

static void queue_xmit_unpick(struct sk_buff *skb)
{
	skb_set_queue_mapping(skb, queue_xmit_cb(skb)->mapping);
}

/* What __dev_queue_xmit() does with a plain packet up to picking a TX queue. */
static struct netdev_queue *queue_xmit_pick(struct sk_buff *skb,
					    struct net_device *dev)
{
	skb_reset_mac_header(skb);
	tcx_set_ingress(skb, false);

	if (dev->priv_flags & IFF_XMIT_DST_RELEASE)
		skb_dst_drop(skb);
	else
		skb_dst_force(skb);

	queue_xmit_cb(skb)->mapping = skb_get_queue_mapping(skb);
	return netdev_core_pick_tx(dev, skb, NULL);
}

/* The next packet, which is handed over now. */
static struct sk_buff *queue_xmit_next(struct queue_xmit *x)
{
	struct sk_buff *skb = *x->list;

	*x->list = skb->next;
	skb_mark_not_on_list(skb);
	qdisc_skb_cb(skb)->pkt_len = skb->len;
	qdisc_skb_cb(skb)->pkt_segs = 1;
	trace_net_dev_queue(skb);
	qdisc_calculate_pkt_len(skb, x->q);
	tcf_set_qdisc_drop_reason(skb, QDISC_DROP_GENERIC);
	return skb;
}

/* How many packets may go in before the queue has to run: one at a time, it
 * would run after each, and a packet must not meet a limit only because it did
 * not. A qdisc that has no limit of its own has it in its children, which by
 * default are as long as the device has it.
 */
static unsigned int queue_xmit_room(const struct queue_xmit *x,
				    unsigned int qlen)
{
	const struct Qdisc *q = x->q;
	unsigned int limit = q->limit;

	/* not qdisc_dev(): the noop qdisc has none */
	if (!limit)
		limit = READ_ONCE(x->dev->tx_queue_len);
	else if (IS_ENABLED(CONFIG_NET_SCHED) && q->ops == &bfifo_qdisc_ops)
		return 1;	/* the limit is in bytes */

	return limit > qlen ? limit - qlen : 1;
}

/* Take from the list what the driver may be given at once, past an empty qdisc:
 * up to @room packets, and what fits into the TX queue by BQL. A TX queue that
 * is stopped gets one, which is requeued, and the others are enqueued.
 */
static struct sk_buff *queue_xmit_take(struct queue_xmit *x, unsigned int room)
{
	struct sk_buff *head, *last;
	bool percpu = qdisc_is_percpu_stats(x->q);
	int bytes;

	if (netif_xmit_frozen_or_stopped(x->txq))
		room = 1;

	bytes = qdisc_avail_bulklimit(x->txq);
	head = NULL;
	do {
		struct sk_buff *skb = queue_xmit_next(x);

		if (head)
			last->next = skb;
		else
			head = skb;
		last = skb;
		bytes -= skb->len;
		if (percpu)
			qdisc_bstats_cpu_update(x->q, skb);
		else
			qdisc_bstats_update(x->q, skb);
		x->sent++;
	} while (*x->list != x->end && --room && bytes > 0);

	return head;
}

/* Enqueue up to @room packets, as long as they meet with success. */
static int queue_xmit_enqueue(struct queue_xmit *x, unsigned int room,
			      struct sk_buff **to_free)
{
	int rc;

	do {
		rc = dev_qdisc_enqueue(queue_xmit_next(x), x->q, to_free, x->txq);
		if (unlikely(rc != NET_XMIT_SUCCESS))
			return rc;
		x->sent++;
	} while (*x->list != x->end && --room);

	return NET_XMIT_SUCCESS;
}

/* With a root lock. @take: see qdisc_section_begin(). */
static int queue_xmit_locked(struct queue_xmit *x, bool take)
{
	struct Qdisc *q = x->q;
	struct qdisc_section s;
	unsigned int room;
	int rc;

	qdisc_section_begin(&s, q, x->txq, take);
	do {
		if (unlikely(test_bit(__QDISC_STATE_DEACTIVATED, &q->state))) {
			__qdisc_drop(queue_xmit_next(x), &s.to_free);
			rc = NET_XMIT_DROP;
			break;
		}

		room = queue_xmit_room(x, qdisc_qlen(q));
		if ((q->flags & TCQ_F_CAN_BYPASS) && !qdisc_qlen(q) &&
		    qdisc_section_run_begin(&s)) {
			if (sch_direct_xmit(queue_xmit_take(x, room), q, x->dev,
					    x->txq, qdisc_lock(q), true))
				__qdisc_run(q);
			qdisc_section_run_end(&s);
			rc = NET_XMIT_SUCCESS;
		} else {
			rc = queue_xmit_enqueue(x, room, &s.to_free);
			qdisc_section_run(&s);
		}
	} while (rc == NET_XMIT_SUCCESS && *x->list != x->end);

	s.batch += x->sent;
	qdisc_section_end(&s);
	return rc;
}

/* For TCQ_F_NOLOCK. The queue length is a sum over all CPUs, too much to ask
 * for: when the queue is not empty it is run first. Either that makes room, or
 * a run after each packet would not have made any.
 */
static int queue_xmit_nolock(struct queue_xmit *x)
{
	struct sk_buff *to_free = NULL;
	struct Qdisc *q = x->q;
	unsigned int room;
	int rc;

	room = queue_xmit_room(x, 0);
	do {
		if (!nolock_qdisc_is_empty(q))
			qdisc_run(q);

		if (!(q->flags & TCQ_F_CAN_BYPASS) ||
		    !nolock_qdisc_is_empty(q) || !qdisc_run_begin(q)) {
			rc = queue_xmit_enqueue(x, room, &to_free);
			qdisc_run(q);
			continue;
		}

		/* Again, now that nobody else can requeue. */
		if (unlikely(!nolock_qdisc_is_empty(q))) {
			rc = queue_xmit_enqueue(x, room, &to_free);
			__qdisc_run(q);
		} else {
			rc = NET_XMIT_SUCCESS;
			if (sch_direct_xmit(queue_xmit_take(x, room), q, x->dev,
					    x->txq, NULL, true) &&
			    !nolock_qdisc_is_empty(q))
				__qdisc_run(q);
		}
		qdisc_run_end(q);
	} while (rc == NET_XMIT_SUCCESS && *x->list != x->end);

	tcf_kfree_skb_list(to_free, q, x->txq, x->dev);
	return rc;
}

/* Packets from *list on that are plain and pick the TX queue of the first. */
static struct sk_buff *queue_xmit_gather(struct sk_buff *first,
					 struct net_device *dev,
					 struct netdev_queue *txq)
{
	struct sk_buff *skb;

	for (skb = first->next; skb && queue_xmit_plain(skb); skb = skb->next) {
		if (queue_xmit_pick(skb, dev) != txq) {
			queue_xmit_unpick(skb);
			break;
		}
	}

	return skb;
}

/* Send what can be sent together at the head of the list. False: nothing was,
 * the first packet has to go by itself.
 */
static bool queue_xmit_burst(struct sk_buff **list, unsigned int *sent, int *rc)
{
	struct sk_buff *skb = *list;
	struct queue_xmit x = {
		.list	= list,
		.dev	= skb->dev,
	};
	bool take = qdisc_senders_lock(), done = false;

	if (!skb->next || !queue_xmit_plain(skb))
		return false;

	rcu_read_lock_bh();

	if (dev_xmit_picks_in_turn(x.dev)) {
		rcu_read_unlock_bh();
		return false;
	}
	x.txq = queue_xmit_pick(skb, x.dev);
	x.end = skb->next;
	x.q = rcu_dereference_bh(x.txq->qdisc);
	if (!x.q->enqueue)
		goto out;
	/* In llist mode a sender that meets others joins them. One that does
	 * not has nothing on the list, and need not care for it further on.
	 */
	if (!(x.q->flags & TCQ_F_NOLOCK) && !take &&
	    !llist_empty(&x.q->defer_list))
		goto out;

	x.end = queue_xmit_gather(skb, x.dev, x.txq);
	if (x.end == skb->next)
		goto out;

	if (x.q->flags & TCQ_F_NOLOCK)
		*rc = queue_xmit_nolock(&x);
	else
		*rc = queue_xmit_locked(&x, take);
	*sent += x.sent;
	done = true;
out:
	/* What a verdict has left behind is as it came. */
	for (skb = *list; skb != x.end; skb = skb->next)
		queue_xmit_unpick(skb);
	rcu_read_unlock_bh();
	return done;
}

static int queue_xmit_one(struct sk_buff **list, unsigned int *sent)
{
	struct sk_buff *skb = *list;
	int rc;

	*list = skb->next;
	skb_mark_not_on_list(skb);
	rc = dev_queue_xmit(skb);
	if (rc == NET_XMIT_SUCCESS)
		(*sent)++;
	return rc;
}

/**
 * dev_queue_xmit_list() - transmit a list of packets through the qdisc
 * @list: first packet of a list linked by &sk_buff.next, not empty.  All have
 *	the same &sk_buff.dev.  On return the first packet that the caller
 *	still owns, or NULL.
 * @sent: set to the number of packets that met NET_XMIT_SUCCESS, all of them
 *	before the one that the verdict is about
 *
 * As if each packet had been given to dev_queue_xmit(), in order, but those
 * that go to the same TX queue are enqueued under one root lock, and the
 * queue is run when they are in. It is run, or scheduled to run, before the
 * function returns: no packet waits for one that the caller has yet to send. A
 * list is no excuse to drop: the queue is run earlier when it has not room for
 * more. A limit that a child of the qdisc has for itself is not known here, and
 * may be met by a list that is longer than it.
 *
 * One packet goes the way of dev_queue_xmit(), and so do, one at a time, all
 * packets of a device with egress hooks, without a queue, or with a transmit
 * flow table, GSO packets, and those that want a timestamp before the qdisc or
 * IPsec.
 *
 * The first packet that does not meet NET_XMIT_SUCCESS ends the call. The ones
 * after it have met neither hook nor qdisc; a caller that goes on in this case
 * calls again with the rest.
 *
 * Context: As dev_queue_xmit(): process or softirq, interrupts enabled.
 * Return: The verdict of the packet number @sent, counted from 0, as
 *	dev_queue_xmit() would have returned it; that packet is gone in any
 *	case.  0 when there is none: the whole list was sent.
 */
int dev_queue_xmit_list(struct sk_buff **list, unsigned int *sent)
{
	bool hooked = queue_xmit_hooked((*list)->dev);
	int rc;

	*sent = 0;
	do {
		if (hooked || !queue_xmit_burst(list, sent, &rc))
			rc = queue_xmit_one(list, sent);
	} while (rc == NET_XMIT_SUCCESS && *list);

	return rc;
}
EXPORT_SYMBOL_GPL(dev_queue_xmit_list);
