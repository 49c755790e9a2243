/* Tiers of switches into a build. Cables between switches can only be added after the last line, as
   lines name switches whose own line is yet to come. */
#include "import/tiers.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/text.h"

/* So many names are told in an error. */
#define NAMES_TOLD_MAX 5

void tny_tiers_init(struct tny_tiers *tiers, const struct tny_import_request *import,
                    struct tny_build *build)
{
  *tiers = (struct tny_tiers){.build = build,
                              .link = tny_build_default_cable,
                              .trunk = tny_build_default_cable,
                              .is_for_part = import->hosts != NULL};
  tiers->link.bandwidth_bps = import->link_bps;
  tiers->trunk.bandwidth_bps = import->trunk_bps ? import->trunk_bps : import->link_bps;
}

void tny_tiers_release(struct tny_tiers *tiers)
{
  for (uint32_t i = 0; i < tiers->count; i++)
    tny_free(tiers->tiers[i].switches);
  tny_free(tiers->tiers);
  tny_free(tiers->tier_of);
  *tiers = (struct tny_tiers){0};
}

static const char *name_of(const struct tny_tiers *tiers, const struct tny_tier *tier)
{
  return tny_build_name(tiers->build, tier->node);
}

/* Where a switch's line is, as seen from the one that is being read. */
struct place {
  char text[120];
};
static struct place place_of(const struct tny_tiers *tiers, const struct tny_tier *tier)
{
  struct place place;
  if (!strcmp(tier->file, tiers->build->file))
    snprintf(place.text, sizeof place.text, "line %u", tier->line);
  else
    snprintf(place.text, sizeof place.text, "line %u of %.80s", tier->line, tier->file);
  return place;
}

/* A list as core/hostlist.h has it: one comma between names. NULL: no memory. */
static char *tidy(const char *list)
{
  char *copy = tny_new(strlen(list) + 1, 1);
  if (!copy)
    return NULL;
  size_t length = 0;
  bool inside = false;
  for (const char *c = list; *c; c++) {
    if (inside || !strchr(", \t\r\n", *c)) {
      copy[length++] = *c;
      inside = *c == '[' || (inside && *c != ']');
    } else if (length && copy[length - 1] != ',') {
      copy[length++] = ',';
    }
  }
  if (length && copy[length - 1] == ',')
    length--;
  copy[length] = '\0';
  return copy;
}

/* --- a line: a switch and its hosts --- */

static bool grow(struct tny_tiers *tiers)
{
  if (tiers->count < tiers->room)
    return true;
  const uint32_t room = tiers->room ? 2 * tiers->room : 32;
  struct tny_tier *grown = tny_resize(tiers->tiers, room, sizeof *grown);
  if (!grown)
    return false;
  tiers->tiers = grown;
  tiers->room = room;
  return true;
}

/* Adds a node that belongs to the switch `tier`. */
static enum tny_status add_node(struct tny_tiers *tiers, const char *name, enum tny_kind kind,
                                uint32_t tier, struct tny_error *error)
{
  uint32_t node;
  const enum tny_status status = tny_build_add(tiers->build, name, kind, &node, error);
  if (status)
    return status;
  if (node == tiers->tier_of_room) {
    const uint32_t room = node ? 2 * node : 64;
    uint32_t *grown = tny_resize(tiers->tier_of, room, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    tiers->tier_of = grown;
    tiers->tier_of_room = room;
  }
  tiers->tier_of[node] = tier;
  return TNY_OK;
}

/* A switch of a name that is taken. */
static enum tny_status refuse_switch(const struct tny_tiers *tiers, uint32_t taken,
                                     struct tny_error *error)
{
  const struct tny_build *build = tiers->build;
  const struct tny_tier *other = &tiers->tiers[tiers->tier_of[taken]];
  const char *name = tny_build_name(build, taken);
  if (build->nodes[taken].kind == TNY_KIND_HOST)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "switch %.100s has the name of a host (%s): call the switch otherwise",
                        name, place_of(tiers, other).text);
  return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                      "switch %.100s is there already (%s): give all of it in one place, or call "
                      "one otherwise",
                      name, place_of(tiers, other).text);
}

/* A host of the last switch, of a name that is taken. */
static enum tny_status refuse_host(const struct tny_tiers *tiers, uint32_t taken,
                                   struct tny_error *error)
{
  const struct tny_build *build = tiers->build;
  const struct tny_tier *other = &tiers->tiers[tiers->tier_of[taken]];
  const struct tny_tier *self = &tiers->tiers[tiers->count - 1];
  const char *name = tny_build_name(build, taken);
  if (build->nodes[taken].kind == TNY_KIND_SWITCH)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "host %.100s has the name of a switch (%s): call the switch otherwise",
                        name, place_of(tiers, other).text);
  if (other == self)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "host %.100s is named twice on switch %.100s: leave one out", name,
                        name_of(tiers, self));
  return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                      "host %.80s is on switch %.80s (%s) and on switch %.80s: a host has one "
                      "cable, so leave it on one",
                      name, name_of(tiers, other), place_of(tiers, other).text,
                      name_of(tiers, self));
}

static enum tny_status count_host(void *state, const char *name, struct tny_error *error)
{
  uint32_t *left = state;
  (void)name;
  if (*left == 0)
    return tny_error_set(error, TNY_BAD_INPUT, "more than %u hosts: is a number in brackets wrong?",
                         TNY_HOSTS_MAX);
  --*left;
  return TNY_OK;
}

static enum tny_status take_host(void *state, const char *name, struct tny_error *error)
{
  struct tny_tiers *tiers = state;
  struct tny_build *build = tiers->build;
  const uint32_t tier = tiers->count - 1, taken = tny_build_find(build, name);
  if (taken != TNY_NONE)
    return refuse_host(tiers, taken, error);
  const enum tny_status status = add_node(tiers, name, TNY_KIND_HOST, tier, error);
  if (status)
    return status;
  struct tny_build_cable cable = tiers->link;
  cable.from = tiers->tiers[tier].node;
  cable.to = build->node_count - 1;
  tiers->host_count++;
  return tny_build_connect(build, &cable, error);
}

/* Calls `visit` for the names of a tidy list, and says where an error is. */
static enum tny_status expand(const struct tny_build *build, const char *list,
                              tny_hostlist_visitor *visit, void *state, struct tny_error *error)
{
  struct tny_error cause = {0};
  const enum tny_status status = tny_hostlist_expand(list, visit, state, &cause);
  return status ? tny_error_at(error, status, build->file, build->line, 0, "%s", cause.text)
                : TNY_OK;
}

/* Counts before any memory is taken. */
static enum tny_status add_hosts(struct tny_tiers *tiers, const char *list, struct tny_error *error)
{
  uint32_t left = TNY_HOSTS_MAX - tiers->host_count;
  char *tidied = tidy(list);
  if (!tidied)
    return tny_error_memory(error);
  enum tny_status status = expand(tiers->build, tidied, count_host, &left, error);
  if (!status)
    status = expand(tiers->build, tidied, take_host, tiers, error);
  tny_free(tidied);
  return status;
}

enum tny_status tny_tiers_add(struct tny_tiers *tiers, const struct tny_tier_line *line,
                              struct tny_error *error)
{
  struct tny_build *build = tiers->build;
  build->file = line->file;
  build->line = line->line;
  if (line->hosts && line->switches && !line->may_have_both)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "switch %.100s has hosts and switches below it, which Slurm refuses too: "
                        "give the hosts a switch of their own",
                        line->name);
  const uint32_t taken = tny_build_find(build, line->name);
  if (taken != TNY_NONE)
    return refuse_switch(tiers, taken, error);
  if (!grow(tiers))
    return tny_error_memory(error);
  const enum tny_status status = add_node(tiers, line->name, TNY_KIND_SWITCH, tiers->count, error);
  if (status)
    return status;
  tiers->list_bytes += line->switches ? strlen(line->switches) : 0;
  if (tiers->list_bytes > TNY_TIER_LISTS_BYTES_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "the lists of switches below others are longer than %u MiB together: give "
                        "each switch those that have cables to it",
                        TNY_TIER_LISTS_MIB_MAX);
  struct tny_tier *tier = &tiers->tiers[tiers->count++];
  *tier = (struct tny_tier){.node = build->node_count - 1, .file = line->file, .line = line->line};
  if (line->switches && !(tier->switches = tidy(line->switches)))
    return tny_error_memory(error);
  return line->hosts ? add_hosts(tiers, line->hosts, error) : TNY_OK;
}

/* --- after the last line: cables between switches --- */

/* The switch whose list is read, and which switches were in it already. */
struct joining {
  struct tny_tiers *tiers;
  uint32_t parent;
  uint32_t *last_parent; /* by switch: 1 + the last one that it was below */
};

static enum tny_status refuse_child(const struct joining *joining, const char *name, uint32_t node,
                                    struct tny_error *error)
{
  const struct tny_tiers *tiers = joining->tiers;
  const char *parent = name_of(tiers, &tiers->tiers[joining->parent]);
  if (node == tiers->tiers[joining->parent].node)
    return tny_error_set(error, TNY_BAD_INPUT, "switch %.100s has itself below it: leave it out",
                         parent);
  if (node == TNY_NONE)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "switch %.100s has switch %.100s below it, which is nowhere else: add it "
                         "with its hosts or switches, or leave it out here",
                         parent, name);
  const struct tny_tier *other = &tiers->tiers[tiers->tier_of[node]];
  if (tiers->build->nodes[node].kind == TNY_KIND_HOST)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "switch %.80s has switch %.80s below it, but that is a host (%s)", parent,
                         name, place_of(tiers, other).text);
  return tny_error_set(error, TNY_BAD_INPUT,
                       "switch %.100s has switch %.100s below it twice: leave one out", parent,
                       name);
}

static enum tny_status take_child(void *state, const char *name, struct tny_error *error)
{
  struct joining *joining = state;
  struct tny_tiers *tiers = joining->tiers;
  struct tny_tier *parent = &tiers->tiers[joining->parent];
  const uint32_t node = tny_build_find(tiers->build, name);
  if (node == TNY_NONE || node == parent->node || tiers->build->nodes[node].kind == TNY_KIND_HOST ||
      joining->last_parent[tiers->tier_of[node]] == joining->parent + 1)
    return refuse_child(joining, name, node, error);
  const uint32_t child = tiers->tier_of[node];
  struct tny_build_cable cable = tiers->trunk;
  cable.from = parent->node;
  cable.to = node;
  joining->last_parent[child] = joining->parent + 1;
  tiers->tiers[child].parent_count++;
  parent->cable_count++;
  return tny_build_connect(tiers->build, &cable, error);
}

static enum tny_status join_lists(struct tny_tiers *tiers, struct tny_error *error)
{
  struct tny_build *build = tiers->build;
  struct joining joining = {.tiers = tiers,
                            .last_parent = tny_new(tiers->count, sizeof *joining.last_parent)};
  if (!joining.last_parent)
    return tny_error_memory(error);
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < tiers->count; i++) {
    struct tny_tier *tier = &tiers->tiers[i];
    tier->first_cable = build->cable_count;
    if (!tier->switches)
      continue;
    build->file = tier->file;
    build->line = tier->line;
    joining.parent = i;
    status = expand(build, tier->switches, take_child, &joining, error);
  }
  tny_free(joining.last_parent);
  return status;
}

/* The switch below `tier` at the end of its cable number `i`. */
static uint32_t child_of(const struct tny_tiers *tiers, const struct tny_tier *tier, uint32_t i)
{
  return tiers->tier_of[tiers->build->cables[tier->first_cable + i].to];
}

/* The first switch of the file that is in a certain circle. `left` isn't 0 for the switches in
   circles and for those below them. Each of these has one of them above it, which `up` becomes, so
   that going up leads into a circle. */
static uint32_t find_circle(const struct tny_tiers *tiers, const uint32_t *left, uint32_t *up)
{
  uint32_t at = 0;
  for (uint32_t i = 0; i < tiers->count; i++) {
    if (left[i] == 0)
      continue;
    for (uint32_t k = 0; k < tiers->tiers[i].cable_count; k++)
      up[child_of(tiers, &tiers->tiers[i], k)] = i;
    at = i;
  }
  for (uint32_t i = 0; i < tiers->count; i++)
    at = up[at];
  uint32_t first = at;
  for (uint32_t other = up[at]; other != at; other = up[other])
    first = other < first ? other : first;
  return first;
}

/* `up` leads from `start` around to it. */
static enum tny_status refuse_circle(const struct tny_tiers *tiers, const uint32_t *up,
                                     uint32_t start, struct tny_error *error)
{
  const struct tny_tier *tier = &tiers->tiers[start];
  struct tny_text names = {0};
  char *told;
  uint32_t at = start, count = 0;
  do {
    at = up[at];
    if (count++ < NAMES_TOLD_MAX)
      tny_text_add(&names, " is below %.60s", name_of(tiers, &tiers->tiers[at]));
  } while (at != start);
  if (count > NAMES_TOLD_MAX)
    tny_text_add(&names, " and so on, around %u switches", count);
  enum tny_status status = tny_text_take(&names, &told, error);
  if (status)
    return status;
  status = tny_error_at(error, TNY_BAD_INPUT, tier->file, tier->line, 0,
                        "switches are below each other in a circle: %.60s%.380s; leave one out",
                        name_of(tiers, tier), told);
  tny_text_free(told);
  return status;
}

/* From the top downwards, each switch once all above it are done: what is never done is in a
   circle, or below one. */
static enum tny_status check_order(const struct tny_tiers *tiers, struct tny_error *error)
{
  uint32_t *left = tny_new(tiers->count, sizeof *left);
  uint32_t *done = tny_new(tiers->count, sizeof *done);
  enum tny_status status = left && done ? TNY_OK : tny_error_memory(error);
  uint32_t count = 0;
  for (uint32_t i = 0; !status && i < tiers->count; i++) {
    left[i] = tiers->tiers[i].parent_count;
    if (left[i] == 0)
      done[count++] = i;
  }
  for (uint32_t i = 0; i < count; i++) {
    const struct tny_tier *tier = &tiers->tiers[done[i]];
    for (uint32_t k = 0; k < tier->cable_count; k++) {
      const uint32_t child = child_of(tiers, tier, k);
      if (--left[child] == 0)
        done[count++] = child;
    }
  }
  if (!status && count < tiers->count)
    status = refuse_circle(tiers, done, find_circle(tiers, left, done), error);
  tny_free(left);
  tny_free(done);
  return status;
}

/* The representative of a switch's part, halving the path on the way. */
static uint32_t find_part(uint32_t *part, uint32_t tier)
{
  while (part[tier] != tier)
    tier = part[tier] = part[part[tier]];
  return tier;
}

/* Lists the first switch without another above it of each part, and counts the parts. `part` is 0
   for the parts that were listed. */
static uint32_t list_tops(const struct tny_tiers *tiers, uint32_t *part, struct tny_text *names)
{
  uint32_t count = 0;
  bool *listed = tny_new(tiers->count, sizeof *listed);
  if (!listed)
    names->failed = true;
  for (uint32_t i = 0; listed && i < tiers->count; i++) {
    bool *is_listed = &listed[find_part(part, i)];
    if (tiers->tiers[i].parent_count || *is_listed)
      continue;
    *is_listed = true;
    if (count++ < NAMES_TOLD_MAX)
      tny_text_add(names, "%s%.60s", count > 1 ? ", " : "", name_of(tiers, &tiers->tiers[i]));
  }
  tny_free(listed);
  return count;
}

/* All parts must be joined: a cluster is one network. (Slurm may know several, between which it
   runs no job.) */
static enum tny_status check_joined(const struct tny_tiers *tiers, struct tny_error *error)
{
  uint32_t *part = tny_new(tiers->count, sizeof *part);
  if (!part)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < tiers->count; i++)
    part[i] = i;
  for (uint32_t i = 0; i < tiers->count; i++)
    for (uint32_t k = 0; k < tiers->tiers[i].cable_count; k++)
      part[find_part(part, child_of(tiers, &tiers->tiers[i], k))] = find_part(part, i);
  struct tny_text names = {0};
  char *told;
  const uint32_t count = list_tops(tiers, part, &names);
  tny_free(part);
  enum tny_status status = tny_text_take(&names, &told, error);
  if (!status && count > 1)
    status = tny_error_at(error, TNY_BAD_INPUT, tiers->tiers[0].file, 0, 0,
                          "%u parts that nothing joins, under %.340s%s: add a switch above these, "
                          "or import each part alone (batch systems run no job across them)",
                          count, told, count > NAMES_TOLD_MAX ? ", ..." : "");
  tny_text_free(told);
  return status;
}

static enum tny_status check_hosts(const struct tny_tiers *tiers, struct tny_error *error)
{
  if (tiers->host_count)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, tiers->build->file, 0, 0,
                      "there are no hosts: no switch has any below it");
}

enum tny_status tny_tiers_join(struct tny_tiers *tiers, struct tny_error *error)
{
  enum tny_status status = check_hosts(tiers, error);
  if (!status)
    status = join_lists(tiers, error);
  if (!status)
    status = check_order(tiers, error);
  return status || tiers->is_for_part ? status : check_joined(tiers, error);
}

enum tny_status tny_tiers_join_under_one(struct tny_tiers *tiers, struct tny_error *error)
{
  struct tny_build *build = tiers->build;
  enum tny_status status = check_hosts(tiers, error);
  if (status || tiers->count == 1)
    return status;
  char name[24] = "top";
  for (unsigned number = 1; tny_build_find(build, name) != TNY_NONE; number++)
    snprintf(name, sizeof name, "top%u", number);
  struct tny_build_cable cable = tiers->trunk;
  status = tny_build_add(build, name, TNY_KIND_SWITCH, &cable.from, error);
  for (uint32_t i = 0; !status && i < tiers->count; i++) {
    cable.to = tiers->tiers[i].node;
    status = tny_build_connect(build, &cable, error);
  }
  build->note = "what joins the blocks isn't said: each was taken for one switch, with one switch "
                "above them all";
  return status;
}
