// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The SFP+ module: its identification memory (SFF-8472), behind a two-wire bus
 * that software drives bit by bit through I2CCTL, 8.2.3.1.
 */
#include "e82599_internal.h"

#define SFP_ADDRESS	0x50	/* A0h with the direction bit */

enum { IDLE, ADDRESS, OFFSET, WRITE, READ };

/*
 * A passive direct-attach cable of 1 m, SFF-8472; the vendor's OUI is the one that
 * Intel's software accepts.
 */
static const uint8_t sfp_memory[128] = {
	[0] = 0x03,		/* SFP or SFP+ */
	[1] = 0x04,
	[2] = 0x21,		/* copper pigtail */
	[8] = 0x04,		/* passive cable */
	[11] = 0x06,		/* 64B/66B */
	[12] = 103,		/* units of 100 Mbit/s */
	[18] = 1,		/* m of copper */
	[20] = 'N', 'E', 'T', 'B', 'A', 'T', 'C', 'H', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ',
	[37] = 0x00, 0x1b, 0x21,
	[40] = 'E', 'M', 'U', 'L', 'A', 'T', 'E', 'D', '-', 'D', 'A', ' ', ' ', ' ', ' ', ' ',
	[56] = 'A', ' ', ' ', ' ',
	[60] = 0x01,		/* SFF-8431 appendix E */
	[68] = '1', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ',
	[84] = '2', '6', '1', '1', '3', '0', ' ', ' ',
};

/* CC_BASE and CC_EXT are the sums of what comes before them. */
static uint8_t memory_byte(uint8_t offset)
{
	unsigned int from = offset == 63 ? 0 : 64, i;
	uint8_t sum = 0;

	if (offset >= sizeof(sfp_memory))
		return 0xff;
	if (offset != 63 && offset != 95)
		return sfp_memory[offset];
	for (i = from; i < offset; i++)
		sum += sfp_memory[i];
	return sum;
}

void e82599_i2c_reset(struct e82599 *nic)
{
	memset(&nic->i2c, 0, sizeof(nic->i2c));
	nic->i2c.scl = true;
	nic->i2c.sda = true;
	nic->i2c.out = true;
}

/* A byte from the master is complete; true to acknowledge it. */
static bool byte_received(struct e82599_i2c *bus)
{
	switch (bus->state) {
	case ADDRESS:
		if (bus->byte >> 1 != SFP_ADDRESS) {
			bus->state = IDLE;
			return false;
		}
		bus->next = bus->byte & 1 ? READ : OFFSET;
		return true;
	case OFFSET:
		bus->offset = bus->byte;
		bus->next = WRITE;
		return true;
	case WRITE:		/* the memory is read-only, but polite */
		return true;
	}
	return false;
}

static void load(struct e82599_i2c *bus)
{
	bus->byte = memory_byte(bus->offset++);
	bus->bits = 0;
	bus->out = bus->byte >> 7;
}

/* The clock rises: whoever listens samples. */
static void rising(struct e82599_i2c *bus)
{
	if (bus->state == READ) {
		if (bus->bits == 8)
			bus->acked = !bus->sda;
	} else if (bus->bits < 8) {
		bus->byte = bus->byte << 1 | bus->sda;
	}
	bus->bits++;
}

/* The clock falls: whoever speaks shows the next bit. */
static void falling(struct e82599_i2c *bus)
{
	if (bus->state == READ) {
		if (bus->bits < 8)
			bus->out = bus->byte >> (7 - bus->bits) & 1;
		else if (bus->bits == 8)
			bus->out = true;
		else if (bus->acked)
			load(bus);
		else
			bus->state = IDLE;
		return;
	}
	if (bus->bits == 8) {
		bus->out = !byte_received(bus);
	} else if (bus->bits == 9) {
		bus->state = bus->next;
		bus->bits = 0;
		bus->out = true;
		if (bus->state == READ)
			load(bus);
	}
}

void e82599_i2c_write(struct e82599 *nic, uint32_t value)
{
	struct e82599_i2c *bus = &nic->i2c;
	bool scl = value & I2CCTL_CLK_OUT, sda = value & I2CCTL_DATA_OUT;
	bool was_scl = bus->scl, was_sda = bus->sda;

	bus->scl = scl;
	bus->sda = sda;
	if (was_scl && scl) {
		if (was_sda == sda)
			return;
		/* Data moves while the clock is high: start or stop. */
		bus->state = sda ? IDLE : ADDRESS;
		bus->next = bus->state;
		bus->bits = 0;
		bus->out = true;
		return;
	}
	if (was_scl == scl || bus->state == IDLE)
		return;
	if (scl)
		rising(bus);
	else if (bus->bits)
		falling(bus);
}

/* The lines as they are: low when either end pulls them down. */
uint32_t e82599_i2c_read(struct e82599 *nic)
{
	const struct e82599_i2c *bus = &nic->i2c;

	return (bus->scl ? I2CCTL_CLK_IN | I2CCTL_CLK_OUT : 0) |
	       (bus->sda ? I2CCTL_DATA_OUT : 0) |
	       (bus->sda && bus->out ? I2CCTL_DATA_IN : 0);
}
