// SPDX-License-Identifier: GPL-2.0
/// A driver may leave the tail unwritten while netdev_xmit_more() says that
/// another packet follows.  Find the exits of its transmit path that are
/// reached without a look at the hint: when packets before this one were
/// deferred and this one was to end the burst, their descriptors wait for some
/// later transmit.  Find the drivers that honour the hint without a look at
/// the state of the queue, too.
///
// Confidence: Low
// Comments: an exit may be out of reach while packets are deferred, or its
// Comments: caller writes the tail: each has to be read in the code.
// Options: --no-includes
// Keywords: netdev_xmit_more, ndo_start_xmit, doorbell

virtual report
virtual org
virtual audit

@initialize:python@
@@
tx = set()		# functions that look at the hint, and their callers
names = set()		# variables and parameters that hold it
given = set()		# (function, index of the argument): who is given it
direct = set()		# functions that act on netdev_xmit_more() itself
has_skb = set()		# functions with a parameter that is an skb
returns_tx = set()	# functions that return netdev_tx_t
held_in = {}		# position of a netdev_xmit_more() -> names that hold it
asks_state = set()	# positions of statements that ask whether the queue is stopped
tested = set()		# positions of those that are used together with the state of the queue
asks = set()		# functions that use the hint and the state of the queue
tested_names = set()	# names that are
kept = set()		# positions of those that are only put into a variable
written = set()		# positions of names that are assigned to
busy = set()		# lines of "return NETDEV_TX_BUSY"
covered = set()		# lines of returns that hand the packet on, or the hint
methods = set()		# fields of structures that point to such functions
seen = set()
mode = "report"

# They take the hint and say what to do: their caller is the one to act.
ASK = ("netdev_xmit_more", "__netdev_tx_sent_queue", "__netdev_sent_queue",
       "likely", "unlikely", "WARN_ON", "WARN_ON_ONCE", "READ_ONCE",
       "WRITE_ONCE")
TEXT = {
    "busy": "refuses the packet without a look at xmit_more",
    "drop": "ends without a look at xmit_more",
    "error": "gives up without a look at xmit_more",
    "late": "stops the queue after the look at xmit_more",
    "stop": "defers the tail write without a look at the queue's state",
}

def place(p):
    return (p.file, int(p.line), int(p.column))

def emit(kind, p):
    if (kind, p.file, p.line) in seen:
        return
    seen.add((kind, p.file, p.line))
    if mode == "audit":
        print("\t".join(["finding", p.file, p.line, p.current_element, kind]))
    elif mode == "org":
        coccilib.org.print_todo(p, "%s: %s" % (kind, TEXT[kind]))
    else:
        coccilib.report.print_report(p, "%s: %s" % (kind, TEXT[kind]))

def found(p):
    if place(p)[:2] in covered:
        return
    if place(p)[:2] in busy:
        emit("busy", p)
    elif p.current_element in returns_tx:
        emit("drop", p)
    else:
        emit("error", p)

@initialize:python depends on audit@
@@
mode = "audit"

@initialize:python depends on org@
@@
mode = "org"

// --- who looks at the hint --------------------------------------------------

@hint@
position p;
@@
netdev_xmit_more@p()

@script:python@
p << hint.p;
@@
tx.add(p[0].current_element)

@script:python depends on audit@
p << hint.p;
@@
print("\t".join(["hint", p[0].file, p[0].line, p[0].current_element]))

@assigned@
identifier x;
position p;
@@
x = <+... netdev_xmit_more@p() ...+>

@script:python@
x << assigned.x;
p << assigned.p;
@@
names.add(x)
kept.add(place(p[0]))
held_in.setdefault(place(p[0]), set()).add(x)

@declared@
type T;
identifier x;
position p;
@@
T x = <+... netdev_xmit_more@p() ...+>;

@script:python@
x << declared.x;
p << declared.p;
@@
names.add(x)
kept.add(place(p[0]))
held_in.setdefault(place(p[0]), set()).add(x)

@script:python@
p << hint.p;
@@
if place(p[0]) not in kept:
    direct.add(p[0].current_element)

// --- helpers that are given the hint, two calls deep ------------------------

@passed@
identifier h;
position p;
expression list[n] es;
@@
h(es, <+... netdev_xmit_more@p() ...+>, ...)

@passed_param@
identifier passed.h;
identifier x;
type T;
parameter list[passed.n] ps;
@@
h(ps, T x, ...) { ... }

@script:python@
p << passed.p;
x << passed_param.x;
@@
held_in.setdefault(place(p[0]), set()).add(x)

@below1@
identifier h;
identifier var : script:python() { var in names };
expression list[n] es;
position p;
@@
h@p(es, \( <+... netdev_xmit_more() ...+> \| var \| !var \), ...)

@script:python@
h << below1.h;
n << below1.n;
p << below1.p;
@@
if p[0].current_element in tx and h not in ASK:
    given.add(h)

@param1@
identifier below1.h;
identifier x;
type T;
parameter list[below1.n] ps;
@@
h(ps, T x, ...) { ... }

@script:python@
h << below1.h;
x << param1.x;
@@
if h in given:
    names.add(x)
    tx.add(h)

@below2@
identifier h;
identifier var : script:python() { var in names };
expression list[n] es;
position p;
@@
h@p(es, \( var \| !var \), ...)

@script:python@
h << below2.h;
p << below2.p;
@@
if p[0].current_element in tx and h not in ASK:
    given.add(h)

@param2@
identifier below2.h;
identifier x;
type T;
parameter list[below2.n] ps;
@@
h(ps, T x, ...) { ... }

@script:python@
h << below2.h;
x << param2.x;
@@
if h in given:
    names.add(x)
    tx.add(h)

// --- their callers, three calls up: the ones that have a packet --------------

@takes_skb@
identifier f, s;
@@
f(..., struct sk_buff *s, ...) { ... }

@script:python@
f << takes_skb.f;
@@
has_skb.add(f)

@method1@
identifier h, m;
expression E;
@@
(
E->m = h
|
E.m = h
)

@script:python@
h << method1.h;
m << method1.m;
@@
if h in tx:
    methods.add(m)

@table1@
identifier h, s, v, m;
@@
struct s v = { .m = h, };

@script:python@
h << table1.h;
m << table1.m;
@@
if h in tx:
    methods.add(m)

@up1@
identifier called : script:python() { called in tx };
identifier method : script:python() { method in methods };
expression E;
position p;
@@
(
called@p(...)
|
E->method@p(...)
|
E.method@p(...)
)

@script:python@
p << up1.p;
@@
if p[0].current_element in has_skb:
    tx.add(p[0].current_element)

@up2@
identifier called : script:python() { called in tx };
identifier method : script:python() { method in methods };
expression E;
position p;
@@
(
called@p(...)
|
E->method@p(...)
|
E.method@p(...)
)

@script:python@
p << up2.p;
@@
if p[0].current_element in has_skb:
    tx.add(p[0].current_element)

@method3@
identifier h, m;
expression E;
@@
(
E->m = h
|
E.m = h
)

@script:python@
h << method3.h;
m << method3.m;
@@
if h in tx:
    methods.add(m)

@table3@
identifier h, s, v, m;
@@
struct s v = { .m = h, };

@script:python@
h << table3.h;
m << table3.m;
@@
if h in tx:
    methods.add(m)

@up3@
identifier called : script:python() { called in tx };
identifier method : script:python() { method in methods };
expression E;
position p;
@@
(
called@p(...)
|
E->method@p(...)
|
E.method@p(...)
)

@script:python@
p << up3.p;
@@
if p[0].current_element in has_skb:
    tx.add(p[0].current_element)

// --- what they return --------------------------------------------------------

@ndo@
typedef netdev_tx_t;
identifier f;
@@
netdev_tx_t f(...) { ... }

@script:python@
f << ndo.f;
@@
returns_tx.add(f)

@refuses@
position p;
@@
return@p NETDEV_TX_BUSY;

@script:python@
p << refuses.p;
@@
busy.add(place(p[0])[:2])

// To write a variable is no look at it.
@writes@
identifier x;
expression E;
position u;
@@
x@u = E

@script:python@
x << writes.x;
u << writes.u;
@@
if x in names:
    written.add(place(u[0]))

@hands_on@
identifier called : script:python() { called in tx or called == "netdev_xmit_more" };
identifier var : script:python() { var in names };
identifier method : script:python() { method in methods };
expression E;
position p;
@@
return@p <+... \( called(...) \| E->method(...) \| E.method(...) \| var \) ...+>;

@script:python@
p << hands_on.p;
@@
covered.add(place(p[0])[:2])

// --- exits -------------------------------------------------------------------

@exit_direct exists@
identifier fn : script:python() { fn in direct };
identifier called : script:python() { called in tx };
identifier var : script:python() { var in names };
identifier method : script:python() { method in methods };
expression E, E2;
position p;
position u : script:python() { (u[0].file, int(u[0].line), int(u[0].column)) not in written };
@@
fn(...) {
	... when != called(...)
	    when != netdev_xmit_more()
	    when != E2->method(...)
	    when != E2.method(...)
	    when != var@u
(
	return@p;
|
	return@p E;
)
	... when any
}

@exit_kept exists@
identifier fn : script:python() { fn in tx and fn not in direct };
identifier called : script:python() { called in tx };
identifier var : script:python() { var in names };
identifier method : script:python() { method in methods };
expression E, E2;
position p;
position u : script:python() { (u[0].file, int(u[0].line), int(u[0].column)) not in written };
@@
fn(...) {
	... when != called(...)
	    when != E2->method(...)
	    when != E2.method(...)
	    when != var@u
(
	return@p;
|
	return@p E;
)
	... when any
}

// --- the queue's state --------------------------------------------------------

// Statements that ask for it, then those among them that have the hint too.
@state_if@
identifier q =~ "stopped$";
position i;
statement S1, S2;
@@
if@i (<+... q(...) ...+>) S1 else S2

@script:python@
i << state_if.i;
@@
asks_state.add(place(i[0]))

@state_set@
identifier q =~ "stopped$";
position i;
expression E;
@@
E =@i <+... q(...) ...+>

@script:python@
i << state_set.i;
@@
asks_state.add(place(i[0]))

@hint_if@
position p, i;
statement S1, S2;
@@
if@i (<+... netdev_xmit_more@p() ...+>) S1 else S2

@script:python@
p << hint_if.p;
i << hint_if.i;
@@
if place(i[0]) in asks_state:
    tested.add(place(p[0]))

@hint_set@
position p, i;
expression E;
@@
E =@i <+... netdev_xmit_more@p() ...+>

@script:python@
p << hint_set.p;
i << hint_set.i;
@@
if place(i[0]) in asks_state:
    tested.add(place(p[0]))

@asked@
identifier q =~ "sent_queue$";
position p;
@@
q(..., <+... netdev_xmit_more@p() ...+>)

@script:python@
p << asked.p;
@@
tested.add(place(p[0]))

@name_if@
identifier x;
position i : script:python() { (i[0].file, int(i[0].line), int(i[0].column)) in asks_state };
statement S1, S2;
@@
if@i (<+... x ...+>) S1 else S2

@script:python@
x << name_if.x;
@@
tested_names.add(x)

@name_set@
identifier x;
position i : script:python() { (i[0].file, int(i[0].line), int(i[0].column)) in asks_state };
expression E;
@@
E =@i <+... x ...+>

@script:python@
x << name_set.x;
@@
tested_names.add(x)

@asked_name@
identifier q =~ "sent_queue$";
identifier x;
@@
q(..., \( x \| !x \))

@script:python@
x << asked_name.x;
@@
tested_names.add(x)

// Who stops the queue after the look has deferred by then.
@late exists@
identifier fn : script:python() { fn in tx };
identifier called : script:python() { called in tx };
identifier called2 : script:python() { called2 in tx };
identifier var : script:python() { var in names };
identifier stop =~ "^netif_(tx_)?stop_|_(maybe|try)_stop|maybe_stop_";
position p;
position q : script:python() { (q[0].file, int(q[0].line), int(q[0].column)) not in kept };
position q2 : script:python() { (q2[0].file, int(q2[0].line), int(q2[0].column)) not in kept };
position u : script:python() { (u[0].file, int(u[0].line), int(u[0].column)) not in written };
position u2 : script:python() { (u2[0].file, int(u2[0].line), int(u2[0].column)) not in written };
@@
fn(...) {
	... when any
(
	called(...)
|
	netdev_xmit_more@q()
|
	var@u
)
	... when != called2(...)
	    when != netdev_xmit_more@q2()
	    when != var@u2
	stop@p(...)
	... when any
}

// --- what was found ------------------------------------------------------------

@script:python@
p << exit_direct.p;
@@
found(p[0])

@script:python@
p << exit_kept.p;
@@
found(p[0])

@script:python@
p << hint.p;
@@
at = place(p[0])
if at in tested or held_in.get(at, set()) & tested_names:
    asks.add(p[0].current_element)

@script:python@
p << late.p;
@@
emit("late", p[0])

// A function that asks in one place knows: its other looks are at exits.
@script:python@
p << hint.p;
@@
if p[0].current_element not in asks:
    emit("stop", p[0])

@finalize:python@
@@
for f in sorted(tx):
    if mode == "audit":
        print("\t".join(["path", "-", "-", f]))
