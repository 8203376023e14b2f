// SPDX-License-Identifier: GPL-2.0
/* The hint is handed down, two calls. */

static void foo_complete(struct foo_ring *ring, struct sk_buff *skb, bool more)
{
	if (__netdev_tx_sent_queue(ring->txq, skb->len, more))
		foo_kick(ring);
}

static int foo_send(struct foo_ring *ring, struct sk_buff *skb, bool more)
{
	if (foo_map(ring, skb))
		return -ENOMEM;			/* finds: error */

	foo_complete(ring, skb, more);
	return 0;
}

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct foo_ring *ring = netdev_priv(dev);

	if (!ring)
		return NETDEV_TX_OK;		/* finds: drop */

	if (foo_send(ring, skb, netdev_xmit_more()))
		dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}
