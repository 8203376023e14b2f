/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _NET_SOCK_SKBS_H
#define _NET_SOCK_SKBS_H

#include <net/sock.h>

/* skbs that are allocated, and charged to a socket, before there is a packet for
 * each of them. Whoever holds them has the lock under which the socket's packets
 * are made, and gives back what it has no use for before it sleeps or returns.
 */

/**
 * struct sock_skbs - skbs that a socket has been charged for in advance
 * @list: linked by &sk_buff.next
 * @n: their number
 * @size: room in each, in bytes
 * @truesize: of each, in bytes
 */
struct sock_skbs {
	struct sk_buff	*list;
	unsigned int	n;
	unsigned int	size;
	unsigned int	truesize;
};

static inline void sock_skbs_init(struct sock_skbs *s)
{
	s->list = NULL;
	s->n = 0;
}

/**
 * sock_skbs_fit() - would sock_alloc_send_skb() give one of these?
 * @s: skbs
 * @sk: their socket
 * @size: room that is asked for, in bytes
 *
 * What was charged after them, fragments or an skb that is large, may have filled
 * the send buffer, and the device may have gone.
 *
 * Return: true when there is one, with room for @size, that the socket would be
 *	given now if it came one at a time.
 */
static inline bool sock_skbs_fit(const struct sock_skbs *s,
				 const struct sock *sk, unsigned int size)
{
	return s->n && size <= s->size && !READ_ONCE(sk->sk_err) &&
	       sk_wmem_alloc_get(sk) - (int)(s->n * s->truesize) <
	       READ_ONCE(sk->sk_sndbuf);
}

/**
 * sock_skbs_pop() - take one
 * @s: skbs, not empty
 * @sk: their socket
 *
 * Return: An skb as skb_set_owner_w() leaves it. &sk_buff.ooo_okay is not set: it
 *	says that no packet of the socket is on its way.
 */
static inline struct sk_buff *sock_skbs_pop(struct sock_skbs *s, struct sock *sk)
{
	struct sk_buff *skb = s->list;

	s->list = skb->next;
	s->n--;
	skb_mark_not_on_list(skb);
	skb->sk = sk;
	skb->destructor = sock_wfree;
	skb_set_hash_from_sk(skb, sk);
	return skb;
}

void sock_skbs_fill(struct sock_skbs *s, struct sock *sk, unsigned int n,
		    unsigned int size);
void sock_skbs_drop(struct sock_skbs *s, struct sock *sk);

#endif /* _NET_SOCK_SKBS_H */
