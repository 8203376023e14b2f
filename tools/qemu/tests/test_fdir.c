// SPDX-License-Identifier: GPL-2.0-or-later
/* Flow director: programming, both kinds of filters, statistics. */
#include "machine.h"

#define BUCKET_KEY	0x3dad14e2	/* what the datasheet suggests, 7.1.2.7.5 */
#define SIGNATURE_KEY	0x174d3614
#define ADD_QUEUE(q)	(FDIRCMD_ADD | FDIRCMD_QUEUE_EN | (uint32_t)(q) << FDIRCMD_QUEUE_SHIFT)

/* 10.0.0.2:1234 -> 10.0.0.1:80, TCP; the hashes of this flow are computed elsewhere. */
#define SIGNATURE_HASH		0x69ea0cbb
#define SIGNATURE_HASH_VLAN	0x16bc5582	/* tag 0x6064 */
#define PERFECT_BUCKET		0x154f	/* 10.0.0.0/24, any source port */

static void segment(struct machine *m, uint16_t sport, bool tagged)
{
	static const uint8_t mac[6] = TEST_MAC;
	uint8_t frame[80] = { 0 }, *ip = frame + (tagged ? 18 : 14);

	memcpy(frame, mac, 6);
	if (tagged)
		memcpy(frame + 12, "\x81\x00\x60\x64\x08\x00", 6);
	else
		memcpy(frame + 12, "\x08\x00", 2);
	memcpy(ip, "\x45\0\0\x28\0\0\0\0\x40\x06\0\0\x0a\0\0\x02\x0a\0\0\x01", 20);
	ip[20] = sport >> 8;
	ip[21] = sport;
	ip[23] = 80;
	ip[32] = 0x50;
	e82599_receive(m->nic, frame, 64);
}

static void start(struct machine *m, uint32_t mode)
{
	unsigned int q;

	for (q = 0; q < 4; q++) {
		rx_start(m, q);
		rx_give(m, q, 0, RING_SIZE - 1);
	}
	wr(m, FDIRHKEY, BUCKET_KEY);
	wr(m, FDIRSKEY, SIGNATURE_KEY);
	wr(m, FDIRCTRL, 1 | mode | 6u << FDIRCTRL_FLEX_SHIFT | 127u << FDIRCTRL_DROP_SHIFT);
}

static uint32_t received(struct machine *m, unsigned int q)
{
	return rd(m, rxr(q, Q_HEAD));
}

static void handshakes(struct machine *m)
{
	CHECK_EQ(rd(m, FDIRCTRL), 0);
	CHECK_EQ(rd(m, FDIRFREE), 0);
	wr(m, FDIRCTRL, 1);
	CHECK(rd(m, FDIRCTRL) & FDIRCTRL_INIT_DONE);
	CHECK_EQ(rd(m, FDIRFREE), 8190);
	wr(m, FDIRCTRL, 3 | FDIRCTRL_PERFECT);
	CHECK_EQ(rd(m, FDIRFREE), 8190);
	wr(m, FDIRCTRL, 1 | FDIRCTRL_PERFECT);
	CHECK_EQ(rd(m, FDIRFREE), 2046);
	wr(m, FDIRHASH, 5 | 7u << 16);
	wr(m, FDIRCMD, ADD_QUEUE(3));
	CHECK_EQ(rd(m, FDIRCMD) & FDIRCMD_CMD_MASK, 0);
	CHECK_EQ(rd(m, FDIRFREE), 2045);
	wr(m, FDIRCMD, FDIRCMD_QUERY);
	CHECK(rd(m, FDIRCMD) & FDIRCMD_VALID);
	wr(m, FDIRHASH, 5 | 8u << 16);
	wr(m, FDIRCMD, FDIRCMD_QUERY);
	CHECK(!(rd(m, FDIRCMD) & FDIRCMD_VALID));
	wr(m, FDIRCMD, FDIRCMD_REMOVE);		/* there is none */
	wr(m, FDIRHASH, 5 | 7u << 16);
	wr(m, FDIRCMD, ADD_QUEUE(4));		/* there is, and no update asked for */
	wr(m, FDIRCMD, ADD_QUEUE(4) | FDIRCMD_UPDATE);
	wr(m, FDIRCMD, FDIRCMD_REMOVE);
	CHECK_EQ(rd(m, FDIRFREE), 2046);
	CHECK_EQ(rd(m, FDIRUSTAT), 1 | 1 << 16);
	CHECK_EQ(rd(m, FDIRUSTAT), 0);
	CHECK_EQ(rd(m, FDIRFSTAT), 1 | 1 << 8);
}

static void signature(struct machine *m)
{
	start(m, 0);
	segment(m, 1234, false);
	CHECK_EQ(received(m, 0), 1);
	wr(m, FDIRHASH, SIGNATURE_HASH);
	wr(m, FDIRCMD, ADD_QUEUE(3) | FDIR_TYPE_TCP << FDIRCMD_TYPE_SHIFT);
	wr(m, FDIRHASH, SIGNATURE_HASH_VLAN);
	wr(m, FDIRCMD, ADD_QUEUE(2) | FDIR_TYPE_TCP << FDIRCMD_TYPE_SHIFT);
	segment(m, 1234, false);
	segment(m, 1235, false);
	segment(m, 1234, true);
	CHECK_EQ(received(m, 0), 2);
	CHECK_EQ(received(m, 3), 1);
	CHECK_EQ(received(m, 2), 1);
	CHECK(rx_status(m, 3, 0) & RXD_STAT_FLM);
	CHECK(!(rx_status(m, 0, 1) & RXD_STAT_FLM));
	CHECK_EQ(rd(m, FDIRMATCH), 2);
	CHECK_EQ(rd(m, FDIRMISS), 2);
	CHECK_EQ(rd(m, FDIRMISS), 0);
}

/* To port 80 of 10.0.0.1 from 10.0.0/24. */
static void perfect_filter(struct machine *m, uint32_t index, uint32_t cmd)
{
	wr(m, FDIRM, FDIRM_VLANID | FDIRM_VLANP | FDIRM_FLEX);
	wr(m, FDIRTCPM, 0x0000ffff);
	wr(m, FDIRUDPM, 0x0000ffff);
	wr(m, FDIRSIP4M, 0xff000000);
	wr(m, FDIRDIP4M, 0);
	wr(m, FDIRIPSA, 0x0000000a);
	wr(m, FDIRIPDA, 0x0100000a);
	wr(m, FDIRPORT, 80u << 16 | 7);
	wr(m, FDIRVLAN, 0);
	wr(m, FDIRHASH, PERFECT_BUCKET | index << 16);
	wr(m, FDIRCMD, cmd | FDIR_TYPE_TCP << FDIRCMD_TYPE_SHIFT);
}

static void perfect(struct machine *m)
{
	start(m, FDIRCTRL_PERFECT);
	perfect_filter(m, 9, ADD_QUEUE(2));
	segment(m, 1234, false);
	segment(m, 4321, true);
	CHECK_EQ(received(m, 2), 2);
	CHECK(rx_status(m, 2, 0) & RXD_STAT_FLM);
	wr(m, FDIRPORT, 81u << 16);		/* the same bucket, another port */
	wr(m, FDIRHASH, PERFECT_BUCKET | 9u << 16);
	wr(m, FDIRCMD, ADD_QUEUE(2) | FDIRCMD_UPDATE | FDIR_TYPE_TCP << FDIRCMD_TYPE_SHIFT);
	segment(m, 1234, false);
	CHECK_EQ(received(m, 2), 2);
	CHECK_EQ(received(m, 0), 1);
	perfect_filter(m, 10, ADD_QUEUE(1));
	segment(m, 1234, false);
	CHECK_EQ(received(m, 1), 1);
	wr(m, FDIRCMD, FDIRCMD_REMOVE);
	segment(m, 1234, false);
	CHECK_EQ(received(m, 0), 2);
}

/* A port mask's bit 15 stands for bit 0 of the port. */
static void port_mask(struct machine *m)
{
	start(m, FDIRCTRL_PERFECT);
	perfect_filter(m, 9, ADD_QUEUE(2));
	wr(m, FDIRTCPM, 0x80000000 | 0xffff);
	segment(m, 1234, false);		/* the bucket is the same: 80 is even */
	CHECK_EQ(received(m, 2), 1);
	wr(m, FDIRPORT, 81u << 16);
	wr(m, FDIRCMD, ADD_QUEUE(2) | FDIRCMD_UPDATE | FDIR_TYPE_TCP << FDIRCMD_TYPE_SHIFT);
	segment(m, 1234, false);
	CHECK_EQ(received(m, 2), 2);
}

static void drop(struct machine *m)
{
	start(m, FDIRCTRL_PERFECT);
	perfect_filter(m, 9, ADD_QUEUE(2) | FDIRCMD_DROP);
	segment(m, 1234, false);
	CHECK_EQ(received(m, 0) + received(m, 2), 0);
	CHECK_EQ(rd(m, FDIRMATCH), 1);
	CHECK_EQ(rd(m, QPRDC(0)), 1);
}

static void full(struct machine *m)
{
	uint32_t i;

	rd(m, EICR);
	wr(m, FDIRCTRL, 1 | FDIRCTRL_PERFECT | 4u << FDIRCTRL_FULL_SHIFT);
	for (i = 0; i < 2047; i++) {
		wr(m, FDIRHASH, (i & 7) | i << 16);
		wr(m, FDIRCMD, ADD_QUEUE(1));
		if (i == 2046 - 64 - 1)
			CHECK_EQ(rd(m, EICS) & EICR_FLOW_DIR, 0);
		if (i == 2046 - 64)
			CHECK_EQ(rd(m, EICS) & EICR_FLOW_DIR, EICR_FLOW_DIR);
	}
	CHECK_EQ(rd(m, FDIRFREE), 0);
	CHECK_EQ(rd(m, FDIRFSTAT) & 0xff, 1);
	CHECK_EQ(rd(m, FDIRUSTAT) & 0xffff, 2046);
	wr(m, FDIRHASH, 3 | 1003u << 16);
	wr(m, FDIRCMD, FDIRCMD_REMOVE);
	CHECK_EQ(rd(m, FDIRFREE), 1);
	wr(m, FDIRCMD, ADD_QUEUE(1));
	CHECK_EQ(rd(m, FDIRFREE), 0);
	wr(m, FDIRCMD, FDIRCMD_CLEARHT);
	wr(m, FDIRCMD, 0);
	CHECK_EQ(rd(m, FDIRFREE), 2046);
}

const struct test fdir_tests[] = {
	{ "flow director: init, add, query, update, remove, statistics", handshakes },
	{ "signature filters steer the flow whose hash they hold", signature },
	{ "perfect-match filters steer what their fields and masks say", perfect },
	{ "port masks are in reverse bit order", port_mask },
	{ "a drop filter sends to the drop queue", drop },
	{ "a full table refuses, and tells before", full },
	{ NULL, NULL }
};
