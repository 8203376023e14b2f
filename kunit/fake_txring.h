/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network device that is nothing but a transmit ring, for the KUnit suites
 * of the transmit path.
 *
 * Every packet takes one descriptor.  The device only sees descriptors below
 * the tail, so a descriptor at or above it when a burst is over is a packet
 * that waits for the next transmit: the thing that must never happen.  What
 * the driver does with a packet is written in the packet, so that a case reads
 * as a script: "the third of eight stops the queue".
 *
 * A case runs in one thread and nothing else transmits on the device, hence
 * no locking here beyond what ndo_start_xmit() is called with.
 */
#ifndef _FAKE_TXRING_H
#define _FAKE_TXRING_H

#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>

#define FAKE_QUEUES	2
#define FAKE_DESCS	128	/* more than the longest burst of a case */
#define FAKE_CALLS	192	/* ... and than its calls with all retries */
#define FAKE_TRIES	3	/* actions a packet can have, one a try */

/* What the driver does with a packet. */
enum fake_act {
	FAKE_SEND,	/* into the ring */
	FAKE_STOP,	/* into the ring, which is full then: stop the queue */
	FAKE_EAT,	/* drop it inside the driver, NETDEV_TX_OK */
	FAKE_BUSY,	/* not taken, NETDEV_TX_BUSY */
	FAKE_DROP,	/* dropped and reported: NET_XMIT_DROP */
	FAKE_CN,	/* dropped and reported: NET_XMIT_CN */
	FAKE_ERROR,	/* dropped and reported: a negative errno */
};

/* Which of the two forms of the hint the driver obeys. */
enum fake_reader {
	FAKE_READS_SKB,
	FAKE_READS_CORE,
};

/* In skb->cb, unless the ring is behind a qdisc, which needs that itself. */
struct fake_cb {
	u32	id;
	u8	tries;
	u8	act[FAKE_TRIES];
};

/* One call of ndo_start_xmit(). */
struct fake_call {
	u32	id;
	u16	queue;
	bool	skb_more;	/* skb->xmit_more */
	bool	core_more;	/* netdev_xmit_more() */
	bool	linked;		/* skb->next was set */
	bool	locked;		/* this CPU held the queue's lock */
	unsigned int section;	/* how often BHs had been on before */
};

struct fake_ring {
	struct net_device	*dev;
	enum fake_reader	reader;

	struct sk_buff		*desc[FAKE_DESCS];
	unsigned int		next_to_use;
	unsigned int		next_to_clean;
	unsigned int		tail;
	unsigned int		tail_writes;

	struct fake_call	call[FAKE_CALLS];
	unsigned int		calls;

	/*
	 * Behind a qdisc: skb->mark is the number of a packet, and the call
	 * @act_at does @act, all others send.
	 */
	bool			queued;
	unsigned int		act_at;
	enum fake_act		act;

	/* Packets that no case has made with fake_skb(): only counted. */
	unsigned int		others;

	/* Packets that exist, and those that reached the wire. */
	unsigned int		alive;
	unsigned int		completed;

	/*
	 * The tasklet is raised by each call and can only run once BHs are on
	 * again, that is when the lock is free: one run a burst.
	 */
	struct tasklet_struct	bh;
	unsigned int		sections;
};

static inline struct fake_cb *fake_cb(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct fake_cb) > sizeof(skb->cb));
	return (struct fake_cb *)skb->cb;
}

static inline struct netdev_queue *fake_txq(struct fake_ring *ring)
{
	return netdev_get_tx_queue(ring->dev, FAKE_QUEUES - 1);
}

static void fake_bh(struct tasklet_struct *t)
{
	struct fake_ring *ring = from_tasklet(ring, t, bh);

	ring->sections++;
}

static void fake_destructor(struct sk_buff *skb)
{
	struct fake_ring *ring = netdev_priv(skb->dev);

	ring->alive--;
}

static void fake_log_call(struct fake_ring *ring, struct sk_buff *skb)
{
	struct netdev_queue *txq = skb_get_tx_queue(ring->dev, skb);
	struct fake_call *call = &ring->call[ring->calls];

	if (WARN_ON(ring->calls == FAKE_CALLS))
		return;
	ring->calls++;
	call->id = ring->queued ? skb->mark : fake_cb(skb)->id;
	call->queue = skb_get_queue_mapping(skb);
	call->skb_more = skb->xmit_more;
	call->core_more = netdev_xmit_more();
	call->linked = !!skb->next;
	call->section = ring->sections;
	call->locked = READ_ONCE(txq->xmit_lock_owner) == smp_processor_id();
	tasklet_schedule(&ring->bh);
}

/* What a driver that keeps the promise does on every way out. */
static netdev_tx_t fake_finish(struct fake_ring *ring, bool more,
			       struct netdev_queue *txq, int verdict)
{
	if (more && verdict == NETDEV_TX_OK && !netif_xmit_stopped(txq))
		return verdict;
	if (ring->tail != ring->next_to_use) {
		ring->tail = ring->next_to_use;
		ring->tail_writes++;
	}
	return verdict;
}

static enum fake_act fake_next_act(struct fake_ring *ring, struct sk_buff *skb)
{
	struct fake_cb *cb = fake_cb(skb);

	if (ring->queued)
		return ring->calls == ring->act_at ? ring->act : FAKE_SEND;
	return cb->act[min_t(u8, cb->tries++, FAKE_TRIES - 1)];
}

static netdev_tx_t fake_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct netdev_queue *txq = skb_get_tx_queue(dev, skb);
	struct fake_ring *ring = netdev_priv(dev);
	int verdict = NETDEV_TX_OK;
	enum fake_act act;
	bool more;

	/* A qdisc may have orphaned the packet. */
	if (skb->destructor != fake_destructor &&
	    !(ring->queued && skb->protocol == htons(ETH_P_802_EX1))) {
		/* The stack's own, such as an IPv6 router solicitation. */
		ring->others++;
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}

	act = fake_next_act(ring, skb);
	fake_log_call(ring, skb);
	more = ring->reader == FAKE_READS_SKB ? skb->xmit_more :
						netdev_xmit_more();

	switch (act) {
	case FAKE_STOP:
		netif_tx_stop_queue(txq);
		fallthrough;
	case FAKE_SEND:
		ring->desc[ring->next_to_use++ % FAKE_DESCS] = skb;
		return fake_finish(ring, more, txq, NETDEV_TX_OK);
	case FAKE_BUSY:
		return fake_finish(ring, more, txq, NETDEV_TX_BUSY);
	case FAKE_DROP:
		verdict = NET_XMIT_DROP;
		break;
	case FAKE_CN:
		verdict = NET_XMIT_CN;
		break;
	case FAKE_ERROR:
		verdict = -EIO;
		break;
	case FAKE_EAT:
		break;
	}
	dev_kfree_skb_any(skb);
	return fake_finish(ring, more, txq, verdict);
}

static const struct net_device_ops fake_netdev_ops = {
	.ndo_start_xmit	= fake_start_xmit,
};

/* The wire takes what the tail covers; what it does not cover stays. */
static void fake_complete(struct fake_ring *ring)
{
	while (ring->next_to_clean != ring->tail) {
		unsigned int i = ring->next_to_clean++ % FAKE_DESCS;

		consume_skb(ring->desc[i]);
		ring->desc[i] = NULL;
		ring->completed++;
	}
}

static void fake_complete_and_wake(struct fake_ring *ring)
{
	fake_complete(ring);
	netif_tx_wake_queue(fake_txq(ring));
}

static struct fake_ring *fake_ring_create(struct kunit *test)
{
	struct net_device *dev;
	struct fake_ring *ring;
	int err;

	dev = alloc_etherdev_mq(sizeof(*ring), FAKE_QUEUES);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	eth_hw_addr_random(dev);
	dev->netdev_ops = &fake_netdev_ops;
	/* too small for IPv6, which would send packets of its own */
	dev->mtu = IPV6_MIN_MTU - 1;

	ring = netdev_priv(dev);
	ring->dev = dev;
	tasklet_setup(&ring->bh, fake_bh);

	rtnl_lock();
	err = register_netdevice(dev);
	if (!err)
		err = dev_open(dev, NULL);
	rtnl_unlock();
	if (err) {
		if (dev->reg_state == NETREG_REGISTERED)
			unregister_netdev(dev);
		free_netdev(dev);
		KUNIT_ASSERT_EQ_MSG(test, err, 0, "no device to test with");
	}
	return ring;
}

static void fake_ring_destroy(struct fake_ring *ring)
{
	struct net_device *dev = ring->dev;

	/* Also what no tail write covers, after a case that failed. */
	ring->tail = ring->next_to_use;
	fake_complete(ring);
	unregister_netdev(dev);
	tasklet_kill(&ring->bh);
	free_netdev(dev);
}

static int fake_ring_init(struct kunit *test)
{
	test->priv = fake_ring_create(test);
	return 0;
}

static void fake_ring_exit(struct kunit *test)
{
	if (test->priv)
		fake_ring_destroy(test->priv);
}

/* A frame of 60 bytes of the local experimental type. */
static struct sk_buff *fake_skb(struct kunit *test, struct fake_ring *ring,
				u32 id)
{
	struct sk_buff *skb = alloc_skb(ETH_ZLEN, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put_zero(skb, ETH_ZLEN);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	eth_hdr(skb)->h_proto = htons(ETH_P_802_EX1);
	skb->protocol = htons(ETH_P_802_EX1);
	skb->dev = ring->dev;
	skb_set_queue_mapping(skb, FAKE_QUEUES - 1);
	skb->destructor = fake_destructor;
	ring->alive++;
	memset(fake_cb(skb), 0, sizeof(struct fake_cb));
	fake_cb(skb)->id = id;
	return skb;
}

/* @n packets, numbered from 0 and linked by skb->next. */
static inline struct sk_buff *fake_list(struct kunit *test,
					struct fake_ring *ring, unsigned int n)
{
	struct sk_buff *head = NULL;

	while (n--) {
		struct sk_buff *skb = fake_skb(test, ring, n);

		skb->next = head;
		head = skb;
	}
	return head;
}

static struct sk_buff *fake_nth(struct sk_buff *list, unsigned int n)
{
	while (n--)
		list = list->next;
	return list;
}

/* The first try of packet @k does @act; further ones send it. */
static inline void fake_script(struct sk_buff *list, unsigned int k,
			       enum fake_act act)
{
	fake_cb(fake_nth(list, k))->act[0] = act;
}

static unsigned int fake_list_len(const struct sk_buff *list)
{
	unsigned int n = 0;

	for (; list; list = list->next)
		n++;
	return n;
}

/*
 * Start the log anew: the next burst is judged by itself.  The tasklet may have
 * been left to ksoftirqd; it belongs to the burst before.
 */
static void fake_new_burst(struct fake_ring *ring)
{
	ring->calls = 0;
	tasklet_kill(&ring->bh);
	ring->sections = 0;
}

/*
 * X1 for the calls of one burst: packets @first ... were handed over in order,
 * @n of them, and all but the last of the @offered ones with the hint.  A burst
 * that is cut short (@n < @offered) was cut by the driver, which knows.
 */
static void fake_expect_burst(struct kunit *test, struct fake_ring *ring,
			      u32 first, unsigned int n, unsigned int offered)
{
	unsigned int i;

	KUNIT_ASSERT_EQ_MSG(test, ring->calls, n, "packets handed over");
	for (i = 0; i < n; i++) {
		const struct fake_call *call = &ring->call[i];

		KUNIT_EXPECT_EQ_MSG(test, call->id, first + i, "call %u", i);
		KUNIT_EXPECT_EQ_MSG(test, call->skb_more, i + 1 < offered,
				    "skb->xmit_more of call %u of %u", i, offered);
		KUNIT_EXPECT_EQ_MSG(test, call->core_more, i + 1 < offered,
				    "netdev_xmit_more() of call %u of %u", i, offered);
		KUNIT_EXPECT_FALSE_MSG(test, call->linked, "call %u", i);
		KUNIT_EXPECT_TRUE_MSG(test, call->locked, "call %u", i);
		KUNIT_EXPECT_EQ_MSG(test, call->queue, FAKE_QUEUES - 1,
				    "call %u", i);
	}
	KUNIT_EXPECT_LE_MSG(test, ring->sections, 1,
			    "the queue's lock was dropped between two packets of a burst");
}

/*
 * X1 where a list may have to go in several bursts: the hint promises a packet
 * that follows before the lock is dropped.  @cut: the driver itself ended the
 * last burst, by stopping the queue or by refusing a packet.
 */
static inline void fake_expect_hints_kept(struct kunit *test,
					  struct fake_ring *ring, bool cut)
{
	unsigned int i;

	for (i = 0; i < ring->calls; i++) {
		const struct fake_call *call = &ring->call[i], *next = call + 1;
		bool last = i + 1 == ring->calls;

		KUNIT_EXPECT_EQ(test, call->skb_more, call->core_more);
		KUNIT_EXPECT_FALSE(test, call->linked);
		if (!last)
			KUNIT_EXPECT_LT(test, call->id, next->id);
		if (!call->skb_more)
			continue;
		KUNIT_EXPECT_TRUE_MSG(test, last ? cut : call->section == next->section,
				      "nothing followed packet %u, which had the hint",
				      call->id);
	}
}

/* X2: the device sees every descriptor that was written. */
static void fake_expect_covered(struct kunit *test, struct fake_ring *ring)
{
	KUNIT_EXPECT_EQ_MSG(test, ring->next_to_use - ring->tail, 0,
			    "descriptors that no tail write covers");
}

/* At the end of a case: nothing left over, nothing lost. */
static void fake_expect_no_leak(struct kunit *test, struct fake_ring *ring)
{
	fake_complete(ring);
	KUNIT_EXPECT_EQ_MSG(test, ring->alive, 0, "packets leaked");
}

/* A burst of @n packets in which something happens to packet @k. */
struct fake_burst {
	unsigned int	n;
	unsigned int	k;
};

static const struct fake_burst fake_bursts[] = {
	{ 1, 0 },
	{ 2, 0 }, { 2, 1 },
	{ 3, 0 }, { 3, 1 }, { 3, 2 },
	{ 8, 0 }, { 8, 3 }, { 8, 6 }, { 8, 7 },
	{ 64, 0 }, { 64, 31 }, { 64, 62 }, { 64, 63 },
};

static void fake_burst_desc(const struct fake_burst *burst, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u of %u", burst->k + 1,
		 burst->n);
}

KUNIT_ARRAY_PARAM(fake_burst, fake_bursts, fake_burst_desc);

#endif /* _FAKE_TXRING_H */
