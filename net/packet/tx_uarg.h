/* SPDX-License-Identifier: GPL-2.0 */
#ifndef __PACKET_TX_UARG_H__
#define __PACKET_TX_UARG_H__

#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <linux/slab.h>

struct packet_sock;
struct tpacket_uarg_block;

/**
 * struct tpacket_uarg - what gives a frame of a TX ring back to user space
 * @ubuf: held by the skb whose data is the frame's
 * @po: socket of the ring
 * @ph: the frame
 * @block: what it was allocated in, NULL: alone
 */
struct tpacket_uarg {
	struct ubuf_info		ubuf;
	struct packet_sock		*po;
	void				*ph;
	struct tpacket_uarg_block	*block;
};

/**
 * struct tpacket_uarg_block - as many of them as a batch has packets
 * @users: entries of @uarg that are in use, or may still come to be
 * @n: number of entries
 * @uarg: the entries, handed out in order and never again
 *
 * A batch is completed together, so an allocation of its own for each packet
 * would be made and freed in step with the others.
 */
struct tpacket_uarg_block {
	refcount_t		users;
	unsigned int		n;
	struct tpacket_uarg	uarg[] __counted_by(n);
};

static inline struct tpacket_uarg_block *tpacket_uarg_block_alloc(unsigned int n)
{
	struct tpacket_uarg_block *block;

	block = kmalloc(struct_size(block, uarg, n), GFP_KERNEL);
	if (likely(block)) {
		block->n = n;
		refcount_set(&block->users, n);
	}
	return block;
}

/* @n entries are done with, or are not going to be used. */
static inline void tpacket_uarg_block_put(struct tpacket_uarg_block *block,
					  unsigned int n)
{
	if (refcount_sub_and_test(n, &block->users))
		kfree(block);
}

static inline struct tpacket_uarg *tpacket_uarg_alloc(void)
{
	struct tpacket_uarg *uarg = kmalloc(sizeof(*uarg), GFP_KERNEL);

	if (likely(uarg))
		uarg->block = NULL;
	return uarg;
}

static inline void tpacket_uarg_put(struct tpacket_uarg *uarg)
{
	if (uarg->block)
		tpacket_uarg_block_put(uarg->block, 1);
	else
		kfree(uarg);
}

#endif /* __PACKET_TX_UARG_H__ */
