/* SPDX-License-Identifier: GPL-2.0 */
#ifndef __PACKET_TX_BATCH_H__
#define __PACKET_TX_BATCH_H__

#include <net/hotdata.h>
#include <net/sock_skbs.h>

#include "tx_uarg.h"

/* Batched transmit from a TX ring, to the qdisc or past it.
 *
 * tpacket_snd() turns frames into skbs and hands them over in lists of up to
 * net.core.tx_batch, so that a list shares the locks on its way and the
 * device's tail write.  Nobody but the clock may notice: what one send()
 * returns, the state of each frame, timestamps and counters are as if packets
 * had been handed over one at a time.  Hence
 *
 *   - the list is flushed before an skb is made for a frame that it has no room
 *     for, when a packet picks another TX queue (past the qdisc; else that is the
 *     qdisc layer's concern), before the sender waits or gives up for lack of
 *     memory, before any frame is answered with an error, and at the end of
 *     the call;
 *   - when the device refuses a packet, the frames behind it go back to
 *     TP_STATUS_SEND_REQUEST: one at a time, they would not have been read yet;
 *   - what leaves a trace when an skb is only made (a timestamp key, a
 *     netfilter hook) keeps to one at a time.
 *
 * Part of af_packet.c, under po->pg_vec_lock.
 */

/**
 * struct tpacket_batch - packets of a TX ring that wait to be handed over
 * @list: the packets, linked by &sk_buff.next
 * @tail: where the next one is linked
 * @first: ring position of the first one's frame; the others follow it
 * @count: number of packets in @list
 * @limit: number of packets at which @list is flushed; 1: nothing is gathered
 * @queue: TX queue they all go to, when they bypass the qdisc
 * @bypass: past the qdisc; does not change while the list has packets
 * @err: 0, or why the device refused a packet; ends the call
 * @block: where the next packet's zero-copy state comes from, or NULL
 * @used: number of entries of @block that are taken
 * @skbs: skbs for frames to come
 */
struct tpacket_batch {
	struct sk_buff	*list;
	struct sk_buff	**tail;
	unsigned int	first;
	unsigned int	count;
	unsigned int	limit;
	u16		queue;
	bool		bypass;
	int		err;
	struct tpacket_uarg_block *block;
	unsigned int	used;
	struct sock_skbs skbs;
};

static void tpacket_batch_init(struct tpacket_batch *b)
{
	b->list = NULL;
	b->tail = &b->list;
	b->count = 0;
	b->err = 0;
	b->block = NULL;
	sock_skbs_init(&b->skbs);
}

static unsigned int tpacket_batch_limit(const struct sockcm_cookie *sockc)
{
	if (sockc->tsflags & SOF_TIMESTAMPING_OPT_ID)
		return 1;
#ifdef CONFIG_NETFILTER_EGRESS
	if (nf_hook_egress_active())
		return 1;
#endif
	return READ_ONCE(net_hotdata.tx_batch);
}

/* Take back a packet that was never handed over; its frame is as before. */
static void tpacket_unsend(struct packet_sock *po, struct sk_buff *skb)
{
	struct ubuf_info *ubuf = skb_zcopy(skb);
	struct tpacket_uarg *uarg = container_of(ubuf, struct tpacket_uarg, ubuf);

	skb_shinfo(skb)->destructor_arg = NULL;
	skb_shinfo(skb)->flags &= ~SKBFL_ZEROCOPY_FRAG;
	skb_mark_not_on_list(skb);
	consume_skb(skb);

	__packet_set_status(po, uarg->ph, TP_STATUS_SEND_REQUEST);
	packet_dec_pending(&po->tx_ring);
	tpacket_uarg_put(uarg);
	/* Not the last reference: the caller of send() has one. */
	sk_free(&po->sk);
}

static void tpacket_batch_unsend(struct packet_sock *po,
				 struct tpacket_batch *b)
{
	while (b->list) {
		struct sk_buff *skb = b->list;

		b->list = skb->next;
		tpacket_unsend(po, skb);
	}
	b->tail = &b->list;
	b->count = 0;
}

static void tpacket_batch_advance(const struct packet_sock *po,
				  struct tpacket_batch *b, unsigned int n)
{
	b->first += n;
	if (b->first > po->tx_ring.frame_max)
		b->first -= po->tx_ring.frame_max + 1;
}

/* The frame at b->first met @verdict.  True when that ends the call. */
static bool tpacket_batch_refused(struct packet_sock *po,
				  struct tpacket_batch *b, int verdict)
{
	struct sk_buff *skb = b->list;
	int err = verdict;
	void *ph;

	if (!dev_xmit_complete(verdict)) {
		b->list = skb->next;
		skb_mark_not_on_list(skb);
		kfree_skb(skb);
	}

	if (err > 0)
		err = net_xmit_errno(err);
	ph = packet_lookup_frame(po, &po->tx_ring, b->first,
				 TP_STATUS_AVAILABLE);
	if (!err || !ph) {
		/* Congestion, or dropped but not destructed yet */
		tpacket_batch_advance(po, b, 1);
		return false;
	}

	__packet_set_status(po, ph, TP_STATUS_SEND_REQUEST);
	po->tx_ring.head = b->first;
	b->err = err;
	tpacket_batch_unsend(po, b);
	return true;
}

/* Hand over what was gathered.  Returns 0, or the error that ends the call;
 * then the frames and the head of the ring are as one at a time had left them.
 */
static int __tpacket_batch_flush(struct packet_sock *po,
				 struct tpacket_batch *b)
{
	while (b->list) {
		unsigned int sent;
		int verdict;

		if (b->bypass)
			verdict = __dev_direct_xmit_list(&b->list,
							 netdev_cap_txqueue(b->list->dev, b->queue),
							 &sent);
		else
			verdict = dev_queue_xmit_list(&b->list, &sent);
		/* NETDEV_TX_OK and NET_XMIT_SUCCESS are the same */
		if (likely(!verdict))
			break;
		tpacket_batch_advance(po, b, sent);
		if (tpacket_batch_refused(po, b, verdict))
			return b->err;
	}

	b->tail = &b->list;
	b->count = 0;
	return 0;
}

static inline int tpacket_batch_flush(struct packet_sock *po,
				      struct tpacket_batch *b)
{
	return b->count ? __tpacket_batch_flush(po, b) : 0;
}

static int tpacket_batch_add(struct packet_sock *po, struct tpacket_batch *b,
			     struct sk_buff *skb)
{
	u16 queue = b->bypass ? packet_pick_tx_queue(skb) : 0;

	if (unlikely(b->count && queue != b->queue) &&
	    __tpacket_batch_flush(po, b)) {
		tpacket_unsend(po, skb);
		return b->err;
	}

	if (!b->count) {
		b->first = po->tx_ring.head;
		b->queue = queue;
	}
	*b->tail = skb;
	b->tail = &skb->next;
	b->count++;
	return 0;
}

/* What the next batch may be.  A call that begins one at a time goes on so. */
static inline void tpacket_batch_begin(const struct packet_sock *po,
				       struct tpacket_batch *b,
				       const struct sockcm_cookie *sockc)
{
	b->limit = tpacket_batch_limit(sockc);
	b->bypass = packet_sock_flag(po, PACKET_SOCK_QDISC_BYPASS);
}

/* The next entry of the block, which has one. */
static inline struct tpacket_uarg *tpacket_batch_next_uarg(struct tpacket_batch *b)
{
	struct tpacket_uarg_block *block = b->block;
	struct tpacket_uarg *uarg = &block->uarg[b->used++];

	uarg->block = block;
	if (b->used == block->n)
		b->block = NULL;
	return uarg;
}

static noinline struct tpacket_uarg *
__tpacket_batch_uarg(struct packet_sock *po, struct tpacket_batch *b,
		     const struct sockcm_cookie *sockc)
{
	if (!b->count) {
		tpacket_batch_begin(po, b, sockc);
		if (b->limit == 1) {
			sock_skbs_drop(&b->skbs, &po->sk);
			return tpacket_uarg_alloc();
		}
	}

	if (!b->block) {
		b->block = tpacket_uarg_block_alloc(b->limit);
		if (unlikely(!b->block))
			return NULL;
		b->used = 0;
	}
	return tpacket_batch_next_uarg(b);
}

/* Zero-copy state for the next packet, NULL without memory.  The batch that
 * it begins, if it does, may have as many packets as is allowed now.
 */
static inline struct tpacket_uarg *
tpacket_batch_uarg(struct packet_sock *po, struct tpacket_batch *b,
		   const struct sockcm_cookie *sockc)
{
	if (b->limit == 1)
		return tpacket_uarg_alloc();
	if (!b->count || !b->block)
		return __tpacket_batch_uarg(po, b, sockc);
	return tpacket_batch_next_uarg(b);
}

/* What is left over when the call ends goes back. */
static void tpacket_batch_end(struct packet_sock *po, struct tpacket_batch *b)
{
	if (b->block)
		tpacket_uarg_block_put(b->block, b->block->n - b->used);
	sock_skbs_drop(&b->skbs, &po->sk);
}

/* packet_xmit(), or its promise: skb->next is NULL, as allocated. */
static inline int tpacket_batch_xmit(struct packet_sock *po,
				     struct tpacket_batch *b,
				     struct sk_buff *skb)
{
	if (b->limit == 1)
		return packet_xmit(po, skb);
	return tpacket_batch_add(po, b, skb);
}

/* skbs for the frame at hand and for those behind it, if there are: a look at one of
 * them tells for those before it, most of the time.  A frame that is there after all
 * is allocated for as it comes, an skb without a frame is given back.
 */
static void tpacket_batch_fill(struct packet_sock *po, struct tpacket_batch *b,
			       unsigned long size)
{
	unsigned int n, ahead;

	for (n = b->limit - b->count; n > 1; n /= 2) {
		ahead = po->tx_ring.head + n - 1;
		if (ahead > po->tx_ring.frame_max)
			ahead -= po->tx_ring.frame_max + 1;
		if (ahead <= po->tx_ring.frame_max &&
		    packet_lookup_frame(po, &po->tx_ring, ahead,
					TP_STATUS_SEND_REQUEST)) {
			sock_skbs_fill(&b->skbs, &po->sk, n, size);
			return;
		}
	}
}

/* An skb that was charged in advance, or NULL; then nothing is. */
static struct sk_buff *tpacket_batch_pop(struct packet_sock *po,
					 struct tpacket_batch *b,
					 unsigned long size)
{
	if (!b->skbs.n)
		tpacket_batch_fill(po, b, size);
	if (likely(sock_skbs_fit(&b->skbs, &po->sk, size)))
		return sock_skbs_pop(&b->skbs, &po->sk);
	sock_skbs_drop(&b->skbs, &po->sk);
	return NULL;
}

/* What is gathered is sent before the caller sleeps, or is told that the send
 * buffer is full: it may be full of just that.
 */
static struct sk_buff *__tpacket_batch_alloc(struct packet_sock *po,
					     struct tpacket_batch *b,
					     unsigned long size, int noblock,
					     int *err)
{
	struct sk_buff *skb;

	if (b->count == b->limit && __tpacket_batch_flush(po, b))
		return NULL;

	skb = tpacket_batch_pop(po, b, size);
	if (likely(skb))
		return skb;

	/* What the socket has to say concerns this frame, not those before it */
	if (b->count && !READ_ONCE(po->sk.sk_err)) {
		skb = sock_alloc_send_skb(&po->sk, size, 1, err);
		if (likely(skb) || *err != -EAGAIN)
			return skb;
	}
	if (tpacket_batch_flush(po, b))
		return NULL;
	return sock_alloc_send_skb(&po->sk, size, noblock, err);
}

/* sock_alloc_send_skb() for the frame behind the batch, which is flushed first
 * when it is full.  A batch that is never more than begun costs comparisons only:
 * nobody may sleep for the send buffer with skbs that were charged in advance.
 */
static inline struct sk_buff *tpacket_batch_alloc(struct packet_sock *po,
						  struct tpacket_batch *b,
						  unsigned long size,
						  int noblock, int *err)
{
	if (b->limit != 1 && (b->count || b->skbs.n))
		return __tpacket_batch_alloc(po, b, size, noblock, err);
	return sock_alloc_send_skb(&po->sk, size, noblock, err);
}

#endif /* __PACKET_TX_BATCH_H__ */
