# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Guests: start one, give it command lines, ask its devices, end it.  Sourced
# after lib.sh.  Several guests may live side by side; each has a name.
#
# A guest that panics ends its QEMU (panic=-1, -no-reboot); one that hangs
# exceeds the time limit of the command.  Both end the script with the tail of
# the guest's console.

declare -A GUEST_PID GUEST_DIR GUEST_CTL_IN GUEST_CTL_OUT GUEST_QMP_IN GUEST_QMP_OUT

GUEST_BOOT_LIMIT=${GUEST_BOOT_LIMIT:-180}

# The same emulated PC for every guest.  No HPET, PIC or PIT is used by a guest
# that trusts its TSC; nothing random from the CPU or per call, so that counted runs
# repeat.
GUEST_MACHINE=(-machine "q35,hpet=off" -accel tcg -cpu "max,la57=off,rdrand=off,rdseed=off,erms=off"
	-m 512 -nodefaults -no-user-config -display none -no-reboot)
GUEST_APPEND="console=ttyS0 panic=-1 nokaslr tsc=reliable clocksource=tsc no_timer_check random.trust_cpu=off randomize_kstack_offset=off"

# Two ports on one wire.
# shellcheck disable=SC2034,SC2054 # for those who source this; the commas are QEMU's
GUEST_PAIR=(-netdev hubport,id=p0,hubid=0 -device ixgbe,id=port0,netdev=p0,mac=52:54:00:00:00:01
	-netdev hubport,id=p1,hubid=0 -device ixgbe,id=port1,netdev=p1,mac=52:54:00:00:00:02)

# guest_start NAME QEMU KDIR INITRAMFS APPEND QEMU-ARG...: returns when the
# guest takes commands.
guest_start()
{
	local name=$1 qemu=$2 kdir=$3 initrd=$4 append=$5 dir fd

	shift 5
	dir=$(mktemp -d)
	GUEST_DIR[$name]=$dir
	mkfifo "$dir"/{ctl,qmp}.{in,out}
	mkdir -p "$NB_BUILD/logs"
	: >"$NB_BUILD/logs/$name.console"
	# Opened for both directions, so that opening waits for nobody.
	exec {fd}<>"$dir/ctl.in"; GUEST_CTL_IN[$name]=$fd
	exec {fd}<>"$dir/ctl.out"; GUEST_CTL_OUT[$name]=$fd
	exec {fd}<>"$dir/qmp.in"; GUEST_QMP_IN[$name]=$fd
	exec {fd}<>"$dir/qmp.out"; GUEST_QMP_OUT[$name]=$fd
	"$qemu" -L "$(dirname "$qemu")/bios" "${GUEST_MACHINE[@]}" \
		-kernel "$kdir/bzImage" -initrd "$initrd" -append "$GUEST_APPEND $append" \
		-serial "file:$NB_BUILD/logs/$name.console" \
		-chardev "pipe,id=ctl,path=$dir/ctl" -serial chardev:ctl \
		-chardev "pipe,id=qmp,path=$dir/qmp" -mon chardev=qmp,mode=control \
		"$@" </dev/null >"$NB_BUILD/logs/$name.qemu" 2>&1 &
	GUEST_PID[$name]=$!
	guest_expect "$name" "$GUEST_BOOT_LIMIT" @nb-ready >/dev/null
	guest_qmp "$name" qmp_capabilities >/dev/null
}

# guest_failed NAME WHY: the one way in which things with a guest go wrong.
guest_failed()
{
	local name=$1 f

	for f in "$NB_BUILD/logs/$name.qemu" "$NB_BUILD/logs/$name.console"; do
		tail -n 25 "$f" | tr -d '\r' >&2
	done
	guest_kill "$name"
	die "guest $name: $2; console: build/logs/$name.console"
}

# guest_read NAME FD DEADLINE: one line to REPLY.
guest_read()
{
	local name=$1 fd=$2 deadline=$3 part line="" got

	while :; do
		got=0
		IFS= read -r -t 1 -u "$fd" part || got=$?
		line+=$part
		[ $got -ne 0 ] || break
		if ! kill -0 "${GUEST_PID[$name]}" 2>/dev/null; then
			guest_failed "$name" "it ended (a panic?)"
		fi
		[ "$SECONDS" -lt "$deadline" ] ||
			guest_failed "$name" "no answer within the time limit"
	done
	REPLY=${line%$'\r'}
}

# guest_expect NAME SECONDS WORD: what the guest says before WORD goes to stdout,
# the rest of that line to GUEST_STATUS.
guest_expect()
{
	local name=$1 deadline=$((SECONDS + $2)) word=$3

	while :; do
		guest_read "$name" "${GUEST_CTL_OUT[$name]}" "$deadline"
		case $REPLY in
		*"$word"*)
			GUEST_STATUS=${REPLY##*"$word"}
			REPLY=${REPLY%"$word"*}
			[ -z "$REPLY" ] || printf '%s\n' "$REPLY"
			return 0
			;;
		esac
		printf '%s\n' "$REPLY"
	done
}

# guest_send NAME COMMAND-LINE: begins it; guest_expect NAME SECONDS "@nb-end " waits
# for its end.
guest_send()
{
	local name=$1

	shift
	echo "$*" >&"${GUEST_CTL_IN[$name]}"
}

# guest_cmd NAME SECONDS COMMAND-LINE: its output on stdout, its exit status as
# the status.
guest_cmd()
{
	local name=$1 limit=$2

	shift 2
	guest_send "$name" "$@"
	guest_expect "$name" "$limit" "@nb-end "
	return "$GUEST_STATUS"
}

# guest_qmp NAME COMMAND [ARGUMENTS-JSON]: what it returns.
guest_qmp()
{
	local name=$1 deadline=$((SECONDS + 30))

	echo "{\"execute\":\"$2\"${3:+,\"arguments\":$3}}" >&"${GUEST_QMP_IN[$name]}"
	while :; do
		guest_read "$name" "${GUEST_QMP_OUT[$name]}" "$deadline"
		case $REPLY in
		*'"return": '*)
			REPLY=${REPLY#*'"return": '}
			echo "${REPLY%\}}"
			return 0
			;;
		*'"error": '*)
			guest_failed "$name" "QMP $2: $REPLY"
			;;
		esac
	done
}

# guest_property NAME DEVICE PROPERTY
guest_property()
{
	guest_qmp "$1" qom-get "{\"path\":\"/machine/peripheral/$2\",\"property\":\"$3\"}"
}

# guest_set NAME DEVICE PROPERTY JSON-VALUE
guest_set()
{
	guest_qmp "$1" qom-set \
		"{\"path\":\"/machine/peripheral/$2\",\"property\":\"$3\",\"value\":$4}" >/dev/null
}

# json NAME STRING...: an object.
json()
{
	local sep="{"

	while [ $# -gt 0 ]; do
		printf '%s"%s":"%s"' "$sep" "$1" "$2"
		sep=,
		shift 2
	done
	echo "}"
}

# guest_stop NAME: ends it; QEMU writes what its plugins have.
guest_stop()
{
	local name=$1

	echo '{"execute":"quit"}' >&"${GUEST_QMP_IN[$name]}"
	wait "${GUEST_PID[$name]}" || guest_failed "$name" "QEMU ended with an error"
	guest_forget "$name"
}

guest_forget()
{
	local name=$1 fd

	for fd in "${GUEST_CTL_IN[$name]}" "${GUEST_CTL_OUT[$name]}" \
		  "${GUEST_QMP_IN[$name]}" "${GUEST_QMP_OUT[$name]}"; do
		exec {fd}>&-
	done
	rm -rf "${GUEST_DIR[$name]}"
	unset "GUEST_PID[$name]"
}

guest_kill()
{
	local name=$1

	[ -n "${GUEST_PID[$name]:-}" ] || return 0
	kill -9 "${GUEST_PID[$name]}" 2>/dev/null || true
	wait "${GUEST_PID[$name]}" 2>/dev/null || true
	guest_forget "$name"
}

# To be called from an EXIT trap.
guest_kill_all()
{
	local name

	for name in "${!GUEST_PID[@]}"; do
		guest_kill "$name"
	done
}
