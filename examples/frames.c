/* Options, made-up input and the report of the example programs; frames.h says what for. */
#include "frames.h"

#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const double error_max = 1e-10;

static void die_without_memory(void)
{
  fputs("out of memory\n", stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static bool read_number(const struct frames *frames, int min, int max, int *number)
{
  char *end = NULL;
  const long value = strtol(optarg, &end, 10);
  if (end != optarg && *end == 0 && value >= min && value <= max) {
    *number = (int)value;
    return true;
  }
  if (frames->rank == 0)
    fprintf(stderr, "%s: '%s' is not a number from %d to %d\n", frames->program, optarg, min, max);
  return false;
}

/* Returns true, or false with *code set to what the program should exit with. */
static bool read_options(struct frames *frames, int argc, char **argv, int *code)
{
  static const struct option options[] = {{"frames", required_argument, NULL, 'f'},
                                          {"size", required_argument, NULL, 's'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  MPI_Comm_rank(MPI_COMM_WORLD, &frames->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &frames->rank_count);
  opterr = frames->rank == 0;
  *code = 2;
  for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
    if (c == 'f' && read_number(frames, 1, 65535, &frames->frame_count))
      continue;
    if (c == 's' && read_number(frames, frames->size_min, frames->size_max, &frames->size))
      continue;
    if (c == 'o') {
      frames->output = optarg;
      continue;
    }
    if (c == 'h') {
      *code = 0;
      if (frames->rank == 0)
        printf("usage: %s [--frames N] [--size N] [--output FILE]\n", frames->program);
    }
    return false;
  }
  const char *complaint = NULL;
  if (optind < argc)
    complaint = "only options are expected";
  else if (frames->size % frames->rank_count)
    complaint = "--size must be a multiple of the number of ranks";
  if (complaint && frames->rank == 0)
    fprintf(stderr, "%s: %s\n", frames->program, complaint);
  return !complaint;
}

int frames_main(struct frames *frames, int argc, char **argv, int (*run)(struct frames *frames))
{
  int code = 0;
  MPI_Init(&argc, &argv);
  if (read_options(frames, argc, argv, &code))
    code = run(frames);
  MPI_Finalize();
  return code;
}

double complex *frames_allocate(size_t count)
{
  const size_t alignment = 64;
  const size_t bytes = count * sizeof(double complex);
  double complex *memory =
      aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory)
    die_without_memory();
  return memory;
}

void frames_make(struct frames *frames, size_t part)
{
  frames->part = part;
  frames->input = frames_allocate(part * (size_t)frames->frame_count);
  frames->results = frames_allocate(part * (size_t)frames->frame_count);
}

void frames_release(struct frames *frames)
{
  free(frames->input);
  free(frames->results);
  frames->input = NULL;
  frames->results = NULL;
}

/* A number in [-1, 1) that looks random: a multiplicative mix of the seed's bits. */
static double noise(uint64_t seed)
{
  uint64_t bits = (seed + 1) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93u;
  bits ^= bits >> 32;
  return (double)(bits >> 11) * 0x1p-52 - 1.0;
}

void frames_fill(struct frames *frames, size_t position, uint64_t index)
{
  for (int f = 0; f < frames->frame_count; f++) {
    const uint64_t seed = ((uint64_t)f << 48) + 2 * index;
    frames->input[(size_t)f * frames->part + position] = noise(seed) + noise(seed + 1) * I;
  }
}

double frames_difference(const struct frames *frames, const double complex *a,
                         const double complex *b)
{
  double mine = 0, most = 0;
  for (size_t i = 0; i < frames->part; i++) {
    const double difference = cabs(a[i] - b[i]);
    mine = difference > mine ? difference : mine;
  }
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

/* FNV-1a, 64 bits. */
static uint64_t hash_bytes(const void *bytes, size_t count)
{
  const unsigned char *byte = bytes;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ byte[i]) * 0x100000001b3u;
  return hash;
}

/* Each rank hashes all its results; the checksum hashes the ranks' hashes, in order. */
static uint64_t checksum(const struct frames *frames)
{
  uint64_t mine = hash_bytes(frames->results,
                             (size_t)frames->frame_count * frames->part * sizeof(double complex));
  uint64_t *all = calloc((size_t)frames->rank_count, sizeof *all);
  if (!all)
    die_without_memory();
  MPI_Gather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  mine = hash_bytes(all, (size_t)frames->rank_count * sizeof *all);
  free(all);
  return mine;
}

/* Rank 0 takes one rank's part after another and writes it: one sender at a time, so that a slow
   network isn't flooded. */
static bool write_result(const struct frames *frames)
{
  const double complex *last = frames->results + (size_t)(frames->frame_count - 1) * frames->part;
  const int count = (int)(2 * frames->part);
  if (frames->rank != 0) {
    char go;
    MPI_Recv(&go, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(last, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    return true;
  }
  FILE *file = fopen(frames->output, "wb");
  bool written = file && fwrite(last, sizeof *last, frames->part, file) == frames->part;
  double complex *other = frames_allocate(frames->part);
  for (int r = 1; r < frames->rank_count; r++) {
    MPI_Send("g", 1, MPI_CHAR, r, 0, MPI_COMM_WORLD);
    MPI_Recv(other, count, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    written = written && fwrite(other, sizeof *other, frames->part, file) == frames->part;
  }
  free(other);
  if (file && fclose(file) != 0)
    written = false;
  if (!written)
    perror(frames->output);
  return written;
}

int frames_report(const struct frames *frames, const char *exchange, double seconds, double error)
{
  double longest = 0;
  MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const uint64_t sum = checksum(frames);
  const bool written = !frames->output || write_result(frames);
  const bool right = error <= error_max;
  if (frames->rank == 0) {
    printf("%s: %d frames, size %d, %d ranks; %s\n", frames->program, frames->frame_count,
           frames->size, frames->rank_count, exchange);
    printf("seconds %.3f\nframes/s %.3f\n", longest, frames->frame_count / longest);
    printf("checksum %016llx\n", (unsigned long long)sum);
    printf("forward and back differs from the input by %.1e%s\n", error,
           right ? "" : ": the transform is wrong");
  }
  return right && written ? 0 : 1;
}
