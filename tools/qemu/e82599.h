/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The core of an emulated Intel 82599: everything that the datasheet says of
 * the device's behaviour, and nothing of the machine it sits in.  The machine
 * comes in as &struct e82599_ops; QEMU is one, the unit tests are another.
 *
 * One instance is used by one thread at a time.  No callback may call back into
 * the core for the same instance, with one exception: @wire_tx may end in
 * e82599_receive() of *another* instance.
 */
#ifndef E82599_H
#define E82599_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct e82599;

/**
 * enum e82599_timer - the one-shot timers that a machine provides
 * @E82599_TIMER_TX: the transmit engine runs
 * @E82599_TIMER_RX: frames waiting in the packet buffer are looked at again
 * @E82599_TIMER_IRQ: an interrupt held back by EITR is due
 * @E82599_TIMER_LINK: the link comes up
 */
enum e82599_timer {
	E82599_TIMER_TX,
	E82599_TIMER_RX,
	E82599_TIMER_IRQ,
	E82599_TIMER_LINK,
	/* private: how many there are */
	E82599_TIMERS
};

/**
 * struct e82599_ops - what the core wants from the machine
 * @dma_read: copy from guest memory; 0, or an error when the address is no memory
 * @dma_write: copy to guest memory; likewise
 * @wire_tx: take a frame (without FCS); the return value says whether the wire
 *	takes another one now.  A frame given is always taken: on false the
 *	engine rests until e82599_wire_ready().
 * @msix: send the message of a vector; vector 0 also serves the modes with
 *	one message for everything
 * @intx: level of the interrupt pin, in the modes without messages for vectors
 * @now: guest time in ns
 * @timer_arm: (re)arm a one-shot timer for an absolute guest time
 * @log: one line, without a newline, about something the guest should not do
 */
struct e82599_ops {
	int (*dma_read)(void *opaque, uint64_t addr, void *buf, size_t len);
	int (*dma_write)(void *opaque, uint64_t addr, const void *buf, size_t len);
	bool (*wire_tx)(void *opaque, const void *frame, size_t len);
	void (*msix)(void *opaque, unsigned int vector);
	void (*intx)(void *opaque, bool level);
	int64_t (*now)(void *opaque);
	void (*timer_arm)(void *opaque, enum e82599_timer timer, int64_t when);
	void (*log)(void *opaque, const char *line);
};

/**
 * struct e82599_config - what is fixed when the device is made
 * @mac: the address in the EEPROM
 * @lan_id: which port of the adapter this is, 0 or 1
 * @dma_delay_ns: from a tail write to the descriptor fetch
 * @link_delay_ns: from reset or restarted negotiation to link up
 * @line_rate: transmission takes the time it takes at 10 Gbit/s; else none
 * @rx_buffer: bytes of the receive packet buffer
 */
struct e82599_config {
	uint8_t mac[6];
	unsigned int lan_id;
	uint64_t dma_delay_ns;
	uint64_t link_delay_ns;
	bool line_rate;
	uint32_t rx_buffer;
};

/**
 * e82599_new - make a device
 * @ops: the machine; must stay
 * @opaque: what @ops' functions are called with
 * @config: what is fixed; copied
 *
 * Arms a timer: the machine must be ready for that.
 *
 * Return: the device in its state after power-on, NULL when there is no memory.
 */
struct e82599 *e82599_new(const struct e82599_ops *ops, void *opaque,
			  const struct e82599_config *config);

/**
 * e82599_free - the end of a device
 * @nic: the device, or NULL
 *
 * No callback is called; the machine's timers for it must not fire any more.
 */
void e82599_free(struct e82599 *nic);

/**
 * e82599_reset - power-on or PCI function reset
 * @nic: the device; registers, rings, statistics and packet buffer start anew
 */
void e82599_reset(struct e82599 *nic);

/**
 * e82599_read - read a register
 * @nic: the device
 * @addr: byte offset in BAR 0; outside it, or not a multiple of 4, reads 0
 *
 * Return: the value.  Reading has the side effects the datasheet gives it.
 */
uint32_t e82599_read(struct e82599 *nic, uint32_t addr);

/**
 * e82599_write - write a register
 * @nic: the device
 * @addr: byte offset in BAR 0; outside it, or not a multiple of 4, does nothing
 * @value: the value
 */
void e82599_write(struct e82599 *nic, uint32_t addr, uint32_t value);

/**
 * e82599_timer - a timer has come
 * @nic: the device
 * @timer: the one that was armed with &e82599_ops.timer_arm
 */
void e82599_timer(struct e82599 *nic, enum e82599_timer timer);

/**
 * e82599_receive - a frame has come from the wire
 * @nic: the device
 * @frame: the frame, without FCS
 * @len: its length; shorter ones are padded, as whatever sent them would have done
 */
void e82599_receive(struct e82599 *nic, const void *frame, size_t len);

/**
 * e82599_wire_ready - the wire takes frames again
 * @nic: the device whose &e82599_ops.wire_tx returned false
 */
void e82599_wire_ready(struct e82599 *nic);

/**
 * e82599_set_carrier - plug the cable in or out
 * @nic: the device
 * @carrier: whether there is a cable; true after e82599_new()
 */
void e82599_set_carrier(struct e82599 *nic, bool carrier);

/**
 * e82599_raise - raise causes that nothing else in the core has
 * @nic: the device
 * @causes: bits 16 to 30 of EICR: a thermal sensor, an ECC error, ...
 */
void e82599_raise(struct e82599 *nic, uint32_t causes);

/**
 * e82599_set_power - D0, or D3hot and what software calls a removed device
 * @nic: the device
 * @on: off, registers read as ones, writes have no effect, and neither DMA nor
 *	interrupts nor frames come; on again, it is as after e82599_reset()
 *
 * No_Soft_Reset is 0 in this device, 9.3.3.4: D3hot costs it its state.
 */
void e82599_set_power(struct e82599 *nic, bool on);

/**
 * e82599_set_hostile - make the device lie
 * @nic: the device
 * @seed: same seed, same lies; 0 for none, which is the state after e82599_new()
 *
 * What the guest reads from registers, finds in descriptors and written-back
 * heads, and is interrupted for is changed now and then.  Resets do not end it.
 */
void e82599_set_hostile(struct e82599 *nic, uint32_t seed);

#define E82599_HOSTILE_RATE	20

/**
 * e82599_set_hostile_rate - how often a device with a seed lies
 * @nic: the device
 * @rate: times in 1000; E82599_HOSTILE_RATE after e82599_new()
 */
void e82599_set_hostile_rate(struct e82599 *nic, uint32_t rate);

/**
 * struct e82599_counters - what the bench wants to know and no register tells
 * @tail_writes: writes of TDT
 * @tx_descs: transmit descriptors fetched
 * @tx_unsupported: frames dropped because they asked for what is not emulated
 * @rx_unsupported: requests for receive-side coalescing or header split
 * @tx_malformed: frames dropped because their descriptors make no sense
 * @dma_errors: accesses to addresses that are no memory
 * @tx_segments: frames that segmentation made of longer ones
 * @tx_frames: frames put on the wire or looped back, across all resets
 * @rx_frames: frames written whole to a ring, across all resets
 * @mutations: lies told in hostile mode
 */
struct e82599_counters {
	uint64_t tail_writes;
	uint64_t tx_descs;
	uint64_t tx_unsupported;
	uint64_t tx_malformed;
	uint64_t rx_unsupported;
	uint64_t dma_errors;
	uint64_t tx_segments;
	uint64_t tx_frames;
	uint64_t rx_frames;
	uint64_t mutations;
};

/**
 * e82599_counters - the counters that are no registers
 * @nic: the device
 *
 * Return: a pointer that stays valid, and up to date, as long as the device.
 */
const struct e82599_counters *e82599_counters(const struct e82599 *nic);

/**
 * e82599_queue_tail_writes - writes of one queue's TDT
 * @nic: the device
 * @queue: transmit queue, 0 to 127
 *
 * Return: how many since the device was made; resets do not clear it.
 */
uint64_t e82599_queue_tail_writes(const struct e82599 *nic, unsigned int queue);

#endif
