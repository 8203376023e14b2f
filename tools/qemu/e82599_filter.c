// SPDX-License-Identifier: GPL-2.0-or-later
/* Which frames come in: station addresses, multicast table, broadcast, VLAN, 7.1.1. */
#include "e82599_internal.h"

/* Keep the number of addresses to be compared as small as software uses. */
void e82599_filter_rar(struct e82599 *nic)
{
	unsigned int i;

	nic->rar_used = 0;
	for (i = 0; i < E82599_RARS; i++)
		if (*e82599_reg(nic, RAH(i)) & RAH_AV)
			nic->rar_used = i + 1;
}

static bool station_address(struct e82599 *nic, const uint8_t *da)
{
	uint32_t low = get_le32(da), high = da[4] | da[5] << 8;
	unsigned int i;

	for (i = 0; i < nic->rar_used; i++)
		if (*e82599_reg(nic, RAL(i)) == low &&
		    (*e82599_reg(nic, RAH(i)) & (RAH_AV | RAH_ADDR_MASK)) == (RAH_AV | high))
			return true;
	return false;
}

/* 8.2.3.7: which twelve bits of the address MCSTCTRL.MO chooses in MTA and UTA. */
static bool in_table(struct e82599 *nic, uint32_t table, const uint8_t *da)
{
	static const unsigned int shift[4] = { 4, 3, 2, 0 };
	uint32_t mcst = *e82599_reg(nic, MCSTCTRL);
	unsigned int hash = (da[4] | da[5] << 8) >> shift[mcst & MCSTCTRL_MO_MASK] & 0xfff;

	return *e82599_reg(nic, table + 4 * (hash >> 5)) >> (hash & 31) & 1;
}

static bool multicast_table(struct e82599 *nic, const uint8_t *da)
{
	return *e82599_reg(nic, MCSTCTRL) & MCSTCTRL_MFE && in_table(nic, MTA(0), da);
}

static bool destination(struct e82599 *nic, const uint8_t *da)
{
	static const uint8_t broadcast[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	uint32_t fctrl = *e82599_reg(nic, FCTRL);

	if (!memcmp(da, broadcast, sizeof(broadcast)))
		return fctrl & FCTRL_BAM;
	if (station_address(nic, da))
		return true;
	if (da[0] & 1)
		return fctrl & FCTRL_MPE || multicast_table(nic, da);
	/*
	 * The datasheet has an enable for the unicast table with virtual
	 * machines only.  Software without them clears it: no bit is no match.
	 */
	return fctrl & FCTRL_UPE || in_table(nic, UTA(0), da);
}

/* Only tagged frames are filtered by VLAN. */
static bool vlan(struct e82599 *nic, const uint8_t *frame)
{
	uint32_t vlnctrl = *e82599_reg(nic, VLNCTRL);
	unsigned int id;

	if (!(vlnctrl & VLNCTRL_VFE) || get_be16(frame + 12) != (vlnctrl & VLNCTRL_VET_MASK))
		return true;
	if (vlnctrl & VLNCTRL_CFIEN && !(vlnctrl & VLNCTRL_CFI) != !(frame[14] & 0x10))
		return false;
	id = get_be16(frame + 14) & 0xfff;
	return *e82599_reg(nic, VFTA(id >> 5)) >> (id & 31) & 1;
}

bool e82599_filter(struct e82599 *nic, const uint8_t *frame)
{
	return destination(nic, frame) && vlan(nic, frame);
}
