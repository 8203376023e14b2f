// SPDX-License-Identifier: GPL-2.0
/* VLAN tags on receive: which come in (7.1.1.3), and where they go (7.4). */
#include <linux/if_vlan.h>
#include <linux/netdevice.h>

#include "ixm.h"

static void ixm_vlan_write(struct ixm *ixm, u32 n)
{
	u32 vlans = ixm->vfta[n];

	/* VLAN 0 is no VLAN, but a priority */
	if (n == 0)
		vlans |= BIT(0);
	ixm_write(ixm, IXM_VFTA(n), vlans);
}

/**
 * ixm_vlan_add() - ndo_vlan_rx_add_vid
 * @dev: net device
 * @proto: of the tag: the only one that is filtered is 802.1Q
 * @vid: VLAN
 *
 * Return: 0.
 */
int ixm_vlan_add(struct net_device *dev, __be16 proto, u16 vid)
{
	struct ixm *ixm = netdev_priv(dev);

	ixm->vfta[vid / 32] |= BIT(vid % 32);
	if (ixm->up)
		ixm_vlan_write(ixm, vid / 32);
	return 0;
}

/**
 * ixm_vlan_kill() - ndo_vlan_rx_kill_vid
 * @dev: net device
 * @proto: of the tag
 * @vid: VLAN
 *
 * Return: 0.
 */
int ixm_vlan_kill(struct net_device *dev, __be16 proto, u16 vid)
{
	struct ixm *ixm = netdev_priv(dev);

	ixm->vfta[vid / 32] &= ~BIT(vid % 32);
	if (ixm->up)
		ixm_vlan_write(ixm, vid / 32);
	return 0;
}

/**
 * ixm_vlan_set_filter() - let in the VLANs of the table, or all
 * @ixm: device
 * @features: of the net device, present or to be
 *
 * Who looks at everything looks at every VLAN.
 */
void ixm_vlan_set_filter(struct ixm *ixm, netdev_features_t features)
{
	u32 vlnctrl = FIELD_PREP(IXM_VLNCTRL_VET, ETH_P_8021Q);

	if (features & NETIF_F_HW_VLAN_CTAG_FILTER &&
	    !(ixm->dev->flags & IFF_PROMISC))
		vlnctrl |= IXM_VLNCTRL_VFE;
	ixm_write(ixm, IXM_VLNCTRL, vlnctrl);
}

/**
 * ixm_vlan_set_strip() - move tags from the frame to the descriptor, or not
 * @ixm: device
 * @features: of the net device, present or to be
 */
void ixm_vlan_set_strip(struct ixm *ixm, netdev_features_t features)
{
	u32 rxdctl = IXM_RXDCTL_ENABLE, i;

	if (features & NETIF_F_HW_VLAN_CTAG_RX)
		rxdctl |= IXM_RXDCTL_VME;
	for (i = 0; i < ixm->config.queues; i++)
		ixm_write(ixm, IXM_RXDCTL(i), rxdctl);
}

/**
 * ixm_vlan_start() - tell a device that was reset
 * @ixm: device; its queues are enabled
 */
void ixm_vlan_start(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < IXM_VFTA_COUNT; i++)
		ixm_vlan_write(ixm, i);
	ixm_vlan_set_filter(ixm, ixm->dev->features);
	ixm_vlan_set_strip(ixm, ixm->dev->features);
}
