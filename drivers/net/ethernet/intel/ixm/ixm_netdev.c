// SPDX-License-Identifier: GPL-2.0
/* The net device: addresses, filters, MTU. */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>

#include "ixm.h"

/* 7.1.1.1.2: with MCSTCTRL.MO 0, bits 47:36 of the address index the table. */
static u32 ixm_mc_hash(const u8 *addr)
{
	return addr[4] >> 4 | addr[5] << 4;
}

/* Multicast: the hash table lets through a little more; the stack filters. */
static void ixm_set_multicast(struct ixm *ixm)
{
	u32 mta[IXM_MTA_COUNT] = {};
	struct netdev_hw_addr *ha;
	u32 i, hash;

	netdev_for_each_mc_addr(ha, ixm->dev) {
		hash = ixm_mc_hash(ha->addr);
		mta[hash / 32] |= BIT(hash % 32);
	}
	for (i = 0; i < IXM_MTA_COUNT; i++)
		ixm_write(ixm, IXM_MTA(i), mta[i]);
	ixm_write(ixm, IXM_MCSTCTRL, IXM_MCSTCTRL_MFE);
}

/* Further addresses; false when there are more than registers. */
static bool ixm_set_unicast(struct ixm *ixm)
{
	struct netdev_hw_addr *ha;
	u32 slot = 1;

	if (netdev_uc_count(ixm->dev) > IXM_RAR_COUNT - 1)
		return false;
	netdev_for_each_uc_addr(ha, ixm->dev)
		ixm_hw_set_mac(ixm, slot++, ha->addr);
	for (; slot < IXM_RAR_COUNT; slot++)
		ixm_hw_clear_mac(ixm, slot);
	return true;
}

/**
 * ixm_set_rx_mode() - ndo_set_rx_mode
 * @dev: net device
 *
 * Context: BH disabled, address lock.
 */
void ixm_set_rx_mode(struct net_device *dev)
{
	struct ixm *ixm = netdev_priv(dev);
	u32 fctrl = IXM_FCTRL_BAM;

	ixm_set_multicast(ixm);
	if (!ixm_set_unicast(ixm))
		fctrl |= IXM_FCTRL_UPE;
	if (dev->flags & IFF_ALLMULTI)
		fctrl |= IXM_FCTRL_MPE;
	if (dev->flags & IFF_PROMISC)
		fctrl |= IXM_FCTRL_UPE | IXM_FCTRL_MPE;
	ixm_write(ixm, IXM_FCTRL, fctrl);
	ixm_vlan_set_filter(ixm, dev->features);
}

static int ixm_set_mac_address(struct net_device *dev, void *p)
{
	struct ixm *ixm = netdev_priv(dev);
	const struct sockaddr *addr = p;

	if (!is_valid_ether_addr(addr->sa_data))
		return -EADDRNOTAVAIL;
	eth_hw_addr_set(dev, addr->sa_data);
	if (ixm->up)
		ixm_hw_set_mac(ixm, 0, dev->dev_addr);
	return 0;
}

/* Buffers hold any frame, several of them if need be: only the limit moves. */
static int ixm_change_mtu(struct net_device *dev, int mtu)
{
	struct ixm *ixm = netdev_priv(dev);

	if (!ixm_xdp_mtu_fits(ixm->xdp_prog, mtu)) {
		netdev_warn(dev, "MTU %d needs an XDP program that takes frags\n",
			    mtu);
		return -EINVAL;
	}
	WRITE_ONCE(dev->mtu, mtu);
	if (ixm->up)
		ixm_hw_set_frame_size(ixm, mtu);
	return 0;
}

const struct net_device_ops ixm_netdev_ops = {
	.ndo_open = ixm_open,
	.ndo_stop = ixm_stop,
	.ndo_start_xmit = ixm_start_xmit,
	.ndo_set_rx_mode = ixm_set_rx_mode,
	.ndo_set_mac_address = ixm_set_mac_address,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_change_mtu = ixm_change_mtu,
	.ndo_tx_timeout = ixm_tx_timeout,
	.ndo_get_stats64 = ixm_get_stats64,
	.ndo_bpf = ixm_bpf,
	.ndo_xdp_xmit = ixm_xdp_xmit,
	.ndo_features_check = ixm_features_check,
	.ndo_set_features = ixm_set_features,
	.ndo_vlan_rx_add_vid = ixm_vlan_add,
	.ndo_vlan_rx_kill_vid = ixm_vlan_kill,
};
