# Draws on standard output: gnuplot hinrichs1994-figure-8.gnuplot > chart.svg
set terminal svg size 900,524 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'Phases kept apart locally and globally, by size' noenhanced
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
data = 'hinrichs1994-figure-8.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'phased, local synchronization', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'phased, global synchronization'
