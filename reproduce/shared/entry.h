/* An entry: one table or figure of a paper, made again. Each lives in the folder of its paper. It
   fills findings (findings.h), which are numbers of ours beside the paper's where it has one, with
   the limits in which ours must be. The tool prints them, checks them, and draws the charts. */
#ifndef TOURNEY_REPRODUCE_ENTRY_H
#define TOURNEY_REPRODUCE_ENTRY_H

#include <tourney/simulate.h>

#include "reproduce/shared/findings.h"

struct tny_reproduce_options {
  bool is_quick; /* a sample that takes seconds, with the same limits */
  uint64_t seed;
  const struct tny_simulate_watch *watch;
};

struct tny_chart {
  const char *x_title, *y_title; /* with units; x_title NULL: no chart */
  bool x_is_log, y_is_log;
  double y_from; /* where the axis begins, if it isn't log */
};
struct tny_reproduction {
  const char *paper; /* its key in docs/papers.bib */
  const char *name;  /* as typed: "table-2", "figure-7" */
  const char *title;
  const char *unit; /* of the values */
  const char *note; /* how it's made, and where and why ours deviates: a few sentences */
  struct tny_chart chart;
  enum tny_status (*run)(const struct tny_reproduce_options *options, struct tny_findings *findings,
                         struct tny_error *error);
};

#endif
