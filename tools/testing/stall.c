// SPDX-License-Identifier: GPL-2.0
/*
 * stall - runs in the guest: sends one burst whose last packets the driver
 * drops, and says when the others arrive at the other port.
 *
 *   stall TX-DEVICE RX-DEVICE FRAMES LENGTH runt|good bypass|qdisc REGISTER|-
 *
 * The burst is FRAMES frames of LENGTH bytes from a TX ring, past the qdisc or through
 * it, in one send(): with net.core.tx_batch at 64 one list, each packet but the last
 * with xmit_more.  "runt": the last one is the 14 bytes of an Ethernet header
 * that announces a VLAN tag, which is not there.
 *
 * One frame more goes out after HOLD_MS.  One line tells what the first queue's tail
 * register, at offset REGISTER, was before the burst and before that frame ("-": the
 * device has none), how many frames came in before and after it, and when the first
 * one did.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../program.h"

enum {
	SLOTS		= 128,
	SLOT_SIZE	= 16384,
	RING_SIZE	= SLOTS * SLOT_SIZE,
	DATA_OFFSET	= TPACKET2_HDRLEN - sizeof(struct sockaddr_ll),
	ETYPE_OURS	= 0x88b5,	/* IEEE 802: local experiments */
	REGISTERS	= 0x10000,
	/* Not longer: ixgbe takes frames that it did not send within 2 s for a
	 * hang of the device and resets it.
	 */
	HOLD_MS		= 1500,
	AFTER_MS	= 1000,
};

struct arrivals {
	unsigned int frames;
	double first_ms;	/* since the burst */
};

static char *ring;
static unsigned int next_slot;
static struct timespec start;

static double ms_since_start(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start.tv_sec) * 1e3 + (now.tv_nsec - start.tv_nsec) / 1e6;
}

static int open_socket(const char *device, uint16_t protocol)
{
	struct sockaddr_ll addr = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = if_nametoindex(device),
	};
	int fd = socket(AF_PACKET, SOCK_RAW, 0), room = 2 * RING_SIZE;

	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		fail("socket buffers");
	if (!addr.sll_ifindex || bind(fd, (struct sockaddr *)&addr, sizeof(addr)))
		fail(device);
	return fd;
}

static void set_option(int fd, int option, int value)
{
	if (setsockopt(fd, SOL_PACKET, option, &value, sizeof(value)))
		fail("setsockopt");
}

static int open_ring(const char *device, int bypass)
{
	struct tpacket_req req = {
		.tp_block_size = SLOT_SIZE,
		.tp_block_nr = SLOTS,
		.tp_frame_size = SLOT_SIZE,
		.tp_frame_nr = SLOTS,
	};
	int fd = open_socket(device, 0);

	set_option(fd, PACKET_VERSION, TPACKET_V2);
	set_option(fd, PACKET_QDISC_BYPASS, bypass);
	if (setsockopt(fd, SOL_PACKET, PACKET_TX_RING, &req, sizeof(req)))
		fail("PACKET_TX_RING");
	ring = mmap(NULL, RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED)
		fail("mmap");
	return fd;
}

static void put_frame(unsigned int len, uint16_t etype)
{
	struct tpacket2_hdr *hdr = (void *)(ring + next_slot++ * SLOT_SIZE);
	unsigned char *f = (unsigned char *)hdr + DATA_OFFSET;

	memset(f, 0xff, ETH_ALEN);
	memcpy(f + ETH_ALEN, "\x02\0\0\0\0\1", ETH_ALEN);
	f[12] = etype >> 8;
	f[13] = etype & 0xff;
	hdr->tp_len = len;
	__atomic_store_n(&hdr->tp_status, TP_STATUS_SEND_REQUEST, __ATOMIC_RELEASE);
}

/* The descriptors are the driver's when this returns; nobody waits for them. */
static void hand_over(int fd)
{
	if (send(fd, NULL, 0, MSG_DONTWAIT) < 0)
		fail("send");
}

/* The device's tail register at @offset, beside the driver; NULL for "-". */
static volatile uint32_t *map_tail(const char *device, const char *offset)
{
	unsigned long reg = strtoul(offset, NULL, 0);
	char path[128];
	void *map;
	int fd;

	if (!strcmp(offset, "-"))
		return NULL;
	if (!reg || reg % 4 || reg >= REGISTERS) {
		fprintf(stderr, "error: no such register\n");
		exit(2);
	}

	snprintf(path, sizeof(path), "/sys/class/net/%s/device/resource0", device);
	fd = open(path, O_RDWR);
	map = mmap(NULL, REGISTERS, PROT_READ, MAP_SHARED, fd, 0);
	if (fd < 0 || map == MAP_FAILED)
		fail(path);
	return (volatile uint32_t *)map + reg / 4;
}

static void print_tail(const char *key, volatile uint32_t *tail)
{
	if (tail)
		printf("%s=%u ", key, *tail);
	else
		printf("%s=- ", key);
}

static void watch(int fd, double ms, struct arrivals *a)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	double end = ms_since_start() + ms;
	char frame[SLOT_SIZE];

	while (ms_since_start() < end) {
		if (poll(&p, 1, 20) < 0)
			fail("poll");
		while (recv(fd, frame, sizeof(frame), MSG_DONTWAIT) >= 0)
			if (!a->frames++)
				a->first_ms = ms_since_start();
	}
}

int main(int argc, char **argv)
{
	struct arrivals before = { 0 }, after = { 0 };
	unsigned int frames, len, i;
	volatile uint32_t *tail;
	int tx, rx, runt;
	double next_ms;

	if (argc != 8) {
		fprintf(stderr, "usage: stall TX-DEVICE RX-DEVICE FRAMES LENGTH runt|good bypass|qdisc REGISTER|-\n");
		return 2;
	}
	frames = strtoul(argv[3], NULL, 0);
	len = strtoul(argv[4], NULL, 0);
	runt = !strcmp(argv[5], "runt");
	if (!frames || frames >= SLOTS || len < ETH_ZLEN || len > SLOT_SIZE - DATA_OFFSET) {
		fprintf(stderr, "error: no such burst\n");
		return 2;
	}
	rx = open_socket(argv[2], ETYPE_OURS);
	tx = open_ring(argv[1], !strcmp(argv[6], "bypass"));
	tail = map_tail(argv[1], argv[7]);
	printf("frames=%u ", frames);
	print_tail("tail_before", tail);
	for (i = 0; i < frames - runt; i++)
		put_frame(len, ETYPE_OURS);
	if (runt)
		put_frame(ETH_HLEN, ETH_P_8021Q);
	clock_gettime(CLOCK_MONOTONIC, &start);
	hand_over(tx);
	watch(rx, HOLD_MS, &before);

	print_tail("tail", tail);
	put_frame(ETH_ZLEN, ETYPE_OURS);
	next_ms = ms_since_start();
	hand_over(tx);
	watch(rx, AFTER_MS, &after);
	printf("before=%u before_ms=%.1f next_ms=%.1f after=%u after_ms=%.1f\n",
	       before.frames, before.first_ms, next_ms, after.frames, after.first_ms);
	return 0;
}
