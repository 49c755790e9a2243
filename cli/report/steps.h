/* A plan's messages, step by step: by phases, or where messages have none, by rounds. The times are
   those of the certificate: a step takes as long as its fullest link at the raw rate. Units:
   seconds. */
#ifndef TOURNEY_CLI_REPORT_STEPS_H
#define TOURNEY_CLI_REPORT_STEPS_H

#include "cli/shared/planning/plan.h"

struct plan_step_message {
  uint32_t step, from, to;
  uint64_t bytes;
};

struct plan_steps {
  const struct plan *plan; /* borrowed */
  bool by_rounds;
  uint32_t count;
  struct plan_step_message *messages; /* by step, then by sender, then by receiver */
  size_t message_count;
  size_t *first;           /* count + 1: where a step's messages begin */
  double *end;             /* by step: when it ends */
  uint32_t *fullest;       /* by step: the most messages on a link */
  double *link_seconds;    /* scratch, by link: all 0 between steps */
  uint32_t *link_messages; /* the same */
};

/* "phase" or "round" */
static inline const char *plan_steps_word(const struct plan_steps *steps)
{
  return steps->by_rounds ? "round" : "phase";
}

/* Of a plan with a schedule, proved with links. Owns: plan_steps_release, also after a failure. */
enum tny_status plan_steps_make(const struct plan *plan, struct plan_steps *steps,
                                struct tny_error *error) TNY_MUST_CHECK;
void plan_steps_release(struct plan_steps *steps);

/* Adds the messages of a step to link_seconds and link_messages; plan_steps_unload takes them away
   again. */
void plan_steps_load(const struct plan_steps *steps, uint32_t step);
void plan_steps_unload(const struct plan_steps *steps, uint32_t step);

#endif
