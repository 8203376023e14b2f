/* SPDX-License-Identifier: GPL-2.0 */
/* What the device does to a packet on its way out. */
#ifndef _IXM_OFFLOAD_H_
#define _IXM_OFFLOAD_H_

#include <linux/if_vlan.h>
#include <linux/skbuff.h>

#include "ixm_desc.h"

/**
 * struct ixm_tx_offload - what the descriptors of a packet say
 * @ctx: context that they refer to; zero for none
 * @cmd: bits of each one's cmd_type_len
 * @olinfo: each one's olinfo_status, the index of the context aside
 * @extra_bytes: bytes on the wire beyond the packet's: headers of further
 *		 segments
 * @extra_segs: frames on the wire beyond the first
 */
struct ixm_tx_offload {
	struct ixm_tx_ctx ctx;
	u32 cmd;
	u32 olinfo;
	u32 extra_bytes;
	u16 extra_segs;
};

/**
 * ixm_offload_wanted() - does a packet need more than to be sent as it is?
 * @skb: packet
 *
 * A GSO packet always has its checksum left to the device.
 *
 * Return: true when ixm_offload() has to look at it.
 */
static inline bool ixm_offload_wanted(const struct sk_buff *skb)
{
	return skb->ip_summed == CHECKSUM_PARTIAL || skb_vlan_tag_present(skb);
}

int ixm_offload(struct sk_buff *skb, struct ixm_tx_offload *o);
bool ixm_offload_gso_fits(const struct sk_buff *skb);

#endif /* _IXM_OFFLOAD_H_ */
