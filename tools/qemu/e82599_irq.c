// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts, 7.3: causes, their masks, the vectors they go to, moderation.
 *
 * Queue causes are kept by vector (64 of them); the registers EICR, EIMS, ...
 * show the first 16 in their low bits and EIxx_EX the rest.  All the other
 * causes are bits 16..30 of EICR.  With GPIE.Multiple_MSIX off, one vector
 * (MSI, MSI-X 0 or the pin) stands for everything.
 */
#include "e82599_internal.h"

#define NEVER	INT64_MAX

static bool multiple(struct e82599 *nic)
{
	return *e82599_reg(nic, GPIE) & GPIE_MULTIPLE_MSIX;
}

static uint32_t *eitr(struct e82599 *nic, unsigned int vector)
{
	return e82599_reg(nic, vector < 24 ? EITR_LOW(vector) : EITR_HIGH(vector));
}

/* Bits 11:3 count 2 us: the field in place is in quarter microseconds. */
static int64_t interval_ns(struct e82599 *nic, unsigned int vector)
{
	return (int64_t)(*eitr(nic, vector) & EITR_INTERVAL_MASK) * 250;
}

static unsigned int other_vector(struct e82599 *nic, unsigned int shift, bool *valid)
{
	uint32_t entry = *e82599_reg(nic, IVAR_MISC) >> shift;

	*valid = entry & IVAR_ALLOC_VALID;
	return entry & IVAR_ALLOC_MASK;
}

/* The unmasked other causes that go to @vector and have not been told yet. */
static uint32_t other_causes(struct e82599 *nic, unsigned int vector)
{
	uint32_t active = nic->other_pending & nic->other_mask & nic->other_fire;
	uint32_t causes = 0;
	bool valid;

	if (other_vector(nic, 8, &valid) == vector && valid)
		causes |= active & ~EICR_TCP_TIMER;
	if (other_vector(nic, 0, &valid) == vector && valid)
		causes |= active & EICR_TCP_TIMER;
	return causes;
}

static void arm(struct e82599 *nic, int64_t when)
{
	if (when >= nic->irq_armed)
		return;
	nic->irq_armed = when;
	nic->ops->timer_arm(nic->opaque, E82599_TIMER_IRQ, when);
}

/* Auto clear and auto mask when a message goes out, 7.3.1. */
static void message_sent(struct e82599 *nic, unsigned int vector, uint32_t others)
{
	uint64_t bit = UINT64_C(1) << vector;
	uint32_t eiac = *e82599_reg(nic, EIAC), eiam = *e82599_reg(nic, EIAM);
	uint64_t am;

	/* A queue's cause that is masked is not what this message tells. */
	if (nic->irq_mask & bit) {
		nic->irq_fire &= ~bit;
		/* Only causes 0..15 can be kept by leaving their bit out of EIAC. */
		if (vector >= 16 || eiac & bit)
			nic->irq_pending &= ~bit;
	}
	nic->other_fire &= ~others;
	nic->other_pending &= ~(others & eiac);
	if (!(*e82599_reg(nic, GPIE) & GPIE_EIAME))
		return;
	am = *e82599_reg(nic, EIAM_EX(0)) | (uint64_t)*e82599_reg(nic, EIAM_EX(1)) << 32;
	nic->irq_mask &= ~(bit & am);
	nic->other_mask &= ~(others & eiam);
}

static void message(struct e82599 *nic, unsigned int vector)
{
	unsigned int times = 1;

	if (nic->hostile.seed)
		times = e82599_hostile_message(&nic->hostile, &vector);
	while (times--)
		nic->ops->msix(nic->opaque, vector);
}

static void send_vectors(struct e82599 *nic)
{
	uint64_t active = nic->irq_pending & nic->irq_mask & nic->irq_fire;
	int64_t now = e82599_now(nic);
	unsigned int vector;
	uint32_t others;
	bool valid;

	if (nic->other_pending & nic->other_mask & nic->other_fire) {
		vector = other_vector(nic, 8, &valid);
		if (valid && other_causes(nic, vector))
			active |= UINT64_C(1) << vector;
		vector = other_vector(nic, 0, &valid);
		if (valid && other_causes(nic, vector))
			active |= UINT64_C(1) << vector;
	}
	for (; active; active &= active - 1) {
		vector = __builtin_ctzll(active);
		if (now < nic->irq_next[vector]) {
			arm(nic, nic->irq_next[vector]);
			continue;
		}
		others = other_causes(nic, vector);
		nic->irq_next[vector] = now + interval_ns(nic, vector);
		message_sent(nic, vector, others);
		message(nic, vector);
	}
}

/* One message, or one level, for all causes; EITR 0 moderates it. */
static void send_single(struct e82599 *nic)
{
	bool active = (nic->irq_pending & nic->irq_mask & EICR_RTXQ_MASK) ||
		      (nic->other_pending & nic->other_mask);
	int64_t now = e82599_now(nic);

	if (active == nic->intx_level)
		return;
	if (active && now < nic->irq_next[0]) {
		arm(nic, nic->irq_next[0]);
		return;
	}
	if (active)
		nic->irq_next[0] = now + interval_ns(nic, 0);
	nic->intx_level = active;
	nic->ops->intx(nic->opaque, active);
}

static void evaluate(struct e82599 *nic)
{
	if (multiple(nic))
		send_vectors(nic);
	else
		send_single(nic);
}

void e82599_irq_reset(struct e82599 *nic)
{
	nic->irq_pending = 0;
	nic->irq_fire = 0;
	nic->irq_mask = 0;
	nic->other_pending = 0;
	nic->other_fire = 0;
	nic->other_mask = 0;
	nic->irq_armed = NEVER;
	memset(nic->irq_next, 0, sizeof(nic->irq_next));
	if (nic->intx_level)
		nic->ops->intx(nic->opaque, false);
	nic->intx_level = false;
}

void e82599_irq_timer(struct e82599 *nic)
{
	nic->irq_armed = NEVER;
	evaluate(nic);
}

static void add_other(struct e82599 *nic, uint32_t causes)
{
	nic->other_pending |= causes & EICR_OTHER_MASK;
	nic->other_fire |= causes & EICR_OTHER_MASK;
}

void e82599_irq_other(struct e82599 *nic, uint32_t causes)
{
	add_other(nic, causes);
	evaluate(nic);
}

/* IVAR: two queues a register; receive in the even bytes, transmit in the odd. */
void e82599_irq_queue(struct e82599 *nic, unsigned int queue, bool tx)
{
	unsigned int shift = (queue & 1) * 16 + (tx ? 8 : 0);
	uint32_t entry = *e82599_reg(nic, IVAR(queue / 2)) >> shift;
	uint64_t bit;

	if (!(entry & IVAR_ALLOC_VALID))
		return;
	bit = UINT64_C(1) << (entry & IVAR_ALLOC_MASK);
	nic->irq_pending |= bit;
	nic->irq_fire |= bit;
	if (nic->hostile.seed)
		add_other(nic, e82599_hostile_causes(&nic->hostile));
	evaluate(nic);
}

static uint32_t eicr_value(struct e82599 *nic)
{
	return (nic->irq_pending & EICR_RTXQ_MASK) | nic->other_pending;
}

static uint32_t eicr_read(struct e82599 *nic)
{
	uint32_t value = eicr_value(nic), gpie = *e82599_reg(nic, GPIE);
	uint32_t eiam = *e82599_reg(nic, EIAM);

	if (gpie & GPIE_OCD) {
		nic->other_pending &= ~EICR_OCD_CLEARED;
	} else {
		nic->other_pending = 0;
		nic->irq_pending &= ~(uint64_t)EICR_RTXQ_MASK;
	}
	/* Without messages for vectors, the read is what auto mask goes by. */
	if (!multiple(nic)) {
		nic->irq_mask &= ~(uint64_t)(value & eiam & EICR_RTXQ_MASK);
		nic->other_mask &= ~(value & eiam);
	}
	evaluate(nic);
	return value;
}

/* A cause that waited behind its mask is told when the mask goes. */
static void unmask(struct e82599 *nic, uint64_t vectors, uint32_t others)
{
	nic->irq_fire |= vectors & ~nic->irq_mask & nic->irq_pending;
	nic->other_fire |= others & ~nic->other_mask & nic->other_pending;
	nic->irq_mask |= vectors;
	nic->other_mask |= others;
}

/* Causes 0..15 of a 32-bit register are the first vectors. */
static void clear_bits(uint64_t *vectors, uint32_t *others, uint32_t value)
{
	*vectors &= ~(uint64_t)(value & EICR_RTXQ_MASK);
	*others &= ~(value & EICR_OTHER_MASK);
}

/* A cause that software sets is not held back when GPIE.EIMEN says so. */
static void software_cause(struct e82599 *nic, uint64_t vectors)
{
	nic->irq_pending |= vectors;
	nic->irq_fire |= vectors;
	if (*e82599_reg(nic, GPIE) & GPIE_EIMEN)
		for (; vectors; vectors &= vectors - 1)
			nic->irq_next[__builtin_ctzll(vectors)] = 0;
}

bool e82599_irq_read(struct e82599 *nic, uint32_t addr, uint32_t *value)
{
	switch (addr) {
	case EICR:
		*value = eicr_read(nic);
		return true;
	case EICS:	/* shows the causes and leaves them */
		*value = eicr_value(nic);
		return true;
	case EIMS:
	case EIMC:
		*value = (nic->irq_mask & EICR_RTXQ_MASK) | nic->other_mask;
		return true;
	case EIMS_EX(0):
	case EIMC_EX(0):
		*value = nic->irq_mask;
		return true;
	case EIMS_EX(1):
	case EIMC_EX(1):
		*value = nic->irq_mask >> 32;
		return true;
	case EICS_EX(0):
		*value = nic->irq_pending;
		return true;
	case EICS_EX(1):
		*value = nic->irq_pending >> 32;
		return true;
	}
	return false;
}

static void eitr_written(struct e82599 *nic, unsigned int vector, uint32_t value)
{
	*eitr(nic, vector) = value & ~EITR_CNT_WDIS;
	/* Writing the counter as well starts the interval anew, 8.2.3.5. */
	if (!(value & EITR_CNT_WDIS) && vector < E82599_VECTORS)
		nic->irq_next[vector] = 0;
}

static bool eitr_write(struct e82599 *nic, uint32_t addr, uint32_t value)
{
	if (addr >= EITR_LOW(0) && addr < EITR_LOW(24))
		eitr_written(nic, (addr - EITR_LOW(0)) / 4, value);
	else if (addr >= EITR_HIGH(24) && addr < EITR_HIGH(129))
		eitr_written(nic, 24 + (addr - EITR_HIGH(24)) / 4, value);
	else
		return false;
	return true;
}

bool e82599_irq_write(struct e82599 *nic, uint32_t addr, uint32_t value)
{
	switch (addr) {
	case EICR:
		clear_bits(&nic->irq_pending, &nic->other_pending, value);
		break;
	case EICS:
		add_other(nic, value);
		software_cause(nic, value & EICR_RTXQ_MASK);
		break;
	case EICS_EX(0):
	case EICS_EX(1):
		software_cause(nic, (uint64_t)value << (addr == EICS_EX(1) ? 32 : 0));
		break;
	case EIMS:
		unmask(nic, value & EICR_RTXQ_MASK, value & EICR_OTHER_MASK);
		break;
	case EIMC:
		clear_bits(&nic->irq_mask, &nic->other_mask, value);
		break;
	case EIMS_EX(0):
	case EIMS_EX(1):
		unmask(nic, (uint64_t)value << (addr == EIMS_EX(1) ? 32 : 0), 0);
		break;
	case EIMC_EX(0):
	case EIMC_EX(1):
		nic->irq_mask &= ~((uint64_t)value << (addr == EIMC_EX(1) ? 32 : 0));
		break;
	case EIAM:
		*e82599_reg(nic, EIAM) = value;
		*e82599_reg(nic, EIAM_EX(0)) &= ~EICR_RTXQ_MASK;
		*e82599_reg(nic, EIAM_EX(0)) |= value & EICR_RTXQ_MASK;
		return true;
	case EIAM_EX(0):
		*e82599_reg(nic, EIAM_EX(0)) = value;
		*e82599_reg(nic, EIAM) &= ~EICR_RTXQ_MASK;
		*e82599_reg(nic, EIAM) |= value & EICR_RTXQ_MASK;
		return true;
	case GPIE:
	case IVAR_MISC:
		*e82599_reg(nic, addr) = value;
		break;
	default:
		if (!eitr_write(nic, addr, value))
			return false;
		break;
	}
	evaluate(nic);
	return true;
}
