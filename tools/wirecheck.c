// SPDX-License-Identifier: GPL-2.0
/*
 * wirecheck - the far end of the wire: defines the frames that the bench
 * sends, and says of each that arrives whether it is what was sent.
 *
 *   wirecheck -g COUNT              print COUNT distinct frames as a trafgen
 *                                   configuration
 *   wirecheck -l SOCKET [-g COUNT]  listen on a unix stream socket for one
 *                                   QEMU stream back-end, check what it sends
 *
 * Each frame carries its number and a pattern made from it, and has correct
 * IPv4 and UDP checksums.  The receiver compares all 60 bytes with what the
 * number says they must be: one flipped bit is seen.  trafgen sends the frames
 * round robin, so the numbers wrap at COUNT; the receiver extends them.
 *
 * Runs are told apart in band, in order with the frames themselves, by control
 * frames of an experimental Ethertype with the text "begin LABEL COUNT" or
 * "end".  For each run one line of key=value is printed.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wire_stream.h"

enum {
	ETYPE_IPV4	= 0x0800,
	ETYPE_ARP	= 0x0806,
	ETYPE_IPV6	= 0x86dd,
	MAX_COUNT	= 65536,
};

struct run {
	bool open;
	char label[64];
	uint64_t expected;	/* 0: not announced */
	uint64_t frames;	/* that count for this run, good or not */
	uint64_t good;		/* distinct and intact */
	uint64_t reordered;
	uint64_t duplicated;
	uint64_t corrupt;
	uint64_t next;		/* extended number of the frame that is due */
	uint64_t first_ns;
	uint64_t last_ns;
};

static uint8_t (*table)[FRAME_LEN];	/* what frame n looks like */
static uint64_t *seen;			/* 1 + last extended number, by number */
static unsigned int count = 1024;
static struct run run;
static uint64_t foreign;

static int make_table(void)
{
	unsigned int i;

	table = calloc(count, sizeof(*table));
	seen = calloc(count, sizeof(*seen));
	if (!table || !seen)
		return -1;
	for (i = 0; i < count; i++)
		make_frame(table[i], i);
	return 0;
}

static void print_config(void)
{
	unsigned int i, b;

	for (i = 0; i < count; i++) {
		putchar('{');
		for (b = 0; b < FRAME_LEN; b++)
			printf("%s0x%02x", b ? "," : "", table[i][b]);
		puts("}");
	}
}

static void begin_run(const char *label, uint64_t expected)
{
	memset(&run, 0, sizeof(run));
	memset(seen, 0, count * sizeof(*seen));
	run.open = true;
	run.expected = expected;
	snprintf(run.label, sizeof(run.label), "%s", label);
}

/* @complete: the run was ended by its sender, not by the end of the stream. */
static void end_run(bool complete)
{
	uint64_t expected = run.expected ? run.expected : run.next;
	uint64_t arrived = run.good + run.corrupt;
	uint64_t ns = run.last_ns - run.first_ns;

	printf("label=%s complete=%d expected=%" PRIu64 " frames=%" PRIu64
	       " lost=%" PRIu64 " reordered=%" PRIu64 " duplicated=%" PRIu64
	       " corrupt=%" PRIu64 " foreign=%" PRIu64 " ns=%" PRIu64
	       " pps=%.0f\n",
	       run.label, complete, expected, run.frames,
	       expected > arrived ? expected - arrived : 0,
	       run.reordered, run.duplicated, run.corrupt, foreign, ns,
	       ns ? (run.frames - 1) * 1e9 / ns : 0.0);
	fflush(stdout);
	run.open = false;
}

static void end_by_sender(void)
{
	if (run.open)
		end_run(true);
}

/*
 * Numbers wrap at count.  A frame up to half the circle ahead of the one that
 * is due comes after a gap; one behind it is late (seen never before) or a
 * duplicate.  Gaps are not counted here: what is missing at the end is.
 */
static void account(uint32_t n)
{
	uint32_t ahead = (n + count - run.next % count) % count;
	uint64_t number;

	if (ahead < count / 2) {
		number = run.next + ahead;
		run.next = number + 1;
	} else if (run.next >= count - ahead) {
		number = run.next - (count - ahead);
		if (seen[n] == number + 1) {
			run.duplicated++;
			return;
		}
		run.reordered++;
	} else {
		run.corrupt++;		/* before the first: never sent */
		return;
	}
	seen[n] = number + 1;
	run.good++;
}

static void frame(const uint8_t *f, size_t len, uint64_t ns)
{
	uint16_t etype = len >= L3_OFF ? get_be16(f + 12) : 0;
	uint32_t n;

	if (etype == ETYPE_CONTROL) {
		wire_control(f, len, begin_run, end_by_sender);
		return;
	}
	if (etype == ETYPE_ARP || etype == ETYPE_IPV6) {
		foreign++;		/* the guest's stack, not the sender */
		return;
	}
	if (!run.open)
		begin_run("none", 0);
	if (!run.frames++)
		run.first_ns = ns;
	run.last_ns = ns;
	n = len == FRAME_LEN ? get_be32(f + PAYLOAD_OFF) : UINT32_MAX;
	if (n < count && !memcmp(f, table[n], FRAME_LEN))
		account(n);
	else
		run.corrupt++;
}

static int receive(int fd)
{
	if (wire_receive(fd, frame))
		return 1;
	if (!run.open)
		return 0;
	end_run(false);
	return run.expected != 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: wirecheck -g COUNT | -l SOCKET [-g COUNT]\n");
	return 2;
}

int main(int argc, char **argv)
{
	const char *path = NULL;
	int c, fd;

	while ((c = getopt(argc, argv, "g:l:")) != -1) {
		char *end = "";
		unsigned long v;

		if (c == 'l') {
			path = optarg;
			continue;
		}
		if (c != 'g')
			return usage();
		v = strtoul(optarg, &end, 10);
		if (*end || v < 2 || v > MAX_COUNT) {
			fprintf(stderr, "error: -g takes 2 to %d\n", MAX_COUNT);
			return 2;
		}
		count = v;
	}
	if (optind != argc || argc < 2)
		return usage();
	if (make_table()) {
		perror("error");
		return 1;
	}
	if (!path) {
		print_config();
		return 0;
	}
	fd = wire_accept(path);
	return fd < 0 ? 1 : receive(fd);
}
