# SPDX-License-Identifier: GPL-2.0
# KUnit's report to TAP, one line a case: suites are indented by nothing, cases
# by four spaces, parameters by eight.  What failed in a case comes as comments.
#
#   awk -v label=NAME [-v want=SUITES] -f ktap.awk LOG
#
# want: number of suites that must report; a suite that is not built would
# otherwise pass unseen.

function line(good, text)
{
	print (good ? "ok" : "not ok") " - " label " " text
	if (!good)
		failed = 1
}

function result(text)
{
	sub(/^ *(not )?ok [0-9]+ (- )?/, "", text)
	return text
}

function note(text)
{
	sub(/^ */, "", text)
	if (said++ < 40)
		why = why "#   " text "\n"
}

{
	sub(/\r$/, "")
	sub(/^\[ *[0-9]+\.[0-9]+\] /, "")
}

/^    # Subtest: / { suite = $3 }
# A module that is loaded later reports with a plan of its own.
/^1\.\.[0-9]+$/ { planned += substr($0, 4) }
/^        not ok / { note(result($0)) }
/(EXPECTATION|ASSERTION) FAILED at|^ *Expected |^ *[a-z0-9_>.()-]+ == / { note($0) }

/^    (not )?ok [0-9]+ / {
	line($1 == "ok", suite "." result($0))
	if ($1 == "not")
		printf "%s", why
	why = ""
	said = 0
}

/^(not )?ok [0-9]+ / { finished++ }

/WARNING:|BUG:|Kernel panic|possible circular|suspicious RCU/ {
	splat = splat "#   " $0 "\n"
}

END {
	if (want != "" && planned != want)
		line(0, "run: " planned + 0 " suites, not " want)
	line(finished > 0 && finished == planned,
	     "run: " finished + 0 " of " planned + 0 " suites finished")
	line(splat == "", "kernel log without complaints")
	printf "%s", splat
	exit failed
}
