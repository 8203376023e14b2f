// SPDX-License-Identifier: GPL-2.0
/* Reading the hint into a variable is not a look at it; using the variable is. */

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct netdev_queue *txq = netdev_get_tx_queue(dev, 0);
	struct foo_ring *ring = netdev_priv(dev);
	bool more = netdev_xmit_more();
	bool kick;

	if (foo_send(ring, skb)) {
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;		/* finds: drop */
	}

	if (skb->len < 17) {
		dev_kfree_skb_any(skb);
		if (!more)
			foo_kick(ring);
		return NETDEV_TX_OK;
	}

	kick = ring->napi ? __netdev_tx_sent_queue(txq, skb->len, more) :
			    !more || netif_xmit_stopped(txq);
	if (kick)
		foo_kick(ring);

	return NETDEV_TX_OK;
}

static netdev_tx_t bar_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct foo_ring *ring = netdev_priv(dev);
	bool last;

	last = !netdev_xmit_more();
	if (foo_send(ring, skb))
		return NETDEV_TX_BUSY;		/* finds: busy */
	if (last || netif_queue_stopped(dev))
		foo_kick(ring);
	return NETDEV_TX_OK;
}
