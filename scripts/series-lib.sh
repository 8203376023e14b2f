# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What scripts/tree, scripts/series and scripts/refresh share: the form of
# patches/7.3/*.patch.  Sourced after lib.sh.
#
# A patch file is a mail: From, Date, Subject, the message, a line "---", then
#
#   new-file: PATH [from REPO-PATH]     a file that the commit adds
#
# lines, an empty line, and the hunks for files that the kernel has already.
# The text of a new file is in this repository only, under REPO-PATH (PATH when
# it is not given).

NB_PATCHES=$NB_ROOT/patches/$NB_SERIES

series_patches()
{
	find "$NB_PATCHES" -name '[0-9]*.patch' | sort
}

# new_files PATCH: "PATH REPO-PATH" a line.
new_files()
{
	awk '/^---$/ { after = 1; next }
	     /^diff --git / { exit }
	     after && $1 == "new-file:" { print $2, ($3 == "from" ? $4 : $2) }' "$1"
}

# series_key: names the state of everything that the tree is made from.
series_key()
{
	local p

	for p in $(series_patches); do
		echo "${p#"$NB_ROOT"/}"
		cat "$p"
		new_files "$p" | while read -r _ src; do
			[ -f "$NB_ROOT/$src" ] || die "${p#"$NB_ROOT"/} adds $src, which does not exist"
			cat "$NB_ROOT/$src"
		done
	done | key -
}

# tree_dir BASE: the patched git tree's place for this base.
tree_dir()
{
	echo "$NB_CACHE/tree/$(basename "$1")"
}

tree_git()
{
	git_in "$TREE" "$@"
}

# git_in DIR ARG...: git without what a user's configuration may do to it.
git_in()
{
	git -C "$1" -c core.hooksPath=/dev/null -c commit.gpgsign=false \
		-c gc.auto=0 -c user.name=netbatch -c user.email=netbatch@localhost "${@:2}"
}

# sparse_worktree DIR COMMIT: a worktree of COMMIT that holds only what the
# series touches: a kernel has 90 000 files.
sparse_worktree()
{
	tree_git worktree add -q --detach --no-checkout "$1" "$2" &&
		tree_git diff --name-only base netbatch | sed 's|^|/|' |
			git_in "$1" sparse-checkout set --no-cone --stdin &&
		git_in "$1" checkout -q
}
