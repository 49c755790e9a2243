/* The file of what was learnt, read and written. */
#include "mpi/guard/learn.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"
#include "core/scan.h"
#include "core/text.h"
#include "schedule/line_reader.h"

enum { VERSION = 1, NAME_CHARS = 64 };

/* --- reading --- */

/* The next word as a text that ends; "" where there is none, or it is too long. */
static const char *take_word(struct tny_line_reader *reader, char word[NAME_CHARS])
{
  word[0] = '\0';
  if (tny_line_word(reader) && reader->word_length < NAME_CHARS) {
    memcpy(word, reader->word, reader->word_length);
    word[reader->word_length] = '\0';
  }
  return word;
}

static uint64_t take_number(struct tny_line_reader *reader, const char *what)
{
  char word[NAME_CHARS];
  uint64_t number = 0;
  if (!tny_scan_whole(take_word(reader, word), &number) || number == 0 || number > INT64_MAX)
    tny_line_fail(reader, reader->word, "%s isn't a whole number above 0", what);
  return number;
}

static void read_key(struct tny_line_reader *reader, const struct tny_learn_key *key)
{
  char name[NAME_CHARS], fingerprint[NAME_CHARS], wanted[NAME_CHARS];
  snprintf(wanted, sizeof wanted, "%016" PRIx64, key->fingerprint);
  tny_line_next(reader);
  tny_line_expect(reader, "cluster");
  take_word(reader, name);
  tny_line_expect(reader, "fingerprint");
  take_word(reader, fingerprint);
  tny_line_expect(reader, "ranks");
  const uint32_t rank_count = tny_line_number(reader, "the number of ranks", UINT32_MAX);
  tny_line_end(reader);
  if (reader->status == TNY_OK && (strcmp(fingerprint, wanted) || rank_count != key->rank_count))
    reader->status = tny_error_at(reader->error, TNY_BAD_INPUT, reader->name, 0, 0,
                                  "learnt by %u ranks on the cluster '%s', not by these %u on "
                                  "'%s', or these are on other hosts of it: give each its own file",
                                  rank_count, name, key->rank_count, key->cluster);
}

static void read_result(struct tny_line_reader *reader, struct tny_guard_results *results)
{
  char collective[NAME_CHARS], served[NAME_CHARS];
  struct tny_guard_result result = {.is_read = true};
  struct tny_error cause = {0};
  bool is_uneven = false;
  const bool is_own = tny_line_take(reader, "own");
  if (tny_collective_parse_form(take_word(reader, collective), &result.collective, &is_uneven,
                                &cause) != TNY_OK)
    tny_line_fail(reader, reader->word, "%s", cause.text);
  if (reader->status == TNY_OK && is_own && !tny_collective_reduces(result.collective))
    tny_line_fail(reader, reader->word, "this isn't a reduction, which has an operation");
  const uint64_t bytes = take_number(reader, "the size");
  result.number = tny_guard_number(bytes, is_uneven);
  if (is_own)
    result.number = tny_guard_own(result.number);
  if (bytes != tny_guard_bytes(result.number))
    tny_line_fail(reader, reader->word, "the size isn't a power of two under 2 GiB");
  take_word(reader, served);
  if (reader->status == TNY_OK && strcmp(served, "native") != 0 &&
      tny_algorithm_parse(result.collective, served, &result.choice, &cause) != TNY_OK)
    tny_line_fail(reader, reader->word, "%s", cause.text);
  if (reader->status == TNY_OK && result.choice.algorithm &&
      !tny_guard_takes(result.number, result.choice.algorithm))
    tny_line_fail(reader, reader->word, "this algorithm doesn't serve such calls");
  result.native_ns = (double)take_number(reader, "native's time");
  result.settled_ns = (double)take_number(reader, "the time");
  tny_line_end(reader);
  if (reader->status == TNY_OK)
    tny_guard_results_put(results, &result);
}

static void read_text(struct tny_line_reader *reader, const struct tny_learn_key *key,
                      struct tny_guard_results *results)
{
  tny_line_next(reader);
  tny_line_expect(reader, "tourney");
  tny_line_expect(reader, "learned");
  if (tny_line_number(reader, "the version", UINT32_MAX) != VERSION)
    tny_line_fail(reader, reader->word, "this is of another version of Tourney");
  tny_line_end(reader);
  read_key(reader, key);
  bool has_end = false;
  while (!has_end && tny_line_next(reader)) {
    has_end = tny_line_take(reader, "end");
    if (!has_end)
      read_result(reader, results);
  }
  if (reader->status == TNY_OK && !has_end)
    tny_line_fail(reader, reader->at, "it ends before its line 'end'");
  if (tny_line_number(reader, "the number of lines", UINT32_MAX) != results->count)
    tny_line_fail(reader, reader->word, "there are %u different lines", results->count);
  tny_line_end(reader);
}

enum tny_status tny_learn_read(const char *path, const struct tny_learn_key *key,
                               struct tny_guard_results *results, struct tny_error *error)
{
  struct tny_guard_results read = {0};
  struct tny_line_reader reader;
  char *text;
  if (access(path, F_OK) != 0 && errno == ENOENT)
    return TNY_OK;
  const enum tny_status status = tny_file_read(path, &text, error);
  if (status != TNY_OK)
    return status;
  tny_line_reader_init(&reader, text, path, error);
  read_text(&reader, key, &read);
  for (uint32_t i = 0; reader.status == TNY_OK && i < read.count; i++)
    tny_guard_results_put(results, &read.list[i]);
  tny_guard_results_release(&read);
  tny_text_free(text);
  return reader.status;
}

/* --- writing --- */

/* The cluster's name as one word of ASCII. */
static void write_name(struct tny_text *text, const char *name)
{
  char word[NAME_CHARS];
  uint32_t length = 0;
  for (; name[length] && length + 1 < NAME_CHARS; length++)
    word[length] = name[length] > ' ' && name[length] < 127 && name[length] != '#' //
                       ? name[length]
                       : '_';
  word[length] = '\0';
  tny_text_add(text, "cluster %s", length > 0 ? word : "unnamed");
}

static void write_text(struct tny_text *text, const struct tny_learn_key *key,
                       const struct tny_guard_results *results)
{
  tny_text_add(text, "tourney learned %d\n", VERSION);
  write_name(text, key->cluster);
  tny_text_add(text, " fingerprint %016" PRIx64 " ranks %u\n", key->fingerprint, key->rank_count);
  for (uint32_t i = 0; i < results->count; i++) {
    const struct tny_guard_result *result = &results->list[i];
    char served[TNY_ALGORITHM_CHOICE_CHARS] = "native";
    if (result->choice.algorithm)
      tny_algorithm_choice_write(&result->choice, served);
    tny_text_add(text, "%s%s %llu %s %.0f %.0f\n", tny_guard_is_own(result->number) ? "own " : "",
                 tny_guard_name(result->collective, result->number),
                 (unsigned long long)tny_guard_bytes(result->number), served, result->native_ns,
                 result->settled_ns);
  }
  tny_text_add(text, "end %u\n", results->count);
}

enum tny_status tny_learn_write(const char *path, const struct tny_learn_key *key,
                                const struct tny_guard_results *results, struct tny_error *error)
{
  struct tny_text text = {0};
  char *bytes;
  write_text(&text, key, results);
  enum tny_status status = tny_text_take(&text, &bytes, error);
  if (status != TNY_OK)
    return status;
  status = tny_file_write(path, bytes, error);
  tny_text_free(bytes);
  return status;
}
