# Draws on standard output: gnuplot tam2000-section-4-3.gnuplot > chart.svg
set terminal svg size 900,590 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'Bandwidth on queues at inputs where nodes are out of step, blocks of 128 packets' noenhanced
set xlabel 'begun late by up to, us' noenhanced
set ylabel 'bandwidth, MB/s a node' noenhanced
set autoscale xfix
set yrange [8:*]
set offsets graph 0.02, graph 0.02, graph 0.02, 0
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'tam2000-section-4-3.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'synchronous shuffle, shared buffer', \
     data index 0 using 1:2:3:4 with yerrorbars linecolor 1 pointtype 5 notitle, \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'synchronous shuffle', \
     data index 1 using 1:2:3:4 with yerrorbars linecolor 2 pointtype 7 notitle, \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'group shuffle, fan-out 5', \
     data index 2 using 1:2:3:4 with yerrorbars linecolor 3 pointtype 9 notitle, \
     data index 3 using 1:2 with linespoints linecolor 4 pointtype 11 title 'group shuffle, fan-out 2', \
     data index 3 using 1:2:3:4 with yerrorbars linecolor 4 pointtype 11 notitle, \
     data index 4 using 1:2 with linespoints linecolor 5 pointtype 13 title 'pairwise', \
     data index 4 using 1:2:3:4 with yerrorbars linecolor 5 pointtype 13 notitle
