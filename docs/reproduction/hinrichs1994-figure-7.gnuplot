# Draws on standard output: gnuplot hinrichs1994-figure-7.gnuplot > chart.svg
set terminal svg size 900,766 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'All-to-all on an iWarp of 8 x 8, by method and size' noenhanced
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
data = 'hinrichs1994-figure-7.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'phased, local synchronization', \
     data index 0 using 1:5 with points linecolor 1 pointtype 4 pointsize 1.6 title 'phased, local synchronization, paper', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'message passing, order of the ranks', \
     data index 1 using 1:5 with points linecolor 2 pointtype 6 pointsize 1.6 title 'message passing, order of the ranks, paper', \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'message passing, random order', \
     data index 2 using 1:5 with points linecolor 3 pointtype 8 pointsize 1.6 title 'message passing, random order, paper', \
     data index 3 using 1:2 with linespoints linecolor 4 pointtype 11 title 'store and forward', \
     data index 3 using 1:5 with points linecolor 4 pointtype 10 pointsize 1.6 title 'store and forward, paper', \
     data index 4 using 1:2 with linespoints linecolor 5 pointtype 13 title 'two-stage', \
     data index 4 using 1:5 with points linecolor 5 pointtype 12 pointsize 1.6 title 'two-stage, paper', \
     data index 5 using 1:2 with linespoints linecolor 6 pointtype 5 title 'message passing, order of the phases', \
     data index 6 using 1:2 with linespoints linecolor 7 pointtype 7 title 'Tourney: planned phases, tokens', \
     data index 7 using 1:2 with linespoints linecolor 8 pointtype 9 title 'Tourney: planned phases, own clocks'
