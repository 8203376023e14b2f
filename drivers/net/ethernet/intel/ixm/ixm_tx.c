// SPDX-License-Identifier: GPL-2.0
/*
 * Transmit: packets to descriptors, the deferred tail write, completion.
 *
 * The unit of everything here is the burst: the packets between two tail
 * writes.  Only the last descriptor of a burst asks for a status write-back
 * (RS), so that the device writes once, and NAPI looks at one descriptor, for
 * as many packets as the tail write was deferred for.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/skbuff.h>
#include <net/netdev_queues.h>

#include "ixm_tx.h"

static void ixm_tx_write_context(struct ixm_tx_ring *tx,
				 const struct ixm_tx_ctx *ctx, u32 idx)
{
	u32 at = tx->next_to_use++ & tx->mem.mask;
	struct ixm_tx_ctx_desc *desc = (void *)&tx->mem.desc[at];

	desc->lens = cpu_to_le32(ctx->lens);
	desc->ipsec = 0;
	desc->type = cpu_to_le32(ctx->type);
	desc->mss = cpu_to_le32(ctx->mss | FIELD_PREP(IXM_TXC_IDX, idx));
}

/*
 * The device is told a context that it does not have, in place of the one that
 * was not used last: with two, the data and the acknowledgments of a stream
 * need none.  Returns the bits that refer to it.
 */
static u32 ixm_tx_context(struct ixm_tx_ring *tx, const struct ixm_tx_ctx *ctx)
{
	u32 idx = tx->ctx_last;

	if (memcmp(&tx->ctx[idx], ctx, sizeof(*ctx))) {
		idx ^= 1;
		if (memcmp(&tx->ctx[idx], ctx, sizeof(*ctx))) {
			tx->ctx[idx] = *ctx;
			ixm_tx_write_context(tx, ctx, idx);
			ixm_tx_count(tx, &tx->xmit.contexts);
		}
		tx->ctx_last = idx;
	}
	return FIELD_PREP(IXM_TXD_IDX, idx);
}

/*
 * The bytes of a packet.  What skb_copy_bits() can do besides, for any offset,
 * lists of skbs and pages without an address, costs twice as much as the rest
 * of ixm_start_xmit().
 */
static void ixm_tx_copy_bytes(const struct sk_buff *skb, u8 *to)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	unsigned int head = skb_headlen(skb), i;

	if (IS_ENABLED(CONFIG_HIGHMEM) || unlikely(shinfo->frag_list)) {
		skb_copy_bits(skb, 0, to, skb->len);
		return;
	}
	memcpy(to, skb->data, head);
	to += head;
	for (i = 0; i < shinfo->nr_frags; i++) {
		const skb_frag_t *frag = &shinfo->frags[i];

		memcpy(to, skb_frag_address(frag), skb_frag_size(frag));
		to += skb_frag_size(frag);
	}
}

/* A small packet: one descriptor, nothing mapped. */
static __always_inline void ixm_tx_copy(struct ixm_tx_ring *tx,
					struct sk_buff *skb, u32 cmd,
					u32 olinfo)
{
	u32 at = tx->next_to_use & tx->mem.mask, len = skb->len;
	u32 offset = at << IXM_TX_COPY_SHIFT;
	struct ixm_tx_buf *buf = &tx->mem.buf[at];
	u8 *data = tx->mem.copy + offset;

	if (skb_is_nonlinear(skb))
		ixm_tx_copy_bytes(skb, data);
	else
		memcpy(data, skb->data, len);
	if (unlikely(len < IXM_TX_LEN_MIN)) {
		memset(data + len, 0, IXM_TX_LEN_MIN - len);
		olinfo += ixm_tx_paylen(IXM_TX_LEN_MIN - len);
		len = IXM_TX_LEN_MIN;
	}

	buf->skb = skb;
	buf->map = IXM_TX_MAP_NONE;
	ixm_tx_write_desc(tx, at, tx->mem.copy_dma + offset,
			  cmd | IXM_TXD_EOP | len, olinfo);
	tx->next_to_use++;
}

/**
 * ixm_tx_unmap() - undo the mapping of a descriptor's data, if there is one
 * @tx: transmit queue
 * @buf: of the descriptor
 */
void ixm_tx_unmap(struct ixm_tx_ring *tx, struct ixm_tx_buf *buf)
{
	if (buf->map == IXM_TX_MAP_SINGLE)
		dma_unmap_single(tx->dev, buf->dma, buf->len, DMA_TO_DEVICE);
	else if (buf->map == IXM_TX_MAP_PAGE)
		dma_unmap_page(tx->dev, buf->dma, buf->len, DMA_TO_DEVICE);
	buf->map = IXM_TX_MAP_NONE;
}

/**
 * ixm_tx_piece() - descriptors for one piece of a packet
 * @tx: transmit queue, with room for them
 * @map: what has to be undone; it is with the first of them
 * @dma: where the piece is
 * @len: its length
 * @cmd: bits of each one's cmd_type_len
 * @olinfo: each one's olinfo_status
 */
void ixm_tx_piece(struct ixm_tx_ring *tx, enum ixm_tx_map map, dma_addr_t dma,
		  u32 len, u32 cmd, u32 olinfo)
{
	u32 at = tx->next_to_use & tx->mem.mask;
	struct ixm_tx_buf *buf = &tx->mem.buf[at];

	buf->dma = dma;
	buf->len = len;
	buf->extra_bytes = 0;
	buf->extra_segs = 0;
	buf->map = map;
	for (;;) {
		u32 part = min_t(u32, len, IXM_TXD_LEN_MAX);

		ixm_tx_write_desc(tx, at, dma, cmd | part, olinfo);
		tx->next_to_use++;
		len -= part;
		if (likely(!len))
			break;
		dma += part;
		at = tx->next_to_use & tx->mem.mask;
		tx->mem.buf[at].map = IXM_TX_MAP_NONE;
	}
}

/* Map a packet.  On error the ring is as it was before. */
static int ixm_tx_map(struct ixm_tx_ring *tx, struct sk_buff *skb,
		      const struct ixm_tx_offload *o, u32 olinfo)
{
	u32 mask = tx->mem.mask, first = tx->next_to_use, len, i, last;
	dma_addr_t dma;

	len = skb_headlen(skb);
	if (likely(len)) {
		dma = dma_map_single(tx->dev, skb->data, len, DMA_TO_DEVICE);
		if (unlikely(dma_mapping_error(tx->dev, dma)))
			return -ENOMEM;
		ixm_tx_piece(tx, IXM_TX_MAP_SINGLE, dma, len, o->cmd, olinfo);
	}

	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];

		len = skb_frag_size(frag);
		if (unlikely(!len))
			continue;
		dma = skb_frag_dma_map(tx->dev, frag, 0, len, DMA_TO_DEVICE);
		if (unlikely(dma_mapping_error(tx->dev, dma)))
			goto unwind;
		ixm_tx_piece(tx, IXM_TX_MAP_PAGE, dma, len, o->cmd, olinfo);
	}

	tx->mem.buf[first & mask].extra_bytes = o->extra_bytes;
	tx->mem.buf[first & mask].extra_segs = o->extra_segs;
	last = (tx->next_to_use - 1) & mask;
	tx->mem.desc[last].cmd_type_len |= cpu_to_le32(IXM_TXD_EOP);
	tx->mem.buf[last].skb = skb;
	return 0;

unwind:
	while (tx->next_to_use != first)
		ixm_tx_unmap(tx, &tx->mem.buf[--tx->next_to_use & mask]);
	return -ENOMEM;
}

/*
 * Descriptors that a packet takes at most: a context, and one more since
 * skb_checksum_help() may move bytes from the first fragment to the head.
 */
static unsigned int ixm_tx_descs(const struct sk_buff *skb)
{
	unsigned int i, count = ixm_tx_desc_needed(skb_headlen(skb)) + 2;

	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++)
		count += ixm_tx_desc_needed(skb_frag_size(&skb_shinfo(skb)->frags[i]));

	return count;
}

/*
 * The hint, unless the user wants each packet's tail written.  To be read while
 * the packet is there.
 */
static bool ixm_tx_more(const struct ixm_tx_ring *tx, const struct sk_buff *skb)
{
	return READ_ONCE(tx->defer) && ixm_xmit_more(skb);
}

/*
 * Every exit: the tail is written if nobody is known to do it later.  BQL says
 * "stopped" for a packet that is queued.
 */
static __always_inline netdev_tx_t
ixm_tx_exit(struct ixm_tx_ring *tx, enum ixm_tx_end end, bool more, bool stopped)
{
	if (ixm_tx_must_flush(end, more, stopped))
		ixm_tx_flush(tx);
	else if (end == IXM_TX_QUEUED)
		ixm_tx_count(tx, &tx->xmit.tail_deferred);

	return end == IXM_TX_REFUSED ? NETDEV_TX_BUSY : NETDEV_TX_OK;
}

/* The packet is in the ring; @len is what it has on the wire. */
static __always_inline netdev_tx_t
ixm_tx_queued(struct ixm_tx_ring *tx, struct sk_buff *skb, unsigned int len,
	      bool more)
{
	bool stopped;

	skb_tx_timestamp(skb);

	if (unlikely(!netif_txq_maybe_stop(tx->txq, ixm_tx_unused(tx),
					   IXM_TX_PKT_DESC, IXM_TX_WAKE)))
		ixm_tx_count(tx, &tx->xmit.stopped);

	stopped = __netdev_tx_sent_queue(tx->txq, len, more);

	return ixm_tx_exit(tx, IXM_TX_QUEUED, more, stopped);
}

/*
 * The packet is lost.  It may have been the one that was to write the tail for
 * those deferred before it, and no other is known to follow.
 */
static netdev_tx_t ixm_tx_dropped(struct ixm_tx_ring *tx, struct sk_buff *skb,
				  bool more, u64_stats_t *cause)
{
	dev_kfree_skb_any(skb);
	ixm_tx_count(tx, cause);

	return ixm_tx_exit(tx, IXM_TX_DROPPED, more, false);
}

/*
 * There is no room.  The queue is stopped before it can come to this, so it
 * must have been woken in vain: stop it again, unless there is room by now.
 */
static noinline netdev_tx_t ixm_tx_refused(struct ixm_tx_ring *tx)
{
	netif_txq_try_stop(tx->txq, ixm_tx_unused(tx), IXM_TX_WAKE);
	ixm_tx_count(tx, &tx->xmit.busy);

	return ixm_tx_exit(tx, IXM_TX_REFUSED, false, false);
}

/* What the device is to do, and who finds fault with it counts that. */
static u64_stats_t *ixm_tx_offload(struct ixm_tx_ring *tx, struct sk_buff *skb,
				   struct ixm_tx_offload *o)
{
	int err = ixm_offload(skb, o);

	if (unlikely(err == -EMSGSIZE))
		return &tx->xmit.drop_too_long;
	if (unlikely(err))
		return &tx->xmit.drop_offload;
	if (o->cmd & IXM_TXD_TSE)
		ixm_tx_count(tx, &tx->xmit.tso);
	else if (o->olinfo & IXM_TXD_TXSM)
		ixm_tx_count(tx, &tx->xmit.csum);
	return NULL;
}

/*
 * A packet into the ring, which has room for it; NULL, or the counter of why it
 * is not there.
 */
static u64_stats_t *ixm_tx_write(struct ixm_tx_ring *tx, struct sk_buff *skb,
				 struct ixm_tx_offload *o)
{
	u32 first = tx->next_to_use, olinfo;
	u64_stats_t *fault = ixm_tx_offload(tx, skb, o);

	if (unlikely(fault))
		return fault;
	olinfo = o->olinfo;
	if (o->ctx.type)
		olinfo |= ixm_tx_context(tx, &o->ctx);
	if (skb->len <= IXM_TX_COPY_MAX && !o->extra_segs) {
		ixm_tx_copy(tx, skb, o->cmd, olinfo);
		return NULL;
	}
	if (likely(!ixm_tx_map(tx, skb, o, olinfo)))
		return NULL;
	/* with the packet goes its context, if it had one of its own */
	if (tx->next_to_use != first) {
		tx->next_to_use = first;
		memset(tx->ctx, 0, sizeof(tx->ctx));
	}
	return &tx->xmit.drop_map;
}

/*
 * A packet that is not copied as it is.  Out of line: what is sent by the
 * million is small.
 */
static noinline netdev_tx_t ixm_tx_any(struct ixm_tx_ring *tx,
				       struct sk_buff *skb)
{
	bool more = ixm_tx_more(tx, skb);
	struct ixm_tx_offload o;
	u64_stats_t *fault;
	unsigned int count;

	/* past the MTU, by a way round the stack; it would hang the device */
	if (unlikely(skb->len > IXM_FRAME_MAX && !skb_is_gso(skb)))
		return ixm_tx_dropped(tx, skb, more, &tx->xmit.drop_too_long);

	count = ixm_tx_descs(skb);
	if (unlikely(count > IXM_TX_PKT_DESC)) {
		if (skb_linearize(skb))
			return ixm_tx_dropped(tx, skb, more,
					      &tx->xmit.drop_linearize);
		count = ixm_tx_descs(skb);
	}
	/* nothing is done to a packet that comes again */
	if (unlikely(ixm_tx_unused(tx) < count))
		return ixm_tx_refused(tx);
	fault = ixm_tx_write(tx, skb, &o);
	if (unlikely(fault))
		return ixm_tx_dropped(tx, skb, more, fault);

	return ixm_tx_queued(tx, skb, skb->len + o.extra_bytes, more);
}

/**
 * ixm_start_xmit() - send a packet
 * @skb: packet
 * @dev: net device
 *
 * Each exit keeps the promise made by deferring the tail write: see
 * ixm_tx_must_flush() for when it falls due.
 *
 * Context: BH disabled, TX lock.
 * Return: NETDEV_TX_OK, and the packet is the driver's or freed; NETDEV_TX_BUSY
 * when there is no room, and the packet is the caller's.
 */
netdev_tx_t ixm_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct ixm *ixm = netdev_priv(dev);
	struct ixm_tx_ring *tx = &ixm->q[skb_get_queue_mapping(skb)].tx;
	unsigned int len = skb->len;

	if (unlikely(len > IXM_TX_COPY_MAX || ixm_offload_wanted(skb)))
		return ixm_tx_any(tx, skb);
	if (unlikely(!ixm_tx_unused(tx)))
		return ixm_tx_refused(tx);
	ixm_tx_copy(tx, skb, IXM_TXD_DATA, ixm_tx_paylen(len));

	return ixm_tx_queued(tx, skb, len, ixm_tx_more(tx, skb));
}

/* How much one poll completes at most; a burst is never split. */
#define IXM_TX_CLEAN_MAX	256

/**
 * ixm_tx_clean() - complete what the device has sent
 * @q: queue
 * @budget: NAPI's, 0 in netpoll
 *
 * Return: true when nothing is left that could be completed now.
 */
bool ixm_tx_clean(struct ixm_queue *q, int budget)
{
	struct ixm_tx_ring *tx = &q->tx;
	u32 mask = tx->mem.mask, ntc = tx->next_to_clean, start = ntc, burst;
	unsigned int packets = 0, bytes = 0, segs = 0, unused;
	bool all = true, woken;

	while ((burst = ixm_tx_burst_done(tx, ntc))) {
		do {
			struct ixm_tx_buf *buf = &tx->mem.buf[ntc++ & mask];
			struct sk_buff *skb = buf->skb;

			if (unlikely(buf->map != IXM_TX_MAP_NONE)) {
				bytes += buf->extra_bytes;
				segs += buf->extra_segs;
				ixm_tx_unmap(tx, buf);
			}
			if (skb) {
				buf->skb = NULL;
				packets++;
				bytes += skb->len;
				napi_consume_skb(skb, budget);
			}
		} while (--burst);
		if (unlikely(ntc - start >= IXM_TX_CLEAN_MAX)) {
			all = false;
			break;
		}
	}
	if (!packets)
		return true;

	WRITE_ONCE(tx->next_to_clean, ntc);
	/*
	 * A sender may be at work. What it has just written, or takes back, makes
	 * the queue wake early or not at all; but it was awake, and whoever stops
	 * it looks again afterwards.
	 */
	unused = ixm_ring_unused(mask, data_race(tx->next_to_use), ntc);
	woken = !netif_txq_completed_wake(tx->txq, packets, bytes, unused,
					  IXM_TX_WAKE);

	u64_stats_update_begin(&tx->done.syncp);
	u64_stats_add(&tx->done.packets, packets + segs);
	u64_stats_add(&tx->done.bytes, bytes);
	u64_stats_add(&tx->done.restarted, woken);
	u64_stats_update_end(&tx->done.syncp);

	return all;
}

/**
 * ixm_tx_drain() - free what was queued and has not been completed
 * @q: queue; stopped, NAPI disabled, the device reset
 */
void ixm_tx_drain(struct ixm_queue *q)
{
	struct ixm_tx_ring *tx = &q->tx;
	u32 mask = tx->mem.mask, frames = 0;

	for (; tx->next_to_clean != tx->next_to_use; tx->next_to_clean++) {
		struct ixm_tx_buf *buf = &tx->mem.buf[tx->next_to_clean & mask];

		if (buf->map != IXM_TX_MAP_NONE) {
			frames += buf->extra_segs;
			ixm_tx_unmap(tx, buf);
		}
		if (!buf->skb)
			continue;
		dev_kfree_skb_any(buf->skb);
		buf->skb = NULL;
		frames++;
	}
	netdev_tx_reset_queue(tx->txq);

	u64_stats_update_begin(&tx->done.syncp);
	u64_stats_add(&tx->done.drop_down, frames);
	u64_stats_update_end(&tx->done.syncp);
}

/**
 * ixm_tx_mem_alloc() - allocate a transmit ring
 * @ixm: device
 * @mem: filled in
 * @count: descriptors
 *
 * Return: 0 or -ENOMEM; then @mem can be given to ixm_tx_mem_free() all the same.
 */
int ixm_tx_mem_alloc(struct ixm *ixm, struct ixm_tx_mem *mem, u32 count)
{
	struct device *dev = &ixm->pdev->dev;

	mem->mask = count - 1;
	mem->buf = kvcalloc(count, sizeof(*mem->buf), GFP_KERNEL);
	mem->desc = dma_alloc_coherent(dev, count * sizeof(*mem->desc),
				       &mem->dma, GFP_KERNEL);
	mem->copy = dma_alloc_coherent(dev, count << IXM_TX_COPY_SHIFT,
				       &mem->copy_dma, GFP_KERNEL);
	return mem->buf && mem->desc && mem->copy ? 0 : -ENOMEM;
}

/**
 * ixm_tx_mem_free() - free a transmit ring
 * @ixm: device
 * @mem: what ixm_tx_mem_alloc() filled in, or zeroes
 */
void ixm_tx_mem_free(struct ixm *ixm, struct ixm_tx_mem *mem)
{
	struct device *dev = &ixm->pdev->dev;
	u32 count = mem->mask + 1;

	if (mem->copy)
		dma_free_coherent(dev, count << IXM_TX_COPY_SHIFT, mem->copy,
				  mem->copy_dma);
	if (mem->desc)
		dma_free_coherent(dev, count * sizeof(*mem->desc), mem->desc,
				  mem->dma);
	kvfree(mem->buf);
	memset(mem, 0, sizeof(*mem));
}
