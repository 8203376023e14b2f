// SPDX-License-Identifier: GPL-2.0
/*
 * Receive: pages from a page pool, skbs built around them.
 *
 * The device writes lengths and flags; ixm_rx_verdict() judges them before
 * anything relies on them.  Which buffer is next is never taken from it.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/prefetch.h>
#include <linux/skbuff.h>
#include <net/page_pool/helpers.h>

#include "ixm.h"

/* Buffers are posted when so many can be: one tail write for all of them. */
#define IXM_RX_POST_MIN		16

static u32 ixm_rx_unused(const struct ixm_rx_mem *rx)
{
	return ixm_ring_unused(rx->mask, rx->next_to_use, rx->next_to_clean);
}

/* Fill the ring; false when the pool ran dry before that. */
static bool ixm_rx_fill(struct ixm_rx_mem *rx)
{
	u32 unused = ixm_rx_unused(rx);

	for (; unused; unused--) {
		u32 at = rx->next_to_use & rx->mask;
		struct ixm_rx_desc *desc = &rx->desc[at];
		struct page *page = page_pool_dev_alloc_pages(rx->pool);

		if (unlikely(!page))
			return false;
		rx->page[at] = page;
		desc->read.addr = cpu_to_le64(page_pool_get_dma_addr(page) +
					      IXM_RX_HEADROOM);
		/* the status is here: this clears DD */
		desc->read.zero = 0;
		rx->next_to_use++;
	}
	return true;
}

static bool ixm_rx_refill(struct ixm_rx_ring *ring)
{
	struct ixm_rx_mem *rx = &ring->mem;
	u32 posted = rx->next_to_use;
	bool full = ixm_rx_fill(rx);

	/* writel() orders the descriptors in memory before the tail */
	if (likely(rx->next_to_use != posted))
		writel(rx->next_to_use & rx->mask, ring->rdt);
	if (unlikely(!full)) {
		u64_stats_update_begin(&ring->stats.syncp);
		u64_stats_inc(&ring->stats.alloc_fail);
		u64_stats_update_end(&ring->stats.syncp);
	}
	return full;
}

static void ixm_rx_count(struct ixm_rx_ring *ring, u64_stats_t *counter)
{
	u64_stats_update_begin(&ring->stats.syncp);
	u64_stats_inc(counter);
	u64_stats_update_end(&ring->stats.syncp);
}

/* Throw away what has arrived of a frame. */
static void ixm_rx_discard(struct ixm_rx_mem *rx)
{
	rx->partial = false;
	if (rx->xdp)
		ixm_xdp_discard(rx);
	if (rx->skb)
		dev_kfree_skb_any(rx->skb);
	rx->skb = NULL;
}

/* Throw the present frame away, and what is still to come of it. */
static void ixm_rx_drop(struct ixm_rx_ring *ring, struct page *page, bool eop,
			u64_stats_t *cause)
{
	struct ixm_rx_mem *rx = &ring->mem;

	page_pool_put_full_page(rx->pool, page, true);
	ixm_rx_discard(rx);
	/* one frame, one drop */
	if (!rx->discard)
		ixm_rx_count(ring, cause);
	rx->discard = !eop;
}

static struct sk_buff *ixm_rx_build(struct page *page, unsigned int len)
{
	void *data = page_address(page);
	struct sk_buff *skb;

	BUILD_BUG_ON(SKB_WITH_OVERHEAD(PAGE_SIZE) <
		     IXM_RX_HEADROOM + IXM_RX_BUF_LEN);

	prefetch(data + IXM_RX_HEADROOM);
	skb = napi_build_skb(data, PAGE_SIZE);
	if (unlikely(!skb))
		return NULL;
	skb_mark_for_recycle(skb);
	skb_reserve(skb, IXM_RX_HEADROOM);
	__skb_put(skb, len);
	return skb;
}

/* Another buffer of a frame; false when the frame gets longer than any can be. */
static bool ixm_rx_append(struct sk_buff *skb, struct page *page,
			  unsigned int len)
{
	unsigned int i = skb_shinfo(skb)->nr_frags;

	if (unlikely(skb->len + len > IXM_FRAME_MAX || i == MAX_SKB_FRAGS))
		return false;
	skb_add_rx_frag(skb, i, page, IXM_RX_HEADROOM, len, PAGE_SIZE);
	return true;
}

/**
 * ixm_rx_info() - what the device found out about a frame
 * @q: queue
 * @skb: frame
 * @desc: its last descriptor
 * @status: its status
 */
void ixm_rx_info(struct ixm_queue *q, struct sk_buff *skb,
		 const struct ixm_rx_desc *desc, u32 status)
{
	netdev_features_t features = q->ixm->dev->features;
	struct ixm_rx_stats *stats = &q->rx.stats;
	u32 info = le32_to_cpu(READ_ONCE(desc->wb.info));
	enum pkt_hash_types type = ixm_rx_hash_type(info);
	bool csum_ok;

	csum_ok = (features & NETIF_F_RXCSUM) && ixm_rx_csum_ok(status);
	if (csum_ok)
		skb->ip_summed = CHECKSUM_UNNECESSARY;
	if (type != PKT_HASH_TYPE_NONE && (features & NETIF_F_RXHASH))
		skb_set_hash(skb, le32_to_cpu(READ_ONCE(desc->wb.hash)), type);
	if (status & IXM_RXD_STAT_VP && (features & NETIF_F_HW_VLAN_CTAG_RX))
		__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q),
				       le16_to_cpu(READ_ONCE(desc->wb.vlan)));

	u64_stats_update_begin(&stats->syncp);
	u64_stats_inc(csum_ok ? &stats->csum_ok : &stats->csum_none);
	u64_stats_update_end(&stats->syncp);
}

/* A whole frame, up the stack. */
static void ixm_rx_deliver(struct ixm_queue *q, struct sk_buff *skb,
			   const struct ixm_rx_desc *desc, u32 status)
{
	struct ixm_rx_stats *stats = &q->rx.stats;

	u64_stats_update_begin(&stats->syncp);
	u64_stats_inc(&stats->packets);
	u64_stats_add(&stats->bytes, skb->len);
	u64_stats_update_end(&stats->syncp);

	ixm_rx_info(q, skb, desc, status);
	skb->protocol = eth_type_trans(skb, q->ixm->dev);
	skb_record_rx_queue(skb, q->index);
	napi_gro_receive(&q->napi, skb);
}

/* Another buffer of a frame to the skb; NULL, or the counter of why not. */
static u64_stats_t *ixm_rx_add(struct ixm_rx_ring *ring, struct page *page,
			       unsigned int len)
{
	struct ixm_rx_mem *rx = &ring->mem;

	if (unlikely(rx->xdp))
		return ixm_xdp_add(rx, page, len) ? NULL :
						    &ring->stats.drop_length;
	if (unlikely(rx->skb))
		return ixm_rx_append(rx->skb, page, len) ? NULL :
						&ring->stats.drop_length;
	rx->skb = ixm_rx_build(page, len);
	return likely(rx->skb) ? NULL : &ring->stats.drop_no_skb;
}

/* One written descriptor; true when a frame ends with it. */
static bool ixm_rx_one(struct ixm_queue *q, const struct ixm_rx_desc *desc,
		       struct page *page, u32 status)
{
	struct ixm_rx_ring *ring = &q->rx;
	struct ixm_rx_mem *rx = &ring->mem;
	unsigned int len = le16_to_cpu(READ_ONCE(desc->wb.len));
	bool eop = status & IXM_RXD_STAT_EOP;
	enum ixm_rx_verdict verdict;
	struct sk_buff *skb;
	u64_stats_t *fault;

	verdict = ixm_rx_verdict(status, len, IXM_RX_BUF_LEN, !rx->partial);
	if (unlikely(rx->discard || verdict == IXM_RX_BAD_LEN)) {
		ixm_rx_drop(ring, page, eop, &ring->stats.drop_length);
		return eop;
	}
	if (unlikely(verdict == IXM_RX_BAD_FRAME)) {
		ixm_rx_drop(ring, page, eop, &ring->stats.drop_error);
		return eop;
	}

	page_pool_dma_sync_for_cpu(rx->pool, page, 0, len);
	fault = ixm_rx_add(ring, page, len);
	if (unlikely(fault)) {
		ixm_rx_drop(ring, page, eop, fault);
		return eop;
	}
	rx->partial = !eop;
	if (unlikely(!eop))
		return false;
	if (unlikely(rx->xdp)) {
		ixm_xdp_deliver(q, desc, status);
		return true;
	}
	skb = rx->skb;
	rx->skb = NULL;
	ixm_rx_deliver(q, skb, desc, status);
	return true;
}

/**
 * ixm_rx_clean() - take received frames up the stack
 * @q: queue
 * @budget: how many at most
 *
 * Context: NAPI.
 * Return: how many frames; @budget also when buffers could not be posted, so
 * that NAPI comes again though no interrupt would make it.
 */
int ixm_rx_clean(struct ixm_queue *q, int budget)
{
	struct ixm_rx_mem *rx = &q->rx.mem;
	int frames = 0;

	/* only what was posted has a page, whatever the device claims */
	while (frames < budget && rx->next_to_clean != rx->next_to_use) {
		u32 at = rx->next_to_clean & rx->mask;
		const struct ixm_rx_desc *desc = &rx->desc[at];
		u32 status = le32_to_cpu(READ_ONCE(desc->wb.status_error));

		if (!(status & IXM_RXD_STAT_DD))
			break;
		/* DD before the rest of the descriptor, and the frame */
		dma_rmb();
		rx->next_to_clean++;
		frames += ixm_rx_one(q, desc, rx->page[at], status);
	}

	if (unlikely(rx->xdp))
		ixm_xdp_poll_end(q);
	if (ixm_rx_unused(rx) >= IXM_RX_POST_MIN && !ixm_rx_refill(&q->rx))
		return budget;
	return frames;
}

/**
 * ixm_rx_drain() - count the frames that had arrived and go with the ring
 * @q: queue; NAPI disabled, the device reset
 */
void ixm_rx_drain(struct ixm_queue *q)
{
	const u32 whole = IXM_RXD_STAT_DD | IXM_RXD_STAT_EOP;
	struct ixm_rx_mem *rx = &q->rx.mem;
	u32 at, frames = 0;

	for (at = rx->next_to_clean; at != rx->next_to_use; at++) {
		u32 status = le32_to_cpu(rx->desc[at & rx->mask].wb.status_error);

		if (!(status & IXM_RXD_STAT_DD))
			break;
		frames += (status & whole) == whole;
	}

	u64_stats_update_begin(&q->rx.stats.syncp);
	u64_stats_add(&q->rx.stats.drop_down, frames);
	u64_stats_update_end(&q->rx.stats.syncp);
}

/**
 * ixm_rx_mem_alloc() - allocate a receive ring and its buffers
 * @ixm: device
 * @mem: filled in
 * @config: how many descriptors, and whether for XDP
 * @queue: number of the queue that it is for
 *
 * Return: 0 or a negative error; then @mem can be given to ixm_rx_mem_free()
 * all the same.
 */
int ixm_rx_mem_alloc(struct ixm *ixm, struct ixm_rx_mem *mem,
		     const struct ixm_config *config, u32 queue)
{
	struct device *dev = &ixm->pdev->dev;
	u32 count = config->rx_ring;
	struct page_pool_params params = {
		.flags = PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV,
		.pool_size = count,
		.nid = dev_to_node(dev),
		.dev = dev,
		.dma_dir = config->xdp ? DMA_BIDIRECTIONAL : DMA_FROM_DEVICE,
		.offset = IXM_RX_HEADROOM,
		.max_len = IXM_RX_BUF_LEN,
	};
	struct page_pool *pool;
	int err;

	mem->mask = count - 1;
	mem->page = kvcalloc(count, sizeof(*mem->page), GFP_KERNEL);
	mem->desc = dma_alloc_coherent(dev, count * sizeof(*mem->desc),
				       &mem->dma, GFP_KERNEL);
	if (!mem->page || !mem->desc)
		return -ENOMEM;
	ixm_pool_set_owner(&params, ixm->dev, queue);
	pool = page_pool_create(&params);
	if (IS_ERR(pool))
		return PTR_ERR(pool);
	mem->pool = pool;
	if (config->xdp) {
		err = ixm_xdp_rx_alloc(ixm, mem, queue);
		if (err)
			return err;
	}
	return ixm_rx_fill(mem) ? 0 : -ENOMEM;
}

/**
 * ixm_rx_mem_free() - free a receive ring and its buffers
 * @ixm: device
 * @mem: what ixm_rx_mem_alloc() filled in, or zeroes; if it was in use, NAPI is
 *	 disabled and the device reset
 */
void ixm_rx_mem_free(struct ixm *ixm, struct ixm_rx_mem *mem)
{
	for (; mem->next_to_clean != mem->next_to_use; mem->next_to_clean++)
		page_pool_put_full_page(mem->pool,
					mem->page[mem->next_to_clean & mem->mask],
					false);
	ixm_rx_discard(mem);
	ixm_xdp_rx_free(mem);
	if (mem->pool)
		page_pool_destroy(mem->pool);
	if (mem->desc)
		dma_free_coherent(&ixm->pdev->dev,
				  (mem->mask + 1) * sizeof(*mem->desc),
				  mem->desc, mem->dma);
	kvfree(mem->page);
	memset(mem, 0, sizeof(*mem));
}
