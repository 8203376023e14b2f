// SPDX-License-Identifier: GPL-2.0
/* A helper that returns nothing ends at its last brace. */

static void foo_tx_map(struct foo_ring *ring, struct sk_buff *skb)
{
	dma_addr_t dma;

	dma = dma_map_single(ring->dev, skb->data, skb->len, DMA_TO_DEVICE);
	if (dma_mapping_error(ring->dev, dma))
		goto dma_error;

	if (netif_xmit_stopped(foo_txq(ring)) || !netdev_xmit_more())
		writel(ring->next_to_use, ring->tail);
	return;

dma_error:
	dev_kfree_skb_any(skb);
}						/* finds: error */

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	foo_tx_map(netdev_priv(dev), skb);
	return NETDEV_TX_OK;
}
