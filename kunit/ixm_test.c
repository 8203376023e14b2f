// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ixm driver: what it decides without a device.
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "ixm_desc.h"
#include "ixm_regs.h"
#include "ixm_ring.h"

/* ---- ring arithmetic ---- */

static void ixm_ring_empty_has_all_but_one_unused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ixm_ring_unused(63, 0, 0), 63);
	KUNIT_EXPECT_EQ(test, ixm_ring_used(0, 0), 0);
}

static void ixm_ring_full_has_none_unused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ixm_ring_unused(63, 163, 100), 0);
}

static void ixm_ring_counts_through_index_wrap(struct kunit *test)
{
	u32 clean = U32_MAX - 5, use = clean, n;

	for (n = 0; n <= 63; n++, use++) {
		KUNIT_EXPECT_EQ(test, ixm_ring_used(use, clean), n);
		KUNIT_EXPECT_EQ(test, ixm_ring_unused(63, use, clean), 63 - n);
	}
	/* 2^32 is a multiple of every ring size: the slots go on in order */
	KUNIT_EXPECT_EQ(test, U32_MAX & 63, 63);
}

static void ixm_ring_sizes_are_powers_of_two_in_range(struct kunit *test)
{
	static const u32 good[] = { 64, 128, 512, 1024, 4096 };
	static const u32 bad[] = { 0, 1, 32, 63, 65, 96, 1000, 4095, 4097,
				   8192, 0x80000000, U32_MAX };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		KUNIT_EXPECT_TRUE_MSG(test, ixm_ring_size_valid(good[i]),
				      "%u", good[i]);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_FALSE_MSG(test, ixm_ring_size_valid(bad[i]),
				       "%u", bad[i]);
}

/* ---- when the tail is written ---- */

struct ixm_flush_case {
	enum ixm_tx_end end;
	bool more;
	bool stopped;
	bool flush;
};

static const struct ixm_flush_case ixm_flush_cases[] = {
	/* end             more   stopped flush */
	{ IXM_TX_QUEUED,  false, false, true },
	{ IXM_TX_QUEUED,  false, true,  true },
	{ IXM_TX_QUEUED,  true,  false, false },
	{ IXM_TX_QUEUED,  true,  true,  true },
	{ IXM_TX_DROPPED, false, false, true },
	{ IXM_TX_DROPPED, false, true,  true },
	{ IXM_TX_DROPPED, true,  false, false },
	{ IXM_TX_DROPPED, true,  true,  true },
	{ IXM_TX_REFUSED, false, false, true },
	{ IXM_TX_REFUSED, false, true,  true },
	{ IXM_TX_REFUSED, true,  false, true },
	{ IXM_TX_REFUSED, true,  true,  true },
};

static void ixm_flush_case_desc(const struct ixm_flush_case *c, char *desc)
{
	static const char * const ends[] = { "queued", "dropped", "refused" };

	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s more=%d stopped=%d",
		 ends[c->end], c->more, c->stopped);
}

KUNIT_ARRAY_PARAM(ixm_flush, ixm_flush_cases, ixm_flush_case_desc);

static void ixm_tail_is_written_when_nobody_else_will(struct kunit *test)
{
	const struct ixm_flush_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, ixm_tx_must_flush(c->end, c->more, c->stopped),
			c->flush);
}

/* ---- transmit descriptors ---- */

static void ixm_piece_takes_a_descriptor_for_each_8k(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ixm_tx_desc_needed(0), 0);
	KUNIT_EXPECT_EQ(test, ixm_tx_desc_needed(1), 1);
	KUNIT_EXPECT_EQ(test, ixm_tx_desc_needed(8192), 1);
	KUNIT_EXPECT_EQ(test, ixm_tx_desc_needed(8193), 2);
	KUNIT_EXPECT_EQ(test, ixm_tx_desc_needed(65536), 8);
}

static void ixm_descriptors_have_the_size_of_the_datasheet(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, sizeof(struct ixm_tx_desc), 16);
	KUNIT_EXPECT_EQ(test, sizeof(struct ixm_rx_desc), 16);
	KUNIT_EXPECT_EQ(test, offsetof(struct ixm_rx_desc, wb.status_error), 8);
	KUNIT_EXPECT_EQ(test, offsetof(struct ixm_rx_desc, wb.len), 12);
	/* clearing "zero" clears DD */
	KUNIT_EXPECT_EQ(test, offsetof(struct ixm_rx_desc, read.zero), 8);
}

static void ixm_longest_part_fits_the_length_field(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, IXM_TXD_LEN_MAX <= IXM_TXD_LEN);
	/* 7.2.3.2.4: 15.5 KiB */
	KUNIT_EXPECT_TRUE(test, IXM_TXD_LEN_MAX <= 15872);
	KUNIT_EXPECT_EQ(test, IXM_TXD_DATA & IXM_TXD_LEN, 0);
}

static void ixm_context_has_the_fields_of_the_datasheet(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, sizeof(struct ixm_tx_ctx_desc), 16);
	KUNIT_EXPECT_EQ(test, offsetof(struct ixm_tx_ctx_desc, type), 8);
	KUNIT_EXPECT_EQ(test, offsetof(struct ixm_tx_ctx_desc, mss), 12);

	KUNIT_EXPECT_EQ(test, ixm_ctx_lens(14, 20), 14 << 9 | 20);
	KUNIT_EXPECT_EQ(test, ixm_ctx_lens(127, 511), 0xffff);
	KUNIT_EXPECT_EQ(test, ixm_ctx_vlan(0xe005), 0xe0050000);
	KUNIT_EXPECT_EQ(test, ixm_ctx_mss(1448, 32), 1448 << 16 | 32 << 8);
	/* DEXT, context, IPv4, TCP */
	KUNIT_EXPECT_EQ(test, ixm_ctx_type(true, IXM_TXC_L4T_TCP),
			1 << 29 | 2 << 20 | 1 << 10 | 1 << 11);
	KUNIT_EXPECT_EQ(test, ixm_ctx_type(false, IXM_TXC_L4T_UDP),
			1 << 29 | 2 << 20);
	KUNIT_EXPECT_EQ(test, ixm_ctx_type(false, IXM_TXC_L4T_SCTP),
			1 << 29 | 2 << 20 | 2 << 11);
}

/* A slot of the cache that is all zero stands for none. */
static void ixm_context_is_never_all_zero(struct kunit *test)
{
	KUNIT_EXPECT_NE(test, IXM_TXC, 0);
	KUNIT_EXPECT_NE(test, ixm_ctx_type(false, 0), 0);
	/* it must not be taken for data */
	KUNIT_EXPECT_NE(test, IXM_TXC & GENMASK(23, 20),
			IXM_TXD_DATA & GENMASK(23, 20));
}

static void ixm_context_takes_the_header_lengths_it_has_bits_for(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, ixm_ctx_fits(ETH_HLEN, 20));
	KUNIT_EXPECT_TRUE(test, ixm_ctx_fits(127, 511));
	KUNIT_EXPECT_FALSE(test, ixm_ctx_fits(128, 20));
	KUNIT_EXPECT_FALSE(test, ixm_ctx_fits(ETH_HLEN, 512));
	KUNIT_EXPECT_FALSE(test, ixm_ctx_fits(ETH_HLEN - 1, 20));
	KUNIT_EXPECT_FALSE(test, ixm_ctx_fits(ETH_HLEN, 0));
	/* offsets that were never set */
	KUNIT_EXPECT_FALSE(test, ixm_ctx_fits(-2, 20));
	KUNIT_EXPECT_FALSE(test, ixm_ctx_fits(ETH_HLEN, -14));
	KUNIT_EXPECT_FALSE(test, ixm_ctx_fits(U16_MAX, U16_MAX));
}

static void ixm_paylen_takes_the_largest_gso_packet(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ixm_tx_paylen(60), 60 << 14);
	KUNIT_EXPECT_EQ(test, ixm_tx_paylen(65536) >> 14, 65536);
	/* nothing of the other fields of the word is touched */
	KUNIT_EXPECT_EQ(test, ixm_tx_paylen(262143) & GENMASK(13, 0), 0);
	KUNIT_EXPECT_EQ(test, IXM_TXD_IXSM | IXM_TXD_TXSM, 3 << 8);
	KUNIT_EXPECT_EQ(test, FIELD_PREP(IXM_TXD_IDX, 1), 1 << 4);
}

/* ---- receive descriptors ---- */

#define BUF	3072
#define DD	IXM_RXD_STAT_DD
#define EOP	IXM_RXD_STAT_EOP

struct ixm_rx_case {
	const char *name;
	u32 status;
	unsigned int len;
	bool first;
	enum ixm_rx_verdict verdict;
};

static const struct ixm_rx_case ixm_rx_cases[] = {
	{ "whole frame", DD | EOP, 60, true, IXM_RX_FRAME },
	{ "frame fills the buffer", DD | EOP, BUF, true, IXM_RX_FRAME },
	{ "full first part", DD, BUF, true, IXM_RX_PART },
	{ "full middle part", DD, BUF, false, IXM_RX_PART },
	{ "last part of one byte", DD | EOP, 1, false, IXM_RX_FRAME },
	{ "nothing", DD | EOP, 0, true, IXM_RX_BAD_LEN },
	{ "nothing, last part", DD | EOP, 0, false, IXM_RX_BAD_LEN },
	{ "less than a header", DD | EOP, ETH_HLEN - 1, true, IXM_RX_BAD_LEN },
	{ "a header", DD | EOP, ETH_HLEN, true, IXM_RX_FRAME },
	{ "beyond the buffer", DD | EOP, BUF + 1, true, IXM_RX_BAD_LEN },
	{ "largest length", DD | EOP, U16_MAX, true, IXM_RX_BAD_LEN },
	{ "largest length, part", DD, U16_MAX, true, IXM_RX_BAD_LEN },
	{ "part not full", DD, BUF - 1, true, IXM_RX_BAD_LEN },
	{ "empty part", DD, 0, false, IXM_RX_BAD_LEN },
	{ "part shorter than a header", DD, 5, true, IXM_RX_BAD_LEN },
	{ "MAC error", DD | EOP | IXM_RXD_ERR_RXE, 60, true, IXM_RX_BAD_FRAME },
	{ "error bit before EOP", DD | IXM_RXD_ERR_RXE, BUF, true, IXM_RX_PART },
	{ "checksum error", DD | EOP | IXM_RXD_ERR_TCPE, 60, true, IXM_RX_FRAME },
	{ "every bit", U32_MAX, U16_MAX, true, IXM_RX_BAD_LEN },
};

static void ixm_rx_case_desc(const struct ixm_rx_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(ixm_rx, ixm_rx_cases, ixm_rx_case_desc);

static void ixm_rx_descriptor_is_judged(struct kunit *test)
{
	const struct ixm_rx_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, ixm_rx_verdict(c->status, c->len, BUF, c->first),
			c->verdict);
}

static void ixm_rx_lengths_never_lead_outside_the_buffer(struct kunit *test)
{
	enum ixm_rx_verdict verdict;
	unsigned int len, flags;

	for (len = 0; len <= U16_MAX; len++) {
		for (flags = 0; flags < 4; flags++) {
			verdict = ixm_rx_verdict(flags & 1 ? DD | EOP : DD, len,
						 BUF, flags & 2);
			if (verdict == IXM_RX_BAD_LEN)
				continue;
			if (!len || len > BUF)
				KUNIT_FAIL(test, "length %u, flags %u: %d",
					   len, flags, verdict);
		}
	}
}

static void ixm_hash_type_follows_rss_type(struct kunit *test)
{
	static const u8 l4[] = { 1, 3, 7, 8 }, l3[] = { 2, 5 };
	static const u8 none[] = { 0, 9, 15 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(l4); i++)
		KUNIT_EXPECT_EQ(test, ixm_rx_hash_type(0xfffffff0 | l4[i]),
				PKT_HASH_TYPE_L4);
	for (i = 0; i < ARRAY_SIZE(l3); i++)
		KUNIT_EXPECT_EQ(test, ixm_rx_hash_type(l3[i]),
				PKT_HASH_TYPE_L3);
	for (i = 0; i < ARRAY_SIZE(none); i++)
		KUNIT_EXPECT_EQ(test, ixm_rx_hash_type(none[i]),
				PKT_HASH_TYPE_NONE);
}

static void ixm_checksum_is_good_only_when_checked_without_error(struct kunit *test)
{
	u32 ok = DD | EOP | IXM_RXD_STAT_L4CS;

	KUNIT_EXPECT_TRUE(test, ixm_rx_csum_ok(ok));
	KUNIT_EXPECT_FALSE(test, ixm_rx_csum_ok(DD | EOP));
	KUNIT_EXPECT_FALSE(test, ixm_rx_csum_ok(ok | IXM_RXD_ERR_TCPE));
	KUNIT_EXPECT_FALSE(test, ixm_rx_csum_ok(ok | IXM_RXD_ERR_IPE));
}

/* ---- register values ---- */

static void ixm_eitr_counts_in_steps_of_2us(struct kunit *test)
{
	u32 wdis = BIT(31);

	KUNIT_EXPECT_EQ(test, ixm_eitr(0), wdis);
	KUNIT_EXPECT_EQ(test, ixm_eitr(1), wdis | 1 << 3);
	KUNIT_EXPECT_EQ(test, ixm_eitr(2), wdis | 1 << 3);
	KUNIT_EXPECT_EQ(test, ixm_eitr(50), wdis | 25 << 3);
	KUNIT_EXPECT_EQ(test, ixm_eitr(IXM_EITR_USECS_MAX), wdis | 0xff8);
	KUNIT_EXPECT_EQ(test, ixm_eitr(U32_MAX), wdis | 0xff8);
}

static void ixm_reta_has_its_first_entry_lowest(struct kunit *test)
{
	static const u8 entry[] = { 1, 2, 3, 15 };

	KUNIT_EXPECT_EQ(test, ixm_reta(entry), 0x0f030201);
}

static void ixm_ivar_entries_of_a_register_do_not_meet(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ixm_ivar_shift(0, false), 0);
	KUNIT_EXPECT_EQ(test, ixm_ivar_shift(0, true), 8);
	KUNIT_EXPECT_EQ(test, ixm_ivar_shift(1, false), 16);
	KUNIT_EXPECT_EQ(test, ixm_ivar_shift(15, true), 24);
}

static struct kunit_case ixm_test_cases[] = {
	KUNIT_CASE(ixm_ring_empty_has_all_but_one_unused),
	KUNIT_CASE(ixm_ring_full_has_none_unused),
	KUNIT_CASE(ixm_ring_counts_through_index_wrap),
	KUNIT_CASE(ixm_ring_sizes_are_powers_of_two_in_range),
	KUNIT_CASE_PARAM(ixm_tail_is_written_when_nobody_else_will,
			 ixm_flush_gen_params),
	KUNIT_CASE(ixm_piece_takes_a_descriptor_for_each_8k),
	KUNIT_CASE(ixm_descriptors_have_the_size_of_the_datasheet),
	KUNIT_CASE(ixm_longest_part_fits_the_length_field),
	KUNIT_CASE(ixm_context_has_the_fields_of_the_datasheet),
	KUNIT_CASE(ixm_context_is_never_all_zero),
	KUNIT_CASE(ixm_context_takes_the_header_lengths_it_has_bits_for),
	KUNIT_CASE(ixm_paylen_takes_the_largest_gso_packet),
	KUNIT_CASE_PARAM(ixm_rx_descriptor_is_judged, ixm_rx_gen_params),
	KUNIT_CASE(ixm_rx_lengths_never_lead_outside_the_buffer),
	KUNIT_CASE(ixm_hash_type_follows_rss_type),
	KUNIT_CASE(ixm_checksum_is_good_only_when_checked_without_error),
	KUNIT_CASE(ixm_eitr_counts_in_steps_of_2us),
	KUNIT_CASE(ixm_reta_has_its_first_entry_lowest),
	KUNIT_CASE(ixm_ivar_entries_of_a_register_do_not_meet),
	{ }
};

static struct kunit_suite ixm_test_suite = {
	.name = "ixm",
	.test_cases = ixm_test_cases,
};

kunit_test_suite(ixm_test_suite);

MODULE_DESCRIPTION("KUnit tests of the ixm driver");
MODULE_LICENSE("GPL");
