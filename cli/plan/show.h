/* `tourney plan`: its options, and the ways to show a plan. The plan itself is made in
   shared/planning. */
#ifndef TOURNEY_CLI_PLAN_SHOW_H
#define TOURNEY_CLI_PLAN_SHOW_H

#include "cli/shared/json.h"
#include "cli/shared/options.h"
#include "cli/shared/planning/plan.h"

enum plan_show { PLAN_SUMMARY, PLAN_PHASES, PLAN_STEPS, PLAN_TABLE, PLAN_PICTURE, PLAN_BUDGETS };

enum { PLAN_SIZES_MAX = 64 };

struct plan_options {
  struct plan_request request;
  uint64_t sizes[PLAN_SIZES_MAX]; /* of --bytes; the request has the first */
  uint32_t size_count;
  const char *output, *store, *profile; /* NULL: not given */
  enum plan_show show;
  enum cli_format format;
  uint32_t phase; /* of the picture; TNY_NONE: all together */
  bool all_links, summary_csv, bytes_given, help;
};

extern const char plan_help[];
/* Reads the command line. Errors: TNY_BAD_INPUT. */
enum tny_status plan_options_read(int argc, char **argv, struct plan_options *options,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* --- parts --- */

/* Adds which algorithm, why, what was tried before, and what comes next. */
void plan_candidates_describe(const struct plan *plan, struct tny_text *text);
/* All that were compared and the others with the reason; null where one was asked for. */
json_t *plan_candidates_json(const struct plan *plan);

/* A message of a phase. */
struct plan_message {
  uint32_t phase, from, to;
};
/* All messages by phase, then by sender; those that belong to no phase (TNY_NONE) come last.
   Owns: *messages by tny_free. */
enum tny_status plan_messages(const struct tny_schedule *schedule, struct plan_message **messages,
                              uint64_t *count, struct tny_error *error) TNY_MUST_CHECK;

/* Makes the plans of all sizes as the runtime would, proves them, and writes them to the store.
   *shown: a line a file. Owns: tny_text_free. */
enum tny_status plan_store(const struct plan_options *options, struct progress *progress,
                           char **shown, struct tny_error *error) TNY_MUST_CHECK;

/* --- whole outputs; Owns: *shown by tny_text_free --- */

/* As --show says, but for JSON. */
enum tny_status plan_write_text(const struct plan *plan, const struct plan_options *options,
                                char **shown, struct tny_error *error) TNY_MUST_CHECK;
/* What is known of an outline: the choice, one rank's steps, the bound; and why no more. */
enum tny_status plan_write_outline(const struct plan *plan, char **shown,
                                   struct tny_error *error) TNY_MUST_CHECK;
enum tny_status plan_write_json(const struct plan *plan, const struct plan_options *options,
                                char **shown, struct tny_error *error) TNY_MUST_CHECK;
/* --summary-csv: a header and a line. */
enum tny_status plan_write_csv(const struct plan *plan, char **shown,
                               struct tny_error *error) TNY_MUST_CHECK;
/* The phases as a table. */
enum tny_status plan_write_table(const struct plan *plan, char **shown,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* What can be in flight over the links, by window. */
enum tny_status plan_write_budgets(const struct plan *plan, const struct plan_options *options,
                                   char **shown, struct tny_error *error) TNY_MUST_CHECK;
/* The plan on the network, as a Graphviz graph. */
enum tny_status plan_write_picture(const struct plan *plan, const struct plan_options *options,
                                   char **shown, struct tny_error *error) TNY_MUST_CHECK;

#endif
