/* What the targets for other tools' forms share: what must hold of a schedule that is read. */
#ifndef TOURNEY_FUZZ_FOREIGN_H
#define TOURNEY_FUZZ_FOREIGN_H

#include "fuzz_support.h"

#include <tourney/exchange.h>
#include <tourney/verify.h>

/* Buffers of many chunks are right, but take long to prove. */
static bool is_small(const struct tny_foreign_about *about)
{
  const struct tny_schedule *head = about->head;
  return !head || (uint64_t)head->rank_count * (head->rank_count + head->scratch_blocks) *
                          head->chunk_count <
                      10000;
}

/* A schedule of ours that came of a proved one has the same data. Taking it over may be refused,
   and lists that keep more order may deadlock only where the file's order isn't ours. */
static void prove_and_take_over(struct tny_foreign *foreign)
{
  const struct tny_foreign_about about = tny_foreign_about(foreign);
  struct tny_foreign_report report;
  struct tny_schedule *schedule;
  if (!is_small(&about))
    return;
  const enum tny_status status = tny_foreign_verify(foreign, NULL, &report, NULL);
  require(status == TNY_OK || status == TNY_BROKEN || status == TNY_REFUSED);
  if (status != TNY_OK || !about.head)
    return;
  require(report.data == TNY_DATA_PROVED || report.data == TNY_DATA_NONE);
  const enum tny_status taken = tny_foreign_schedule(foreign, &schedule, NULL);
  require(taken == TNY_OK || taken == TNY_REFUSED);
  if (taken == TNY_OK)
    require(tny_verify_data(schedule, NULL) == TNY_OK || about.form == TNY_FORM_GOAL);
  tny_schedule_free(schedule);
}

#endif
