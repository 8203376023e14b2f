// SPDX-License-Identifier: GPL-2.0
#include "foo.h"

static netdev_tx_t foo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct foo_ring *ring = netdev_priv(dev);

	if (foo_map(ring, skb))
		return NETDEV_TX_OK;		/* finds: drop */
	foo_push(ring);
	return NETDEV_TX_OK;
}

static const struct net_device_ops foo_netdev_ops = {
	.ndo_start_xmit = foo_xmit,
};
