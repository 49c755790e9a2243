/* Slurm's topology.conf, of the plugins topology/tree and topology/block: a line for each switch or
   block, as its manual page has it and as Slurm's own parser takes it. Lines that end in a
   backslash go on in the next one, # begins a comment, and a backslash takes away what a character
   means; keys may be in capitals or not, values in quotes. LinkSpeed has no unit and is ignored, as
   by Slurm. What `scontrol show topology` prints is read too: a switch's Level, with all nodes
   below it, and blocks once more in larger ones. */
#include <strings.h>

#include "core/alloc.h"
#include "core/error.h"
#include "import/format.h"
#include "import/tiers.h"

#define SPACE " \t\r\n\f\v"
#define KEY_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."

enum key {
  SWITCH_NAME,
  BLOCK_NAME,
  AGGREGATED_BLOCK,
  BLOCK_SIZES,
  NODES,
  SWITCHES,
  LINK_SPEED,
  LEVEL,
  BLOCK_INDEX,
  BLOCK_SIZE,
  KEY_COUNT
};
static const char *const keys[KEY_COUNT] = {
    [SWITCH_NAME] = "SwitchName",
    [BLOCK_NAME] = "BlockName",
    [AGGREGATED_BLOCK] = "AggregatedBlock",
    [BLOCK_SIZES] = "BlockSizes",
    [NODES] = "Nodes",
    [SWITCHES] = "Switches",
    [LINK_SPEED] = "LinkSpeed",
    [LEVEL] = "Level",
    [BLOCK_INDEX] = "BlockIndex",
    [BLOCK_SIZE] = "BlockSize",
};

/* The kinds of lines: the key that makes a line one, and a set of those that may be beside it. */
#define BLOCK_KEYS (1U << NODES | 1U << BLOCK_INDEX | 1U << BLOCK_SIZE)
static const struct {
  enum key name;
  unsigned beside;
} kinds[] = {
    {SWITCH_NAME, 1U << NODES | 1U << SWITCHES | 1U << LINK_SPEED | 1U << LEVEL},
    {BLOCK_NAME, BLOCK_KEYS | 1U << BLOCK_SIZES},
    {AGGREGATED_BLOCK, BLOCK_KEYS},
    {BLOCK_SIZES, 0},
};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

/* The files while they are read. */
struct reader {
  struct tny_tiers tiers;
  const char *file;
  unsigned line;       /* where the one that is read begins */
  bool has[KEY_COUNT]; /* some line has had the key */
};

/* --- lines --- */

/* The length of a line without its comment. */
static size_t cut_comment(const char *line, size_t length)
{
  bool escaped = false;
  for (size_t i = 0; i < length; i++) {
    if (line[i] == '#' && !escaped)
      return i;
    escaped = line[i] == '\\' && !escaped;
  }
  return length;
}

/* Whether the line ends in a backslash that isn't itself escaped; white space may follow. Then
   *length becomes what is before it. */
static bool is_continued(const char *line, size_t *length)
{
  size_t end = *length;
  while (end && strchr(SPACE, line[end - 1]))
    end--;
  size_t first = end;
  while (first && line[first - 1] == '\\')
    first--;
  if ((end - first) % 2 == 0)
    return false;
  *length = end - 1;
  return true;
}

static void drop_escapes(char *line)
{
  char *to = line;
  for (const char *from = line; *from; from++) {
    if (*from == '\\' && from[1])
      from++;
    *to++ = *from;
  }
  *to = '\0';
}

/* Cuts the next line off *text, which is ours: joined with those that continue it, without comments
   and escapes. What is joined is never longer than what it is joined from. */
static char *next_line(char **text, unsigned *line)
{
  char *const start = *text;
  char *end = start;
  for (bool goes_on = true; goes_on && **text;) {
    char *part = *text;
    const size_t bytes = strcspn(part, "\n");
    *text += bytes + (part[bytes] == '\n');
    ++*line;
    size_t length = cut_comment(part, bytes);
    goes_on = is_continued(part, &length);
    memmove(end, part, length);
    end += length;
  }
  *end = '\0';
  drop_escapes(start);
  return start;
}

/* --- KEY=VALUE --- */

static enum tny_status find_key(const struct reader *reader, const char *word, size_t length,
                                enum key *key, struct tny_error *error)
{
  for (unsigned i = 0; i < KEY_COUNT; i++)
    if (!strncasecmp(word, keys[i], length) && !keys[i][length]) {
      *key = (enum key)i;
      return TNY_OK;
    }
  if (length == strlen("Include") && !strncasecmp(word, "Include", length))
    return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                        "Include isn't followed: take the line out, and give the file that it "
                        "names beside this one");
  return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                      "\"%.*s\" isn't known here: a line is SwitchName=NAME with Nodes=, Switches= "
                      "or LinkSpeed=, or BlockName=NAME with Nodes=, or BlockSizes=",
                      (int)(length < 40 ? length : 40), word);
}

/* Cuts the value at *at, with or without quotes, and moves *at behind it. NULL: there is none, or
   its quotes aren't closed. */
static const char *cut_value(char **at)
{
  char *value = *at + strspn(*at, SPACE);
  char *end = value + strcspn(value, SPACE);
  if (*value == '"') {
    end = strchr(++value, '"');
    if (!end || (end[1] && !strchr(SPACE, end[1])))
      return NULL;
  }
  if (end == value)
    return NULL;
  *at = end + (*end != '\0');
  *end = '\0';
  return value;
}

/* `values` are by key, and NULL so far. */
static enum tny_status read_pairs(const struct reader *reader, char *at,
                                  const char *values[KEY_COUNT], struct tny_error *error)
{
  for (at += strspn(at, SPACE); *at; at += strspn(at, SPACE)) {
    const char *word = at;
    const size_t length = strspn(word, KEY_CHARACTERS);
    enum key key = SWITCH_NAME;
    enum tny_status status = TNY_OK;
    at += length + strspn(at + length, SPACE);
    if (length == 0)
      return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                          "KEY=VALUE belongs here, not \"%.*s\"", (int)strcspn(word, SPACE), word);
    status = find_key(reader, word, length, &key, error);
    if (status)
      return status;
    if (*at != '=')
      return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                          "a = belongs behind %s", keys[key]);
    if (values[key])
      return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                          "%s is twice on the line: begin a line for each switch or block",
                          keys[key]);
    at++;
    values[key] = cut_value(&at);
    if (!values[key])
      return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                          "%s= has no value, or a quote that isn't closed", keys[key]);
  }
  return TNY_OK;
}

/* --- what a line says --- */

/* Faults of one line, but for those that tny_tiers_add finds. */
static enum tny_status check(const struct reader *reader, const char *const values[KEY_COUNT],
                             struct tny_error *error)
{
  size_t kind = 0;
  unsigned given = 0;
  for (unsigned i = 0; i < KEY_COUNT; i++)
    given |= (unsigned)(values[i] != NULL) << i;
  while (kind < KIND_COUNT && !values[kinds[kind].name])
    kind++;
  if (kind == KIND_COUNT && given)
    return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                        "whose is it? Begin the line with SwitchName= or BlockName=");
  for (unsigned i = 0; kind < KIND_COUNT && i < KEY_COUNT; i++)
    if (values[i] && i != kinds[kind].name && !(kinds[kind].beside >> i & 1))
      return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                          "%s= and %s= don't belong on one line", keys[kinds[kind].name], keys[i]);
  if (reader->has[SWITCH_NAME] && (reader->has[BLOCK_NAME] || reader->has[BLOCK_SIZES]))
    return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                        "switches and blocks are in one file: keep the lines of one plugin, "
                        "topology/tree or topology/block");
  return TNY_OK;
}

/* `text` is ours to cut. */
static enum tny_status read_line(struct reader *reader, char *text, struct tny_error *error)
{
  const char *values[KEY_COUNT] = {0};
  enum tny_status status = read_pairs(reader, text, values, error);
  if (status)
    return status;
  for (unsigned i = 0; i < KEY_COUNT; i++)
    reader->has[i] |= values[i] != NULL;
  status = check(reader, values, error);
  const bool repeats = values[LEVEL] && values[SWITCHES]; /* the nodes of the switches below it */
  const struct tny_tier_line line = {.name = values[SWITCH_NAME] ? values[SWITCH_NAME]
                                                                 : values[BLOCK_NAME],
                                     .hosts = repeats ? NULL : values[NODES],
                                     .switches = values[SWITCHES],
                                     .file = reader->file,
                                     .line = reader->line};
  return status || !line.name ? status : tny_tiers_add(&reader->tiers, &line, error);
}

static enum tny_status read_file(struct reader *reader, const struct tny_import_file *file,
                                 struct tny_error *error)
{
  char *copy = tny_copy_text(file->text);
  if (!copy)
    return tny_error_memory(error);
  enum tny_status status = TNY_OK;
  unsigned line = 0;
  reader->file = file->name;
  for (char *rest = copy; !status && *rest;) {
    reader->line = line + 1;
    char *text = next_line(&rest, &line);
    status = read_line(reader, text, error);
  }
  tny_free(copy);
  return status;
}

enum tny_status tny_slurm_conf_read(const struct tny_import_request *import,
                                    struct tny_build *build, struct tny_error *error)
{
  struct reader reader = {0};
  tny_tiers_init(&reader.tiers, import, build);
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < import->file_count; i++)
    status = read_file(&reader, &import->files[i], error);
  if (!status && reader.tiers.count == 0)
    status = tny_error_at(error, TNY_BAD_INPUT, import->files[0].name, 0, 0,
                          "there is no switch and no block: a line is SwitchName=s0 Nodes=n[0-7]");
  if (!status)
    status = reader.has[BLOCK_NAME] ? tny_tiers_join_under_one(&reader.tiers, error)
                                    : tny_tiers_join(&reader.tiers, error);
  tny_tiers_release(&reader.tiers);
  return status;
}

bool tny_slurm_conf_recognize(const char *text)
{
  static const char *const first[] = {"SwitchName", "BlockName", "BlockSizes"};
  for (text += strspn(text, SPACE); *text == '#'; text += strspn(text, SPACE))
    text += strcspn(text, "\n");
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
    const size_t length = strlen(first[i]);
    if (!strncasecmp(text, first[i], length) && text[length + strspn(text + length, SPACE)] == '=')
      return true;
  }
  return false;
}
