/* TCP's congestion control in a lab: what lab.h doesn't declare of it. */
#ifndef TOURNEY_LAB_CONGESTION_H
#define TOURNEY_LAB_CONGESTION_H

#include <tourney/status.h>

/* Whether the name can be one. */
enum tny_status tny_lab_congestion_check(const char *congestion,
                                         struct tny_error *error) TNY_MUST_CHECK;
/* The error for what `ip` said where a route was to have this congestion control; `node` is where
   that was. */
enum tny_status tny_lab_congestion_explain(const char *congestion, const char *node,
                                           const struct tny_error *said,
                                           struct tny_error *error) TNY_MUST_CHECK;

#endif
