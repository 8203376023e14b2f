// SPDX-License-Identifier: GPL-2.0
/* Receive-side scaling (7.1.2.8): key, indirection table, fields of the hash. */
#include <linux/ethtool.h>
#include <linux/netdevice.h>

#include "ixm.h"

#define IXM_RXH_L3	(RXH_IP_SRC | RXH_IP_DST)
#define IXM_RXH_L4	(IXM_RXH_L3 | RXH_L4_B_0_1 | RXH_L4_B_2_3)

/* Addresses always; ports for TCP unless the user takes them away. */
#define IXM_MRQC_L3	(IXM_MRQC_IPV4 | IXM_MRQC_IPV6)
#define IXM_MRQC_L4	(IXM_MRQC_TCP_IPV4 | IXM_MRQC_TCP_IPV6)

/**
 * ixm_rss_init() - a random key, ports of TCP, an even spread
 * @ixm: device; its number of queues is known
 */
void ixm_rss_init(struct ixm *ixm)
{
	netdev_rss_key_fill(ixm->rss.key, sizeof(ixm->rss.key));
	ixm->rss.l4 = IXM_MRQC_L4;
	ixm_rss_spread(ixm);
}

/**
 * ixm_rss_spread() - follow a new number of queues
 * @ixm: device
 *
 * A table that the user has set stays; the core lets no queue go that is in it.
 */
void ixm_rss_spread(struct ixm *ixm)
{
	u32 i;

	if (netif_is_rxfh_configured(ixm->dev))
		return;
	for (i = 0; i < IXM_RETA_ENTRIES; i++)
		ixm->rss.indir[i] =
			ethtool_rxfh_indir_default(i, ixm->config.queues);
}

/**
 * ixm_rss_write() - write all of it to the device
 * @ixm: device
 */
void ixm_rss_write(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < IXM_RSSRK_COUNT; i++)
		ixm_write(ixm, IXM_RSSRK(i), le32_to_cpu(ixm->rss.key[i]));
	for (i = 0; i < IXM_RETA_ENTRIES / 4; i++)
		ixm_write(ixm, IXM_RETA(i), ixm_reta(&ixm->rss.indir[4 * i]));
	ixm_write(ixm, IXM_MRQC, IXM_MRQC_MRQE_RSS | IXM_MRQC_L3 | ixm->rss.l4);
}

/**
 * ixm_get_rxfh() - ethtool -x
 * @dev: net device
 * @rxfh: filled in as far as it has room for it
 *
 * Return: 0.
 */
int ixm_get_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh)
{
	struct ixm *ixm = netdev_priv(dev);
	u32 i;

	rxfh->hfunc = ETH_RSS_HASH_TOP;
	if (rxfh->indir)
		for (i = 0; i < IXM_RETA_ENTRIES; i++)
			rxfh->indir[i] = ixm->rss.indir[i];
	if (rxfh->key)
		memcpy(rxfh->key, ixm->rss.key, sizeof(ixm->rss.key));
	return 0;
}

/**
 * ixm_set_rxfh() - ethtool -X
 * @dev: net device
 * @rxfh: what to change; the core has compared the table with the queues
 * @extack: says what is wrong
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int ixm_set_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
		 struct netlink_ext_ack *extack)
{
	struct ixm *ixm = netdev_priv(dev);
	u32 i;

	if (rxfh->hfunc != ETH_RSS_HASH_NO_CHANGE &&
	    rxfh->hfunc != ETH_RSS_HASH_TOP) {
		NL_SET_ERR_MSG_MOD(extack, "the hash is Toeplitz's");
		return -EOPNOTSUPP;
	}
	if (rxfh->indir)
		for (i = 0; i < IXM_RETA_ENTRIES; i++)
			ixm->rss.indir[i] = rxfh->indir[i];
	if (rxfh->key)
		memcpy(ixm->rss.key, rxfh->key, sizeof(ixm->rss.key));
	if (ixm->up)
		ixm_rss_write(ixm);
	return 0;
}

/* The bit that adds the ports of a flow type to the hash; 0: there is none. */
static u32 ixm_rss_l4_bit(u32 flow_type)
{
	switch (flow_type) {
	case TCP_V4_FLOW:
		return IXM_MRQC_TCP_IPV4;
	case TCP_V6_FLOW:
		return IXM_MRQC_TCP_IPV6;
	case UDP_V4_FLOW:
		return IXM_MRQC_UDP_IPV4;
	case UDP_V6_FLOW:
		return IXM_MRQC_UDP_IPV6;
	default:
		return 0;
	}
}

static bool ixm_rss_is_ip(u32 flow_type)
{
	switch (flow_type) {
	case SCTP_V4_FLOW:
	case AH_ESP_V4_FLOW:
	case AH_V4_FLOW:
	case ESP_V4_FLOW:
	case IPV4_FLOW:
	case SCTP_V6_FLOW:
	case AH_ESP_V6_FLOW:
	case AH_V6_FLOW:
	case ESP_V6_FLOW:
	case IPV6_FLOW:
		return true;
	default:
		return ixm_rss_l4_bit(flow_type);
	}
}

/**
 * ixm_get_rxfh_fields() - ethtool -n rx-flow-hash
 * @dev: net device
 * @fields: its flow type; the fields are filled in
 *
 * Return: 0 or -EINVAL.
 */
int ixm_get_rxfh_fields(struct net_device *dev,
			struct ethtool_rxfh_fields *fields)
{
	struct ixm *ixm = netdev_priv(dev);

	if (!ixm_rss_is_ip(fields->flow_type))
		return -EINVAL;
	fields->data = ixm->rss.l4 & ixm_rss_l4_bit(fields->flow_type) ?
		       IXM_RXH_L4 : IXM_RXH_L3;
	return 0;
}

/**
 * ixm_set_rxfh_fields() - ethtool -N rx-flow-hash
 * @dev: net device
 * @fields: flow type and its fields
 * @extack: says what is wrong
 *
 * Return: 0 or -EINVAL.
 */
int ixm_set_rxfh_fields(struct net_device *dev,
			const struct ethtool_rxfh_fields *fields,
			struct netlink_ext_ack *extack)
{
	struct ixm *ixm = netdev_priv(dev);
	u32 bit = ixm_rss_l4_bit(fields->flow_type);

	if (!ixm_rss_is_ip(fields->flow_type)) {
		NL_SET_ERR_MSG_MOD(extack, "only IP is hashed");
		return -EINVAL;
	}
	if (fields->data != IXM_RXH_L3 && !(bit && fields->data == IXM_RXH_L4)) {
		NL_SET_ERR_MSG_MOD(extack,
				   "both addresses; for TCP and UDP also both ports");
		return -EINVAL;
	}
	if (fields->data == IXM_RXH_L4)
		ixm->rss.l4 |= bit;
	else
		ixm->rss.l4 &= ~bit;
	if (ixm->up)
		ixm_rss_write(ixm);
	return 0;
}
