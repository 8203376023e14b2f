// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts: MSI-X vector n for queues n, one more for link and errors.
 *
 * A vector clears its cause (EIAC) and masks itself (EIAM) when it fires; NAPI
 * unmasks it when it has nothing left to do.  Handlers of queues touch no
 * register at all; they count, for net DIM and the self test.
 */
#include "ixm.h"

/* Causes that the last vector reports. */
#define IXM_OTHER_CAUSES	(IXM_EICR_LSC | IXM_EICR_ECC)

static u32 ixm_irq_other(const struct ixm *ixm)
{
	return ixm->max_queues;
}

static irqreturn_t ixm_irq_queue(int irq, void *data)
{
	struct ixm_queue *q = data;

	WRITE_ONCE(q->irqs, q->irqs + 1);
	napi_schedule_irqoff(&q->napi);
	return IRQ_HANDLED;
}

/*
 * Only here the carrier changes while the device is up, so that two readings
 * of the link never overtake each other.
 */
static void ixm_irq_link(struct ixm *ixm)
{
	u32 speed = SPEED_UNKNOWN;
	bool up = ixm_hw_link(ixm, &speed);

	WRITE_ONCE(ixm->link_speed, speed);
	/* another module may be in the cage */
	WRITE_ONCE(ixm->sfp_known, false);
	if (up == netif_carrier_ok(ixm->dev))
		return;
	if (up) {
		netif_carrier_on(ixm->dev);
		netif_info(ixm, link, ixm->dev, "link up, %u Mb/s\n", speed);
	} else {
		netif_carrier_off(ixm->dev);
		netif_info(ixm, link, ixm->dev, "link down\n");
	}
}

static irqreturn_t ixm_irq_handle_other(int irq, void *data)
{
	struct ixm *ixm = data;
	u32 eicr;

	/* going down: leave the vector masked */
	if (!READ_ONCE(ixm->up))
		return IRQ_HANDLED;
	/* GPIE.OCD: reading clears the other causes, not those of the queues */
	eicr = ixm_read(ixm, IXM_EICR);
	if (READ_ONCE(ixm->gone))
		return IRQ_HANDLED;
	if (eicr & IXM_EICR_LSC)
		ixm_irq_link(ixm);
	if (eicr & IXM_EICR_ECC) {
		netdev_err(ixm->dev, "ECC error in the device, resetting it\n");
		schedule_work(&ixm->reset);
	}
	ixm_write(ixm, IXM_EIMS, IXM_OTHER_CAUSES);
	ixm_write(ixm, IXM_EIMS_EX(0), BIT(ixm_irq_other(ixm)));
	return IRQ_HANDLED;
}

/**
 * ixm_irq_alloc() - allocate as many vectors as can be used
 * @ixm: device; @max_queues is set
 *
 * Return: 0 or a negative error.
 */
int ixm_irq_alloc(struct ixm *ixm)
{
	int n;

	n = pci_alloc_irq_vectors(ixm->pdev, 2, IXM_MAX_QUEUES + 1,
				  PCI_IRQ_MSIX);
	if (n < 0)
		return n;
	ixm->max_queues = n - 1;
	return 0;
}

/**
 * ixm_irq_free() - undo ixm_irq_alloc()
 * @ixm: device
 */
void ixm_irq_free(struct ixm *ixm)
{
	pci_free_irq_vectors(ixm->pdev);
}

/**
 * ixm_irq_request() - request the interrupts of queues @from to @to - 1
 * @ixm: device, which raises none of them
 * @from: first queue
 * @to: past the last queue
 *
 * Return: 0, or a negative error and none of them is requested.
 */
int ixm_irq_request(struct ixm *ixm, u32 from, u32 to)
{
	u32 i;
	int err;

	for (i = from; i < to; i++) {
		struct ixm_queue *q = &ixm->q[i];
		int irq = pci_irq_vector(ixm->pdev, i);

		snprintf(q->name, sizeof(q->name), "%s-TxRx-%u",
			 netdev_name(ixm->dev), i);
		err = request_irq(irq, ixm_irq_queue, 0, q->name, q);
		if (err) {
			ixm_irq_release(ixm, from, i);
			return err;
		}
		netif_napi_set_irq(&q->napi, irq);
	}
	return 0;
}

/**
 * ixm_irq_release() - undo ixm_irq_request()
 * @ixm: device
 * @from: first queue
 * @to: past the last queue
 */
void ixm_irq_release(struct ixm *ixm, u32 from, u32 to)
{
	u32 i;

	for (i = from; i < to; i++) {
		netif_napi_set_irq(&ixm->q[i].napi, -1);
		free_irq(pci_irq_vector(ixm->pdev, i), &ixm->q[i]);
	}
}

/**
 * ixm_irq_request_other() - request the interrupt of link and errors
 * @ixm: device
 *
 * Return: 0 or a negative error.
 */
int ixm_irq_request_other(struct ixm *ixm)
{
	return request_irq(pci_irq_vector(ixm->pdev, ixm_irq_other(ixm)),
			   ixm_irq_handle_other, 0, netdev_name(ixm->dev), ixm);
}

/**
 * ixm_irq_release_other() - undo ixm_irq_request_other()
 * @ixm: device
 */
void ixm_irq_release_other(struct ixm *ixm)
{
	free_irq(pci_irq_vector(ixm->pdev, ixm_irq_other(ixm)), ixm);
}

static void ixm_irq_route(struct ixm *ixm)
{
	u32 queue, ivar = 0, xdp = 0;

	for (queue = 0; queue < ixm->config.queues; queue++) {
		u32 entry = queue | IXM_IVAR_VALID;

		ivar |= entry << ixm_ivar_shift(queue, false) |
			entry << ixm_ivar_shift(queue, true);
		xdp |= entry << ixm_ivar_shift(queue, true);
		if ((queue & 1) || queue == ixm->config.queues - 1) {
			ixm_write(ixm, IXM_IVAR(queue / 2), ivar);
			ixm_write(ixm, IXM_IVAR(IXM_XDP_QUEUE(queue) / 2), xdp);
			ivar = 0;
			xdp = 0;
		}
	}
	ixm_write(ixm, IXM_IVAR_MISC,
		  (ixm_irq_other(ixm) | IXM_IVAR_VALID) <<
		  IXM_IVAR_MISC_OTHER_SHIFT);
}

/**
 * ixm_irq_configure() - routes and modes (4.6.3.10, 7.3.4), all still masked
 * @ixm: device
 */
void ixm_irq_configure(struct ixm *ixm)
{
	ixm_write(ixm, IXM_GPIE,
		  IXM_GPIE_MULTIPLE_MSIX | IXM_GPIE_OCD | IXM_GPIE_EIAME |
		  IXM_GPIE_PBA_SUPPORT);
	ixm_irq_route(ixm);
	ixm_write(ixm, IXM_EIAC, IXM_EICR_RTXQ);
	ixm_write(ixm, IXM_EIAM, IXM_EICR_RTXQ | IXM_EICR_OTHER);
	ixm_write(ixm, IXM_EIAM_EX(0), ~0U);
	ixm_write(ixm, IXM_EIAM_EX(1), ~0U);
	ixm_coalesce_start(ixm);
}

/**
 * ixm_irq_enable() - unmask all
 * @ixm: device
 *
 * The link is looked at once, by its handler.
 */
void ixm_irq_enable(struct ixm *ixm)
{
	/* a cause from before the handlers were there is worth nothing */
	ixm_read(ixm, IXM_EICR);
	ixm_write(ixm, IXM_EIMS, IXM_OTHER_CAUSES);
	ixm_write(ixm, IXM_EIMS_EX(0),
		  BIT(ixm_irq_other(ixm)) | (BIT(ixm->config.queues) - 1));
	ixm_write(ixm, IXM_EICS, IXM_EICR_LSC);
}

/**
 * ixm_irq_disable() - mask all, and wait for handlers that run
 * @ixm: device
 */
void ixm_irq_disable(struct ixm *ixm)
{
	u32 i;

	ixm_write(ixm, IXM_EIMC, IXM_EICR_RTXQ | IXM_EICR_OTHER);
	ixm_write(ixm, IXM_EIMC_EX(0), ~0U);
	ixm_write(ixm, IXM_EIMC_EX(1), ~0U);
	ixm_read(ixm, IXM_STATUS);
	for (i = 0; i < ixm->config.queues; i++)
		synchronize_irq(pci_irq_vector(ixm->pdev, i));
	synchronize_irq(pci_irq_vector(ixm->pdev, ixm_irq_other(ixm)));
}
