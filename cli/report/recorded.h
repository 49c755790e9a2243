/* The record of a run, which `tourney run --record FILE` had rank 0 write (src/mpi/record). Units:
   nanoseconds, bytes. */
#ifndef TOURNEY_CLI_REPORT_RECORDED_H
#define TOURNEY_CLI_REPORT_RECORDED_H

#include <stddef.h>

#include <tourney/cluster.h>

/* Calls that are alike, and their times as rank 0 saw them. Texts are the record's, here and below.
   */
struct recorded_row {
  const char *collective, *why;
  const char *algorithm;       /* NULL: native */
  uint64_t ranks, class_bytes; /* 0: not known */
  uint64_t calls, bytes;
  uint64_t root;  /* UINT64_MAX: none, not known, or several */
  uint64_t timed; /* calls whose time was taken; 0: the times are 0 */
  double total_ns, least_ns, q1_ns, median_ns, q3_ns, most_ns;
  double bound_ns; /* of a call of the mean size; 0: not known */
};
/* What the guard settled a class of calls on. Times of 0 aren't known. */
struct recorded_decision {
  const char *collective, *served;
  bool own_op;
  uint64_t ranks, class_bytes, trials;
  double at_ns, native_ns;
  struct {
    const char *name; /* NULL: none */
    bool can_run;
    double seen_ns, predicted_ns;
  } tried[2];
};
struct recorded_host {
  const char *name;
  bool is_counted; /* or the counters are 0 */
  uint64_t segments, retransmitted, timeouts, interface_drops;
};

struct recorded {
  const char *version, *mpi, *program;
  const char *why_native; /* NULL: plans could serve */
  bool has_guard, has_all_hosts;
  uint64_t began_s, ranks, left_out;
  double took_ns, trials_ns;
  const char *origin;          /* of the cluster, in words */
  struct tny_cluster *cluster; /* NULL: none was known; owned, as the lists */
  uint32_t *host_of_rank;
  struct tny_routes *routes; /* NULL: bounds weren't asked for */
  struct recorded_row *rows;
  struct recorded_decision *decisions;
  struct recorded_host *hosts;
  size_t row_count, decision_count, host_count;
  void *json; /* private: owns the texts */
};

/* Reads a record, without bounds. Owns: recorded_release, also after a failure. Errors:
   TNY_BAD_INPUT, with the line where it is no JSON. */
enum tny_status recorded_read(const char *path, struct recorded *recorded,
                              struct tny_error *error) TNY_MUST_CHECK;
/* The same of a file's text; `path` is what errors call it. */
enum tny_status recorded_parse(const char *path, const char *text, struct recorded *recorded,
                               struct tny_error *error) TNY_MUST_CHECK;
/* Sets the bounds of the rows that have one: timed calls of all ranks, with blocks alike. Makes the
   routes. */
enum tny_status recorded_find_bounds(struct recorded *recorded,
                                     struct tny_error *error) TNY_MUST_CHECK;
void recorded_release(struct recorded *recorded);

#endif
