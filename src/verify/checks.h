/* The checks that need nothing but a schedule's match. */
#ifndef TOURNEY_VERIFY_CHECKS_H
#define TOURNEY_VERIFY_CHECKS_H

#include <tourney/verify.h>

#include "verify/run.h"

/* tny_verify_progress of what was matched (progress.c). `report` may be NULL. */
enum tny_status tny_progress_report(const struct tny_match *match, struct tny_progress *progress,
                                    struct tny_report *report,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* tny_verify_data of what was matched, or tny_verify_in_place (data.c). `progress` is what was
   found of it; NULL: nothing yet. */
enum tny_status tny_data_check(const struct tny_match *match, const struct tny_progress *progress,
                               bool in_place, struct tny_error *error) TNY_MUST_CHECK;

#endif
