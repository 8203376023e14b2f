// SPDX-License-Identifier: GPL-2.0
/* The look at the hint is in a helper, three calls below ndo_start_xmit(). */

static int foo_tx_map(struct foo_ring *ring, struct sk_buff *skb)
{
	int i = ring->next_to_use;
	dma_addr_t dma;

	dma = dma_map_single(ring->dev, skb->data, skb->len, DMA_TO_DEVICE);
	if (dma_mapping_error(ring->dev, dma))
		goto dma_error;

	ring->next_to_use = i + 1;
	if (netif_xmit_stopped(foo_txq(ring)) || !netdev_xmit_more())
		writel(i, ring->tail);
	return 0;

dma_error:
	ring->next_to_use = i;
	return -ENOMEM;				/* finds: error */
}

static netdev_tx_t foo_xmit_ring(struct sk_buff *skb, struct foo_ring *ring)
{
	if (foo_maybe_stop(ring, 4))
		return NETDEV_TX_BUSY;		/* finds: busy */

	if (foo_tso(ring, skb) < 0)
		goto drop;

	if (foo_tx_map(ring, skb))
		goto drop_mapped;

	return NETDEV_TX_OK;

drop:
	dev_kfree_skb_any(skb);
	foo_count(ring);
	return NETDEV_TX_OK;			/* finds: drop */

drop_mapped:
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

static netdev_tx_t foo_xmit_any(struct sk_buff *skb, struct net_device *dev,
				struct foo_ring *ring)
{
	if (!ring)
		return NETDEV_TX_OK;		/* finds: drop */
	return foo_xmit_ring(skb, ring);
}

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct foo *foo = netdev_priv(dev);

	if (skb_put_padto(skb, 17))
		return NETDEV_TX_OK;		/* finds: drop */
	return foo_xmit_any(skb, dev, foo->ring);
}

/* Not of the transmit path, though it sends. */
static int foo_loopback_test(struct foo *foo)
{
	if (!foo->ring)
		return -ENODEV;
	return foo_tx_map(foo->ring, foo->test_skb);
}

static const struct net_device_ops foo_netdev_ops = {
	.ndo_start_xmit = foo_xmit,
};
