/* Schedules from anywhere: what is read is written and read again alike, and proving it ends. */
#include <assert.h>

#include <tourney/verify.h>

#include "core/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
  const enum tny_status wrote = tny_schedule_write(schedule, &first, NULL);
  assert(wrote == TNY_OK);
  const enum tny_status read = tny_schedule_read(first, "again", &again, NULL);
  assert(read == TNY_OK);
  const enum tny_status wrote_again = tny_schedule_write(again, &second, NULL);
  assert(wrote_again == TNY_OK && strcmp(first, second) == 0);
  (void)wrote, (void)read, (void)wrote_again;
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
  assert(progress == TNY_OK || progress == TNY_BROKEN);
  assert(data == TNY_OK || data == TNY_BROKEN);
  assert(progress == TNY_BROKEN || report.messages <= report.steps);
  (void)progress, (void)data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct tny_schedule *schedule;
  char *text = tny_new(size + 1, 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  if (tny_schedule_read(text, "fuzz", &schedule, NULL) == TNY_OK) {
    write_and_read_again(schedule);
    if (is_small(schedule))
      prove(schedule);
    tny_schedule_free(schedule);
  }
  tny_free(text);
  return 0;
}
