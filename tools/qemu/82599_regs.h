/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers, descriptors and constants of the Intel 82599, with the names of
 * its datasheet and the section each group comes from.  Read from the datasheet
 * for the device alone: the driver has its own reading, and that the two agree
 * is a test of both.
 */
#ifndef E82599_REGS_H
#define E82599_REGS_H

#define BIT32(n)	(UINT32_C(1) << (n))

#define E82599_BAR0_SIZE	0x20000u
#define E82599_QUEUES		128	/* each of transmit and receive */
#define E82599_VECTORS		64	/* MSI-X table size */
#define E82599_RARS		128
#define E82599_DESC_SIZE	16

/* 8.2.3.1 general control */
#define CTRL			0x00000
#define CTRL_ALIAS		0x00004
#define  CTRL_PCIE_MASTER_DIS	BIT32(2)
#define  CTRL_LRST		BIT32(3)
#define  CTRL_RST		BIT32(26)
#define STATUS			0x00008
#define  STATUS_LAN_ID_SHIFT	2
#define  STATUS_LINK_UP		BIT32(7)
#define  STATUS_PCIE_MASTER_EN	BIT32(19)
#define CTRL_EXT		0x00018
#define ESDP			0x00020
#define  ESDP_SDP2_DATA		BIT32(2)	/* the module is in its cage */
#define I2CCTL			0x00028
#define  I2CCTL_CLK_IN		BIT32(0)
#define  I2CCTL_CLK_OUT		BIT32(1)
#define  I2CCTL_DATA_IN		BIT32(2)
#define  I2CCTL_DATA_OUT	BIT32(3)

/* 8.2.3.2 EEPROM and flash */
#define EEC			0x10010
#define  EEC_REQ		BIT32(6)
#define  EEC_GNT		BIT32(7)
#define  EEC_PRES		BIT32(8)
#define  EEC_AUTO_RD		BIT32(9)
#define  EEC_SIZE_SHIFT		11
#define EERD			0x10014
#define  EERD_START		BIT32(0)
#define  EERD_DONE		BIT32(1)
#define  EERD_ADDR(v)		(((v) >> 2) & 0x3fff)
#define  EERD_DATA_SHIFT	16
#define EEMNGCTL		0x10110
#define  EEMNGCTL_CFG_DONE0	BIT32(18)
#define  EEMNGCTL_CFG_DONE1	BIT32(19)

/* 8.2.3.4 PCIe: semaphores between software and firmware */
#define SWSM			0x10140
#define  SWSM_SMBI		BIT32(0)
#define  SWSM_SWESMBI		BIT32(1)
#define FWSM			0x10148
#define  FWSM_FW_VALID		BIT32(15)
#define FACTPS			0x10150
#define SW_FW_SYNC		0x10160

/* 8.2.3.5 interrupts */
#define EICR			0x00800
#define EICS			0x00808
#define EIAC			0x00810
#define EITR_LOW(n)		(0x00820 + 4 * (n))		/* 0..23 */
#define EITR_HIGH(n)		(0x12300 + 4 * ((n) - 24))	/* 24..128 */
#define  EITR_INTERVAL_MASK	0xff8	/* units of 2 us from bit 3 on */
#define  EITR_CNT_WDIS		BIT32(31)
#define EIMS			0x00880
#define EIMC			0x00888
#define EIAM			0x00890
#define GPIE			0x00898
#define  GPIE_MULTIPLE_MSIX	BIT32(4)
#define  GPIE_OCD		BIT32(5)
#define  GPIE_EIMEN		BIT32(6)
#define  GPIE_EIAME		BIT32(30)
#define IVAR(n)			(0x00900 + 4 * (n))		/* 0..63 */
#define  IVAR_ALLOC_MASK	0x3f
#define  IVAR_ALLOC_VALID	0x80
#define IVAR_MISC		0x00a00
#define EICS_EX(n)		(0x00a90 + 4 * (n))		/* 0..1 */
#define EIMS_EX(n)		(0x00aa0 + 4 * (n))
#define EIMC_EX(n)		(0x00ab0 + 4 * (n))
#define EIAM_EX(n)		(0x00ad0 + 4 * (n))

#define EICR_RTXQ_MASK		0x0000ffff
#define EICR_FLOW_DIR		BIT32(16)
#define EICR_RX_MISS		BIT32(17)
#define EICR_PCI_EXCEPTION	BIT32(18)
#define EICR_LSC		BIT32(20)
#define EICR_ECC		BIT32(28)
#define EICR_TCP_TIMER		BIT32(30)
#define EICR_OTHER_MASK		0x7fff0000
#define EICR_OCD_CLEARED	0x3fff0000	/* bits 16..29, 8.2.3.5 */

/* 8.2.3.7 receive */
#define RXCSUM			0x05000
#define  RXCSUM_PCSD		BIT32(13)
#define FCTRL			0x05080
#define  FCTRL_SBP		BIT32(1)
#define  FCTRL_MPE		BIT32(8)
#define  FCTRL_UPE		BIT32(9)
#define  FCTRL_BAM		BIT32(10)
#define VLNCTRL			0x05088
#define  VLNCTRL_VET_MASK	0xffff
#define  VLNCTRL_CFI		BIT32(28)
#define  VLNCTRL_CFIEN		BIT32(29)
#define  VLNCTRL_VFE		BIT32(30)
#define MCSTCTRL		0x05090
#define  MCSTCTRL_MO_MASK	3
#define  MCSTCTRL_MFE		BIT32(2)
#define MTA(n)			(0x05200 + 4 * (n))
#define RAL_LOW(n)		(0x05400 + 8 * (n))		/* 0..15, alias */
#define RAL(n)			(0x0a200 + 8 * (n))
#define RAH(n)			(0x0a204 + 8 * (n))
#define  RAH_ADDR_MASK		0xffff
#define  RAH_AV			BIT32(31)
#define MPSAR(n)		(0x0a600 + 4 * (n))
#define PSRTYPE_LOW(n)		(0x05480 + 4 * (n))		/* 0..15, alias */
#define PSRTYPE(n)		(0x0ea00 + 4 * (n))
#define VFTA(n)			(0x0a000 + 4 * (n))
#define UTA(n)			(0x0f400 + 4 * (n))
#define MRQC_ALIAS		0x05818
#define MRQC			0x0ec80
#define  MRQC_MRQE_MASK		0xf
#define  MRQC_MRQE_RSS		1
#define  MRQC_TCP_IPV4		BIT32(16)
#define  MRQC_IPV4		BIT32(17)
#define  MRQC_IPV6		BIT32(20)
#define  MRQC_TCP_IPV6		BIT32(21)
#define  MRQC_UDP_IPV4		BIT32(22)
#define  MRQC_UDP_IPV6		BIT32(23)
#define RETA_ALIAS(n)		(0x05c00 + 4 * (n))		/* 0..31 */
#define RETA(n)			(0x0eb00 + 4 * (n))
#define RSSRK_ALIAS(n)		(0x05c80 + 4 * (n))		/* 0..9 */
#define RSSRK(n)		(0x0eb80 + 4 * (n))

/* 8.2.3.8 receive DMA; a block of 0x40 bytes for each queue */
#define RX_QUEUE_LOW		0x01000		/* queues 0..63 */
#define RX_QUEUE_HIGH		0x0d000		/* queues 64..127 */
#define TX_QUEUE		0x06000		/* queues 0..127 */
#define QUEUE_STRIDE		0x40
#define Q_BAL			0x00
#define Q_BAH			0x04
#define Q_LEN			0x08
#define Q_DCA			0x0c
#define Q_HEAD			0x10
#define Q_SRRCTL		0x14
#define Q_TAIL			0x18
#define Q_DCTL			0x28
#define Q_RSCCTL		0x2c
#define  RSCCTL_RSCEN		BIT32(0)
#define Q_STAT0			0x30		/* QPRC or QPRDC */
#define Q_STAT1			0x34		/* QBRC_L */
#define Q_STAT2			0x38		/* QBRC_H */
#define Q_WBAL			0x38		/* TDWBAL */
#define Q_WBAH			0x3c		/* TDWBAH */
#define Q_LEN_MASK		0x000fff80	/* 128-byte units, up to 64 Ki descriptors */
#define WBAL_EN			BIT32(0)
#define DCTL_ENABLE		BIT32(25)
#define RXDCTL_VME		BIT32(30)
#define TXDCTL_SWFLSH		BIT32(26)
#define SRRCTL_LOW(n)		(0x02100 + 4 * (n))		/* 0..15, alias */
#define SRRCTL_BSIZEPKT_MASK	0x1f		/* KiB */
#define SRRCTL_DESCTYPE_SHIFT	25
#define SRRCTL_DESCTYPE_MASK	7
#define  DESCTYPE_LEGACY	0
#define  DESCTYPE_ADV_ONE	1
#define SRRCTL_DROP_EN		BIT32(28)
#define RDRXCTL			0x02f00
#define  RDRXCTL_CRCSTRIP	BIT32(1)
#define  RDRXCTL_DMAIDONE	BIT32(3)
#define RXCTRL			0x03000
#define  RXCTRL_RXEN		BIT32(0)
#define RXPBSIZE(n)		(0x03c00 + 4 * (n))

/* 8.2.3.9 transmit */
#define DMATXCTL		0x04a80
#define  DMATXCTL_TE		BIT32(0)
#define  DMATXCTL_VT_SHIFT	16
#define DTXTCPFLGL		0x04a88
#define DTXTCPFLGH		0x04a8c
#define DTXMXSZRQ		0x08100
#define MTQC			0x08120
#define TXPBSIZE(n)		(0x0cc00 + 4 * (n))
#define TXPBTHRESH(n)		(0x04950 + 4 * (n))
#define RTTDCS			0x04900

/* 8.2.3.12 security: the handshakes that stop a path */
#define SECTXCTRL		0x08800
#define  SECTXCTRL_TX_DIS	BIT32(1)
#define SECTXSTAT		0x08804
#define SECRXCTRL		0x08d00
#define  SECRXCTRL_RX_DIS	BIT32(1)
#define SECRXSTAT		0x08d04
#define  SEC_READY		BIT32(0)

/* 8.2.3.3 flow control */
#define FCTTV(n)		(0x03200 + 4 * (n))	/* 0..3 */
#define  FCTTV_MASK		0xffff			/* quanta of 512 bit times */
#define FCRTL(n)		(0x03220 + 4 * (n))	/* 0..7 */
#define  FCRTL_XONE		BIT32(31)
#define FCRTH(n)		(0x03260 + 4 * (n))
#define  FCRTH_FCEN		BIT32(31)
#define  FCRT_MASK		0x0007ffe0		/* bytes, in units of 32 */
#define FCRTV			0x032a0
#define FCCFG			0x03d00
#define  FCCFG_TFCE_MASK	(3u << 3)
#define  FCCFG_TFCE_LINK	(1u << 3)

/* 8.2.3.21 flow director */
#define FDIRCTRL		0x0ee00
#define  FDIRCTRL_PBALLOC_MASK	3		/* 1: 64 KiB, 2: 128 KiB, 3: 256 KiB */
#define  FDIRCTRL_INIT_DONE	BIT32(3)
#define  FDIRCTRL_PERFECT	BIT32(4)
#define  FDIRCTRL_DROP_SHIFT	8
#define  FDIRCTRL_FLEX_SHIFT	16		/* words from the frame's begin */
#define  FDIRCTRL_FLEX_MASK	0x1f
#define  FDIRCTRL_FULL_SHIFT	28		/* units of 16 filters */
#define FDIRIPSA		0x0ee18
#define FDIRIPDA		0x0ee1c
#define FDIRPORT		0x0ee20		/* source, destination << 16 */
#define FDIRVLAN		0x0ee24		/* tag, flexible bytes << 16 */
#define FDIRHASH		0x0ee28
#define  FDIRHASH_BUCKET_MASK	0x7fff
#define FDIRCMD			0x0ee2c
#define  FDIRCMD_CMD_MASK	3
#define   FDIRCMD_ADD		1
#define   FDIRCMD_REMOVE	2
#define   FDIRCMD_QUERY		3
#define  FDIRCMD_VALID		BIT32(2)
#define  FDIRCMD_UPDATE		BIT32(3)
#define  FDIRCMD_TYPE_SHIFT	5
#define  FDIRCMD_TYPE_MASK	7
#define   FDIR_TYPE_UDP		1
#define   FDIR_TYPE_TCP		2
#define   FDIR_TYPE_SCTP	3
#define   FDIR_TYPE_IPV6	4
#define  FDIRCMD_CLEARHT	BIT32(8)
#define  FDIRCMD_DROP		BIT32(9)
#define  FDIRCMD_QUEUE_EN	BIT32(15)
#define  FDIRCMD_QUEUE_SHIFT	16
#define FDIRFREE		0x0ee38
#define FDIRDIP4M		0x0ee3c
#define FDIRSIP4M		0x0ee40
#define FDIRTCPM		0x0ee44
#define FDIRUDPM		0x0ee48
#define FDIRLEN			0x0ee4c
#define FDIRUSTAT		0x0ee50		/* added, removed << 16 */
#define FDIRFSTAT		0x0ee54		/* the same, failed; 8 bits each */
#define FDIRMATCH		0x0ee58
#define FDIRMISS		0x0ee5c
#define FDIRHKEY		0x0ee68
#define FDIRSKEY		0x0ee6c
#define FDIRM			0x0ee70
#define  FDIRM_VLANID		BIT32(0)
#define  FDIRM_VLANP		BIT32(1)
#define  FDIRM_L4P		BIT32(3)
#define  FDIRM_FLEX		BIT32(4)
#define FDIR_VLAN_MASK		0xefff		/* the CFI bit is not looked at */

/* 8.2.3.22 MAC */
#define PCS1GLSTA		0x0420c
#define HLREG0			0x04240
#define  HLREG0_TXCRCEN		BIT32(0)
#define  HLREG0_RXCRCSTRP	BIT32(1)
#define  HLREG0_JUMBOEN		BIT32(2)
#define  HLREG0_TXPADEN		BIT32(10)
#define  HLREG0_LPBK		BIT32(15)
#define  HLREG0_MDCSPD		BIT32(16)
#define  HLREG0_RXLNGTHERREN	BIT32(27)
#define MSCA			0x0425c
#define  MSCA_MDICMD		BIT32(30)
#define MSRWD			0x04260
#define MAXFRS			0x04268
#define MFLCN			0x04294
#define  MFLCN_PMCF		BIT32(0)
#define  MFLCN_RFCE		BIT32(3)
#define AUTOC			0x042a0
#define  AUTOC_FLU		BIT32(0)
#define  AUTOC_RESTART_AN	BIT32(12)
#define  AUTOC_LMS_SHIFT	13
#define  AUTOC_LMS_10G_SERIAL	3
#define LINKS			0x042a4
#define  LINKS_KX4_SIG_MASK	0x0000f000
#define  LINKS_SPEED_10G	(3u << 28)
#define  LINKS_UP		BIT32(30)
#define AUTOC2			0x042a8
#define ANLP1			0x042b0
#define  ANLP1_STATE_DONE	0x000b0000

/* 8.2.3.23 statistics */
#define LXONTXC			0x03f60
#define LXOFFTXC		0x03f68
#define CRCERRS			0x04000
#define ILLERRC			0x04004
#define ERRBC			0x04008
#define MPC(n)			(0x03fa0 + 4 * (n))		/* 0..7 */
#define MLFC			0x04034
#define MRFC			0x04038
#define RLEC			0x04040
#define PRC64			0x0405c		/* PRC127 .. PRC1522 follow */
#define GPRC			0x04074
#define BPRC			0x04078
#define MPRC			0x0407c
#define GPTC			0x04080
#define GORCL			0x04088
#define GORCH			0x0408c
#define GOTCL			0x04090
#define GOTCH			0x04094
#define RUC			0x040a4
#define RFC			0x040a8
#define ROC			0x040ac
#define RJC			0x040b0
#define TORL			0x040c0
#define TORH			0x040c4
#define TPR			0x040d0
#define TPT			0x040d4
#define PTC64			0x040d8		/* PTC127 .. PTC1522 follow */
#define MPTC			0x040f0
#define BPTC			0x040f4
#define XEC			0x04120
#define LXONRXCNT		0x041a4
#define LXOFFRXCNT		0x041a8
#define RQSMR(n)		(0x02300 + 4 * (n))		/* 0..31 */
#define TQSM(n)			(0x08600 + 4 * (n))		/* 0..31 */
#define QPRC(n)			(0x01030 + 0x40 * (n))		/* 0..15 */
#define QBRC_L(n)		(0x01034 + 0x40 * (n))
#define QBRC_H(n)		(0x01038 + 0x40 * (n))
#define QPRDC(n)		(0x01430 + 0x40 * (n))
#define QPTC(n)			(0x08680 + 4 * (n))
#define QPTC_ALIAS(n)		(0x06030 + 0x40 * (n))
#define QBTC_L(n)		(0x08700 + 8 * (n))
#define QBTC_H(n)		(0x08704 + 8 * (n))

/* 7.1.6 advanced receive descriptor, write-back */
#define RXD_RSS_NONE		0
#define RXD_RSS_TCP_IPV4	1
#define RXD_RSS_IPV4		2
#define RXD_RSS_TCP_IPV6	3
#define RXD_RSS_IPV6		5
#define RXD_RSS_UDP_IPV4	7
#define RXD_RSS_UDP_IPV6	8
#define RXD_PKTTYPE_SHIFT	4
#define RXD_PKTTYPE_IPV4	BIT32(0)
#define RXD_PKTTYPE_IPV4E	BIT32(1)
#define RXD_PKTTYPE_IPV6	BIT32(2)
#define RXD_PKTTYPE_IPV6E	BIT32(3)
#define RXD_PKTTYPE_TCP		BIT32(4)
#define RXD_PKTTYPE_UDP		BIT32(5)
#define RXD_PKTTYPE_SCTP	BIT32(6)
#define RXD_STAT_DD		BIT32(0)
#define RXD_STAT_EOP		BIT32(1)
#define RXD_STAT_FLM		BIT32(2)
#define RXD_STAT_VP		BIT32(3)
#define RXD_STAT_UDPCS		BIT32(4)
#define RXD_STAT_L4I		BIT32(5)
#define RXD_STAT_IPCS		BIT32(6)
#define RXD_STAT_UDPV		BIT32(10)
#define RXD_ERR_RXE		BIT32(29)
#define RXD_ERR_L4E		BIT32(30)
#define RXD_ERR_IPE		BIT32(31)

/* 7.2.3.2 transmit descriptors; dword 2 holds type and command */
#define TXD_LEN_MASK		0xffff
#define TXD_DTYP_SHIFT		20
#define TXD_DTYP_MASK		0xf
#define  TXD_DTYP_CONTEXT	2
#define  TXD_DTYP_DATA		3
#define TXD_EOP			BIT32(24)
#define TXD_IFCS		BIT32(25)
#define TXD_LEGACY_IC		BIT32(26)
#define TXD_RS			BIT32(27)
#define TXD_DEXT		BIT32(29)
#define TXD_VLE			BIT32(30)
#define TXD_TSE			BIT32(31)
/* dword 3 of a data descriptor */
#define TXD_STAT_DD		BIT32(0)
#define TXD_IDX(v)		(((v) >> 4) & 7)
#define TXD_CC			BIT32(7)
#define TXD_IXSM		BIT32(8)
#define TXD_TXSM		BIT32(9)
#define TXD_IPSEC		BIT32(10)
#define TXD_PAYLEN(v)		((v) >> 14)
/* context descriptor: dwords 0, 2 and 3 */
#define TXC_IPLEN(v)		((v) & 0x1ff)
#define TXC_MACLEN(v)		(((v) >> 9) & 0x7f)
#define TXC_VLAN(v)		((v) >> 16)
#define TXC_IPV4		BIT32(10)
#define TXC_L4T(v)		(((v) >> 11) & 3)
#define  TXC_L4T_UDP		0
#define  TXC_L4T_TCP		1
#define  TXC_L4T_SCTP		2
#define TXC_IDX(v)		(((v) >> 4) & 7)
#define TXC_L4LEN(v)		(((v) >> 8) & 0xff)
#define TXC_MSS(v)		((v) >> 16)

#endif
