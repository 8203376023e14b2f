// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of batched transmit in AF_XDP's copy mode.
 *
 * A batch must be nothing but faster than its packets one at a time.  So a case
 * is a script for a real socket and a device that does as the script says: it
 * is played with tx_batch 1 and with larger ones, and everything that user
 * space or the device can see is written down after each step.  The
 * transcripts must be equal.  Cases that know what must come out say so, too.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/if_xdp.h>
#include <linux/ipv6.h>
#include <linux/mman.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/prandom.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <net/hotdata.h>
#include <net/xdp_sock_drv.h>

#include "xsk_queue.h"

enum {
	CHUNK		= 2048,
	CHUNKS		= 128,
	TX_ENTRIES	= 128,
	META_LEN	= 24,
	HELD		= 256,	/* more than a case sends */
	CALLS		= 2048,	/* ... and than the driver is called */
	LOG		= 32768,
	OUT_OF_CALLS	= ~0U,
};

/* What the driver does in one call. */
enum act {
	SEND,		/* into the ring, where it stays */
	SEND_AND_FREE,	/* done at once, as on a virtual device */
	STOP,		/* into the ring, which is full then */
	EAT,		/* dropped inside, NETDEV_TX_OK */
	BUSY,		/* not taken */
	DROP,		/* dropped and reported: NET_XMIT_DROP */
	CN,		/* dropped and reported: NET_XMIT_CN */
	ERROR,		/* dropped and reported: a negative errno */
};

/* What a descriptor is. */
enum desc_kind {
	PLAIN,
	LONG,		/* does not fit into a small head */
	MORE,		/* another descriptor of the packet follows */
	NO_LEN,		/* invalid: no bytes */
	ODD,		/* invalid: an option that there is not */
	BAD_META,	/* the metadata asks for what there is not */
	CSUM_META,	/* a checksum, which direct transmit fills in */
};

struct world {
	struct kunit		*test;
	struct net_device	*dev;
	struct socket		*sock;
	struct xdp_sock		*xs;

	/* The device: what it does by number of the call, and what it holds */
	u8			act[CALLS];
	unsigned int		calls;
	unsigned int		tail_writes;
	struct sk_buff		*held[HELD];
	unsigned int		n_held;

	u32			next;	/* number of the next descriptor */
	u32			consumed;	/* entries read from the CQ */

	u32			*log;
	unsigned int		n_log;
};

struct dev_priv {
	struct world		*w;
};

static void note(struct world *w, u32 v)
{
	if (w->n_log < LOG)
		w->log[w->n_log] = v;
	w->n_log++;
}

static netdev_tx_t act_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct world *w = ((struct dev_priv *)netdev_priv(dev))->w;
	enum act act;
	u32 id;

	if (!w || skb->sk != w->sock->sk) {
		dev_kfree_skb_any(skb);		/* the stack's own */
		return NETDEV_TX_OK;
	}

	act = w->calls < CALLS ? w->act[w->calls++] : SEND;
	memcpy(&id, skb->data + ETH_HLEN, sizeof(id));
	note(w, 0xd0000000 | act);
	note(w, id);
	note(w, skb->len);
	note(w, skb_shinfo(skb)->nr_frags);
	if (!skb->xmit_more)
		w->tail_writes++;

	switch (act) {
	case BUSY:
		return NETDEV_TX_BUSY;
	case STOP:
		netif_tx_stop_queue(netdev_get_tx_queue(dev, 0));
		fallthrough;
	case SEND:
		if (w->n_held < HELD)
			w->held[w->n_held++] = skb;
		return NETDEV_TX_OK;
	case SEND_AND_FREE:
	case EAT:
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	case DROP:
		dev_kfree_skb_any(skb);
		return NET_XMIT_DROP;
	case CN:
		dev_kfree_skb_any(skb);
		return NET_XMIT_CN;
	case ERROR:
		dev_kfree_skb_any(skb);
		return -EIO;
	}
	return NETDEV_TX_OK;
}

static const struct net_device_ops act_netdev_ops = {
	.ndo_start_xmit	= act_start_xmit,
};

static void set_option(struct world *w, int option, u32 value)
{
	KUNIT_ASSERT_EQ(w->test, 0,
			w->sock->ops->setsockopt(w->sock, SOL_XDP, option,
						 KERNEL_SOCKPTR(&value),
						 sizeof(value)));
}

static void open_socket(struct world *w, u32 cq)
{
	struct sockaddr_xdp addr = {
		.sxdp_family = AF_XDP,
		.sxdp_flags = XDP_COPY | XDP_USE_SG,
		.sxdp_ifindex = w->dev->ifindex,
	};
	struct xdp_umem_reg reg = {
		.len = CHUNKS * CHUNK,
		.chunk_size = CHUNK,
		.flags = XDP_UMEM_TX_METADATA_LEN,
		.tx_metadata_len = META_LEN,
	};
	struct kunit *test = w->test;

	reg.addr = kunit_vm_mmap(test, NULL, 0, reg.len, PROT_READ | PROT_WRITE,
				 MAP_ANONYMOUS | MAP_PRIVATE, 0);
	KUNIT_ASSERT_NE(test, reg.addr, 0);
	KUNIT_ASSERT_EQ(test, 0, sock_create_kern(&init_net, PF_XDP, SOCK_RAW,
						  0, &w->sock));
	w->xs = (struct xdp_sock *)w->sock->sk;
	KUNIT_ASSERT_EQ(test, 0,
			w->sock->ops->setsockopt(w->sock, SOL_XDP, XDP_UMEM_REG,
						 KERNEL_SOCKPTR(&reg),
						 sizeof(reg)));
	set_option(w, XDP_UMEM_FILL_RING, 2);
	set_option(w, XDP_UMEM_COMPLETION_RING, cq);
	set_option(w, XDP_TX_RING, TX_ENTRIES);
	KUNIT_ASSERT_EQ(test, 0,
			kernel_bind(w->sock, (struct sockaddr_unsized *)&addr,
				    sizeof(addr)));
}

static void open_device(struct world *w)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct dev_priv));
	int err;

	KUNIT_ASSERT_NOT_NULL(w->test, dev);
	eth_hw_addr_random(dev);
	dev->netdev_ops = &act_netdev_ops;
	dev->features |= NETIF_F_SG;
	dev->mtu = IPV6_MIN_MTU - 1;	/* no packets of IPv6 */
	rtnl_lock();
	err = register_netdevice(dev);
	if (!err)
		err = dev_open(dev, NULL);
	rtnl_unlock();
	KUNIT_ASSERT_EQ_MSG(w->test, err, 0, "no device to test with");
	w->dev = dev;
	((struct dev_priv *)netdev_priv(dev))->w = w;
}

static struct world *open_world(struct kunit *test, u32 cq, unsigned int batch)
{
	struct world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, w);
	w->log = kunit_kcalloc(test, LOG, sizeof(*w->log), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, w->log);
	w->test = test;
	net_hotdata.tx_batch = batch;
	open_device(w);
	open_socket(w, cq);
	return w;
}

/* The wire takes the first @n packets that the device holds. */
static void complete_n(struct world *w, unsigned int n)
{
	unsigned int i;

	n = min(n, w->n_held);
	for (i = 0; i < n; i++)
		dev_consume_skb_any(w->held[i]);
	memmove(w->held, w->held + n, (w->n_held - n) * sizeof(w->held[0]));
	w->n_held -= n;
}

static void close_world(struct world *w)
{
	struct net_device *dev = w->dev;

	complete_n(w, HELD);
	sock_release(w->sock);
	((struct dev_priv *)netdev_priv(dev))->w = NULL;
	unregister_netdev(dev);
	free_netdev(dev);
	net_hotdata.tx_batch = 8;
}

static struct xdp_rxtx_ring *tx_ring(struct world *w)
{
	return (struct xdp_rxtx_ring *)w->xs->tx->ring;
}

static struct xdp_ring *cq_ring(struct world *w)
{
	return w->xs->pool->cq->ring;
}

static unsigned int tx_room(struct world *w)
{
	return TX_ENTRIES - (tx_ring(w)->ptrs.producer -
			     tx_ring(w)->ptrs.consumer);
}

/* One descriptor, with its number in the frame. */
static void put(struct world *w, enum desc_kind kind)
{
	struct xdp_rxtx_ring *ring = tx_ring(w);
	struct xdp_desc *desc = &ring->desc[ring->ptrs.producer % TX_ENTRIES];
	u64 addr = (u64)(w->next % CHUNKS) * CHUNK + META_LEN;
	void *data = w->xs->pool->addrs + addr;
	struct xsk_tx_metadata *meta = data - META_LEN;

	memset(meta, 0, META_LEN);
	memset(data, 0, ETH_ZLEN);
	memcpy(data + ETH_HLEN, &w->next, sizeof(w->next));
	desc->addr = addr;
	desc->len = ETH_ZLEN;
	desc->options = 0;

	switch (kind) {
	case PLAIN:
		break;
	case LONG:
		desc->len = 1500;
		break;
	case MORE:
		desc->options = XDP_PKT_CONTD;
		break;
	case NO_LEN:
		desc->len = 0;
		break;
	case ODD:
		desc->options = 1 << 15;
		break;
	case BAD_META:
		desc->options = XDP_TX_METADATA;
		meta->flags = ~0ULL;
		break;
	case CSUM_META:
		desc->options = XDP_TX_METADATA;
		meta->flags = XDP_TXMD_FLAGS_CHECKSUM;
		meta->request.csum_start = ETH_HLEN + 20;
		meta->request.csum_offset = 6;
		break;
	}
	w->next++;
	ring->ptrs.producer++;
}

static void put_n(struct world *w, enum desc_kind kind, unsigned int n)
{
	while (n--)
		put(w, kind);
}

/* The descriptor that the socket cannot get past is repaired, or given up. */
static void repair_first(struct world *w)
{
	struct xdp_rxtx_ring *ring = tx_ring(w);

	ring->desc[ring->ptrs.consumer % TX_ENTRIES].options &= ~XDP_TX_METADATA;
}

static void note_state(struct world *w)
{
	struct xsk_queue *cq = w->xs->pool->cq;
	struct sk_buff *skb = w->xs->skb;

	note(w, tx_ring(w)->ptrs.consumer);
	note(w, w->xs->tx->cached_cons);
	note(w, w->xs->tx->invalid_descs);
	note(w, w->xs->tx->queue_empty_descs);
	note(w, cq->ring->producer);
	note(w, cq->cached_prod);
	note(w, w->xs->drain_cont);
	note(w, skb ? skb_shinfo(skb)->nr_frags + 1 : 0);
	note(w, refcount_read(&w->xs->sk.sk_wmem_alloc));
	note(w, w->dev->stats.tx_dropped);
}

static int kick(struct world *w)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT };
	int ret = sock_sendmsg(w->sock, &msg);

	note(w, 0xe0000000);
	note(w, ret);
	note_state(w);
	return ret;
}

/* Read up to @n completions. */
static void reap(struct world *w, unsigned int n)
{
	struct xdp_umem_ring *cq = (struct xdp_umem_ring *)cq_ring(w);

	while (n-- && cq->ptrs.consumer != cq->ptrs.producer) {
		note(w, 0xc0000000);
		note(w, cq->desc[cq->ptrs.consumer++ & w->xs->pool->cq->ring_mask]);
		w->consumed++;
	}
}

/* Nothing may be left: all descriptors read, each completed or counted, and
 * what was held in advance given back.
 */
static void expect_rest(struct world *w)
{
	struct kunit *test = w->test;

	complete_n(w, HELD);
	reap(w, ~0U);
	KUNIT_EXPECT_EQ_MSG(test, w->xs->pool->cq->cached_prod,
			    w->xs->pool->cq->ring->producer,
			    "entries of the completion ring are lost");
	KUNIT_EXPECT_EQ_MSG(test, refcount_read(&w->xs->sk.sk_wmem_alloc), 1,
			    "the send buffer is not empty");
	KUNIT_EXPECT_LE_MSG(test, w->n_log, LOG, "the transcript is cut");
}

/* Send until the ring is empty, with a device that does all it is asked to. */
static void finish(struct world *w)
{
	unsigned int tries;

	memset(w->act, SEND, sizeof(w->act));
	for (tries = 0; tries < 4 * TX_ENTRIES; tries++) {
		netif_tx_wake_queue(netdev_get_tx_queue(w->dev, 0));
		netif_carrier_on(w->dev);
		if (tx_room(w) == TX_ENTRIES)
			break;
		if (kick(w) == -EINVAL)
			repair_first(w);
		complete_n(w, HELD);
		reap(w, ~0U);
	}
	KUNIT_EXPECT_EQ_MSG(w->test, tx_room(w), TX_ENTRIES,
			    "descriptors that are never sent");
	/* A packet without an end goes when the socket does. */
	if (!w->xs->skb)
		expect_rest(w);
}

/* --- a script, played with several batch sizes --------------------------- */

struct script {
	void	(*play)(struct world *w, const void *arg);
	u32	cq;
};

static const unsigned int batches[] = { 2, 3, 8, 64 };

static void compare(struct kunit *test, const struct world *one,
		    const struct world *many, unsigned int batch)
{
	unsigned int i, n = min3(one->n_log, many->n_log, (unsigned int)LOG);

	for (i = 0; i < n && one->log[i] == many->log[i]; i++)
		;
	KUNIT_EXPECT_EQ_MSG(test, i, n,
			    "tx_batch %u: the transcripts differ: %x, not %x",
			    batch, many->log[i], one->log[i]);
	KUNIT_EXPECT_EQ_MSG(test, one->n_log, many->n_log, "tx_batch %u", batch);
}

static void play(struct kunit *test, const struct script *s, const void *arg)
{
	struct world *one = open_world(test, s->cq, 1);
	unsigned int i;

	s->play(one, arg);
	close_world(one);

	for (i = 0; i < ARRAY_SIZE(batches); i++) {
		struct world *many = open_world(test, s->cq, batches[i]);

		s->play(many, arg);
		close_world(many);
		compare(test, one, many, batches[i]);
	}
}

/* Something happens to descriptor @k of @n. */
struct nth {
	unsigned int	n;
	unsigned int	k;
};

static const struct nth nths[] = {
	{ 1, 0 },
	{ 2, 0 }, { 2, 1 },
	{ 8, 0 }, { 8, 3 }, { 8, 7 },
	{ 31, 0 }, { 31, 8 }, { 31, 15 }, { 31, 30 },
};

static void nth_desc(const struct nth *nth, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u of %u", nth->k + 1, nth->n);
}

KUNIT_ARRAY_PARAM(nth, nths, nth_desc);

/* What one call returns and leaves when call @k of the driver does @act. */
static void act_at(struct world *w, const struct nth *nth, enum act act,
		   int ret, unsigned int read)
{
	struct kunit *test = w->test;

	w->act[nth->k] = act;
	put_n(w, PLAIN, nth->n);
	KUNIT_EXPECT_EQ(test, kick(w), ret);
	KUNIT_EXPECT_EQ(test, tx_ring(w)->ptrs.consumer, read);
	KUNIT_EXPECT_EQ(test, w->xs->pool->cq->cached_prod, read);
	finish(w);
	KUNIT_EXPECT_EQ_MSG(test, w->consumed, nth->n, "completions");
}

static void play_busy(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	act_at(w, nth, BUSY, -EAGAIN, nth->k);
}

static void play_drop(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	act_at(w, nth, DROP, -EBUSY, nth->k + 1);
}

static void play_stop(struct world *w, const void *arg)
{
	const struct nth *nth = arg;
	bool last = nth->k + 1 == nth->n;

	act_at(w, nth, STOP, last ? 0 : -EAGAIN, nth->k + 1);
}

static void play_cn(struct world *w, const void *arg)
{
	const struct nth *nth = arg;
	bool last = nth->k + 1 == nth->n;

	act_at(w, nth, CN, last ? NET_XMIT_CN : 0, nth->n);
}

static void play_error(struct world *w, const void *arg)
{
	const struct nth *nth = arg;
	bool last = nth->k + 1 == nth->n;

	act_at(w, nth, ERROR, last ? -EIO : 0, nth->n);
}

static void play_eat(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	act_at(w, nth, EAT, 0, nth->n);
}

#define NTH_CASE(name, cq_entries)					\
static void name(struct kunit *test)					\
{									\
	static const struct script s = {				\
		.play = play_##name, .cq = (cq_entries),		\
	};								\
									\
	play(test, &s, test->param_value);				\
}

NTH_CASE(busy, 64)
NTH_CASE(drop, 64)
NTH_CASE(stop, 64)
NTH_CASE(cn, 64)
NTH_CASE(error, 64)
NTH_CASE(eat, 64)

/* Descriptor @k is of @kind; the first @read ones are read, @sent sent. */
static void kind_at(struct world *w, const struct nth *nth, enum desc_kind kind,
		    int ret, unsigned int read)
{
	put_n(w, PLAIN, nth->k);
	put(w, kind);
	put_n(w, PLAIN, nth->n - nth->k - 1);
	KUNIT_EXPECT_EQ(w->test, kick(w), ret);
	KUNIT_EXPECT_EQ(w->test, tx_ring(w)->ptrs.consumer, read);
	finish(w);
}

static void play_invalid(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	kind_at(w, nth, NO_LEN, 0, nth->k + 1);
	KUNIT_EXPECT_EQ(w->test, w->xs->tx->invalid_descs, 1);
}

static void play_bad_metadata(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	kind_at(w, nth, BAD_META, -EINVAL, nth->k);
}

static void play_checksum(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	kind_at(w, nth, CSUM_META, 0, nth->n);
}

static void play_long_frame(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	kind_at(w, nth, LONG, 0, nth->n);
}

NTH_CASE(invalid, 64)
NTH_CASE(bad_metadata, 64)
NTH_CASE(checksum, 64)
NTH_CASE(long_frame, 64)

/* The driver refuses packet @k, behind which there is an invalid descriptor, a
 * packet without its end, or one that is too long: they must not have been read.
 */
static void play_busy_before_trouble(struct world *w, const void *arg)
{
	const struct nth *nth = arg;
	unsigned int round;

	for (round = 0; round < 4; round++) {
		u32 consumer = tx_ring(w)->ptrs.consumer;
		u64 invalid = w->xs->tx->invalid_descs;

		w->act[w->calls + nth->k] = round == 3 ? DROP : BUSY;
		put_n(w, PLAIN, nth->k + 1);
		if (round == 0)
			put(w, NO_LEN);
		else if (round == 1)
			put_n(w, MORE, 3);
		else
			put_n(w, MORE, MAX_SKB_FRAGS + 3);
		if (round)
			put(w, PLAIN);
		KUNIT_EXPECT_EQ(w->test, kick(w), round == 3 ? -EBUSY : -EAGAIN);
		KUNIT_EXPECT_EQ(w->test, tx_ring(w)->ptrs.consumer - consumer,
				nth->k + (round == 3));
		KUNIT_EXPECT_EQ(w->test, w->xs->tx->invalid_descs, invalid);
		KUNIT_EXPECT_NULL(w->test, w->xs->skb);
		finish(w);
		w->calls = 0;
	}
}

NTH_CASE(busy_before_trouble, 128)

/* The completion ring has room for @k of @n. */
static void play_completions_full(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	if (nth->n != 31)
		return;
	put_n(w, PLAIN, 16 - nth->k % 16);
	kick(w);
	put_n(w, PLAIN, nth->n);
	KUNIT_EXPECT_EQ(w->test, kick(w), -EAGAIN);
	KUNIT_EXPECT_EQ(w->test, tx_ring(w)->ptrs.consumer, 16);
	complete_n(w, 3);
	reap(w, 2);
	KUNIT_EXPECT_EQ(w->test, kick(w), -EAGAIN);
	KUNIT_EXPECT_EQ(w->test, tx_ring(w)->ptrs.consumer, 18);
	finish(w);
}

NTH_CASE(completions_full, 16)

/* The send buffer holds some packets of @n. */
static void play_send_buffer(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	w->xs->sk.sk_sndbuf = 1000 * (nth->k + 1);
	put_n(w, PLAIN, nth->n / 2);
	put(w, LONG);
	put_n(w, PLAIN, nth->n / 2);
	kick(w);
	complete_n(w, 2);
	kick(w);
	memset(w->act, SEND_AND_FREE, sizeof(w->act));
	kick(w);
	finish(w);
}

NTH_CASE(send_buffer, 128)

/* Packets of up to 5 descriptors, over the ends of batches and of calls. */
static void play_several_descriptors(struct world *w, const void *arg)
{
	const struct nth *nth = arg;
	unsigned int i;

	w->act[nth->k] = BUSY;
	w->act[nth->k + 2] = STOP;
	for (i = 0; i < nth->n; i++) {
		put_n(w, MORE, i % 5);
		put(w, PLAIN);
		if (i % 7 == 6)
			kick(w);
	}
	put_n(w, MORE, 2);
	kick(w);
	put(w, PLAIN);
	finish(w);
}

NTH_CASE(several_descriptors, 128)

static void play_too_many_descriptors(struct world *w, const void *arg)
{
	const struct nth *nth = arg;

	put_n(w, PLAIN, nth->k);
	put_n(w, MORE, MAX_SKB_FRAGS + nth->n % 3);
	put_n(w, PLAIN, nth->n);
	kick(w);
	finish(w);
}

NTH_CASE(too_many_descriptors, 128)

static void play_budget(struct world *w, const void *arg)
{
	KUNIT_EXPECT_EQ(w->test, w->xs->max_tx_budget, 32);
	put_n(w, PLAIN, 100);
	KUNIT_EXPECT_EQ(w->test, kick(w), -EAGAIN);
	KUNIT_EXPECT_EQ(w->test, tx_ring(w)->ptrs.consumer, 32);
	set_option(w, XDP_MAX_TX_SKB_BUDGET, 40);
	KUNIT_EXPECT_EQ(w->test, kick(w), -EAGAIN);
	KUNIT_EXPECT_EQ(w->test, tx_ring(w)->ptrs.consumer, 72);
	KUNIT_EXPECT_EQ(w->test, kick(w), 0);
	finish(w);
}

static void budget(struct kunit *test)
{
	static const struct script s = { .play = play_budget, .cq = 128 };

	play(test, &s, NULL);
}

static void play_device_down(struct world *w, const void *arg)
{
	put_n(w, PLAIN, 20);
	netif_carrier_off(w->dev);
	KUNIT_EXPECT_EQ(w->test, kick(w), -EBUSY);
	KUNIT_EXPECT_EQ(w->test, tx_ring(w)->ptrs.consumer, 1);
	netif_carrier_on(w->dev);
	rtnl_lock();
	dev_close(w->dev);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(w->test, kick(w), -ENETDOWN);
	rtnl_lock();
	KUNIT_EXPECT_EQ(w->test, dev_open(w->dev, NULL), 0);
	rtnl_unlock();
	finish(w);
	KUNIT_EXPECT_EQ(w->test, w->consumed, 20);
}

static void device_down(struct kunit *test)
{
	static const struct script s = { .play = play_device_down, .cq = 64 };

	play(test, &s, NULL);
}

/* Scripts by a seed: a reader and a device that lag behind. */
static enum desc_kind random_kind(struct rnd_state *rnd)
{
	switch (prandom_u32_state(rnd) % 32) {
	case 0: return NO_LEN;
	case 1: return ODD;
	case 2: return BAD_META;
	case 3: return CSUM_META;
	case 4 ... 6: return LONG;
	case 7 ... 12: return MORE;
	default: return PLAIN;
	}
}

static void play_random(struct world *w, const void *arg)
{
	struct rnd_state rnd;
	unsigned int step, n;

	prandom_seed_state(&rnd, *(const u32 *)arg);
	for (n = 0; n < CALLS; n++)
		if (!(prandom_u32_state(&rnd) % 12))
			w->act[n] = prandom_u32_state(&rnd) % (ERROR + 1);
	for (step = 0; step < 80; step++) {
		for (n = prandom_u32_state(&rnd) % 48; n && tx_room(w); n--)
			put(w, random_kind(&rnd));
		if (!(prandom_u32_state(&rnd) % 20) && tx_room(w) > 20)
			put_n(w, MORE, MAX_SKB_FRAGS + 1);
		w->xs->sk.sk_sndbuf = prandom_u32_state(&rnd) % 5 ? 200000 :
				      prandom_u32_state(&rnd) % 12000;
		if (!(prandom_u32_state(&rnd) % 16))
			netif_carrier_off(w->dev);
		if (kick(w) == -EINVAL)
			repair_first(w);
		netif_carrier_on(w->dev);
		complete_n(w, prandom_u32_state(&rnd) % 40);
		reap(w, prandom_u32_state(&rnd) % 40);
		if (prandom_u32_state(&rnd) % 3)
			netif_tx_wake_queue(netdev_get_tx_queue(w->dev, 0));
	}
	w->xs->sk.sk_sndbuf = 200000;
	finish(w);
}

static const u32 seeds[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

static void seed_desc(const u32 *seed, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "seed %u", *seed);
}

KUNIT_ARRAY_PARAM(seed, seeds, seed_desc);

static void random_scripts(struct kunit *test)
{
	static const struct script s = { .play = play_random, .cq = 64 };

	play(test, &s, test->param_value);
}

/* The point of it all. */
static void one_tail_write_a_batch(struct kunit *test)
{
	static const unsigned int sizes[] = { 1, 2, 8, 31, 64 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct world *w = open_world(test, 128, sizes[i]);

		set_option(w, XDP_MAX_TX_SKB_BUDGET, 64);
		put_n(w, PLAIN, 64);
		KUNIT_EXPECT_EQ(test, kick(w), 0);
		KUNIT_EXPECT_EQ(test, w->calls, 64);
		KUNIT_EXPECT_EQ(test, w->tail_writes,
				DIV_ROUND_UP(64, sizes[i]));
		finish(w);
		close_world(w);
	}
}

/* What alloc_skb_list() gives is what alloc_skb() gives. */
static void list_of_skbs(struct kunit *test)
{
	static const unsigned int sizes[] = { 1, 60, 124, 1500 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct sk_buff *one = alloc_skb(sizes[i], GFP_KERNEL), *list;
		unsigned int n = 37, seen = 0;

		KUNIT_ASSERT_NOT_NULL(test, one);
		list = alloc_skb_list(sizes[i], &n, GFP_KERNEL);
		KUNIT_EXPECT_EQ(test, n, sizes[i] == 1500 ? 0 : 37);
		while (list) {
			struct sk_buff *skb = list;

			list = skb->next;
			skb_mark_not_on_list(skb);
			KUNIT_EXPECT_EQ(test, skb->truesize, one->truesize);
			KUNIT_EXPECT_EQ(test, skb_tailroom(skb), skb_tailroom(one));
			KUNIT_EXPECT_EQ(test, skb->len, 0);
			KUNIT_EXPECT_FALSE(test, skb_is_nonlinear(skb));
			consume_skb(skb);
			seen++;
		}
		KUNIT_EXPECT_EQ(test, seen, n);
		consume_skb(one);
	}
}

static struct kunit_case xsk_batch_cases[] = {
	KUNIT_CASE_PARAM(busy, nth_gen_params),
	KUNIT_CASE_PARAM(drop, nth_gen_params),
	KUNIT_CASE_PARAM(stop, nth_gen_params),
	KUNIT_CASE_PARAM(cn, nth_gen_params),
	KUNIT_CASE_PARAM(error, nth_gen_params),
	KUNIT_CASE_PARAM(eat, nth_gen_params),
	KUNIT_CASE_PARAM(invalid, nth_gen_params),
	KUNIT_CASE_PARAM(bad_metadata, nth_gen_params),
	KUNIT_CASE_PARAM(checksum, nth_gen_params),
	KUNIT_CASE_PARAM(long_frame, nth_gen_params),
	KUNIT_CASE_PARAM(busy_before_trouble, nth_gen_params),
	KUNIT_CASE_PARAM(completions_full, nth_gen_params),
	KUNIT_CASE_PARAM(send_buffer, nth_gen_params),
	KUNIT_CASE_PARAM(several_descriptors, nth_gen_params),
	KUNIT_CASE_PARAM(too_many_descriptors, nth_gen_params),
	KUNIT_CASE(budget),
	KUNIT_CASE(device_down),
	KUNIT_CASE_PARAM(random_scripts, seed_gen_params),
	KUNIT_CASE(one_tail_write_a_batch),
	KUNIT_CASE(list_of_skbs),
	{}
};

static struct kunit_suite xsk_batch_suite = {
	.name		= "xsk_batch",
	.test_cases	= xsk_batch_cases,
};

kunit_test_suite(xsk_batch_suite);

MODULE_DESCRIPTION("KUnit tests of batched transmit in AF_XDP's copy mode");
MODULE_LICENSE("GPL");
