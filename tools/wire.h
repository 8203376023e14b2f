/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frames of the bench, for both ends of the wire: 60 bytes, numbered, each
 * with a pattern made from its number, and with correct IPv4 and UDP checksums.
 */
#ifndef NB_WIRE_H
#define NB_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	FRAME_LEN	= 60,		/* without FCS: the shortest there is */
	L3_OFF		= 14,
	L4_OFF		= 34,
	PAYLOAD_OFF	= 42,
	ETYPE_CONTROL	= 0x88b5,	/* IEEE 802: local experiments */
	FLOW_PORT	= 20000,	/* source port of flow 0 */
	MAX_FLOWS	= 4096,
};

static inline void put_be16(uint8_t *p, uint16_t v)
{
	p[0] = v >> 8;
	p[1] = v;
}

static inline uint16_t get_be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static inline uint32_t sum16(const uint8_t *p, size_t len, uint32_t sum)
{
	for (; len > 1; p += 2, len -= 2)
		sum += get_be16(p);
	return len ? sum + (p[0] << 8) : sum;
}

static inline uint16_t fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

/* Frame number @n: UDP from 10.0.0.1 to 10.0.0.2, discard port. */
static inline void make_frame(uint8_t *f, uint32_t n)
{
	static const uint8_t head[L4_OFF] = {
		0x02, 0, 0, 0, 0, 2,  0x02, 0, 0, 0, 0, 1,  0x08, 0x00,
		0x45, 0, 0, FRAME_LEN - L3_OFF,  0, 0, 0x40, 0,  64, 17, 0, 0,
		10, 0, 0, 1,  10, 0, 0, 2,
	};
	uint32_t x = n * 2654435761u + 1;
	uint16_t csum;
	int i;

	memset(f, 0, FRAME_LEN);
	memcpy(f, head, sizeof(head));
	put_be16(f + L3_OFF + 10, fold(sum16(f + L3_OFF, 20, 0)));

	put_be16(f + L4_OFF, 9);
	put_be16(f + L4_OFF + 2, 9);
	put_be16(f + L4_OFF + 4, FRAME_LEN - L4_OFF);
	put_be16(f + PAYLOAD_OFF, n >> 16);
	put_be16(f + PAYLOAD_OFF + 2, n);
	for (i = PAYLOAD_OFF + 4; i < FRAME_LEN; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		f[i] = x >> 24;
	}
	/* Pseudo header: the addresses, the protocol, the length. */
	csum = fold(sum16(f + L3_OFF + 12, 8,
			  sum16(f + L4_OFF, FRAME_LEN - L4_OFF,
				17 + FRAME_LEN - L4_OFF)));
	put_be16(f + L4_OFF + 6, csum ? csum : 0xffff);
}

/* Frame number @n of flow @flow, below MAX_FLOWS: the flow is in the source port. */
static inline void make_flow_frame(uint8_t *f, unsigned int flow, uint32_t n)
{
	uint16_t csum;

	make_frame(f, n);
	put_be16(f + L4_OFF, FLOW_PORT + flow);
	/* RFC 1624, with the port that make_frame() has put there */
	csum = fold((uint16_t)~get_be16(f + L4_OFF + 6) + (uint16_t)~9u + FLOW_PORT + flow);
	put_be16(f + L4_OFF + 6, csum ? csum : 0xffff);
}

#endif
