/* The form of a stored plan:

     "tourney-plan-1\n"         a line
     collective, algorithm      two lines, as they are typed
     ranks, root, bytes, fingerprint, the head of the parts, the length of each part
                                numbers of 8 bytes
     the parts                  as schedule/pack.c has them
     check                      8 bytes: a hash of all before */
#include "plan/stored.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"

static const char magic[] = "tourney-plan-1\n";
enum { CHECK_BYTES = 8 };

struct tny_stored_name tny_stored_name(const struct tny_stored_key *key)
{
  struct tny_stored_name name;
  char algorithm[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&key->choice, algorithm);
  name.common = (size_t)snprintf(name.text, sizeof name.text,
                                 "%s.%s.ranks%" PRIu32 ".root%" PRIu32 ".bytes%" PRIu64 ".",
                                 tny_collective_name(key->choice.algorithm->collective), algorithm,
                                 key->rank_count, key->root, key->step_bytes);
  snprintf(name.text + name.common, sizeof name.text - name.common, "%016" PRIx64 ".plan",
           key->fingerprint);
  return name;
}

/* The lines at the beginning. */
static void write_lines(const struct tny_stored_key *key, char *text, size_t room)
{
  char algorithm[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&key->choice, algorithm);
  snprintf(text, room, "%s%s\n%s\n", magic, tny_collective_name(key->choice.algorithm->collective),
           algorithm);
}

void tny_stored_write(const struct tny_stored_key *key, const struct tny_parts *parts,
                      struct tny_bytes *into)
{
  const uint64_t of_key[] = {key->rank_count, key->root, key->step_bytes, key->fingerprint};
  uint64_t of_head[TNY_PARTS_HEAD_NUMBERS];
  tny_parts_head_numbers(&parts->head, of_head);
  char lines[TNY_STORED_NAME_CHARS];
  write_lines(key, lines, sizeof lines);
  tny_bytes_add(into, lines, strlen(lines));
  for (size_t i = 0; i < sizeof of_key / sizeof *of_key; i++)
    tny_bytes_add_fixed(into, of_key[i]);
  for (size_t i = 0; i < TNY_PARTS_HEAD_NUMBERS; i++)
    tny_bytes_add_fixed(into, of_head[i]);
  tny_bytes_add_fixed(into, (uint64_t)parts->head.id);
  for (uint32_t rank = 0; rank < parts->rank_count; rank++)
    tny_bytes_add_fixed(into, parts->first[rank + 1] - parts->first[rank]);
  tny_bytes_add(into, parts->bytes.bytes, parts->bytes.length);
  if (!into->failed)
    tny_bytes_add_fixed(into, tny_hash_bytes(TNY_HASH_START, into->bytes, into->length));
}

/* A number of at most 32 bits. */
static uint32_t read_u32(struct tny_byte_reader *reader)
{
  const uint64_t number = tny_read_fixed(reader);
  if (number > UINT32_MAX)
    reader->failed = true;
  return (uint32_t)number;
}

/* Is it the plan of this key? */
static enum tny_status read_key(const struct tny_stored_key *key, struct tny_byte_reader *reader,
                                struct tny_error *error)
{
  char lines[TNY_STORED_NAME_CHARS];
  write_lines(key, lines, sizeof lines);
  const uint8_t *found = tny_read_bytes(reader, strlen(lines));
  const bool is_same = found && memcmp(found, lines, strlen(lines)) == 0;
  const uint32_t rank_count = read_u32(reader), root = read_u32(reader);
  const uint64_t step_bytes = tny_read_fixed(reader), fingerprint = tny_read_fixed(reader);
  if (!is_same || rank_count != key->rank_count || root != key->root ||
      step_bytes != key->step_bytes)
    return tny_error_set(error, TNY_BAD_INPUT, "the plan of another call: was the file renamed?");
  if (fingerprint != key->fingerprint)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "the plan for another cluster, or for ranks on other hosts");
  return TNY_OK;
}

static void read_head(struct tny_byte_reader *reader, struct tny_parts_head *head)
{
  head->form = (enum tny_parts_form)read_u32(reader);
  head->segment_count = read_u32(reader);
  head->pace.chunk_count = read_u32(reader);
  head->pace.window = read_u32(reader);
  head->pace.limit_message_bytes = read_u32(reader);
  head->stages.piece_count = read_u32(reader);
  head->stages.scratch_blocks = read_u32(reader);
  head->stages.cut_count = read_u32(reader);
  head->stages.run = read_u32(reader);
  head->stages.pacing = (enum tny_pacing)read_u32(reader);
  head->stages.window = read_u32(reader);
  head->id = (int64_t)tny_read_fixed(reader);
  if ((head->form != TNY_PARTS_EMITTED && head->form != TNY_PARTS_FINISHED) ||
      head->segment_count == 0 || head->pace.chunk_count == 0)
    reader->failed = true;
}

static enum tny_status read_parts(struct tny_byte_reader *reader, struct tny_parts *parts,
                                  struct tny_error *error)
{
  const uint32_t p = parts->rank_count;
  if ((size_t)(reader->end - reader->at) / 8 < p)
    reader->failed = true;
  if (!reader->failed)
    parts->first = tny_new((size_t)p + 1, sizeof *parts->first);
  if (!reader->failed && !parts->first)
    return tny_error_memory(error);
  for (uint32_t rank = 0; rank < p && !reader->failed; rank++)
    parts->first[rank + 1] = parts->first[rank] + read_u32(reader);
  const size_t left = reader->failed ? 0 : (size_t)(reader->end - reader->at);
  if (reader->failed || parts->first[p] != left)
    return tny_error_set(error, TNY_BAD_INPUT, "damaged: its parts have other lengths");
  tny_bytes_add(&parts->bytes, tny_read_bytes(reader, left), left);
  if (parts->bytes.failed)
    return tny_error_memory(error);
  if (tny_parts_id(parts) != parts->head.id)
    return tny_error_set(error, TNY_BAD_INPUT, "damaged: its parts aren't those it was made with");
  return TNY_OK;
}

enum tny_status tny_stored_read(const struct tny_stored_key *key, const uint8_t *bytes,
                                size_t count, struct tny_parts *parts, struct tny_error *error)
{
  *parts = (struct tny_parts){.rank_count = key->rank_count};
  const size_t checked = count > CHECK_BYTES ? count - CHECK_BYTES : 0;
  struct tny_byte_reader check = {.at = bytes + checked, .end = bytes + count};
  struct tny_byte_reader reader = {.at = bytes, .end = bytes + checked};
  if (checked < strlen(magic) || memcmp(bytes, magic, strlen(magic)) != 0)
    return tny_error_set(error, TNY_BAD_INPUT, "no stored plan of this version of Tourney");
  if (tny_read_fixed(&check) != tny_hash_bytes(TNY_HASH_START, bytes, checked))
    return tny_error_set(error, TNY_BAD_INPUT, "damaged: its check doesn't fit");
  enum tny_status status = read_key(key, &reader, error);
  if (status != TNY_OK)
    return status;
  read_head(&reader, &parts->head);
  return read_parts(&reader, parts, error);
}
