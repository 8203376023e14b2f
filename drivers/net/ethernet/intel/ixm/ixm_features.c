// SPDX-License-Identifier: GPL-2.0
/* Features: what the device offers, for which packets, and switching them. */
#include <linux/if_vlan.h>
#include <linux/netdevice.h>

#include "ixm.h"

/* Transmit offloads, with a tag in the frame or without. */
#define IXM_FEATURES_TX	(NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_SCTP_CRC | \
			 NETIF_F_TSO | NETIF_F_TSO6 | NETIF_F_TSO_ECN | \
			 NETIF_F_GSO_UDP_L4)

/**
 * ixm_features_init() - what the device offers; all of it is on
 * @dev: net device, not yet registered
 */
void ixm_features_init(struct net_device *dev)
{
	dev->hw_features = IXM_FEATURES_TX | NETIF_F_RXCSUM | NETIF_F_RXHASH |
			   NETIF_F_HW_VLAN_CTAG_TX | NETIF_F_HW_VLAN_CTAG_RX |
			   NETIF_F_HW_VLAN_CTAG_FILTER;
	dev->features = dev->hw_features | NETIF_F_HIGHDMA;
	dev->vlan_features = IXM_FEATURES_TX | NETIF_F_HIGHDMA;
	/* where a checksum is does not matter; segmentation knows one IP header */
	dev->hw_enc_features = NETIF_F_SG | NETIF_F_HW_CSUM;
	/* a target of redirection while it has a program, and with it the rings */
	ixm_set_xdp_features(dev);
}

/* GSO, or a tag. */
static noinline netdev_features_t
ixm_features_check_other(struct sk_buff *skb, netdev_features_t features)
{
	if (skb_is_gso(skb) && !ixm_offload_gso_fits(skb))
		features &= ~NETIF_F_GSO_MASK;
	return vlan_features_check(skb, features);
}

/**
 * ixm_features_check() - ndo_features_check
 * @skb: packet
 * @dev: net device
 * @features: what the device offers for packets of its kind
 *
 * Checksums need no check: ixm_offload() falls back to the CPU.
 *
 * Return: what it offers for this one.
 */
netdev_features_t ixm_features_check(struct sk_buff *skb,
				     struct net_device *dev,
				     netdev_features_t features)
{
	if (unlikely(skb_is_gso(skb) || skb_vlan_tagged(skb)))
		return ixm_features_check_other(skb, features);
	return features;
}

/**
 * ixm_set_features() - ndo_set_features
 * @dev: net device
 * @features: what is wanted
 *
 * What is not mentioned here is looked up for each packet.
 *
 * Return: 0.
 */
int ixm_set_features(struct net_device *dev, netdev_features_t features)
{
	struct ixm *ixm = netdev_priv(dev);
	netdev_features_t changed = dev->features ^ features;

	if (!ixm->up)
		return 0;
	if (changed & NETIF_F_HW_VLAN_CTAG_FILTER)
		ixm_vlan_set_filter(ixm, features);
	if (changed & NETIF_F_HW_VLAN_CTAG_RX)
		ixm_vlan_set_strip(ixm, features);
	return 0;
}
