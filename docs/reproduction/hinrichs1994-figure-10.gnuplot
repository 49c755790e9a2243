# Draws on standard output: gnuplot hinrichs1994-figure-10.gnuplot > chart.svg
set terminal svg size 900,612 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'A frame of the two-dimensional FFT, N x N' noenhanced
set xlabel 'N' noenhanced
set ylabel 'ms a frame' noenhanced
set autoscale xfix
set logscale x 2
set logscale y
set autoscale yfix
set offsets graph 0.02, graph 0.02, graph 0.02, graph 0.02
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'hinrichs1994-figure-10.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'message passing', \
     data index 0 using 1:5 with points linecolor 1 pointtype 4 pointsize 1.6 title 'message passing, paper', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'phased', \
     data index 1 using 1:5 with points linecolor 2 pointtype 6 pointsize 1.6 title 'phased, paper', \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'computing alone', \
     data index 2 using 1:5 with points linecolor 3 pointtype 8 pointsize 1.6 title 'computing alone, paper'
