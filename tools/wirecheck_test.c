// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the receiver: each kind of damage is found, and nothing else is.
 * TAP on stdout; the exit status says whether all passed.
 */
#define main wirecheck_main
#include "wirecheck.c"
#undef main

static int tests, failures;

static void ok(bool good, const char *name)
{
	tests++;
	failures += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", tests, name);
}

static void send_frame(uint32_t n)
{
	frame(table[n % count], FRAME_LEN, n);
}

static void send_range(uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		send_frame(from);
}

static bool saw(uint64_t good, uint64_t reordered, uint64_t duplicated, uint64_t corrupt)
{
	return run.good == good && run.reordered == reordered &&
	       run.duplicated == duplicated && run.corrupt == corrupt;
}

static uint64_t lost(void)
{
	return run.expected - run.good - run.corrupt;
}

static void intact_frames(void)
{
	begin_run("t", 3 * count + 7);
	send_range(0, 3 * count + 7);
	ok(saw(3 * count + 7, 0, 0, 0) && !lost(), "intact frames, numbers wrap");
}

static void lost_frames(void)
{
	begin_run("t", 100);
	send_range(0, 10);
	send_range(20, 99);
	ok(saw(89, 0, 0, 0) && lost() == 11, "a gap and a missing end are lost frames");
}

static void late_frames(void)
{
	begin_run("t", 5000);
	send_range(0, 4000);
	send_range(4002, 4010);
	send_frame(4001);
	send_frame(4000);
	send_range(4010, 5000);
	ok(saw(5000, 2, 0, 0) && !lost(), "late frames are reordered, not lost");
}

static void repeated_frames(void)
{
	begin_run("t", 3000);
	send_range(0, 3000);
	send_frame(2999);
	send_frame(2500);
	ok(saw(3000, 0, 2, 0) && !lost(), "repeated frames are duplicates");
}

static void flipped_bits(void)
{
	uint8_t f[FRAME_LEN];
	unsigned int bit, found = 0, unseen = 0;

	for (bit = 0; bit < FRAME_LEN * 8; bit++) {
		begin_run("t", count);
		foreign = 0;
		send_range(0, 100);
		memcpy(f, table[100], FRAME_LEN);
		f[bit / 8] ^= 1 << bit % 8;
		frame(f, FRAME_LEN, 100);
		found += run.corrupt == 1 && run.good == 100;
		unseen += foreign;
	}
	/* 0x0800 ^ one bit is neither ARP nor IPv6 nor control. */
	ok(found == FRAME_LEN * 8 && !unseen, "any one flipped bit is corruption");
}

static void wrong_lengths(void)
{
	begin_run("t", 10);
	send_range(0, 3);
	frame(table[3], FRAME_LEN - 1, 3);
	frame(table[3], 5, 3);
	ok(saw(3, 0, 0, 2), "frames cut short are corruption");
}

static void foreign_frames(void)
{
	uint8_t f[FRAME_LEN] = { [12] = 0x86, [13] = 0xdd };

	begin_run("t", 10);
	foreign = 0;
	send_range(0, 3);
	frame(f, sizeof(f), 3);
	send_range(3, 10);
	ok(saw(10, 0, 0, 0) && foreign == 1, "the stack's own frames do not count");
}

static void control_frames(void)
{
	uint8_t f[FRAME_LEN] = { [12] = 0x88, [13] = 0xb5 };

	run.open = false;
	memcpy(f + L3_OFF, "begin some.label 12", 20);
	frame(f, sizeof(f), 1);
	ok(run.open && run.expected == 12 && !strcmp(run.label, "some.label"),
	   "a control frame begins a run");
}

static void stream_framing(void)
{
	static uint8_t buf[8 * (FRAME_LEN + 4)];
	ssize_t used, rest;
	int i;

	for (i = 0; i < 8; i++) {
		put_be16(buf + i * (FRAME_LEN + 4) + 2, FRAME_LEN);
		memcpy(buf + i * (FRAME_LEN + 4) + 4, table[i], FRAME_LEN);
	}
	begin_run("t", 8);
	used = wire_parse(buf, 2 * (FRAME_LEN + 4) + 10, 1, frame);
	rest = wire_parse(buf + used, sizeof(buf) - used, 2, frame);
	ok(used == 2 * (FRAME_LEN + 4) && used + rest == (ssize_t)sizeof(buf) &&
	   saw(8, 0, 0, 0), "frames split over reads");
	memset(buf, 0xff, sizeof(buf));
	ok(wire_parse(buf, sizeof(buf), 3, frame) == -1, "an impossible length is refused");
	memset(buf, 0, 4);
	ok(wire_parse(buf, sizeof(buf), 3, frame) == -1, "a length of zero is refused");
}

static void checksums(void)
{
	uint32_t pseudo = sum16(table[77] + L3_OFF + 12, 8, 17 + FRAME_LEN - L4_OFF);

	ok(!fold(sum16(table[77] + L3_OFF, 20, 0)) &&
	   !fold(sum16(table[77] + L4_OFF, FRAME_LEN - L4_OFF, pseudo)),
	   "the frames' own checksums are right");
}

int main(void)
{
	if (make_table())
		return 1;
	checksums();
	intact_frames();
	lost_frames();
	late_frames();
	repeated_frames();
	flipped_bits();
	wrong_lengths();
	foreign_frames();
	control_frames();
	stream_framing();
	printf("1..%d\n", tests);
	return failures != 0;
}
