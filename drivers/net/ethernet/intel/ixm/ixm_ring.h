/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ring arithmetic, and when the transmit tail is written.
 *
 * Indexes run freely through 32 bits and are masked where the ring is
 * accessed: "full" and "empty" differ, and no index is ever out of range.
 */
#ifndef _IXM_RING_H_
#define _IXM_RING_H_

#include <linux/log2.h>
#include <linux/types.h>

/* Powers of two; TDLEN and RDLEN (8.2.3.8.3, 8.2.3.9.7) take 8 to 8192. */
#define IXM_RING_MIN		64
#define IXM_RING_MAX		4096

/**
 * ixm_ring_size_valid() - can a ring have this many descriptors?
 * @count: number of descriptors, 32 bits as ethtool gives it
 *
 * Return: true when it can.
 */
static inline bool ixm_ring_size_valid(u32 count)
{
	return count >= IXM_RING_MIN && count <= IXM_RING_MAX &&
	       is_power_of_2(count);
}

/**
 * ixm_ring_used() - descriptors between two free-running indexes
 * @next_to_use: the producer's
 * @next_to_clean: the consumer's
 *
 * Return: how many the producer is ahead.
 */
static inline u32 ixm_ring_used(u32 next_to_use, u32 next_to_clean)
{
	return next_to_use - next_to_clean;
}

/**
 * ixm_ring_unused() - descriptors that can still be written
 * @mask: ring size - 1
 * @next_to_use: the producer's index
 * @next_to_clean: the consumer's index
 *
 * One descriptor stays free: to the device, head == tail means empty.
 *
 * Return: their number, 0 to @mask.
 */
static inline u32 ixm_ring_unused(u32 mask, u32 next_to_use, u32 next_to_clean)
{
	return mask - ixm_ring_used(next_to_use, next_to_clean);
}

/**
 * enum ixm_tx_end - how a call of ndo_start_xmit ends
 * @IXM_TX_QUEUED: the packet is in the ring
 * @IXM_TX_DROPPED: it was freed, for whatever reason, and NETDEV_TX_OK returned
 * @IXM_TX_REFUSED: NETDEV_TX_BUSY
 */
enum ixm_tx_end {
	IXM_TX_QUEUED,
	IXM_TX_DROPPED,
	IXM_TX_REFUSED,
};

/**
 * ixm_tx_must_flush() - must the tail be written before ndo_start_xmit returns?
 * @end: how the call ends
 * @more: the hint: this CPU hands over another packet next
 * @stopped: the queue is stopped
 *
 * A deferred tail write is a promise that a later call will make it, and the
 * caller's hint is all that backs it.  It ends
 *  - with the packet that comes without the hint, whether or not that packet
 *    made it into the ring: nobody is known to come after it;
 *  - when the queue is stopped: the caller does not hand the next one to a
 *    stopped queue, whatever it had announced;
 *  - when a packet is refused: the caller gives up the burst and requeues.
 * A packet dropped in the middle of a burst changes nothing.
 *
 * Return: true when it must, provided that something is pending.
 */
static inline bool ixm_tx_must_flush(enum ixm_tx_end end, bool more,
				     bool stopped)
{
	return !more || stopped || end == IXM_TX_REFUSED;
}

#endif /* _IXM_RING_H_ */
