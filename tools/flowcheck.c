// SPDX-License-Identifier: GPL-2.0
/*
 * flowcheck - the far end of the wire for many flows: was any frame overtaken by
 * one of its own flow?
 *
 *   flowcheck -l SOCKET    listen on a unix stream socket for one QEMU stream
 *                          back-end, look at what it sends
 *
 * The frames are flow_send's: the source port is the flow, each flow numbers its
 * frames from 0.  All 60 bytes are compared with what they must be.  Whatever else
 * is on the wire is counted and not looked at.
 *
 * Runs are told apart by control frames with the text "begin LABEL FRAMES" or
 * "end", as for wirecheck.  They may overtake frames in other queues: their sender
 * has to let the wire become quiet first.  For each run one line of key=value:
 *
 *   label complete expected frames lost reordered duplicated corrupt other flows
 *   worst    the longest way by which a frame was late, in frames of its flow
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
	PROTO_UDP	= 17,
	/* A frame that is late by more than this counts as late again if it repeats. */
	WINDOW		= 4096,
};

/**
 * struct flow - what has come of a flow
 * @next: number of the frame that is due
 * @seen: of the last WINDOW numbers before @next, by number modulo WINDOW
 * @used: a frame has come
 */
struct flow {
	uint32_t next;
	bool seen[WINDOW];
	bool used;
};

struct run {
	bool open;
	char label[64];
	uint64_t expected;
	uint64_t frames;
	uint64_t reordered;
	uint64_t duplicated;
	uint64_t corrupt;
	uint64_t other;
	uint32_t worst;
	unsigned int flows;
	uint64_t first_ns;
	uint64_t last_ns;
};

static struct flow *flows;
static struct run run;

static void begin_run(const char *label, uint64_t expected)
{
	memset(&run, 0, sizeof(run));
	memset(flows, 0, MAX_FLOWS * sizeof(*flows));
	run.open = true;
	run.expected = expected;
	snprintf(run.label, sizeof(run.label), "%s", label);
}

static uint64_t lost(void)
{
	uint64_t arrived = run.frames - run.duplicated;

	return run.expected > arrived ? run.expected - arrived : 0;
}

static void end_run(bool complete)
{
	uint64_t ns = run.last_ns - run.first_ns;

	printf("label=%s complete=%d expected=%" PRIu64 " frames=%" PRIu64 " lost=%" PRIu64
	       " reordered=%" PRIu64 " duplicated=%" PRIu64 " corrupt=%" PRIu64
	       " other=%" PRIu64 " flows=%u worst=%" PRIu32 " pps=%.0f\n",
	       run.label, complete, run.expected, run.frames, lost(), run.reordered,
	       run.duplicated, run.corrupt, run.other, run.flows, run.worst,
	       ns ? (run.frames - 1) * 1e9 / ns : 0.0);
	fflush(stdout);
	run.open = false;
}

static void end_by_sender(void)
{
	if (run.open)
		end_run(true);
}

/* Numbers before @next that were skipped are not seen, until they come late. */
static void account(struct flow *flow, uint32_t n)
{
	uint32_t late = flow->next - n;

	if (!flow->used) {
		flow->used = true;
		run.flows++;
	}
	if (n >= flow->next) {
		for (; flow->next != n; flow->next++)
			flow->seen[flow->next % WINDOW] = false;
		flow->next++;
	} else if (late <= WINDOW && flow->seen[n % WINDOW]) {
		run.duplicated++;
		return;
	} else {
		run.reordered++;
		if (late > run.worst)
			run.worst = late;
		if (late > WINDOW)
			return;
	}
	flow->seen[n % WINDOW] = true;
}

static bool is_flow_frame(const uint8_t *f, size_t len)
{
	uint16_t port;

	if (len < FRAME_LEN || get_be16(f + 12) != ETYPE_IPV4 || f[L3_OFF + 9] != PROTO_UDP)
		return false;
	port = get_be16(f + L4_OFF);
	return port >= FLOW_PORT && port < FLOW_PORT + MAX_FLOWS;
}

static void frame(const uint8_t *f, size_t len, uint64_t ns)
{
	uint8_t want[FRAME_LEN];
	unsigned int flow;
	uint32_t n;

	if (len >= L3_OFF && get_be16(f + 12) == ETYPE_CONTROL) {
		wire_control(f, len, begin_run, end_by_sender);
		return;
	}
	if (!run.open)
		return;
	if (!is_flow_frame(f, len)) {
		run.other++;
		return;
	}
	flow = get_be16(f + L4_OFF) - FLOW_PORT;
	n = get_be32(f + PAYLOAD_OFF);
	make_flow_frame(want, flow, n);
	if (len != FRAME_LEN || memcmp(f, want, FRAME_LEN)) {
		run.corrupt++;
		return;
	}
	if (!run.frames++)
		run.first_ns = ns;
	run.last_ns = ns;
	account(&flows[flow], n);
}

int main(int argc, char **argv)
{
	const char *path = NULL;
	int c, fd;

	while ((c = getopt(argc, argv, "l:")) != -1) {
		if (c != 'l')
			break;
		path = optarg;
	}
	if (!path || c == '?' || optind != argc) {
		fprintf(stderr, "usage: flowcheck -l SOCKET\n");
		return 2;
	}
	flows = calloc(MAX_FLOWS, sizeof(*flows));
	if (!flows) {
		perror("error");
		return 1;
	}
	fd = wire_accept(path);
	if (fd < 0 || wire_receive(fd, frame))
		return 1;
	if (!run.open)
		return 0;
	end_run(false);
	return 1;
}
