/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations of ethtool that older kernels call with other arguments.  Included
 * once, by ixm_ethtool.c, between the functions and the table of them.
 */
#ifndef _IXM_COMPAT_ETHTOOL_H_
#define _IXM_COMPAT_ETHTOOL_H_

/* before 6.8: key and table are arguments of their own */
#ifdef IXM_COMPAT_RXFH_PARAM
static int ixm_compat_get_rxfh(struct net_device *dev, u32 *indir, u8 *key,
			       u8 *hfunc)
{
	struct ethtool_rxfh_param rxfh = { .indir = indir, .key = key };
	int err = ixm_get_rxfh(dev, &rxfh);

	if (hfunc)
		*hfunc = rxfh.hfunc;
	return err;
}

static int ixm_compat_set_rxfh(struct net_device *dev, const u32 *indir,
			       const u8 *key, const u8 hfunc)
{
	struct ethtool_rxfh_param rxfh = {
		.hfunc = hfunc,
		.indir = (u32 *)indir,
		.key = (u8 *)key,
	};

	return ixm_set_rxfh(dev, &rxfh, NULL);
}

#define ixm_get_rxfh ixm_compat_get_rxfh
#define ixm_set_rxfh ixm_compat_set_rxfh
#endif

/* before 6.17: the fields of the hash are a command of rxnfc */
#ifdef IXM_COMPAT_RXFH_FIELDS
static int ixm_compat_get_fields(struct net_device *dev,
				 struct ethtool_rxnfc *info)
{
	struct ethtool_rxfh_fields fields = { .flow_type = info->flow_type };
	int err = ixm_get_rxfh_fields(dev, &fields);

	info->data = fields.data;
	return err;
}

static int ixm_set_rxnfc(struct net_device *dev, struct ethtool_rxnfc *info)
{
	struct ethtool_rxfh_fields fields = {
		.flow_type = info->flow_type,
		.data = info->data,
	};

	if (info->cmd != ETHTOOL_SRXFH)
		return -EOPNOTSUPP;
	return ixm_set_rxfh_fields(dev, &fields, NULL);
}
#else
static inline int ixm_compat_get_fields(struct net_device *dev,
					struct ethtool_rxnfc *info)
{
	return -EOPNOTSUPP;
}
#endif

/* before 7.0: so is the number of queues */
#ifdef IXM_COMPAT_RX_RING_COUNT
static int ixm_get_rxnfc(struct net_device *dev, struct ethtool_rxnfc *info,
			 u32 *rule_locs)
{
	switch (info->cmd) {
	case ETHTOOL_GRXRINGS:
		info->data = ixm_get_rx_ring_count(dev);
		return 0;
	case ETHTOOL_GRXFH:
		return ixm_compat_get_fields(dev, info);
	default:
		return -EOPNOTSUPP;
	}
}
#endif

#endif /* _IXM_COMPAT_ETHTOOL_H_ */
