/* Reading the journal. A line that doesn't fit is left aside: it can only be one whose writing was
   interrupted, and then its cell is measured again. */
#include "bench/performance/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

const char *const mode_names[MODE_COUNT] = {"plain", "peers"};

/* The rows since the last line that ended an attempt. */
struct pending {
  size_t cell;
  enum mode mode;
  uint32_t attempt;
  struct outcome outcome;
};

/* Cuts a field off, up to a comma or the end; one in quotes loses them. */
static char *cut_field(char **rest)
{
  char *field = *rest;
  const bool quoted = *field == '"';
  field += quoted;
  char *end = field + strcspn(field, quoted ? "\"" : ",");
  *rest = end;
  if (*end)
    *end++ = '\0';
  *rest = quoted && *end == ',' ? end + 1 : end;
  return field;
}

enum {
  ROW_VARIANT = 5,
  ROW_ALGORITHM,
  ROW_MEDIAN,
  ROW_Q1,
  ROW_Q3,
  ROW_RATIO,
  ROW_SHARE,
  ROW_SAMPLES,
  ROW_CONGESTION,
  ROW_PREDICTED,
  ROW_FIELDS
};

/* The best peer has the least median of those with the most samples: the slower ones are left out
   early. */
static void take_peer(struct outcome *outcome, char **fields, const struct quartiles_ms *ms)
{
  const uint32_t samples = (uint32_t)strtoul(fields[ROW_SAMPLES], NULL, 10);
  const bool is_first = outcome->peer.median <= 0;
  if (!is_first && (samples < outcome->peer_samples ||
                    (samples == outcome->peer_samples && ms->median >= outcome->peer.median)))
    return;
  outcome->peer = *ms;
  outcome->peer_samples = samples;
  snprintf(outcome->peer_name, sizeof outcome->peer_name, "%s", fields[ROW_VARIANT]);
}

static void take_row(struct outcome *outcome, char *line)
{
  char *fields[ROW_FIELDS];
  for (int i = 0; i < ROW_FIELDS; i++)
    fields[i] = cut_field(&line);
  const struct quartiles_ms ms = {strtod(fields[ROW_MEDIAN], NULL), strtod(fields[ROW_Q1], NULL),
                                  strtod(fields[ROW_Q3], NULL)};
  if (!strcmp(fields[ROW_VARIANT], "native")) {
    *outcome = (struct outcome){.native = ms}; /* the first row of an attempt */
  } else if (!strcmp(fields[ROW_VARIANT], "planned")) {
    outcome->planned = ms;
    outcome->samples = (uint32_t)strtoul(fields[ROW_SAMPLES], NULL, 10);
    outcome->share = strtod(fields[ROW_SHARE], NULL);
    outcome->predicted_ms = strtod(fields[ROW_PREDICTED], NULL);
    snprintf(outcome->algorithm, sizeof outcome->algorithm, "%s", fields[ROW_ALGORITHM]);
  } else if (ms.median > 0) {
    take_peer(outcome, fields, &ms);
  }
}

/* Whether the line's fourth word ended an attempt. */
static bool take_word(struct outcome *outcome, const char *word, char *rest)
{
  if (!strcmp(word, "row")) {
    take_row(outcome, rest);
    return false;
  }
  if (!strcmp(word, "unable")) {
    *outcome = (struct outcome){0};
    snprintf(outcome->unable, sizeof outcome->unable, "%s", *rest ? rest : "no reason given");
    return true;
  }
  if (strcmp(word, "end") || outcome->native.median <= 0 || outcome->planned.median <= 0)
    return false;
  outcome->seconds = strtod(cut_field(&rest), NULL);
  outcome->has_profile = !strcmp(rest, "1");
  return true;
}

static size_t find_cell(const char *name, const struct cell *cells, size_t count)
{
  size_t i = 0;
  while (i < count && strcmp(cell_name_of(&cells[i]).text, name))
    i++;
  return i;
}

static void take_cell(struct journal *journal, const struct cell *cells, size_t count,
                      struct pending *pending, char *line)
{
  const size_t cell = find_cell(cut_field(&line), cells, count);
  const enum mode mode = strcmp(cut_field(&line), mode_names[MODE_PEERS]) ? MODE_PLAIN : MODE_PEERS;
  const uint32_t attempt = (uint32_t)strtoul(cut_field(&line), NULL, 10);
  if (cell == count || !attempt)
    return;
  if (pending->cell != cell || pending->mode != mode || pending->attempt != attempt)
    *pending = (struct pending){.cell = cell, .mode = mode, .attempt = attempt};
  const char *word = cut_field(&line);
  if (!take_word(&pending->outcome, word, line))
    return;
  pending->outcome.attempt = attempt;
  journal->outcomes[cell][mode] = pending->outcome;
  *pending = (struct pending){.cell = count};
}

enum tny_status journal_read(const char *path, const struct cell *cells, size_t count,
                             struct journal *journal, struct tny_error *error)
{
  struct pending pending = {.cell = count};
  char *text = NULL;
  *journal = (struct journal){.outcomes = tny_new(count, sizeof *journal->outcomes)};
  if (!journal->outcomes)
    return tny_error_memory(error);
  if (access(path, F_OK))
    return TNY_OK;
  const enum tny_status status = tny_file_read(path, &text, error);
  if (status != TNY_OK)
    return status;
  for (char *line = text; *line;) {
    char *end = line + strcspn(line, "\n");
    const bool is_whole = *end == '\n';
    *end = '\0';
    if (!strncmp(line, "machine,", 8))
      snprintf(journal->machine, sizeof journal->machine, "%s", line + 8);
    else if (!strncmp(line, "date,", 5))
      snprintf(journal->date, sizeof journal->date, "%s", line + 5);
    else if (is_whole)
      take_cell(journal, cells, count, &pending, line);
    line = end + is_whole;
  }
  tny_text_free(text);
  return TNY_OK;
}

void journal_release(struct journal *journal)
{
  tny_free(journal->outcomes);
  *journal = (struct journal){0};
}
