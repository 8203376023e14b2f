# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Common ground of the scripts: where things are, how they fail, how they show
# progress, how built things enter the cache.  Sourced, never run.

NB_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
NB_CACHE=${NETBATCH_CACHE:-$HOME/.cache/netbatch}
NB_BUILD=$NB_ROOT/build
NB_SERIES=7.3
# A sparse that does not know __typeof_unqual__ (Debian 12) would be skipped by
# kbuild with a remark.
NB_SPARSE="sparse -D__typeof_unqual__=__typeof__"
export NB_ROOT NB_CACHE NB_BUILD NB_SERIES NB_SPARSE

# die MESSAGE: one clear line, exit status 1.
die()
{
	echo "error: $*" >&2
	exit 1
}

# note MESSAGE: progress, on stderr so that stdout stays a result.
note()
{
	echo "netbatch: $*" >&2
}

# need PACKAGE...: the named Debian packages are installed when this returns.
# One apt at a time: the steps of a run may ask for packages side by side.
need()
{
	local missing=() p

	for p in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] ||
			missing+=("$p")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	[ "$(id -u)" = 0 ] ||
		die "packages are missing; as root run: apt-get install --no-install-recommends ${missing[*]}"
	mkdir -p "$NB_BUILD/logs" "$NB_CACHE"
	note "installing ${missing[*]}"
	(
		flock 9
		apt_quiet update &&
		apt_quiet install -y --no-install-recommends "${missing[@]}"
	) 9>"$NB_CACHE/.apt-lock" ||
		die "apt could not install ${missing[*]}: is the network there? See build/logs/apt.log"
}

apt_quiet()
{
	DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" \
		>>"$NB_BUILD/logs/apt.log" 2>&1 </dev/null
}

# need_disk DIRECTORY GIB: at least that much free space, or stop.
need_disk()
{
	local free

	mkdir -p "$1"
	free=$(df -Pk "$1" | awk 'NR == 2 { print int($4 / 1048576) }')
	[ "$free" -ge "$2" ] ||
		die "$free GiB free for $1, $2 GiB are needed: make room or set NETBATCH_CACHE to a larger disk"
}

# step TITLE LOGNAME COMMAND...: a long step.  NB_STEP ("3/7"), when set, is
# put in front.  The full output goes to build/logs/LOGNAME.log; on a terminal
# the elapsed time runs along.
step()
{
	local title=${NB_STEP:+[$NB_STEP] }$1 log=$NB_BUILD/logs/$2.log start=$SECONDS
	local pid rc=0

	shift 2
	mkdir -p "$NB_BUILD/logs"
	[ -t 2 ] || note "$title ..."
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	if [ -t 2 ]; then
		while kill -0 $pid 2>/dev/null; do
			printf '\rnetbatch: %s ... %d s ' "$title" $((SECONDS - start)) >&2
			sleep 1
		done
		printf '\r\033[K' >&2
	fi
	wait $pid || rc=$?
	if [ $rc -ne 0 ]; then
		tail -n 15 "$log" >&2
		die "$title failed (status $rc) after $((SECONDS - start)) s; full log: build/logs/$(basename "$log")"
	fi
	note "$title: $((SECONDS - start)) s"
}

# key FILE...: a short name for their contents ("-" reads standard input).
key()
{
	cat -- "$@" | sha256sum | cut -c1-12
}

# cache_entry NAME FUNCTION ARGS...: $NB_CACHE/NAME is there when this returns.
# FUNCTION builds into the directory given as its first argument, which gets
# its final name only when the function succeeded: what is interrupted is never
# taken for complete.  Two runs at once wait for each other.
cache_entry()
{
	local name=$1 final=$NB_CACHE/$1 tmp=$NB_CACHE/tmp.${1//\//_} fn=$2 rc

	shift 2
	[ -e "$final" ] && return 0
	mkdir -p "$(dirname "$final")" "$NB_CACHE/.locks"
	# Not "( ... ) || die": errexit would be off inside, and a FUNCTION
	# that fails halfway would look complete.
	set +e
	(
		set -e
		flock 8
		[ -e "$final" ] && exit 0
		rm -rf "$tmp"
		mkdir -p "$tmp"
		"$fn" "$tmp" "$@"
		mv -T "$tmp" "$final"
	) 8>"$NB_CACHE/.locks/${name//\//_}"
	rc=$?
	set -e
	[ $rc -eq 0 ] || die "could not make $name"
}
