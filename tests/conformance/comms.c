/* Communicators of each kind. */
#include "comms.h"

#include <stdlib.h>

enum { RANKS_MAX = 64, KINDS = COMM_INTER + 1, USES_MAX = 40 /* before it is made anew */ };

struct kept {
  struct member member;
  bool is_made;
  int uses;
};
static struct kept all[KINDS][RANKS_MAX][2];

/* This rank's place among so many that are spread over MPI_COMM_WORLD; -1: it isn't one of them. */
static int place_of(int rank_count)
{
  int rank, world_count;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_count);
  for (int i = 0; i < rank_count; i++)
    if (i * world_count / rank_count == rank)
      return i;
  return -1;
}

/* Some ranks of MPI_COMM_WORLD, spread over all of it; in reverse order, or in order. */
static MPI_Comm part(int rank_count, bool is_reversed)
{
  const int place = place_of(rank_count);
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, place < 0 ? MPI_UNDEFINED : 0, is_reversed ? -place : place,
                 &comm);
  return comm;
}

/* The last ranks of MPI_COMM_WORLD, made by these ranks alone. */
static MPI_Comm last(int rank_count)
{
  int rank, world_count;
  MPI_Group world, group;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_count);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int range[1][3] = {{world_count - rank_count, world_count - 1, 1}};
  MPI_Group_range_incl(world, 1, range, &group);
  if (rank >= world_count - rank_count)
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &comm);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return comm;
}

/* A ring as a graph of all ranks. */
static MPI_Comm graph(MPI_Comm from, int rank_count)
{
  int index[RANKS_MAX], edges[2 * RANKS_MAX];
  MPI_Comm comm;
  for (int i = 0; i < rank_count; i++) {
    index[i] = 2 * (i + 1);
    edges[2 * i] = (i + rank_count - 1) % rank_count;
    edges[2 * i + 1] = (i + 1) % rank_count;
  }
  MPI_Graph_create(from, rank_count, index, edges, 0, &comm);
  return comm;
}

static MPI_Comm ring(MPI_Comm from, int rank_count)
{
  int rank;
  MPI_Comm comm;
  MPI_Comm_rank(from, &rank);
  const int before = (rank + rank_count - 1) % rank_count, after = (rank + 1) % rank_count;
  const int weight = 1;
  MPI_Dist_graph_create_adjacent(from, 1, &before, &weight, 1, &after, &weight, MPI_INFO_NULL, 0,
                                 &comm);
  return comm;
}

static MPI_Comm grid(MPI_Comm from, int rank_count)
{
  int dimensions[2] = {0, 0};
  MPI_Comm comm;
  MPI_Dims_create(rank_count, 2, dimensions);
  MPI_Cart_create(from, 2, dimensions, (int[]){1, 0}, 0, &comm);
  return comm;
}

/* Who is beside a rank in a dimension of a grid. */
static int beside(int rank, int side, int stride, bool is_periodic, int step)
{
  const int at = rank / stride % side, next = at + step;
  if (!is_periodic && (next < 0 || next == side))
    return MPI_PROC_NULL;
  return rank + ((next + side) % side - at) * stride;
}

/* The neighbours of this rank in what grid(), graph() or ring() makes: on a grid down and up in one
   dimension after the other, of which only the first is periodic. */
static void find_neighbours(enum comm kind, struct member *member)
{
  const int rank = member->rank, count = member->count;
  const int before = (rank + count - 1) % count, after = (rank + 1) % count;
  int sides[2] = {0, 0};
  switch (kind) {
  case COMM_CARTESIAN:
    MPI_Dims_create(count, 2, sides);
    member->sources = (struct neighbours){
        4,
        {beside(rank, sides[0], sides[1], true, -1), beside(rank, sides[0], sides[1], true, 1),
         beside(rank, sides[1], 1, false, -1), beside(rank, sides[1], 1, false, 1)}};
    member->destinations = member->sources;
    break;
  case COMM_GRAPH:
    member->sources = member->destinations = (struct neighbours){2, {before, after}};
    break;
  case COMM_DIST_GRAPH:
    member->sources = (struct neighbours){1, {before}};
    member->destinations = (struct neighbours){1, {after}};
    break;
  default:
    break;
  }
}

/* Of an intercommunicator's ranks, so many are on its first side: half of them, rounded up. */
static int first_side(int rank_count)
{
  return (rank_count + 1) / 2;
}

static MPI_Comm halves(MPI_Comm from, int rank_count)
{
  int rank;
  MPI_Comm half, comm;
  const int first = first_side(rank_count);
  MPI_Comm_rank(from, &rank);
  MPI_Comm_split(from, rank < first ? 0 : 1, rank, &half);
  MPI_Intercomm_create(half, 0, from, rank < first ? first : 0, 11, &comm);
  MPI_Comm_free(&half);
  return comm;
}

/* What is made of a part of MPI_COMM_WORLD, which isn't needed then. */
static MPI_Comm made_of_part(enum comm kind, int rank_count)
{
  MPI_Comm from = part(rank_count, kind == COMM_REVERSED), comm;
  if (from == MPI_COMM_NULL || kind == COMM_SPLIT || kind == COMM_REVERSED)
    return from;
  if (kind == COMM_CARTESIAN)
    comm = grid(from, rank_count);
  else if (kind == COMM_GRAPH)
    comm = graph(from, rank_count);
  else if (kind == COMM_DIST_GRAPH)
    comm = ring(from, rank_count);
  else
    comm = halves(from, rank_count);
  MPI_Comm_free(&from);
  return comm;
}

static MPI_Comm make(enum comm kind, int rank_count)
{
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request;
  switch (kind) {
  case COMM_WORLD:
    return MPI_COMM_WORLD;
  case COMM_SELF:
    return MPI_COMM_SELF;
  case COMM_DUP:
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return comm;
  case COMM_IDUP:
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return comm;
  case COMM_CREATE_GROUP:
    return last(rank_count);
  default:
    return made_of_part(kind, rank_count);
  }
}

static struct member describe(MPI_Comm comm, MPI_Errhandler handler)
{
  struct member member = {.comm = comm};
  int is_inter;
  if (comm == MPI_COMM_NULL)
    return member;
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_test_inter(comm, &is_inter);
  MPI_Comm_rank(comm, &member.rank);
  MPI_Comm_size(comm, &member.count);
  member.is_inter = is_inter;
  member.peers = member.count;
  if (is_inter)
    MPI_Comm_remote_size(comm, &member.peers);
  return member;
}

static void let_go(struct kept *kept)
{
  MPI_Comm *comm = &kept->member.comm;
  if (kept->is_made && *comm != MPI_COMM_NULL && *comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF)
    MPI_Comm_free(comm);
  *kept = (struct kept){.is_made = false};
}

struct member comms_get(enum comm kind, int rank_count, bool other, MPI_Errhandler handler)
{
  struct kept *kept = &all[kind][rank_count][other];
  if (kept->uses++ == USES_MAX)
    let_go(kept);
  if (kept->is_made)
    return kept->member;
  kept->member = describe(make(kind, rank_count), handler);
  if (kept->member.comm != MPI_COMM_NULL)
    find_neighbours(kind, &kept->member);
  kept->member.side = kept->member.is_inter && place_of(rank_count) >= first_side(rank_count);
  kept->is_made = true;
  return kept->member;
}

struct member comms_copy(const struct member *member, MPI_Errhandler handler)
{
  struct member copy = *member;
  MPI_Comm_dup(member->comm, &copy.comm);
  MPI_Comm_set_errhandler(copy.comm, handler);
  return copy;
}

void comms_free_all(void)
{
  for (int kind = 0; kind < KINDS; kind++)
    for (int count = 0; count < RANKS_MAX; count++)
      for (int other = 0; other < 2; other++)
        let_go(&all[kind][count][other]);
}
