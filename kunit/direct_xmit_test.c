// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of direct transmit: __dev_direct_xmit_list() and its one-element
 * case, __dev_direct_xmit().
 *
 * A list must be nothing but faster than its packets one at a time: the same
 * verdicts, drops and counters, in the same order.  The hint must be exact and
 * every descriptor covered by a tail write whenever the function returns, since
 * the caller may not come back for a while.
 */
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/prandom.h>
#include <linux/tcp.h>

#include "fake_txring.h"

/* Packets that validation treats differently on this device. */
enum kind {
	PLAIN,
	PARTIAL,	/* the checksum is filled in by software */
	TAGGED,		/* the VLAN tag is moved into the frame */
	UNREADABLE,	/* refused: the device cannot read such memory */
	SPLIT,		/* segmented, hence no longer one packet: refused */
};

static void make_partial(struct sk_buff *skb)
{
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_headroom(skb) + ETH_HLEN + sizeof(struct iphdr);
	skb->csum_offset = offsetof(struct tcphdr, check);
}

/* Three segments of TCP over IPv4, for a device without TSO. */
static void make_gso(struct kunit *test, struct sk_buff *skb)
{
	const unsigned int mss = 100, segs = 3;
	struct iphdr *iph;

	KUNIT_ASSERT_EQ(test, pskb_expand_head(skb, 0, segs * mss, GFP_KERNEL), 0);
	skb_trim(skb, ETH_HLEN);
	skb_put_zero(skb, sizeof(*iph) + sizeof(struct tcphdr) + segs * mss);
	skb->protocol = htons(ETH_P_IP);
	eth_hdr(skb)->h_proto = htons(ETH_P_IP);

	skb_set_network_header(skb, ETH_HLEN);
	iph = ip_hdr(skb);
	iph->version = 4;
	iph->ihl = sizeof(*iph) / 4;
	iph->protocol = IPPROTO_TCP;
	iph->tot_len = htons(skb->len - ETH_HLEN);

	skb_set_transport_header(skb, ETH_HLEN + sizeof(*iph));
	tcp_hdr(skb)->doff = sizeof(struct tcphdr) / 4;
	make_partial(skb);

	skb_shinfo(skb)->gso_size = mss;
	skb_shinfo(skb)->gso_segs = segs;
	skb_shinfo(skb)->gso_type = SKB_GSO_TCPV4;
}

static void make_kind(struct kunit *test, struct sk_buff *skb, enum kind kind)
{
	switch (kind) {
	case PLAIN:
		break;
	case PARTIAL:
		make_partial(skb);
		break;
	case TAGGED:
		__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q), 1);
		break;
	case UNREADABLE:
		skb->unreadable = 1;
		break;
	case SPLIT:
		make_gso(test, skb);
		break;
	}
}

/*
 * What refusing a packet of this kind adds to tx_dropped, as the base counts:
 * validation counts what it throws away, the caller counts it again.
 */
static unsigned int refusal_counts(enum kind kind)
{
	switch (kind) {
	case UNREADABLE:
		return 2;
	case SPLIT:
		return 1;
	default:
		return 0;
	}
}

static u64 tx_dropped(struct fake_ring *ring)
{
	struct rtnl_link_stats64 stats;

	return dev_get_stats(ring->dev, &stats)->tx_dropped;
}

/* The packets come without a queue: the function has to set it. */
static int xmit_list(struct fake_ring *ring, struct sk_buff **list,
		     unsigned int *sent)
{
	struct sk_buff *skb;

	for (skb = *list; skb; skb = skb->next)
		skb_set_queue_mapping(skb, 0);
	fake_new_burst(ring);
	*sent = UINT_MAX;
	return __dev_direct_xmit_list(list, FAKE_QUEUES - 1, sent);
}

static int xmit_one(struct fake_ring *ring, struct sk_buff *skb)
{
	skb_set_queue_mapping(skb, 0);
	fake_new_burst(ring);
	return __dev_direct_xmit(skb, FAKE_QUEUES - 1);
}

/* Hand over @list, of which @n packets are left, and expect it to go whole. */
static void expect_all_sent(struct kunit *test, struct fake_ring *ring,
			    struct sk_buff *list, u32 first, unsigned int n)
{
	unsigned int sent;

	KUNIT_EXPECT_EQ(test, xmit_list(ring, &list, &sent), NETDEV_TX_OK);
	KUNIT_EXPECT_EQ(test, sent, n);
	KUNIT_EXPECT_PTR_EQ(test, list, NULL);
	fake_expect_burst(test, ring, first, n, n);
	fake_expect_covered(test, ring);
}

/* Hand over *@list and expect it to end with @ret, @rest being what is left. */
static void expect_cut(struct kunit *test, struct fake_ring *ring,
		       struct sk_buff **list, int ret, unsigned int sent,
		       struct sk_buff *rest)
{
	unsigned int got;

	KUNIT_EXPECT_EQ(test, xmit_list(ring, list, &got), ret);
	KUNIT_EXPECT_EQ(test, got, sent);
	KUNIT_ASSERT_PTR_EQ(test, *list, rest);
	fake_expect_covered(test, ring);
}

static void list_sent_in_one_burst(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	struct fake_ring *ring = test->priv;

	for (ring->reader = 0; ring->reader <= FAKE_READS_CORE; ring->reader++) {
		ring->tail_writes = 0;
		expect_all_sent(test, ring, fake_list(test, ring, burst->n), 0,
				burst->n);
		KUNIT_EXPECT_EQ(test, ring->tail_writes, 1);
		fake_expect_no_leak(test, ring);
	}
}

static void stale_hint_is_overwritten(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *skb;

	list = fake_list(test, ring, burst->n);
	for (skb = list; skb; skb = skb->next)
		skb->xmit_more = 1;
	expect_all_sent(test, ring, list, 0, burst->n);
	fake_expect_no_leak(test, ring);
}

static void queue_stopped_by_kth(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	unsigned int n = burst->n, k = burst->k;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *rest;

	list = fake_list(test, ring, n);
	rest = fake_nth(list, k)->next;
	fake_script(list, k, FAKE_STOP);
	expect_cut(test, ring, &list, rest ? NETDEV_TX_BUSY : NETDEV_TX_OK,
		   k + 1, rest);
	fake_expect_burst(test, ring, 0, k + 1, n);
	KUNIT_EXPECT_EQ(test, fake_list_len(rest), n - k - 1);

	fake_complete_and_wake(ring);
	if (rest)
		expect_all_sent(test, ring, rest, k + 1, n - k - 1);
	fake_expect_no_leak(test, ring);
	KUNIT_EXPECT_EQ_MSG(test, ring->completed, n,
			    "a stopped queue turned packets into drops");
}

static void kth_dropped_inside_driver(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list;

	list = fake_list(test, ring, burst->n);
	fake_script(list, burst->k, FAKE_EAT);
	expect_all_sent(test, ring, list, 0, burst->n);
	fake_expect_no_leak(test, ring);
	KUNIT_EXPECT_EQ(test, ring->completed, burst->n - 1);
}

static void kth_refused_with_busy(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	unsigned int n = burst->n, k = burst->k;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *kth;

	list = fake_list(test, ring, n);
	kth = fake_nth(list, k);
	fake_script(list, k, FAKE_BUSY);
	expect_cut(test, ring, &list, NETDEV_TX_BUSY, k, kth);
	fake_expect_burst(test, ring, 0, k + 1, n);
	KUNIT_EXPECT_EQ(test, fake_list_len(list), n - k);

	expect_all_sent(test, ring, list, k, n - k);
	fake_expect_no_leak(test, ring);
	KUNIT_EXPECT_EQ(test, ring->completed, n);
}

static void kth_dropped_with_verdict(struct kunit *test)
{
	static const struct {
		enum fake_act act;
		int ret;
	} verdicts[] = {
		{ FAKE_DROP, NET_XMIT_DROP },
		{ FAKE_CN, NET_XMIT_CN },
		{ FAKE_ERROR, -EIO },
	};
	const struct fake_burst *burst = test->param_value;
	unsigned int n = burst->n, k = burst->k;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *rest;
	int i;

	for (i = 0; i < ARRAY_SIZE(verdicts); i++) {
		u64 dropped = tx_dropped(ring);

		list = fake_list(test, ring, n);
		rest = fake_nth(list, k)->next;
		fake_script(list, k, verdicts[i].act);
		expect_cut(test, ring, &list, verdicts[i].ret, k, rest);
		fake_expect_burst(test, ring, 0, k + 1, n);
		if (rest)
			expect_all_sent(test, ring, rest, k + 1, n - k - 1);
		/* What the driver drops, the driver counts. */
		KUNIT_EXPECT_EQ(test, tx_dropped(ring), dropped);
		fake_expect_no_leak(test, ring);
	}
}

/* No packet is touched while the queue is off, whatever the reason. */
static void stopped_or_frozen_queue_takes_nothing(struct kunit *test)
{
	static const u8 states[] = { __QUEUE_STATE_DRV_XOFF, __QUEUE_STATE_FROZEN };
	struct fake_ring *ring = test->priv;
	struct netdev_queue *txq = fake_txq(ring);
	u64 dropped = tx_dropped(ring);
	struct sk_buff *list, *first;
	int i;

	for (i = 0; i < ARRAY_SIZE(states); i++) {
		list = fake_list(test, ring, 8);
		first = list;
		set_bit(states[i], &txq->state);
		expect_cut(test, ring, &list, NETDEV_TX_BUSY, 0, first);
		KUNIT_EXPECT_EQ(test, ring->calls, 0);
		KUNIT_EXPECT_EQ(test, fake_list_len(list), 8);
		clear_bit(states[i], &txq->state);
		expect_all_sent(test, ring, list, 0, 8);
		fake_expect_no_leak(test, ring);
	}
	KUNIT_EXPECT_EQ(test, tx_dropped(ring), dropped);
}

/* Direct transmit passes by the queueing layer, and so by its limits. */
static void byte_queue_limit_does_not_hold_up_list(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct netdev_queue *txq = fake_txq(ring);

	set_bit(__QUEUE_STATE_STACK_XOFF, &txq->state);
	expect_all_sent(test, ring, fake_list(test, ring, 8), 0, 8);
	clear_bit(__QUEUE_STATE_STACK_XOFF, &txq->state);
	fake_expect_no_leak(test, ring);
}

/* One packet a call is lost, as when each had come by itself. */
static void expect_all_dropped(struct kunit *test, struct fake_ring *ring,
			       unsigned int n)
{
	struct sk_buff *list = fake_list(test, ring, n);
	u64 dropped = tx_dropped(ring);
	unsigned int i;

	for (i = 0; i < n; i++) {
		expect_cut(test, ring, &list, NET_XMIT_DROP, 0, list->next);
		KUNIT_EXPECT_EQ(test, ring->calls, 0);
		KUNIT_EXPECT_EQ(test, ring->alive, n - i - 1);
		KUNIT_EXPECT_EQ(test, tx_dropped(ring), dropped + i + 1);
	}
}

static void device_down_drops_one_by_one(struct kunit *test)
{
	struct fake_ring *ring = test->priv;

	rtnl_lock();
	dev_close(ring->dev);
	rtnl_unlock();
	expect_all_dropped(test, ring, 8);
	fake_expect_no_leak(test, ring);
}

static void carrier_off_drops_one_by_one(struct kunit *test)
{
	struct fake_ring *ring = test->priv;

	netif_carrier_off(ring->dev);
	expect_all_dropped(test, ring, 8);
	fake_expect_no_leak(test, ring);
}

/* They may be in a burst of their own, as long as no hint lies. */
static void packets_that_validation_changes_are_sent(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list;
	unsigned int sent;
	enum kind kind;

	for (kind = PARTIAL; kind <= TAGGED; kind++) {
		list = fake_list(test, ring, burst->n);
		make_kind(test, fake_nth(list, burst->k), kind);
		KUNIT_EXPECT_EQ(test, xmit_list(ring, &list, &sent),
				NETDEV_TX_OK);
		KUNIT_EXPECT_EQ(test, sent, burst->n);
		KUNIT_EXPECT_PTR_EQ(test, list, NULL);
		KUNIT_EXPECT_EQ(test, ring->calls, burst->n);
		fake_expect_hints_kept(test, ring, false);
		fake_expect_covered(test, ring);
		fake_expect_no_leak(test, ring);
	}
}

/* The packet before the bad one ends a burst: nothing follows it. */
static void kth_refused_by_validation(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	unsigned int n = burst->n, k = burst->k;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *rest;
	enum kind kind;

	for (kind = UNREADABLE; kind <= SPLIT; kind++) {
		u64 dropped = tx_dropped(ring);

		list = fake_list(test, ring, n);
		rest = fake_nth(list, k)->next;
		make_kind(test, fake_nth(list, k), kind);
		expect_cut(test, ring, &list, NET_XMIT_DROP, k, rest);
		fake_expect_burst(test, ring, 0, k, k);
		KUNIT_EXPECT_EQ(test, tx_dropped(ring),
				dropped + refusal_counts(kind));
		if (rest)
			expect_all_sent(test, ring, rest, k + 1, n - k - 1);
		fake_expect_no_leak(test, ring);
	}
}

/* What was never tried is the caller's, bad or not, and is counted once. */
static void bad_packet_behind_the_cut_is_left_alone(struct kunit *test)
{
	static const enum fake_act cuts[] = { FAKE_BUSY, FAKE_DROP };
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *rest;
	unsigned int gap;
	int i;

	for (i = 0; i < ARRAY_SIZE(cuts); i++) {
		for (gap = 1; gap < 5; gap++) {
			u64 dropped = tx_dropped(ring);

			list = fake_list(test, ring, 8);
			fake_script(list, 2, cuts[i]);
			rest = fake_nth(list, cuts[i] == FAKE_BUSY ? 2 : 3);
			make_kind(test, fake_nth(list, 2 + gap), UNREADABLE);
			expect_cut(test, ring, &list,
				   cuts[i] == FAKE_BUSY ? NETDEV_TX_BUSY : NET_XMIT_DROP,
				   2, rest);
			KUNIT_EXPECT_EQ_MSG(test, fake_list_len(list),
					    cuts[i] == FAKE_BUSY ? 6 : 5,
					    "bad packet %u behind the cut", gap);
			KUNIT_EXPECT_EQ(test, tx_dropped(ring), dropped);
			kfree_skb_list(list);
			fake_expect_no_leak(test, ring);
		}
	}
}

static void single_packet_keeps_its_semantics(struct kunit *test)
{
	static const struct {
		enum fake_act act;
		int ret;
	} verdicts[] = {
		{ FAKE_SEND, NETDEV_TX_OK },
		{ FAKE_STOP, NETDEV_TX_OK },
		{ FAKE_EAT, NETDEV_TX_OK },
		{ FAKE_BUSY, NETDEV_TX_BUSY },
		{ FAKE_DROP, NET_XMIT_DROP },
		{ FAKE_CN, NET_XMIT_CN },
		{ FAKE_ERROR, -EIO },
	};
	struct fake_ring *ring = test->priv;
	struct sk_buff *skb;
	int i;

	for (i = 0; i < ARRAY_SIZE(verdicts); i++) {
		skb = fake_skb(test, ring, 0);
		skb->xmit_more = 1;
		fake_script(skb, 0, verdicts[i].act);
		KUNIT_EXPECT_EQ(test, xmit_one(ring, skb), verdicts[i].ret);
		fake_expect_burst(test, ring, 0, 1, 1);
		fake_expect_covered(test, ring);
		if (verdicts[i].ret == NETDEV_TX_BUSY) {
			KUNIT_EXPECT_EQ(test, ring->alive, 1);
			KUNIT_EXPECT_PTR_EQ(test, skb->next, NULL);
			kfree_skb(skb);
		}
		fake_complete_and_wake(ring);
		fake_expect_no_leak(test, ring);
	}
}

/*
 * Random sequences: the same script is played to a list sender, to a sender
 * of one packet at a time, and to a model of what the base does.
 */
#define PLAN_PACKETS	600
#define PLAN_BURST	64
#define LOG_EVENTS	(PLAN_PACKETS * (FAKE_TRIES + 2))

/* What is wrong with the device while a burst is sent. */
enum trouble {
	NONE,
	STOPPED,	/* until the sender has seen it once */
	FROZEN,		/* likewise */
	NO_CARRIER,	/* for the whole burst */
	DOWN,		/* likewise */
};

struct plan_packet {
	enum kind	kind;
	u8		act[FAKE_TRIES];
	bool		give_up;	/* when busy: drop it, do not retry */
};

struct plan_burst {
	unsigned int	len;
	enum trouble	trouble;
};

struct plan {
	struct plan_packet	packet[PLAN_PACKETS];
	struct plan_burst	burst[PLAN_PACKETS];
	unsigned int		bursts;
};

struct event {
	u32	id;
	int	verdict;
};

/* What a run left behind, to be compared. */
struct outcome {
	struct event	event[LOG_EVENTS];
	unsigned int	events;
	u64		dropped;
	unsigned int	on_wire;
};

/* A sender that is refused for ever ends here, too. */
static void log_event(struct kunit *test, struct outcome *out, u32 id,
		      int verdict)
{
	KUNIT_ASSERT_LT(test, out->events, LOG_EVENTS);
	out->event[out->events++] = (struct event){ id, verdict };
}

static enum fake_act random_act(struct rnd_state *rnd)
{
	u32 x = prandom_u32_state(rnd) % 100;

	if (x < 80)
		return FAKE_SEND;
	if (x < 86)
		return FAKE_STOP;
	if (x < 90)
		return FAKE_BUSY;
	if (x < 94)
		return FAKE_EAT;
	return FAKE_DROP + x % 3;
}

static enum kind random_kind(struct rnd_state *rnd)
{
	u32 x = prandom_u32_state(rnd) % 100;

	return x < 80 ? PLAIN : PARTIAL + x % 4;
}

static enum trouble random_trouble(struct rnd_state *rnd)
{
	u32 x = prandom_u32_state(rnd) % 100;

	if (x < 75)
		return NONE;
	return x < 97 ? STOPPED + x % 3 : DOWN;
}

static struct plan *random_plan(struct kunit *test, u64 seed)
{
	struct plan *plan = kunit_kzalloc(test, sizeof(*plan), GFP_KERNEL);
	unsigned int i, t, left;
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, plan);
	prandom_seed_state(&rnd, seed);
	for (i = 0; i < PLAN_PACKETS; i++) {
		plan->packet[i].kind = random_kind(&rnd);
		plan->packet[i].give_up = prandom_u32_state(&rnd) % 4 == 0;
		for (t = 0; t < FAKE_TRIES - 1; t++)
			plan->packet[i].act[t] = random_act(&rnd);
		/* No packet is refused for ever. */
		plan->packet[i].act[t] = FAKE_SEND;
	}
	for (left = PLAN_PACKETS; left; plan->bursts++) {
		struct plan_burst *burst = &plan->burst[plan->bursts];
		u32 len = 1 + prandom_u32_state(&rnd) % PLAN_BURST;

		/* Short bursts are as likely as long ones. */
		if (prandom_u32_state(&rnd) % 2)
			len = 1 + len % 8;
		burst->len = min(len, left);
		burst->trouble = random_trouble(&rnd);
		left -= burst->len;
	}
	return plan;
}

static void set_trouble(struct fake_ring *ring, enum trouble trouble)
{
	struct netdev_queue *txq = fake_txq(ring);

	switch (trouble) {
	case NONE:
		break;
	case STOPPED:
		netif_tx_stop_queue(txq);
		break;
	case FROZEN:
		set_bit(__QUEUE_STATE_FROZEN, &txq->state);
		break;
	case NO_CARRIER:
		netif_carrier_off(ring->dev);
		break;
	case DOWN:
		rtnl_lock();
		dev_close(ring->dev);
		rtnl_unlock();
		break;
	}
}

static void end_trouble(struct fake_ring *ring, enum trouble trouble)
{
	if (trouble == NO_CARRIER) {
		netif_carrier_on(ring->dev);
	} else if (trouble == DOWN) {
		rtnl_lock();
		dev_open(ring->dev, NULL);
		rtnl_unlock();
	}
}

/* What a sender does that was told to wait. */
static void after_busy(struct fake_ring *ring)
{
	clear_bit(__QUEUE_STATE_FROZEN, &fake_txq(ring)->state);
	fake_complete_and_wake(ring);
}

static struct sk_buff *plan_list(struct kunit *test, struct fake_ring *ring,
				 const struct plan *plan, u32 first,
				 unsigned int len)
{
	struct sk_buff *list = fake_list(test, ring, len), *skb;
	u32 id = first;

	for (skb = list; skb; skb = skb->next, id++) {
		make_kind(test, skb, plan->packet[id].kind);
		fake_cb(skb)->id = id;
		memcpy(fake_cb(skb)->act, plan->packet[id].act, FAKE_TRIES);
	}
	return list;
}

static struct sk_buff *pop(struct sk_buff **list)
{
	struct sk_buff *skb = *list;

	*list = skb->next;
	skb_mark_not_on_list(skb);
	return skb;
}

static void send_list(struct kunit *test, struct fake_ring *ring,
		      const struct plan *plan, struct sk_buff *list, u32 id,
		      struct outcome *out)
{
	unsigned int sent;
	bool cut;
	int ret;

	while (list) {
		ret = xmit_list(ring, &list, &sent);
		cut = ring->calls > sent ||
		      (ret == NETDEV_TX_BUSY &&
		       netif_tx_queue_stopped(fake_txq(ring)));
		fake_expect_hints_kept(test, ring, cut);
		fake_expect_covered(test, ring);
		KUNIT_ASSERT_LE(test, sent, ring->calls);
		if (ret == NETDEV_TX_OK)
			KUNIT_ASSERT_PTR_EQ(test, list, NULL);
		while (sent--)
			log_event(test, out, id++, NETDEV_TX_OK);
		if (ret == NETDEV_TX_OK)
			break;
		log_event(test, out, id, ret);
		if (ret != NETDEV_TX_BUSY) {
			id++;
			continue;
		}
		KUNIT_ASSERT_NOT_NULL(test, list);
		KUNIT_ASSERT_EQ(test, fake_cb(list)->id, id);
		after_busy(ring);
		if (plan->packet[id].give_up) {
			kfree_skb(pop(&list));
			id++;
		}
	}
}

static void send_singly(struct kunit *test, struct fake_ring *ring,
			const struct plan *plan, struct sk_buff *list, u32 id,
			struct outcome *out)
{
	struct sk_buff *skb;
	int ret;

	for (; list; id++) {
		skb = pop(&list);
		for (;;) {
			ret = xmit_one(ring, skb);
			log_event(test, out, id, ret);
			fake_expect_covered(test, ring);
			if (ret != NETDEV_TX_BUSY)
				break;
			after_busy(ring);
			if (plan->packet[id].give_up) {
				kfree_skb(skb);
				break;
			}
		}
	}
}

typedef void (*sender_t)(struct kunit *test, struct fake_ring *ring,
			 const struct plan *plan, struct sk_buff *list, u32 id,
			 struct outcome *out);

static struct outcome *play(struct kunit *test, struct fake_ring *ring,
			    const struct plan *plan, sender_t sender)
{
	struct outcome *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	unsigned int b;
	u32 id = 0;

	KUNIT_ASSERT_NOT_NULL(test, out);
	out->dropped = tx_dropped(ring);
	out->on_wire = ring->completed;
	for (b = 0; b < plan->bursts; b++) {
		const struct plan_burst *burst = &plan->burst[b];

		set_trouble(ring, burst->trouble);
		sender(test, ring, plan,
		       plan_list(test, ring, plan, id, burst->len), id, out);
		end_trouble(ring, burst->trouble);
		fake_complete(ring);
		id += burst->len;
	}
	after_busy(ring);
	out->dropped = tx_dropped(ring) - out->dropped;
	out->on_wire = ring->completed - out->on_wire;
	fake_expect_no_leak(test, ring);
	return out;
}

/* What the driver answers, and whether the queue is stopped then. */
static int model_act(enum fake_act act, bool *stopped, struct outcome *out)
{
	switch (act) {
	case FAKE_STOP:
		*stopped = true;
		fallthrough;
	case FAKE_SEND:
		out->on_wire++;
		fallthrough;
	case FAKE_EAT:
		return NETDEV_TX_OK;
	case FAKE_BUSY:
		return NETDEV_TX_BUSY;
	case FAKE_DROP:
		return NET_XMIT_DROP;
	case FAKE_CN:
		return NET_XMIT_CN;
	case FAKE_ERROR:
		return -EIO;
	}
	return -EINVAL;
}

/* __dev_direct_xmit() of the base: device, validation, queue, driver. */
static int model_xmit(const struct plan_packet *packet, enum trouble trouble,
		      bool *stopped, u8 *tries, struct outcome *out)
{
	unsigned int refused = refusal_counts(packet->kind);
	u8 try;

	if (trouble == NO_CARRIER || trouble == DOWN) {
		out->dropped++;
		return NET_XMIT_DROP;
	}
	if (refused) {
		out->dropped += refused;
		return NET_XMIT_DROP;
	}
	if (*stopped)
		return NETDEV_TX_BUSY;
	try = min_t(u8, *tries, FAKE_TRIES - 1);
	++*tries;
	return model_act(packet->act[try], stopped, out);
}

static struct outcome *model(struct kunit *test, const struct plan *plan)
{
	struct outcome *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	bool stopped = false;
	unsigned int b, i;
	u32 id = 0;
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, out);
	for (b = 0; b < plan->bursts; b++) {
		enum trouble trouble = plan->burst[b].trouble;

		stopped |= trouble == STOPPED || trouble == FROZEN;
		for (i = 0; i < plan->burst[b].len; i++, id++) {
			u8 tries = 0;

			do {
				ret = model_xmit(&plan->packet[id], trouble,
						 &stopped, &tries, out);
				log_event(test, out, id, ret);
				if (ret == NETDEV_TX_BUSY)
					stopped = false;
			} while (ret == NETDEV_TX_BUSY && !plan->packet[id].give_up);
		}
	}
	return out;
}

static void expect_same(struct kunit *test, const struct outcome *got,
			const struct outcome *want, const char *what)
{
	unsigned int i;

	for (i = 0; i < min(got->events, want->events); i++) {
		if (!memcmp(&got->event[i], &want->event[i], sizeof(struct event)))
			continue;
		KUNIT_FAIL(test, "%s: event %u is packet %u: %d, not packet %u: %d",
			   what, i, got->event[i].id, got->event[i].verdict,
			   want->event[i].id, want->event[i].verdict);
		break;
	}
	KUNIT_EXPECT_EQ_MSG(test, got->events, want->events, "%s: verdicts", what);
	KUNIT_EXPECT_EQ_MSG(test, got->dropped, want->dropped, "%s: tx_dropped",
			    what);
	KUNIT_EXPECT_EQ_MSG(test, got->on_wire, want->on_wire,
			    "%s: packets sent", what);
}

static const u64 seeds[] = { 1, 2, 3, 20140825, 0x6e6574626174ULL, ~0ULL };

static void seed_desc(const u64 *seed, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "seed %llu", *seed);
}

KUNIT_ARRAY_PARAM(seed, seeds, seed_desc);

static void random_lists_match_one_at_a_time(struct kunit *test)
{
	const u64 *seed = test->param_value;
	struct fake_ring *ring = test->priv;
	const struct outcome *want, *singly, *list;
	struct plan *plan = random_plan(test, *seed);

	want = model(test, plan);
	singly = play(test, ring, plan, send_singly);
	expect_same(test, singly, want, "one at a time");
	for (ring->reader = 0; ring->reader <= FAKE_READS_CORE; ring->reader++) {
		list = play(test, ring, plan, send_list);
		expect_same(test, list, want, "list");
	}
}

static struct kunit_case direct_xmit_cases[] = {
	KUNIT_CASE_PARAM(list_sent_in_one_burst, fake_burst_gen_params),
	KUNIT_CASE_PARAM(stale_hint_is_overwritten, fake_burst_gen_params),
	KUNIT_CASE_PARAM(queue_stopped_by_kth, fake_burst_gen_params),
	KUNIT_CASE_PARAM(kth_dropped_inside_driver, fake_burst_gen_params),
	KUNIT_CASE_PARAM(kth_refused_with_busy, fake_burst_gen_params),
	KUNIT_CASE_PARAM(kth_dropped_with_verdict, fake_burst_gen_params),
	KUNIT_CASE(stopped_or_frozen_queue_takes_nothing),
	KUNIT_CASE(byte_queue_limit_does_not_hold_up_list),
	KUNIT_CASE(device_down_drops_one_by_one),
	KUNIT_CASE(carrier_off_drops_one_by_one),
	KUNIT_CASE_PARAM(packets_that_validation_changes_are_sent,
			 fake_burst_gen_params),
	KUNIT_CASE_PARAM(kth_refused_by_validation, fake_burst_gen_params),
	KUNIT_CASE(bad_packet_behind_the_cut_is_left_alone),
	KUNIT_CASE(single_packet_keeps_its_semantics),
	KUNIT_CASE_PARAM(random_lists_match_one_at_a_time, seed_gen_params),
	{}
};

static struct kunit_suite direct_xmit_suite = {
	.name = "net_direct_xmit",
	.init = fake_ring_init,
	.exit = fake_ring_exit,
	.test_cases = direct_xmit_cases,
};

kunit_test_suite(direct_xmit_suite);

MODULE_DESCRIPTION("KUnit tests of direct transmit");
MODULE_LICENSE("GPL");
