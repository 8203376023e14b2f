// SPDX-License-Identifier: GPL-2.0
/* One function does it all: which of its exits lose a tail write. */

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct netdev_queue *txq = netdev_get_tx_queue(dev, 0);
	struct foo_ring *ring = netdev_priv(dev);

	if (skb_put_padto(skb, 17))
		return NETDEV_TX_OK;		/* finds: drop */

	if (foo_avail(ring) < 4) {
		netif_tx_stop_queue(txq);
		return NETDEV_TX_BUSY;		/* finds: busy */
	}

	if (foo_tso(ring, skb) < 0)
		goto drop;

	if (foo_csum(ring, skb) < 0)
		goto drop_and_look;

	foo_fill(ring, skb);

	if (!netdev_xmit_more() || netif_xmit_stopped(txq))
		writel(ring->next_to_use, ring->tail);

	return NETDEV_TX_OK;

drop_and_look:
	if (!netdev_xmit_more())
		writel(ring->next_to_use, ring->tail);
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;

drop:
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;			/* finds: drop */
}
