// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The EEPROM, chapter 6 of the datasheet: an image with the sections that
 * software looks at, the checksum, and the read register EERD.
 */
#include "e82599_internal.h"

/* 6.1 and 6.2: the hardware words used here */
#define EE_INIT_CONTROL_1	0x00
#define EE_CORE0_PTR		0x09
#define EE_CORE1_PTR		0x0a
#define EE_FIRST_PTR		0x03
#define EE_LAST_PTR		0x0e
#define EE_PBA			0x15	/* 0xfafa: a string is where the next word points */
#define EE_DEVICE_CAPS		0x2c
#define EE_FIRMWARE_PTR		0x0f
#define EE_SFP_INIT_PTR		0x2b
#define EE_CHECKSUM		0x3f
#define EE_SUM			0xbaba
#define EE_NONE			0xffff

#define CORE0_SECTION		0x80
#define CORE1_SECTION		0x90
#define PBA_SECTION		0xa0
#define SFP_INIT_SECTION	0xb0
#define SFP_INIT_DATA		0xc0
#define FIRMWARE_SECTION	0xd0
#define PASS_THROUGH_SECTION	0xe0
#define CORE_LEN		6	/* MAC address, LED, SDP */

#define SFP_DA_PORT0		3	/* module kinds in the SFP init list */
#define SFP_DA_PORT1		4
#define FIRMWARE_VERSION	6	/* the first that SFI software may rely on */

/* What a port takes for itself; the adapter's other port has the next address. */
static void core_section(uint16_t *ee, unsigned int at, const uint8_t *mac, bool other)
{
	unsigned int i;

	ee[at] = CORE_LEN;
	for (i = 0; i < 3; i++)
		ee[at + 1 + i] = mac[2 * i] | mac[2 * i + 1] << 8;
	ee[at + 3] += other << 8;
	for (i = 4; i <= CORE_LEN; i++)
		ee[at + i] = 0;
}

/* Sum of the hardware words and of every section they point to. */
static uint16_t image_sum(const uint16_t *ee)
{
	uint16_t sum = 0;
	unsigned int i, j, at;

	for (i = 0; i < EE_CHECKSUM; i++)
		sum += ee[i];
	for (i = EE_FIRST_PTR; i <= EE_LAST_PTR; i++) {
		at = ee[i];
		if (at == EE_NONE || at == 0 || at >= E82599_EEPROM_WORDS)
			continue;
		for (j = 1; j <= ee[at] && at + j < E82599_EEPROM_WORDS; j++)
			sum += ee[at + j];
	}
	return sum;
}

void e82599_eeprom_init(struct e82599 *nic)
{
	static const char pba[] = "NETB82-599";
	uint16_t *ee = nic->eeprom;
	unsigned int i;

	memset(ee, 0xff, sizeof(nic->eeprom));
	memset(ee, 0, 0x40 * sizeof(*ee));
	for (i = EE_FIRST_PTR; i <= EE_LAST_PTR + 1; i++)
		ee[i] = EE_NONE;
	/* Optional pointers: alternate and SAN addresses, PHY and SFP init, VPD. */
	ee[0x17] = EE_NONE;
	ee[0x27] = EE_NONE;
	ee[0x28] = EE_NONE;
	ee[0x2f] = EE_NONE;
	ee[0x37] = EE_NONE;

	ee[EE_CORE0_PTR] = CORE0_SECTION;
	ee[EE_CORE1_PTR] = CORE1_SECTION;
	core_section(ee, CORE0_SECTION, nic->cfg.mac, nic->cfg.lan_id != 0);
	core_section(ee, CORE1_SECTION, nic->cfg.mac, nic->cfg.lan_id != 1);

	ee[EE_PBA] = 0xfafa;
	ee[EE_PBA + 1] = PBA_SECTION;
	ee[PBA_SECTION] = 1 + (sizeof(pba) - 1) / 2;
	for (i = 0; i < (sizeof(pba) - 1) / 2; i++)
		ee[PBA_SECTION + 1 + i] = pba[2 * i] << 8 | pba[2 * i + 1];

	ee[EE_DEVICE_CAPS] = 0;
	/* A direct-attach cable, on either port, needs no words in the analog part. */
	ee[EE_SFP_INIT_PTR] = SFP_INIT_SECTION;
	ee[SFP_INIT_SECTION] = 4;
	ee[SFP_INIT_SECTION + 1] = SFP_DA_PORT0;
	ee[SFP_INIT_SECTION + 2] = SFP_INIT_DATA;
	ee[SFP_INIT_SECTION + 3] = SFP_DA_PORT1;
	ee[SFP_INIT_SECTION + 4] = SFP_INIT_DATA;
	ee[SFP_INIT_DATA] = 0;

	ee[EE_FIRMWARE_PTR] = FIRMWARE_SECTION;
	ee[FIRMWARE_SECTION + 4] = PASS_THROUGH_SECTION;
	ee[PASS_THROUGH_SECTION + 7] = FIRMWARE_VERSION;
	ee[EE_CHECKSUM] = EE_SUM - image_sum(ee);
}

/* What the hardware takes from the EEPROM after reset: the station address. */
void e82599_eeprom_load(struct e82599 *nic)
{
	unsigned int at = nic->eeprom[nic->cfg.lan_id ? EE_CORE1_PTR : EE_CORE0_PTR];
	const uint16_t *mac = &nic->eeprom[at + 1];

	*e82599_reg(nic, RAL(0)) = mac[0] | (uint32_t)mac[1] << 16;
	*e82599_reg(nic, RAH(0)) = mac[2] | RAH_AV;
	*e82599_reg(nic, MPSAR(0)) = 0xffffffff;
	*e82599_reg(nic, MPSAR(1)) = 0xffffffff;
}

/* EERD: a read ends at once; beyond the part it returns what an empty bus does. */
uint32_t e82599_eerd(struct e82599 *nic, uint32_t value)
{
	unsigned int addr = EERD_ADDR(value);
	uint16_t data = addr < E82599_EEPROM_WORDS ? nic->eeprom[addr] : 0xffff;

	if (!(value & EERD_START))
		return value & 0xfffc;
	return (uint32_t)data << EERD_DATA_SHIFT | (value & 0xfffc) | EERD_DONE;
}
