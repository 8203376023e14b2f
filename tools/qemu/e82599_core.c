// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Life, reset and register dispatch of the emulated 82599.  Most registers only
 * remember what was written; those that do something are named here and handed
 * to the file of their concern.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "e82599_internal.h"

#define RESET_NS	1000	/* CTRL.RST clears itself, 4.2.1.6.1 */

void e82599_log(struct e82599 *nic, const char *format, ...)
{
	char line[160];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	nic->ops->log(nic->opaque, line);
}

/* A failed access is what PCIe reports as an unsupported request. */
static void dma_failed(struct e82599 *nic, const char *what, uint64_t addr, size_t len)
{
	nic->count.dma_errors++;
	e82599_log(nic, "DMA %s of %zu bytes at 0x%" PRIx64 " failed", what, len, addr);
	e82599_irq_other(nic, EICR_PCI_EXCEPTION);
}

int e82599_dma_read(struct e82599 *nic, uint64_t addr, void *buf, size_t len)
{
	int err = nic->ops->dma_read(nic->opaque, addr, buf, len);

	if (err)
		dma_failed(nic, "read", addr, len);
	return err;
}

int e82599_dma_write(struct e82599 *nic, uint64_t addr, const void *buf, size_t len)
{
	int err = nic->ops->dma_write(nic->opaque, addr, buf, len);

	if (err)
		dma_failed(nic, "write", addr, len);
	return err;
}

struct e82599 *e82599_new(const struct e82599_ops *ops, void *opaque,
			  const struct e82599_config *config)
{
	struct e82599 *nic = calloc(1, sizeof(*nic));

	if (!nic)
		return NULL;
	nic->ops = ops;
	nic->opaque = opaque;
	nic->cfg = *config;
	nic->carrier = true;
	e82599_hostile_init(&nic->hostile, &nic->count.mutations);
	nic->fifo.size = config->rx_buffer;
	nic->fifo.buf = malloc(config->rx_buffer);
	if (!nic->fifo.buf) {
		free(nic);
		return NULL;
	}
	e82599_eeprom_init(nic);
	e82599_reset(nic);
	return nic;
}

void e82599_free(struct e82599 *nic)
{
	if (!nic)
		return;
	free(nic->fifo.buf);
	free(nic);
}

const struct e82599_counters *e82599_counters(const struct e82599 *nic)
{
	return &nic->count;
}

uint64_t e82599_queue_tail_writes(const struct e82599 *nic, unsigned int queue)
{
	return queue < E82599_QUEUES ? nic->txq[queue].tail_writes : 0;
}

/* Initial values that are not 0, from the register descriptions of 8.2.3. */
static void reset_values(struct e82599 *nic)
{
	unsigned int i;

	*e82599_reg(nic, STATUS) = STATUS_PCIE_MASTER_EN |
				   nic->cfg.lan_id << STATUS_LAN_ID_SHIFT;
	*e82599_reg(nic, FWSM) = FWSM_FW_VALID;
	*e82599_reg(nic, EEC) = EEC_PRES | EEC_AUTO_RD | 5 << EEC_SIZE_SHIFT;
	*e82599_reg(nic, EEMNGCTL) = EEMNGCTL_CFG_DONE0 | EEMNGCTL_CFG_DONE1;
	*e82599_reg(nic, HLREG0) = HLREG0_TXCRCEN | HLREG0_RXCRCSTRP | HLREG0_TXPADEN |
				   HLREG0_MDCSPD | HLREG0_RXLNGTHERREN;
	*e82599_reg(nic, MAXFRS) = 1518u << 16;
	*e82599_reg(nic, VLNCTRL) = 0x8100;
	*e82599_reg(nic, DMATXCTL) = 0x8100u << DMATXCTL_VT_SHIFT;
	*e82599_reg(nic, DTXMXSZRQ) = 0x10;
	*e82599_reg(nic, DTXTCPFLGL) = 0x0ff60ff6;
	*e82599_reg(nic, DTXTCPFLGH) = 0x0f7f;
	*e82599_reg(nic, SECTXSTAT) = SEC_READY;
	*e82599_reg(nic, SECRXSTAT) = SEC_READY;
	*e82599_reg(nic, RDRXCTL) = RDRXCTL_DMAIDONE;
	*e82599_reg(nic, RXPBSIZE(0)) = 0x200 << 10;
	*e82599_reg(nic, TXPBSIZE(0)) = 0xa0 << 10;
	/* 8.2.3.8.7: 2 KiB buffers and 256-byte headers until told otherwise. */
	for (i = 0; i < E82599_QUEUES; i++)
		*e82599_reg(nic, e82599_rx_block(i) + Q_SRRCTL) = 2 | 4 << 8;
}

static void reset_registers(struct e82599 *nic)
{
	memset(nic->regs, 0, sizeof(nic->regs));
	reset_values(nic);
	e82599_irq_reset(nic);
	e82599_tx_reset(nic);
	e82599_rx_reset(nic);
	e82599_pause_reset(nic);
	e82599_fdir_reset(nic);
	e82599_eeprom_load(nic);
	e82599_filter_rar(nic);
	e82599_i2c_reset(nic);
	e82599_link_reset(nic);
}

void e82599_reset(struct e82599 *nic)
{
	reset_registers(nic);
	e82599_stats_reset(nic);
	nic->reset_done = 0;
}

void e82599_set_power(struct e82599 *nic, bool on)
{
	nic->off = !on;
	/* A device that was just reset has nothing to do on its own. */
	e82599_reset(nic);
}

void e82599_raise(struct e82599 *nic, uint32_t causes)
{
	if (!nic->off)
		e82599_irq_other(nic, causes);
}

void e82599_set_hostile(struct e82599 *nic, uint32_t seed)
{
	e82599_hostile_seed(&nic->hostile, seed);
}

void e82599_set_hostile_rate(struct e82599 *nic, uint32_t rate)
{
	nic->hostile.rate = rate;
}

/* Software reset, 4.2.1.6.1: the counters survive. */
static void software_reset(struct e82599 *nic)
{
	uint32_t saved[(0x4200 - 0x3f00) / 4];

	memcpy(saved, e82599_reg(nic, 0x3f00), sizeof(saved));
	reset_registers(nic);
	memcpy(e82599_reg(nic, 0x3f00), saved, sizeof(saved));
	nic->reset_done = e82599_now(nic) + RESET_NS;
}

/* The addresses that 82598 software knows, 8.2.2's alias column. */
static uint32_t canonical(uint32_t addr)
{
	if (addr == CTRL_ALIAS)
		return CTRL;
	if (addr >= RAL_LOW(0) && addr < RAL_LOW(16))
		return addr - RAL_LOW(0) + RAL(0);
	if (addr >= PSRTYPE_LOW(0) && addr < PSRTYPE_LOW(16))
		return addr - PSRTYPE_LOW(0) + PSRTYPE(0);
	if (addr == MRQC_ALIAS)
		return MRQC;
	if (addr >= RETA_ALIAS(0) && addr < RETA_ALIAS(32))
		return addr - RETA_ALIAS(0) + RETA(0);
	if (addr >= RSSRK_ALIAS(0) && addr < RSSRK_ALIAS(10))
		return addr - RSSRK_ALIAS(0) + RSSRK(0);
	if (addr >= SRRCTL_LOW(0) && addr < SRRCTL_LOW(16))
		return e82599_rx_block((addr - SRRCTL_LOW(0)) / 4) + Q_SRRCTL;
	if (addr >= QPTC_ALIAS(0) && addr < QPTC_ALIAS(E82599_STATS) &&
	    (addr & (QUEUE_STRIDE - 1)) == 0x30)
		return QPTC((addr - QPTC_ALIAS(0)) / QUEUE_STRIDE);
	return addr;
}

/* The queue whose receive block @addr lies in, or -1. */
static int rx_queue_at(uint32_t addr)
{
	if (addr >= RX_QUEUE_LOW && addr < RX_QUEUE_LOW + 64 * QUEUE_STRIDE)
		return (addr - RX_QUEUE_LOW) / QUEUE_STRIDE;
	if (addr >= RX_QUEUE_HIGH && addr < RX_QUEUE_HIGH + 64 * QUEUE_STRIDE)
		return 64 + (addr - RX_QUEUE_HIGH) / QUEUE_STRIDE;
	return -1;
}

static uint32_t read_register(struct e82599 *nic, uint32_t addr)
{
	uint32_t value;

	if (e82599_irq_read(nic, addr, &value) || e82599_stats_read(nic, addr, &value) ||
	    e82599_fdir_read(nic, addr, &value))
		return value;

	value = *e82599_reg(nic, addr);
	switch (addr) {
	case CTRL:
		if (e82599_now(nic) < nic->reset_done)
			value |= CTRL_RST;
		break;
	case ESDP:
		value |= ESDP_SDP2_DATA;
		break;
	case I2CCTL:
		value = e82599_i2c_read(nic);
		break;
	case SWSM:
		/* Reading takes the semaphore, 8.2.3.4: 0 means it was free. */
		*e82599_reg(nic, SWSM) |= SWSM_SMBI;
		break;
	}
	return value;
}

uint32_t e82599_read(struct e82599 *nic, uint32_t addr)
{
	uint32_t value;

	if (nic->off)
		return UINT32_MAX;
	if (addr >= E82599_BAR0_SIZE || addr & 3)
		return 0;
	value = read_register(nic, canonical(addr));
	return nic->hostile.seed ? e82599_hostile_value(&nic->hostile, value) : value;
}

static void write_ctrl(struct e82599 *nic, uint32_t value)
{
	if (value & (CTRL_RST | CTRL_LRST))
		software_reset(nic);
	*e82599_reg(nic, CTRL) = value & ~(CTRL_RST | CTRL_LRST);
	/* Master disable takes effect at once: no request is ever pending here. */
	if (value & CTRL_PCIE_MASTER_DIS)
		*e82599_reg(nic, STATUS) &= ~STATUS_PCIE_MASTER_EN;
	else
		*e82599_reg(nic, STATUS) |= STATUS_PCIE_MASTER_EN;
}

static void write_eec(struct e82599 *nic, uint32_t value)
{
	uint32_t keep = EEC_PRES | EEC_AUTO_RD | 0xfu << EEC_SIZE_SHIFT | EEC_GNT;
	uint32_t old = *e82599_reg(nic, EEC);

	value = (value & ~keep) | (old & keep & ~EEC_GNT);
	if (value & EEC_REQ)
		value |= EEC_GNT;
	*e82599_reg(nic, EEC) = value;
}

/* Registers whose write does more than to be remembered. */
static bool write_special(struct e82599 *nic, uint32_t addr, uint32_t value)
{
	switch (addr) {
	case STATUS:
	case LINKS:
	case SECTXSTAT:
	case SECRXSTAT:
	case FACTPS:
	case FWSM:
		return true;	/* read-only */
	case CTRL:
		write_ctrl(nic, value);
		return true;
	case EEC:
		write_eec(nic, value);
		return true;
	case I2CCTL:
		e82599_i2c_write(nic, value);
		return true;
	case EERD:
		*e82599_reg(nic, EERD) = e82599_eerd(nic, value);
		return true;
	case RDRXCTL:
		*e82599_reg(nic, addr) = value | RDRXCTL_DMAIDONE;
		return true;
	case MSCA:
		/* No PHY hangs on MDIO: the command ends and reads all ones. */
		*e82599_reg(nic, addr) = value & ~MSCA_MDICMD;
		*e82599_reg(nic, MSRWD) |= 0xffff0000;
		return true;
	case AUTOC:
		*e82599_reg(nic, addr) = value & ~AUTOC_RESTART_AN;
		if (value & AUTOC_RESTART_AN)
			e82599_link_restart(nic);
		return true;
	}
	return false;
}

/* What has to happen after a plain register got its new value. */
static void written(struct e82599 *nic, uint32_t addr)
{
	switch (addr) {
	case DMATXCTL:
	case SECTXCTRL:
	case RTTDCS:
		e82599_tx_kick(nic);
		break;
	case MRQC:
		if ((*e82599_reg(nic, MRQC) & MRQC_MRQE_MASK) > MRQC_MRQE_RSS)
			e82599_log(nic, "MRQC: only RSS over one set of queues is emulated");
		break;
	case RXCTRL:
	case SECRXCTRL:
		e82599_rx_kick(nic);
		break;
	}
	if (addr >= RAL(0) && addr < RAL(E82599_RARS)) {
		/* The rest of RAH is reserved and reads as 0. */
		if (addr & 4)
			*e82599_reg(nic, addr) &= RAH_AV | RAH_ADDR_MASK;
		e82599_filter_rar(nic);
	}
}

void e82599_write(struct e82599 *nic, uint32_t addr, uint32_t value)
{
	int queue;

	if (nic->off || addr >= E82599_BAR0_SIZE || addr & 3)
		return;
	if (addr >= TX_QUEUE && addr < e82599_tx_block(E82599_QUEUES)) {
		e82599_tx_write(nic, (addr - TX_QUEUE) / QUEUE_STRIDE,
				addr & (QUEUE_STRIDE - 1), value);
		return;
	}
	addr = canonical(addr);
	if (e82599_stats_owns(addr))
		return;
	queue = rx_queue_at(addr);
	if (queue >= 0) {
		e82599_rx_write(nic, queue, addr & (QUEUE_STRIDE - 1), value);
		return;
	}
	if (e82599_irq_write(nic, addr, value) || e82599_fdir_write(nic, addr, value) ||
	    write_special(nic, addr, value))
		return;
	*e82599_reg(nic, addr) = value;
	written(nic, addr);
}

void e82599_timer(struct e82599 *nic, enum e82599_timer timer)
{
	switch (timer) {
	case E82599_TIMER_TX:
		e82599_tx_timer(nic);
		break;
	case E82599_TIMER_RX:
		e82599_rx_timer(nic);
		break;
	case E82599_TIMER_IRQ:
		e82599_irq_timer(nic);
		break;
	case E82599_TIMER_LINK:
		e82599_link_timer(nic);
		break;
	case E82599_TIMERS:
		break;
	}
}
