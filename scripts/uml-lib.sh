# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# User-Mode Linux kernels.  Sourced after lib.sh.

# uml_build SRC DIR CONFIG: DIR/linux, the smallest kernel that has what CONFIG asks
# for, so that from nothing to the first result it takes minutes: UML's defaults would
# be more.  DIR stays, and make brings it up to date.
uml_build()
{
	local src=$1 dir=$2 config=$3 line

	if ! cmp -s "$config" "$dir/have.config"; then
		make -C "$src" ARCH=um O="$dir" KCONFIG_ALLCONFIG="$config" allnoconfig || return 1
		while read -r line; do
			case $line in ''|'#'*) continue ;; esac
			grep -qxF "$line" "$dir/.config" ||
				{ echo "kconfig did not take: $line"; return 1; }
		done <"$config"
		cp "$config" "$dir/have.config"
	fi
	make -C "$src" ARCH=um O="$dir" -j"$(nproc)" linux
}
