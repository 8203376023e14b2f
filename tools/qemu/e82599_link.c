// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The link, 3.7: down after a reset, up a little later when a cable is there,
 * down and up again when software restarts the negotiation.
 */
#include "e82599_internal.h"

static void set_link(struct e82599 *nic, bool up)
{
	uint32_t *links = e82599_reg(nic, LINKS);

	if (up)
		*links = LINKS_UP | LINKS_SPEED_10G | LINKS_KX4_SIG_MASK | BIT32(7);
	else
		*links = 0;
	*e82599_reg(nic, PCS1GLSTA) = up;
	if (up)
		*e82599_reg(nic, STATUS) |= STATUS_LINK_UP;
	else
		*e82599_reg(nic, STATUS) &= ~STATUS_LINK_UP;
	if (up == nic->link)
		return;
	nic->link = up;
	e82599_irq_other(nic, EICR_LSC);
	if (up) {
		e82599_tx_kick(nic);
		e82599_rx_kick(nic);
	}
}

static void arm(struct e82599 *nic)
{
	nic->ops->timer_arm(nic->opaque, E82599_TIMER_LINK,
			    e82599_now(nic) + nic->cfg.link_delay_ns);
}

/* A reset takes interrupt causes away: no LSC for going down. */
void e82599_link_reset(struct e82599 *nic)
{
	nic->link = false;
	*e82599_reg(nic, AUTOC) = (uint32_t)AUTOC_LMS_10G_SERIAL << AUTOC_LMS_SHIFT;
	*e82599_reg(nic, ANLP1) = ANLP1_STATE_DONE;
	if (nic->carrier)
		arm(nic);
}

void e82599_link_restart(struct e82599 *nic)
{
	set_link(nic, false);
	if (nic->carrier)
		arm(nic);
}

void e82599_link_timer(struct e82599 *nic)
{
	if (nic->carrier)
		set_link(nic, true);
}

void e82599_set_carrier(struct e82599 *nic, bool carrier)
{
	nic->carrier = carrier;
	if (carrier)
		arm(nic);
	else
		set_link(nic, false);
}
