/* A row of `tourney tune`: one collective and size by several algorithms in turns, so that what
   disturbs the machine disturbs all alike. Rank 0 decides when it is enough. */
#include "bench/tune_rows.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/algorithm.h>

#include "bench/operations.h"
#include "bench/tune_quantile.h"
#include "bench/turns.h"
#include "mpi/forced_comm.h"

enum { VARIANTS_MAX = 64, SAMPLES_MAX = 501, SAMPLES_MIN = 3, DROP_SHARE = 4, NAME_CHARS = 64 };
#define HOPELESS 2.0 /* what takes so many times the best one's median is dropped early */

struct variant {
  char name[NAME_CHARS];   /* as in the row */
  bool is_native, is_gone; /* gone: refused, or hopeless */
  const char *served_by;   /* the last call; read before the ranks agree on its time */
  MPI_Comm comm;           /* of an algorithm of the MPI's own; else MPI_COMM_WORLD */
  uint32_t count;
  double seconds[SAMPLES_MAX];
};

struct row {
  const struct bench_operation *operation;
  int bytes;
  double expected_seconds, enough_seconds;
  uint32_t count;
  struct variant *variants;
  struct bench_buffers buffers;
};

/* A communicator on which the MPI uses that algorithm of its own; MPI_COMM_NULL where it can't be
   told so. */
static MPI_Comm force(const struct row *row, const char *name)
{
  uint32_t number, segment_bytes, forced[TNY_COLLECTIVE_COUNT] = {0};
  MPI_Comm comm = MPI_COMM_NULL;
  if (sscanf(name, "@%" SCNu32 "+%" SCNu32, &number, &segment_bytes) != 2)
    return comm;
  forced[row->operation->collective] = tny_choice_of_native(number, segment_bytes).parameter;
  return tny_forced_comm_make(MPI_COMM_WORLD, forced, &comm) == MPI_SUCCESS ? comm : MPI_COMM_NULL;
}

/* --- one call --- */

/* Makes one call. Returns its time, which is the longest over the ranks. All of them learn it: were
   it known at rank 0 alone, that would be the last at the next barrier and the first to leave it,
   which makes broadcasts from it look short. */
static double time_call(const struct tune_context *context, const struct row *row,
                        struct variant *variant)
{
  const struct bench_side *input = &row->buffers.input, *output = &row->buffers.output;
  memset(input->memory, (int)(variant->count & 0xff), input->total);
  memset(output->memory, 0, output->total);
  const double start = bench_operation_begin(row->operation);
  context->set_native(variant->is_native);
  row->operation->call(&row->buffers, variant->comm);
  const double elapsed = MPI_Wtime() - start;
  variant->served_by = context->last_algorithm();
  context->set_native(true);
  double longest = 0;
  MPI_Allreduce(&elapsed, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

/* Has the runtime use the variant's algorithm. */
static void select_variant(const struct tune_context *context, const struct row *row,
                           const struct variant *variant)
{
  char list[NAME_CHARS + 32];
  if (variant->is_native)
    return;
  snprintf(list, sizeof list, "%s=%s", row->operation->name, variant->name);
  context->set_algorithm(list);
}

/* The first call plans. What isn't served by the algorithm it asks for is refused. */
static void warm_up(const struct tune_context *context, const struct row *row,
                    struct variant *variant)
{
  if (variant->name[0] == '@')
    variant->comm = force(row, variant->name);
  variant->is_gone = variant->comm == MPI_COMM_NULL;
  if (!variant->is_gone) {
    select_variant(context, row, variant);
    time_call(context, row, variant);
    variant->is_gone = !variant->is_native &&
                       strncmp(variant->served_by, variant->name, strcspn(variant->name, ":")) != 0;
  }
  if (variant->is_gone && context->rank == 0)
    printf("refused %s %d %s\n", row->operation->name, row->bytes, variant->name);
}

/* --- the row --- */

/* What rank 0 decides after each round. */
struct decision {
  int32_t is_enough;
  uint32_t gone[VARIANTS_MAX];
};

static double median(const struct variant *variant)
{
  double sorted[SAMPLES_MAX];
  memcpy(sorted, variant->seconds, variant->count * sizeof *sorted);
  tune_sort(sorted, variant->count);
  return tune_quantile(sorted, variant->count, 0.5);
}

/* Drops what takes so much longer that it can't be the best: of long calls after two rounds, of
   short ones, whose times scatter more, later. Native, with which others are compared, stays. */
static void drop(struct row *row, uint32_t *gone)
{
  double medians[VARIANTS_MAX], best = 1e30;
  for (uint32_t v = 0; v < row->count; v++) {
    medians[v] = row->variants[v].is_gone ? 1e30 : median(&row->variants[v]);
    best = medians[v] < best ? medians[v] : best;
  }
  for (uint32_t v = 1; v < row->count; v++)
    gone[v] |= medians[v] > HOPELESS * best;
}

static void decide(const struct tune_context *context, struct row *row, uint32_t rounds,
                   double start, struct decision *decision)
{
  const double now = MPI_Wtime();
  *decision = (struct decision){
      .is_enough = rounds >= SAMPLES_MAX || now + (now - start) / rounds > context->end ||
                   (rounds >= SAMPLES_MIN && now - start > row->enough_seconds)};
  for (uint32_t v = 0; v < row->count; v++)
    decision->gone[v] = row->variants[v].is_gone;
  if (rounds >= 2 && now - start > row->enough_seconds / DROP_SHARE)
    drop(row, decision->gone);
}

static void measure(const struct tune_context *context, struct row *row)
{
  struct decision decision = {0};
  const double start = MPI_Wtime();
  uint32_t order[VARIANTS_MAX];
  for (uint32_t round = 0; !decision.is_enough; round++) {
    bench_turns_order(row->count, round, order);
    for (uint32_t place = 0; place < row->count; place++) {
      struct variant *variant = &row->variants[order[place]];
      if (variant->is_gone)
        continue;
      select_variant(context, row, variant);
      variant->seconds[variant->count++] = time_call(context, row, variant);
    }
    if (context->rank == 0)
      decide(context, row, round + 1, start, &decision);
    MPI_Bcast(&decision, sizeof decision, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (uint32_t v = 0; v < row->count; v++)
      row->variants[v].is_gone = decision.gone[v];
  }
}

static uint64_t nanoseconds(double seconds)
{
  return seconds * 1e9 < 1 ? 1 : (uint64_t)(seconds * 1e9);
}

static void report(const struct row *row, struct variant *variant)
{
  int number = 0, segment = 0;
  if (variant->count == 0)
    return;
  tune_sort(variant->seconds, variant->count);
  const double *seconds = variant->seconds;
  if (sscanf(variant->name, "@%d+%d", &number, &segment) == 2)
    printf("native-point %s %d %d %d", row->operation->name, row->bytes, number, segment);
  else
    printf("point %s %d %s", row->operation->name, row->bytes, variant->name);
  printf(" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 "\n",
         nanoseconds(tune_quantile(seconds, variant->count, 0.5)),
         nanoseconds(tune_quantile(seconds, variant->count, 0.25)),
         nanoseconds(tune_quantile(seconds, variant->count, 0.75)), variant->count);
}

static bool read_row(const char *text, struct row *row)
{
  long expected_ms, enough_ms;
  int at = 0;
  const size_t name_length = strcspn(text, "/");
  row->operation = bench_operation_find(text, name_length);
  if (!row->operation || row->operation->uneven || row->operation->neighbours ||
      sscanf(text + name_length, "/%d/%ld/%ld/%n", &row->bytes, &expected_ms, &enough_ms, &at) !=
          3 ||
      at == 0 || row->bytes <= 0)
    return false;
  row->expected_seconds = (double)expected_ms / 1e3;
  row->enough_seconds = (double)enough_ms / 1e3;
  for (const char *name = text + name_length + at; *name;) {
    const size_t length = strcspn(name, ",");
    struct variant *variant = &row->variants[row->count];
    if (row->count == VARIANTS_MAX || length == 0 || length >= NAME_CHARS)
      return false;
    memcpy(variant->name, name, length);
    variant->is_native = variant->name[0] == '@' || strcmp(variant->name, "native") == 0;
    variant->comm = MPI_COMM_WORLD;
    row->count++;
    name += length + (name[length] == ',');
  }
  return row->count > 0;
}

static void run_row(const struct tune_context *context, struct row *row)
{
  if (context->rank == 0) {
    printf("row %s %d\n", row->operation->name, row->bytes);
    fflush(stdout);
  }
  for (uint32_t v = 0; v < row->count; v++)
    warm_up(context, row, &row->variants[v]);
  measure(context, row);
  for (uint32_t v = 0; v < row->count; v++) {
    struct variant *variant = &row->variants[v];
    if (context->rank == 0)
      report(row, variant);
    if (variant->comm != MPI_COMM_WORLD && variant->comm != MPI_COMM_NULL)
      MPI_Comm_free(&variant->comm);
  }
  if (context->rank == 0)
    printf("row-done %s %d\n", row->operation->name, row->bytes);
  fflush(stdout);
}

/* Whether the row will end in time, if it takes as much longer than expected as those before. */
static bool fits(const struct tune_context *context, const struct row *row)
{
  double seconds = row->expected_seconds;
  if (context->taken_seconds > context->expected_seconds && context->expected_seconds > 0)
    seconds *= context->taken_seconds / context->expected_seconds;
  int is_in_time = MPI_Wtime() + seconds <= context->end;
  MPI_Bcast(&is_in_time, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return is_in_time;
}

/* Room for one block, or one for each rank, which all have the row's size. False: no memory. */
static bool make_side(struct row *row, uint32_t count, struct bench_side *side)
{
  *side = (struct bench_side){.memory = calloc((size_t)row->bytes, count),
                              .count = count,
                              .bytes = &row->bytes,
                              .total = (uint64_t)row->bytes * count};
  return side->memory != NULL;
}

static bool make_sides(struct row *row, uint32_t rank_count)
{
  const struct bench_operation *operation = row->operation;
  return make_side(row, operation->input_per_rank ? rank_count : 1, &row->buffers.input) &&
         make_side(row, operation->output_per_rank ? rank_count : 1, &row->buffers.output);
}

static void run_in_time(struct tune_context *context, struct row *row)
{
  if (!fits(context, row)) {
    context->is_time_up = true;
    return;
  }
  const double start = MPI_Wtime();
  if (make_sides(row, (uint32_t)context->rank_count)) {
    run_row(context, row);
  } else {
    fprintf(stderr, "tourney-tune-ranks: rank %d: no memory for %s of %d bytes\n", context->rank,
            row->operation->name, row->bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  free(row->buffers.input.memory);
  free(row->buffers.output.memory);
  context->taken_seconds += MPI_Wtime() - start;
  context->expected_seconds += row->expected_seconds;
}

bool tune_row(struct tune_context *context, const char *text)
{
  struct row row = {.variants = calloc(VARIANTS_MAX, sizeof *row.variants)};
  const bool is_read = row.variants && read_row(text, &row);
  if (is_read)
    run_in_time(context, &row);
  free(row.variants);
  return is_read;
}
