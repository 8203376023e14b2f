// SPDX-License-Identifier: GPL-2.0
/* Driver for the Intel 82599 10 GbE controller: probe and remove. */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/rtnetlink.h>
#include <net/netdev_queues.h>

#include "ixm.h"

static const struct pci_device_id ixm_pci_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x10fb) },	/* 82599ES, SFI/SFP+ */
	{ }
};
MODULE_DEVICE_TABLE(pci, ixm_pci_ids);

static int ixm_map(struct ixm *ixm)
{
	struct pci_dev *pdev = ixm->pdev;
	int err;

	err = pcim_enable_device(pdev);
	if (err)
		return dev_err_probe(&pdev->dev, err, "cannot enable\n");
	if (pci_resource_len(pdev, 0) < IXM_BAR_MIN)
		return dev_err_probe(&pdev->dev, -ENODEV, "BAR 0 too small\n");
	ixm->bar = pcim_iomap_region(pdev, 0, IXM_DRV_NAME);
	if (IS_ERR(ixm->bar))
		return dev_err_probe(&pdev->dev, PTR_ERR(ixm->bar),
				     "cannot map BAR 0\n");
	err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (err)
		return dev_err_probe(&pdev->dev, err, "no DMA mask\n");
	return 0;
}

static void ixm_init_queue(struct ixm *ixm, u32 index)
{
	struct ixm_queue *q = &ixm->q[index];

	q->ixm = ixm;
	q->index = index;
	q->tx.dev = &ixm->pdev->dev;
	q->tx.tdt = ixm->bar + IXM_TDT(index);
	q->tx.defer = true;
	u64_stats_init(&q->tx.xmit.syncp);
	u64_stats_init(&q->tx.done.syncp);
	q->xdp.dev = &ixm->pdev->dev;
	q->xdp.tdt = ixm->bar + IXM_TDT(IXM_XDP_QUEUE(index));
	u64_stats_init(&q->xdp.xmit.syncp);
	u64_stats_init(&q->xdp.done.syncp);
	spin_lock_init(&q->xdp_lock);
	q->rx.rdt = ixm->bar + IXM_RDT(index);
	u64_stats_init(&q->rx.stats.syncp);
	ixm_coalesce_init(q);
	netif_napi_add_config(ixm->dev, &q->napi, ixm_poll, index);
}

static int ixm_init_queues(struct ixm *ixm)
{
	u32 i;

	ixm->q = kvcalloc(ixm->max_queues, sizeof(*ixm->q), GFP_KERNEL);
	if (!ixm->q)
		return -ENOMEM;
	for (i = 0; i < ixm->max_queues; i++)
		ixm_init_queue(ixm, i);
	ixm->config.queues = min_t(u32, ixm->max_queues,
				   netif_get_num_default_rss_queues());
	ixm->config.tx_ring = IXM_DEF_RING;
	ixm->config.rx_ring = IXM_DEF_RING;
	ixm_rss_init(ixm);
	return 0;
}

static void ixm_free_queues(struct ixm *ixm)
{
	u32 i;

	for (i = 0; i < ixm->max_queues; i++)
		netif_napi_del(&ixm->q[i].napi);
	kvfree(ixm->q);
}

static void ixm_init_netdev(struct ixm *ixm)
{
	struct net_device *dev = ixm->dev;
	u8 addr[ETH_ALEN];

	dev->netdev_ops = &ixm_netdev_ops;
	dev->ethtool_ops = &ixm_ethtool_ops;
	ixm_set_stat_ops(dev, &ixm_stat_ops);
	ixm_features_init(dev);
	dev->priv_flags |= IFF_UNICAST_FLT;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = IXM_MTU_MAX;
	dev->watchdog_timeo = 5 * HZ;

	ixm_hw_get_mac(ixm, addr);
	if (is_valid_ether_addr(addr)) {
		eth_hw_addr_set(dev, addr);
	} else {
		eth_hw_addr_random(dev);
		dev_warn(&ixm->pdev->dev,
			 "no valid address in the EEPROM (%pM), using a random one\n",
			 addr);
	}
}

static int ixm_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct net_device *dev;
	struct ixm *ixm;
	int err;

	dev = alloc_etherdev_mqs(sizeof(*ixm), IXM_MAX_QUEUES, IXM_MAX_QUEUES);
	if (!dev)
		return -ENOMEM;
	SET_NETDEV_DEV(dev, &pdev->dev);
	ixm = netdev_priv(dev);
	ixm->dev = dev;
	ixm->pdev = pdev;
	ixm->link_speed = SPEED_UNKNOWN;
	ixm->msg_enable = NETIF_MSG_DRV | NETIF_MSG_PROBE | NETIF_MSG_LINK |
			  NETIF_MSG_TX_ERR;
	spin_lock_init(&ixm->stats_lock);
	INIT_WORK(&ixm->reset, ixm_reset_work);
	pci_set_drvdata(pdev, ixm);

	err = ixm_map(ixm);
	if (err)
		goto err_netdev;
	err = ixm_irq_alloc(ixm);
	if (err) {
		dev_err_probe(&pdev->dev, err, "no MSI-X vectors\n");
		goto err_netdev;
	}
	err = ixm_init_queues(ixm);
	if (err)
		goto err_irq;

	err = ixm_hw_reset(ixm);
	if (err)
		goto err_queues;
	ixm_hw_driver_loaded(ixm, true);
	ixm_init_netdev(ixm);
	netif_carrier_off(dev);
	err = register_netdev(dev);
	if (err)
		goto err_loaded;

	/* for ixm_slot_reset() */
	pci_save_state(pdev);
	netdev_info(dev, "82599 at %s, %pM, up to %u queues\n", pci_name(pdev),
		    dev->dev_addr, ixm->max_queues);
	return 0;

err_loaded:
	ixm_hw_driver_loaded(ixm, false);
err_queues:
	ixm_free_queues(ixm);
err_irq:
	ixm_irq_free(ixm);
err_netdev:
	free_netdev(dev);
	return err;
}

static void ixm_remove(struct pci_dev *pdev)
{
	struct ixm *ixm = pci_get_drvdata(pdev);

	unregister_netdev(ixm->dev);
	/* closed by now: the work finds nothing to do, but may hold a pointer */
	cancel_work_sync(&ixm->reset);
	ixm_hw_driver_loaded(ixm, false);
	ixm_free_queues(ixm);
	ixm_irq_free(ixm);
	free_netdev(ixm->dev);
}

/* Before kexec and power off: no DMA into memory that gets another owner. */
static void ixm_shutdown(struct pci_dev *pdev)
{
	struct ixm *ixm = pci_get_drvdata(pdev);

	rtnl_lock();
	netif_device_detach(ixm->dev);
	if (netif_running(ixm->dev))
		dev_close(ixm->dev);
	rtnl_unlock();
}

static struct pci_driver ixm_pci_driver = {
	.name = IXM_DRV_NAME,
	.id_table = ixm_pci_ids,
	.probe = ixm_probe,
	.remove = ixm_remove,
	.shutdown = ixm_shutdown,
	.err_handler = &ixm_err_handler,
	.driver.pm = pm_sleep_ptr(&ixm_pm_ops),
};

static int __init ixm_init(void)
{
	int err = pci_register_driver(&ixm_pci_driver);
	struct pci_dev *pdev;

	if (err)
		return err;
	pdev = pci_get_device(PCI_VENDOR_ID_INTEL, 0x10fb, NULL);
	if (!pdev)
		pr_info("%s: no 82599 in this machine\n", IXM_DRV_NAME);
	pci_dev_put(pdev);
	return 0;
}

static void __exit ixm_exit(void)
{
	pci_unregister_driver(&ixm_pci_driver);
}

module_init(ixm_init);
module_exit(ixm_exit);

MODULE_AUTHOR("netbatch");
MODULE_DESCRIPTION("Intel 82599 10 GbE driver with deferred transmit tail writes");
MODULE_LICENSE("GPL");
