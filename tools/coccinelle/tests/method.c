// SPDX-License-Identifier: GPL-2.0
/* Between ndo_start_xmit() and the look at the hint is a pointer. */

static void foo_dev_xmit(struct foo_ring *ring)
{
	if (!netdev_xmit_more() || netif_xmit_stopped(ring->txq))
		foo_kick(ring);
}

static void foo_init_hw(struct foo_hw *hw)
{
	hw->dev_xmit = foo_dev_xmit;
}

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct foo *foo = netdev_priv(dev);

	if (!foo_map(foo->ring, skb)) {
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;		/* finds: drop */
	}
	foo->hw.dev_xmit(foo->ring);
	return NETDEV_TX_OK;
}

static netdev_tx_t bar_send(struct sk_buff *skb, struct bar_ring *ring)
{
	if (__netdev_tx_sent_queue(ring->txq, skb->len, netdev_xmit_more()))
		bar_kick(ring);
	return NETDEV_TX_OK;
}

static const struct bar_ops bar_ops = {
	.send = bar_send,
};

static netdev_tx_t bar_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct bar *bar = netdev_priv(dev);

	if (!bar->ops)
		return NETDEV_TX_BUSY;		/* finds: busy */
	return bar->ops->send(skb, bar->ring);
}
