// SPDX-License-Identifier: GPL-2.0
/*
 * ethtool -t.  Offline, the port is down for the stack, and the tests have the
 * device for themselves; each leaves it reset.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>

#include "ixm.h"

enum {
	IXM_TEST_REGISTERS,
	IXM_TEST_EEPROM,
	IXM_TEST_INTERRUPTS,
	IXM_TEST_LOOPBACK,
	IXM_TEST_LINK,
	IXM_TEST_COUNT,
};

static const char ixm_test_names[IXM_TEST_COUNT][ETH_GSTRING_LEN] = {
	[IXM_TEST_REGISTERS] = "registers (offline)",
	[IXM_TEST_EEPROM] = "EEPROM (online)",
	[IXM_TEST_INTERRUPTS] = "interrupts (offline)",
	[IXM_TEST_LOOPBACK] = "loopback (offline)",
	[IXM_TEST_LINK] = "link (online)",
};

/* ---- registers ---- */

/* Registers that remember: @count of them, @step apart, in the bits of @mask. */
static const struct ixm_test_reg {
	u32 reg;
	u32 count;
	u32 step;
	u32 mask;
} ixm_test_regs[] = {
	{ IXM_FCTTV(0), 4, 4, ~0U },
	{ IXM_FCRTL(0), 8, 4, IXM_FCRTL_RTL | IXM_FCRTL_XONE },
	{ IXM_FCRTH(0), 8, 4, IXM_FCRTH_RTH | IXM_FCRTH_FCEN },
	{ IXM_RDBAL(0), IXM_MAX_QUEUES, 0x40, 0xffffff80 },
	{ IXM_RDBAH(0), IXM_MAX_QUEUES, 0x40, ~0U },
	{ IXM_RDLEN(0), IXM_MAX_QUEUES, 0x40, 0x000fff80 },
	{ IXM_TDBAL(0), IXM_MAX_QUEUES, 0x40, 0xffffff80 },
	{ IXM_TDBAH(0), IXM_MAX_QUEUES, 0x40, ~0U },
	{ IXM_TDLEN(0), IXM_MAX_QUEUES, 0x40, 0x000fff80 },
	{ IXM_MTA(0), IXM_MTA_COUNT, 4, ~0U },
	{ IXM_RAL(0), IXM_RAR_COUNT, 8, ~0U },
	{ IXM_RETA(0), IXM_RETA_ENTRIES / 4, 4, 0x0f0f0f0f },
	{ IXM_RSSRK(0), IXM_RSSRK_COUNT, 4, ~0U },
};

static bool ixm_test_one_register(struct ixm *ixm, u32 reg, u32 mask)
{
	static const u32 pattern[] = { 0x5a5a5a5a, 0xa5a5a5a5, ~0U, 0 };
	u32 i, got;

	for (i = 0; i < ARRAY_SIZE(pattern); i++) {
		ixm_write(ixm, reg, pattern[i] & mask);
		got = ixm_read(ixm, reg) & mask;
		if (got == (pattern[i] & mask))
			continue;
		netdev_err(ixm->dev, "register %05x: wrote %08x, read %08x\n",
			   reg, pattern[i] & mask, got);
		return false;
	}
	return true;
}

static bool ixm_test_registers(struct ixm *ixm)
{
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(ixm_test_regs); i++) {
		const struct ixm_test_reg *r = &ixm_test_regs[i];

		for (n = 0; n < r->count; n++)
			if (!ixm_test_one_register(ixm, r->reg + n * r->step,
						   r->mask))
				return false;
	}
	return true;
}

/* ---- EEPROM ---- */

/* Add @count words from @from on; what lies past the end is not there. */
static int ixm_eeprom_add(struct ixm *ixm, u32 from, u32 count, u16 *sum)
{
	u32 i, end = min(from + count, ixm_hw_eeprom_words(ixm));
	u16 word;
	int err;

	for (i = from; i < end; i++) {
		err = ixm_hw_read_eeprom(ixm, i, &word);
		if (err)
			return err;
		*sum += word;
	}
	return 0;
}

/* A section: its length, then as many words. */
static int ixm_eeprom_add_section(struct ixm *ixm, u32 ptr_word, u16 *sum)
{
	u16 at, len;
	int err;

	err = ixm_hw_read_eeprom(ixm, ptr_word, &at);
	if (err || !at || at >= ixm_hw_eeprom_words(ixm))
		return err;
	err = ixm_hw_read_eeprom(ixm, at, &len);
	if (err || len == U16_MAX)
		return err;
	return ixm_eeprom_add(ixm, at + 1, len, sum);
}

static bool ixm_test_eeprom(struct ixm *ixm)
{
	u16 sum = 0;
	u32 i;

	if (ixm_eeprom_add(ixm, 0, IXM_EE_SUM_WORDS, &sum))
		return false;
	for (i = IXM_EE_PTR_FIRST; i <= IXM_EE_PTR_LAST; i++)
		if (ixm_eeprom_add_section(ixm, i, &sum))
			return false;
	return sum == IXM_EE_SUM;
}

/* ---- interrupts ---- */

static bool ixm_test_vector(struct ixm *ixm, struct ixm_queue *q)
{
	u32 before = READ_ONCE(q->irqs), i;

	ixm_write(ixm, IXM_EIMS_EX(0), BIT(q->index));
	ixm_write(ixm, IXM_EICS_EX(0), BIT(q->index));
	for (i = 0; i < 100 && READ_ONCE(q->irqs) == before; i++)
		usleep_range(1000, 2000);
	ixm_write(ixm, IXM_EIMC_EX(0), BIT(q->index));
	if (READ_ONCE(q->irqs) != before)
		return true;
	netdev_err(ixm->dev, "vector %u does not interrupt\n", q->index);
	return false;
}

/* NAPI is disabled: the handlers count and schedule nothing. */
static bool ixm_test_vectors(struct ixm *ixm)
{
	bool ok = true;
	u32 i;

	pci_set_master(ixm->pdev);
	ixm_irq_configure(ixm);
	for (i = 0; i < ixm->config.queues && ok; i++)
		ok = ixm_test_vector(ixm, &ixm->q[i]);
	return !ixm_hw_reset(ixm) && ok;
}

static bool ixm_test_interrupts(struct ixm *ixm)
{
	bool ok;

	/* an open port has its interrupts */
	if (netif_running(ixm->dev))
		return ixm_test_vectors(ixm);
	if (ixm_irq_request(ixm, 0, ixm->config.queues))
		return false;
	ok = ixm_test_vectors(ixm);
	ixm_irq_release(ixm, 0, ixm->config.queues);
	return ok;
}

/* ---- loopback ---- */

#define IXM_TEST_DESCS		64
#define IXM_TEST_FRAME		1024

/**
 * struct ixm_test_mem - rings and buffers of one frame that comes back
 * @tx: ring with one frame
 * @rx: ring with one buffer
 * @sent: the frame
 * @got: the buffer
 */
struct ixm_test_mem {
	struct ixm_tx_desc tx[IXM_TEST_DESCS];
	struct ixm_rx_desc rx[IXM_TEST_DESCS];
	u8 sent[IXM_TEST_FRAME];
	u8 got[IXM_RX_BUF_LEN];
};

/* To our own address, so that the filter lets it in. */
static void ixm_test_fill(struct ixm *ixm, struct ixm_test_mem *mem,
			  dma_addr_t dma)
{
	struct ethhdr *eth = (struct ethhdr *)mem->sent;

	get_random_bytes(mem->sent, sizeof(mem->sent));
	ether_addr_copy(eth->h_dest, ixm->dev->dev_addr);
	ether_addr_copy(eth->h_source, ixm->dev->dev_addr);
	eth->h_proto = htons(ETH_P_LOOPBACK);

	mem->tx[0].addr = cpu_to_le64(dma + offsetof(struct ixm_test_mem, sent));
	mem->tx[0].cmd_type_len = cpu_to_le32(IXM_TXD_DATA | IXM_TXD_EOP |
					      IXM_TXD_RS | IXM_TEST_FRAME);
	mem->tx[0].olinfo_status = cpu_to_le32(ixm_tx_paylen(IXM_TEST_FRAME));
	mem->rx[0].read.addr =
		cpu_to_le64(dma + offsetof(struct ixm_test_mem, got));
}

static bool ixm_test_came_back(const struct ixm_test_mem *mem)
{
	const struct ixm_rx_desc *desc = &mem->rx[0];
	u32 i;

	for (i = 0; i < 200; i++) {
		if (READ_ONCE(desc->wb.status_error) &
		    cpu_to_le32(IXM_RXD_STAT_DD))
			break;
		usleep_range(500, 1000);
	}
	dma_rmb();
	return le16_to_cpu(desc->wb.len) == IXM_TEST_FRAME &&
	       !memcmp(mem->sent, mem->got, IXM_TEST_FRAME);
}

/* The first queue alone, with @mem for its rings. */
static bool ixm_test_send(struct ixm *ixm, struct ixm_test_mem *mem,
			  dma_addr_t dma)
{
	struct ixm_queue *q = &ixm->q[0];

	q->tx.mem.dma = dma + offsetof(struct ixm_test_mem, tx);
	q->tx.mem.mask = IXM_TEST_DESCS - 1;
	q->rx.mem.dma = dma + offsetof(struct ixm_test_mem, rx);
	q->rx.mem.mask = IXM_TEST_DESCS - 1;
	q->rx.mem.next_to_use = 1;
	ixm_test_fill(ixm, mem, dma);
	if (ixm_hw_start(ixm))
		return false;
	ixm_hw_loopback(ixm);
	/* writel() orders the descriptors in memory before the tail */
	ixm_write(ixm, IXM_TDT(0), 1);
	return ixm_test_came_back(mem);
}

/* The frame is not one of the wire's: take it out of the counters. */
static void ixm_test_uncount(struct ixm *ixm)
{
	struct ixm_hw_stats stats;

	spin_lock_bh(&ixm->stats_lock);
	stats = ixm->hw_stats;
	ixm_hw_read_stats(ixm);
	ixm->hw_stats = stats;
	spin_unlock_bh(&ixm->stats_lock);
}

static bool ixm_test_loopback(struct ixm *ixm)
{
	struct ixm_queue *q = &ixm->q[0];
	struct ixm_tx_mem tx = q->tx.mem;
	struct ixm_rx_mem rx = q->rx.mem;
	u32 queues = ixm->config.queues;
	struct ixm_test_mem *mem;
	dma_addr_t dma;
	bool ok;

	mem = dma_alloc_coherent(&ixm->pdev->dev, sizeof(*mem), &dma,
				 GFP_KERNEL);
	if (!mem)
		return false;
	ixm->config.queues = 1;
	ok = ixm_test_send(ixm, mem, dma);
	ixm_test_uncount(ixm);
	ok = !ixm_hw_reset(ixm) && ok;
	ixm->config.queues = queues;
	q->tx.mem = tx;
	q->rx.mem = rx;
	dma_free_coherent(&ixm->pdev->dev, sizeof(*mem), mem, dma);
	return ok;
}

/* ---- all of them ---- */

static bool ixm_test_link(struct ixm *ixm)
{
	u32 speed, i;

	for (i = 0; i < 20; i++) {
		if (ixm_hw_link(ixm, &speed))
			return true;
		msleep(50);
	}
	return false;
}

static bool ixm_test_offline(struct ixm *ixm, u64 *data)
{
	bool ok;

	ixm_down(ixm);
	data[IXM_TEST_REGISTERS] = !ixm_test_registers(ixm);
	ok = !ixm_hw_reset(ixm);
	data[IXM_TEST_INTERRUPTS] = !ixm_test_interrupts(ixm);
	data[IXM_TEST_LOOPBACK] = !ixm_test_loopback(ixm);
	if (netif_running(ixm->dev))
		ok = !ixm_restart(ixm) && ok;
	return ok;
}

/**
 * ixm_self_test() - ethtool -t
 * @dev: net device
 * @test: flags; says whether any test failed
 * @data: for each test 0, or 1 when it failed
 *
 * Context: RTNL.
 */
void ixm_self_test(struct net_device *dev, struct ethtool_test *test, u64 *data)
{
	struct ixm *ixm = netdev_priv(dev);
	bool ok = true;
	u32 i;

	memset(data, 0, IXM_TEST_COUNT * sizeof(*data));
	data[IXM_TEST_EEPROM] = !ixm_test_eeprom(ixm);
	data[IXM_TEST_LINK] = !ixm_test_link(ixm);
	if (test->flags & ETH_TEST_FL_OFFLINE)
		ok = ixm_test_offline(ixm, data);
	for (i = 0; i < IXM_TEST_COUNT; i++)
		ok = ok && !data[i];
	if (!ok)
		test->flags |= ETH_TEST_FL_FAILED;
}

/**
 * ixm_self_test_count() - number of tests
 *
 * Return: it.
 */
int ixm_self_test_count(void)
{
	return IXM_TEST_COUNT;
}

/**
 * ixm_self_test_strings() - their names
 * @data: ETH_GSTRING_LEN bytes for each
 */
void ixm_self_test_strings(u8 *data)
{
	memcpy(data, ixm_test_names, sizeof(ixm_test_names));
}
