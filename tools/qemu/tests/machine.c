// SPDX-License-Identifier: GPL-2.0-or-later
/* The test machine and what most tests do with it. */
#include <stdlib.h>

#include "machine.h"

#define NEVER	INT64_MAX

static uint8_t *memory(struct machine *m, uint64_t addr, size_t len)
{
	if (addr < MEM_BASE || len > MEM_SIZE || addr - MEM_BASE > MEM_SIZE - len)
		return NULL;
	return m->mem + (addr - MEM_BASE);
}

static int dma_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
	struct machine *m = opaque;
	uint8_t *p = memory(m, addr, len);

	m->reads++;
	if (!p)
		return -1;
	memcpy(buf, p, len);
	return 0;
}

static int dma_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	struct machine *m = opaque;
	uint8_t *p = memory(m, addr, len);

	m->writes++;
	if (!p)
		return -1;
	memcpy(p, buf, len);
	return 0;
}

static bool wire_tx(void *opaque, const void *frame, size_t len)
{
	struct machine *m = opaque;

	if (m->frames < WIRE_FRAMES) {
		m->len[m->frames] = len;
		memcpy(m->frame[m->frames], frame, len < WIRE_MAX ? len : WIRE_MAX);
	}
	m->frames++;
	if (m->peer)
		e82599_receive(m->peer->nic, frame, len);
	return !m->wire_full;
}

static void msix(void *opaque, unsigned int vector)
{
	((struct machine *)opaque)->msix[vector]++;
}

static void intx(void *opaque, bool level)
{
	struct machine *m = opaque;

	m->intx = level;
	m->intx_raised += level;
}

static int64_t now(void *opaque)
{
	return ((struct machine *)opaque)->now;
}

static void timer_arm(void *opaque, enum e82599_timer timer, int64_t when)
{
	((struct machine *)opaque)->timer[timer] = when;
}

static void log_line(void *opaque, const char *line)
{
	(void)line;
	((struct machine *)opaque)->logged++;
}

static const struct e82599_ops ops = {
	.dma_read = dma_read,
	.dma_write = dma_write,
	.wire_tx = wire_tx,
	.msix = msix,
	.intx = intx,
	.now = now,
	.timer_arm = timer_arm,
	.log = log_line,
};

void machine_start(struct machine *m)
{
	static const struct e82599_config config = {
		.mac = TEST_MAC,
		.dma_delay_ns = 1000,
		.link_delay_ns = 100000,
		.line_rate = true,
		.rx_buffer = 16384,
	};
	int i;

	for (i = 0; i < E82599_TIMERS; i++)
		m->timer[i] = NEVER;
	m->nic = e82599_new(&ops, m, &config);
	if (!m->nic)
		abort();
}

void machine_stop(struct machine *m)
{
	e82599_free(m->nic);
}

struct machine *machine_new(void)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		abort();
	machine_start(m);
	return m;
}

void machine_free(struct machine *m)
{
	machine_stop(m);
	free(m);
}

void run(struct machine *m, int64_t ns)
{
	int64_t end = m->now + ns;
	int i, first;

	for (;;) {
		first = 0;
		for (i = 1; i < E82599_TIMERS; i++)
			if (m->timer[i] < m->timer[first])
				first = i;
		if (m->timer[first] > end)
			break;
		if (m->timer[first] > m->now)
			m->now = m->timer[first];
		m->timer[first] = NEVER;
		e82599_timer(m->nic, first);
	}
	m->now = end;
}

uint8_t *at(struct machine *m, uint64_t addr)
{
	uint8_t *p = memory(m, addr, 1);

	if (!p)
		abort();
	return p;
}

uint32_t get32(struct machine *m, uint64_t addr)
{
	const uint8_t *p = at(m, addr);

	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

void put32(struct machine *m, uint64_t addr, uint32_t value)
{
	uint8_t *p = at(m, addr);
	int i;

	for (i = 0; i < 4; i++)
		p[i] = value >> 8 * i;
}

void tx_start(struct machine *m, unsigned int queue)
{
	run(m, 1000000);	/* the link is up */
	wr(m, DMATXCTL, rd(m, DMATXCTL) | DMATXCTL_TE);
	wr(m, txr(queue, Q_BAL), TX_RING(queue));
	wr(m, txr(queue, Q_BAH), 0);
	wr(m, txr(queue, Q_LEN), RING_SIZE * 16);
	wr(m, txr(queue, Q_HEAD), 0);
	wr(m, txr(queue, Q_TAIL), 0);
	wr(m, txr(queue, Q_DCTL), DCTL_ENABLE);
}

void tx_desc(struct machine *m, unsigned int queue, unsigned int index, uint64_t addr,
	     uint32_t cmd, uint32_t opts)
{
	uint64_t desc = TX_RING(queue) + 16 * index;

	put32(m, desc, addr);
	put32(m, desc + 4, addr >> 32);
	put32(m, desc + 8, cmd);
	put32(m, desc + 12, opts);
}

bool tx_done(struct machine *m, unsigned int queue, unsigned int index)
{
	return get32(m, TX_RING(queue) + 16 * index + 12) & TXD_STAT_DD &&
	       get32(m, TX_RING(queue) + 16 * index + 8) == 0;
}

void rx_give(struct machine *m, unsigned int queue, unsigned int from, unsigned int tail)
{
	for (; from != tail; from = (from + 1) % RING_SIZE) {
		put32(m, RX_RING(queue) + 16 * from, RX_BUF(queue, from));
		put32(m, RX_RING(queue) + 16 * from + 4, 0);
		put32(m, RX_RING(queue) + 16 * from + 8, 0);
		put32(m, RX_RING(queue) + 16 * from + 12, 0);
	}
	wr(m, rxr(queue, Q_TAIL), tail);
}

void rx_start(struct machine *m, unsigned int queue)
{
	run(m, 1000000);
	wr(m, FCTRL, FCTRL_BAM);
	wr(m, RXCTRL, RXCTRL_RXEN);
	wr(m, rxr(queue, Q_BAL), RX_RING(queue));
	wr(m, rxr(queue, Q_BAH), 0);
	wr(m, rxr(queue, Q_LEN), RING_SIZE * 16);
	wr(m, rxr(queue, Q_HEAD), 0);
	wr(m, rxr(queue, Q_TAIL), 0);
	wr(m, rxr(queue, Q_SRRCTL), 2 | DESCTYPE_ADV_ONE << SRRCTL_DESCTYPE_SHIFT);
	wr(m, rxr(queue, Q_DCTL), DCTL_ENABLE);
}

uint32_t rx_status(struct machine *m, unsigned int queue, unsigned int index)
{
	return get32(m, RX_RING(queue) + 16 * index + 8);
}

uint32_t rx_length(struct machine *m, unsigned int queue, unsigned int index)
{
	return get32(m, RX_RING(queue) + 16 * index + 12) & 0xffff;
}

void make_frame(uint8_t *frame, size_t len, uint8_t seed)
{
	static const uint8_t mac[6] = TEST_MAC;
	size_t i;

	for (i = 0; i < len; i++)
		frame[i] = seed + i;
	memcpy(frame, mac, sizeof(mac));
	frame[12] = 0x88;	/* local experimental ethertype 1 */
	frame[13] = 0xb5;
}

void rx_frame(struct machine *m, size_t len, uint8_t seed)
{
	uint8_t frame[WIRE_MAX];

	make_frame(frame, len, seed);
	e82599_receive(m->nic, frame, len);
}
