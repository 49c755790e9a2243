/* Collectives whose totals go beyond 2^31 bytes and elements, and whose displacements do, against
   their definition. Prints "N wrong, K planned".
   usage: beyond long|uneven|far
   long: two GiB and a little at each of three ranks; uneven: at one of them, in blocks that differ,
   of an all-gather at each; far: blocks of few bytes, gigabytes apart, in memory of which few pages
   are touched */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <tourney/runtime.h>

enum { RANKS_MAX = 4, FAR_BYTES = 1 << 16, GUARD = 0x5a };

static const size_t gib = (size_t)1 << 30;
static int rank, rank_count, planned;
static long wrong;

static unsigned char *take(size_t bytes)
{
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    MPI_Abort(MPI_COMM_WORLD, 9);
  madvise(memory, bytes, MADV_HUGEPAGE); /* a million pages are long in coming on some machines */
  return memory;
}

/* The byte of one rank for another at a place; `to` is 0 where all get the same. */
static unsigned char value(int from, int to, size_t at)
{
  return (unsigned char)((at * 2654435761U >> 13) + (size_t)from * 67 + (size_t)to * 29);
}

static void fill(unsigned char *bytes, size_t count, int from, int to)
{
  for (size_t i = 0; i < count; i++)
    bytes[i] = value(from, to, i);
}

static void check(const unsigned char *bytes, size_t count, int from, int to)
{
  for (size_t i = 0; i < count; i++)
    wrong += bytes[i] != value(from, to, i);
}

static void note(int code, const char *what)
{
  const bool is_planned = tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0;
  planned += is_planned;
  wrong += code != MPI_SUCCESS;
  if (rank == 0)
    printf("%s: %s\n", what, is_planned ? tourney_last_algorithm() : "native");
}

/* --- long --- */

/* Together, three blocks have 2^31 bytes and a MiB. In place, an all-to-all overwrites what it
   gives: the memory is as it was after a second one. */
static void try_long(void)
{
  const size_t block = (2 * gib + ((size_t)1 << 20)) / 3 / 64 * 64, count = (size_t)rank_count;
  unsigned char *memory = take(count * block);
  for (int to = 0; to < rank_count; to++)
    fill(memory + (size_t)to * block, block, rank, to);
  note(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_BYTE, memory, (call_count)block, MPI_BYTE, MPI_COMM_WORLD),
       "alltoall");
  for (int from = 0; from < rank_count; from++)
    check(memory + (size_t)from * block, block, from, rank);
  fill(memory + (size_t)rank * block, block, rank, 0);
  note(
      MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, memory, (call_count)block, MPI_BYTE, MPI_COMM_WORLD),
      "allgather");
  for (int from = 0; from < rank_count; from++)
    check(memory + (size_t)from * block, block, from, 0);
  munmap(memory, count * block);
}

/* --- uneven --- */

enum { FULL_RANK = 1, SHORT_BYTES = 100, STEP_BYTES = 4097 };

/* What is on one side of an uneven call: blocks one after another. */
struct side {
  call_count counts[RANKS_MAX];
  call_displacement places[RANKS_MAX];
};

/* What all ranks have for the full one, or it has for all: together 2^31 bytes and more. */
static size_t long_bytes(int other)
{
  return (2 * gib + ((size_t)1 << 20)) / (size_t)rank_count + (size_t)other * STEP_BYTES;
}

/* All blocks are long, or those of the full rank. */
static struct side lay_out(bool is_long)
{
  struct side side;
  size_t place = 0;
  for (int i = 0; i < rank_count; i++) {
    const size_t bytes = is_long ? long_bytes(i) : SHORT_BYTES;
    side.counts[i] = (call_count)bytes;
    side.places[i] = (call_displacement)place;
    place += bytes;
  }
  return side;
}

static void check_all(const unsigned char *memory, const struct side *side)
{
  for (int from = 0; from < rank_count; from++)
    check(memory + (size_t)side->places[from], (size_t)side->counts[from], from, 0);
}

/* One rank gets long blocks, and then gives them; the others short ones. What a rank sends to
   several lies at one place. */
static void try_uneven_alltoallv(unsigned char *send, unsigned char *receive)
{
  struct side given = lay_out(false), got = lay_out(rank == FULL_RANK);
  memset(given.places, 0, sizeof given.places);
  given.counts[FULL_RANK] = (call_count)long_bytes(rank);
  fill(send, long_bytes(rank_count), rank, 0);
  note(MPI_Alltoallv(send, given.counts, given.places, MPI_BYTE, receive, got.counts, got.places,
                     MPI_BYTE, MPI_COMM_WORLD),
       "alltoallv to one");
  check_all(receive, &got);
  given = lay_out(rank == FULL_RANK);
  memset(given.places, 0, sizeof given.places);
  got = lay_out(false);
  for (int i = FULL_RANK + 1; i < rank_count; i++)
    got.places[i] = (call_displacement)(long_bytes(rank_count) + (size_t)(i * SHORT_BYTES));
  got.counts[FULL_RANK] = (call_count)long_bytes(rank);
  note(MPI_Alltoallv(send, given.counts, given.places, MPI_BYTE, receive, got.counts, got.places,
                     MPI_BYTE, MPI_COMM_WORLD),
       "alltoallv from one");
  check_all(receive, &got);
}

static void try_uneven_rooted(unsigned char *one, unsigned char *all)
{
  const struct side side = lay_out(true);
  const size_t own = long_bytes(rank);
  fill(one, own, rank, 0);
  note(MPI_Gatherv(one, (call_count)own, MPI_BYTE, all, side.counts, side.places, MPI_BYTE,
                   FULL_RANK, MPI_COMM_WORLD),
       "gatherv");
  if (rank == FULL_RANK)
    check_all(all, &side);
  memset(one, 0, own);
  note(MPI_Scatterv(all, side.counts, side.places, MPI_BYTE, one, (call_count)own, MPI_BYTE,
                    FULL_RANK, MPI_COMM_WORLD),
       "scatterv");
  check(one, own, rank, 0);
}

static void try_uneven(void)
{
  const size_t bytes = 3 * gib;
  unsigned char *one = take(bytes), *all = take(bytes);
  try_uneven_alltoallv(one, all);
  try_uneven_rooted(one, all);
  munmap(one, bytes);
  munmap(all, bytes);
  all = take(bytes);
  const struct side side = lay_out(true);
  fill(all + (size_t)side.places[rank], (size_t)side.counts[rank], rank, 0);
  note(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, side.counts, side.places, MPI_BYTE,
                      MPI_COMM_WORLD),
       "allgatherv");
  check_all(all, &side);
  munmap(all, bytes);
}

/* --- far --- */

/* FAR_BYTES, and then nothing up to a GiB. */
static MPI_Datatype far_apart(void)
{
  MPI_Datatype bytes, type;
  MPI_Type_contiguous(FAR_BYTES, MPI_BYTE, &bytes);
  MPI_Type_create_resized(bytes, 0, (MPI_Aint)gib, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&bytes);
  return type;
}

/* Before each call: guards behind where blocks will be. */
static void guard(unsigned char *memory, int blocks)
{
  for (int i = 0; i < blocks; i++)
    memset(memory + (size_t)i * gib, GUARD, FAR_BYTES + 64);
}

static void check_guards(const unsigned char *memory, int blocks)
{
  for (int i = 0; i < blocks; i++)
    for (int at = FAR_BYTES; at < FAR_BYTES + 64; at++)
      wrong += memory[(size_t)i * gib + (size_t)at] != GUARD;
}

/* Element i of what a rank gives another lies i GiB behind the first. */
static void try_far_even(unsigned char *send, unsigned char *receive, MPI_Datatype type)
{
  guard(receive, rank_count);
  if (rank == 1)
    for (int i = 0; i < rank_count; i++)
      fill(receive + (size_t)i * gib, FAR_BYTES, 1, i);
  note(MPI_Bcast(receive, rank_count, type, 1, MPI_COMM_WORLD), "bcast");
  for (int i = 0; i < rank_count; i++)
    check(receive + (size_t)i * gib, FAR_BYTES, 1, i);
  check_guards(receive, rank_count);
  guard(receive, rank_count);
  note(MPI_Alltoall(send, 1, type, receive, 1, type, MPI_COMM_WORLD), "alltoall");
  for (int from = 0; from < rank_count; from++)
    check(receive + (size_t)from * gib, FAR_BYTES, from, rank);
  check_guards(receive, rank_count);
  guard(receive, rank_count);
  note(MPI_Allgather(send, 1, type, receive, 1, type, MPI_COMM_WORLD), "allgather");
  for (int from = 0; from < rank_count; from++)
    check(receive + (size_t)from * gib, FAR_BYTES, from, 0);
  check_guards(receive, rank_count);
}

/* The blocks lie in reverse order. */
static void try_far_uneven(unsigned char *send, unsigned char *receive, MPI_Datatype type)
{
  call_count ones[RANKS_MAX];
  call_displacement forward[RANKS_MAX], backward[RANKS_MAX];
  for (int i = 0; i < rank_count; i++) {
    ones[i] = 1;
    forward[i] = i;
    backward[i] = rank_count - 1 - i;
  }
  guard(receive, rank_count);
  note(MPI_Alltoallv(send, ones, forward, type, receive, ones, backward, type, MPI_COMM_WORLD),
       "alltoallv");
  for (int from = 0; from < rank_count; from++)
    check(receive + (size_t)backward[from] * gib, FAR_BYTES, from, rank);
  check_guards(receive, rank_count);
  guard(receive, rank_count);
  note(MPI_Allgatherv(send, 1, type, receive, ones, backward, type, MPI_COMM_WORLD), "allgatherv");
  for (int from = 0; from < rank_count; from++)
    check(receive + (size_t)backward[from] * gib, FAR_BYTES, from, 0);
  check_guards(receive, rank_count);
}

/* Displacements in bytes: an int's go up to 2 GiB, so that only the first two ranks have something
   to give each other; those of large counts go further. */
static void try_far_bytes(unsigned char *send, unsigned char *receive, MPI_Datatype type)
{
  const bool is_large = sizeof(call_displacement) > sizeof(int);
  call_count counts[RANKS_MAX];
  call_displacement places[RANKS_MAX];
  MPI_Datatype types[RANKS_MAX];
  for (int i = 0; i < rank_count; i++) {
    types[i] = type;
    counts[i] = is_large || (rank < 2 && i < 2);
    places[i] = is_large || i < 2 ? (call_displacement)((size_t)i * gib) : 0;
  }
  guard(receive, rank_count);
  note(MPI_Alltoallw(send, counts, places, types, receive, counts, places, types, MPI_COMM_WORLD),
       "alltoallw");
  for (int from = 0; from < rank_count; from++)
    if (counts[from])
      check(receive + (size_t)places[from], FAR_BYTES, from, rank);
  check_guards(receive, rank_count);
}

static void try_far(void)
{
  MPI_Datatype type = far_apart();
  const size_t bytes = RANKS_MAX * gib;
  unsigned char *send = take(bytes), *receive = take(bytes);
  for (int to = 0; to < rank_count; to++)
    fill(send + (size_t)to * gib, FAR_BYTES, rank, to);
  try_far_even(send, receive, type);
  try_far_uneven(send, receive, type);
  try_far_bytes(send, receive, type);
  munmap(send, bytes);
  munmap(receive, bytes);
  MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (argc != 2 || rank_count > RANKS_MAX)
    MPI_Abort(MPI_COMM_WORLD, 2);
  if (strcmp(argv[1], "long") == 0)
    try_long();
  else if (strcmp(argv[1], "uneven") == 0)
    try_uneven();
  else
    try_far();
  const int planned_here = planned;
  long all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%ld wrong, %d planned\n", all, planned_here);
  MPI_Finalize();
  return wrong != 0;
}
