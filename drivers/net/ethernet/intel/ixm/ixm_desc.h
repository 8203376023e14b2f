/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Descriptor formats of the 82599 and the decisions that need nothing but a
 * descriptor.  Nothing here touches a device, so KUnit runs it anywhere.
 */
#ifndef _IXM_DESC_H_
#define _IXM_DESC_H_

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/if_ether.h>
#include <linux/skbuff.h>
#include <linux/types.h>

/**
 * struct ixm_tx_desc - advanced transmit data descriptor (7.2.3.2.4)
 * @addr: DMA address of the data
 * @cmd_type_len: command, type and length of the data
 * @olinfo_status: length of the packet; after write-back, the status
 */
struct ixm_tx_desc {
	__le64 addr;
	__le32 cmd_type_len;
	__le32 olinfo_status;
};

#define IXM_TXD_LEN		GENMASK(15, 0)
#define IXM_TXD_DTYP_DATA	(3U << 20)
#define IXM_TXD_EOP		BIT(24)
#define IXM_TXD_IFCS		BIT(25)
#define IXM_TXD_RS		BIT(27)
#define IXM_TXD_DEXT		BIT(29)
#define IXM_TXD_VLE		BIT(30)
#define IXM_TXD_TSE		BIT(31)
#define IXM_TXD_STAT_DD		BIT(0)
#define IXM_TXD_IDX		GENMASK(6, 4)
#define IXM_TXD_IXSM		BIT(8)
#define IXM_TXD_TXSM		BIT(9)
#define IXM_TXD_PAYLEN		GENMASK(31, 14)

/* Every data descriptor; EOP and RS come on top. */
#define IXM_TXD_DATA		(IXM_TXD_DEXT | IXM_TXD_DTYP_DATA | IXM_TXD_IFCS)

/* 7.2.3.2.4: at most 15.5 KiB a descriptor; a power of two divides cheaply. */
#define IXM_TXD_LEN_SHIFT	13
#define IXM_TXD_LEN_MAX		BIT(IXM_TXD_LEN_SHIFT)

/* 7.2.1.1: the most a packet may have: 40 - WTHRESH - 2. */
#define IXM_TX_PKT_DESC_MAX	38

/* Largest frame with CRC (MAXFRS, 8.2.3.22.19). */
#define IXM_FRAME_MAX		9728

/*
 * The device pads to the minimum of Ethernet (HLREG0.TXPADEN), but wants a packet
 * of some bytes to start with.
 */
#define IXM_TX_LEN_MIN		17

/**
 * ixm_tx_paylen() - PAYLEN in its place
 * @len: length of the packet; for segmentation, without the headers
 *
 * Return: bits of olinfo_status.
 */
static inline u32 ixm_tx_paylen(u32 len)
{
	return FIELD_PREP(IXM_TXD_PAYLEN, len);
}

/**
 * struct ixm_tx_ctx_desc - advanced transmit context descriptor (7.2.3.2.3)
 * @lens: lengths of the MAC and the IP header, VLAN tag
 * @ipsec: not used
 * @type: type of the descriptor and of the headers
 * @mss: payload of a segment, length of the L4 header, where it is kept
 */
struct ixm_tx_ctx_desc {
	__le32 lens;
	__le32 ipsec;
	__le32 type;
	__le32 mss;
};

/**
 * struct ixm_tx_ctx - the same in host order, as the device keeps it
 * @lens: as there
 * @type: as there; not 0 in any context
 * @mss: as there, without IXM_TXC_IDX
 */
struct ixm_tx_ctx {
	u32 lens;
	u32 type;
	u32 mss;
};

/* The device keeps so many contexts a queue. */
#define IXM_TXC_COUNT		2

#define IXM_TXC_IPLEN		GENMASK(8, 0)
#define IXM_TXC_MACLEN		GENMASK(15, 9)
#define IXM_TXC_VLAN		GENMASK(31, 16)
#define IXM_TXC_IPV4		BIT(10)
#define IXM_TXC_L4T		GENMASK(12, 11)
#define IXM_TXC_L4T_UDP		0
#define IXM_TXC_L4T_TCP		1
#define IXM_TXC_L4T_SCTP	2
#define IXM_TXC_DTYP		(2U << 20)
#define IXM_TXC			(IXM_TXD_DEXT | IXM_TXC_DTYP)
#define IXM_TXC_IDX		GENMASK(6, 4)
#define IXM_TXC_L4LEN		GENMASK(15, 8)
#define IXM_TXC_MSS		GENMASK(31, 16)

/**
 * ixm_ctx_fits() - has a context room for these lengths?
 * @maclen: bytes in front of the IP header, a tag to be inserted aside
 * @iplen: bytes from there to the L4 header
 *
 * Return: true when it has, and they make sense.
 */
static inline bool ixm_ctx_fits(int maclen, int iplen)
{
	return maclen >= ETH_HLEN && maclen <= (int)FIELD_MAX(IXM_TXC_MACLEN) &&
	       iplen > 0 && iplen <= (int)FIELD_MAX(IXM_TXC_IPLEN);
}

/**
 * ixm_ctx_lens() - header lengths in their places
 * @maclen: as for ixm_ctx_fits()
 * @iplen: as for ixm_ctx_fits()
 *
 * Return: bits of the context's lens.
 */
static inline u32 ixm_ctx_lens(u32 maclen, u32 iplen)
{
	return FIELD_PREP(IXM_TXC_MACLEN, maclen) |
	       FIELD_PREP(IXM_TXC_IPLEN, iplen);
}

/**
 * ixm_ctx_vlan() - VLAN tag in its place
 * @tag: tag to be inserted
 *
 * Return: bits of the context's lens.
 */
static inline u32 ixm_ctx_vlan(u16 tag)
{
	return FIELD_PREP(IXM_TXC_VLAN, tag);
}

/**
 * ixm_ctx_type() - what headers a packet has
 * @v4: the IP header is IPv4
 * @l4: IXM_TXC_L4T_*
 *
 * Return: the context's type.
 */
static inline u32 ixm_ctx_type(bool v4, u32 l4)
{
	return IXM_TXC | (v4 ? IXM_TXC_IPV4 : 0) | FIELD_PREP(IXM_TXC_L4T, l4);
}

/**
 * ixm_ctx_mss() - how to cut a packet into segments
 * @mss: payload of each
 * @l4len: length of the L4 header
 *
 * Return: the context's mss.
 */
static inline u32 ixm_ctx_mss(u32 mss, u32 l4len)
{
	return FIELD_PREP(IXM_TXC_MSS, mss) | FIELD_PREP(IXM_TXC_L4LEN, l4len);
}

/**
 * ixm_tx_desc_needed() - descriptors for one piece of a packet
 * @len: bytes, adjacent in DMA address space
 *
 * Return: the number, 0 for nothing.
 */
static inline unsigned int ixm_tx_desc_needed(unsigned int len)
{
	return (len + IXM_TXD_LEN_MAX - 1) >> IXM_TXD_LEN_SHIFT;
}

/**
 * struct ixm_rx_desc - advanced receive descriptor (7.1.6)
 * @read: what the driver writes
 * @read.addr: DMA address of the buffer
 * @read.zero: header buffer, not used; also what clears DD in the status that
 *	       lies over it
 * @wb: what the device writes back
 * @wb.info: RSS type, packet type
 * @wb.hash: RSS hash
 * @wb.status_error: status and errors
 * @wb.len: bytes written to this buffer
 * @wb.vlan: VLAN tag
 */
struct ixm_rx_desc {
	union {
		struct {
			__le64 addr;
			__le64 zero;
		} read;
		struct {
			__le32 info;
			__le32 hash;
			__le32 status_error;
			__le16 len;
			__le16 vlan;
		} wb;
	};
};

#define IXM_RXD_INFO_RSS_TYPE	GENMASK(3, 0)
#define IXM_RXD_STAT_DD		BIT(0)
#define IXM_RXD_STAT_EOP	BIT(1)
#define IXM_RXD_STAT_VP		BIT(3)
#define IXM_RXD_STAT_L4CS	BIT(5)
#define IXM_RXD_ERR_RXE		BIT(29)
#define IXM_RXD_ERR_TCPE	BIT(30)
#define IXM_RXD_ERR_IPE		BIT(31)

/**
 * enum ixm_rx_verdict - what to do with a buffer that the device wrote
 * @IXM_RX_PART: part of a frame, another buffer follows
 * @IXM_RX_FRAME: the last or only buffer of a frame
 * @IXM_RX_BAD_LEN: a length that the device cannot have written; drop the frame
 * @IXM_RX_BAD_FRAME: the device says that the frame is damaged; drop it
 */
enum ixm_rx_verdict {
	IXM_RX_PART,
	IXM_RX_FRAME,
	IXM_RX_BAD_LEN,
	IXM_RX_BAD_FRAME,
};

/**
 * ixm_rx_verdict() - judge a written receive descriptor
 * @status_error: that word, in host order
 * @len: the length that the device wrote
 * @buf_len: bytes that the device was allowed to write
 * @first: the buffer begins a frame
 *
 * The descriptor is in memory that the device owns: nothing in it may lead
 * outside the buffer, and the stack may rely on the Ethernet header being in
 * the first buffer.  The device fills a buffer before it takes the next one.
 *
 * Return: what to do.
 */
static inline enum ixm_rx_verdict ixm_rx_verdict(u32 status_error,
						 unsigned int len,
						 unsigned int buf_len,
						 bool first)
{
	bool eop = status_error & IXM_RXD_STAT_EOP;

	if (unlikely(!eop))
		return len == buf_len ? IXM_RX_PART : IXM_RX_BAD_LEN;
	if (unlikely(!len || len > buf_len || (first && len < ETH_HLEN)))
		return IXM_RX_BAD_LEN;
	/* error bits are valid only together with EOP */
	if (unlikely(status_error & IXM_RXD_ERR_RXE))
		return IXM_RX_BAD_FRAME;
	return IXM_RX_FRAME;
}

/**
 * ixm_rx_hash_type() - what the RSS hash of a frame covers (7.1.2.8.1)
 * @info: that word, in host order
 *
 * Return: PKT_HASH_TYPE_NONE when there is no hash.
 */
static inline enum pkt_hash_types ixm_rx_hash_type(u32 info)
{
	static const u8 types[IXM_RXD_INFO_RSS_TYPE + 1] = {
		[0] = PKT_HASH_TYPE_NONE,
		[1] = PKT_HASH_TYPE_L4,		/* TCP over IPv4 */
		[2] = PKT_HASH_TYPE_L3,		/* IPv4 */
		[3] = PKT_HASH_TYPE_L4,		/* TCP over IPv6 */
		[5] = PKT_HASH_TYPE_L3,		/* IPv6 */
		[7] = PKT_HASH_TYPE_L4,		/* UDP over IPv4 */
		[8] = PKT_HASH_TYPE_L4,		/* UDP over IPv6 */
	};

	return types[info & IXM_RXD_INFO_RSS_TYPE];
}

/**
 * ixm_rx_csum_ok() - has the device found the L4 checksum right?
 * @status_error: that word of the last descriptor, in host order
 *
 * Return: true when it looked and found no error, at L3 either.
 */
static inline bool ixm_rx_csum_ok(u32 status_error)
{
	return (status_error & (IXM_RXD_STAT_L4CS | IXM_RXD_ERR_TCPE |
				IXM_RXD_ERR_IPE)) == IXM_RXD_STAT_L4CS;
}

#endif /* _IXM_DESC_H_ */
