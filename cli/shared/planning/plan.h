/* `tourney plan`: what its files share. plan_options.c reads what is wanted, plan_make.c makes the
   plan and proves it, plan_choice.c compares the algorithms, the others say what came out. */
#ifndef TOURNEY_PLAN_H
#define TOURNEY_PLAN_H

#include <tourney/separate.h>

#include "cli/shared/mapping.h"
#include "cli/shared/proof/proof.h"

enum plan_show { PLAN_SUMMARY, PLAN_PHASES, PLAN_STEPS, PLAN_TABLE, PLAN_PICTURE, PLAN_BUDGETS };

struct plan_options {
  const char *cluster;
  enum tny_collective collective;
  const char *algorithm, *output, *pattern, *routing; /* NULL: not given */
  uint32_t ranks, root, chunks, window;
  uint32_t phase; /* of the picture; TNY_NONE: all together */
  bool chunks_given, window_given, all_links, summary_csv, help;
  enum tny_map map;
  enum tny_separation separation;
  enum plan_show show;
  enum scene_format format;
  uint64_t bytes;
};

extern const char plan_help[];
/* Reads the command line. Errors: TNY_BAD_INPUT. */
enum tny_status plan_options_read(int argc, char **argv, struct plan_options *options,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* "none", "barrier", "tokens" */
const char *plan_separation_name(enum tny_separation separation);

/* The algorithms side by side, where none was asked for; else the list is empty. */
struct plan_choice {
  struct tny_ranking ranking; /* owned */
  uint64_t ranked_bytes;      /* the size that stands for the blocks' */
  struct tny_error *failures; /* owned; by place in the ranking: why it was tried in vain */
  uint32_t compared;          /* so many have a prediction; they come first */
  uint32_t chosen;            /* its place; `compared`: it is the standard, and wasn't compared */
};

/* What is planned, and with what. */
struct plan {
  const struct plan_options *options;
  struct scene scene;
  struct tny_problem wanted;  /* what is asked for ... */
  struct tny_problem problem; /* ... and the same, prepared for the algorithm */
  const struct tny_algorithm *algorithm;
  struct plan_choice choice;
  bool left_native;            /* the runtime would leave the call to the native collective */
  struct tny_pattern *pattern; /* owned; NULL: every block is wanted */
  uint64_t block_bytes;        /* what one rank has for one receiver, at most */
  struct tny_pace pace;
  struct tny_footprint footprint; /* its segments: the schedule is run once for each */
  uint32_t chunks_wanted; /* where fewer are planned, as the plan would be too large; else 0 */
  bool is_large;          /* too many messages to count what is in flight */
  bool may_outline;       /* say what is known where all ranks' steps would be too many to plan */
  bool is_outline;        /* so it is: nothing is planned, and nothing proved */
  struct tny_schedule *schedule; /* owned; NULL: an outline */
  struct tny_separation_report separated;
  struct proof proof;                  /* of the schedule; owned */
  double plan_seconds, verify_seconds; /* by the clock: planning with the choice, and proving */
};

/* Makes the plan, by the algorithm asked for or by the best one whose plan can be proved, and
   proves it. Owns: plan_release, also after a failure. */
enum tny_status plan_make(struct plan *plan, struct progress *progress,
                          struct tny_error *error) TNY_MUST_CHECK;
void plan_release(struct plan *plan);

/* Compares all algorithms. Owns: plan_choice_release. */
enum tny_status plan_choice_make(struct plan *plan, struct tny_error *error) TNY_MUST_CHECK;
void plan_choice_release(struct plan_choice *choice);
/* Adds which algorithm, why, what was tried before, and what comes next. */
void plan_choice_describe(const struct plan *plan, struct tny_text *text);
/* Adds the line that says how blocks are cut and paced. */
void plan_blocks_describe(const struct plan *plan, struct tny_text *text);
/* All that were compared and the others with the reason; null where one was asked for. */
json_t *plan_choice_json(const struct plan *plan);
/* Why this algorithm. */
void plan_choice_why(const struct plan *plan, struct tny_text *text);

/* What the proof is to look at. */
struct proof_subject plan_subject(const struct plan *plan);
/* "credits", "receives", or NULL where sends aren't held back. */
const char *plan_pacing(const struct plan *plan);

/* How many blocks the plan's pattern wants. */
uint64_t plan_pattern_blocks(const struct plan *plan);

/* A message of a phase. */
struct plan_message {
  uint32_t phase, from, to;
};
/* All messages by phase, then by sender; those that belong to no phase (TNY_NONE) come last.
   Owns: *messages by tny_free. */
enum tny_status plan_messages(const struct tny_schedule *schedule, struct plan_message **messages,
                              uint64_t *count, struct tny_error *error) TNY_MUST_CHECK;

/* What is to be printed of a plan that is proved. Owns: *shown by tny_text_free. */
enum tny_status plan_write_text(const struct plan *plan, char **shown,
                                struct tny_error *error) TNY_MUST_CHECK;
/* What is known of an outline: the choice, one rank's steps, the bound; and why no more. */
enum tny_status plan_write_outline(const struct plan *plan, char **shown,
                                   struct tny_error *error) TNY_MUST_CHECK;
enum tny_status plan_write_json(const struct plan *plan, char **shown,
                                struct tny_error *error) TNY_MUST_CHECK;
enum tny_status plan_write_csv(const struct plan *plan, char **shown,
                               struct tny_error *error) TNY_MUST_CHECK;
/* The phases as a table. */
enum tny_status plan_write_table(const struct plan *plan, char **shown,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* What can be in flight over the links, by window. */
enum tny_status plan_write_budgets(const struct plan *plan, char **shown,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* The plan on the network, as a Graphviz graph. */
enum tny_status plan_write_picture(const struct plan *plan, char **shown,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
