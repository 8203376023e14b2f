# SPDX-License-Identifier: GPL-2.0
# Packets per second by senders and mode, one plot a kind of qdisc.
#
#   gnuplot -e "in='qdisc.tsv'; out='qdisc.svg'; kinds='pfifo fq'" qdisc.gp
set terminal svg size 900,350 * ((words(kinds) + 1) / 2) dynamic background rgb 'white'
set output out
set datafile separator tab
set datafile missing NaN	# rows of other modes do not interrupt a line
set multiplot layout (words(kinds) + 1) / 2, 2
set xlabel 'senders, each on a virtual CPU'
set ylabel 'packets per second'
set logscale x 2
set yrange [0:*]
set key bottom left
set grid
pps(k, m) = strcol(1) eq k && strcol(3) eq m ? column(4) : NaN
do for [k in kinds] {
	set title k
	plot for [m in 'base direct busylock llist'] in using 2:(pps(k, m)) \
		with linespoints title m
}
unset multiplot
