// SPDX-License-Identifier: GPL-2.0
/* A queue that is stopped after the look has been deferred for. */

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct foo_ring *ring = netdev_priv(dev);

	foo_fill(ring, skb);
	if (!netdev_xmit_more() || netif_queue_stopped(dev))
		foo_kick(ring);
	if (!foo_avail(ring))
		netif_stop_queue(dev);		/* finds: late */
	return NETDEV_TX_OK;
}

static netdev_tx_t stops_before(struct sk_buff *skb, struct net_device *dev)
{
	struct foo_ring *ring = netdev_priv(dev);

	foo_fill(ring, skb);
	if (!foo_avail(ring))
		netif_stop_queue(dev);
	if (!netdev_xmit_more() || netif_queue_stopped(dev))
		foo_kick(ring);
	return NETDEV_TX_OK;
}

static int bar_map(struct bar_ring *ring, struct sk_buff *skb)
{
	if (netif_xmit_stopped(ring->txq) || !netdev_xmit_more())
		bar_kick(ring);
	return 0;
}

static netdev_tx_t bar_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct bar_ring *ring = netdev_priv(dev);

	if (bar_map(ring, skb) < 0)
		dev_kfree_skb_any(skb);
	bar_maybe_stop_tx(ring, 4);		/* finds: late */
	return NETDEV_TX_OK;
}

static netdev_tx_t keeps_it(struct sk_buff *skb, struct net_device *dev)
{
	bool flush = !netdev_xmit_more();

	foo_fill(dev, skb);
	if (foo_full(dev))
		netif_stop_subqueue(dev, 0);
	if (flush || __netif_subqueue_stopped(dev, 0))
		foo_kick(dev);
	return NETDEV_TX_OK;
}

static netdev_tx_t keeps_it_too_long(struct sk_buff *skb, struct net_device *dev)
{
	bool more = netdev_xmit_more();

	foo_fill(dev, skb);
	if (!more || netif_queue_stopped(dev))
		foo_kick(dev);
	netif_txq_maybe_stop(foo_txq(dev), foo_avail(dev), 4, 8);	/* finds: late */
	return NETDEV_TX_OK;
}
