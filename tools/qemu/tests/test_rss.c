// SPDX-License-Identifier: GPL-2.0-or-later
/* RSS against the verification suite that Microsoft publishes for the Toeplitz hash. */
#include "machine.h"

static const uint8_t key[40] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

struct vector4 {
	uint8_t src[4], dst[4];
	uint16_t sport, dport;
	uint32_t ip, tcp;
};

static const struct vector4 v4[] = {
	{ { 66, 9, 149, 187 }, { 161, 142, 100, 80 }, 2794, 1766, 0x323e8fc2, 0x51ccc178 },
	{ { 199, 92, 111, 2 }, { 65, 69, 140, 83 }, 14230, 4739, 0xd718262a, 0xc626b0ea },
	{ { 24, 19, 198, 95 }, { 12, 22, 207, 184 }, 12898, 38024, 0xd2d0a5de, 0x5c2b394a },
	{ { 38, 27, 205, 30 }, { 209, 142, 163, 6 }, 48228, 2217, 0x82989176, 0xafc7327f },
	{ { 153, 39, 163, 191 }, { 202, 188, 127, 2 }, 44251, 1303, 0x5d1809c5, 0x10e828a2 },
};

/* 3ffe:2501:200:1fff::7 to 3ffe:2501:200:3::1, ports 2794 and 1766 */
static const uint8_t v6_src[16] = { 0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x1f, 0xff,
				    0, 0, 0, 0, 0, 0, 0, 7 };
static const uint8_t v6_dst[16] = { 0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0, 3,
				    0, 0, 0, 0, 0, 0, 0, 1 };
#define V6_IP	0x2cc18cd5
#define V6_TCP	0x40207d3d

#define ALL_RSS	(MRQC_TCP_IPV4 | MRQC_IPV4 | MRQC_IPV6 | MRQC_TCP_IPV6)

static void start(struct machine *m, uint32_t mrqc)
{
	unsigned int i, q;
	uint32_t reta = 0;

	for (q = 0; q < 16; q++) {
		rx_start(m, q);
		rx_give(m, q, 0, RING_SIZE - 1);
	}
	for (i = 0; i < 10; i++)
		wr(m, RSSRK(i), key[4 * i] | key[4 * i + 1] << 8 | key[4 * i + 2] << 16 |
		   (uint32_t)key[4 * i + 3] << 24);
	/* Queue = low four bits of the hash, xor 5 so that it is not just that. */
	for (i = 0; i < 128; i++) {
		reta |= ((i ^ 5) & 15) << i % 4 * 8;
		if (i % 4 == 3) {
			wr(m, RETA(i / 4), reta);
			reta = 0;
		}
	}
	wr(m, RXCSUM, RXCSUM_PCSD);
	wr(m, MRQC, MRQC_MRQE_RSS | mrqc);
}

static void make4(uint8_t *f, const struct vector4 *v, uint8_t proto)
{
	static const uint8_t mac[6] = TEST_MAC;

	memset(f, 0, 80);
	memcpy(f, mac, 6);
	f[12] = 8;
	f[14] = 0x45;
	f[17] = 60;
	f[23] = proto;
	memcpy(f + 26, v->src, 4);
	memcpy(f + 30, v->dst, 4);
	f[34] = v->sport >> 8;
	f[35] = v->sport;
	f[36] = v->dport >> 8;
	f[37] = v->dport;
}

static void make6(uint8_t *f, uint8_t proto)
{
	static const uint8_t mac[6] = TEST_MAC;

	memset(f, 0, 80);
	memcpy(f, mac, 6);
	f[12] = 0x86;
	f[13] = 0xdd;
	f[14] = 0x60;
	f[19] = 26;
	f[20] = proto;
	memcpy(f + 22, v6_src, 16);
	memcpy(f + 38, v6_dst, 16);
	memcpy(f + 54, "\x0a\xea\x06\xe6", 4);
}

/* Receive @f and look for it where @hash says: type, hash and queue. */
static bool landed(struct machine *m, const uint8_t *f, uint32_t hash, unsigned int type)
{
	unsigned int q = type ? (hash & 15) ^ 5 : 0;
	uint32_t i = rd(m, rxr(q, Q_HEAD));

	e82599_receive(m->nic, f, 80);
	return rd(m, rxr(q, Q_HEAD)) == i + 1 &&
	       (get32(m, RX_RING(q) + 16 * i) & 0xf) == type &&
	       get32(m, RX_RING(q) + 16 * i + 4) == (type ? hash : 0);
}

static void tcp4(struct machine *m)
{
	uint8_t f[80];
	unsigned int i;

	start(m, ALL_RSS);
	for (i = 0; i < 5; i++) {
		make4(f, &v4[i], 6);
		CHECK(landed(m, f, v4[i].tcp, RXD_RSS_TCP_IPV4));
	}
}

static void udp4(struct machine *m)
{
	uint8_t f[80];

	start(m, ALL_RSS);
	make4(f, &v4[0], 17);
	CHECK(landed(m, f, v4[0].ip, RXD_RSS_IPV4));
	wr(m, MRQC, rd(m, MRQC) | MRQC_UDP_IPV4);
	CHECK(landed(m, f, v4[0].tcp, RXD_RSS_UDP_IPV4));
}

static void ip4(struct machine *m)
{
	uint8_t f[80];
	unsigned int i;

	start(m, ALL_RSS);
	for (i = 0; i < 5; i++) {
		make4(f, &v4[i], 1);
		CHECK(landed(m, f, v4[i].ip, RXD_RSS_IPV4));
	}
}

static void fragment(struct machine *m)
{
	uint8_t f[80];

	start(m, ALL_RSS);
	make4(f, &v4[1], 6);
	f[20] = 0x20;				/* more fragments */
	CHECK(landed(m, f, v4[1].ip, RXD_RSS_IPV4));
	f[20] = 0;
	f[21] = 8;				/* not the first */
	CHECK(landed(m, f, v4[1].ip, RXD_RSS_IPV4));
}

static void ip6(struct machine *m)
{
	uint8_t f[80];

	start(m, ALL_RSS);
	make6(f, 6);
	CHECK(landed(m, f, V6_TCP, RXD_RSS_TCP_IPV6));
	make6(f, 58);
	CHECK(landed(m, f, V6_IP, RXD_RSS_IPV6));
	make6(f, 17);
	CHECK(landed(m, f, V6_IP, RXD_RSS_IPV6));
	wr(m, MRQC, rd(m, MRQC) | MRQC_UDP_IPV6);
	CHECK(landed(m, f, V6_TCP, RXD_RSS_UDP_IPV6));
}

static void none(struct machine *m)
{
	uint8_t f[80];

	start(m, 0);
	make4(f, &v4[0], 6);
	CHECK(landed(m, f, 0, RXD_RSS_NONE));
	wr(m, MRQC, ALL_RSS);			/* MRQE 0: off */
	CHECK(landed(m, f, 0, RXD_RSS_NONE));
	wr(m, MRQC, MRQC_MRQE_RSS | ALL_RSS);
	make_frame(f, 80, 0);			/* not IP */
	CHECK(landed(m, f, 0, RXD_RSS_NONE));
}

static void broken_headers(struct machine *m)
{
	uint8_t f[80];

	start(m, ALL_RSS);
	make4(f, &v4[0], 6);
	f[14] = 0x4f;				/* header longer than the packet */
	f[17] = 30;
	CHECK(landed(m, f, 0, RXD_RSS_NONE));
	make4(f, &v4[0], 6);
	f[16] = 0xff;				/* packet longer than the frame */
	CHECK(landed(m, f, 0, RXD_RSS_NONE));
	make6(f, 0);
	f[55] = 255;				/* extension header past the end */
	CHECK(landed(m, f, V6_IP, RXD_RSS_IPV6));
	make4(f, &v4[0], 6);
	f[17] = 30;				/* no room for TCP */
	CHECK(landed(m, f, v4[0].ip, RXD_RSS_IPV4));
}

const struct test rss_tests[] = {
	{ "TCP over IPv4, all vectors", tcp4 },
	{ "UDP over IPv4 when asked for, else by address", udp4 },
	{ "other IPv4, all vectors", ip4 },
	{ "fragments go by address", fragment },
	{ "IPv6: TCP, UDP and by address", ip6 },
	{ "no hash when off, or for what is not IP", none },
	{ "broken headers are survived", broken_headers },
	{ NULL, NULL }
};
