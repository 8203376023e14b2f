// SPDX-License-Identifier: GPL-2.0
/*
 * XDP programs for test-offload: one for each verdict, to be chosen by name.
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

#define SEC(name)	__attribute__((section(name), used))
#define PORT_DISCARD	0x0900		/* 9, network order */
#define PROTO_UDP	17

static long (*redirect)(u32 ifindex, unsigned long flags) = (void *)23;

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

SEC("xdp.frags")
int xdp_frags(struct xdp_md *ctx)
{
	return XDP_PASS;
}

char gpl[] SEC("license") = "GPL";
