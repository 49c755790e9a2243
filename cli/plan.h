/* `tourney plan`: what its files share. plan.c makes the plan and proves it, plan_options.c reads
   what is wanted, plan_text.c and plan_json.c say what came out. */
#ifndef TOURNEY_PLAN_H
#define TOURNEY_PLAN_H

#include <tourney/separate.h>

#include "proof.h"
#include "scene.h"

enum plan_show { PLAN_SUMMARY, PLAN_PHASES, PLAN_STEPS };

struct plan_options {
  const char *cluster;
  enum tny_collective collective;
  const char *algorithm, *output, *pattern, *routing; /* NULL: not given */
  uint32_t ranks, root, chunks, window;
  bool chunks_given, window_given, all_links, help;
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

/* What is planned, and with what. */
struct plan {
  const struct plan_options *options;
  struct scene scene;
  struct tny_problem problem;
  const struct tny_algorithm *algorithm;
  const char *why;             /* this algorithm */
  bool left_native;            /* the runtime would leave the call to the native collective */
  struct tny_pattern *pattern; /* owned; NULL: every block is wanted */
  uint64_t block_bytes;        /* what one rank has for one receiver, at most */
  struct tny_pace pace;
  struct tny_schedule *schedule; /* owned */
  struct tny_separation_report separated;
};

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
enum tny_status plan_write_text(const struct plan *plan, const struct proof *proof, char **shown,
                                struct tny_error *error) TNY_MUST_CHECK;
enum tny_status plan_write_json(const struct plan *plan, const struct proof *proof, char **shown,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
