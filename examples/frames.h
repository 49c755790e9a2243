/* What both example programs share: their options, made-up input, and the report. A frame is one
   image (or one box of points) that is transformed; every rank has an equal part of each frame.
   These programs are plain MPI programs: they know nothing of Tourney. Units: bytes, seconds. */
#ifndef EXAMPLES_FRAMES_H
#define EXAMPLES_FRAMES_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frames {
  const char *program;
  int frame_count;
  int size;               /* points along one edge of a frame */
  int size_min, size_max; /* what the program can do */
  const char *output;     /* the file to write, or NULL */
  int rank, rank_count;
  size_t part;             /* complex numbers of one frame on one rank */
  double complex *input;   /* frame_count parts, one after another; owned */
  double complex *results; /* the same; owned */
};

/* The program from MPI_Init to MPI_Finalize: reads --frames N, --size N, --output FILE over the
   defaults already in `frames` (as are the limits of the size), asks MPI for the ranks, and calls
   `run`. Returns what the program should exit with, which `run` returns too. */
int frames_main(struct frames *frames, int argc, char **argv, int (*run)(struct frames *frames));
/* Makes room for every frame's input and result; ends the program where there is none. */
void frames_make(struct frames *frames, size_t part);
/* Fills the input's number `position` (in this rank's part) of every frame, from the number's index
   in the whole frame alone, so that the same frames are made with any number of ranks. */
void frames_fill(struct frames *frames, size_t position, uint64_t index);
void frames_release(struct frames *frames);

/* Memory as FFT libraries like it aligned; ends the program where there is none. */
double complex *frames_allocate(size_t count);
/* The largest difference between two parts, over all ranks. */
double frames_difference(const struct frames *frames, const double complex *a,
                         const double complex *b);
/* Prints, on rank 0, what was done, the rate, and a checksum over the results of all frames and
   ranks; writes the last frame's result to the output file, ranks in order. `error` is what the
   program found when it checked its own transform. Returns what the program should exit with. */
int frames_report(const struct frames *frames, const char *exchange, double seconds, double error);

#endif
