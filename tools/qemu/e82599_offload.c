// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a descriptor asks to be done to a frame on its way out: VLAN tag,
 * checksums, segmentation (7.2.4, 7.2.5).  A frame whose wish is not emulated
 * is dropped and counted: it never goes out wrong.
 */
#include "e82599_internal.h"

/* Where the headers are, by context and by what really is in the frame. */
struct layout {
	uint32_t l3, l4, l4len, mss;
	bool v6, v4;
	unsigned int l4t;
};

static bool unsupported(struct e82599 *nic, unsigned int queue, const char *what)
{
	nic->count.tx_unsupported++;
	e82599_log(nic, "queue %u: %s is not emulated, frame dropped", queue, what);
	return false;
}

static bool malformed(struct e82599 *nic, unsigned int queue, const char *what)
{
	nic->count.tx_malformed++;
	e82599_log(nic, "queue %u: %s, frame dropped", queue, what);
	return false;
}

static size_t insert_vlan(struct e82599 *nic, uint8_t *frame, size_t len, uint16_t tag)
{
	memmove(frame + 16, frame + 12, len - 12);
	put_be16(frame + 12, *e82599_reg(nic, DMATXCTL) >> DMATXCTL_VT_SHIFT);
	put_be16(frame + 14, tag);
	return len + 4;
}

static void read_context(const struct e82599_txctx *ctx, struct layout *at)
{
	at->l3 = TXC_MACLEN(ctx->lens);
	at->l4 = at->l3 + TXC_IPLEN(ctx->lens);
	at->l4len = TXC_L4LEN(ctx->mss);
	at->mss = TXC_MSS(ctx->mss);
	at->v4 = ctx->type & TXC_IPV4;
	at->v6 = !at->v4;
	at->l4t = TXC_L4T(ctx->type);
}

static void ipv4_checksum(uint8_t *ip, uint32_t hlen)
{
	put_be16(ip + 10, 0);
	put_be16(ip + 10, ~e82599_fold(e82599_sum(ip, hlen, 0)));
}

/* SCTP's CRC32c, RFC 4960 appendix B. */
static void sctp_checksum(uint8_t *l4, size_t len)
{
	uint32_t crc = ~UINT32_C(0);
	unsigned int i;
	size_t n;

	memset(l4 + 8, 0, 4);
	for (n = 0; n < len; n++) {
		crc ^= l4[n];
		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
	}
	put_le32(l4 + 8, ~crc);
}

/*
 * Software has left the pseudo header's sum in the field, so that the sum over
 * the layer-4 part as it stands is right, 7.2.5.
 */
static void l4_checksum(uint8_t *l4, size_t len, unsigned int l4t)
{
	unsigned int field = l4t == TXC_L4T_TCP ? 16 : 6;
	uint16_t sum = ~e82599_fold(e82599_sum(l4, len, 0));

	if (l4t == TXC_L4T_UDP && sum == 0)
		sum = 0xffff;
	put_be16(l4 + field, sum);
}

static uint32_t l4_min(unsigned int l4t)
{
	return l4t == TXC_L4T_TCP ? 20 : l4t == TXC_L4T_SCTP ? 12 : 8;
}

static bool checksums(struct e82599 *nic, unsigned int queue, uint8_t *frame, size_t len,
		      const struct layout *at)
{
	uint32_t opts = nic->txq[queue].opts;

	if (opts & TXD_IXSM) {
		if (at->l4 - at->l3 < 20 || at->l4 > len)
			return malformed(nic, queue, "IP checksum with bad header lengths");
		ipv4_checksum(frame + at->l3, at->l4 - at->l3);
	}
	if (!(opts & TXD_TXSM))
		return true;
	if (at->l4t > TXC_L4T_SCTP || at->l4 + l4_min(at->l4t) > len)
		return malformed(nic, queue, "layer-4 checksum with bad header lengths");
	if (at->l4t == TXC_L4T_SCTP)
		sctp_checksum(frame + at->l4, len - at->l4);
	else
		l4_checksum(frame + at->l4, len - at->l4, at->l4t);
	return true;
}

/* Headers of segment @n, whose payload is @size bytes at @offset, 7.2.4. */
static void segment_headers(struct e82599 *nic, uint8_t *frame, const struct layout *at,
			    unsigned int n, uint32_t offset, uint32_t size, bool last)
{
	uint8_t *ip = frame + at->l3, *l4 = frame + at->l4;
	uint32_t l4_total = at->l4len + size, sum;
	bool tcp = at->l4t == TXC_L4T_TCP;
	uint16_t flags, mask;

	if (at->v4) {
		put_be16(ip + 2, at->l4 - at->l3 + l4_total);
		put_be16(ip + 4, get_be16(ip + 4) + n);
		ipv4_checksum(ip, at->l4 - at->l3);
	} else {
		put_be16(ip + 4, at->l4 - at->l3 - 40 + l4_total);
	}
	if (tcp) {
		put_be32(l4 + 4, get_be32(l4 + 4) + offset);
		/* DTXTCPFLGL/H: which flags the first, middle and last keep. */
		mask = *e82599_reg(nic, DTXTCPFLGL) >> (n ? 16 : 0) & 0xfff;
		if (last)
			mask = *e82599_reg(nic, DTXTCPFLGH) & 0xfff;
		flags = get_be16(l4 + 12);
		put_be16(l4 + 12, (flags & 0xf000) | (flags & mask));
	} else {
		put_be16(l4 + 4, l4_total);
	}
	/* The field holds the pseudo header's sum without the length. */
	sum = e82599_sum(l4, l4_total, l4_total);
	sum = (uint16_t)~e82599_fold(sum);
	put_be16(l4 + (tcp ? 16 : 6), !tcp && sum == 0 ? 0xffff : sum);
}

static bool segment(struct e82599 *nic, unsigned int queue, uint8_t *frame, size_t len,
		    const struct layout *at)
{
	uint32_t headers = at->l4 + at->l4len, payload, offset, size;
	unsigned int n = 0;

	if (at->l4t > TXC_L4T_TCP || !at->mss || at->l4len < l4_min(at->l4t) ||
	    at->l4 - at->l3 < (at->v4 ? 20 : 40) || headers >= len ||
	    headers + at->mss > E82599_FRAME_MAX - 64)
		return malformed(nic, queue, "segmentation with bad lengths");
	payload = len - headers;
	for (offset = 0; offset < payload; offset += size, n++) {
		size = payload - offset < at->mss ? payload - offset : at->mss;
		memcpy(nic->seg_frame, frame, headers);
		memcpy(nic->seg_frame + headers, frame + headers + offset, size);
		segment_headers(nic, nic->seg_frame, at, n, offset, size,
				offset + size == payload);
		e82599_tx_wire(nic, queue, nic->seg_frame, headers + size);
	}
	nic->count.tx_segments += n;
	return true;
}

/* Legacy descriptors, 7.2.3.2.2: one sum from CSS to the end, put at CSO. */
static bool legacy(struct e82599 *nic, unsigned int queue, uint8_t *frame, size_t len)
{
	struct e82599_txq *q = &nic->txq[queue];
	uint32_t css = q->opts >> 8 & 0xff, cso = q->cmd >> 16 & 0xff;

	if (q->cmd & TXD_LEGACY_IC) {
		if (css >= len || cso + 2 > len)
			return malformed(nic, queue, "checksum outside the frame");
		put_be16(frame + cso, ~e82599_fold(e82599_sum(frame + css, len - css, 0)));
	}
	if (q->cmd & TXD_VLE)
		len = insert_vlan(nic, frame, len, q->vlan);
	e82599_tx_wire(nic, queue, frame, len);
	return true;
}

/**
 * e82599_offload - do what the first descriptor asks for and send the frame
 * @nic: the device
 * @queue: transmit queue the frame is from
 * @frame: the frame, in a buffer with room for a tag and for padding
 * @len: its length
 *
 * Return: true when the frame went out, false when it was dropped and counted.
 */
bool e82599_offload(struct e82599 *nic, unsigned int queue, uint8_t *frame, size_t len)
{
	struct e82599_txq *q = &nic->txq[queue];
	const struct e82599_txctx *ctx = &q->ctx[TXD_IDX(q->opts) & 1];
	struct layout at;

	if (!(q->cmd & TXD_DEXT))
		return legacy(nic, queue, frame, len);
	if (q->opts & TXD_IPSEC)
		return unsupported(nic, queue, "IPsec");
	read_context(ctx, &at);
	/* The tag goes in first: the headers move behind it, and so do their offsets. */
	if (q->cmd & TXD_VLE) {
		len = insert_vlan(nic, frame, len, TXC_VLAN(ctx->lens));
		at.l3 += 4;
		at.l4 += 4;
	}
	if (q->cmd & TXD_TSE)
		return segment(nic, queue, frame, len, &at);
	if (!checksums(nic, queue, frame, len, &at))
		return false;
	e82599_tx_wire(nic, queue, frame, len);
	return true;
}
