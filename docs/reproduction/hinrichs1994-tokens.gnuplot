# Draws on standard output: gnuplot hinrichs1994-tokens.gnuplot > chart.svg
set terminal svg size 900,590 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'Tourney''s tokens in place of the synchronizing switch' noenhanced
set xlabel 'block, bytes' noenhanced
set ylabel 'aggregate rate, MB/s' noenhanced
set autoscale xfix
set logscale x 2
set yrange [0:*]
set offsets graph 0.02, graph 0.02, graph 0.02, 0
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'hinrichs1994-tokens.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'switch, 0 cycles a phase', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'switch, 400 cycles a phase', \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'tokens, 0 cycles a message', \
     data index 3 using 1:2 with linespoints linecolor 4 pointtype 11 title 'tokens, 400 cycles a message', \
     data index 4 using 1:2 with linespoints linecolor 5 pointtype 13 title 'own clocks, 400 cycles a message'
