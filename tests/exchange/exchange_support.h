/* What the tests of other tools' forms share: files, and schedules written and read again. */
#ifndef TOURNEY_EXCHANGE_SUPPORT_H
#define TOURNEY_EXCHANGE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tourney/algorithm.h>
#include <tourney/exchange.h>
#include <tourney/verify.h>

#include "core/file.h"

/* A plan without a placement; NULL where the algorithm refuses it. Owns: tny_schedule_free. */
static inline struct tny_schedule *plan(const struct tny_algorithm *algorithm, uint32_t rank_count,
                                        uint32_t root, struct tny_pace pace)
{
  const struct tny_problem problem = {
      .collective = algorithm->collective, .rank_count = rank_count, .root = root};
  struct tny_schedule *schedule;
  if (tny_algorithm_refusal(algorithm, &problem))
    return NULL;
  assert_int_equal(tny_plan_all(algorithm, &problem, pace, &schedule, NULL), TNY_OK);
  return schedule;
}

static inline struct tny_schedule *plan_named(enum tny_collective collective, const char *name,
                                              uint32_t rank_count)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  assert_non_null(algorithm);
  return plan(algorithm, rank_count, 0, (struct tny_pace){.chunk_count = 1});
}

/* Reads a text of either form. */
static inline enum tny_status read_foreign(const char *text, struct tny_foreign **foreign,
                                           struct tny_error *error)
{
  return tny_form_of(text) == TNY_FORM_GOAL ? tny_goal_read(text, "test", foreign, error)
                                            : tny_msccl_read(text, "test", foreign, error);
}

/* Reads and proves; the first failure. */
static inline enum tny_status prove_text(const char *text, const struct tny_foreign_wanted *wanted,
                                         struct tny_foreign_report *report, struct tny_error *error)
{
  struct tny_foreign *foreign;
  enum tny_status status = read_foreign(text, &foreign, error);
  if (status == TNY_OK)
    status = tny_foreign_verify(foreign, wanted, report, error);
  tny_foreign_free(foreign);
  return status;
}

/* A file of tests/exchange. Owns: tny_text_free. */
static inline char *read_fixture(const char *name)
{
  char path[512], *text = NULL;
  snprintf(path, sizeof path, "%s/tests/exchange/%s", getenv("TOURNEY_SOURCE"), name);
  assert_int_equal(tny_file_read(path, &text, NULL), TNY_OK);
  return text;
}

/* Where `word` first is in `text`, where it must be. */
static inline size_t find(const char *text, const char *word)
{
  for (size_t at = 0; text[at]; at++)
    if (strncmp(text + at, word, strlen(word)) == 0)
      return at;
  fail_msg("there is no \"%s\"", word);
  return 0;
}

/* `text` with the first `from` after `behind` replaced; both must be there. Owns: free. */
static inline char *replace(const char *text, const char *behind, const char *from, const char *to)
{
  const size_t begin = find(text, behind), at = begin + find(text + begin, from);
  const size_t bytes = strlen(text) + strlen(to) + 1;
  char *made = malloc(bytes);
  assert_non_null(made);
  snprintf(made, bytes, "%.*s%s%s", (int)at, text, to, text + at + strlen(from));
  return made;
}

#endif
