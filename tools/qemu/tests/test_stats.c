// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics registers and that reading clears them. */
#include "machine.h"

static void send(struct machine *m, unsigned int queue, size_t len, const char *da)
{
	unsigned int tail = rd(m, txr(queue, Q_TAIL));

	make_frame(at(m, TX_BUF(tail)), len, 0);
	memcpy(at(m, TX_BUF(tail)), da, 6);
	tx_desc(m, queue, tail, TX_BUF(tail), DATA | TXD_EOP | TXD_RS | len, len << 14);
	wr(m, txr(queue, Q_TAIL), (tail + 1) % RING_SIZE);
	run(m, 100000);
}

#define UNICAST		"\x02\x00\x00\x00\x00\x01"
#define BROADCAST	"\xff\xff\xff\xff\xff\xff"
#define MULTICAST	"\x01\x00\x5e\x00\x00\x01"

static void transmitted(struct machine *m)
{
	tx_start(m, 0);
	send(m, 0, 60, UNICAST);
	send(m, 0, 61, BROADCAST);
	send(m, 0, 1514, MULTICAST);
	CHECK_EQ(rd(m, GPTC), 3);
	CHECK_EQ(rd(m, GPTC), 0);
	CHECK_EQ(rd(m, TPT), 3);
	CHECK_EQ(rd(m, GOTCL), 60 + 61 + 1514 + 12);
	CHECK_EQ(rd(m, GOTCH), 0);
	CHECK_EQ(rd(m, GOTCL), 0);
	CHECK_EQ(rd(m, BPTC), 1);
	CHECK_EQ(rd(m, MPTC), 1);
	CHECK_EQ(rd(m, PTC64), 1);
	CHECK_EQ(rd(m, PTC64 + 4), 1);
	CHECK_EQ(rd(m, PTC64 + 20), 1);
	CHECK_EQ(rd(m, PTC64 + 20), 0);
}

static void received(struct machine *m)
{
	uint8_t frame[60];

	rx_start(m, 0);
	wr(m, FCTRL, FCTRL_BAM | FCTRL_MPE);
	rx_give(m, 0, 0, 8);
	rx_frame(m, 60, 0);
	rx_frame(m, 300, 0);
	make_frame(frame, 60, 0);
	memcpy(frame, BROADCAST, 6);
	e82599_receive(m->nic, frame, 60);
	memcpy(frame, MULTICAST, 6);
	e82599_receive(m->nic, frame, 60);
	memcpy(frame, UNICAST, 6);		/* not for us: only in the totals */
	e82599_receive(m->nic, frame, 60);
	CHECK_EQ(rd(m, GPRC), 4);
	CHECK_EQ(rd(m, TPR), 5);
	CHECK_EQ(rd(m, BPRC), 1);
	CHECK_EQ(rd(m, MPRC), 1);
	CHECK_EQ(rd(m, PRC64), 3);
	CHECK_EQ(rd(m, PRC64 + 12), 1);
	CHECK_EQ(rd(m, GORCL), 3 * 64 + 304);
	CHECK_EQ(rd(m, TORL), 4 * 64 + 304);
	CHECK_EQ(rd(m, GPRC), 0);
}

static void by_queue(struct machine *m)
{
	tx_start(m, 5);
	wr(m, TQSM(1), 7 << 8);			/* queue 5 counts in 7 */
	send(m, 5, 60, UNICAST);
	CHECK_EQ(rd(m, QPTC(0)), 0);
	CHECK_EQ(rd(m, QPTC(7)), 1);
	CHECK_EQ(rd(m, QBTC_L(7)), 64);
	CHECK_EQ(rd(m, QBTC_L(7)), 0);
	rx_start(m, 0);
	wr(m, RQSMR(0), 15);
	rx_give(m, 0, 0, 8);
	rx_frame(m, 60, 0);
	CHECK_EQ(rd(m, QPRC(15)), 1);
	CHECK_EQ(rd(m, QPRC(15)), 0);
	CHECK_EQ(rd(m, QBRC_L(15)), 64);
	CHECK_EQ(rd(m, QBRC_H(15)), 0);
}

static void writes_ignored(struct machine *m)
{
	wr(m, GPRC, 77);
	wr(m, QPRC(3), 77);
	wr(m, QBTC_H(3), 77);
	CHECK_EQ(rd(m, GPRC), 0);
	CHECK_EQ(rd(m, QPRC(3)), 0);
	CHECK_EQ(rd(m, QBTC_H(3)), 0);
}

static void survive_reset(struct machine *m)
{
	tx_start(m, 0);
	send(m, 0, 60, UNICAST);
	wr(m, CTRL, CTRL_RST);
	CHECK_EQ(rd(m, GPTC), 1);
	e82599_reset(m->nic);
	CHECK_EQ(rd(m, TPT), 0);
	CHECK_EQ(e82599_counters(m->nic)->tx_frames, 1);
}

const struct test stats_tests[] = {
	{ "transmit counters count and clear on read", transmitted },
	{ "receive counters count and clear on read", received },
	{ "queue counters follow TQSM and RQSMR", by_queue },
	{ "counters cannot be written", writes_ignored },
	{ "a software reset keeps the counters, power-on those of the bench", survive_reset },
	{ NULL, NULL }
};
