/* An MPI program that compares the intercepted collectives with their definition, byte for byte:
   sizes, datatypes with and without gaps, MPI_IN_PLACE, roots, communicators, and mixed
   descriptions of one signature. Exits non-zero where anything differs, or where a collective that
   should be planned was native.
   usage: collectives [planned|native [spawn] [connect]]   (native: expect that nothing is planned;
   spawn: start two ranks more, and use a communicator across both worlds; connect: have two halves
   of the world connect) */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

#include "definition_support.h"

static int world_rank;
static bool expect_native;
static long checks, failures;

static void fail(const char *what, const char *detail, int count)
{
  failures++;
  fprintf(stderr, "rank %d: %s: %s (count %d)\n", world_rank, what, detail, count);
}

/* Bytes that depend on who wrote them and when. */
static void fill(unsigned char *bytes, size_t length, unsigned seed)
{
  uint32_t state = seed * 2654435761U + 12345U;
  for (size_t i = 0; i < length; i++) {
    state = state * 1664525U + 1013904223U;
    bytes[i] = (unsigned char)(state >> 24);
  }
}

/* MPICH 4.0 takes long messages of MPI_DOUBLE_INT for too long, in its own collectives too, and
   lets an all-to-all send less than is received. */
static bool is_mpich(void)
{
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(version, &length);
  return strstr(version, "MPICH Version:") != NULL;
}

static void *take(size_t bytes)
{
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 9);
  return memory;
}

/* One datatype to try, and room for `count` of it. */
struct kind {
  const char *name;
  MPI_Datatype type;
  size_t room;  /* bytes an element may touch, extent for all but the last */
  size_t shift; /* bytes before the pointer that a negative lower bound reaches */
};

struct room {
  unsigned char *planned, *expected, *send;
  size_t bytes;
};

static struct room make_room(const struct kind *kind, int blocks, int count, unsigned seed)
{
  struct room room = {.bytes = kind->shift + kind->room * (size_t)blocks * (size_t)count + 64};
  room.planned = take(room.bytes);
  room.expected = take(room.bytes);
  room.send = take(room.bytes);
  fill(room.send, room.bytes, seed);
  fill(room.planned, room.bytes, seed + 77);
  memcpy(room.expected, room.planned, room.bytes);
  return room;
}

static void check_room(struct room *room, const char *what, const char *kind, int count)
{
  checks++;
  char detail[128];
  snprintf(detail, sizeof detail, "differs from the definition for %s", kind);
  if (memcmp(room->planned, room->expected, room->bytes) != 0)
    fail(what, detail, count);
  free(room->planned);
  free(room->expected);
  free(room->send);
}

static void check_served(const char *what, int count, int p, MPI_Datatype type)
{
  int bytes;
  MPI_Type_size(type, &bytes);
  const bool planned = tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0;
  const bool should = !expect_native && p >= 2 && bytes > 0 && count > 0;
  if (planned != should)
    fail(what, should ? "was native, should have been planned" : "was planned, should be native",
         count);
}

/* An all-to-all (`personal`) or an all-gather. */
static void try_exchange(MPI_Comm comm, const struct kind *kind, int count, bool in_place,
                         bool personal)
{
  int rank, p;
  char what[32];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  struct room room = make_room(kind, p, count, (unsigned)(rank + count));
  const void *send = in_place ? MPI_IN_PLACE : room.send + kind->shift;
  unsigned char *planned = room.planned + kind->shift;
  const struct definition_blocks given = {send, count, kind->type},
                                 got = {room.expected + kind->shift, count, kind->type};
  if (personal)
    MPI_Alltoall(send, count, kind->type, planned, count, kind->type, comm);
  else
    MPI_Allgather(send, count, kind->type, planned, count, kind->type, comm);
  snprintf(what, sizeof what, "%s%s", personal ? "alltoall" : "allgather",
           in_place ? " in place" : "");
  check_served(what, count, p, kind->type);
  definition_exchange(&given, &got, comm, personal);
  check_room(&room, what, kind->name, count);
}

static void try_bcast(MPI_Comm comm, const struct kind *kind, int count, int root)
{
  int rank, p;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  struct room room = make_room(kind, 1, count, (unsigned)(rank + count));
  MPI_Bcast(room.planned + kind->shift, count, kind->type, root, comm);
  check_served("bcast", count, p, kind->type);
  definition_bcast(room.expected + kind->shift, count, kind->type, root, comm);
  check_room(&room, "bcast", kind->name, count);
}

static void try_all(MPI_Comm comm, const struct kind *kind, int count)
{
  int p;
  MPI_Comm_size(comm, &p);
  for (int in_place = 0; in_place < 2; in_place++) {
    try_exchange(comm, kind, count, in_place, true);
    try_exchange(comm, kind, count, in_place, false);
  }
  for (int root = 0; root < p; root++)
    try_bcast(comm, kind, count, root);
}

static void try_datatypes(MPI_Comm comm)
{
  MPI_Datatype vector, gapped, backward, pair, swapped;
  MPI_Type_vector(3, 2, 5, MPI_SHORT, &vector);
  MPI_Type_create_resized(vector, 0, 40, &gapped);
  MPI_Type_create_resized(MPI_INT, -8, 16, &backward);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_indexed(2, (int[]){1, 1}, (int[]){1, 0}, MPI_INT, &swapped);
  MPI_Datatype *made[] = {&vector, &gapped, &backward, &pair, &swapped};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    MPI_Type_commit(made[i]);
  const struct kind kinds[] = {
      {"MPI_BYTE", MPI_BYTE, 1, 0},
      {"MPI_INT", MPI_INT, 4, 0},
      {"MPI_DOUBLE_INT", MPI_DOUBLE_INT, 16, 0},
      {"a vector", vector, 40, 0},
      {"a gapped vector", gapped, 40, 0},
      {"a negative lower bound", backward, 16, 16},
      {"a pair", pair, 8, 0},
      {"a swapped pair", swapped, 8, 0},
  };
  const int counts[] = {0, 1, 7, 1025};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
      if (counts[j] < 1000 || kinds[i].type != MPI_DOUBLE_INT || !is_mpich())
        try_all(comm, &kinds[i], counts[j]);
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    MPI_Type_free(made[i]);
}

/* Ranks describe one signature differently: all must still decide alike. */
static void try_mixed_descriptions(MPI_Comm comm)
{
  int rank, p;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  MPI_Datatype four;
  MPI_Type_contiguous(4, MPI_INT, &four);
  MPI_Type_commit(&four);
  const int fours = 300;
  const struct kind kind = {"mixed", MPI_INT, 4, 0};
  struct room room = make_room(&kind, p, 4 * fours, (unsigned)rank);
  const bool odd = rank % 2 == 1;
  const int count = odd ? fours : 4 * fours;
  const MPI_Datatype type = odd ? four : MPI_INT;
  MPI_Alltoall(room.send, 4 * fours, MPI_INT, room.planned, count, type, comm);
  const struct definition_blocks ints = {room.send, 4 * fours, MPI_INT},
                                 described = {room.send, count, type},
                                 got = {room.expected, count, type},
                                 got_ints = {room.expected, 4 * fours, MPI_INT};
  definition_alltoall(&ints, &got, comm);
  MPI_Bcast(room.send, count, type, p - 1, comm);
  MPI_Allgather(room.send, count, type, room.planned, 4 * fours, MPI_INT, comm);
  definition_allgather(&described, &got_ints, comm);
  check_room(&room, "mixed descriptions", "MPI_INT and contiguous", count);
  MPI_Type_free(&four);
}

static void try_communicators(const struct kind *kind)
{
  for (int round = 0; round < 8; round++) {
    MPI_Comm copy, half, backward;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, -world_rank, &half);
    MPI_Comm_split(copy, 0, -world_rank, &backward);
    try_all(copy, kind, 2000 + round);
    try_all(half, kind, 5000 - round);
    try_all(backward, kind, 3000 + round);
    MPI_Comm_free(&half);
    MPI_Comm_free(&copy);
    try_all(backward, kind, 100 + round);
    MPI_Comm_free(&backward);
  }
}

/* The user's error handler stays in force, and an invalid call is the native one's to refuse. */
static void try_errors(void)
{
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  int value = 0;
  checks++;
  if (MPI_Bcast(&value, 1, MPI_INT, 1000000, copy) == MPI_SUCCESS)
    fail("bcast", "an invalid root was accepted", 1);
  if (MPI_Bcast(&value, -1, MPI_INT, 0, copy) == MPI_SUCCESS)
    fail("bcast", "a negative count was accepted", -1);
  MPI_Comm_free(&copy);
}

/* A communicator of two groups that met later doesn't hang, and is right. */
static void use_merged(MPI_Comm inter, bool is_second)
{
  MPI_Comm both;
  MPI_Intercomm_merge(inter, is_second, &both);
  int rank, p;
  MPI_Comm_rank(both, &rank);
  MPI_Comm_size(both, &p);
  const int count = 5000;
  int *own = take(sizeof *own * (size_t)count);
  int *all = take(sizeof *all * (size_t)count * (size_t)p);
  for (int i = 0; i < count; i++)
    own[i] = rank * count + i;
  MPI_Bcast(all, count, MPI_INT, 1, both);
  MPI_Allgather(own, count, MPI_INT, all, count, MPI_INT, both);
  checks++;
  for (int i = 0; i < count * p; i++)
    if (all[i] != i) {
      fail("allgather", "differs across two groups", count);
      break;
    }
  free(own);
  free(all);
  MPI_Comm_free(&both);
  MPI_Comm_free(&inter);
}

/* With ranks of another MPI_COMM_WORLD it stays native, on both sides. */
static void use_merged_world(MPI_Comm inter, bool is_child)
{
  use_merged(inter, is_child);
  if (tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0)
    fail("allgather", "was planned across two worlds", 0);
}

/* Two halves of the world, the first ranks and the others, connect by a port. */
static void try_connected_halves(void)
{
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm half, inter;
  int p;
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const bool is_second = world_rank >= p / 2;
  MPI_Comm_split(MPI_COMM_WORLD, is_second, 0, &half);
  if (world_rank == 0)
    MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (is_second)
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &inter);
  else
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &inter);
  use_merged(inter, is_second);
  if (world_rank == 0)
    MPI_Close_port(port);
  MPI_Comm_free(&half);
}

static void try_spawned_world(char *program)
{
  MPI_Comm children;
  char *arguments[] = {"child", NULL};
  if (MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                     MPI_ERRCODES_IGNORE) == MPI_SUCCESS)
    use_merged_world(children, false);
}

/* A send side shorter than the receive side is an error, found before anything is sent. */
static void try_short_send(void)
{
  MPI_Comm copy;
  int p;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  MPI_Comm_size(copy, &p);
  const int count = 1000;
  int *input = take(sizeof *input * (size_t)count * (size_t)p);
  int *output = take(sizeof *output * (size_t)count * (size_t)p);
  memset(input, 0, sizeof *input * (size_t)count * (size_t)p);
  checks++;
  if (p >= 3 && !expect_native && !is_mpich()) {
    if (MPI_Alltoall(input, count / 2, MPI_INT, output, count, MPI_INT, copy) == MPI_SUCCESS)
      fail("alltoall", "sent less than it received, without an error", count);
    if (MPI_Alltoall(input, count, MPI_INT, output, count, MPI_INT, copy) != MPI_SUCCESS)
      fail("alltoall", "fails after an error that came before anything was sent", count);
  }
  free(input);
  free(output);
  MPI_Comm_free(&copy);
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  if (argc > 1 && strcmp(argv[1], "child") == 0) {
    MPI_Comm parents;
    MPI_Comm_get_parent(&parents);
    use_merged_world(parents, true);
    MPI_Finalize();
    return failures != 0;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  expect_native = argc > 1 && strcmp(argv[1], "native") == 0;
  const struct kind ints = {"MPI_INT", MPI_INT, 4, 0};
  try_datatypes(MPI_COMM_WORLD);
  try_mixed_descriptions(MPI_COMM_WORLD);
  try_communicators(&ints);
  try_errors();
  try_short_send();
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "spawn") == 0)
      try_spawned_world(argv[0]);
    else
      try_connected_halves();
  const int long_counts[] = {70001, 800001};
  for (int i = 0; i < 2; i++)
    try_all(MPI_COMM_WORLD, &ints, long_counts[i]);
  long all[2] = {checks, failures};
  MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf("%ld checks, %ld failures\n", all[0], all[1]);
  MPI_Finalize();
  return all[1] != 0;
}
