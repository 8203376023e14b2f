// SPDX-License-Identifier: GPL-2.0-or-later
/* Which destinations come in. */
#include "machine.h"

/* Whether a frame to @da is received. */
static bool takes(struct machine *m, const char *da)
{
	uint8_t frame[60];
	uint32_t before;

	before = rd(m, rxr(0, Q_HEAD));
	make_frame(frame, 60, 0);
	memcpy(frame, da, 6);
	e82599_receive(m->nic, frame, 60);
	return rd(m, rxr(0, Q_HEAD)) != before;
}

static void start(struct machine *m)
{
	rx_start(m, 0);
	rx_give(m, 0, 0, RING_SIZE - 1);
	wr(m, FCTRL, 0);
}

static void station(struct machine *m)
{
	start(m);
	CHECK(takes(m, "\x52\x54\x00\x12\x34\x56"));
	CHECK(!takes(m, "\x52\x54\x00\x12\x34\x57"));
	wr(m, RAL(127), 0x00005452);
	wr(m, RAH(127), RAH_AV | 0x5734);
	CHECK(takes(m, "\x52\x54\x00\x00\x34\x57"));
	wr(m, RAH(127), 0x5734);
	CHECK(!takes(m, "\x52\x54\x00\x00\x34\x57"));
	wr(m, RAH(0), 0);
	CHECK(!takes(m, "\x52\x54\x00\x12\x34\x56"));
}

static void broadcast(struct machine *m)
{
	start(m);
	CHECK(!takes(m, "\xff\xff\xff\xff\xff\xff"));
	wr(m, FCTRL, FCTRL_BAM);
	CHECK(takes(m, "\xff\xff\xff\xff\xff\xff"));
	CHECK(!takes(m, "\x01\x00\x5e\x00\x00\x01"));
}

static void promiscuous(struct machine *m)
{
	start(m);
	wr(m, FCTRL, FCTRL_UPE);
	CHECK(takes(m, "\x02\x00\x00\x00\x00\x01"));
	CHECK(!takes(m, "\x01\x00\x5e\x00\x00\x01"));
	wr(m, FCTRL, FCTRL_MPE);
	CHECK(!takes(m, "\x02\x00\x00\x00\x00\x01"));
	CHECK(takes(m, "\x01\x00\x5e\x00\x00\x01"));
}

/* 33:33:00:00:12:34: bytes 4 and 5 make 0x3412, of which MO takes 12 bits. */
static void multicast(struct machine *m)
{
	static const unsigned int shift[4] = { 4, 3, 2, 0 };
	unsigned int mo, hash;

	start(m);
	for (mo = 0; mo < 4; mo++) {
		hash = 0x3412 >> shift[mo] & 0xfff;
		wr(m, MCSTCTRL, mo | MCSTCTRL_MFE);
		CHECK(!takes(m, "\x33\x33\x00\x00\x12\x34"));
		wr(m, MTA(hash / 32), BIT32(hash % 32));
		CHECK(takes(m, "\x33\x33\x00\x00\x12\x34"));
		CHECK(!takes(m, "\x33\x33\x00\x00\x12\x38"));
		wr(m, MCSTCTRL, mo);		/* the table is off */
		CHECK(!takes(m, "\x33\x33\x00\x00\x12\x34"));
		wr(m, MTA(hash / 32), 0);
	}
}

static void unicast_table(struct machine *m)
{
	start(m);
	CHECK(!takes(m, "\x02\x00\x00\x00\x12\x34"));
	wr(m, UTA(0x341 / 32), BIT32(0x341 % 32));
	CHECK(takes(m, "\x02\x00\x00\x00\x12\x34"));
	CHECK(!takes(m, "\x02\x00\x00\x00\x22\x34"));
	CHECK(!takes(m, "\x03\x00\x00\x00\x12\x34"));
}

static bool takes_vlan(struct machine *m, uint16_t tci)
{
	uint8_t frame[64];
	uint32_t before = rd(m, rxr(0, Q_HEAD));

	make_frame(frame, 64, 0);
	memcpy(frame + 12, "\x81\x00", 2);
	frame[14] = tci >> 8;
	frame[15] = tci;
	e82599_receive(m->nic, frame, 64);
	return rd(m, rxr(0, Q_HEAD)) != before;
}

static void vlan(struct machine *m)
{
	start(m);
	CHECK(takes_vlan(m, 100));
	wr(m, VLNCTRL, 0x8100 | VLNCTRL_VFE);
	CHECK(!takes_vlan(m, 100));
	wr(m, VFTA(100 / 32), BIT32(100 % 32));
	CHECK(takes_vlan(m, 100));
	CHECK(takes_vlan(m, 0xe000 | 100));	/* the priority does not count */
	CHECK(!takes_vlan(m, 101));
	CHECK(takes_vlan(m, 0x1000 | 100));
	wr(m, VLNCTRL, 0x8100 | VLNCTRL_VFE | VLNCTRL_CFIEN);
	CHECK(!takes_vlan(m, 0x1000 | 100));
	wr(m, VLNCTRL, 0x8100 | VLNCTRL_VFE | VLNCTRL_CFIEN | VLNCTRL_CFI);
	CHECK(takes_vlan(m, 0x1000 | 100));
	CHECK(!takes_vlan(m, 100));
	CHECK(takes(m, "\x52\x54\x00\x12\x34\x56"));
}

const struct test filter_tests[] = {
	{ "receive addresses, first and last, valid or not", station },
	{ "broadcast by FCTRL.BAM", broadcast },
	{ "promiscuous unicast and multicast apart", promiscuous },
	{ "multicast table by each offset", multicast },
	{ "unicast table", unicast_table },
	{ "VLAN filter, by number and by CFI", vlan },
	{ NULL, NULL }
};
