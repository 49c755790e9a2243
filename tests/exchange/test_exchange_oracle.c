/* The proof of foreign schedules against running them: of schedules broken a little, those that are
   proved do the right thing in every run tried, and those that aren't go wrong in one of them. A
   run starts and completes operations in a random order; a send reads its buffer at some moment
   between the two, and what a receive writes to is of no use to anybody meanwhile. */
#include "exchange_support.h"

#include "core/random.h"
#include "exchange/foreign/foreign.h"

enum { RUNS = 200 };

static const uint64_t unreadable = UINT64_MAX;

struct run {
  const struct tny_foreign *foreign;
  uint64_t *random;
  uint64_t locations; /* of a rank */
  uint64_t *content;  /* by rank and location; 0: nothing */
  uint64_t *carried;  /* by operation: its chunks, CARRIED_MAX each */
  bool *started, *complete, *is_read;
};

enum { CARRIED_MAX = 16 };

static uint32_t draw(struct run *run, uint32_t below)
{
  return (uint32_t)(tny_random_next(run->random) % below);
}

static bool may_start(const struct run *run, uint32_t operation)
{
  const struct tny_operation *at = &run->foreign->operations[operation];
  for (uint32_t i = 0; i < at->need_count; i++) {
    const struct tny_need *need = &run->foreign->needs[at->need_first + i];
    if (!(need->started ? run->started : run->complete)[need->operation])
      return false;
  }
  return !run->started[operation];
}

static bool may_complete(const struct run *run, uint32_t operation)
{
  const struct tny_operation *at = &run->foreign->operations[operation];
  return run->started[operation] && !run->complete[operation] &&
         (at->act == TNY_ACT_LOCAL || run->started[at->partner]);
}

static void read_places(struct run *run, uint32_t operation)
{
  const struct tny_operation *at = &run->foreign->operations[operation];
  for (uint64_t k = 0; k < tny_region_chunks(&at->from); k++)
    run->carried[operation * CARRIED_MAX + k] =
        run->content[at->rank * run->locations + tny_region_at(&at->from, k)];
  run->is_read[operation] = true;
}

/* `from` NULL: what is there can't be read any more. */
static void write_places(struct run *run, uint32_t operation, const uint64_t *from)
{
  const struct tny_operation *at = &run->foreign->operations[operation];
  for (uint64_t k = 0; k < tny_region_chunks(&at->to); k++)
    run->content[at->rank * run->locations + tny_region_at(&at->to, k)] =
        from ? from[k] : unreadable;
}

/* Copies a chunk after the other, upwards or downwards: where it writes what it still has to read,
   the two differ. */
static void copy_chunks(struct run *run, uint32_t operation)
{
  const struct tny_operation *at = &run->foreign->operations[operation];
  uint64_t *content = run->content + at->rank * run->locations;
  const uint64_t count = tny_region_chunks(&at->to);
  const bool upwards = draw(run, 2);
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t k = upwards ? i : count - 1 - i;
    content[tny_region_at(&at->to, k)] = content[tny_region_at(&at->from, k)];
  }
}

static void start(struct run *run, uint32_t operation)
{
  const struct tny_operation *at = &run->foreign->operations[operation];
  run->started[operation] = true;
  if (at->act == TNY_ACT_RECV)
    write_places(run, operation, NULL);
  if (at->act == TNY_ACT_SEND && draw(run, 2))
    read_places(run, operation);
  if (at->act == TNY_ACT_LOCAL) { /* complete as it starts */
    copy_chunks(run, operation);
    run->complete[operation] = true;
  }
}

/* Both ends of a message. */
static void complete(struct run *run, uint32_t operation)
{
  const struct tny_operation *at = &run->foreign->operations[operation];
  const uint32_t send = at->act == TNY_ACT_SEND ? operation : at->partner;
  const uint32_t recv = run->foreign->operations[send].partner;
  if (!run->is_read[send])
    read_places(run, send);
  write_places(run, recv, run->carried + send * CARRIED_MAX);
  run->complete[send] = run->complete[recv] = true;
}

/* 1 + the input chunk that belongs in a rank's output; all-gathers only. */
static bool is_right(const struct run *run)
{
  const struct tny_foreign *foreign = run->foreign;
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++)
    for (uint64_t chunk = 0; chunk < foreign->output_locations; chunk++)
      if (run->content[rank * run->locations + foreign->input_locations + chunk] != 1 + chunk)
        return false;
  return true;
}

/* Runs once; true where all completes and the output is right. */
static bool run_once(struct run *run)
{
  const struct tny_foreign *foreign = run->foreign;
  const uint32_t count = foreign->operation_count;
  memset(run->content, 0, foreign->rank_count * run->locations * sizeof *run->content);
  memset(run->started, 0, count);
  memset(run->complete, 0, count);
  memset(run->is_read, 0, count);
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++)
    for (uint64_t chunk = 0; chunk < foreign->input_locations; chunk++)
      run->content[rank * run->locations + chunk] = 1 + rank * foreign->input_locations + chunk;
  for (bool more = true; more;) {
    const uint32_t offset = draw(run, count), eager = draw(run, 2);
    more = false;
    for (uint32_t i = 0; i < 2 * count && !more; i++) {
      const uint32_t operation = (offset + i) % count;
      const bool starts = (i < count) == (eager == 0);
      more = starts ? may_start(run, operation) : may_complete(run, operation);
      if (more && starts)
        start(run, operation);
      else if (more)
        complete(run, operation);
    }
  }
  for (uint32_t i = 0; i < count; i++)
    if (!run->complete[i])
      return false;
  return is_right(run);
}

static bool runs_always_right(const struct tny_foreign *foreign, uint64_t *random)
{
  const uint32_t count = foreign->operation_count;
  struct run run = {
      .foreign = foreign, .random = random, .locations = tny_foreign_locations(foreign)};
  run.content = calloc(foreign->rank_count * run.locations, sizeof *run.content);
  run.carried = calloc((size_t)count * CARRIED_MAX, sizeof *run.carried);
  run.started = calloc(count, 1);
  run.complete = calloc(count, 1);
  run.is_read = calloc(count, 1);
  bool right = true;
  for (uint32_t i = 0; right && i < RUNS; i++)
    right = run_once(&run);
  free(run.content);
  free(run.carried);
  free(run.started);
  free(run.complete);
  free(run.is_read);
  return right;
}

/* Takes away something that an operation needs, or moves what it reads or writes by a chunk. */
static void break_a_little(struct tny_foreign *foreign, uint64_t *random)
{
  for (;;) {
    struct tny_operation *at =
        &foreign->operations[tny_random_next(random) % foreign->operation_count];
    struct tny_region *region = tny_random_next(random) % 2 ? &at->from : &at->to;
    if (tny_random_next(random) % 3 > 0 && at->need_count > 0) {
      const uint64_t gone = tny_random_next(random) % at->need_count--;
      foreign->needs[at->need_first + gone] = foreign->needs[at->need_first + at->need_count];
      return;
    }
    if (region->runs > 0 && region->first + 1 + region->run <= tny_foreign_locations(foreign)) {
      region->first++;
      return;
    }
  }
}

struct tally {
  uint32_t proved, broken, broken_in_runs;
};

static void try_text(const char *text, uint64_t seed, struct tally *tally)
{
  struct tny_foreign *foreign;
  struct tny_foreign_report report;
  struct tny_error error = {0};
  uint64_t random = seed;
  assert_int_equal(read_foreign(text, &foreign, NULL), TNY_OK);
  for (uint64_t i = 0; i < 1 + seed % 3; i++)
    break_a_little(foreign, &random);
  const enum tny_status status = tny_foreign_verify(foreign, NULL, &report, &error);
  if (status == TNY_OK && !report.rendezvous_deadlock[0]) {
    tally->proved++;
    if (!runs_always_right(foreign, &random))
      fail_msg("seed %u is proved, but a run goes wrong:\n%s", (unsigned)seed, text);
  } else if (status == TNY_BROKEN && !strstr(error.text, "open which meets")) {
    tally->broken++;
    tally->broken_in_runs += !runs_always_right(foreign, &random);
  }
  tny_foreign_free(foreign);
}

static void check(enum tny_status (*write)(const struct tny_schedule *, char **), const char *name,
                  uint32_t chunk_count)
{
  const struct tny_pace pace = {.chunk_count = chunk_count, .window = 1};
  struct tny_schedule *schedule = plan(tny_algorithm_find(TNY_ALLGATHER, name), 4, 0, pace);
  struct tally tally = {0};
  char *text;
  assert_non_null(schedule);
  assert_int_equal(write(schedule, &text), TNY_OK);
  for (uint64_t seed = 1; seed <= 60; seed++)
    try_text(text, seed, &tally);
  assert_true(tally.broken > 10);
  /* Few need a run that isn't among the random ones, or are right for a reason beyond the rank. */
  assert_true(tally.broken_in_runs * 10 >= tally.broken * 9);
  tny_text_free(text);
  tny_schedule_free(schedule);
}

static enum tny_status write_goal(const struct tny_schedule *schedule, char **text)
{
  return tny_schedule_write_goal(schedule, 64, text, NULL);
}

static enum tny_status write_msccl(const struct tny_schedule *schedule, char **text)
{
  return tny_schedule_write_msccl(schedule, text, NULL);
}

static void what_is_proved_of_goal_runs_right(void **state)
{
  (void)state;
  check(write_goal, "ring", 1);
  check(write_goal, "ring", 2);
  check(write_goal, "recursive-doubling", 1);
  check(write_goal, "combining", 1);
}

static void what_is_proved_of_msccl_runs_right(void **state)
{
  (void)state;
  check(write_msccl, "ring", 1);
  check(write_msccl, "ring", 2);
  check(write_msccl, "recursive-doubling", 1);
  check(write_msccl, "combining", 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_proved_of_goal_runs_right),
      cmocka_unit_test(what_is_proved_of_msccl_runs_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
