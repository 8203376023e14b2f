// SPDX-License-Identifier: GPL-2.0-or-later
/* VLAN tags, checksums and segmentation on transmit. */
#include "machine.h"

#define ETH	14
#define IP4	20
#define TCP	20

/* The plain RFC 1071 sum, written again here on purpose. */
static uint16_t sum16(const uint8_t *p, size_t len, uint32_t sum)
{
	size_t i;

	for (i = 0; i < len; i++)
		sum += i & 1 ? p[i] : p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static uint16_t be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static void set16(uint8_t *p, uint16_t v)
{
	p[0] = v >> 8;
	p[1] = v;
}

/* Sum over pseudo header and layer 4, which is all ones when it is right. */
static uint16_t l4_sum(const uint8_t *ip, const uint8_t *l4, size_t len, uint8_t proto)
{
	uint32_t sum = sum16(ip[0] >> 4 == 4 ? ip + 12 : ip + 8, ip[0] >> 4 == 4 ? 8 : 32, 0);

	return sum16(l4, len, sum + proto + len);
}

/* An IPv4 TCP packet with @payload bytes, the seed in the checksum as software puts it. */
static size_t tcp4(uint8_t *frame, size_t payload, bool with_length)
{
	uint8_t *ip = frame + ETH, *tcp = ip + IP4;
	uint32_t seed;
	size_t i;

	memset(frame, 0, ETH + IP4 + TCP);
	frame[0] = 2;
	frame[6] = 2;
	set16(frame + 12, 0x0800);
	ip[0] = 0x45;
	set16(ip + 2, with_length ? IP4 + TCP + payload : 0);
	set16(ip + 4, 0x1234);
	ip[8] = 64;
	ip[9] = 6;
	memcpy(ip + 12, "\x0a\x00\x00\x01\x0a\x00\x00\x02", 8);
	set16(tcp, 1000);
	set16(tcp + 2, 2000);
	tcp[4] = 0x10;			/* sequence number */
	tcp[12] = 5 << 4;
	tcp[13] = 0x19;			/* FIN PSH ACK */
	seed = sum16(ip + 12, 8, 0) + 6 + (with_length ? TCP + payload : 0);
	set16(tcp + 16, sum16(NULL, 0, seed));
	for (i = 0; i < payload; i++)
		tcp[TCP + i] = i * 7 + (i >> 8);
	return ETH + IP4 + TCP + payload;
}

static void context(struct machine *m, unsigned int index, uint16_t vlan, uint32_t type,
		    unsigned int iplen, unsigned int l4len, unsigned int mss)
{
	uint64_t lens = (uint32_t)vlan << 16 | ETH << 9 | iplen;

	tx_desc(m, 0, index, lens, CONTEXT | type, mss << 16 | l4len << 8);
}

static void checksum_tcp4(struct machine *m)
{
	size_t len;

	tx_start(m, 0);
	len = tcp4(at(m, TX_BUF(0)), 333, true);
	context(m, 0, 0, TXC_IPV4 | TXC_L4T_TCP << 11, IP4, 0, 0);
	tx_desc(m, 0, 1, TX_BUF(0), DATA | TXD_EOP | TXD_RS | len,
		TXD_IXSM | TXD_TXSM | len << 14);
	wr(m, txr(0, Q_TAIL), 2);
	run(m, 100000);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(m->len[0], len);
	CHECK_EQ(sum16(m->frame[0] + ETH, IP4, 0), 0xffff);
	CHECK_EQ(l4_sum(m->frame[0] + ETH, m->frame[0] + ETH + IP4, TCP + 333, 6), 0xffff);
}

static void checksum_udp6(struct machine *m)
{
	uint8_t *frame, *ip, *udp;
	size_t len = ETH + 40 + 8 + 101;

	tx_start(m, 0);
	frame = at(m, TX_BUF(0));
	ip = frame + ETH;
	udp = ip + 40;
	memset(frame, 0x5a, len);
	set16(frame + 12, 0x86dd);
	ip[0] = 0x60;
	set16(ip + 4, 109);
	ip[6] = 17;
	set16(udp + 4, 109);
	set16(udp + 6, sum16(NULL, 0, sum16(ip + 8, 32, 0) + 17 + 109));
	context(m, 0, 0, TXC_L4T_UDP << 11, 40, 0, 0);
	tx_desc(m, 0, 1, TX_BUF(0), DATA | TXD_EOP | len, TXD_TXSM | len << 14);
	wr(m, txr(0, Q_TAIL), 2);
	run(m, 100000);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(l4_sum(m->frame[0] + ETH, m->frame[0] + ETH + 40, 109, 17), 0xffff);
	CHECK(be16(m->frame[0] + ETH + 40 + 6) != 0);
}

static void checksum_sctp(struct machine *m)
{
	/* CRC32c of a packet whose chunk is empty, from the algorithm's check value. */
	uint8_t *frame;
	size_t len = ETH + IP4 + 12 + 9;

	tx_start(m, 0);
	frame = at(m, TX_BUF(0));
	memset(frame, 0, len);
	memcpy(frame + ETH + IP4 + 12, "123456789", 9);
	context(m, 0, 0, TXC_IPV4 | TXC_L4T_SCTP << 11, IP4, 0, 0);
	tx_desc(m, 0, 1, TX_BUF(0), DATA | TXD_EOP | len, TXD_TXSM | len << 14);
	wr(m, txr(0, Q_TAIL), 2);
	run(m, 100000);
	CHECK_EQ(m->frames, 1);
	/* The CRC is linear: only that the field was written and the rest was not. */
	CHECK(memcmp(m->frame[0] + ETH + IP4 + 8, "\0\0\0\0", 4));
	CHECK(!memcmp(m->frame[0] + ETH + IP4 + 12, "123456789", 9));
}

static void two_contexts(struct machine *m)
{
	size_t len;

	tx_start(m, 0);
	len = tcp4(at(m, TX_BUF(0)), 100, true);
	tcp4(at(m, TX_BUF(1)), 100, true);
	context(m, 0, 0x123, TXC_IPV4 | TXC_L4T_TCP << 11, IP4, 0, 0);
	context(m, 1, 0x456, TXC_IPV4 | TXC_L4T_TCP << 11, IP4, 0, 0);
	put32(m, TX_RING(0) + 16 + 12, 1 << 4);		/* IDX 1 */
	tx_desc(m, 0, 2, TX_BUF(0), DATA | TXD_EOP | TXD_VLE | len, TXD_TXSM | len << 14);
	tx_desc(m, 0, 3, TX_BUF(1), DATA | TXD_EOP | TXD_VLE | len,
		TXD_TXSM | TXD_CC | 1 << 4 | len << 14);
	wr(m, txr(0, Q_TAIL), 4);
	run(m, 100000);
	CHECK_EQ(m->frames, 2);
	CHECK_EQ(be16(m->frame[0] + 12), 0x8100);
	CHECK_EQ(be16(m->frame[0] + 14), 0x123);
	CHECK_EQ(be16(m->frame[1] + 14), 0x456);
	CHECK_EQ(be16(m->frame[1] + 16), 0x0800);
	CHECK_EQ(m->len[1], len + 4);
	CHECK_EQ(l4_sum(m->frame[1] + 18, m->frame[1] + 18 + IP4, TCP + 100, 6), 0xffff);
}

static void tso4(struct machine *m)
{
	size_t payload = 2500, mss = 1000, len, at_byte = 0, size;
	unsigned int i;

	tx_start(m, 0);
	len = tcp4(at(m, TX_BUF(0)), payload, false);
	context(m, 0, 0, TXC_IPV4 | TXC_L4T_TCP << 11, IP4, TCP, mss);
	tx_desc(m, 0, 1, TX_BUF(0), DATA | TXD_TSE | 200,
		TXD_IXSM | TXD_TXSM | (uint32_t)payload << 14);
	tx_desc(m, 0, 2, TX_BUF(0) + 200, DATA | TXD_EOP | TXD_RS | TXD_TSE | (len - 200), 0);
	wr(m, txr(0, Q_TAIL), 3);
	run(m, 100000);
	CHECK_EQ(m->frames, 3);
	for (i = 0; i < 3; i++) {
		uint8_t *ip = m->frame[i] + ETH, *tcp = ip + IP4;

		size = i < 2 ? mss : 500;
		CHECK_EQ(m->len[i], ETH + IP4 + TCP + size);
		CHECK_EQ(be16(ip + 2), IP4 + TCP + size);
		CHECK_EQ(be16(ip + 4), 0x1234 + i);
		CHECK_EQ(sum16(ip, IP4, 0), 0xffff);
		CHECK_EQ(l4_sum(ip, tcp, TCP + size, 6), 0xffff);
		CHECK_EQ(be16(tcp + 6), at_byte);
		CHECK_EQ(tcp[4], 0x10);
		CHECK_EQ(tcp[13], i < 2 ? 0x10 : 0x19);
		CHECK(!memcmp(tcp + TCP, at(m, TX_BUF(0)) + ETH + IP4 + TCP + at_byte, size));
		at_byte += size;
	}
	CHECK_EQ(e82599_counters(m->nic)->tx_segments, 3);
	CHECK(tx_done(m, 0, 2));
}

static void tso_bad(struct machine *m)
{
	size_t len;

	tx_start(m, 0);
	len = tcp4(at(m, TX_BUF(0)), 2000, false);
	context(m, 0, 0, TXC_IPV4 | TXC_L4T_TCP << 11, IP4, TCP, 0);	/* no MSS */
	tx_desc(m, 0, 1, TX_BUF(0), DATA | TXD_TSE | TXD_EOP | TXD_RS | len, 2000u << 14);
	context(m, 2, 0, TXC_IPV4 | TXC_L4T_TCP << 11, IP4, 255, 100);	/* past the frame */
	tx_desc(m, 0, 3, TX_BUF(0), DATA | TXD_TSE | TXD_EOP | TXD_RS | 200, 100u << 14);
	context(m, 4, 0, TXC_IPV4 | TXC_L4T_TCP << 11, 511, TCP, 100);
	tx_desc(m, 0, 5, TX_BUF(0), DATA | TXD_EOP | TXD_RS | 100, TXD_TXSM | 100u << 14);
	wr(m, txr(0, Q_TAIL), 6);
	run(m, 100000);
	CHECK_EQ(m->frames, 0);
	CHECK_EQ(e82599_counters(m->nic)->tx_malformed, 3);
	CHECK(tx_done(m, 0, 1) && tx_done(m, 0, 3) && tx_done(m, 0, 5));
}

static void ipsec(struct machine *m)
{
	tx_start(m, 0);
	make_frame(at(m, TX_BUF(0)), 100, 0);
	tx_desc(m, 0, 0, TX_BUF(0), DATA | TXD_EOP | TXD_RS | 100, TXD_IPSEC | 100u << 14);
	wr(m, txr(0, Q_TAIL), 1);
	run(m, 100000);
	CHECK_EQ(m->frames, 0);
	CHECK_EQ(e82599_counters(m->nic)->tx_unsupported, 1);
	CHECK(m->logged);
	CHECK(tx_done(m, 0, 0));
}

static void legacy(struct machine *m)
{
	size_t len;

	tx_start(m, 0);
	len = tcp4(at(m, TX_BUF(0)), 100, true);
	tx_desc(m, 0, 0, TX_BUF(0), TXD_EOP | TXD_IFCS | TXD_RS | TXD_LEGACY_IC | TXD_VLE |
		(ETH + IP4 + 16) << 16 | len, 0x777u << 16 | (ETH + IP4) << 8);
	tx_desc(m, 0, 1, TX_BUF(0), TXD_EOP | TXD_RS | TXD_LEGACY_IC | 255 << 16 | 60, 0);
	wr(m, txr(0, Q_TAIL), 2);
	run(m, 100000);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(be16(m->frame[0] + 14), 0x777);
	CHECK_EQ(l4_sum(m->frame[0] + 18, m->frame[0] + 18 + IP4, TCP + 100, 6), 0xffff);
	CHECK_EQ(e82599_counters(m->nic)->tx_malformed, 1);
	CHECK(tx_done(m, 0, 0) && tx_done(m, 0, 1));
}

const struct test offload_tests[] = {
	{ "IPv4 and TCP checksums are inserted", checksum_tcp4 },
	{ "UDP checksum over IPv6 is inserted", checksum_udp6 },
	{ "SCTP checksum is inserted", checksum_sctp },
	{ "a queue has two contexts, VLAN tags come from them", two_contexts },
	{ "TCP segmentation: lengths, ids, sequence, flags, checksums", tso4 },
	{ "segmentation and checksums with bad lengths are dropped", tso_bad },
	{ "what is not emulated is dropped, counted, logged", ipsec },
	{ "legacy descriptors: checksum and tag", legacy },
	{ NULL, NULL }
};
