/* Two-dimensional FFTs of a row of square images, as a program for video or radar does them: FFTW
   transforms rows, MPI_Alltoall transposes the image over the ranks, FFTW transforms the columns,
   and a second MPI_Alltoall puts the image back in rows. At the default size, 16 ranks exchange
   blocks of 16 KiB. Set-up (planning, made-up images, one image to open the connections) isn't
   timed.

   Every plan is made by estimate, not by measurement: then two runs give the same bits. */
#include "frames.h"

#include <fftw3.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image_fft {
  int size, rows; /* rows of the image on this rank */
  int rank_count;
  size_t part; /* rows * size */
  double complex *work, *packed, *exchanged;
  fftw_plan forward, backward; /* all rows of one part, out of place, for any aligned arrays */
};

static void image_fft_init(struct image_fft *fft, const struct frames *frames)
{
  const int size = frames->size, rows = size / frames->rank_count;
  *fft = (struct image_fft){.size = size, .rows = rows, .rank_count = frames->rank_count};
  fft->part = (size_t)rows * (size_t)size;
  fft->work = frames_allocate(fft->part);
  fft->packed = frames_allocate(fft->part);
  fft->exchanged = frames_allocate(fft->part);
  fft->forward = fftw_plan_many_dft(1, &size, rows, fft->work, NULL, 1, size, fft->packed, NULL, 1,
                                    size, FFTW_FORWARD, FFTW_ESTIMATE);
  fft->backward = fftw_plan_many_dft(1, &size, rows, fft->work, NULL, 1, size, fft->packed, NULL, 1,
                                     size, FFTW_BACKWARD, FFTW_ESTIMATE);
}

static void image_fft_release(struct image_fft *fft)
{
  fftw_destroy_plan(fft->forward);
  fftw_destroy_plan(fft->backward);
  free(fft->work);
  free(fft->packed);
  free(fft->exchanged);
}

/* Transposes the image that lies in `work`, in place. Rank r's block for rank s is the square of
   its rows and s's columns, packed column by column. */
static void transpose(struct image_fft *fft)
{
  const size_t size = (size_t)fft->size, rows = (size_t)fft->rows, block = rows * rows;
  for (size_t s = 0; s < (size_t)fft->rank_count; s++)
    for (size_t column = 0; column < rows; column++)
      for (size_t row = 0; row < rows; row++)
        fft->packed[s * block + column * rows + row] = fft->work[row * size + s * rows + column];
  MPI_Alltoall(fft->packed, (int)(2 * block), MPI_DOUBLE, fft->exchanged, (int)(2 * block),
               MPI_DOUBLE, MPI_COMM_WORLD);
  for (size_t s = 0; s < (size_t)fft->rank_count; s++)
    for (size_t row = 0; row < rows; row++)
      memcpy(fft->work + row * size + s * rows, fft->exchanged + s * block + row * rows,
             rows * sizeof(double complex));
}

/* One direction of the whole image: rows, transpose, columns, transpose. */
static void transform(struct image_fft *fft, fftw_plan rows, double complex *in,
                      double complex *out)
{
  fftw_execute_dft(rows, in, fft->work);
  transpose(fft);
  fftw_execute_dft(rows, fft->work, out);
  memcpy(fft->work, out, fft->part * sizeof *out);
  transpose(fft);
  memcpy(out, fft->work, fft->part * sizeof *out);
}

/* How far the transform's value at row 1, column 2 is from the sum that defines it, divided by the
   square root of the number of terms. */
static double probe(const struct frames *frames, const struct image_fft *fft,
                    const double complex *in, const double complex *out)
{
  const double turn = -2 * acos(-1) / fft->size;
  double complex mine = 0, sum = 0, value = 0;
  for (int row = 0; row < fft->rows; row++)
    for (int column = 0; column < fft->size; column++)
      mine += in[row * fft->size + column] *
              cexp(I * turn * (frames->rank * fft->rows + row + 2 * column));
  MPI_Allreduce(&mine, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  const int owner = 1 / fft->rows;
  if (frames->rank == owner)
    value = out[(1 % fft->rows) * fft->size + 2];
  MPI_Bcast(&value, 1, MPI_C_DOUBLE_COMPLEX, owner, MPI_COMM_WORLD);
  return cabs(value - sum) / fft->size;
}

/* Transforms the last frame back and compares; probes the transform itself too. */
static double check(const struct frames *frames, struct image_fft *fft)
{
  const size_t last = (size_t)(frames->frame_count - 1) * frames->part;
  double complex *back = frames_allocate(frames->part);
  transform(fft, fft->backward, frames->results + last, back);
  for (size_t i = 0; i < frames->part; i++)
    back[i] /= (double)frames->size * frames->size;
  const double round_trip = frames_difference(frames, back, frames->input + last);
  const double off = probe(frames, fft, frames->input + last, frames->results + last);
  free(back);
  return off > round_trip ? off : round_trip;
}

static int run(struct frames *frames)
{
  struct image_fft fft;
  char exchange[96];
  image_fft_init(&fft, frames);
  frames_make(frames, fft.part);
  for (size_t i = 0; i < fft.part; i++)
    frames_fill(frames, i, (uint64_t)frames->rank * fft.part + i);

  transform(&fft, fft.forward, frames->input, frames->results);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (size_t f = 0; f < (size_t)frames->frame_count; f++)
    transform(&fft, fft.forward, frames->input + f * fft.part, frames->results + f * fft.part);
  const double seconds = MPI_Wtime() - start;

  snprintf(exchange, sizeof exchange, "2 MPI_Alltoall a frame, %zu bytes a pair of ranks",
           (size_t)fft.rows * (size_t)fft.rows * sizeof(double complex));
  const int code = frames_report(frames, exchange, seconds, check(frames, &fft));
  image_fft_release(&fft);
  frames_release(frames);
  return code;
}

int main(int argc, char **argv)
{
  struct frames frames = {
      .program = "fft_frames", .frame_count = 8, .size = 512, .size_min = 3, .size_max = 8192};
  return frames_main(&frames, argc, argv, run);
}
