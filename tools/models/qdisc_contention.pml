/* SPDX-License-Identifier: GPL-2.0 */
/*
 * __dev_xmit_skb() for a qdisc with a root lock, in the three modes of
 * net.core.qdisc_contention, while the mode changes under the senders' feet.
 *
 * What is modelled
 *   defer_list	pushed with cmpxchg on the value read before, emptied as a whole
 *   defer_count	incremented once a push to a list that was not empty, bounded
 *		by MAX_BURST, cleared apart from the list
 *   root lock	not fair; whoever holds it puts what is on the list before his own
 *   busylock	taken when running is seen (without a lock), before the root lock,
 *		and released before the queue is run
 *   running	written under the root lock, which is dropped while the driver works
 *   device	may stop the queue after any packet, or refuse a packet with
 *		NETDEV_TX_BUSY; a completion wakes a stopped queue
 *   quota	may be used up after any packet
 *   SCHED	with the shortcut in __netif_schedule() that trusts a list which is
 *		not empty, and net_tx_action()
 *   deactivation	with DOWN: the flag, noop_qdisc, synchronize_net(), the reset, the
 *		wait for a qdisc that is not busy, qdisc_destroy(); with UP another
 *		qdisc follows (what nobody refers to any more is used again)
 *   a burst	with BURST the packets of CPU 0 are one call of several packets,
 *		which go under one root lock: in llist mode only when the list was
 *		seen empty, and then without taking it; else one at a time
 *   defer_taken	with TAKEN: how the CPU that made the list non-empty knows whether
 *		its packet is among those that it finds
 *
 * The mode is no variable.  The writer of the sysctl may write any word at any
 * moment and each sender reads it once a call: that is a free choice of each call.
 *
 * What is not: memory that is weaker than sequential consistency; what a qdisc
 * does inside (it is a FIFO of LIMIT packets); TCQ_F_CAN_BYPASS (the same as to
 * enqueue and run at once); bulk dequeue; that a burst goes in parts when the qdisc
 * has not room for it, and ends at its first drop; two net_tx_action() at a time,
 * unless SOFTIRQS is 2.
 *
 * A step holds at most one access to what others may touch at that moment.
 * Taking a lock is put together with what follows, releasing it with what comes
 * before, and what only the lock's holder touches is no step of its own: such
 * steps commute with those of other CPUs.  Nothing that others see comes before
 * the taking of a lock in the same step.  (An atomic sequence that has to wait for
 * a lock lets others go on.)  SPLIT is the end of a step that matters only when
 * somebody deactivates the qdisc.
 *
 * What must hold
 *   P1	no packet leaves twice (sent or dropped), none is left over at the end
 *   P2	packets of one CPU are sent in its order
 *   P3	when the senders are done and the softirq is idle, queue and list are
 *	empty, and no lock is held (nothing is stranded)
 *   P4	running is read for a decision and written under the root lock only, and
 *	one CPU at a time is in the driver
 *   P5	in direct and busylock mode a sender is told what the qdisc did with its
 *	packet
 *   P6	the busylock is not held while the queue is run
 *   P7	when a deactivated qdisc is destroyed nobody has it in hand, and nothing is
 *	in it but a packet that the driver refused after the reset
 *   P8	no deadlock (spin's own check of end states)
 *   P9	when defer_taken is what it was before the push, the own packet is on the
 *	list that was taken.  (It may have changed before the push, too: then the
 *	packet is taken for one that is gone, which costs no more than a verdict.)
 *
 * Searched to the end, with no error, by spin 6.5.2 (-DSAFETY -DCOLLAPSE, partial
 * order reduction; no bitstate hashing).  Packets of CPU 0, 1 and 2, states:
 *	1 1 1			 4 314 779
 *	1 1 1  DOWN UP		13 120 046
 *	1 1 1  TAKEN		 8 154 835
 *	1 1 1  BUG 2		 4 242 239
 *	2 1 1			30 072 551
 *	2 1 1  BURST		19 186 392
 *	2 1			 1 060 030
 *	2 1  DOWN UP		 3 233 889
 *	2 1  TAKEN		 1 601 090
 *	2 1  BUG 2		 1 053 356
 *	2 1  SOFTIRQS 2		 3 354 792
 *	2 2			 6 624 230
 *	2 2  BURST		 4 975 108
 * BUG 2 is none: who finds that its list was taken need not run the queue, as
 * long as everyone who takes a list does.  (BUG 16 is both left out.)  P2 says
 * something only where a CPU has two packets.
 *
 * BUG is the number of a mistake to be found; see scripts/models, which also says
 * which searches are run.
 */
#ifndef N0
#define N0	2	/* packets of CPU 0, and so on; 0 is no such CPU */
#endif
#ifndef N1
#define N1	1
#endif
#ifndef N2
#define N2	1
#endif
#ifndef LIMIT
#define LIMIT	2	/* packets that the qdisc takes */
#endif
#ifndef MAX_BURST
#define MAX_BURST	1	/* net.core.qdisc_max_burst */
#endif
#ifndef SOFTIRQS
#define SOFTIRQS	1
#endif
#ifndef BUG
#define BUG	0
#endif

#define PACKETS	(N0 + N1 + N2)
#define CPUS	3
#define SENDER(p)	((p) <= N0 -> 0 : ((p) <= N0 + N1 -> 1 : 2))

#define SEVERAL(p)	((p) <= N0 -> N0 > 1 : ((p) <= N0 + N1 -> N1 > 1 : N2 > 1))

/* Names of CPUs in the locks: 1 ... 3 the senders, then the others. */
#define SOFTIRQ	4
#define COMPLETION	6
#define ADMIN	7

#define DIRECT	1
#define BUSYLOCK	2
#define LLIST	3

/* Packets are numbers from 1; a list's head is its last entry. */
byte list[PACKETS + 1];
byte n_list;
#define HEAD	(n_list > 0 -> list[n_list - 1] : 0)
byte defer_count;
#ifdef TAKEN
byte defer_taken;	/* root lock */
#endif

byte hand[PACKETS + 1];	/* between llist_del_all() and the qdisc; root lock */
byte n_hand;
byte queue[PACKETS + 1];	/* root lock; NETDEV_TX_BUSY puts back at the front */
byte n_queue;

byte root;
byte busy;
bool running;
bool sched;
bool stopped;
bool waking;
bool deactivated;
bool noop;
bool down;		/* destroyed: nobody may enqueue */
byte in_driver;

bool gone[PACKETS + 1];	/* sent or dropped */
byte last_sent[CPUS];
#ifdef DOWN
byte readers;		/* a bit a CPU: inside RCU with this qdisc */
#define ENTER(bits)	readers = readers | (bits)
#define LEAVE(bits)	readers = readers & ~(bits)
#define READERS	readers
#define SPLIT	}; atomic {
#else
#define ENTER(bits)	skip
#define LEAVE(bits)	skip
#define READERS	0
#define SPLIT
#endif
byte done;		/* senders that have ended */
bool admin_done;

hidden byte i, j;

/* drop a packet, in a d_step */
inline drop(p)
{
	assert(!gone[p]);
	gone[p] = true;
}

/* dev_qdisc_enqueue(), in a d_step: rc is the verdict */
inline enqueue(p, rc)
{
	assert(!down);
	if
	:: n_queue < LIMIT ->
		queue[n_queue] = p;
		n_queue++;
		rc = true
	:: else ->
		drop(p);
		rc = false
	fi
}

/* llist_del_all() and llist_reverse_order(), in a d_step */
inline take_list()
{
	assert(n_hand == 0);
	i = 0;
	do
	:: i < n_list ->
#if BUG == 11
		hand[i] = list[n_list - 1 - i];
#else
		hand[i] = list[i];
#endif
		i++
	:: else -> break
	od;
	i = 0;
	do
	:: i < n_list -> list[i] = 0; i++
	:: else -> break
	od;
	n_hand = n_list;
	n_list = 0
}

/* what is in hand goes to the qdisc, or away; in a d_step */
inline empty_hand(rc)
{
	i = 0;
	do
	:: i < n_hand ->
		if
		:: deactivated -> drop(hand[i]); rc = false
		:: else -> enqueue(hand[i], rc)
		fi;
		hand[i] = 0;
		i++
	:: else -> break
	od;
	n_hand = 0
}

/* What is not needed any more: fewer states. */
inline forget()
{
	mode = 0;
	take = false;
	seen = false;
	promised = false;
	rc = false
}

/* __netif_schedule() */
inline netif_schedule()
{
	if
	:: deactivated
	:: !deactivated ->
#if BUG == 3
		if
		:: running
		:: !running -> sched = true
		fi
#elif BUG == 14
		if
		:: defer_count > 0
		:: defer_count == 0 -> sched = true
		fi
#else
		if
		:: n_list > 0
		:: n_list == 0 -> sched = true
		fi
#endif
	fi
}

/* release of the busylock when this CPU has it, in an atomic */
inline let_busylock_go()
{
	if
	:: held ->
		busy = 0;
		held = false
	:: else
	fi
}

/* The driver has taken a packet, in an atomic. */
inline sent(pkt)
{
	assert(!gone[pkt]);
	/* P2 */
	assert(pkt > last_sent[SENDER(pkt)]);
	gone[pkt] = true;
	if
	:: SEVERAL(pkt) -> last_sent[SENDER(pkt)] = pkt
	:: else
	fi;
	pkt = 0
}

/*
 * qdisc_run() and the release of the root lock, which "me" holds.  bits are
 * RCU's of this CPU, left with the last step.
 */
inline run_and_unlock(me, bits)
{
	if
	:: atomic {
		running ->
		assert(root == me);
		let_busylock_go();
		LEAVE(bits);
		root = 0
	   }
	:: atomic {
		!running ->
		assert(root == me);
#if BUG == 4
		root = 0
	   };
	   atomic {
#endif
		running = true;
#if BUG != 5
		let_busylock_go();
#endif
#if BUG == 4
		root == 0;
		root = me
#endif
	   };
	   do
	   :: atomic { (stopped || n_queue == 0) -> break }
	   :: atomic {
		(!stopped && n_queue > 0) ->
		assert(root == me && in_driver == 0);
		d_step {
			pkt = queue[0];
			i = 1;
			do
			:: i < n_queue -> queue[i - 1] = queue[i]; i++
			:: else -> break
			od;
			n_queue--;
			queue[n_queue] = 0
		};
		/* P6 */
		assert(busy != me);
		in_driver = me;
		root = 0
	      };
	      if
	      :: if
		 :: atomic {	/* sent */
			sent(pkt);
			root == 0 ->
			root = me;
			assert(in_driver == me);
			in_driver = 0
		    }
		 :: atomic {	/* sent, and the queue is stopped */
			sent(pkt);
			stopped = true
		    };
		    atomic {
			root == 0 ->
			root = me;
			assert(in_driver == me);
			in_driver = 0
		    }
		 fi;
		 if
		 :: skip	/* quota is left */
		 :: netif_schedule();
		    break
		 fi
	      :: atomic {	/* NETDEV_TX_BUSY: dev_requeue_skb() */
			root == 0 ->
			root = me;
			assert(in_driver == me);
			in_driver = 0;
			d_step {
				i = n_queue;
				do
				:: i > 0 -> queue[i] = queue[i - 1]; i--
				:: else -> break
				od;
				queue[0] = pkt;
				n_queue++;
				pkt = 0
			}
		 };
		 netif_schedule();
		 break
	      fi
	   od;
#if BUG == 12
	   root = 0;
	   atomic {
		assert(root == me);
		running = false;
		LEAVE(bits)
	   }
#else
	   atomic {	/* qdisc_run_end() */
		assert(root == me && running);
		running = false;
#if BUG == 5
		let_busylock_go();
#endif
		LEAVE(bits);
		root = 0
	   }
#endif
	fi
}

inline run_unless_quit(me)
{
	if
	:: quit ->
		atomic {
			quit = false;
			let_busylock_go();
			LEAVE(1 << me);
			root = 0
		}
	:: else -> run_and_unlock(me, 1 << me)
	fi
}

/* dev_queue_xmit() of packet p */
inline xmit(me, p)
{
	if
	:: d_step { noop -> drop(p) }
	:: atomic {
		!noop ->
		ENTER(1 << me);
		if
		:: mode = DIRECT
		:: mode = BUSYLOCK
		:: mode = LLIST
		fi;
		SPLIT
#ifdef TAKEN
		taken = defer_taken
	   };
	   atomic {
#endif
		if
		:: mode == LLIST -> first = HEAD
		:: mode == BUSYLOCK -> take = true; seen = running
		:: else -> take = true
		fi
	   };
	   if
	   :: mode == LLIST -> push(me, p)
	   :: else -> locked(me, p, 1)
	   fi
	fi
}

#ifdef BURST
/* dev_queue_xmit_list() of packets p ... p + n - 1; single: the first one goes alone */
inline xmit_burst(me, p, n)
{
	if
	:: d_step {
		noop ->
		j = 0;
		do
		:: j < n -> drop(p + j); j++
		:: else -> break
		od
	   }
	:: atomic {
		!noop ->
		ENTER(1 << me);
		if
		:: take = true
		:: take = false
		fi;
		SPLIT
		if
		:: !take && n_list > 0 -> single = true; LEAVE(1 << me)
		:: else
		fi
	   };
	   if
	   :: !single ->
		atomic {	/* the mode is read once more, for the busylock */
			if
			:: skip
			:: seen = running
			fi
		};
		locked(me, p, n)
	   :: single -> skip
	   fi
	fi
}
#endif

/* direct, busylock, a burst */
inline locked(me, p, n)
{
	atomic {
#if BUG == 6
		/* the wrong way round in one path */
		if
		:: n > 1 -> root == 0; root = me
		:: else
		fi;
#endif
		if
		:: seen -> busy == 0; busy = me; held = true
		:: else
		fi;
#if BUG == 6
		if
		:: root == me
		:: root == 0 -> root = me
		fi;
#else
		root == 0 ->
		root = me;
#endif
#if BUG != 1
		if
		:: take -> d_step { take_list() }
		:: else
		fi
#endif
	};
	atomic {
		if
		:: n_hand > 0 ->
			defer_count = 0;
#ifdef TAKEN
			defer_taken++
#endif
		:: else
		fi;
		SPLIT
		d_step {
#if BUG != 17
			empty_hand(rc);
#endif
#if BUG != 17
		};
		SPLIT
		d_step {
#endif
			quit = deactivated;
			j = 0;
			do
			:: j < n ->
				if
				:: quit -> drop(p + j); rc = false
				:: else -> enqueue(p + j, rc)
				fi;
				j++
			:: else -> break
			od;
#if BUG == 17
			/* the verdict is that on somebody else's packet */
			empty_hand(rc);
#endif
#if BUG == 16
			quit = quit || !rc;
#endif
			/* P5 */
			assert(n > 1 || rc == !gone[p]);
			forget()
		}
	};
#if BUG == 15
	quit = quit || n > 1;
#endif
	run_unless_quit(me)
}

inline push(me, p)
{
	do
	:: atomic {
		first != 0 && !counted ->
		counted = true;
		defer_count++;
		if
		:: defer_count > MAX_BURST ->
			drop(p);
#if BUG != 10
			LEAVE(1 << me);
			break
#endif
		:: else
		fi
	   }
	:: atomic {
		(first == 0 || counted) ->
#if BUG == 7
		/* without a look at what is there now */
		d_step { list[0] = p; n_list = 1 };
		promised = (first == 0);
		if
		:: !promised -> LEAVE(1 << me)
		:: else
		fi;
		break
#else
		if
		:: HEAD == first ->
			list[n_list] = p;
			n_list++;
			promised = (first == 0);
			if
			:: !promised -> LEAVE(1 << me)
			:: else
			fi;
			break
		:: else -> first = HEAD
		fi
#endif
	   }
	od;
	atomic {
		first = 0;
		counted = false;
#ifdef TAKEN
#if BUG == 18
		taken = (promised -> defer_taken : 0)
#else
		if
		:: !promised -> taken = 0
		:: else
		fi
#endif
#endif
	};
	if
	:: promised -> drain(me, p)
	:: else -> forget()
	fi
}

/* The CPU that made the list non-empty empties it, whatever the mode is now. */
inline drain(me, p)
{
	atomic {
#if BUG == 8
		/* the mode read a second time: not llist any more, so no list */
		if
		:: mode = LLIST
		:: mode = DIRECT
		fi;
#endif
		root == 0 ->
		root = me;
		if
		:: mode == LLIST -> d_step { take_list() }
		:: else
		fi;
		#if BUG == 2 || BUG == 16
		seen = (n_hand > 0)
#endif
	};
	atomic {
#ifdef TAKEN
		/* P9 */
		d_step {
			i = 0;
			do
			:: i < n_hand && hand[i] != p -> i++
			:: else -> break
			od;
			assert(taken != defer_taken || i < n_hand);
#if BUG != 19
			/* the own packet is gone: the others' are taken here */
			if
			:: taken != defer_taken && n_hand > 0 -> defer_taken++
			:: else
			fi;
#endif
			taken = 0
		};
#endif
		defer_count = 0;
		SPLIT
		d_step { empty_hand(rc) };
		SPLIT
		quit = deactivated;
#if BUG == 2 || BUG == 16
		quit = quit || !seen;
#endif
		forget()
	};
	run_unless_quit(me)
}

proctype cpu(byte me; byte p; byte left)
{
	byte mode, first, pkt;
	bool seen, take, counted, promised, held, rc, quit;
#ifdef TAKEN
	byte taken;
#endif
#ifdef BURST
	bool single;
#endif

	do
	:: left == 0 -> break
#ifdef BURST
	:: me == 1 && left > 1 ->
		xmit_burst(me, p, left);
		if
		:: single -> xmit(me, p); single = false; p++; left--
		:: else -> left = 0
		fi
	:: (me != 1 || left == 1) && left > 0 ->
#else
	:: left > 0 ->
#endif
		xmit(me, p);
		p++;
		left--
	od;
	atomic { p = 0; done++ }
}

proctype softirq(byte me)
{
	byte pkt;
	bool held;

end:	do
#if BUG == 13
	:: sched ->
	   atomic {
		ENTER(1 << me);
		root == 0 ->
		root = me
	   };
	   run_and_unlock(me, 0);
	   sched = false;
	   LEAVE(1 << me)
#else
	:: atomic {	/* head of the output queue */
		sched ->
		ENTER(1 << me)
	   };
	   atomic { root == 0 -> root = me; sched = false };
	   run_and_unlock(me, 1 << me)
#endif
	od
}

/* netif_tx_wake_queue() of a completion, in NAPI */
proctype completion()
{
end:	do
	:: atomic {
		stopped ->
		waking = true;
		ENTER(1 << COMPLETION);
		stopped = false
	   };
	   netif_schedule();
	   atomic { LEAVE(1 << COMPLETION); waking = false }
	od
}

inline reset_queue()
{
	d_step {
		j = 0;
		do
		:: j < n_queue -> drop(queue[j]); queue[j] = 0; j++
		:: else -> break
		od;
		n_queue = 0
	}
}

/* dev_deactivate_many(), qdisc_destroy(), dev_activate() with another qdisc */
proctype admin()
{
#ifdef DOWN
	deactivated = true;
	noop = true;
#if BUG != 9
	READERS == 0;	/* synchronize_net() */
#endif
	atomic {	/* dev_reset_queue() */
		root == 0 ->
		reset_queue()
	};
	atomic {	/* some_qdisc_is_busy() */
		root == 0 && !running && !sched ->
		/* P3, P7 */
		assert(n_list == 0 && n_hand == 0 && n_queue <= 1);
		reset_queue();
		down = true
	};
#ifdef UP
	atomic { down = false; deactivated = false };
	noop = false;
#endif
#endif
	admin_done = true
}

#define IDLE	(done == CPUS && admin_done && !sched && !stopped && !waking && root == 0 && !running && READERS == 0)

init
{
	atomic {
		run cpu(1, 1, N0);
		run cpu(2, N0 + 1, N1);
		run cpu(3, N0 + N1 + 1, N2);
		run softirq(SOFTIRQ);
#if SOFTIRQS == 2
		run softirq(SOFTIRQ + 1);
#endif
		run completion();
		run admin()
	};
	atomic {
		IDLE ->
		/* P3 */
		assert(n_list == 0 && n_hand == 0 && n_queue == 0);
		assert(busy == 0 && in_driver == 0);
		/* P1 */
		d_step {
			j = 1;
			do
			:: j <= PACKETS -> assert(gone[j]); j++
			:: else -> break
			od
		}
	}
}
