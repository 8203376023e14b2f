// SPDX-License-Identifier: GPL-2.0
/* What the rules cannot read is reported, not passed over. */

/* netdev_xmit_more() in a comment is nothing to report. */
static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	UNKNOWN_BLOCK(dev->lock) {
		foo_fill(dev, skb);
	} UNKNOWN_ELSE {
		return NETDEV_TX_OK;
	}
	if (!netdev_xmit_more() || netif_queue_stopped(dev))	/* finds: unseen */
		foo_kick(dev);
	return NETDEV_TX_OK;
}

static netdev_tx_t bar_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct bar_ring *ring = netdev_priv(dev);

	return ring->somewhere_else(skb, dev);
}

static const struct net_device_ops bar_netdev_ops = {
	.ndo_start_xmit = bar_xmit,		/* finds: unseen */
};
