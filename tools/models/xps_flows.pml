/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The transmit flow table (net/core/xps_flows.c): may a packet be ahead of an
 * earlier one of its flow because the flow changed its queue?
 *
 * What is modelled
 *   entry	of one bucket, which all senders meet in: queue, users, seen, stamp,
 *		changed by compare-and-swap or by an atomic addition
 *   sender	a flow of its own, whose packets wish for one of two queues, any one,
 *		each time.  Senders run at the same time: two CPUs with one flow are two
 *		senders, since only what one of them does in turn has an order.
 *   hand over	by the lockless list (which another sender may drain) or under the root
 *		lock; or the qdisc drops the packet
 *   qdisc	gives packets to the driver in any order, those of a sender in theirs;
 *		the root lock is dropped meanwhile; the driver may refuse a packet, which
 *		goes back; who runs the queue may stop at any moment, others (the
 *		softirq) go on at any moment
 *   driver	counts what it is given, and what it completes, in order, at any
 *		moment; the counters wrap at WRAP.  With NOBQL it counts nothing.
 *   reset	with RESET the driver of a queue drops all it has, once, and sets its
 *		counters to 0
 *
 * What is not: memory that is weaker than sequential consistency, that is, the
 * barriers; TCQ_F_NOLOCK; queues that the device no longer has; more users than an
 * entry can count; a table that is replaced; a count of changes that wraps.
 *
 * A step holds at most one access to what others may touch.
 *
 * What must hold
 *   F1	when a packet has picked its queue, no earlier packet of its sender is in
 *	the other one, in whatever place
 *   B1	never more completed than sent (by construction), and in the end all is
 *	sent or dropped, and the entry has no users.  NODROP, NOBUSY: the qdisc
 *	drops nothing, the driver refuses nothing (which makes it faster)
 *   L1	a flow does move: with REACH an assertion says that none does, and has to
 *	fail; with REACH=2 none that was held before
 *
 * Searched to the end, with no error (-DSAFETY -DCOLLAPSE, partial order reduction),
 * packets of sender 0 and 1, states:
 *	3 0  START 7			449 895
 *	3 0  START 7  RESET		571 585
 *	3 0  NOBQL			144 597
 * and two senders, 2 packets and 1, with nothing dropped or refused.  With drops
 * they have been searched in part only.
 *
 * BUG is the number of a mistake to be found; see scripts/models.  Two are not found
 * and not asked for: 4 (the lockless list is not looked at; 2 packets and 2: 54 million
 * states), since a sender that has its packet on another's list is behind a user of
 * the same entry here, and 9 (a packet whose queue stays does not count itself; 2 and
 * 1: 5 million), since order is asked of each sender's own packets.  The KUnit cases
 * stays_while_on_defer_list and last_user_looks find them.
 */
#ifndef N0
#define N0	2	/* packets of sender 0, and so on; 0 is no such sender */
#endif
#ifndef N1
#define N1	1
#endif
#ifndef N2
#define N2	0
#endif
#ifndef WRAP
#define WRAP	8	/* more than are ever in flight */
#endif
#ifndef BUG
#define BUG	0
#endif
#ifndef REACH
#define REACH	0
#endif

#define SENDERS	3
#define PACKETS	(N0 + N1 + N2)
#define SENDER(p)	((p) < N0 -> 0 : ((p) < N0 + N1 -> 1 : 2))

/* Where a packet is.  NEW: it has not picked; GONE: completed or dropped. */
#define NEW	0
#define WAY	1
#define LIST	2
#define TAKEN	3	/* off the list, by who holds the root lock */
#define QDISC	4
#define HAND	5	/* of who runs the queue */
#define RING	6
#define GONE	7

byte place[PACKETS];
bit queue_of[PACKETS];

byte root[2];		/* who holds the lock, 0: nobody */
bool running[2];
byte sent[2];		/* dql.num_queued, modulo WRAP */
byte done[2];		/* dql.num_completed */
byte ring[2 * PACKETS];	/* in the order in which the driver was given them */
byte n_ring[2];
bool used;		/* entry */
bit e_queue;
byte e_users;
bool e_seen;
byte e_stamp;
bool held;
bool was_reset;
byte finished;

/* F1 */
inline judge(p)
{
	k = 0;
	do
	:: k < p ->
		assert(!(SENDER(k) == SENDER(p) && queue_of[k] != queue_of[p] &&
			 place[k] != GONE));
		k++
	:: else -> break
	od;
	k = 0
}

inline listed(q, answer)
{
	k = 0; answer = false;
	do
	:: k < PACKETS ->
		answer = answer || (queue_of[k] == q && place[k] == LIST);
		k++
	:: else -> break
	od;
	k = 0
}

inline enqueued(q, answer)
{
	k = 0; answer = false;
	do
	:: k < PACKETS ->
		answer = answer || (queue_of[k] == q && place[k] == QDISC);
		k++
	:: else -> break
	od;
	k = 0
}

/* All of @q in @from go to @to. */
inline carry(q, from, to)
{
	k = 0;
	do
	:: k < PACKETS ->
		if
		:: queue_of[k] == q && place[k] == from -> place[k] = to
		:: else
		fi;
		k++
	:: else -> break
	od;
	k = 0
}

inline give(p, q)
{
	place[p] = RING;
	ring[q * PACKETS + n_ring[q]] = p;
	n_ring[q] = n_ring[q] + 1;
#ifndef NOBQL
	sent[q] = (sent[q] + 1) % WRAP
#endif
}

/* Run @q: the caller holds its root lock as @me, and has set running. */
inline run_queue(q, me)
{
	do
	:: d_step {
		/* any packet whose sender has no earlier one there */
		k = 0; n = PACKETS;
		do
		:: k < PACKETS ->
			if
			:: queue_of[k] == q && place[k] == QDISC && n == PACKETS ->
				n = k
			:: else
			fi;
			k++
		:: else -> break
		od;
		k = 0
	   }
	   if
	   :: n == PACKETS -> break
	   :: n < PACKETS ->
		/* or the first one of another sender */
		if
		:: skip
		:: d_step {
			k = n + 1;
			do
			:: k < PACKETS && !(queue_of[k] == q && place[k] == QDISC &&
					    SENDER(k) != SENDER(n)) -> k++
			:: else -> break
			od;
			if
			:: k < PACKETS -> n = k
			:: else
			fi;
			k = 0
		   }
		fi;
		atomic { place[n] = HAND; root[q] = 0 }
		if
		:: d_step { give(n, q) }; refused = false
#ifndef NOBUSY
		:: refused = true
#endif
		fi;
		atomic {
			root[q] == 0 -> root[q] = me;
			if
			:: refused -> place[n] = QDISC; refused = false; n = 0; break
			:: else -> n = 0
			fi
		}
	   fi
	:: break	/* quota */
	od;
	n = 0
}

/* xps_flow_left_qdisc(): answers in @ok, @head */
inline left_qdisc(q, me)
{
	ok = false;
#if BUG == 8
	head = sent[q];
#endif
#if BUG == 7
	/* without the lock: one look after the other */
	listed(q, no);
	if
	:: !no ->
		enqueued(q, no);
		ok = !no && !running[q]
	:: else
	fi;
#else
	if
	:: atomic { root[q] == 0 -> root[q] = me }
		d_step {
			ok = true;
#if BUG != 4
			listed(q, no);
			ok = ok && !no;
#endif
#if BUG != 6
			enqueued(q, no);
			ok = ok && !no;
#endif
#if BUG != 5
			ok = ok && !running[q];
#endif
			no = false
		}
		root[q] = 0
	:: atomic { root[q] != 0 -> skip }
	fi;
#endif
#if BUG != 8
	head = sent[q]
#endif
}

/* xps_flow_left_driver() for @head, into @ok */
inline left_driver(q)
{
	c = done[q];
#if BUG == 10
	ok = c >= head
#else
	ok = (head + 2 * WRAP - c - 1) % WRAP >= (sent[q] + WRAP - c) % WRAP
#endif
}

#ifdef NOBQL
#define COUNTED(q)	false
#else
#define COUNTED(q)	(sent[q] != 0 || done[q] != 0)
#endif

inline read_entry()
{
	d_step {
		o_used = used; o_queue = e_queue; o_users = e_users;
		o_seen = e_seen; o_stamp = e_stamp
	}
}

#define SAME	(used == o_used && e_queue == o_queue && e_users == o_users && \
		 e_seen == o_seen && e_stamp == o_stamp)
#if BUG == 3
#define TICK
#else
#define TICK	e_stamp = (e_stamp + 1) % 128
#endif

proctype sender(byte me, first, last)
{
	byte p = first, k, n, head, c, o_users, o_stamp;
	bit wish, q, o_queue;
	bool o_used, o_seen, ok, no, refused, look, mine, is_held,
	     drains;

	do
	:: p == last -> break
	:: else ->
		/* xps_flows_pick() */
		if
		:: wish = 0
		:: wish = 1
		fi;
retry:
		read_entry();
		is_held = false;
		if
		:: !o_used || o_queue == wish -> q = wish
		:: else ->
			if
#if BUG != 1
			:: o_users > 0 -> ok = false
#endif
#if BUG == 1
			:: o_seen ->
#else
			:: o_users == 0 && o_seen ->
#endif
				head = o_stamp;
				left_driver(o_queue)
#if BUG == 1
			:: !o_seen ->
#else
			:: o_users == 0 && !o_seen ->
#endif
				left_qdisc(o_queue, me);
				if
#if BUG != 14
				:: ok && !COUNTED(o_queue) -> ok = false
				:: ok && COUNTED(o_queue) -> left_driver(o_queue)
#else
				:: ok -> left_driver(o_queue)
#endif
				:: !ok
				fi
			fi;
			if
			:: ok -> q = wish
			:: !ok -> q = o_queue; is_held = true
			fi
		fi;
#if BUG == 9
		/* nothing to change: do not write */
		if
		:: o_used && o_queue == q && o_users > 0 ->
			d_step { place[p] = WAY; queue_of[p] = q; judge(p) };
			mine = false;
			goto picked
		:: else
		fi;
#endif
		atomic {
			if
			:: SAME ->
#if REACH == 1
				assert(!(o_used && o_queue != q));
#endif
#if REACH == 2
				assert(!(o_used && o_queue != q && held));
#endif
				held = held || is_held;
				used = true; e_queue = q; e_users = o_users + 1;
#if BUG != 12
				TICK;
				e_seen = false;
#endif
				place[p] = WAY; queue_of[p] = q;
				judge(p);
				mine = true
			:: else -> goto retry
			fi
		}
#if BUG == 9
picked:		skip;
#endif
		d_step {
			look = is_held;
			no = o_seen && !is_held;
			is_held = false; ok = false; head = 0; c = 0;
			o_used = 0; o_queue = 0; o_users = 0; o_seen = 0; o_stamp = 0;
			wish = 0
		}
		/* another flow has taken the stamp away: see for it, or not, if
		 * it cannot be told from this one
		 */
		if
		:: no -> no = false; look = true
		:: no = false
		fi;

		/* __dev_xmit_skb() */
		if
#ifndef NODROP
		:: place[p] = GONE; drains = false
#endif
		:: drains = true
		:: d_step {
			/* who finds the list empty drains it */
			listed(q, no);
			place[p] = LIST;
			drains = !no;
			no = false
		   }
		fi;
		if
		:: !drains
		:: drains ->
			atomic { root[q] == 0 -> root[q] = me }
			d_step {
				carry(q, LIST, TAKEN);
				if
				:: place[p] == WAY -> place[p] = TAKEN
				:: else
				fi
			}
			d_step { carry(q, TAKEN, QDISC) }
			if
			:: running[q] -> root[q] = 0
			:: else ->
				running[q] = true;
				run_queue(q, me);
				d_step { running[q] = false; root[q] = 0 }
			fi;
			drains = false
		fi;

		/* xps_flows_handed_over() */
		if
		:: !mine
		:: mine && !look -> d_step { e_users = e_users - 1; TICK }
		:: mine && look ->
again:
			read_entry();
			ok = false;
			if
#if BUG == 2
			:: true ->
#else
			:: o_users == 1 ->
#endif
				left_qdisc(q, me);
				if
				:: ok && !COUNTED(q) -> ok = false
				:: else
				fi
#if BUG != 2
			:: o_users != 1
#endif
			fi;
			atomic {
				if
				:: SAME ->
					e_users = e_users - 1;
					if
					:: ok -> e_seen = true; e_stamp = head
					:: else -> TICK
					fi
				:: else -> goto again
				fi
			}
		fi;
		d_step {
			ok = false; head = 0; look = false; mine = false; q = 0;
			o_used = 0; o_queue = 0; o_users = 0; o_seen = 0; o_stamp = 0;
			p++
		}
	od;
	finished++
}

#define IN_QDISC(p, q)	((p) < PACKETS && place[(p) % PACKETS] == QDISC && \
			 queue_of[(p) % PACKETS] == q)
#define WAITS(q)	(IN_QDISC(0, q) || IN_QDISC(1, q) || IN_QDISC(2, q) || \
			 IN_QDISC(3, q) || IN_QDISC(4, q))

/* net_tx_action(): whoever has left the queue before it was empty has scheduled
 * it.
 */
proctype softirq()
{
	byte k, n;
	bit q;
	bool refused;

end:
	do
	:: atomic { root[0] == 0 && !running[0] && WAITS(0) ->
		    root[0] = 9; running[0] = true; q = 0 }
		run_queue(q, 9);
		d_step { running[q] = false; root[q] = 0; q = 0 }
	:: atomic { root[1] == 0 && !running[1] && WAITS(1) ->
		    root[1] = 9; running[1] = true; q = 1 }
		run_queue(q, 9);
		d_step { running[q] = false; root[q] = 0; q = 0 }
	od
}

/* The driver has completed the first packet of @q. */
inline complete(q)
{
	d_step {
		place[ring[q * PACKETS]] = GONE;
		i = 0;
		do
		:: i + 1 < n_ring[q] ->
			ring[q * PACKETS + i] = ring[q * PACKETS + i + 1];
			i++
		:: else -> break
		od;
		n_ring[q] = n_ring[q] - 1;
		ring[q * PACKETS + n_ring[q]] = 0;
		i = 0
	}
#ifndef NOBQL
	done[q] = (done[q] + 1) % WRAP
#endif
}

proctype completion()
{
	byte i;

end:
	do
	:: n_ring[0] > 0 -> complete(0)
	:: n_ring[1] > 0 -> complete(1)
#ifdef RESET
	/* with the queue's TX lock held: nobody gives it anything meanwhile */
	:: d_step { !was_reset && n_ring[0] > 0 ->
		was_reset = true;
		i = 0;
		do
		:: i < n_ring[0] ->
			place[ring[i]] = GONE;
			ring[i] = 0;
			i++
		:: else -> break
		od;
		n_ring[0] = 0;
		i = 0;
		sent[0] = 0;
		done[0] = 0
	   }
#endif
	od
}

init {
	byte p;

	atomic {
#ifdef START
		sent[0] = START; done[0] = START;
		sent[1] = START; done[1] = START;
#endif
		run softirq();
		run completion();
		run sender(1, 0, N0);
		run sender(2, N0, N0 + N1);
		run sender(3, N0 + N1, PACKETS)
	}
	/* B1 */
	finished == SENDERS;
	assert(e_users == 0)
}
