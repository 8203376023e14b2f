// SPDX-License-Identifier: GPL-2.0
/*
 * XDP programs for test-offload and test-gro: one for each verdict, to be chosen by name.
 * Those that name a port are for UDP over IPv4 to the port 9 (discard); all else
 * passes, so that the rest of a test goes on.
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

/* uapi/linux/bpf.h, as far as it is needed */
enum { XDP_ABORTED, XDP_DROP, XDP_PASS, XDP_TX, XDP_REDIRECT };

struct xdp_md {
	u32 data;
	u32 data_end;
	u32 data_meta;
	u32 ingress_ifindex;
	u32 rx_queue_index;
	u32 egress_ifindex;
};

enum { BPF_MAP_TYPE_CPUMAP = 16 };

#define SEC(name)	__attribute__((section(name), used))
#define PORT_DISCARD	0x0900		/* 9, network order */
#define PROTO_UDP	17

static long (*redirect)(u32 ifindex, unsigned long flags) = (void *)23;

static long (*redirect_map)(void *map, u32 key, unsigned long flags) = (void *)51;

/* For libbpf: the type says what the map is. */
struct {
	int (*type)[BPF_MAP_TYPE_CPUMAP];
	int (*max_entries)[1];
	u32 *key;
	u32 *value;
} cpus SEC(".maps");

static void *at(u32 address)
{
	return (void *)(unsigned long)address;
}

/* Ethernet, IPv4 without options, UDP. */
static int is_discard(struct xdp_md *ctx)
{
	u8 *frame = at(ctx->data);

	if (frame + 42 > (u8 *)at(ctx->data_end))
		return 0;
	return frame[12] == 8 && frame[13] == 0 && frame[14] == 0x45 &&
	       frame[23] == PROTO_UDP && *(u16 *)(frame + 36) == PORT_DISCARD;
}

static void swap_addresses(u8 *frame)
{
	u8 byte;
	int i;

#pragma unroll
	for (i = 0; i < 6; i++) {
		byte = frame[i];
		frame[i] = frame[6 + i];
		frame[6 + i] = byte;
	}
}

SEC("xdp")
int xdp_pass(struct xdp_md *ctx)
{
	return XDP_PASS;
}

SEC("xdp")
int xdp_drop(struct xdp_md *ctx)
{
	return is_discard(ctx) ? XDP_DROP : XDP_PASS;
}

SEC("xdp")
int xdp_aborted(struct xdp_md *ctx)
{
	return is_discard(ctx) ? XDP_ABORTED : XDP_PASS;
}

SEC("xdp")
int xdp_tx(struct xdp_md *ctx)
{
	if (!is_discard(ctx))
		return XDP_PASS;
	if (at(ctx->data) + 14 > at(ctx->data_end))
		return XDP_ABORTED;
	swap_addresses(at(ctx->data));
	return XDP_TX;
}

/* Back out of the port it came in, by the redirecting way. */
SEC("xdp")
int xdp_redirect(struct xdp_md *ctx)
{
	if (!is_discard(ctx))
		return XDP_PASS;
	if (at(ctx->data) + 14 > at(ctx->data_end))
		return XDP_ABORTED;
	swap_addresses(at(ctx->data));
	return redirect(ctx->ingress_ifindex, 0);
}

/* To CPU 0, when the map has an entry for it. */
SEC("xdp")
int xdp_cpumap(struct xdp_md *ctx)
{
	return is_discard(ctx) ? redirect_map(&cpus, 0, XDP_DROP) : XDP_PASS;
}

SEC("xdp.frags")
int xdp_frags(struct xdp_md *ctx)
{
	return XDP_PASS;
}

char gpl[] SEC("license") = "GPL";
