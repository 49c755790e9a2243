/* What `tourney reproduce` has found, and the ways to show it: tables.c for people, data.c for
   programs, chart.c as a drawing, files.c as the files of --output. */
#ifndef TOURNEY_REPRODUCED_H
#define TOURNEY_REPRODUCED_H

#include "core/text.h"
#include "reproduce/reproduce.h"

#include "cli/shared/json.h"

/* An entry that has been run. */
struct reproduced {
  const struct tny_reproduction *entry;
  struct tny_findings findings;
  double seconds;
};

enum reproduced_verdict { REPRODUCED_FREE, REPRODUCED_IN, REPRODUCED_OUT };
/* FREE: the finding has no limits. A value that isn't a number is out of any. */
enum reproduced_verdict reproduced_judge(const struct tny_finding *finding);
/* "in", "OUT", or "" */
const char *reproduced_verdict_word(enum reproduced_verdict verdict);
/* How many findings have that verdict. */
size_t reproduced_count(const struct reproduced *reproduced, enum reproduced_verdict verdict);
/* Is it a point of the chart? */
bool reproduced_is_point(const struct reproduced *reproduced, const struct tny_finding *finding);

/* Is the finding of that index the first point of its series? */
bool reproduced_begins_series(const struct reproduced *reproduced, size_t index);

/* The entry as text for a terminal, and as a section of Markdown; `picture` is the chart's file, or
   NULL. */
void reproduced_write_text(const struct reproduced *reproduced, struct tny_text *text);
void reproduced_write_markdown(const struct reproduced *reproduced, const char *picture,
                               struct tny_text *text);

extern const char reproduced_csv_header[];
void reproduced_write_csv(const struct reproduced *reproduced, struct tny_text *text);
json_t *reproduced_json(const struct reproduced *reproduced);

/* Draws the chart as SVG; the file `path` is written whole or not at all. */
enum tny_status reproduced_draw(const struct reproduced *reproduced, const char *path,
                                struct tny_error *error) TNY_MUST_CHECK;

/* --output: makes DIR and DIR/reproduction. */
enum tny_status reproduced_make_folders(const char *folder, struct tny_error *error) TNY_MUST_CHECK;
/* An entry's files in DIR/reproduction: its numbers as CSV, and its chart, where it has one, as
   SVG. */
enum tny_status reproduced_write_files(const struct reproduced *reproduced, const char *folder,
                                       struct tny_error *error) TNY_MUST_CHECK;
/* DIR/reproduction.md: all of them; `command` made them. */
enum tny_status reproduced_write_document(const struct reproduced *list, size_t count,
                                          const char *command, const char *folder,
                                          struct tny_error *error) TNY_MUST_CHECK;

#endif
