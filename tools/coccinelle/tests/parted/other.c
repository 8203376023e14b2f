// SPDX-License-Identifier: GPL-2.0
/* In the same directory, and none of that driver. */

static netdev_tx_t foo_xmit_other(struct sk_buff *skb, struct net_device *dev)
{
	if (!skb)
		return NETDEV_TX_OK;
	foo_push(netdev_priv(dev));
	return NETDEV_TX_OK;
}
