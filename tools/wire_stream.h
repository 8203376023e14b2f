/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The far end of the wire: one QEMU stream back-end on a unix socket, frame by
 * frame.  For programs of one file.
 */
#ifndef NB_WIRE_STREAM_H
#define NB_WIRE_STREAM_H

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#include "program.h"
#include "wire.h"

enum {
	/* QEMU's own limit for a frame, with room to spare. */
	WIRE_MAX_FRAME	= 128 * 1024,
	WIRE_BUF	= 1024 * 1024,
	WIRE_LABEL	= 48,
};

/* A whole frame, and when it was read: CLOCK_MONOTONIC, ns. */
typedef void wire_frame_fn(const uint8_t *frame, size_t len, uint64_t ns);

static volatile sig_atomic_t wire_stop;

static inline void wire_on_signal(int sig)
{
	(void)sig;
	wire_stop = 1;
}

static inline uint32_t get_be32(const uint8_t *p)
{
	return (uint32_t)get_be16(p) << 16 | get_be16(p + 2);
}

/* wire_control FRAME: "begin LABEL FRAMES", of which begin() is told, or "end", for
 * end().  len is at least L3_OFF.
 */
static inline void wire_control(const uint8_t *f, size_t len,
				void (*begin)(const char *label, uint64_t expected),
				void (*end)(void))
{
	char text[FRAME_LEN + 1] = "", label[WIRE_LABEL];
	uint64_t expected;

	len -= L3_OFF;
	memcpy(text, f + L3_OFF, len < FRAME_LEN ? len : FRAME_LEN);
	if (sscanf(text, "begin %47s %" SCNu64, label, &expected) == 2)
		begin(label, expected);
	else if (!strncmp(text, "end", 3))
		end();
}

/* wire_parse BUF: all whole frames; returns the bytes used, or -1. */
static inline ssize_t wire_parse(const uint8_t *buf, size_t len, uint64_t ns, wire_frame_fn *frame)
{
	size_t off = 0;

	while (len - off >= 4) {
		uint32_t flen = get_be32(buf + off);

		if (!flen || flen > WIRE_MAX_FRAME) {
			fprintf(stderr, "error: a frame of %u bytes cannot be: the stream is out of step\n",
				flen);
			return -1;
		}
		if (len - off - 4 < flen)
			break;
		frame(buf + off + 4, flen, ns);
		off += 4 + flen;
	}
	return off;
}

/* wire_receive FD: until the peer or a signal ends it; 0, or 1 on an error. */
static inline int wire_receive(int fd, wire_frame_fn *frame)
{
	static uint8_t buf[WIRE_BUF];
	size_t fill = 0;

	while (!wire_stop) {
		ssize_t got = recv(fd, buf + fill, sizeof(buf) - fill, 0);
		ssize_t used;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno != ECONNRESET) {
			perror("error: recv");
			return 1;
		}
		if (got <= 0)
			break;
		fill += got;
		used = wire_parse(buf, fill, now_ns(), frame);
		if (used < 0)
			return 1;
		fill -= used;
		memmove(buf, buf + used, fill);
	}
	return 0;
}

/* wire_accept PATH: waits for the one peer; its socket, or -1. */
static inline int wire_accept(const char *path)
{
	struct sigaction sa = { .sa_handler = wire_on_signal };
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int lfd, fd;

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	if (strlen(path) >= sizeof(addr.sun_path)) {
		fprintf(stderr, "error: the path of the socket is too long: %s\n", path);
		return -1;
	}
	memcpy(addr.sun_path, path, strlen(path) + 1);
	unlink(path);
	lfd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (lfd < 0 || bind(lfd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(lfd, 1)) {
		fprintf(stderr, "error: %s: %s\n", path, strerror(errno));
		return -1;
	}
	do {
		fd = accept(lfd, NULL, NULL);
	} while (fd < 0 && errno == EINTR && !wire_stop);
	close(lfd);
	unlink(path);
	return fd;
}

#endif
