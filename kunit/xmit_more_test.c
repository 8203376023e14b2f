// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the hint that another packet follows: skb->xmit_more and
 * netdev_xmit_more(), as dev_hard_start_xmit() and netdev_start_xmit() set it.
 *
 * Two rules are held here.  The hint is exact: both forms agree, and are true
 * exactly when the list goes on.  And whatever ends a burst, no descriptor is
 * left without a tail write, given a driver that flushes when the hint is
 * clear, when it stops the queue and when it refuses a packet.
 */
#include "fake_txring.h"

/* As sch_direct_xmit() calls it: BHs off, the queue's lock held. */
static struct sk_buff *hard_xmit(struct fake_ring *ring, struct sk_buff *list,
				 int *ret)
{
	struct netdev_queue *txq = fake_txq(ring);
	struct net_device *dev = ring->dev;

	fake_new_burst(ring);
	rcu_read_lock_bh();
	HARD_TX_LOCK(dev, txq, smp_processor_id());
	list = dev_hard_start_xmit(list, dev, txq, ret);
	HARD_TX_UNLOCK(dev, txq);
	rcu_read_unlock_bh();
	return list;
}

static void set_stale_hint(struct sk_buff *list, bool more)
{
	for (; list; list = list->next)
		list->xmit_more = more;
}

/* Both drivers of the fleet: those that read the skb, those that ask the core. */
static void expect_whole_list_sent(struct kunit *test, struct fake_ring *ring,
				   struct sk_buff *list, unsigned int n)
{
	struct sk_buff *rest;
	int ret;

	rest = hard_xmit(ring, list, &ret);
	KUNIT_EXPECT_EQ(test, ret, NETDEV_TX_OK);
	KUNIT_EXPECT_PTR_EQ(test, rest, NULL);
	fake_expect_burst(test, ring, 0, n, n);
	fake_expect_covered(test, ring);
}

static void hint_set_on_all_but_last(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	struct fake_ring *ring = test->priv;

	for (ring->reader = 0; ring->reader <= FAKE_READS_CORE; ring->reader++) {
		ring->tail_writes = 0;
		expect_whole_list_sent(test, ring,
				       fake_list(test, ring, burst->n),
				       burst->n);
		KUNIT_EXPECT_EQ_MSG(test, ring->tail_writes, 1,
				    "tail writes of one burst");
		fake_expect_no_leak(test, ring);
	}
}

static void stale_hint_of_reused_skbs_is_overwritten(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list;
	int stale;

	for (stale = 0; stale <= 1; stale++) {
		list = fake_list(test, ring, burst->n);
		set_stale_hint(list, stale);
		expect_whole_list_sent(test, ring, list, burst->n);
		fake_expect_no_leak(test, ring);
	}
}

static struct sk_buff *clone_of(struct kunit *test, struct fake_ring *ring,
				struct sk_buff *skb)
{
	struct sk_buff *clone = skb_clone(skb, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, clone);
	clone->destructor = fake_destructor;
	ring->alive++;
	return clone;
}

/* The original went out in the middle of a burst, its clone goes out alone. */
static void stale_hint_of_clone_is_overwritten(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct sk_buff *skb = fake_skb(test, ring, 0);
	struct sk_buff *clone;

	skb->xmit_more = 1;
	clone = clone_of(test, ring, skb);
	/* Whatever a clone inherits, this one carries the stale value. */
	clone->xmit_more = 1;
	expect_whole_list_sent(test, ring, clone, 1);
	expect_whole_list_sent(test, ring, skb, 1);
	fake_expect_no_leak(test, ring);
}

static void hint_left_by_other_device_does_not_matter(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct sk_buff *skb = fake_skb(test, ring, 0);
	struct netdev_queue *txq = fake_txq(ring);

	fake_new_burst(ring);
	rcu_read_lock_bh();
	HARD_TX_LOCK(ring->dev, txq, smp_processor_id());
	netdev_xmit_set_more(true);
	netdev_start_xmit(skb, ring->dev, txq, false);
	HARD_TX_UNLOCK(ring->dev, txq);
	rcu_read_unlock_bh();
	fake_expect_burst(test, ring, 0, 1, 1);
	fake_expect_covered(test, ring);
	fake_expect_no_leak(test, ring);
}

/* Senders that do not use lists, such as pktgen, say themselves what follows. */
static void netdev_start_xmit_sets_both_forms(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct netdev_queue *txq = fake_txq(ring);
	struct sk_buff *skb[3];
	int i;

	for (i = 0; i < 3; i++) {
		skb[i] = fake_skb(test, ring, i);
		skb[i]->xmit_more = i == 2;
	}
	fake_new_burst(ring);
	local_bh_disable();
	HARD_TX_LOCK(ring->dev, txq, smp_processor_id());
	for (i = 0; i < 3; i++)
		netdev_start_xmit(skb[i], ring->dev, txq, i < 2);
	HARD_TX_UNLOCK(ring->dev, txq);
	local_bh_enable();
	fake_expect_burst(test, ring, 0, 3, 3);
	fake_expect_covered(test, ring);
	fake_expect_no_leak(test, ring);
}

/* What follows the packet that stopped the queue is handed back. */
static void queue_stopped_by_kth(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	bool last = burst->k + 1 == burst->n;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *rest, *next;
	int ret;

	list = fake_list(test, ring, burst->n);
	next = fake_nth(list, burst->k)->next;
	fake_script(list, burst->k, FAKE_STOP);

	rest = hard_xmit(ring, list, &ret);
	KUNIT_EXPECT_EQ(test, ret, last ? NETDEV_TX_OK : NETDEV_TX_BUSY);
	KUNIT_ASSERT_PTR_EQ(test, rest, next);
	KUNIT_EXPECT_EQ(test, fake_list_len(rest), burst->n - burst->k - 1);
	fake_expect_burst(test, ring, 0, burst->k + 1, burst->n);
	fake_expect_covered(test, ring);

	/* The rest is a burst of its own once the queue goes again. */
	fake_complete_and_wake(ring);
	if (rest) {
		rest = hard_xmit(ring, rest, &ret);
		KUNIT_EXPECT_PTR_EQ(test, rest, NULL);
		fake_expect_burst(test, ring, burst->k + 1,
				  burst->n - burst->k - 1,
				  burst->n - burst->k - 1);
		fake_expect_covered(test, ring);
	}
	fake_expect_no_leak(test, ring);
	KUNIT_EXPECT_EQ(test, ring->completed, burst->n);
}

static void kth_dropped_inside_driver(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list;

	list = fake_list(test, ring, burst->n);
	fake_script(list, burst->k, FAKE_EAT);
	expect_whole_list_sent(test, ring, list, burst->n);
	fake_expect_no_leak(test, ring);
	KUNIT_EXPECT_EQ(test, ring->completed, burst->n - 1);
}

/* The packet that was refused comes back first, still in one piece. */
static void kth_refused_with_busy(struct kunit *test)
{
	const struct fake_burst *burst = test->param_value;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *rest, *kth;
	int ret;

	list = fake_list(test, ring, burst->n);
	kth = fake_nth(list, burst->k);
	fake_script(list, burst->k, FAKE_BUSY);

	rest = hard_xmit(ring, list, &ret);
	KUNIT_EXPECT_EQ(test, ret, NETDEV_TX_BUSY);
	KUNIT_ASSERT_PTR_EQ(test, rest, kth);
	KUNIT_EXPECT_EQ(test, fake_list_len(rest), burst->n - burst->k);
	fake_expect_burst(test, ring, 0, burst->k + 1, burst->n);
	fake_expect_covered(test, ring);

	/* Its second try may be alone, or last: the first hint is stale then. */
	rest = hard_xmit(ring, rest, &ret);
	KUNIT_EXPECT_PTR_EQ(test, rest, NULL);
	fake_expect_burst(test, ring, burst->k, burst->n - burst->k,
			  burst->n - burst->k);
	fake_expect_covered(test, ring);
	fake_expect_no_leak(test, ring);
	KUNIT_EXPECT_EQ(test, ring->completed, burst->n);
}

/* A packet refused inside a burst and then sent by itself. */
static void refused_packet_retried_alone(struct kunit *test)
{
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *rest, *second;
	int ret;

	list = fake_list(test, ring, 2);
	fake_script(list, 0, FAKE_BUSY);
	rest = hard_xmit(ring, list, &ret);
	KUNIT_ASSERT_PTR_EQ(test, rest, list);
	second = rest->next;
	skb_mark_not_on_list(rest);

	expect_whole_list_sent(test, ring, rest, 1);
	kfree_skb(second);
	fake_expect_no_leak(test, ring);
}

/* These verdicts mean that the packet is gone; the list goes on. */
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
	bool last = burst->k + 1 == burst->n;
	struct fake_ring *ring = test->priv;
	struct sk_buff *list, *rest;
	int i, ret;

	for (i = 0; i < ARRAY_SIZE(verdicts); i++) {
		list = fake_list(test, ring, burst->n);
		fake_script(list, burst->k, verdicts[i].act);
		rest = hard_xmit(ring, list, &ret);
		KUNIT_EXPECT_PTR_EQ(test, rest, NULL);
		KUNIT_EXPECT_EQ(test, ret, last ? verdicts[i].ret : NETDEV_TX_OK);
		fake_expect_burst(test, ring, 0, burst->n, burst->n);
		fake_expect_covered(test, ring);
		fake_expect_no_leak(test, ring);
	}
}

static struct kunit_case xmit_more_cases[] = {
	KUNIT_CASE_PARAM(hint_set_on_all_but_last, fake_burst_gen_params),
	KUNIT_CASE_PARAM(stale_hint_of_reused_skbs_is_overwritten,
			 fake_burst_gen_params),
	KUNIT_CASE(stale_hint_of_clone_is_overwritten),
	KUNIT_CASE(hint_left_by_other_device_does_not_matter),
	KUNIT_CASE(netdev_start_xmit_sets_both_forms),
	KUNIT_CASE_PARAM(queue_stopped_by_kth, fake_burst_gen_params),
	KUNIT_CASE_PARAM(kth_dropped_inside_driver, fake_burst_gen_params),
	KUNIT_CASE_PARAM(kth_refused_with_busy, fake_burst_gen_params),
	KUNIT_CASE(refused_packet_retried_alone),
	KUNIT_CASE_PARAM(kth_dropped_with_verdict, fake_burst_gen_params),
	{}
};

static struct kunit_suite xmit_more_suite = {
	.name = "net_xmit_more",
	.init = fake_ring_init,
	.exit = fake_ring_exit,
	.test_cases = xmit_more_cases,
};

kunit_test_suite(xmit_more_suite);

MODULE_DESCRIPTION("KUnit tests of the xmit_more hint");
MODULE_LICENSE("GPL");
