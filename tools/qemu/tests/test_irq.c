// SPDX-License-Identifier: GPL-2.0-or-later
/* Causes, masks, vectors, auto clear and auto mask, moderation. */
#include "machine.h"

/* Messages for vectors; queue 0 receive on 1, transmit on 2, the rest on 0. */
static void set_up(struct machine *m)
{
	run(m, 1000000);
	rd(m, EICR);
	wr(m, GPIE, GPIE_MULTIPLE_MSIX | GPIE_EIAME | GPIE_EIMEN);
	wr(m, IVAR(0), 0x80 | 1 | (0x80 | 2) << 8);
	wr(m, IVAR_MISC, (0x80 | 0) << 8);
	wr(m, EIAC, 0xffff);
}

static void masked_cause_waits(struct machine *m)
{
	set_up(m);
	wr(m, EICS, BIT32(1));
	CHECK_EQ(m->msix[1], 0);
	CHECK_EQ(rd(m, EICS), BIT32(1));	/* shows, does not clear */
	wr(m, EIMS, BIT32(1));
	CHECK_EQ(m->msix[1], 1);
	CHECK_EQ(rd(m, EICR), 0);		/* auto clear */
}

static void auto_mask(struct machine *m)
{
	set_up(m);
	wr(m, EIAM, BIT32(1));
	wr(m, EIMS, BIT32(1) | BIT32(2));
	wr(m, EICS, BIT32(1));
	CHECK_EQ(m->msix[1], 1);
	CHECK_EQ(rd(m, EIMS), BIT32(2));
	wr(m, EICS, BIT32(1));
	CHECK_EQ(m->msix[1], 1);
	wr(m, EIMS, BIT32(1));
	CHECK_EQ(m->msix[1], 2);
}

static void mask_clear(struct machine *m)
{
	set_up(m);
	wr(m, EIMS, BIT32(1) | EICR_LSC);
	wr(m, EIMC, BIT32(1));
	CHECK_EQ(rd(m, EIMS), EICR_LSC);
	wr(m, EICS, BIT32(1));
	CHECK_EQ(m->msix[1], 0);
	wr(m, EICR, BIT32(1));			/* write one to clear */
	wr(m, EIMS, BIT32(1));
	CHECK_EQ(m->msix[1], 0);
}

static void high_vectors(struct machine *m)
{
	set_up(m);
	wr(m, EIMS_EX(1), BIT32(31));
	wr(m, EICS_EX(1), BIT32(31));
	CHECK_EQ(m->msix[63], 1);
	wr(m, EIAM_EX(0), BIT32(20));
	wr(m, EIMS_EX(0), BIT32(20));
	wr(m, EICS_EX(0), BIT32(20));
	CHECK_EQ(m->msix[20], 1);
	CHECK_EQ(rd(m, EIMS_EX(0)), 0);
	wr(m, EIMC_EX(1), BIT32(31));
	CHECK_EQ(rd(m, EIMS_EX(1)), 0);
}

static void other_cause(struct machine *m)
{
	set_up(m);
	wr(m, EIMS, EICR_LSC);
	e82599_set_carrier(m->nic, false);
	CHECK_EQ(m->msix[0], 1);
	CHECK_EQ(rd(m, EICS) & EICR_LSC, EICR_LSC);
	CHECK_EQ(m->msix[0], 1);		/* told once */
	wr(m, EICR, EICR_LSC);
	CHECK_EQ(rd(m, EICR) & EICR_LSC, 0);
	e82599_set_carrier(m->nic, true);
	run(m, 1000000);
	CHECK_EQ(m->msix[0], 2);
}

static void other_and_masked_queue_share(struct machine *m)
{
	set_up(m);
	wr(m, IVAR(0), 0x80 | 0);		/* receive of queue 0 on vector 0 too */
	wr(m, EIMS, EICR_LSC);
	wr(m, EICS, BIT32(0));
	e82599_set_carrier(m->nic, false);
	CHECK_EQ(m->msix[0], 1);
	wr(m, EIMS, BIT32(0));			/* the queue's cause is still there */
	CHECK_EQ(m->msix[0], 2);
}

static void read_clear(struct machine *m)
{
	run(m, 1000000);
	CHECK_EQ(rd(m, EICR), EICR_LSC);
	wr(m, EICS, 0x10f00);
	CHECK_EQ(rd(m, EICR), 0x10f00);
	CHECK_EQ(rd(m, EICR), 0);
	wr(m, GPIE, GPIE_OCD);			/* only 16..29 are cleared */
	wr(m, EICS, EICR_TCP_TIMER | 0x10f00);
	CHECK_EQ(rd(m, EICR), EICR_TCP_TIMER | 0x10f00);
	CHECK_EQ(rd(m, EICR), EICR_TCP_TIMER | 0xf00);
}

static void pin(struct machine *m)
{
	run(m, 1000000);
	rd(m, EICR);
	wr(m, EIMS, EICR_LSC | 1);
	wr(m, IVAR(0), 0x80);
	CHECK(!m->intx);
	wr(m, EICS, 1);
	CHECK(m->intx);
	CHECK_EQ(rd(m, EICR), 1);
	CHECK(!m->intx);
}

static void pin_auto_mask(struct machine *m)
{
	run(m, 1000000);
	rd(m, EICR);
	wr(m, EIAM, 1);
	wr(m, EIMS, 1);
	wr(m, EICS, 1);
	CHECK(m->intx);
	CHECK_EQ(rd(m, EICR), 1);
	CHECK_EQ(rd(m, EIMS), 0);
	wr(m, EICS, 1);
	CHECK(!m->intx);
	wr(m, EIMS, 1);
	CHECK(m->intx);
	CHECK_EQ(m->msix[0], 0);
}

static void pin_moderated(struct machine *m)
{
	run(m, 1000000);
	rd(m, EICR);
	wr(m, EITR_LOW(0), 5 << 3);
	wr(m, EIMS, 1);
	wr(m, EICS, 1);
	CHECK_EQ(rd(m, EICR), 1);
	wr(m, EICS, 1);
	run(m, 9999);
	CHECK_EQ(m->intx_raised, 1);
	run(m, 1);
	CHECK_EQ(m->intx_raised, 2);
}

static void raised_cause(struct machine *m)
{
	set_up(m);
	wr(m, EIMS, EICR_ECC);
	e82599_raise(m->nic, EICR_ECC | 1);	/* queues have causes of their own */
	CHECK_EQ(m->msix[0], 1);
	CHECK_EQ(rd(m, EICR), EICR_ECC);
	e82599_set_power(m->nic, false);
	e82599_raise(m->nic, EICR_ECC);
	e82599_set_power(m->nic, true);
	CHECK_EQ(rd(m, EICR), 0);
}

/* 10 us: the field counts 2 us from bit 3 on. */
static void moderation(struct machine *m)
{
	set_up(m);
	wr(m, GPIE, GPIE_MULTIPLE_MSIX);
	wr(m, EITR_LOW(1), 5 << 3);
	wr(m, EIMS, BIT32(1));
	wr(m, EICS, BIT32(1));
	CHECK_EQ(m->msix[1], 1);
	wr(m, EICS, BIT32(1));
	run(m, 9999);
	CHECK_EQ(m->msix[1], 1);
	run(m, 1);
	CHECK_EQ(m->msix[1], 2);
	run(m, 1000000);
	CHECK_EQ(m->msix[1], 2);
}

static void moderation_keeps_counter(struct machine *m)
{
	set_up(m);
	wr(m, GPIE, GPIE_MULTIPLE_MSIX);
	wr(m, EITR_LOW(1), 5 << 3);
	wr(m, EIMS, BIT32(1));
	wr(m, EICS, BIT32(1));
	wr(m, EITR_LOW(1), 6 << 3 | EITR_CNT_WDIS);
	wr(m, EICS, BIT32(1));
	CHECK_EQ(m->msix[1], 1);
	wr(m, EITR_LOW(1), 6 << 3);		/* counter written: due now */
	CHECK_EQ(m->msix[1], 2);
}

static void two_vectors_moderated(struct machine *m)
{
	set_up(m);
	wr(m, GPIE, GPIE_MULTIPLE_MSIX);
	wr(m, EITR_LOW(1), 50 << 3);
	wr(m, EITR_LOW(2), 5 << 3);
	wr(m, EIMS, BIT32(1) | BIT32(2));
	wr(m, EICS, BIT32(1) | BIT32(2));
	wr(m, EICS, BIT32(1) | BIT32(2));
	CHECK_EQ(m->msix[1] + m->msix[2], 2);
	run(m, 10000);
	CHECK_EQ(m->msix[2], 2);
	CHECK_EQ(m->msix[1], 1);
	run(m, 90000);
	CHECK_EQ(m->msix[1], 2);
}

static void queue_causes(struct machine *m)
{
	set_up(m);
	wr(m, EIMS, 0xffff);
	tx_start(m, 0);
	make_frame(at(m, TX_BUF(0)), 60, 1);
	tx_desc(m, 0, 0, TX_BUF(0), DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
	wr(m, txr(0, Q_TAIL), 1);
	run(m, 100000);
	CHECK_EQ(m->msix[2], 1);
	rx_start(m, 0);
	rx_give(m, 0, 0, 8);
	rx_frame(m, 60, 1);
	CHECK_EQ(m->msix[1], 1);
	wr(m, IVAR(0), 0);			/* not valid: no cause */
	rx_frame(m, 60, 1);
	CHECK_EQ(m->msix[1], 1);
}

const struct test irq_tests[] = {
	{ "a masked cause waits for EIMS, then EIAC clears it", masked_cause_waits },
	{ "EIAM masks when the message goes out", auto_mask },
	{ "EIMC masks, EICR is cleared by writing ones", mask_clear },
	{ "vectors 16 to 63 through the extended registers", high_vectors },
	{ "link change goes to IVAR_MISC's vector, once", other_cause },
	{ "a masked queue cause survives the other cause's message", other_and_masked_queue_share },
	{ "reading EICR clears, with OCD only bits 16 to 29", read_clear },
	{ "the pin follows causes and mask", pin },
	{ "without messages, reading EICR masks by EIAM", pin_auto_mask },
	{ "EITR 0 moderates the pin", pin_moderated },
	{ "an ECC error can be raised from outside", raised_cause },
	{ "EITR holds the second interrupt back for the interval", moderation },
	{ "EITR.CNT_WDIS leaves the running interval alone", moderation_keeps_counter },
	{ "vectors are moderated each for itself", two_vectors_moderated },
	{ "queue causes reach the vectors of IVAR", queue_causes },
	{ NULL, NULL }
};
