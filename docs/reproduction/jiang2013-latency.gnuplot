# Draws on standard output: gnuplot jiang2013-latency.gnuplot > chart.svg
set terminal svg size 900,524 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'Latency under uniform random traffic on an 8x8 torus' noenhanced
set xlabel 'load (flits a node and cycle)' noenhanced
set ylabel 'latency (cycles)' noenhanced
set autoscale xfix
set yrange [0:*]
set offsets graph 0.02, graph 0.02, graph 0.02, 0
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'jiang2013-latency.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'packets of 4', \
     data index 0 using 1:2:3:4 with yerrorbars linecolor 1 pointtype 5 notitle, \
     data index 0 using 1:5 with points linecolor 1 pointtype 4 pointsize 1.6 title 'packets of 4, paper'
