/* The journal's lines are those of the ranks, behind a head that says what they are of. It is
   appended to row by row, so that whatever ends this process loses no complete row. */
#include "journal.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "cli/shared/whole_file.h"
#include "cli/shared/words.h"
#include "core/error.h"
#include "core/file.h"

#define HEAD "tourney tuning journal 3\n"

static enum tny_status fail(const struct tune_journal *journal, struct tny_error *error)
{
  return tny_error_at(error, TNY_SYSTEM, journal->path, 0, 0, "can't be written: %s",
                      strerror(errno));
}

/* A line that was cut off ends the reading. */
static enum tny_status read_lines(struct tune_journal *journal, const char *text,
                                  struct tune_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  while (status == TNY_OK && *text && strchr(text, '\n')) {
    char line[1024];
    double seconds;
    enum tune_line kind;
    const char *start = text;
    const int length = words_take_line(&text);
    snprintf(line, sizeof line, "%.*s", length, start);
    if (sscanf(line, "seconds %lf", &seconds) == 1)
      journal->seconds_before += seconds;
    else
      status = tune_findings_take(findings, line, &kind, error);
  }
  return status;
}

static enum tny_status read_text(struct tune_journal *journal, const char *text,
                                 struct tune_findings *findings, struct tny_error *error)
{
  struct tny_fingerprint *fingerprint = &journal->fingerprint;
  int end = 0;
  if (strncmp(text, HEAD, strlen(HEAD)) != 0 ||
      sscanf(text + strlen(HEAD), "cluster %16" SCNx64 " count %" SCNu32 " hosts %16" SCNx64 "\n%n",
             &fingerprint->cluster, &fingerprint->rank_count, &fingerprint->hosts, &end) != 3 ||
      end == 0)
    return tny_error_at(error, TNY_BAD_INPUT, journal->path, 0, 0,
                        "no journal of 'tourney tune': remove it, or begin anew by --fresh");
  journal->was_there = true;
  return read_lines(journal, text + strlen(HEAD) + end, findings, error);
}

enum tny_status tune_journal_begin(struct tune_journal *journal, const char *output,
                                   struct tny_error *error)
{
  *journal = (struct tune_journal){0};
  const int length = snprintf(journal->path, sizeof journal->path, "%s.journal", output);
  return length < (int)sizeof journal->path
             ? TNY_OK
             : tny_error_at(error, TNY_BAD_INPUT, output, 0, 0, "the name is too long");
}

enum tny_status tune_journal_read(struct tune_journal *journal, const char *output,
                                  struct tune_findings *findings, struct tny_error *error)
{
  enum tny_status status = tune_journal_begin(journal, output, error);
  if (status != TNY_OK || access(journal->path, F_OK) != 0)
    return status;
  char *text = NULL;
  status = tny_file_read(journal->path, &text, error);
  if (status == TNY_OK)
    status = read_text(journal, text, findings, error);
  tny_text_free(text);
  return status;
}

static void add_raws(struct tny_text *text, const struct tune_raws *raws)
{
  for (uint32_t i = 0; i < raws->count; i++)
    tny_text_add(text, "raw %s %" PRIu64 " %" PRIu64 "\n", raws->list[i].what, raws->list[i].bytes,
                 raws->list[i].number);
}

/* All that is found: the points may stand together, the rows that they are of behind. */
static enum tny_status write_findings(struct tune_journal *journal,
                                      const struct tune_findings *findings, struct tny_error *error)
{
  const struct tny_fingerprint *fingerprint = &journal->fingerprint;
  struct tny_text text = {0};
  char *taken;
  tny_text_add(&text, HEAD "cluster %016" PRIx64 " count %" PRIu32 " hosts %016" PRIx64 "\n",
               fingerprint->cluster, fingerprint->rank_count, fingerprint->hosts);
  tny_text_add(&text, "seconds %.1f\n", journal->seconds_before);
  add_raws(&text, &findings->raws);
  tny_text_add(&text, "%s", findings->rows.length ? findings->rows.bytes : "");
  for (uint32_t i = 0; i < findings->done_count; i++)
    tny_text_add(&text, "row-done %s %" PRIu64 "\n",
                 tny_collective_name(findings->done[i].collective), findings->done[i].bytes);
  enum tny_status status = tny_text_take(&text, &taken, error);
  if (status == TNY_OK)
    status = whole_file_write(journal->path, taken, error);
  tny_text_free(taken);
  return status;
}

enum tny_status tune_journal_open(struct tune_journal *journal,
                                  const struct tny_fingerprint *fingerprint,
                                  const struct tune_findings *findings, struct tny_error *error)
{
  const char *difference = tny_fingerprint_difference(&journal->fingerprint, fingerprint);
  if (journal->was_there && difference)
    return tny_error_at(error, TNY_REFUSED, journal->path, 0, 0,
                        "an earlier run was interrupted on %s: remove its journal, or begin anew "
                        "by --fresh",
                        difference);
  journal->fingerprint = *fingerprint;
  const enum tny_status status = write_findings(journal, findings, error);
  if (status != TNY_OK)
    return status;
  journal->stream = fopen(journal->path, "ae");
  return journal->stream ? TNY_OK : fail(journal, error);
}

enum tny_status tune_journal_add(struct tune_journal *journal, const char *text,
                                 struct tny_error *error)
{
  if (fputs(text, journal->stream) == EOF || fflush(journal->stream) == EOF)
    return fail(journal, error);
  return TNY_OK;
}

void tune_journal_close(struct tune_journal *journal, bool remove_it)
{
  if (journal->stream)
    fclose(journal->stream);
  if (journal->stream && remove_it)
    unlink(journal->path);
  journal->stream = NULL;
}
