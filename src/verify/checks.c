/* Data and progress, each by itself or both at once: all start from one match. */
#include "verify/checks.h"

enum tny_status tny_verify_data(const struct tny_schedule *schedule, struct tny_error *error)
{
  struct tny_match match;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  status = tny_data_check(&match, NULL, error);
  tny_match_release(&match);
  return status;
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
    status = tny_data_check(&match, &progress, error);
  tny_match_release(&match);
  return status;
}
