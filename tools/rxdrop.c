// SPDX-License-Identifier: GPL-2.0
/*
 * rxdrop - runs in the guest: a packet socket that is full drops the frames of
 * wirefeed; another one gets its control frames, which are acknowledged.
 *
 *   rxdrop DEVICE TTY FRAMES LABEL [udp|forward FLOWS]
 *
 * With "udp", a UDP socket receives the frames instead; with "forward", nothing of
 * this program does: the kernel routes them.  They are of FLOWS flows then.
 *
 * It asks wirefeed for the frames and acknowledges over a serial port, so that
 * neither passes a network driver.  When it drops, it spins, so that the CPU is
 * never idle: timers of the driver do not run more often than on a busy machine.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "program.h"
#include "wire.h"

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

/* A socket with room for a burst. */
static int open_udp(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), size = 1 << 20;

	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		fail("UDP socket");
	return fd;
}

/* What @fd has, if it is a socket at all. */
static unsigned long drain(int fd)
{
	unsigned long n = 0;
	char frame[FRAME_LEN];

	while (fd >= 0 && recv(fd, frame, sizeof(frame), MSG_DONTWAIT) >= 0)
		n++;
	return n;
}

/* receive: until the control frame that says it was the last. */
static void receive(int fd, int flags, int udp, int tty)
{
	unsigned long delivered = 0;
	char frame[FRAME_LEN];
	ssize_t len;

	for (;;) {
		len = recv(fd, frame, sizeof(frame), flags);
		if (len < 0 && errno == EAGAIN)
			continue;
		delivered += drain(udp);
		if (len < FRAME_LEN)
			fail("recv");
		say(tty, ".");
		if (!memcmp(frame + L3_OFF, "end", 3))
			break;
	}
	if (udp >= 0)
		printf("delivered=%lu\n", delivered);
}

int main(int argc, char **argv)
{
	const char *kind = argc == 7 ? argv[5] : "drop";
	int fd, flags = 0, udp = -1, tty;
	char line[128];

	if (argc != 5 && (argc != 7 || (strcmp(kind, "udp") && strcmp(kind, "forward")))) {
		fprintf(stderr, "usage: rxdrop DEVICE TTY FRAMES LABEL [udp|forward FLOWS]\n");
		return 2;
	}
	if (!strcmp(kind, "drop")) {
		open_dropping(argv[1]);
		flags = MSG_DONTWAIT;
	} else if (!strcmp(kind, "udp")) {
		udp = open_udp();
	}
	fd = open_packet(argv[1], ETYPE_CONTROL);
	tty = open_tty(argv[2]);
	snprintf(line, sizeof(line), "feed %s %s %s\n", argv[3], argv[4], argc == 7 ? argv[6] : "");
	say(tty, line);
	receive(fd, flags, udp, tty);
	return 0;
}
