// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Link flow control, 3.7.7 and IEEE 802.3 annex 31B: a pause frame from the
 * other end stops transmission for a while; a filling packet buffer has one
 * sent.  Priority flow control is not emulated.
 */
#include "e82599_internal.h"

#define MAC_CONTROL	0x8808
#define OPCODE_PAUSE	1
#define QUANTUM_NS(n)	((int64_t)(n) * 512 / 10)	/* 512 bit times at 10 Gbit/s */

static const uint8_t pause_address[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };

void e82599_pause_reset(struct e82599 *nic)
{
	memset(&nic->pause, 0, sizeof(nic->pause));
}

/**
 * e82599_pause_frame - a frame that may be the other end's pause
 * @nic: the device
 * @frame: the frame, at least the Ethernet minimum
 *
 * Return: whether the MAC keeps it for itself.
 */
bool e82599_pause_frame(struct e82599 *nic, const uint8_t *frame)
{
	uint32_t mflcn = *e82599_reg(nic, MFLCN);
	unsigned int quanta = get_be16(frame + 16);

	if (!(mflcn & MFLCN_RFCE) || get_be16(frame + 12) != MAC_CONTROL ||
	    get_be16(frame + 14) != OPCODE_PAUSE ||
	    memcmp(frame, pause_address, sizeof(pause_address)))
		return false;
	*e82599_reg(nic, quanta ? LXOFFRXCNT : LXONRXCNT) += 1;
	nic->pause.until = e82599_now(nic) + QUANTUM_NS(quanta);
	/* A pause that ends early has the engine's timer set too late. */
	e82599_tx_rearm(nic);
	return !(mflcn & MFLCN_PMCF);
}

static bool sends(struct e82599 *nic)
{
	return (*e82599_reg(nic, FCCFG) & FCCFG_TFCE_MASK) == FCCFG_TFCE_LINK &&
	       *e82599_reg(nic, FCRTH(0)) & FCRTH_FCEN;
}

/* More has come into the packet buffer: time for XOFF, or for another one? */
void e82599_pause_filled(struct e82599 *nic)
{
	uint32_t high = *e82599_reg(nic, FCRTH(0)) & FCRT_MASK;

	if (!sends(nic) || nic->fifo.used <= high || e82599_now(nic) < nic->pause.refresh)
		return;
	nic->pause.refresh = e82599_now(nic) +
			     QUANTUM_NS(*e82599_reg(nic, FCRTV) & FCTTV_MASK) + 1;
	nic->pause.stopped = true;
	nic->pause.due = true;
	e82599_tx_rearm(nic);
}

/* The packet buffer is emptier: XON, once. */
void e82599_pause_drained(struct e82599 *nic)
{
	uint32_t low = *e82599_reg(nic, FCRTL(0));

	if (!nic->pause.stopped || nic->fifo.used > (low & FCRT_MASK))
		return;
	nic->pause.stopped = false;
	nic->pause.refresh = 0;
	nic->pause.due = low & FCRTL_XONE;
	e82599_tx_rearm(nic);
}

/*
 * The MAC's own frames go between those of the queues, from the transmit timer:
 * what the wire does with one may come back to us only when we are done.
 */
void e82599_pause_send(struct e82599 *nic)
{
	uint8_t frame[E82599_MIN_FRAME] = { 0 };
	bool off = nic->pause.stopped;

	nic->pause.due = false;
	memcpy(frame, pause_address, sizeof(pause_address));
	put_le32(frame + 6, *e82599_reg(nic, RAL(0)));
	frame[10] = *e82599_reg(nic, RAH(0));
	frame[11] = *e82599_reg(nic, RAH(0)) >> 8;
	put_be16(frame + 12, MAC_CONTROL);
	put_be16(frame + 14, OPCODE_PAUSE);
	put_be16(frame + 16, off ? *e82599_reg(nic, FCTTV(0)) & FCTTV_MASK : 0);
	*e82599_reg(nic, off ? LXOFFTXC : LXONTXC) += 1;
	e82599_stats_tx(nic, frame, sizeof(frame));
	e82599_tx_mac(nic, frame, sizeof(frame));
}
