// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the receiver for many flows: each frame that was overtaken is found,
 * and nothing else is.  TAP on stdout.
 */
#define main flowcheck_main
#include "flowcheck.c"
#undef main

static int tests, failures;

static void ok(bool good, const char *name)
{
	tests++;
	failures += !good;
	printf("%sok %d - flows: %s\n", good ? "" : "not ", tests, name);
}

static void deliver(unsigned int flow, uint32_t n)
{
	uint8_t f[FRAME_LEN];

	make_flow_frame(f, flow, n);
	frame(f, sizeof(f), n);
}

static void deliver_range(unsigned int flow, uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		deliver(flow, from);
}

static bool saw(uint64_t frames, uint64_t reordered, uint64_t duplicated, uint64_t missing)
{
	return run.frames == frames && run.reordered == reordered &&
	       run.duplicated == duplicated && lost() == missing && !run.corrupt;
}

static void interleaved(void)
{
	uint32_t n;

	begin_run("t", 3 * 10000);
	for (n = 0; n < 10000; n++) {
		deliver(0, n);
		deliver(63, n);
		deliver(MAX_FLOWS - 1, n);
	}
	ok(saw(30000, 0, 0, 0) && run.flows == 3, "each in its order");
}

static void flows_apart(void)
{
	begin_run("t", 200);
	deliver_range(1, 50, 100);
	deliver_range(2, 0, 100);
	deliver_range(1, 0, 50);
	ok(saw(200, 50, 0, 0) && run.worst == 100, "late ones of one flow, the other is in order");
}

static void one_overtaken(void)
{
	begin_run("t", 100);
	deliver_range(5, 0, 40);
	deliver_range(5, 41, 43);
	deliver(5, 40);
	deliver_range(5, 43, 100);
	ok(saw(100, 1, 0, 0) && run.worst == 3, "one that was overtaken by two");
}

static void gaps(void)
{
	begin_run("t", 100);
	deliver_range(5, 0, 40);
	deliver_range(5, 45, 90);
	ok(saw(85, 0, 0, 15), "a gap and a missing end are lost, not reordered");
}

static void repeated(void)
{
	begin_run("t", 100);
	deliver_range(5, 0, 100);
	deliver(5, 99);
	deliver(5, 0);
	ok(saw(102, 0, 2, 0), "repeated ones are duplicates");
}

static void far_behind(void)
{
	begin_run("t", 3 * WINDOW);
	deliver_range(5, 1, 3 * WINDOW);
	deliver(5, 0);
	ok(saw(3 * WINDOW, 1, 0, 0) && run.worst == 3 * WINDOW, "late by more than the window");
	begin_run("t", 3 * WINDOW);
	deliver_range(5, 0, 10);
	deliver_range(5, WINDOW + 11, 2 * WINDOW);
	deliver(5, WINDOW + 10);
	ok(run.reordered == 1 && !run.duplicated, "a gap forgets what was there a window before");
}

static void damage(void)
{
	unsigned int bit, found = 0;
	uint8_t f[FRAME_LEN];

	begin_run("t", 0);
	for (bit = 0; bit < FRAME_LEN * 8; bit++) {
		uint64_t before = run.corrupt + run.other;

		make_flow_frame(f, 7, 1000);
		f[bit / 8] ^= 1 << bit % 8;
		if (get_be16(f + 12) == ETYPE_CONTROL)
			continue;
		frame(f, sizeof(f), 0);
		found += run.corrupt + run.other - before;
	}
	ok(found == FRAME_LEN * 8 && !run.frames, "each flipped bit");
	make_flow_frame(f, 7, 1000);
	frame(f, FRAME_LEN - 1, 0);
	ok(!run.frames, "a frame cut short");
}

static void checksums(void)
{
	unsigned int flow, bad = 0;
	uint8_t f[FRAME_LEN];

	for (flow = 0; flow < MAX_FLOWS; flow++) {
		make_flow_frame(f, flow, flow * 77777);
		bad += fold(sum16(f + L3_OFF + 12, 8,
				  sum16(f + L4_OFF, FRAME_LEN - L4_OFF,
					PROTO_UDP + FRAME_LEN - L4_OFF))) != 0;
	}
	ok(!bad, "the frames' own checksums are right");
}

static void runs(void)
{
	uint8_t f[FRAME_LEN] = { [12] = ETYPE_CONTROL >> 8, [13] = ETYPE_CONTROL & 0xff };

	strcpy((char *)f + L3_OFF, "begin here 12");
	frame(f, sizeof(f), 0);
	ok(run.open && run.expected == 12 && !strcmp(run.label, "here"), "a run begins");
	deliver_range(3, 0, 12);
	f[13] = 0;
	frame(f, sizeof(f), 0);
	ok(saw(12, 0, 0, 0) && run.other == 1, "what is no flow is counted apart");
	run.open = false;
	deliver(3, 0);
	ok(run.frames == 12, "nothing counts between runs");
}

int main(void)
{
	flows = calloc(MAX_FLOWS, sizeof(*flows));
	if (!flows)
		return 1;
	checksums();
	interleaved();
	flows_apart();
	one_overtaken();
	gaps();
	repeated();
	far_behind();
	damage();
	runs();
	printf("1..%d\n", tests);
	free(flows);
	return failures != 0;
}
