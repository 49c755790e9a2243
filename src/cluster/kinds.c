/* Which nodes are hosts where the file doesn't say: a node with one cable is a host, any other a
   switch. A host that was plugged in twice by mistake would pass for a switch by that rule, so what
   looks like one is refused. */
#include "cluster/build.h"
#include "core/alloc.h"
#include "core/error.h"

/* What is to be known of a node's neighbours. */
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

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* FNV-1a of the name with each number replaced by one '#': names that count alike have it in
   common. */
static uint64_t stem_of(const char *name)
{
  uint64_t value = 14695981039346656037u;
  for (const char *c = name; *c; c++) {
    if (is_digit(*c) && c > name && is_digit(c[-1]))
      continue;
    value = (value ^ (unsigned char)(is_digit(*c) ? '#' : *c)) * 1099511628211u;
  }
  return value;
}

static int compare_stems(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The stems of all hosts' names, sorted, neighbours that are equal merged. */
static uint64_t *host_stems(const struct tny_build *build, uint32_t *count)
{
  uint64_t *stems = tny_new(build->node_count, sizeof *stems);
  *count = 0;
  if (!stems)
    return NULL;
  for (uint32_t node = 0; node < build->node_count; node++) {
    if (build->nodes[node].kind != TNY_KIND_HOST)
      continue;
    const uint64_t stem = stem_of(tny_build_name(build, node));
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
                      "one; if it is a switch, say \"%.80s\" [kind=switch]",
                      name, build->nodes[node].degree, first, second, name);
}

/* `guessed` tells which nodes are switches only by our rule. */
static enum tny_status check_guesses(const struct tny_build *build, const bool *guessed,
                                     struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  uint32_t stem_count;
  struct surroundings *around = survey(build);
  uint64_t *stems = host_stems(build, &stem_count);
  if (!around || !stems)
    status = tny_error_memory(error);
  for (uint32_t node = 0; !status && node < build->node_count; node++) {
    if (!guessed[node] || around[node].has_host || around[node].neighbour == TNY_NONE)
      continue;
    const uint64_t stem = stem_of(tny_build_name(build, node));
    if (around[node].other == TNY_NONE ||
        bsearch(&stem, stems, stem_count, sizeof *stems, compare_stems))
      status = refuse_twice_plugged(build, node, &around[node], error);
  }
  tny_free(around);
  tny_free(stems);
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
