// SPDX-License-Identifier: GPL-2.0
/*
 * qdisc_flood - runs in the guest: senders on several CPUs flood one qdisc and
 * say what they were told and how long a call took.
 *
 *   qdisc_flood [OPTION]... DEVICE
 *
 *   -t SENDERS   flooding threads, each on a CPU of its own as far as there are
 *                CPUs (default 1)
 *   -n FRAMES    that each of them sends (default 10000), or
 *   -s SECONDS   how long all of them send
 *   -r FRAMES    through a TX ring, that many a call; without it one sendto() a
 *                frame from a packet socket
 *   -u ADDRESS   from UDP sockets with IP_RECVERR to that IPv4 address
 *   -v VICTIMS   threads more that send one frame a millisecond each
 *   -m HZ        write another word to net.core.qdisc_contention so often
 *   -c           no clock, and the send buffer as it is, so that nothing is dropped:
 *                for runs whose instructions are counted
 *
 * One line of key=value is the result:
 *   offered      frames that the qdisc got to see: accepted + enobufs
 *   accepted     the sender was told that all is well
 *   enobufs      the sender was told that this frame was dropped
 *   down         calls refused because the device was down, tried again
 *   failed       calls that failed otherwise
 *   switches     words written
 *   p50 ... max  nanoseconds of a call, victim_... those of the victims'
 *
 * A frame of a ring that the qdisc dropped with word to the sender stays with
 * the sender, as the kernel has it, and is offered again.
 *
 * Without -c, sockets do not hold senders back: the send buffer is as large as it
 * gets.  A call that waits for 10 s has failed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "program.h"
#include "wire.h"

enum {
	MAX_THREADS	= 64,
	SUB_BITS	= 5,		/* 32 buckets an octave: 3 % */
	BUCKETS		= (64 - SUB_BITS + 1) << SUB_BITS,
	RING_FRAMES	= 256,
	SLOT_SIZE	= 512,
	DATA_OFFSET	= TPACKET2_HDRLEN - sizeof(struct sockaddr_ll),
	VICTIM_NS	= 1000000,
	DOWN_US		= 500,
	FIRST_PORT	= 20000,
};

#define KNOB "/proc/sys/net/core/qdisc_contention"

/**
 * struct sender - a thread and what it has seen
 * @thread: the thread
 * @fd: its socket
 * @ring: its TX ring, or NULL
 * @slot: the ring's frame that goes next
 * @frame: what it sends
 * @number: of the sender; decides CPU and source port
 * @victim: sends now and then instead of all the time
 * @begin: when it began, in ns
 * @end: when it ended
 * @offered: frames that the qdisc got to see
 * @accepted: of these, frames the sender was told nothing bad about
 * @enobufs: of these, frames it was told were dropped
 * @down: calls while the device was down
 * @failed: calls that failed otherwise
 * @last_errno: of such a call
 * @max: the longest call, in ns
 * @calls: by duration, see bucket_of()
 */
struct sender {
	pthread_t thread;
	int fd;
	uint8_t *ring;
	unsigned int slot;
	uint8_t frame[FRAME_LEN];
	unsigned int number;
	bool victim;
	uint64_t begin;
	uint64_t end;
	uint64_t offered;
	uint64_t accepted;
	uint64_t enobufs;
	uint64_t down;
	uint64_t failed;
	int last_errno;
	uint64_t max;
	uint64_t calls[BUCKETS];
};

static struct {
	unsigned int senders;
	unsigned int victims;
	uint64_t frames;
	double seconds;
	unsigned int per_call;
	const char *udp;
	unsigned int hz;
	bool no_clock;
	unsigned int ifindex;
} opt = { .senders = 1, .frames = 10000 };

static struct sender senders[MAX_THREADS];
static pthread_barrier_t start;
static bool stop;		/* relaxed: a call more or less */
static uint64_t switches;

/* What the runs that are counted do without. */
static uint64_t clock_ns(void)
{
	return opt.no_clock ? 0 : now_ns();
}

/**
 * bucket_of - where a duration is counted
 * @ns: nanoseconds
 *
 * Below 2^SUB_BITS each value has its bucket; above, each octave has
 * 2^SUB_BITS of the same width.
 *
 * Return: the index.
 */
static unsigned int bucket_of(uint64_t ns)
{
	unsigned int shift;

	if (ns < 1 << SUB_BITS)
		return ns;
	shift = 63 - __builtin_clzll(ns) - SUB_BITS;
	return ((shift + 1) << SUB_BITS) + (ns >> shift) - (1 << SUB_BITS);
}

/**
 * bucket_end - the longest duration that a bucket counts
 * @bucket: as bucket_of() gives it
 *
 * Return: nanoseconds.
 */
static uint64_t bucket_end(unsigned int bucket)
{
	unsigned int shift = bucket >> SUB_BITS;

	if (!shift)
		return bucket;
	shift--;
	return (((uint64_t)(bucket & ((1 << SUB_BITS) - 1)) + (1 << SUB_BITS) + 1) << shift) - 1;
}

/* percentile: of @calls, counted together in @n; per @parts. */
static uint64_t percentile(const uint64_t *calls, uint64_t n, uint64_t part, uint64_t parts)
{
	uint64_t want = (n * part + parts - 1) / parts, seen = 0;
	unsigned int i;

	for (i = 0; i < BUCKETS; i++) {
		seen += calls[i];
		if (seen && seen >= want)
			return bucket_end(i);
	}
	return 0;
}

static void record(struct sender *s, uint64_t ns)
{
	s->calls[bucket_of(ns)]++;
	if (ns > s->max)
		s->max = ns;
}

/* Each sender is a flow of its own. */
static void fill_frame(struct sender *s)
{
	make_frame(s->frame, s->number);
	put_be16(s->frame + L4_OFF, FIRST_PORT + s->number);
	put_be16(s->frame + L4_OFF + 6, 0);	/* no UDP checksum */
}

static void open_ring(struct sender *s)
{
	struct tpacket_req req = {
		.tp_block_size = RING_FRAMES * SLOT_SIZE,
		.tp_block_nr = 1,
		.tp_frame_size = SLOT_SIZE,
		.tp_frame_nr = RING_FRAMES,
	};
	int version = TPACKET_V2;
	unsigned int i;

	if (setsockopt(s->fd, SOL_PACKET, PACKET_VERSION, &version, sizeof(version)) ||
	    setsockopt(s->fd, SOL_PACKET, PACKET_TX_RING, &req, sizeof(req)))
		fail("PACKET_TX_RING");
	s->ring = mmap(NULL, RING_FRAMES * SLOT_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		       s->fd, 0);
	if (s->ring == MAP_FAILED)
		fail("mmap");
	for (i = 0; i < RING_FRAMES; i++)
		memcpy(s->ring + i * SLOT_SIZE + DATA_OFFSET, s->frame, FRAME_LEN);
}

static void open_udp(struct sender *s)
{
	struct sockaddr_in from = {
		.sin_family = AF_INET,
		.sin_port = htons(FIRST_PORT + s->number),
	};
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	int one = 1;

	if (!inet_aton(opt.udp, &to.sin_addr)) {
		fprintf(stderr, "error: no IPv4 address: %s\n", opt.udp);
		exit(2);
	}
	s->fd = socket(AF_INET, SOCK_DGRAM, 0);
	/* Without IP_RECVERR a drop of the qdisc is not told. */
	if (s->fd < 0 || bind(s->fd, (struct sockaddr *)&from, sizeof(from)) ||
	    setsockopt(s->fd, IPPROTO_IP, IP_RECVERR, &one, sizeof(one)) ||
	    connect(s->fd, (struct sockaddr *)&to, sizeof(to)))
		fail("UDP socket");
}

static void open_sender(struct sender *s)
{
	/* Longer than any call waits for frames that are on their way. */
	struct timeval limit = { .tv_sec = 10 };
	int size = 1 << 30;

	fill_frame(s);
	if (opt.udp) {
		open_udp(s);
	} else {
		/* Not bound: an error of the device is no error of the socket. */
		s->fd = socket(AF_PACKET, SOCK_RAW, 0);
		if (s->fd < 0)
			fail("packet socket");
	}
	if (setsockopt(s->fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)))
		fail("SO_SNDTIMEO");
	if (!opt.no_clock &&
	    setsockopt(s->fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		fail("SO_SNDBUFFORCE");
	if (opt.per_call && !s->victim)
		open_ring(s);
}

static void pin(unsigned int number)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(number % sysconf(_SC_NPROCESSORS_ONLN), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
}

static ssize_t call(struct sender *s, const void *buf, size_t len)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_IP),
		.sll_ifindex = opt.ifindex,
	};

	if (opt.udp)
		return send(s->fd, (uint8_t *)buf + PAYLOAD_OFF, len - PAYLOAD_OFF, 0);
	return sendto(s->fd, buf, len, 0, (struct sockaddr *)&to, sizeof(to));
}

/* refused: what a call that failed says; the caller tries again. */
static void refused(struct sender *s)
{
	switch (errno) {
	case ENOBUFS:
		s->enobufs++;
		s->offered++;
		break;
	case ENETDOWN:
	case ENXIO:
	case ENETUNREACH:
		s->down++;
		usleep(DOWN_US);
		break;
	case EINTR:
		break;
	default:
		s->failed++;
		s->last_errno = errno;
		usleep(DOWN_US);
	}
}

/**
 * send_one - one frame in one call
 * @s: the sender
 *
 * Return: frames that the qdisc has seen, 0 or 1.
 */
static unsigned int send_one(struct sender *s)
{
	uint64_t before = clock_ns();
	ssize_t len = call(s, s->frame, FRAME_LEN);

	if (len < 0 && errno != ENOBUFS) {
		refused(s);
		return 0;
	}
	record(s, clock_ns() - before);
	if (len < 0) {
		refused(s);
	} else {
		s->accepted++;
		s->offered++;
	}
	return 1;
}

static struct tpacket2_hdr *slot_header(struct sender *s, unsigned int slot)
{
	return (void *)(s->ring + slot % RING_FRAMES * SLOT_SIZE);
}

static uint32_t slot_status(struct sender *s, unsigned int slot)
{
	return __atomic_load_n(&slot_header(s, slot)->tp_status, __ATOMIC_ACQUIRE);
}

/* Until the kernel has handed the slot's last frame back. */
static bool slot_free(struct sender *s, unsigned int slot)
{
	while (slot_status(s, slot) != TP_STATUS_AVAILABLE) {
		if (__atomic_load_n(&stop, __ATOMIC_RELAXED))
			return false;
		sched_yield();
	}
	return true;
}

/**
 * send_burst - some frames in one call to a TX ring
 * @s: the sender
 * @n: frames, at most RING_FRAMES / 2
 *
 * Returns when the kernel has taken all of them or the run is over.  A call that
 * fails leaves the frame that it failed at, and what follows, to be sent: then it
 * is called again.
 *
 * Return: frames taken, whatever became of them.
 */
static unsigned int send_burst(struct sender *s, unsigned int n)
{
	unsigned int i, taken = 0;
	uint64_t before;
	ssize_t len;

	for (i = 0; i < n; i++) {
		if (!slot_free(s, s->slot + i))
			return 0;
	}
	for (i = 0; i < n; i++) {
		struct tpacket2_hdr *h = slot_header(s, s->slot + i);

		h->tp_len = FRAME_LEN;
		__atomic_store_n(&h->tp_status, TP_STATUS_SEND_REQUEST, __ATOMIC_RELEASE);
	}
	for (;;) {
		before = clock_ns();
		len = call(s, NULL, 0);
		record(s, clock_ns() - before);
		if (len < 0)
			refused(s);
		while (taken < n && slot_status(s, s->slot) != TP_STATUS_SEND_REQUEST) {
			s->slot = (s->slot + 1) % RING_FRAMES;
			s->accepted++;
			s->offered++;
			taken++;
		}
		if (taken == n)
			return n;
		/* What was not taken stays in the ring and is not counted. */
		if (len < 0 && errno != ENOBUFS && __atomic_load_n(&stop, __ATOMIC_RELAXED))
			return n;
	}
}

static void wait_a_tick(void)
{
	struct timespec ts = { .tv_nsec = VICTIM_NS };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

static void *run(void *arg)
{
	struct sender *s = arg;
	uint64_t left = opt.seconds || s->victim ? UINT64_MAX : opt.frames;
	unsigned int n;

	pin(s->number);
	pthread_barrier_wait(&start);
	s->begin = clock_ns();
	while (left && !__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		if (s->ring) {
			n = left < opt.per_call ? left : opt.per_call;
			left -= send_burst(s, n);
		} else {
			left -= send_one(s);
		}
		if (s->victim)
			wait_a_tick();
	}
	s->end = clock_ns();
	return NULL;
}

/* Another word each time; the order repeats only after many. */
static void *switch_modes(void *arg)
{
	static const char * const word[] = { "direct", "busylock", "llist" };
	struct timespec next;
	unsigned int x = 1, at = 0;
	int fd = *(int *)arg;

	clock_gettime(CLOCK_MONOTONIC, &next);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		x = x * 1103515245 + 12345;
		at = (at + 1 + (x >> 16) % 2) % 3;
		if (pwrite(fd, word[at], strlen(word[at]), 0) != (ssize_t)strlen(word[at]))
			fail(KNOB);
		switches++;
		next.tv_nsec += 1000000000 / opt.hz;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	return NULL;
}

/* times: "PREFIXcalls=N PREFIXp50=NS ..." of the senders of one kind. */
static void print_times(const char *prefix, bool victim)
{
	static uint64_t calls[BUCKETS];
	uint64_t n = 0, max = 0;
	unsigned int i, j;

	memset(calls, 0, sizeof(calls));
	for (i = 0; i < opt.senders + opt.victims; i++) {
		if (senders[i].victim != victim)
			continue;
		for (j = 0; j < BUCKETS; j++) {
			calls[j] += senders[i].calls[j];
			n += senders[i].calls[j];
		}
		if (senders[i].max > max)
			max = senders[i].max;
	}
	printf(" %scalls=%" PRIu64 " %sp50=%" PRIu64 " %sp99=%" PRIu64 " %sp999=%" PRIu64
	       " %smax=%" PRIu64, prefix, n, prefix, percentile(calls, n, 50, 100),
	       prefix, percentile(calls, n, 99, 100), prefix, percentile(calls, n, 999, 1000),
	       prefix, max);
}

/* From the first sender's begin to the last one's end. */
static uint64_t duration(void)
{
	uint64_t begin = UINT64_MAX, end = 0;
	unsigned int i;

	for (i = 0; i < opt.senders; i++) {
		if (senders[i].begin < begin)
			begin = senders[i].begin;
		if (senders[i].end > end)
			end = senders[i].end;
	}
	return end - begin;
}

static int print_result(void)
{
	uint64_t offered = 0, accepted = 0, enobufs = 0, down = 0, failed = 0;
	int last_errno = 0;
	unsigned int i;

	for (i = 0; i < opt.senders + opt.victims; i++) {
		offered += senders[i].offered;
		accepted += senders[i].accepted;
		enobufs += senders[i].enobufs;
		down += senders[i].down;
		failed += senders[i].failed;
		if (senders[i].failed)
			last_errno = senders[i].last_errno;
	}
	printf("senders=%u offered=%" PRIu64 " accepted=%" PRIu64 " enobufs=%" PRIu64
	       " down=%" PRIu64 " failed=%" PRIu64 " switches=%" PRIu64 " ns=%" PRIu64,
	       opt.senders, offered, accepted, enobufs, down, failed, switches, duration());
	print_times("", false);
	if (opt.victims)
		print_times("victim_", true);
	printf("\n");
	if (failed)
		fprintf(stderr, "error: %" PRIu64 " calls failed, the last one with: %s\n",
			failed, strerror(last_errno));
	return failed > 0;
}

static unsigned long number(const char *text, unsigned long max)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (!*text || *end || !v || v > max) {
		fprintf(stderr, "error: \"%s\" is not 1 ... %lu\n", text, max);
		exit(2);
	}
	return v;
}

static void options(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "t:n:s:r:u:v:m:c")) != -1) {
		switch (c) {
		case 't':
			opt.senders = number(optarg, MAX_THREADS / 2);
			break;
		case 'n':
			opt.frames = number(optarg, UINT32_MAX);
			break;
		case 's':
			opt.seconds = number(optarg, 3600);
			break;
		case 'r':
			opt.per_call = number(optarg, RING_FRAMES / 2);
			break;
		case 'u':
			opt.udp = optarg;
			break;
		case 'v':
			opt.victims = number(optarg, MAX_THREADS / 2);
			break;
		case 'm':
			opt.hz = number(optarg, 100000);
			break;
		case 'c':
			opt.no_clock = true;
			break;
		default:
			exit(2);
		}
	}
	if (optind != argc - 1 || (opt.udp && opt.per_call)) {
		fprintf(stderr, "usage: qdisc_flood [OPTION]... DEVICE; not both -u and -r\n");
		exit(2);
	}
	opt.ifindex = if_nametoindex(argv[optind]);
	if (!opt.ifindex)
		fail(argv[optind]);
}

int main(int argc, char **argv)
{
	unsigned int i, all;
	pthread_t switcher;
	int knob = -1;

	options(argc, argv);
	all = opt.senders + opt.victims;
	for (i = 0; i < all; i++) {
		senders[i].number = i;
		senders[i].victim = i >= opt.senders;
		open_sender(&senders[i]);
	}
	if (opt.hz) {
		knob = open(KNOB, O_WRONLY);
		if (knob < 0)
			fail(KNOB);
	}
	pthread_barrier_init(&start, NULL, all + 1);
	for (i = 0; i < all; i++) {
		if (pthread_create(&senders[i].thread, NULL, run, &senders[i]))
			fail("pthread_create");
	}
	pthread_barrier_wait(&start);
	if (opt.hz && pthread_create(&switcher, NULL, switch_modes, &knob))
		fail("pthread_create");
	if (opt.seconds) {
		sleep(opt.seconds);
		__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	}
	for (i = 0; i < opt.senders; i++)
		pthread_join(senders[i].thread, NULL);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (; i < all; i++)
		pthread_join(senders[i].thread, NULL);
	if (opt.hz)
		pthread_join(switcher, NULL);
	return print_result();
}
