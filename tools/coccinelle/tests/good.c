// SPDX-License-Identifier: GPL-2.0
/* Transmit paths without an exit to complain about. */

static netdev_tx_t __foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	if (foo_full(dev))
		return NETDEV_TX_BUSY;
	if (skb_put_padto(skb, 17))
		return NETDEV_TX_OK;
	foo_fill(dev, skb);
	return NETDEV_TX_OK;
}

/* As tg3: looks at the hint whatever became of the packet. */
static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct netdev_queue *txq = netdev_get_tx_queue(dev, 0);
	netdev_tx_t ret;

	ret = __foo_xmit(skb, dev);
	if (!netdev_xmit_more() || netif_xmit_stopped(txq))
		foo_kick(dev);
	return ret;
}

/* As virtio_can: every drop goes by the look. */
static netdev_tx_t bar_xmit(struct sk_buff *skb, struct net_device *dev)
{
	if (bar_dropped(dev, skb))
		goto kick;

	scoped_guard(spinlock_irqsave, &dev->tx_lock)
		bar_fill(dev, skb);

kick:
	if (netif_queue_stopped(dev) || !netdev_xmit_more()) {
		scoped_guard(spinlock_irqsave, &dev->tx_lock) {
			bar_kick(dev);
		}
	}
	return NETDEV_TX_OK;
}

static const struct net_device_ops foo_netdev_ops = {
	.ndo_start_xmit = foo_xmit,
};

static const struct net_device_ops bar_netdev_ops = {
	.ndo_start_xmit = bar_xmit,
};
