// SPDX-License-Identifier: GPL-2.0
/* ethtool. */
#include <linux/ethtool.h>
#include <linux/linkmode.h>
#include <linux/netdevice.h>
#include <linux/pci.h>

#include "ixm.h"

#define IXM_PRIV_DEFER_TAIL	BIT(0)

static const char ixm_priv_flag_names[][ETH_GSTRING_LEN] = {
	"defer-tail",
};

static void ixm_get_drvinfo(struct net_device *dev,
			    struct ethtool_drvinfo *info)
{
	struct ixm *ixm = netdev_priv(dev);

	strscpy(info->driver, IXM_DRV_NAME, sizeof(info->driver));
	strscpy(info->bus_info, pci_name(ixm->pdev), sizeof(info->bus_info));
	info->n_priv_flags = ARRAY_SIZE(ixm_priv_flag_names);
}

static int ixm_get_link_ksettings(struct net_device *dev,
				  struct ethtool_link_ksettings *ks)
{
	struct ixm *ixm = netdev_priv(dev);
	bool up = netif_carrier_ok(dev);

	ethtool_link_ksettings_zero_link_mode(ks, supported);
	ethtool_link_ksettings_zero_link_mode(ks, advertising);
	ethtool_link_ksettings_add_link_mode(ks, supported, FIBRE);
	linkmode_set_bit(ETHTOOL_LINK_MODE_10000baseSR_Full_BIT,
			 ks->link_modes.supported);
	ethtool_link_ksettings_add_link_mode(ks, advertising, FIBRE);
	linkmode_set_bit(ETHTOOL_LINK_MODE_10000baseSR_Full_BIT,
			 ks->link_modes.advertising);
	ks->base.port = PORT_FIBRE;
	ks->base.autoneg = AUTONEG_DISABLE;
	ks->base.speed = up ? READ_ONCE(ixm->link_speed) : SPEED_UNKNOWN;
	ks->base.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN;
	return 0;
}

static void ixm_get_ringparam(struct net_device *dev,
			      struct ethtool_ringparam *ring,
			      struct kernel_ethtool_ringparam *kernel_ring,
			      struct netlink_ext_ack *extack)
{
	struct ixm *ixm = netdev_priv(dev);

	ring->rx_max_pending = IXM_RING_MAX;
	ring->tx_max_pending = IXM_RING_MAX;
	ring->rx_pending = ixm->config.rx_ring;
	ring->tx_pending = ixm->config.tx_ring;
}

static int ixm_set_ringparam(struct net_device *dev,
			     struct ethtool_ringparam *ring,
			     struct kernel_ethtool_ringparam *kernel_ring,
			     struct netlink_ext_ack *extack)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_config config = ixm->config;

	if (ring->rx_mini_pending || ring->rx_jumbo_pending ||
	    !ixm_ring_size_valid(ring->rx_pending) ||
	    !ixm_ring_size_valid(ring->tx_pending)) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "ring sizes are powers of two from %u to %u",
				       IXM_RING_MIN, IXM_RING_MAX);
		return -EINVAL;
	}
	config.rx_ring = ring->rx_pending;
	config.tx_ring = ring->tx_pending;
	if (config.rx_ring == ixm->config.rx_ring &&
	    config.tx_ring == ixm->config.tx_ring)
		return 0;
	return ixm_reconfigure(ixm, &config);
}

static void ixm_get_channels(struct net_device *dev,
			     struct ethtool_channels *ch)
{
	struct ixm *ixm = netdev_priv(dev);

	ch->max_combined = ixm->max_queues;
	ch->combined_count = ixm->config.queues;
	ch->max_other = 1;
	ch->other_count = 1;
}

static int ixm_set_channels(struct net_device *dev, struct ethtool_channels *ch)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_config config = ixm->config;

	/* the core has compared the rest with the maxima */
	if (!ch->combined_count || ch->other_count != 1)
		return -EINVAL;
	config.queues = ch->combined_count;
	if (config.queues == ixm->config.queues)
		return 0;
	return ixm_reconfigure(ixm, &config);
}

static int ixm_get_coalesce(struct net_device *dev, struct ethtool_coalesce *ec,
			    struct kernel_ethtool_coalesce *kernel_ec,
			    struct netlink_ext_ack *extack)
{
	struct ixm *ixm = netdev_priv(dev);

	ec->rx_coalesce_usecs = ixm->usecs;
	return 0;
}

/* The vector serves RX and TX of a queue: rx-usecs holds for both. */
static int ixm_set_coalesce(struct net_device *dev, struct ethtool_coalesce *ec,
			    struct kernel_ethtool_coalesce *kernel_ec,
			    struct netlink_ext_ack *extack)
{
	struct ixm *ixm = netdev_priv(dev);

	if (ec->rx_coalesce_usecs > IXM_EITR_USECS_MAX) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "rx-usecs is at most %u",
				       IXM_EITR_USECS_MAX);
		return -ERANGE;
	}
	ixm->usecs = ec->rx_coalesce_usecs;
	if (ixm->up)
		ixm_irq_set_usecs(ixm);
	return 0;
}

static u32 ixm_get_priv_flags(struct net_device *dev)
{
	struct ixm *ixm = netdev_priv(dev);

	return ixm->q[0].tx.defer ? IXM_PRIV_DEFER_TAIL : 0;
}

/*
 * Nothing is pending outside of a burst, and within one the last packet comes
 * without the hint: the flag may change at any time.
 */
static int ixm_set_priv_flags(struct net_device *dev, u32 flags)
{
	struct ixm *ixm = netdev_priv(dev);
	u32 i;

	for (i = 0; i < ixm->max_queues; i++)
		WRITE_ONCE(ixm->q[i].tx.defer, flags & IXM_PRIV_DEFER_TAIL);
	return 0;
}

static int ixm_get_sset_count(struct net_device *dev, int sset)
{
	switch (sset) {
	case ETH_SS_STATS:
		return ixm_stats_count(netdev_priv(dev));
	case ETH_SS_PRIV_FLAGS:
		return ARRAY_SIZE(ixm_priv_flag_names);
	default:
		return -EOPNOTSUPP;
	}
}

static void ixm_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	switch (sset) {
	case ETH_SS_STATS:
		ixm_stats_strings(netdev_priv(dev), data);
		break;
	case ETH_SS_PRIV_FLAGS:
		memcpy(data, ixm_priv_flag_names, sizeof(ixm_priv_flag_names));
		break;
	}
}

static void ixm_get_ethtool_stats(struct net_device *dev,
				  struct ethtool_stats *stats, u64 *data)
{
	ixm_stats_values(netdev_priv(dev), data);
}

const struct ethtool_ops ixm_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_RX_USECS,
	.get_drvinfo = ixm_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = ixm_get_link_ksettings,
	.get_ringparam = ixm_get_ringparam,
	.set_ringparam = ixm_set_ringparam,
	.get_channels = ixm_get_channels,
	.set_channels = ixm_set_channels,
	.get_coalesce = ixm_get_coalesce,
	.set_coalesce = ixm_set_coalesce,
	.get_priv_flags = ixm_get_priv_flags,
	.set_priv_flags = ixm_set_priv_flags,
	.get_sset_count = ixm_get_sset_count,
	.get_strings = ixm_get_strings,
	.get_ethtool_stats = ixm_get_ethtool_stats,
	.get_ts_info = ethtool_op_get_ts_info,
};
