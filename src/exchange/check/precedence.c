/* The row of an operation is the union of the rows of all it needs, together with these. */
#include "exchange/check/precedence.h"

#include "core/alloc.h"
#include "core/error.h"

enum { OPERATIONS_MAX = 16384 }; /* 32 MiB of rows */

static void add_row(const struct tny_precedence *before, uint64_t *row, uint32_t other)
{
  const uint64_t *from = before->rows + (size_t)(other - before->first) * before->words;
  for (uint32_t word = 0; word < before->words; word++)
    row[word] |= from[word];
}

static void fill_row(const struct tny_foreign *foreign, const struct tny_precedence *before,
                     uint32_t operation)
{
  const struct tny_operation *at = &foreign->operations[operation];
  uint64_t *row = before->rows + (size_t)(operation - before->first) * before->words;
  for (uint32_t i = 0; i < at->need_count; i++) {
    const struct tny_need *need = &foreign->needs[at->need_first + i];
    const uint32_t bit = need->operation - before->first;
    /* What is local is complete as it starts. */
    const bool is_complete =
        !need->started || foreign->operations[need->operation].act == TNY_ACT_LOCAL;
    add_row(before, row, need->operation);
    if (before->happens == TNY_HAPPENS_START || is_complete)
      row[bit / 64] |= UINT64_C(1) << bit % 64;
  }
}

enum tny_status tny_precedence_make(const struct tny_foreign *foreign,
                                    const struct tny_event_order *order,
                                    struct tny_precedence *before, struct tny_error *error)
{
  const uint32_t rank = before->rank, first = foreign->first[rank];
  before->first = first;
  before->count = foreign->end[rank] - first;
  before->words = (before->count + 63) / 64;
  before->rows = NULL;
  if (before->count > OPERATIONS_MAX)
    return tny_foreign_refuse(foreign, first, error,
                              "rank %u has %u operations, more than %d are too many to prove here",
                              rank, before->count, OPERATIONS_MAX);
  before->rows = tny_new((size_t)before->count * before->words, sizeof *before->rows);
  if (!before->rows)
    return tny_error_memory(error);
  for (uint32_t i = order->rank_first[rank]; i < order->rank_first[rank + 1]; i++)
    fill_row(foreign, before, order->starts[i]);
  return TNY_OK;
}

void tny_precedence_release(struct tny_precedence *before)
{
  tny_free(before->rows);
  before->rows = NULL;
}
