/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of the Intel 82599 10 GbE controller.
 *
 * Names are those of the datasheet ("Intel 82599 10 GbE Controller
 * Datasheet", revision 3.x); the section that describes a group stands in
 * front of it.  Offsets are into BAR 0.
 */
#ifndef _IXM_REGS_H_
#define _IXM_REGS_H_

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/types.h>

/* 8.2.3.1 General control */
#define IXM_CTRL			0x00000
#define IXM_CTRL_MASTER_DISABLE		BIT(2)
#define IXM_CTRL_LRST			BIT(3)
#define IXM_CTRL_RST			BIT(26)
#define IXM_STATUS			0x00008
#define IXM_STATUS_LAN_ID		GENMASK(3, 2)
#define IXM_STATUS_MASTER_ENABLE	BIT(19)
#define IXM_CTRL_EXT			0x00018
#define IXM_CTRL_EXT_NS_DIS		BIT(16)
#define IXM_CTRL_EXT_RO_DIS		BIT(17)
#define IXM_CTRL_EXT_DRV_LOAD		BIT(28)
/* the two-wire bus to the SFP+ module: each line as it is, and as driven */
#define IXM_I2CCTL			0x00028
#define IXM_I2CCTL_CLK_IN		BIT(0)
#define IXM_I2CCTL_CLK_OUT		BIT(1)
#define IXM_I2CCTL_DATA_IN		BIT(2)
#define IXM_I2CCTL_DATA_OUT		BIT(3)
/* a byte for each of four LEDs */
#define IXM_LEDCTL			0x00200
#define IXM_LEDCTL_MODES		0x0F0F0F0F
#define IXM_LEDCTL_ON			0x0E0E0E0E
#define IXM_LEDCTL_OFF			0x0F0F0F0F
#define IXM_LEDCTL_BLINK		0x80808080

/* 8.2.3.2 EEPROM and flash */
#define IXM_EEC				0x10010
#define IXM_EEC_AUTO_RD			BIT(9)
#define IXM_EEC_SIZE			GENMASK(14, 11)	/* 64 << n words */
#define IXM_EERD			0x10014
#define IXM_EERD_START			BIT(0)
#define IXM_EERD_DONE			BIT(1)
#define IXM_EERD_ADDR			GENMASK(15, 2)
#define IXM_EERD_DATA			GENMASK(31, 16)
#define IXM_EERD_WORDS			BIT(14)		/* that it can address */
/* 6.2.22: words 0 to 3Fh and the sections they point to have this sum */
#define IXM_EE_SUM			0xBABA
#define IXM_EE_SUM_WORDS		0x40
#define IXM_EE_PTR_FIRST		0x03
#define IXM_EE_PTR_LAST			0x0E
#define IXM_EEMNGCTL			0x10110
/* one bit a LAN port */
#define IXM_EEMNGCTL_CFG_DONE(lan)	BIT(18 + (lan))

/* 8.2.3.3 Flow control, with one traffic class: index 0 */
#define IXM_FCTTV(n)			(0x03200 + 4 * (n))
#define IXM_FCRTL(n)			(0x03220 + 4 * (n))
#define IXM_FCRTL_RTL			GENMASK(18, 5)	/* 32 bytes */
#define IXM_FCRTL_XONE			BIT(31)
#define IXM_FCRTH(n)			(0x03260 + 4 * (n))
#define IXM_FCRTH_RTH			GENMASK(18, 5)	/* 32 bytes */
#define IXM_FCRTH_FCEN			BIT(31)
#define IXM_FCRTV			0x032A0
#define IXM_FCCFG			0x03D00
#define IXM_FCCFG_TFCE			GENMASK(4, 3)
#define IXM_FCCFG_TFCE_LINK		1
/* quanta of 512 bit times */
#define IXM_PAUSE_TIME			0xFFFF

/* 8.2.3.4 PCIe: semaphores between software and firmware (10.5.4) */
#define IXM_SWSM			0x10140
#define IXM_SWSM_SMBI			BIT(0)
#define IXM_SWSM_SWESMBI		BIT(1)
#define IXM_SW_FW_SYNC			0x10160
#define IXM_SW_FW_SYNC_PHY(lan)		BIT(1 + (lan))
#define IXM_SW_FW_SYNC_FW_SHIFT		5

/* 8.2.3.5 Interrupts.  EIxx_EX(0) has MSI-X vectors 0-31, EIxx_EX(1) 32-63. */
#define IXM_EICR			0x00800
#define IXM_EICS			0x00808
#define IXM_EIAC			0x00810
#define IXM_EIMS			0x00880
#define IXM_EIMC			0x00888
#define IXM_EIAM			0x00890
#define IXM_EICS_EX(n)			(0x00A90 + 4 * (n))
#define IXM_EIMS_EX(n)			(0x00AA0 + 4 * (n))
#define IXM_EIMC_EX(n)			(0x00AB0 + 4 * (n))
#define IXM_EIAM_EX(n)			(0x00AD0 + 4 * (n))
#define IXM_EICR_RTXQ			GENMASK(15, 0)
#define IXM_EICR_LSC			BIT(20)
#define IXM_EICR_ECC			BIT(28)
#define IXM_EICR_OTHER			GENMASK(30, 16)
/* vectors 0-23; those above are elsewhere, and not used here */
#define IXM_EITR(n)			(0x00820 + 4 * (n))
/* in steps of 2 us at 1 and 10 Gb/s; 0 = no moderation */
#define IXM_EITR_INTERVAL		GENMASK(11, 3)
#define IXM_EITR_CNT_WDIS		BIT(31)
#define IXM_EITR_USECS_MAX		(2 * (u32)FIELD_MAX(IXM_EITR_INTERVAL))
/* one register serves RX and TX of two queues, one byte each */
#define IXM_IVAR(n)			(0x00900 + 4 * (n))
#define IXM_IVAR_MISC			0x00A00
#define IXM_IVAR_VALID			BIT(7)
#define IXM_IVAR_ENTRY			GENMASK(7, 0)
#define IXM_IVAR_MISC_OTHER_SHIFT	8
#define IXM_GPIE			0x00898
#define IXM_GPIE_MULTIPLE_MSIX		BIT(4)
#define IXM_GPIE_OCD			BIT(5)
#define IXM_GPIE_EIAME			BIT(30)
#define IXM_GPIE_PBA_SUPPORT		BIT(31)

/* 8.2.3.7 Receive: filters */
#define IXM_RXCSUM			0x05000
#define IXM_RXCSUM_PCSD			BIT(13)
#define IXM_FCTRL			0x05080
#define IXM_FCTRL_MPE			BIT(8)
#define IXM_FCTRL_UPE			BIT(9)
#define IXM_FCTRL_BAM			BIT(10)
#define IXM_VLNCTRL			0x05088
#define IXM_VLNCTRL_VET			GENMASK(15, 0)
#define IXM_VLNCTRL_VFE			BIT(30)
#define IXM_MCSTCTRL			0x05090
#define IXM_MCSTCTRL_MFE		BIT(2)
#define IXM_MTA(n)			(0x05200 + 4 * (n))
#define IXM_MTA_COUNT			128
#define IXM_VFTA(n)			(0x0A000 + 4 * (n))
#define IXM_VFTA_COUNT			128
#define IXM_RAL(n)			(0x0A200 + 8 * (n))
#define IXM_RAH(n)			(0x0A204 + 8 * (n))
#define IXM_RAH_AV			BIT(31)
#define IXM_RAR_COUNT			128
#define IXM_MPSAR(n)			(0x0A600 + 4 * (n))

/* 8.2.3.7 Receive: RSS */
#define IXM_RETA(n)			(0x0EB00 + 4 * (n))
#define IXM_RETA_ENTRIES		128
#define IXM_RSSRK(n)			(0x0EB80 + 4 * (n))
#define IXM_RSSRK_COUNT			10
#define IXM_MRQC			0x0EC80
#define IXM_MRQC_MRQE_RSS		1
#define IXM_MRQC_TCP_IPV4		BIT(16)
#define IXM_MRQC_IPV4			BIT(17)
#define IXM_MRQC_IPV6			BIT(20)
#define IXM_MRQC_TCP_IPV6		BIT(21)
#define IXM_MRQC_UDP_IPV4		BIT(22)
#define IXM_MRQC_UDP_IPV6		BIT(23)

/* 8.2.3.8 Receive: DMA.  Queues 0-63; this driver uses at most 16. */
#define IXM_RDBAL(n)			(0x01000 + 0x40 * (n))
#define IXM_RDBAH(n)			(0x01004 + 0x40 * (n))
#define IXM_RDLEN(n)			(0x01008 + 0x40 * (n))
#define IXM_DCA_RXCTRL(n)		(0x0100C + 0x40 * (n))
/* must be written as 0 (8.2.3.11.1), though the reset value is 1 */
#define IXM_DCA_RXCTRL_RSV12		BIT(12)
#define IXM_RDH(n)			(0x01010 + 0x40 * (n))
#define IXM_SRRCTL(n)			(0x01014 + 0x40 * (n))
#define IXM_SRRCTL_BSIZEPACKET		GENMASK(4, 0)	/* KiB */
#define IXM_SRRCTL_DESCTYPE		GENMASK(27, 25)
#define IXM_SRRCTL_DESCTYPE_ADV_1BUF	1
#define IXM_SRRCTL_DROP_EN		BIT(28)
#define IXM_RDT(n)			(0x01018 + 0x40 * (n))
#define IXM_RXDCTL(n)			(0x01028 + 0x40 * (n))
#define IXM_RXDCTL_ENABLE		BIT(25)
#define IXM_RXDCTL_VME			BIT(30)
#define IXM_RDRXCTL			0x02F00
#define IXM_RDRXCTL_CRCSTRIP		BIT(1)
#define IXM_RDRXCTL_DMAIDONE		BIT(3)
#define IXM_RDRXCTL_RSCFRSTSIZE		GENMASK(21, 17)	/* written as 0 */
#define IXM_RDRXCTL_RSCACKC		BIT(25)		/* written as 1 */
#define IXM_RDRXCTL_FCOE_WRFIX		BIT(26)		/* written as 1 */
#define IXM_RXPBSIZE(n)			(0x03C00 + 4 * (n))
#define IXM_RXPBSIZE_SIZE		GENMASK(19, 10)	/* KiB */
#define IXM_RXCTRL			0x03000
#define IXM_RXCTRL_RXEN			BIT(0)
#define IXM_SECRXCTRL			0x08D00
#define IXM_SECRXCTRL_RX_DIS		BIT(1)
#define IXM_SECRXSTAT			0x08D04
#define IXM_SECRXSTAT_RDY		BIT(0)

/* 8.2.3.9 Transmit */
#define IXM_RTTDCS			0x04900
#define IXM_RTTDCS_ARBDIS		BIT(6)
#define IXM_DMATXCTL			0x04A80
#define IXM_DMATXCTL_TE			BIT(0)
/* TCP flags that the first and the middle segments keep */
#define IXM_DTXTCPFLGL			0x04A88
#define IXM_DTXTCPFLGL_FIRST		GENMASK(11, 0)
#define IXM_DTXTCPFLGL_MIDDLE		GENMASK(27, 16)
/* FIN and PSH (bits 0, 3) are the last one's, CWR (bit 7) is the first one's */
#define IXM_TCP_FLAGS_FIRST		0xFF6
#define IXM_TCP_FLAGS_MIDDLE		0xF76
#define IXM_TDBAL(n)			(0x06000 + 0x40 * (n))
#define IXM_TDBAH(n)			(0x06004 + 0x40 * (n))
#define IXM_TDLEN(n)			(0x06008 + 0x40 * (n))
#define IXM_DCA_TXCTRL(n)		(0x0600C + 0x40 * (n))
/* relaxed ordering of write-backs: a DD could overtake (8.2.3.11.2) */
#define IXM_DCA_TXCTRL_DESC_WB_RO	BIT(11)
#define IXM_TDH(n)			(0x06010 + 0x40 * (n))
#define IXM_TDT(n)			(0x06018 + 0x40 * (n))
#define IXM_TXDCTL(n)			(0x06028 + 0x40 * (n))
#define IXM_TXDCTL_PTHRESH		GENMASK(6, 0)
#define IXM_TXDCTL_HTHRESH		GENMASK(14, 8)
#define IXM_TXDCTL_ENABLE		BIT(25)
#define IXM_DTXMXSZRQ			0x08100
#define IXM_DTXMXSZRQ_MAX		0xFFF
#define IXM_MTQC			0x08120
#define IXM_TXPBSIZE(n)			(0x0CC00 + 4 * (n))
#define IXM_TXPBSIZE_ONE		0x28000		/* 160 KiB, one buffer */
#define IXM_TXPBTHRESH(n)		(0x04950 + 4 * (n))
#define IXM_TXPBTHRESH_ONE		0xA0		/* KiB */

/* 8.2.3.22 MAC */
#define IXM_HLREG0			0x04240
#define IXM_HLREG0_TXCRCEN		BIT(0)
#define IXM_HLREG0_RXCRCSTRP		BIT(1)
#define IXM_HLREG0_JUMBOEN		BIT(2)
#define IXM_HLREG0_TXPADEN		BIT(10)
#define IXM_HLREG0_LPBK			BIT(15)
#define IXM_MAXFRS			0x04268
#define IXM_MAXFRS_MFS			GENMASK(31, 16)
#define IXM_MFLCN			0x04294
#define IXM_MFLCN_DPF			BIT(1)
#define IXM_MFLCN_RFCE			BIT(3)
#define IXM_AUTOC			0x042A0
#define IXM_AUTOC_FLU			BIT(0)
#define IXM_AUTOC_RESTART_AN		BIT(12)
#define IXM_LINKS			0x042A4
#define IXM_LINKS_UP			BIT(30)
#define IXM_LINKS_SPEED			GENMASK(29, 28)
#define IXM_LINKS_SPEED_100M		1
#define IXM_LINKS_SPEED_1G		2
#define IXM_LINKS_SPEED_10G		3

/* 8.2.3.23 Statistics: cleared by reading, stick at their maximum */
#define IXM_CRCERRS			0x04000
#define IXM_ILLERRC			0x04004
#define IXM_ERRBC			0x04008
#define IXM_MPC(n)			(0x03FA0 + 4 * (n))
#define IXM_MPC_COUNT			8
#define IXM_LXONTXC			0x03F60
#define IXM_LXOFFTXC			0x03F68
#define IXM_RLEC			0x04040
/* frames of 64, to 127, to 255, to 511, to 1023, and more bytes */
#define IXM_PRC(n)			(0x0405C + 4 * (n))
#define IXM_PTC(n)			(0x040D8 + 4 * (n))
#define IXM_SIZE_BINS			6
#define IXM_GPRC			0x04074
#define IXM_BPRC			0x04078
#define IXM_MPRC			0x0407C
#define IXM_GPTC			0x04080
/* 36 bits: the low half is read first */
#define IXM_GORC			0x04088
#define IXM_GOTC			0x04090
#define IXM_RUC				0x040A4
#define IXM_RFC				0x040A8
#define IXM_ROC				0x040AC
#define IXM_RJC				0x040B0
#define IXM_MPTC			0x040F0
#define IXM_BPTC			0x040F4
#define IXM_LXONRXCNT			0x041A4
#define IXM_LXOFFRXCNT			0x041A8
#define IXM_QPRDC(n)			(0x01430 + 0x40 * (n))
/* which of the 16 counters a queue uses, four queues a register */
#define IXM_RQSMR(n)			(0x02300 + 4 * (n))
#define IXM_TQSM(n)			(0x08600 + 4 * (n))

/* 4.2.1.6.1: after CTRL.RST software waits before it touches the device */
#define IXM_RESET_DELAY_US		10000

/* The highest register used is EEMNGCTL; the BAR has 128 KiB at least. */
#define IXM_BAR_MIN			0x20000

/**
 * ixm_eitr() - value of EITR for an interrupt interval
 * @usecs: shortest time between two interrupts, in microseconds, at most
 *	   IXM_EITR_USECS_MAX; odd values round up so that the rate asked
 *	   for is not exceeded
 *
 * Return: the register's value. 0 microseconds gives no moderation.
 */
static inline u32 ixm_eitr(u32 usecs)
{
	u32 steps = DIV_ROUND_UP(min_t(u32, usecs, IXM_EITR_USECS_MAX), 2);

	return FIELD_PREP(IXM_EITR_INTERVAL, steps) | IXM_EITR_CNT_WDIS;
}

/**
 * ixm_reta() - value of one RETA register
 * @entry: four entries of the table, queue numbers from 0 to 15
 *
 * Return: the register's value, the first entry in the lowest byte.
 */
static inline u32 ixm_reta(const u8 *entry)
{
	return entry[0] | entry[1] << 8 | entry[2] << 16 | (u32)entry[3] << 24;
}

/**
 * ixm_ivar_shift() - where a queue's entry is in its IVAR register
 * @queue: queue number; IVAR(@queue / 2) holds it
 * @tx: the transmit queue of that number, else the receive queue
 *
 * Return: the shift of the entry of 8 bits.
 */
static inline u32 ixm_ivar_shift(u32 queue, bool tx)
{
	return 16 * (queue & 1) + 8 * tx;
}

#endif /* _IXM_REGS_H_ */
