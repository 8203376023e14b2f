// SPDX-License-Identifier: GPL-2.0
/*
 * Direct transmit: packets go to the driver past the qdisc, one or a list at
 * a time.  What a list shares is the TX lock and, through the xmit_more hint,
 * the write of the device's tail register; nothing else about a packet may
 * depend on the company it travels in.
 */
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/sock.h>
#include <net/xfrm.h>

#include "dev.h"

#ifdef CONFIG_SOCK_VALIDATE_XMIT
static bool direct_xmit_sk_validates(const struct sk_buff *skb)
{
	const struct sock *sk = skb->sk;

	return skb_is_decrypted(skb) ||
	       (sk && (!sk_fullsock(sk) || sk->sk_validate_xmit_skb));
}
#else
static bool direct_xmit_sk_validates(const struct sk_buff *skb)
{
	return false;
}
#endif

/* True when validate_xmit_skb() would give @skb back as it is.  Only such
 * packets share a burst: validating any other may consume it, and then the
 * packet before it has already been told that one more follows.
 */
static __always_inline bool direct_xmit_ready(struct sk_buff *skb)
{
	if (skb_is_gso(skb) || skb->ip_summed == CHECKSUM_PARTIAL ||
	    skb_vlan_tag_present(skb) || skb_has_frag_list(skb) ||
	    skb_sec_path(skb) || !skb_frags_readable(skb) ||
	    direct_xmit_sk_validates(skb))
		return false;

	return !skb_is_nonlinear(skb) ||
	       (netif_skb_features(skb) & NETIF_F_SG);
}

/* Validate the first packet of *list, which is not ready.  One that does not
 * come back the same packet (dropped, segmented, taken for crypto) is not
 * sent: direct transmit has no place to keep what is left over.
 */
static bool direct_xmit_validate(struct sk_buff **list, struct net_device *dev)
{
	struct sk_buff *skb = *list, *next = skb->next, *valid;
	bool again = false;

	skb_mark_not_on_list(skb);
	valid = validate_xmit_skb_list(skb, dev, &again);
	if (likely(valid == skb)) {
		skb->next = next;
		return true;
	}

	*list = next;
	dev_core_stats_tx_dropped_inc(dev);
	kfree_skb_list(valid);
	return false;
}

/* The end of the burst that *list begins with: the packet after the last one
 * that the driver may be told of in advance.
 */
static struct sk_buff *direct_xmit_burst_end(struct sk_buff *skb, u16 queue_id)
{
	do {
		skb_set_queue_mapping(skb, queue_id);
		skb = skb->next;
	} while (skb && direct_xmit_ready(skb));

	return skb;
}

/* Hand the packets from *list up to @end to the driver; the TX lock is held.
 * The hint is true while another packet of the burst follows.  A driver that
 * stops the queue, or answers with anything but NETDEV_TX_OK, ends the burst
 * itself and has to write its tail then: it is the one who knows.
 */
static __always_inline int direct_xmit_burst(struct sk_buff **list,
					     struct sk_buff *end,
					     struct net_device *dev,
					     struct netdev_queue *txq,
					     unsigned int *sent)
{
	struct sk_buff *skb = *list, *next;
	unsigned int n = 0;
	int rc;

	do {
		if (netif_xmit_frozen_or_drv_stopped(txq)) {
			rc = NETDEV_TX_BUSY;
			break;
		}

		next = skb->next;
		skb_mark_not_on_list(skb);
		rc = netdev_start_xmit(skb, dev, txq, next != end);
		if (unlikely(rc != NETDEV_TX_OK)) {
			if (dev_xmit_complete(rc))
				skb = next;
			else
				skb->next = next;
			break;
		}

		n++;
		skb = next;
	} while (skb != end);

	*list = skb;
	*sent += n;
	return rc;
}

static __always_inline int direct_xmit(struct sk_buff **list, u16 queue_id,
				       unsigned int *sent, bool one)
{
	struct net_device *dev = (*list)->dev;
	struct netdev_queue *txq;
	struct sk_buff *end;
	int rc;

	if (unlikely(!netif_running(dev) || !netif_carrier_ok(dev))) {
		struct sk_buff *skb = *list;

		*list = skb->next;
		skb_mark_not_on_list(skb);
		dev_core_stats_tx_dropped_inc(dev);
		kfree_skb(skb);
		return NET_XMIT_DROP;
	}

	if (!direct_xmit_ready(*list) && !direct_xmit_validate(list, dev))
		return NET_XMIT_DROP;

	if (one) {
		skb_set_queue_mapping(*list, queue_id);
		end = NULL;
	} else {
		end = direct_xmit_burst_end(*list, queue_id);
	}
	txq = skb_get_tx_queue(dev, *list);

	local_bh_disable();

	dev_xmit_recursion_inc();
	HARD_TX_LOCK(dev, txq, smp_processor_id());
	rc = direct_xmit_burst(list, end, dev, txq, sent);
	HARD_TX_UNLOCK(dev, txq);
	dev_xmit_recursion_dec();

	local_bh_enable();
	return rc;
}

/**
 * __dev_direct_xmit_list() - transmit a list of packets past the qdisc
 * @list: first packet of a list linked by &sk_buff.next, not empty.  All have
 *	the same &sk_buff.dev.  On return the first packet that the caller
 *	still owns, or NULL.
 * @queue_id: TX queue of the device, less than its real_num_tx_queues
 * @sent: set to the number of packets that were handed over with
 *	NETDEV_TX_OK, all of them before the one that the verdict is about
 *
 * Packets are validated and handed to the driver in order, as if each had been
 * given to __dev_direct_xmit(), but the TX lock is taken once for as many as
 * need no changes, and the driver is told exactly when another one follows.
 * The first packet that does not end in NETDEV_TX_OK ends the call; the ones
 * after it have not been touched, so a caller that goes on in this case calls
 * again with the rest.
 *
 * Context: Any context in which __dev_direct_xmit() may be called: process or
 *	softirq, device held by the caller.  Disables BH, takes the queue's TX
 *	lock unless the device is lltx.
 * Return: The verdict of the packet number @sent, counted from 0:
 *	* NETDEV_TX_OK - there is none, the whole list was sent.
 *	* NETDEV_TX_BUSY - the queue is stopped or the driver has no room. The
 *	  packet is still there, as the first of @list.
 *	* NET_XMIT_DROP - the device is down, has no carrier, or the packet
 *	  could not be made fit for it.  The packet is gone.
 *	* any other value the driver returned; dev_xmit_complete() tells whether
 *	  the packet is gone.
 */
int __dev_direct_xmit_list(struct sk_buff **list, u16 queue_id,
			   unsigned int *sent)
{
	int rc;

	*sent = 0;
	do {
		rc = direct_xmit(list, queue_id, sent, false);
	} while (rc == NETDEV_TX_OK && *list);

	return rc;
}
EXPORT_SYMBOL_GPL(__dev_direct_xmit_list);

/**
 * __dev_direct_xmit() - transmit one packet past the qdisc
 * @skb: packet, on no list
 * @queue_id: TX queue of the device, less than its real_num_tx_queues
 *
 * Context: See __dev_direct_xmit_list(), of which this is the case of one.
 * Return: The verdict as for __dev_direct_xmit_list(); unless
 *	dev_xmit_complete() holds for it, the caller still owns @skb.
 */
int __dev_direct_xmit(struct sk_buff *skb, u16 queue_id)
{
	unsigned int sent = 0;

	return direct_xmit(&skb, queue_id, &sent, true);
}
EXPORT_SYMBOL(__dev_direct_xmit);
