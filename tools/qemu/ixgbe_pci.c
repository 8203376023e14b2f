// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The QEMU side of the emulated 82599: a PCI function with its BARs, messages
 * and timers around the core, and a network client for the wire.
 *
 *   -device ixgbe,netdev=ID[,mac=..][,dma-delay-ns=..][,link-delay-ns=..]
 *                [,speed=10g|max][,rx-pb=..][,wire-queue=..]
 *
 * Read-only properties for the monitor's qom-get: tail-writes and
 * queue-tail-writes, tx-descs, tx-unsupported, tx-malformed, rx-unsupported,
 * dma-errors, tx-segments, tx-frames, rx-frames, mutations.  To be set at any time with qom-set: link, raise-causes,
 * hostile-seed, hostile-rate, removed; see README.rst.
 */
#include "qemu/osdep.h"
#include "hw/pci/msi.h"
#include "hw/pci/msix.h"
#include "hw/pci/pci.h"
#include "hw/pci/pci_bridge.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "net/net.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "qemu/timer.h"
#include "qemu/units.h"
#include "qom/object.h"

#include "82599_regs.h"
#include "e82599.h"

#define TYPE_IXGBE "ixgbe"
OBJECT_DECLARE_SIMPLE_TYPE(IxgbeState, IXGBE)

/* 9.3: BARs and capabilities, at the datasheet's offsets */
#define BAR_MEM		0
#define BAR_IO		2
#define BAR_MSIX	4
#define IO_SIZE		32
#define MSIX_SIZE	0x4000
#define MSIX_PBA	0x2000
#define CAP_PM		0x40
#define CAP_MSI		0x50
#define CAP_MSIX	0x70
#define CAP_PCIE	0xa0
#define CAP_AER		0x100
#define CAP_DSN		0x140
#define D0		0		/* PMCSR */
#define D3HOT		3
#define DEVICE_82599ES	0x10fb
#define SUBSYSTEM_X520	0x0003

#define IOADDR		0
#define IODATA		4

struct IxgbeState {
	PCIDevice parent_obj;
	NICState *nic;
	NICConf conf;
	MemoryRegion mem;
	MemoryRegion io;
	MemoryRegion msix;
	uint32_t ioaddr;
	uint32_t queued;		/* frames that QEMU keeps for a busy back-end */
	QEMUTimer *timer[E82599_TIMERS];
	struct e82599 *core;
	/* properties */
	uint64_t dma_delay_ns;
	uint64_t link_delay_ns;
	char *speed;
	uint32_t rx_buffer;
	uint32_t wire_queue;
	/* properties that change */
	bool link;
	bool removed;
	uint32_t hostile_seed;
	uint32_t hostile_rate;
	bool level;			/* of the interrupt pin, were there no messages */
};

static int ixgbe_dma_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
	return pci_dma_read(opaque, addr, buf, len) != MEMTX_OK;
}

static int ixgbe_dma_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	return pci_dma_write(opaque, addr, buf, len) != MEMTX_OK;
}

/* A frame that QEMU kept is gone. */
static void ixgbe_sent(NetClientState *nc, ssize_t len)
{
	IxgbeState *s = qemu_get_nic_opaque(nc);

	s->queued--;
	if (s->queued < s->wire_queue || !s->queued)
		e82599_wire_ready(s->core);
}

/*
 * 0 from QEMU says that it keeps the frame and calls back when it is gone.  A wire
 * never hesitates: only when many frames wait for the host does the engine, too,
 * so that what the guest sees does not depend on how the host is loaded.
 */
static bool ixgbe_wire_tx(void *opaque, const void *frame, size_t len)
{
	IxgbeState *s = opaque;

	if (qemu_send_packet_async(qemu_get_queue(s->nic), frame, len, ixgbe_sent))
		return true;
	s->queued++;
	return s->queued < s->wire_queue;
}

static void ixgbe_msix(void *opaque, unsigned int vector)
{
	PCIDevice *dev = opaque;

	if (msix_enabled(dev))
		msix_notify(dev, vector);
	else if (msi_enabled(dev))
		msi_notify(dev, 0);
}

/* With messages enabled the pin is silent, 7.3.1.1. */
static void ixgbe_drive_pin(IxgbeState *s)
{
	PCIDevice *dev = PCI_DEVICE(s);

	pci_set_irq(dev, s->level && !msix_enabled(dev) && !msi_enabled(dev));
}

static void ixgbe_intx(void *opaque, bool level)
{
	IxgbeState *s = opaque;

	s->level = level;
	ixgbe_drive_pin(s);
	if (level)
		ixgbe_msix(opaque, 0);
}

static int64_t ixgbe_now(void *opaque)
{
	return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void ixgbe_timer_arm(void *opaque, enum e82599_timer timer, int64_t when)
{
	IxgbeState *s = opaque;

	timer_mod(s->timer[timer], when);
}

static void ixgbe_log(void *opaque, const char *line)
{
	qemu_log_mask(LOG_GUEST_ERROR, "ixgbe %s: %s\n",
		      DEVICE(opaque)->id ? DEVICE(opaque)->id : "?", line);
}

static const struct e82599_ops ixgbe_ops = {
	.dma_read = ixgbe_dma_read,
	.dma_write = ixgbe_dma_write,
	.wire_tx = ixgbe_wire_tx,
	.msix = ixgbe_msix,
	.intx = ixgbe_intx,
	.now = ixgbe_now,
	.timer_arm = ixgbe_timer_arm,
	.log = ixgbe_log,
};

static void ixgbe_timer_tx(void *opaque)
{
	e82599_timer(((IxgbeState *)opaque)->core, E82599_TIMER_TX);
}

static void ixgbe_timer_rx(void *opaque)
{
	e82599_timer(((IxgbeState *)opaque)->core, E82599_TIMER_RX);
}

static void ixgbe_timer_irq(void *opaque)
{
	e82599_timer(((IxgbeState *)opaque)->core, E82599_TIMER_IRQ);
}

static void ixgbe_timer_link(void *opaque)
{
	e82599_timer(((IxgbeState *)opaque)->core, E82599_TIMER_LINK);
}

static QEMUTimerCB *const ixgbe_timer_cb[E82599_TIMERS] = {
	[E82599_TIMER_TX] = ixgbe_timer_tx,
	[E82599_TIMER_RX] = ixgbe_timer_rx,
	[E82599_TIMER_IRQ] = ixgbe_timer_irq,
	[E82599_TIMER_LINK] = ixgbe_timer_link,
};

static ssize_t ixgbe_receive(NetClientState *nc, const uint8_t *buf, size_t len)
{
	IxgbeState *s = qemu_get_nic_opaque(nc);

	e82599_receive(s->core, buf, len);
	return len;
}

static void ixgbe_link_status(NetClientState *nc)
{
	IxgbeState *s = qemu_get_nic_opaque(nc);

	e82599_set_carrier(s->core, s->link && !nc->link_down);
}

static NetClientInfo ixgbe_net = {
	.type = NET_CLIENT_DRIVER_NIC,
	.size = sizeof(NICState),
	.receive = ixgbe_receive,
	.link_status_changed = ixgbe_link_status,
};

static uint64_t ixgbe_mem_read(void *opaque, hwaddr addr, unsigned int size)
{
	return e82599_read(((IxgbeState *)opaque)->core, addr);
}

static void ixgbe_mem_write(void *opaque, hwaddr addr, uint64_t value, unsigned int size)
{
	e82599_write(((IxgbeState *)opaque)->core, addr, value);
}

static const MemoryRegionOps ixgbe_mem_ops = {
	.read = ixgbe_mem_read,
	.write = ixgbe_mem_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 4, .max_access_size = 8 },
	.impl = { .min_access_size = 4, .max_access_size = 4 },
};

/* 8.1.1: the same registers through an address and a data port. */
static uint64_t ixgbe_io_read(void *opaque, hwaddr addr, unsigned int size)
{
	IxgbeState *s = opaque;

	if (addr == IOADDR)
		return s->ioaddr;
	return addr == IODATA ? e82599_read(s->core, s->ioaddr) : 0;
}

static void ixgbe_io_write(void *opaque, hwaddr addr, uint64_t value, unsigned int size)
{
	IxgbeState *s = opaque;

	if (addr == IOADDR)
		s->ioaddr = value;
	else if (addr == IODATA)
		e82599_write(s->core, s->ioaddr, value);
}

static const MemoryRegionOps ixgbe_io_ops = {
	.read = ixgbe_io_read,
	.write = ixgbe_io_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 4, .max_access_size = 8 },
	.impl = { .min_access_size = 4, .max_access_size = 4 },
};

/* "queue:writes", the queues that had any. */
static char *ixgbe_queue_tail_writes(Object *obj, Error **errp)
{
	GString *text = g_string_new("");
	uint64_t writes;
	unsigned int i;

	for (i = 0; i < E82599_QUEUES; i++) {
		writes = e82599_queue_tail_writes(IXGBE(obj)->core, i);
		if (writes)
			g_string_append_printf(text, "%s%u:%" PRIu64, text->len ? " " : "",
					       i, writes);
	}
	return g_string_free(text, FALSE);
}

static void ixgbe_add_counters(IxgbeState *s)
{
	const struct e82599_counters *count = e82599_counters(s->core);
	const struct {
		const char *name;
		const uint64_t *value;
	} counters[] = {
		{ "tail-writes", &count->tail_writes },
		{ "tx-descs", &count->tx_descs },
		{ "tx-unsupported", &count->tx_unsupported },
		{ "tx-malformed", &count->tx_malformed },
		{ "rx-unsupported", &count->rx_unsupported },
		{ "dma-errors", &count->dma_errors },
		{ "tx-segments", &count->tx_segments },
		{ "tx-frames", &count->tx_frames },
		{ "rx-frames", &count->rx_frames },
		{ "mutations", &count->mutations },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++)
		object_property_add_uint64_ptr(OBJECT(s), counters[i].name, counters[i].value,
					       OBJ_PROP_FLAG_READ);
	object_property_add_str(OBJECT(s), "queue-tail-writes", ixgbe_queue_tail_writes, NULL);
}

static bool ixgbe_make_core(IxgbeState *s, Error **errp)
{
	struct e82599_config config = {
		.lan_id = PCI_FUNC(PCI_DEVICE(s)->devfn) & 1,
		.dma_delay_ns = s->dma_delay_ns,
		.link_delay_ns = s->link_delay_ns,
		.line_rate = strcmp(s->speed, "max"),
		.rx_buffer = s->rx_buffer,
	};
	unsigned int i;

	if (s->rx_buffer < 16 * KiB || s->rx_buffer > 64 * MiB) {
		error_setg(errp, "rx-pb must be 16 KiB to 64 MiB");
		return false;
	}
	if (strcmp(s->speed, "10g") && strcmp(s->speed, "max")) {
		error_setg(errp, "speed must be 10g or max");
		return false;
	}
	memcpy(config.mac, s->conf.macaddr.a, sizeof(config.mac));
	for (i = 0; i < E82599_TIMERS; i++)
		s->timer[i] = timer_new_ns(QEMU_CLOCK_VIRTUAL, ixgbe_timer_cb[i], s);
	s->core = e82599_new(&ixgbe_ops, s, &config);
	if (!s->core) {
		error_setg(errp, "no memory for the 82599");
		return false;
	}
	e82599_set_carrier(s->core, s->link);
	e82599_set_hostile_rate(s->core, s->hostile_rate);
	e82599_set_hostile(s->core, s->hostile_seed);
	ixgbe_add_counters(s);
	return true;
}

static void ixgbe_add_bars(IxgbeState *s)
{
	PCIDevice *dev = PCI_DEVICE(s);

	memory_region_init_io(&s->mem, OBJECT(s), &ixgbe_mem_ops, s, "ixgbe-mem",
			      E82599_BAR0_SIZE);
	memory_region_init_io(&s->io, OBJECT(s), &ixgbe_io_ops, s, "ixgbe-io", IO_SIZE);
	memory_region_init(&s->msix, OBJECT(s), "ixgbe-msix", MSIX_SIZE);
	pci_register_bar(dev, BAR_MEM, PCI_BASE_ADDRESS_MEM_TYPE_64 |
			 PCI_BASE_ADDRESS_MEM_PREFETCH, &s->mem);
	pci_register_bar(dev, BAR_IO, PCI_BASE_ADDRESS_SPACE_IO, &s->io);
	pci_register_bar(dev, BAR_MSIX, PCI_BASE_ADDRESS_MEM_TYPE_64 |
			 PCI_BASE_ADDRESS_MEM_PREFETCH, &s->msix);
}

static bool ixgbe_add_pcie(PCIDevice *dev, Error **errp)
{
	const uint8_t *mac = IXGBE(dev)->conf.macaddr.a;
	uint64_t serial = (uint64_t)mac[0] << 56 | (uint64_t)mac[1] << 48 |
			  (uint64_t)mac[2] << 40 | UINT64_C(0xffff) << 24 |
			  (uint64_t)mac[3] << 16 | mac[4] << 8 | mac[5];

	if (!pci_bus_is_express(pci_get_bus(dev)))
		return true;
	if (pcie_endpoint_cap_init(dev, CAP_PCIE) < 0) {
		error_setg(errp, "no room for the PCIe capability");
		return false;
	}
	if (pcie_aer_init(dev, PCI_ERR_VER, CAP_AER, PCI_ERR_SIZEOF, errp) < 0)
		return false;
	/* or the driver cannot ask for messages */
	pcie_cap_deverr_init(dev);
	pcie_cap_flr_init(dev);
	pcie_dev_ser_num_init(dev, CAP_DSN, serial);
	return true;
}

static bool ixgbe_add_capabilities(IxgbeState *s, Error **errp)
{
	PCIDevice *dev = PCI_DEVICE(s);
	unsigned int i;
	int pm;

	pm = pci_add_capability(dev, PCI_CAP_ID_PM, CAP_PM, PCI_PM_SIZEOF, errp);
	if (pm < 0)
		return false;
	pci_set_word(dev->config + pm + PCI_PM_PMC, PCI_PM_CAP_VER_1_2);
	pci_set_word(dev->wmask + pm + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
	if (msi_init(dev, CAP_MSI, 1, true, true, errp))
		return false;
	if (msix_init(dev, E82599_VECTORS, &s->msix, BAR_MSIX, 0, &s->msix, BAR_MSIX, MSIX_PBA,
		      CAP_MSIX, errp))
		return false;
	for (i = 0; i < E82599_VECTORS; i++)
		msix_vector_use(dev, i);
	return ixgbe_add_pcie(dev, errp);
}

static void ixgbe_exit(PCIDevice *dev)
{
	IxgbeState *s = IXGBE(dev);
	unsigned int i;

	for (i = 0; i < E82599_TIMERS; i++) {
		if (s->timer[i])
			timer_free(s->timer[i]);
	}
	if (s->nic)
		qemu_del_nic(s->nic);
	e82599_free(s->core);
	if (pci_is_express(dev) && pci_bus_is_express(pci_get_bus(dev)))
		pcie_aer_exit(dev);
	if (msix_present(dev))
		msix_uninit(dev, &s->msix, &s->msix);
	msi_uninit(dev);
}

static void ixgbe_realize(PCIDevice *dev, Error **errp)
{
	IxgbeState *s = IXGBE(dev);

	dev->config[PCI_INTERRUPT_PIN] = 1 + (PCI_FUNC(dev->devfn) & 1);
	qemu_macaddr_default_if_unset(&s->conf.macaddr);
	ixgbe_add_bars(s);
	if (!ixgbe_add_capabilities(s, errp) || !ixgbe_make_core(s, errp)) {
		ixgbe_exit(dev);
		return;
	}
	s->nic = qemu_new_nic(&ixgbe_net, &s->conf, TYPE_IXGBE, DEVICE(dev)->id,
			      &DEVICE(dev)->mem_reentrancy_guard, s);
	qemu_format_nic_info_str(qemu_get_queue(s->nic), s->conf.macaddr.a);
}

static uint32_t ixgbe_read_config(PCIDevice *dev, uint32_t addr, int len)
{
	return IXGBE(dev)->removed ? UINT32_MAX : pci_default_read_config(dev, addr, len);
}

/* 9.3.3.4: D3hot takes the registers away, the way back to D0 resets the function. */
static void ixgbe_power_written(IxgbeState *s, unsigned int was)
{
	PCIDevice *dev = PCI_DEVICE(s);
	uint8_t *pmcsr = dev->config + CAP_PM + PCI_PM_CTRL;
	unsigned int state = pci_get_word(pmcsr) & PCI_PM_CTRL_STATE_MASK;

	if (state == was)
		return;
	if (state == D3HOT)
		e82599_set_power(s->core, false);
	else if (state == D0)
		pci_device_reset(dev);
	else	/* D1 and D2, which there are not */
		pci_set_word(pmcsr, (pci_get_word(pmcsr) & ~PCI_PM_CTRL_STATE_MASK) | was);
}

static void ixgbe_write_config(PCIDevice *dev, uint32_t addr, uint32_t value, int len)
{
	IxgbeState *s = IXGBE(dev);
	unsigned int power = pci_get_word(dev->config + CAP_PM + PCI_PM_CTRL) &
			     PCI_PM_CTRL_STATE_MASK;

	if (s->removed)
		return;
	pci_default_write_config(dev, addr, value, len);
	if (pci_is_express(dev) && pci_bus_is_express(pci_get_bus(dev))) {
		pcie_cap_flr_write_config(dev, addr, value, len);
		pcie_aer_write_config(dev, addr, value, len);
	}
	ixgbe_power_written(s, power);
	ixgbe_drive_pin(s);
}

static void ixgbe_reset(DeviceState *dev)
{
	IxgbeState *s = IXGBE(dev);

	s->ioaddr = 0;
	pci_word_test_and_clear_mask(PCI_DEVICE(s)->config + CAP_PM + PCI_PM_CTRL,
				     PCI_PM_CTRL_STATE_MASK);
	e82599_set_power(s->core, !s->removed);
}

/* What the port's hardware sees of a card torn out: no presence, no link. */
static void ixgbe_empty_slot(PCIDevice *dev)
{
	PCIDevice *port = pci_bridge_get_device(pci_get_bus(dev));
	uint8_t *cap;

	if (!port || !port->exp.exp_cap)
		return;
	cap = port->config + port->exp.exp_cap;
	pci_word_test_and_clear_mask(cap + PCI_EXP_SLTSTA, PCI_EXP_SLTSTA_PDS);
	pci_word_test_and_clear_mask(cap + PCI_EXP_LNKSTA, PCI_EXP_LNKSTA_DLLLA);
	pci_word_test_and_set_mask(cap + PCI_EXP_SLTSTA, PCI_EXP_SLTSTA_PDC);
	if (!(pci_get_word(cap + PCI_EXP_SLTCTL) & PCI_EXP_SLTCTL_HPIE))
		return;
	port->exp.hpev_notified = true;
	if (msix_enabled(port))
		msix_notify(port, pcie_cap_flags_get_vector(port));
	else if (msi_enabled(port))
		msi_notify(port, pcie_cap_flags_get_vector(port));
	else
		pci_irq_assert(port);
}

static bool ixgbe_get_removed(Object *obj, Error **errp)
{
	return IXGBE(obj)->removed;
}

/* Torn out, or put back: as after power-on, for whoever rescans the bus. */
static void ixgbe_set_removed(Object *obj, bool removed, Error **errp)
{
	IxgbeState *s = IXGBE(obj);

	if (!s->core || removed == s->removed) {
		error_setg(errp, "the device is %s its slot", removed ? "not in" : "in");
		return;
	}
	if (!removed && pci_bridge_get_device(pci_get_bus(PCI_DEVICE(s)))) {
		error_setg(errp, "a slot's device is put back by device_del and device_add");
		return;
	}
	s->removed = removed;
	if (removed) {
		e82599_set_power(s->core, false);
		ixgbe_empty_slot(PCI_DEVICE(s));
	} else {
		pci_device_reset(PCI_DEVICE(s));
	}
}

static bool ixgbe_get_link(Object *obj, Error **errp)
{
	return IXGBE(obj)->link;
}

static void ixgbe_set_link(Object *obj, bool link, Error **errp)
{
	IxgbeState *s = IXGBE(obj);

	s->link = link;
	if (s->nic)
		ixgbe_link_status(qemu_get_queue(s->nic));
}

/* Bits of EICR: not kept, hence there is nothing to get. */
static void ixgbe_raise_causes(Object *obj, Visitor *v, const char *name, void *opaque,
			       Error **errp)
{
	IxgbeState *s = IXGBE(obj);
	uint32_t causes;

	if (visit_type_uint32(v, name, &causes, errp) && s->core)
		e82599_raise(s->core, causes);
}

static void ixgbe_get_hostile_seed(Object *obj, Visitor *v, const char *name, void *opaque,
				   Error **errp)
{
	visit_type_uint32(v, name, &IXGBE(obj)->hostile_seed, errp);
}

static void ixgbe_set_hostile_seed(Object *obj, Visitor *v, const char *name, void *opaque,
				   Error **errp)
{
	IxgbeState *s = IXGBE(obj);

	if (visit_type_uint32(v, name, &s->hostile_seed, errp) && s->core)
		e82599_set_hostile(s->core, s->hostile_seed);
}

static void ixgbe_get_hostile_rate(Object *obj, Visitor *v, const char *name, void *opaque,
				   Error **errp)
{
	visit_type_uint32(v, name, &IXGBE(obj)->hostile_rate, errp);
}

static void ixgbe_set_hostile_rate(Object *obj, Visitor *v, const char *name, void *opaque,
				   Error **errp)
{
	IxgbeState *s = IXGBE(obj);
	uint32_t rate;

	if (!visit_type_uint32(v, name, &rate, errp))
		return;
	if (rate > 1000) {
		error_setg(errp, "hostile-rate is in 1000");
		return;
	}
	s->hostile_rate = rate;
	if (s->core)
		e82599_set_hostile_rate(s->core, rate);
}

static void ixgbe_instance_init(Object *obj)
{
	IXGBE(obj)->speed = g_strdup("10g");
	IXGBE(obj)->link = true;
	IXGBE(obj)->hostile_rate = E82599_HOSTILE_RATE;
}

static Property ixgbe_properties[] = {
	DEFINE_NIC_PROPERTIES(IxgbeState, conf),
	DEFINE_PROP_UINT64("dma-delay-ns", IxgbeState, dma_delay_ns, 1000),
	DEFINE_PROP_UINT64("link-delay-ns", IxgbeState, link_delay_ns, 1000000),
	DEFINE_PROP_STRING("speed", IxgbeState, speed),
	DEFINE_PROP_UINT32("rx-pb", IxgbeState, rx_buffer, 512 * KiB),
	DEFINE_PROP_UINT32("wire-queue", IxgbeState, wire_queue, 16384),
	DEFINE_PROP_END_OF_LIST(),
};

static const VMStateDescription ixgbe_vmstate = {
	.name = TYPE_IXGBE,
	.unmigratable = 1,
};

static void ixgbe_class_init(ObjectClass *class, void *data)
{
	DeviceClass *dc = DEVICE_CLASS(class);
	PCIDeviceClass *pc = PCI_DEVICE_CLASS(class);

	pc->realize = ixgbe_realize;
	pc->exit = ixgbe_exit;
	pc->config_read = ixgbe_read_config;
	pc->config_write = ixgbe_write_config;
	pc->vendor_id = PCI_VENDOR_ID_INTEL;
	pc->device_id = DEVICE_82599ES;
	pc->revision = 1;
	pc->class_id = PCI_CLASS_NETWORK_ETHERNET;
	pc->subsystem_vendor_id = PCI_VENDOR_ID_INTEL;
	pc->subsystem_id = SUBSYSTEM_X520;
	dc->desc = "Intel 82599ES 10 Gigabit Ethernet";
	dc->reset = ixgbe_reset;
	dc->vmsd = &ixgbe_vmstate;
	device_class_set_props(dc, ixgbe_properties);
	object_class_property_add_bool(class, "link", ixgbe_get_link, ixgbe_set_link);
	object_class_property_add_bool(class, "removed", ixgbe_get_removed, ixgbe_set_removed);
	object_class_property_add(class, "raise-causes", "uint32", NULL, ixgbe_raise_causes,
				  NULL, NULL);
	object_class_property_add(class, "hostile-seed", "uint32", ixgbe_get_hostile_seed,
				  ixgbe_set_hostile_seed, NULL, NULL);
	object_class_property_add(class, "hostile-rate", "uint32", ixgbe_get_hostile_rate,
				  ixgbe_set_hostile_rate, NULL, NULL);
	set_bit(DEVICE_CATEGORY_NETWORK, dc->categories);
}

static const TypeInfo ixgbe_info = {
	.name = TYPE_IXGBE,
	.parent = TYPE_PCI_DEVICE,
	.instance_size = sizeof(IxgbeState),
	.instance_init = ixgbe_instance_init,
	.class_init = ixgbe_class_init,
	.interfaces = (InterfaceInfo[]) {
		{ INTERFACE_PCIE_DEVICE },
		{ }
	},
};

static void ixgbe_register(void)
{
	type_register_static(&ixgbe_info);
}

type_init(ixgbe_register)
