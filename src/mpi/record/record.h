/* The record of a run, as rank 0 sees it: what served each sort of calls, how often, and how long
   they took. A call's time is taken only where a record is kept. */
#ifndef TOURNEY_MPI_RECORD_H
#define TOURNEY_MPI_RECORD_H

#include "mpi/record/decision.h"

/* Sixteen an octave of nanoseconds, so that a quartile is right to within 3 %. */
enum { TNY_RECORD_OCTAVE = 16, TNY_RECORD_BUCKETS = 45 * TNY_RECORD_OCTAVE };

/* The times of calls. */
struct tny_record_times {
  uint64_t count;
  double total_ns, least_ns, most_ns;
  uint32_t buckets[TNY_RECORD_BUCKETS];
};
/* The time that a share of the calls (0.25: a quarter) don't exceed. */
double tny_record_quantile(const struct tny_record_times *times, double share);

/* Calls that are alike. Texts are borrowed, and outlive the run. */
struct tny_record_row {
  const char *collective;
  const char *algorithm; /* NULL: native */
  const char *why;
  uint32_t rank_count;  /* of the communicator; 0: not known */
  uint64_t class_bytes; /* of a block, from so many to less than twice as many; 0: not known */
  uint64_t calls, bytes;
  int64_t root;                   /* in MPI_COMM_WORLD; negative: none, not known, or several */
  struct tny_record_times *times; /* NULL: not timed */
};
struct tny_record_decision {
  double at_ns; /* since the record was opened */
  struct tny_decision decision;
};
struct tny_record {
  double begin_ns;
  double trials_ns;
  struct tny_record_row *rows;
  uint32_t row_count, row_room;
  struct tny_record_decision *decisions; /* in the order in which they were made */
  uint32_t decision_count, decision_room;
  uint64_t left_out; /* calls and decisions for which there was no memory, or no room */
};

/* Is a record kept? */
extern bool tny_record_is_open;
void tny_record_open(void);
/* Borrowed, until tny_record_close. */
const struct tny_record *tny_record_get(void);
void tny_record_close(void);

/* A call under way whose time is taken. */
struct tny_recorded {
  struct tny_recorded *outer; /* the call of this thread within which it is; NULL: none */
  double begin_ns;
  const char *collective, *algorithm, *why; /* collective NULL: not counted yet */
  uint64_t bytes;
};
/* What a call that has ended was on. */
struct tny_recorded_on {
  uint32_t rank_count; /* 0: not known */
  int64_t root;        /* in MPI_COMM_WORLD; negative: none, or not known */
};

/* Begins a call, where a record is kept. What this thread counts until its end is that call. */
void tny_recorded_begin(struct tny_recorded *call);
/* Of one that ended then, by tny_clock_ns. */
void tny_recorded_end(struct tny_recorded *call, double end_ns, struct tny_recorded_on on);
/* Ends a call that failed: it isn't in the record. */
void tny_recorded_drop(struct tny_recorded *call);
/* Counts a call, as tny_explain_count does: the one that has begun, or one whose time isn't taken.
 */
void tny_record_count(const char *collective, uint64_t bytes, const char *algorithm,
                      const char *why);
/* Keeps a decision behind earlier ones. */
void tny_record_decision(const struct tny_decision *decision);
/* Adds to the time that trials and agreements took. */
void tny_record_trial(double ns);

#endif
