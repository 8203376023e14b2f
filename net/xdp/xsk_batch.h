/* SPDX-License-Identifier: GPL-2.0 */
#ifndef XSK_BATCH_H_
#define XSK_BATCH_H_

#include <net/hotdata.h>

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
 * @ready: skbs without a packet, charged to the socket
 * @charged: bytes of the send buffer that @ready takes
 * @count: number of packets in @list
 * @limit: number of packets at which @list is flushed
 * @reserved: entries of the completion ring without a descriptor
 * @err: 0, or why the device refused a packet; ends the call
 */
struct xsk_batch {
	struct sk_buff	*list;
	struct sk_buff	**tail;
	struct sk_buff	*ready;
	u32		charged;
	u32		count;
	u32		limit;
	u32		reserved;
	int		err;
};

static void xsk_batch_begin(struct xsk_batch *b)
{
	b->list = NULL;
	b->tail = &b->list;
	b->ready = NULL;
	b->charged = 0;
	b->count = 0;
	b->limit = READ_ONCE(net_hotdata.tx_batch);
	b->reserved = 0;
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

/* xskq_cons_peek_desc(), with nothing gathered when it has side effects. */
static bool xsk_batch_peek(struct xdp_sock *xs, struct xsk_batch *b,
			   struct xdp_desc *desc)
{
	if (b->count && (!xskq_has_descs(xs->tx) || xsk_batch_may_drop(xs))) {
		__xsk_batch_flush(xs, b);
		if (unlikely(b->err))
			return false;
	}

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
 * many of those behind it as may be sent, @budget at most.  On a ring that
 * several sockets share, one may be told that it is full by the reservation of
 * another, as it may be by its packets.
 */
static int __xsk_batch_reserve(struct xdp_sock *xs, struct xsk_batch *b,
			       u32 budget)
{
	u32 n = min3(xskq_nb_descs(xs->tx), b->limit, budget + 1);

	n = xsk_cq_reserve_locked(xs->pool, n);
	if (!n)
		return -ENOSPC;

	b->reserved = n - 1;
	return 0;
}

static int xsk_batch_reserve(struct xdp_sock *xs, struct xsk_batch *b,
			     u32 budget)
{
	if (!b->reserved)
		return __xsk_batch_reserve(xs, b, budget);
	b->reserved--;
	return 0;
}

/* An skb that is charged to the socket already becomes as skb_set_owner_w()
 * leaves it.
 */
static struct sk_buff *xsk_batch_pop_ready(struct xdp_sock *xs,
					   struct xsk_batch *b)
{
	struct sk_buff *skb = b->ready;

	b->ready = skb->next;
	b->charged -= skb->truesize;
	skb_mark_not_on_list(skb);
	skb->sk = &xs->sk;
	skb->destructor = sock_wfree;
	skb_set_hash_from_sk(skb, &xs->sk);
	return skb;
}

static void xsk_batch_drop_ready(struct xdp_sock *xs, struct xsk_batch *b)
{
	while (b->ready)
		consume_skb(xsk_batch_pop_ready(xs, b));
}

/* How many skbs of @truesize the send buffer takes: the last may exceed it. */
static u32 xsk_sndbuf_room(struct sock *sk, u32 truesize)
{
	int room = READ_ONCE(sk->sk_sndbuf) - sk_wmem_alloc_get(sk);

	return room > 0 ? DIV_ROUND_UP(room, truesize) : 0;
}

/* skbs for the descriptors that have an entry in the completion ring, as many
 * as the send buffer has room for.  None is no error: what the socket has to
 * say is for sock_alloc_send_skb() to tell.
 */
static void xsk_batch_fill(struct xdp_sock *xs, struct xsk_batch *b, u32 size)
{
	unsigned int n = b->reserved + 1, truesize;
	struct sock *sk = &xs->sk;
	u32 room;

	if (READ_ONCE(sk->sk_err) ||
	    READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN)
		return;

	b->ready = alloc_skb_list(size, &n, sk->sk_allocation);
	if (!b->ready)
		return;

	truesize = b->ready->truesize;
	room = xsk_sndbuf_room(sk, truesize);
	for (; n > room; n--) {
		struct sk_buff *skb = b->ready;

		b->ready = skb->next;
		skb_mark_not_on_list(skb);
		consume_skb(skb);
	}
	b->charged = n * truesize;
	if (n)
		refcount_add(b->charged, &sk->sk_wmem_alloc);
}

/* True when sock_alloc_send_skb() would give the first of those that are ready:
 * what was charged after them, fragments or a large skb, may have filled the
 * send buffer.
 */
static bool xsk_batch_fits(const struct xdp_sock *xs, const struct xsk_batch *b,
			   u32 size)
{
	return b->ready && size <= skb_tailroom(b->ready) &&
	       sk_wmem_alloc_get(&xs->sk) - (int)b->charged <
	       READ_ONCE(xs->sk.sk_sndbuf);
}

static struct sk_buff *__xsk_batch_alloc(struct xdp_sock *xs,
					 struct xsk_batch *b, u32 size, int *err)
{
	if (!b->ready && b->reserved) {
		xsk_batch_fill(xs, b, size);
		if (xsk_batch_fits(xs, b, size))
			return xsk_batch_pop_ready(xs, b);
	}

	/* The send buffer may be full of just what this batch holds */
	if (unlikely(!xsk_sndbuf_room(&xs->sk, 1))) {
		xsk_batch_drop_ready(xs, b);
		if (b->count)
			__xsk_batch_flush(xs, b);
		if (b->err) {
			*err = b->err;
			return NULL;
		}
	}
	return sock_alloc_send_skb(&xs->sk, size, 1, err);
}

/* sock_alloc_send_skb() for the descriptor that was peeked */
static __always_inline struct sk_buff *
xsk_batch_alloc(struct xdp_sock *xs, struct xsk_batch *b, u32 size, int *err)
{
	if (xsk_batch_fits(xs, b, size))
		return xsk_batch_pop_ready(xs, b);
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
	xsk_batch_drop_ready(xs, b);
	return b->err ?: err;
}

#endif /* XSK_BATCH_H_ */
