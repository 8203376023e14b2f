// SPDX-License-Identifier: GPL-2.0
/*
 * ethtool -d and -e.  The register dump is a list of pairs, offset and value,
 * so that it can be read without this file.  Registers that reading changes
 * (EICR, statistics) are not in it.
 */
#include <linux/ethtool.h>
#include <linux/netdevice.h>

#include "ixm.h"

/* @count registers from @reg on, @step apart. */
static const struct ixm_dump_range {
	u32 reg;
	u32 count;
	u32 step;
} ixm_dump_ranges[] = {
	{ IXM_CTRL, 1, 4 },
	{ IXM_STATUS, 1, 4 },
	{ IXM_CTRL_EXT, 1, 4 },
	{ IXM_LEDCTL, 1, 4 },
	{ IXM_EEC, 1, 4 },
	{ IXM_SW_FW_SYNC, 1, 4 },
	{ IXM_FCTTV(0), 4, 4 },
	{ IXM_FCRTL(0), 8, 4 },
	{ IXM_FCRTH(0), 8, 4 },
	{ IXM_FCRTV, 1, 4 },
	{ IXM_FCCFG, 1, 4 },
	{ IXM_EIAC, 1, 4 },
	{ IXM_EIMS, 1, 4 },
	{ IXM_EIAM, 1, 4 },
	{ IXM_EIMS_EX(0), 2, 4 },
	{ IXM_EIAM_EX(0), 2, 4 },
	{ IXM_GPIE, 1, 4 },
	{ IXM_EITR(0), IXM_MAX_QUEUES, 4 },
	{ IXM_IVAR(0), IXM_MAX_QUEUES / 2, 4 },
	{ IXM_IVAR_MISC, 1, 4 },
	{ IXM_RXCSUM, 1, 4 },
	{ IXM_FCTRL, 1, 4 },
	{ IXM_MCSTCTRL, 1, 4 },
	{ IXM_MTA(0), IXM_MTA_COUNT, 4 },
	{ IXM_RAL(0), 2 * IXM_RAR_COUNT, 4 },
	{ IXM_RETA(0), IXM_RETA_ENTRIES / 4, 4 },
	{ IXM_MRQC, 1, 4 },
	{ IXM_RDBAL(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_RDBAH(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_RDLEN(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_DCA_RXCTRL(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_RDH(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_SRRCTL(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_RDT(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_RXDCTL(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_RDRXCTL, 1, 4 },
	{ IXM_RXPBSIZE(0), 8, 4 },
	{ IXM_RXCTRL, 1, 4 },
	{ IXM_SECRXCTRL, 2, 4 },
	{ IXM_RTTDCS, 1, 4 },
	{ IXM_DMATXCTL, 1, 4 },
	{ IXM_TDBAL(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_TDBAH(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_TDLEN(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_DCA_TXCTRL(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_TDH(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_TDT(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_TXDCTL(0), IXM_MAX_QUEUES, 0x40 },
	{ IXM_DTXMXSZRQ, 1, 4 },
	{ IXM_MTQC, 1, 4 },
	{ IXM_TXPBSIZE(0), 8, 4 },
	{ IXM_TXPBTHRESH(0), 8, 4 },
	{ IXM_HLREG0, 1, 4 },
	{ IXM_MAXFRS, 1, 4 },
	{ IXM_MFLCN, 1, 4 },
	{ IXM_AUTOC, 1, 4 },
	{ IXM_LINKS, 1, 4 },
};

/**
 * ixm_get_regs_len() - size of the register dump
 * @dev: net device
 *
 * Return: bytes.
 */
int ixm_get_regs_len(struct net_device *dev)
{
	u32 i, n = 0;

	for (i = 0; i < ARRAY_SIZE(ixm_dump_ranges); i++)
		n += ixm_dump_ranges[i].count;
	return n * 2 * sizeof(u32);
}

/**
 * ixm_get_regs() - ethtool -d
 * @dev: net device
 * @regs: the version of the format is filled in
 * @data: pairs of offset and value
 */
void ixm_get_regs(struct net_device *dev, struct ethtool_regs *regs, void *data)
{
	struct ixm *ixm = netdev_priv(dev);
	u32 i, n, *p = data;

	regs->version = 1;
	for (i = 0; i < ARRAY_SIZE(ixm_dump_ranges); i++) {
		const struct ixm_dump_range *r = &ixm_dump_ranges[i];

		for (n = 0; n < r->count; n++) {
			*p++ = r->reg + n * r->step;
			*p++ = ixm_read(ixm, r->reg + n * r->step);
		}
	}
}

/**
 * ixm_get_eeprom_len() - size of the EEPROM
 * @dev: net device
 *
 * Return: bytes.
 */
int ixm_get_eeprom_len(struct net_device *dev)
{
	return 2 * ixm_hw_eeprom_words(netdev_priv(dev));
}

/**
 * ixm_get_eeprom() - ethtool -e
 * @dev: net device
 * @ee: what to read, in bytes; the core has checked it against the size
 * @data: filled in
 *
 * Return: 0 or a negative error.
 */
int ixm_get_eeprom(struct net_device *dev, struct ethtool_eeprom *ee, u8 *data)
{
	struct ixm *ixm = netdev_priv(dev);
	u32 i;
	u16 word = 0;
	int err;

	ee->magic = ixm->pdev->vendor | ixm->pdev->device << 16;
	for (i = ee->offset; i < ee->offset + ee->len; i++) {
		if (i == ee->offset || !(i & 1)) {
			err = ixm_hw_read_eeprom(ixm, i / 2, &word);
			if (err)
				return err;
		}
		*data++ = i & 1 ? word >> 8 : word;
	}
	return 0;
}
