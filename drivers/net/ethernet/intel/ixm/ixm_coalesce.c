// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupt moderation (7.3.2.1).  A vector serves RX and TX of its queue, so
 * one interval holds for both: rx-usecs, or what net DIM finds for the
 * directions that adapt, the shorter of the two.
 */
#include <linux/ethtool.h>
#include <linux/netdevice.h>

#include "ixm.h"

static u32 ixm_coalesce_usecs(const struct ixm_moder *m)
{
	u32 usecs = IXM_EITR_USECS_MAX;

	if (!m->rx.adaptive && !m->tx.adaptive)
		return m->usecs;
	if (m->rx.adaptive)
		usecs = m->rx.usecs;
	if (m->tx.adaptive)
		usecs = min(usecs, m->tx.usecs);
	return usecs;
}

/**
 * ixm_coalesce_write() - write the interval of a queue
 * @q: queue
 *
 * Context: the queue's @moder.lock.
 */
void ixm_coalesce_write(struct ixm_queue *q)
{
	lockdep_assert_held(&q->moder.lock);
	ixm_write(q->ixm, IXM_EITR(q->index),
		  ixm_eitr(ixm_coalesce_usecs(&q->moder)));
}

/**
 * ixm_coalesce_init() - moderation of a queue that nobody has set yet
 * @q: queue
 */
void ixm_coalesce_init(struct ixm_queue *q)
{
	mutex_init(&q->moder.lock);
	q->moder.usecs = IXM_DEF_USECS;
	ixm_dim_init(q);
}

/**
 * ixm_coalesce_start() - write the intervals of all queues after a reset
 * @ixm: device
 */
void ixm_coalesce_start(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < ixm->config.queues; i++) {
		struct ixm_queue *q = &ixm->q[i];

		mutex_lock(&q->moder.lock);
		ixm_dim_start(q);
		ixm_coalesce_write(q);
		mutex_unlock(&q->moder.lock);
	}
}

static int ixm_coalesce_check(const struct ethtool_coalesce *ec,
			      struct netlink_ext_ack *extack)
{
	if (ec->rx_coalesce_usecs > IXM_EITR_USECS_MAX) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "rx-usecs is at most %u",
				       IXM_EITR_USECS_MAX);
		return -ERANGE;
	}
	if (!IXM_HAVE_DIM && (ec->use_adaptive_rx_coalesce ||
			      ec->use_adaptive_tx_coalesce)) {
		NL_SET_ERR_MSG_MOD(extack,
				   "adaptive moderation needs a kernel with DIMLIB");
		return -EOPNOTSUPP;
	}
	return 0;
}

static void ixm_coalesce_set(struct ixm_queue *q,
			     const struct ethtool_coalesce *ec)
{
	struct ixm_moder *m = &q->moder;

	mutex_lock(&m->lock);
	m->usecs = ec->rx_coalesce_usecs;
	WRITE_ONCE(m->rx.adaptive, ec->use_adaptive_rx_coalesce);
	WRITE_ONCE(m->tx.adaptive, ec->use_adaptive_tx_coalesce);
	WRITE_ONCE(m->adaptive, m->rx.adaptive || m->tx.adaptive);
	if (q->ixm->up)
		ixm_coalesce_write(q);
	mutex_unlock(&m->lock);
}

/**
 * ixm_get_per_queue_coalesce() - ethtool -Q --show-coalesce
 * @dev: net device
 * @queue: which
 * @ec: filled in
 *
 * Return: 0, or -EINVAL when there is no such queue.
 */
int ixm_get_per_queue_coalesce(struct net_device *dev, u32 queue,
			       struct ethtool_coalesce *ec)
{
	struct ixm *ixm = netdev_priv(dev);
	const struct ixm_moder *m;

	if (queue >= ixm->config.queues)
		return -EINVAL;
	m = &ixm->q[queue].moder;
	ec->rx_coalesce_usecs = m->usecs;
	ec->use_adaptive_rx_coalesce = m->rx.adaptive;
	ec->use_adaptive_tx_coalesce = m->tx.adaptive;
	return 0;
}

/**
 * ixm_set_per_queue_coalesce() - ethtool -Q --coalesce
 * @dev: net device
 * @queue: which
 * @ec: what is wanted
 *
 * Return: 0 or a negative error.
 */
int ixm_set_per_queue_coalesce(struct net_device *dev, u32 queue,
			       struct ethtool_coalesce *ec)
{
	struct ixm *ixm = netdev_priv(dev);
	int err;

	if (queue >= ixm->config.queues)
		return -EINVAL;
	err = ixm_coalesce_check(ec, NULL);
	if (!err)
		ixm_coalesce_set(&ixm->q[queue], ec);
	return err;
}

/**
 * ixm_get_coalesce() - ethtool -c: what the first queue has
 * @dev: net device
 * @ec: filled in
 * @kernel_ec: not used
 * @extack: not used
 *
 * Return: 0.
 */
int ixm_get_coalesce(struct net_device *dev, struct ethtool_coalesce *ec,
		     struct kernel_ethtool_coalesce *kernel_ec,
		     struct netlink_ext_ack *extack)
{
	return ixm_get_per_queue_coalesce(dev, 0, ec);
}

/**
 * ixm_set_coalesce() - ethtool -C: for all queues, those not in use as well
 * @dev: net device
 * @ec: what is wanted
 * @kernel_ec: not used
 * @extack: says what is wrong
 *
 * Return: 0 or a negative error.
 */
int ixm_set_coalesce(struct net_device *dev, struct ethtool_coalesce *ec,
		     struct kernel_ethtool_coalesce *kernel_ec,
		     struct netlink_ext_ack *extack)
{
	struct ixm *ixm = netdev_priv(dev);
	int err = ixm_coalesce_check(ec, extack);
	u32 i;

	if (err)
		return err;
	for (i = 0; i < ixm->max_queues; i++)
		ixm_coalesce_set(&ixm->q[i], ec);
	return 0;
}
