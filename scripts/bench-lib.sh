# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # constants for those who source this
# What the scripts that measure have in common: receivers at the far end of the
# wire, guests whose instructions are counted, medians.  Sourced after lib.sh
# and guest-lib.sh.

# Instructions are the slope between these two numbers of frames.
SHORT=20000
LONG=120000
RUN_LIMIT=180
COUNT_LIMIT=1200

# One vCPU, one instruction a nanosecond of guest time, no sleeping.
BENCH_ICOUNT=(-icount "shift=0,sleep=off" -rtc "base=2026-01-01,clock=vm" -seed 1)

work=$(mktemp -d)
receivers=()

bench_cleanup()
{
	local pid

	guest_kill_all
	for pid in "${receivers[@]}"; do
		kill "$pid" 2>/dev/null || true
	done
	rm -rf "$work"
}
trap bench_cleanup EXIT

declare -A kdir initrd

# bench_prepare KERNELS TOOL...: QEMU and the tools, of which the guests get the
# TOOLs, to $qemu and $tools; the KERNELS, a list, with the driver, to kdir[] and
# initrd[].
bench_prepare()
{
	local kernels=$1 k module

	shift
	# shellcheck disable=SC2154 # the caller's
	mkdir -p "$results" "$NB_BUILD/logs"
	qemu=$("$NB_ROOT/scripts/build-qemu")
	tools=$("$NB_ROOT/scripts/build-tools" "$qemu")
	for k in $kernels; do
		kdir[$k]=$("$NB_ROOT/scripts/build-kernel" "$k" guest)
		module=$("$NB_ROOT/scripts/build-module" "${kdir[$k]}")
		initrd[$k]=$("$NB_ROOT/scripts/build-initramfs" "${kdir[$k]}" "$module" "${@/#/$tools/}")
		kdir[$k]=$(snapshot "$k" "${kdir[$k]}")
	done
}

# in_turn ROUND ITEM...: the items, one a line; every other round the other way, so
# that a machine that gets slower favours nobody.
in_turn()
{
	local r=$1 i

	shift
	for ((i = 1; i <= $#; i++)); do
		echo "${@:(r % 2 ? i : $# + 1 - i):1}"
	done
}

# snapshot NAME KDIR: prints where what a measurement needs of a kernel is now.
# The build directory may be brought up to date by somebody else in the meantime.
snapshot()
{
	mkdir "$work/kernel-$1"
	cp -L "$2/bzImage" "$2/System.map" "$work/kernel-$1/"
	echo "$work/kernel-$1"
}

# wire_up NAME COMMAND ARG... SOCKET: a program of ours that listens on SOCKET
# and prints a line a run to $work/NAME.wire.
wire_up()
{
	local name=$1 socket=${*: -1}

	shift
	rm -f "$socket"		# an earlier round's
	"$@" >"$work/$name.wire" 2>"$NB_BUILD/logs/wire-$name.log" &
	receivers+=($!)
	until [ -S "$socket" ]; do sleep 0.05; done
}

# stream SOCKET ID: a back-end for such a program.
stream()
{
	echo "stream,id=$2,server=off,addr.type=unix,addr.path=$1"
}

# value KEY LINE: of key=value.
value()
{
	local v=" $2"

	v=${v##* "$1"=}
	echo "${v%% *}"
}

# grown NAME LINE: how much the counter grew between " before:" and " after:"; "-" when
# there is none.
grown()
{
	local before=${2#*before:} after=${2#*after:}

	[[ $after =~ \ $1=([0-9]+) ]] || { echo -; return; }
	after=${BASH_REMATCH[1]}
	[[ ${before%after:*} =~ \ $1=([0-9]+) ]] || { echo "$after"; return; }
	echo $((after - BASH_REMATCH[1]))
}

# wire_line NAME LABEL: what was printed at the wire about that run.
wire_line()
{
	local i line

	for ((i = 0; i < 200; i++)); do
		line=$(grep "^label=$2 " "$work/$1.wire" || true)
		if [ -n "$line" ]; then
			echo "$line"
			return
		fi
		sleep 0.05
	done
	die "the wire saw no end of run $2; see build/logs/wire-$1.log"
}

# guest_do NAME LIMIT COMMAND...: its output to $work/NAME.out; must succeed.
guest_do()
{
	local name=$1 limit=$2

	shift 2
	guest_cmd "$name" "$limit" "$@" >"$work/$name.out" ||
		guest_failed "$name" "$(cat "$work/$name.out")"
}

# write_profile COUNTS NUMBER MAP SYMBOLS TITLE: a profile to stdout, of the
# stretches NUMBER and the one after it.
write_profile()
{
	echo "# $5: guest instructions per frame,"
	echo "# the slope between $SHORT and $LONG frames"
	"$NB_ROOT/scripts/profile" "$1" "$2" $SHORT $LONG "$3" "$4"
}

median()
{
	sort -n | awk '{ v[NR] = $1 }
		END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
