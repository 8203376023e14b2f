// SPDX-License-Identifier: GPL-2.0-or-later
/* The registers of a descriptor ring, alike in both directions, 8.2.3.8 and 8.2.3.9. */
#include "e82599_internal.h"

static void control_written(struct e82599 *nic, const struct e82599_ring_ops *ops,
			    unsigned int queue, uint32_t block, uint32_t value)
{
	bool was = e82599_ring_enabled(nic, block), is = value & DCTL_ENABLE;

	*e82599_reg(nic, block + Q_DCTL) = value & ~ops->self_clearing;
	if (is != was)
		ops->enabled(nic, queue, is);
}

/* Descriptors beyond the ring would be somebody else's memory. */
static bool tail_valid(struct e82599 *nic, const struct e82599_ring_ops *ops,
		       unsigned int queue, uint32_t block, uint32_t tail)
{
	uint32_t size = e82599_ring_size(nic, block);

	if (tail < size)
		return true;
	e82599_log(nic, "%s[%u] = %" PRIu32 ": the ring has %" PRIu32 " descriptors",
		   ops->tail_name, queue, tail, size);
	return false;
}

/**
 * e82599_ring_write - write a register of a queue
 * @nic: the device
 * @ops: what its direction makes of it
 * @queue: the queue
 * @block: address of the queue's registers
 * @reg: offset in them
 * @value: what is written
 */
void e82599_ring_write(struct e82599 *nic, const struct e82599_ring_ops *ops,
		       unsigned int queue, uint32_t block, uint32_t reg, uint32_t value)
{
	uint32_t *where = e82599_reg(nic, block + reg);

	switch (reg) {
	case Q_TAIL:
		*where = value & 0xffff;
		if (e82599_ring_enabled(nic, block))
			ops->tail(nic, queue, tail_valid(nic, ops, queue, block, value & 0xffff));
		break;
	case Q_HEAD:
		/* The engine's own while the queue runs, 8.2.3.9.8. */
		if (!e82599_ring_enabled(nic, block))
			*where = value & 0xffff;
		break;
	case Q_BAL:
		*where = value & ~UINT32_C(0x7f);
		break;
	case Q_LEN:
		*where = value & Q_LEN_MASK;
		break;
	case Q_DCTL:
		control_written(nic, ops, queue, block, value);
		break;
	default:
		*where = value;
		break;
	}
}
