// SPDX-License-Identifier: GPL-2.0
/* Who defers has to ask whether the queue is stopped: nothing follows then. */

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct foo_ring *ring = netdev_priv(dev);

	foo_fill(ring, skb);
	if (!netdev_xmit_more())		/* finds: stop */
		foo_kick(ring);
	if (!foo_avail(ring))
		netif_stop_queue(dev);		/* finds: late */
	return NETDEV_TX_OK;
}

static netdev_tx_t bar_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct bar_ring *ring = netdev_priv(dev);

	if (netif_queue_stopped(dev))
		bar_complain(ring);
	bar_send(ring, skb, netdev_xmit_more());	/* finds: stop */
	return NETDEV_TX_OK;
}

static netdev_tx_t asks_in_if(struct sk_buff *skb, struct net_device *dev)
{
	foo_fill(dev, skb);
	if (netif_queue_stopped(dev) || !netdev_xmit_more())
		foo_kick(dev);
	return NETDEV_TX_OK;
}

static netdev_tx_t asks_by_bql(struct sk_buff *skb, struct net_device *dev)
{
	bool kick;

	kick = __netdev_sent_queue(dev, skb->len, netdev_xmit_more());
	if (kick)
		foo_kick(dev);
	return NETDEV_TX_OK;
}

static netdev_tx_t asks_for_variable(struct sk_buff *skb, struct net_device *dev)
{
	bool flush = !netdev_xmit_more();

	foo_fill(dev, skb);
	if (flush || __netif_subqueue_stopped(dev, 0))
		foo_kick(dev);
	return NETDEV_TX_OK;
}

static netdev_tx_t asks_for_less(struct sk_buff *skb, struct net_device *dev)
{
	bool more;

	more = netdev_xmit_more() && !netif_xmit_stopped(foo_txq(dev));
	foo_fill(dev, skb);
	if (!more)
		foo_kick(dev);
	return NETDEV_TX_OK;
}
