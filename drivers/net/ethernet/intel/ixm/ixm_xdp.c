// SPDX-License-Identifier: GPL-2.0
/*
 * XDP: programs that see a frame before the stack does.
 *
 * What they send, and what others redirect here, has TX rings of its own, one
 * for each pair of queues and beyond the stack's: the device has many more than
 * the driver uses, so the stack's TX lock, BQL and stopped queues stay out of
 * it.  A ring is shared by its NAPI and the CPUs that redirect to it, so it has
 * a lock, taken once for up to XDP_BULK_QUEUE_SIZE frames.
 *
 * The rings and the receive buffers are made for it when the first program is
 * attached; without one, receiving costs a branch more.
 */
#include <linux/bpf.h>
#include <linux/bpf_trace.h>
#include <linux/dma-mapping.h>
#include <linux/netdevice.h>
#include <net/page_pool/helpers.h>
#include <net/xdp.h>

#include "ixm_tx.h"

/* ---- transmit ---- */

/* Descriptors that a frame takes. */
static unsigned int ixm_xdp_descs(struct xdp_frame *xdpf)
{
	unsigned int count = ixm_tx_desc_needed(xdpf->len), i;
	const struct skb_shared_info *shinfo;

	if (likely(!xdp_frame_has_frags(xdpf)))
		return count;
	shinfo = xdp_get_shared_info_from_frame(xdpf);
	for (i = 0; i < shinfo->nr_frags; i++)
		count += ixm_tx_desc_needed(skb_frag_size(&shinfo->frags[i]));
	return count;
}

/* A small frame: one descriptor, and its page is free again at once. */
static void ixm_xdp_copy(struct ixm_tx_ring *tx, struct xdp_frame *xdpf,
			 bool own)
{
	u32 at = tx->next_to_use & tx->mem.mask, len = xdpf->len;
	u32 offset = at << IXM_TX_COPY_SHIFT;
	u8 *data = tx->mem.copy + offset;

	memcpy(data, xdpf->data, len);
	if (unlikely(len < IXM_TX_LEN_MIN)) {
		memset(data + len, 0, IXM_TX_LEN_MIN - len);
		len = IXM_TX_LEN_MIN;
	}
	tx->mem.buf[at].map = IXM_TX_MAP_NONE;
	ixm_tx_write_desc(tx, at, tx->mem.copy_dma + offset,
			  IXM_TXD_DATA | IXM_TXD_EOP | len, ixm_tx_paylen(len));
	tx->next_to_use++;

	if (own)
		xdp_return_frame_rx_napi(xdpf);
	else
		xdp_return_frame(xdpf);
}

/* One piece of a frame: our own page is mapped already. */
static bool ixm_xdp_piece(struct ixm_tx_ring *tx, struct page *page, u32 offset,
			  u32 len, u32 paylen, bool own)
{
	enum ixm_tx_map map = own ? IXM_TX_MAP_NONE : IXM_TX_MAP_PAGE;
	dma_addr_t dma;

	if (own) {
		dma = page_pool_get_dma_addr(page) + offset;
		dma_sync_single_for_device(tx->dev, dma, len, DMA_BIDIRECTIONAL);
	} else {
		dma = dma_map_page(tx->dev, page, offset, len, DMA_TO_DEVICE);
		if (unlikely(dma_mapping_error(tx->dev, dma)))
			return false;
	}
	ixm_tx_piece(tx, map, dma, len, IXM_TXD_DATA, ixm_tx_paylen(paylen));
	return true;
}

/* Further buffers of a frame. */
static bool ixm_xdp_frags(struct ixm_tx_ring *tx, struct xdp_frame *xdpf,
			  u32 paylen, bool own)
{
	struct skb_shared_info *shinfo = xdp_get_shared_info_from_frame(xdpf);
	u32 i;

	for (i = 0; i < shinfo->nr_frags; i++) {
		const skb_frag_t *frag = &shinfo->frags[i];

		if (!ixm_xdp_piece(tx, skb_frag_page(frag), skb_frag_off(frag),
				   skb_frag_size(frag), paylen, own))
			return false;
	}
	return true;
}

/* A frame that is not copied; on error the ring is as it was before. */
static bool ixm_xdp_map(struct ixm_tx_ring *tx, struct xdp_frame *xdpf,
			u32 paylen, bool own)
{
	u32 mask = tx->mem.mask, first = tx->next_to_use, last;

	if (!ixm_xdp_piece(tx, virt_to_page(xdpf->data),
			   offset_in_page(xdpf->data), xdpf->len, paylen, own))
		return false;
	if (unlikely(xdp_frame_has_frags(xdpf)) &&
	    !ixm_xdp_frags(tx, xdpf, paylen, own))
		goto unwind;
	last = (tx->next_to_use - 1) & mask;
	tx->mem.desc[last].cmd_type_len |= cpu_to_le32(IXM_TXD_EOP);
	tx->mem.buf[last].xdpf = xdpf;
	return true;

unwind:
	while (tx->next_to_use != first)
		ixm_tx_unmap(tx, &tx->mem.buf[--tx->next_to_use & mask]);
	return false;
}

/* One frame into the ring; NULL, or the counter of why it is not there. */
static u64_stats_t *ixm_xdp_put(struct ixm_tx_ring *tx, struct xdp_frame *xdpf,
				u32 len, bool own)
{
	unsigned int count = ixm_xdp_descs(xdpf);

	if (unlikely(len > IXM_FRAME_MAX || count > IXM_TX_PKT_DESC))
		return &tx->xmit.drop_too_long;
	if (unlikely(ixm_tx_unused(tx) < count))
		return &tx->xmit.busy;
	if (len <= IXM_TX_COPY_MAX && !xdp_frame_has_frags(xdpf))
		ixm_xdp_copy(tx, xdpf, own);
	else if (unlikely(!ixm_xdp_map(tx, xdpf, len, own)))
		return &tx->xmit.drop_map;
	tx->mem.buf[(tx->next_to_use - 1) & tx->mem.mask].frame_bytes = len;
	return NULL;
}

/*
 * Frames into the ring of a queue, up to the first that does not go there.
 * Without @flush somebody else will write the tail: the end of the poll, or the
 * next call of who redirects.
 */
static int ixm_xdp_send(struct ixm_queue *q, int n, struct xdp_frame **frames,
			bool own, bool flush)
{
	struct ixm_tx_ring *tx = &q->xdp;
	u64_stats_t *fault = NULL;
	u32 len;
	int sent;

	spin_lock(&q->xdp_lock);
	if (unlikely(!q->xdp_up)) {
		spin_unlock(&q->xdp_lock);
		return -ENETDOWN;
	}
	for (sent = 0; sent < n; sent++) {
		/* it may be gone afterwards */
		len = xdp_get_frame_len(frames[sent]);
		fault = ixm_xdp_put(tx, frames[sent], len, own);
		if (unlikely(fault))
			break;
	}
	if (flush)
		ixm_tx_flush(tx);

	if (unlikely(fault)) {
		u64_stats_update_begin(&tx->xmit.syncp);
		u64_stats_add(fault, n - sent);
		u64_stats_update_end(&tx->xmit.syncp);
	}
	spin_unlock(&q->xdp_lock);

	return sent;
}

/**
 * ixm_xdp_xmit() - ndo_xdp_xmit
 * @dev: net device
 * @n: number of frames
 * @frames: those that are sent are ours
 * @flags: XDP_XMIT_FLUSH: no other call is known to follow
 *
 * Context: BH disabled.
 * Return: how many were sent, the first ones, or a negative error.
 */
int ixm_xdp_xmit(struct net_device *dev, int n, struct xdp_frame **frames,
		 u32 flags)
{
	struct ixm *ixm = netdev_priv(dev);
	u32 queues = READ_ONCE(ixm->config.queues);
	struct ixm_queue *q = &ixm->q[smp_processor_id() % queues];

	if (unlikely(flags & ~XDP_XMIT_FLAGS_MASK))
		return -EINVAL;
	return ixm_xdp_send(q, n, frames, false, flags & XDP_XMIT_FLUSH);
}

/**
 * ixm_xdp_clean() - complete what the device has sent for XDP
 * @q: queue
 *
 * Context: NAPI.
 */
void ixm_xdp_clean(struct ixm_queue *q)
{
	struct ixm_tx_ring *tx = &q->xdp;
	u32 mask = tx->mem.mask, ntc = tx->next_to_clean, burst;
	u32 frames = 0, bytes = 0;

	while ((burst = ixm_tx_burst_done(tx, ntc))) {
		do {
			struct ixm_tx_buf *buf = &tx->mem.buf[ntc++ & mask];

			ixm_tx_unmap(tx, buf);
			if (!buf->frame_bytes)
				continue;
			frames++;
			bytes += buf->frame_bytes;
			buf->frame_bytes = 0;
			if (buf->xdpf) {
				xdp_return_frame_rx_napi(buf->xdpf);
				buf->xdpf = NULL;
			}
		} while (--burst);
	}
	if (!frames)
		return;
	WRITE_ONCE(tx->next_to_clean, ntc);

	u64_stats_update_begin(&tx->done.syncp);
	u64_stats_add(&tx->done.packets, frames);
	u64_stats_add(&tx->done.bytes, bytes);
	u64_stats_update_end(&tx->done.syncp);
}

/* Free what was queued and has not been completed. */
static void ixm_xdp_drain(struct ixm_tx_ring *tx)
{
	u32 frames = 0;

	for (; tx->next_to_clean != tx->next_to_use; tx->next_to_clean++) {
		struct ixm_tx_buf *buf;

		buf = &tx->mem.buf[tx->next_to_clean & tx->mem.mask];
		ixm_tx_unmap(tx, buf);
		frames += !!buf->frame_bytes;
		if (buf->xdpf)
			xdp_return_frame(buf->xdpf);
		buf->xdpf = NULL;
	}

	u64_stats_update_begin(&tx->done.syncp);
	u64_stats_add(&tx->done.drop_down, frames);
	u64_stats_update_end(&tx->done.syncp);
}

/**
 * ixm_xdp_up() - let frames into the rings of XDP, if there are any
 * @ixm: device; it moves packets
 */
void ixm_xdp_up(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < ixm->config.queues; i++) {
		struct ixm_queue *q = &ixm->q[i];

		spin_lock_bh(&q->xdp_lock);
		q->xdp_up = ixm->config.xdp;
		spin_unlock_bh(&q->xdp_lock);
	}
}

/**
 * ixm_xdp_down() - let none in any more
 * @ixm: device
 *
 * When this returns, nobody but NAPI uses the rings.
 */
void ixm_xdp_down(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < ixm->config.queues; i++) {
		struct ixm_queue *q = &ixm->q[i];

		spin_lock_bh(&q->xdp_lock);
		q->xdp_up = false;
		spin_unlock_bh(&q->xdp_lock);
	}
}

/* ---- receive ---- */

static void ixm_xdp_count(struct ixm_rx_ring *ring, u64_stats_t *counter,
			  u32 n)
{
	u64_stats_update_begin(&ring->stats.syncp);
	u64_stats_add(counter, n);
	u64_stats_update_end(&ring->stats.syncp);
}

/* What the program wants sent, so far. */
static void ixm_xdp_tx_send(struct ixm_queue *q, bool flush)
{
	struct ixm_xdp_rx *x = q->rx.mem.xdp;
	int sent = ixm_xdp_send(q, x->tx_count, x->tx, true, flush);
	u32 i;

	for (i = max(sent, 0); i < x->tx_count; i++)
		xdp_return_frame_rx_napi(x->tx[i]);
	x->tx_count = 0;
	x->tx_pending = !flush;
}

/* Lost by XDP itself, which a program can watch. */
static void ixm_xdp_abort(struct ixm_queue *q, struct xdp_buff *xdp,
			  const struct bpf_prog *prog, u32 act)
{
	trace_xdp_exception(q->ixm->dev, prog, act);
	ixm_xdp_count(&q->rx, &q->rx.stats.xdp_aborted, 1);
	xdp_return_buff(xdp);
}

static void ixm_xdp_tx(struct ixm_queue *q, struct xdp_buff *xdp,
		       const struct bpf_prog *prog)
{
	struct xdp_frame *xdpf = xdp_convert_buff_to_frame(xdp);
	struct ixm_xdp_rx *x = q->rx.mem.xdp;

	if (unlikely(!xdpf)) {
		ixm_xdp_abort(q, xdp, prog, XDP_TX);
		return;
	}
	ixm_xdp_count(&q->rx, &q->rx.stats.xdp_tx, 1);
	x->tx[x->tx_count++] = xdpf;
	if (x->tx_count == XDP_BULK_QUEUE_SIZE)
		ixm_xdp_tx_send(q, false);
}

static void ixm_xdp_redirect(struct ixm_queue *q, struct xdp_buff *xdp,
			     struct bpf_prog *prog)
{
	if (unlikely(xdp_do_redirect(q->ixm->dev, xdp, prog))) {
		ixm_xdp_abort(q, xdp, prog, XDP_REDIRECT);
		return;
	}
	ixm_xdp_count(&q->rx, &q->rx.stats.xdp_redirect, 1);
	q->rx.mem.xdp->redirected = true;
}

static void ixm_xdp_pass(struct ixm_queue *q, struct xdp_buff *xdp,
			 const struct ixm_rx_desc *desc, u32 status)
{
	struct sk_buff *skb = xdp_build_skb_from_buff(xdp);

	if (unlikely(!skb)) {
		ixm_xdp_count(&q->rx, &q->rx.stats.drop_no_skb, 1);
		xdp_return_buff(xdp);
		return;
	}
	ixm_xdp_count(&q->rx, &q->rx.stats.xdp_pass, 1);
	ixm_rx_info(q, skb, desc, status);
	napi_gro_receive(&q->napi, skb);
}

/* A whole frame, and what the program makes of it. */
static void ixm_xdp_run(struct ixm_queue *q, struct xdp_buff *xdp,
			const struct ixm_rx_desc *desc, u32 status)
{
	struct bpf_prog *prog = READ_ONCE(q->ixm->xdp_prog);
	/* it is being taken away */
	u32 act = likely(prog) ? bpf_prog_run_xdp(prog, xdp) : XDP_PASS;

	switch (act) {
	case XDP_PASS:
		ixm_xdp_pass(q, xdp, desc, status);
		break;
	case XDP_TX:
		ixm_xdp_tx(q, xdp, prog);
		break;
	case XDP_REDIRECT:
		ixm_xdp_redirect(q, xdp, prog);
		break;
	case XDP_DROP:
		ixm_xdp_count(&q->rx, &q->rx.stats.xdp_drop, 1);
		xdp_return_buff(xdp);
		break;
	default:
		bpf_warn_invalid_xdp_action(q->ixm->dev, prog, act);
		fallthrough;
	case XDP_ABORTED:
		ixm_xdp_abort(q, xdp, prog, act);
	}
}

/**
 * ixm_xdp_add() - a buffer of a frame
 * @rx: receive ring in XDP mode
 * @page: buffer
 * @len: bytes written to it
 *
 * Return: false when the frame gets longer than any can be.
 */
bool ixm_xdp_add(struct ixm_rx_mem *rx, struct page *page, unsigned int len)
{
	struct xdp_buff *xdp = &rx->xdp->buff;

	if (likely(!xdp->data)) {
		xdp_init_buff(xdp, PAGE_SIZE, &rx->xdp->rxq);
		xdp_prepare_buff(xdp, page_address(page), IXM_RX_HEADROOM, len,
				 true);
		return true;
	}
	if (unlikely(xdp_get_buff_len(xdp) + len > IXM_FRAME_MAX))
		return false;
	return ixm_xdp_add_frag(xdp, page, IXM_RX_HEADROOM, len);
}

/**
 * ixm_xdp_deliver() - a frame is complete
 * @q: queue in XDP mode
 * @desc: its last descriptor
 * @status: its status
 */
void ixm_xdp_deliver(struct ixm_queue *q, const struct ixm_rx_desc *desc,
		     u32 status)
{
	/* a program may have moved the beginning, but not this */
	struct xdp_buff xdp = q->rx.mem.xdp->buff;
	struct ixm_rx_ring *ring = &q->rx;

	ring->mem.xdp->buff.data = NULL;
	u64_stats_update_begin(&ring->stats.syncp);
	u64_stats_inc(&ring->stats.packets);
	u64_stats_add(&ring->stats.bytes, xdp_get_buff_len(&xdp));
	u64_stats_update_end(&ring->stats.syncp);
	ixm_xdp_run(q, &xdp, desc, status);
}

/**
 * ixm_xdp_discard() - throw away what has arrived of a frame
 * @rx: receive ring in XDP mode
 */
void ixm_xdp_discard(struct ixm_rx_mem *rx)
{
	struct xdp_buff *xdp = &rx->xdp->buff;

	if (xdp->data)
		xdp_return_buff(xdp);
	xdp->data = NULL;
}

/**
 * ixm_xdp_poll_end() - one tail write, and one flush of what was redirected
 * @q: queue in XDP mode
 *
 * Context: NAPI.
 */
void ixm_xdp_poll_end(struct ixm_queue *q)
{
	struct ixm_xdp_rx *x = q->rx.mem.xdp;

	if (x->tx_count || x->tx_pending)
		ixm_xdp_tx_send(q, true);
	if (x->redirected) {
		x->redirected = false;
		xdp_do_flush();
	}
}

/* ---- life ---- */

/**
 * ixm_xdp_rx_alloc() - XDP mode for a receive ring
 * @ixm: device
 * @mem: ring, with its page pool
 * @queue: number of the queue that it is for
 *
 * Return: 0 or a negative error; then ixm_xdp_rx_free() can be called all the
 * same.
 */
int ixm_xdp_rx_alloc(struct ixm *ixm, struct ixm_rx_mem *mem, u32 queue)
{
	int err;

	mem->xdp = kzalloc_obj(*mem->xdp);
	if (!mem->xdp)
		return -ENOMEM;
	err = __xdp_rxq_info_reg(&mem->xdp->rxq, ixm->dev, queue,
				 ixm->q[queue].napi.napi_id, PAGE_SIZE);
	if (err)
		return err;
	return xdp_rxq_info_reg_mem_model(&mem->xdp->rxq, MEM_TYPE_PAGE_POOL,
					  mem->pool);
}

/**
 * ixm_xdp_rx_free() - undo ixm_xdp_rx_alloc()
 * @mem: ring; NAPI is disabled
 */
void ixm_xdp_rx_free(struct ixm_rx_mem *mem)
{
	if (!mem->xdp)
		return;
	if (xdp_rxq_info_is_reg(&mem->xdp->rxq))
		xdp_rxq_info_unreg(&mem->xdp->rxq);
	kfree(mem->xdp);
}

/**
 * ixm_xdp_tx_free() - free a ring of XDP, and what it has
 * @ixm: device; reset
 * @tx: ring, perhaps without memory
 */
void ixm_xdp_tx_free(struct ixm *ixm, struct ixm_tx_ring *tx)
{
	if (tx->mem.buf)
		ixm_xdp_drain(tx);
	ixm_tx_mem_free(ixm, &tx->mem);
}

/**
 * ixm_xdp_mtu_fits() - does a program cope with frames of several buffers?
 * @prog: program, or NULL
 * @mtu: MTU; the longest frames have a tag as well
 *
 * Return: true when it does, or when there will be none.
 */
bool ixm_xdp_mtu_fits(const struct bpf_prog *prog, unsigned int mtu)
{
	return !prog || prog->aux->xdp_has_frags ||
	       mtu + ETH_HLEN + VLAN_HLEN <= IXM_RX_BUF_LEN;
}

static int ixm_xdp_setup(struct ixm *ixm, struct bpf_prog *prog,
			 struct netlink_ext_ack *extack)
{
	struct ixm_config config = ixm->config;
	struct bpf_prog *old;
	int err;

	if (!ixm_xdp_mtu_fits(prog, ixm->dev->mtu)) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "MTU %u needs a program that takes frags",
				       ixm->dev->mtu);
		return -EOPNOTSUPP;
	}

	old = xchg(&ixm->xdp_prog, prog);
	config.xdp = prog;
	if (config.xdp != ixm->config.xdp) {
		err = ixm_reconfigure(ixm, &config);
		if (err) {
			xchg(&ixm->xdp_prog, old);
			NL_SET_ERR_MSG_MOD(extack, "no new rings");
			return err;
		}
	}
	if (old)
		bpf_prog_put(old);

	if (prog)
		xdp_features_set_redirect_target(ixm->dev, true);
	else
		xdp_features_clear_redirect_target(ixm->dev);
	return 0;
}

/**
 * ixm_bpf() - ndo_bpf
 * @dev: net device
 * @bpf: command
 *
 * Return: 0 or a negative error.
 */
int ixm_bpf(struct net_device *dev, struct netdev_bpf *bpf)
{
	switch (bpf->command) {
	case XDP_SETUP_PROG:
		return ixm_xdp_setup(netdev_priv(dev), bpf->prog, bpf->extack);
	default:
		return -EINVAL;
	}
}
