/* Edges as the MPI tells them: of a Cartesian topology two in each dimension, to and from the rank
   before and then the one behind; of a graph one for each neighbour, both ways; of a distributed
   graph its sources and its destinations. */
#include "mpi/neighbours/edges.h"

#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"

/* The ranks of a side's slots, as the MPI gives them. */
struct slots {
  int *ranks;
  int count;
};

static int find_cartesian(MPI_Comm comm, int dimensions, int *ranks)
{
  int code = MPI_SUCCESS;
  for (int i = 0; code == MPI_SUCCESS && i < dimensions; i++)
    code = PMPI_Cart_shift(comm, i, 1, &ranks[2 * i], &ranks[2 * i + 1]);
  return code;
}

/* How many slots there are. */
static int count_slots(MPI_Comm comm, int kind, int *send_count, int *receive_count)
{
  int rank, weighted, dimensions = 0;
  int code = PMPI_Comm_rank(comm, &rank);
  if (code != MPI_SUCCESS)
    return code;
  if (kind == MPI_DIST_GRAPH)
    return PMPI_Dist_graph_neighbors_count(comm, receive_count, send_count, &weighted);
  if (kind == MPI_CART)
    code = PMPI_Cartdim_get(comm, &dimensions);
  else
    code = PMPI_Graph_neighbors_count(comm, rank, send_count);
  if (kind == MPI_CART)
    *send_count = 2 * dimensions;
  *receive_count = *send_count;
  return code;
}

static int ask_slots(MPI_Comm comm, int kind, const struct slots *send, const struct slots *receive)
{
  int *volatile unweighted = MPI_UNWEIGHTED; /* else GCC takes it for an array of nothing */
  int rank;
  int code = PMPI_Comm_rank(comm, &rank);
  if (code != MPI_SUCCESS)
    return code;
  if (kind == MPI_DIST_GRAPH)
    return PMPI_Dist_graph_neighbors(comm, receive->count, receive->ranks, unweighted, send->count,
                                     send->ranks, unweighted);
  if (kind == MPI_CART)
    code = find_cartesian(comm, send->count / 2, send->ranks);
  else
    code = PMPI_Graph_neighbors(comm, rank, send->count, send->ranks);
  memcpy(receive->ranks, send->ranks, (size_t)send->count * sizeof *send->ranks);
  return code;
}

static int compare(const void *a, const void *b)
{
  const struct tny_neighbour_edge *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return (x->slot > y->slot) - (x->slot < y->slot);
}

static bool make_room(struct tny_edge_side *side, int slot_count)
{
  side->slot_count = (uint32_t)slot_count;
  side->first = tny_new((size_t)slot_count + 1, sizeof *side->first);
  struct tny_neighbour_edge *edges = tny_new((size_t)slot_count, sizeof *edges);
  for (int form = TNY_NEIGHBOURS_GATHER; form < TNY_NEIGHBOURS_COUNT; form++)
    side->edges[form] = edges;
  return side->first && edges;
}

static bool make_numbers(struct tny_edge_numbers *numbers, size_t count)
{
  *numbers = (struct tny_edge_numbers){.sent = tny_new(count, sizeof *numbers->sent),
                                       .came = tny_new(count, sizeof *numbers->came),
                                       .ones = tny_new(count, sizeof *numbers->ones),
                                       .places = tny_new(count, sizeof *numbers->places),
                                       .offsets = tny_new(count, sizeof *numbers->offsets),
                                       .types = tny_new(count, sizeof(MPI_Datatype))};
  if (!numbers->sent || !numbers->came || !numbers->ones || !numbers->places || !numbers->offsets ||
      !numbers->types)
    return false;
  for (size_t i = 0; i < count; i++) {
    numbers->sent[i] = numbers->places[i] = (int)i;
    numbers->ones[i] = 1;
    numbers->offsets[i] = (MPI_Aint)(i * sizeof(int));
    numbers->types[i] = MPI_INT;
  }
  return true;
}

/* Lists the side's edges in the order of their ranks, and makes messages of them. */
static void fill(struct tny_edge_side *side, const struct slots *slots)
{
  struct tny_neighbour_edge *edges = side->edges[TNY_NEIGHBOURS_GATHER];
  for (uint32_t slot = 0; slot < side->slot_count; slot++)
    if (slots->ranks[slot] != MPI_PROC_NULL)
      edges[side->edge_count++] = (struct tny_neighbour_edge){
          .rank = (uint32_t)slots->ranks[slot], .slot = slot, .order = slot};
  qsort(edges, side->edge_count, sizeof *edges, compare);
  for (uint32_t i = 0; i < side->edge_count; i++)
    if (i == 0 || edges[i].rank != edges[i - 1].rank)
      side->first[side->message_count++] = i;
  side->first[side->message_count] = side->edge_count;
}

/* Gives each form a list of its own. */
static bool part(struct tny_edge_side *side)
{
  const struct tny_neighbour_edge *edges = side->edges[TNY_NEIGHBOURS_GATHER];
  for (int form = TNY_NEIGHBOURS_GATHER + 1; form < TNY_NEIGHBOURS_COUNT; form++) {
    struct tny_neighbour_edge *own = tny_new(side->edge_count, sizeof *own);
    if (!own)
      return false;
    memcpy(own, edges, side->edge_count * sizeof *own);
    side->edges[form] = own;
  }
  return true;
}

bool tny_edges_make_parallel(struct tny_edges *edges)
{
  const uint32_t sends = edges->send.slot_count, receives = edges->receive.slot_count;
  edges->has_parallels = true;
  return part(&edges->send) && part(&edges->receive) &&
         make_numbers(&edges->numbers, sends > receives ? sends : receives);
}

void tny_edges_sort(struct tny_edge_side *side, enum tny_neighbours form, const int *came)
{
  for (uint32_t i = 0; i < side->edge_count; i++)
    side->edges[form][i].order = (uint32_t)came[side->edges[form][i].slot];
  qsort(side->edges[form], side->edge_count, sizeof **side->edges, compare);
}

/* Fills both sides; *has_memory says whether that was there. */
static int fill_all(MPI_Comm comm, int kind, struct tny_edges *edges, bool *has_memory)
{
  struct slots send = {0}, receive = {0};
  int code = count_slots(comm, kind, &send.count, &receive.count);
  if (code != MPI_SUCCESS)
    return code;
  send.ranks = tny_new((size_t)send.count + 1, sizeof *send.ranks);
  receive.ranks = tny_new((size_t)receive.count + 1, sizeof *receive.ranks);
  *has_memory = make_room(&edges->send, send.count) && make_room(&edges->receive, receive.count) &&
                send.ranks && receive.ranks;
  if (*has_memory)
    code = ask_slots(comm, kind, &send, &receive);
  if (*has_memory && code == MPI_SUCCESS) {
    fill(&edges->send, &send);
    fill(&edges->receive, &receive);
  }
  tny_free(send.ranks);
  tny_free(receive.ranks);
  return code;
}

int tny_edges_find(MPI_Comm comm, struct tny_edges **found)
{
  int kind;
  bool has_memory = false;
  *found = NULL;
  int code = PMPI_Topo_test(comm, &kind);
  if (code != MPI_SUCCESS || kind == MPI_UNDEFINED)
    return code;
  struct tny_edges *edges = tny_new(1, sizeof *edges);
  if (edges)
    code = fill_all(comm, kind, edges, &has_memory);
  if (has_memory && code == MPI_SUCCESS)
    *found = edges;
  else
    tny_edges_free(edges);
  return code;
}

static void release(struct tny_edge_side *side)
{
  tny_free(side->first);
  for (int form = TNY_NEIGHBOURS_GATHER + 1; form < TNY_NEIGHBOURS_COUNT; form++)
    if (side->edges[form] != side->edges[TNY_NEIGHBOURS_GATHER])
      tny_free(side->edges[form]);
  tny_free(side->edges[TNY_NEIGHBOURS_GATHER]);
}

void tny_edges_free(struct tny_edges *edges)
{
  if (!edges)
    return;
  release(&edges->send);
  release(&edges->receive);
  tny_free(edges->numbers.sent);
  tny_free(edges->numbers.came);
  tny_free(edges->numbers.ones);
  tny_free(edges->numbers.places);
  tny_free(edges->numbers.offsets);
  tny_free(edges->numbers.types);
  tny_free(edges);
}
