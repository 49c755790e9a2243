/* Findings: what an entry says of one number, and a list of such that grows. */
#ifndef TOURNEY_REPRODUCE_FINDINGS_H
#define TOURNEY_REPRODUCE_FINDINGS_H

#include <math.h>
#include <stddef.h>

#include <tourney/status.h>

/* A field without a number is NAN. */
struct tny_finding {
  char series[48];    /* The line of the chart, or the column of the table: "SO-Ring", "LS". */
  char label[80];     /* The row of the table: "32 nodes, one switch". */
  double x;           /* Its position in the chart. */
  double value;       /* Ours. */
  double low, high;   /* The quartiles of ours, where it is a median. */
  double paper;       /* The paper's. */
  double least, most; /* Ours must be in these limits; both are NAN where there are no limits. */
};
struct tny_findings {
  struct tny_finding *list;
  size_t count, room;
};
/* A value with nothing beside it; and one that has to be the paper's. */
struct tny_finding tny_finding_of(double value);
struct tny_finding tny_finding_exact(double value, double paper);
enum tny_status tny_findings_add(struct tny_findings *findings, const struct tny_finding *finding,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* The same under this label and series. */
enum tny_status tny_findings_add_as(struct tny_findings *findings, const char *label,
                                    const char *series, struct tny_finding finding,
                                    struct tny_error *error) TNY_MUST_CHECK;
void tny_findings_release(struct tny_findings *findings);

#endif
