/* Systems by what they tell of themselves. Linux hosts may bridge and route too, as under
   containers, and not all switches say that they do. So what a system says is only one sign; who
   sees whom, and whose file there is, are the others. */
#include "import/systems.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/text.h"

/* So many names are told in an error. */
#define NAMES_TOLD_MAX 5

enum tny_status tny_systems_init(struct tny_systems *systems, struct tny_build *build,
                                 struct tny_error *error)
{
  *systems =
      (struct tny_systems){.build = build, .by_id = json_object(), .by_short_name = json_object()};
  return systems->by_id && systems->by_short_name ? TNY_OK : tny_error_memory(error);
}

void tny_systems_release(struct tny_systems *systems)
{
  for (uint32_t i = 0; systems->systems && i < systems->build->node_count; i++) {
    tny_free(systems->systems[i].id_type);
    tny_free(systems->systems[i].id);
  }
  tny_free(systems->systems);
  json_decref(systems->by_id);
  json_decref(systems->by_short_name);
  *systems = (struct tny_systems){0};
}

/* --- found again --- */

/* The key of a chassis; NULL: no memory. */
static char *id_key(const struct tny_mention *mention)
{
  const size_t room = strlen(mention->id_type) + strlen(mention->id) + 2;
  char *key = tny_new(room, 1);
  if (key)
    snprintf(key, room, "%s %s", mention->id_type, mention->id);
  return key;
}

static uint32_t look_up(const json_t *table, const char *key)
{
  const json_t *node = json_object_get(table, key);
  return node && json_integer_value(node) >= 0 ? (uint32_t)json_integer_value(node) : TNY_NONE;
}

/* Whether one is the other with a domain behind it. */
static bool is_same_name(const char *a, const char *b)
{
  const size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
  return !strncmp(a, b, length) && (!a[length] || a[length] == '.') &&
         (!b[length] || b[length] == '.');
}

/* Whether they differ in nothing but their domains. */
static bool has_same_short_name(const char *a, const char *b)
{
  const size_t length = strcspn(a, ".");
  return length == strcspn(b, ".") && !strncmp(a, b, length);
}

static void shorten(const char *name, char shortened[TNY_NAME_BYTES_MAX + 1])
{
  snprintf(shortened, TNY_NAME_BYTES_MAX + 1, "%.*s", (int)strcspn(name, "."), name);
}

static uint32_t find_name(const struct tny_systems *systems, const char *name)
{
  char shortened[TNY_NAME_BYTES_MAX + 1];
  uint32_t node = tny_build_find(systems->build, name);
  if (node != TNY_NONE)
    return node;
  shorten(name, shortened);
  node = look_up(systems->by_short_name, shortened);
  return node != TNY_NONE && is_same_name(name, tny_build_name(systems->build, node)) ? node
                                                                                      : TNY_NONE;
}

static enum tny_status add_system(struct tny_systems *systems, const char *name, uint32_t *node,
                                  struct tny_error *error)
{
  char shortened[TNY_NAME_BYTES_MAX + 1];
  if (systems->build->node_count == systems->room) {
    const uint32_t room = systems->room ? 2 * systems->room : 64;
    struct tny_system *grown = tny_resize(systems->systems, room, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    systems->systems = grown;
    systems->room = room;
  }
  const enum tny_status status = tny_build_add(systems->build, name, TNY_KIND_UNKNOWN, node, error);
  if (status)
    return status;
  systems->systems[*node] = (struct tny_system){0};
  shorten(name, shortened);
  const bool is_new = !json_object_get(systems->by_short_name, shortened);
  return json_object_set_new_nocheck(systems->by_short_name, shortened,
                                     json_integer(is_new ? (json_int_t)*node : -1))
             ? tny_error_memory(error)
             : TNY_OK;
}

static enum tny_status check_id(const struct tny_systems *systems, uint32_t node,
                                const struct tny_mention *mention, struct tny_error *error)
{
  const struct tny_system *system = &systems->systems[node];
  const struct tny_build *build = systems->build;
  if (!system->id || strcmp(system->id_type, mention->id_type) != 0 ||
      !strcmp(system->id, mention->id))
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                      "two chassis are called %.80s, of the ids %.60s and %.60s: give one of them "
                      "a name of its own, or leave both out by --without",
                      tny_build_name(build, node), system->id, mention->id);
}

/* A chassis that was found by its id has one name; a system that told none has its id for one. */
static enum tny_status check_name(const struct tny_systems *systems, uint32_t node,
                                  const struct tny_mention *mention, struct tny_error *error)
{
  const struct tny_build *build = systems->build;
  const char *name = tny_build_name(build, node);
  if (!mention->name || !strcmp(name, mention->id) || has_same_short_name(name, mention->name))
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                      "%.60s and %.60s tell the same chassis id, %.60s, as cloned machines do: are "
                      "they one system? Give one an id of its own (lldpcli configure system "
                      "chassisid ID), or leave it out by --without",
                      name, mention->name, mention->id);
}

/* Remembers the chassis of a node that has none yet. */
static enum tny_status set_id(struct tny_systems *systems, uint32_t node,
                              const struct tny_mention *mention, const char *key,
                              struct tny_error *error)
{
  struct tny_system *system = &systems->systems[node];
  if (!system->id) {
    system->id_type = tny_copy_text(mention->id_type);
    system->id = tny_copy_text(mention->id);
  }
  if (!system->id_type || !system->id ||
      json_object_set_new_nocheck(systems->by_id, key, json_integer((json_int_t)node)))
    return tny_error_memory(error);
  return TNY_OK;
}

static enum tny_status find_or_add(struct tny_systems *systems, const struct tny_mention *mention,
                                   const char *key, uint32_t *node, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  *node = key ? look_up(systems->by_id, key) : TNY_NONE;
  if (*node != TNY_NONE)
    return check_name(systems, *node, mention, error);
  const char *name = mention->name ? mention->name : mention->id;
  *node = find_name(systems, name);
  if (*node == TNY_NONE)
    status = add_system(systems, name, node, error);
  else if (key)
    status = check_id(systems, *node, mention, error);
  return status || !key ? status : set_id(systems, *node, mention, key, error);
}

enum tny_status tny_systems_find(struct tny_systems *systems, const struct tny_mention *mention,
                                 uint32_t *node, struct tny_error *error)
{
  char *key = mention->id ? id_key(mention) : NULL;
  if (mention->id && !key)
    return tny_error_memory(error);
  const enum tny_status status = find_or_add(systems, mention, key, node, error);
  tny_free(key);
  if (status)
    return status;
  systems->systems[*node].tells |= mention->tells;
  systems->systems[*node].forwards |= mention->forwards;
  return TNY_OK;
}

/* --- hosts and switches --- */

/* It says that it neither bridges nor routes. */
static bool is_station(const struct tny_system *system)
{
  return system->tells && !system->forwards;
}

/* A host without a file of its own: a station that one system sees, which isn't a station. `seer`
   is by node a system that it has a cable to. */
static bool is_lone_station(const struct tny_systems *systems, const struct tny_cabling *cabling,
                            const uint32_t *seer, uint32_t node)
{
  const struct tny_system *system = &systems->systems[node];
  return !system->file && is_station(system) && cabling->neighbours[node] == 1 &&
         !is_station(&systems->systems[seer[node]]);
}

/* A system that has a file. Where nothing is told of one with several neighbours, the build finds
   out, by its name; but if all are such, they are hosts with several interfaces. */
static enum tny_kind kind_of_owner(const struct tny_system *system, uint32_t neighbour_count,
                                   bool sees_lone_station, bool is_any_single)
{
  if (is_station(system))
    return TNY_KIND_HOST;
  if (!system->is_seen && sees_lone_station)
    return TNY_KIND_SWITCH;
  if (neighbour_count <= 1 || (!system->is_seen && !is_any_single))
    return TNY_KIND_HOST;
  return TNY_KIND_UNKNOWN;
}

enum tny_status tny_systems_classify(struct tny_systems *systems, const struct tny_cabling *cabling,
                                     struct tny_error *error)
{
  struct tny_build *build = systems->build;
  uint32_t *seer = tny_new(build->node_count, sizeof *seer);
  bool *sees_lone_station = tny_new(build->node_count, sizeof *sees_lone_station);
  const bool has_memory = seer && sees_lone_station;
  for (uint32_t i = 0; has_memory && i < cabling->port_count; i++) {
    seer[cabling->ports[i].from] = cabling->ports[i].to;
    seer[cabling->ports[i].to] = cabling->ports[i].from;
  }
  bool is_any_single = false;
  for (uint32_t node = 0; has_memory && node < build->node_count; node++) {
    is_any_single |= systems->systems[node].file && cabling->neighbours[node] == 1;
    const bool is_lone = is_lone_station(systems, cabling, seer, node);
    build->nodes[node].kind = is_lone ? TNY_KIND_HOST : TNY_KIND_SWITCH;
    if (is_lone)
      sees_lone_station[seer[node]] = true;
  }
  for (uint32_t node = 0; has_memory && node < build->node_count; node++)
    if (systems->systems[node].file)
      build->nodes[node].kind = kind_of_owner(&systems->systems[node], cabling->neighbours[node],
                                              sees_lone_station[node], is_any_single);
  tny_free(seer);
  tny_free(sees_lone_station);
  return has_memory ? TNY_OK : tny_error_memory(error);
}

enum tny_status tny_systems_check_files(const struct tny_systems *systems,
                                        const struct tny_cabling *cabling, struct tny_error *error)
{
  for (uint32_t node = 0; node < systems->build->node_count; node++) {
    const char *file = systems->systems[node].file;
    if (file && cabling->neighbours[node] == 0)
      return tny_error_at(error, TNY_BAD_INPUT, file, 0, 0,
                          "%.100s sees no other system%s, and none sees it: leave the file out, or "
                          "find out what it is plugged into",
                          tny_build_name(systems->build, node),
                          cabling->import->interfaces ? " at the ports that --interface names"
                                                      : "");
  }
  return TNY_OK;
}

/* --- parts --- */

static uint32_t find_part(uint32_t *part, uint32_t node)
{
  while (part[node] != node)
    node = part[node] = part[part[node]];
  return node;
}

/* The switches whose files there aren't. */
static void add_missing(const struct tny_systems *systems, struct tny_text *text)
{
  const struct tny_build *build = systems->build;
  uint32_t count = 0;
  for (uint32_t node = 0; node < build->node_count; node++) {
    if (build->nodes[node].kind == TNY_KIND_HOST || systems->systems[node].file)
      continue;
    if (count++ < NAMES_TOLD_MAX)
      tny_text_add(text, "%s%.60s", count > 1 ? ", " : "", tny_build_name(build, node));
  }
  if (count > NAMES_TOLD_MAX)
    tny_text_add(text, " and %u more", count - NAMES_TOLD_MAX);
}

/* `other` is in another part than the first node. */
static enum tny_status refuse_parts(const struct tny_systems *systems, uint32_t other,
                                    struct tny_error *error)
{
  const struct tny_build *build = systems->build;
  struct tny_text missing = {0};
  char *list;
  add_missing(systems, &missing);
  enum tny_status status = tny_text_take(&missing, &list, error);
  if (status)
    return status;
  const char *first = tny_build_name(build, 0), *second = tny_build_name(build, other);
  if (*list)
    status = tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                          "no file tells of cables from %.60s to %.60s: give also what lldpcli "
                          "prints on the switches, of which there is no file yet: %.300s",
                          first, second, list);
  else
    status = tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                          "no file tells of cables from %.80s to %.80s: a switch is missing, or "
                          "one that is in between doesn't speak LLDP",
                          first, second);
  tny_text_free(list);
  return status;
}

enum tny_status tny_systems_check_joined(const struct tny_systems *systems,
                                         const struct tny_cabling *cabling, struct tny_error *error)
{
  const uint32_t count = systems->build->node_count;
  uint32_t *part = tny_new(count, sizeof *part);
  if (!part)
    return tny_error_memory(error);
  for (uint32_t node = 0; node < count; node++)
    part[node] = node;
  for (uint32_t i = 0; i < cabling->port_count; i++)
    part[find_part(part, cabling->ports[i].to)] = find_part(part, cabling->ports[i].from);
  uint32_t other = 1;
  while (other < count && find_part(part, other) == find_part(part, 0))
    other++;
  tny_free(part);
  return other < count ? refuse_parts(systems, other, error) : TNY_OK;
}
