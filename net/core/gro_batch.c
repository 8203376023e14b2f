// SPDX-License-Identifier: GPL-2.0
/*
 * The adaptive GRO_NORMAL batch, see include/net/gro_batch.h.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <net/gro.h>
#include <net/ip.h>

#include "dev.h"

/* No TCP header is longer than 60 bytes, nor is one of IPv4. */
#define NO_PAYLOAD_MAX	120

/* The length of the TCP header that begins at @offset, 0 if it is not there. */
static unsigned int tcp_hlen_at(const struct sk_buff *skb, unsigned int offset)
{
	const struct tcphdr *th = (const void *)(skb->data + offset);

	return offset + sizeof(*th) <= skb_headlen(skb) ? __tcp_hdrlen(th) : 0;
}

static bool ipv4_tcp_no_payload(const struct sk_buff *skb)
{
	const struct iphdr *iph = (const void *)skb->data;
	unsigned int hlen;

	if (sizeof(*iph) > skb_headlen(skb) || iph->protocol != IPPROTO_TCP ||
	    ip_is_fragment(iph))
		return false;

	hlen = iph->ihl * 4;
	return ntohs(iph->tot_len) == hlen + tcp_hlen_at(skb, hlen);
}

static bool ipv6_tcp_no_payload(const struct sk_buff *skb)
{
	const struct ipv6hdr *iph = (const void *)skb->data;

	if (sizeof(*iph) > skb_headlen(skb) || iph->nexthdr != IPPROTO_TCP)
		return false;

	return ntohs(iph->payload_len) == tcp_hlen_at(skb, sizeof(*iph));
}

/* True for an acknowledgment, or another TCP segment without payload, that is
 * neither in a tunnel nor behind extension headers. The length of the packet
 * does not tell: short frames are padded.
 */
static bool tcp_no_payload(const struct sk_buff *skb)
{
	if (skb->len > NO_PAYLOAD_MAX)
		return false;

	switch (skb->protocol) {
	case htons(ETH_P_IP):
		return ipv4_tcp_no_payload(skb);
	case htons(ETH_P_IPV6):
		return ipv6_tcp_no_payload(skb);
	default:
		return false;
	}
}

/* Pass the only skb of the list up, which costs less than a list of it. */
static void gro_pass_alone(struct gro_node *gro, struct sk_buff *skb)
{
	gro_normal_observe(gro, GRO_NORMAL_ADAPTIVE);
	skb_list_del_init(skb);
	gro->rx_count = 0;
	netif_receive_skb_internal(skb);
}

/**
 * gro_adapt_init() - prepare a gro_node for the adaptive batch
 * @gro: node that nobody polls yet
 *
 * Context: any.
 */
void gro_adapt_init(struct gro_node *gro)
{
	gro->rx_limit = 1;
	gro->rx_most = 0;
	gro->rx_seen = 0;
}

/* The list goes up. The next one may hold what this poll has shown to come. */
static noinline void gro_adapt_flush(struct gro_node *gro, struct sk_buff *skb)
{
	u32 pending = gro->rx_count;

	if (list_is_singular(&gro->rx_list))
		gro_pass_alone(gro, skb);
	else
		gro_normal_flush(gro, GRO_NORMAL_ADAPTIVE);

	gro->rx_seen += pending;
	gro->rx_limit = min(max(gro->rx_seen, gro->rx_most),
			    NETDEV_GRO_NORMAL_BATCH_MAX);
}

/**
 * gro_adapt_one() - pass the pending GRO_NORMAL skbs up if it is time
 * @gro: node with the adaptive batch
 * @skb: the last one that was added to its list, and counted
 *
 * The first list of a poll decides only on its length, so that nothing is done
 * for a lone packet that a batch of 1 would not do. Most packets only join a
 * list: that part calls nothing and saves no registers.
 *
 * Context: BH disabled, by the owner of @gro.
 */
void gro_adapt_one(struct gro_node *gro, struct sk_buff *skb)
{
	if (gro->rx_count >= gro->rx_limit || tcp_no_payload(skb))
		gro_adapt_flush(gro, skb);
}

/**
 * gro_adapt_poll_end() - learn from a poll, and prepare for the next one
 * @gro: node with the adaptive batch, of which the last list is still pending
 *
 * A poll without any GRO_NORMAL packet teaches nothing: some polls only clean
 * transmit rings, and a poll may be ended twice.
 *
 * Context: BH disabled, by the owner of @gro.
 */
void gro_adapt_poll_end(struct gro_node *gro)
{
	u32 seen = gro->rx_seen + gro->rx_count;

	if (!seen)
		return;

	gro->rx_most = min(max(2 * seen, gro->rx_most / 2U), NETDEV_GRO_NORMAL_BATCH_MAX);
	gro->rx_seen = 0;
	gro->rx_limit = 1;
}
