/* Decides which nodes are hosts where the file doesn't say: a node with one cable is a host, any
   other is a switch. By that rule a host that was given two cables by mistake would pass for a
   switch. So a node whose name or neighbours suggest a host is refused; and where nothing is known
   but two cables to two switches, the cluster carries a note that says what was assumed. */
#include "cluster/build.h"
#include "core/alloc.h"
#include "core/bytes.h"
#include "core/error.h"
#include "core/scan.h"

/* What is known of a node's neighbours. */
struct surroundings {
  uint32_t neighbour; /* the first */
  uint32_t other;     /* one that isn't the first, or TNY_NONE */
  bool has_host;
};

static void note_neighbour(const struct tny_build *build, struct surroundings *node,
                           uint32_t neighbour)
{
  if (node->neighbour == TNY_NONE)
    node->neighbour = neighbour;
  else if (node->neighbour != neighbour)
    node->other = neighbour;
  node->has_host |= build->nodes[neighbour].kind == TNY_KIND_HOST;
}

static struct surroundings *survey(const struct tny_build *build)
{
  struct surroundings *around = tny_new(build->node_count, sizeof *around);
  if (!around)
    return NULL;
  for (uint32_t node = 0; node < build->node_count; node++)
    around[node].neighbour = around[node].other = TNY_NONE;
  for (uint32_t i = 0; i < build->cable_count; i++) {
    note_neighbour(build, &around[build->cables[i].from], build->cables[i].to);
    note_neighbour(build, &around[build->cables[i].to], build->cables[i].from);
  }
  return around;
}

uint64_t tny_build_stem(const char *name)
{
  uint64_t value = TNY_HASH_START;
  for (const char *c = name; *c; c++) {
    if (!tny_is_digit(*c))
      value = tny_hash_bytes(value, c, 1);
    else if (c == name || !tny_is_digit(c[-1]))
      value = tny_hash_bytes(value, "#", 1);
  }
  return value;
}

static int compare_stems(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The stems of the names of all hosts, or of all switches that have hosts or are said to be
   switches, sorted, neighbours that are equal merged. */
static uint64_t *stems_of(const struct tny_build *build, const bool *counts, uint32_t *count)
{
  uint64_t *stems = tny_new(build->node_count, sizeof *stems);
  *count = 0;
  if (!stems)
    return NULL;
  for (uint32_t node = 0; node < build->node_count; node++) {
    if (!counts[node])
      continue;
    const uint64_t stem = tny_build_stem(tny_build_name(build, node));
    if (*count == 0 || stems[*count - 1] != stem)
      stems[(*count)++] = stem;
  }
  qsort(stems, *count, sizeof *stems, compare_stems);
  return stems;
}

static enum tny_status refuse_twice_plugged(const struct tny_build *build, uint32_t node,
                                            const struct surroundings *around,
                                            struct tny_error *error)
{
  const char *name = tny_build_name(build, node);
  const char *first = tny_build_name(build, around->neighbour);
  const char *second = around->other == TNY_NONE ? first : tny_build_name(build, around->other);
  return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                      "%.80s looks like a host with %u cables (to %.80s and to %.80s): a host has "
                      "one%s; if it is a switch, say \"%.80s\" [kind=switch]",
                      name, build->nodes[node].degree, first, second,
                      first == second ? ", with cables=2 and a spread if it has two ports" : "",
                      name);
}

static bool has_stem(const uint64_t *stems, uint32_t count, uint64_t stem)
{
  return bsearch(&stem, stems, count, sizeof *stems, compare_stems) != NULL;
}

/* The stems of names, by which nodes of one kind resemble each other. */
struct stems {
  bool *counts; /* by node: its name is one of those */
  uint64_t *of_hosts, *of_switches;
  uint32_t host_count, switch_count;
};

static enum tny_status list_stems(const struct tny_build *build, const bool *guessed,
                                  const struct surroundings *around, struct stems *stems,
                                  struct tny_error *error)
{
  stems->counts = tny_new(build->node_count, sizeof *stems->counts);
  if (!stems->counts)
    return tny_error_memory(error);
  for (uint32_t node = 0; node < build->node_count; node++)
    stems->counts[node] = build->nodes[node].kind == TNY_KIND_HOST;
  stems->of_hosts = stems_of(build, stems->counts, &stems->host_count);
  for (uint32_t node = 0; node < build->node_count; node++)
    stems->counts[node] =
        build->nodes[node].kind == TNY_KIND_SWITCH && (!guessed[node] || around[node].has_host);
  stems->of_switches = stems_of(build, stems->counts, &stems->switch_count);
  return stems->of_hosts && stems->of_switches ? TNY_OK : tny_error_memory(error);
}

/* `guessed` marks the nodes that are switches by the rule alone. */
static enum tny_status check_guesses(struct tny_build *build, const bool *guessed,
                                     struct tny_error *error)
{
  struct stems stems = {0};
  struct surroundings *around = survey(build);
  enum tny_status status =
      around ? list_stems(build, guessed, around, &stems, error) : tny_error_memory(error);
  for (uint32_t node = 0; !status && node < build->node_count; node++) {
    if (!guessed[node] || around[node].has_host || around[node].neighbour == TNY_NONE)
      continue;
    const uint64_t stem = tny_build_stem(tny_build_name(build, node));
    if (around[node].other == TNY_NONE || has_stem(stems.of_hosts, stems.host_count, stem))
      status = refuse_twice_plugged(build, node, &around[node], error);
    else if (build->nodes[node].degree == 2 && !build->doubtful &&
             !has_stem(stems.of_switches, stems.switch_count, stem))
      build->doubtful = node + 1;
  }
  tny_free(around);
  tny_free(stems.counts);
  tny_free(stems.of_hosts);
  tny_free(stems.of_switches);
  return status;
}

enum tny_status tny_build_infer_kinds(struct tny_build *build, struct tny_error *error)
{
  bool *guessed = tny_new(build->node_count, sizeof *guessed);
  if (!guessed)
    return tny_error_memory(error);
  bool any = false;
  for (uint32_t node = 0; node < build->node_count; node++) {
    if (build->nodes[node].kind != TNY_KIND_UNKNOWN)
      continue;
    guessed[node] = build->nodes[node].degree != 1;
    any |= guessed[node];
    build->nodes[node].kind = guessed[node] ? TNY_KIND_SWITCH : TNY_KIND_HOST;
  }
  const enum tny_status status = any ? check_guesses(build, guessed, error) : TNY_OK;
  tny_free(guessed);
  return status;
}
