// SPDX-License-Identifier: GPL-2.0-or-later
/* What a received frame is (7.1.6.2, packet type) and which queue it goes to (7.1.2.8). */
#include "e82599_internal.h"

#define ETH_IPV4	0x0800
#define ETH_IPV6	0x86dd
#define ETH_VLAN	0x8100
#define PROTO_HOPOPTS	0
#define PROTO_TCP	6
#define PROTO_UDP	17
#define PROTO_ROUTING	43
#define PROTO_FRAGMENT	44
#define PROTO_DSTOPTS	60
#define PROTO_SCTP	132
#define EXT_HEADERS	8	/* more than any sane packet has */

static void parse_l4(struct e82599_pkt *pkt, unsigned int at)
{
	unsigned int room = pkt->l3_end - at;

	if (pkt->fragment)
		return;
	if (pkt->l4_proto == PROTO_TCP && room >= 20)
		pkt->type |= RXD_PKTTYPE_TCP;
	else if (pkt->l4_proto == PROTO_UDP && room >= 8)
		pkt->type |= RXD_PKTTYPE_UDP;
	else if (pkt->l4_proto == PROTO_SCTP && room >= 12)
		pkt->type |= RXD_PKTTYPE_SCTP;
	else
		return;
	pkt->l4 = at;
}

static void parse_ipv4(const uint8_t *frame, size_t len, struct e82599_pkt *pkt, unsigned int at)
{
	const uint8_t *ip = frame + at;
	unsigned int hlen = (ip[0] & 0xf) * 4, total = get_be16(ip + 2);

	if (ip[0] >> 4 != 4 || hlen < 20 || total < hlen || at + total > len)
		return;
	pkt->type = RXD_PKTTYPE_IPV4 | (hlen > 20 ? RXD_PKTTYPE_IPV4E : 0);
	pkt->l3 = at;
	pkt->l3_end = at + total;
	pkt->l4_proto = ip[9];
	pkt->fragment = get_be16(ip + 6) & 0x3fff;
	parse_l4(pkt, at + hlen);
}

static void parse_ipv6(const uint8_t *frame, size_t len, struct e82599_pkt *pkt, unsigned int at)
{
	const uint8_t *ip = frame + at;
	unsigned int next = at + 40, i;

	if (ip[0] >> 4 != 6 || at + 40 + get_be16(ip + 4) > len)
		return;
	pkt->type = RXD_PKTTYPE_IPV6;
	pkt->l3 = at;
	pkt->l3_end = at + 40 + get_be16(ip + 4);
	pkt->l4_proto = ip[6];
	for (i = 0; i < EXT_HEADERS; i++) {
		if (pkt->l4_proto != PROTO_HOPOPTS && pkt->l4_proto != PROTO_ROUTING &&
		    pkt->l4_proto != PROTO_FRAGMENT && pkt->l4_proto != PROTO_DSTOPTS)
			break;
		if (next + 8 > pkt->l3_end)
			return;
		pkt->type |= RXD_PKTTYPE_IPV6E;
		pkt->fragment |= pkt->l4_proto == PROTO_FRAGMENT;
		pkt->l4_proto = frame[next];
		next += pkt->fragment ? 8 : 8 + frame[next + 1] * 8;
	}
	if (next <= pkt->l3_end)
		parse_l4(pkt, next);
}

/**
 * e82599_parse - find the headers of a frame
 * @frame: the frame, at least the Ethernet minimum of 60 bytes
 * @len: its length
 * @pkt: filled in; all zero for what is neither IPv4 nor IPv6, or broken
 */
void e82599_parse(const uint8_t *frame, size_t len, struct e82599_pkt *pkt)
{
	unsigned int at = 14, type = get_be16(frame + 12);

	memset(pkt, 0, sizeof(*pkt));
	if (type == ETH_VLAN) {
		type = get_be16(frame + 16);
		at = 18;
	}
	if (type == ETH_IPV4)
		parse_ipv4(frame, len, pkt, at);
	else if (type == ETH_IPV6 && at + 40 <= len)
		parse_ipv6(frame, len, pkt, at);
}

/* The hash itself: the key shifts by, and is added where the data has a one. */
uint32_t e82599_toeplitz(const uint8_t *key, const uint8_t *data, size_t len)
{
	uint32_t window = get_be32(key), hash = 0;
	unsigned int bit;
	size_t i;

	for (i = 0; i < len; i++) {
		for (bit = 8; bit--;) {
			if (data[i] >> bit & 1)
				hash ^= window;
			window = window << 1 | (key[i + 4] >> bit & 1);
		}
	}
	return hash;
}

/* Which fields go into the hash: the RSS type, or none. */
static uint8_t hash_type(uint32_t mrqc, const struct e82599_pkt *pkt)
{
	if (pkt->type & RXD_PKTTYPE_IPV4) {
		if (pkt->type & RXD_PKTTYPE_TCP && mrqc & MRQC_TCP_IPV4)
			return RXD_RSS_TCP_IPV4;
		if (pkt->type & RXD_PKTTYPE_UDP && mrqc & MRQC_UDP_IPV4)
			return RXD_RSS_UDP_IPV4;
		return mrqc & MRQC_IPV4 ? RXD_RSS_IPV4 : RXD_RSS_NONE;
	}
	if (pkt->type & RXD_PKTTYPE_IPV6) {
		if (pkt->type & RXD_PKTTYPE_TCP && mrqc & MRQC_TCP_IPV6)
			return RXD_RSS_TCP_IPV6;
		if (pkt->type & RXD_PKTTYPE_UDP && mrqc & MRQC_UDP_IPV6)
			return RXD_RSS_UDP_IPV6;
		return mrqc & MRQC_IPV6 ? RXD_RSS_IPV6 : RXD_RSS_NONE;
	}
	return RXD_RSS_NONE;
}

static uint32_t hash(struct e82599 *nic, const uint8_t *frame, const struct e82599_pkt *pkt)
{
	bool v6 = pkt->type & RXD_PKTTYPE_IPV6;
	size_t len = v6 ? 32 : 8;
	uint8_t data[36], key[40];
	unsigned int i;

	for (i = 0; i < 10; i++)
		put_le32(key + 4 * i, *e82599_reg(nic, RSSRK(i)));
	memcpy(data, frame + pkt->l3 + (v6 ? 8 : 12), len);
	if (pkt->rss_type != RXD_RSS_IPV4 && pkt->rss_type != RXD_RSS_IPV6) {
		memcpy(data + len, frame + pkt->l4, 4);
		len += 4;
	}
	return e82599_toeplitz(key, data, len);
}

/**
 * e82599_rss - receive-side scaling
 * @nic: the device
 * @frame: the frame
 * @pkt: what e82599_parse() found; the hash and its type are added
 *
 * Return: the receive queue.
 */
unsigned int e82599_rss(struct e82599 *nic, const uint8_t *frame, struct e82599_pkt *pkt)
{
	uint32_t mrqc = *e82599_reg(nic, MRQC);
	unsigned int index;

	if ((mrqc & MRQC_MRQE_MASK) != MRQC_MRQE_RSS)
		return 0;
	pkt->rss_type = hash_type(mrqc, pkt);
	if (pkt->rss_type == RXD_RSS_NONE)
		return 0;
	pkt->hash = hash(nic, frame, pkt);
	index = pkt->hash & 0x7f;
	return *e82599_reg(nic, RETA(index / 4)) >> index % 4 * 8 & 0xf;
}
