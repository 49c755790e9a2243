/* The papers' tables and figures, made again: each is one entry of the list, in the file of its
   paper. An entry fills findings: numbers of ours, next to the paper's where it has one, and the
   limits in which ours must be. cli/reproduce.c prints them, checks them, and draws the charts. */
#ifndef TOURNEY_REPRODUCE_H
#define TOURNEY_REPRODUCE_H

#include <math.h>

#include <tourney/simulate.h>

/* What an entry says of one number. NAN: there is none. */
struct tny_finding {
  char series[48];    /* a line of the chart, or a column of the table: "SO-Ring", "LS" */
  char label[80];     /* a row of the table: "32 nodes, one switch" */
  double x;           /* of the chart */
  double value;       /* ours */
  double low, high;   /* its quartiles, where it is a median */
  double paper;       /* theirs */
  double least, most; /* ours must be in these limits; both NAN: it's for information */
};
struct tny_findings {
  struct tny_finding *list;
  size_t count, room;
};
enum tny_status tny_findings_add(struct tny_findings *findings, const struct tny_finding *finding,
                                 struct tny_error *error) TNY_MUST_CHECK;
void tny_findings_release(struct tny_findings *findings);

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
/* All of them, by paper; ends with NULL. */
extern const struct tny_reproduction *const tny_reproductions[];

#endif
