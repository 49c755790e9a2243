# Draws on standard output: gnuplot jeannot2007-figure-4.gnuplot > chart.svg
set terminal svg size 900,590 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'All-to-all between two clusters over the size of a message' noenhanced
set xlabel 'message, KiB' noenhanced
set ylabel 'time, s' noenhanced
set autoscale xfix
set logscale x 2
set logscale y
set autoscale yfix
set offsets graph 0.02, graph 0.02, graph 0.02, graph 0.02
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'jeannot2007-figure-4.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'direct, 30 + 30', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'LG, 30 + 30', \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'direct, 20 + 40', \
     data index 3 using 1:2 with linespoints linecolor 4 pointtype 11 title 'LG, 20 + 40', \
     data index 4 using 1:2 with linespoints linecolor 5 pointtype 13 title 'direct, 30 + 30, switches never block'
