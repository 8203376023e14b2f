# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Packages of Debian suites that this machine's apt may not list: the machine's
# own mirror, with lists and a configuration that are ours alone and leave the
# machine's untouched.  apt verifies what it fetches.  Sourced after lib.sh.

APT_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# Every "URI suite" pair in the machine's apt sources, of both formats.
apt_sources()
{
	local f

	for f in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
		case $f in
		*.list)
			awk '/^deb/ { sub(/\[[^]]*\]/, ""); print $2, $3 }' "$f"
			;;
		*.sources)
			awk -v RS= '{
				n = split($0, line, "\n")
				uri = suites = ""
				for (i = 1; i <= n; i++) {
					split(line[i], word, /[ \t]+/)
					if (word[1] == "URIs:")
						uri = word[2]
					else if (word[1] == "Suites:")
						suites = substr(line[i], 8)
				}
				n = split(suites, suite, /[ \t]+/)
				for (i = 1; i <= n; i++)
					if (suite[i] != "")
						print uri, suite[i]
			}' "$f"
			;;
		esac
	done 2>/dev/null
}

# own_mirror: the mirror that the machine takes Debian itself from.
own_mirror()
{
	apt_sources | awk '$2 ~ /^(bookworm|trixie|forky|sid|(old)*stable|testing|unstable)$/ {
		print $1
		exit
	}'
}

# private_apt_open DIR deb|deb-src SUITE: lists of that suite in DIR/apt.
private_apt_open()
{
	local dir=$1 type=$2 suite=$3 mirror

	mirror=$(own_mirror)
	if [ -z "$mirror" ]; then
		echo "no Debian mirror in this machine's apt sources" >&2
		return 1
	fi
	mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial"
	echo "$type [signed-by=$APT_KEYRING] $mirror $suite main" >"$dir/apt/sources.list"
	# A temporary failure to resolve is an error here, not a warning.
	private_apt "$dir" -o APT::Update::Error-Mode=any update
}

# private_apt DIR ARG...: apt-get in DIR, with what private_apt_open left there.
private_apt()
{
	local dir=$1 apt

	shift
	apt=(apt-get -q -o Dir::Etc::SourceList="$dir/apt/sources.list"
		-o Dir::Etc::SourceParts=- -o Dir::State::Lists="$dir/apt/lists"
		-o Dir::Cache="$dir/apt/cache" -o Acquire::Languages=none)
	[ "$(id -u)" != 0 ] || apt+=(-o APT::Sandbox::User=root)
	(cd "$dir" && "${apt[@]}" "$@")
}

private_apt_close()
{
	rm -rf "$1/apt"
}
