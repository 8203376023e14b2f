// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The receive engine, 7.1: a frame that passes the filters is written to the
 * buffers of its queue's ring.  When the ring has none it waits in the packet
 * buffer until the tail moves; when that is full it is missed and counted.
 */
#include "e82599_internal.h"

#define RX_RUN	64	/* waiting frames before the guest's other timers have their turn */

/* What became of a frame. */
enum verdict {
	TAKEN,		/* delivered, or dropped and counted */
	NO_BUFFERS,	/* it waits */
};

static bool engine_enabled(struct e82599 *nic)
{
	return (*e82599_reg(nic, RXCTRL) & RXCTRL_RXEN) &&
	       !(*e82599_reg(nic, SECRXCTRL) & SECRXCTRL_RX_DIS);
}

static void fifo_copy_in(struct e82599_fifo *fifo, const void *data, uint32_t len)
{
	uint32_t at = (fifo->head + fifo->used) % fifo->size;
	uint32_t first = fifo->size - at < len ? fifo->size - at : len;

	memcpy(fifo->buf + at, data, first);
	memcpy(fifo->buf, (const uint8_t *)data + first, len - first);
	fifo->used += len;
}

static void fifo_copy_out(const struct e82599_fifo *fifo, uint32_t offset, void *data,
			  uint32_t len)
{
	uint32_t at = (fifo->head + offset) % fifo->size;
	uint32_t first = fifo->size - at < len ? fifo->size - at : len;

	memcpy(data, fifo->buf + at, first);
	memcpy((uint8_t *)data + first, fifo->buf, len - first);
}

static bool fifo_push(struct e82599_fifo *fifo, const uint8_t *frame, uint32_t len)
{
	if (fifo->used + sizeof(len) + len > fifo->size)
		return false;
	fifo_copy_in(fifo, &len, sizeof(len));
	fifo_copy_in(fifo, frame, len);
	return true;
}

static uint32_t fifo_peek(const struct e82599_fifo *fifo, uint8_t *frame)
{
	uint32_t len;

	fifo_copy_out(fifo, 0, &len, sizeof(len));
	fifo_copy_out(fifo, sizeof(len), frame, len);
	return len;
}

static void fifo_pop(struct e82599_fifo *fifo, uint32_t len)
{
	fifo->head = (fifo->head + sizeof(len) + len) % fifo->size;
	fifo->used -= sizeof(len) + len;
}

static void reset_queue(struct e82599_rxq *q)
{
	q->head = 0;
	q->stalled = false;
	q->cached = 0;
	q->cache_pos = 0;
}

void e82599_rx_reset(struct e82599 *nic)
{
	unsigned int i;

	for (i = 0; i < E82599_QUEUES; i++)
		reset_queue(&nic->rxq[i]);
	nic->fifo.head = 0;
	nic->fifo.used = 0;
}

static void arm(struct e82599 *nic)
{
	if (nic->rx_armed)
		return;
	nic->rx_armed = true;
	nic->ops->timer_arm(nic->opaque, E82599_TIMER_RX,
			    e82599_now(nic) + nic->cfg.dma_delay_ns);
}

void e82599_rx_kick(struct e82599 *nic)
{
	if (nic->fifo.used && engine_enabled(nic))
		arm(nic);
}

static void tail_written(struct e82599 *nic, unsigned int queue, bool valid)
{
	nic->rxq[queue].stalled = !valid;
	e82599_rx_kick(nic);
}

static void queue_enabled(struct e82599 *nic, unsigned int queue, bool on)
{
	reset_queue(&nic->rxq[queue]);
	if (!on)
		return;
	nic->rxq[queue].head = *e82599_reg(nic, e82599_rx_block(queue) + Q_HEAD);
	e82599_rx_kick(nic);
}

static const struct e82599_ring_ops ring_ops = {
	.tail_name = "RDT",
	.enabled = queue_enabled,
	.tail = tail_written,
};

static bool emulated(uint32_t srrctl)
{
	return (srrctl >> SRRCTL_DESCTYPE_SHIFT & SRRCTL_DESCTYPE_MASK) <= DESCTYPE_ADV_ONE;
}

/* What we do not do is said when it is asked for. */
static void check_request(struct e82599 *nic, unsigned int queue, uint32_t reg, uint32_t value)
{
	const char *what;

	if (reg == Q_SRRCTL && !emulated(value))
		what = "header split is not emulated, frames are dropped";
	else if (reg == Q_RSCCTL && value & RSCCTL_RSCEN)
		what = "receive-side coalescing is not emulated, frames come as they are";
	else
		return;
	nic->count.rx_unsupported++;
	e82599_log(nic, "receive queue %u: %s", queue, what);
}

void e82599_rx_write(struct e82599 *nic, unsigned int queue, uint32_t reg, uint32_t value)
{
	check_request(nic, queue, reg, value);
	e82599_ring_write(nic, &ring_ops, queue, e82599_rx_block(queue), reg, value);
}

/* Descriptors that software has given and we have not used. */
static uint32_t available(struct e82599 *nic, unsigned int queue)
{
	uint32_t block = e82599_rx_block(queue);
	uint32_t size = e82599_ring_size(nic, block);
	uint32_t tail = *e82599_reg(nic, block + Q_TAIL);
	struct e82599_rxq *q = &nic->rxq[queue];

	if (q->stalled || tail >= size || q->head >= size)
		return 0;
	return tail >= q->head ? tail - q->head : size - q->head + tail;
}

/* The next descriptor, fetched in blocks: what lies before the tail is ours. */
static const uint8_t *next_descriptor(struct e82599 *nic, unsigned int queue)
{
	uint32_t block = e82599_rx_block(queue);
	struct e82599_rxq *q = &nic->rxq[queue];
	uint32_t n = available(nic, queue);

	if (!n)
		return NULL;
	if (!q->cached) {
		if (n > e82599_ring_size(nic, block) - q->head)
			n = e82599_ring_size(nic, block) - q->head;
		if (n > E82599_RX_BLOCK)
			n = E82599_RX_BLOCK;
		if (e82599_dma_read(nic, e82599_ring_base(nic, block) +
				    (uint64_t)q->head * E82599_DESC_SIZE, q->cache,
				    n * E82599_DESC_SIZE)) {
			q->stalled = true;
			return NULL;
		}
		q->cached = n;
		q->cache_pos = 0;
	}
	return q->cache + q->cache_pos * E82599_DESC_SIZE;
}

/* Write the descriptor at the head back and go on to the next. */
static void complete(struct e82599 *nic, unsigned int queue, uint8_t *desc)
{
	uint32_t block = e82599_rx_block(queue);
	struct e82599_rxq *q = &nic->rxq[queue];

	if (nic->hostile.seed)
		e82599_hostile_desc(&nic->hostile, desc);
	e82599_dma_write(nic, e82599_ring_base(nic, block) + (uint64_t)q->head * E82599_DESC_SIZE,
			 desc, E82599_DESC_SIZE);
	q->cached--;
	q->cache_pos++;
	q->head = q->head + 1 == e82599_ring_size(nic, block) ? 0 : q->head + 1;
	*e82599_reg(nic, block + Q_HEAD) = q->head;
}

/* 7.1.6.2 */
static void write_back_advanced(uint8_t *desc, const struct e82599_pkt *pkt, bool hash,
				uint32_t status, uint32_t len, uint16_t vlan)
{
	put_le32(desc, (uint32_t)pkt->type << RXD_PKTTYPE_SHIFT | (hash ? pkt->rss_type : 0));
	put_le32(desc + 4, hash ? pkt->hash : 0);
	put_le32(desc + 8, status);
	put_le32(desc + 12, len | (uint32_t)vlan << 16);
}

/* 7.1.5: status and errors have eight bits each. */
static void write_back_legacy(uint8_t *desc, uint32_t status, uint32_t len, uint16_t vlan)
{
	put_le32(desc, 0);
	put_le32(desc + 4, 0);
	put_le32(desc + 8, len);
	put_le32(desc + 12, (status & 0xff) | (status >> 24 << 8) | (uint32_t)vlan << 16);
}

/* Drop because the ring cannot take this frame, ever or by its owner's wish. */
static enum verdict drop(struct e82599 *nic, unsigned int queue)
{
	e82599_stats_rx_dropped(nic, queue);
	return TAKEN;
}

static size_t strip_vlan(uint8_t *frame, size_t len, uint16_t *tag)
{
	*tag = get_be16(frame + 14);
	memmove(frame + 12, frame + 16, len - 16);
	return len - 4;
}

static void fill_buffers(struct e82599 *nic, unsigned int queue, const uint8_t *frame,
			 size_t len, uint32_t bsize, const struct e82599_pkt *pkt,
			 uint32_t status, uint16_t vlan)
{
	uint32_t srrctl = *e82599_reg(nic, e82599_rx_block(queue) + Q_SRRCTL);
	bool legacy = (srrctl >> SRRCTL_DESCTYPE_SHIFT & SRRCTL_DESCTYPE_MASK) == DESCTYPE_LEGACY;
	bool hash = *e82599_reg(nic, RXCSUM) & RXCSUM_PCSD;
	uint8_t done[E82599_DESC_SIZE];
	const uint8_t *desc;
	size_t at = 0, n;
	uint32_t stat;

	while (at < len) {
		desc = next_descriptor(nic, queue);
		if (!desc)
			return;
		n = len - at < bsize ? len - at : bsize;
		stat = RXD_STAT_DD;
		if (at + n == len)
			stat |= RXD_STAT_EOP | status;
		if (e82599_dma_write(nic, get_le64(desc), frame + at, n))
			stat |= RXD_ERR_RXE;
		if (legacy)
			write_back_legacy(done, stat, n, vlan);
		else
			write_back_advanced(done, pkt, hash, stat, n, vlan);
		complete(nic, queue, done);
		at += n;
	}
	e82599_irq_queue(nic, queue, false);
}

/* Into the ring of the queue that RSS chooses.  @frame has room for a few more bytes. */
static enum verdict deliver(struct e82599 *nic, uint8_t *frame, size_t len)
{
	struct e82599_pkt pkt;
	unsigned int queue;
	uint32_t block, srrctl, bsize, need, status;
	uint16_t vlan = 0;
	size_t counted = len + E82599_FCS;
	bool filtered;

	e82599_parse(frame, len, &pkt);
	queue = e82599_rss(nic, frame, &pkt);
	filtered = nic->fdir.usable && e82599_fdir(nic, frame, len, &pkt, &queue);
	block = e82599_rx_block(queue);
	if (!e82599_ring_enabled(nic, block))
		return drop(nic, queue);
	srrctl = *e82599_reg(nic, block + Q_SRRCTL);
	bsize = (srrctl & SRRCTL_BSIZEPKT_MASK) * 1024;
	if (!emulated(srrctl) || !bsize)
		return drop(nic, queue);
	need = (len + E82599_FCS + bsize - 1) / bsize;
	if (need >= e82599_ring_size(nic, block))
		return drop(nic, queue);
	if (available(nic, queue) < need)
		return srrctl & SRRCTL_DROP_EN ? drop(nic, queue) : NO_BUFFERS;

	status = e82599_rx_checksum(frame, &pkt) | (filtered ? RXD_STAT_FLM : 0);
	if (*e82599_reg(nic, block + Q_DCTL) & RXDCTL_VME &&
	    get_be16(frame + 12) == (*e82599_reg(nic, VLNCTRL) & VLNCTRL_VET_MASK)) {
		len = strip_vlan(frame, len, &vlan);
		status |= RXD_STAT_VP;
	}
	if (!(*e82599_reg(nic, HLREG0) & HLREG0_RXCRCSTRP)) {
		put_le32(frame + len, e82599_crc32(frame, len));
		len += E82599_FCS;
	}
	e82599_stats_rx_queue(nic, queue, counted);
	fill_buffers(nic, queue, frame, len, bsize, &pkt, status, vlan);
	return TAKEN;
}

/* Waiting frames go first: order is kept. */
void e82599_rx_timer(struct e82599 *nic)
{
	unsigned int budget = RX_RUN;
	uint32_t len;

	nic->rx_armed = false;
	if (!engine_enabled(nic))
		return;
	while (nic->fifo.used && budget--) {
		len = fifo_peek(&nic->fifo, nic->fifo_frame);
		if (deliver(nic, nic->fifo_frame, len) == NO_BUFFERS)
			return;
		fifo_pop(&nic->fifo, len);
		e82599_pause_drained(nic);
	}
	e82599_rx_kick(nic);
}

static uint32_t size_limit(struct e82599 *nic, const uint8_t *frame)
{
	uint32_t limit = 1518;

	if (*e82599_reg(nic, HLREG0) & HLREG0_JUMBOEN)
		limit = *e82599_reg(nic, MAXFRS) >> 16;
	/* A tag does not make a frame too long, 8.2.3.22. */
	if (get_be16(frame + 12) == (*e82599_reg(nic, VLNCTRL) & VLNCTRL_VET_MASK))
		limit += 4;
	return limit;
}

/* A frame that arrives at the MAC, from the wire or by its loopback. */
void e82599_rx_mac(struct e82599 *nic, const void *frame, size_t len)
{
	uint8_t *copy = nic->rx_frame;

	if (!nic->link || len < 14 || len > E82599_FRAME_MAX - 64 || !engine_enabled(nic))
		return;
	memcpy(copy, frame, len);
	if (len < E82599_MIN_FRAME) {
		memset(copy + len, 0, E82599_MIN_FRAME - len);
		len = E82599_MIN_FRAME;
	}
	*e82599_reg(nic, TPR) += 1;
	nic->tor += len + E82599_FCS;
	if (len + E82599_FCS > size_limit(nic, copy)) {
		*e82599_reg(nic, ROC) += 1;
		return;
	}
	if (e82599_pause_frame(nic, copy) || !e82599_filter(nic, copy))
		return;
	e82599_stats_rx(nic, copy, len);
	if (!nic->fifo.used && deliver(nic, copy, len) == TAKEN)
		return;
	if (fifo_push(&nic->fifo, copy, len)) {
		e82599_pause_filled(nic);
		return;
	}
	*e82599_reg(nic, MPC(0)) += 1;
	e82599_irq_other(nic, EICR_RX_MISS);
}

void e82599_receive(struct e82599 *nic, const void *frame, size_t len)
{
	/* In loopback the MAC does not hear the wire. */
	if (!(*e82599_reg(nic, HLREG0) & HLREG0_LPBK))
		e82599_rx_mac(nic, frame, len);
}
