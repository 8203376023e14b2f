// SPDX-License-Identifier: GPL-2.0
/*
 * What the device does to a packet on its way out: checksums, segmentation,
 * VLAN tag (7.2.3.2.3, 7.2.4, 7.2.5).  Where the headers are goes into a context,
 * which the descriptors of the packet refer to.
 */
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/checksum.h>
#include <net/ip6_checksum.h>

#include "ixm_offload.h"

/*
 * The sum of a layer-4 part goes to where its protocol has it; that, not the
 * protocol's number, is what the device has to know.
 */
static int ixm_offload_l4_type(struct sk_buff *skb)
{
	if (skb_csum_is_sctp(skb))
		return IXM_TXC_L4T_SCTP;
	switch (skb->csum_offset) {
	case offsetof(struct tcphdr, check):
		return IXM_TXC_L4T_TCP;
	case offsetof(struct udphdr, check):
		return IXM_TXC_L4T_UDP;
	default:
		return -EOPNOTSUPP;
	}
}

/* One sum over the rest of the packet; what the device cannot, the CPU does. */
static int ixm_offload_csum(struct sk_buff *skb, struct ixm_tx_offload *o)
{
	int maclen = skb_network_offset(skb);
	int iplen = skb_checksum_start_offset(skb) - maclen;
	int type = ixm_offload_l4_type(skb);

	if (unlikely(type < 0 || !ixm_ctx_fits(maclen, iplen))) {
		if (skb_csum_is_sctp(skb))
			return skb_crc32c_csum_help(skb);
		return skb_checksum_help(skb);
	}

	o->ctx.lens |= ixm_ctx_lens(maclen, iplen);
	/* the IP header is complete: what version it is does not matter */
	o->ctx.type = ixm_ctx_type(false, type);
	o->olinfo |= IXM_TXD_TXSM;
	return 0;
}

/*
 * 7.2.4: the fields that differ from segment to segment are the device's; it
 * wants the lengths left out of them and of the pseudo header's sum.
 */
static void ixm_offload_gso_ip(struct sk_buff *skb, __sum16 *check, u8 proto,
			       bool v4)
{
	if (v4) {
		struct iphdr *ip = ip_hdr(skb);

		ip->tot_len = 0;
		ip->check = 0;
		*check = ~csum_tcpudp_magic(ip->saddr, ip->daddr, 0, proto, 0);
	} else {
		struct ipv6hdr *ip = ipv6_hdr(skb);

		ip->payload_len = 0;
		*check = ~csum_ipv6_magic(&ip->saddr, &ip->daddr, 0, proto, 0);
	}
}

/* Length of the layer-4 header of a GSO packet; 0 when it is not all there. */
static unsigned int ixm_offload_gso_l4len(const struct sk_buff *skb)
{
	unsigned int l4 = skb_transport_offset(skb), len;

	if (skb_shinfo(skb)->gso_type & SKB_GSO_UDP_L4)
		len = sizeof(struct udphdr);
	else if (skb_headlen(skb) >= l4 + sizeof(struct tcphdr))
		len = tcp_hdrlen(skb);
	else
		return 0;
	return skb_headlen(skb) >= l4 + len ? len : 0;
}

static int ixm_offload_gso(struct sk_buff *skb, struct ixm_tx_offload *o)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	bool udp = shinfo->gso_type & SKB_GSO_UDP_L4;
	unsigned int l3 = skb_network_offset(skb), l4len, headers;
	unsigned int l4 = skb_transport_offset(skb);
	int err;
	bool v4;

	err = skb_cow_head(skb, 0);
	if (unlikely(err))
		return err;
	shinfo = skb_shinfo(skb);
	l4len = ixm_offload_gso_l4len(skb);
	headers = l4 + l4len;
	if (unlikely(!l4len || !ixm_ctx_fits(l3, l4 - l3) || !shinfo->gso_size ||
		     skb->len <= headers))
		return -EINVAL;
	/* a segment past the MTU, by a way round the stack */
	if (unlikely(headers + shinfo->gso_size > IXM_FRAME_MAX))
		return -EMSGSIZE;

	v4 = ip_hdr(skb)->version == 4;
	if (udp)
		ixm_offload_gso_ip(skb, &udp_hdr(skb)->check, IPPROTO_UDP, v4);
	else
		ixm_offload_gso_ip(skb, &tcp_hdr(skb)->check, IPPROTO_TCP, v4);

	o->ctx.lens |= ixm_ctx_lens(l3, l4 - l3);
	o->ctx.type = ixm_ctx_type(v4, udp ? IXM_TXC_L4T_UDP : IXM_TXC_L4T_TCP);
	o->ctx.mss = ixm_ctx_mss(shinfo->gso_size, l4len);
	o->cmd |= IXM_TXD_TSE;
	/* PAYLEN is without the headers here */
	o->olinfo = IXM_TXD_TXSM | (v4 ? IXM_TXD_IXSM : 0) |
		    ixm_tx_paylen(skb->len - headers);
	o->extra_segs = DIV_ROUND_UP(skb->len - headers, shinfo->gso_size) - 1;
	o->extra_bytes = o->extra_segs * headers;
	return 0;
}

/**
 * ixm_offload() - find out what the device is to do to a packet
 * @skb: packet; its headers are made ready for it
 * @o: filled in
 *
 * Context: BH disabled, TX lock.
 * Return: 0; -EMSGSIZE when the segments would be longer than a frame may be,
 * another negative error when the packet cannot be sent either.
 */
int ixm_offload(struct sk_buff *skb, struct ixm_tx_offload *o)
{
	int err = 0;

	*o = (struct ixm_tx_offload) {
		.cmd = IXM_TXD_DATA,
		.olinfo = ixm_tx_paylen(skb->len),
	};
	if (skb_vlan_tag_present(skb)) {
		/* MACLEN is without the tag */
		o->ctx.lens = ixm_ctx_vlan(skb_vlan_tag_get(skb));
		o->cmd |= IXM_TXD_VLE;
	}
	if (skb_is_gso(skb))
		err = ixm_offload_gso(skb, o);
	else if (skb->ip_summed == CHECKSUM_PARTIAL)
		err = ixm_offload_csum(skb, o);
	if (unlikely(err))
		return err;
	if (!(o->olinfo & IXM_TXD_TXSM) && o->cmd & IXM_TXD_VLE) {
		o->ctx.lens |= ixm_ctx_lens(ETH_HLEN, 0);
		o->ctx.type = IXM_TXC;
	}
	return 0;
}

/**
 * ixm_offload_gso_fits() - can the device cut this packet into segments?
 * @skb: GSO packet
 *
 * Return: false when a header is longer than the context has bits for.
 */
bool ixm_offload_gso_fits(const struct sk_buff *skb)
{
	int maclen = skb_network_offset(skb);

	return ixm_ctx_fits(maclen, skb_transport_offset(skb) - maclen);
}
