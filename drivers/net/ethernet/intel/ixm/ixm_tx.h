/* SPDX-License-Identifier: GPL-2.0 */
/* What the transmit rings of the stack and of XDP have in common. */
#ifndef _IXM_TX_H_
#define _IXM_TX_H_

#include "ixm.h"

/**
 * ixm_tx_unused() - descriptors that can still be written
 * @tx: transmit ring
 *
 * Context: the sender's lock.
 * Return: their number.
 */
static inline u32 ixm_tx_unused(const struct ixm_tx_ring *tx)
{
	return ixm_ring_unused(tx->mem.mask, tx->next_to_use,
			       READ_ONCE(tx->next_to_clean));
}

/**
 * ixm_tx_count() - count one thing
 * @tx: transmit ring
 * @counter: of @tx->xmit
 *
 * Context: the sender's lock.
 */
static inline void ixm_tx_count(struct ixm_tx_ring *tx, u64_stats_t *counter)
{
	u64_stats_update_begin(&tx->xmit.syncp);
	u64_stats_inc(counter);
	u64_stats_update_end(&tx->xmit.syncp);
}

/**
 * ixm_tx_write_desc() - write a data descriptor
 * @tx: transmit ring
 * @at: where
 * @addr: DMA address of the data
 * @cmd_len: command, and length of the data
 * @olinfo: options, and length of the packet
 */
static inline void ixm_tx_write_desc(struct ixm_tx_ring *tx, u32 at,
				     dma_addr_t addr, u32 cmd_len, u32 olinfo)
{
	struct ixm_tx_desc *desc = &tx->mem.desc[at];

	desc->addr = cpu_to_le64(addr);
	desc->cmd_type_len = cpu_to_le32(cmd_len);
	/* this clears DD as well */
	desc->olinfo_status = cpu_to_le32(olinfo);
}

/**
 * ixm_tx_flush() - hand all written descriptors to the device
 * @tx: transmit queue
 *
 * The only place that writes the tail, and the only one that sets RS: whatever
 * the last packet of a burst was meant to be, the last one that made it into
 * the ring gets the bit.  The device does not own the descriptor before the
 * tail is written, so it may still be changed.
 *
 * Context: TX lock; XDP's lock in a ring of XDP.
 */
static inline void ixm_tx_flush(struct ixm_tx_ring *tx)
{
	u32 mask = tx->mem.mask, end = tx->next_to_use, first = tx->tail;

	if (unlikely(end == first))
		return;

	tx->mem.desc[(end - 1) & mask].cmd_type_len |= cpu_to_le32(IXM_TXD_RS);
	/*
	 * Pairs with the acquire in ixm_tx_clean(): who sees the burst also
	 * sees its packets, and DD clear in the descriptors.
	 */
	smp_store_release(&tx->mem.buf[first & mask].burst, end - first);
	tx->tail = end;
	/* writel() orders the descriptors in memory before the tail */
	writel(end & mask, tx->tdt);
	ixm_tx_count(tx, &tx->xmit.tail_writes);
}

/**
 * ixm_tx_burst_done() - is the device done with a burst?
 * @tx: transmit queue
 * @ntc: where the burst begins
 *
 * Context: NAPI; each burst is completed by who is told of it.
 * Return: the number of its descriptors when the device is done with all of
 * them, else 0.
 */
static inline u32 ixm_tx_burst_done(struct ixm_tx_ring *tx, u32 ntc)
{
	u32 mask = tx->mem.mask;
	struct ixm_tx_buf *first = &tx->mem.buf[ntc & mask];
	const struct ixm_tx_desc *last;
	u32 burst;

	/* Pairs with the release in ixm_tx_flush(). */
	burst = smp_load_acquire(&first->burst);
	if (!burst)
		return 0;
	last = &tx->mem.desc[(ntc + burst - 1) & mask];
	/* DD is all that is believed of what the device wrote */
	if (!(READ_ONCE(last->olinfo_status) & cpu_to_le32(IXM_TXD_STAT_DD)))
		return 0;
	first->burst = 0;
	return burst;
}

#endif /* _IXM_TX_H_ */
