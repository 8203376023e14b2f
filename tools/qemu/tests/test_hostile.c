// SPDX-License-Identifier: GPL-2.0-or-later
/* The liar: repeatable, complete, and without effect on the core itself. */
#include "machine.h"

/* What a guest sees of ten thousand register reads. */
static uint32_t trace(struct machine *m, uint32_t seed)
{
	uint32_t sum = 0, i;

	e82599_set_hostile(m->nic, seed);
	for (i = 0; i < 10000; i++)
		sum = (sum << 5 | sum >> 27) ^ rd(m, MAXFRS);
	return sum;
}

static void repeats(struct machine *m)
{
	uint32_t one = trace(m, 1), two = trace(m, 2);

	CHECK(one != two);
	CHECK_EQ(trace(m, 1), one);
	CHECK_EQ(trace(m, 2), two);
}

static void rate(struct machine *m)
{
	uint64_t before;

	trace(m, 1);
	before = e82599_counters(m->nic)->mutations;
	CHECK(before > 100 && before < 300);	/* 20 in 1000, of 10000 */
	e82599_set_hostile_rate(m->nic, 0);
	trace(m, 1);
	CHECK_EQ(e82599_counters(m->nic)->mutations, before);
	e82599_set_hostile_rate(m->nic, 1000);
	trace(m, 1);
	CHECK_EQ(e82599_counters(m->nic)->mutations, before + 10000);
}

static void off(struct machine *m)
{
	uint32_t honest = trace(m, 0);

	CHECK_EQ(e82599_counters(m->nic)->mutations, 0);
	CHECK(trace(m, 1) != honest);
	CHECK_EQ(trace(m, 0), honest);
	e82599_set_hostile(m->nic, 3);
	wr(m, CTRL, CTRL_RST);			/* does not end it */
	e82599_reset(m->nic);
	e82599_set_hostile_rate(m->nic, 1000);
	rd(m, MAXFRS);
	CHECK(e82599_counters(m->nic)->mutations > 0);
}

/* Whether frames and rings come out right while every answer is a lie. */
static void core_stays_right(struct machine *m)
{
	uint8_t frame[60];
	unsigned int i;

	tx_start(m, 0);
	rx_start(m, 1);
	wr(m, MRQC, MRQC_MRQE_RSS);
	wr(m, txr(0, Q_WBAL), (MEM_BASE + 0x30000) | WBAL_EN);
	for (i = 0; i < 8; i++) {
		make_frame(at(m, TX_BUF(i)), 60, i);
		tx_desc(m, 0, i, TX_BUF(i), DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
	}
	e82599_set_hostile_rate(m->nic, 1000);
	e82599_set_hostile(m->nic, 7);
	wr(m, txr(0, Q_TAIL), 8);
	run(m, 1000000);
	CHECK_EQ(m->frames, 8);
	CHECK(get32(m, MEM_BASE + 0x30000) != 8);
	e82599_set_hostile(m->nic, 0);
	CHECK_EQ(rd(m, txr(0, Q_HEAD)), 8);
	for (i = 0; i < 8; i++) {
		make_frame(frame, 60, i);
		CHECK(!memcmp(m->frame[i], frame, 60));
	}
	CHECK_EQ(rd(m, GPTC), 8);
}

/* Each kind of write-back and each field gets its share. */
static void descriptors(struct machine *m)
{
	unsigned int i, status = 0, length = 0, rss = 0;

	rx_start(m, 0);
	e82599_set_hostile_rate(m->nic, 1000);
	e82599_set_hostile(m->nic, 11);
	for (i = 0; i < 1000; i++) {
		rx_give(m, 0, i % RING_SIZE, (i + 1) % RING_SIZE);
		rx_frame(m, 100, i);
		run(m, 10000);
		status += rx_status(m, 0, i % RING_SIZE) != (RXD_STAT_DD | RXD_STAT_EOP);
		length += rx_length(m, 0, i % RING_SIZE) != 100;
		rss += get32(m, RX_RING(0) + 16 * (i % RING_SIZE) + 4) != 0;
	}
	CHECK(status > 300);
	CHECK(length > 300);
	CHECK(rss > 50);
	e82599_set_hostile(m->nic, 0);
	CHECK_EQ(rd(m, rxr(0, Q_HEAD)), 1000 % RING_SIZE);
}

static void interrupts(struct machine *m)
{
	unsigned int i, elsewhere = 0, causes = 0;

	rx_start(m, 0);
	wr(m, GPIE, GPIE_MULTIPLE_MSIX);
	wr(m, IVAR(0), 0x80 | 1);
	wr(m, IVAR_MISC, 0x80 << 8);
	wr(m, EIAC, 0xffff);
	wr(m, EIMS, BIT32(1));
	rd(m, EICR);
	e82599_set_hostile_rate(m->nic, 200);
	e82599_set_hostile(m->nic, 5);
	for (i = 0; i < 1000; i++) {
		rx_give(m, 0, i % RING_SIZE, (i + 1) % RING_SIZE);
		rx_frame(m, 100, i);
		run(m, 10000);
	}
	e82599_set_hostile(m->nic, 0);
	for (i = 0; i < E82599_VECTORS; i++)
		elsewhere += i != 1 && m->msix[i];
	causes = rd(m, EICR) & EICR_OTHER_MASK;
	CHECK(elsewhere > 10);
	CHECK(causes != 0);
	CHECK(m->msix[1] > 500);
}

const struct test hostile_tests[] = {
	{ "same seed, same lies", repeats },
	{ "as many lies as the rate says, all counted", rate },
	{ "seed 0 is honest, resets do not end a case", off },
	{ "the core stays right while every answer is a lie", core_stays_right },
	{ "write-backs: status, length and hash are all changed", descriptors },
	{ "interrupts: other vectors, causes without a reason", interrupts },
	{ NULL, NULL }
};
