/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the emulated 82599 and what its files offer each other. */
#ifndef E82599_INTERNAL_H
#define E82599_INTERNAL_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "82599_regs.h"
#include "e82599.h"

#define E82599_EEPROM_WORDS	2048
#define E82599_TX_BLOCK		32	/* descriptors a fetch */
#define E82599_RX_BLOCK		16
#define E82599_TX_SEGS		64	/* the datasheet asks for 40 at most */
#define E82599_TX_RUN		64	/* descriptors a run of the engine */
#define E82599_FRAME_MAX	16384	/* above MAXFRS's 15.5 KiB */
#define E82599_TSO_MAX		(256 * 1024 + 256)	/* PAYLEN has 18 bits */
#define E82599_STATS		16	/* queue counters of each kind */
#define E82599_MIN_FRAME	60	/* without FCS */
#define E82599_FCS		4

/* A transmit buffer of the frame that is being put together. */
struct e82599_seg {
	uint64_t addr;
	uint32_t len;
	uint32_t index;		/* of its descriptor in the ring */
	bool report;		/* RS */
};

/* An offload context, 7.2.3.2.3; each queue keeps two. */
struct e82599_txctx {
	uint32_t lens;		/* dword 0: IPLEN, MACLEN, VLAN */
	uint32_t type;		/* dword 2: TUCMD */
	uint32_t mss;		/* dword 3: MSS, L4LEN */
};

struct e82599_txq {
	uint32_t head;		/* next descriptor to use */
	bool stalled;		/* a fetch failed or the tail was bad */
	bool skip;		/* rest of a frame that is given up, up to EOP */
	unsigned int nsegs;
	uint32_t frame_len;
	uint32_t cmd;		/* dwords 2 and 3 of the frame's first descriptor */
	uint32_t opts;
	uint16_t vlan;		/* of a legacy descriptor */
	unsigned int cached;	/* descriptors fetched ahead, from head on */
	unsigned int cache_pos;
	uint8_t cache[E82599_TX_BLOCK * E82599_DESC_SIZE];
	struct e82599_txctx ctx[2];
	struct e82599_seg segs[E82599_TX_SEGS];
	uint64_t tail_writes;
};

struct e82599_rxq {
	uint32_t head;		/* next descriptor to use */
	bool stalled;
	unsigned int cached;	/* descriptors fetched ahead, from head on */
	unsigned int cache_pos;
	uint8_t cache[E82599_RX_BLOCK * E82599_DESC_SIZE];
};

/* What the parser finds in a frame; offsets are 0 where there is no such header. */
struct e82599_pkt {
	uint16_t type;		/* RXD_PKTTYPE_* */
	uint16_t l3;
	uint16_t l4;
	uint16_t l3_end;	/* where the IP packet ends, padding excluded */
	uint8_t l4_proto;
	bool fragment;
	uint8_t rss_type;
	uint32_t hash;
};

/* The two-wire bus to the SFP+ module. */
struct e82599_i2c {
	bool scl, sda;		/* what the master drives */
	bool out;		/* what the module drives; true is released */
	bool acked;
	uint8_t state, next;
	uint8_t bits, byte, offset;
};

/* Waiting frames: a ring of bytes, each frame with its length in front. */
struct e82599_fifo {
	uint8_t *buf;
	uint32_t size;
	uint32_t head;
	uint32_t used;
};

/* A flow director filter: the registers as they were when it was added. */
struct e82599_fdir_filter {
	uint32_t next;
	uint32_t hash, cmd;
	uint32_t saddr, daddr, ports, vlan;
};

struct e82599_fdir {
	bool usable;
	unsigned int used;
	uint32_t fresh, freed;	/* next one never used, list of those given back */
	uint32_t bucket[0x8000];
	struct e82599_fdir_filter filter[0x8000];
};

/* Flow control: what the other end asked of us, and we of it. */
struct e82599_pause {
	int64_t until;		/* no transmission before this */
	int64_t refresh;	/* when XOFF is to be sent again */
	bool stopped;		/* the last sent was XOFF */
	bool due;		/* XOFF or XON is to be sent */
};

/* The liar: rate in 1000; off while the seed is 0. */
struct e82599_hostile {
	uint32_t seed;
	uint32_t rate;
	uint64_t state;
	uint64_t *mutations;	/* counted here */
};

struct e82599 {
	const struct e82599_ops *ops;
	void *opaque;
	struct e82599_config cfg;
	uint32_t regs[E82599_BAR0_SIZE / 4];
	uint16_t eeprom[E82599_EEPROM_WORDS];
	int64_t reset_done;	/* guest time when CTRL.RST reads 0 again */
	bool off;		/* D3hot, or removed */
	bool carrier;
	bool link;
	struct e82599_hostile hostile;
	struct e82599_i2c i2c;

	/* interrupts: queue causes by vector, the others in EICR's bits */
	uint64_t irq_pending;
	uint64_t irq_mask;
	uint64_t irq_fire;	/* causes that no message has told yet */
	uint32_t other_pending;
	uint32_t other_mask;
	uint32_t other_fire;
	bool intx_level;
	int64_t irq_next[E82599_VECTORS];
	int64_t irq_armed;

	/* transmit */
	struct e82599_txq txq[E82599_QUEUES];
	uint64_t tx_ready[E82599_QUEUES / 64];
	unsigned int tx_turn;
	bool tx_armed;
	bool wire_busy;
	int64_t wire_free;	/* when the last bit of what was sent is out */
	unsigned int wire_rest;	/* bit times left over */
	struct e82599_pause pause;

	/* receive */
	struct e82599_rxq rxq[E82599_QUEUES];
	struct e82599_fifo fifo;
	bool rx_armed;
	struct e82599_fdir fdir;
	unsigned int rar_used;	/* valid receive addresses are below this */

	/* statistics that are not plain 32-bit registers */
	uint64_t gorc, gotc, tor;
	uint64_t qbrc[E82599_STATS], qbtc[E82599_STATS];

	struct e82599_counters count;
	uint8_t frame[E82599_TSO_MAX];		/* transmit */
	uint8_t seg_frame[E82599_FRAME_MAX];	/* one segment of a large send */
	uint8_t rx_frame[E82599_FRAME_MAX + 64];
	uint8_t fifo_frame[E82599_FRAME_MAX];
};

static inline uint32_t *e82599_reg(struct e82599 *nic, uint32_t addr)
{
	return &nic->regs[addr / 4];
}

static inline int64_t e82599_now(struct e82599 *nic)
{
	return nic->ops->now(nic->opaque);
}

/* Little-endian fields in descriptors. */
static inline uint32_t get_le32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t get_le64(const uint8_t *p)
{
	return get_le32(p) | (uint64_t)get_le32(p + 4) << 32;
}

static inline void put_le32(uint8_t *p, uint32_t v)
{
	p[0] = v;
	p[1] = v >> 8;
	p[2] = v >> 16;
	p[3] = v >> 24;
}

/* Big-endian fields in frames. */
static inline uint16_t get_be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static inline void put_be16(uint8_t *p, uint16_t v)
{
	p[0] = v >> 8;
	p[1] = v;
}

static inline uint32_t get_be32(const uint8_t *p)
{
	return (uint32_t)get_be16(p) << 16 | get_be16(p + 2);
}

static inline void put_be32(uint8_t *p, uint32_t v)
{
	put_be16(p, v >> 16);
	put_be16(p + 2, v);
}

/* Register block of a queue. */
static inline uint32_t e82599_rx_block(unsigned int q)
{
	return q < 64 ? RX_QUEUE_LOW + q * QUEUE_STRIDE :
			RX_QUEUE_HIGH + (q - 64) * QUEUE_STRIDE;
}

static inline uint32_t e82599_tx_block(unsigned int q)
{
	return TX_QUEUE + q * QUEUE_STRIDE;
}

static inline uint64_t e82599_ring_base(struct e82599 *nic, uint32_t block)
{
	return (uint64_t)*e82599_reg(nic, block + Q_BAH) << 32 |
	       (*e82599_reg(nic, block + Q_BAL) & ~UINT32_C(0x7f));
}

static inline uint32_t e82599_ring_size(struct e82599 *nic, uint32_t block)
{
	return *e82599_reg(nic, block + Q_LEN) / E82599_DESC_SIZE;
}

static inline bool e82599_ring_enabled(struct e82599 *nic, uint32_t block)
{
	return *e82599_reg(nic, block + Q_DCTL) & DCTL_ENABLE;
}

/* What a direction makes of its rings' registers. */
struct e82599_ring_ops {
	const char *tail_name;
	uint32_t self_clearing;		/* bits of xXDCTL that read 0 */
	/* ENABLE has changed */
	void (*enabled)(struct e82599 *nic, unsigned int queue, bool on);
	/* the tail of an enabled queue was written; @valid: it is in the ring */
	void (*tail)(struct e82599 *nic, unsigned int queue, bool valid);
};

/* e82599_core.c */
__attribute__((format(printf, 2, 3)))
void e82599_log(struct e82599 *nic, const char *format, ...);
int e82599_dma_read(struct e82599 *nic, uint64_t addr, void *buf, size_t len);
int e82599_dma_write(struct e82599 *nic, uint64_t addr, const void *buf, size_t len);

/* e82599_eeprom.c */
void e82599_eeprom_init(struct e82599 *nic);
void e82599_eeprom_load(struct e82599 *nic);
uint32_t e82599_eerd(struct e82599 *nic, uint32_t value);

/* e82599_i2c.c */
void e82599_i2c_reset(struct e82599 *nic);
void e82599_i2c_write(struct e82599 *nic, uint32_t value);
uint32_t e82599_i2c_read(struct e82599 *nic);

/* e82599_link.c */
void e82599_link_reset(struct e82599 *nic);
void e82599_link_restart(struct e82599 *nic);
void e82599_link_timer(struct e82599 *nic);

/* e82599_hostile.c */
void e82599_hostile_init(struct e82599_hostile *h, uint64_t *mutations);
void e82599_hostile_seed(struct e82599_hostile *h, uint32_t seed);
uint32_t e82599_hostile_value(struct e82599_hostile *h, uint32_t value);
void e82599_hostile_desc(struct e82599_hostile *h, uint8_t *desc);
uint32_t e82599_hostile_causes(struct e82599_hostile *h);
unsigned int e82599_hostile_message(struct e82599_hostile *h, unsigned int *vector);

/* e82599_irq.c */
void e82599_irq_reset(struct e82599 *nic);
void e82599_irq_other(struct e82599 *nic, uint32_t causes);
void e82599_irq_queue(struct e82599 *nic, unsigned int queue, bool tx);
void e82599_irq_timer(struct e82599 *nic);
bool e82599_irq_read(struct e82599 *nic, uint32_t addr, uint32_t *value);
bool e82599_irq_write(struct e82599 *nic, uint32_t addr, uint32_t value);

/* e82599_ring.c */
void e82599_ring_write(struct e82599 *nic, const struct e82599_ring_ops *ops,
		       unsigned int queue, uint32_t block, uint32_t reg, uint32_t value);

/* e82599_tx.c */
void e82599_tx_reset(struct e82599 *nic);
void e82599_tx_write(struct e82599 *nic, unsigned int queue, uint32_t reg, uint32_t value);
void e82599_tx_kick(struct e82599 *nic);
void e82599_tx_timer(struct e82599 *nic);
void e82599_tx_rearm(struct e82599 *nic);
void e82599_tx_wire(struct e82599 *nic, unsigned int queue, uint8_t *frame, size_t len);
void e82599_tx_mac(struct e82599 *nic, const uint8_t *frame, size_t len);

/* e82599_pause.c */
void e82599_pause_reset(struct e82599 *nic);
bool e82599_pause_frame(struct e82599 *nic, const uint8_t *frame);
void e82599_pause_filled(struct e82599 *nic);
void e82599_pause_drained(struct e82599 *nic);
void e82599_pause_send(struct e82599 *nic);

/* e82599_fdir.c */
void e82599_fdir_reset(struct e82599 *nic);
bool e82599_fdir_read(struct e82599 *nic, uint32_t addr, uint32_t *value);
bool e82599_fdir_write(struct e82599 *nic, uint32_t addr, uint32_t value);
bool e82599_fdir(struct e82599 *nic, const uint8_t *frame, size_t len,
		 const struct e82599_pkt *pkt, unsigned int *queue);

/* e82599_offload.c */
bool e82599_offload(struct e82599 *nic, unsigned int queue, uint8_t *frame, size_t len);

/* e82599_rx.c */
void e82599_rx_reset(struct e82599 *nic);
void e82599_rx_write(struct e82599 *nic, unsigned int queue, uint32_t reg, uint32_t value);
void e82599_rx_mac(struct e82599 *nic, const void *frame, size_t len);
void e82599_rx_kick(struct e82599 *nic);
void e82599_rx_timer(struct e82599 *nic);

/* e82599_filter.c */
bool e82599_filter(struct e82599 *nic, const uint8_t *frame);
void e82599_filter_rar(struct e82599 *nic);

/* e82599_rss.c */
void e82599_parse(const uint8_t *frame, size_t len, struct e82599_pkt *pkt);
unsigned int e82599_rss(struct e82599 *nic, const uint8_t *frame, struct e82599_pkt *pkt);
uint32_t e82599_toeplitz(const uint8_t *key, const uint8_t *data, size_t len);

/* e82599_csum.c */
uint32_t e82599_sum(const uint8_t *p, size_t len, uint32_t sum);
uint16_t e82599_fold(uint32_t sum);
uint32_t e82599_pseudo(const uint8_t *ip, bool v6, uint8_t proto, uint32_t len);
uint32_t e82599_crc32(const uint8_t *p, size_t len);
uint32_t e82599_rx_checksum(const uint8_t *frame, const struct e82599_pkt *pkt);

/* e82599_stats.c */
void e82599_stats_reset(struct e82599 *nic);
bool e82599_stats_read(struct e82599 *nic, uint32_t addr, uint32_t *value);
bool e82599_stats_owns(uint32_t addr);
void e82599_stats_tx(struct e82599 *nic, const uint8_t *frame, size_t len);
void e82599_stats_tx_queue(struct e82599 *nic, unsigned int queue, size_t len);
void e82599_stats_rx(struct e82599 *nic, const uint8_t *frame, size_t len);
void e82599_stats_rx_queue(struct e82599 *nic, unsigned int queue, size_t len);
void e82599_stats_rx_dropped(struct e82599 *nic, unsigned int queue);

#endif
