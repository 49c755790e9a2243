# Draws on standard output: gnuplot axida2009-figure-7.gnuplot > chart.svg
set terminal svg size 900,590 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'Broadcast time over the number of nodes' noenhanced
set xlabel 'nodes' noenhanced
set ylabel 'broadcast time, s' noenhanced
set autoscale xfix
set yrange [0:*]
set offsets graph 0.02, graph 0.02, graph 0.02, 0
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'axida2009-figure-7.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'round-robin, pipelined', \
     data index 0 using 1:5 with points linecolor 1 pointtype 4 pointsize 1.6 title 'round-robin, pipelined, paper', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'linear tree, pipelined', \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'van de Geijn', \
     data index 3 using 1:2 with linespoints linecolor 4 pointtype 11 title 'binomial tree'
