/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _NET_GRO_BATCH_H
#define _NET_GRO_BATCH_H
/*
 * The adaptive GRO_NORMAL batch: how many segments are collected before they
 * are passed up the stack follows what the polls see.
 *
 * - The first packet of a poll goes up at once: it may be the only one.
 * - A TCP segment without payload goes up at once, with what is ahead of it: a
 *   sender waits for its acknowledgment.
 * - Any other list holds at most as many segments as this poll has passed up
 *   already, or twice as many as the last poll did, or half of what the last
 *   poll was allowed, whichever is most. (Polls are not all alike: a burst of
 *   four full polls and one packet shall not have the next one start anew.)
 *
 * So a list grows only behind packets that are up already, and not much further
 * than the traffic has lately shown to fill. Nothing waits beyond the end of its poll,
 * with which every list ends.
 *
 * All of it belongs to the owner of the gro_node, that is to whoever polls.
 */

struct gro_node;
struct sk_buff;

void gro_adapt_init(struct gro_node *gro);
void gro_adapt_one(struct gro_node *gro, struct sk_buff *skb);
void gro_adapt_poll_end(struct gro_node *gro);

#endif /* _NET_GRO_BATCH_H */
