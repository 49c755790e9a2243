# Draws on standard output: gnuplot jacunski1999-figure-6a.gnuplot > chart.svg
set terminal svg size 900,568 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'All-gather of 128 flits on one switch' noenhanced
set xlabel 'nodes' noenhanced
set ylabel 'completion time, us' noenhanced
set autoscale xfix
set yrange [0:*]
set offsets graph 0.02, graph 0.02, graph 0.02, 0
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'jacunski1999-figure-6a.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'SB', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'Combining', \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'SB, overhead of Table 2', \
     data index 3 using 1:2 with linespoints linecolor 4 pointtype 11 title 'Combining, overhead of Table 2'
