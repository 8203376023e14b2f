# SPDX-License-Identifier: GPL-2.0
# SIMULATED packets per second, by CPUs and mode, beside the figures of the thread
# of 2010.
#
#   gnuplot -e "in='FILE.tsv'; out='FILE.svg'" qdisc_sim.gp
set terminal svg size 800,500 dynamic background rgb 'white'
set output out
set datafile separator tab
set title 'SIMULATED: many senders, one qdisc, nothing holds them back'
set xlabel 'CPUs that send'
set ylabel 'million packets per second'
set logscale x 2
set xrange [1:128]
set yrange [0:*]
set key below
set grid
pps(m) = strcol(2) eq m ? column(4) / 1e6 : NaN
$thread << END
8	0.2
8	1.2
END
plot for [m in 'direct busylock llist'] in using 3:(pps(m)) with linespoints title 'SIMULATED '.m, \
	$thread using 1:2 with points pointtype 2 pointsize 2 linecolor rgb 'black' \
	title 'thread of 2010: 8 CPUs, before and after'
