// SPDX-License-Identifier: GPL-2.0
/*
 * The device itself: reset, initialisation, addresses, link, counters.
 *
 * The order follows the datasheet's own lists: 4.6.3 initialisation, 4.6.7
 * receive, 4.6.8 transmit.  Numbered comments are the steps of those lists.
 */
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/iopoll.h>
#include <linux/sizes.h>

#include "ixm.h"

/* Nobody is told to wait for the device any more, and nothing is sent to it. */
static noinline void ixm_lost(struct ixm *ixm)
{
	if (READ_ONCE(ixm->gone))
		return;
	WRITE_ONCE(ixm->gone, true);
	dev_err(&ixm->pdev->dev, "device does not answer any more\n");
	netif_carrier_off(ixm->dev);
}

/**
 * ixm_read() - read a register
 * @ixm: device
 * @reg: its offset
 *
 * A device that was pulled out reads as all ones.  STATUS is never that, so it
 * tells a real value from a missing device.
 *
 * Return: the value.
 */
u32 ixm_read(struct ixm *ixm, u32 reg)
{
	u32 val = readl(ixm->bar + reg);

	if (unlikely(val == ~0U) && readl(ixm->bar + IXM_STATUS) == ~0U)
		ixm_lost(ixm);
	return val;
}

static void ixm_set(struct ixm *ixm, u32 reg, u32 bits)
{
	ixm_write(ixm, reg, ixm_read(ixm, reg) | bits);
}

static void ixm_clear(struct ixm *ixm, u32 reg, u32 bits)
{
	ixm_write(ixm, reg, ixm_read(ixm, reg) & ~bits);
}

/* Wait until the bits of @mask in @reg are @want; sleeps. */
static int ixm_wait(struct ixm *ixm, u32 reg, u32 mask, u32 want,
		    unsigned int timeout_us)
{
	u32 val;
	int err;

	err = read_poll_timeout(ixm_read, val,
				(val & mask) == want ||
				READ_ONCE(ixm->gone), 20, timeout_us, false,
				ixm, reg);
	return READ_ONCE(ixm->gone) ? -ENODEV : err;
}

static int ixm_wait_or_warn(struct ixm *ixm, u32 reg, u32 mask, u32 want,
			    unsigned int timeout_us, const char *what)
{
	int err = ixm_wait(ixm, reg, mask, want, timeout_us);

	if (err)
		dev_warn(&ixm->pdev->dev, "%s: no answer in %u us\n", what,
			 timeout_us);
	return err;
}

/* 4.6.7.1: stop receiving where the packets enter, so that none is cut. */
static void ixm_hw_stop_rx(struct ixm *ixm)
{
	ixm_set(ixm, IXM_SECRXCTRL, IXM_SECRXCTRL_RX_DIS);
	ixm_wait(ixm, IXM_SECRXSTAT, IXM_SECRXSTAT_RDY, IXM_SECRXSTAT_RDY,
		 4000);
	ixm_clear(ixm, IXM_RXCTRL, IXM_RXCTRL_RXEN);
	ixm_clear(ixm, IXM_SECRXCTRL, IXM_SECRXCTRL_RX_DIS);
}

/* 5.2.5.3.2: no new requests on the bus, and wait for those under way. */
static int ixm_hw_stop_dma(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < ixm->max_queues; i++) {
		ixm_clear(ixm, IXM_RXDCTL(i), IXM_RXDCTL_ENABLE);
		ixm_clear(ixm, IXM_TXDCTL(i), IXM_TXDCTL_ENABLE);
		ixm_clear(ixm, IXM_TXDCTL(IXM_XDP_QUEUE(i)), IXM_TXDCTL_ENABLE);
	}
	ixm_set(ixm, IXM_CTRL, IXM_CTRL_MASTER_DISABLE);
	return ixm_wait(ixm, IXM_STATUS, IXM_STATUS_MASTER_ENABLE, 0, 8000);
}

static void ixm_hw_mask_irqs(struct ixm *ixm)
{
	ixm_write(ixm, IXM_EIMC, ~0U >> 1);
	ixm_write(ixm, IXM_EIMC_EX(0), ~0U);
	ixm_write(ixm, IXM_EIMC_EX(1), ~0U);
	ixm_read(ixm, IXM_STATUS);
}

/* 4.2.1.6.1 */
static int ixm_hw_global_reset(struct ixm *ixm)
{
	ixm_set(ixm, IXM_CTRL, IXM_CTRL_RST | IXM_CTRL_LRST);
	ixm_read(ixm, IXM_STATUS);
	usleep_range(IXM_RESET_DELAY_US, 2 * IXM_RESET_DELAY_US);
	return ixm_wait_or_warn(ixm, IXM_CTRL, IXM_CTRL_RST | IXM_CTRL_LRST, 0,
				100000, "reset");
}

/**
 * ixm_hw_reset() - stop all that the device does and put it into a known state
 * @ixm: device
 *
 * When this returns, the device does no DMA and raises no interrupt, whatever
 * it answered: it is no bus master before ixm_hw_start().
 *
 * Context: process.
 * Return: 0, -ENODEV when the device is gone, -ETIMEDOUT.
 */
int ixm_hw_reset(struct ixm *ixm)
{
	bool busy;
	u32 lan;
	int err;

	ixm->hw_ready = false;
	ixm_hw_stop_rx(ixm);
	busy = ixm_hw_stop_dma(ixm);
	pci_clear_master(ixm->pdev);

	/* 4.6.3.1 interrupts off, global reset, off again */
	ixm_hw_mask_irqs(ixm);
	err = ixm_hw_global_reset(ixm);
	/* 5.2.5.3.2: once more when requests were under way at the first */
	if (!err && busy)
		err = ixm_hw_global_reset(ixm);
	if (err)
		return err;
	ixm_hw_mask_irqs(ixm);

	/* 4.6.3.3 the EEPROM was read into the registers */
	err = ixm_wait_or_warn(ixm, IXM_EEC, IXM_EEC_AUTO_RD, IXM_EEC_AUTO_RD,
			       200000, "EEPROM auto read");
	if (err)
		return err;

	/* 4.6.3.4 management has configured the port; boards have none */
	lan = FIELD_GET(IXM_STATUS_LAN_ID, ixm_read(ixm, IXM_STATUS)) & 1;
	ixm_wait(ixm, IXM_EEMNGCTL, IXM_EEMNGCTL_CFG_DONE(lan),
		 IXM_EEMNGCTL_CFG_DONE(lan), 100000);

	/* 4.6.3.5 DMA is initialised */
	err = ixm_wait_or_warn(ixm, IXM_RDRXCTL, IXM_RDRXCTL_DMAIDONE,
			       IXM_RDRXCTL_DMAIDONE, 100000, "DMA init");
	if (err)
		return err;

	ixm->hw_ready = true;
	return 0;
}

/**
 * ixm_hw_read_eeprom() - read a word of the EEPROM (8.2.3.2.2)
 * @ixm: device
 * @word: its address
 * @val: set to its value
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
int ixm_hw_read_eeprom(struct ixm *ixm, u16 word, u16 *val)
{
	int err;

	ixm_write(ixm, IXM_EERD,
		  FIELD_PREP(IXM_EERD_ADDR, word) | IXM_EERD_START);
	err = ixm_wait(ixm, IXM_EERD, IXM_EERD_DONE, IXM_EERD_DONE, 100000);
	if (!err)
		*val = FIELD_GET(IXM_EERD_DATA, ixm_read(ixm, IXM_EERD));
	return err;
}

/**
 * ixm_hw_eeprom_words() - size of the EEPROM (8.2.3.2.1)
 * @ixm: device
 *
 * Return: its words, as far as EERD reaches.
 */
u32 ixm_hw_eeprom_words(struct ixm *ixm)
{
	u32 size = FIELD_GET(IXM_EEC_SIZE, ixm_read(ixm, IXM_EEC));

	return min_t(u32, 64 << size, IXM_EERD_WORDS);
}

/**
 * ixm_hw_get_mac() - the address that the EEPROM gave to the port
 * @ixm: device, just reset
 * @addr: set to it
 *
 * The reset copies it from the EEPROM into receive address 0 (4.6.3).
 */
void ixm_hw_get_mac(struct ixm *ixm, u8 *addr)
{
	u32 low = ixm_read(ixm, IXM_RAL(0)), high = ixm_read(ixm, IXM_RAH(0));
	int i;

	for (i = 0; i < 4; i++)
		addr[i] = low >> (8 * i);
	for (i = 0; i < 2; i++)
		addr[4 + i] = high >> (8 * i);
}

/**
 * ixm_hw_set_mac() - receive frames to an address
 * @ixm: device
 * @slot: receive address register; 0 is the port's own
 * @addr: address
 */
void ixm_hw_set_mac(struct ixm *ixm, u32 slot, const u8 *addr)
{
	u32 low = addr[0] | addr[1] << 8 | addr[2] << 16 | (u32)addr[3] << 24;

	ixm_write(ixm, IXM_RAL(slot), low);
	ixm_write(ixm, IXM_RAH(slot), addr[4] | addr[5] << 8 | IXM_RAH_AV);
}

/**
 * ixm_hw_clear_mac() - do not use a receive address register
 * @ixm: device
 * @slot: which
 */
void ixm_hw_clear_mac(struct ixm *ixm, u32 slot)
{
	/* RAH first: AV must not be set with half an address */
	ixm_write(ixm, IXM_RAH(slot), 0);
	ixm_write(ixm, IXM_RAL(slot), 0);
}

/**
 * ixm_hw_set_frame_size() - longest frame that is received
 * @ixm: device
 * @mtu: MTU; the device itself allows for a VLAN tag
 */
void ixm_hw_set_frame_size(struct ixm *ixm, unsigned int mtu)
{
	u32 size = mtu + ETH_HLEN + ETH_FCS_LEN;

	ixm_write(ixm, IXM_MAXFRS, FIELD_PREP(IXM_MAXFRS_MFS, size));
	if (mtu > ETH_DATA_LEN)
		ixm_set(ixm, IXM_HLREG0, IXM_HLREG0_JUMBOEN);
	else
		ixm_clear(ixm, IXM_HLREG0, IXM_HLREG0_JUMBOEN);
}

/*
 * 3.7.7.3: pause frames go out when the packet buffer holds more than the high
 * threshold, and again when it is down to the low one.  What is on its way
 * until the other side stops, 64 KiB at 100 m, fits above the high threshold.
 */
static void ixm_hw_start_pause(struct ixm *ixm)
{
	u32 size = ixm_read(ixm, IXM_RXPBSIZE(0)) & IXM_RXPBSIZE_SIZE;
	u32 high = size - min_t(u32, size, SZ_64K), low = high / 2;
	u32 mflcn = IXM_MFLCN_DPF, fcrtl = 0, fcrth = 0, tfce = 0;

	if (ixm->pause.rx)
		mflcn |= IXM_MFLCN_RFCE;
	if (ixm->pause.tx) {
		tfce = IXM_FCCFG_TFCE_LINK;
		fcrtl = (low & IXM_FCRTL_RTL) | IXM_FCRTL_XONE;
		fcrth = (high & IXM_FCRTH_RTH) | IXM_FCRTH_FCEN;
	}
	ixm_write(ixm, IXM_FCTTV(0), IXM_PAUSE_TIME);
	ixm_write(ixm, IXM_FCRTV, IXM_PAUSE_TIME / 2);
	ixm_write(ixm, IXM_FCRTL(0), fcrtl);
	ixm_write(ixm, IXM_FCRTH(0), fcrth);
	ixm_write(ixm, IXM_MFLCN, mflcn);
	ixm_write(ixm, IXM_FCCFG, FIELD_PREP(IXM_FCCFG_TFCE, tfce));
}

static int ixm_hw_start_rx_queue(struct ixm *ixm, u32 i)
{
	struct ixm_rx_ring *ring = &ixm->q[i].rx;
	struct ixm_rx_mem *mem = &ring->mem;
	int err;

	/* 4.6.7.1 steps 1 to 4: memory, base, length, buffer size */
	ixm_write(ixm, IXM_RDBAL(i), lower_32_bits(mem->dma));
	ixm_write(ixm, IXM_RDBAH(i), upper_32_bits(mem->dma));
	ixm_write(ixm, IXM_RDLEN(i), (mem->mask + 1) * sizeof(*mem->desc));
	/*
	 * A queue without descriptors drops, instead of blocking the packet
	 * buffer that all of them share; unless the other side is to wait.
	 */
	ixm_write(ixm, IXM_SRRCTL(i),
		  FIELD_PREP(IXM_SRRCTL_BSIZEPACKET, IXM_RX_BUF_LEN / 1024) |
		  FIELD_PREP(IXM_SRRCTL_DESCTYPE, IXM_SRRCTL_DESCTYPE_ADV_1BUF) |
		  (ixm->pause.tx ? 0 : IXM_SRRCTL_DROP_EN));
	ixm_clear(ixm, IXM_DCA_RXCTRL(i), IXM_DCA_RXCTRL_RSV12);
	ixm_write(ixm, IXM_RDH(i), 0);
	ixm_write(ixm, IXM_RDT(i), 0);
	/* steps 5, 6: enable, wait */
	ixm_write(ixm, IXM_RXDCTL(i), IXM_RXDCTL_ENABLE);
	err = ixm_wait_or_warn(ixm, IXM_RXDCTL(i), IXM_RXDCTL_ENABLE,
			       IXM_RXDCTL_ENABLE, 10000, "RX queue");
	if (err)
		return err;
	/* step 7: give it the buffers */
	ixm_write(ixm, IXM_RDT(i), mem->next_to_use & mem->mask);
	return 0;
}

/* 4.6.7 */
static int ixm_hw_start_rx(struct ixm *ixm)
{
	u32 i;
	int err;

	/* 4.6.7 what is received: broadcasts, and what set_rx_mode adds */
	ixm_write(ixm, IXM_FCTRL, IXM_FCTRL_BAM);
	ixm_set(ixm, IXM_HLREG0, IXM_HLREG0_RXCRCSTRP);
	/* CRC stripping has to be the same here; the rest is prescribed */
	ixm_write(ixm, IXM_RDRXCTL,
		  (ixm_read(ixm, IXM_RDRXCTL) & ~IXM_RDRXCTL_RSCFRSTSIZE) |
		  IXM_RDRXCTL_CRCSTRIP | IXM_RDRXCTL_RSCACKC |
		  IXM_RDRXCTL_FCOE_WRFIX);
	ixm_hw_set_frame_size(ixm, ixm->dev->mtu);
	ixm_hw_start_pause(ixm);
	ixm_rss_write(ixm);
	/* hash in the descriptor, where the fragment checksum would be */
	ixm_set(ixm, IXM_RXCSUM, IXM_RXCSUM_PCSD);

	for (i = 0; i < ixm->config.queues; i++) {
		err = ixm_hw_start_rx_queue(ixm, i);
		if (err)
			return err;
	}
	/* 4.6.7 last: the receive unit, with its path halted meanwhile */
	ixm_set(ixm, IXM_SECRXCTRL, IXM_SECRXCTRL_RX_DIS);
	ixm_wait(ixm, IXM_SECRXSTAT, IXM_SECRXSTAT_RDY, IXM_SECRXSTAT_RDY,
		 4000);
	ixm_set(ixm, IXM_RXCTRL, IXM_RXCTRL_RXEN);
	ixm_clear(ixm, IXM_SECRXCTRL, IXM_SECRXCTRL_RX_DIS);
	return 0;
}

static int ixm_hw_start_tx_queue(struct ixm *ixm, u32 i,
				 const struct ixm_tx_mem *mem)
{
	/* 4.6.8.1 steps 1 to 4: memory, base, length, thresholds */
	ixm_write(ixm, IXM_TDBAL(i), lower_32_bits(mem->dma));
	ixm_write(ixm, IXM_TDBAH(i), upper_32_bits(mem->dma));
	ixm_write(ixm, IXM_TDLEN(i), (mem->mask + 1) * sizeof(*mem->desc));
	ixm_write(ixm, IXM_TDH(i), 0);
	ixm_write(ixm, IXM_TDT(i), 0);
	ixm_clear(ixm, IXM_DCA_TXCTRL(i), IXM_DCA_TXCTRL_DESC_WB_RO);
	/*
	 * WTHRESH 0: only descriptors with RS are written back, each at once
	 * (7.2.3.4.1).  Prefetch by the burst.
	 */
	ixm_write(ixm, IXM_TXDCTL(i),
		  FIELD_PREP(IXM_TXDCTL_PTHRESH, 32) |
		  FIELD_PREP(IXM_TXDCTL_HTHRESH, 1) | IXM_TXDCTL_ENABLE);
	/* steps 6, 7: wait for the enable to take effect */
	return ixm_wait_or_warn(ixm, IXM_TXDCTL(i), IXM_TXDCTL_ENABLE,
				IXM_TXDCTL_ENABLE, 10000, "TX queue");
}

/* 4.6.8 */
static int ixm_hw_start_tx(struct ixm *ixm)
{
	u32 i;
	int err;

	ixm_set(ixm, IXM_HLREG0, IXM_HLREG0_TXCRCEN | IXM_HLREG0_TXPADEN);
	/* 4.6.11.3.4: no DCB: one packet buffer, arbiter off while it is set */
	ixm_set(ixm, IXM_RTTDCS, IXM_RTTDCS_ARBDIS);
	ixm_write(ixm, IXM_TXPBSIZE(0), IXM_TXPBSIZE_ONE);
	ixm_write(ixm, IXM_TXPBTHRESH(0), IXM_TXPBTHRESH_ONE);
	for (i = 1; i < 8; i++) {
		ixm_write(ixm, IXM_TXPBSIZE(i), 0);
		ixm_write(ixm, IXM_TXPBTHRESH(i), 0);
	}
	ixm_write(ixm, IXM_DTXMXSZRQ, IXM_DTXMXSZRQ_MAX);
	ixm_write(ixm, IXM_MTQC, 0);
	/* RFC 3168, 6.1.2: one CWR for each reduction */
	ixm_write(ixm, IXM_DTXTCPFLGL,
		  FIELD_PREP(IXM_DTXTCPFLGL_FIRST, IXM_TCP_FLAGS_FIRST) |
		  FIELD_PREP(IXM_DTXTCPFLGL_MIDDLE, IXM_TCP_FLAGS_MIDDLE));
	ixm_clear(ixm, IXM_RTTDCS, IXM_RTTDCS_ARBDIS);
	/* the unit before its queues */
	ixm_set(ixm, IXM_DMATXCTL, IXM_DMATXCTL_TE);

	for (i = 0; i < ixm->config.queues; i++) {
		err = ixm_hw_start_tx_queue(ixm, i, &ixm->q[i].tx.mem);
		if (!err && ixm->config.xdp)
			err = ixm_hw_start_tx_queue(ixm, IXM_XDP_QUEUE(i),
						    &ixm->q[i].xdp.mem);
		if (err)
			return err;
	}
	return 0;
}

/**
 * ixm_hw_restart_link() - negotiate the link anew
 * @ixm: device
 */
void ixm_hw_restart_link(struct ixm *ixm)
{
	ixm_set(ixm, IXM_AUTOC, IXM_AUTOC_RESTART_AN);
}

/**
 * ixm_hw_loopback() - what is sent comes back, with or without a link (3.7.6)
 * @ixm: device; a reset ends it
 */
void ixm_hw_loopback(struct ixm *ixm)
{
	ixm_set(ixm, IXM_HLREG0, IXM_HLREG0_LPBK);
	ixm_set(ixm, IXM_AUTOC, IXM_AUTOC_FLU);
}

/**
 * ixm_hw_set_leds() - all LEDs of the port
 * @ixm: device
 * @bits: IXM_LEDCTL_ON or IXM_LEDCTL_OFF
 */
void ixm_hw_set_leds(struct ixm *ixm, u32 bits)
{
	u32 val = ixm_read(ixm, IXM_LEDCTL);

	val &= ~(IXM_LEDCTL_MODES | IXM_LEDCTL_BLINK);
	ixm_write(ixm, IXM_LEDCTL, val | bits);
}

/* A counter of its own for each queue. */
static void ixm_hw_map_counters(struct ixm *ixm)
{
	u32 i, map;

	for (i = 0; i < IXM_MAX_QUEUES / 4; i++) {
		map = 0x03020100 + i * 0x04040404;
		ixm_write(ixm, IXM_RQSMR(i), map);
		ixm_write(ixm, IXM_TQSM(i), map);
	}
}

/**
 * ixm_hw_start() - from reset to moving packets
 * @ixm: device; its rings are filled and its interrupts off
 *
 * Context: process, RTNL.
 * Return: 0 or a negative error; then the device has to be reset.
 */
int ixm_hw_start(struct ixm *ixm)
{
	u32 i;
	int err;

	ixm->hw_ready = false;
	pci_set_master(ixm->pdev);
	/* no snooping games or reordering: cache-coherent, in order */
	ixm_set(ixm, IXM_CTRL_EXT, IXM_CTRL_EXT_NS_DIS | IXM_CTRL_EXT_RO_DIS);

	ixm_hw_set_mac(ixm, 0, ixm->dev->dev_addr);
	for (i = 1; i < IXM_RAR_COUNT; i++)
		ixm_hw_clear_mac(ixm, i);

	/* 4.6.3.6 the link, as the EEPROM configures it */
	ixm_hw_restart_link(ixm);
	/* 4.6.3.7 statistics: reading clears; what came before is not ours */
	ixm_hw_map_counters(ixm);

	/* 4.6.3.10 interrupts, still masked */
	ixm_irq_configure(ixm);
	/* 4.6.3.9, 4.6.3.8 */
	err = ixm_hw_start_tx(ixm);
	if (err)
		return err;
	return ixm_hw_start_rx(ixm);
}

/**
 * ixm_hw_link() - state of the link
 * @ixm: device
 * @speed: set to its speed in Mb/s when it is up
 *
 * Return: true when it is up.
 */
bool ixm_hw_link(struct ixm *ixm, u32 *speed)
{
	u32 links = ixm_read(ixm, IXM_LINKS);

	if (READ_ONCE(ixm->gone) || !(links & IXM_LINKS_UP))
		return false;
	switch (FIELD_GET(IXM_LINKS_SPEED, links)) {
	case IXM_LINKS_SPEED_10G:
		*speed = SPEED_10000;
		break;
	case IXM_LINKS_SPEED_1G:
		*speed = SPEED_1000;
		break;
	case IXM_LINKS_SPEED_100M:
		*speed = SPEED_100;
		break;
	default:
		*speed = SPEED_UNKNOWN;
	}
	return true;
}

/**
 * ixm_hw_driver_loaded() - tell the firmware whether a driver owns the port
 * @ixm: device
 * @loaded: it does
 */
void ixm_hw_driver_loaded(struct ixm *ixm, bool loaded)
{
	if (loaded)
		ixm_set(ixm, IXM_CTRL_EXT, IXM_CTRL_EXT_DRV_LOAD);
	else
		ixm_clear(ixm, IXM_CTRL_EXT, IXM_CTRL_EXT_DRV_LOAD);
}

/* Where each 32-bit counter is, and where its sum. */
#define IXM_HW_COUNTER(reg, field) { reg, offsetof(struct ixm_hw_stats, field) }
static const struct {
	u32 reg;
	u32 at;
} ixm_hw_counters[] = {
	IXM_HW_COUNTER(IXM_CRCERRS, crc_errors),
	IXM_HW_COUNTER(IXM_ILLERRC, illegal_bytes),
	IXM_HW_COUNTER(IXM_ERRBC, byte_errors),
	IXM_HW_COUNTER(IXM_RLEC, length_errors),
	IXM_HW_COUNTER(IXM_RUC, undersize),
	IXM_HW_COUNTER(IXM_RFC, fragments),
	IXM_HW_COUNTER(IXM_ROC, oversize),
	IXM_HW_COUNTER(IXM_RJC, jabber),
	IXM_HW_COUNTER(IXM_GPRC, rx_frames),
	IXM_HW_COUNTER(IXM_BPRC, rx_broadcast),
	IXM_HW_COUNTER(IXM_MPRC, rx_multicast),
	IXM_HW_COUNTER(IXM_GPTC, tx_frames),
	IXM_HW_COUNTER(IXM_BPTC, tx_broadcast),
	IXM_HW_COUNTER(IXM_MPTC, tx_multicast),
	IXM_HW_COUNTER(IXM_LXONRXCNT, rx_xon),
	IXM_HW_COUNTER(IXM_LXOFFRXCNT, rx_xoff),
	IXM_HW_COUNTER(IXM_LXONTXC, tx_xon),
	IXM_HW_COUNTER(IXM_LXOFFTXC, tx_xoff),
};

static u64 ixm_hw_read_wide(struct ixm *ixm, u32 reg)
{
	u64 low = ixm_read(ixm, reg);

	return low | (u64)(ixm_read(ixm, reg + 4) & 0xf) << 32;
}

/**
 * ixm_hw_read_stats() - add the device's counters to the sums
 * @ixm: device
 *
 * Context: @ixm->stats_lock.
 */
void ixm_hw_read_stats(struct ixm *ixm)
{
	struct ixm_hw_stats *s = &ixm->hw_stats;
	u32 i;

	lockdep_assert_held(&ixm->stats_lock);
	/* all ones would be added as counts */
	if (READ_ONCE(ixm->gone) || ixm_read(ixm, IXM_STATUS) == ~0U)
		return;

	for (i = 0; i < ARRAY_SIZE(ixm_hw_counters); i++)
		*(u64 *)((void *)s + ixm_hw_counters[i].at) +=
			ixm_read(ixm, ixm_hw_counters[i].reg);
	for (i = 0; i < IXM_MPC_COUNT; i++)
		s->missed += ixm_read(ixm, IXM_MPC(i));
	for (i = 0; i < ixm->max_queues; i++)
		s->no_desc[i] += ixm_read(ixm, IXM_QPRDC(i));
	for (i = 0; i < IXM_SIZE_BINS; i++) {
		s->rx_size[i] += ixm_read(ixm, IXM_PRC(i));
		s->tx_size[i] += ixm_read(ixm, IXM_PTC(i));
	}
	s->rx_bytes += ixm_hw_read_wide(ixm, IXM_GORC);
	s->tx_bytes += ixm_hw_read_wide(ixm, IXM_GOTC);
}
