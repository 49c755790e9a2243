/* The patterns of neighbourhoods. Ranks list their neighbours in ascending order; so the two ends
   of all edges are matched in one walk through them. */
#include "mpi/pattern.h"

#include <string.h>

#include "core/alloc.h"
#include "core/bytes.h"

static uint32_t send_count(const struct tny_edge_ends *ends, uint32_t rank)
{
  return (uint32_t)ends->counts[2 * (size_t)rank];
}

static uint32_t receive_count(const struct tny_edge_ends *ends, uint32_t rank)
{
  return (uint32_t)ends->counts[2 * (size_t)rank + 1];
}

static const int *sends_of(const struct tny_edge_ends *ends, uint32_t rank)
{
  return ends->ends + ends->places[rank];
}

static const int *receives_of(const struct tny_edge_ends *ends, uint32_t rank)
{
  return sends_of(ends, rank) + send_count(ends, rank);
}

/* Is each edge that a rank sends over one that another gets over? Ranks get in ascending order, so
   they are met in the order in which each sender lists them. next[r], 0 at first: how many of rank
   r's edges were met. */
static bool match(const struct tny_edge_ends *ends, uint32_t *next)
{
  for (uint32_t rank = 0; rank < ends->rank_count; rank++) {
    const int *senders = receives_of(ends, rank);
    for (uint32_t i = 0; i < receive_count(ends, rank); i++) {
      const uint32_t sender = (uint32_t)senders[i];
      if (sender >= ends->rank_count)
        return false;
      const uint32_t edge = next[sender]++;
      if (edge == send_count(ends, sender) || (uint32_t)sends_of(ends, sender)[edge] != rank)
        return false;
    }
  }
  for (uint32_t rank = 0; rank < ends->rank_count; rank++)
    if (next[rank] != send_count(ends, rank))
      return false;
  return true;
}

/* How many different ranks an ascending list has. */
static uint32_t count_ranks(const int *ranks, uint32_t count)
{
  uint32_t different = 0;
  for (uint32_t i = 0; i < count; i++)
    different += i == 0 || ranks[i] != ranks[i - 1];
  return different;
}

static void fill(const struct tny_edge_ends *ends, struct tny_group_pattern *pattern)
{
  uint32_t count = 0;
  pattern->id = TNY_HASH_START;
  for (uint32_t rank = 0; rank < ends->rank_count; rank++) {
    const int *to = sends_of(ends, rank);
    pattern->first[rank] = count;
    for (uint32_t i = 0; i < send_count(ends, rank); i++) {
      if (i > 0 && to[i] == to[i - 1])
        continue;
      pattern->to[count++] = (uint32_t)to[i];
      pattern->id = tny_hash_number(pattern->id, (uint64_t)rank << 32 | (uint32_t)to[i]);
    }
    const uint32_t sends = count - pattern->first[rank];
    const uint32_t receives = count_ranks(receives_of(ends, rank), receive_count(ends, rank));
    const uint32_t most = sends > receives ? sends : receives;
    if (most > pattern->messages_most)
      pattern->messages_most = most;
  }
  pattern->first[ends->rank_count] = count;
  pattern->id |= 1;
}

enum tny_status tny_group_pattern_make(const struct tny_edge_ends *ends,
                                       struct tny_group_pattern *pattern, bool *has_parallels)
{
  const uint32_t p = ends->rank_count;
  size_t edges = 0;
  for (uint32_t rank = 0; rank < p; rank++)
    edges += send_count(ends, rank);
  uint32_t *next = tny_new(p, sizeof *next);
  *pattern = (struct tny_group_pattern){.first = tny_new((size_t)p + 1, sizeof *pattern->first),
                                        .to = tny_new(edges, sizeof *pattern->to)};
  const bool has_memory = next && pattern->first && pattern->to;
  const bool is_matched = has_memory && match(ends, next);
  tny_free(next);
  if (!is_matched)
    return has_memory ? TNY_REFUSED : TNY_NO_MEMORY;
  fill(ends, pattern);
  *has_parallels = pattern->first[p] < edges;
  return TNY_OK;
}

void tny_group_pattern_release(struct tny_group_pattern *pattern)
{
  tny_free(pattern->first);
  tny_free(pattern->to);
  *pattern = (struct tny_group_pattern){0};
}

bool tny_group_pattern_is_same(const struct tny_group_pattern *one,
                               const struct tny_group_pattern *other, uint32_t rank_count)
{
  if (one->id != other->id)
    return false;
  if (!one->first || !other->first)
    return true;
  return memcmp(one->first, other->first, (rank_count + 1) * sizeof *one->first) == 0 &&
         memcmp(one->to, other->to, one->first[rank_count] * sizeof *one->to) == 0;
}

enum tny_status tny_group_pattern_spread(const struct tny_group_pattern *pattern,
                                         uint32_t rank_count, struct tny_pattern **spread,
                                         struct tny_error *error)
{
  *spread = NULL;
  if (!pattern->first)
    return TNY_OK;
  const enum tny_status status = tny_pattern_new(rank_count, spread, error);
  if (status != TNY_OK)
    return status;
  for (uint32_t rank = 0; rank < rank_count; rank++)
    for (uint32_t i = pattern->first[rank]; i < pattern->first[rank + 1]; i++)
      (*spread)->bytes[(size_t)rank * rank_count + pattern->to[i]] = 1;
  return TNY_OK;
}
