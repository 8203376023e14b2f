/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that this driver builds on outside of the
 * tree.  The Kbuild file that builds it there finds out what is missing, by
 * what the headers have: distributions take over what is newer than the number
 * of their kernel.
 */
#ifndef _IXM_COMPAT_H_
#define _IXM_COMPAT_H_

#include <linux/bpf.h>
#include <linux/dim.h>
#include <linux/dma-mapping.h>
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/etherdevice.h>
#include <linux/skbuff.h>
#include <net/xdp.h>
#include <net/netdev_queues.h>
#include <net/page_pool/types.h>
#include <net/page_pool/helpers.h>

/* The hint travels in the skb where the kernel has it there, else per CPU. */
#ifdef IXM_COMPAT_XMIT_MORE
static inline bool ixm_xmit_more(const struct sk_buff *skb)
{
	return netdev_xmit_more();
}
#else
static inline bool ixm_xmit_more(const struct sk_buff *skb)
{
	return skb->xmit_more;
}
#endif

/* ---- allocation, messages, PCI ---- */

/* before 7.0 */
#ifdef IXM_COMPAT_ALLOC_OBJ
#define kzalloc_obj(obj) kzalloc(sizeof(obj), GFP_KERNEL)
#endif

/* before 6.8 */
#ifdef IXM_COMPAT_ETHTOOL_PUTS
static inline void ethtool_puts(u8 **data, const char *str)
{
	strscpy((char *)*data, str, ETH_GSTRING_LEN);
	*data += ETH_GSTRING_LEN;
}
#endif

/* before 6.3: the text without its numbers */
#ifdef IXM_COMPAT_EXTACK_FMT
#define NL_SET_ERR_MSG_FMT_MOD(extack, fmt, ...) \
	NL_SET_ERR_MSG_MOD(extack, fmt)
#endif

/* before 6.11 */
#ifdef IXM_COMPAT_IOMAP_REGION
static inline void __iomem *pcim_iomap_region(struct pci_dev *pdev, int bar,
					      const char *name)
{
	int err = pcim_iomap_regions(pdev, BIT(bar), name);

	return err ? IOMEM_ERR_PTR(err) : pcim_iomap_table(pdev)[bar];
}
#endif

/* ---- NAPI and queues ---- */

/* before 6.13 */
#ifdef IXM_COMPAT_NAPI_CONFIG
static inline void
netif_napi_add_config(struct net_device *dev, struct napi_struct *napi,
		      int (*poll)(struct napi_struct *, int), int index)
{
	netif_napi_add(dev, napi, poll);
}
#endif

/* before 6.8: netlink does not know of NAPI and queues */
#ifdef IXM_COMPAT_QUEUE_NAPI
enum netdev_queue_type {
	NETDEV_QUEUE_TYPE_RX,
	NETDEV_QUEUE_TYPE_TX,
};

static inline void netif_queue_set_napi(struct net_device *dev,
					unsigned int queue,
					enum netdev_queue_type type,
					struct napi_struct *napi)
{
}

static inline void netif_napi_set_irq(struct napi_struct *napi, int irq)
{
}
#endif

/* before 6.9: nor of their statistics */
#ifdef IXM_COMPAT_STAT_OPS
struct netdev_queue_stats_rx {
	u64 bytes;
	u64 packets;
	u64 alloc_fail;
	u64 hw_drops;
	u64 hw_drop_overruns;
	u64 csum_unnecessary;
	u64 csum_none;
};

struct netdev_queue_stats_tx {
	u64 bytes;
	u64 packets;
	u64 stop;
	u64 wake;
};

struct netdev_stat_ops {
	void (*get_queue_stats_rx)(struct net_device *dev, int idx,
				   struct netdev_queue_stats_rx *stats);
	void (*get_queue_stats_tx)(struct net_device *dev, int idx,
				   struct netdev_queue_stats_tx *stats);
	void (*get_base_stats)(struct net_device *dev,
			       struct netdev_queue_stats_rx *rx,
			       struct netdev_queue_stats_tx *tx);
};

static inline void ixm_set_stat_ops(struct net_device *dev,
				    const struct netdev_stat_ops *ops)
{
}
#else
static inline void ixm_set_stat_ops(struct net_device *dev,
				    const struct netdev_stat_ops *ops)
{
	dev->stat_ops = ops;
}
#endif

/* before 6.4; a wake needs more than its threshold there */
#ifdef IXM_COMPAT_COMPLETED_WAKE
static inline int ixm_completed_wake(struct netdev_queue *txq,
				     unsigned int packets, unsigned int bytes,
				     unsigned int unused, unsigned int start)
{
	netdev_tx_completed_queue(txq, packets, bytes);
	return netif_txq_maybe_wake(txq, unused, start - 1);
}

#define netif_txq_completed_wake ixm_completed_wake
#endif

/* before 6.13: by value */
#ifdef IXM_COMPAT_NET_DIM
static inline void ixm_net_dim(struct dim *dim, const struct dim_sample *sample)
{
	net_dim(dim, *sample);
}
#else
static inline void ixm_net_dim(struct dim *dim, const struct dim_sample *sample)
{
	net_dim(dim, sample);
}
#endif

/* ---- XDP ---- */

/* before 6.3: nobody can ask */
#ifdef IXM_COMPAT_XDP_FEATURES
static inline void ixm_set_xdp_features(struct net_device *dev)
{
}

static inline void xdp_features_set_redirect_target(struct net_device *dev,
						    bool support_sg)
{
}

static inline void xdp_features_clear_redirect_target(struct net_device *dev)
{
}
#else
static inline void ixm_set_xdp_features(struct net_device *dev)
{
	dev->xdp_features = NETDEV_XDP_ACT_BASIC | NETDEV_XDP_ACT_REDIRECT |
			    NETDEV_XDP_ACT_RX_SG;
}
#endif

/* before 6.5 */
#ifdef IXM_COMPAT_FILL_PAGE_DESC
static inline void skb_frag_fill_page_desc(skb_frag_t *frag, struct page *page,
					   int off, int size)
{
	__skb_frag_set_page(frag, page);
	skb_frag_off_set(frag, off);
	skb_frag_size_set(frag, size);
}
#endif

/* before 6.14 */
#ifdef IXM_COMPAT_XDP_ADD_FRAG
static inline bool ixm_xdp_add_frag(struct xdp_buff *xdp, struct page *page,
				    u32 offset, u32 size)
{
	struct skb_shared_info *shinfo = xdp_get_shared_info_from_buff(xdp);

	if (!xdp_buff_has_frags(xdp)) {
		xdp_buff_set_frags_flag(xdp);
		shinfo->nr_frags = 0;
		shinfo->xdp_frags_size = 0;
	}
	if (shinfo->nr_frags == MAX_SKB_FRAGS)
		return false;
	skb_frag_fill_page_desc(&shinfo->frags[shinfo->nr_frags++], page,
				offset, size);
	shinfo->xdp_frags_size += size;
	if (page_is_pfmemalloc(page))
		xdp_buff_set_frag_pfmemalloc(xdp);
	return true;
}
#else
static inline bool ixm_xdp_add_frag(struct xdp_buff *xdp, struct page *page,
				    u32 offset, u32 size)
{
	return xdp_buff_add_frag(xdp, page_to_netmem(page), offset, size,
				 PAGE_SIZE);
}
#endif

/* before 6.14 */
#ifdef IXM_COMPAT_XDP_BUILD_SKB
static inline struct sk_buff *xdp_build_skb_from_buff(const struct xdp_buff *xdp)
{
	const struct skb_shared_info *shinfo;
	u32 len = xdp->data_end - xdp->data, frags, bytes;
	u32 room = xdp->data - xdp->data_hard_start;
	struct sk_buff *skb;

	shinfo = xdp_get_shared_info_from_buff((struct xdp_buff *)xdp);
	frags = xdp_buff_has_frags((struct xdp_buff *)xdp) ? shinfo->nr_frags : 0;
	bytes = frags ? shinfo->xdp_frags_size : 0;
	skb = napi_build_skb(xdp->data_hard_start, xdp->frame_sz);
	if (unlikely(!skb))
		return NULL;
	skb_reserve(skb, room);
	__skb_put(skb, len);
	if (xdp->data > xdp->data_meta)
		skb_metadata_set(skb, xdp->data - xdp->data_meta);
	skb_mark_for_recycle(skb);
	skb_record_rx_queue(skb, xdp->rxq->queue_index);
	if (frags)
		xdp_update_skb_shared_info(skb, frags, bytes,
					   frags * xdp->frame_sz,
					   xdp_buff_is_frag_pfmemalloc((struct xdp_buff *)xdp));
	skb->protocol = eth_type_trans(skb, xdp->rxq->dev);
	return skb;
}
#endif

/* ---- page pool ---- */

/* before 6.10: a pool does not know whose it is */
#ifdef IXM_COMPAT_POOL_OWNER
static inline void ixm_pool_set_owner(struct page_pool_params *params,
				      struct net_device *dev, u32 queue)
{
}
#else
static inline void ixm_pool_set_owner(struct page_pool_params *params,
				      struct net_device *dev, u32 queue)
{
	params->netdev = dev;
	params->queue_idx = queue;
}
#endif

/* before 6.9 */
#ifdef IXM_COMPAT_POOL_SYNC
static inline void page_pool_dma_sync_for_cpu(const struct page_pool *pool,
					      const struct page *page,
					      u32 offset, u32 len)
{
	dma_sync_single_range_for_cpu(pool->p.dev,
				      page_pool_get_dma_addr((struct page *)page),
				      offset + pool->p.offset, len,
				      pool->p.dma_dir);
}
#endif

/* before 6.6 the pool knows no NAPI, before 6.17 no function for it */
#if defined(IXM_COMPAT_ONE_POOL_HEADER)
static inline void
page_pool_enable_direct_recycling(struct page_pool *pool,
				  struct napi_struct *napi)
{
}
#elif defined(IXM_COMPAT_DIRECT_RECYCLING)
static inline void
page_pool_enable_direct_recycling(struct page_pool *pool,
				  struct napi_struct *napi)
{
	WRITE_ONCE(pool->p.napi, napi);
}
#endif

/* ---- RSS, see also ixm_compat_ethtool.h ---- */

/* before 6.8 */
#ifdef IXM_COMPAT_RXFH_PARAM
struct ethtool_rxfh_param {
	u8 hfunc;
	u32 *indir;
	u8 *key;
};
#endif

/* before 6.17 */
#ifdef IXM_COMPAT_RXFH_FIELDS
struct ethtool_rxfh_fields {
	u32 data;
	u32 flow_type;
};
#endif

#endif /* _IXM_COMPAT_H_ */
