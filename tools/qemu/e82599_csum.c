// SPDX-License-Identifier: GPL-2.0-or-later
/* Internet checksum (RFC 1071), the Ethernet CRC, and the receive checksum check, 7.1.11. */
#include "e82599_internal.h"

uint32_t e82599_sum(const uint8_t *p, size_t len, uint32_t sum)
{
	uint64_t acc = sum;

	for (; len > 1; p += 2, len -= 2)
		acc += get_be16(p);
	if (len)
		acc += (uint32_t)*p << 8;
	while (acc >> 32)
		acc = (acc & 0xffffffff) + (acc >> 32);
	return acc;
}

uint16_t e82599_fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/* The pseudo header: addresses, protocol and the length of the layer-4 part. */
uint32_t e82599_pseudo(const uint8_t *ip, bool v6, uint8_t proto, uint32_t len)
{
	uint32_t sum = v6 ? e82599_sum(ip + 8, 32, 0) : e82599_sum(ip + 12, 8, 0);

	return e82599_sum(NULL, 0, e82599_fold(sum) + proto + (len >> 16) + (len & 0xffff));
}

uint32_t e82599_crc32(const uint8_t *p, size_t len)
{
	uint32_t crc = ~UINT32_C(0);
	unsigned int i;

	for (; len; len--) {
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
	}
	return ~crc;
}

static uint32_t l4_status(const uint8_t *frame, const struct e82599_pkt *pkt)
{
	bool v6 = pkt->type & RXD_PKTTYPE_IPV6, udp = pkt->type & RXD_PKTTYPE_UDP;
	uint32_t len = pkt->l3_end - pkt->l4, status = RXD_STAT_L4I, sum;

	if (udp) {
		/* UDP over IPv4 may go without a checksum, which is no error. */
		if (get_be16(frame + pkt->l4 + 6) == 0)
			return 0;
		status |= RXD_STAT_UDPCS;
	}
	sum = e82599_pseudo(frame + pkt->l3, v6, pkt->l4_proto, len);
	sum = e82599_sum(frame + pkt->l4, len, sum);
	return e82599_fold(sum) == 0xffff ? status : status | RXD_ERR_L4E;
}

/* Status and error bits for what the parser found; fragments are left to software. */
uint32_t e82599_rx_checksum(const uint8_t *frame, const struct e82599_pkt *pkt)
{
	uint32_t status = 0, hlen;

	if (pkt->type & RXD_PKTTYPE_IPV4) {
		status |= RXD_STAT_IPCS;
		hlen = (frame[pkt->l3] & 0xf) * 4;
		if (e82599_fold(e82599_sum(frame + pkt->l3, hlen, 0)) != 0xffff)
			return status | RXD_ERR_IPE;
	}
	if (pkt->l4 && !pkt->fragment && pkt->type & (RXD_PKTTYPE_TCP | RXD_PKTTYPE_UDP))
		status |= l4_status(frame, pkt);
	return status;
}
