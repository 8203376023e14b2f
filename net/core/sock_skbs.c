// SPDX-License-Identifier: GPL-2.0
/*
 * skbs for the packets of a batch: allocated together, and charged to the socket
 * together.
 */
#include <linux/skbuff.h>
#include <net/sock_skbs.h>

/**
 * sock_skbs_fill() - skbs for packets to come
 * @s: where they go to, empty
 * @sk: socket that is charged
 * @n: number wanted, at least 1
 * @size: room in each, in bytes
 *
 * There may be fewer, or none at all: what the socket has to say then is for
 * sock_alloc_send_skb() to tell.
 *
 * Context: Process, under the lock that serializes the socket's transmit.
 */
void sock_skbs_fill(struct sock_skbs *s, struct sock *sk, unsigned int n,
		    unsigned int size)
{
	int room = READ_ONCE(sk->sk_sndbuf) - sk_wmem_alloc_get(sk);

	if (room <= 0 || READ_ONCE(sk->sk_err) ||
	    READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN)
		return;

	s->list = alloc_skb_list(size, &n, sk->sk_allocation);
	if (!s->list)
		return;

	s->size = skb_tailroom(s->list);
	s->truesize = s->list->truesize;
	/* The last one may exceed the send buffer */
	for (; n > DIV_ROUND_UP(room, s->truesize); n--) {
		struct sk_buff *skb = s->list;

		s->list = skb->next;
		skb_mark_not_on_list(skb);
		consume_skb(skb);
	}
	s->n = n;
	refcount_add(n * s->truesize, &sk->sk_wmem_alloc);
}
EXPORT_SYMBOL_GPL(sock_skbs_fill);

/**
 * sock_skbs_drop() - give back what there is
 * @s: skbs, or none
 * @sk: their socket
 *
 * Context: As sock_skbs_fill().
 */
void sock_skbs_drop(struct sock_skbs *s, struct sock *sk)
{
	while (s->n)
		consume_skb(sock_skbs_pop(s, sk));
}
EXPORT_SYMBOL_GPL(sock_skbs_drop);
