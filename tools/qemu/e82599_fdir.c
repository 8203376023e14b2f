// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flow director, 7.1.2.7: filters that software adds one by one choose the
 * queue of a flow before RSS does.  A perfect-match filter is compared field by
 * field, a signature filter by a hash of the same fields; both are found
 * through the bucket that another hash of them names.
 */
#include "e82599_internal.h"

#define NONE		0	/* ends a bucket's chain: indices count from 1 */
#define PERFECT_BUCKETS	0x1fff

/* What a filter is compared by.  Addresses are as FDIRIPSA and FDIRIPDA hold them. */
struct flow {
	uint32_t type;		/* FDIRCMD's L4TYPE and IPV6 */
	uint16_t vlan, flex, sport, dport;
	uint32_t saddr, daddr;
	uint32_t addresses;	/* all address dwords of the frame added without carry */
};

static bool perfect(struct e82599 *nic)
{
	return *e82599_reg(nic, FDIRCTRL) & FDIRCTRL_PERFECT;
}

/* 7.1.2.7.4: a perfect-match filter takes four times the room. */
static unsigned int room(struct e82599 *nic)
{
	unsigned int size = *e82599_reg(nic, FDIRCTRL) & FDIRCTRL_PBALLOC_MASK;

	return size ? ((perfect(nic) ? 1024u : 4096u) << size) - 2 : 0;
}

static void clear_table(struct e82599 *nic)
{
	struct e82599_fdir *fdir = &nic->fdir;

	memset(fdir->bucket, 0, sizeof(fdir->bucket));
	fdir->used = 0;
	fdir->fresh = 1;
	fdir->freed = NONE;
}

void e82599_fdir_reset(struct e82599 *nic)
{
	clear_table(nic);
	nic->fdir.usable = false;
}

/*
 * 7.1.2.7.5: each set bit n of the key adds the 16 bits of the stream that begin
 * at bit n.  The stream is the fields, folded to 32 bits and repeated; the first
 * dword, of flow type and tag, ends it and is met from n = 1 on.
 */
static uint32_t flow_hash(uint32_t key, const struct flow *flow)
{
	uint32_t first = flow->type << 16 | flow->vlan;
	uint32_t rest = flow->addresses ^ ((uint32_t)flow->sport << 16 | flow->dport) ^
			(uint32_t)flow->flex << 16;
	uint32_t high = rest ^ first ^ first >> 16, low = rest >> 16 | rest << 16;
	uint32_t hash = key & 1 ? low : 0;
	unsigned int n;

	low ^= first ^ first << 16;
	for (n = 1; n < 16; n++)
		if (key >> n & 1)
			hash ^= low >> n;
	for (n = 0; n < 16; n++)
		if (key >> (n + 16) & 1)
			hash ^= high >> n;
	return hash & FDIRHASH_BUCKET_MASK;
}

static uint32_t swap32(uint32_t v)
{
	return v >> 24 | (v >> 8 & 0xff00) | (v & 0xff00) << 8 | v << 24;
}

/* The addresses of a frame, as a network reads them. */
static void read_addresses(const uint8_t *frame, const struct e82599_pkt *pkt,
			   struct flow *flow)
{
	bool v6 = pkt->type & RXD_PKTTYPE_IPV6;
	unsigned int at = pkt->l3 + (v6 ? 8 : 12), end = at + (v6 ? 32 : 8);

	if (!v6) {
		flow->saddr = get_le32(frame + at);
		flow->daddr = get_le32(frame + at + 4);
	}
	for (; at < end; at += 4)
		flow->addresses ^= get_be32(frame + at);
}

static uint32_t flow_type(const struct e82599_pkt *pkt)
{
	uint32_t type = pkt->type & RXD_PKTTYPE_IPV6 ? FDIR_TYPE_IPV6 : 0;

	if (pkt->type & RXD_PKTTYPE_UDP)
		return type | FDIR_TYPE_UDP;
	if (pkt->type & RXD_PKTTYPE_TCP)
		return type | FDIR_TYPE_TCP;
	return pkt->type & RXD_PKTTYPE_SCTP ? type | FDIR_TYPE_SCTP : type;
}

static void read_flow(struct e82599 *nic, const uint8_t *frame, size_t len,
		      const struct e82599_pkt *pkt, struct flow *flow)
{
	unsigned int flex = (*e82599_reg(nic, FDIRCTRL) >> FDIRCTRL_FLEX_SHIFT &
			     FDIRCTRL_FLEX_MASK) * 2;

	memset(flow, 0, sizeof(*flow));
	flow->type = flow_type(pkt);
	if (get_be16(frame + 12) == 0x8100)
		flow->vlan = get_be16(frame + 14) & FDIR_VLAN_MASK;
	if (flex + 2 <= len)
		flow->flex = get_be16(frame + flex);
	if (flow->type & 3) {
		flow->sport = get_be16(frame + pkt->l4);
		flow->dport = get_be16(frame + pkt->l4 + 2);
	}
	read_addresses(frame, pkt, flow);
}

/* The port masks have their bits in reverse order, 8.2.3.21.15. */
static uint16_t reverse(uint16_t v)
{
	uint16_t out = 0;
	unsigned int i;

	for (i = 0; i < 16; i++)
		out |= (v >> i & 1) << (15 - i);
	return out;
}

/* FDIRM and its fellows: what is set there is not compared. */
static void apply_masks(struct e82599 *nic, struct flow *flow)
{
	bool tcp = (flow->type & 3) == FDIR_TYPE_TCP;
	uint32_t fdirm = *e82599_reg(nic, FDIRM);
	uint32_t ports = *e82599_reg(nic, tcp ? FDIRTCPM : FDIRUDPM);

	if (fdirm & FDIRM_L4P)
		flow->type &= FDIR_TYPE_IPV6;
	if (fdirm & FDIRM_VLANID)
		flow->vlan &= 0xf000;
	if (fdirm & FDIRM_VLANP)
		flow->vlan &= 0x0fff;
	if (fdirm & FDIRM_FLEX)
		flow->flex = 0;
	flow->sport &= ~reverse(ports);
	flow->dport &= ~reverse(ports >> 16);
	flow->saddr &= ~*e82599_reg(nic, FDIRSIP4M);
	flow->daddr &= ~*e82599_reg(nic, FDIRDIP4M);
	if (!(flow->type & FDIR_TYPE_IPV6))
		flow->addresses = swap32(flow->saddr ^ flow->daddr);
}

static uint32_t *link_to(struct e82599 *nic, uint32_t hash)
{
	return &nic->fdir.bucket[hash & (perfect(nic) ? PERFECT_BUCKETS : FDIRHASH_BUCKET_MASK)];
}

/* The filter that FDIRHASH names: bucket and signature, or software's index. */
static uint32_t *find(struct e82599 *nic, uint32_t hash)
{
	uint32_t *link;

	for (link = link_to(nic, hash); *link != NONE; link = &nic->fdir.filter[*link].next)
		if (nic->fdir.filter[*link].hash >> 16 == hash >> 16)
			return link;
	return NULL;
}

static void count_change(struct e82599 *nic, uint32_t reg, unsigned int shift,
			 unsigned int width)
{
	uint32_t mask = (BIT32(width) - 1) << shift, value = *e82599_reg(nic, reg);

	/* They stay at their maximum, 8.2.3.21.21. */
	if ((value & mask) != mask)
		*e82599_reg(nic, reg) = value + BIT32(shift);
}

static uint32_t new_filter(struct e82599_fdir *fdir)
{
	uint32_t n = fdir->freed;

	if (n == NONE)
		return fdir->fresh++;
	fdir->freed = fdir->filter[n].next;
	return n;
}

/* Few left: software may want to begin anew, FDIRCTRL.Full-Thresh. */
static void warn_full(struct e82599 *nic)
{
	unsigned int left = room(nic) - nic->fdir.used;

	if (left < (*e82599_reg(nic, FDIRCTRL) >> FDIRCTRL_FULL_SHIFT) * 16)
		e82599_irq_other(nic, EICR_FLOW_DIR);
}

/* A filter that is there already gets the new action when FDIRCMD says so. */
static void add(struct e82599 *nic, uint32_t cmd)
{
	uint32_t hash = *e82599_reg(nic, FDIRHASH), *link = find(nic, hash), n;
	struct e82599_fdir *fdir = &nic->fdir;

	if (link ? !(cmd & FDIRCMD_UPDATE) : fdir->used >= room(nic)) {
		count_change(nic, FDIRFSTAT, 0, 8);
		return;
	}
	if (!link) {
		n = new_filter(fdir);
		fdir->used++;
		fdir->filter[n].next = *link_to(nic, hash);
		*link_to(nic, hash) = n;
		count_change(nic, FDIRUSTAT, 0, 16);
	} else {
		n = *link;
	}
	fdir->filter[n].hash = hash;
	fdir->filter[n].cmd = cmd;
	fdir->filter[n].saddr = *e82599_reg(nic, FDIRIPSA);
	fdir->filter[n].daddr = *e82599_reg(nic, FDIRIPDA);
	fdir->filter[n].ports = *e82599_reg(nic, FDIRPORT);
	fdir->filter[n].vlan = *e82599_reg(nic, FDIRVLAN);
	warn_full(nic);
}

static void remove_filter(struct e82599 *nic)
{
	uint32_t *link = find(nic, *e82599_reg(nic, FDIRHASH)), n;
	struct e82599_fdir *fdir = &nic->fdir;

	if (!link) {
		count_change(nic, FDIRFSTAT, 8, 8);
		return;
	}
	n = *link;
	*link = fdir->filter[n].next;
	fdir->filter[n].next = fdir->freed;
	fdir->freed = n;
	fdir->used--;
	count_change(nic, FDIRUSTAT, 16, 16);
}

/* The command is done at once: CMD reads 0. */
static void command(struct e82599 *nic, uint32_t cmd)
{
	uint32_t shown = cmd & ~(FDIRCMD_CMD_MASK | FDIRCMD_VALID);

	if (cmd & FDIRCMD_CLEARHT)
		clear_table(nic);
	switch (cmd & FDIRCMD_CMD_MASK) {
	case FDIRCMD_ADD:
		add(nic, cmd);
		break;
	case FDIRCMD_REMOVE:
		remove_filter(nic);
		break;
	case FDIRCMD_QUERY:
		if (find(nic, *e82599_reg(nic, FDIRHASH)))
			shown |= FDIRCMD_VALID;
		break;
	}
	*e82599_reg(nic, FDIRCMD) = shown;
}

static bool is_counter(uint32_t addr)
{
	return addr == FDIRLEN || addr == FDIRUSTAT || addr == FDIRFSTAT ||
	       addr == FDIRMATCH || addr == FDIRMISS;
}

/* Writing FDIRCTRL makes the table ready for use, 7.1.2.7.2. */
bool e82599_fdir_write(struct e82599 *nic, uint32_t addr, uint32_t value)
{
	switch (addr) {
	case FDIRCTRL:
		*e82599_reg(nic, addr) = value | FDIRCTRL_INIT_DONE;
		clear_table(nic);
		nic->fdir.usable = room(nic) != 0;
		return true;
	case FDIRCMD:
		command(nic, value);
		return true;
	}
	return is_counter(addr);	/* counted here only */
}

bool e82599_fdir_read(struct e82599 *nic, uint32_t addr, uint32_t *value)
{
	if (addr == FDIRFREE) {
		*value = room(nic) - nic->fdir.used;
		return true;
	}
	if (!is_counter(addr))
		return false;
	*value = *e82599_reg(nic, addr);
	*e82599_reg(nic, addr) = 0;
	return true;
}

static bool same(struct e82599 *nic, const struct e82599_fdir_filter *filter,
		 const struct flow *flow)
{
	struct flow want = {
		.type = filter->cmd >> FDIRCMD_TYPE_SHIFT & FDIRCMD_TYPE_MASK,
		.vlan = filter->vlan & FDIR_VLAN_MASK,
		.flex = (filter->vlan >> 24) | (filter->vlan >> 8 & 0xff00),
		.sport = filter->ports,
		.dport = filter->ports >> 16,
		.saddr = filter->saddr,
		.daddr = filter->daddr,
	};

	apply_masks(nic, &want);
	return want.type == flow->type && want.vlan == flow->vlan && want.flex == flow->flex &&
	       want.sport == flow->sport && want.dport == flow->dport &&
	       want.saddr == flow->saddr && want.daddr == flow->daddr;
}

/* Perfect-match filters know IPv4 addresses only: FDIRIPDA has no more room, 8.2.3.21.8. */
static const struct e82599_fdir_filter *match_perfect(struct e82599 *nic, struct flow *flow)
{
	struct e82599_fdir *fdir = &nic->fdir;
	uint32_t n;

	if (flow->type & FDIR_TYPE_IPV6)
		return NULL;
	apply_masks(nic, flow);
	n = *link_to(nic, flow_hash(*e82599_reg(nic, FDIRHKEY), flow));
	while (n != NONE && !same(nic, &fdir->filter[n], flow))
		n = fdir->filter[n].next;
	return n == NONE ? NULL : &fdir->filter[n];
}

static const struct e82599_fdir_filter *match_signature(struct e82599 *nic,
							 const struct flow *flow)
{
	uint32_t bucket = flow_hash(*e82599_reg(nic, FDIRHKEY), flow);
	uint32_t *link = find(nic, bucket | flow_hash(*e82599_reg(nic, FDIRSKEY), flow) << 16);

	return link ? &nic->fdir.filter[*link] : NULL;
}

/**
 * e82599_fdir - let the filters of a usable table choose a frame's queue
 * @nic: the device
 * @frame: the frame
 * @len: its length
 * @pkt: what e82599_parse() found
 * @queue: changed when a filter matches
 *
 * Return: whether one does.
 */
bool e82599_fdir(struct e82599 *nic, const uint8_t *frame, size_t len,
		 const struct e82599_pkt *pkt, unsigned int *queue)
{
	const struct e82599_fdir_filter *filter;
	struct flow flow;

	if (!pkt->l3)
		return false;
	read_flow(nic, frame, len, pkt, &flow);
	filter = perfect(nic) ? match_perfect(nic, &flow) : match_signature(nic, &flow);
	*e82599_reg(nic, filter ? FDIRMATCH : FDIRMISS) += 1;
	if (!filter)
		return false;
	if (filter->cmd & FDIRCMD_DROP)
		*queue = *e82599_reg(nic, FDIRCTRL) >> FDIRCTRL_DROP_SHIFT & 0x7f;
	else if (filter->cmd & FDIRCMD_QUEUE_EN)
		*queue = filter->cmd >> FDIRCMD_QUEUE_SHIFT & 0x7f;
	return true;
}
