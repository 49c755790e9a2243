/* An MPI program that compares the neighbourhood collectives with the MPI's own, byte for byte:
   Cartesian grids, periodic and not, with sides of 1, 2 and more; graphs; distributed graphs with
   parallel edges, edges to oneself, and ranks without any; even and uneven blocks, none, gaps
   between them, backwards, datatypes with gaps, a datatype for each block. All memory around the
   blocks is compared too. Exits non-zero where anything differs, or where a call that should be
   planned was native.
   usage: neighbours planned|native|any [ROUNDS]   (ROUNDS: each call so often, with other sizes) */
#include "comparison_support.h"

enum { SLACK = 5, EDGES_MAX = 256 };

/* Sends and receives by kinds; -1 is a kind for each block, which only MPI_Neighbor_alltoallw has.
 */
static const struct {
  int send, receive;
} pairs[] = {{KIND_INT, KIND_INT}, {KIND_GAPPED, KIND_PAIR}, {KIND_PAIR, KIND_GAPPED}, {-1, -1}};

/* --- cases --- */

enum form { ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, FORMS };
static const char *const form_names[FORMS] = {"allgather", "allgatherv", "alltoall", "alltoallv",
                                              "alltoallw"};
enum sizes { LIKE, UNLIKE, FEW, NOTHING, SIZES };
static const char *const size_names[SIZES] = {"like", "unlike", "few", "no"};

/* The neighbours of this rank: MPI_PROC_NULL among them. */
struct topology {
  const char *name;
  MPI_Comm comm;
  int rank, p;
  int source_count, destination_count;
  int sources[EDGES_MAX], destinations[EDGES_MAX];
  bool lacks_alltoallw;
};

struct test {
  const struct topology *topology;
  enum form form;
  enum sizes sizes;
  int send_kind, receive_kind;
  bool backwards;
  int round;
};

/* The elements of a block. What a rank gathers from another is the same whoever asks, and in two of
   the forms all blocks are alike, those for nobody too. */
static int elements(const struct test *test, int from, int to)
{
  static const int alike[SIZES] = {[LIKE] = 600, [UNLIKE] = 1, [FEW] = 2500};
  const bool gathers = test->form == ALLGATHER || test->form == ALLGATHERV;
  const uint32_t drawn =
      scramble((uint32_t)from + 1, gathers ? 1 : (uint32_t)to + 1, (uint32_t)test->round + 1);
  if (test->form == ALLGATHER || test->form == ALLTOALL)
    return alike[test->sizes] + (test->sizes == LIKE ? 90 * test->round : 0);
  if (from == MPI_PROC_NULL || to == MPI_PROC_NULL)
    return 7;
  switch (test->sizes) {
  case LIKE:
    return alike[LIKE] + 90 * test->round;
  case UNLIKE:
    return (int)(200 + drawn % 1401);
  case FEW:
    return drawn % 3 ? 0 : (int)(1 + drawn % 3001);
  case NOTHING:
  case SIZES:
    break;
  }
  return 0;
}

struct side {
  int slots, *counts, *displacements;
  MPI_Aint *offsets;
  MPI_Datatype *types;
  unsigned char *memory;
  size_t bytes;
};

static struct side make_side(const int *counts, int slots, int kind, bool backwards)
{
  const size_t room = (size_t)slots + 1;
  struct side side = {.slots = slots,
                      .counts = take(room * sizeof(int)),
                      .displacements = take(room * sizeof(int)),
                      .offsets = take(room * sizeof(MPI_Aint)),
                      .types = take(room * sizeof(MPI_Datatype))};
  int place = SLACK;
  side.types[0] = kind_of(kind, 0);
  for (int i = 0; i < slots; i++) {
    const int block = backwards ? slots - 1 - i : i;
    side.counts[block] = counts[block];
    side.displacements[block] = place;
    side.offsets[block] = (MPI_Aint)place * ELEMENT_ROOM;
    side.types[block] = kind_of(kind, block);
    place += counts[block] + SLACK;
  }
  side.bytes = (size_t)(place + SLACK) * ELEMENT_ROOM;
  side.memory = take(side.bytes);
  return side;
}

static void free_side(struct side *side)
{
  free(side->counts);
  free(side->displacements);
  free(side->offsets);
  free(side->types);
  free(side->memory);
}

static int call(const struct test *test, const struct side *send, const struct side *receive,
                unsigned char *memory)
{
  const MPI_Comm comm = test->topology->comm;
  const int count = elements(test, 0, 0);
  switch (test->form) {
  case ALLGATHER:
    return MPI_Neighbor_allgather(send->memory, count, send->types[0], memory, count,
                                  receive->types[0], comm);
  case ALLGATHERV:
    return MPI_Neighbor_allgatherv(send->memory, elements(test, test->topology->rank, 0),
                                   send->types[0], memory, receive->counts, receive->displacements,
                                   receive->types[0], comm);
  case ALLTOALL:
    return MPI_Neighbor_alltoall(send->memory, count, send->types[0], memory, count,
                                 receive->types[0], comm);
  case ALLTOALLV:
    return MPI_Neighbor_alltoallv(send->memory, send->counts, send->displacements, send->types[0],
                                  memory, receive->counts, receive->displacements,
                                  receive->types[0], comm);
  case ALLTOALLW:
    return MPI_Neighbor_alltoallw(send->memory, send->counts, send->offsets, send->types, memory,
                                  receive->counts, receive->offsets, receive->types, comm);
  case FORMS:
    break;
  }
  return MPI_SUCCESS;
}

/* Calls are planned where some rank has elements for another. */
static bool has_elements(const struct test *test)
{
  const struct topology *topology = test->topology;
  int has = 0;
  for (int i = 0; i < topology->destination_count; i++)
    has |= topology->destinations[i] != MPI_PROC_NULL &&
           elements(test, topology->rank, topology->destinations[i]) > 0;
  tourney_set_native(1);
  MPI_Allreduce(MPI_IN_PLACE, &has, 1, MPI_INT, MPI_MAX, topology->comm);
  tourney_set_native(0);
  return has;
}

static void complain(const struct test *test, const char *fault)
{
  fprintf(stderr, "rank %d: %s, %s, %s elements, kinds %d to %d%s, round %d: %s\n", world_rank,
          test->topology->name, form_names[test->form], size_names[test->sizes], test->send_kind,
          test->receive_kind, test->backwards ? ", backwards" : "", test->round, fault);
}

static void try(const struct test *test)
{
  const struct topology *topology = test->topology;
  const bool wanted = has_elements(test);
  int given[EDGES_MAX], got[EDGES_MAX];
  for (int i = 0; i < topology->destination_count; i++)
    given[i] = elements(test, topology->rank, topology->destinations[i]);
  for (int i = 0; i < topology->source_count; i++)
    got[i] = elements(test, topology->sources[i], topology->rank);
  const int own = elements(test, topology->rank, 0);
  const bool gathers = test->form == ALLGATHER || test->form == ALLGATHERV;
  struct side send = make_side(gathers ? &own : given, gathers ? 1 : topology->destination_count,
                               test->send_kind, test->backwards);
  struct side receive = make_side(got, topology->source_count, test->receive_kind, test->backwards);
  unsigned char *native = take(receive.bytes), *kept = take(send.bytes);
  fill(send.memory, send.bytes, scramble((uint32_t)world_rank + 1, (uint32_t)test->round, 3));
  fill(receive.memory, receive.bytes, scramble((uint32_t)world_rank + 1, 1, 4));
  memcpy(native, receive.memory, receive.bytes);
  memcpy(kept, send.memory, send.bytes);
  tourney_set_native(1);
  int code = call(test, &send, &receive, native);
  tourney_set_native(0);
  if (code == MPI_SUCCESS)
    code = call(test, &send, &receive, receive.memory);
  const char *fault = NULL;
  if (code != MPI_SUCCESS)
    fault = "an error";
  else if (memcmp(receive.memory, native, receive.bytes) != 0)
    fault = "differs from native";
  else if (memcmp(send.memory, kept, send.bytes) != 0)
    fault = "what was sent has changed";
  fault = judge(fault, wanted);
  if (fault)
    complain(test, fault);
  free(native);
  free(kept);
  free_side(&send);
  free_side(&receive);
}

static void try_all(const struct topology *topology, int rounds)
{
  struct test test = {.topology = topology};
  for (test.form = 0; test.form < FORMS; test.form++)
    for (test.sizes = 0; test.sizes < SIZES; test.sizes++)
      for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int way = 0; way < 2; way++) {
          test.send_kind = pairs[i].send;
          test.receive_kind = pairs[i].receive;
          test.backwards = way;
          if ((test.send_kind < 0 && test.form != ALLTOALLW) ||
              (test.form == ALLTOALLW && topology->lacks_alltoallw))
            continue;
          for (test.round = 0; test.round < rounds; test.round++)
            try(&test);
        }
}

/* --- topologies --- */

/* MPICH 4.0.2's own MPI_Neighbor_alltoallw delivers wrong data, or hangs, where a rank has other
   numbers of sources and of destinations. */
static bool lacks_alltoallw(const struct topology *topology)
{
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, lacks;
  MPI_Get_library_version(version, &length);
  lacks = strstr(version, "MPICH") && topology->source_count != topology->destination_count;
  MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, topology->comm);
  return lacks;
}

/* Finds what the MPI says of a communicator's neighbours, and compares all on it. */
static void try_comm(const char *name, MPI_Comm comm, int rounds)
{
  static struct topology topology;
  int kind, weighted, dimensions = 0;
  if (comm == MPI_COMM_NULL)
    return;
  topology = (struct topology){.name = name, .comm = comm};
  MPI_Comm_rank(comm, &topology.rank);
  MPI_Comm_size(comm, &topology.p);
  MPI_Topo_test(comm, &kind);
  if (kind == MPI_DIST_GRAPH) {
    int *volatile unweighted = MPI_UNWEIGHTED; /* else GCC takes it for an array of nothing */
    MPI_Dist_graph_neighbors_count(comm, &topology.source_count, &topology.destination_count,
                                   &weighted);
    MPI_Dist_graph_neighbors(comm, topology.source_count, topology.sources, unweighted,
                             topology.destination_count, topology.destinations, unweighted);
  } else if (kind == MPI_GRAPH) {
    MPI_Graph_neighbors_count(comm, topology.rank, &topology.source_count);
    MPI_Graph_neighbors(comm, topology.rank, topology.source_count, topology.sources);
  } else {
    MPI_Cartdim_get(comm, &dimensions);
    topology.source_count = 2 * dimensions;
    for (int i = 0; i < dimensions; i++)
      MPI_Cart_shift(comm, i, 1, &topology.sources[2 * i], &topology.sources[2 * i + 1]);
  }
  if (kind != MPI_DIST_GRAPH) {
    topology.destination_count = topology.source_count;
    memcpy(topology.destinations, topology.sources, sizeof topology.sources);
  }
  topology.lacks_alltoallw = lacks_alltoallw(&topology);
  try_all(&topology, rounds);
  MPI_Comm_free(&comm);
}

static const struct {
  const char *name;
  int dimensions, sides[3], periods[3];
} grids[] = {
    {"a ring of 3", 1, {3}, {1}},
    {"a line of 4", 1, {4}, {0}},
    {"a torus of 2x2", 2, {2, 2}, {1, 1}},
    {"a mesh of 2x2", 2, {2, 2}, {0, 0}},
    {"a cylinder of 2x2", 2, {2, 2}, {1, 0}},
    {"a torus of 4x1", 2, {4, 1}, {1, 1}},
    {"a torus of 1x3x1", 3, {1, 3, 1}, {1, 1, 1}},
    {"a mesh of 3x1", 2, {3, 1}, {0, 0}},
    {"a torus of 2x3", 2, {2, 3}, {1, 1}},
    {"a torus of 2x2x2", 3, {2, 2, 2}, {1, 1, 1}},
    {"a cylinder of 4x2", 2, {4, 2}, {0, 1}},
    {"a torus of 4x4", 2, {4, 4}, {1, 1}},
};

static void try_grids(int size, int rounds)
{
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    int ranks = 1;
    for (int d = 0; d < grids[i].dimensions; d++)
      ranks *= grids[i].sides[d];
    MPI_Comm comm;
    if (ranks > size)
      continue;
    MPI_Cart_create(MPI_COMM_WORLD, grids[i].dimensions, grids[i].sides, grids[i].periods, 0,
                    &comm);
    try_comm(grids[i].name, comm, rounds);
  }
}

/* A star around rank 0 with parallel edges to rank 1, and an edge of rank 2 to itself. */
static void try_graph(int size, int rounds)
{
  int ends[64], edges[EDGES_MAX], count = 0;
  for (int rank = 0; rank < size; rank++) {
    for (int i = 0; rank == 0 && i < size; i++)
      for (int k = 0; i > 0 && k < (i == 1 ? 3 : 1); k++)
        edges[count++] = i;
    for (int k = 0; rank > 0 && k < (rank == 1 ? 3 : 1); k++)
      edges[count++] = 0;
    if (rank == 2)
      edges[count++] = 2;
    ends[rank] = count;
  }
  MPI_Comm comm;
  MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 0, &comm);
  try_comm("a graph", comm, rounds);
}

/* How many edges lead from one rank to another; rank 1 has none. */
static int edge_count(int from, int to, int seed)
{
  const uint32_t drawn = scramble((uint32_t)from + 5, (uint32_t)to + 3, (uint32_t)seed);
  if (from == 1 || to == 1)
    return 0;
  return drawn % 5 == 0 ? 3 : drawn % 5 == 1 ? 2 : drawn % 5 == 2;
}

/* Lists a rank's edges, up or down; those of one pair are apart where that is up and down again. */
static int list_edges(int size, int rank, bool sends, int seed, int *ranks)
{
  int count = 0;
  for (int pass = 0; pass < 3; pass++)
    for (int i = 0; i < size; i++) {
      const int other = pass % 2 ? size - 1 - i : i;
      const int edges = sends ? edge_count(rank, other, seed) : edge_count(other, rank, seed);
      if (edges > pass)
        ranks[count++] = other;
    }
  return count;
}

static void try_dist_graphs(int size, int rounds)
{
  MPI_Comm comm;
  int *volatile unweighted = MPI_UNWEIGHTED; /* else GCC takes it for an array of nothing */
  int from[EDGES_MAX], to[EDGES_MAX];
  for (int seed = 1; seed <= 2; seed++) {
    const int sources = list_edges(size, world_rank, false, seed, from);
    const int destinations = list_edges(size, world_rank, true, seed, to);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, from, unweighted, destinations, to,
                                   unweighted, MPI_INFO_NULL, 0, &comm);
    try_comm(seed == 1 ? "a multigraph" : "another multigraph", comm, rounds);
  }
  /* Rank 0 gives all edges, with weights: from each to the next two, and to rank 0. */
  int ends[64], degrees[64], weights[EDGES_MAX], count = 0;
  for (int rank = 0; rank < size; rank++) {
    degrees[rank] = 3;
    ends[rank] = rank;
    to[count++] = (rank + 1) % size;
    to[count++] = (rank + 2) % size;
    to[count++] = 0;
  }
  for (int i = 0; i < count; i++)
    weights[i] = i + 1;
  MPI_Dist_graph_create(MPI_COMM_WORLD, world_rank == 0 ? size : 0, ends, degrees, to, weights,
                        MPI_INFO_NULL, 0, &comm);
  try_comm("a distributed graph", comm, rounds);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, from, unweighted, 0, to, unweighted,
                                 MPI_INFO_NULL, 0, &comm);
  try_comm("no edges", comm, rounds);
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = begin_comparison(argc, argv);
  try_grids(size, rounds);
  try_graph(size, rounds);
  try_dist_graphs(size, rounds);
  const bool has_failed = end_comparison();
  MPI_Finalize();
  return has_failed;
}
