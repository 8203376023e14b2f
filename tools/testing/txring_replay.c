// SPDX-License-Identifier: GPL-2.0
/*
 * Plays fixed scripts of frames into a packet socket's TX ring and writes down
 * everything the sender can observe: what send() returns, the state of every
 * frame afterwards, what came out of the device and in which order.
 *
 *   txring_replay
 *
 * The device is a TAP whose other end is this program, so that its queue fills
 * up exactly when the script says so: nothing depends on time, and two kernels
 * that treat the sender alike give the same transcript, byte for byte.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/net_tstamp.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../tap.h"

#ifndef IFF_BACKPRESSURE
#define IFF_BACKPRESSURE	0x0080	/* 7.3: a full TAP stops its queue */
#endif

#define FRAMES		128
#define FRAME_SIZE	2048
#define DATA_OFFSET	(TPACKET2_HDRLEN - sizeof(struct sockaddr_ll))
#define FRAME_LEN	60
#define TOO_LONG	4000	/* more than a ring frame holds */
#define TAP_QUEUE	8	/* frames the TAP takes until it is read */
#define FLOW_OFFSET	(ETH_HLEN + 20 + 1)	/* low byte of the source port */
#define ID_OFFSET	(ETH_HLEN + 20 + 8)
#define PATTERN_OFFSET	(ID_OFFSET + 4)
#define MAX_QUEUES	4

static int loss;		/* PACKET_LOSS of the rings that are opened */
static int tap[MAX_QUEUES];
static unsigned int queues;
static char tap_name[IFNAMSIZ];

static struct {
	int fd;
	char *map;
	unsigned int next;	/* frame that is filled next */
	uint32_t id;		/* number the next packet carries */
} ring;

/* --- frames -------------------------------------------------------------- */

/*
 * UDP over IPv4, so that the queue of a multi-queue TAP can be chosen: the TAP
 * sends a flow to the queue it last got that flow from.  Payload: a number, and
 * bytes that follow from it.
 */
static void make_frame(unsigned char *data, unsigned char flow, uint32_t id)
{
	static const unsigned char head[ID_OFFSET] = {
		0x02, 0, 0, 0, 0, 2,  0x02, 0, 0, 0, 0, 1,  0x08, 0x00,
		0x45, 0, 0, FRAME_LEN - ETH_HLEN,  0, 0, 0, 0,  64, 17, 0, 0,
		10, 99, 0, 1,  10, 99, 0, 2,
		10, 0,  0, 9,  0, FRAME_LEN - ETH_HLEN - 20,  0, 0,
	};
	uint32_t be_id = htonl(id);
	unsigned int b;

	memcpy(data, head, ID_OFFSET);
	data[FLOW_OFFSET] = flow;
	memcpy(data + ID_OFFSET, &be_id, sizeof(be_id));
	for (b = PATTERN_OFFSET; b < FRAME_LEN; b++)
		data[b] = id + b;
}

static int is_ours(const unsigned char *data)
{
	return data[12] == 0x08 && !data[13] && data[23] == 17 && data[34] == 10;
}

/* The number of the frame, when it arrived as it was sent. */
static int read_frame(const unsigned char *data, ssize_t len, uint32_t *id)
{
	unsigned char want[FRAME_LEN];

	memcpy(id, data + ID_OFFSET, sizeof(*id));
	*id = ntohl(*id);
	make_frame(want, data[FLOW_OFFSET], *id);
	return len == FRAME_LEN && !memcmp(data, want, FRAME_LEN);
}

/* --- the device ---------------------------------------------------------- */

static void set_flags(int fd, short set, short clear)
{
	struct ifreq ifr = { 0 };

	memcpy(ifr.ifr_name, tap_name, IFNAMSIZ);
	if (ioctl(fd, SIOCGIFFLAGS, &ifr))
		fail("SIOCGIFFLAGS");
	ifr.ifr_flags = (ifr.ifr_flags | set) & ~clear;
	if (ioctl(fd, SIOCSIFFLAGS, &ifr))
		fail("SIOCSIFFLAGS");
}

static int tap_attach(short flags)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI | flags };
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);

	if (fd < 0)
		fail("/dev/net/tun");
	memcpy(ifr.ifr_name, tap_name, IFNAMSIZ);
	if (ioctl(fd, TUNSETIFF, &ifr))
		fail("TUNSETIFF");
	memcpy(tap_name, ifr.ifr_name, IFNAMSIZ);
	return fd;
}

/* Flow n goes to queue n; to be repeated, since the TAP forgets in seconds. */
static void tap_teach_flows(void)
{
	unsigned char data[FRAME_LEN];
	unsigned int q;

	for (q = 0; q < queues; q++) {
		make_frame(data, q, 0);
		if (write(tap[q], data, sizeof(data)) != sizeof(data))
			fail("write to the TAP");
	}
}

static void tap_open(unsigned int n, short flags)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	struct ifreq ifr = { 0 };
	unsigned int q;

	strcpy(tap_name, "replay%d");
	queues = n;
	for (q = 0; q < n; q++)
		tap[q] = tap_attach(flags | (n > 1 ? IFF_MULTI_QUEUE : 0));
	tap_be_quiet(tap_name);

	memcpy(ifr.ifr_name, tap_name, IFNAMSIZ);
	ifr.ifr_qlen = TAP_QUEUE;
	if (ioctl(fd, SIOCSIFTXQLEN, &ifr))
		fail("SIOCSIFTXQLEN");
	set_flags(fd, IFF_UP | IFF_NOARP, 0);
	close(fd);
}

static void tap_close(void)
{
	while (queues)
		close(tap[--queues]);
}

static void tap_up(int up)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	set_flags(fd, up ? IFF_UP : 0, up ? 0 : IFF_UP);
	close(fd);
}

static void tap_carrier(int on)
{
	if (ioctl(tap[0], TUNSETCARRIER, &on))
		fail("TUNSETCARRIER");
}

/* --- the ring ------------------------------------------------------------ */

static struct tpacket2_hdr *frame(unsigned int i)
{
	return (void *)(ring.map + (i % FRAMES) * FRAME_SIZE);
}

static void ring_option(int level, int option, int value)
{
	if (setsockopt(ring.fd, level, option, &value, sizeof(value)))
		fail("setsockopt");
}

static void ring_open(void)
{
	struct tpacket_req req = {
		.tp_block_size = 4096,
		.tp_block_nr = FRAMES * FRAME_SIZE / 4096,
		.tp_frame_size = FRAME_SIZE,
		.tp_frame_nr = FRAMES,
	};
	struct sockaddr_ll addr = {
		.sll_family = AF_PACKET,
		.sll_ifindex = if_nametoindex(tap_name),
	};

	memset(&ring, 0, sizeof(ring));
	/* Protocol 0: this socket receives nothing. */
	ring.fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (ring.fd < 0)
		fail("socket");
	ring_option(SOL_PACKET, PACKET_VERSION, TPACKET_V2);
	ring_option(SOL_PACKET, PACKET_QDISC_BYPASS, 1);
	ring_option(SOL_PACKET, PACKET_LOSS, loss);
	if (setsockopt(ring.fd, SOL_PACKET, PACKET_TX_RING, &req, sizeof(req)))
		fail("PACKET_TX_RING");
	ring.map = mmap(NULL, FRAMES * FRAME_SIZE, PROT_READ | PROT_WRITE,
			MAP_SHARED, ring.fd, 0);
	if (ring.map == MAP_FAILED)
		fail("mmap");
	if (bind(ring.fd, (void *)&addr, sizeof(addr)))
		fail("bind");
}

static void ring_close(void)
{
	munmap(ring.map, FRAMES * FRAME_SIZE);
	close(ring.fd);
}

static void fill(unsigned int i, uint32_t id, unsigned int len)
{
	struct tpacket2_hdr *hdr = frame(i);

	make_frame((unsigned char *)hdr + DATA_OFFSET, 0, id);
	hdr->tp_len = len;
	__atomic_store_n(&hdr->tp_status, TP_STATUS_SEND_REQUEST,
			 __ATOMIC_RELEASE);
}

static void set_flow(unsigned int i, unsigned char flow)
{
	((unsigned char *)frame(i))[DATA_OFFSET + FLOW_OFFSET] = flow;
}

static void fill_more(unsigned int n)
{
	while (n--)
		fill(ring.next++, ring.id++, FRAME_LEN);
}

/* --- the transcript ------------------------------------------------------ */

/* Runs of equal states: "8*0 1*4 3*1". */
static void print_states(void)
{
	unsigned int i, run = 0;

	printf(" states");
	for (i = 0; i < FRAMES; i++) {
		run++;
		if (i + 1 < FRAMES &&
		    frame(i)->tp_status == frame(i + 1)->tp_status)
			continue;
		printf(" %u*%x", run, frame(i)->tp_status);
		run = 0;
	}
}

/* Read what one queue of the TAP holds; @max frames at most. */
static void drain_queue(unsigned int q, unsigned int max)
{
	unsigned char buf[FRAME_SIZE];
	uint32_t id, first = 0, n = 0;
	ssize_t len;

	if (queues > 1)
		printf(" out of %u", q);
	else
		printf(" out");
	while (max-- && (len = read(tap[q], buf, sizeof(buf))) > 0) {
		if (!is_ours(buf))
			continue;
		if (!read_frame(buf, len, &id))
			printf(" [%u is damaged]", id);
		if (n && id == first + n) {
			n++;
			continue;
		}
		if (n)
			printf(" %u+%u", first, n);
		first = id;
		n = 1;
	}
	if (n)
		printf(" %u+%u", first, n);
}

static void drain(unsigned int max)
{
	unsigned int q;

	for (q = 0; q < queues; q++)
		drain_queue(q, max);
	printf("\n");
}

static void discard(void)
{
	unsigned char buf[FRAME_SIZE];

	while (read(tap[0], buf, sizeof(buf)) > 0)
		;
}

static int do_send(int flags)
{
	int ret = send(ring.fd, NULL, 0, flags);

	printf("  send %d", ret);
	if (ret < 0)
		printf(" (%s)", strerrorname_np(errno));
	return ret;
}

static void send_and_show(int flags)
{
	do_send(flags);
	print_states();
	drain(FRAMES);
}

static void begin(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	ring_open();
}

/* Send until nothing is left to send, with the device read in between. */
static void finish(void)
{
	unsigned int i, tries = 0;

	for (i = 0; i < FRAMES && tries < 2 * FRAMES; i++) {
		if (frame(i)->tp_status == TP_STATUS_AVAILABLE)
			continue;
		send_and_show(MSG_DONTWAIT);
		tries++;
		i = -1;
	}
	ring_close();
}

/* --- the scripts --------------------------------------------------------- */

static void bursts(int flags)
{
	static const unsigned int sizes[] = { 0, 1, 2, 7, 8 };
	unsigned int i, round;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		begin("bursts of %u, flags %x", sizes[i], flags);
		for (round = 0; round < 20; round++) {
			fill_more(sizes[i]);
			send_and_show(flags);
		}
		finish();
	}
}

/* The device fills up in the middle of a call. */
static void overflow(const char *what)
{
	static const unsigned int sizes[] = { 8, 9, 16, 17, 40, 64, 100, 127 };
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		begin("%s: %u frames for a queue of %u", what, sizes[i], TAP_QUEUE);
		fill_more(sizes[i]);
		send_and_show(0);
		finish();
	}
	begin("%s: read less than was sent", what);
	for (i = 0; i < 30; i++) {
		fill_more(3);
		do_send(MSG_DONTWAIT);
		print_states();
		drain(1 + i % 5);
	}
	finish();
}

static void bad_frames(void)
{
	unsigned int n, k;

	for (n = 1; n <= 8; n++) {
		for (k = 0; k < n; k++) {
			begin("frame %u of %u too long, loss %d", k, n, loss);
			fill_more(n);
			frame(k)->tp_len = TOO_LONG;
			send_and_show(0);
			if (frame(k)->tp_status == TP_STATUS_WRONG_FORMAT)
				fill(k, 1000 + k, FRAME_LEN);
			finish();
		}
	}
}

static void device_goes(void)
{
	begin("no carrier, then again");
	fill_more(20);
	tap_carrier(0);
	send_and_show(0);
	send_and_show(0);
	tap_carrier(1);
	finish();

	begin("down, then up");
	fill_more(20);
	tap_up(0);
	send_and_show(0);
	tap_up(1);
	finish();
}

/* The send buffer holds less than a batch. */
static void small_buffer(int flags)
{
	begin("smallest send buffer, flags %x", flags);
	ring_option(SOL_SOCKET, SO_SNDBUF, 1);
	fill_more(60);
	send_and_show(flags);
	finish();
}

/* Frames that stay with the socket, because the device and then the qdisc keep them,
 * and a frame that is too long when the send buffer is all but full.
 */
static void behind_qdisc(int sndbuf)
{
	unsigned int k, tries;

	loss = 1;
	for (k = 0; k < 12; k++) {
		begin("behind a qdisc, send buffer %d, frame %u too long", sndbuf, k);
		ring_option(SOL_PACKET, PACKET_QDISC_BYPASS, 0);
		fill_more(TAP_QUEUE);
		do_send(MSG_DONTWAIT);
		ring_option(SOL_SOCKET, SO_SNDBUF, sndbuf);
		fill_more(24);
		frame(TAP_QUEUE + k)->tp_len = TOO_LONG;
		do_send(MSG_DONTWAIT);
		print_states();
		printf("\n");
		ring_close();
		/* The qdisc runs when it likes. */
		for (tries = 0; tries < 20; tries++) {
			discard();
			usleep(1000);
		}
	}
	loss = 0;
}

static void timestamps(int flags)
{
	begin("software timestamps %x", flags);
	ring_option(SOL_SOCKET, SO_TIMESTAMPING, SOF_TIMESTAMPING_TX_SOFTWARE |
		    SOF_TIMESTAMPING_SOFTWARE | flags);
	ring_option(SOL_PACKET, PACKET_TIMESTAMP, SOF_TIMESTAMPING_SOFTWARE);
	fill_more(8);
	send_and_show(0);
	finish();
}

/* Frames for several queues in one call: who comes first stays first. */
static void many_queues(const char *what)
{
	static const char * const patterns[] = {
		"0123", "00112233", "0001", "0000000012", "01111111111111112",
		"000000000123",
	};
	unsigned int i, k, n;

	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		for (n = 10; n < 60; n += 19) {
			tap_teach_flows();
			begin("queues, %s: %u frames of %s...", what, n, patterns[i]);
			fill_more(n);
			for (k = 0; k < n; k++)
				set_flow(k, patterns[i][k % strlen(patterns[i])] - '0');
			send_and_show(0);
			finish();
		}
	}
}

static uint32_t rnd_state;

static uint32_t rnd(uint32_t n)
{
	rnd_state = rnd_state * 1664525 + 1013904223;
	return (rnd_state >> 8) % n;
}

/*
 * A sender that repairs what was refused, and a reader that lags behind.  @sndbuf: of
 * the socket, 0 for the default.
 */
static void random_script(uint32_t seed, int sndbuf)
{
	unsigned int i, n, step;

	rnd_state = seed;
	loss = rnd(2);
	begin("random, seed %u, loss %d, send buffer %d", seed, loss, sndbuf);
	if (sndbuf)
		ring_option(SOL_SOCKET, SO_SNDBUF, sndbuf);
	for (step = 0; step < 150; step++) {
		for (n = rnd(12); n; n--) {
			if (frame(ring.next)->tp_status != TP_STATUS_AVAILABLE)
				break;
			fill(ring.next++, ring.id++, rnd(12) ? FRAME_LEN : TOO_LONG);
		}
		if (!rnd(10))
			tap_carrier(0);
		do_send(rnd(2) ? MSG_DONTWAIT : 0);
		print_states();
		tap_carrier(1);
		for (i = 0; i < FRAMES; i++)
			if (frame(i)->tp_status == TP_STATUS_WRONG_FORMAT)
				fill(i, 100000 + i, FRAME_LEN);
		drain(rnd(TAP_QUEUE + 4));
	}
	/* What is too long and was not reached yet cannot end the script. */
	for (i = 0; i < FRAMES; i++)
		frame(i)->tp_len = FRAME_LEN;
	finish();
	loss = 0;
}

static void all_scripts(void)
{
	uint32_t seed;

	bursts(0);
	bursts(MSG_DONTWAIT);
	overflow("drops when full");
	bad_frames();
	loss = 1;
	bad_frames();
	loss = 0;
	device_goes();
	small_buffer(0);
	small_buffer(MSG_DONTWAIT);
	timestamps(0);
	timestamps(SOF_TIMESTAMPING_OPT_ID);
	for (seed = 1; seed <= 10; seed++)
		random_script(seed, 0);
	for (seed = 21; seed <= 30; seed++)
		random_script(seed, seed % 2 ? 1 : 8192);
	tap_close();

	tap_open(1, IFF_BACKPRESSURE);
	overflow("stops when full");
	behind_qdisc(1);
	behind_qdisc(8192);
	behind_qdisc(20000);
	for (seed = 11; seed <= 20; seed++)
		random_script(seed, 0);
	for (seed = 31; seed <= 40; seed++)
		random_script(seed, seed % 2 ? 1 : 8192);
	tap_close();

	tap_open(MAX_QUEUES, 0);
	many_queues("drops when full");
	tap_close();
	tap_open(MAX_QUEUES, IFF_BACKPRESSURE);
	many_queues("stops when full");
	tap_close();
}

int main(void)
{
	setvbuf(stdout, NULL, _IOFBF, 65536);
	tap_open(1, 0);
	all_scripts();
	return 0;
}
