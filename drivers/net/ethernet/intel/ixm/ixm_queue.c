// SPDX-License-Identifier: GPL-2.0
/*
 * Life of the queues: allocated whole, started, stopped, exchanged.
 *
 * Rings are never changed in place.  What is new is allocated in full before
 * what is old is touched, so that running out of memory costs nothing but an
 * error code.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/page_pool/helpers.h>

#include "ixm.h"

/**
 * ixm_poll() - NAPI poll of a pair of queues
 * @napi: of struct ixm_queue
 * @budget: frames to receive at most; 0 in netpoll, which only wants completions
 *
 * Return: frames received, or @budget when there is more to do.
 */
int ixm_poll(struct napi_struct *napi, int budget)
{
	struct ixm_queue *q = container_of(napi, struct ixm_queue, napi);
	bool tx_all = ixm_tx_clean(q, budget);
	int frames;

	if (unlikely(!budget))
		return 0;
	if (unlikely(q->xdp.mem.desc))
		ixm_xdp_clean(q);
	frames = ixm_rx_clean(q, budget);
	if (frames == budget || !tx_all)
		return budget;
	if (napi_complete_done(napi, frames)) {
		if (unlikely(READ_ONCE(q->moder.adaptive)))
			ixm_dim_sample(q);
		ixm_write(q->ixm, IXM_EIMS_EX(0), BIT(q->index));
	}
	return frames;
}

static void ixm_mem_free(struct ixm *ixm, struct ixm_mem *mem)
{
	u32 i;

	for (i = 0; i < mem->queues; i++) {
		ixm_tx_mem_free(ixm, &mem->tx[i]);
		ixm_tx_mem_free(ixm, &mem->xdp[i]);
		ixm_rx_mem_free(ixm, &mem->rx[i]);
	}
	kfree(mem);
}

static struct ixm_mem *ixm_mem_alloc(struct ixm *ixm,
				     const struct ixm_config *config)
{
	struct ixm_mem *mem = kzalloc_obj(*mem);
	int err = 0;
	u32 i;

	if (!mem)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < config->queues && !err; i++) {
		mem->queues++;
		err = ixm_tx_mem_alloc(ixm, &mem->tx[i], config->tx_ring);
		if (!err && config->xdp)
			err = ixm_tx_mem_alloc(ixm, &mem->xdp[i],
					       config->tx_ring);
		if (!err)
			err = ixm_rx_mem_alloc(ixm, &mem->rx[i], config, i);
	}
	if (err) {
		ixm_mem_free(ixm, mem);
		return ERR_PTR(err);
	}
	return mem;
}

static void ixm_tx_attach(struct ixm_tx_ring *tx, const struct ixm_tx_mem *mem)
{
	tx->mem = *mem;
	tx->next_to_use = 0;
	tx->tail = 0;
	tx->next_to_clean = 0;
	memset(tx->ctx, 0, sizeof(tx->ctx));
}

/* Give the queues their memory; @mem itself is not needed any more. */
static void ixm_mem_attach(struct ixm *ixm, struct ixm_mem *mem)
{
	u32 i;

	for (i = 0; i < mem->queues; i++) {
		struct ixm_queue *q = &ixm->q[i];

		ixm_tx_attach(&q->tx, &mem->tx[i]);
		ixm_tx_attach(&q->xdp, &mem->xdp[i]);
		q->tx.txq = netdev_get_tx_queue(ixm->dev, i);
		q->rx.mem = mem->rx[i];
		page_pool_enable_direct_recycling(q->rx.mem.pool, &q->napi);
	}
	kfree(mem);
}

/* Free the memory of the queues; they are down. */
static void ixm_mem_detach(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < ixm->config.queues; i++) {
		struct ixm_queue *q = &ixm->q[i];

		ixm_tx_mem_free(ixm, &q->tx.mem);
		ixm_xdp_tx_free(ixm, &q->xdp);
		ixm_rx_mem_free(ixm, &q->rx.mem);
	}
}

static void ixm_napi_enable(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < ixm->config.queues; i++) {
		struct napi_struct *napi = &ixm->q[i].napi;

		napi_enable(napi);
		netif_queue_set_napi(ixm->dev, i, NETDEV_QUEUE_TYPE_RX, napi);
		netif_queue_set_napi(ixm->dev, i, NETDEV_QUEUE_TYPE_TX, napi);
	}
}

static void ixm_napi_disable(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < ixm->config.queues; i++) {
		netif_queue_set_napi(ixm->dev, i, NETDEV_QUEUE_TYPE_TX, NULL);
		netif_queue_set_napi(ixm->dev, i, NETDEV_QUEUE_TYPE_RX, NULL);
		napi_disable(&ixm->q[i].napi);
		ixm_dim_stop(&ixm->q[i]);
	}
}

static void ixm_set_up(struct ixm *ixm, bool up)
{
	/* the counters are not read while the device is being reset */
	spin_lock_bh(&ixm->stats_lock);
	if (!up)
		ixm_hw_read_stats(ixm);
	WRITE_ONCE(ixm->up, up);
	spin_unlock_bh(&ixm->stats_lock);
}

/* Start; the queues have fresh memory. */
static int ixm_up(struct ixm *ixm)
{
	int err;

	ASSERT_RTNL();
	if (!ixm->hw_ready) {
		err = ixm_hw_reset(ixm);
		if (err)
			return err;
	}
	err = ixm_hw_start(ixm);
	if (err) {
		ixm_hw_reset(ixm);
		return err;
	}
	ixm_vlan_start(ixm);
	ixm_set_up(ixm, true);

	netif_addr_lock_bh(ixm->dev);
	ixm_set_rx_mode(ixm->dev);
	netif_addr_unlock_bh(ixm->dev);

	ixm_napi_enable(ixm);
	ixm_xdp_up(ixm);
	netif_tx_start_all_queues(ixm->dev);
	ixm_irq_enable(ixm);
	return 0;
}

/**
 * ixm_down() - stop
 * @ixm: device; nothing happens when it is down already
 *
 * When this returns, nobody uses the rings any more.  NAPI goes first, since a
 * completion wakes queues; then the stack sees the queues stopped under each TX
 * lock, which a burst holds from its first packet to the tail write; then the
 * device is reset.
 *
 * Context: RTNL.
 */
void ixm_down(struct ixm *ixm)
{
	u32 i;

	ASSERT_RTNL();
	if (!ixm->up)
		return;
	ixm_set_up(ixm, false);

	ixm_irq_disable(ixm);
	netif_carrier_off(ixm->dev);
	ixm_napi_disable(ixm);
	ixm_xdp_down(ixm);
	netif_tx_disable(ixm->dev);
	ixm_hw_reset(ixm);
	for (i = 0; i < ixm->config.queues; i++) {
		ixm_tx_drain(&ixm->q[i]);
		ixm_rx_drain(&ixm->q[i]);
	}
}

/* The stack's number of queues; both kinds at once, or none. */
static int ixm_set_real_queues(struct ixm *ixm, u32 queues)
{
	return netif_set_real_num_queues(ixm->dev, queues, queues);
}

/**
 * ixm_open() - ndo_open
 * @dev: net device
 *
 * Return: 0 or a negative error.
 */
int ixm_open(struct net_device *dev)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_mem *mem;
	int err;

	mem = ixm_mem_alloc(ixm, &ixm->config);
	if (IS_ERR(mem))
		return PTR_ERR(mem);
	err = ixm_set_real_queues(ixm, ixm->config.queues);
	if (err)
		goto err_mem;
	err = ixm_irq_request_other(ixm);
	if (err)
		goto err_mem;
	err = ixm_irq_request(ixm, 0, ixm->config.queues);
	if (err)
		goto err_other;

	ixm_mem_attach(ixm, mem);
	err = ixm_up(ixm);
	if (err)
		goto err_up;
	return 0;

err_up:
	ixm_mem_detach(ixm);
	ixm_irq_release(ixm, 0, ixm->config.queues);
	ixm_irq_release_other(ixm);
	return err;

err_other:
	ixm_irq_release_other(ixm);
err_mem:
	ixm_mem_free(ixm, mem);
	return err;
}

/**
 * ixm_stop() - ndo_stop
 * @dev: net device
 *
 * Return: 0.
 */
int ixm_stop(struct net_device *dev)
{
	struct ixm *ixm = netdev_priv(dev);

	ixm_down(ixm);
	ixm_mem_detach(ixm);
	ixm_irq_release(ixm, 0, ixm->config.queues);
	ixm_irq_release_other(ixm);
	return 0;
}

/* Take @mem down to the first @queues queues. */
static void ixm_mem_trim(struct ixm *ixm, struct ixm_mem *mem, u32 queues)
{
	while (mem->queues > queues) {
		mem->queues--;
		ixm_tx_mem_free(ixm, &mem->tx[mem->queues]);
		ixm_tx_mem_free(ixm, &mem->xdp[mem->queues]);
		ixm_rx_mem_free(ixm, &mem->rx[mem->queues]);
	}
}

/* What is in use from now on. */
static void ixm_set_config(struct ixm *ixm, const struct ixm_config *config)
{
	ixm->config = *config;
	ixm_rss_spread(ixm);
}

/*
 * Prepare for another number of queues, with the present ones in use.  Fewer:
 * the stack leaves the last queues at once.  More: their interrupts; the stack
 * is told when they exist.
 */
static int ixm_queues_prepare(struct ixm *ixm, u32 old, u32 new)
{
	if (new > old)
		return ixm_irq_request(ixm, old, new);
	if (new < old)
		return ixm_set_real_queues(ixm, new);
	return 0;
}

/*
 * Go over to @mem while the device is down.  If the stack refuses to have more
 * queues, the old number goes on, with its share of the new memory.
 */
static int ixm_queues_exchange(struct ixm *ixm, const struct ixm_config *config,
			       struct ixm_mem *mem)
{
	u32 old = ixm->config.queues, new = config->queues;
	struct ixm_config result = *config;
	int err = 0;

	ixm_mem_detach(ixm);
	if (new > old) {
		err = ixm_set_real_queues(ixm, new);
		if (err) {
			ixm_irq_release(ixm, old, new);
			ixm_mem_trim(ixm, mem, old);
			new = old;
		}
	} else if (new < old) {
		ixm_irq_release(ixm, new, old);
	}
	result.queues = new;
	ixm_set_config(ixm, &result);
	ixm_mem_attach(ixm, mem);
	return err;
}

/**
 * ixm_reconfigure() - go on with other rings or another number of queues
 * @ixm: device
 * @config: what is wanted; the present one restarts the device
 *
 * Context: process, RTNL.
 * Return: 0; a negative error, and then traffic goes on as before, unless the
 * device itself does not work any more, which is logged.
 */
int ixm_reconfigure(struct ixm *ixm, const struct ixm_config *config)
{
	struct ixm_mem *mem;
	int err, up_err;

	ASSERT_RTNL();
	if (!netif_running(ixm->dev)) {
		/* takes effect in ixm_open() */
		err = ixm_set_real_queues(ixm, config->queues);
		if (!err)
			ixm_set_config(ixm, config);
		return err;
	}

	mem = ixm_mem_alloc(ixm, config);
	if (IS_ERR(mem))
		return PTR_ERR(mem);
	err = ixm_queues_prepare(ixm, ixm->config.queues, config->queues);
	if (err) {
		ixm_mem_free(ixm, mem);
		return err;
	}

	ixm_down(ixm);
	err = ixm_queues_exchange(ixm, config, mem);
	up_err = ixm_up(ixm);
	if (up_err)
		netdev_err(ixm->dev, "cannot be started again: %pe\n",
			   ERR_PTR(up_err));
	return up_err ?: err;
}

/**
 * ixm_restart() - down, and up with fresh rings
 * @ixm: device, of an open port
 *
 * Context: RTNL.
 * Return: 0 or a negative error.
 */
int ixm_restart(struct ixm *ixm)
{
	struct ixm_config config = ixm->config;

	return ixm_reconfigure(ixm, &config);
}
