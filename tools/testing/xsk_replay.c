// SPDX-License-Identifier: GPL-2.0
/*
 * Plays fixed scripts of descriptors into AF_XDP sockets in copy mode and writes
 * down everything the sender can observe: what sendto() returns, the indexes of
 * both rings, the completions and their order, the counters, what came out of
 * the device and in which order.
 *
 *   xsk_replay
 *   xsk_replay -f    allocations fail instead, one after the other: each frame
 *                    must come out once, in order, and complete once
 *
 * The device is a TAP whose other end is this program, so that its queue fills up
 * exactly when the script says so: nothing depends on time, and two kernels that
 * treat the sender alike give the same transcript, byte for byte.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include "../tap.h"
#include "../xsk_ring.h"

#ifndef IFF_BACKPRESSURE
#define IFF_BACKPRESSURE	0x0080	/* 7.3: a full TAP stops its queue */
#endif
#ifndef XDP_UMEM_TX_METADATA_LEN
#define XDP_TX_METADATA		(1 << 1)
#endif

enum {
	CHUNKS		= 256,
	ENTRIES		= 128,
	FRAME_LEN	= 60,
	LONG_LEN	= 1400,
	ID_OFFSET	= 14,
	TAP_QUEUE	= 8,	/* frames the TAP takes until it is read */
	MAX_FRAME	= 65536,
	IDS		= 8192,	/* more descriptors than a script has */
};

static int tap;
static char tap_name[IFNAMSIZ];
static unsigned int tap_index;
static struct xsk socks[2];
static uint32_t next_id;	/* number of the next descriptor */
static uint32_t length[IDS];	/* of a descriptor, by number */

/* --- the device ---------------------------------------------------------- */

static void set_flags(short set, short clear)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	struct ifreq ifr = { 0 };

	memcpy(ifr.ifr_name, tap_name, IFNAMSIZ);
	if (ioctl(fd, SIOCGIFFLAGS, &ifr))
		fail("SIOCGIFFLAGS");
	ifr.ifr_flags = (ifr.ifr_flags | set) & ~clear;
	if (ioctl(fd, SIOCSIFFLAGS, &ifr))
		fail("SIOCSIFFLAGS");
	close(fd);
}

static void tap_open(short flags)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI | flags };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
	if (tap < 0)
		fail("/dev/net/tun");
	strcpy(ifr.ifr_name, "replay%d");
	if (ioctl(tap, TUNSETIFF, &ifr))
		fail("TUNSETIFF");
	memcpy(tap_name, ifr.ifr_name, IFNAMSIZ);
	tap_be_quiet(tap_name);
	ifr.ifr_qlen = TAP_QUEUE;
	if (ioctl(fd, SIOCSIFTXQLEN, &ifr))
		fail("SIOCSIFTXQLEN");
	close(fd);
	set_flags(IFF_UP | IFF_NOARP, 0);
	tap_index = if_nametoindex(tap_name);
}

static void tap_carrier(int on)
{
	if (ioctl(tap, TUNSETCARRIER, &on))
		fail("TUNSETCARRIER");
}

/* --- descriptors --------------------------------------------------------- */

/* What a frame or a part of one holds, from its number. */
static void make_part(unsigned char *data, uint32_t len, uint32_t id)
{
	uint32_t b, be_id = htonl(id);

	for (b = 0; b < len; b++)
		data[b] = id + b;
	memcpy(data, "\x02\0\0\0\0\2\x02\0\0\0\0\1\x88\xb5", ID_OFFSET);
	memcpy(data + ID_OFFSET, &be_id, sizeof(be_id));
}

/* One descriptor of @len bytes; 0 makes it invalid. */
static void put(struct xsk *x, uint32_t len, uint32_t options)
{
	struct xdp_desc *desc = xsk_tx_desc(x, 0);

	desc->addr = (uint64_t)(next_id % CHUNKS) * XSK_CHUNK;
	desc->len = len;
	desc->options = options;
	length[next_id % IDS] = len;
	make_part(x->umem + desc->addr, len ? len : FRAME_LEN, next_id);
	xsk_tx_submit(x, 1);
	next_id++;
}

static void put_n(struct xsk *x, unsigned int n, uint32_t len, uint32_t options)
{
	while (n--)
		put(x, len, options);
}

static void put_packet(struct xsk *x, unsigned int descs, uint32_t len)
{
	put_n(x, descs - 1, len, XDP_PKT_CONTD);
	put(x, len, 0);
}

/* --- the transcript ------------------------------------------------------ */

/* Runs of numbers: "17+3 40+1". */
struct runs {
	uint32_t first, n;
};

static void run_end(struct runs *r)
{
	if (r->n)
		printf(" %u+%u", r->first, r->n);
	r->n = 0;
}

static void run_add(struct runs *r, uint32_t id)
{
	if (r->n && id == r->first + r->n) {
		r->n++;
		return;
	}
	run_end(r);
	r->first = id;
	r->n = 1;
}

/* All parts of a frame must be what their numbers say, and follow each other. */
static int frame_good(const unsigned char *data, ssize_t len, uint32_t id)
{
	unsigned char want[XSK_CHUNK];

	while (len > 0) {
		uint32_t part = length[id % IDS];

		make_part(want, part, id++);
		if (memcmp(data, want, part))
			return 0;
		len -= part;
		data += part;
	}
	return !len;
}

/* Read what the TAP holds; @max frames at most. */
static void drain(unsigned int max)
{
	static unsigned char buf[MAX_FRAME];
	struct runs runs = { 0 };
	ssize_t len;

	printf(" out");
	while (max-- && (len = read(tap, buf, sizeof(buf))) > 0) {
		uint32_t id;

		if (buf[12] != 0x88 || buf[13] != 0xb5)
			continue;
		memcpy(&id, buf + ID_OFFSET, sizeof(id));
		id = ntohl(id);
		run_add(&runs, id);
		if (len > LONG_LEN || len < FRAME_LEN || len % FRAME_LEN)
			printf(" (%zd bytes)", len);
		if (!frame_good(buf, len, id))
			printf(" [%u is damaged]", id);
	}
	run_end(&runs);
	printf("\n");
}

static void reap(const struct xsk *x, uint32_t max)
{
	uint32_t i, n = xsk_cq_ready(x);
	struct runs runs = { 0 };

	printf(" done");
	if (n > max)
		n = max;
	for (i = 0; i < n; i++)
		run_add(&runs, xsk_cq_addr(x, i) / XSK_CHUNK);
	run_end(&runs);
	xsk_cq_release(x, n);
}

static void show(const struct xsk *x)
{
	struct xdp_statistics stats;
	socklen_t len = sizeof(stats);

	if (getsockopt(x->fd, SOL_XDP, XDP_STATISTICS, &stats, &len))
		fail("XDP_STATISTICS");
	printf(" tx %u/%u cq %u invalid %llu empty %llu", *x->tx.consumer, *x->tx.producer,
	       *x->cq.producer, (unsigned long long)stats.tx_invalid_descs,
	       (unsigned long long)stats.tx_ring_empty_descs);
}

static int kick(const struct xsk *x)
{
	int ret = sendto(x->fd, NULL, 0, MSG_DONTWAIT, NULL, 0);

	printf("  send %d", ret);
	if (ret < 0)
		printf(" (%s)", strerrorname_np(errno));
	show(x);
	return ret;
}

static void kick_and_show(const struct xsk *x)
{
	kick(x);
	reap(x, UINT32_MAX);
	drain(UINT32_MAX);
}

static struct xsk *begin(uint32_t cq, const char *format, ...)
{
	struct xsk *x = &socks[0];
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	next_id = 0;
	xsk_open(x, CHUNKS, ENTRIES, cq);
	xsk_bind(x, tap_index, 0, XDP_USE_SG);
	return x;
}

/* Send until nothing is left to send, with everything read in between. */
static void finish(struct xsk *x)
{
	unsigned int tries;

	for (tries = 0; tries < 4 * ENTRIES && xsk_tx_free(x) < ENTRIES; tries++)
		kick_and_show(x);
	printf("  left %u\n", ENTRIES - xsk_tx_free(x));
	reap(x, UINT32_MAX);
	drain(UINT32_MAX);
	xsk_close(x, false);
}

/* --- the scripts --------------------------------------------------------- */

static void bursts(void)
{
	static const unsigned int sizes[] = { 0, 1, 2, 7, 8 };
	unsigned int i, round;
	struct xsk *x;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		x = begin(ENTRIES, "bursts of %u", sizes[i]);
		for (round = 0; round < 20; round++) {
			put_n(x, sizes[i], FRAME_LEN, 0);
			kick_and_show(x);
		}
		finish(x);
	}
}

/* The device fills up in the middle of a call, or its budget ends. */
static void overflow(const char *what)
{
	static const unsigned int sizes[] = { 8, 9, 16, 17, 31, 32, 33, 64, 100, 128 };
	unsigned int i;
	struct xsk *x;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		x = begin(ENTRIES, "%s: %u frames for a queue of %u", what, sizes[i], TAP_QUEUE);
		put_n(x, sizes[i], FRAME_LEN, 0);
		finish(x);
		x = begin(ENTRIES, "%s: %u frames, budget 100", what, sizes[i]);
		xsk_set(x, XDP_MAX_TX_SKB_BUDGET, 100);
		put_n(x, sizes[i], FRAME_LEN, 0);
		finish(x);
	}
	x = begin(ENTRIES, "%s: read less than was sent", what);
	for (i = 0; i < 30; i++) {
		put_n(x, 3, FRAME_LEN, 0);
		kick(x);
		reap(x, UINT32_MAX);
		drain(1 + i % 5);
	}
	finish(x);
}

static void completions(const char *what)
{
	unsigned int i;
	struct xsk *x;

	x = begin(16, "%s: a short completion ring", what);
	put_n(x, 60, FRAME_LEN, 0);
	for (i = 0; i < 30; i++) {
		kick(x);
		reap(x, i % 5);
		drain(i % 7);
	}
	finish(x);
}

static void bad_descriptors(const char *what)
{
	unsigned int n, k;
	struct xsk *x;

	for (n = 1; n <= 9; n += 2) {
		for (k = 0; k < n; k++) {
			x = begin(ENTRIES, "%s: descriptor %u of %u invalid", what, k, n);
			put_n(x, k, FRAME_LEN, 0);
			put(x, 0, 0);
			put_n(x, n - k - 1, FRAME_LEN, 0);
			finish(x);
			x = begin(ENTRIES, "%s: descriptor %u of %u invalid, in a packet", what, k, n);
			put_n(x, k, FRAME_LEN, 0);
			put(x, FRAME_LEN, XDP_PKT_CONTD);
			put(x, FRAME_LEN, 1 << 15);
			put_n(x, n - k - 1, FRAME_LEN, XDP_PKT_CONTD);
			put_n(x, 5, FRAME_LEN, 0);
			finish(x);
			x = begin(ENTRIES, "%s: descriptor %u of %u without metadata", what, k, n);
			put_n(x, k, FRAME_LEN, 0);
			put(x, FRAME_LEN, XDP_TX_METADATA);
			put_n(x, n - k - 1, FRAME_LEN, 0);
			kick_and_show(x);
			kick_and_show(x);
			((struct xdp_desc *)x->tx.desc)[k].options = 0;
			finish(x);
		}
	}
}

static void device_goes(void)
{
	struct xsk *x = begin(ENTRIES, "no carrier, then again");

	put_n(x, 20, FRAME_LEN, 0);
	tap_carrier(0);
	kick_and_show(x);
	kick_and_show(x);
	tap_carrier(1);
	finish(x);

	x = begin(ENTRIES, "down, then up");
	put_n(x, 20, FRAME_LEN, 0);
	set_flags(0, IFF_UP);
	kick_and_show(x);
	set_flags(IFF_UP, 0);
	finish(x);
}

/* The send buffer holds less than a batch: frames of a device that keeps them
 * are few, so the batch itself is what fills it.
 */
static void small_buffer(uint32_t len)
{
	struct xsk *x = begin(ENTRIES, "smallest send buffer, %u bytes", len);
	int one = 1;

	if (setsockopt(x->fd, SOL_SOCKET, SO_SNDBUF, &one, sizeof(one)))
		fail("SO_SNDBUF");
	put_n(x, 60, len, 0);
	finish(x);
}

/* Packets of several descriptors, up to more than one can have. */
static void several(const char *what)
{
	static const unsigned int sizes[] = { 1, 2, 3, 5, 16, 17, 18, 19, 30 };
	unsigned int i, k;
	struct xsk *x;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (k = 0; k < 12; k += 3) {
			x = begin(ENTRIES, "%s: %u frames, then packets of %u", what, k, sizes[i]);
			put_n(x, k, FRAME_LEN, 0);
			put_packet(x, sizes[i], FRAME_LEN);
			put_n(x, 2, LONG_LEN, 0);
			put_packet(x, sizes[i], FRAME_LEN);
			put_n(x, 3, FRAME_LEN, 0);
			finish(x);
		}
	}
	x = begin(ENTRIES, "%s: a packet that comes in pieces", what);
	for (i = 0; i < 20; i++) {
		put_n(x, 1 + i % 3, FRAME_LEN, 0);
		put_n(x, i % 4, FRAME_LEN, XDP_PKT_CONTD);
		kick_and_show(x);
	}
	finish(x);
}

/* Two sockets, one completion ring, one queue. */
static void shared(const char *what)
{
	struct xsk *x = begin(16, "%s: two sockets on one completion ring", what);
	struct xsk *y = &socks[1];
	unsigned int i;

	xsk_share(y, x, ENTRIES, tap_index, 0);
	for (i = 0; i < 20; i++) {
		put_n(x, i % 7, FRAME_LEN, 0);
		put_n(y, i % 5, FRAME_LEN, 0);
		kick(x);
		kick(y);
		reap(x, i % 12);
		drain(i % 13);
	}
	for (i = 0; i < 60; i++) {
		kick(y);
		kick_and_show(x);
	}
	xsk_close(y, true);
	finish(x);
}

static uint32_t rnd_state;

static uint32_t rnd(uint32_t n)
{
	rnd_state = rnd_state * 1664525 + 1013904223;
	return (rnd_state >> 8) % n;
}

static void random_put(struct xsk *x)
{
	switch (rnd(16)) {
	case 0:
		put(x, 0, 0);
		break;
	case 1:
		put(x, FRAME_LEN, 1 << 15);
		break;
	case 2:
	case 3:
		put(x, FRAME_LEN, XDP_PKT_CONTD);
		break;
	case 4:
		put(x, LONG_LEN, 0);
		break;
	default:
		put(x, FRAME_LEN, 0);
		break;
	}
}

/* A device and a reader that lag behind. */
static void random_script(uint32_t seed)
{
	unsigned int n, step;
	struct xsk *x;

	rnd_state = seed;
	x = begin(rnd(2) ? 16 : ENTRIES, "random, seed %u", seed);
	for (step = 0; step < 150; step++) {
		for (n = rnd(24); n && xsk_tx_free(x); n--)
			random_put(x);
		if (!rnd(10))
			tap_carrier(0);
		kick(x);
		tap_carrier(1);
		reap(x, rnd(24));
		drain(rnd(TAP_QUEUE + 4));
	}
	finish(x);
}

/* --- allocations that fail ----------------------------------------------- */

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail(path);
	close(fd);
}

/* The @nth allocation of the next call fails; 0 once one has. */
static void fail_nth(int fd, unsigned int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(fd, text, len, 0) != len)
		fail("fail-nth");
}

static int failed_nth(int fd)
{
	char text[16] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) < 0)
		fail("fail-nth");
	fail_nth(fd, 0);
	return !atoi(text);
}

/* Frames out of the device, and completions, must be the next ones. */
static void expect_next(struct xsk *x, uint32_t *out, uint32_t *done)
{
	static unsigned char buf[MAX_FRAME];
	uint32_t i, n = xsk_cq_ready(x);
	ssize_t len;

	while ((len = read(tap, buf, sizeof(buf))) > 0) {
		uint32_t id;

		if (buf[12] != 0x88 || buf[13] != 0xb5)
			continue;
		memcpy(&id, buf + ID_OFFSET, sizeof(id));
		id = ntohl(id);
		if (id != *out || !frame_good(buf, len, id)) {
			printf("frame %u (%zd bytes) came out, not %u\n", id, len, *out);
			exit(1);
		}
		for (; len > 0; len -= length[id++ % IDS])
			++*out;
	}
	for (i = 0; i < n; i++) {
		if (xsk_cq_addr(x, i) != (uint64_t)(*done % CHUNKS) * XSK_CHUNK) {
			printf("%llu completed, not %u\n",
			       (unsigned long long)xsk_cq_addr(x, i), *done);
			exit(1);
		}
		++*done;
	}
	xsk_cq_release(x, n);
}

static void fail_allocations(void)
{
	uint32_t out = 0, done = 0, nth, hits = 0, calls = 0, misses = 0;
	int fd = open("/proc/thread-self/fail-nth", O_RDWR);
	struct xsk *x;

	if (fd < 0)
		fail("fail-nth");
	write_file("/sys/kernel/debug/failslab/ignore-gfp-wait", "N");
	x = begin(ENTRIES, "allocations fail");
	for (nth = 1; misses < 3; nth++) {
		int err, failed;

		put_n(x, 30, FRAME_LEN, 0);
		put_packet(x, 4, FRAME_LEN);
		put(x, LONG_LEN, 0);
		put_packet(x, 3, LONG_LEN);
		put_n(x, 8, FRAME_LEN, 0);
		fail_nth(fd, nth);
		err = xsk_kick(x);
		failed = failed_nth(fd);
		misses += !failed;
		hits += failed;
		printf("  %u: %s, %s\n", nth, failed ? "failed" : "none",
		       err ? strerrorname_np(err) : "OK");
		for (calls = 0; xsk_tx_free(x) < ENTRIES && calls < ENTRIES; calls++) {
			xsk_kick(x);
			expect_next(x, &out, &done);
		}
		expect_next(x, &out, &done);
		if (out != next_id || done != next_id) {
			printf("%u descriptors: %u sent, %u completed\n", next_id, out, done);
			exit(1);
		}
	}
	printf("%u allocations failed, %u descriptors sent and completed once\n", hits, done);
	xsk_close(x, false);
}

static void all_scripts(const char *what, uint32_t seed)
{
	uint32_t last = seed + 10;

	overflow(what);
	completions(what);
	bad_descriptors(what);
	several(what);
	shared(what);
	for (; seed < last; seed++)
		random_script(seed);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOFBF, 65536);
	if (argc > 1 && !strcmp(argv[1], "-f")) {
		tap_open(IFF_BACKPRESSURE);
		fail_allocations();
		return 0;
	}
	tap_open(0);
	bursts();
	device_goes();
	small_buffer(FRAME_LEN);
	small_buffer(LONG_LEN);
	all_scripts("drops when full", 1);
	close(tap);
	tap_open(IFF_BACKPRESSURE);
	all_scripts("stops when full", 11);
	return 0;
}
