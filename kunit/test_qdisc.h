/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Qdiscs for the KUnit suites: one below a TX queue of a test's device, by its ops
 * or by its name.
 */
#ifndef _TEST_QDISC_H
#define _TEST_QDISC_H

#include <kunit/test.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>

/**
 * test_qdisc() - replace the qdisc of a TX queue
 * @test: suite's context, which ends when there is no memory
 * @txq: TX queue of a device that is up
 * @ops: of the new qdisc
 *
 * Context: Process, RTNL not held.
 * Return: The qdisc, which belongs to the queue.
 */
static inline struct Qdisc *test_qdisc(struct kunit *test,
				       struct netdev_queue *txq,
				       const struct Qdisc_ops *ops)
{
	struct Qdisc *q;

	rtnl_lock();
	q = qdisc_create_dflt(txq, ops, TC_H_ROOT, NULL);
	if (q) {
		q->flags |= TCQ_F_ONETXQUEUE | TCQ_F_NOPARENT;
		dev_deactivate(txq->dev, true);
		qdisc_put(dev_graft_qdisc(txq, q));
		dev_activate(txq->dev);
	}
	rtnl_unlock();
	KUNIT_ASSERT_NOT_NULL(test, q);
	return q;
}

/**
 * test_qdisc_named() - test_qdisc(), for one that is only known by its name
 * @test: suite's context, which ends when there is no such qdisc
 * @txq: TX queue of a device that is up
 * @name: of the qdisc; it is the system's default for as long as it takes
 *
 * Context: Process, RTNL not held.
 * Return: The qdisc, which belongs to the queue.
 */
static inline struct Qdisc *test_qdisc_named(struct kunit *test,
					     struct netdev_queue *txq,
					     const char *name)
{
	const struct Qdisc_ops *ops;
	char before[IFNAMSIZ];
	int err;

	qdisc_get_default(before, sizeof(before));
	err = qdisc_set_default(name);
	ops = default_qdisc_ops;
	qdisc_set_default(before);
	KUNIT_ASSERT_EQ_MSG(test, err, 0, "no qdisc %s", name);
	return test_qdisc(test, txq, ops);
}

#endif /* _TEST_QDISC_H */
