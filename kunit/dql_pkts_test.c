// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the packets that byte queue limits count: packets sent less
 * packets completed are packets in flight, and none is at rest.
 */
#include <kunit/test.h>
#include <linux/cache.h>
#include <linux/dynamic_queue_limits.h>
#include <linux/etherdevice.h>
#include <linux/netdevice.h>

#define BYTES	100

struct start {
	const char	*desc;
	unsigned int	pkts;	/* what has been counted before */
};

static const struct start starts[] = {
	{ "from 0", 0 },
	{ "8 before the sign changes", INT_MAX - 8 },
	{ "8 before the wrap", UINT_MAX - 8 },
	{ "1 before the wrap", UINT_MAX },
};

KUNIT_ARRAY_PARAM_DESC(start, starts, desc);

static struct netdev_queue *txq_of(struct kunit *test)
{
	return netdev_get_tx_queue(test->priv, 0);
}

static unsigned int inflight(struct kunit *test)
{
	return dql_inflight_pkts(&txq_of(test)->dql);
}

static void sent(struct kunit *test, unsigned int pkts)
{
	if (pkts == 1)
		netdev_tx_sent_queue(txq_of(test), BYTES);
	else
		netdev_tx_sent_queue_pkts(txq_of(test), pkts, pkts * BYTES);
}

static void completed(struct kunit *test, unsigned int pkts)
{
	netdev_tx_completed_queue(txq_of(test), pkts, pkts * BYTES);
}

static void one_by_one(struct kunit *test)
{
	unsigned int i;

	for (i = 1; i <= 20; i++) {
		sent(test, 1);
		KUNIT_EXPECT_EQ(test, inflight(test), i);
	}
	while (--i) {
		KUNIT_EXPECT_EQ(test, inflight(test), i);
		completed(test, 1);
	}
	KUNIT_EXPECT_EQ(test, inflight(test), 0);
}

/* What a driver reports together need not be completed together. */
static void in_batches(struct kunit *test)
{
	sent(test, 8);
	sent(test, 1);
	sent(test, 16);
	KUNIT_EXPECT_EQ(test, inflight(test), 25);
	completed(test, 3);
	KUNIT_EXPECT_EQ(test, inflight(test), 22);
	completed(test, 22);
	KUNIT_EXPECT_EQ(test, inflight(test), 0);
}

/* With a hint that more follows, a packet is counted all the same. */
static void with_hint(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, __netdev_tx_sent_queue(txq_of(test), BYTES, true));
	KUNIT_EXPECT_FALSE(test, __netdev_tx_sent_queue_pkts(txq_of(test), 4,
							     4 * BYTES, true));
	KUNIT_EXPECT_TRUE(test, __netdev_tx_sent_queue(txq_of(test), BYTES, false));
	KUNIT_EXPECT_EQ(test, inflight(test), 6);
	completed(test, 6);
	KUNIT_EXPECT_EQ(test, inflight(test), 0);
}

static void through_reset(struct kunit *test)
{
	sent(test, 8);
	completed(test, 3);
	netdev_tx_reset_queue(txq_of(test));
	KUNIT_EXPECT_EQ(test, inflight(test), 0);
	KUNIT_EXPECT_EQ(test, txq_of(test)->dql.pkts_queued, 0);
	KUNIT_EXPECT_EQ(test, txq_of(test)->dql.pkts_completed, 0);
	one_by_one(test);
}

/* A completion without bytes has always been none. */
static void nothing_completed(struct kunit *test)
{
	sent(test, 2);
	netdev_tx_completed_queue(txq_of(test), 2, 0);
	KUNIT_EXPECT_EQ(test, inflight(test), 2);
	completed(test, 2);
}

/* The limit is one of bytes: packets do not move it. */
static void limit_is_in_bytes(struct kunit *test)
{
	struct dql *dql = &txq_of(test)->dql;
	unsigned int limit = dql->limit;
	int avail = dql_avail(dql);

	dql_queued_pkts(dql, 1000);
	KUNIT_EXPECT_EQ(test, dql_avail(dql), avail);
	dql_completed_pkts(dql, 1000);
	KUNIT_EXPECT_EQ(test, dql_avail(dql), avail);
	KUNIT_EXPECT_EQ(test, dql->limit, limit);
}

/* A driver that completes more packets than it sent is shown as one that has
 * none in flight, not as one that has 4 thousand million.
 */
static void more_completed_than_sent(struct kunit *test)
{
	netdev_tx_sent_queue(txq_of(test), 10 * BYTES);
	completed(test, 10);
	KUNIT_EXPECT_EQ(test, inflight(test), 0);
}

/* What the CPU that sends writes, and what the one that completes does. */
static void layout(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_SMP) || SMP_CACHE_BYTES != 64 || BITS_PER_LONG != 64)
		kunit_skip(test, "lines of 64 bytes, words of 64 bits");

	KUNIT_EXPECT_EQ(test, sizeof(struct dql), 128);
	KUNIT_EXPECT_EQ(test, offsetof(struct dql, pkts_queued) / 64,
			offsetof(struct dql, num_queued) / 64);
	KUNIT_EXPECT_EQ(test, offsetof(struct dql, pkts_completed) / 64,
			offsetof(struct dql, num_completed) / 64);
	KUNIT_EXPECT_NE(test, offsetof(struct dql, pkts_queued) / 64,
			offsetof(struct dql, pkts_completed) / 64);
}

static int dql_pkts_init(struct kunit *test)
{
	const struct start *start = test->param_value;
	struct net_device *dev = alloc_etherdev(0);
	struct dql *dql;

	if (!dev)
		return -ENOMEM;
	test->priv = dev;
	dql = &txq_of(test)->dql;
	if (start >= starts && start < starts + ARRAY_SIZE(starts)) {
		dql->pkts_queued = start->pkts;
		dql->pkts_completed = start->pkts;
	}
	/* room for all that a case sends */
	dql->min_limit = 100 * BYTES;
	dql->limit = dql->min_limit;
	dql->adj_limit = dql->min_limit;
	return 0;
}

static void dql_pkts_exit(struct kunit *test)
{
	if (test->priv)
		free_netdev(test->priv);
}

static struct kunit_case dql_pkts_cases[] = {
	KUNIT_CASE_PARAM(one_by_one, start_gen_params),
	KUNIT_CASE_PARAM(in_batches, start_gen_params),
	KUNIT_CASE_PARAM(with_hint, start_gen_params),
	KUNIT_CASE_PARAM(through_reset, start_gen_params),
	KUNIT_CASE(nothing_completed),
	KUNIT_CASE(limit_is_in_bytes),
	KUNIT_CASE(more_completed_than_sent),
	KUNIT_CASE(layout),
	{}
};

static struct kunit_suite dql_pkts_suite = {
	.name		= "dql_pkts",
	.init		= dql_pkts_init,
	.exit		= dql_pkts_exit,
	.test_cases	= dql_pkts_cases,
};

kunit_test_suite(dql_pkts_suite);

MODULE_DESCRIPTION("KUnit tests for the packet counts of byte queue limits");
MODULE_LICENSE("GPL");
