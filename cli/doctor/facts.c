/* Reads facts, a line each: the first word says which kind it is. */
#include "facts.h"

#include <inttypes.h>

#include "cli/shared/words.h"
#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

#define NAME_BYTES 256
#define WORD_BYTES 128
#define PROCESSORS_MAX (64 * 16)

/* A list with room for one more element: the same, or a longer copy; NULL where there is no memory.
 */
static void *grown(struct tny_arena *arena, void *at, uint32_t count, uint32_t *room, size_t bytes)
{
  if (count < *room)
    return at;
  *room = *room ? 2 * *room : 16;
  void *copy = tny_arena_take(arena, *room, bytes);
  if (copy && count)
    memcpy(copy, at, count * bytes);
  return copy;
}
#define GROW(facts, list)                                                                          \
  ((list)->at = grown((facts)->arena, (list)->at, (list)->count, &(list)->room, sizeof *(list)->at))

enum tny_status doctor_facts_init(struct doctor_facts *facts, const struct tny_cluster *cluster,
                                  struct tny_error *error)
{
  *facts = (struct doctor_facts){.cluster = cluster, .arena = tny_arena_new()};
  if (!facts->arena)
    return tny_error_memory(error);
  return cluster ? tny_routes_make(cluster, &facts->routes, error) : TNY_OK;
}

void doctor_facts_release(struct doctor_facts *facts)
{
  tny_routes_free(facts->routes);
  tny_arena_free(facts->arena);
  *facts = (struct doctor_facts){0};
}

static enum tny_status complain(const char *line, struct tny_error *error)
{
  return tny_error_set(error, TNY_BAD_INPUT,
                       "'%.100s' isn't a fact as this version of tourney doctor has them", line);
}

/* A host's index; it is added where it's new. */
static enum tny_status find_host(struct doctor_facts *facts, const char *name, uint32_t *index,
                                 struct tny_error *error)
{
  for (*index = 0; *index < facts->hosts.count; ++*index)
    if (!strcmp(facts->hosts.at[*index].name, name))
      return TNY_OK;
  const char *copy = tny_arena_copy_text(facts->arena, name);
  if (!copy || !GROW(facts, &facts->hosts))
    return tny_error_memory(error);
  const uint32_t known = facts->cluster ? tny_cluster_find_host(facts->cluster, name) : TNY_NONE;
  facts->hosts.at[facts->hosts.count++] = (struct doctor_host){.name = copy, .cluster_host = known};
  return TNY_OK;
}

static enum tny_status read_version(struct doctor_facts *facts, const char *line,
                                    struct tny_error *error)
{
  if (strcmp(line, "facts 1"))
    return complain(line, error);
  facts->started = true;
  return TNY_OK;
}

static enum tny_status read_lab(struct doctor_facts *facts, const char *line,
                                struct tny_error *error)
{
  char name[WORD_BYTES];
  if (sscanf(line, "lab %127s", name) != 1)
    return complain(line, error);
  facts->lab = tny_arena_copy_text(facts->arena, name);
  return facts->lab ? TNY_OK : tny_error_memory(error);
}

static enum tny_status read_ranks(struct doctor_facts *facts, const char *line,
                                  struct tny_error *error)
{
  return sscanf(line, "ranks %" SCNu32, &facts->rank_count) == 1 ? TNY_OK : complain(line, error);
}

/* Adds a list of processors such as "0-3,8". */
static bool add_processors(struct doctor_host *host, const char *list)
{
  while (*list) {
    char *rest;
    const unsigned long first = strtoul(list, &rest, 10);
    const unsigned long last = *rest == '-' ? strtoul(rest + 1, &rest, 10) : first;
    if (rest == list || last < first || (*rest && *rest != ','))
      return false;
    for (unsigned long cpu = first; cpu <= last && cpu < PROCESSORS_MAX; cpu++)
      host->processors[cpu / 64] |= UINT64_C(1) << cpu % 64;
    list = rest + (*rest == ',');
  }
  return true;
}

static enum tny_status read_rank(struct doctor_facts *facts, const char *line,
                                 struct tny_error *error)
{
  uint32_t rank, host;
  char name[NAME_BYTES], list[512] = "";
  if (sscanf(line, "rank %" SCNu32 " %255s %511s", &rank, name, list) < 2)
    return complain(line, error);
  const enum tny_status status = find_host(facts, name, &host, error);
  if (status != TNY_OK)
    return status;
  facts->hosts.at[host].rank_count++;
  return add_processors(&facts->hosts.at[host], list) ? TNY_OK : complain(line, error);
}

static enum tny_status read_fact(struct doctor_facts *facts, const char *line,
                                 struct tny_error *error)
{
  char name[NAME_BYTES], key[WORD_BYTES];
  int end = 0;
  uint32_t index;
  if (sscanf(line, "host %255s %127s%n", name, key, &end) != 2)
    return complain(line, error);
  const enum tny_status status = find_host(facts, name, &index, error);
  if (status != TNY_OK)
    return status;
  struct doctor_host *host = &facts->hosts.at[index];
  const char *value = line + end + (line[end] == ' ');
  struct doctor_fact fact = {tny_arena_copy_text(facts->arena, key),
                             tny_arena_copy_text(facts->arena, value)};
  if (!fact.key || !fact.value || !GROW(facts, &host->facts))
    return tny_error_memory(error);
  host->facts.at[host->facts.count++] = fact;
  return TNY_OK;
}

/* Is this a number that can have been measured? */
static bool is_measured(double number)
{
  return number >= 0 && number < 1e15;
}

/* The words FROM and TO of a line. */
static enum tny_status find_pair(struct doctor_facts *facts, char names[2][NAME_BYTES],
                                 uint32_t pair[2], struct tny_error *error)
{
  const enum tny_status status = find_host(facts, names[0], &pair[0], error);
  return status == TNY_OK ? find_host(facts, names[1], &pair[1], error) : status;
}

/* A link's index, or "-"; false where there is a cluster that has no such link. */
static bool read_link(const struct doctor_facts *facts, const char *word, uint32_t *link)
{
  const uint32_t count = facts->cluster ? facts->cluster->link_count : TNY_NONE;
  char *rest;
  *link = TNY_NONE;
  if (!strcmp(word, "-"))
    return true;
  *link = (uint32_t)strtoul(word, &rest, 10);
  return !*rest && *link < count;
}

static enum tny_status read_transfer(struct doctor_facts *facts, const char *line,
                                     struct tny_error *error)
{
  static const char *const kinds[] = {"solo", "inside", "cut"};
  char kind[16], link[16], names[2][NAME_BYTES];
  struct doctor_transfer transfer = {0};
  uint32_t pair[2];
  if (sscanf(line, "transfer %15s %15s %255s %255s %lf", kind, link, names[0], names[1],
             &transfer.bps) != 5 ||
      !is_measured(transfer.bps) || !read_link(facts, link, &transfer.link))
    return complain(line, error);
  uint32_t k = 0;
  while (k < 3 && strcmp(kind, kinds[k]))
    k++;
  if (k == 3 || (k == DOCTOR_CUT) != (transfer.link != TNY_NONE))
    return complain(line, error);
  const enum tny_status status = find_pair(facts, names, pair, error);
  if (status != TNY_OK)
    return status;
  if (!GROW(facts, &facts->transfers))
    return tny_error_memory(error);
  transfer.kind = (enum doctor_transfer_kind)k;
  transfer.from = pair[0];
  transfer.to = pair[1];
  facts->transfers.at[facts->transfers.count++] = transfer;
  return TNY_OK;
}

static enum tny_status read_latency(struct doctor_facts *facts, const char *line,
                                    struct tny_error *error)
{
  char names[2][NAME_BYTES];
  uint32_t pair[2];
  double seconds;
  if (sscanf(line, "latency %255s %255s %lf", names[0], names[1], &seconds) != 3 ||
      !is_measured(seconds))
    return complain(line, error);
  const enum tny_status status = find_pair(facts, names, pair, error);
  if (status != TNY_OK)
    return status;
  if (!GROW(facts, &facts->latencies))
    return tny_error_memory(error);
  facts->latencies.at[facts->latencies.count++] =
      (struct doctor_latency){pair[0], pair[1], seconds};
  return TNY_OK;
}

static enum tny_status read_buffer(struct doctor_facts *facts, const char *line,
                                   struct tny_error *error)
{
  char names[2][NAME_BYTES], link[16];
  uint32_t pair[2];
  struct doctor_buffer buffer = {0};
  if (sscanf(line, "buffer %15s %255s %255s %lf %lf", link, names[0], names[1], &buffer.bytes,
             &buffer.lost) != 5 ||
      !is_measured(buffer.bytes) || !is_measured(buffer.lost) ||
      !read_link(facts, link, &buffer.link) || buffer.link == TNY_NONE)
    return complain(line, error);
  const enum tny_status status = find_pair(facts, names, pair, error);
  if (status != TNY_OK)
    return status;
  if (!GROW(facts, &facts->buffers))
    return tny_error_memory(error);
  buffer.from = pair[0];
  buffer.to = pair[1];
  facts->buffers.at[facts->buffers.count++] = buffer;
  return TNY_OK;
}

static bool read_variant(const char *word, enum doctor_variant *variant)
{
  *variant = strcmp(word, "native") ? DOCTOR_PLANNED : DOCTOR_NATIVE;
  return *variant == DOCTOR_NATIVE || !strcmp(word, "planned");
}

static enum tny_status read_exchange(struct doctor_facts *facts, const char *line,
                                     struct tny_error *error)
{
  char word[16], algorithm[WORD_BYTES];
  enum doctor_variant variant;
  struct doctor_exchange exchange = {0};
  if (sscanf(line, "exchange %15s %lf %lf %127s", word, &exchange.bytes, &exchange.seconds,
             algorithm) != 4 ||
      !is_measured(exchange.bytes) || !is_measured(exchange.seconds) ||
      !read_variant(word, &variant))
    return complain(line, error);
  exchange.algorithm = tny_arena_copy_text(facts->arena, algorithm);
  facts->exchanges[variant] = exchange;
  return exchange.algorithm ? TNY_OK : tny_error_memory(error);
}

static enum tny_status read_window(struct doctor_facts *facts, const char *line,
                                   struct tny_error *error)
{
  char word[16], name[NAME_BYTES];
  enum doctor_variant variant;
  struct doctor_losses l = {0};
  uint32_t host;
  if (sscanf(line, "window %15s %255s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
             word, name, &l.segments, &l.lost, &l.timeouts, &l.dropped, &l.errors) != 7 ||
      !read_variant(word, &variant))
    return complain(line, error);
  const enum tny_status status = find_host(facts, name, &host, error);
  if (status != TNY_OK)
    return status;
  facts->hosts.at[host].losses[variant] = l;
  facts->hosts.at[host].counted[variant] = true;
  return TNY_OK;
}

/* "port LINK PLANNED NATIVE": what a port of the lab dropped in each exchange. */
static enum tny_status read_port(struct doctor_facts *facts, const char *line,
                                 struct tny_error *error)
{
  char link[16];
  struct doctor_port port = {0};
  if (sscanf(line, "port %15s %" SCNu64 " %" SCNu64, link, &port.dropped[DOCTOR_PLANNED],
             &port.dropped[DOCTOR_NATIVE]) != 3 ||
      !read_link(facts, link, &port.link) || port.link == TNY_NONE)
    return complain(line, error);
  if (!GROW(facts, &facts->ports))
    return tny_error_memory(error);
  facts->ports.at[facts->ports.count++] = port;
  return TNY_OK;
}

static enum tny_status read_skipped(struct doctor_facts *facts, const char *line,
                                    struct tny_error *error)
{
  char what[WORD_BYTES];
  int end = 0;
  if (sscanf(line, "skipped %127s %n", what, &end) != 1 || !end)
    return complain(line, error);
  struct doctor_skipped skipped = {tny_arena_copy_text(facts->arena, what),
                                   tny_arena_copy_text(facts->arena, line + end)};
  if (!skipped.what || !skipped.reason || !GROW(facts, &facts->skipped))
    return tny_error_memory(error);
  facts->skipped.at[facts->skipped.count++] = skipped;
  return TNY_OK;
}

static enum tny_status read_done(struct doctor_facts *facts, const char *line,
                                 struct tny_error *error)
{
  (void)line, (void)error;
  facts->done = true;
  return TNY_OK;
}

enum tny_status doctor_facts_read(struct doctor_facts *facts, const char *line, bool *known,
                                  struct tny_error *error)
{
  static const struct {
    const char *word;
    enum tny_status (*read)(struct doctor_facts *, const char *, struct tny_error *);
  } kinds[] = {
      {"facts", read_version},     {"lab", read_lab},       {"ranks", read_ranks},
      {"rank", read_rank},         {"host", read_fact},     {"transfer", read_transfer},
      {"latency", read_latency},   {"buffer", read_buffer}, {"window", read_window},
      {"exchange", read_exchange}, {"port", read_port},     {"skipped", read_skipped},
      {"done", read_done},
  };
  const size_t length = strcspn(line, " ");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    *known = strlen(kinds[i].word) == length && !strncmp(line, kinds[i].word, length);
    if (!*known)
      continue;
    if (i && !facts->started)
      return complain(line, error);
    return kinds[i].read(facts, line, error);
  }
  return TNY_OK;
}

enum tny_status doctor_facts_open(struct doctor_facts *facts, const char *path,
                                  struct tny_error *error)
{
  char *text = NULL;
  enum tny_status status = tny_file_read(path, &text, error);
  unsigned number = 0;
  for (char *line = text; status == TNY_OK && *line; number++) {
    bool known;
    struct tny_error cause = {0};
    const size_t length = strcspn(line, "\n");
    const bool last = !line[length];
    line[length] = '\0';
    status = doctor_facts_read(facts, line, &known, &cause);
    if (status == TNY_OK && !known && length)
      status = complain(line, &cause);
    if (status != TNY_OK)
      tny_error_at(error, status, path, number + 1, 0, "%s", cause.text);
    line += length + !last;
  }
  if (status == TNY_OK && !facts->started)
    status = tny_error_at(error, TNY_BAD_INPUT, path, 0, 0,
                          "this isn't a file of facts: they are written by tourney doctor "
                          "--save-facts FILE");
  tny_text_free(text);
  return status;
}

/* --- questions --- */

const char *doctor_fact(const struct doctor_host *host, const char *key)
{
  for (uint32_t i = 0; i < host->facts.count; i++)
    if (!strcmp(host->facts.at[i].key, key))
      return host->facts.at[i].value;
  return NULL;
}

double doctor_fact_number(const struct doctor_host *host, const char *key, double otherwise)
{
  const char *value = doctor_fact(host, key);
  char *rest = NULL;
  const double number = value ? strtod(value, &rest) : 0;
  return rest != value ? number : otherwise;
}

uint32_t doctor_processor_count(const struct doctor_host *host)
{
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof host->processors / sizeof *host->processors; i++)
    count += (uint32_t)__builtin_popcountll(host->processors[i]);
  return count;
}

const char *doctor_skip_reason(const struct doctor_facts *facts, const char *what)
{
  for (uint32_t i = 0; i < facts->skipped.count; i++)
    if (!strcmp(facts->skipped.at[i].what, what))
      return facts->skipped.at[i].reason;
  return NULL;
}
