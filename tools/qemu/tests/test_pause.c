// SPDX-License-Identifier: GPL-2.0-or-later
/* Link flow control in both directions. */
#include "machine.h"

static void pause(struct machine *m, uint16_t quanta)
{
	uint8_t frame[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 0x08, 0, 1 };

	frame[16] = quanta >> 8;
	frame[17] = quanta;
	e82599_receive(m->nic, frame, sizeof(frame));
}

static void send_one(struct machine *m)
{
	uint32_t tail = rd(m, txr(0, Q_TAIL));

	make_frame(at(m, TX_BUF(0)), 60, 1);
	tx_desc(m, 0, tail, TX_BUF(0), DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
	wr(m, txr(0, Q_TAIL), tail + 1);
}

static void start(struct machine *m)
{
	tx_start(m, 0);
	rx_start(m, 0);
	wr(m, MFLCN, MFLCN_RFCE);
}

/* 1000 quanta of 51.2 ns. */
static void pauses(struct machine *m)
{
	start(m);
	pause(m, 1000);
	send_one(m);
	run(m, 51199);
	CHECK_EQ(m->frames, 0);
	run(m, 1);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(rd(m, LXOFFRXCNT), 1);
	CHECK_EQ(rd(m, TPR), 1);
	CHECK_EQ(rd(m, GPRC), 0);
}

static void xon_ends(struct machine *m)
{
	start(m);
	send_one(m);
	pause(m, 0xffff);
	run(m, 10000);
	CHECK_EQ(m->frames, 0);
	pause(m, 0);
	run(m, 1000);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(rd(m, LXONRXCNT), 1);
}

static void not_enabled(struct machine *m)
{
	start(m);
	rx_give(m, 0, 0, 8);
	wr(m, MFLCN, 0);
	pause(m, 0xffff);
	send_one(m);
	run(m, 10000);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(rd(m, LXOFFRXCNT), 0);
	wr(m, MFLCN, MFLCN_RFCE | MFLCN_PMCF);	/* obeyed, and passed on */
	wr(m, FCTRL, FCTRL_MPE);
	pause(m, 1);
	CHECK_EQ(rd(m, rxr(0, Q_HEAD)), 1);
	CHECK_EQ(rd(m, LXOFFRXCNT), 1);
}

/* The ring has no buffers: frames of 1500 bytes fill the packet buffer. */
static void sends(struct machine *m)
{
	static const uint8_t xoff[] = { 0x01, 0x80, 0xc2, 0, 0, 1, 0x52, 0x54, 0, 0x12, 0x34,
					0x56, 0x88, 0x08, 0, 1, 0x12, 0x34 };
	unsigned int i;

	start(m);
	wr(m, FCCFG, FCCFG_TFCE_LINK);
	wr(m, FCTTV(0), 0x1234);
	wr(m, FCRTV, 0x100);
	wr(m, FCRTH(0), 6016 | FCRTH_FCEN);
	wr(m, FCRTL(0), 3008 | FCRTL_XONE);
	for (i = 0; i < 4; i++)
		rx_frame(m, 1500, i);		/* 6016 bytes with their lengths */
	run(m, 1000);
	CHECK_EQ(m->frames, 0);
	rx_frame(m, 1500, 4);
	CHECK_EQ(m->frames, 0);			/* not while the wire brings one */
	run(m, 1000);
	CHECK_EQ(m->frames, 1);
	CHECK(!memcmp(m->frame[0], xoff, sizeof(xoff)));
	rx_frame(m, 1500, 5);			/* it has been told */
	run(m, 1000);
	CHECK_EQ(m->frames, 1);
	run(m, 20000);				/* 0x100 quanta later it is told again */
	rx_frame(m, 1500, 6);
	run(m, 1000);
	CHECK_EQ(m->frames, 2);
	rx_give(m, 0, 0, 4);
	run(m, 10000);
	CHECK_EQ(m->frames, 2);
	rx_give(m, 0, 4, 8);
	run(m, 10000);
	CHECK_EQ(m->frames, 3);			/* XON, once */
	CHECK_EQ(m->frame[2][16] | m->frame[2][17], 0);
	CHECK_EQ(rd(m, LXOFFTXC), 2);
	CHECK_EQ(rd(m, LXONTXC), 1);
	CHECK_EQ(rd(m, GPTC), 3);		/* pause frames count as frames */
	CHECK_EQ(rd(m, QPTC(0)), 0);
}

const struct test pause_tests[] = {
	{ "a pause frame stops the engine for its quanta", pauses },
	{ "XON ends a pause early", xon_ends },
	{ "pause frames without MFLCN.RFCE, and passed on by PMCF", not_enabled },
	{ "a filling packet buffer sends XOFF, an emptier one XON", sends },
	{ NULL, NULL }
};
