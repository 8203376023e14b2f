// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the transmit flow table.
 *
 * The device has a few queues and a wire that takes packets from them when a
 * case says so. A packet says by itself which queue XPS would give it (the one
 * of the receive queue that it came from) and which flow it is of (its hash).
 */
#include <kunit/static_stub.h>
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ipv6.h>
#include <linux/kthread.h>
#include <linux/mount.h>
#include <linux/netdevice.h>
#include <linux/prandom.h>
#include <linux/rtnetlink.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <net/sock.h>

#include "dev.h"
#include "test_qdisc.h"
#include "xps_flows.h"

#define QUEUES		4
#define LEN		ETH_ZLEN
#define BUCKETS		16

#define FLOW_A		5	/* different buckets of BUCKETS */
#define FLOW_B		6
#define FLOW_C		(FLOW_A | BIT(31))	/* the same bucket as FLOW_A */

/* The load test. */
#define SENDERS		2
#define FLOWS		8	/* of a sender */
#define LOAD_BUCKETS	8	/* both senders meet in each of them */
#define LOAD_PACKETS	20000	/* of a sender */
#define RING		16	/* a queue of the device stops at so many */

struct wire {
	struct net_device	*dev;
	struct sk_buff_head	ring[QUEUES];
	bool			bql;
	bool			busy;	/* answer with NETDEV_TX_BUSY */
	bool			stops;	/* stop a queue that has RING packets */

	/* of the load test */
	u32			next[SENDERS * FLOWS];
	unsigned long		reordered;
	unsigned long		arrived;
	atomic_t		done;	/* senders */
};

/* ---- the device --------------------------------------------------------- */

static netdev_tx_t wire_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct netdev_queue *txq = skb_get_tx_queue(dev, skb);
	u16 queue = skb_get_queue_mapping(skb);
	struct wire *wire = netdev_priv(dev);

	if (skb->protocol != htons(ETH_P_802_EX1)) {
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}
	if (wire->busy)
		return NETDEV_TX_BUSY;

	if (wire->bql)
		netdev_tx_sent_queue(txq, skb->len);
	skb_queue_tail(&wire->ring[queue], skb);
	if (wire->stops && skb_queue_len(&wire->ring[queue]) >= RING) {
		netif_tx_stop_queue(txq);
		smp_mb(); /* pairs with the lock of the ring in wire_take() */
		if (skb_queue_len_lockless(&wire->ring[queue]) < RING)
			netif_tx_start_queue(txq);
	}
	return NETDEV_TX_OK;
}

static const struct net_device_ops wire_netdev_ops = {
	.ndo_start_xmit	= wire_start_xmit,
};

static struct netdev_queue *txq_of(struct wire *wire, u16 queue)
{
	return netdev_get_tx_queue(wire->dev, queue);
}

/* Take up to @n packets from a queue, in order. */
static unsigned int wire_take(struct wire *wire, u16 queue, unsigned int n,
			      void (*see)(struct wire *wire, struct sk_buff *skb))
{
	unsigned int pkts = 0, bytes = 0;
	struct sk_buff *skb;

	local_bh_disable();
	while (n-- && (skb = skb_dequeue(&wire->ring[queue]))) {
		pkts++;
		bytes += skb->len;
		if (see)
			see(wire, skb);
		consume_skb(skb);
	}
	if (wire->bql && pkts)
		netdev_tx_completed_queue(txq_of(wire, queue), pkts, bytes);
	if (wire->stops && netif_tx_queue_stopped(txq_of(wire, queue)) &&
	    skb_queue_len(&wire->ring[queue]) < RING)
		netif_tx_wake_queue(txq_of(wire, queue));
	local_bh_enable();
	return pkts;
}

static void wire_take_all(struct wire *wire)
{
	u16 queue;

	for (queue = 0; queue < QUEUES; queue++)
		wire_take(wire, queue, UINT_MAX, NULL);
}

static unsigned int in_ring(struct wire *wire, u16 queue)
{
	return skb_queue_len(&wire->ring[queue]);
}

/* ---- packets ------------------------------------------------------------ */

static struct sk_buff *packet(struct kunit *test, u32 flow, u16 wish)
{
	struct wire *wire = test->priv;
	struct sk_buff *skb = alloc_skb(LEN, GFP_ATOMIC);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put_zero(skb, LEN);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	eth_hdr(skb)->h_proto = htons(ETH_P_802_EX1);
	skb->protocol = htons(ETH_P_802_EX1);
	skb->dev = wire->dev;
	skb_record_rx_queue(skb, wish);
	__skb_set_sw_hash(skb, flow, true);
	return skb;
}

static void send(struct kunit *test, u32 flow, u16 wish)
{
	KUNIT_EXPECT_EQ(test, dev_queue_xmit(packet(test, flow, wish)),
			NET_XMIT_SUCCESS);
}

/* A packet that has picked its queue, and is nowhere yet. */
struct picked {
	struct sk_buff		*skb;
	struct netdev_queue	*txq;
	unsigned long		ref;
	u16			queue;
};

/* Begins an RCU read-side section that gone() ends. */
static struct picked pick_for(struct kunit *test, u32 flow, u16 wish,
			      struct sock *sk, struct net_device *sb_dev)
{
	struct picked p = { .skb = packet(test, flow, wish) };
	struct wire *wire = test->priv;

	skb_set_queue_mapping(p.skb, wish);
	p.skb->sk = sk;
	rcu_read_lock_bh();
	xps_flows_pick(wire->dev, p.skb, sb_dev, &p.ref);
	p.skb->sk = NULL;
	p.queue = skb_get_queue_mapping(p.skb);
	p.txq = txq_of(wire, p.queue);
	return p;
}

static struct picked pick(struct kunit *test, u32 flow, u16 wish)
{
	return pick_for(test, flow, wish, NULL, NULL);
}

/* Handed over, and dropped at once. */
static void gone(struct picked p)
{
	consume_skb(p.skb);
	xps_flows_handed_over(p.txq, p.ref);
	rcu_read_unlock_bh();
}

/* For more of them than sections can be nested; nothing replaces the table. */
static struct picked pick_unlocked(struct kunit *test, u32 flow, u16 wish)
{
	struct picked p = pick(test, flow, wish);

	rcu_read_unlock_bh();
	return p;
}

static void gone_unlocked(struct picked p)
{
	rcu_read_lock_bh();
	gone(p);
}

/* Where would a packet go that leaves no trace but in the table? */
static u16 where(struct kunit *test, u32 flow, u16 wish)
{
	struct picked p = pick(test, flow, wish);

	gone(p);
	return p.queue;
}

static struct xps_flow_stats stats(struct kunit *test)
{
	struct wire *wire = test->priv;
	struct xps_flow_stats sum = { };

	rcu_read_lock();
	if (rcu_access_pointer(wire->dev->xps_flows))
		xps_flows_sum(rcu_dereference(wire->dev->xps_flows), &sum);
	rcu_read_unlock();
	return sum;
}

static int resize(struct kunit *test, unsigned long entries)
{
	struct wire *wire = test->priv;
	int err;

	rtnl_lock();
	err = xps_flows_resize(wire->dev, entries);
	rtnl_unlock();
	return err;
}

/* The driver has been seen to count: it is no longer taken for one without BQL */
static void count_on(struct kunit *test, u16 queue)
{
	struct wire *wire = test->priv;

	send(test, FLOW_B, queue);
	wire_take_all(wire);
	resize(test, 0);
	resize(test, BUCKETS);
}

/* ---- qdiscs ------------------------------------------------------------- */

static const char * const qdiscs[] = {
	"pfifo_fast", "pfifo", "fq", "fq_codel", "cake"
};

static void qdisc_desc(const char * const *name, char *desc)
{
	strscpy(desc, *name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(qdisc, qdiscs, qdisc_desc);

static struct Qdisc *use_qdisc(struct kunit *test, u16 queue, const char *name)
{
	return test_qdisc_named(test, txq_of(test->priv, queue), name);
}

static struct Qdisc *use_param(struct kunit *test, u16 queue)
{
	const char * const *name = test->param_value;

	return use_qdisc(test, queue, *name);
}

static void stop(struct wire *wire, u16 queue)
{
	netif_tx_stop_queue(txq_of(wire, queue));
}

/* Wake a queue and wait until it has given all it has to the driver. */
static void wake(struct kunit *test, u16 queue, unsigned int n)
{
	struct wire *wire = test->priv;
	int i;

	local_bh_disable();
	netif_tx_wake_queue(txq_of(wire, queue));
	local_bh_enable();
	for (i = 0; i < 1000 && in_ring(wire, queue) < n; i++)
		usleep_range(1000, 2000);
	KUNIT_EXPECT_EQ(test, in_ring(wire, queue), n);
	/* and until nobody has it in hand */
	usleep_range(1000, 2000);
}

/* ---- rules -------------------------------------------------------------- */

static void new_flow_follows_xps(struct kunit *test)
{
	u16 queue;

	for (queue = 0; queue < QUEUES; queue++)
		KUNIT_EXPECT_EQ(test, where(test, queue, queue), queue);
	KUNIT_EXPECT_EQ(test, stats(test).moved, 0);
	KUNIT_EXPECT_EQ(test, stats(test).held, 0);
}

static void hash_of_0_is_a_hash(struct kunit *test)
{
	struct wire *wire = test->priv;

	send(test, 0, 0);
	send(test, 0, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 2);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 0);
}

static void stays_while_in_driver(struct kunit *test)
{
	struct wire *wire = test->priv;
	unsigned int i;

	send(test, FLOW_A, 0);
	for (i = 0; i < 5; i++)
		send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 6);
	KUNIT_EXPECT_EQ(test, stats(test).held, 5);
	KUNIT_EXPECT_EQ(test, stats(test).moved, 0);

	/* all but the last one */
	wire_take(wire, 0, 5, NULL);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	wire_take(wire, 0, 1, NULL);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
	KUNIT_EXPECT_EQ(test, stats(test).moved, 1);
}

static void moves_at_once_when_idle(struct kunit *test)
{
	struct wire *wire = test->priv;

	send(test, FLOW_A, 0);
	wire_take_all(wire);
	send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 1);
	KUNIT_EXPECT_EQ(test, stats(test).held, 0);
	KUNIT_EXPECT_EQ(test, stats(test).moved, 1);
	/* and back, but not before it has left that one */
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 0), 1);
	wire_take_all(wire);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 0), 0);
}

/* A queue that is never idle must not hold a flow for ever. */
static void moves_from_busy_queue(struct kunit *test)
{
	struct wire *wire = test->priv;

	send(test, FLOW_A, 0);
	send(test, FLOW_B, 0);
	send(test, FLOW_A, 1);	/* is held */
	send(test, FLOW_B, 0);
	wire_take(wire, 0, 3, NULL);
	send(test, FLOW_B, 0);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 2);
	send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 1);
	KUNIT_EXPECT_EQ(test, stats(test).moved, 1);
}

static void stays_while_in_qdisc(struct kunit *test)
{
	struct wire *wire = test->priv;

	use_param(test, 0);
	count_on(test, 0);
	stop(wire, 0);
	send(test, FLOW_A, 0);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 0);
	send(test, FLOW_A, 1);
	send(test, FLOW_A, 2);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 0);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 2), 0);
	KUNIT_EXPECT_EQ(test, stats(test).held, 2);

	wake(test, 0, 3);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	wire_take_all(wire);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
}

/* The driver does not want it: it waits at the head of the qdisc. */
static void stays_while_requeued(struct kunit *test)
{
	struct wire *wire = test->priv;

	use_param(test, 0);
	count_on(test, 0);
	wire->busy = true;
	send(test, FLOW_A, 0);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 0);
	/* or the softirq would try again while we look */
	stop(wire, 0);
	wire->busy = false;
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	wake(test, 0, 1);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	wire_take_all(wire);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
}

/* Dropped packets are not waited for. */
static void moves_after_drop(struct kunit *test)
{
	struct Qdisc *q = use_qdisc(test, 0, "pfifo");
	struct wire *wire = test->priv;

	count_on(test, 0);
	q->limit = 1;
	stop(wire, 0);
	send(test, FLOW_B, 0);	/* fills it */
	KUNIT_EXPECT_EQ(test, dev_queue_xmit(packet(test, FLOW_A, 0)),
			NET_XMIT_DROP);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	wake(test, 0, 1);
	wire_take_all(wire);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
}

static void stays_while_on_defer_list(struct kunit *test)
{
	struct Qdisc *q = use_qdisc(test, 0, "pfifo");
	struct llist_node *list;
	struct sk_buff *skb;
	struct picked p;

	count_on(test, 0);
	p = pick(test, FLOW_A, 0);
	llist_add(&p.skb->ll_node, &q->defer_list);
	xps_flows_handed_over(p.txq, p.ref);
	rcu_read_unlock_bh();

	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	list = llist_del_all(&q->defer_list);
	KUNIT_ASSERT_NOT_NULL(test, list);
	skb = llist_entry(list, struct sk_buff, ll_node);
	skb_mark_not_on_list(skb);
	consume_skb(skb);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
}

/* Between the choice of the queue and the qdisc it is nowhere. */
static void stays_while_on_its_way(struct kunit *test)
{
	struct picked p, r;

	count_on(test, 0);
	p = pick(test, FLOW_A, 0);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	r = pick(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, r.queue, 0);
	gone(p);
	/* r is still there */
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	gone(r);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
}

/* The first one that is over must not speak for the second. */
static void last_user_looks(struct kunit *test)
{
	struct wire *wire = test->priv;
	struct picked p, r;

	count_on(test, 0);
	send(test, FLOW_A, 0);
	p = pick(test, FLOW_A, 1);	/* held, will look */
	r = pick(test, FLOW_A, 0);
	gone(p);
	/* r reaches the driver behind what p has seen, and something else */
	send(test, FLOW_B, 0);
	netdev_tx_sent_queue(txq_of(wire, 0), LEN);
	skb_queue_tail(&wire->ring[0], r.skb);
	xps_flows_handed_over(r.txq, r.ref);
	rcu_read_unlock_bh();

	wire_take(wire, 0, 2, NULL);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	wire_take(wire, 0, 1, NULL);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
}

/* The CPU that runs the queue has dequeued it, the driver does not have it. */
static void stays_while_in_hand(struct kunit *test)
{
	struct Qdisc *q = use_param(test, 0);

	count_on(test, 0);
	where(test, FLOW_A, 0);
	if (q->flags & TCQ_F_NOLOCK) {
		local_bh_disable();
		spin_lock(&q->seqlock);
		KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
		spin_unlock(&q->seqlock);
		local_bh_enable();
	} else {
		WRITE_ONCE(q->running, true);
		KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
		WRITE_ONCE(q->running, false);
		/* or is about to take it from the list */
		spin_lock_bh(qdisc_lock(q));
		KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
		spin_unlock_bh(qdisc_lock(q));
	}
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
}

/* Somebody looks while another CPU leaves its packet to it. */
static void looking_misses_no_run(struct kunit *test)
{
	struct Qdisc *q = use_qdisc(test, 0, "pfifo_fast");

	count_on(test, 0);
	where(test, FLOW_A, 0);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
	KUNIT_ASSERT_TRUE(test, spin_trylock(&q->seqlock));
	spin_unlock(&q->seqlock);
	KUNIT_EXPECT_TRUE(test, nolock_qdisc_is_empty(q));
}

static void stays_while_device_is_down(struct kunit *test)
{
	struct wire *wire = test->priv;

	count_on(test, 0);
	where(test, FLOW_A, 0);
	rtnl_lock();
	dev_deactivate(wire->dev, true);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
	rtnl_lock();
	dev_activate(wire->dev);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
}

static void stays_without_bql(struct kunit *test)
{
	struct wire *wire = test->priv;
	unsigned int i;

	wire->bql = false;
	send(test, FLOW_A, 0);
	wire_take_all(wire);
	for (i = 0; i < 5; i++)
		send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 5);
	KUNIT_EXPECT_EQ(test, stats(test).no_bql, 5);
	KUNIT_EXPECT_EQ(test, stats(test).held, 0);
	KUNIT_EXPECT_EQ(test, stats(test).moved, 0);
}

/* A driver that throws its ring away has nothing left in it. */
static void moves_after_reset(struct kunit *test)
{
	struct wire *wire = test->priv;

	send(test, FLOW_A, 0);
	send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 2);
	skb_queue_purge(&wire->ring[0]);
	netdev_tx_reset_queue(txq_of(wire, 0));
	send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 1);

	/* Reset, and given other packets since. */
	send(test, FLOW_A, 2);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 2);
	skb_queue_purge(&wire->ring[1]);
	netdev_tx_reset_queue(txq_of(wire, 1));
	send(test, FLOW_B, 1);
	send(test, FLOW_A, 2);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 2), 1);
}

/* As many bytes as fit into the counters, and more, have come and gone. */
static void counters_wrap(struct kunit *test)
{
	static const u32 starts[] = {
		UINT_MAX - 3 * LEN, UINT_MAX - LEN, UINT_MAX, INT_MAX - LEN,
	};
	struct wire *wire = test->priv;
	struct dql *dql = &txq_of(wire, 0)->dql;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		dql_reset(dql);
		dql->num_queued = starts[i];
		dql->num_completed = starts[i];
		dql->prev_num_queued = starts[i];
		dql->adj_limit = starts[i] + 100 * LEN;
		dql->min_limit = 100 * LEN;

		resize(test, 0);
		resize(test, BUCKETS);
		send(test, FLOW_A, 0);
		send(test, FLOW_A, 1);
		send(test, FLOW_A, 1);
		KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 3);
		wire_take(wire, 0, 2, NULL);
		KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 0);
		wire_take(wire, 0, 1, NULL);
		KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
		wire_take_all(wire);
	}
}

/* A stamp is none of those that are in flight: more than half the range of the
 * counters has passed, which a comparison by sign takes for the future.
 */
static void stamp_from_long_ago(struct kunit *test)
{
	struct wire *wire = test->priv;
	struct dql *dql = &txq_of(wire, 0)->dql;

	send(test, FLOW_A, 0);
	send(test, FLOW_A, 1);	/* looks */
	wire_take_all(wire);
	dql->num_queued += BIT(31) + 100;
	dql->num_completed = dql->num_queued;
	dql->prev_num_queued = dql->num_queued;
	dql->adj_limit = dql->num_queued + 100 * LEN;
	send(test, FLOW_B, 0);
	send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 1);
}

static void shrink(struct kunit *test, unsigned int queues)
{
	struct wire *wire = test->priv;

	rtnl_lock();
	KUNIT_EXPECT_EQ(test, netif_set_real_num_tx_queues(wire->dev, queues), 0);
	rtnl_unlock();
}

static void leaves_queue_that_is_gone(struct kunit *test)
{
	struct wire *wire = test->priv;

	send(test, FLOW_A, 3);
	wire_take_all(wire);
	send(test, FLOW_B, 3);
	shrink(test, 2);
	/* one has left it by itself, of the other something may be there */
	KUNIT_EXPECT_EQ(test, where(test, FLOW_B, 1), 1);
	KUNIT_EXPECT_EQ(test, stats(test).forced, 1);
	wire_take_all(wire);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
	KUNIT_EXPECT_EQ(test, stats(test).forced, 1);
	KUNIT_EXPECT_EQ(test, stats(test).moved, 1);
	shrink(test, QUEUES);
}

/* A user of a queue that is gone must not stamp the one that came after. */
static void forced_while_on_its_way(struct kunit *test)
{
	struct wire *wire = test->priv;
	struct picked p;
	unsigned int i;

	/* a position that means nothing in queue 1 */
	for (i = 0; i < 5; i++)
		send(test, FLOW_A, 3);
	wire_take_all(wire);
	send(test, FLOW_B, 1);

	p = pick(test, FLOW_A, 3);
	p.ref |= XPS_FLOW_REF_LOOK;
	/* as netif_set_real_num_tx_queues(), which waits for p */
	wire->dev->real_num_tx_queues = 2;
	send(test, FLOW_A, 1);
	gone(p);
	KUNIT_EXPECT_EQ(test, stats(test).forced, 1);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 0), 1);
	wire->dev->real_num_tx_queues = QUEUES;
}

static void flows_that_collide(struct kunit *test)
{
	struct wire *wire = test->priv;

	send(test, FLOW_A, 0);
	send(test, FLOW_C, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 2);
	KUNIT_EXPECT_EQ(test, stats(test).collided, 1);
	KUNIT_EXPECT_EQ(test, stats(test).held, 1);

	/* The one that stays must not make it forgotten that the other wants
	 * to move, and something else keeps the queue busy.
	 */
	send(test, FLOW_A, 0);
	send(test, FLOW_B, 0);
	wire_take(wire, 0, 3, NULL);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 1);
	send(test, FLOW_C, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 1);
	KUNIT_EXPECT_EQ(test, stats(test).collided, 3);
}

static void socket_that_remembers_is_left_alone(struct kunit *test)
{
	struct sock *sk = kunit_kzalloc(test, sizeof(*sk), GFP_KERNEL);
	struct picked p;

	KUNIT_ASSERT_NOT_NULL(test, sk);
	sk->sk_state = TCP_ESTABLISHED;
	sock_net_set(sk, &init_net);
	sk_tx_queue_clear(sk);

	send(test, FLOW_A, 0);
	/* one that does not: its packets are those of a flow as any other */
	p = pick_for(test, FLOW_A, 1, sk, NULL);
	gone(p);
	KUNIT_EXPECT_NE(test, p.ref, 0);
	KUNIT_EXPECT_EQ(test, p.queue, 0);

	sk_tx_queue_set(sk, 1);
	p = pick_for(test, FLOW_A, 1, sk, NULL);
	gone(p);
	KUNIT_EXPECT_EQ(test, p.ref, 0);
	KUNIT_EXPECT_EQ(test, p.queue, 1);

	/* longer ago than net.core.txq_reselection_ms: XPS has been asked again */
	sk->sk_tx_queue_mapping_jiffies = jiffies - 10 * HZ;
	p = pick_for(test, FLOW_A, 1, sk, NULL);
	gone(p);
	KUNIT_EXPECT_EQ(test, p.ref, 0);
	KUNIT_EXPECT_EQ(test, p.queue, 1);
}

static void hash_of_socket_is_software(struct kunit *test)
{
	struct sock *sk = kunit_kzalloc(test, sizeof(*sk), GFP_KERNEL);
	struct sk_buff *skb = packet(test, FLOW_A, 0);

	KUNIT_ASSERT_NOT_NULL(test, sk);
	skb_clear_hash(skb);
	skb_set_hash_from_sk(skb, sk);	/* it has none */
	KUNIT_EXPECT_FALSE(test, skb->l4_hash || skb->sw_hash);
	sk->sk_txhash = FLOW_B;
	skb_set_hash_from_sk(skb, sk);
	KUNIT_EXPECT_TRUE(test, skb->l4_hash);
	KUNIT_EXPECT_TRUE(test, skb->sw_hash);
	KUNIT_EXPECT_EQ(test, skb_get_hash(skb), FLOW_B);
	consume_skb(skb);
}

static void not_where_queues_have_other_reasons(struct kunit *test)
{
	struct wire *wire = test->priv;
	struct picked p;

	send(test, FLOW_A, 0);
	p = pick_for(test, FLOW_A, 1, NULL, wire->dev);
	gone(p);
	KUNIT_EXPECT_EQ(test, p.ref, 0);

	WRITE_ONCE(wire->dev->num_tc, 2);
	p = pick(test, FLOW_A, 1);
	gone(p);
	WRITE_ONCE(wire->dev->num_tc, 0);
	KUNIT_EXPECT_EQ(test, p.ref, 0);
	KUNIT_EXPECT_EQ(test, p.queue, 1);
}

/* More packets on their way than an entry can count. */
static void too_many_users_pin(struct kunit *test)
{
	const unsigned int max = FIELD_GET(XPS_FLOW_USERS, ~0ULL);
	struct picked *p;
	unsigned int i;

	p = kunit_kcalloc(test, max + 1, sizeof(*p), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p);
	count_on(test, 0);

	for (i = 0; i < max; i++)
		p[i] = pick_unlocked(test, FLOW_A, 0);
	for (i = 0; i < max; i++)
		gone_unlocked(p[i]);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_A, 1), 1);

	for (i = 0; i <= max; i++)
		p[i] = pick_unlocked(test, FLOW_B, 0);
	KUNIT_EXPECT_EQ(test, p[max].ref, 0);
	for (i = 0; i < max; i++)
		gone_unlocked(p[i]);
	/* p[max] is on its way, and nobody knows */
	KUNIT_EXPECT_EQ(test, where(test, FLOW_B, 1), 0);
	gone_unlocked(p[max]);
	KUNIT_EXPECT_EQ(test, where(test, FLOW_B, 1), 0);
}

static void list_goes_one_by_one(struct kunit *test)
{
	struct wire *wire = test->priv;
	struct sk_buff *list = NULL;
	unsigned int sent, i;

	send(test, FLOW_A, 0);
	for (i = 0; i < 4; i++) {
		struct sk_buff *skb = packet(test, FLOW_A, 1);

		skb->next = list;
		list = skb;
	}
	KUNIT_EXPECT_EQ(test, dev_queue_xmit_list(&list, &sent), 0);
	KUNIT_EXPECT_EQ(test, sent, 4);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 5);
}

/* ---- the table ---------------------------------------------------------- */

static void off_is_off(struct kunit *test)
{
	struct wire *wire = test->priv;

	KUNIT_EXPECT_EQ(test, resize(test, 0), 0);
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&xps_flows_needed));
	send(test, FLOW_A, 0);
	send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 0), 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 1);
}

static struct xps_flow_table *no_memory(unsigned int entries)
{
	return NULL;
}

static void sizes(struct kunit *test)
{
	static const unsigned int cnt[][2] = {
		{ 1, 1 }, { 2, 2 }, { 3, 4 }, { 1000, 1024 }, { 1024, 1024 },
		{ 1025, 2048 }, { XPS_FLOWS_MAX - 1, XPS_FLOWS_MAX },
		{ XPS_FLOWS_MAX, XPS_FLOWS_MAX },
	};
	struct wire *wire = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cnt); i++) {
		KUNIT_EXPECT_EQ(test, resize(test, cnt[i][0]), 0);
		KUNIT_EXPECT_EQ(test, xps_flows_size(wire->dev), cnt[i][1]);
	}
	KUNIT_EXPECT_EQ(test, resize(test, XPS_FLOWS_MAX + 1), -ERANGE);
	KUNIT_EXPECT_EQ(test, resize(test, ULONG_MAX), -ERANGE);
	KUNIT_EXPECT_EQ(test, xps_flows_size(wire->dev), XPS_FLOWS_MAX);

	KUNIT_EXPECT_EQ(test, resize(test, 16), 0);
	kunit_activate_static_stub(test, xps_flows_alloc, no_memory);
	KUNIT_EXPECT_EQ(test, resize(test, 32), -ENOMEM);
	kunit_deactivate_static_stub(test, xps_flows_alloc);
	KUNIT_EXPECT_EQ(test, xps_flows_size(wire->dev), 16);
}

static u16 selects(struct net_device *dev, struct sk_buff *skb,
		   struct net_device *sb_dev)
{
	return 0;
}

static void not_for_drivers_that_select(struct kunit *test)
{
	static const struct net_device_ops ops = {
		.ndo_start_xmit		= wire_start_xmit,
		.ndo_select_queue	= selects,
	};
	struct wire *wire = test->priv;

	KUNIT_EXPECT_EQ(test, resize(test, 0), 0);
	wire->dev->netdev_ops = &ops;
	KUNIT_EXPECT_EQ(test, resize(test, 16), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, xps_flows_size(wire->dev), 0);
	KUNIT_EXPECT_EQ(test, resize(test, 0), 0);
	wire->dev->netdev_ops = &wire_netdev_ops;
}

/* xps_dev_flow_table_cnt, as a process opens it. */
static struct file *open_size(struct kunit *test, struct vfsmount *mnt)
{
	struct wire *wire = test->priv;
	struct file *file;
	char name[64];

	snprintf(name, sizeof(name), "class/net/%s/xps_dev_flow_table_cnt",
		 netdev_name(wire->dev));
	file = file_open_root_mnt(mnt, name, O_RDWR, 0);
	return IS_ERR(file) ? NULL : file;
}

static ssize_t write_size(struct file *file, const char *word)
{
	loff_t pos = 0;

	return kernel_write(file, word, strlen(word), &pos);
}

static void words(struct kunit *test)
{
	static const char * const wrong[] = { "x", "-1", "1x", "1 2", "auto" };
	struct file_system_type *type = get_fs_type("sysfs");
	const struct cred *before;
	struct vfsmount *mnt;
	struct file *file;
	struct cred *cred;
	char size[8] = "";
	unsigned int i;
	loff_t pos = 0;

	KUNIT_ASSERT_NOT_NULL(test, type);
	mnt = kern_mount(type);
	put_filesystem(type);
	KUNIT_ASSERT_FALSE(test, IS_ERR(mnt));
	file = open_size(test, mnt);
	cred = prepare_creds();
	if (!file || !cred) {
		KUNIT_FAIL(test, "no xps_dev_flow_table_cnt");
		goto out;
	}

	KUNIT_EXPECT_EQ(test, write_size(file, "300\n"), 4);
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		KUNIT_EXPECT_EQ(test, write_size(file, wrong[i]), -EINVAL);
	KUNIT_EXPECT_EQ(test, write_size(file, "1048577"), -ERANGE);
	KUNIT_EXPECT_EQ(test, write_size(file, "99999999999999999999"), -ERANGE);

	/* without it everybody may do everything */
	if (IS_ENABLED(CONFIG_MULTIUSER)) {
		cap_lower(cred->cap_effective, CAP_NET_ADMIN);
		before = override_creds(cred);
		KUNIT_EXPECT_EQ(test, write_size(file, "0"), -EPERM);
		KUNIT_EXPECT_EQ(test, write_size(file, "x"), -EPERM);
		revert_creds(before);
	}

	KUNIT_EXPECT_EQ(test, kernel_read(file, size, sizeof(size) - 1, &pos), 4);
	KUNIT_EXPECT_STREQ(test, size, "512\n");
out:
	if (cred)
		put_cred(cred);
	if (file)
		__fput_sync(file);
	kern_unmount(mnt);
}

/* Counters go on over a change of size, and nothing else does. */
static void counters_survive_resize(struct kunit *test)
{
	struct wire *wire = test->priv;

	send(test, FLOW_A, 0);
	send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, stats(test).held, 1);
	resize(test, 2 * BUCKETS);
	KUNIT_EXPECT_EQ(test, stats(test).held, 1);
	send(test, FLOW_A, 1);
	KUNIT_EXPECT_EQ(test, in_ring(wire, 1), 1);
	send(test, FLOW_A, 0);
	KUNIT_EXPECT_EQ(test, stats(test).held, 2);
	resize(test, 0);
	KUNIT_EXPECT_EQ(test, stats(test).held, 0);
}

/* ---- under load --------------------------------------------------------- */

struct sender {
	struct kunit		*test;
	struct task_struct	*task;
	unsigned int		id;
};

/* skb->mark: number of the flow, and of the packet in it from 1 on */
static void see(struct wire *wire, struct sk_buff *skb)
{
	unsigned int flow = skb->mark >> 24;
	u32 seq = skb->mark & 0xffffff;

	WRITE_ONCE(wire->arrived, wire->arrived + 1);
	if (seq < wire->next[flow])
		wire->reordered++;
	else
		wire->next[flow] = seq + 1;
}

/* However slow the machine is, the queues run empty now and then: a flow that
 * always has something on its way cannot move.
 */
static void let_drain(struct wire *wire)
{
	unsigned int i;
	u16 queue;

	for (i = 0; i < 1000; i++) {
		usleep_range(100, 1000);
		for (queue = 0; queue < QUEUES; queue++)
			if (skb_queue_len_lockless(&wire->ring[queue]))
				break;
		if (queue == QUEUES)
			return;
	}
}

/* Each sender has flows of its own; all meet in the same buckets. */
static int sender_main(void *arg)
{
	struct sender *s = arg;
	struct wire *wire = s->test->priv;
	u32 seq[FLOWS] = { };
	struct rnd_state rnd;
	unsigned int i;
	u16 wish = 0;

	prandom_seed_state(&rnd, 804 + s->id);
	for (i = 0; i < LOAD_PACKETS; i++) {
		u32 flow = prandom_u32_state(&rnd) % FLOWS, id;
		struct sk_buff *skb;

		if (!(i % 7))
			wish = prandom_u32_state(&rnd) % QUEUES;
		/* The bucket, a set of ways of its own in cake, which reorders
		 * flows by itself when there are too many in one, and the tag.
		 */
		id = s->id * FLOWS + flow;
		skb = packet(s->test, flow | id << 6 | s->id << 31, wish);
		skb->mark = id << 24 | ++seq[flow];
		dev_queue_xmit(skb);
		if (!(i % 128))
			let_drain(wire);
	}
	atomic_inc(&wire->done);
	while (!kthread_should_stop())
		usleep_range(1000, 2000);
	return 0;
}

static void load(struct kunit *test)
{
	struct sender sender[SENDERS] = { };
	struct wire *wire = test->priv;
	struct rnd_state rnd;
	unsigned long last;
	unsigned int i;

	prandom_seed_state(&rnd, 1);
	for (i = 0; i < SENDERS; i++) {
		sender[i].test = test;
		sender[i].id = i;
		sender[i].task = kthread_run(sender_main, &sender[i], "xps/%u", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(sender[i].task));
	}

	/* Queues are busy unevenly: the first ones are served more. */
	last = jiffies;
	do {
		u32 r = prandom_u32_state(&rnd);

		if (wire_take(wire, min(r % QUEUES, r / QUEUES % QUEUES),
			      1 + r / 64 % 4, see))
			last = jiffies;
		cond_resched();
	} while (atomic_read(&wire->done) < SENDERS ||
		 time_before(jiffies, last + HZ / 5));

	for (i = 0; i < SENDERS; i++)
		kthread_stop(sender[i].task);
	/* what a qdisc has dropped does not arrive */
	KUNIT_EXPECT_GT(test, wire->arrived, SENDERS * LOAD_PACKETS / 4);
	kunit_info(test, "%lu of %u arrived, %lu out of order; moved %lu held %lu collided %lu\n",
		   wire->arrived, SENDERS * LOAD_PACKETS, wire->reordered,
		   stats(test).moved, stats(test).held, stats(test).collided);
}

static void load_init(struct kunit *test, unsigned int entries)
{
	struct wire *wire = test->priv;
	u16 queue;

	for (queue = 0; queue < QUEUES; queue++)
		use_param(test, queue);
	wire->stops = true;
	KUNIT_ASSERT_EQ(test, resize(test, entries), 0);
}

static void in_order_under_load(struct kunit *test)
{
	struct wire *wire = test->priv;

	load_init(test, LOAD_BUCKETS);
	load(test);
	KUNIT_EXPECT_EQ(test, wire->reordered, 0);
	/* and not because nothing ever moves */
	KUNIT_EXPECT_GT(test, stats(test).moved, 10);
}

/* What the load is worth. */
static void out_of_order_without_table(struct kunit *test)
{
	struct wire *wire = test->priv;

	load_init(test, 0);
	load(test);
	KUNIT_EXPECT_GT(test, wire->reordered, 0);
}

/* ---- suite -------------------------------------------------------------- */

static int flows_init(struct kunit *test)
{
	struct net_device *dev;
	struct wire *wire;
	u16 queue;
	int err;

	dev = alloc_etherdev_mq(sizeof(*wire), QUEUES);
	if (!dev)
		return -ENOMEM;
	eth_hw_addr_random(dev);
	dev->netdev_ops = &wire_netdev_ops;
	/* too small for IPv6, which would send packets of its own */
	dev->mtu = IPV6_MIN_MTU - 1;

	wire = netdev_priv(dev);
	wire->dev = dev;
	wire->bql = true;
	for (queue = 0; queue < QUEUES; queue++)
		skb_queue_head_init(&wire->ring[queue]);

	rtnl_lock();
	err = register_netdevice(dev);
	if (!err) {
		err = dev_open(dev, NULL);
		if (!err)
			err = xps_flows_resize(dev, BUCKETS);
		if (err)
			unregister_netdevice(dev);
	}
	rtnl_unlock();
	if (err) {
		free_netdev(dev);
		return err;
	}
	for (queue = 0; queue < QUEUES; queue++) {
		struct dql *dql = &netdev_get_tx_queue(dev, queue)->dql;

		/* BQL is not to stop a queue where a case does not want it */
		dql->min_limit = 100 * LEN;
		dql->limit = dql->min_limit;
		dql->adj_limit = dql->min_limit;
	}
	test->priv = wire;
	return 0;
}

static void flows_exit(struct kunit *test)
{
	struct wire *wire = test->priv;
	struct net_device *dev;
	u16 queue;

	if (!wire)
		return;
	dev = wire->dev;
	/* with its table: the device takes it along */
	unregister_netdev(dev);
	KUNIT_EXPECT_PTR_EQ(test, rcu_access_pointer(dev->xps_flows), NULL);
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&xps_flows_needed));
	for (queue = 0; queue < QUEUES; queue++)
		skb_queue_purge(&wire->ring[queue]);
	free_netdev(dev);
}

static struct kunit_case flows_cases[] = {
	KUNIT_CASE(new_flow_follows_xps),
	KUNIT_CASE(hash_of_0_is_a_hash),
	KUNIT_CASE(stays_while_in_driver),
	KUNIT_CASE(moves_at_once_when_idle),
	KUNIT_CASE(moves_from_busy_queue),
	KUNIT_CASE_PARAM(stays_while_in_qdisc, qdisc_gen_params),
	KUNIT_CASE_PARAM(stays_while_requeued, qdisc_gen_params),
	KUNIT_CASE(moves_after_drop),
	KUNIT_CASE(stays_while_on_defer_list),
	KUNIT_CASE(stays_while_on_its_way),
	KUNIT_CASE(last_user_looks),
	KUNIT_CASE_PARAM(stays_while_in_hand, qdisc_gen_params),
	KUNIT_CASE(looking_misses_no_run),
	KUNIT_CASE(stays_while_device_is_down),
	KUNIT_CASE(stays_without_bql),
	KUNIT_CASE(moves_after_reset),
	KUNIT_CASE(counters_wrap),
	KUNIT_CASE(stamp_from_long_ago),
	KUNIT_CASE(leaves_queue_that_is_gone),
	KUNIT_CASE(forced_while_on_its_way),
	KUNIT_CASE(flows_that_collide),
	KUNIT_CASE(socket_that_remembers_is_left_alone),
	KUNIT_CASE(hash_of_socket_is_software),
	KUNIT_CASE(not_where_queues_have_other_reasons),
	KUNIT_CASE(too_many_users_pin),
	KUNIT_CASE(list_goes_one_by_one),
	KUNIT_CASE(off_is_off),
	KUNIT_CASE(sizes),
	KUNIT_CASE(not_for_drivers_that_select),
	KUNIT_CASE(words),
	KUNIT_CASE(counters_survive_resize),
	KUNIT_CASE_PARAM_ATTR(in_order_under_load, qdisc_gen_params,
			      { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM_ATTR(out_of_order_without_table, qdisc_gen_params,
			      { .speed = KUNIT_SPEED_SLOW }),
	{}
};

static struct kunit_suite flows_suite = {
	.name		= "xps_flows",
	.init		= flows_init,
	.exit		= flows_exit,
	.test_cases	= flows_cases,
};

kunit_test_suite(flows_suite);

MODULE_DESCRIPTION("KUnit tests for the transmit flow table");
MODULE_LICENSE("GPL");
