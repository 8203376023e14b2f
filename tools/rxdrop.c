// SPDX-License-Identifier: GPL-2.0
/*
 * rxdrop - runs in the guest: a packet socket that is full drops the frames of
 * wirefeed; another one gets its control frames, which are acknowledged.
 *
 *   rxdrop DEVICE TTY FRAMES LABEL
 *
 * It asks wirefeed for the frames and acknowledges over a serial port, so that
 * neither passes a network driver; and it spins, so that the CPU is never idle:
 * timers of the driver do not run more often than on a busy machine.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "wire.h"

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void say(int tty, const char *text)
{
	if (write(tty, text, strlen(text)) != (ssize_t)strlen(text))
		fail("write to the serial port");
}

static int open_tty(const char *name)
{
	struct termios mode;
	int fd = open(name, O_RDWR | O_NOCTTY);

	if (fd < 0 || tcgetattr(fd, &mode))
		fail(name);
	cfmakeraw(&mode);
	if (tcsetattr(fd, TCSANOW, &mode))
		fail(name);
	return fd;
}

static int open_packet(const char *device, int protocol)
{
	struct sockaddr_ll addr = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = if_nametoindex(device),
	};
	/* Protocol 0: nothing is received before it is bound to the device. */
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (fd < 0 || !addr.sll_ifindex)
		fail(device);
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)))
		fail("bind");
	return fd;
}

/* A filter would drop as well, but its code lies beside a driver's. */
static void open_dropping(const char *device)
{
	int fd = open_packet(device, ETH_P_IP), least = 1;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &least, sizeof(least)))
		fail("SO_RCVBUF");
}

/* receive: until the control frame that says it was the last. */
static void receive(int fd, int tty)
{
	char frame[FRAME_LEN];
	ssize_t len;

	for (;;) {
		len = recv(fd, frame, sizeof(frame), MSG_DONTWAIT);
		if (len < 0 && errno == EAGAIN)
			continue;
		if (len < FRAME_LEN)
			fail("recv");
		say(tty, ".");
		if (!memcmp(frame + L3_OFF, "end", 3))
			return;
	}
}

int main(int argc, char **argv)
{
	char line[128];
	int fd, tty;

	if (argc != 5) {
		fprintf(stderr, "usage: rxdrop DEVICE TTY FRAMES LABEL\n");
		return 2;
	}
	open_dropping(argv[1]);
	fd = open_packet(argv[1], ETYPE_CONTROL);
	tty = open_tty(argv[2]);
	snprintf(line, sizeof(line), "feed %s %s\n", argv[3], argv[4]);
	say(tty, line);
	receive(fd, tty);
	return 0;
}
