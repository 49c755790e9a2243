/* The table of collectives, and what follows from a row. Here alone collectives are told apart. */
#include <tourney/collective.h>

#include <stdio.h>
#include <string.h>

#include "core/error.h"

static const struct tny_collective_row rows[] = {
    [TNY_BROADCAST] = {.name = "bcast",
                       .title = "broadcast",
                       .input = {TNY_AT_ROOT, false},
                       .output = {TNY_AT_OTHERS, false},
                       .standard = "switch-ordered-chain",
                       .is_served = true},
    [TNY_ALLGATHER] = {.name = "allgather",
                       .title = "all-gather",
                       .uneven_name = "allgatherv",
                       .neighbour_name = "neighbor_allgather",
                       .uneven_neighbour_name = "neighbor_allgatherv",
                       .input = {TNY_AT_EVERY_RANK, false},
                       .output = {TNY_AT_EVERY_RANK, true},
                       .standard = "switch-ordered-ring",
                       .is_served = true,
                       .is_uneven_served = true},
    [TNY_ALLTOALL] = {.name = "alltoall",
                      .title = "all-to-all",
                      .uneven_name = "alltoallv",
                      .neighbour_name = "neighbor_alltoall",
                      .uneven_neighbour_name = "neighbor_alltoallv",
                      .input = {TNY_AT_EVERY_RANK, true},
                      .output = {TNY_AT_EVERY_RANK, true},
                      .standard = "shuffle",
                      .is_served = true,
                      .is_uneven_served = true},
    [TNY_GATHER] = {.name = "gather",
                    .title = "gather",
                    .uneven_name = "gatherv",
                    .input = {TNY_AT_EVERY_RANK, false},
                    .output = {TNY_AT_ROOT, true},
                    .standard = "linear",
                    .is_uneven_served = true},
    [TNY_SCATTER] = {.name = "scatter",
                     .title = "scatter",
                     .uneven_name = "scatterv",
                     .input = {TNY_AT_ROOT, true},
                     .output = {TNY_AT_EVERY_RANK, false},
                     .standard = "linear",
                     .is_uneven_served = true},
    [TNY_REDUCE] = {.name = "reduce",
                    .title = "reduce",
                    .input = {TNY_AT_EVERY_RANK, false},
                    .output = {TNY_AT_ROOT, false},
                    .reduces = true,
                    .standard = "switch-ordered-chain"},
    [TNY_REDUCE_SCATTER] = {.name = "reducescatter",
                            .title = "reduce-scatter",
                            .uneven_name = "reduce_scatter",
                            .input = {TNY_AT_EVERY_RANK, true},
                            .output = {TNY_AT_EVERY_RANK, false},
                            .reduces = true,
                            .standard = "switch-ordered-ring",
                            .is_uneven_served = true},
    [TNY_ALLREDUCE] = {.name = "allreduce",
                       .title = "all-reduce",
                       .input = {TNY_AT_EVERY_RANK, false},
                       .output = {TNY_AT_EVERY_RANK, false},
                       .reduces = true,
                       .standard = "switch-ordered-ring"},
    [TNY_BARRIER] = {.name = "barrier",
                     .title = "barrier",
                     .input = {TNY_AT_NO_RANK, false},
                     .output = {TNY_AT_NO_RANK, false},
                     .synchronizes = true,
                     .standard = "dissemination"},
};
_Static_assert(sizeof rows / sizeof *rows == TNY_COLLECTIVE_COUNT, "each collective has a row");

const struct tny_collective_row *tny_collective_row(enum tny_collective collective)
{
  return &rows[collective];
}

const char *tny_collective_name(enum tny_collective collective)
{
  return rows[collective].name;
}

const char *tny_collective_uneven_name(enum tny_collective collective)
{
  return rows[collective].uneven_name;
}

const char *tny_collective_article(enum tny_collective collective)
{
  return strchr("aeiou", *rows[collective].name) ? "an" : "a";
}

enum tny_status tny_collective_parse(const char *name, enum tny_collective *collective,
                                     struct tny_error *error)
{
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++)
    if (!strcmp(name, rows[i].name)) {
      *collective = (enum tny_collective)i;
      return TNY_OK;
    }
  return tny_error_set(error, TNY_BAD_INPUT, "unknown collective \"%.40s\": there are %s", name,
                       tny_collective_names(NULL, ", ", " and ").text);
}

enum tny_status tny_collective_parse_form(const char *name, enum tny_collective *collective,
                                          bool *is_uneven, struct tny_error *error)
{
  *is_uneven = false;
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++)
    if (rows[i].uneven_name && !strcmp(name, rows[i].uneven_name)) {
      *collective = (enum tny_collective)i;
      *is_uneven = true;
      return TNY_OK;
    }
  return tny_collective_parse(name, collective, error);
}

static struct tny_collective_list list(bool (*belongs)(enum tny_collective),
                                       const char *(*word)(enum tny_collective), const char *comma,
                                       const char *last)
{
  struct tny_collective_list names = {""};
  enum tny_collective members[TNY_COLLECTIVE_COUNT];
  unsigned count = 0;
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++)
    if (!belongs || belongs((enum tny_collective)i))
      members[count++] = (enum tny_collective)i;
  for (size_t i = 0, length = 0; i < count && length < sizeof names.text; i++)
    length += (size_t)snprintf(names.text + length, sizeof names.text - length, "%s%s",
                               i == 0           ? ""
                               : i == count - 1 ? last
                                                : comma,
                               word(members[i]));
  return names;
}

struct tny_collective_list tny_collective_names(bool (*belongs)(enum tny_collective),
                                                const char *comma, const char *last)
{
  return list(belongs, tny_collective_name, comma, last);
}

static const char *title(enum tny_collective collective)
{
  return rows[collective].title;
}

struct tny_collective_list tny_collective_titles(bool (*belongs)(enum tny_collective),
                                                 const char *comma, const char *last)
{
  return list(belongs, title, comma, last);
}

/* --- what the row means --- */

static bool holds(struct tny_share share, bool is_root)
{
  switch (share.holder) {
  case TNY_AT_ROOT:
    return is_root;
  case TNY_AT_OTHERS:
    return !is_root;
  case TNY_AT_NO_RANK:
    return false;
  case TNY_AT_EVERY_RANK:
    break;
  }
  return true;
}

/* Blocks in a buffer of a rank that has it. */
static uint32_t blocks_in(struct tny_share share, uint32_t rank_count)
{
  if (share.holder == TNY_AT_NO_RANK)
    return 0;
  return share.is_per_rank ? rank_count : 1;
}

uint32_t tny_buffer_blocks(enum tny_collective collective, enum tny_buffer buffer,
                           uint32_t rank_count)
{
  const struct tny_collective_row *row = &rows[collective];
  switch (buffer) {
  case TNY_INPUT:
    return blocks_in(row->input, rank_count);
  case TNY_OUTPUT:
    return blocks_in(row->output, rank_count);
  case TNY_SCRATCH:
    break;
  }
  return 0;
}

uint32_t tny_rank_blocks(enum tny_collective collective, enum tny_buffer buffer,
                         uint32_t rank_count, uint32_t root, uint32_t rank)
{
  const struct tny_collective_row *row = &rows[collective];
  const bool has_it = holds(buffer == TNY_INPUT ? row->input : row->output, rank == root);
  return has_it ? tny_buffer_blocks(collective, buffer, rank_count) : 0;
}

/* Where only the root has something, it is the root's; else the output's blocks are in the order of
   those whose they are. An input's blocks are in the order of those whom they are for. */
struct tny_origin tny_collective_origin(enum tny_collective collective, uint32_t root,
                                        uint32_t rank, uint32_t block)
{
  const struct tny_collective_row *row = &rows[collective];
  return (struct tny_origin){.rank = row->input.holder == TNY_AT_ROOT ? root : block,
                             .block = row->input.is_per_rank ? rank : 0};
}

static uint64_t holders(struct tny_share share, uint64_t ranks, bool with_root)
{
  switch (share.holder) {
  case TNY_AT_ROOT:
    return with_root;
  case TNY_AT_OTHERS:
    return ranks - with_root;
  case TNY_AT_NO_RANK:
    return 0;
  case TNY_AT_EVERY_RANK:
    break;
  }
  return ranks;
}

/* What a rank has for each of the others are as many blocks as there are others. What it has for
   all is one block, which crosses once. */
uint64_t tny_collective_load(enum tny_collective collective, struct tny_sides sides)
{
  const struct tny_collective_row *row = &rows[collective];
  const uint64_t senders = holders(row->input, sides.from, sides.root_from);
  const uint64_t receivers = holders(row->output, sides.to, sides.root_to);
  const uint64_t of_a_sender = row->input.is_per_rank ? receivers : receivers > 0;
  return row->reduces ? (senders > 0) * of_a_sender : senders * of_a_sender;
}

bool tny_collective_reduces(enum tny_collective collective)
{
  return rows[collective].reduces;
}

bool tny_collective_synchronizes(enum tny_collective collective)
{
  return rows[collective].synchronizes;
}

bool tny_collective_shares_result(enum tny_collective collective)
{
  const struct tny_collective_row *row = &rows[collective];
  return row->reduces && !row->input.is_per_rank && row->output.holder == TNY_AT_EVERY_RANK;
}

struct tny_origin tny_collective_contribution(enum tny_collective collective, uint32_t rank,
                                              uint32_t k)
{
  return (struct tny_origin){.rank = k, .block = rows[collective].input.is_per_rank ? rank : 0};
}

bool tny_collective_is_served(enum tny_collective collective)
{
  return rows[collective].is_served;
}

/* Does the root have something else than the others? */
static bool sets_root_apart(struct tny_share share)
{
  return share.holder == TNY_AT_ROOT || share.holder == TNY_AT_OTHERS;
}

bool tny_collective_has_root(enum tny_collective collective)
{
  const struct tny_collective_row *row = &rows[collective];
  return sets_root_apart(row->input) || sets_root_apart(row->output);
}

bool tny_collective_is_one_message(enum tny_collective collective)
{
  const struct tny_collective_row *row = &rows[collective];
  return row->input.holder == TNY_AT_ROOT && !row->input.is_per_rank;
}

bool tny_collective_is_pairwise(enum tny_collective collective)
{
  const struct tny_collective_row *row = &rows[collective];
  return row->input.holder == TNY_AT_EVERY_RANK && row->input.is_per_rank &&
         row->output.holder == TNY_AT_EVERY_RANK && row->output.is_per_rank;
}

bool tny_collective_has_own_block(enum tny_collective collective)
{
  const struct tny_collective_row *row = &rows[collective];
  return row->input.holder == TNY_AT_EVERY_RANK && !row->input.is_per_rank &&
         row->output.is_per_rank;
}

/* Of a root's input nothing lies in an output: a broadcast's root has none, and in a scatter it is
   the root's output that lies in its input. */
bool tny_collective_may_be_in_place(enum tny_collective collective)
{
  return rows[collective].input.holder == TNY_AT_EVERY_RANK;
}

uint32_t tny_collective_in_place(enum tny_collective collective, uint32_t rank)
{
  return tny_collective_has_own_block(collective) ? rank : 0;
}

bool tny_collective_has_one_buffer(enum tny_collective collective)
{
  return tny_collective_is_one_message(collective) &&
         rows[collective].output.holder == TNY_AT_OTHERS;
}
