/* Three-dimensional FFTs by SpFFT, a library that plane-wave codes use, in the way they use it:
   from frequencies to points in space, a multiplication by a potential there, and back to
   frequencies. SpFFT's buffered exchange is one MPI_Alltoall each way. At the default size, 16
   ranks hold 256 columns of frequencies and 4 planes of the box each, so a block is 256 * 4 complex
   numbers: 16 KiB. Set-up (made-up frequencies, one frame to open the connections) isn't timed. */
#include "frames.h"

#include <mpi.h>
#include <spfft/spfft.h>
#include <stdio.h>
#include <stdlib.h>

static void must(SpfftError error, const char *what)
{
  if (error == SPFFT_SUCCESS)
    return;
  fprintf(stderr, "spfft_frames: SpFFT: %s failed with error %d\n", what, (int)error);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* All frequencies, dealt out in equal runs of columns along z, each as x, y, z. */
static int *make_indices(const struct frames *frames, int column_count)
{
  const int size = frames->size;
  int *indices = calloc((size_t)column_count * (size_t)size, 3 * sizeof *indices);
  if (!indices) {
    fputs("spfft_frames: out of memory\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return NULL;
  }
  int *next = indices;
  for (int c = 0; c < column_count; c++)
    for (int z = 0; z < size; z++) {
      const int column = frames->rank * column_count + c;
      *next++ = column / size;
      *next++ = column % size;
      *next++ = z;
    }
  return indices;
}

static SpfftTransform make_transform(const struct frames *frames, int column_count)
{
  const int size = frames->size, plane_count = size / frames->rank_count;
  int *indices = make_indices(frames, column_count);
  SpfftTransform transform = NULL;
  must(spfft_transform_create_independent_distributed(
           &transform, 1, MPI_COMM_WORLD, SPFFT_EXCH_BUFFERED, SPFFT_PU_HOST, SPFFT_TRANS_C2C, size,
           size, size, plane_count, column_count * size, SPFFT_INDEX_TRIPLETS, indices),
       "making the transform");
  free(indices);
  return transform;
}

/* The potential at a point: any smooth real function of the place does. */
static double potential(const struct frames *frames, size_t point)
{
  const size_t size = (size_t)frames->size;
  const double x = (double)(point % size) / (double)size;
  const double y = (double)(point / size % size) / (double)size;
  return 1.0 + x * (1.0 - x) + 0.5 * y;
}

/* Frequencies to space, times the potential where asked, back to frequencies. */
static void apply(const struct frames *frames, SpfftTransform transform, bool with_potential,
                  const double complex *in, double complex *out)
{
  double *space = NULL;
  must(spfft_transform_get_space_domain(transform, SPFFT_PU_HOST, &space), "finding its memory");
  must(spfft_transform_backward(transform, (const double *)in, SPFFT_PU_HOST), "backward");
  for (size_t i = 0; with_potential && i < frames->part; i++) {
    const double factor = potential(frames, i);
    space[2 * i] *= factor;
    space[2 * i + 1] *= factor;
  }
  must(spfft_transform_forward(transform, SPFFT_PU_HOST, (double *)out, SPFFT_FULL_SCALING),
       "forward");
}

static int run(struct frames *frames)
{
  const int size = frames->size, column_count = size * size / frames->rank_count;
  const int plane_count = size / frames->rank_count;
  char exchange[96];
  SpfftTransform transform = make_transform(frames, column_count);
  frames_make(frames, (size_t)column_count * (size_t)size);
  for (size_t i = 0; i < frames->part; i++)
    frames_fill(frames, i, (uint64_t)frames->rank * frames->part + i);

  apply(frames, transform, true, frames->input, frames->results);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (size_t f = 0; f < (size_t)frames->frame_count; f++)
    apply(frames, transform, true, frames->input + f * frames->part,
          frames->results + f * frames->part);
  const double seconds = MPI_Wtime() - start;

  double complex *back = frames_allocate(frames->part);
  apply(frames, transform, false, frames->input, back);
  const double error = frames_difference(frames, back, frames->input);
  free(back);
  snprintf(exchange, sizeof exchange, "2 MPI_Alltoall a frame, %zu bytes a pair of ranks",
           (size_t)column_count * (size_t)plane_count * sizeof(double complex));
  const int code = frames_report(frames, exchange, seconds, error);
  must(spfft_transform_destroy(transform), "ending the transform");
  frames_release(frames);
  return code;
}

int main(int argc, char **argv)
{
  struct frames frames = {
      .program = "spfft_frames", .frame_count = 8, .size = 64, .size_min = 1, .size_max = 512};
  return frames_main(&frames, argc, argv, run);
}
