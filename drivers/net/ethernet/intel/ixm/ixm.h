/* SPDX-License-Identifier: GPL-2.0 */
/* Driver for the Intel 82599: what its parts share. */
#ifndef _IXM_H_
#define _IXM_H_

#include <linux/dim.h>
#include <linux/ethtool.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/u64_stats_sync.h>
#include <linux/workqueue.h>
#include <net/xdp.h>

#include "ixm_compat.h"
#include "ixm_desc.h"
#include "ixm_offload.h"
#include "ixm_regs.h"
#include "ixm_ring.h"

#define IXM_DRV_NAME		"ixm"

#define IXM_MAX_QUEUES		16
#define IXM_DEF_RING		1024

/* The transmit queues of XDP follow those of the stack. */
#define IXM_XDP_QUEUE(n)	(IXM_MAX_QUEUES + (n))

/*
 * 50 us between two interrupts of a vector: at the 14.88 million packets a second
 * that the wire takes, 744 descriptors: a ring of 1024 is not full by then.
 */
#define IXM_DEF_USECS		50

/* What the largest frame leaves for the MTU. */
#define IXM_MTU_MAX		(IXM_FRAME_MAX - ETH_HLEN - ETH_FCS_LEN)

/* ---- transmit ---- */

/* What NAPI has to undo for a descriptor. */
enum ixm_tx_map {
	IXM_TX_MAP_NONE,	/* the data was copied */
	IXM_TX_MAP_SINGLE,
	IXM_TX_MAP_PAGE,
};

/**
 * struct ixm_tx_buf - what is known of a transmit descriptor
 * @skb: on the last descriptor of a packet: the packet
 * @xdpf: likewise, in a ring of XDP; NULL when it was copied
 * @dma: address of what is mapped
 * @len: bytes mapped
 * @burst: on the first descriptor covered by a tail write: how many it covers.
 *	   Written by the sender with release, read by NAPI with acquire.
 * @extra_bytes: where something is mapped: struct ixm_tx_offload's for the
 *		 packet, on its first piece
 * @extra_segs: likewise
 * @frame_bytes: in a ring of XDP, on the last descriptor of a frame: its length;
 *		 0 on all others
 * @map: enum ixm_tx_map
 */
struct ixm_tx_buf {
	union {
		struct sk_buff *skb;
		struct xdp_frame *xdpf;
	};
	dma_addr_t dma;
	u32 len;
	u32 burst;
	union {
		u32 extra_bytes;
		u32 frame_bytes;
	};
	u16 extra_segs;
	u8 map;
};

/*
 * Small packets are copied to memory that is mapped once, next to each other
 * in the order of the descriptors: one descriptor and no DMA mapping instead
 * of one each for the header and each fragment.  Two cache lines hold what is
 * sent most: TCP acknowledgments, and the minimal frame.
 */
#define IXM_TX_COPY_SHIFT	7
#define IXM_TX_COPY_MAX		BIT(IXM_TX_COPY_SHIFT)

/*
 * What a packet takes at most: a context, the head, each fragment, one more for
 * each boundary in 64 KiB, and what skb_checksum_help() may move.
 */
#define IXM_TX_PKT_DESC_WANT	(MAX_SKB_FRAGS + 3 + (65536 >> IXM_TXD_LEN_SHIFT))
/* The queue stops when a packet of the most descriptors might not fit ... */
#define IXM_TX_PKT_DESC		MIN(IXM_TX_PKT_DESC_WANT, IXM_TX_PKT_DESC_MAX)
/* ... and is woken when some more is free, not for each packet. */
#define IXM_TX_WAKE		(IXM_TX_PKT_DESC + 16)
static_assert(IXM_TX_WAKE < IXM_RING_MIN);

/**
 * struct ixm_tx_mem - memory of a transmit ring
 * @desc: descriptors
 * @buf: what is known of each
 * @copy: room of IXM_TX_COPY_MAX for each
 * @copy_dma: address of @copy for the device
 * @dma: address of @desc for the device
 * @mask: number of descriptors - 1
 */
struct ixm_tx_mem {
	struct ixm_tx_desc *desc;
	struct ixm_tx_buf *buf;
	u8 *copy;
	dma_addr_t copy_dma;
	dma_addr_t dma;
	u32 mask;
};

/* Counted by the sender, under the TX lock. */
struct ixm_tx_xmit_stats {
	struct u64_stats_sync syncp;
	u64_stats_t tail_writes;
	u64_stats_t tail_deferred;
	u64_stats_t stopped;
	u64_stats_t busy;
	u64_stats_t drop_map;
	u64_stats_t drop_linearize;
	u64_stats_t drop_too_long;
	u64_stats_t drop_offload;
	u64_stats_t csum;
	u64_stats_t tso;
	u64_stats_t contexts;
};

/* Counted by NAPI. */
struct ixm_tx_done_stats {
	struct u64_stats_sync syncp;
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t restarted;
	u64_stats_t drop_down;
};

/**
 * struct ixm_tx_ring - a transmit queue
 * @mem: its memory; changes only while the device is down
 * @tdt: where the tail is written
 * @txq: the stack's side of it; none in a ring of XDP
 * @dev: for DMA
 * @defer: private flag "defer-tail"
 * @next_to_use: where the next descriptor goes
 * @tail: what the device has been told; @next_to_use is ahead of it only
 *	  within a burst
 * @ctx_last: the context used last
 * @ctx: contexts that the device has
 * @xmit: counters of the sender
 * @next_to_clean: first descriptor not yet completed
 * @done: counters of NAPI
 */
struct ixm_tx_ring {
	struct ixm_tx_mem mem;
	void __iomem *tdt;
	struct netdev_queue *txq;
	struct device *dev;
	bool defer;

	/* written by the sender */
	u32 next_to_use ____cacheline_aligned_in_smp;
	u32 tail;
	u32 ctx_last;
	struct ixm_tx_ctx ctx[IXM_TXC_COUNT];
	struct ixm_tx_xmit_stats xmit;

	/* written by NAPI */
	u32 next_to_clean ____cacheline_aligned_in_smp;
	struct ixm_tx_done_stats done;
} ____cacheline_aligned_in_smp;

/* ---- receive ---- */

/*
 * A page a buffer, with room in front and behind so that the skb is built
 * around it.  What is left is a multiple of the 1 KiB that SRRCTL counts in.
 */
#define IXM_RX_HEADROOM		XDP_PACKET_HEADROOM
#define IXM_RX_BUF_LEN		3072

/**
 * struct ixm_xdp_rx - XDP's side of a receive ring
 * @rxq: what a program sees of the ring
 * @buff: frame of which a part has arrived; @buff.data is NULL without
 * @redirected: frames wait for xdp_do_flush()
 * @tx_pending: frames in the TX ring wait for the tail write
 * @tx_count: number of @tx
 * @tx: frames that go back out, not yet in the TX ring
 */
struct ixm_xdp_rx {
	struct xdp_rxq_info rxq;
	struct xdp_buff buff;
	bool redirected;
	bool tx_pending;
	u32 tx_count;
	struct xdp_frame *tx[XDP_BULK_QUEUE_SIZE];
};

/**
 * struct ixm_rx_mem - memory of a receive ring, with its state
 * @desc: descriptors
 * @page: buffer of each descriptor between @next_to_clean and @next_to_use
 * @pool: where the buffers come from
 * @skb: frame of which a part has arrived
 * @mask: number of descriptors - 1
 * @next_to_use: where the next buffer is posted
 * @next_to_clean: next descriptor that the device writes
 * @partial: a part of a frame has arrived
 * @discard: the rest of the present frame is thrown away
 * @xdp: NULL when there is no program
 * @dma: address of @desc for the device
 */
struct ixm_rx_mem {
	struct ixm_rx_desc *desc;
	struct page **page;
	struct page_pool *pool;
	struct sk_buff *skb;
	u32 mask;
	u32 next_to_use;
	u32 next_to_clean;
	bool partial;
	bool discard;
	struct ixm_xdp_rx *xdp;
	dma_addr_t dma;
};

/* Counted by NAPI. */
struct ixm_rx_stats {
	struct u64_stats_sync syncp;
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t alloc_fail;
	u64_stats_t drop_length;
	u64_stats_t drop_error;
	u64_stats_t drop_no_skb;
	u64_stats_t drop_down;
	u64_stats_t csum_ok;
	u64_stats_t csum_none;
	u64_stats_t xdp_pass;
	u64_stats_t xdp_drop;
	u64_stats_t xdp_aborted;
	u64_stats_t xdp_tx;
	u64_stats_t xdp_redirect;
};

/**
 * struct ixm_rx_ring - a receive queue
 * @mem: its memory and state; replaced only while the device is down
 * @rdt: where the tail is written
 * @stats: counters
 */
struct ixm_rx_ring {
	struct ixm_rx_mem mem;
	void __iomem *rdt;
	struct ixm_rx_stats stats;
} ____cacheline_aligned_in_smp;

/* ---- moderation ---- */

/**
 * struct ixm_dim - adaptive moderation of a direction
 * @dim: net DIM's state
 * @adaptive: it is on
 * @usecs: what it has found
 */
struct ixm_dim {
	struct dim dim;
	bool adaptive;
	u32 usecs;
};

/**
 * struct ixm_moder - moderation of a queue
 * @adaptive: any direction adapts
 * @usecs: interval when none does
 * @lock: protects what the register is made from
 * @rx: received frames
 * @tx: completed packets
 */
struct ixm_moder {
	bool adaptive;
	u32 usecs;
	struct mutex lock; /* protects what the register is made from */
	struct ixm_dim rx;
	struct ixm_dim tx;
};

/* ---- the device ---- */

/**
 * struct ixm_queue - an RX and a TX queue that share a vector and NAPI
 * @napi: polls both
 * @ixm: the device
 * @index: number of both queues and of the vector
 * @tx: transmit queue
 * @rx: receive queue
 * @irqs: interrupts so far
 * @moder: interrupt moderation
 * @xdp: transmit queue of XDP; its done.packets and done.bytes are counted by
 *	 the sender
 * @xdp_lock: protects @xdp_up and the sender's part of @xdp
 * @xdp_up: frames may be put into @xdp
 * @name: of the interrupt
 */
struct ixm_queue {
	struct napi_struct napi;
	struct ixm *ixm;
	u32 index;
	u32 irqs;
	struct ixm_moder moder;
	struct ixm_tx_ring tx;
	struct ixm_rx_ring rx;
	struct ixm_tx_ring xdp;
	spinlock_t xdp_lock; /* protects xdp_up and the sender's part of xdp */
	bool xdp_up;
	char name[IFNAMSIZ + 24];
};

/**
 * struct ixm_mem - memory of all queues: allocated whole, then exchanged
 * @queues: how many have memory
 * @tx: of the transmit rings
 * @xdp: of those of XDP
 * @rx: of the receive rings
 */
struct ixm_mem {
	u32 queues;
	struct ixm_tx_mem tx[IXM_MAX_QUEUES];
	struct ixm_tx_mem xdp[IXM_MAX_QUEUES];
	struct ixm_rx_mem rx[IXM_MAX_QUEUES];
};

/**
 * struct ixm_config - what is changed by new rings
 * @queues: pairs of queues
 * @tx_ring: descriptors of a transmit ring
 * @rx_ring: descriptors of a receive ring
 * @xdp: a program is attached: the receive rings are in XDP mode, and there are
 *	 transmit rings of the size @tx_ring for it
 */
struct ixm_config {
	u32 queues;
	u32 tx_ring;
	u32 rx_ring;
	bool xdp;
};

/* Sums of the device's counters, which reading clears. */
struct ixm_hw_stats {
	u64 missed;
	u64 no_desc[IXM_MAX_QUEUES];
	u64 crc_errors;
	u64 illegal_bytes;
	u64 byte_errors;
	u64 length_errors;
	u64 undersize;
	u64 fragments;
	u64 oversize;
	u64 jabber;
	u64 rx_frames;
	u64 rx_bytes;
	u64 rx_multicast;
	u64 rx_broadcast;
	u64 rx_xon;
	u64 rx_xoff;
	u64 rx_size[IXM_SIZE_BINS];
	u64 tx_frames;
	u64 tx_bytes;
	u64 tx_multicast;
	u64 tx_broadcast;
	u64 tx_xon;
	u64 tx_xoff;
	u64 tx_size[IXM_SIZE_BINS];
};

/**
 * struct ixm_rss - receive-side scaling
 * @key: of the hash
 * @indir: indirection table: queue of each value of the hash's low 7 bits
 * @l4: MRQC's bits for the protocols whose ports are in the hash
 */
struct ixm_rss {
	__le32 key[IXM_RSSRK_COUNT];
	u8 indir[IXM_RETA_ENTRIES];
	u32 l4;
};

/**
 * struct ixm_pause - flow control
 * @rx: pause frames stop our transmitter
 * @tx: a full packet buffer sends them
 */
struct ixm_pause {
	bool rx;
	bool tx;
};

/**
 * struct ixm - a port
 * @dev: its net device
 * @pdev: its PCI device
 * @bar: registers
 * @q: queues, as many as there are vectors
 * @max_queues: number of @q
 * @config: what is in use, or will be when the device is opened
 * @rss: receive-side scaling
 * @pause: flow control
 * @msg_enable: what is logged
 * @xdp_prog: XDP program
 * @up: the device moves packets; RTNL
 * @hw_ready: the device was reset and not used since; RTNL
 * @gone: the device does not answer any more
 * @link_speed: its speed in Mb/s, or SPEED_UNKNOWN
 * @sfp_known: @sfp_port and @sfp_mode are those of the module in the cage
 * @sfp_port: its kind, PORT_...
 * @sfp_mode: its link mode
 * @ledctl: the LEDs as they were before ethtool -p
 * @vfta: a bit for each VLAN that is let in; RTNL
 * @reset: gets the device going again after a timeout
 * @stats_lock: protects @hw_stats
 * @hw_stats: counters
 */
struct ixm {
	struct net_device *dev;
	struct pci_dev *pdev;
	void __iomem *bar;
	struct ixm_queue *q;
	u32 max_queues;
	struct ixm_config config;
	struct ixm_rss rss;
	struct ixm_pause pause;
	u32 msg_enable;
	struct bpf_prog *xdp_prog;
	bool up;
	bool hw_ready;
	bool gone;
	u32 link_speed;
	bool sfp_known;
	u8 sfp_port;
	u32 sfp_mode;
	u32 ledctl;
	u32 vfta[IXM_VFTA_COUNT];
	struct work_struct reset;
	spinlock_t stats_lock; /* protects hw_stats */
	struct ixm_hw_stats hw_stats;
};

static inline void ixm_write(struct ixm *ixm, u32 reg, u32 val)
{
	writel(val, ixm->bar + reg);
}

u32 ixm_read(struct ixm *ixm, u32 reg);

/* ixm_hw.c */
int ixm_hw_reset(struct ixm *ixm);
int ixm_hw_start(struct ixm *ixm);
void ixm_hw_get_mac(struct ixm *ixm, u8 *addr);
void ixm_hw_set_mac(struct ixm *ixm, u32 slot, const u8 *addr);
void ixm_hw_clear_mac(struct ixm *ixm, u32 slot);
void ixm_hw_set_frame_size(struct ixm *ixm, unsigned int mtu);
u32 ixm_hw_eeprom_words(struct ixm *ixm);
int ixm_hw_read_eeprom(struct ixm *ixm, u16 word, u16 *val);
void ixm_hw_read_stats(struct ixm *ixm);
bool ixm_hw_link(struct ixm *ixm, u32 *speed);
void ixm_hw_restart_link(struct ixm *ixm);
void ixm_hw_loopback(struct ixm *ixm);
void ixm_hw_set_leds(struct ixm *ixm, u32 bits);
void ixm_hw_driver_loaded(struct ixm *ixm, bool loaded);

/* ixm_rss.c */
void ixm_rss_init(struct ixm *ixm);
void ixm_rss_spread(struct ixm *ixm);
void ixm_rss_write(struct ixm *ixm);
int ixm_get_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh);
int ixm_set_rxfh(struct net_device *dev, struct ethtool_rxfh_param *rxfh,
		 struct netlink_ext_ack *extack);
int ixm_get_rxfh_fields(struct net_device *dev,
			struct ethtool_rxfh_fields *fields);
int ixm_set_rxfh_fields(struct net_device *dev,
			const struct ethtool_rxfh_fields *fields,
			struct netlink_ext_ack *extack);

/* ixm_coalesce.c */
void ixm_coalesce_init(struct ixm_queue *q);
void ixm_coalesce_start(struct ixm *ixm);
void ixm_coalesce_write(struct ixm_queue *q);
int ixm_get_coalesce(struct net_device *dev, struct ethtool_coalesce *ec,
		     struct kernel_ethtool_coalesce *kernel_ec,
		     struct netlink_ext_ack *extack);
int ixm_set_coalesce(struct net_device *dev, struct ethtool_coalesce *ec,
		     struct kernel_ethtool_coalesce *kernel_ec,
		     struct netlink_ext_ack *extack);
int ixm_get_per_queue_coalesce(struct net_device *dev, u32 queue,
			       struct ethtool_coalesce *ec);
int ixm_set_per_queue_coalesce(struct net_device *dev, u32 queue,
			       struct ethtool_coalesce *ec);

/* ixm_dim.c; a kernel that this is built for out of its tree may lack DIM */
#if IS_ENABLED(CONFIG_DIMLIB)
#define IXM_HAVE_DIM true
void ixm_dim_init(struct ixm_queue *q);
void ixm_dim_start(struct ixm_queue *q);
void ixm_dim_stop(struct ixm_queue *q);
void ixm_dim_sample(struct ixm_queue *q);
#else
#define IXM_HAVE_DIM false
static inline void ixm_dim_init(struct ixm_queue *q) { }
static inline void ixm_dim_start(struct ixm_queue *q) { }
static inline void ixm_dim_stop(struct ixm_queue *q) { }
static inline void ixm_dim_sample(struct ixm_queue *q) { }
#endif

/* ixm_irq.c */
int ixm_irq_alloc(struct ixm *ixm);
void ixm_irq_free(struct ixm *ixm);
int ixm_irq_request(struct ixm *ixm, u32 from, u32 to);
void ixm_irq_release(struct ixm *ixm, u32 from, u32 to);
int ixm_irq_request_other(struct ixm *ixm);
void ixm_irq_release_other(struct ixm *ixm);
void ixm_irq_configure(struct ixm *ixm);
void ixm_irq_enable(struct ixm *ixm);
void ixm_irq_disable(struct ixm *ixm);

/* ixm_tx.c */
netdev_tx_t ixm_start_xmit(struct sk_buff *skb, struct net_device *dev);
bool ixm_tx_clean(struct ixm_queue *q, int budget);
void ixm_tx_piece(struct ixm_tx_ring *tx, enum ixm_tx_map map, dma_addr_t dma,
		  u32 len, u32 cmd, u32 olinfo);
void ixm_tx_unmap(struct ixm_tx_ring *tx, struct ixm_tx_buf *buf);
void ixm_tx_drain(struct ixm_queue *q);
int ixm_tx_mem_alloc(struct ixm *ixm, struct ixm_tx_mem *mem, u32 count);
void ixm_tx_mem_free(struct ixm *ixm, struct ixm_tx_mem *mem);

/* ixm_rx.c */
int ixm_rx_clean(struct ixm_queue *q, int budget);
void ixm_rx_drain(struct ixm_queue *q);
void ixm_rx_info(struct ixm_queue *q, struct sk_buff *skb,
		 const struct ixm_rx_desc *desc, u32 status);
int ixm_rx_mem_alloc(struct ixm *ixm, struct ixm_rx_mem *mem,
		     const struct ixm_config *config, u32 queue);
void ixm_rx_mem_free(struct ixm *ixm, struct ixm_rx_mem *mem);

/* ixm_xdp.c */
int ixm_xdp_xmit(struct net_device *dev, int n, struct xdp_frame **frames,
		 u32 flags);
void ixm_xdp_clean(struct ixm_queue *q);
void ixm_xdp_up(struct ixm *ixm);
void ixm_xdp_down(struct ixm *ixm);
bool ixm_xdp_add(struct ixm_rx_mem *rx, struct page *page, unsigned int len);
void ixm_xdp_deliver(struct ixm_queue *q, const struct ixm_rx_desc *desc,
		     u32 status);
void ixm_xdp_discard(struct ixm_rx_mem *rx);
void ixm_xdp_poll_end(struct ixm_queue *q);
int ixm_xdp_rx_alloc(struct ixm *ixm, struct ixm_rx_mem *mem, u32 queue);
void ixm_xdp_rx_free(struct ixm_rx_mem *mem);
void ixm_xdp_tx_free(struct ixm *ixm, struct ixm_tx_ring *tx);
bool ixm_xdp_mtu_fits(const struct bpf_prog *prog, unsigned int mtu);
int ixm_bpf(struct net_device *dev, struct netdev_bpf *bpf);

/* ixm_queue.c */
int ixm_poll(struct napi_struct *napi, int budget);
int ixm_open(struct net_device *dev);
int ixm_stop(struct net_device *dev);
void ixm_down(struct ixm *ixm);
int ixm_reconfigure(struct ixm *ixm, const struct ixm_config *config);
int ixm_restart(struct ixm *ixm);

/* ixm_recover.c */
extern const struct pci_error_handlers ixm_err_handler;
extern const struct dev_pm_ops ixm_pm_ops;
void ixm_tx_timeout(struct net_device *dev, unsigned int queue);
void ixm_reset_work(struct work_struct *work);

/* ixm_netdev.c */
extern const struct net_device_ops ixm_netdev_ops;
void ixm_set_rx_mode(struct net_device *dev);

/* ixm_features.c */
void ixm_features_init(struct net_device *dev);
netdev_features_t ixm_features_check(struct sk_buff *skb,
				     struct net_device *dev,
				     netdev_features_t features);
int ixm_set_features(struct net_device *dev, netdev_features_t features);

/* ixm_vlan.c */
int ixm_vlan_add(struct net_device *dev, __be16 proto, u16 vid);
int ixm_vlan_kill(struct net_device *dev, __be16 proto, u16 vid);
void ixm_vlan_set_filter(struct ixm *ixm, netdev_features_t features);
void ixm_vlan_set_strip(struct ixm *ixm, netdev_features_t features);
void ixm_vlan_start(struct ixm *ixm);

/* ixm_stats.c */
extern const struct netdev_stat_ops ixm_stat_ops;
void ixm_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *s);
void ixm_get_pause_stats(struct net_device *dev,
			 struct ethtool_pause_stats *stats);
void ixm_get_eth_mac_stats(struct net_device *dev,
			   struct ethtool_eth_mac_stats *stats);
void ixm_get_rmon_stats(struct net_device *dev,
			struct ethtool_rmon_stats *stats,
			const struct ethtool_rmon_hist_range **ranges);
int ixm_stats_count(struct ixm *ixm);
void ixm_stats_strings(struct ixm *ixm, u8 *data);
void ixm_stats_values(struct ixm *ixm, u64 *data);

/* ixm_sfp.c */
void ixm_sfp_identify(struct ixm *ixm);
int ixm_get_module_eeprom(struct net_device *dev,
			  const struct ethtool_module_eeprom *page,
			  struct netlink_ext_ack *extack);

/* ixm_selftest.c */
void ixm_self_test(struct net_device *dev, struct ethtool_test *test,
		   u64 *data);
int ixm_self_test_count(void);
void ixm_self_test_strings(u8 *data);

/* ixm_dump.c */
int ixm_get_regs_len(struct net_device *dev);
void ixm_get_regs(struct net_device *dev, struct ethtool_regs *regs,
		  void *data);
int ixm_get_eeprom_len(struct net_device *dev);
int ixm_get_eeprom(struct net_device *dev, struct ethtool_eeprom *ee, u8 *data);

/* ixm_ethtool.c */
extern const struct ethtool_ops ixm_ethtool_ops;

#endif /* _IXM_H_ */
