// SPDX-License-Identifier: GPL-2.0
/*
 * gro_load - runs in the guest: TCP in which latency can be seen.
 *
 *   gro_load serve                       answers each request, swallows bulk data
 *   gro_load ping ADDRESS STREAMS COUNT  COUNT requests on STREAMS connections, each
 *                                        of which sends the next one when it has
 *                                        its answer; latencies of all
 *   gro_load bulk ADDRESS BYTES          one sender; what it sees: time and RTT
 *
 * Results are one line of key=value, times in nanoseconds of the guest's clock.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <linux/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

enum {
	PORT_PING	= 7,
	PORT_BULK	= 9,
	REQUEST		= 64,		/* bytes, of an answer as well */
	MAX_STREAMS	= 1024,
	CHUNK		= 65536,
	/* Less than the reader's window: that is never what limits the sender. Left to
	 * itself TCP finds one of two states, in one of which the reader lags, its
	 * segments are merged in the backlog, and a byte costs a tenth less.
	 */
	BULK_SNDBUF	= 128 << 10,
};

static char chunk[CHUNK];

/* How much of bulk data to move at once. In a guest without jitter pieces of one
 * size lock sender, reader and polls into a rhythm, and what a batch then costs
 * depends on that size: 64 KiB make lists of 64 look 5 % dearer than those of 8, 32
 * KiB 1 % cheaper.
 */
static size_t piece(void)
{
	return CHUNK / 16 + random() % (CHUNK - CHUNK / 16);
}

static void no_delay(int fd)
{
	int on = 1;

	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		fail("TCP_NODELAY");
}

static int listen_at(int port)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, (struct sockaddr *)&addr, sizeof(addr)) || listen(fd, MAX_STREAMS))
		fail("listen");
	return fd;
}

static int connect_to(const char *address, int port)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (inet_pton(AF_INET, address, &addr.sin_addr) != 1) {
		fprintf(stderr, "error: no address: %s\n", address);
		exit(2);
	}
	if (fd < 0 || connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		fail("connect");
	no_delay(fd);
	return fd;
}

static void watch(int ep, int fd, uint64_t data)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = data };

	if (epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev))
		fail("epoll_ctl");
}

/* ---- the server: data.u64 is the descriptor, and whether it answers ------- */

#define ANSWERS	(UINT64_C(1) << 32)

/* One request or one piece of bulk data. */
static void serve_one(int fd, int answers)
{
	ssize_t n = recv(fd, chunk, answers ? REQUEST : piece(), 0);

	if (n <= 0)
		close(fd);
	else if (answers && send(fd, chunk, n, MSG_NOSIGNAL) != n)
		close(fd);
}

static void serve(void)
{
	int ep = epoll_create1(0), ping = listen_at(PORT_PING), bulk = listen_at(PORT_BULK);
	struct epoll_event ev[64];
	int i, n, fd;

	watch(ep, ping, ping);
	watch(ep, bulk, bulk);
	for (;;) {
		n = epoll_wait(ep, ev, 64, -1);
		for (i = 0; i < n; i++) {
			fd = (int)ev[i].data.u64;
			if (fd != ping && fd != bulk) {
				serve_one(fd, !!(ev[i].data.u64 & ANSWERS));
				continue;
			}
			fd = accept(fd, NULL, NULL);
			if (fd < 0)
				fail("accept");
			no_delay(fd);
			watch(ep, fd, fd | ((int)ev[i].data.u64 == ping ? ANSWERS : 0));
		}
	}
}

/* ---- requests and answers ------------------------------------------------ */

static int stream[MAX_STREAMS];
static uint64_t asked[MAX_STREAMS];

static void ask(unsigned int s)
{
	asked[s] = now_ns();
	if (send(stream[s], chunk, REQUEST, MSG_NOSIGNAL) != REQUEST)
		fail("send");
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t quantile(const uint64_t *sorted, unsigned long n, double q)
{
	return sorted[(unsigned long)(q * (n - 1) + 0.5)];
}

static void ping(const char *address, unsigned int streams, unsigned long count)
{
	uint64_t *ns = calloc(count, sizeof(*ns)), start;
	unsigned long sent = 0, got = 0, warm = count / 10;
	struct epoll_event ev[64];
	int ep = epoll_create1(0), i, n;
	unsigned int s;

	if (!ns)
		fail("calloc");
	for (s = 0; s < streams; s++) {
		stream[s] = connect_to(address, PORT_PING);
		watch(ep, stream[s], s);
	}
	start = now_ns();
	for (s = 0; s < streams && sent < count; s++, sent++)
		ask(s);
	while (got < count) {
		n = epoll_wait(ep, ev, 64, -1);
		for (i = 0; i < n; i++) {
			s = ev[i].data.u64;
			if (recv(stream[s], chunk, REQUEST, MSG_WAITALL) != REQUEST)
				fail("recv");
			ns[got++] = now_ns() - asked[s];
			if (sent < count) {
				ask(s);
				sent++;
			}
		}
	}
	start = now_ns() - start;
	/* The first tenth warms up. */
	qsort(ns + warm, count - warm, sizeof(*ns), by_value);
	printf("streams=%u requests=%lu ns_per_request=%.0f p50=%llu p99=%llu p999=%llu\n",
	       streams, count, (double)start / count,
	       (unsigned long long)quantile(ns + warm, count - warm, 0.5),
	       (unsigned long long)quantile(ns + warm, count - warm, 0.99),
	       (unsigned long long)quantile(ns + warm, count - warm, 0.999));
}

/* ---- bulk data ----------------------------------------------------------- */

static void bulk(const char *address, uint64_t bytes)
{
	int fd = connect_to(address, PORT_BULK);
	uint64_t left = bytes, start = now_ns();
	int size = BULK_SNDBUF;
	struct tcp_info info;
	socklen_t len = sizeof(info);
	ssize_t n;

	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)))
		fail("SO_SNDBUF");
	for (; left; left -= n) {
		size_t want = piece();

		n = send(fd, chunk, left < want ? left : want, MSG_NOSIGNAL);
		if (n <= 0)
			fail("send");
	}
	start = now_ns() - start;
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		fail("TCP_INFO");
	printf("bytes=%llu ns=%llu rtt_us=%u retransmitted=%u acked_segs=%u\n",
	       (unsigned long long)bytes, (unsigned long long)start, info.tcpi_rtt,
	       info.tcpi_total_retrans, info.tcpi_segs_in);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "serve")) {
		serve();
	} else if (argc == 5 && !strcmp(argv[1], "ping")) {
		unsigned long streams = strtoul(argv[3], NULL, 10), count = strtoul(argv[4], NULL, 10);

		if (streams && streams <= MAX_STREAMS && count >= 10) {
			ping(argv[2], streams, count);
			return 0;
		}
	} else if (argc == 4 && !strcmp(argv[1], "bulk")) {
		bulk(argv[2], strtoull(argv[3], NULL, 10));
		return 0;
	}
	fprintf(stderr, "usage: gro_load serve | ping ADDRESS STREAMS COUNT | bulk ADDRESS BYTES\n");
	return 2;
}
