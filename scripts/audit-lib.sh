# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# How scripts/audit and its test run the rules.  Sourced after lib.sh.

NB_RULES=$NB_ROOT/tools/coccinelle/xmit_more.cocci
NB_MACROS=$NB_ROOT/tools/coccinelle/macros.h

# users_of_hint PATH: the C files at PATH that use the hint.
users_of_hint()
{
	grep -rlw 'netdev_xmit_more()' --include='*.c' "$1" | sort
}

# group_of FILE: FILE and the files of its driver that may call it: same
# directory, a local header in common, and a transmit function.
group_of()
{
	local dir h headers=()

	dir=$(dirname "$1")
	echo "$1"
	while read -r h; do
		headers+=(-e "#include \"$h\"")
	done < <(sed -n 's/^#include "\(.*\)"/\1/p' "$1")
	[ ${#headers[@]} -gt 0 ] || return 0
	grep -lE 'ndo_start_xmit|netdev_tx_t' "$dir"/*.c | xargs -r grep -lF "${headers[@]}" || true
}

# groups_of PATH: one group a line.
groups_of()
{
	users_of_hint "$1" | while read -r f; do
		group_of "$f" | sort -u | paste -sd' '
	done | sort -u
}

# run_rules FILE...: what the rules say in mode audit.  "hint FILE LINE FUNCTION"
# is a use of the hint that they saw, "path - - FUNCTION" a function of the
# transmit path, "finding FILE LINE FUNCTION KIND" speaks for itself.
run_rules()
{
	spatch --very-quiet --no-includes --macro-file "$NB_MACROS" \
		-D audit --sp-file "$NB_RULES" "$@"
}

# unseen FILE... <RULES-OUTPUT: uses of the hint that the rules did not see, and
# transmit functions that they do not connect with it, as findings of that kind.
unseen()
{
	local said

	said=$(cat)
	# Not in a comment.
	grep -nHw 'netdev_xmit_more()' "$@" | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)' |
		while IFS=: read -r file line _; do
			grep -q "^hint	$file	$line	" <<<"$said" ||
				printf 'finding\t%s\t%s\t-\tunseen\n' "$file" "$line"
		done
	grep -nHoE 'ndo_start_xmit[[:space:]]*=[[:space:]]*&?\w+' "$@" |
		while IFS=: read -r file line text; do
			fn=${text##*[ 	=&]}
			grep -qx "path	-	-	$fn" <<<"$said" ||
				printf 'finding\t%s\t%s\t%s\tunseen\n' "$file" "$line" "$fn"
		done
}

# judge_group FILE...: all findings in a group.
judge_group()
{
	local said

	said=$(run_rules "$@") || return 1
	grep '^finding	' <<<"$said" || true
	unseen "$@" <<<"$said"
}

# audit_group FILE...: the same; what was found in files that are as they were, by
# rules that are as they were, is remembered.
audit_group()
{
	local known

	known=$NB_CACHE/audit/$(echo "$*" | key "$NB_RULES" "$NB_MACROS" "$NB_ROOT/scripts/audit-lib.sh" - "$@")
	if [ ! -e "$known" ]; then
		mkdir -p "$NB_CACHE/audit"
		judge_group "$@" >"$known.$BASHPID" || return 1
		mv "$known.$BASHPID" "$known"
	fi
	cat "$known"
}
