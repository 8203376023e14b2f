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

static u32 ixm_get_msglevel(struct net_device *dev)
{
	struct ixm *ixm = netdev_priv(dev);

	return ixm->msg_enable;
}

static void ixm_set_msglevel(struct net_device *dev, u32 level)
{
	struct ixm *ixm = netdev_priv(dev);

	ixm->msg_enable = level;
}

/* The module decides; nothing of it can be set. */
static int ixm_get_link_ksettings(struct net_device *dev,
				  struct ethtool_link_ksettings *ks)
{
	struct ixm *ixm = netdev_priv(dev);
	bool up = netif_carrier_ok(dev);

	ixm_sfp_identify(ixm);
	ethtool_link_ksettings_zero_link_mode(ks, supported);
	linkmode_set_bit(ETHTOOL_LINK_MODE_FIBRE_BIT, ks->link_modes.supported);
	linkmode_set_bit(ETHTOOL_LINK_MODE_Pause_BIT, ks->link_modes.supported);
	if (ixm->sfp_port != PORT_NONE)
		linkmode_set_bit(ixm->sfp_mode, ks->link_modes.supported);
	linkmode_copy(ks->link_modes.advertising, ks->link_modes.supported);
	ks->base.port = ixm->sfp_port;
	ks->base.autoneg = AUTONEG_DISABLE;
	ks->base.speed = up ? READ_ONCE(ixm->link_speed) : SPEED_UNKNOWN;
	ks->base.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN;
	return 0;
}

static int ixm_nway_reset(struct net_device *dev)
{
	struct ixm *ixm = netdev_priv(dev);

	if (!ixm->up)
		return -EAGAIN;
	ixm_hw_restart_link(ixm);
	return 0;
}

static int ixm_set_phys_id(struct net_device *dev,
			   enum ethtool_phys_id_state state)
{
	struct ixm *ixm = netdev_priv(dev);

	switch (state) {
	case ETHTOOL_ID_ACTIVE:
		ixm->ledctl = ixm_read(ixm, IXM_LEDCTL);
		return 2; /* on and off, twice a second */
	case ETHTOOL_ID_ON:
		ixm_hw_set_leds(ixm, IXM_LEDCTL_ON);
		return 0;
	case ETHTOOL_ID_OFF:
		ixm_hw_set_leds(ixm, IXM_LEDCTL_OFF);
		return 0;
	case ETHTOOL_ID_INACTIVE:
		ixm_write(ixm, IXM_LEDCTL, ixm->ledctl);
		return 0;
	}
	return -EINVAL;
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

static u32 ixm_get_rx_ring_count(struct net_device *dev)
{
	struct ixm *ixm = netdev_priv(dev);

	return ixm->config.queues;
}

static u32 ixm_get_rxfh_key_size(struct net_device *dev)
{
	return IXM_RSSRK_COUNT * sizeof(u32);
}

static u32 ixm_get_rxfh_indir_size(struct net_device *dev)
{
	return IXM_RETA_ENTRIES;
}

static void ixm_get_pauseparam(struct net_device *dev,
			       struct ethtool_pauseparam *pause)
{
	struct ixm *ixm = netdev_priv(dev);

	pause->autoneg = AUTONEG_DISABLE;
	pause->rx_pause = ixm->pause.rx;
	pause->tx_pause = ixm->pause.tx;
}

/* 10GBASE-R has nothing to negotiate pause with. */
static int ixm_set_pauseparam(struct net_device *dev,
			      struct ethtool_pauseparam *pause)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_pause old = ixm->pause;
	int err = 0;

	if (pause->autoneg)
		return -EOPNOTSUPP;
	ixm->pause.rx = pause->rx_pause;
	ixm->pause.tx = pause->tx_pause;
	if (ixm->pause.rx == old.rx && ixm->pause.tx == old.tx)
		return 0;
	/* whether a queue drops can only change while it is off */
	if (netif_running(dev))
		err = ixm_restart(ixm);
	if (err)
		ixm->pause = old;
	return err;
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
	case ETH_SS_TEST:
		return ixm_self_test_count();
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
	case ETH_SS_TEST:
		ixm_self_test_strings(data);
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

#include "ixm_compat_ethtool.h"

const struct ethtool_ops ixm_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_RX_USECS |
				     ETHTOOL_COALESCE_USE_ADAPTIVE,
	.get_drvinfo = ixm_get_drvinfo,
	.get_regs_len = ixm_get_regs_len,
	.get_regs = ixm_get_regs,
	.get_msglevel = ixm_get_msglevel,
	.set_msglevel = ixm_set_msglevel,
	.nway_reset = ixm_nway_reset,
	.get_link = ethtool_op_get_link,
	.get_eeprom_len = ixm_get_eeprom_len,
	.get_eeprom = ixm_get_eeprom,
	.get_link_ksettings = ixm_get_link_ksettings,
	.get_ringparam = ixm_get_ringparam,
	.set_ringparam = ixm_set_ringparam,
	.get_channels = ixm_get_channels,
	.set_channels = ixm_set_channels,
	.get_coalesce = ixm_get_coalesce,
	.set_coalesce = ixm_set_coalesce,
	.get_per_queue_coalesce = ixm_get_per_queue_coalesce,
	.set_per_queue_coalesce = ixm_set_per_queue_coalesce,
	.get_rxfh_key_size = ixm_get_rxfh_key_size,
	.get_rxfh_indir_size = ixm_get_rxfh_indir_size,
	.get_rxfh = ixm_get_rxfh,
	.set_rxfh = ixm_set_rxfh,
#ifdef IXM_COMPAT_RXFH_FIELDS
	.set_rxnfc = ixm_set_rxnfc,
#else
	.get_rxfh_fields = ixm_get_rxfh_fields,
	.set_rxfh_fields = ixm_set_rxfh_fields,
#endif
#ifdef IXM_COMPAT_RX_RING_COUNT
	.get_rxnfc = ixm_get_rxnfc,
#else
	.get_rx_ring_count = ixm_get_rx_ring_count,
#endif
	.get_pauseparam = ixm_get_pauseparam,
	.set_pauseparam = ixm_set_pauseparam,
	.get_pause_stats = ixm_get_pause_stats,
	.self_test = ixm_self_test,
	.set_phys_id = ixm_set_phys_id,
	.get_priv_flags = ixm_get_priv_flags,
	.set_priv_flags = ixm_set_priv_flags,
	.get_sset_count = ixm_get_sset_count,
	.get_strings = ixm_get_strings,
	.get_ethtool_stats = ixm_get_ethtool_stats,
	.get_eth_mac_stats = ixm_get_eth_mac_stats,
	.get_rmon_stats = ixm_get_rmon_stats,
	.get_ts_info = ethtool_op_get_ts_info,
	.get_module_eeprom_by_page = ixm_get_module_eeprom,
};
