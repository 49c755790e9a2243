/* One plan, made and proved: what `tourney plan` shows and `tourney simulate` runs. make.c makes
   it, choice.c compares the algorithms where none is asked for. Nothing here prints or writes JSON.
   */
#ifndef TOURNEY_CLI_PLANNING_H
#define TOURNEY_CLI_PLANNING_H

#include <tourney/profile.h>
#include <tourney/separate.h>

#include "cli/shared/mapping.h"
#include "cli/shared/proof/proof.h"

/* What the proof looks at. Each includes what stands before it. */
enum plan_proof {
  PLAN_PROOF_DATA,      /* data and progress */
  PLAN_PROOF_LINKS,     /* the load of links, and the bound */
  PLAN_PROOF_IN_FLIGHT, /* what can be in flight over each link; it takes longest */
};

/* What is to be planned, as options say it. All borrowed. */
struct plan_request {
  const char *cluster;
  enum tny_collective collective;
  const char *algorithm, *pattern, *routing; /* NULL: not given */
  uint32_t ranks, root, chunks, window;
  bool chunks_given, window_given;
  bool may_outline; /* say what is known where all ranks' steps would be too many to plan */
  enum tny_map map;
  enum tny_separation separation;
  enum plan_proof proof;
  uint64_t bytes;
  const struct tny_profile *profile; /* goes before predictions; NULL: none */
};

/* Is --bytes anything to the collective? Errors: TNY_BAD_INPUT. */
enum tny_status plan_check_bytes(const struct plan_request *request,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* "none", "barrier", "tokens" */
const char *plan_separation_name(enum tny_separation separation);
/* For a table of options: --separate, into an enum tny_separation. */
enum tny_status plan_separation_read(void *into, const char *text,
                                     struct tny_error *error) TNY_MUST_CHECK;

/* The algorithms side by side, where none was asked for; else the list is empty. */
struct plan_choice {
  struct tny_ranking ranking; /* owned */
  uint64_t ranked_bytes;      /* the size that stands for the blocks' */
  struct tny_error *failures; /* owned; by index in the ranking: why its plan wasn't taken */
  uint32_t compared;          /* so many have a prediction; they come first */
  uint64_t measured_ns;       /* of the first one, by the profile; 0: it isn't from there */
  uint64_t native_ns;         /* by the profile; 0: unknown */
  uint32_t chosen; /* its index; `compared`: it is the standard one, and wasn't compared */
};

/* What is planned, and with what. */
struct plan {
  const struct plan_request *request;
  struct mapping mapping;
  struct tny_problem wanted;  /* what is asked for ... */
  struct tny_problem problem; /* ... and the same, prepared for the algorithm */
  const struct tny_algorithm *algorithm;
  struct plan_choice choice;
  bool left_native;            /* the runtime would leave the call to the native collective */
  struct tny_pattern *pattern; /* owned; NULL: every block is wanted */
  uint64_t block_bytes;        /* what one rank has for one receiver, at most; of a barrier 0 */
  struct tny_pace pace;
  struct tny_footprint footprint; /* its segments: the schedule is run once for each */
  uint32_t chunks_wanted; /* where fewer are planned, as the plan would be too large; else 0 */
  bool is_large;          /* too many messages to count what is in flight */
  bool is_outline;        /* nothing is planned, and nothing proved: see may_outline */
  struct tny_schedule *schedule; /* owned; NULL: an outline */
  struct tny_separation_report separated;
  struct proof proof;                  /* of the schedule; owned */
  double plan_seconds, verify_seconds; /* by the clock: planning with the choice, and proving */
};

/* Maps the ranks and makes the plan of plan->request, by the algorithm asked for or by the best one
   whose plan can be proved, and proves it. Owns: plan_release, also after a failure. */
enum tny_status plan_make(struct plan *plan, struct progress *progress,
                          struct tny_error *error) TNY_MUST_CHECK;
void plan_release(struct plan *plan);

/* Compares all algorithms. Owns: plan_choice_release. */
enum tny_status plan_choice_make(struct plan *plan, struct tny_error *error) TNY_MUST_CHECK;
/* Puts what the profile knows to be fast in front. Errors: TNY_REFUSED where it is of something
   else. */
enum tny_status plan_choice_by_profile(struct plan *plan, struct tny_error *error) TNY_MUST_CHECK;
void plan_choice_release(struct plan_choice *choice);
/* Adds why this algorithm was taken. */
void plan_choice_why(const struct plan *plan, struct tny_text *text);
/* What is predicted of a candidate. */
double plan_candidate_ms(const struct tny_candidate *candidate);

/* Adds the line that says how blocks are cut and paced. */
void plan_blocks_describe(const struct plan *plan, struct tny_text *text);

/* What the proof looks at, and what its description needs. */
struct proof_subject plan_subject(const struct plan *plan);
/* "credits", "receives", or NULL where sends aren't paced. */
const char *plan_pacing(const struct plan *plan);
/* How many blocks the plan's pattern wants. */
uint64_t plan_pattern_blocks(const struct plan *plan);

#endif
