// SPDX-License-Identifier: GPL-2.0
/* Exits inside of blocks, one behind the other. */

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct foo_ring *ring = netdev_priv(dev);
	struct sk_buff *copy;
	int i;

	if (skb->len > 2048 || skb_linearize(skb)) {
		dev_kfree_skb(skb);
		return NETDEV_TX_OK;		/* finds: drop */
	}

	if (foo_crosses_page(skb)) {
		copy = foo_alloc(ring, skb->len);
		if (!copy) {
			dev_kfree_skb(skb);
			return NETDEV_TX_OK;	/* finds: drop */
		}
		dev_kfree_skb(skb);
	} else {
		copy = skb;
		for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
			if (foo_map(ring, skb, i)) {
				foo_unmap(ring, skb, i);
				return NETDEV_TX_BUSY;	/* finds: busy */
			}
		}
		switch (ring->type) {
		case 1:
			if (foo_tso(ring, skb))
				return NETDEV_TX_OK;	/* finds: drop */
			break;
		default:
			break;
		}
	}

	foo_fill(ring, copy);
	if (!netdev_xmit_more() || netif_queue_stopped(dev)) {
		foo_kick(ring);
		if (foo_broken(ring))
			return NETDEV_TX_OK;
	}
	return NETDEV_TX_OK;
}
