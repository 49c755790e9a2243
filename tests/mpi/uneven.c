/* An MPI program that compares MPI_Allgatherv, MPI_Alltoallv and MPI_Alltoallw with their
   definition, sends and receives of the program's own blocks, byte for byte: patterns of sizes from
   nothing to one long row, datatypes with gaps, a datatype for each block, different descriptions
   of one signature, gaps between blocks, blocks in reverse order, MPI_IN_PLACE, communicators of
   some ranks. All memory around the blocks is compared too. Exits non-zero where anything differs,
   or where a call that should be planned was native.
   usage: uneven planned|native|any [ROUNDS]   (ROUNDS: each call so often, with other sizes) */
#include "comparison_support.h"

enum { TAG = 4712, LONG_ELEMENTS = 9000, GUARD_BYTES = 64 };

/* --- who has how many elements for whom --- */

enum pattern {
  ALIKE,
  ONE_TO_EIGHT,
  SPARSE,
  LONG_ROW,
  LONG_COLUMN,
  ONE_PAIR,
  SHORT,
  NOTHING,
  PATTERNS
};

static const char *const pattern_names[PATTERNS] = {
    "alike", "1:8", "sparse", "a long row", "a long column", "one pair", "short", "nothing"};

static int elements(enum pattern pattern, int from, int to, int round)
{
  const uint32_t drawn = scramble((uint32_t)from + 1, (uint32_t)to + 1, (uint32_t)round + 1);
  switch (pattern) {
  case ALIKE:
    return 700 + 10 * round;
  case ONE_TO_EIGHT:
    return (int)(200 + drawn % 1401);
  case SPARSE:
    return drawn % 4 ? 0 : (int)(drawn % 3001);
  case LONG_ROW:
    return from == 1 ? LONG_ELEMENTS : (int)(drawn % 3);
  case LONG_COLUMN:
    return to == 1 ? LONG_ELEMENTS - from : 0;
  case ONE_PAIR:
    return from == 2 && to == 0 ? LONG_ELEMENTS : 0;
  case SHORT:
    return (int)(drawn % 2);
  case NOTHING:
  case PATTERNS:
    break;
  }
  return 0;
}

static const char *const kind_names[KINDS] = {"ints", "ints with gaps", "contiguous bytes",
                                              "pairs of shorts in reverse order"};

/* --- the blocks of one side --- */

struct side {
  int p;
  int *counts, *displacements, *byte_displacements;
  MPI_Datatype *types;
  unsigned char *memory;
  size_t bytes;
};

/* Lays blocks out with gaps between, backwards where `backwards`. A kind of -1: one for each. */
static struct side make_side(int p, const int *counts, int kind, bool backwards)
{
  struct side side = {.p = p};
  side.counts = take(sizeof(int) * (size_t)p);
  side.displacements = take(sizeof(int) * (size_t)p);
  side.byte_displacements = take(sizeof(int) * (size_t)p);
  side.types = take(sizeof(MPI_Datatype) * (size_t)p);
  int place = 5;
  for (int i = 0; i < p; i++) {
    const int block = backwards ? p - 1 - i : i;
    side.counts[block] = counts[block];
    side.displacements[block] = place;
    side.byte_displacements[block] = place * ELEMENT_ROOM;
    side.types[block] = kind_of(kind, block);
    place += counts[block] + 3;
  }
  side.bytes = (size_t)(place + 5) * ELEMENT_ROOM + GUARD_BYTES;
  side.memory = take(side.bytes);
  return side;
}

static void free_side(struct side *side)
{
  free(side->counts);
  free(side->displacements);
  free(side->byte_displacements);
  free(side->types);
  free(side->memory);
}

enum form { FORM_ALLGATHERV, FORM_ALLTOALLV, FORM_ALLTOALLW, FORMS };
static const char *const form_names[FORMS] = {"allgatherv", "alltoallv", "alltoallw"};

static unsigned char *block_of(const struct side *side, unsigned char *memory, enum form form,
                               int block)
{
  MPI_Aint lower_bound, extent;
  MPI_Type_get_extent(side->types[block], &lower_bound, &extent);
  return memory + (form == FORM_ALLTOALLW ? side->byte_displacements[block]
                                          : side->displacements[block] * extent);
}

/* --- a case --- */

struct test {
  enum form form;
  enum pattern pattern;
  int send_kind, receive_kind; /* -1: a kind for each block */
  bool in_place, backwards;
  int round;
  MPI_Comm comm;
  int rank, p;
};

static void complain(const struct test *test, const char *fault)
{
  fprintf(stderr, "rank %d: %s, %s, from %s to %s%s%s, round %d, %d ranks: %s\n", world_rank,
          form_names[test->form], pattern_names[test->pattern],
          test->send_kind < 0 ? "each" : kind_names[test->send_kind],
          test->receive_kind < 0 ? "each" : kind_names[test->receive_kind],
          test->in_place ? ", in place" : "", test->backwards ? ", backwards" : "", test->round,
          test->p, fault);
}

/* In an all-gather a rank has one block for all; in place, an all-to-all's two sides have the same
   counts, so its pattern has to be symmetric. */
static int elements_of(const struct test *test, int from, int to)
{
  if (test->form == FORM_ALLGATHERV)
    return elements(test->pattern, from, 0, test->round);
  if (test->in_place && from > to)
    return elements(test->pattern, to, from, test->round);
  return elements(test->pattern, from, to, test->round);
}

/* What the call must give: a message from each rank to each. */
static void define(const struct test *test, const struct side *send, const struct side *receive,
                   unsigned char *memory)
{
  const struct side *from = test->in_place ? receive : send;
  unsigned char *source = take(from->bytes);
  MPI_Request *requests = take(sizeof *requests * 2 * (size_t)test->p);
  memcpy(source, test->in_place ? memory : send->memory, from->bytes);
  for (int i = 0; i < test->p; i++)
    MPI_Irecv(block_of(receive, memory, test->form, i), receive->counts[i], receive->types[i], i,
              TAG, test->comm, &requests[i]);
  for (int i = 0; i < test->p; i++) {
    const int block = test->form == FORM_ALLGATHERV ? (test->in_place ? test->rank : 0) : i;
    MPI_Isend(block_of(from, source, test->form, block), from->counts[block], from->types[block], i,
              TAG, test->comm, &requests[test->p + i]);
  }
  MPI_Waitall(2 * test->p, requests, MPI_STATUSES_IGNORE);
  free(source);
  free(requests);
}

static int call(const struct test *test, const struct side *send, struct side *receive)
{
  const void *from = test->in_place ? MPI_IN_PLACE : send->memory;
  switch (test->form) {
  case FORM_ALLGATHERV:
    return MPI_Allgatherv(test->in_place ? MPI_IN_PLACE
                                         : block_of(send, send->memory, test->form, 0),
                          send->counts[0], send->types[0], receive->memory, receive->counts,
                          receive->displacements, receive->types[0], test->comm);
  case FORM_ALLTOALLV:
    return MPI_Alltoallv(from, test->in_place ? NULL : send->counts,
                         test->in_place ? NULL : send->displacements, send->types[0],
                         receive->memory, receive->counts, receive->displacements,
                         receive->types[0], test->comm);
  case FORM_ALLTOALLW:
    return MPI_Alltoallw(from, test->in_place ? NULL : send->counts,
                         test->in_place ? NULL : send->byte_displacements,
                         test->in_place ? NULL : send->types, receive->memory, receive->counts,
                         receive->byte_displacements, receive->types, test->comm);
  case FORMS:
    break;
  }
  return MPI_SUCCESS;
}

static bool has_elements(const struct test *test)
{
  for (int i = 0; i < test->p; i++)
    for (int j = 0; j < test->p; j++)
      if (elements_of(test, i, j) > 0)
        return true;
  return false;
}

static void try(const struct test *test)
{
  const bool gathers = test->form == FORM_ALLGATHERV;
  int *given = take(sizeof(int) * (size_t)test->p), *got = take(sizeof(int) * (size_t)test->p);
  for (int i = 0; i < test->p; i++) {
    given[i] = elements_of(test, test->rank, i);
    got[i] = elements_of(test, i, test->rank);
  }
  struct side send = make_side(gathers ? 1 : test->p, given, test->send_kind, test->backwards);
  struct side receive = make_side(test->p, got, test->receive_kind, test->backwards);
  unsigned char *wanted = take(receive.bytes), *kept = take(send.bytes);
  fill(send.memory, send.bytes, scramble((uint32_t)world_rank, (uint32_t)test->round, 3));
  fill(receive.memory, receive.bytes, scramble((uint32_t)world_rank, (uint32_t)test->round, 4));
  memcpy(wanted, receive.memory, receive.bytes);
  memcpy(kept, send.memory, send.bytes);
  define(test, &send, &receive, wanted);
  const char *fault = NULL;
  if (call(test, &send, &receive) != MPI_SUCCESS)
    fault = "an error";
  else if (memcmp(receive.memory, wanted, receive.bytes) != 0 ||
           memcmp(send.memory, kept, send.bytes) != 0)
    fault = "differs from the definition";
  fault = judge(fault, has_elements(test));
  if (fault)
    complain(test, fault);
  free(wanted);
  free(kept);
  free_side(&send);
  free_side(&receive);
  free(given);
  free(got);
}

/* Sends and receives by kinds; -1 is a kind for each block, which only MPI_Alltoallw has. */
static const struct {
  int send, receive;
} pairs[] = {{KIND_INT, KIND_INT},     {KIND_GAPPED, KIND_INT}, {KIND_BYTES, KIND_GAPPED},
             {KIND_PAIR, KIND_GAPPED}, {KIND_INT, KIND_BYTES},  {-1, -1}};

/* Kinds of a pair must be of one signature: ints and bytes aren't for MPI, but are packed alike. */
static void try_all(MPI_Comm comm, int rounds)
{
  struct test test = {.comm = comm};
  MPI_Comm_rank(comm, &test.rank);
  MPI_Comm_size(comm, &test.p);
  for (test.form = 0; test.form < FORMS; test.form++)
    for (test.pattern = 0; test.pattern < PATTERNS; test.pattern++)
      for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int way = 0; way < 4; way++) {
          test.send_kind = pairs[i].send;
          test.receive_kind = pairs[i].receive;
          test.in_place = way % 2;
          test.backwards = way / 2;
          if ((test.send_kind < 0 && test.form != FORM_ALLTOALLW) ||
              (test.in_place && test.send_kind < 0))
            continue;
          for (test.round = 0; test.round < rounds; test.round++)
            try(&test);
        }
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = begin_comparison(argc, argv);
  try_all(MPI_COMM_WORLD, rounds);
  if (size >= 4) {
    MPI_Comm some;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % size == 1 ? MPI_UNDEFINED : 0, -world_rank, &some);
    if (some != MPI_COMM_NULL) {
      try_all(some, rounds);
      MPI_Comm_free(&some);
    }
  }
  const bool has_failed = end_comparison();
  MPI_Finalize();
  return has_failed;
}
