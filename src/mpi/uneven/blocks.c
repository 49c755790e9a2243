/* The blocks of an uneven call, one after another. What comes from the program is checked here,
   before it is used. */
#include "mpi/uneven/blocks.h"

#include "mpi/check_arguments.h"
#include "mpi/types/datatypes.h"
#include "mpi/world.h"

static int look_at(struct tny_type_facts *facts, MPI_Datatype type)
{
  MPI_Aint lower_bound;
  MPI_Count bytes;
  if (facts->is_known && facts->type == type)
    return MPI_SUCCESS;
  *facts = (struct tny_type_facts){.type = type};
  int code = tny_type_look_at(type, &facts->is_bytes);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_get_extent(type, &lower_bound, &facts->extent);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_size_x(type, &bytes);
  if (code != MPI_SUCCESS)
    return code;
  facts->bytes = (uint64_t)bytes;
  facts->is_known = true;
  return MPI_SUCCESS;
}

/* By address: MPI_BOTTOM is a null pointer, and displacements may be in the type. */
static void *shifted(const void *memory, MPI_Aint bytes)
{
  return (void *)((uintptr_t)memory + (uintptr_t)bytes);
}

/* One side of a call, and what its blocks have in common. */
struct side {
  struct tny_uneven_side uneven;
  const void *memory;
  MPI_Count count; /* where there are none by block */
  MPI_Datatype type;
};

/* The elements before a block. */
static MPI_Aint displacement_of(const struct side *side, uint32_t index,
                                struct tny_block_cursor *cursor)
{
  const struct tny_uneven_side *uneven = &side->uneven;
  if (!tny_has_counts(uneven))
    return uneven->given == TNY_GIVEN_ALIKE ? (MPI_Aint)side->count * index : 0;
  if (!uneven->is_packed)
    return tny_displacement_of(uneven, index);
  if (index < cursor->packed_index) {
    cursor->packed_index = 0;
    cursor->packed_elements = 0;
  }
  for (; cursor->packed_index < index; cursor->packed_index++)
    cursor->packed_elements += (MPI_Aint)tny_count_of(uneven, cursor->packed_index);
  return cursor->packed_elements;
}

static int describe(const struct side *side, uint32_t index, struct tny_block_cursor *cursor,
                    struct tny_call_block *block)
{
  const struct tny_uneven_side *uneven = &side->uneven;
  const int code = look_at(&cursor->facts, uneven->types ? uneven->types[index] : side->type);
  if (code != MPI_SUCCESS)
    return code;
  const MPI_Aint unit = uneven->types ? 1 : cursor->facts.extent;
  const bool has_counts = tny_has_counts(uneven);
  const MPI_Aint displacement = displacement_of(side, index, cursor);
  *block = (struct tny_call_block){.memory = shifted(side->memory, displacement * unit),
                                   .count = has_counts ? tny_count_of(uneven, index) : side->count,
                                   .facts = cursor->facts};
  return MPI_SUCCESS;
}

static struct side side_received(const struct tny_call *call)
{
  return (struct side){.uneven = call->uneven->receive,
                       .memory = call->receive,
                       .count = call->receive_count,
                       .type = call->receive_type};
}

/* Of a reduction in place, the input is where the result goes. */
static struct side side_sent(const struct tny_call *call)
{
  const bool is_in_place = call->send == MPI_IN_PLACE && tny_collective_reduces(call->collective);
  return (struct side){.uneven = call->uneven->send,
                       .memory = is_in_place ? call->receive : call->send,
                       .count = call->send_count,
                       .type = call->send_type};
}

int tny_uneven_received(const struct tny_call *call, uint32_t index,
                        struct tny_block_cursor *cursor, struct tny_call_block *block)
{
  const bool is_in_place = call->receive == MPI_IN_PLACE; /* the root's, in a scatter */
  const struct side side = is_in_place ? side_sent(call) : side_received(call);
  return describe(&side, is_in_place ? (uint32_t)call->root : index, cursor, block);
}

int tny_uneven_sent(const struct tny_call *call, uint32_t rank, uint32_t index,
                    struct tny_block_cursor *cursor, struct tny_call_block *block)
{
  if (call->send == MPI_IN_PLACE && !tny_collective_reduces(call->collective))
    return tny_uneven_received(call, index + tny_collective_in_place(call->collective, rank),
                               cursor, block);
  const struct side side = side_sent(call);
  return describe(&side, index, cursor, block);
}

/* --- what comes from the program --- */

/* The bytes of all blocks, if they can be. Sizes of types are looked up again only where the type
   changes. */
static bool measure(const struct side *side, uint32_t rank_count, struct tny_uneven_sizes *sizes)
{
  const struct tny_uneven_side *uneven = &side->uneven;
  MPI_Datatype last = MPI_DATATYPE_NULL;
  uint64_t sum = 0, element_bytes = 0;
  for (uint32_t i = 0; i < rank_count; i++) {
    const MPI_Datatype type = uneven->types ? uneven->types[i] : side->type;
    if (tny_count_of(uneven, i) < 0 ||
        ((i == 0 || type != last) && !tny_block_size(1, type, &element_bytes)))
      return false;
    last = type;
    const uint64_t bytes = (uint64_t)tny_count_of(uneven, i) * element_bytes;
    sum += bytes;
    if (bytes > sizes->longest)
      sizes->longest = bytes;
  }
  if (sum > sizes->fullest)
    sizes->fullest = sum;
  return true;
}

bool tny_uneven_common_sizes(const struct tny_call *call, uint32_t rank_count,
                             struct tny_uneven_sizes *sizes)
{
  const struct side side =
      tny_collective_reduces(call->collective) ? side_sent(call) : side_received(call);
  *sizes = (struct tny_uneven_sizes){0};
  return tny_has_counts(&side.uneven) && tny_has_displacements(&side.uneven) &&
         measure(&side, rank_count, sizes);
}

/* Are the types of blocks by which no message was checked as the MPI's own function would? */
static bool are_usable(const struct side *side, uint32_t count)
{
  const struct tny_uneven_side *uneven = &side->uneven;
  const MPI_Comm self = tny_world_get()->self;
  if (!uneven->types)
    return side->type != MPI_DATATYPE_NULL && tny_type_is_usable(side->type, self);
  for (uint32_t i = 0; i < count; i++)
    if ((i == 0 || uneven->types[i] != uneven->types[i - 1]) &&
        (uneven->types[i] == MPI_DATATYPE_NULL || !tny_type_is_usable(uneven->types[i], self)))
      return false;
  return true;
}

/* Is there memory behind all blocks that have bytes? */
static bool have_memory(const struct side *side, uint32_t count)
{
  struct tny_block_cursor cursor = {0};
  struct tny_call_block block;
  for (uint32_t i = 0; !side->memory && i < count; i++)
    if (describe(side, i, &cursor, &block) != MPI_SUCCESS ||
        !tny_has_memory(NULL, block.facts.type, (uint64_t)block.count * block.facts.bytes))
      return false;
  return true;
}

static bool check_side(const struct side *side, uint32_t rank_count, struct tny_uneven_sizes *sizes)
{
  const struct tny_uneven_side *uneven = &side->uneven;
  const bool has_counts = tny_has_counts(uneven);
  if (!has_counts && side->count < 0)
    return false;
  if (has_counts && (!tny_has_displacements(uneven) || !measure(side, rank_count, sizes)))
    return false;
  const uint32_t count = has_counts ? rank_count : 1;
  return are_usable(side, count) && have_memory(side, count);
}

/* Has what a rank gives itself the length that it takes? */
static bool fits_itself(const struct tny_call *call, uint32_t rank)
{
  const struct tny_collective_row *row = tny_collective_row(call->collective);
  struct tny_block_cursor sent_cursor = {0}, received_cursor = {0};
  struct tny_call_block sent, received;
  return tny_uneven_sent(call, rank, row->input.is_per_rank ? rank : 0, &sent_cursor, &sent) ==
             MPI_SUCCESS &&
         tny_uneven_received(call, row->output.is_per_rank ? rank : 0, &received_cursor,
                             &received) == MPI_SUCCESS &&
         (uint64_t)sent.count * sent.facts.bytes == (uint64_t)received.count * received.facts.bytes;
}

/* Is what is in place, or has no counts, so where it may be? The root of a scatter may have its own
   block where it is sent from. */
static bool check_sides(const struct tny_call *call, uint32_t rank, uint32_t rank_count)
{
  const enum tny_collective collective = call->collective;
  const struct tny_collective_row *row = tny_collective_row(collective);
  const uint32_t root = (uint32_t)call->root;
  const bool sends = tny_rank_blocks(collective, TNY_INPUT, rank_count, root, rank) > 0;
  const bool receives = tny_rank_blocks(collective, TNY_OUTPUT, rank_count, root, rank) > 0;
  if (sends && call->send == MPI_IN_PLACE && (!receives || row->input.holder == TNY_AT_ROOT))
    return false;
  if (receives && call->receive == MPI_IN_PLACE && (!sends || row->input.holder != TNY_AT_ROOT))
    return false;
  if (sends && call->send != MPI_IN_PLACE && row->input.is_per_rank &&
      !tny_has_counts(&call->uneven->send))
    return false;
  return !receives || !row->output.is_per_rank || tny_has_counts(&call->uneven->receive);
}

/* --- among neighbours --- */

int tny_uneven_message_bytes(const struct tny_call *call,
                             const struct tny_neighbour_message *message,
                             struct tny_block_cursor *cursor, uint64_t *bytes)
{
  const struct side side = message->buffer == TNY_INPUT ? side_sent(call) : side_received(call);
  const struct tny_edge_side *edges = message->side;
  struct tny_call_block block;
  int code = MPI_SUCCESS;
  *bytes = 0;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < tny_message_edges(edges, message->index); i++) {
    const uint32_t slot = tny_message_slot(edges, tny_call_neighbours(call), message->index, i);
    code = describe(&side, slot, cursor, &block);
    if (code == MPI_SUCCESS)
      *bytes += (uint64_t)block.count * block.facts.bytes;
  }
  return code;
}

/* The sizes of all messages, and by buffer of what a rank has for itself. */
struct neighbour_sizes {
  struct tny_uneven_sizes all;
  uint64_t own[2];
};

/* Adds a side's messages, and finds what the rank has for itself there. */
static bool add_messages(const struct tny_call *call, uint32_t rank, enum tny_buffer buffer,
                         const struct tny_edge_side *edges, struct neighbour_sizes *sizes)
{
  struct tny_block_cursor cursor = {0};
  uint64_t sum = 0, bytes;
  for (uint32_t i = 0; i < edges->message_count; i++) {
    const struct tny_neighbour_message message = {.buffer = buffer, .side = edges, .index = i};
    if (tny_uneven_message_bytes(call, &message, &cursor, &bytes) != MPI_SUCCESS)
      return false;
    sum += bytes;
    if (bytes > sizes->all.longest)
      sizes->all.longest = bytes;
    if (tny_message_rank(edges, i) == rank)
      sizes->own[buffer] = bytes;
  }
  if (sum > sizes->all.fullest)
    sizes->all.fullest = sum;
  return true;
}

/* Where a rank has no blocks on a side, that side's arguments but for the type say nothing. */
static bool check_slots(const struct side *side, uint32_t slot_count)
{
  const struct tny_uneven_side *uneven = &side->uneven;
  struct tny_uneven_sizes unused = {0};
  if (slot_count == 0)
    return true;
  if (uneven->given == TNY_GIVEN_ONE && !tny_has_counts(uneven))
    return false;
  return check_side(side, slot_count, &unused);
}

/* A type for each block may be given by no address where there are none. */
static bool can_ask(const struct tny_call *call, const struct tny_edges *edges)
{
  return tny_call_neighbours(call) != TNY_NEIGHBOURS_W ||
         (edges->send.slot_count > 0 && edges->receive.slot_count > 0);
}

/* The blocks for MPI_PROC_NULL have to be valid too, but no message has their bytes. */
static bool check_neighbours(const struct tny_call *call, uint32_t rank,
                             const struct tny_edges *edges, struct tny_uneven_sizes *sizes)
{
  const struct side sent = side_sent(call), received = side_received(call);
  struct neighbour_sizes found = {{0}, {0}};
  if (call->send == MPI_IN_PLACE || call->receive == MPI_IN_PLACE ||
      !check_slots(&sent, edges->send.slot_count) ||
      !check_slots(&received, edges->receive.slot_count) ||
      (can_ask(call, edges) && !tny_check_natively(call)) ||
      !add_messages(call, rank, TNY_INPUT, &edges->send, &found) ||
      !add_messages(call, rank, TNY_OUTPUT, &edges->receive, &found))
    return false;
  *sizes = found.all;
  return found.own[TNY_INPUT] == found.own[TNY_OUTPUT];
}

bool tny_uneven_check(const struct tny_call *call, uint32_t rank, uint32_t rank_count,
                      const struct tny_edges *edges, struct tny_uneven_sizes *sizes)
{
  const struct side sent = side_sent(call), received = side_received(call);
  const enum tny_collective collective = call->collective;
  const uint32_t root = (uint32_t)call->root;
  *sizes = (struct tny_uneven_sizes){0};
  if (edges)
    return check_neighbours(call, rank, edges, sizes);
  if (call->root < 0 || root >= rank_count || !check_sides(call, rank, rank_count))
    return false;
  const bool sends = tny_rank_blocks(collective, TNY_INPUT, rank_count, root, rank) > 0;
  const bool receives = tny_rank_blocks(collective, TNY_OUTPUT, rank_count, root, rank) > 0;
  const bool reduces = tny_collective_reduces(collective);
  if (reduces &&
      (call->receive == MPI_IN_PLACE || (call->receive == call->send && call->receive_count > 0)))
    return false;
  if (receives && call->receive != MPI_IN_PLACE && !check_side(&received, rank_count, sizes))
    return false;
  if (sends && (call->send != MPI_IN_PLACE || reduces) && !check_side(&sent, rank_count, sizes))
    return false;
  return tny_check_natively(call) && (!sends || !receives || fits_itself(call, rank));
}

uint64_t tny_uneven_plan_bytes(enum tny_collective collective, struct tny_uneven_sizes sizes,
                               uint32_t block_count)
{
  if (tny_collective_has_root(collective))
    return sizes.longest;
  const uint64_t mean = sizes.fullest / block_count + (sizes.fullest % block_count != 0);
  const uint64_t half = sizes.longest / 2 + sizes.longest % 2;
  return mean > half ? mean : half;
}
