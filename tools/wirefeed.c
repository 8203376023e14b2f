// SPDX-License-Identifier: GPL-2.0
/*
 * wirefeed - the near end of the wire: sends frames to a guest as fast as it
 * takes them.
 *
 *   wirefeed WIRE CONTROL
 *
 * Both are unix sockets to listen on: WIRE for one QEMU stream back-end, CONTROL
 * for a character device of the guest, on which tools/rxdrop asks with a line
 * "feed FRAMES LABEL [FLOWS]".  The frames are of so many flows in turn (default: all
 * of one); they go out in bursts that fit any ring; the last
 * frame of a burst is a control frame, for which rxdrop answers "." before the
 * next burst goes out: the guest is never offered more than it can take, and
 * nothing is lost.  For each run one line of key=value is printed.
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "program.h"
#include "wire.h"

enum {
	BURST		= 256,		/* half of the smallest default ring */
	SLOT		= 4 + FRAME_LEN,	/* QEMU: length, frame */
	NUMBERS		= 1024,
};

static int listen_at(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (strlen(path) >= sizeof(addr.sun_path)) {
		fprintf(stderr, "error: the path of the socket is too long: %s\n", path);
		exit(1);
	}
	memcpy(addr.sun_path, path, strlen(path) + 1);
	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr)) || listen(fd, 1)) {
		perror(path);
		exit(1);
	}
	return fd;
}

static int accept_one(int lfd)
{
	int fd = accept(lfd, NULL, NULL);

	if (fd < 0) {
		perror("accept");
		exit(1);
	}
	close(lfd);
	return fd;
}

static uint8_t *put_slot(uint8_t *to)
{
	put_be16(to, 0);
	put_be16(to + 2, FRAME_LEN);
	return to + 4;
}

static void put_control(uint8_t *to, const char *text)
{
	uint8_t *f = put_slot(to);

	make_frame(f, 0);
	put_be16(f + 12, ETYPE_CONTROL);
	memset(f + L3_OFF, 0, FRAME_LEN - L3_OFF);
	memcpy(f + L3_OFF, text, strlen(text));
}

static int send_all(int fd, const uint8_t *buf, size_t len)
{
	ssize_t n;

	for (; len; buf += n, len -= n) {
		n = send(fd, buf, len, MSG_NOSIGNAL);
		if (n <= 0)
			return -1;
	}
	return 0;
}

/* What the guest sends by itself is of no interest here. */
static void drain(int fd)
{
	static uint8_t buf[65536];

	while (recv(fd, buf, sizeof(buf), MSG_DONTWAIT) > 0)
		;
}

static int wait_ack(int control)
{
	char c;

	return recv(control, &c, 1, 0) == 1 && c == '.' ? 0 : -1;
}

static void put_frame(uint8_t *to, uint64_t n, unsigned int flows)
{
	if (flows)
		make_flow_frame(put_slot(to), n % flows, n % NUMBERS);
	else
		make_frame(put_slot(to), n % NUMBERS);
}

static int feed(int wire, int control, uint64_t frames, const char *label,
		unsigned int flows)
{
	static uint8_t buf[(BURST + 1) * SLOT];
	uint64_t left = frames, start = now_ns(), offered = 0, ns;
	unsigned int i, n;

	while (left) {
		n = left < BURST ? left : BURST;
		for (i = 0; i < n; i++)
			put_frame(buf + i * SLOT, frames - left + i, flows);
		left -= n;
		put_control(buf + n * SLOT, left ? "more" : "end");
		if (send_all(wire, buf, (n + 1) * SLOT) || wait_ack(control))
			return -1;
		offered += n + 1;
		drain(wire);
	}
	ns = now_ns() - start;
	printf("label=%s frames=%" PRIu64 " offered=%" PRIu64 " ns=%" PRIu64 " pps=%.0f\n",
	       label, frames, offered, ns, frames * 1e9 / ns);
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	char line[128], label[64];
	int lwire, lcontrol, wire, control;
	unsigned int flows;
	uint64_t frames;
	FILE *in;

	if (argc != 3) {
		fprintf(stderr, "usage: wirefeed WIRE CONTROL\n");
		return 2;
	}
	lwire = listen_at(argv[1]);
	lcontrol = listen_at(argv[2]);
	control = accept_one(lcontrol);
	wire = accept_one(lwire);
	in = fdopen(control, "r");
	if (!in)
		return 1;
	/* Unbuffered: acknowledgments are read from the descriptor. */
	setvbuf(in, NULL, _IONBF, 0);
	while (fgets(line, sizeof(line), in)) {
		flows = 0;
		if (sscanf(line, "feed %" SCNu64 " %63s %u", &frames, label, &flows) < 2 ||
		    !frames || flows > MAX_FLOWS) {
			fprintf(stderr, "error: what is asked for is no run: %s", line);
			return 1;
		}
		if (feed(wire, control, frames, label, flows)) {
			fprintf(stderr, "error: run %s was cut off\n", label);
			return 1;
		}
	}
	return 0;
}
