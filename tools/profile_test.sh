#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Test of scripts/profile and scripts/verdict on small made-up input: whose
# instructions, how many a frame, and that a missed demand is told.
# shellcheck disable=SC2317 # the functions are called by ok
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0
failed=0

ok()
{
	local name=$1

	shift
	n=$((n + 1))
	if "$@"; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		failed=1
	fi
}

cat >"$dir/System.map" <<END
ffffffff81000000 T first
ffffffff81000010 T __pfx_second
ffffffff81000020 T second
ffffffff81000020 t second_alias
ffffffff81000028 D data_is_no_code
END
printf 'ffffffffc0000000 t xmit\t[ixm]\n' >"$dir/modules"
cat >"$dir/counts" <<END
mark 0 999
ffffffff81000000 999
mark 1 170
ffffffff81000000 40
ffffffff81000024 20
ffffffffc0000004 10
user 100
mark 2 2350
ffffffff81000000 40
ffffffff8100000c 1000
ffffffff8100002c 510
ffffffffc0000004 300
user 500
END
"$root/scripts/profile" "$dir/counts" 1 10 110 "$dir/System.map" "$dir/modules" >"$dir/profile"

has()
{
	grep -q "^ *$1 *[0-9.]*%  $2\$" "$dir/profile"
}

only_four()
{
	[ "$(wc -l <"$dir/profile")" -eq 5 ]
}

ok "the sum is the slope" has 21.80 all
ok "an address belongs to the symbol before it" has 10.00 first
ok "padding and data are no symbols" has 4.90 second
ok "a module's symbols are told apart" has 2.90 'xmit\[ixm\]'
ok "user space is one line" has 4.00 '(user)'
ok "nothing else is in the profile" only_four

# table LOST INSN: of a run in which everything else is as demanded.
table()
{
	local path batch

	printf 'scenario\tpath\tbatch\tframes\ttail_writes\twrites_per_frame\tpps\tpps_ratio\tinsn_per_frame\tlost\treordered\tcorrupt\n'
	for path in bypass qdisc; do
		printf 'base\t%s\t-\t100\t100\t1\t1000\t1\t1000\t0\t0\t0\n' "$path"
		printf 'patched\t%s\t1\t100\t100\t1\t1100\t1.1\t900\t%s\t0\t0\n' "$path" "$1"
		printf 'patched\t%s\t8\t100\t12\t0.125\t1100\t1.1\t%s\t%s\t0\t0\n' "$path" "$2" "$1"
		printf 'patched\t%s\t32\t100\t4\t0.04\t1100\t1.1\t790\t0\t0\t0\n' "$path"
		printf 'patched\t%s\t64\t100\t2\t0.02\t1100\t1.1\t780\t0\t0\t0\n' "$path"
	done
}

verdict()
{
	table "$1" "$2" >"$dir/run.tsv"
	cp "$dir/profile" "$dir/profile-base-qdisc.txt"
	sed 's/10\.00/30.00/' "$dir/profile" >"$dir/profile-patched-qdisc-8.txt"
	"$root/scripts/verdict" "$dir/run.tsv" >"$dir/verdict"
}

all_reached()
{
	verdict 0 850 && ! grep -q "^NOT" "$dir/verdict"
}

lost_fails()
{
	! verdict 1 850 && grep -q "^NOT reached.*lost" "$dir/verdict"
}

missed_is_told()
{
	verdict 0 1200 && grep -q "^NOT reached.*qdisc, tx_batch 8: instr" "$dir/verdict" &&
		grep -q '+20.00 .*first$' "$dir/verdict"
}

ok "a good table reaches every demand" all_reached
ok "a lost frame fails" lost_fails
ok "a demand missed is told, with the symbols that grew" missed_is_told
echo "1..$n"
exit $failed
