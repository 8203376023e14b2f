// SPDX-License-Identifier: GPL-2.0
/*
 * The SFP+ module: its memory (SFF-8472) on a two-wire bus that software moves
 * bit by bit through I2CCTL (8.2.3.1.5), shared with the firmware (10.5.4).
 */
#include <linux/delay.h>
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "ixm.h"

/* A quarter of the 10 us that a bit takes at 100 kHz, rounded up. */
#define IXM_I2C_QUARTER_US	3
/* A module may hold the clock low for that long. */
#define IXM_I2C_STRETCH_US	500

/* ---- the semaphore ---- */

/* Two steps: first among drivers (SMBI), then against the firmware. */
static int ixm_sem_lock_bits(struct ixm *ixm)
{
	unsigned int i;

	for (i = 0; i < 100; i++) {
		/* reading sets it: whoever reads 0 has it */
		if (!(ixm_read(ixm, IXM_SWSM) & IXM_SWSM_SMBI))
			break;
		usleep_range(50, 100);
	}
	/* held for so long only by a driver that died with it: go on */
	for (i = 0; i < 100 && !READ_ONCE(ixm->gone); i++) {
		ixm_write(ixm, IXM_SWSM,
			  ixm_read(ixm, IXM_SWSM) | IXM_SWSM_SWESMBI);
		if (ixm_read(ixm, IXM_SWSM) & IXM_SWSM_SWESMBI)
			return 0;
		usleep_range(50, 100);
	}
	return -EBUSY;
}

static void ixm_sem_unlock_bits(struct ixm *ixm)
{
	ixm_write(ixm, IXM_SWSM, ixm_read(ixm, IXM_SWSM) &
		  ~(IXM_SWSM_SMBI | IXM_SWSM_SWESMBI));
}

static u32 ixm_sem_phy(struct ixm *ixm)
{
	u32 status = ixm_read(ixm, IXM_STATUS);

	return IXM_SW_FW_SYNC_PHY(FIELD_GET(IXM_STATUS_LAN_ID, status) & 1);
}

static int ixm_sem_take(struct ixm *ixm)
{
	u32 mine = ixm_sem_phy(ixm), sync;
	unsigned int i;
	int err;

	for (i = 0; i < 50; i++) {
		err = ixm_sem_lock_bits(ixm);
		if (err)
			return err;
		sync = ixm_read(ixm, IXM_SW_FW_SYNC);
		if (!(sync & (mine | mine << IXM_SW_FW_SYNC_FW_SHIFT))) {
			ixm_write(ixm, IXM_SW_FW_SYNC, sync | mine);
			ixm_sem_unlock_bits(ixm);
			return 0;
		}
		ixm_sem_unlock_bits(ixm);
		usleep_range(5000, 10000);
	}
	return -EBUSY;
}

static void ixm_sem_give(struct ixm *ixm)
{
	if (ixm_sem_lock_bits(ixm))
		return;
	ixm_write(ixm, IXM_SW_FW_SYNC,
		  ixm_read(ixm, IXM_SW_FW_SYNC) & ~ixm_sem_phy(ixm));
	ixm_sem_unlock_bits(ixm);
}

/* ---- bits ---- */

/* Each line is released (1), and pulled up, or driven low (0). */
static void ixm_i2c_lines(struct ixm *ixm, bool clk, bool data)
{
	ixm_write(ixm, IXM_I2CCTL, (clk ? IXM_I2CCTL_CLK_OUT : 0) |
				   (data ? IXM_I2CCTL_DATA_OUT : 0));
	ixm_read(ixm, IXM_STATUS);
	udelay(IXM_I2C_QUARTER_US);
}

static void ixm_i2c_clock_high(struct ixm *ixm, bool data)
{
	unsigned int i;

	ixm_i2c_lines(ixm, true, data);
	for (i = 0; i < IXM_I2C_STRETCH_US; i++) {
		if (ixm_read(ixm, IXM_I2CCTL) & IXM_I2CCTL_CLK_IN)
			break;
		udelay(1);
	}
	udelay(IXM_I2C_QUARTER_US);
}

/* Clock one bit; the return value is what the line had while it was high. */
static bool ixm_i2c_bit(struct ixm *ixm, bool data)
{
	bool in;

	ixm_i2c_lines(ixm, false, data);
	ixm_i2c_clock_high(ixm, data);
	in = ixm_read(ixm, IXM_I2CCTL) & IXM_I2CCTL_DATA_IN;
	ixm_i2c_lines(ixm, false, data);
	return in;
}

/* Data falls while the clock is high; also between two transfers. */
static void ixm_i2c_start(struct ixm *ixm)
{
	ixm_i2c_lines(ixm, false, true);
	ixm_i2c_clock_high(ixm, true);
	ixm_i2c_lines(ixm, true, false);
	ixm_i2c_lines(ixm, false, false);
}

/* Data rises while the clock is high. */
static void ixm_i2c_stop(struct ixm *ixm)
{
	ixm_i2c_lines(ixm, false, false);
	ixm_i2c_clock_high(ixm, false);
	ixm_i2c_lines(ixm, true, true);
}

/* True when the other side acknowledges it. */
static bool ixm_i2c_send(struct ixm *ixm, u8 byte)
{
	int i;

	for (i = 7; i >= 0; i--)
		ixm_i2c_bit(ixm, byte >> i & 1);
	return !ixm_i2c_bit(ixm, true);
}

static u8 ixm_i2c_receive(struct ixm *ixm, bool last)
{
	u8 byte = 0;
	int i;

	for (i = 0; i < 8; i++)
		byte = byte << 1 | ixm_i2c_bit(ixm, true);
	ixm_i2c_bit(ixm, last);
	return byte;
}

static int ixm_i2c_transfer(struct ixm *ixm, u8 addr, u8 offset, u8 *data,
			    u32 len)
{
	u32 i;

	ixm_i2c_start(ixm);
	if (!ixm_i2c_send(ixm, addr << 1) || !ixm_i2c_send(ixm, offset))
		return -ENXIO;
	ixm_i2c_start(ixm);
	if (!ixm_i2c_send(ixm, addr << 1 | 1))
		return -ENXIO;
	for (i = 0; i < len; i++) {
		data[i] = ixm_i2c_receive(ixm, i == len - 1);
		cond_resched();
	}
	return 0;
}

/* Read @len bytes, at least one; -ENXIO when no module answers. */
static int ixm_sfp_read(struct ixm *ixm, u8 addr, u8 offset, u8 *data, u32 len)
{
	int err;

	ASSERT_RTNL();
	err = ixm_sem_take(ixm);
	if (err)
		return err;
	err = ixm_i2c_transfer(ixm, addr, offset, data, len);
	ixm_i2c_stop(ixm);
	ixm_sem_give(ixm);
	return READ_ONCE(ixm->gone) ? -ENODEV : err;
}

/* ---- what it is ---- */

/* SFF-8472 table 4-1 */
#define IXM_SFP_ADDR		0x50
#define IXM_SFP_10G_CODES	3
#define IXM_SFP_10G_LR		BIT(5)
#define IXM_SFP_CABLE		8
#define IXM_SFP_CABLE_COPPER	(BIT(2) | BIT(3))	/* passive, active */

/**
 * ixm_sfp_identify() - find out what is in the cage, unless it is known
 * @ixm: device
 *
 * Context: process, RTNL.
 */
void ixm_sfp_identify(struct ixm *ixm)
{
	u8 id[IXM_SFP_CABLE + 1];

	if (READ_ONCE(ixm->sfp_known))
		return;
	WRITE_ONCE(ixm->sfp_known, true);
	if (ixm_sfp_read(ixm, IXM_SFP_ADDR, 0, id, sizeof(id))) {
		ixm->sfp_port = PORT_NONE;
	} else if (id[IXM_SFP_CABLE] & IXM_SFP_CABLE_COPPER) {
		ixm->sfp_port = PORT_DA;
		ixm->sfp_mode = ETHTOOL_LINK_MODE_10000baseCR_Full_BIT;
	} else {
		ixm->sfp_port = PORT_FIBRE;
		ixm->sfp_mode = id[IXM_SFP_10G_CODES] & IXM_SFP_10G_LR ?
				ETHTOOL_LINK_MODE_10000baseLR_Full_BIT :
				ETHTOOL_LINK_MODE_10000baseSR_Full_BIT;
	}
}

/**
 * ixm_get_module_eeprom() - ethtool -m
 * @dev: net device
 * @page: what to read, at most 128 bytes that do not cross a half of the page
 * @extack: says what is wrong
 *
 * Return: bytes read, or a negative error.
 */
int ixm_get_module_eeprom(struct net_device *dev,
			  const struct ethtool_module_eeprom *page,
			  struct netlink_ext_ack *extack)
{
	int err;

	if (page->page || page->bank) {
		NL_SET_ERR_MSG_MOD(extack, "the module has one page");
		return -EINVAL;
	}
	err = ixm_sfp_read(netdev_priv(dev), page->i2c_address, page->offset,
			   page->data, page->length);
	if (err) {
		NL_SET_ERR_MSG_MOD(extack, "no module answers");
		return err;
	}
	return page->length;
}
