// SPDX-License-Identifier: GPL-2.0
/*
 * qdisc_sim - SIMULATED senders at one qdisc, for more CPUs than the bench has.
 *
 *   qdisc_sim [-m MODE] [-c CPUS] [-2 PPS] [-f] [NAME=VALUE]... [COSTS]
 *   qdisc_sim -T
 *
 * COSTS is a file of lines "NAME VALUE"; # begins a comment.  Without -m all three
 * modes, without -c 1 ... 128 CPUs.  -2: measured packets per second of two
 * senders in direct mode; transfer is chosen so that the simulation has them.
 * -f prints the costs that were used.  -T runs the tests.
 *
 * Each CPU has one sender that makes a packet and hands it over, again and again.
 * Locks are fair.  The CPU that finds the qdisc not running becomes its owner and
 * transmits until it is empty, with the root lock once for each "bulk" packets.
 * After "quota" packets it does so as the softirq of the same CPU, unless the list
 * is not empty: then whoever empties that runs the queue.  As in net/core/dev.c.
 * Nothing holds the senders back, neither a socket's buffer nor a verdict.
 *
 * What is no part of it: interrupts, preemption, memory bandwidth, NUMA, frequency
 * of the clock.  The results show where a mechanism leads, not what a machine does.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MAX_CPUS	= 256,
	SOFTIRQ		= MAX_CPUS,	/* runs the queue that a completion woke */
	NOBODY		= -1,
	MODES		= 3,
};

enum mode { DIRECT, BUSYLOCK, LLIST };

static const char * const mode_name[MODES] = { "direct", "busylock", "llist" };

/* All times in nanoseconds. */
static struct costs {
	double produce;		/* outside of all locks: system call, skb */
	double jitter;		/* produce takes up to this part more or less */
	double enqueue;		/* under the root lock, a packet */
	double drop;		/* under the root lock, a packet that finds no room */
	double dequeue;		/* under the root lock, a packet */
	double xmit;		/* driver, without the root lock, a packet */
	double push;		/* to the lockless list */
	double transfer;	/* a cache line comes from another CPU */
	double ticket;		/* more of that for each CPU that spins; 0: queued lock */
	double device;		/* the device takes a packet each; 0: at once */
	double ring;		/* packets that the device holds */
	double bulk;		/* packets dequeued at a time */
	double softirq;		/* until a raised NET_TX softirq wants the root lock */
	double quota;		/* packets in one run of the queue: dev_tx_weight */
	double limit;		/* packets in the qdisc */
	double max_burst;	/* packets on the lockless list */
	double packets;		/* offered in a simulated run */
} costs = {
	.produce = 600, .jitter = 0.25, .enqueue = 60, .drop = 40, .dequeue = 60,
	.xmit = 150, .push = 15, .transfer = 50, .ring = 512, .bulk = 8, .softirq = 300,
	.quota = 64, .limit = 1000, .max_burst = 1000, .packets = 200000,
};

static const struct {
	const char *name;
	size_t offset;
	double least;
} names[] = {
#define COST(field, least)	{ #field, offsetof(struct costs, field), least }
	COST(produce, 0), COST(jitter, 0), COST(enqueue, 0), COST(drop, 0),
	COST(dequeue, 0), COST(xmit, 0), COST(push, 0), COST(transfer, 0),
	COST(ticket, 0), COST(device, 0), COST(ring, 1), COST(bulk, 1),
	COST(softirq, 0), COST(quota, 1), COST(limit, 1), COST(max_burst, 1),
	COST(packets, 1),
};

#define N_NAMES	(sizeof(names) / sizeof(names[0]))

enum state {
	IDLE,		/* the softirq, when there is nothing to do */
	PRODUCING,
	RAISED,		/* on the way to the softirq, after the quota */
	PUSHING,
	WAITING,	/* for a lock */
	BUSY_GRANTED,	/* has the busylock */
	ENTERING,	/* has the root lock, to enqueue */
	ENQUEUEING,
	RESUMING,	/* has the root lock, to go on with the queue */
	WAKING,		/* has the root lock, to run a queue that was stopped */
	DEQUEUEING,
	XMITTING,
};

struct cpu {
	enum state state;
	enum state granted;	/* the state once a lock is given */
	double at;		/* when the state ends; INFINITY: somebody else says */
	bool has_busylock;
	unsigned int hand;	/* packets: to be enqueued, or dequeued */
	double owner_since;
	uint64_t sent;		/* since owner_since; the first one may be its own */
	uint64_t in_run;
};

struct lock {
	int holder;
	int last;
	int queue[MAX_CPUS + 1];
	unsigned int head;
	unsigned int waiters;
};

/**
 * struct result - of a simulated run
 * @offered: packets handed over
 * @sent: to the device
 * @dropped: by the qdisc or for max_burst
 * @told: of these, the sender was told
 * @queued: still in the qdisc, on the list or in a CPU's hands
 * @longest: ns that a CPU was the owner at a stretch
 * @in_device: of those sent, in its ring
 * @ns: simulated time
 */
struct result {
	uint64_t offered;
	uint64_t sent;
	uint64_t dropped;
	uint64_t told;
	uint64_t queued;
	double longest;
	double in_device;
	double ns;
};

static struct {
	enum mode mode;
	unsigned int cpus;
	double now;
	uint64_t seed;
	struct cpu cpu[MAX_CPUS + 1];
	struct lock root;
	struct lock busy;
	bool running;
	unsigned int queued;
	unsigned int listed;
	int list_line;		/* the CPU that has the list's cache line */
	double list_free;	/* when that line can be had */
	int qdisc_lines;	/* the CPU that has the qdisc's */
	double device_done;	/* when the device has sent all it has */
	bool stopped;
	struct result result;
} sim;

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "error: %s: %s\n", what, which);
	exit(2);
}

static void set_cost(const char *name, const char *text)
{
	char *end;
	double v = strtod(text, &end);
	unsigned int i;

	for (i = 0; i < N_NAMES; i++) {
		if (strcmp(name, names[i].name))
			continue;
		if (end == text || *end || !(v >= names[i].least) || v > 1e12)
			fail("no value for a cost", text);
		*(double *)((char *)&costs + names[i].offset) = v;
		return;
	}
	fail("no such cost", name);
}

static void read_costs(const char *path)
{
	char line[256], name[64], value[64];
	FILE *f = fopen(path, "r");
	int n;

	if (!f) {
		perror(path);
		exit(2);
	}
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "#\n")] = '\0';
		n = sscanf(line, "%63s %63s", name, value);
		if (n == 1)
			fail("a cost without a value", name);
		if (n == 2)
			set_cost(name, value);
	}
	fclose(f);
}

static void grant(struct lock *lock, int id, double handover)
{
	struct cpu *c = &sim.cpu[id];

	lock->holder = id;
	c->state = c->granted;
	c->at = sim.now + handover;
}

/* lock_for: the CPU's state is @then when it has the lock. */
static void lock_for(struct lock *lock, int id, enum state then)
{
	struct cpu *c = &sim.cpu[id];

	c->granted = then;
	if (lock->holder == NOBODY) {
		grant(lock, id, lock->last == id ? 0 : costs.transfer);
		return;
	}
	c->state = WAITING;
	c->at = INFINITY;
	lock->queue[(lock->head + lock->waiters++) % (MAX_CPUS + 1)] = id;
}

static void unlock(struct lock *lock)
{
	int next;

	lock->last = lock->holder;
	lock->holder = NOBODY;
	if (!lock->waiters)
		return;
	next = lock->queue[lock->head];
	lock->head = (lock->head + 1) % (MAX_CPUS + 1);
	lock->waiters--;
	grant(lock, next, costs.transfer + costs.ticket * lock->waiters);
}

/* Evenly from -1 to 1, the same in every run. */
static double random_part(void)
{
	sim.seed = sim.seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(sim.seed >> 33) / (UINT64_C(1) << 30) - 1;
}

static void produce(int id)
{
	struct cpu *c = &sim.cpu[id];

	c->state = PRODUCING;
	c->at = sim.now + costs.produce * (1 + costs.jitter * random_part());
}

/* The softirq has no packets of its own. */
static void leave(int id)
{
	if (id != SOFTIRQ) {
		produce(id);
		return;
	}
	sim.cpu[id].state = IDLE;
	sim.cpu[id].at = INFINITY;
}

static void let_busylock_go(int id)
{
	if (sim.cpu[id].has_busylock) {
		sim.cpu[id].has_busylock = false;
		unlock(&sim.busy);
	}
}

/* lines: what it takes to get the qdisc's own, under the root lock. */
static double lines(int id)
{
	double ns = sim.qdisc_lines == id ? 0 : costs.transfer;

	sim.qdisc_lines = id;
	return ns;
}

/* How long a CPU has worked for others until now. */
static void note_stretch(const struct cpu *c)
{
	if (c->sent > 1 && sim.now - c->owner_since > sim.result.longest)
		sim.result.longest = sim.now - c->owner_since;
}

static void end_run(int id)
{
	struct cpu *c = &sim.cpu[id];
	bool go_on = c->in_run >= costs.quota && sim.queued && !sim.stopped &&
		     !(sim.mode == LLIST && sim.listed);

	sim.running = false;
	unlock(&sim.root);
	if (go_on) {
		c->state = RAISED;
		c->at = sim.now + costs.softirq;
		return;
	}
	note_stretch(c);
	c->sent = 0;
	leave(id);
}

/* run_queue: the owner has the root lock; dequeue, or end the run. */
static void run_queue(int id)
{
	struct cpu *c = &sim.cpu[id];

	if (sim.stopped || !sim.queued || c->in_run >= costs.quota) {
		end_run(id);
		return;
	}
	c->hand = sim.queued < costs.bulk ? sim.queued : costs.bulk;
	c->at = sim.now + c->hand * costs.dequeue + lines(id);
	c->state = DEQUEUEING;
}

static void begin_run(int id)
{
	struct cpu *c = &sim.cpu[id];

	sim.running = true;
	c->in_run = 0;
	let_busylock_go(id);
	run_queue(id);
}

static void push(int id)
{
	struct cpu *c = &sim.cpu[id];
	double begin = sim.list_free > sim.now ? sim.list_free : sim.now;

	c->state = PUSHING;
	c->at = begin + costs.push + (sim.list_line == id ? 0 : costs.transfer);
	sim.list_free = c->at;
	sim.list_line = id;
}

static void pushed(int id)
{
	if (sim.listed >= costs.max_burst) {
		sim.result.dropped++;
		sim.result.told++;
		produce(id);
	} else if (sim.listed++) {
		produce(id);
	} else {
		lock_for(&sim.root, id, ENTERING);
	}
}

static void enter(int id)
{
	struct cpu *c = &sim.cpu[id];
	unsigned int room = costs.limit - sim.queued, fit;

	c->owner_since = sim.now;
	c->sent = 0;
	c->hand = sim.mode == LLIST ? sim.listed : 1;
	fit = c->hand < room ? c->hand : room;
	/* What another CPU made is in its cache. */
	c->at = sim.now + fit * costs.enqueue + (c->hand - fit) * costs.drop + lines(id) +
		(c->hand - 1) * costs.transfer;
	if (sim.mode == LLIST) {
		sim.listed = 0;
		sim.list_line = id;
	}
	c->state = ENQUEUEING;
	sim.result.dropped += c->hand - fit;
	if (c->hand == 1)
		sim.result.told += 1 - fit;
	sim.queued += fit;
}

static void enqueued(int id)
{
	if (!sim.running) {
		begin_run(id);
		return;
	}
	unlock(&sim.root);
	let_busylock_go(id);
	leave(id);
}

static void dequeued(int id)
{
	struct cpu *c = &sim.cpu[id];

	sim.queued -= c->hand;
	unlock(&sim.root);
	c->state = XMITTING;
	c->at = sim.now + c->hand * costs.xmit;
}

/* The device has @n packets more; a full ring stops the queue. */
static void to_device(unsigned int n)
{
	struct cpu *softirq = &sim.cpu[SOFTIRQ];

	if (costs.device <= 0)
		return;
	if (sim.device_done < sim.now)
		sim.device_done = sim.now;
	sim.device_done += n * costs.device;
	if (sim.device_done - sim.now < costs.ring * costs.device || sim.stopped)
		return;
	sim.stopped = true;
	softirq->state = IDLE;
	softirq->at = sim.device_done - costs.ring / 2 * costs.device;
}

static void transmitted(int id)
{
	struct cpu *c = &sim.cpu[id];

	sim.result.sent += c->hand;
	c->sent += c->hand;
	c->in_run += c->hand;
	to_device(c->hand);
	c->hand = 0;
	lock_for(&sim.root, id, RESUMING);
}

/* woken: somebody else may run the queue by now. */
static void woken(int id)
{
	struct cpu *c = &sim.cpu[id];

	if (!c->sent)
		c->owner_since = sim.now;
	if (!sim.running) {
		begin_run(id);
		return;
	}
	unlock(&sim.root);
	note_stretch(c);
	c->sent = 0;
	leave(id);
}

static void step(int id)
{
	struct cpu *c = &sim.cpu[id];

	switch (c->state) {
	case IDLE:
		sim.stopped = false;
		lock_for(&sim.root, id, WAKING);
		break;
	case RAISED:
		lock_for(&sim.root, id, WAKING);
		break;
	case PRODUCING:
		sim.result.offered++;
		if (sim.mode == LLIST)
			push(id);
		else if (sim.mode == BUSYLOCK && sim.running)
			lock_for(&sim.busy, id, BUSY_GRANTED);
		else
			lock_for(&sim.root, id, ENTERING);
		break;
	case PUSHING:
		pushed(id);
		break;
	case BUSY_GRANTED:
		c->has_busylock = true;
		lock_for(&sim.root, id, ENTERING);
		break;
	case ENTERING:
		enter(id);
		break;
	case ENQUEUEING:
		enqueued(id);
		break;
	case RESUMING:
		run_queue(id);
		break;
	case WAKING:
		woken(id);
		break;
	case DEQUEUEING:
		dequeued(id);
		break;
	case XMITTING:
		transmitted(id);
		break;
	case WAITING:
		fail("a CPU that waits has no next step", "internal");
	}
}

/* in_hands: packets that are neither in the qdisc nor on the list. */
static uint64_t in_hands(void)
{
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; i <= MAX_CPUS; i++) {
		const struct cpu *c = &sim.cpu[i];
		enum state s = c->state == WAITING ? c->granted : c->state;

		if (c->state == XMITTING)
			n += c->hand;
		else if (s == PUSHING)
			n++;
		else if (sim.mode != LLIST && (s == BUSY_GRANTED || s == ENTERING))
			n++;
	}
	return n;
}

static int next_cpu(void)
{
	int id = SOFTIRQ;
	unsigned int i;

	for (i = 0; i < sim.cpus; i++) {
		if (sim.cpu[i].at < sim.cpu[id].at)
			id = i;
	}
	return id;
}

static struct result simulate(enum mode mode, unsigned int cpus)
{
	unsigned int i;
	int id;

	memset(&sim, 0, sizeof(sim));
	sim.mode = mode;
	sim.cpus = cpus;
	sim.root.holder = NOBODY;
	sim.busy.holder = NOBODY;
	for (i = 0; i <= MAX_CPUS; i++)
		sim.cpu[i].at = INFINITY;
	/* Not all at the same time. */
	for (i = 0; i < cpus; i++) {
		sim.cpu[i].state = PRODUCING;
		sim.cpu[i].at = costs.produce * (i + 1) / cpus;
	}
	while (sim.result.offered < costs.packets) {
		id = next_cpu();
		sim.now = sim.cpu[id].at;
		step(id);
	}
	for (i = 0; i < cpus; i++)
		note_stretch(&sim.cpu[i]);
	sim.result.queued = sim.queued + sim.listed + in_hands();
	if (sim.device_done > sim.now)
		sim.result.in_device = (sim.device_done - sim.now) / costs.device;
	sim.result.ns = sim.now;
	return sim.result;
}

static double pps(const struct result *r)
{
	return r->sent * 1e9 / r->ns;
}

/* More transfer is never faster, so halving finds it. */
static void fit_transfer(double want)
{
	double low = 0, high = 10000, got;
	struct result r;
	unsigned int i;

	for (i = 0; i < 40; i++) {
		costs.transfer = (low + high) / 2;
		r = simulate(DIRECT, 2);
		if (pps(&r) > want)
			low = costs.transfer;
		else
			high = costs.transfer;
	}
	r = simulate(DIRECT, 2);
	got = pps(&r);
	if (fabs(got - want) > want / 20) {
		fprintf(stderr, "error: no transfer gives two senders %.0f pps, only %.0f\n",
			want, got);
		exit(1);
	}
}

static void print_run(enum mode mode, unsigned int cpus)
{
	struct result r = simulate(mode, cpus);

	printf("SIMULATED\t%s\t%u\t%.0f\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%.3f\t%.1f\n",
	       mode_name[mode], cpus, pps(&r), r.offered, r.sent, r.dropped,
	       r.dropped ? (double)r.told / r.dropped : 1, r.longest / 1000);
}

/* --- tests: TAP ---------------------------------------------------------- */

static int tests_failed;

static void expect(bool good, const char *name, double got, double want)
{
	static int n;

	printf("%s %d - qdisc_sim: %s: %.6g, to be %.6g\n", good ? "ok" : "not ok", ++n, name,
	       got, want);
	if (!good)
		tests_failed++;
}

static bool near(double got, double want, double part)
{
	return fabs(got - want) <= want * part;
}

/* One CPU meets nobody: its rate is one over the sum of the costs. */
static void test_alone(enum mode mode)
{
	double ns = costs.produce + costs.enqueue + costs.dequeue + costs.xmit;
	struct result r = simulate(mode, 1);

	if (mode == LLIST)
		ns += costs.push;
	expect(near(pps(&r), 1e9 / ns, 0.005), mode_name[mode], pps(&r), 1e9 / ns);
}

static void test_conservation(void)
{
	struct result r;
	unsigned int cpus;
	int mode;

	for (mode = 0; mode < MODES; mode++) {
		for (cpus = 1; cpus <= 64; cpus *= 4) {
			r = simulate(mode, cpus);
			expect(r.offered == r.sent + r.dropped + r.queued,
			       "sent + dropped + queued = offered",
			       r.sent + r.dropped + r.queued, r.offered);
		}
	}
}

/* A slow device decides, however many CPUs there are. */
static void test_device(void)
{
	struct costs saved = costs;
	struct result r;
	double rate;
	int mode;

	costs.device = 5000;
	for (mode = 0; mode < MODES; mode++) {
		r = simulate(mode, 8);
		/* What is in the ring at the end has not left the device. */
		rate = (r.sent - r.in_device) * 1e9 / r.ns;
		expect(near(rate, 1e9 / costs.device, 0.01), "a slow device's rate", rate,
		       1e9 / costs.device);
	}
	costs = saved;
}

/* Locks and lines that cost nothing, a qdisc that is never full: N CPUs that make
 * packets slowly are N times as fast as one.
 */
static void test_scaling(void)
{
	struct costs saved = costs;
	struct result one, four;
	int mode;

	costs.transfer = 0;
	costs.produce = 100000;
	for (mode = 0; mode < MODES; mode++) {
		one = simulate(mode, 1);
		four = simulate(mode, 4);
		expect(near(pps(&four), 4 * pps(&one), 0.02), "four slow senders",
		       pps(&four), 4 * pps(&one));
	}
	costs = saved;
}

static void test_fit(void)
{
	struct costs saved = costs;
	struct result r;

	costs.transfer = 123;
	r = simulate(DIRECT, 2);
	costs.transfer = 1;
	fit_transfer(pps(&r));
	expect(near(costs.transfer, 123, 0.1), "transfer is found again", costs.transfer, 123);
	costs = saved;
}

static int run_tests(void)
{
	int mode;

	for (mode = 0; mode < MODES; mode++)
		test_alone(mode);
	test_conservation();
	test_device();
	test_scaling();
	test_fit();
	return tests_failed > 0;
}

static void print_costs(void)
{
	unsigned int i;

	for (i = 0; i < N_NAMES; i++)
		printf("# SIMULATED with %s %.6g\n", names[i].name,
		       *(double *)((char *)&costs + names[i].offset));
}

static void usage(void)
{
	fprintf(stderr,
		"usage: qdisc_sim [-m MODE] [-c CPUS] [-2 PPS] [-f] [NAME=VALUE]... [COSTS]\n"
		"       qdisc_sim -T\n");
	exit(2);
}

static int mode_of(const char *name)
{
	int mode;

	for (mode = 0; mode < MODES; mode++) {
		if (!strcmp(name, mode_name[mode]))
			return mode;
	}
	fail("no such mode", name);
	return NOBODY;
}

/* The file first, so that NAME=VALUE changes what it says. */
static void read_arguments(int argc, char **argv)
{
	char *value;
	int i;

	for (i = 0; i < argc; i++) {
		if (!strchr(argv[i], '='))
			read_costs(argv[i]);
	}
	for (i = 0; i < argc; i++) {
		value = strchr(argv[i], '=');
		if (value) {
			*value++ = '\0';
			set_cost(argv[i], value);
		}
	}
}

int main(int argc, char **argv)
{
	static const unsigned int series[] = {
		1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128,
	};
	unsigned int i, cpus = 0;
	double pair = 0;
	bool show = false;
	int c, mode, only = NOBODY;

	while ((c = getopt(argc, argv, "m:c:2:fT")) != -1) {
		switch (c) {
		case 'm':
			only = mode_of(optarg);
			break;
		case 'c':
			cpus = strtoul(optarg, NULL, 10);
			if (cpus < 1 || cpus > MAX_CPUS)
				fail("no number of CPUs", optarg);
			break;
		case '2':
			pair = strtod(optarg, NULL);
			if (!(pair > 0))
				fail("no packets per second", optarg);
			break;
		case 'f':
			show = true;
			break;
		case 'T':
			return run_tests();
		default:
			usage();
		}
	}
	read_arguments(argc - optind, argv + optind);
	if (pair)
		fit_transfer(pair);
	if (show)
		print_costs();
	printf("kind\tmode\tcpus\tpps\toffered\tsent\tdropped\ttold\tlongest_us\n");
	for (mode = 0; mode < MODES; mode++) {
		if (only != NOBODY && mode != only)
			continue;
		if (cpus) {
			print_run(mode, cpus);
			continue;
		}
		for (i = 0; i < sizeof(series) / sizeof(series[0]); i++)
			print_run(mode, series[i]);
	}
	return 0;
}
