# Draws on standard output: gnuplot hinrichs1994-figure-9b.gnuplot > chart.svg
set terminal svg size 900,568 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'Blocks of which a share P is empty' noenhanced
set xlabel 'P' noenhanced
set ylabel 'aggregate rate, MB/s' noenhanced
set autoscale xfix
set yrange [0:*]
set offsets graph 0.02, graph 0.02, graph 0.02, 0
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'hinrichs1994-figure-9b.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'phased, 2048 bytes', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'message passing, 2048 bytes', \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'phased, 4096 bytes', \
     data index 3 using 1:2 with linespoints linecolor 4 pointtype 11 title 'message passing, 4096 bytes'
