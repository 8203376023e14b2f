// SPDX-License-Identifier: GPL-2.0
/*
 * napi_batch - runs in the guest: the GRO_NORMAL batch of a device's NAPIs by the
 * netdev netlink family, for guests without Python.
 *
 *   napi_batch get DEVICE        a line a NAPI: id=N batch=N, and its counters if the
 *                                kernel counts: full, poll_end, adaptive, lists
 *   napi_batch set ID BATCH      says why when the kernel refuses
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "program.h"

/* Of linux/netdev.h, newer than the host's. */
enum {
	NETDEV_CMD_NAPI_GET	= 11,
	NETDEV_CMD_NAPI_SET	= 14,

	NAPI_IFINDEX		= 1,
	NAPI_ID			= 2,
	NAPI_GRO_NORMAL_BATCH	= 9,
	NAPI_GRO_NORMAL_STATS	= 10,

	STATS_FULL		= 1,
	STATS_POLL_END		= 2,
	STATS_ADAPTIVE		= 3,
	STATS_HIST		= 4,

	HIST_LISTS		= 3,
};

struct request {
	struct nlmsghdr		nlh;
	struct genlmsghdr	genl;
	char			attrs[128];
};

static int nl;
static char answer[65536];

static void start(struct request *req, int family, int cmd, int flags)
{
	memset(req, 0, sizeof(*req));
	req->nlh.nlmsg_type = family;
	req->nlh.nlmsg_flags = NLM_F_REQUEST | flags;
	req->nlh.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	req->genl.cmd = cmd;
	req->genl.version = 1;
}

static void put(struct request *req, int type, const void *data, size_t len)
{
	struct nlattr *a = (struct nlattr *)((char *)req + NLMSG_ALIGN(req->nlh.nlmsg_len));

	a->nla_type = type;
	a->nla_len = NLA_HDRLEN + len;
	memcpy((char *)a + NLA_HDRLEN, data, len);
	req->nlh.nlmsg_len = NLMSG_ALIGN(req->nlh.nlmsg_len) + NLA_ALIGN(a->nla_len);
}

/* The attribute at @at, if it is whole. */
static const struct nlattr *first(const void *at, const void *end)
{
	const struct nlattr *a = at;

	return (const char *)at + NLA_HDRLEN <= (const char *)end && a->nla_len >= NLA_HDRLEN &&
	       (const char *)at + a->nla_len <= (const char *)end ? a : NULL;
}

static const struct nlattr *next(const struct nlattr *a, const void *end)
{
	return first((const char *)a + NLA_ALIGN(a->nla_len), end);
}

static const void *data(const struct nlattr *a)
{
	return (const char *)a + NLA_HDRLEN;
}

static const void *end_of(const struct nlattr *a)
{
	return (const char *)a + a->nla_len;
}

static const struct nlattr *find(const void *at, const void *end, int type)
{
	const struct nlattr *a;

	for (a = first(at, end); a; a = next(a, end))
		if ((a->nla_type & NLA_TYPE_MASK) == type)
			return a;
	return NULL;
}

/* An integer of 4 or 8 bytes. */
static long long number(const struct nlattr *a)
{
	int32_t small;
	int64_t large;

	if (a->nla_len == NLA_HDRLEN + sizeof(large)) {
		memcpy(&large, data(a), sizeof(large));
		return large;
	}
	memcpy(&small, data(a), sizeof(small));
	return small;
}

/* Send, and have @see look at each message; -errno when the kernel refuses. */
static int talk(struct request *req, void (*see)(const void *at, const void *end))
{
	const struct nlmsghdr *nlh;
	ssize_t len;

	if (send(nl, req, req->nlh.nlmsg_len, 0) != (ssize_t)req->nlh.nlmsg_len)
		fail("send");
	for (;;) {
		len = recv(nl, answer, sizeof(answer), 0);
		if (len < 0)
			fail("recv");
		for (nlh = (void *)answer; NLMSG_OK(nlh, len); nlh = NLMSG_NEXT(nlh, len)) {
			if (nlh->nlmsg_type == NLMSG_ERROR)
				return ((const struct nlmsgerr *)NLMSG_DATA(nlh))->error;
			if (nlh->nlmsg_type == NLMSG_DONE)
				return 0;
			see((const char *)NLMSG_DATA(nlh) + GENL_HDRLEN,
			    (const char *)nlh + nlh->nlmsg_len);
		}
	}
}

static int family_id;

static void see_family(const void *at, const void *end)
{
	const struct nlattr *a = find(at, end, CTRL_ATTR_FAMILY_ID);

	if (a)
		family_id = *(const uint16_t *)data(a);
}

static int family(const char *name)
{
	struct request req;
	int err;

	start(&req, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	put(&req, CTRL_ATTR_FAMILY_NAME, name, strlen(name) + 1);
	err = talk(&req, see_family);
	if (err || !family_id) {
		fprintf(stderr, "error: no family %s: %s\n", name, strerror(-err));
		exit(1);
	}
	return family_id;
}

static void show(const char *name, const struct nlattr *stats, int type)
{
	const struct nlattr *a = find(data(stats), end_of(stats), type);

	if (a)
		printf(" %s=%lld", name, number(a));
}

static void show_hist(const struct nlattr *stats)
{
	const struct nlattr *a, *lists;
	const void *end = end_of(stats);
	const char *sep = " lists=";

	for (a = first(data(stats), end); a; a = next(a, end)) {
		if ((a->nla_type & NLA_TYPE_MASK) != STATS_HIST)
			continue;
		lists = find(data(a), end_of(a), HIST_LISTS);
		printf("%s%lld", sep, lists ? number(lists) : -1);
		sep = ",";
	}
}

static void see_napi(const void *at, const void *end)
{
	const struct nlattr *id = find(at, end, NAPI_ID);
	const struct nlattr *batch = find(at, end, NAPI_GRO_NORMAL_BATCH);
	const struct nlattr *stats = find(at, end, NAPI_GRO_NORMAL_STATS);

	if (!id || !batch)
		return;
	printf("id=%lld batch=%lld", number(id), number(batch));
	if (stats) {
		show("full", stats, STATS_FULL);
		show("poll_end", stats, STATS_POLL_END);
		show("adaptive", stats, STATS_ADAPTIVE);
		show_hist(stats);
	}
	printf("\n");
}

static int get(const char *device)
{
	uint32_t ifindex = if_nametoindex(device);
	struct request req;

	if (!ifindex)
		fail(device);
	start(&req, family("netdev"), NETDEV_CMD_NAPI_GET, NLM_F_DUMP);
	put(&req, NAPI_IFINDEX, &ifindex, sizeof(ifindex));
	return talk(&req, see_napi);
}

static int set(uint32_t id, int32_t batch)
{
	struct request req;

	start(&req, family("netdev"), NETDEV_CMD_NAPI_SET, NLM_F_ACK);
	put(&req, NAPI_ID, &id, sizeof(id));
	put(&req, NAPI_GRO_NORMAL_BATCH, &batch, sizeof(batch));
	return talk(&req, see_napi);
}

int main(int argc, char **argv)
{
	int err;

	nl = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (nl < 0)
		fail("netlink");
	if (argc == 3 && !strcmp(argv[1], "get")) {
		err = get(argv[2]);
	} else if (argc == 4 && !strcmp(argv[1], "set")) {
		err = set(strtoul(argv[2], NULL, 10), strtol(argv[3], NULL, 10));
	} else {
		fprintf(stderr, "usage: napi_batch get DEVICE | set ID BATCH\n");
		return 2;
	}
	if (err)
		fprintf(stderr, "error: %s\n", strerror(-err));
	return err != 0;
}
