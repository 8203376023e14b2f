// SPDX-License-Identifier: GPL-2.0-or-later
/* Transmit rings and plain frames. */
#include "machine.h"

static void put_frame(struct machine *m, unsigned int queue, unsigned int index, size_t len,
		      uint32_t more)
{
	make_frame(at(m, TX_BUF(index)), len, index);
	tx_desc(m, queue, index, TX_BUF(index), DATA | TXD_EOP | more | len, len << 14);
}

static void one_frame(struct machine *m)
{
	tx_start(m, 0);
	put_frame(m, 0, 0, 100, TXD_RS);
	wr(m, txr(0, Q_TAIL), 1);
	CHECK_EQ(m->frames, 0);			/* not inside the register write */
	run(m, 100000);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(m->len[0], 100);
	CHECK(!memcmp(m->frame[0], at(m, TX_BUF(0)), 100));
	CHECK(tx_done(m, 0, 0));
	CHECK_EQ(rd(m, txr(0, Q_HEAD)), 1);
	CHECK_EQ(e82599_counters(m->nic)->tail_writes, 2);
	CHECK_EQ(e82599_queue_tail_writes(m->nic, 0), 2);
}

static void last_queue(struct machine *m)
{
	tx_start(m, 127);
	make_frame(at(m, TX_BUF(0)), 60, 0);
	wr(m, txr(127, Q_BAL), TX_RING(0));
	tx_desc(m, 0, 0, TX_BUF(0), DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
	wr(m, txr(127, Q_TAIL), 1);
	run(m, 100000);
	CHECK_EQ(m->frames, 1);
}

static void padded(struct machine *m)
{
	tx_start(m, 0);
	put_frame(m, 0, 0, 20, 0);
	wr(m, txr(0, Q_TAIL), 1);
	run(m, 100000);
	CHECK_EQ(m->len[0], 60);
	CHECK_EQ(m->frame[0][20], 0);
	wr(m, HLREG0, rd(m, HLREG0) & ~HLREG0_TXPADEN);
	put_frame(m, 0, 1, 20, 0);
	wr(m, txr(0, Q_TAIL), 2);
	run(m, 100000);
	CHECK_EQ(m->len[1], 20);
}

/* Only what asked for it is reported. */
static void report_status(struct machine *m)
{
	unsigned int i;

	tx_start(m, 0);
	for (i = 0; i < 8; i++)
		put_frame(m, 0, i, 60, i == 7 ? TXD_RS : 0);
	wr(m, txr(0, Q_TAIL), 8);
	run(m, 100000);
	CHECK_EQ(m->frames, 8);
	for (i = 0; i < 7; i++)
		CHECK(!tx_done(m, 0, i));
	CHECK(tx_done(m, 0, 7));
	CHECK_EQ(m->writes, 1);
	CHECK_EQ(m->reads, 9);			/* one block, eight frames */
}

static void wraps(struct machine *m)
{
	unsigned int n, tail = 0;

	tx_start(m, 0);
	for (n = 0; n < 5 * RING_SIZE; n++) {
		put_frame(m, 0, tail, 64 + n, TXD_RS);
		tail = (tail + 1) % RING_SIZE;
		if (n % 3)
			continue;
		wr(m, txr(0, Q_TAIL), tail);
		run(m, 100000);
		CHECK_EQ(rd(m, txr(0, Q_HEAD)), tail);
	}
	wr(m, txr(0, Q_TAIL), tail);
	run(m, 100000);
	CHECK_EQ(m->frames, 5 * RING_SIZE);
	for (n = 0; n < 5 * RING_SIZE; n++)
		CHECK_EQ(m->len[n], 64 + n);
}

static void several_descriptors(struct machine *m)
{
	size_t i;

	tx_start(m, 0);
	make_frame(at(m, TX_BUF(0)), 1000, 7);
	tx_desc(m, 0, 0, TX_BUF(0), DATA | 14, 1000u << 14);
	tx_desc(m, 0, 1, TX_BUF(0) + 14, DATA | TXD_RS | 486, 0);
	tx_desc(m, 0, 2, TX_BUF(0) + 500, DATA | TXD_EOP | TXD_RS | 500, 0);
	wr(m, txr(0, Q_TAIL), 2);
	run(m, 100000);
	CHECK_EQ(m->frames, 0);			/* no EOP yet */
	CHECK(!tx_done(m, 0, 1));
	wr(m, txr(0, Q_TAIL), 3);
	run(m, 100000);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(m->len[0], 1000);
	for (i = 0; i < 1000; i++)
		CHECK_EQ(m->frame[0][i], at(m, TX_BUF(0))[i]);
	CHECK(!tx_done(m, 0, 0));
	CHECK(tx_done(m, 0, 1));
	CHECK(tx_done(m, 0, 2));
}

static void tail_beyond_ring(struct machine *m)
{
	tx_start(m, 0);
	put_frame(m, 0, 0, 60, TXD_RS);
	wr(m, txr(0, Q_TAIL), RING_SIZE);
	wr(m, txr(0, Q_TAIL), 0xffff);
	run(m, 1000000);
	CHECK_EQ(m->frames, 0);
	CHECK_EQ(m->reads, 0);
	CHECK_EQ(m->logged, 2);
	wr(m, txr(0, Q_TAIL), 1);		/* a good one goes on */
	run(m, 1000000);
	CHECK_EQ(m->frames, 1);
}

static void ring_of_no_length(struct machine *m)
{
	tx_start(m, 0);
	wr(m, txr(0, Q_LEN), 0);
	wr(m, txr(0, Q_TAIL), 0);
	wr(m, txr(0, Q_TAIL), 1);
	run(m, 1000000);
	CHECK_EQ(m->reads, 0);
}

static void ring_nowhere(struct machine *m)
{
	tx_start(m, 0);
	rd(m, EICR);
	wr(m, txr(0, Q_BAL), (uint32_t)NOWHERE);
	wr(m, txr(0, Q_BAH), NOWHERE >> 32);
	wr(m, txr(0, Q_TAIL), 4);
	run(m, 1000000);
	CHECK_EQ(m->frames, 0);
	CHECK_EQ(m->reads, 1);			/* it stops, it does not spin */
	CHECK_EQ(e82599_counters(m->nic)->dma_errors, 1);
	CHECK(rd(m, EICR) & EICR_PCI_EXCEPTION);
}

static void buffer_nowhere(struct machine *m)
{
	tx_start(m, 0);
	tx_desc(m, 0, 0, NOWHERE, DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
	tx_desc(m, 0, 1, MEM_BASE + MEM_SIZE - 30, DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
	put_frame(m, 0, 2, 60, TXD_RS);
	wr(m, txr(0, Q_TAIL), 3);
	run(m, 1000000);
	CHECK_EQ(m->frames, 1);			/* the good one */
	CHECK(tx_done(m, 0, 0) && tx_done(m, 0, 1) && tx_done(m, 0, 2));
	CHECK_EQ(e82599_counters(m->nic)->dma_errors, 2);
}

static void enable_handshake(struct machine *m)
{
	run(m, 1000000);
	put_frame(m, 0, 0, 60, TXD_RS);
	wr(m, txr(0, Q_BAL), TX_RING(0));
	wr(m, txr(0, Q_LEN), RING_SIZE * 16);
	wr(m, DMATXCTL, DMATXCTL_TE);
	wr(m, txr(0, Q_TAIL), 1);
	run(m, 100000);
	CHECK_EQ(m->reads, 0);			/* the queue is not enabled */
	wr(m, txr(0, Q_DCTL), DCTL_ENABLE);
	CHECK(rd(m, txr(0, Q_DCTL)) & DCTL_ENABLE);
	wr(m, txr(0, Q_HEAD), 5);		/* the engine's own now */
	CHECK_EQ(rd(m, txr(0, Q_HEAD)), 0);
	wr(m, txr(0, Q_DCTL), 0);
	CHECK(!(rd(m, txr(0, Q_DCTL)) & DCTL_ENABLE));
	wr(m, txr(0, Q_HEAD), 5);
	CHECK_EQ(rd(m, txr(0, Q_HEAD)), 5);
}

static void engine_off(struct machine *m)
{
	tx_start(m, 0);
	put_frame(m, 0, 0, 60, TXD_RS);
	wr(m, DMATXCTL, 0);
	wr(m, txr(0, Q_TAIL), 1);
	run(m, 100000);
	CHECK_EQ(m->frames, 0);
	wr(m, DMATXCTL, DMATXCTL_TE);
	run(m, 100000);
	CHECK_EQ(m->frames, 1);
}

static void link_down_waits(struct machine *m)
{
	tx_start(m, 0);
	put_frame(m, 0, 0, 60, TXD_RS);
	e82599_set_carrier(m->nic, false);
	wr(m, txr(0, Q_TAIL), 1);
	run(m, 1000000);
	CHECK_EQ(m->frames, 0);
	e82599_set_carrier(m->nic, true);
	run(m, 1000000);
	CHECK_EQ(m->frames, 1);
}

static void eight_for_a_full_wire(struct machine *m)
{
	unsigned int i;

	tx_start(m, 0);
	for (i = 0; i < 8; i++)
		put_frame(m, 0, i, 60, TXD_RS);
	m->wire_full = true;
	wr(m, txr(0, Q_TAIL), 8);
}

static void wire_pushes_back(struct machine *m)
{
	unsigned int i;

	eight_for_a_full_wire(m);
	for (i = 1; i <= 8; i++) {
		run(m, 1000000);
		CHECK_EQ(m->frames, i);		/* one, then it waits */
		e82599_wire_ready(m->nic);
	}
	run(m, 1000000);
	CHECK_EQ(m->frames, 8);
	CHECK(tx_done(m, 0, 7));
}

static void wire_speed(struct machine *m)
{
	unsigned int i;

	tx_start(m, 0);
	for (i = 0; i < 15; i++)
		put_frame(m, 0, i, 1476, TXD_RS);
	wr(m, txr(0, Q_TAIL), 15);
	run(m, 1000);
	CHECK_EQ(m->frames, 15);
	put_frame(m, 0, 15, 60, TXD_RS);
	wr(m, txr(0, Q_TAIL), 0);
	/* 15 frames of 1500 bytes on the wire last 18 us. */
	run(m, 17999);
	CHECK_EQ(m->frames, 15);
	run(m, 1);
	CHECK_EQ(m->frames, 16);
}

static void queues_in_turn(struct machine *m)
{
	unsigned int q;

	for (q = 0; q < 3; q++) {
		tx_start(m, q);
		make_frame(at(m, TX_BUF(q)), 60 + q, q);
		tx_desc(m, q, 0, TX_BUF(q), DATA | TXD_EOP | TXD_RS | (60 + q), (60 + q) << 14);
		wr(m, txr(q, Q_TAIL), 1);
	}
	run(m, 100000);
	CHECK_EQ(m->frames, 3);
	CHECK(tx_done(m, 0, 0) && tx_done(m, 1, 0) && tx_done(m, 2, 0));
}

/* A frame of each queue after the other, whatever their tails say. */
static void arbiter(struct machine *m)
{
	static const unsigned int queues[] = { 1, 2, 127 };
	unsigned int i, q;

	for (q = 0; q < 3; q++) {
		tx_start(m, queues[q]);
		wr(m, txr(queues[q], Q_BAL), TX_RING(q));
		for (i = 0; i < 8; i++) {
			make_frame(at(m, TX_BUF(q)), 60, q);
			tx_desc(m, q, i, TX_BUF(q), DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
		}
	}
	for (q = 0; q < 3; q++)
		wr(m, txr(queues[q], Q_TAIL), 8);
	run(m, 100000);
	CHECK_EQ(m->frames, 24);
	for (i = 0; i < 24; i++)
		CHECK_EQ(m->frame[i][20], (i % 3 + 20) & 0xff);
}

/* 10 Gbit/s to the bit: 84 bytes last 67.2 ns. */
static void line_rate(struct machine *m)
{
	unsigned int i;

	tx_start(m, 0);
	wr(m, txr(0, Q_LEN), 128 * 16);
	make_frame(at(m, TX_BUF(0)), 60, 1);
	for (i = 0; i < 128; i++)
		tx_desc(m, 0, i, TX_BUF(0), DATA | TXD_EOP | 60, 60u << 14);
	wr(m, txr(0, Q_TAIL), 127);
	run(m, 1000);
	CHECK_EQ(m->frames, 64);
	run(m, 4299);
	CHECK_EQ(m->frames, 64);
	run(m, 1);				/* 64 times 67.2 ns */
	CHECK_EQ(m->frames, 127);
	wr(m, txr(0, Q_TAIL), 50);
	run(m, 4232);
	CHECK_EQ(m->frames, 127);
	run(m, 2);
	CHECK_EQ(m->frames, 127 + 51);
}

/* Long frames: only a moment's worth is handed over before its time. */
static void ahead(struct machine *m)
{
	unsigned int i;

	tx_start(m, 0);
	wr(m, txr(0, Q_LEN), 128 * 16);
	for (i = 0; i < 100; i++)
		put_frame(m, 0, i, 1500, TXD_RS);
	wr(m, txr(0, Q_TAIL), 100);
	run(m, 1000);
	CHECK_EQ(m->frames, 17);		/* 17 times 1219.2 ns exceed 20 us */
	CHECK(!tx_done(m, 0, 17));
	run(m, 121920);
	CHECK_EQ(m->frames, 100);
}

/* Software takes back what was fetched already: the engine rests, and goes on. */
static void tail_back(struct machine *m)
{
	eight_for_a_full_wire(m);
	run(m, 2000);
	CHECK_EQ(m->frames, 1);
	wr(m, txr(0, Q_TAIL), 1);
	m->wire_full = false;
	e82599_wire_ready(m->nic);
	run(m, 100000);
	CHECK_EQ(m->frames, 1);
	wr(m, txr(0, Q_TAIL), 8);
	run(m, 100000);
	CHECK_EQ(m->frames, 8);
}

static void head_write_back(struct machine *m)
{
	tx_start(m, 0);
	wr(m, txr(0, Q_WBAL), (MEM_BASE + 0x30000) | WBAL_EN);
	wr(m, txr(0, Q_WBAH), 0);
	put_frame(m, 0, 0, 60, 0);
	put_frame(m, 0, 1, 60, TXD_RS);
	wr(m, txr(0, Q_TAIL), 2);
	run(m, 100000);
	CHECK_EQ(get32(m, MEM_BASE + 0x30000), 2);
	CHECK(!tx_done(m, 0, 1));
}

static void too_many_segments(struct machine *m)
{
	unsigned int i;

	tx_start(m, 0);
	wr(m, txr(0, Q_LEN), 128 * 16);
	for (i = 0; i < 100; i++)
		tx_desc(m, 0, i, TX_BUF(0), DATA | 16 | (i == 99 ? TXD_EOP | TXD_RS : 0), 0);
	make_frame(at(m, TX_BUF(1)), 60, 1);
	tx_desc(m, 0, 100, TX_BUF(1), DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
	wr(m, txr(0, Q_TAIL), 101);
	run(m, 1000000);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(e82599_counters(m->nic)->tx_malformed, 1);
	CHECK(tx_done(m, 0, 99));
	CHECK(tx_done(m, 0, 100));
}

static void too_long(struct machine *m)
{
	tx_start(m, 0);
	tx_desc(m, 0, 0, TX_BUF(0), DATA | 0xffff, 0);
	tx_desc(m, 0, 1, TX_BUF(0), DATA | TXD_EOP | TXD_RS | 0xffff, 0);
	tx_desc(m, 0, 2, TX_BUF(0), DATA | TXD_EOP | TXD_RS | 5, 0);
	wr(m, txr(0, Q_TAIL), 3);
	run(m, 1000000);
	CHECK_EQ(m->frames, 0);
	CHECK_EQ(e82599_counters(m->nic)->tx_malformed, 2);
	CHECK(tx_done(m, 0, 1) && tx_done(m, 0, 2));
}

static void unknown_type(struct machine *m)
{
	tx_start(m, 0);
	tx_desc(m, 0, 0, TX_BUF(0), TXD_DEXT | 7u << TXD_DTYP_SHIFT | TXD_EOP | TXD_RS | 60, 0);
	put_frame(m, 0, 1, 60, TXD_RS);
	wr(m, txr(0, Q_TAIL), 2);
	run(m, 1000000);
	CHECK_EQ(m->frames, 1);
	CHECK_EQ(e82599_counters(m->nic)->tx_malformed, 1);
	CHECK(tx_done(m, 0, 0));
}

static uint32_t random32(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8 ^ *seed << 16;
}

/* Descriptors of every kind, right in form and wild in content, on both sides. */
static void any_descriptor(struct machine *m)
{
	uint32_t seed = 7, round, i, q, cmd, opts;

	for (q = 0; q < 4; q++) {
		tx_start(m, q);
		rx_start(m, q);
	}
	wr(m, HLREG0, rd(m, HLREG0) | HLREG0_LPBK | HLREG0_JUMBOEN);
	wr(m, MAXFRS, 15872u << 16);
	wr(m, FCTRL, FCTRL_UPE | FCTRL_MPE | FCTRL_BAM);
	wr(m, MRQC, MRQC_MRQE_RSS | 0xff0000);
	for (i = 0; i < MEM_SIZE; i++)
		m->mem[i] = random32(&seed);
	for (round = 0; round < 3000; round++) {
		q = random32(&seed) & 3;
		for (i = 0; i < RING_SIZE; i++) {
			cmd = random32(&seed) & ~0xff80u;
			if (round & 1)
				cmd |= DATA;
			opts = random32(&seed);
			if (round & 2) {
				cmd &= ~TXD_TSE;
				opts = 0;
			}
			if (!(random32(&seed) & 7))
				cmd |= 0x7fff;
			tx_desc(m, q, i, TX_BUF(0) + (random32(&seed) & 0x7ffff), cmd, opts);
		}
		rx_give(m, q, 0, random32(&seed) % RING_SIZE);
		wr(m, rxr(q, Q_SRRCTL), (1 + random32(&seed) % 16) |
		   DESCTYPE_ADV_ONE << SRRCTL_DESCTYPE_SHIFT);
		wr(m, txr(q, Q_TAIL), random32(&seed) % RING_SIZE);
		run(m, 3000);
	}
	run(m, 100000000);
	CHECK(rd(m, GPTC) > 1000);
	CHECK(e82599_counters(m->nic)->tx_malformed > 100);
	for (q = 0; q < 4; q++)
		CHECK_EQ(rd(m, txr(q, Q_HEAD)), rd(m, txr(q, Q_TAIL)));
}

const struct test tx_tests[] = {
	{ "a frame goes out after the tail write, not in it", one_frame },
	{ "queue 127 sends", last_queue },
	{ "short frames are padded when HLREG0.TXPADEN says so", padded },
	{ "only descriptors with RS are reported, in one block fetch", report_status },
	{ "a ring wraps", wraps },
	{ "a frame of several descriptors waits for EOP", several_descriptors },
	{ "a tail beyond the ring fetches nothing", tail_beyond_ring },
	{ "a ring of no length fetches nothing", ring_of_no_length },
	{ "a ring that is no memory stops its queue", ring_nowhere },
	{ "a buffer that is no memory costs its frame only", buffer_nowhere },
	{ "TXDCTL.ENABLE handshake, head is read-only while enabled", enable_handshake },
	{ "DMATXCTL.TE starts and stops the engine", engine_off },
	{ "frames wait while the link is down", link_down_waits },
	{ "a full wire makes the engine wait, nothing is lost", wire_pushes_back },
	{ "the wire's speed paces the engine", wire_speed },
	{ "several queues send", queues_in_turn },
	{ "a tail written back to the head stops the engine", tail_back },
	{ "the arbiter takes a frame of each queue in turn", arbiter },
	{ "frames of 60 bytes go out at 10 Gbit/s exactly", line_rate },
	{ "long frames are not handed over long before their time", ahead },
	{ "TDWBAL: the head is written to memory", head_write_back },
	{ "a frame of too many descriptors is dropped and reported", too_many_segments },
	{ "frames too long or too short are dropped and reported", too_long },
	{ "a descriptor of unknown type is dropped and reported", unknown_type },
	{ "descriptors of any content are survived, and the rings go on", any_descriptor },
	{ NULL, NULL }
};
