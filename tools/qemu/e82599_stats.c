// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statistics registers, 8.2.3.23.  All are cleared by reading.  The 36-bit ones
 * are pairs: reading the low half takes the value, the high half gives the rest
 * of what was taken, so that nothing is lost in between.
 */
#include "e82599_internal.h"

#define STATS_FIRST	0x03f00
#define STATS_END	0x04200

/* Where the counter behind a pair of registers is; @high for its upper half. */
static uint64_t *wide_counter(struct e82599 *nic, uint32_t addr, bool *high)
{
	unsigned int n;

	*high = addr == GORCH || addr == GOTCH || addr == TORH;
	switch (addr) {
	case GORCL:
	case GORCH:
		return &nic->gorc;
	case GOTCL:
	case GOTCH:
		return &nic->gotc;
	case TORL:
	case TORH:
		return &nic->tor;
	}
	if (addr >= QBTC_L(0) && addr < QBTC_L(E82599_STATS)) {
		n = (addr - QBTC_L(0)) / 8;
		*high = addr & 4;
		return &nic->qbtc[n];
	}
	if (addr >= QBRC_L(0) && addr < QBRC_L(E82599_STATS)) {
		n = (addr - QBRC_L(0)) / QUEUE_STRIDE;
		*high = addr == QBRC_H(n);
		return addr == QBRC_L(n) || *high ? &nic->qbrc[n] : NULL;
	}
	return NULL;
}

static bool narrow_counter(uint32_t addr)
{
	if (addr >= STATS_FIRST && addr < STATS_END)
		return true;
	if (addr >= QPTC(0) && addr < QPTC(E82599_STATS))
		return true;
	/* QPRC of 16 counters, then QPRDC of 16, each in a queue's block. */
	return addr >= QPRC(0) && addr < QPRDC(E82599_STATS) &&
	       (addr & (QUEUE_STRIDE - 1)) == Q_STAT0;
}

void e82599_stats_reset(struct e82599 *nic)
{
	memset(e82599_reg(nic, STATS_FIRST), 0, STATS_END - STATS_FIRST);
	memset(nic->qbrc, 0, sizeof(nic->qbrc));
	memset(nic->qbtc, 0, sizeof(nic->qbtc));
	nic->gorc = 0;
	nic->gotc = 0;
	nic->tor = 0;
}

bool e82599_stats_owns(uint32_t addr)
{
	if (narrow_counter(addr))
		return true;
	if (addr >= QBTC_L(0) && addr < QBTC_L(E82599_STATS))
		return true;
	return addr >= QBRC_L(0) && addr < QBRC_L(E82599_STATS) &&
	       ((addr & (QUEUE_STRIDE - 1)) == Q_STAT1 || (addr & (QUEUE_STRIDE - 1)) == Q_STAT2);
}

bool e82599_stats_read(struct e82599 *nic, uint32_t addr, uint32_t *value)
{
	uint64_t *counter;
	bool high;

	if (!e82599_stats_owns(addr))
		return false;
	counter = wide_counter(nic, addr, &high);
	if (!counter) {
		*value = *e82599_reg(nic, addr);
		*e82599_reg(nic, addr) = 0;
		return true;
	}
	/* The register of the high half holds what the low half's reader left. */
	if (high) {
		*value = *e82599_reg(nic, addr) & 0xf;
		*e82599_reg(nic, addr) = 0;
	} else {
		*value = *counter;
		*e82599_reg(nic, addr + 4) += *counter >> 32;
		*counter = 0;
	}
	return true;
}

/* Size bins count with the FCS: 64, 65..127, ..., 1024 and more. */
static unsigned int size_bin(size_t len)
{
	static const unsigned int limit[] = { 64, 127, 255, 511, 1023 };
	unsigned int i;

	for (i = 0; i < 5 && len > limit[i]; i++)
		;
	return i;
}

static bool is_broadcast(const uint8_t *da)
{
	return (da[0] & da[1] & da[2] & da[3] & da[4] & da[5]) == 0xff;
}

/* RQSMR and TQSM: four queues a register, the counter's number in four bits. */
static unsigned int counter_of(struct e82599 *nic, uint32_t map, unsigned int queue)
{
	return *e82599_reg(nic, map + queue / 4 * 4) >> queue % 4 * 8 & 0xf;
}

/* Pause frames count, too: software takes them off again. */
void e82599_stats_tx(struct e82599 *nic, const uint8_t *frame, size_t len)
{
	len += E82599_FCS;
	nic->count.tx_frames++;
	*e82599_reg(nic, GPTC) += 1;
	*e82599_reg(nic, TPT) += 1;
	*e82599_reg(nic, PTC64 + 4 * size_bin(len)) += 1;
	if (is_broadcast(frame))
		*e82599_reg(nic, BPTC) += 1;
	else if (frame[0] & 1)
		*e82599_reg(nic, MPTC) += 1;
	nic->gotc += len;
}

void e82599_stats_tx_queue(struct e82599 *nic, unsigned int queue, size_t len)
{
	unsigned int n = counter_of(nic, TQSM(0), queue);

	*e82599_reg(nic, QPTC(n)) += 1;
	nic->qbtc[n] += len + E82599_FCS;
}

void e82599_stats_rx(struct e82599 *nic, const uint8_t *frame, size_t len)
{
	len += E82599_FCS;
	*e82599_reg(nic, GPRC) += 1;
	*e82599_reg(nic, PRC64 + 4 * size_bin(len)) += 1;
	if (is_broadcast(frame))
		*e82599_reg(nic, BPRC) += 1;
	else if (frame[0] & 1)
		*e82599_reg(nic, MPRC) += 1;
	nic->gorc += len;
}

void e82599_stats_rx_queue(struct e82599 *nic, unsigned int queue, size_t len)
{
	unsigned int n = counter_of(nic, RQSMR(0), queue);

	nic->count.rx_frames++;
	*e82599_reg(nic, QPRC(n)) += 1;
	nic->qbrc[n] += len;
}

void e82599_stats_rx_dropped(struct e82599 *nic, unsigned int queue)
{
	*e82599_reg(nic, QPRDC(counter_of(nic, RQSMR(0), queue))) += 1;
}
