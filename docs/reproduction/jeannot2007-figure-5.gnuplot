# Draws on standard output: gnuplot jeannot2007-figure-5.gnuplot > chart.svg
set terminal svg size 900,568 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'All-to-all between two clusters over the number of processes, n1 = n2' noenhanced
set xlabel 'processes' noenhanced
set ylabel 'time, s' noenhanced
set autoscale xfix
set logscale y
set autoscale yfix
set offsets graph 0.02, graph 0.02, graph 0.02, graph 0.02
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'jeannot2007-figure-5.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'direct, 64 kB', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'LG, 64 kB', \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'direct, 512 kB', \
     data index 3 using 1:2 with linespoints linecolor 4 pointtype 11 title 'LG, 512 kB'
