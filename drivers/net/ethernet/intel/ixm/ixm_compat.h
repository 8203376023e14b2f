/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that this driver builds on outside of the
 * tree.  The Kbuild file that builds it there finds out what is missing.
 */
#ifndef _IXM_COMPAT_H_
#define _IXM_COMPAT_H_

#include <linux/dim.h>
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/page_pool/types.h>

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

/* before 6.13 */
#ifdef IXM_COMPAT_NAPI_CONFIG
static inline void
netif_napi_add_config(struct net_device *dev, struct napi_struct *napi,
		      int (*poll)(struct napi_struct *, int), int index)
{
	netif_napi_add(dev, napi, poll);
}
#endif

/* before 6.17 */
#ifdef IXM_COMPAT_DIRECT_RECYCLING
static inline void
page_pool_enable_direct_recycling(struct page_pool *pool,
				  struct napi_struct *napi)
{
	WRITE_ONCE(pool->p.napi, napi);
}
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

#endif /* _IXM_COMPAT_H_ */
