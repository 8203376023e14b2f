// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of GRO_NORMAL batches: of lists that a batch fills, of what a NAPI's
 * own batch overrides, of the adaptive batch, of the counters.
 *
 * A case writes packets, numbered in skb->mark, and has them polled by the kernel's
 * own poll loop. A packet handler of the device notes what comes up, and in which
 * list. Packets must always come up in the order in which they came in.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/tcp.h>
#include <net/busy_poll.h>
#include <net/gro.h>
#include <net/gro_cells.h>
#include <net/hotdata.h>
#include <net/ip.h>

#include "dev.h"

#define MAX_PACKETS	256
#define ADAPTIVE	NETDEV_GRO_NORMAL_BATCH_ADAPTIVE

struct bench {
	struct net_device	*dev;
	struct napi_struct	napi;
	struct packet_type	pt[3];		/* for each protocol of the packets */
	struct sk_buff_head	wire;		/* what the next polls receive */
	bool			frags;		/* receive by napi_gro_frags() */
	u32			next_mark;
	int			sysctl;

	unsigned int		up;		/* packets that came up */
	unsigned int		lists;		/* lists, in which they came */
	unsigned int		len[MAX_PACKETS];	/* packets of each */
	unsigned int		alone;		/* lists without a list */
	unsigned int		disordered;
	u32			expected;
	unsigned int		in_poll[MAX_PACKETS];	/* up once packet N was received */
	unsigned int		received;
	unsigned int		polls;		/* calls of the poll function */
};

/* ---- the receiver ------------------------------------------------------- */

static void packet_up(struct bench *b, struct sk_buff *skb)
{
	if (skb->mark != b->expected)
		b->disordered++;
	b->expected = skb->mark + 1;
	b->up++;
	b->len[b->lists]++;
	consume_skb(skb);
}

static int one_up(struct sk_buff *skb, struct net_device *dev,
		  struct packet_type *pt, struct net_device *orig_dev)
{
	struct bench *b = pt->af_packet_priv;

	packet_up(b, skb);
	b->lists++;
	b->alone++;
	return NET_RX_SUCCESS;
}

static void list_up(struct list_head *head, struct packet_type *pt,
		    struct net_device *orig_dev)
{
	struct bench *b = pt->af_packet_priv;
	struct sk_buff *skb, *next;

	list_for_each_entry_safe(skb, next, head, list) {
		skb_list_del_init(skb);
		packet_up(b, skb);
	}
	b->lists++;
}

/* Begin to look anew. */
static void look(struct bench *b)
{
	memset(b->len, 0, sizeof(b->len));
	b->up = 0;
	b->lists = 0;
	b->alone = 0;
	b->received = 0;
	b->polls = 0;
}

#define EXPECT_LISTS(test, ...)							\
	expect_lists(test, (const unsigned int[]){ __VA_ARGS__ },		\
		     sizeof((const unsigned int[]){ __VA_ARGS__ }) / sizeof(unsigned int))

static void expect_lists(struct kunit *test, const unsigned int *len, unsigned int n)
{
	struct bench *b = test->priv;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, b->lists, n);
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ_MSG(test, b->len[i], len[i], "list %u", i);
	KUNIT_EXPECT_EQ(test, b->disordered, 0);
}

/* ---- packets ------------------------------------------------------------ */

static struct sk_buff *frame(struct kunit *test, __be16 protocol, unsigned int len)
{
	struct bench *b = test->priv;
	struct sk_buff *skb = alloc_skb(NET_SKB_PAD + NET_IP_ALIGN + ETH_HLEN + len, GFP_ATOMIC);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, NET_SKB_PAD + NET_IP_ALIGN);
	skb_put_zero(skb, ETH_HLEN + len);
	((struct ethhdr *)skb->data)->h_proto = protocol;
	skb->protocol = eth_type_trans(skb, b->dev);
	skb_reset_network_header(skb);
	/* The stack shall not answer. */
	skb->pkt_type = PACKET_OTHERHOST;
	skb->ip_summed = CHECKSUM_UNNECESSARY;
	skb->mark = b->next_mark++;
	return skb;
}

static struct sk_buff *plain(struct kunit *test)
{
	return frame(test, htons(ETH_P_802_EX1), ETH_ZLEN - ETH_HLEN);
}

static void fill_tcp(void *at)
{
	struct tcphdr *th = at;

	th->source = htons(1000);
	th->dest = htons(2000);
	th->doff = sizeof(*th) / 4;
	th->ack = 1;
}

/* TCP over IPv4 with @payload bytes, in a frame as short as Ethernet has them. */
static struct sk_buff *tcp4(struct kunit *test, unsigned int payload)
{
	unsigned int len = sizeof(struct iphdr) + sizeof(struct tcphdr) + payload;
	struct sk_buff *skb = frame(test, htons(ETH_P_IP), max(len, ETH_ZLEN - ETH_HLEN));
	struct iphdr *iph = ip_hdr(skb);

	iph->version = 4;
	iph->ihl = sizeof(*iph) / 4;
	iph->ttl = 64;
	iph->protocol = IPPROTO_TCP;
	iph->tot_len = htons(len);
	iph->frag_off = htons(IP_DF);
	ip_send_check(iph);
	fill_tcp(iph + 1);
	return skb;
}

static struct sk_buff *tcp6(struct kunit *test, unsigned int payload)
{
	unsigned int len = sizeof(struct tcphdr) + payload;
	struct sk_buff *skb = frame(test, htons(ETH_P_IPV6), sizeof(struct ipv6hdr) + len);
	struct ipv6hdr *iph = ipv6_hdr(skb);

	iph->version = 6;
	iph->nexthdr = IPPROTO_TCP;
	iph->hop_limit = 64;
	iph->payload_len = htons(len);
	fill_tcp(iph + 1);
	return skb;
}

static void arrive(struct kunit *test, struct sk_buff *skb)
{
	struct bench *b = test->priv;

	__skb_queue_tail(&b->wire, skb);
}

static void arrive_plain(struct kunit *test, unsigned int n)
{
	while (n--)
		arrive(test, plain(test));
}

/* ---- the driver --------------------------------------------------------- */

/* The same frame, as a driver has it that receives into pages. */
static void receive_frags(struct bench *b, struct sk_buff *skb)
{
	struct sk_buff *frags = napi_get_frags(&b->napi);
	struct page *page = alloc_page(GFP_ATOMIC);

	if (frags && page) {
		skb_push(skb, ETH_HLEN);
		skb_copy_bits(skb, 0, page_address(page), skb->len);
		skb_add_rx_frag(frags, 0, page, 0, skb->len, PAGE_SIZE);
		frags->mark = skb->mark;
		frags->ip_summed = CHECKSUM_UNNECESSARY;
		napi_gro_frags(&b->napi);
	}
	consume_skb(skb);
}

static int bench_poll(struct napi_struct *napi, int budget)
{
	struct bench *b = container_of(napi, struct bench, napi);
	struct sk_buff *skb;
	int work = 0;

	b->polls++;
	while (work < budget && (skb = __skb_dequeue(&b->wire))) {
		if (b->frags)
			receive_frags(b, skb);
		else
			napi_gro_receive(napi, skb);
		b->in_poll[b->received++ % MAX_PACKETS] = b->up;
		work++;
	}
	if (work < budget)
		napi_complete_done(napi, work);
	return work;
}

/* Poll until the wire is empty. On a slow machine the softirq runs out of time, and
 * ksoftirqd has the rest.
 */
static void poll(struct bench *b)
{
	int i;

	local_bh_disable();
	napi_schedule(&b->napi);
	local_bh_enable();
	for (i = 0; i < 1000 && napi_is_scheduled(&b->napi); i++)
		usleep_range(1000, 2000);
}

/* A poll that receives @n plain packets, of which nobody looks at the lists. */
static void poll_before(struct kunit *test, unsigned int n)
{
	arrive_plain(test, n);
	poll(test->priv);
	look(test->priv);
}

static void set_batch(struct bench *b, int batch)
{
	netdev_lock(b->dev);
	napi_set_gro_normal_batch(&b->napi, batch);
	netdev_unlock(b->dev);
}

static void set_dev_batch(struct bench *b, int batch)
{
	netdev_lock(b->dev);
	netdev_set_gro_normal_batch(b->dev, batch);
	netdev_unlock(b->dev);
}

static void down_up(struct bench *b)
{
	napi_disable(&b->napi);
	napi_enable(&b->napi);
}

/* As a driver does that frees its queues when it is closed. */
static void down_up_anew(struct bench *b)
{
	napi_disable(&b->napi);
	netif_napi_del(&b->napi);
	netif_napi_add_config(b->dev, &b->napi, bench_poll, 0);
	napi_enable(&b->napi);
}

/* ---- fixed batches ------------------------------------------------------ */

static void sysctl_is_followed(struct kunit *test)
{
	struct bench *b = test->priv;

	WRITE_ONCE(net_hotdata.gro_normal_batch, 4);
	arrive_plain(test, 10);
	poll(b);
	EXPECT_LISTS(test, 4, 4, 2);
}

static void sysctl_change_is_seen_at_once(struct kunit *test)
{
	struct bench *b = test->priv;

	WRITE_ONCE(net_hotdata.gro_normal_batch, 4);
	poll_before(test, 10);
	WRITE_ONCE(net_hotdata.gro_normal_batch, 1);
	arrive_plain(test, 3);
	poll(b);
	EXPECT_LISTS(test, 1, 1, 1);
}

static void own_batch_overrides_sysctl(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, 3);
	arrive_plain(test, 10);
	poll(b);
	EXPECT_LISTS(test, 3, 3, 3, 1);

	look(b);
	set_batch(b, 0);
	arrive_plain(test, 10);
	poll(b);
	EXPECT_LISTS(test, 8, 2);
}

static void largest_batch(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, NETDEV_GRO_NORMAL_BATCH_MAX);
	arrive_plain(test, NAPI_POLL_WEIGHT + 5);
	poll(b);
	EXPECT_LISTS(test, 64, 5);
}

/* Nothing waits for a packet of the next poll. */
static void list_ends_with_its_poll(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, 48);
	arrive_plain(test, NAPI_POLL_WEIGHT + 2);
	poll(b);
	KUNIT_EXPECT_EQ(test, b->polls, 2);
	EXPECT_LISTS(test, 48, 16, 2);
}

/* A packet of several segments fills a list as several packets do. */
static void segments_are_counted(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, 6);
	local_bh_disable();
	gro_normal_one(&b->napi.gro, plain(test), 5);
	KUNIT_EXPECT_EQ(test, b->up, 0);
	gro_normal_one(&b->napi.gro, plain(test), 1);
	KUNIT_EXPECT_EQ(test, b->up, 2);
	gro_normal_one(&b->napi.gro, plain(test), 44);
	KUNIT_EXPECT_EQ(test, b->up, 3);
	gro_normal_one(&b->napi.gro, plain(test), 1);
	KUNIT_EXPECT_EQ(test, b->up, 3);
	gro_flush_normal(&b->napi.gro, false);
	local_bh_enable();
	EXPECT_LISTS(test, 2, 1, 1);
}

static void frags_use_the_batch(struct kunit *test)
{
	struct bench *b = test->priv;

	b->frags = true;
	set_batch(b, 3);
	arrive_plain(test, 7);
	poll(b);
	EXPECT_LISTS(test, 3, 3, 1);

	look(b);
	set_batch(b, ADAPTIVE);
	arrive_plain(test, 5);
	poll(b);
	EXPECT_LISTS(test, 1, 1, 2, 1);
}

/* As cpumap has one: without a NAPI, it follows the sysctl. */
static void node_without_napi(struct kunit *test)
{
	struct bench *b = test->priv;
	struct gro_node *gro = kunit_kzalloc(test, sizeof(*gro), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, gro);
	set_dev_batch(b, 3);
	gro_init(gro);
	static_branch_enable(&gro_normal_stats_key);
	local_bh_disable();
	for (i = 0; i < 10; i++)
		gro_receive_skb(gro, plain(test));
	gro_flush_normal(gro, false);
	local_bh_enable();
	static_branch_disable(&gro_normal_stats_key);
	EXPECT_LISTS(test, 8, 2);
	gro_cleanup(gro);
}

/* The NAPIs of tunnels take the default of their device. */
static void gro_cells_use_the_batch(struct kunit *test)
{
	struct bench *b = test->priv;
	struct gro_cells cells;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, gro_cells_init(&cells, b->dev), 0);
	set_dev_batch(b, 3);
	b->dev->flags |= IFF_UP;
	local_bh_disable();
	for (i = 0; i < 7; i++)
		gro_cells_receive(&cells, plain(test));
	local_bh_enable();
	EXPECT_LISTS(test, 3, 3, 1);

	look(b);
	set_dev_batch(b, ADAPTIVE);
	local_bh_disable();
	for (i = 0; i < 7; i++)
		gro_cells_receive(&cells, plain(test));
	local_bh_enable();
	EXPECT_LISTS(test, 1, 1, 2, 3);
	b->dev->flags &= ~IFF_UP;
	gro_cells_destroy(&cells);
}

static void threaded_polls_use_the_batch(struct kunit *test)
{
	struct bench *b = test->priv;

	netdev_lock(b->dev);
	KUNIT_ASSERT_EQ(test, netif_set_threaded(b->dev, NETDEV_NAPI_THREADED_ENABLED), 0);
	netdev_unlock(b->dev);
	set_batch(b, 48);
	arrive_plain(test, NAPI_POLL_WEIGHT + 2);
	poll(b);
	KUNIT_EXPECT_EQ(test, b->polls, 2);
	EXPECT_LISTS(test, 48, 16, 2);
}

static void busy_polls_use_the_batch(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, 3);
	arrive_plain(test, 7);
	napi_busy_loop(b->napi.napi_id, NULL, NULL, false, 5);
	/* 5 packets by the loop, the rest by the poll that ends it. */
	EXPECT_LISTS(test, 3, 2, 2);

	look(b);
	set_batch(b, ADAPTIVE);
	poll_before(test, 5);
	arrive_plain(test, 12);
	napi_busy_loop(b->napi.napi_id, NULL, NULL, false, 8);
	EXPECT_LISTS(test, 1, 7, 1, 3);
}

/* ---- who sets the batch -------------------------------------------------- */

static void batch_survives_down_and_up(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, 16);
	down_up(b);
	KUNIT_EXPECT_EQ(test, napi_get_gro_normal_batch(&b->napi), 16);
	set_batch(b, ADAPTIVE);
	down_up_anew(b);
	KUNIT_EXPECT_EQ(test, napi_get_gro_normal_batch(&b->napi), ADAPTIVE);
	set_batch(b, 0);
	down_up_anew(b);
	KUNIT_EXPECT_EQ(test, napi_get_gro_normal_batch(&b->napi), 0);
}

static void device_batch_is_for_all(struct kunit *test)
{
	struct bench *b = test->priv;
	struct napi_struct *later = kunit_kzalloc(test, sizeof(*later), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, later);
	set_dev_batch(b, 32);
	KUNIT_EXPECT_EQ(test, napi_get_gro_normal_batch(&b->napi), 32);
	netif_napi_add(b->dev, later, bench_poll);
	KUNIT_EXPECT_EQ(test, napi_get_gro_normal_batch(later), 32);
	netif_napi_del(later);
	down_up_anew(b);
	KUNIT_EXPECT_EQ(test, napi_get_gro_normal_batch(&b->napi), 32);
}

static void user_wins_over_driver(struct kunit *test)
{
	struct bench *b = test->priv;

	/* A driver proposes before the device is registered. */
	netdev_gro_normal_batch_default(b->dev, 16);
	KUNIT_EXPECT_EQ(test, b->dev->gro_normal_batch, 16);
	down_up_anew(b);
	KUNIT_EXPECT_EQ(test, napi_get_gro_normal_batch(&b->napi), 16);
	set_batch(b, 2);
	down_up_anew(b);
	KUNIT_EXPECT_EQ(test, napi_get_gro_normal_batch(&b->napi), 2);
}

static void range(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, gro_normal_batch_valid(ADAPTIVE));
	KUNIT_EXPECT_TRUE(test, gro_normal_batch_valid(0));
	KUNIT_EXPECT_TRUE(test, gro_normal_batch_valid(1));
	KUNIT_EXPECT_TRUE(test, gro_normal_batch_valid(64));
	KUNIT_EXPECT_FALSE(test, gro_normal_batch_valid(65));
	KUNIT_EXPECT_FALSE(test, gro_normal_batch_valid(-2));
	KUNIT_EXPECT_FALSE(test, gro_normal_batch_valid(INT_MAX));
	KUNIT_EXPECT_FALSE(test, gro_normal_batch_valid(INT_MIN));
}

/* ---- the adaptive batch --------------------------------------------------- */

static void lone_packet_does_not_wait(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, ADAPTIVE);
	poll_before(test, 64);
	arrive_plain(test, 1);
	poll(b);
	KUNIT_EXPECT_EQ_MSG(test, b->in_poll[0], 1, "it waited for the end of its poll");
	KUNIT_EXPECT_EQ(test, b->alone, 1);
	EXPECT_LISTS(test, 1);
}

/* No list is longer than what the poll has passed up before it. */
static void lists_grow_behind_what_is_up(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, ADAPTIVE);
	arrive_plain(test, 64);
	poll(b);
	EXPECT_LISTS(test, 1, 1, 2, 4, 8, 16, 32);
}

static void lists_grow_to_twice_what_came_last(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, ADAPTIVE);
	poll_before(test, 10);
	arrive_plain(test, 30);
	poll(b);
	EXPECT_LISTS(test, 1, 20, 9);

	/* and no further than the largest batch, in a poll of any length */
	look(b);
	arrive_plain(test, 64 + 64 + 3);
	poll(b);
	EXPECT_LISTS(test, 1, 60, 3, 1, 63, 1, 2);
	look(b);
	local_bh_disable();
	gro_normal_one(&b->napi.gro, plain(test), 200);
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, b->napi.gro.rx_limit, 64);
}

/* A poll of a few halves what the next one may have. */
static void lists_shrink_by_half(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, ADAPTIVE);
	poll_before(test, 64);
	poll_before(test, 1);
	arrive_plain(test, 64);
	poll(b);
	EXPECT_LISTS(test, 1, 32, 31);

	poll_before(test, 1);
	poll_before(test, 1);
	arrive_plain(test, 40);
	poll(b);
	EXPECT_LISTS(test, 1, 16, 17, 6);
}

static void empty_polls_teach_nothing(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, ADAPTIVE);
	poll_before(test, 20);
	poll(b);
	arrive_plain(test, 31);
	poll(b);
	EXPECT_LISTS(test, 1, 30);
}

static void ack_takes_along_what_is_ahead(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, ADAPTIVE);
	poll_before(test, 64);
	arrive_plain(test, 3);
	arrive(test, tcp4(test, 0));
	arrive(test, tcp6(test, 0));
	arrive_plain(test, 2);
	poll(b);
	KUNIT_EXPECT_EQ(test, b->in_poll[2], 1);
	KUNIT_EXPECT_EQ_MSG(test, b->in_poll[3], 4, "an IPv4 acknowledgment waited");
	KUNIT_EXPECT_EQ_MSG(test, b->in_poll[4], 5, "an IPv6 acknowledgment waited");
	/* The handlers of two protocols see the second list in two parts. */
	EXPECT_LISTS(test, 1, 2, 1, 1, 2);
}

/* What looks like an acknowledgment only at first glance. */
static void not_an_ack(struct kunit *test)
{
	struct sk_buff *udp, *fragment, *payload, *cut, *nonsense;
	struct bench *b = test->priv;

	set_batch(b, ADAPTIVE);
	poll_before(test, 64);
	arrive_plain(test, 1);

	udp = tcp4(test, 0);
	ip_hdr(udp)->protocol = IPPROTO_UDP;
	fragment = tcp4(test, 0);
	ip_hdr(fragment)->frag_off = htons(100);
	payload = tcp4(test, 4);
	cut = tcp4(test, 0);
	__skb_trim(cut, sizeof(struct iphdr) + 8);
	nonsense = tcp4(test, 0);
	__skb_trim(nonsense, 4);

	arrive(test, udp);
	arrive(test, fragment);
	arrive(test, payload);
	arrive(test, cut);
	arrive(test, nonsense);
	poll(b);
	KUNIT_EXPECT_EQ(test, b->in_poll[5], 1);
	KUNIT_EXPECT_EQ(test, b->up, 6);
}

/* GRO holds the data until the acknowledgment behind it comes. */
static void order_within_a_flow(struct kunit *test)
{
	struct bench *b = test->priv;
	struct sk_buff *ack;

	set_batch(b, ADAPTIVE);
	poll_before(test, 64);
	arrive_plain(test, 1);
	arrive(test, tcp4(test, 100));
	ack = tcp4(test, 0);
	((struct tcphdr *)(ip_hdr(ack) + 1))->seq = htonl(100);
	arrive(test, ack);
	arrive_plain(test, 1);
	poll(b);
	KUNIT_EXPECT_EQ(test, b->in_poll[1], 1);
	KUNIT_EXPECT_EQ(test, b->in_poll[2], 3);
	KUNIT_EXPECT_EQ(test, b->up, 4);
	KUNIT_EXPECT_EQ(test, b->disordered, 0);
}

static void to_fixed_and_back(struct kunit *test)
{
	struct bench *b = test->priv;

	set_batch(b, ADAPTIVE);
	poll_before(test, 20);
	set_batch(b, 4);
	arrive_plain(test, 6);
	poll(b);
	EXPECT_LISTS(test, 4, 2);
	look(b);
	set_batch(b, ADAPTIVE);
	arrive_plain(test, 21);
	poll(b);
	EXPECT_LISTS(test, 1, 20);
}

/* ---- counters ------------------------------------------------------------ */

static void lists_are_counted(struct kunit *test)
{
	struct bench *b = test->priv;
	const struct gro_normal_stats *stats = &b->napi.gro_stats;

	poll_before(test, 10);
	KUNIT_EXPECT_EQ_MSG(test, stats->reason[GRO_NORMAL_FULL], 0, "counted while off");

	static_branch_enable(&gro_normal_stats_key);
	poll_before(test, 8 + 8 + 3);
	KUNIT_EXPECT_EQ(test, stats->reason[GRO_NORMAL_FULL], 2);
	KUNIT_EXPECT_EQ(test, stats->reason[GRO_NORMAL_POLL_END], 1);
	KUNIT_EXPECT_EQ(test, stats->hist[3], 2);
	KUNIT_EXPECT_EQ(test, stats->hist[1], 1);

	set_batch(b, ADAPTIVE);
	poll_before(test, 1 + 1 + 2 + 3);
	static_branch_disable(&gro_normal_stats_key);
	KUNIT_EXPECT_EQ(test, stats->reason[GRO_NORMAL_FULL], 2);
	KUNIT_EXPECT_EQ(test, stats->reason[GRO_NORMAL_ADAPTIVE], 3);
	KUNIT_EXPECT_EQ(test, stats->reason[GRO_NORMAL_POLL_END], 2);
	KUNIT_EXPECT_EQ(test, stats->hist[0], 2);
	KUNIT_EXPECT_EQ(test, stats->hist[1], 3);
}

static void longest_lists_are_counted(struct kunit *test)
{
	struct bench *b = test->priv;

	static_branch_enable(&gro_normal_stats_key);
	WRITE_ONCE(net_hotdata.gro_normal_batch, 1000);
	poll_before(test, 64);
	static_branch_disable(&gro_normal_stats_key);
	KUNIT_EXPECT_EQ(test, b->napi.gro_stats.hist[GRO_NORMAL_HIST - 1], 1);
	down_up_anew(b);
	KUNIT_EXPECT_EQ(test, b->napi.gro_stats.hist[GRO_NORMAL_HIST - 1], 0);
}

/* The batch is read with each packet: it has to be where the list is. */
static void layout(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, offsetof(struct napi_struct, gro.normal_batch) / 64,
			offsetof(struct napi_struct, gro.rx_count) / 64);
	KUNIT_EXPECT_LE(test, sizeof(struct gro_node), 240);
}

/* ---- the suite ----------------------------------------------------------- */

static int gro_batch_init(struct kunit *test)
{
	static const __be16 protocols[] = {
		htons(ETH_P_802_EX1), htons(ETH_P_IP), htons(ETH_P_IPV6),
	};
	struct bench *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	unsigned int i;

	if (!b)
		return -ENOMEM;
	b->dev = alloc_etherdev(0);
	if (!b->dev)
		return -ENOMEM;
	test->priv = b;
	strscpy(b->dev->name, "gro_batch");
	b->dev->features |= NETIF_F_GRO;
	__skb_queue_head_init(&b->wire);
	b->sysctl = net_hotdata.gro_normal_batch;
	WRITE_ONCE(net_hotdata.gro_normal_batch, 8);

	for (i = 0; i < ARRAY_SIZE(protocols); i++) {
		b->pt[i].type = protocols[i];
		b->pt[i].dev = b->dev;
		b->pt[i].func = one_up;
		b->pt[i].list_func = list_up;
		b->pt[i].af_packet_priv = b;
		dev_add_pack(&b->pt[i]);
	}

	netif_napi_add_config(b->dev, &b->napi, bench_poll, 0);
	napi_enable(&b->napi);
	return 0;
}

static void gro_batch_exit(struct kunit *test)
{
	struct bench *b = test->priv;
	unsigned int i;

	if (!b)
		return;
	static_branch_disable(&gro_normal_stats_key);
	napi_disable(&b->napi);
	netif_napi_del(&b->napi);
	__skb_queue_purge(&b->wire);
	for (i = 0; i < ARRAY_SIZE(b->pt); i++)
		dev_remove_pack(&b->pt[i]);
	WRITE_ONCE(net_hotdata.gro_normal_batch, b->sysctl);
	free_netdev(b->dev);
}

static struct kunit_case gro_batch_cases[] = {
	KUNIT_CASE(sysctl_is_followed),
	KUNIT_CASE(sysctl_change_is_seen_at_once),
	KUNIT_CASE(own_batch_overrides_sysctl),
	KUNIT_CASE(largest_batch),
	KUNIT_CASE(list_ends_with_its_poll),
	KUNIT_CASE(segments_are_counted),
	KUNIT_CASE(frags_use_the_batch),
	KUNIT_CASE(node_without_napi),
	KUNIT_CASE(gro_cells_use_the_batch),
	KUNIT_CASE(threaded_polls_use_the_batch),
	KUNIT_CASE(busy_polls_use_the_batch),
	KUNIT_CASE(batch_survives_down_and_up),
	KUNIT_CASE(device_batch_is_for_all),
	KUNIT_CASE(user_wins_over_driver),
	KUNIT_CASE(range),
	KUNIT_CASE(lone_packet_does_not_wait),
	KUNIT_CASE(lists_grow_behind_what_is_up),
	KUNIT_CASE(lists_grow_to_twice_what_came_last),
	KUNIT_CASE(lists_shrink_by_half),
	KUNIT_CASE(empty_polls_teach_nothing),
	KUNIT_CASE(ack_takes_along_what_is_ahead),
	KUNIT_CASE(not_an_ack),
	KUNIT_CASE(order_within_a_flow),
	KUNIT_CASE(to_fixed_and_back),
	KUNIT_CASE(lists_are_counted),
	KUNIT_CASE(longest_lists_are_counted),
	KUNIT_CASE(layout),
	{}
};

static struct kunit_suite gro_batch_suite = {
	.name		= "gro_batch",
	.init		= gro_batch_init,
	.exit		= gro_batch_exit,
	.test_cases	= gro_batch_cases,
};

kunit_test_suite(gro_batch_suite);

MODULE_DESCRIPTION("KUnit tests for GRO_NORMAL batches");
MODULE_LICENSE("GPL");
