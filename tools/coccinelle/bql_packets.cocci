// SPDX-License-Identifier: GPL-2.0
/// Drivers whose accounting to byte queue limits cannot be one packet for one
/// packet: what they report as completed is counted in another unit than what
/// they report as sent, or several packets are reported as sent in one call of
/// netdev_tx_sent_queue(), which counts one.
///
/// A report is a place to look at, not a verdict: a function that is only called
/// with one packet at a time may be all right.
//
// Confidence: moderate
// Comments: the packets of netdev_tx_completed_queue() were ignored until byte
//	queue limits counted packets, so nobody has ever checked them
// Options: --no-includes --very-quiet
//
//	spatch --sp-file bql_packets.cocci -D report --no-includes --very-quiet \
//		--dir drivers/net

virtual report

// ---- completed in segments: sent as one skb, completed as its gso_segs -------

@segs@
identifier done =~ "^(netdev_tx_completed_queue|netdev_completed_queue|__?netif_txq_completed_wake|netif_txq_completed_wake)$";
identifier f, pkts, fld;
expression q, bytes, E;
position p;
@@
f(...) {
<+...
pkts += E->fld
... when any
done@p(q, pkts, bytes, ...)
...+>
}

@script:python depends on report@
p << segs.p;
fld << segs.fld;
pkts << segs.pkts;
@@
if "seg" in fld or "gso" in fld:
    print("%s:%s: segments: '%s' adds up '%s' of what was sent as one packet" %
          (p[0].file, p[0].line, pkts, fld))

@segs_stats@
identifier done =~ "^(netdev_tx_completed_queue|netdev_completed_queue|__?netif_txq_completed_wake|netif_txq_completed_wake)$";
identifier fld;
expression q, bytes, E;
position p;
@@
done@p(q, \(E.fld\|E->fld\), bytes)

@script:python depends on report@
p << segs_stats.p;
fld << segs_stats.fld;
@@
print("%s:%s: elsewhere: the number of packets is '%s', which is counted elsewhere" %
      (p[0].file, p[0].line, fld))

// ---- a number of packets that is written down ------------------------------

@literal@
identifier done =~ "^(netdev_tx_completed_queue|netdev_completed_queue|__?netif_txq_completed_wake|netif_txq_completed_wake)$";
constant C;
expression q, bytes;
position p;
@@
done@p(q, C, bytes)

@script:python depends on report@
p << literal.p;
C << literal.C;
@@
print("%s:%s: literal: always %s packets completed, whatever the bytes are" %
      (p[0].file, p[0].line, C))

// ---- several packets sent in one call --------------------------------------

@summed@
identifier sent =~ "^(__)?netdev_(tx_)?sent_queue$";
identifier f, bytes;
expression q, E;
position p;
@@
f(...) {
<+...
bytes += E
... when any
sent@p(q, bytes, ...)
...+>
}

@script:python depends on report@
p << summed.p;
f << summed.f;
bytes << summed.bytes;
@@
print("%s:%s: several: %s() adds up '%s' and reports it as one packet" %
      (p[0].file, p[0].line, f, bytes))

// ---- sent where no packet is at hand ---------------------------------------

@with_skb@
identifier sent =~ "^(__)?netdev_(tx_)?sent_queue$";
identifier f, skb;
position p;
@@
f(..., struct sk_buff *skb, ...) {
<+...
sent@p(...)
...+>
}

@no_skb@
identifier sent =~ "^(__)?netdev_(tx_)?sent_queue$";
identifier f;
expression q, bytes;
position p != with_skb.p;
@@
f(...) {
<+...
sent@p(q, bytes, ...)
...+>
}

@script:python depends on report@
p << no_skb.p;
f << no_skb.f;
bytes << no_skb.bytes;
@@
print("%s:%s: no-skb: %s() reports '%s' without a packet of its own" %
      (p[0].file, p[0].line, f, bytes))

// ---- sent only under a condition -------------------------------------------

@maybe@
identifier sent =~ "^(__)?netdev_(tx_)?sent_queue$";
expression cond, q, bytes, E;
position p;
@@
(
if (cond) {
<+...
sent@p(q, bytes, ...)
...+>
}
|
cond ? sent@p(q, bytes, ...) : E
)

@script:python depends on report@
p << maybe.p;
cond << maybe.cond;
@@
print("%s:%s: condition: only if (%s)" %
      (p[0].file, p[0].line, " ".join(cond.split())))
