# Draws on standard output: gnuplot tam2000-figure-2.gnuplot > chart.svg
set terminal svg size 900,678 dynamic font 'sans-serif,14' background 'white'
set datafile missing NaN
set title 'Bandwidth of complete exchanges, 16 nodes, input-buffered switch' noenhanced
set xlabel 'block, packets' noenhanced
set ylabel 'bandwidth, MB/s a node' noenhanced
set autoscale xfix
set logscale x 2
set yrange [8:*]
set offsets graph 0.02, graph 0.02, graph 0.02, 0
set grid linecolor '#dddddd' linetype 1
set linetype 5 linecolor '#8c564b'
set xlabel offset 0,0.5
set key below title ' ' noenhanced
data = 'tam2000-figure-2.dat'
plot data index 0 using 1:2 with linespoints linecolor 1 pointtype 5 title 'optimum, equation 2', \
     data index 1 using 1:2 with linespoints linecolor 2 pointtype 7 title 'synchronous shuffle', \
     data index 1 using 1:5 with points linecolor 2 pointtype 6 pointsize 1.6 title 'synchronous shuffle, paper', \
     data index 2 using 1:2 with linespoints linecolor 3 pointtype 9 title 'group shuffle', \
     data index 2 using 1:5 with points linecolor 3 pointtype 8 pointsize 1.6 title 'group shuffle, paper', \
     data index 3 using 1:2 with linespoints linecolor 4 pointtype 11 title 'pairwise', \
     data index 3 using 1:5 with points linecolor 4 pointtype 10 pointsize 1.6 title 'pairwise, paper', \
     data index 4 using 1:2 with linespoints linecolor 5 pointtype 13 title 'shift', \
     data index 4 using 1:5 with points linecolor 5 pointtype 12 pointsize 1.6 title 'shift, paper'
