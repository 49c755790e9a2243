/* Two-dimensional FFTs of a row of square images, transposed over the ranks by FFTW's own MPI
   library: FFTW deals out the rows, and finds out by measuring whether it transposes by
   MPI_Alltoall or by messages of its own; rank 0 says which. At the default size, 16 ranks exchange
   blocks of 16 KiB. Set-up (planning, made-up images, one image to open the connections) isn't
   timed.

   The transforms are planned by estimate, not by measurement, and a transpose only moves numbers:
   so two runs give the same bits, however FFTW transposes. */
#include "frames.h"

#include <fftw3-mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image_fft {
  double complex *work, *other; /* this rank's rows, before a transpose and after */
  fftw_plan forward, backward;  /* all rows in place, for any aligned array */
  fftw_plan transpose;          /* from `work` to `other`; destroys its input */
};

static void must(const struct frames *frames, bool good, const char *complaint)
{
  if (good)
    return;
  fprintf(stderr, "%s: rank %d: %s\n", frames->program, frames->rank, complaint);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void image_fft_init(struct image_fft *fft, const struct frames *frames, int rows)
{
  const int size = frames->size;
  const ptrdiff_t whole[] = {size, size};
  ptrdiff_t rows_here, first_row, rows_there, first_there;
  fftw_mpi_init();
  const size_t room = (size_t)fftw_mpi_local_size_many_transposed(
      2, whole, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, MPI_COMM_WORLD, &rows_here,
      &first_row, &rows_there, &first_there);
  must(frames, rows_here == rows && rows_there == rows, "FFTW deals the rows out unevenly");
  fft->work = frames_allocate(room);
  fft->other = frames_allocate(room);
  fft->forward = fftw_plan_many_dft(1, &size, rows, fft->work, NULL, 1, size, fft->work, NULL, 1,
                                    size, FFTW_FORWARD, FFTW_ESTIMATE);
  fft->backward = fftw_plan_many_dft(1, &size, rows, fft->work, NULL, 1, size, fft->work, NULL, 1,
                                     size, FFTW_BACKWARD, FFTW_ESTIMATE);
  fft->transpose = fftw_mpi_plan_many_transpose(
      size, size, 2, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, (double *)fft->work,
      (double *)fft->other, MPI_COMM_WORLD, FFTW_MEASURE | FFTW_DESTROY_INPUT);
  must(frames, fft->forward && fft->backward && fft->transpose, "FFTW finds no plan");
}

static void image_fft_release(struct image_fft *fft)
{
  fftw_destroy_plan(fft->forward);
  fftw_destroy_plan(fft->backward);
  fftw_destroy_plan(fft->transpose);
  free(fft->work);
  free(fft->other);
  fftw_mpi_cleanup();
}

/* One direction of the whole image: rows, transpose, columns, transpose. */
static void transform(const struct frames *frames, struct image_fft *fft, fftw_plan rows,
                      double complex *data)
{
  memcpy(fft->work, data, frames->part * sizeof *data);
  for (int pass = 0; pass < 2; pass++) {
    fftw_execute_dft(rows, fft->work, fft->work);
    fftw_execute(fft->transpose);
    memcpy(fft->work, fft->other, frames->part * sizeof *data);
  }
  memcpy(data, fft->work, frames->part * sizeof *data);
}

static void transform_frame(const struct frames *frames, struct image_fft *fft, size_t frame)
{
  double complex *result = frames->results + frame * frames->part;
  memcpy(result, frames->input + frame * frames->part, frames->part * sizeof *result);
  transform(frames, fft, fft->forward, result);
}

/* Transforms the last frame back and compares. */
static double check(const struct frames *frames, struct image_fft *fft)
{
  const size_t last = (size_t)(frames->frame_count - 1) * frames->part;
  double complex *back = frames_allocate(frames->part);
  memcpy(back, frames->results + last, frames->part * sizeof *back);
  transform(frames, fft, fft->backward, back);
  for (size_t i = 0; i < frames->part; i++)
    back[i] /= (double)frames->size * frames->size;
  const double error = frames_difference(frames, back, frames->input + last);
  free(back);
  return error;
}

/* FFTW's own description of the plan names how it transposes. */
static void say_how_it_transposes(const struct frames *frames, fftw_plan transpose)
{
  char *plan = fftw_sprint_plan(transpose);
  if (frames->rank == 0 && plan)
    printf("FFTW transposes by %s\n",
           strstr(plan, "alltoall") ? "MPI_Alltoall" : "messages of its own");
  free(plan);
}

static int run(struct frames *frames)
{
  struct image_fft fft;
  char exchange[96];
  const int rows = frames->size / frames->rank_count;
  image_fft_init(&fft, frames, rows);
  frames_make(frames, (size_t)rows * (size_t)frames->size);
  for (size_t i = 0; i < frames->part; i++)
    frames_fill(frames, i, (uint64_t)frames->rank * frames->part + i);

  transform_frame(frames, &fft, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (size_t f = 0; f < (size_t)frames->frame_count; f++)
    transform_frame(frames, &fft, f);
  const double seconds = MPI_Wtime() - start;

  say_how_it_transposes(frames, fft.transpose);
  snprintf(exchange, sizeof exchange, "2 of FFTW's transposes a frame, %zu bytes a pair of ranks",
           (size_t)rows * (size_t)rows * sizeof(double complex));
  const int code = frames_report(frames, exchange, seconds, check(frames, &fft));
  image_fft_release(&fft);
  frames_release(frames);
  return code;
}

int main(int argc, char **argv)
{
  struct frames frames = {
      .program = "fftw_mpi_frames", .frame_count = 8, .size = 512, .size_min = 3, .size_max = 8192};
  return frames_main(&frames, argc, argv, run);
}
