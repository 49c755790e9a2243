/* Data and progress, each by itself or both at once: all start from one match. */
#include "core/error.h"
#include "verify/data.h"

static enum tny_status verify_data(const struct tny_schedule *schedule, bool in_place,
                                   struct tny_error *error)
{
  struct tny_match match;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  status = tny_data_check(&match, NULL, in_place, NULL, error);
  tny_match_release(&match);
  return status;
}

enum tny_status tny_verify_data(const struct tny_schedule *schedule, struct tny_error *error)
{
  return verify_data(schedule, false, error);
}

enum tny_status tny_verify_in_place(const struct tny_schedule *schedule, struct tny_error *error)
{
  if (!tny_collective_may_be_in_place(schedule->collective))
    return tny_error_set(error, TNY_REFUSED,
                         "only an %s is proved in place, where a rank's input lies in its output; "
                         "%s %s has no such input",
                         tny_collective_titles(tny_collective_may_be_in_place, ", ", " or ").text,
                         tny_collective_article(schedule->collective),
                         tny_collective_name(schedule->collective));
  return verify_data(schedule, true, error);
}

enum tny_status tny_verify_progress(const struct tny_schedule *schedule, struct tny_report *report,
                                    struct tny_error *error)
{
  struct tny_match match;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  struct tny_progress progress;
  status = tny_progress_report(&match, &progress, report, error);
  tny_match_release(&match);
  return status;
}

enum tny_status tny_verify_schedule(const struct tny_schedule *schedule, struct tny_report *report,
                                    struct tny_error *error)
{
  struct tny_match match;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  struct tny_progress progress;
  status = tny_progress_report(&match, &progress, report, error);
  if (status == TNY_OK)
    status = tny_data_check(&match, &progress, false, report ? &report->bits : NULL, error);
  tny_match_release(&match);
  return status;
}

enum tny_status tny_verify_as_run(const struct tny_schedule *schedule, struct tny_error *error)
{
  const enum tny_status status = tny_verify_schedule(schedule, NULL, error);
  if (status != TNY_OK || !tny_schedule_keeps_input(schedule))
    return status;
  return tny_verify_in_place(schedule, error);
}
