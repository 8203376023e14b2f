// SPDX-License-Identifier: GPL-2.0
/* A driver of two files. */
#include "foo.h"

void foo_push(struct foo_ring *ring)
{
	if (!netdev_xmit_more() || netif_xmit_stopped(ring->txq))
		writel(ring->next_to_use, ring->tail);
}
