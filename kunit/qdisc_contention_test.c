// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of net.core.qdisc_contention and of dev_queue_xmit_list().
 *
 * Each packet handed to a qdisc is sent, dropped or still queued, whatever the
 * mode is and while it changes; a list meets the verdicts that its packets
 * would have met one at a time, and the driver is told the truth about it.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/llist.h>
#include <linux/sizes.h>
#include <net/hotdata.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>

#include "fake_txring.h"
#include "test_qdisc.h"
#include "qdisc_contention.h"

#define OFFERED		8
#define SENDERS		8
#define SWITCHES	200

static const char * const modes[] = { "llist", "direct", "busylock" };

static void mode_desc(const char * const *mode, char *desc)
{
	strscpy(desc, *mode, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(mode, modes, mode_desc);

/* A FIFO that is shaped by hand: dequeue takes a token for each packet. */
struct shaped {
	int	tokens;
};

static struct shaped *shaped(struct Qdisc *q)
{
	return qdisc_priv(q);
}

static int shaped_enqueue(struct sk_buff *skb, struct Qdisc *q,
			  struct sk_buff **to_free)
{
	if (q->q.qlen >= q->limit)
		return qdisc_drop(skb, q, to_free);
	return qdisc_enqueue_tail(skb, q);
}

static struct sk_buff *shaped_dequeue(struct Qdisc *q)
{
	struct sk_buff *skb;

	if (!shaped(q)->tokens)
		return NULL;
	skb = qdisc_dequeue_head(q);
	if (skb)
		shaped(q)->tokens--;
	return skb;
}

static int shaped_init(struct Qdisc *q, struct nlattr *opt,
		       struct netlink_ext_ack *extack)
{
	q->limit = 1000;
	shaped(q)->tokens = INT_MAX;
	return 0;
}

static struct Qdisc_ops shaped_ops = {
	.id		= "kunit_shaped",
	.priv_size	= sizeof(struct shaped),
	.enqueue	= shaped_enqueue,
	.dequeue	= shaped_dequeue,
	.peek		= qdisc_peek_head,
	.init		= shaped_init,
	.reset		= qdisc_reset_queue,
	.owner		= THIS_MODULE,
};

/* The qdisc of the queue that cases send to, from now on. */
static struct Qdisc *use_qdisc(struct kunit *test, const struct Qdisc_ops *ops)
{
	return test_qdisc(test, fake_txq(test->priv), ops);
}

static struct Qdisc *use_named_qdisc(struct kunit *test, const char *name)
{
	return test_qdisc_named(test, fake_txq(test->priv), name);
}

static struct sk_buff *numbered(struct kunit *test, unsigned int id)
{
	struct fake_ring *ring = test->priv;
	struct sk_buff *skb = fake_skb(test, ring, 0);

	skb->mark = id;
	/* forwarded from receive queue FAKE_QUEUES - 1: goes to that TX queue */
	skb_set_queue_mapping(skb, FAKE_QUEUES);
	return skb;
}

static struct sk_buff *numbered_list(struct kunit *test, unsigned int first,
				     unsigned int n)
{
	struct sk_buff *head = NULL;

	while (n--) {
		struct sk_buff *skb = numbered(test, first + n);

		skb->next = head;
		head = skb;
	}
	return head;
}

static void free_list(struct sk_buff *skb)
{
	kfree_skb_list(skb);
}

static void expect_order(struct kunit *test, unsigned int n)
{
	struct fake_ring *ring = test->priv;
	unsigned int i;

	KUNIT_ASSERT_EQ_MSG(test, ring->calls, n, "packets sent");
	for (i = 0; i < n; i++) {
		KUNIT_EXPECT_EQ(test, ring->call[i].id, i);
		KUNIT_EXPECT_EQ(test, ring->call[i].queue, FAKE_QUEUES - 1);
		KUNIT_EXPECT_EQ(test, ring->call[i].skb_more, ring->call[i].core_more);
	}
	fake_expect_covered(test, ring);
}

/* sent + dropped + queued = offered */
static void expect_sum(struct kunit *test, struct Qdisc *q, unsigned int offered,
		       unsigned int sent, unsigned int dropped)
{
	struct fake_ring *ring = test->priv;

	fake_complete(ring);
	KUNIT_EXPECT_EQ_MSG(test, ring->completed, sent, "sent");
	/* fq orphans what has no socket: such packets do not count here */
	KUNIT_EXPECT_EQ_MSG(test, ring->alive,
			    strcmp(q->ops->id, "fq") ? offered - sent - dropped : 0,
			    "still there");
	KUNIT_EXPECT_EQ_MSG(test, qdisc_qlen_sum(q), offered - sent - dropped,
			    "queued");
}

static int contention_init(struct kunit *test)
{
	const char * const *mode = test->param_value;
	struct fake_ring *ring;
	int err = fake_ring_init(test);

	/* of another array: not a mode */
	if (mode < modes || mode >= modes + ARRAY_SIZE(modes))
		mode = NULL;

	if (err)
		return err;
	ring = test->priv;
	ring->queued = true;
	ring->act_at = UINT_MAX;
	/* a device with BQL, or there are no bursts, and room in it */
	fake_txq(ring)->dql.adj_limit = SZ_1M;
	return qdisc_contention_set(mode ? *mode : "llist");
}

static void contention_exit(struct kunit *test)
{
	qdisc_contention_set("llist");
	fake_ring_exit(test);
}

/* ---- modes ------------------------------------------------------------- */

static void words(struct kunit *test)
{
	static const char * const wrong[] = { "", "Llist", "direct ", "busy", "1" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		KUNIT_EXPECT_EQ(test, qdisc_contention_set(modes[i]), 0);
		KUNIT_EXPECT_EQ(test, (unsigned int)qdisc_contention_mode(), i);
	}
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		KUNIT_EXPECT_EQ(test, qdisc_contention_set(wrong[i]), -EINVAL);
		KUNIT_EXPECT_EQ(test, qdisc_contention_mode(),
				QDISC_CONTENTION_BUSYLOCK);
	}
}

/* The sender is told what the qdisc did, in each mode when it is alone. */
static void own_verdict(struct kunit *test)
{
	struct Qdisc *q = use_qdisc(test, &shaped_ops);
	unsigned int i;

	q->limit = 3;
	shaped(q)->tokens = 0;
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, dev_queue_xmit(numbered(test, i)),
				i < 3 ? NET_XMIT_SUCCESS : NET_XMIT_DROP);
	expect_sum(test, q, 5, 0, 2);
	KUNIT_EXPECT_EQ(test, q->qstats.drops, 2);
	KUNIT_EXPECT_EQ_MSG(test, q->contended, 0, "nobody else was there");
}

/* A packet on the list, as a sender in llist mode has left it that promised to
 * drain it. The rest of that sender follows in keep_promise().
 */
static u32 promise(struct Qdisc *q, struct sk_buff *skb)
{
	u32 taken = READ_ONCE(q->defer_taken);

	skb_set_queue_mapping(skb, FAKE_QUEUES - 1);
	qdisc_skb_cb(skb)->pkt_len = skb->len;
	qdisc_skb_cb(skb)->pkt_segs = 1;
	tcf_set_qdisc_drop_reason(skb, QDISC_DROP_GENERIC);
	llist_add(&skb->ll_node, &q->defer_list);
	return taken;
}

static int keep_promise(struct kunit *test, struct Qdisc *q, u32 taken)
{
	struct fake_ring *ring = test->priv;
	struct sk_buff *to_free = NULL;
	int rc;

	rcu_read_lock_bh();
	spin_lock(qdisc_lock(q));
	rc = qdisc_drain_deferred(q, fake_txq(ring),
				  llist_del_all(&q->defer_list),
				  taken == q->defer_taken, &to_free);
	spin_unlock(qdisc_lock(q));
	tcf_kfree_skb_list(to_free, q, fake_txq(ring), ring->dev);
	rcu_read_unlock_bh();
	return rc;
}

static void deferred_first(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct Qdisc *q = use_qdisc(test, &shaped_ops);
	u32 taken, later;

	taken = promise(q, numbered(test, 0));
	promise(q, numbered(test, 1));
	KUNIT_ASSERT_EQ(test, qdisc_contention_set("direct"), 0);
	KUNIT_EXPECT_EQ(test, dev_queue_xmit(numbered(test, 2)), NET_XMIT_SUCCESS);
	KUNIT_EXPECT_TRUE(test, llist_empty(&q->defer_list));
	KUNIT_EXPECT_EQ(test, ring->calls, 3);

	/* The mode is llist again; another sender came first to the list. */
	later = promise(q, numbered(test, 3));
	KUNIT_EXPECT_EQ(test, keep_promise(test, q, taken), NET_XMIT_SUCCESS);
	KUNIT_EXPECT_EQ(test, keep_promise(test, q, later), NET_XMIT_SUCCESS);

	expect_order(test, 4);
	expect_sum(test, q, 4, 4, 0);
	KUNIT_EXPECT_EQ(test, q->deferred, 3);
	KUNIT_EXPECT_EQ(test, q->max_batch, 2);
	KUNIT_EXPECT_EQ(test, q->defer_taken, 2);
}

/* __netif_schedule() did nothing because the list was not empty; then the list
 * is emptied while the queue is stopped, and the promise is all there is.
 */
static void promise_runs_queue(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct Qdisc *q = use_qdisc(test, &shaped_ops);
	u32 taken = promise(q, numbered(test, 0));

	KUNIT_ASSERT_EQ(test, qdisc_contention_set("direct"), 0);
	netif_tx_stop_queue(fake_txq(ring));
	dev_queue_xmit(numbered(test, 1));
	KUNIT_EXPECT_EQ(test, ring->calls, 0);

	clear_bit(__QUEUE_STATE_DRV_XOFF, &fake_txq(ring)->state);
	keep_promise(test, q, taken);
	expect_order(test, 2);
	expect_sum(test, q, 2, 2, 0);
}

static void deferred_dropped_when_deactivated(struct kunit *test)
{
	struct Qdisc *q = use_qdisc(test, &shaped_ops);
	u32 taken = promise(q, numbered(test, 0));

	promise(q, numbered(test, 1));
	set_bit(__QDISC_STATE_DEACTIVATED, &q->state);
	KUNIT_EXPECT_EQ(test, keep_promise(test, q, taken), NET_XMIT_DROP);
	expect_sum(test, q, 2, 0, 2);

	taken = promise(q, numbered(test, 2));
	qdisc_contention_set("busylock");
	KUNIT_EXPECT_EQ(test, dev_queue_xmit(numbered(test, 3)), NET_XMIT_DROP);
	KUNIT_EXPECT_EQ(test, keep_promise(test, q, taken), NET_XMIT_SUCCESS);
	clear_bit(__QDISC_STATE_DEACTIVATED, &q->state);
	expect_sum(test, q, 4, 0, 4);
}

static void counts_running(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct Qdisc *q = use_qdisc(test, &shaped_ops);

	spin_lock_bh(qdisc_lock(q));
	KUNIT_EXPECT_TRUE(test, qdisc_run_begin(q));
	KUNIT_EXPECT_FALSE(test, qdisc_run_begin(q));
	spin_unlock_bh(qdisc_lock(q));

	/* The owner is about its driver; it will see this packet. */
	KUNIT_EXPECT_EQ(test, dev_queue_xmit(numbered(test, 0)), NET_XMIT_SUCCESS);
	KUNIT_EXPECT_EQ(test, ring->calls, 0);
	KUNIT_EXPECT_EQ(test, q->contended, 1);
	KUNIT_ASSERT_TRUE_MSG(test, spin_trylock_bh(&q->busylock),
			      "the busylock was not released");
	spin_unlock_bh(&q->busylock);

	spin_lock_bh(qdisc_lock(q));
	__qdisc_run(q);
	qdisc_run_end(q);
	spin_unlock_bh(qdisc_lock(q));
	expect_order(test, 1);
	expect_sum(test, q, 1, 1, 0);
}

static atomic_t flood_freed;

static void flood_destructor(struct sk_buff *skb)
{
	atomic_inc(&flood_freed);
}

struct flood {
	struct net_device	*dev;
	const bool		*stop;
	unsigned int		burst;	/* in lists of that many; 1: one by one */
	struct completion	done;
	unsigned int		offered;
	unsigned int		told;	/* that the packet was dropped */
};

static struct sk_buff *flood_skb(struct flood *f)
{
	struct sk_buff *skb = alloc_skb(ETH_ZLEN, GFP_KERNEL);

	if (!skb)
		return NULL;
	skb_put_zero(skb, ETH_ZLEN);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb->protocol = htons(ETH_P_LOOPBACK);	/* not logged */
	skb->dev = f->dev;
	skb_set_queue_mapping(skb, FAKE_QUEUES);
	skb->destructor = flood_destructor;
	f->offered++;
	return skb;
}

/* Offer what the verdict has left over as the next list, like a TX ring. */
static void flood_list(struct flood *f)
{
	struct sk_buff *list = NULL;
	unsigned int i, sent;

	for (i = 0; i < f->burst; i++) {
		struct sk_buff *skb = flood_skb(f);

		if (!skb)
			break;
		skb->next = list;
		list = skb;
	}
	while (list)
		if (dev_queue_xmit_list(&list, &sent) != NET_XMIT_SUCCESS)
			f->told++;
}

static void flood_one(struct flood *f)
{
	struct sk_buff *skb = flood_skb(f);

	if (skb && dev_queue_xmit(skb) != NET_XMIT_SUCCESS)
		f->told++;
}

static int flood_thread(void *data)
{
	struct flood *f = data;

	while (!READ_ONCE(*f->stop)) {
		if (f->burst > 1)
			flood_list(f);
		else
			flood_one(f);
		cond_resched();
	}
	complete(&f->done);
	return 0;
}

enum disturbance { MODES_ONLY, REPLACE, DOWN };

struct load {
	const char		*name;
	unsigned int		burst;
	unsigned int		limit;	/* of the qdisc */
	unsigned int		max_burst;
	enum disturbance	what;
};

static const struct load loads[] = {
	{ "packets",			1, 4, 1000, MODES_ONLY },
	{ "lists",			OFFERED, 4, 1000, MODES_ONLY },
	{ "packets, list of one",	1, 4, 1, MODES_ONLY },
	{ "packets, replaced",		1, 4, 1000, REPLACE },
	{ "lists, replaced",		OFFERED, 4, 1000, REPLACE },
	{ "packets, device down",	1, 4, 1000, DOWN },
	{ "lists, device down",		OFFERED, 4, 1000, DOWN },
};

KUNIT_ARRAY_PARAM_DESC(load, loads, name);

static void disturb(struct kunit *test, enum disturbance what)
{
	struct fake_ring *ring = test->priv;

	switch (what) {
	case MODES_ONLY:
		break;
	case REPLACE:
		use_qdisc(test, &shaped_ops)->limit = 4;
		break;
	case DOWN:
		rtnl_lock();
		dev_deactivate(ring->dev, true);
		dev_activate(ring->dev);
		rtnl_unlock();
		break;
	}
}

/* Q1 with all CPUs, a mode that changes a thousand times a second, and what else
 * can happen to a qdisc. Both CPUs of the suite's kernel send.
 */
static void switch_under_load(struct kunit *test)
{
	const struct load *load = test->param_value;
	const int max_burst = READ_ONCE(net_hotdata.qdisc_max_burst);
	unsigned int i, told = 0, offered = 0, dropped;
	struct fake_ring *ring = test->priv;
	struct flood f[SENDERS];
	bool stop = false;
	struct Qdisc *q;
	u64 start;

	q = use_qdisc(test, &shaped_ops);
	q->limit = load->limit;
	WRITE_ONCE(net_hotdata.qdisc_max_burst, load->max_burst);
	atomic_set(&flood_freed, 0);
	for (i = 0; i < SENDERS; i++) {
		f[i] = (struct flood) {
			.dev	= ring->dev,
			.stop	= &stop,
			.burst	= load->burst,
		};
		init_completion(&f[i].done);
		KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(flood_thread, &f[i],
							    "kunit-flood")));
	}
	/* ahead of the crowd, or it would wait its turn between two switches */
	sched_set_fifo_low(current);
	start = ktime_get_ns();
	for (i = 0; i < SWITCHES; i++) {
		qdisc_contention_set(modes[i % ARRAY_SIZE(modes)]);
		if (i % 16 == 0)
			disturb(test, load->what);
		usleep_range(900, 1000);
	}
	start = ktime_get_ns() - start;
	sched_set_normal(current, 0);
	WRITE_ONCE(stop, true);
	for (i = 0; i < SENDERS; i++) {
		wait_for_completion(&f[i].done);
		told += f[i].told;
		offered += f[i].offered;
	}
	WRITE_ONCE(net_hotdata.qdisc_max_burst, max_burst);
	q = rcu_dereference_protected(fake_txq(ring)->qdisc_sleeping, true);
	KUNIT_EXPECT_TRUE(test, llist_empty(&q->defer_list));
	/* what a softirq has yet to run */
	for (i = 0; i < HZ && READ_ONCE(q->q.qlen); i++)
		schedule_timeout_uninterruptible(1);
	synchronize_net();

	kunit_info(test, "%u switches in %llu ms, %u offered, %u sent, %u told of a drop\n",
		   SWITCHES, div_u64(start, NSEC_PER_MSEC), offered, ring->others,
		   told);
	dropped = offered - ring->others;
	KUNIT_EXPECT_EQ(test, q->q.qlen, 0);
	KUNIT_EXPECT_EQ_MSG(test, atomic_read(&flood_freed), offered,
			    "freed once each");
	KUNIT_EXPECT_LE(test, told, dropped);
	if (load->what == MODES_ONLY) {
		KUNIT_EXPECT_EQ_MSG(test, u64_stats_read(&q->bstats.packets),
				    ring->others, "sent, as the qdisc has it");
		KUNIT_EXPECT_EQ_MSG(test, q->qstats.drops +
				    atomic_long_read(&q->burst_drops),
				    dropped, "dropped, with a reason");
	}
	if (load->max_burst == 1)
		KUNIT_EXPECT_LE(test, atomic_long_read(&q->burst_drops), told);
}

/* ---- lists ------------------------------------------------------------- */

static const char * const kinds[] = { "pfifo_fast", "pfifo", "bfifo", "shaped",
				      "fq_codel", "fq", "cake" };

static void kind_desc(const char * const *kind, char *desc)
{
	strscpy(desc, *kind, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kind, kinds, kind_desc);

static struct Qdisc *use_kind(struct kunit *test)
{
	const char *kind = *(const char * const *)test->param_value;

	if (!strcmp(kind, "shaped"))
		return use_qdisc(test, &shaped_ops);
	if (!strcmp(kind, "pfifo_fast"))
		return use_qdisc(test, &pfifo_fast_ops);
	if (!strcmp(kind, "bfifo"))
		return use_qdisc(test, &bfifo_qdisc_ops);
	return use_named_qdisc(test, kind);
}

/* X1: an idle queue sends the list as one burst, with one tail write. */
static void list_is_a_burst(struct kunit *test)
{
	const char *kind = *(const char * const *)test->param_value;
	struct Qdisc *q = use_kind(test);
	struct fake_ring *ring = test->priv;
	unsigned int m, sent;

	for (m = 0; m < ARRAY_SIZE(modes); m++) {
		struct sk_buff *list = numbered_list(test, 0, OFFERED);

		qdisc_contention_set(modes[m]);
		fake_new_burst(ring);
		ring->tail_writes = 0;
		KUNIT_EXPECT_EQ(test, dev_queue_xmit_list(&list, &sent), 0);
		KUNIT_EXPECT_EQ(test, sent, OFFERED);
		KUNIT_EXPECT_NULL(test, list);
		if (strcmp(kind, "bfifo")) {
			fake_expect_burst(test, ring, 0, OFFERED, OFFERED);
			KUNIT_EXPECT_EQ(test, ring->tail_writes, 1);
		} else {
			expect_order(test, OFFERED);
		}
		expect_sum(test, q, OFFERED, OFFERED, 0);
		ring->completed = 0;
	}
}

/* X2: the driver ends the burst, nothing is left without a tail write. */
static void list_meets_stopped_queue(struct kunit *test)
{
	struct Qdisc *q = use_kind(test);
	struct fake_ring *ring = test->priv;
	struct sk_buff *list = numbered_list(test, 0, OFFERED);
	unsigned int sent;

	ring->act_at = 2;
	ring->act = FAKE_STOP;
	fake_new_burst(ring);
	KUNIT_EXPECT_EQ(test, dev_queue_xmit_list(&list, &sent), 0);
	KUNIT_EXPECT_EQ(test, sent, OFFERED);
	KUNIT_EXPECT_EQ(test, ring->calls, 3);
	fake_expect_covered(test, ring);
	expect_sum(test, q, OFFERED, 3, 0);

	local_bh_disable();
	fake_complete_and_wake(ring);
	local_bh_enable();	/* NET_TX softirq */
	expect_order(test, OFFERED);
	expect_sum(test, q, OFFERED, OFFERED, 0);
}

/* The hints of a list that bypasses the qdisc, wherever the driver ends it. */
static void list_stopped_anywhere(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list = numbered_list(test, 0, burst->n);
	unsigned int sent;

	use_qdisc(test, &pfifo_qdisc_ops);
	ring->act_at = burst->k;
	ring->act = FAKE_STOP;
	fake_new_burst(ring);
	KUNIT_EXPECT_EQ(test, dev_queue_xmit_list(&list, &sent), 0);
	KUNIT_EXPECT_EQ(test, sent, burst->n);
	fake_expect_burst(test, ring, 0, burst->k + 1, burst->n);
	fake_expect_covered(test, ring);

	local_bh_disable();
	fake_complete_and_wake(ring);
	local_bh_enable();
	expect_order(test, burst->n);
	fake_expect_no_leak(test, ring);
}

/* A list at a queue that does not move meets the limit as single packets do. */
static void list_meets_limit(struct kunit *test)
{
	struct Qdisc *q = use_qdisc(test, &shaped_ops);
	struct sk_buff *list = numbered_list(test, 0, OFFERED), *skb;
	unsigned int sent, n = 0;

	q->limit = 5;
	shaped(q)->tokens = 0;
	KUNIT_EXPECT_EQ(test, dev_queue_xmit_list(&list, &sent), NET_XMIT_DROP);
	KUNIT_EXPECT_EQ(test, sent, 5);
	KUNIT_EXPECT_EQ(test, q->qstats.drops, 1);
	for (skb = list; skb; skb = skb->next) {
		KUNIT_EXPECT_EQ(test, skb->mark, 6 + n++);
		KUNIT_EXPECT_EQ_MSG(test, skb_get_queue_mapping(skb),
				    FAKE_QUEUES, "picks as it would have before");
	}
	KUNIT_EXPECT_EQ(test, n, 2);
	free_list(list);
	expect_sum(test, q, OFFERED, 0, 3);
}

/* No drop for being a list: the limit is shorter, but the queue moves. */
static void list_longer_than_limit(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct Qdisc *q = use_qdisc(test, &shaped_ops);
	unsigned int limit, sent;

	for (limit = 1; limit <= OFFERED; limit++) {
		struct sk_buff *list = numbered_list(test, 0, OFFERED);

		q->limit = limit;
		fake_new_burst(ring);
		ring->tail_writes = 0;
		KUNIT_EXPECT_EQ(test, dev_queue_xmit_list(&list, &sent), 0);
		KUNIT_EXPECT_EQ(test, sent, OFFERED);
		KUNIT_EXPECT_EQ(test, ring->tail_writes,
				DIV_ROUND_UP(OFFERED, limit));
		expect_order(test, OFFERED);
		expect_sum(test, q, OFFERED, OFFERED, 0);
		ring->completed = 0;
	}
}

static void list_meets_deactivation(struct kunit *test)
{
	struct Qdisc *q = use_qdisc(test, &shaped_ops);
	struct sk_buff *list = numbered_list(test, 0, OFFERED);
	unsigned int sent;

	set_bit(__QDISC_STATE_DEACTIVATED, &q->state);
	KUNIT_EXPECT_EQ(test, dev_queue_xmit_list(&list, &sent), NET_XMIT_DROP);
	clear_bit(__QDISC_STATE_DEACTIVATED, &q->state);
	KUNIT_EXPECT_EQ(test, sent, 0);
	KUNIT_EXPECT_EQ(test, fake_list_len(list), OFFERED - 1);
	free_list(list);
	expect_sum(test, q, OFFERED, 0, OFFERED);
}

static void list_meets_device_down(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct sk_buff *list = numbered_list(test, 0, OFFERED);
	unsigned int sent;

	rtnl_lock();
	dev_deactivate(ring->dev, true);
	rtnl_unlock();
	/* what the noop qdisc says */
	KUNIT_EXPECT_EQ(test, dev_queue_xmit_list(&list, &sent), NET_XMIT_CN);
	KUNIT_EXPECT_EQ(test, sent, 0);
	KUNIT_EXPECT_EQ(test, fake_list_len(list), OFFERED - 1);
	free_list(list);
	KUNIT_EXPECT_EQ(test, ring->calls, 0);
	fake_expect_no_leak(test, ring);
	rtnl_lock();
	dev_activate(ring->dev);
	rtnl_unlock();
}

/* Deferred packets go first; a list in llist mode joins them. */
static void list_behind_deferred(struct kunit *test)
{
	struct Qdisc *q = use_qdisc(test, &shaped_ops);
	struct sk_buff *list = numbered_list(test, 1, OFFERED);
	u32 taken = promise(q, numbered(test, 0));
	unsigned int sent;

	KUNIT_EXPECT_EQ(test, dev_queue_xmit_list(&list, &sent), 0);
	KUNIT_EXPECT_EQ(test, sent, OFFERED);
	keep_promise(test, q, taken);
	expect_order(test, OFFERED + 1);
	expect_sum(test, q, OFFERED + 1, OFFERED + 1, 0);
	if (qdisc_contention_mode() == QDISC_CONTENTION_LLIST)
		KUNIT_EXPECT_EQ(test, q->max_batch, OFFERED + 1);
}

static struct kunit_case contention_cases[] = {
	KUNIT_CASE(words),
	KUNIT_CASE_PARAM(own_verdict, mode_gen_params),
	KUNIT_CASE(deferred_first),
	KUNIT_CASE(promise_runs_queue),
	KUNIT_CASE(deferred_dropped_when_deactivated),
	KUNIT_CASE_PARAM(counts_running, mode_gen_params),
	KUNIT_CASE_PARAM_ATTR(switch_under_load, load_gen_params,
			      {.speed = KUNIT_SPEED_SLOW}),
	KUNIT_CASE_PARAM(list_meets_limit, mode_gen_params),
	KUNIT_CASE_PARAM(list_longer_than_limit, mode_gen_params),
	KUNIT_CASE_PARAM(list_meets_deactivation, mode_gen_params),
	KUNIT_CASE_PARAM(list_meets_device_down, mode_gen_params),
	KUNIT_CASE_PARAM(list_behind_deferred, mode_gen_params),
	KUNIT_CASE_PARAM(list_is_a_burst, kind_gen_params),
	KUNIT_CASE_PARAM(list_meets_stopped_queue, kind_gen_params),
	KUNIT_CASE_PARAM(list_stopped_anywhere, fake_burst_gen_params),
	{}
};

static struct kunit_suite contention_suite = {
	.name		= "qdisc_contention",
	.init		= contention_init,
	.exit		= contention_exit,
	.test_cases	= contention_cases,
};

kunit_test_suite(contention_suite);

MODULE_DESCRIPTION("KUnit tests for qdiscs under contention");
MODULE_LICENSE("GPL");
