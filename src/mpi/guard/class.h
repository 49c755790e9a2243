/* What is known of a class of calls (rules.h): what serves it and since when, what it has lost, and
   while what could serve it is tried, how far that is. Times are in nanoseconds. */
#ifndef TOURNEY_MPI_GUARD_CLASS_H
#define TOURNEY_MPI_GUARD_CLASS_H

#include <tourney/algorithm.h>

#include "mpi/guard/samples.h"

enum {
  TNY_GUARD_CANDIDATES = 2, /* that are tried beside native */
  TNY_GUARD_SLOTS = 8,      /* calls of a round, at most */
};

/* A way to serve a class that is tried; the first is native. */
struct tny_guard_arm {
  struct tny_algorithm_choice choice;
  double predicted_ns;
  double ratio;       /* of its time to native's, as seen last; negative: never seen */
  double cold_ratio;  /* of its first call; negative: none */
  double planning_ns; /* of one by counts that has run once: beside that call, and maybe again */
  bool is_out;        /* its plan isn't proved, or didn't run */
  bool is_judged;     /* it was compared with native in an earlier look, */
  bool is_retried;    /* and is in this one again */
  uint32_t sample_count;
  double samples_ns[TNY_GUARD_SAMPLES]; /* agreed on */
};

/* What trials need, beside what is kept once they are over. */
struct tny_guard_trial {
  uint32_t arm_count;
  struct tny_guard_arm arms[1 + TNY_GUARD_CANDIDATES];
  uint32_t slot_count, slot; /* of the round: how many, and the present one */
  uint8_t slots[TNY_GUARD_SLOTS];
  double elapsed_ns[TNY_GUARD_SLOTS]; /* as this rank saw it, of which planning: */
  double planning_ns[TNY_GUARD_SLOTS];
  double blocked_ns; /* the least allowance that a round would have taken; 0: none was put off */
};

/* A candidate's ratio as trials that are over found it. */
struct tny_guard_seen {
  struct tny_algorithm_choice choice;
  float ratio, planning_ns;
  bool is_judged; /* beside native, not by its first call alone */
};

struct tny_guard_class {
  enum tny_collective collective;
  uint32_t number;              /* tny_guard_number, or tny_guard_own of that */
  uint64_t calls;               /* so far */
  uint64_t check_due, look_due; /* at which call */
  uint64_t check_gap, look_gap;
  uint64_t retry_due; /* from when on a look is at candidates that were judged, too */
  struct tny_algorithm_choice settled;
  double native_ns, settled_ns; /* as agreed when it settled */
  double least_ns;              /* the shortest native call that was seen of late */
  double usual_ns;              /* the mean time that calls for no trials */
  double lost_ns;               /* against native, so far; negative: gained */
  double agreement_ns;          /* what an agreement takes, agreed on */
  double own_agreement_ns;      /* the last one here */
  double asking_ns;             /* what it takes to agree on the size of each call of the class that
                                   is counted here, which is in plans' times and not in native's */
  double own_sum_ns;            /* of the calls that were noted since the last check */
  uint32_t own_count;           /* of them */
  uint32_t trial_calls;         /* so far */
  bool is_new_winner;           /* a plan, not checked yet */
  bool is_watched;              /* native, and checked as a plan is */
  bool is_profiled;             /* settled by the profile, and by nothing since */
  bool is_told;                 /* settled on a plan by a file, and by nothing since */
  bool is_put_off;              /* trials wait until look_due, as they aren't covered yet */
  uint64_t unpaid_calls;        /* that aren't in lost_ns: native's time here isn't known yet */
  struct tny_guard_seen seen[TNY_GUARD_CANDIDATES];
  struct tny_guard_trial *trial; /* borrowed; NULL: settled */
};

#endif
