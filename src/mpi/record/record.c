/* Rows of calls that are alike, with histograms of their times on a logarithmic scale. */
#include "mpi/record/record.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "core/alloc.h"
#include "mpi/guard/clock.h"

/* A program that makes a communicator of each size has so many, and a page can still be read. */
enum { ROWS_MAX = 4096, DECISIONS_MAX = 4096 };

bool tny_record_is_open;

static struct tny_record record;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct tny_recorded *under_way;

void tny_record_open(void)
{
  record = (struct tny_record){.begin_ns = tny_clock_ns()};
  tny_record_is_open = true;
}

const struct tny_record *tny_record_get(void)
{
  return &record;
}

void tny_record_close(void)
{
  for (uint32_t i = 0; i < record.row_count; i++)
    tny_free(record.rows[i].times);
  tny_free(record.rows);
  tny_free(record.decisions);
  record = (struct tny_record){0};
  tny_record_is_open = false;
}

/* --- times --- */

static uint32_t bucket_of(double ns)
{
  const double bucket = ns < 1 ? 0 : floor(TNY_RECORD_OCTAVE * log2(ns));
  return bucket < TNY_RECORD_BUCKETS - 1 ? (uint32_t)bucket : TNY_RECORD_BUCKETS - 1;
}

static void add_time(struct tny_record_times *times, double ns)
{
  times->least_ns = times->count == 0 || ns < times->least_ns ? ns : times->least_ns;
  times->most_ns = ns > times->most_ns ? ns : times->most_ns;
  times->total_ns += ns;
  times->count++;
  times->buckets[bucket_of(ns)]++;
}

double tny_record_quantile(const struct tny_record_times *times, double share)
{
  const double wanted = share * (double)times->count;
  uint64_t passed = 0;
  uint32_t bucket = 0;
  for (; bucket + 1 < TNY_RECORD_BUCKETS; bucket++) {
    passed += times->buckets[bucket];
    if (passed > 0 && (double)passed >= wanted)
      break;
  }
  const double middle = exp2((bucket + 0.5) / TNY_RECORD_OCTAVE);
  return fmax(times->least_ns, fmin(times->most_ns, middle));
}

/* --- rows --- */

static bool same(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* The least block of a size's class: a power of two. */
static uint64_t class_of(uint64_t bytes)
{
  uint64_t class = bytes > 0;
  while (class > 0 && bytes / 2 >= class)
    class *= 2;
  return class;
}

/* Room for one more entry of a list; false where there is none. */
static bool make_room(void **list, uint32_t count, uint32_t *room, uint32_t most, size_t size)
{
  if (count < *room)
    return true;
  if (count >= most)
    return false;
  const uint32_t wanted = 2 * count + 16;
  void *grown = tny_resize(*list, wanted, size);
  if (!grown)
    return false;
  *list = grown;
  *room = wanted;
  return true;
}

/* The row of calls that are like this one, made without any where there is none yet; NULL: no
   memory or no room for it. */
static struct tny_record_row *find_row(const struct tny_record_row *wanted)
{
  for (uint32_t i = 0; i < record.row_count; i++) {
    struct tny_record_row *row = &record.rows[i];
    if (row->rank_count == wanted->rank_count && row->class_bytes == wanted->class_bytes &&
        same(row->collective, wanted->collective) && same(row->algorithm, wanted->algorithm) &&
        same(row->why, wanted->why))
      return row;
  }
  void *list = record.rows;
  const bool has_room =
      make_room(&list, record.row_count, &record.row_room, ROWS_MAX, sizeof *record.rows);
  record.rows = list;
  if (!has_room)
    return NULL;
  struct tny_record_row *row = &record.rows[record.row_count++];
  *row = *wanted;
  row->bytes = 0;
  return row;
}

/* Adds a call to its row; negative: not timed. */
static void add_call(const struct tny_record_row *call, double ns)
{
  pthread_mutex_lock(&lock);
  struct tny_record_row *row = find_row(call);
  if (row) {
    row->calls++;
    row->bytes += call->bytes;
    if (row->root != call->root)
      row->root = -1;
    if (ns >= 0 && !row->times)
      row->times = tny_new(1, sizeof *row->times);
    if (ns >= 0 && row->times)
      add_time(row->times, ns);
  }
  record.left_out += !row;
  pthread_mutex_unlock(&lock);
}

/* --- calls --- */

void tny_recorded_begin(struct tny_recorded *call)
{
  *call = (struct tny_recorded){.outer = under_way, .begin_ns = tny_clock_ns()};
  under_way = call;
}

void tny_recorded_drop(struct tny_recorded *call)
{
  under_way = call->outer;
}

void tny_recorded_end(struct tny_recorded *call, double end_ns, struct tny_recorded_on on)
{
  under_way = call->outer;
  if (!call->collective)
    return;
  const struct tny_record_row row = {.collective = call->collective,
                                     .algorithm = call->algorithm,
                                     .why = call->why,
                                     .rank_count = on.rank_count,
                                     .class_bytes = class_of(call->bytes),
                                     .bytes = call->bytes,
                                     .root = on.root};
  add_call(&row, end_ns - call->begin_ns);
}

void tny_record_count(const char *collective, uint64_t bytes, const char *algorithm,
                      const char *why)
{
  if (under_way && !under_way->collective) {
    under_way->collective = collective;
    under_way->algorithm = algorithm;
    under_way->why = why;
    under_way->bytes = bytes;
    return;
  }
  const struct tny_record_row row = {.collective = collective,
                                     .algorithm = algorithm,
                                     .why = why,
                                     .class_bytes = class_of(bytes),
                                     .bytes = bytes,
                                     .root = -1};
  add_call(&row, -1);
}

/* --- decisions --- */

void tny_record_decision(const struct tny_decision *decision)
{
  pthread_mutex_lock(&lock);
  void *list = record.decisions;
  const bool has_room = make_room(&list, record.decision_count, &record.decision_room,
                                  DECISIONS_MAX, sizeof *record.decisions);
  record.decisions = list;
  if (has_room)
    record.decisions[record.decision_count++] = (struct tny_record_decision){
        .at_ns = tny_clock_ns() - record.begin_ns, .decision = *decision};
  record.left_out += !has_room;
  pthread_mutex_unlock(&lock);
}

void tny_record_trial(double ns)
{
  pthread_mutex_lock(&lock);
  record.trials_ns += ns;
  pthread_mutex_unlock(&lock);
}
