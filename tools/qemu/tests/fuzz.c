// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The core under libFuzzer: the input is a program of register accesses,
 * descriptors, memory, frames from the wire and steps of time, run on the
 * tests' machine, two of them on one wire.  What is looked for is what the
 * sanitizers find, and a core that does not come to rest.
 */
#include "machine.h"

struct input {
	const uint8_t *data;
	size_t left;
};

static uint32_t take(struct input *in, unsigned int bytes)
{
	uint32_t value = 0;

	while (bytes-- && in->left) {
		value = value << 8 | *in->data++;
		in->left--;
	}
	return value;
}

/* Any register, any value. */
static void any_write(struct machine *m, struct input *in)
{
	uint32_t addr = take(in, 2) * 4;

	wr(m, addr, take(in, 4));
}

/* A register that steers the engines, so that few bytes reach deep. */
static void known_write(struct machine *m, struct input *in)
{
	static const uint32_t regs[] = {
		CTRL, EICR, EICS, EIMS, EIMC, EIAC, EIAM, GPIE, IVAR(0), IVAR(1), IVAR_MISC,
		EITR_LOW(0), RXCSUM, FCTRL, VLNCTRL, MCSTCTRL, MRQC, RETA(0), RSSRK(0),
		RDRXCTL, RXCTRL, DMATXCTL, DTXTCPFLGL, RTTDCS, SECTXCTRL, SECRXCTRL, FCTTV(0),
		FCRTL(0), FCRTH(0), FCRTV, FCCFG, FDIRCTRL, FDIRIPSA, FDIRPORT, FDIRVLAN,
		FDIRHASH, FDIRCMD, FDIRTCPM, FDIRM, FDIRHKEY, HLREG0, MAXFRS, MFLCN, AUTOC,
		I2CCTL, EERD, EEC, SWSM, MSCA, RAH(1), UTA(0), MTA(0), VFTA(0), RQSMR(0), TQSM(0),
	};

	wr(m, regs[take(in, 1) % (sizeof(regs) / sizeof(regs[0]))], take(in, 4));
}

static void queue_write(struct machine *m, struct input *in)
{
	uint32_t where = take(in, 1), reg = (take(in, 1) & 0xf) * 4;
	unsigned int queue = where >> 1 & 7;

	if (where & 0x80)
		queue += 120;
	wr(m, where & 1 ? txr(queue, reg) : rxr(queue, reg), take(in, 4));
}

static void tail(struct machine *m, struct input *in)
{
	uint32_t what = take(in, 1);
	unsigned int queue = what >> 1 & 3;

	wr(m, what & 1 ? txr(queue, Q_TAIL) : rxr(queue, Q_TAIL), what >> 3);
}

static void descriptor(struct machine *m, struct input *in)
{
	uint32_t where = take(in, 1), cmd = take(in, 4), opts = take(in, 4);

	tx_desc(m, where & 3, where >> 2 & 15, TX_BUF(0) + take(in, 2), cmd, opts);
}

static void memory(struct machine *m, struct input *in)
{
	uint64_t addr = MEM_BASE + take(in, 2) * 32 % (MEM_SIZE - 256);
	unsigned int n = take(in, 1);

	while (n-- && in->left)
		*at(m, addr++) = take(in, 1);
}

static void frame(struct machine *m, struct input *in)
{
	size_t len = take(in, 2) % WIRE_MAX, given = take(in, 1), i;
	uint8_t data[WIRE_MAX];

	make_frame(data, len > 14 ? len : 14, 0);
	for (i = 0; i < given && i < len && in->left; i++)
		data[i] = take(in, 1);
	e82599_receive(m->nic, data, len);
}

static void outside(struct machine *m, struct input *in)
{
	uint32_t what = take(in, 1);

	switch (what & 7) {
	case 0:
	case 1:
		e82599_set_carrier(m->nic, what & 1);
		break;
	case 2:
	case 3:
		e82599_set_power(m->nic, what & 1);
		break;
	case 4:
		e82599_raise(m->nic, take(in, 4));
		break;
	case 5:
		e82599_set_hostile(m->nic, what >> 3);
		break;
	case 6:
		m->wire_full = what & 8;
		break;
	default:
		e82599_wire_ready(m->nic);
		break;
	}
}

static void step(struct machine *m, struct input *in)
{
	switch (take(in, 1) % 10) {
	case 0:
		any_write(m, in);
		break;
	case 1:
		known_write(m, in);
		break;
	case 2:
		queue_write(m, in);
		break;
	case 3:
		tail(m, in);
		break;
	case 4:
		descriptor(m, in);
		break;
	case 5:
		memory(m, in);
		break;
	case 6:
		frame(m, in);
		break;
	case 7:
		outside(m, in);
		break;
	case 8:
		rd(m, take(in, 2) * 4);
		break;
	default:
		run(m, take(in, 2) * 16);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct input in = { data, len };
	static struct machine machines[2];
	struct machine *m[2] = { &machines[0], &machines[1] };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		memset(m[i], 0, offsetof(struct machine, frame));
		machine_start(m[i]);
	}

	for (i = 0; i < 2; i++) {
		m[i]->peer = m[!i];
		tx_start(m[i], 0);
		rx_start(m[i], 0);
		rx_give(m[i], 0, 0, RING_SIZE - 1);
	}
	while (in.left) {
		i = take(&in, 1) & 1;
		step(m[i], &in);
		/* One clock for both. */
		run(m[i], 100);
		if (m[!i]->now < m[i]->now)
			run(m[!i], m[i]->now - m[!i]->now);
	}
	for (i = 0; i < 2; i++)
		machine_stop(m[i]);
	return 0;
}
