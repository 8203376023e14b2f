// SPDX-License-Identifier: GPL-2.0-or-later
/* Reset, status handshakes, EEPROM, semaphores, link. */
#include "machine.h"

static void software_reset(struct machine *m)
{
	wr(m, FCTRL, 0x700);
	wr(m, MAXFRS, 9000u << 16);
	wr(m, CTRL, CTRL_RST);
	CHECK(rd(m, CTRL) & CTRL_RST);
	run(m, 1000);
	CHECK(!(rd(m, CTRL) & CTRL_RST));
	CHECK_EQ(rd(m, FCTRL), 0);
	CHECK_EQ(rd(m, MAXFRS), 1518u << 16);
	CHECK(rd(m, EEC) & EEC_AUTO_RD);
	CHECK(rd(m, RDRXCTL) & RDRXCTL_DMAIDONE);
}

static void reset_stops_queues(struct machine *m)
{
	tx_start(m, 3);
	rx_start(m, 3);
	CHECK(rd(m, txr(3, Q_DCTL)) & DCTL_ENABLE);
	wr(m, CTRL, CTRL_LRST);
	CHECK_EQ(rd(m, txr(3, Q_DCTL)) & DCTL_ENABLE, 0);
	CHECK_EQ(rd(m, rxr(3, Q_DCTL)) & DCTL_ENABLE, 0);
	CHECK_EQ(rd(m, EIMS), 0);
}

static void reset_drops_pending_tail(struct machine *m)
{
	tx_start(m, 0);
	make_frame(at(m, TX_BUF(0)), 60, 1);
	tx_desc(m, 0, 0, TX_BUF(0), DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
	wr(m, txr(0, Q_TAIL), 1);
	wr(m, CTRL, CTRL_RST);
	run(m, 10000000);
	CHECK_EQ(m->frames, 0);
	CHECK(!tx_done(m, 0, 0));
}

static void master_disable(struct machine *m)
{
	CHECK(rd(m, STATUS) & STATUS_PCIE_MASTER_EN);
	wr(m, CTRL, CTRL_PCIE_MASTER_DIS);
	CHECK(!(rd(m, STATUS) & STATUS_PCIE_MASTER_EN));
	wr(m, CTRL, 0);
	CHECK(rd(m, STATUS) & STATUS_PCIE_MASTER_EN);
}

static uint16_t eeprom(struct machine *m, unsigned int word)
{
	wr(m, EERD, word << 2 | EERD_START);
	return rd(m, EERD) & EERD_DONE ? rd(m, EERD) >> 16 : 0xdead;
}

/* The sum as software computes it: hardware words, then the sections 3..0xe. */
static void eeprom_checksum(struct machine *m)
{
	uint16_t sum = 0, ptr, len, i, j;

	for (i = 0; i < 0x40; i++)
		sum += eeprom(m, i);
	for (i = 3; i < 0xf; i++) {
		ptr = eeprom(m, i);
		if (ptr == 0xffff || ptr == 0)
			continue;
		len = eeprom(m, ptr);
		CHECK(len != 0xffff && len != 0);
		for (j = 1; j <= len; j++)
			sum += eeprom(m, ptr + j);
	}
	CHECK_EQ(sum, 0xbaba);
}

static void eeprom_mac(struct machine *m)
{
	uint16_t ptr = eeprom(m, 9);

	CHECK_EQ(eeprom(m, ptr + 1), 0x5452);
	CHECK_EQ(eeprom(m, ptr + 2), 0x1200);
	CHECK_EQ(eeprom(m, ptr + 3), 0x5634);
	CHECK_EQ(rd(m, RAL(0)), 0x12005452);
	CHECK_EQ(rd(m, RAH(0)), RAH_AV | 0x5634);
	CHECK_EQ(rd(m, RAL_LOW(0)), 0x12005452);
	CHECK_EQ(eeprom(m, 0x3fff), 0xffff);
}

static void eec_grant(struct machine *m)
{
	CHECK(rd(m, EEC) & EEC_PRES);
	CHECK(!(rd(m, EEC) & EEC_GNT));
	wr(m, EEC, rd(m, EEC) | EEC_REQ);
	CHECK(rd(m, EEC) & EEC_GNT);
	wr(m, EEC, rd(m, EEC) & ~EEC_REQ);
	CHECK(!(rd(m, EEC) & EEC_GNT));
}

static void semaphore(struct machine *m)
{
	CHECK_EQ(rd(m, SWSM) & SWSM_SMBI, 0);
	CHECK_EQ(rd(m, SWSM) & SWSM_SMBI, 1);
	wr(m, SWSM, SWSM_SWESMBI | SWSM_SMBI);
	CHECK(rd(m, SWSM) & SWSM_SWESMBI);
	wr(m, SW_FW_SYNC, 0x5);
	CHECK_EQ(rd(m, SW_FW_SYNC), 0x5);
	wr(m, SWSM, 0);
	CHECK_EQ(rd(m, SWSM) & SWSM_SMBI, 0);
}

static void link_comes_up(struct machine *m)
{
	CHECK(!(rd(m, LINKS) & LINKS_UP));
	run(m, 99999);
	CHECK(!(rd(m, LINKS) & LINKS_UP));
	run(m, 2);
	CHECK(rd(m, LINKS) & LINKS_UP);
	CHECK_EQ(rd(m, LINKS) & LINKS_SPEED_10G, LINKS_SPEED_10G);
	CHECK(rd(m, EICR) & EICR_LSC);
	CHECK(!(rd(m, EICR) & EICR_LSC));
}

static void link_follows_cable(struct machine *m)
{
	run(m, 1000000);
	rd(m, EICR);
	e82599_set_carrier(m->nic, false);
	CHECK(!(rd(m, LINKS) & LINKS_UP));
	CHECK(rd(m, EICR) & EICR_LSC);
	wr(m, CTRL, CTRL_RST);
	run(m, 1000000);
	CHECK(!(rd(m, LINKS) & LINKS_UP));
	e82599_set_carrier(m->nic, true);
	run(m, 1000000);
	CHECK(rd(m, LINKS) & LINKS_UP);
}

static void restart_negotiation(struct machine *m)
{
	run(m, 1000000);
	wr(m, AUTOC, rd(m, AUTOC) | AUTOC_RESTART_AN);
	CHECK(!(rd(m, AUTOC) & AUTOC_RESTART_AN));
	CHECK(!(rd(m, LINKS) & LINKS_UP));
	run(m, 1000000);
	CHECK(rd(m, LINKS) & LINKS_UP);
}

/* The two-wire bus, driven as software does. */
static void lines(struct machine *m, bool scl, bool sda)
{
	wr(m, I2CCTL, (scl ? I2CCTL_CLK_OUT : 0) | (sda ? I2CCTL_DATA_OUT : 0));
}

static void i2c_start(struct machine *m)
{
	lines(m, false, true);
	lines(m, true, true);
	lines(m, true, false);
	lines(m, false, false);
}

static bool i2c_bit(struct machine *m, bool sda)
{
	bool value;

	lines(m, false, sda);
	lines(m, true, sda);
	value = rd(m, I2CCTL) & I2CCTL_DATA_IN;
	lines(m, false, sda);
	return value;
}

/* True when acknowledged. */
static bool i2c_put(struct machine *m, uint8_t byte)
{
	int i;

	for (i = 7; i >= 0; i--)
		i2c_bit(m, byte >> i & 1);
	return !i2c_bit(m, true);
}

static uint8_t i2c_get(struct machine *m, bool more)
{
	uint8_t byte = 0;
	int i;

	for (i = 0; i < 8; i++)
		byte = byte << 1 | i2c_bit(m, true);
	i2c_bit(m, !more);
	return byte;
}

static void sfp_module(struct machine *m)
{
	CHECK_EQ(rd(m, I2CCTL) & 0xf, 0xf);	/* an idle bus is high */
	i2c_start(m);
	CHECK(!i2c_put(m, 0xae));		/* nobody there */
	i2c_start(m);
	CHECK(i2c_put(m, 0xa0));
	CHECK(i2c_put(m, 37));
	i2c_start(m);
	CHECK(i2c_put(m, 0xa1));
	CHECK_EQ(i2c_get(m, true), 0x00);
	CHECK_EQ(i2c_get(m, true), 0x1b);
	CHECK_EQ(i2c_get(m, false), 0x21);
	lines(m, false, false);
	lines(m, true, false);
	lines(m, true, true);			/* stop */
	i2c_start(m);
	CHECK(i2c_put(m, 0xa0));
	CHECK(i2c_put(m, 8));
	i2c_start(m);
	CHECK(i2c_put(m, 0xa1));
	CHECK_EQ(i2c_get(m, false), 0x04);
}

/* D3hot: nothing to read, to write or to receive; D0: as after power-on. */
static void power_states(struct machine *m)
{
	tx_start(m, 0);
	rx_start(m, 0);
	rx_give(m, 0, 0, 8);
	make_frame(at(m, TX_BUF(0)), 60, 1);
	tx_desc(m, 0, 0, TX_BUF(0), DATA | TXD_EOP | TXD_RS | 60, 60u << 14);
	wr(m, EIMS, EICR_LSC);
	wr(m, txr(0, Q_TAIL), 1);
	e82599_set_power(m->nic, false);
	CHECK_EQ(rd(m, STATUS), UINT32_MAX);
	CHECK_EQ(rd(m, E82599_BAR0_SIZE), UINT32_MAX);
	wr(m, MAXFRS, 9000u << 16);
	wr(m, EIMS, EICR_LSC);
	wr(m, EICS, EICR_LSC);
	rx_frame(m, 60, 1);
	e82599_set_carrier(m->nic, false);
	run(m, 10000000);
	CHECK_EQ(m->frames, 0);
	CHECK(!tx_done(m, 0, 0));
	CHECK_EQ(rx_status(m, 0, 0), 0);
	CHECK(!m->intx);
	e82599_set_power(m->nic, true);
	CHECK_EQ(rd(m, MAXFRS), 1518u << 16);
	CHECK_EQ(rd(m, txr(0, Q_DCTL)), 0);
	run(m, 10000000);
	CHECK(!(rd(m, LINKS) & LINKS_UP));
	e82599_set_carrier(m->nic, true);
	run(m, 1000000);
	CHECK(rd(m, LINKS) & LINKS_UP);
}

static void outside_bar(struct machine *m)
{
	CHECK_EQ(rd(m, E82599_BAR0_SIZE), 0);
	CHECK_EQ(rd(m, 0xfffffffc), 0);
	CHECK_EQ(rd(m, CTRL + 1), 0);
	wr(m, E82599_BAR0_SIZE, 1);
	wr(m, 0xfffffffc, 1);
	wr(m, txr(128, Q_TAIL), 1);
}

/* No value in any register may upset the core: a fixed walk through all of them. */
static void any_value_anywhere(struct machine *m)
{
	uint32_t seed = 1, i;

	for (i = 0; i < 400000; i++) {
		seed = seed * 1664525 + 1013904223;
		wr(m, seed >> 15 & 0x1fffc, seed ^ seed << 13);
		if (i % 16 == 0) {
			run(m, 2000);
			rx_frame(m, 60 + (seed >> 8) % 1400, seed);
		}
		rd(m, seed >> 14 & 0x1fffc);
	}
}

const struct test reset_tests[] = {
	{ "CTRL.RST clears itself and registers have their initial values", software_reset },
	{ "a reset disables queues and interrupts", reset_stops_queues },
	{ "a reset forgets tails that were written", reset_drops_pending_tail },
	{ "master disable is confirmed in STATUS", master_disable },
	{ "EEPROM checksum is 0xBABA over words and sections", eeprom_checksum },
	{ "EEPROM address is loaded into RAR 0", eeprom_mac },
	{ "EEC request is granted", eec_grant },
	{ "SWSM.SMBI is taken by reading", semaphore },
	{ "the link comes up after a reset and says so", link_comes_up },
	{ "the link follows the cable, also over a reset", link_follows_cable },
	{ "AUTOC.Restart_AN takes the link down and up", restart_negotiation },
	{ "the SFP+ module answers on its bus", sfp_module },
	{ "D3hot takes everything away, D0 begins anew", power_states },
	{ "accesses outside the BAR do nothing", outside_bar },
	{ "any value in any register is survived", any_value_anywhere },
	{ NULL, NULL }
};
