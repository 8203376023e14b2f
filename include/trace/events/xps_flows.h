/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM xps_flows

#if !defined(_TRACE_XPS_FLOWS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_XPS_FLOWS_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/tracepoint.h>

/* A flow takes another TX queue. forced: the device no longer has the old one. */
TRACE_EVENT(xps_flow_move,

	TP_PROTO(const struct net_device *dev, const struct sk_buff *skb,
		 unsigned int bucket, u16 from, u16 to, bool forced),

	TP_ARGS(dev, skb, bucket, from, to, forced),

	TP_STRUCT__entry(
		__string(dev, dev->name)
		__field(const void *, skbaddr)
		__field(u32, hash)
		__field(unsigned int, bucket)
		__field(u16, from)
		__field(u16, to)
		__field(bool, forced)
	),

	TP_fast_assign(
		__assign_str(dev);
		__entry->skbaddr = skb;
		__entry->hash = skb->hash;
		__entry->bucket = bucket;
		__entry->from = from;
		__entry->to = to;
		__entry->forced = forced;
	),

	TP_printk("dev=%s skbaddr=%p hash=0x%08x bucket=%u from=%u to=%u forced=%d",
		  __get_str(dev), __entry->skbaddr, __entry->hash,
		  __entry->bucket, __entry->from, __entry->to, __entry->forced)
);

#endif /* _TRACE_XPS_FLOWS_H */

#include <trace/define_trace.h>
