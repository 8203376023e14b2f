// SPDX-License-Identifier: GPL-2.0
/*
 * Stopping and going on: after a transmit timeout, a PCI error, a reset by the
 * PCI core, sleep.  All of them take the same way: the device goes down, and
 * comes up with fresh rings.
 */
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/rtnetlink.h>

#include "ixm.h"

/* ---- transmit timeout ---- */

/* Descriptors shown from the first one that is not completed. */
#define IXM_DUMP_DESCS		4

static void ixm_dump_descs(struct ixm *ixm, const struct ixm_tx_ring *tx,
			   u32 from)
{
	u32 i, at;

	for (i = 0; i < IXM_DUMP_DESCS; i++) {
		const struct ixm_tx_desc *desc;

		at = (from + i) & tx->mem.mask;
		desc = &tx->mem.desc[at];
		netdev_err(ixm->dev,
			   "  descriptor %u: %016llx %08x %08x, burst %u\n", at,
			   le64_to_cpu(desc->addr),
			   le32_to_cpu(desc->cmd_type_len),
			   le32_to_cpu(desc->olinfo_status),
			   READ_ONCE(tx->mem.buf[at].burst));
	}
}

static void ixm_dump_tx(struct ixm *ixm, u32 queue)
{
	struct ixm_queue *q = &ixm->q[queue];
	const struct ixm_tx_ring *tx = &q->tx;
	u32 ntc = READ_ONCE(tx->next_to_clean);

	netdev_err(ixm->dev,
		   "TX queue %u: used up to %u, told %u, completed %u of %u; TDH %u, TDT %u, TXDCTL %08x\n",
		   queue, tx->next_to_use, tx->tail, ntc, tx->mem.mask + 1,
		   ixm_read(ixm, IXM_TDH(queue)), ixm_read(ixm, IXM_TDT(queue)),
		   ixm_read(ixm, IXM_TXDCTL(queue)));
	netdev_err(ixm->dev,
		   "  interrupts %u, NAPI %s, EIMS %08x, EIMS_EX %08x, EITR %08x, STATUS %08x\n",
		   READ_ONCE(q->irqs),
		   test_bit(NAPI_STATE_SCHED, &q->napi.state) ? "scheduled" :
		   "idle", ixm_read(ixm, IXM_EIMS),
		   ixm_read(ixm, IXM_EIMS_EX(0)), ixm_read(ixm, IXM_EITR(queue)),
		   ixm_read(ixm, IXM_STATUS));
	ixm_dump_descs(ixm, tx, ntc);
}

/**
 * ixm_tx_timeout() - ndo_tx_timeout
 * @dev: net device
 * @queue: stopped for too long
 *
 * Context: timer; the global TX lock, for which ixm_down() waits before the
 * rings go.
 */
void ixm_tx_timeout(struct net_device *dev, unsigned int queue)
{
	struct ixm *ixm = netdev_priv(dev);

	if (netif_msg_tx_err(ixm))
		ixm_dump_tx(ixm, queue);
	if (READ_ONCE(ixm->gone))
		return;
	netdev_err(dev, "TX queue %u timed out, restarting\n", queue);
	schedule_work(&ixm->reset);
}

/**
 * ixm_reset_work() - restart the device after a timeout or an error of its own
 * @work: of struct ixm
 */
void ixm_reset_work(struct work_struct *work)
{
	struct ixm *ixm = container_of(work, struct ixm, reset);

	rtnl_lock();
	if (netif_running(ixm->dev) && netif_device_present(ixm->dev))
		ixm_restart(ixm);
	rtnl_unlock();
}

/* ---- what all others share ---- */

/* Leave the device alone until ixm_attach(). */
static void ixm_detach(struct ixm *ixm)
{
	rtnl_lock();
	netif_device_detach(ixm->dev);
	ixm_down(ixm);
	rtnl_unlock();
}

/* The device answers again, and remembers nothing. */
static int ixm_revive(struct ixm *ixm)
{
	int err;

	WRITE_ONCE(ixm->gone, false);
	err = ixm_hw_reset(ixm);
	if (!err)
		ixm_hw_driver_loaded(ixm, true);
	return err;
}

/* Go on; a port that cannot is closed, so that it can be opened later. */
static int ixm_attach(struct ixm *ixm)
{
	int err = 0;

	rtnl_lock();
	if (netif_running(ixm->dev)) {
		err = ixm_restart(ixm);
		if (err)
			dev_close(ixm->dev);
	}
	netif_device_attach(ixm->dev);
	rtnl_unlock();
	return err;
}

/* ---- PCI errors, and resets that others ask for ---- */

static pci_ers_result_t ixm_error_detected(struct pci_dev *pdev,
					   pci_channel_state_t state)
{
	ixm_detach(pci_get_drvdata(pdev));
	return state == pci_channel_io_perm_failure ?
	       PCI_ERS_RESULT_DISCONNECT : PCI_ERS_RESULT_NEED_RESET;
}

static pci_ers_result_t ixm_slot_reset(struct pci_dev *pdev)
{
	pci_set_power_state(pdev, PCI_D0);
	pci_restore_state(pdev);
	/* older kernels forget what they have restored */
	pci_save_state(pdev);
	return ixm_revive(pci_get_drvdata(pdev)) ?
	       PCI_ERS_RESULT_DISCONNECT : PCI_ERS_RESULT_RECOVERED;
}

static void ixm_error_resume(struct pci_dev *pdev)
{
	ixm_attach(pci_get_drvdata(pdev));
}

static void ixm_reset_prepare(struct pci_dev *pdev)
{
	ixm_detach(pci_get_drvdata(pdev));
}

static void ixm_reset_done(struct pci_dev *pdev)
{
	struct ixm *ixm = pci_get_drvdata(pdev);

	if (ixm_revive(ixm))
		dev_err(&pdev->dev, "no answer after the reset\n");
	ixm_attach(ixm);
}

const struct pci_error_handlers ixm_err_handler = {
	.error_detected = ixm_error_detected,
	.slot_reset = ixm_slot_reset,
	.resume = ixm_error_resume,
	.reset_prepare = ixm_reset_prepare,
	.reset_done = ixm_reset_done,
};

/* ---- sleep ---- */

static int ixm_suspend(struct device *dev)
{
	struct ixm *ixm = dev_get_drvdata(dev);

	ixm_detach(ixm);
	ixm_hw_driver_loaded(ixm, false);
	return 0;
}

static int ixm_resume(struct device *dev)
{
	struct ixm *ixm = dev_get_drvdata(dev);
	int err = ixm_revive(ixm);

	/* attached all the same: whoever closes it must be able to */
	return ixm_attach(ixm) ?: err;
}

DEFINE_SIMPLE_DEV_PM_OPS(ixm_pm_ops, ixm_suspend, ixm_resume);
