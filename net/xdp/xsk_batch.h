/* SPDX-License-Identifier: GPL-2.0 */
#ifndef XSK_BATCH_H_
#define XSK_BATCH_H_

#include <net/hotdata.h>
#include <net/sock_skbs.h>

/* Batched transmit in copy mode.
 *
 * __xsk_generic_xmit() turns descriptors into skbs and hands them to the driver
 * in lists of up to net.core.tx_batch, so that a list shares the TX lock and
 * the device's tail write; completion entries and skbs are had for several
 * descriptors at once.  Nobody but the clock may notice: what one sendto()
 * returns, both rings, completions and counters are as if packets had been
 * handed over one at a time.  Hence
 *
 *   - the list is flushed when it is full, before the TX ring's consumer index
 *     is published (what the device refuses goes back to the ring, and user
 *     space must not have overwritten it), before anything is completed,
 *     counted or answered with an error for a later descriptor, and at the end
 *     of the call;
 *   - when the device refuses a packet, the descriptors behind it go back, of a
 *     packet that is not complete as well: one at a time, they would not have
 *     been read yet;
 *   - what is held in advance (completion entries, send buffer) is no more than
 *     the descriptors seen will need, and is given back when the call ends.
 *
 * Part of xsk.c, under xs->mutex.
 */

/**
 * struct xsk_batch - packets of a TX ring that wait to be handed over
 * @list: the packets, linked by &sk_buff.next
 * @tail: where the next one is linked
 * @skbs: skbs without a packet
 * @count: number of packets in @list
 * @limit: number of packets at which @list is flushed
 * @reserved: entries of the completion ring without a descriptor
 * @budget: descriptors that may be sent beyond those
 * @err: 0, or why the device refused a packet; ends the call
 */
struct xsk_batch {
	struct sk_buff	*list;
	struct sk_buff	**tail;
	struct sock_skbs skbs;
	u32		count;
	u32		limit;
	u32		reserved;
	u32		budget;
	int		err;
};

static void xsk_batch_begin(const struct xdp_sock *xs, struct xsk_batch *b)
{
	b->list = NULL;
	b->tail = &b->list;
	sock_skbs_init(&b->skbs);
	b->count = 0;
	b->limit = READ_ONCE(net_hotdata.tx_batch);
	b->reserved = 0;
	b->budget = READ_ONCE(xs->max_tx_budget);
	b->err = 0;
}

/* Give the descriptors of a packet that was never handed over back. */
static void xsk_unsend(struct xdp_sock *xs, struct sk_buff *skb)
{
	skb_mark_not_on_list(skb);
	xskq_cons_cancel_n(xs->tx, xsk_get_num_desc(skb));
	xsk_consume_skb(skb);
}

static void xsk_batch_refused(struct xdp_sock *xs, struct xsk_batch *b, int err)
{
	b->err = err;
	if (xs->skb)
		xsk_unsend(xs, xs->skb);
	while (b->list) {
		struct sk_buff *skb = b->list;

		b->list = skb->next;
		xsk_unsend(xs, skb);
	}
}

/* Hand over what was gathered. Returns the verdict of its last packet; when
 * b->err is set, what was not sent is back in the ring.
 */
static int __xsk_batch_flush(struct xdp_sock *xs, struct xsk_batch *b)
{
	int verdict;

	do {
		unsigned int sent;

		verdict = __dev_direct_xmit_list(&b->list, xs->queue_id, &sent);
		if (unlikely(!dev_xmit_complete(verdict)))
			/* Tell user-space to retry the send */
			xsk_batch_refused(xs, b, -EAGAIN);
		else if (unlikely(verdict == NET_XMIT_DROP))
			/* SKB completed but not sent */
			xsk_batch_refused(xs, b, -EBUSY);
		/* Ignore NET_XMIT_CN as packet might have been sent */
	} while (b->list);

	b->tail = &b->list;
	b->count = 0;
	return verdict;
}

/* The next descriptor may be more than the packet it belongs to can hold, and
 * then the packet is dropped: the ones before it come first.  A descriptor
 * takes two fragments at most, as it is no longer than a page.
 */
static bool xsk_batch_may_drop(const struct xdp_sock *xs)
{
	return xs->skb && skb_shinfo(xs->skb)->nr_frags >= MAX_SKB_FRAGS - 2;
}

/* The descriptor that was peeked is part of a packet, and not its last. Nothing may
 * be gathered when the next peek has side effects, or its descriptor may have.
 * Returns b->err, which ends the call.
 */
static int xsk_batch_settle(struct xdp_sock *xs, struct xsk_batch *b)
{
	if (b->count && (!xskq_has_descs(xs->tx) || xsk_batch_may_drop(xs)))
		__xsk_batch_flush(xs, b);
	return b->err;
}

/* xskq_cons_peek_desc(). When it has to look at the ring, nothing is gathered:
 * see xsk_batch_settle() and xsk_batch_xmit(), and nothing is gathered either where
 * descriptors are drained.
 */
static __always_inline bool xsk_batch_peek(struct xdp_sock *xs,
					   struct xsk_batch *b,
					   struct xdp_desc *desc)
{
	if (likely(xskq_cons_peek_desc(xs->tx, desc, xs->pool)))
		return true;

	if (b->count) {
		__xsk_batch_flush(xs, b);
		/* The invalid descriptor will be read again */
		if (b->err)
			xs->tx->invalid_descs--;
	}
	return false;
}

/* Entries of the completion ring for the descriptor that was peeked, and for as
 * many of those behind it as may be sent, @max in all at most.  On a ring that
 * several sockets share, one may be told that it is full by the reservation of
 * another, as it may be by its packets.
 */
static u32 __xsk_batch_reserve(struct xdp_sock *xs, struct xsk_batch *b,
			       u32 max)
{
	u32 n = min3(xskq_nb_descs(xs->tx), b->limit, max);

	n = n ? xsk_cq_reserve_locked(xs->pool, n) : 0;
	if (n)
		b->reserved = n - 1;
	return n;
}

/* False when the call has sent as much as one may, or the completion ring is full */
static __always_inline bool xsk_batch_reserve(struct xdp_sock *xs,
					      struct xsk_batch *b)
{
	u32 n;

	if (likely(b->reserved)) {
		b->reserved--;
		return true;
	}

	n = __xsk_batch_reserve(xs, b, b->budget);
	b->budget -= n;
	return n;
}

/* For an invalid descriptor, which is not part of what may be sent */
static bool xsk_batch_reserve_invalid(struct xdp_sock *xs, struct xsk_batch *b)
{
	return b->reserved ? b->reserved-- : __xsk_batch_reserve(xs, b, 1);
}

static struct sk_buff *__xsk_batch_alloc(struct xdp_sock *xs,
					 struct xsk_batch *b, u32 size, int *err)
{
	struct sock *sk = &xs->sk;

	/* For the descriptors that have an entry in the completion ring */
	if (!b->skbs.n && b->reserved) {
		sock_skbs_fill(&b->skbs, sk, b->reserved + 1, size);
		if (sock_skbs_fit(&b->skbs, sk, size))
			return sock_skbs_pop(&b->skbs, sk);
	}

	/* The send buffer may be full of just what this batch holds */
	if (unlikely(sk_wmem_alloc_get(sk) >= READ_ONCE(sk->sk_sndbuf))) {
		sock_skbs_drop(&b->skbs, sk);
		if (b->count)
			__xsk_batch_flush(xs, b);
		if (b->err) {
			*err = b->err;
			return NULL;
		}
	}
	return sock_alloc_send_skb(sk, size, 1, err);
}

/* sock_alloc_send_skb() for the descriptor that was peeked */
static __always_inline struct sk_buff *
xsk_batch_alloc(struct xdp_sock *xs, struct xsk_batch *b, u32 size, int *err)
{
	if (likely(sock_skbs_fit(&b->skbs, &xs->sk, size)))
		return sock_skbs_pop(&b->skbs, &xs->sk);
	return __xsk_batch_alloc(xs, b, size, err);
}

/* __dev_direct_xmit(), or its promise.  Returns the verdict of the last packet
 * that was handed over, 0 when that is still to come.
 */
static int xsk_batch_xmit(struct xdp_sock *xs, struct xsk_batch *b,
			  struct sk_buff *skb)
{
	xs->skb = NULL;
	*b->tail = skb;
	b->tail = &skb->next;
	b->count++;
	if (b->count < b->limit && xskq_has_descs(xs->tx))
		return 0;
	return __xsk_batch_flush(xs, b);
}

/* What a call returns that ends with @err. */
static int xsk_batch_end(struct xdp_sock *xs, struct xsk_batch *b, int err)
{
	if (b->count)
		__xsk_batch_flush(xs, b);
	if (b->reserved)
		xsk_cq_cancel_locked(xs->pool, b->reserved);
	sock_skbs_drop(&b->skbs, &xs->sk);
	return b->err ?: err;
}

#endif /* XSK_BATCH_H_ */
