// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The transmit engine, 7.2.  A tail write only marks its queue; the engine runs
 * from a timer a moment later, as hardware does, so that the processor which
 * wrote the tail does not pay for the frames.  It takes descriptors in blocks,
 * the queues in turn, and rests while the wire is busy with what it sent.
 */
#include "e82599_internal.h"

/* Preamble, start delimiter, FCS and gap: what a frame costs on the wire beside itself. */
#define WIRE_OVERHEAD	24
#define BITS_PER_NS	10	/* 10 Gbit/s */
#define TX_AHEAD_NS	20000	/* of frames are handed over before their time, at most */

static bool engine_enabled(struct e82599 *nic)
{
	return (*e82599_reg(nic, DMATXCTL) & DMATXCTL_TE) &&
	       !(*e82599_reg(nic, SECTXCTRL) & SECTXCTRL_TX_DIS) &&
	       nic->link && !nic->wire_busy;
}

static bool any_ready(struct e82599 *nic)
{
	return nic->tx_ready[0] | nic->tx_ready[1];
}

static void arm(struct e82599 *nic, uint64_t delay)
{
	int64_t when = e82599_now(nic) + delay;

	if (nic->tx_armed)
		return;
	if (when < nic->wire_free)
		when = nic->wire_free;
	if (when < nic->pause.until)
		when = nic->pause.until;
	nic->tx_armed = true;
	nic->ops->timer_arm(nic->opaque, E82599_TIMER_TX, when);
}

/* A pause begins, ends or is to be sent: what the timer was set for has changed. */
void e82599_tx_rearm(struct e82599 *nic)
{
	nic->tx_armed = false;
	if (nic->pause.due) {
		nic->tx_armed = true;
		nic->ops->timer_arm(nic->opaque, E82599_TIMER_TX, e82599_now(nic));
	} else {
		e82599_tx_kick(nic);
	}
}

void e82599_tx_kick(struct e82599 *nic)
{
	if (any_ready(nic) && engine_enabled(nic))
		arm(nic, nic->cfg.dma_delay_ns);
}

void e82599_wire_ready(struct e82599 *nic)
{
	if (!nic->wire_busy)
		return;
	nic->wire_busy = false;
	e82599_tx_kick(nic);
}

static void forget_frame(struct e82599_txq *q)
{
	q->nsegs = 0;
	q->frame_len = 0;
	q->skip = false;
}

static void reset_queue(struct e82599 *nic, unsigned int queue)
{
	struct e82599_txq *q = &nic->txq[queue];

	q->head = 0;
	q->stalled = false;
	q->cached = 0;
	forget_frame(q);
	memset(q->ctx, 0, sizeof(q->ctx));
	nic->tx_ready[queue / 64] &= ~(UINT64_C(1) << (queue & 63));
}

void e82599_tx_reset(struct e82599 *nic)
{
	unsigned int i;

	for (i = 0; i < E82599_QUEUES; i++)
		reset_queue(nic, i);
	nic->tx_turn = 0;
	nic->wire_free = 0;
}

static void tail_written(struct e82599 *nic, unsigned int queue, bool valid)
{
	nic->txq[queue].stalled = !valid;
	if (!valid)
		return;
	nic->tx_ready[queue / 64] |= UINT64_C(1) << (queue & 63);
	e82599_tx_kick(nic);
}

static void queue_enabled(struct e82599 *nic, unsigned int queue, bool on)
{
	reset_queue(nic, queue);
	if (on)
		nic->txq[queue].head = *e82599_reg(nic, e82599_tx_block(queue) + Q_HEAD);
}

static const struct e82599_ring_ops ring_ops = {
	.tail_name = "TDT",
	.self_clearing = TXDCTL_SWFLSH,
	.enabled = queue_enabled,
	.tail = tail_written,
};

void e82599_tx_write(struct e82599 *nic, unsigned int queue, uint32_t reg, uint32_t value)
{
	if (reg == Q_TAIL) {
		nic->count.tail_writes++;
		nic->txq[queue].tail_writes++;
	}
	e82599_ring_write(nic, &ring_ops, queue, e82599_tx_block(queue), reg, value);
}

/* Tell software how far we are: DD in the descriptor, or the head in memory, 7.2.3.5. */
static void write_back(struct e82599 *nic, unsigned int queue, uint32_t index)
{
	uint32_t block = e82599_tx_block(queue);
	uint32_t wbal = *e82599_reg(nic, block + Q_WBAL);
	uint8_t done[E82599_DESC_SIZE] = { 0 };

	if (wbal & WBAL_EN) {
		put_le32(done, (index + 1) % e82599_ring_size(nic, block));
		if (nic->hostile.seed)
			put_le32(done, e82599_hostile_value(&nic->hostile, get_le32(done)));
		e82599_dma_write(nic, (uint64_t)*e82599_reg(nic, block + Q_WBAH) << 32 |
				 (wbal & ~UINT32_C(3)), done, 4);
		return;
	}
	put_le32(done + 12, TXD_STAT_DD);
	if (nic->hostile.seed)
		e82599_hostile_desc(&nic->hostile, done);
	e82599_dma_write(nic, e82599_ring_base(nic, block) + (uint64_t)index * E82599_DESC_SIZE,
			 done, sizeof(done));
}

/* A frame onto the wire, which is busy for a while. */
void e82599_tx_mac(struct e82599 *nic, const uint8_t *frame, size_t len)
{
	unsigned int bits = (len + WIRE_OVERHEAD) * 8 + nic->wire_rest;

	if (nic->cfg.line_rate) {
		nic->wire_free += bits / BITS_PER_NS;
		nic->wire_rest = bits % BITS_PER_NS;
	}
	if (*e82599_reg(nic, HLREG0) & HLREG0_LPBK)
		e82599_rx_mac(nic, frame, len);
	else if (!nic->ops->wire_tx(nic->opaque, frame, len))
		nic->wire_busy = true;
}

/* A queue's frame, complete with offloads. */
void e82599_tx_wire(struct e82599 *nic, unsigned int queue, uint8_t *frame, size_t len)
{
	if (len < E82599_MIN_FRAME && *e82599_reg(nic, HLREG0) & HLREG0_TXPADEN) {
		memset(frame + len, 0, E82599_MIN_FRAME - len);
		len = E82599_MIN_FRAME;
	}
	e82599_stats_tx(nic, frame, len);
	e82599_stats_tx_queue(nic, queue, len);
	e82599_tx_mac(nic, frame, len);
}

/* Gather the buffers of a complete frame and send it. */
static void send_frame(struct e82599 *nic, unsigned int queue)
{
	struct e82599_txq *q = &nic->txq[queue];
	size_t at = 0;
	unsigned int i;

	for (i = 0; i < q->nsegs; i++) {
		if (e82599_dma_read(nic, q->segs[i].addr, nic->frame + at, q->segs[i].len))
			return;
		at += q->segs[i].len;
	}
	if (at < 14) {
		nic->count.tx_malformed++;
		e82599_log(nic, "queue %u: a frame of %zu bytes", queue, at);
		return;
	}
	e82599_offload(nic, queue, nic->frame, at);
}

/* The frame's descriptors are done; true when one of them asked to be told. */
static bool report_frame(struct e82599 *nic, unsigned int queue)
{
	struct e82599_txq *q = &nic->txq[queue];
	bool told = false;
	unsigned int i;

	for (i = 0; i < q->nsegs; i++) {
		if (!q->segs[i].report)
			continue;
		write_back(nic, queue, q->segs[i].index);
		told = true;
	}
	return told;
}

static bool context(struct e82599 *nic, unsigned int queue, const uint8_t *desc, uint32_t index)
{
	struct e82599_txq *q = &nic->txq[queue];
	uint32_t cmd = get_le32(desc + 8), mss = get_le32(desc + 12);
	struct e82599_txctx *ctx = &q->ctx[TXC_IDX(mss) & 1];

	ctx->lens = get_le32(desc);
	ctx->type = cmd;
	ctx->mss = mss;
	if (!(cmd & TXD_RS))
		return false;
	write_back(nic, queue, index);
	return true;
}

/* A buffer is added to the frame; what cannot be kept makes the frame be dropped. */
static void add_segment(struct e82599 *nic, unsigned int queue, const uint8_t *desc,
			uint32_t index)
{
	struct e82599_txq *q = &nic->txq[queue];
	uint32_t cmd = get_le32(desc + 8), len = cmd & TXD_LEN_MASK;
	struct e82599_seg *seg;

	if (q->nsegs == 0) {
		q->cmd = cmd;
		q->opts = get_le32(desc + 12);
		q->vlan = q->opts >> 16;
		q->frame_len = 0;
	}
	if (q->nsegs == E82599_TX_SEGS) {
		/* Its report must not get lost with it. */
		q->skip = true;
		q->segs[E82599_TX_SEGS - 1].index = index;
		q->segs[E82599_TX_SEGS - 1].report |= !!(cmd & TXD_RS);
		return;
	}
	seg = &q->segs[q->nsegs++];
	seg->addr = get_le64(desc);
	seg->len = len;
	seg->index = index;
	seg->report = cmd & TXD_RS;
	q->frame_len += len;
	if (q->frame_len > ((q->cmd & TXD_TSE && q->cmd & TXD_DEXT) ?
			    E82599_TSO_MAX - 64 : E82599_FRAME_MAX - 64))
		q->skip = true;
}

/* Whether a descriptor is its frame's last. */
static bool ends_frame(const uint8_t *desc)
{
	uint32_t cmd = get_le32(desc + 8);
	uint32_t type = cmd >> TXD_DTYP_SHIFT & TXD_DTYP_MASK;

	return cmd & TXD_EOP && !(cmd & TXD_DEXT && type == TXD_DTYP_CONTEXT);
}

/* One descriptor; true when software is to be told. */
static bool take_descriptor(struct e82599 *nic, unsigned int queue, const uint8_t *desc,
			    uint32_t index)
{
	struct e82599_txq *q = &nic->txq[queue];
	uint32_t cmd = get_le32(desc + 8);
	bool told;

	if (cmd & TXD_DEXT) {
		uint32_t type = cmd >> TXD_DTYP_SHIFT & TXD_DTYP_MASK;

		if (type == TXD_DTYP_CONTEXT)
			return context(nic, queue, desc, index);
		if (type != TXD_DTYP_DATA) {
			e82599_log(nic, "queue %u: descriptor %" PRIu32 " of type %" PRIu32,
				   queue, index, type);
			q->skip = true;
		}
	}
	add_segment(nic, queue, desc, index);
	if (!(cmd & TXD_EOP))
		return false;
	if (q->skip) {
		nic->count.tx_malformed++;
		e82599_log(nic, "queue %u: malformed frame dropped at descriptor %" PRIu32,
			   queue, index);
	} else {
		send_frame(nic, queue);
	}
	told = report_frame(nic, queue);
	forget_frame(q);
	return told;
}

/* Fetch what software has added, in blocks: false when there is nothing. */
static bool fetch(struct e82599 *nic, unsigned int queue)
{
	uint32_t block = e82599_tx_block(queue);
	uint32_t size = e82599_ring_size(nic, block);
	uint32_t tail = *e82599_reg(nic, block + Q_TAIL);
	struct e82599_txq *q = &nic->txq[queue];
	uint32_t n;

	if (q->stalled || tail >= size || q->head >= size || q->head == tail)
		return false;
	if (q->cached)
		return true;
	n = (tail > q->head ? tail : size) - q->head;
	if (n > E82599_TX_BLOCK)
		n = E82599_TX_BLOCK;
	if (e82599_dma_read(nic, e82599_ring_base(nic, block) +
			    (uint64_t)q->head * E82599_DESC_SIZE, q->cache, n * E82599_DESC_SIZE)) {
		q->stalled = true;
		return false;
	}
	nic->count.tx_descs += n;
	q->cached = n;
	q->cache_pos = 0;
	return true;
}

/* A queue's turn: one frame, and the contexts before it; how many descriptors. */
static unsigned int run_queue(struct e82599 *nic, unsigned int queue, bool *told)
{
	uint32_t block = e82599_tx_block(queue);
	uint32_t size = e82599_ring_size(nic, block);
	struct e82599_txq *q = &nic->txq[queue];
	unsigned int taken = 0;
	const uint8_t *desc;
	bool complete = false;

	while (!complete && taken < E82599_TX_RUN && fetch(nic, queue)) {
		desc = q->cache + q->cache_pos++ * E82599_DESC_SIZE;
		q->cached--;
		complete = ends_frame(desc);
		*told |= take_descriptor(nic, queue, desc, q->head);
		q->head = q->head + 1 == size ? 0 : q->head + 1;
		taken++;
	}
	*e82599_reg(nic, block + Q_HEAD) = q->head;
	/* Also when the tail came back to the head with descriptors fetched beyond. */
	if (!fetch(nic, queue))
		nic->tx_ready[queue / 64] &= ~(UINT64_C(1) << (queue & 63));
	return taken;
}

/* The next ready queue in turn; there is one. */
static unsigned int next_queue(struct e82599 *nic)
{
	unsigned int word = nic->tx_turn / 64, queue;
	uint64_t ready = nic->tx_ready[word] & UINT64_MAX << nic->tx_turn % 64;

	if (!ready) {
		word ^= 1;
		ready = nic->tx_ready[word];
	}
	if (!ready) {
		word ^= 1;
		ready = nic->tx_ready[word];
	}
	queue = word * 64 + __builtin_ctzll(ready);
	nic->tx_turn = (queue + 1) % E82599_QUEUES;
	return queue;
}

static void tell(struct e82599 *nic, const uint64_t *told)
{
	unsigned int word;
	uint64_t left;

	for (word = 0; word < E82599_QUEUES / 64; word++)
		for (left = told[word]; left; left &= left - 1)
			e82599_irq_queue(nic, word * 64 + __builtin_ctzll(left), true);
}

/*
 * Frames of the ready queues in turn, 7.2.1.2.1: a number of descriptors and no
 * more than the wire takes in a moment, so that the guest sees its rings empty
 * at the wire's speed.
 */
static void run_engine(struct e82599 *nic)
{
	int64_t ahead = e82599_now(nic) + TX_AHEAD_NS;
	uint64_t told[E82599_QUEUES / 64] = { 0 };
	unsigned int budget = E82599_TX_RUN, queue, taken;
	bool tell_queue;

	do {
		tell_queue = false;
		queue = next_queue(nic);
		taken = run_queue(nic, queue, &tell_queue);
		told[queue / 64] |= (uint64_t)tell_queue << (queue & 63);
		budget -= taken < budget ? taken : budget;
	} while (budget && any_ready(nic) && engine_enabled(nic) && nic->wire_free < ahead);
	tell(nic, told);
}

void e82599_tx_timer(struct e82599 *nic)
{
	nic->tx_armed = false;
	if (nic->wire_free < e82599_now(nic))
		nic->wire_free = e82599_now(nic);
	if (nic->pause.due)
		e82599_pause_send(nic);
	if (any_ready(nic) && engine_enabled(nic) && e82599_now(nic) >= nic->pause.until)
		run_engine(nic);
	/* What remains waits for the wire, not for another doorbell. */
	if (any_ready(nic) && engine_enabled(nic))
		arm(nic, 0);
}
