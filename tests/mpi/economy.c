/* An MPI program that says what repeated calls cost the runtime, as watch.c counts it, and checks
   what they give. All ranks are added up.
   usage: economy repeat     calls of the same few sizes, after a first round of them
          economy grow       calls of growing sizes, after one of the greatest
          economy uneven     calls whose blocks differ, of the same sizes, after a first round
          economy neighbours calls among neighbours, of the same sizes, after a first round
          economy few        uneven calls and calls among neighbours on communicators that don't
                             live long: by how many collectives the ranks agree
          economy types      calls by datatypes that are plain bytes, and by others
          economy threads    calls of several threads at once, each on its own communicator of the
                             same ranks, after a round in which all of a rank's had to wait in
                             theirs */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "definition_support.h"
#include "watch_support.h"

enum { BLOCK_BYTES = 24000, BLOCK_ROOM = 1 << 18, ROUNDS = 3 };

static int rank, rank_count;
static unsigned char *send, *got, *expected;
static size_t room;

/* One of the three collectives, by the last letter of its name. */
static void call(char which, int count, MPI_Datatype type)
{
  if (which == 't')
    MPI_Bcast(rank == 0 ? send : got, count, type, 0, MPI_COMM_WORLD);
  else if (which == 'r')
    MPI_Allgather(send, count, type, got, count, type, MPI_COMM_WORLD);
  else
    MPI_Alltoall(send, count, type, got, count, type, MPI_COMM_WORLD);
}

static bool agrees_with_definition(char which, int count, MPI_Datatype type)
{
  for (size_t i = 0; i < room; i++) {
    send[i] = (unsigned char)((size_t)rank * 131 + i * 7 + (i >> 8) * 13);
    got[i] = expected[i] = 0xa5;
  }
  call(which, count, type);
  const struct definition_blocks sent = {send, count, type}, wanted = {expected, count, type};
  if (which == 't')
    definition_bcast(rank == 0 ? send : expected, count, type, 0, MPI_COMM_WORLD);
  else if (which == 'r')
    definition_allgather(&sent, &wanted, MPI_COMM_WORLD);
  else
    definition_alltoall(&sent, &wanted, MPI_COMM_WORLD);
  return memcmp(got, expected, room) == 0;
}

/* Prints what all ranks counted, and how many found a difference. */
static void say(const char *what, struct watched counts, bool good)
{
  long own[4] = {counts.allocations, counts.types, counts.packs, !good}, all[4];
  MPI_Reduce(own, all, 4, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %ld allocations, %ld datatypes, %ld packs, %ld wrong\n", what, all[0], all[1],
           all[2], all[3]);
}

static void repeat(void)
{
  static const int sizes[] = {300, 5000, 24000, 23457};
  struct watched counts = {-1, -1, -1, -1};
  bool good = true;
  for (int round = 0; round < ROUNDS; round++) {
    if (round == 1)
      watch_begin();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (const char *which = "trl"; *which; which++)
        if (round == 0)
          good &= agrees_with_definition(*which, sizes[s], MPI_BYTE);
        else
          call(*which, sizes[s], MPI_BYTE);
  }
  watch_end(&counts);
  say("repeated", counts, good);
}

/* Sizes of one step: those from above 15/16 of a power of two up to it. */
static void grow(void)
{
  const int first = BLOCK_ROOM / 16 * 15 + 1, step = 1000;
  struct watched counts = {-1, -1, -1, -1};
  bool good = true;
  for (const char *which = "trl"; *which; which++)
    good &= agrees_with_definition(*which, BLOCK_ROOM, MPI_BYTE);
  watch_begin();
  for (int bytes = first; bytes <= BLOCK_ROOM; bytes += step)
    for (const char *which = "trl"; *which; which++)
      call(*which, bytes, MPI_BYTE);
  watch_end(&counts);
  say("grown", counts, good);
}

/* --- uneven calls --- */

enum { RANKS_MAX = 16 };

/* The bytes that one rank has for another, and one of them. */
static int length_of(int from, int to)
{
  return BLOCK_BYTES / 8 * (1 + (from * 3 + to) % 8);
}

static unsigned char byte_of(int from, int to, int k)
{
  return (unsigned char)(from * 31 + to * 17 + k + 1);
}

/* Lays blocks from or to this rank out one after another; fills those that are sent, and looks at
   those that came. */
struct uneven_side {
  bool is_sent;
  int block_count, counts[RANKS_MAX], places[RANKS_MAX];
  int from[RANKS_MAX], to[RANKS_MAX];
  MPI_Datatype types[RANKS_MAX];
};

static struct uneven_side side_of(bool is_sent, bool per_rank, bool is_shared)
{
  struct uneven_side side = {.is_sent = is_sent, .block_count = per_rank ? rank_count : 1};
  for (int i = 0, place = 0; i < side.block_count; i++) {
    side.from[i] = is_sent ? rank : per_rank ? i : 0;
    side.to[i] = is_shared ? 0 : is_sent ? i : rank;
    side.types[i] = MPI_BYTE;
    side.places[i] = place;
    place += side.counts[i] = length_of(side.from[i], side.to[i]);
  }
  return side;
}

static void fill_side(const struct uneven_side *side)
{
  for (int i = 0; i < side->block_count; i++)
    for (int k = 0; k < side->counts[i]; k++)
      send[side->places[i] + k] = byte_of(side->from[i], side->to[i], k);
}

static bool came(const struct uneven_side *side)
{
  bool good = true;
  for (int i = 0; i < side->block_count; i++)
    for (int k = 0; k < side->counts[i]; k++)
      good &= got[side->places[i] + k] == byte_of(side->from[i], side->to[i], k);
  return good;
}

/* One of the five, by the letter that it has alone: allGatherv, alltoallV, alltoallW, gathErv,
   sCatterv. */
static bool call_uneven(char which)
{
  const bool gathers = which == 'g' || which == 'e', sends_all = !gathers;
  const struct uneven_side from = side_of(true, sends_all, gathers);
  const struct uneven_side to = side_of(false, which != 'c', gathers);
  const bool sends = which != 'c' || rank == 0, receives = which != 'e' || rank == 0;
  fill_side(&from);
  memset(got, 0, room);
  if (which == 'g')
    MPI_Allgatherv(send, from.counts[0], MPI_BYTE, got, to.counts, to.places, MPI_BYTE,
                   MPI_COMM_WORLD);
  else if (which == 'v')
    MPI_Alltoallv(send, from.counts, from.places, MPI_BYTE, got, to.counts, to.places, MPI_BYTE,
                  MPI_COMM_WORLD);
  else if (which == 'w')
    MPI_Alltoallw(send, from.counts, from.places, from.types, got, to.counts, to.places, to.types,
                  MPI_COMM_WORLD);
  else if (which == 'e')
    MPI_Gatherv(send, from.counts[0], MPI_BYTE, receives ? got : NULL, to.counts, to.places,
                MPI_BYTE, 0, MPI_COMM_WORLD);
  else
    MPI_Scatterv(sends ? send : NULL, from.counts, from.places, MPI_BYTE, got, to.counts[0],
                 MPI_BYTE, 0, MPI_COMM_WORLD);
  return !receives || came(&to);
}

static void repeat_uneven(void)
{
  struct watched counts = {-1, -1, -1, -1};
  bool good = rank_count <= RANKS_MAX;
  for (int round = 0; good && round < ROUNDS; round++) {
    if (round == 1)
      watch_begin();
    for (const char *which = "gvwec"; *which; which++)
      good &= call_uneven(*which);
  }
  watch_end(&counts);
  say("uneven", counts, good);
}

/* --- among neighbours --- */

/* On a torus of p x 1: each rank has a block for either rank beside it, and two that are the same
   for itself. One of the five, by its place in the standard. */
enum { SLOTS = 4, NEIGHBOUR_FORMS = 5 };
static bool call_neighbours(MPI_Comm torus, int form)
{
  static int counts[SLOTS], places[SLOTS];
  static MPI_Aint offsets[SLOTS];
  static MPI_Datatype types[SLOTS];
  const bool gathers = form < 2;
  const int peers[SLOTS] = {(rank + rank_count - 1) % rank_count, (rank + 1) % rank_count, rank,
                            rank};
  bool good = true;
  for (int i = 0; i < SLOTS; i++) {
    counts[i] = BLOCK_BYTES;
    offsets[i] = places[i] = i * BLOCK_BYTES;
    types[i] = MPI_BYTE;
    for (int k = 0; k < BLOCK_BYTES; k++)
      send[places[i] + k] = byte_of(rank, gathers ? 0 : peers[i], k);
  }
  memset(got, 0, room);
  if (form == 0)
    MPI_Neighbor_allgather(send, BLOCK_BYTES, MPI_BYTE, got, BLOCK_BYTES, MPI_BYTE, torus);
  else if (form == 1)
    MPI_Neighbor_allgatherv(send, BLOCK_BYTES, MPI_BYTE, got, counts, places, MPI_BYTE, torus);
  else if (form == 2)
    MPI_Neighbor_alltoall(send, BLOCK_BYTES, MPI_BYTE, got, BLOCK_BYTES, MPI_BYTE, torus);
  else if (form == 3)
    MPI_Neighbor_alltoallv(send, counts, places, MPI_BYTE, got, counts, places, MPI_BYTE, torus);
  else
    MPI_Neighbor_alltoallw(send, counts, offsets, types, got, counts, offsets, types, torus);
  for (int i = 0; i < SLOTS * BLOCK_BYTES; i++) {
    const int from = peers[i / BLOCK_BYTES];
    good &= got[i] == byte_of(from, gathers ? 0 : rank, i % BLOCK_BYTES);
  }
  return good;
}

static void repeat_neighbours(void)
{
  const int sides[2] = {rank_count, 1}, periods[2] = {1, 1};
  struct watched counts = {-1, -1, -1, -1};
  MPI_Comm torus;
  bool good = rank_count >= 3;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &torus);
  for (int round = 0; round < ROUNDS; round++) {
    if (round == 1)
      watch_begin();
    for (int form = 0; form < NEIGHBOUR_FORMS; form++)
      good &= call_neighbours(torus, form);
  }
  watch_end(&counts);
  MPI_Comm_free(&torus);
  say("neighbours", counts, good);
}

/* --- a few calls --- */

enum { FEW_SHORT = 8, FEW_LONG = 20000 };

/* A ring of all ranks, or a copy of them. */
static MPI_Comm make_new(bool is_ring)
{
  const int is_periodic = 1;
  MPI_Comm comm;
  if (is_ring)
    MPI_Cart_create(MPI_COMM_WORLD, 1, &rank_count, &is_periodic, 0, &comm);
  else
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

/* Each rank has `bytes` for each neighbour in the ring, or for all. Returns the call's code. */
static int call_once(MPI_Comm comm, bool is_ring, int bytes, bool *good)
{
  const int slots = is_ring ? 2 : rank_count;
  int counts[RANKS_MAX], places[RANKS_MAX], peers[RANKS_MAX];
  for (int i = 0; i < slots; i++) {
    peers[i] = is_ring ? (rank + (i == 0 ? rank_count - 1 : 1)) % rank_count : i;
    counts[i] = bytes;
    places[i] = i * bytes;
    memset(send + places[i], byte_of(rank, peers[i], 0), (size_t)bytes);
  }
  memset(got, 0, room);
  const int code =
      is_ring ? MPI_Neighbor_alltoall(send, bytes, MPI_BYTE, got, bytes, MPI_BYTE, comm)
              : MPI_Alltoallv(send, counts, places, MPI_BYTE, got, counts, places, MPI_BYTE, comm);
  for (int i = 0; code == MPI_SUCCESS && i < slots * bytes; i++)
    *good &= got[i] == byte_of(peers[i / bytes], rank, 0);
  return code;
}

/* Calls on a new communicator. `victim` has no memory for its call number 2, and makes it again. */
static void call_few(bool is_ring, int calls, int bytes, int victim)
{
  struct watched counts = {-1, -1, -1, -1};
  bool good = rank_count >= 3 && rank_count <= RANKS_MAX;
  MPI_Comm comm = make_new(is_ring);
  watch_begin();
  for (int i = 0; i < calls; i++) {
    if (rank == victim && i == 1) {
      watch_fail_attribute();
      good &= call_once(comm, is_ring, bytes, &good) == MPI_ERR_NO_MEM;
    }
    good &= call_once(comm, is_ring, bytes, &good) == MPI_SUCCESS;
  }
  watch_end(&counts);
  MPI_Comm_free(&comm);
  long own[2] = {counts.collectives, !good}, all[2];
  MPI_Reduce(own, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s, %d calls of %d bytes%s: %ld collectives, %ld wrong\n", is_ring ? "ring" : "all",
           calls, bytes, victim >= 0 ? ", one again" : "", all[0], all[1]);
}

static void try_few(void)
{
  for (int is_ring = 0; is_ring < 2; is_ring++) {
    call_few(is_ring, 3, FEW_LONG, -1);
    call_few(is_ring, 4, FEW_LONG, -1);
    call_few(is_ring, 4, FEW_LONG, 1);
    call_few(is_ring, 15, FEW_SHORT, -1);
    call_few(is_ring, 16, FEW_SHORT, -1);
    call_few(is_ring, 64, FEW_SHORT, -1);
  }
}

static void try_type(const char *name, MPI_Datatype type)
{
  struct watched counts;
  int bytes;
  bool good = true;
  MPI_Type_commit(&type);
  MPI_Type_size(type, &bytes);
  watch_begin();
  for (const char *which = "trl"; *which; which++)
    good &= agrees_with_definition(*which, BLOCK_BYTES / bytes, type);
  watch_end(&counts);
  say(name, counts, good);
}

static void try_types(void)
{
  static const int lengths[] = {1, 1, 1}, reverse[] = {2, 1, 0}, apart[] = {0, 2, 4};
  MPI_Datatype row, copy, rows, bounds, shifted, backwards, gaps, backwards_row, padded;
  MPI_Type_contiguous(3, MPI_INT, &row);
  MPI_Type_dup(MPI_DOUBLE, &copy);
  MPI_Type_contiguous(5, row, &rows);
  MPI_Type_create_resized(rows, 0, 60, &bounds);
  MPI_Type_create_resized(MPI_INT, 0, 8, &padded);
  MPI_Type_create_resized(row, -4, 12, &shifted);
  MPI_Type_indexed(3, lengths, reverse, MPI_INT, &backwards);
  MPI_Type_indexed(3, lengths, apart, MPI_INT, &gaps);
  MPI_Type_contiguous(2, backwards, &backwards_row);
  try_type("predefined", MPI_INT);
  try_type("a row", row);
  try_type("a copy", copy);
  try_type("a row of rows", rows);
  try_type("the same bounds", bounds);
  try_type("other bounds", padded);
  try_type("shifted bounds", shifted);
  try_type("backwards", backwards);
  try_type("with gaps", gaps);
  try_type("a backwards row", backwards_row);
  try_type("a pair with a gap", MPI_SHORT_INT);
}

/* --- threads --- */

enum { THREADS = 3, LATE_US = 200000 };
static pthread_barrier_t begin, together;

struct thread {
  MPI_Comm comm;
  unsigned char *send, *got;
  bool good;
};

static void call_in_thread(struct thread *thread, char which)
{
  if (which == 't')
    MPI_Bcast(thread->got, BLOCK_BYTES, MPI_BYTE, 0, thread->comm);
  else if (which == 'r')
    MPI_Allgather(thread->send, BLOCK_BYTES, MPI_BYTE, thread->got, BLOCK_BYTES, MPI_BYTE,
                  thread->comm);
  else
    MPI_Alltoall(thread->send, BLOCK_BYTES, MPI_BYTE, thread->got, BLOCK_BYTES, MPI_BYTE,
                 thread->comm);
  for (int r = 0; which != 't' && r < rank_count; r++)
    thread->good &= thread->got[(size_t)r * BLOCK_BYTES] == r + 1;
}

static void *run_thread(void *argument)
{
  struct thread *thread = argument;
  for (const char *which = "trl"; *which; which++)
    for (int late = 0; late < rank_count; late++) {
      /* A rank's threads wait at the same time: what they hold then, they never need more of. */
      pthread_barrier_wait(&together);
      MPI_Barrier(thread->comm);
      if (rank == late)
        usleep(LATE_US);
      call_in_thread(thread, *which);
    }
  pthread_barrier_wait(&begin);
  pthread_barrier_wait(&begin); /* now it is watched */
  for (int round = 0; round < 10 * ROUNDS; round++)
    for (const char *which = "trl"; *which; which++)
      call_in_thread(thread, *which);
  return NULL;
}

static void use_threads(void)
{
  static struct thread threads[THREADS];
  pthread_t ids[THREADS];
  struct watched counts = {-1, -1, -1, -1};
  bool good = true;
  pthread_barrier_init(&begin, NULL, THREADS + 1);
  pthread_barrier_init(&together, NULL, THREADS);
  for (int t = 0; t < THREADS; t++) {
    threads[t] = (struct thread){.send = malloc(room), .got = malloc(room), .good = true};
    if (!threads[t].send || !threads[t].got)
      MPI_Abort(MPI_COMM_WORLD, 2);
    memset(threads[t].send, rank + 1, room);
    MPI_Comm_dup(MPI_COMM_WORLD, &threads[t].comm);
    pthread_create(&ids[t], NULL, run_thread, &threads[t]);
  }
  pthread_barrier_wait(&begin);
  watch_begin();
  pthread_barrier_wait(&begin);
  for (int t = 0; t < THREADS; t++)
    pthread_join(ids[t], NULL);
  watch_end(&counts);
  for (int t = 0; t < THREADS; t++) {
    good &= threads[t].good;
    MPI_Comm_free(&threads[t].comm);
    free(threads[t].send);
    free(threads[t].got);
  }
  say("by threads", counts, good);
}

int main(int argc, char **argv)
{
  const bool has_threads = argc > 1 && strcmp(argv[1], "threads") == 0;
  int level;
  MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  room = (size_t)BLOCK_ROOM * (size_t)rank_count;
  send = malloc(room);
  got = malloc(room);
  expected = malloc(room);
  if (!send || !got || !expected || argc < 2 || !watch_begin ||
      (has_threads && level < MPI_THREAD_MULTIPLE))
    MPI_Abort(MPI_COMM_WORLD, 2);
  if (strcmp(argv[1], "types") == 0)
    try_types();
  else if (strcmp(argv[1], "grow") == 0)
    grow();
  else if (strcmp(argv[1], "uneven") == 0)
    repeat_uneven();
  else if (strcmp(argv[1], "neighbours") == 0)
    repeat_neighbours();
  else if (strcmp(argv[1], "few") == 0)
    try_few();
  else if (has_threads)
    use_threads();
  else
    repeat();
  free(send);
  free(got);
  free(expected);
  MPI_Finalize();
  return 0;
}
