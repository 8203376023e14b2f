# SPDX-License-Identifier: GPL-2.0
# GRO_NORMAL batches: what floods cost, and what requests wait, to batch 1.
#
#   gnuplot -e "in='gro.tsv'; out='gro.svg'" gro.gp
set terminal svg size 900,700 dynamic background rgb 'white'
set output out
set datafile separator tab
set datafile missing '-'
set multiplot layout 2, 2
set xlabel 'batch (A: adaptive)'
set xtics ('1' 1, '8' 8, '16' 16, '32' 32, '64' 64, 'A' 128)
set logscale x 2
set xrange [0.8:160]
set grid
batch(s) = real(s[5:*]) < 0 ? 128 : real(s[5:*])
x(s) = strcol(1) eq s && strcol(2) eq 'patched' && strcol(3)[1:4] eq 'own:' ? batch(strcol(3)) : NaN
set title 'guest instructions a packet, to batch 1'
plot for [s in 'udp forward'] in using (x(s)):5 with linespoints title s
set title 'guest time a request or a KiB, to batch 1'
plot for [s in 'ping-1 ping-8 ping-64 bulk mixed lone'] in using (x(s)):7 with linespoints title s
set title 'latency of a request, p50 and p99.9 (us)'
plot for [s in 'ping-1 ping-8 ping-64 mixed'] in using (x(s)):($8 / 1000) with linespoints title s.' p50', \
     for [s in 'ping-1 ping-8 ping-64 mixed'] in using (x(s)):($10 / 1000) with points title s.' p99.9'
set title 'RTT that the bulk sender sees (us)'
plot for [s in 'bulk mixed'] in using (x(s)):11 with linespoints title s
unset multiplot
