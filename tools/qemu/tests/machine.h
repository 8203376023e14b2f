/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine for the 82599 core that a test can look into: memory with an end,
 * a clock that moves only when told, a wire that keeps the frames.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdio.h>
#include <string.h>

#include "82599_regs.h"
#include "e82599.h"

#define MEM_BASE	0x100000u
#define MEM_SIZE	0x200000u
#define NOWHERE		0xdead0000000ull	/* an address that is no memory */
#define WIRE_FRAMES	256
#define WIRE_MAX	16384

struct machine {
	struct e82599 *nic;
	int64_t now;
	int64_t timer[E82599_TIMERS];
	uint8_t mem[MEM_SIZE];
	unsigned int msix[E82599_VECTORS];
	bool intx;
	unsigned int intx_raised;
	unsigned int logged;
	unsigned int reads, writes;	/* DMA accesses */
	bool wire_full;			/* say "busy" after each frame */
	unsigned int frames;
	size_t len[WIRE_FRAMES];
	struct machine *peer;		/* other end of the wire */
	uint8_t frame[WIRE_FRAMES][WIRE_MAX];	/* the last: not cleared for every fuzz input */
};

#define TEST_MAC	{ 0x52, 0x54, 0x00, 0x12, 0x34, 0x56 }

struct machine *machine_new(void);
void machine_free(struct machine *m);
/* The same in two steps, for a machine that is all zero up to its wire's frames. */
void machine_start(struct machine *m);
void machine_stop(struct machine *m);
/* Let @ns of guest time pass; timers come in order. */
void run(struct machine *m, int64_t ns);

static inline uint32_t rd(struct machine *m, uint32_t reg)
{
	return e82599_read(m->nic, reg);
}

static inline void wr(struct machine *m, uint32_t reg, uint32_t value)
{
	e82599_write(m->nic, reg, value);
}

/* Memory by guest address. */
uint8_t *at(struct machine *m, uint64_t addr);
uint32_t get32(struct machine *m, uint64_t addr);
void put32(struct machine *m, uint64_t addr, uint32_t value);

static inline uint32_t txr(unsigned int queue, uint32_t reg)
{
	return TX_QUEUE + queue * QUEUE_STRIDE + reg;
}

static inline uint32_t rxr(unsigned int queue, uint32_t reg)
{
	return (queue < 64 ? RX_QUEUE_LOW + queue * QUEUE_STRIDE :
		RX_QUEUE_HIGH + (queue - 64) * QUEUE_STRIDE) + reg;
}

/* Rings of test size: where queue @q's are, and its buffers of 2 KiB. */
#define RING_SIZE	16u
#define TX_RING(q)	(MEM_BASE + 0x1000u * (q))
#define RX_RING(q)	(MEM_BASE + 0x20000u + 0x1000u * (q))
#define TX_BUF(i)	(MEM_BASE + 0x40000u + 0x4000u * (i))
#define RX_BUF(q, i)	(MEM_BASE + 0x100000u + 0x8000u * (q) + 0x800u * (i))

void tx_start(struct machine *m, unsigned int queue);
void tx_desc(struct machine *m, unsigned int queue, unsigned int index, uint64_t addr,
	     uint32_t cmd, uint32_t opts);
bool tx_done(struct machine *m, unsigned int queue, unsigned int index);
void rx_start(struct machine *m, unsigned int queue);
void rx_give(struct machine *m, unsigned int queue, unsigned int from, unsigned int tail);
uint32_t rx_status(struct machine *m, unsigned int queue, unsigned int index);
uint32_t rx_length(struct machine *m, unsigned int queue, unsigned int index);

#define DATA	((uint32_t)TXD_DTYP_DATA << TXD_DTYP_SHIFT | TXD_DEXT | TXD_IFCS)
#define CONTEXT	((uint32_t)TXD_DTYP_CONTEXT << TXD_DTYP_SHIFT | TXD_DEXT)

/* An Ethernet frame to us of @len bytes with recognisable content. */
void make_frame(uint8_t *frame, size_t len, uint8_t seed);
/* Receive such a frame, or one made by hand. */
void rx_frame(struct machine *m, size_t len, uint8_t seed);

/* The test runner. */
extern const char *failed_at;

#define CHECK(cond)							\
	do {								\
		if (!(cond)) {						\
			printf("# %s:%d: not true: %s\n", __FILE__, __LINE__, #cond); \
			failed_at = #cond;				\
			return;						\
		}							\
	} while (0)

#define CHECK_EQ(a, b)							\
	do {								\
		unsigned long long a_ = (a), b_ = (b);			\
									\
		if (a_ != b_) {						\
			printf("# %s:%d: %s is 0x%llx, not 0x%llx (%s)\n", \
			       __FILE__, __LINE__, #a, a_, b_, #b);	\
			failed_at = #a;					\
			return;						\
		}							\
	} while (0)

struct test {
	const char *name;
	void (*run)(struct machine *m);
};

extern const struct test reset_tests[], irq_tests[], tx_tests[], rx_tests[], rss_tests[],
	stats_tests[], offload_tests[], filter_tests[], hostile_tests[], fdir_tests[],
	pause_tests[];

#endif
