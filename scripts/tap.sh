# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# How the parts of the test run report: TAP lines, one a test, on stdout.
# Sourced after lib.sh.

TAP_FAILED=0

# ok NAME
ok()
{
	echo "ok - $1"
}

# not_ok NAME [REASON [FILE]]: FILE's last lines are shown as comments.
not_ok()
{
	TAP_FAILED=$((TAP_FAILED + 1))
	echo "not ok - $1${2:+: $2}"
	[ -z "${3:-}" ] || tail -n "${TAP_LINES:-12}" "$3" 2>/dev/null | sed 's/^/#   /'
}

# skip NAME REASON
skip()
{
	echo "ok - $1 # SKIP $2"
}

# check_cmd NAME LOG COMMAND...: the command's status is the result.
check_cmd()
{
	local name=$1 log=$2

	shift 2
	if "$@" >"$log" 2>&1 </dev/null; then
		ok "$name"
	else
		not_ok "$name" "status $?" "$log"
	fi
}

# check_quiet NAME LOG COMMAND...: likewise, and the command says nothing.
check_quiet()
{
	local name=$1 log=$2

	shift 2
	if ! "$@" >"$log" 2>&1 </dev/null; then
		not_ok "$name" "failed" "$log"
	elif [ -s "$log" ]; then
		not_ok "$name" "$(grep -c . "$log") lines of complaints" "$log"
	else
		ok "$name"
	fi
}

# tap_count FILE: the failed lines in it, which somebody else wrote, count here.
tap_count()
{
	TAP_FAILED=$((TAP_FAILED + $(grep -c '^not ok - ' "$1" || true)))
}

# tap_end: the part's exit status.
tap_end()
{
	[ "$TAP_FAILED" -eq 0 ]
}
