// SPDX-License-Identifier: GPL-2.0
/*
 * Adaptive moderation by net DIM.  NAPI samples the queue's counters when a
 * poll is complete; DIM decides now and then, its work writes the interval.
 */
#include <linux/dim.h>

#include "ixm.h"

static void ixm_dim_apply(struct ixm_queue *q, struct ixm_dim *d, u32 usecs)
{
	mutex_lock(&q->moder.lock);
	d->usecs = usecs;
	ixm_coalesce_write(q);
	mutex_unlock(&q->moder.lock);
	d->dim.state = DIM_START_MEASURE;
}

static void ixm_dim_rx_work(struct work_struct *work)
{
	struct dim *dim = container_of(work, struct dim, work);
	struct ixm_queue *q = container_of(dim, struct ixm_queue, moder.rx.dim);

	ixm_dim_apply(q, &q->moder.rx,
		      net_dim_get_rx_moderation(dim->mode, dim->profile_ix).usec);
}

static void ixm_dim_tx_work(struct work_struct *work)
{
	struct dim *dim = container_of(work, struct dim, work);
	struct ixm_queue *q = container_of(dim, struct ixm_queue, moder.tx.dim);

	ixm_dim_apply(q, &q->moder.tx,
		      net_dim_get_tx_moderation(dim->mode, dim->profile_ix).usec);
}

/**
 * ixm_dim_init() - once, before the queue is used
 * @q: queue
 */
void ixm_dim_init(struct ixm_queue *q)
{
	INIT_WORK(&q->moder.rx.dim.work, ixm_dim_rx_work);
	INIT_WORK(&q->moder.tx.dim.work, ixm_dim_tx_work);
	q->moder.rx.dim.mode = DIM_CQ_PERIOD_MODE_START_FROM_EQE;
	q->moder.tx.dim.mode = DIM_CQ_PERIOD_MODE_START_FROM_EQE;
}

/**
 * ixm_dim_start() - measure anew, beginning with the profile that is in use
 * @q: queue; its NAPI is disabled
 */
void ixm_dim_start(struct ixm_queue *q)
{
	struct ixm_moder *m = &q->moder;

	m->rx.usecs = net_dim_get_rx_moderation(m->rx.dim.mode,
						m->rx.dim.profile_ix).usec;
	m->tx.usecs = net_dim_get_tx_moderation(m->tx.dim.mode,
						m->tx.dim.profile_ix).usec;
	m->rx.dim.state = DIM_START_MEASURE;
	m->tx.dim.state = DIM_START_MEASURE;
}

/**
 * ixm_dim_stop() - no work runs any more
 * @q: queue; its NAPI is disabled
 */
void ixm_dim_stop(struct ixm_queue *q)
{
	cancel_work_sync(&q->moder.rx.dim.work);
	cancel_work_sync(&q->moder.tx.dim.work);
}

/**
 * ixm_dim_sample() - a poll is complete
 * @q: queue, of which a direction adapts
 *
 * Context: NAPI, which is the only writer of the counters read here.
 */
void ixm_dim_sample(struct ixm_queue *q)
{
	u16 events = READ_ONCE(q->irqs);
	struct dim_sample sample = {};

	if (READ_ONCE(q->moder.rx.adaptive)) {
		dim_update_sample(events, u64_stats_read(&q->rx.stats.packets),
				  u64_stats_read(&q->rx.stats.bytes), &sample);
		ixm_net_dim(&q->moder.rx.dim, &sample);
	}
	if (READ_ONCE(q->moder.tx.adaptive)) {
		dim_update_sample(events, u64_stats_read(&q->tx.done.packets),
				  u64_stats_read(&q->tx.done.bytes), &sample);
		ixm_net_dim(&q->moder.tx.dim, &sample);
	}
}
