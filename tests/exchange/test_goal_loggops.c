/* What LogGOPSim takes for the GOAL that we write. A host's processor and its network card are
   each given to whatever has been waiting for longest, by when it came to wait first: an operation
   waits once all it needs is there, a message once its first byte has arrived. Sending takes the
   processor for o and the card for g + (bytes-1)G; receiving takes the processor for
   o + (bytes-1)G. A message is complete at the sender as soon as it's sent: none is longer than the
   eager limit here. */
#include "exchange_support.h"

#include "exchange/foreign/foreign.h"

struct model {
  uint64_t L, o, g, G; /* ns, and ns a byte */
};

struct event {
  uint64_t time, age;
  uint32_t operation;
  bool arrives; /* the message that this operation sends */
};

struct host {
  uint64_t processor, sends, receives; /* free from then on */
};

struct run {
  const struct tny_foreign *foreign;
  struct model model;
  struct event *events;
  uint32_t event_count;
  uint64_t age;
  struct host *hosts;
  uint32_t *waits;                         /* by operation: what it still needs */
  uint32_t *ready, ready_count;            /* all it needs is there, since the last event */
  bool *posted, *arrived;                  /* receives; sends */
  uint32_t *next;                          /* in its queue; NULL: queues keep no order */
  uint32_t *first_user, *next_user, *user; /* the needs of an operation by others, and whose */
  uint64_t end;
};

static bool is_sooner(const struct event *a, const struct event *b)
{
  return a->time != b->time ? a->time < b->time : a->age < b->age;
}

static void push(struct run *run, struct event event)
{
  uint32_t at = run->event_count++;
  for (; at > 0 && is_sooner(&event, &run->events[(at - 1) / 2]); at = (at - 1) / 2)
    run->events[at] = run->events[(at - 1) / 2];
  run->events[at] = event;
}

static struct event pop(struct run *run)
{
  const struct event top = run->events[0], last = run->events[--run->event_count];
  uint32_t at = 0;
  for (uint32_t child; (child = 2 * at + 1) < run->event_count; at = child) {
    if (child + 1 < run->event_count && is_sooner(&run->events[child + 1], &run->events[child]))
      child++;
    if (!is_sooner(&run->events[child], &last))
      break;
    run->events[at] = run->events[child];
  }
  run->events[at] = last;
  return top;
}

static uint64_t later(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static void satisfy(struct run *run, uint32_t operation)
{
  if (--run->waits[operation] == 0)
    run->ready[run->ready_count++] = operation;
}

/* `operation` has started, or is complete: those that need this have one wait less. */
static void satisfy_users(struct run *run, uint32_t operation, bool started)
{
  for (uint32_t i = run->first_user[operation]; i != TNY_NONE; i = run->next_user[i])
    if (run->foreign->needs[i].started == started)
      satisfy(run, run->user[i]);
  if (started && run->next && run->next[operation] != TNY_NONE)
    satisfy(run, run->next[operation]);
}

/* Queues what has become ready: sends before receives before work. */
static void queue_ready(struct run *run)
{
  for (int act = TNY_ACT_SEND; act <= TNY_ACT_LOCAL; act++)
    for (uint32_t i = 0; i < run->ready_count; i++) {
      const struct tny_operation *at = &run->foreign->operations[run->ready[i]];
      const struct host *host = &run->hosts[at->rank];
      const uint64_t from =
          act == TNY_ACT_SEND ? later(host->processor, host->sends) : host->processor;
      if ((int)at->act == act)
        push(run, (struct event){from, run->age++, run->ready[i], false});
    }
  run->ready_count = 0;
}

static void do_event(struct run *run, struct event event)
{
  const struct tny_operation *at = &run->foreign->operations[event.operation];
  struct host *host = &run->hosts[event.arrives ? at->peer : at->rank];
  const uint64_t wire = (at->bytes - 1) * run->model.G;
  const uint64_t from = event.arrives              ? later(host->processor, host->receives)
                        : at->act == TNY_ACT_SEND  ? later(host->processor, host->sends)
                        : at->act == TNY_ACT_LOCAL ? host->processor
                                                   : 0;
  if (from > event.time) {
    event.time = from;
    push(run, event);
    return;
  }
  if (event.arrives) {
    host->processor = event.time + run->model.o + wire;
    host->receives = event.time + run->model.g + wire;
    run->arrived[event.operation] = true;
    if (run->posted[at->partner])
      satisfy_users(run, at->partner, false);
  } else {
    satisfy_users(run, event.operation, true);
    if (at->act == TNY_ACT_SEND) {
      host->processor = event.time + run->model.o;
      host->sends = event.time + run->model.g + wire;
      push(run, (struct event){event.time + run->model.o + run->model.L, run->age++,
                               event.operation, true});
      satisfy_users(run, event.operation, false);
    }
    run->posted[event.operation] = true;
    if (at->act == TNY_ACT_LOCAL || (at->act == TNY_ACT_RECV && run->arrived[at->partner]))
      satisfy_users(run, event.operation, false);
  }
  run->end = later(run->end, host->processor);
}

/* The order of sends and of receives, as irequires would have it. */
static void add_queues(struct run *run)
{
  const struct tny_foreign *foreign = run->foreign;
  run->next = calloc(foreign->operation_count, sizeof *run->next);
  for (uint32_t i = 0; i < foreign->operation_count; i++)
    run->next[i] = TNY_NONE;
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++) {
    uint32_t before[2] = {TNY_NONE, TNY_NONE};
    for (uint32_t i = foreign->first[rank]; i < foreign->end[rank]; i++) {
      uint32_t *last = &before[foreign->operations[i].act == TNY_ACT_RECV];
      if (*last != TNY_NONE) {
        run->next[*last] = i;
        run->waits[i]++;
      }
      *last = i;
    }
  }
}

static void list_users(struct run *run)
{
  const struct tny_foreign *foreign = run->foreign;
  uint32_t needs = 0;
  for (uint32_t i = 0; i < foreign->operation_count; i++)
    needs += foreign->operations[i].need_count;
  run->first_user = calloc(foreign->operation_count, sizeof *run->first_user);
  run->next_user = calloc(needs + (size_t)1, sizeof *run->next_user);
  run->user = calloc(needs + (size_t)1, sizeof *run->user);
  for (uint32_t i = 0; i < foreign->operation_count; i++)
    run->first_user[i] = TNY_NONE;
  for (uint32_t i = foreign->operation_count; i-- > 0;) {
    const struct tny_operation *at = &foreign->operations[i];
    run->waits[i] += at->need_count;
    for (uint32_t k = at->need_first; k < at->need_first + at->need_count; k++) {
      run->user[k] = i;
      run->next_user[k] = run->first_user[foreign->needs[k].operation];
      run->first_user[foreign->needs[k].operation] = k;
    }
  }
}

/* ns */
static uint64_t time_of(const struct tny_foreign *foreign, struct model model, bool with_queues)
{
  const uint32_t count = foreign->operation_count;
  struct run run = {.foreign = foreign, .model = model};
  run.events = calloc(2 * (size_t)count, sizeof *run.events);
  run.hosts = calloc(foreign->rank_count, sizeof *run.hosts);
  run.waits = calloc(count, sizeof *run.waits);
  run.ready = calloc(count, sizeof *run.ready);
  run.posted = calloc(count, sizeof *run.posted);
  run.arrived = calloc(count, sizeof *run.arrived);
  list_users(&run);
  if (with_queues)
    add_queues(&run);
  for (uint32_t i = 0; i < count; i++)
    if (run.waits[i] == 0)
      run.ready[run.ready_count++] = i;
  queue_ready(&run);
  while (run.event_count > 0) {
    do_event(&run, pop(&run));
    queue_ready(&run);
  }
  for (uint32_t i = 0; i < count; i++)
    assert_true(run.waits[i] == 0 && run.posted[i]);
  free(run.events), free(run.hosts), free(run.waits), free(run.ready), free(run.posted);
  free(run.arrived), free(run.first_user), free(run.next_user), free(run.user), free(run.next);
  return run.end;
}

/* The GOAL of a plan for 64 KiB and 16 ranks; NULL: refused. Owns: tny_foreign_free. */
static struct tny_foreign *export_of(const struct tny_algorithm *algorithm, struct tny_pace pace)
{
  struct tny_schedule *schedule = plan(algorithm, 16, 0, pace);
  struct tny_foreign *foreign = NULL;
  struct tny_foreign_report report;
  char *goal;
  if (!schedule || tny_collective_reduces(schedule->collective)) {
    tny_schedule_free(schedule);
    return NULL;
  }
  assert_int_equal(tny_schedule_write_goal(schedule, 65536, &goal, NULL), TNY_OK);
  assert_int_equal(tny_goal_read(goal, "test", &foreign, NULL), TNY_OK);
  assert_int_equal(tny_foreign_verify(foreign, NULL, &report, NULL), TNY_OK);
  tny_text_free(goal);
  tny_schedule_free(schedule);
  return foreign;
}

static const struct model slow_hosts = {.L = 2500, .o = 5000, .g = 0, .G = 8};

/* As planned for a fat-tree. Ranks between the first and the last receive and send by turns, but
   with irequires they receive all that is there before they send. */
static void slow_hosts_send_on_what_has_come(void **state)
{
  (void)state;
  struct tny_foreign *foreign = export_of(tny_algorithm_find(TNY_BROADCAST, "pipelined-linear"),
                                          (struct tny_pace){.chunk_count = 52, .window = 25});
  const uint64_t written = time_of(foreign, slow_hosts, false);
  const uint64_t queued = time_of(foreign, slow_hosts, true);
  print_message("written %.1f us, with irequires %.1f us\n", (double)written / 1e3,
                (double)queued / 1e3);
  assert_true(queued * 10 > written * 14);
  tny_foreign_free(foreign);
}

static void no_collective_is_slower_than_with_irequires(void **state)
{
  (void)state;
  static const uint64_t overheads[] = {0, 1500, 5000};
  uint32_t faster = 0, checked = 0;
  for (uint32_t a = 0; tny_algorithms[a / 2]; a++) {
    struct tny_foreign *foreign =
        export_of(tny_algorithms[a / 2],
                  (struct tny_pace){.chunk_count = a % 2 ? 52 : 16, .window = a % 2 ? 25 : 0});
    for (size_t i = 0; foreign && i < sizeof overheads / sizeof *overheads; i++) {
      struct model model = slow_hosts;
      model.o = overheads[i];
      const uint64_t written = time_of(foreign, model, false);
      const uint64_t queued = time_of(foreign, model, true);
      print_message("%-24s o %4.1f us: written %8.1f us, with irequires %8.1f us\n",
                    tny_algorithms[a / 2]->name, (double)model.o / 1e3, (double)written / 1e3,
                    (double)queued / 1e3);
      assert_true(written <= queued);
      faster += queued * 10 > written * 11;
      checked++;
    }
    tny_foreign_free(foreign);
  }
  assert_true(checked > 40 && faster > 5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slow_hosts_send_on_what_has_come),
      cmocka_unit_test(no_collective_is_slower_than_with_irequires),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
