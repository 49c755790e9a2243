/* Collects nodes and cables. Faults of a single node or cable are refused here; faults of the whole
   are refused in check.c. */
#include "cluster/build.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"

/* Rates that no network has are taken for typing errors. */
#define BANDWIDTH_MAX_BPS 1000000000000000u
#define LATENCY_MAX_NS 3600000000000u
#define BUFFER_MAX_BYTES ((uint64_t)1 << 40)

const struct tny_build_cable tny_build_default_cable = {
    .bandwidth_bps = 1000000000,
    .latency_ns = 5000,
    .buffer_bytes = TNY_BUFFER_BY_RATE,
    .back_buffer_bytes = TNY_BUFFER_BY_RATE,
    .cable_count = 1,
};

/* What a port's buffer is taken for where nothing is said: 64 KiB, and on fast links the power of
   two that takes half a millisecond at their rate. Switches' ports have about as much: they grow
   with the rate, since round trips don't shrink as rates grow. */
static uint64_t buffer_by_rate(uint64_t bandwidth_bps)
{
  uint64_t bytes = 65536;
  while (bytes < bandwidth_bps / 8 / 2000)
    bytes *= 2;
  return bytes;
}

static void settle_buffers(struct tny_build_cable *cable)
{
  const uint64_t usual = buffer_by_rate(cable->bandwidth_bps);
  if (cable->buffer_bytes == TNY_BUFFER_BY_RATE)
    cable->buffer_bytes = usual;
  if (cable->back_buffer_bytes == TNY_BUFFER_BY_RATE)
    cable->back_buffer_bytes = usual;
}

void tny_build_init(struct tny_build *build, const char *name, const char *file)
{
  *build = (struct tny_build){.name = name, .file = file};
}

void tny_build_release(struct tny_build *build)
{
  tny_free(build->names);
  tny_free(build->nodes);
  tny_free(build->cables);
  tny_free(build->aliases);
  tny_free(build->table);
  *build = (struct tny_build){0};
}

const char *tny_build_name(const struct tny_build *build, uint32_t node)
{
  return build->names + build->nodes[node].name_offset;
}

/* FNV-1a. */
static uint32_t hash(const char *name)
{
  uint32_t value = 2166136261u;
  for (; *name; name++)
    value = (value ^ (unsigned char)*name) * 16777619u;
  return value;
}

/* The entry of that name in the hash table, or the free one where it belongs. */
static uint32_t find_entry(const struct tny_build *build, const char *name)
{
  const uint32_t mask = build->table_room - 1;
  uint32_t entry = hash(name) & mask;
  while (build->table[entry] && strcmp(tny_build_name(build, build->table[entry] - 1), name))
    entry = (entry + 1) & mask;
  return entry;
}

uint32_t tny_build_find(const struct tny_build *build, const char *name)
{
  return build->table_room ? build->table[find_entry(build, name)] - 1 : TNY_NONE;
}

static bool grow_table(struct tny_build *build)
{
  if (build->node_count + 1 <= build->table_room / 2)
    return true;
  const uint32_t room = build->table_room ? 2 * build->table_room : 64;
  uint32_t *table = tny_new(room, sizeof *table);
  if (!table)
    return false;
  tny_free(build->table);
  build->table = table;
  build->table_room = room;
  for (uint32_t node = 0; node < build->node_count; node++)
    build->table[find_entry(build, tny_build_name(build, node))] = node + 1;
  return true;
}

static bool grow_nodes(struct tny_build *build)
{
  if (build->node_count < build->node_room)
    return true;
  const uint32_t room = build->node_room ? 2 * build->node_room : 32;
  struct tny_build_node *nodes = tny_resize(build->nodes, room, sizeof *nodes);
  if (!nodes)
    return false;
  build->nodes = nodes;
  build->node_room = room;
  return true;
}

static bool add_name(struct tny_build *build, const char *name, size_t *offset)
{
  const size_t bytes = strlen(name) + 1;
  if (build->names_used + bytes > build->names_room) {
    const size_t room = 2 * build->names_room + bytes + 256;
    char *names = tny_resize(build->names, room, 1);
    if (!names)
      return false;
    build->names = names;
    build->names_room = room;
  }
  *offset = build->names_used;
  memcpy(build->names + build->names_used, name, bytes);
  build->names_used += bytes;
  return true;
}

static enum tny_status check_name(const struct tny_build *build, const char *name,
                                  struct tny_error *error)
{
  if (!*name)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "a node has an empty name");
  if (strlen(name) > TNY_NAME_BYTES_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "the name \"%.40s...\" is longer than %d bytes", name, TNY_NAME_BYTES_MAX);
  for (const char *c = name; *c; c++)
    if ((unsigned char)*c <= ' ' || *c == 0x7f || strchr("[],%\"\\", *c))
      return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                          "the name \"%.40s\" has a character that names can't have: a space, a "
                          "bracket, a comma, a percent sign, a quote or a backslash",
                          name);
  return TNY_OK;
}

enum tny_status tny_build_add(struct tny_build *build, const char *name, enum tny_kind kind,
                              uint32_t *node, struct tny_error *error)
{
  const enum tny_status status = check_name(build, name, error);
  if (status)
    return status;
  if (tny_build_find(build, name) != TNY_NONE)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "there are two nodes of the name %s: names must differ", name);
  if (build->node_count == TNY_NODES_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "more than %u hosts and switches", TNY_NODES_MAX);
  size_t offset;
  if (!grow_table(build) || !grow_nodes(build) || !add_name(build, name, &offset))
    return tny_error_memory(error);
  const uint32_t index = build->node_count++;
  build->nodes[index] = (struct tny_build_node){.name_offset = offset, .kind = kind};
  build->table[find_entry(build, name)] = index + 1;
  if (node)
    *node = index;
  return TNY_OK;
}

enum tny_status tny_build_alias(struct tny_build *build, uint32_t node, const char *name,
                                struct tny_error *error)
{
  const enum tny_status status = check_name(build, name, error);
  if (status)
    return status;
  if (build->alias_count == TNY_NODES_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0, "more than %u aliases",
                        TNY_NODES_MAX);
  if (build->alias_count == build->alias_room) {
    const uint32_t room = build->alias_room ? 2 * build->alias_room : 32;
    struct tny_build_alias *aliases = tny_resize(build->aliases, room, sizeof *aliases);
    if (!aliases)
      return tny_error_memory(error);
    build->aliases = aliases;
    build->alias_room = room;
  }
  struct tny_build_alias *alias = &build->aliases[build->alias_count];
  alias->node = node;
  if (!add_name(build, name, &alias->name_offset))
    return tny_error_memory(error);
  build->alias_count++;
  return TNY_OK;
}

enum tny_status tny_build_copy_aliases(struct tny_build *build, const struct tny_build *from,
                                       const uint32_t *index, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < from->alias_count; i++) {
    const struct tny_build_alias *alias = &from->aliases[i];
    if (index[alias->node] != TNY_NONE)
      status = tny_build_alias(build, index[alias->node], from->names + alias->name_offset, error);
  }
  return status;
}

void tny_build_take_over(struct tny_build *build, struct tny_build *made)
{
  const struct tny_build old = *build;
  *build = *made;
  build->line = old.line;
  build->doubtful = old.doubtful;
  build->note = old.note; /* which may be in made_note, at the same place */
  memcpy(build->made_note, old.made_note, sizeof build->made_note);
  build->shape = old.shape;
  build->routing = old.routing;
  build->multipath = old.multipath;
  *made = old;
}

void tny_build_add_note(struct tny_build *build, const char *sentence)
{
  char before[sizeof build->made_note] = "";
  if (build->note)
    snprintf(before, sizeof before, "%.380s; ", build->note);
  snprintf(build->made_note, sizeof build->made_note, "%.382s%.400s", before, sentence);
  build->note = build->made_note;
}

const char *tny_spreading_name(enum tny_spreading spread)
{
  static const char *const names[] = {[TNY_SPREADING_NONE] = "none",
                                      [TNY_SPREADING_FLOW] = "flow",
                                      [TNY_SPREADING_PACKET] = "packet"};
  return names[spread];
}

bool tny_spreading_parse(const char *name, enum tny_spreading *spread)
{
  *spread = strcmp(name, "flow") == 0     ? TNY_SPREADING_FLOW
            : strcmp(name, "packet") == 0 ? TNY_SPREADING_PACKET
                                          : TNY_SPREADING_NONE;
  return *spread != TNY_SPREADING_NONE;
}

static enum tny_status check_cable(const struct tny_build *build,
                                   const struct tny_build_cable *cable, struct tny_error *error)
{
  const char *from = tny_build_name(build, cable->from), *to = tny_build_name(build, cable->to);
  const char *what = NULL;
  if (cable->from == cable->to)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "a cable joins %s to itself", from);
  if (cable->bandwidth_bps == 0 || cable->bandwidth_bps > BANDWIDTH_MAX_BPS)
    what = "a bandwidth must be more than 0 and at most 1000Tbit/s";
  else if (cable->latency_ns > LATENCY_MAX_NS)
    what = "a latency must be at most 3600s";
  else if (cable->buffer_bytes == 0 || cable->buffer_bytes > BUFFER_MAX_BYTES ||
           cable->back_buffer_bytes == 0 || cable->back_buffer_bytes > BUFFER_MAX_BYTES)
    what = "a buffer must be more than 0 and at most 1024GiB";
  else if (cable->cable_count == 0 || cable->cable_count > TNY_BUNDLE_CABLES_MAX)
    what = "a bundle must have 1 to 1024 cables";
  else if (cable->bandwidth_bps > BANDWIDTH_MAX_BPS / cable->cable_count)
    what = "the bandwidth of its cables together must be at most 1000Tbit/s";
  else if (cable->cable_count > 1 && cable->spread == TNY_SPREADING_NONE)
    what = "several cables, and nothing is said of how messages are spread over them: add "
           "spread=\"flow\" (a hash chooses a cable for each flow, as in link aggregation; also "
           "where it isn't known) or spread=\"packet\" (packet by packet); cables that the routes "
           "tell apart are one edge each";
  if (!what)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0, "cable %s -- %s: %s", from,
                      to, what);
}

enum tny_status tny_build_connect(struct tny_build *build, const struct tny_build_cable *given,
                                  struct tny_error *error)
{
  struct tny_build_cable settled = *given;
  settle_buffers(&settled);
  if (settled.cable_count == 1)
    settled.spread = TNY_SPREADING_NONE;
  const struct tny_build_cable *cable = &settled;
  const enum tny_status status = check_cable(build, cable, error);
  if (status)
    return status;
  if (build->cable_count == TNY_CABLES_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0, "more than %u cables",
                        TNY_CABLES_MAX);
  if (build->cable_count == build->cable_room) {
    const uint32_t room = build->cable_room ? 2 * build->cable_room : 32;
    struct tny_build_cable *cables = tny_resize(build->cables, room, sizeof *cables);
    if (!cables)
      return tny_error_memory(error);
    build->cables = cables;
    build->cable_room = room;
  }
  build->cables[build->cable_count++] = *cable;
  build->nodes[cable->from].degree++;
  build->nodes[cable->to].degree++;
  return TNY_OK;
}
