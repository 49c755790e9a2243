/* Fuzz target: the input as a schedule. What is read is written and read again alike, and proving
   it ends. */
#include "fuzz_support.h"

#include <tourney/verify.h>

/* Spans over many blocks and chunks are right, but take long to prove. */
static bool is_small(const struct tny_schedule *schedule)
{
  return (uint64_t)schedule->rank_count * schedule->rank_count * schedule->chunk_count < 10000 &&
         (uint64_t)schedule->rank_count * schedule->scratch_blocks * schedule->chunk_count < 10000;
}

static void write_and_read_again(const struct tny_schedule *schedule)
{
  struct tny_schedule *again;
  char *first, *second;
  require(tny_schedule_write(schedule, &first, NULL) == TNY_OK);
  require(tny_schedule_read(first, "again", &again, NULL) == TNY_OK);
  require(tny_schedule_write(again, &second, NULL) == TNY_OK);
  require(strcmp(first, second) == 0);
  tny_text_free(second);
  tny_schedule_free(again);
  tny_text_free(first);
}

/* What is right also makes progress. */
static void prove(const struct tny_schedule *schedule)
{
  struct tny_report report;
  const enum tny_status progress = tny_verify_progress(schedule, &report, NULL);
  const enum tny_status data = tny_verify_data(schedule, NULL);
  require(progress == TNY_OK || progress == TNY_BROKEN);
  require(data == TNY_OK || data == TNY_BROKEN);
  require(progress == TNY_BROKEN || report.messages <= report.steps);
}

static void fuzz(const char *text)
{
  struct tny_schedule *schedule;
  if (tny_schedule_read(text, "fuzz", &schedule, NULL) == TNY_OK) {
    write_and_read_again(schedule);
    if (is_small(schedule))
      prove(schedule);
    tny_schedule_free(schedule);
  }
}
