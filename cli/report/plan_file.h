/* A plan that isn't made here but read from a file. */
#ifndef TOURNEY_CLI_REPORT_PLAN_FILE_H
#define TOURNEY_CLI_REPORT_PLAN_FILE_H

#include "cli/shared/planning/plan.h"

/* Reads the schedule in our own form, maps its ranks to plan->request's cluster and proves it. The
   plan has no algorithm but the name in the schedule. Owns: plan_release, also after a failure. */
enum tny_status plan_from_file(struct plan *plan, const char *path, struct progress *progress,
                               struct tny_error *error) TNY_MUST_CHECK;

#endif
