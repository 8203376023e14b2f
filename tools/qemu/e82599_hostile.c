// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A device that lies: what the core tells the guest is now and then replaced,
 * by a generator that a seed starts, so that a case can be repeated.  The core
 * itself is told nothing and stays right; only what the guest reads, finds in
 * memory or is interrupted for is wrong.
 *
 * Nothing is written where the core would not have written: a driver without an
 * IOMMU cannot survive that, and is not expected to.
 */
#include "e82599_internal.h"

/* xorshift64*: the upper half is good enough to gamble with. */
static uint32_t draw(struct e82599_hostile *h)
{
	h->state ^= h->state >> 12;
	h->state ^= h->state << 25;
	h->state ^= h->state >> 27;
	return h->state * UINT64_C(0x2545f4914f6cdd1d) >> 32;
}

static bool chance(struct e82599_hostile *h)
{
	if (draw(h) % 1000 >= h->rate)
		return false;
	++*h->mutations;
	return true;
}

static uint32_t mutate(struct e82599_hostile *h, uint32_t value)
{
	uint32_t random = draw(h);

	switch (draw(h) % 8) {
	case 0:
		return 0;
	case 1:
		return UINT32_MAX;
	case 2:
		return value + 1;
	case 3:
		return value - 1;
	case 4:
		return random;
	case 5:
		return value ^ (random & 0xffff);
	default:
		return value ^ BIT32(random & 31);
	}
}

void e82599_hostile_init(struct e82599_hostile *h, uint64_t *mutations)
{
	memset(h, 0, sizeof(*h));
	h->mutations = mutations;
	h->rate = E82599_HOSTILE_RATE;
}

/**
 * e82599_hostile_seed - begin a case
 * @h: the generator
 * @seed: which case; 0 ends the lying
 */
void e82599_hostile_seed(struct e82599_hostile *h, uint32_t seed)
{
	unsigned int i;

	h->seed = seed;
	h->state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	/* Neighbouring seeds start alike. */
	for (i = 0; i < 8; i++)
		draw(h);
}

/* A register that the guest reads, or the head that it finds in memory. */
uint32_t e82599_hostile_value(struct e82599_hostile *h, uint32_t value)
{
	return chance(h) ? mutate(h, value) : value;
}

/* A descriptor of either direction on its way back: dword 2 status, 3 length. */
void e82599_hostile_desc(struct e82599_hostile *h, uint8_t *desc)
{
	unsigned int i;
	uint8_t *p;

	if (!chance(h))
		return;
	switch (draw(h) % 8) {
	case 0:			/* all of it */
		for (i = 0; i < E82599_DESC_SIZE; i += 4)
			put_le32(desc + i, draw(h));
		return;
	case 1:
	case 2:
	case 3:			/* the length, not the tag above it */
		p = desc + 12;
		put_le32(p, (get_le32(p) & 0xffff0000) | (mutate(h, get_le32(p)) & 0xffff));
		return;
	case 4:
		p = desc + 4 * (draw(h) & 3);
		break;
	default:
		p = desc + 8;
		break;
	}
	put_le32(p, mutate(h, get_le32(p)));
}

/* Causes of EICR 16..30 that come without a reason. */
uint32_t e82599_hostile_causes(struct e82599_hostile *h)
{
	return chance(h) ? draw(h) & draw(h) & EICR_OTHER_MASK : 0;
}

/* A message: lost, sent again, or another one; how often it is to be sent. */
unsigned int e82599_hostile_message(struct e82599_hostile *h, unsigned int *vector)
{
	if (!chance(h))
		return 1;
	switch (draw(h) % 4) {
	case 0:
		return 0;
	case 1:
		*vector = draw(h) % E82599_VECTORS;
		return 1;
	default:
		return 1 + draw(h) % 8;
	}
}
