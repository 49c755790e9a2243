/* NVIDIA topograph: its models, which are YAML in one of three forms that its versions had, and the
   JSON that its engine `graph` writes, which is YAML too. A model has switches, each with the
   switches and nodes below it, and blocks of nodes, each on a switch; the graph has for each
   instance the switches above it, from the leaf on. All become switches with lists of what is below
   them, in the order in which they are first named. */
#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/text.h"
#include "import/format.h"
#include "import/tiers.h"
#include "import/yaml.h"

static const struct tny_yaml_shape model_shape = {
    "a model", {"switches", "nodes", "capacity_blocks", "blocks", "instances"}};
static const struct tny_yaml_shape switch_shape = {
    "a switch",
    {"switches", "nodes", "capacity_blocks", "name", "metadata", "labels", "annotations"}};
static const struct tny_yaml_shape block_shape = {"a block",
                                                  {"nodes", "switch", "name", "type", "nvlink",
                                                   "attributes", "metadata", "labels",
                                                   "annotations"}};

/* A switch while its lists grow; its name is that of the node of the same number in `names`. */
struct entry {
  struct tny_text hosts, switches;
  uint32_t parent; /* in a graph, by instances' layers; or TNY_NONE */
  unsigned line;
};

struct reader {
  struct tny_build *build;
  struct tny_yaml yaml;
  struct tny_build names; /* of switches; only its table of names is used */
  struct entry *entries;
  uint32_t room;
  struct tny_build blocks; /* capacity blocks, as `names` */
  uint32_t *owners;        /* by block, the switch that it is on */
  uint32_t owner_room;
  bool *is_there;       /* by block: it has an entry of its own */
  uint32_t current;     /* the switch that is read, or the layer below the one that is read */
  const char *instance; /* that is read */
  bool has_domains;     /* something is said of NVLink domains or blocks */
  size_t list_bytes;    /* of all entries' lists */
};

/* --- lists of nodes of the document --- */

static const yaml_node_t *node_at(struct reader *reader, int index)
{
  return yaml_document_get_node(&reader->yaml.document, index);
}

static unsigned line_of(const yaml_node_t *node)
{
  return (unsigned)node->start_mark.line + 1;
}

/* Gets each member in turn: of a list the item, of a mapping the value, with its key as name. */
typedef enum tny_status member_visitor(struct reader *reader, const char *name,
                                       const yaml_node_t *member, struct tny_error *error);

static enum tny_status visit_mapping(struct reader *reader, const yaml_node_t *mapping,
                                     member_visitor *visit, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
       !status && pair < mapping->data.mapping.pairs.top; pair++) {
    const yaml_node_t *key = node_at(reader, pair->key);
    const char *name = tny_yaml_text(key);
    status = name ? visit(reader, name, node_at(reader, pair->value), error)
                  : tny_yaml_refuse(&reader->yaml, key, error, "a name belongs here");
  }
  return status;
}

static enum tny_status visit_members(struct reader *reader, const yaml_node_t *mapping,
                                     const char *key, member_visitor *visit,
                                     struct tny_error *error)
{
  const yaml_node_t *list = tny_yaml_value(&reader->yaml, mapping, key);
  if (!list)
    return TNY_OK;
  if (list->type == YAML_MAPPING_NODE)
    return visit_mapping(reader, list, visit, error);
  if (list->type != YAML_SEQUENCE_NODE)
    return tny_yaml_refuse(&reader->yaml, list, error, "%s is a list or a mapping of names", key);
  enum tny_status status = TNY_OK;
  for (const yaml_node_item_t *item = list->data.sequence.items.start;
       !status && item < list->data.sequence.items.top; item++)
    status = visit(reader, NULL, node_at(reader, *item), error);
  return status;
}

/* Appends a name to the list of an entry, with a comma; `node` says so. */
static enum tny_status add_name(struct reader *reader, struct tny_text *list, const char *name,
                                const yaml_node_t *node, struct tny_error *error)
{
  reader->list_bytes += strlen(name) + 1;
  if (reader->list_bytes > TNY_TIER_LISTS_BYTES_MAX)
    return tny_yaml_refuse(&reader->yaml, node, error,
                           "the lists of nodes and switches are longer than %u MiB together, as "
                           "aliases (*NAME) repeat them: list each node where it is, once",
                           TNY_TIER_LISTS_MIB_MAX);
  tny_text_add(list, "%s%s", list->length ? "," : "", name);
  return TNY_OK;
}

/* Appends a list of names to a text. */
static enum tny_status add_names(struct reader *reader, const yaml_node_t *mapping, const char *key,
                                 struct tny_text *text, struct tny_error *error)
{
  const yaml_node_t *list = tny_yaml_value(&reader->yaml, mapping, key);
  if (!list)
    return TNY_OK;
  if (list->type != YAML_SEQUENCE_NODE)
    return tny_yaml_refuse(&reader->yaml, list, error, "%s is a list, as in %s: [n1, n2]", key,
                           key);
  enum tny_status status = TNY_OK;
  for (const yaml_node_item_t *item = list->data.sequence.items.start;
       !status && item < list->data.sequence.items.top; item++) {
    const char *name = tny_yaml_text(node_at(reader, *item));
    if (!name || !*name)
      return tny_yaml_refuse(&reader->yaml, node_at(reader, *item), error,
                             "a name belongs here, one of %s", key);
    status = add_name(reader, text, name, mapping, error);
  }
  return status;
}

/* --- switches --- */

/* The switch of that name, which is added where it is new. */
static enum tny_status find_switch(struct reader *reader, const char *name, unsigned line,
                                   uint32_t *index, struct tny_error *error)
{
  *index = tny_build_find(&reader->names, name);
  if (*index != TNY_NONE)
    return TNY_OK;
  if (reader->names.node_count == reader->room) {
    const uint32_t room = reader->room ? 2 * reader->room : 64;
    struct entry *grown = tny_resize(reader->entries, room, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    reader->entries = grown;
    reader->room = room;
  }
  reader->names.line = line;
  const enum tny_status status = tny_build_add(&reader->names, name, TNY_KIND_SWITCH, index, error);
  if (!status)
    reader->entries[*index] = (struct entry){.parent = TNY_NONE, .line = line};
  return status;
}

/* The name of a member: its key, or what its `name` says. */
static enum tny_status name_of(struct reader *reader, const yaml_node_t *node,
                               const struct tny_yaml_shape *shape, const char **name,
                               struct tny_error *error)
{
  if (*name)
    return TNY_OK;
  const enum tny_status status = tny_yaml_read_text(&reader->yaml, node, "name", name, error);
  if (!status && !*name)
    return tny_yaml_refuse(&reader->yaml, node, error,
                           "%s without a name: it has no name:", shape->what);
  return status;
}

static enum tny_status read_switch(struct reader *reader, const char *name, const yaml_node_t *node,
                                   struct tny_error *error)
{
  uint32_t index;
  enum tny_status status = tny_yaml_check_shape(&reader->yaml, node, &switch_shape, error);
  if (!status)
    status = name_of(reader, node, &switch_shape, &name, error);
  if (!status && tny_build_find(&reader->names, name) != TNY_NONE)
    status = tny_yaml_refuse(&reader->yaml, node, error,
                             "switch %.80s is there already (line %u): give all of it in one "
                             "place, or call one otherwise",
                             name, reader->entries[tny_build_find(&reader->names, name)].line);
  if (!status)
    status = find_switch(reader, name, line_of(node), &index, error);
  if (!status)
    status = add_names(reader, node, "switches", &reader->entries[index].switches, error);
  return status ? status : add_names(reader, node, "nodes", &reader->entries[index].hosts, error);
}

/* The switches of a list of those below another one, which needn't have an entry of their own. */
static enum tny_status read_child(struct reader *reader, const char *key, const yaml_node_t *node,
                                  struct tny_error *error)
{
  uint32_t index;
  const char *name = tny_yaml_text(node);
  (void)key;
  return name ? find_switch(reader, name, line_of(node), &index, error) : TNY_OK;
}

static enum tny_status read_children(struct reader *reader, const char *name,
                                     const yaml_node_t *node, struct tny_error *error)
{
  (void)name;
  return visit_members(reader, node, "switches", read_child, error);
}

/* --- blocks --- */

/* A block that says which switch it is on. */
static enum tny_status read_block(struct reader *reader, const char *name, const yaml_node_t *node,
                                  struct tny_error *error)
{
  uint32_t index;
  enum tny_status status = tny_yaml_check_shape(&reader->yaml, node, &block_shape, error);
  if (!status)
    status = tny_yaml_read_text(&reader->yaml, node, "switch", &name, error);
  if (!status && !name)
    status = tny_yaml_refuse(&reader->yaml, node, error,
                             "which switch is this block on? It has no switch:");
  if (!status)
    status = find_switch(reader, name, line_of(node), &index, error);
  reader->has_domains = true;
  return status ? status : add_names(reader, node, "nodes", &reader->entries[index].hosts, error);
}

/* A capacity block where there are no switches: it is taken for one. */
static enum tny_status read_alone(struct reader *reader, const char *name, const yaml_node_t *node,
                                  struct tny_error *error)
{
  uint32_t index;
  enum tny_status status = tny_yaml_check_shape(&reader->yaml, node, &block_shape, error);
  if (!status)
    status = name_of(reader, node, &block_shape, &name, error);
  if (!status)
    status = find_switch(reader, name, line_of(node), &index, error);
  return status ? status : add_names(reader, node, "nodes", &reader->entries[index].hosts, error);
}

/* Which switch a capacity block is on stands in the switches' own lists. */
static enum tny_status note_owner(struct reader *reader, const yaml_node_t *block,
                                  struct tny_error *error)
{
  struct tny_build *blocks = &reader->blocks;
  const char *name = tny_yaml_text(block);
  if (!name)
    return tny_yaml_refuse(&reader->yaml, block, error, "a name of a capacity block belongs here");
  const uint32_t taken = tny_build_find(blocks, name);
  if (taken != TNY_NONE)
    return tny_yaml_refuse(&reader->yaml, block, error,
                           "capacity block %.80s is on switch %.80s already: leave it on one", name,
                           tny_build_name(&reader->names, reader->owners[taken]));
  if (blocks->node_count == reader->owner_room) {
    const uint32_t room = reader->owner_room ? 2 * reader->owner_room : 64;
    uint32_t *grown = tny_resize(reader->owners, room, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    reader->owners = grown;
    reader->owner_room = room;
  }
  reader->owners[blocks->node_count] = reader->current;
  blocks->line = line_of(block);
  return tny_build_add(blocks, name, TNY_KIND_SWITCH, NULL, error);
}

static enum tny_status read_owned(struct reader *reader, const char *name, const yaml_node_t *node,
                                  struct tny_error *error)
{
  (void)name;
  return note_owner(reader, node, error);
}

static enum tny_status read_owners(struct reader *reader, const char *name, const yaml_node_t *node,
                                   struct tny_error *error)
{
  const enum tny_status status = name_of(reader, node, &switch_shape, &name, error);
  reader->current = status ? TNY_NONE : tny_build_find(&reader->names, name);
  return status ? status : visit_members(reader, node, "capacity_blocks", read_owned, error);
}

/* The nodes of a capacity block that is on a switch; of others the nodes must be on switches. */
static enum tny_status read_capacity_block(struct reader *reader, const char *name,
                                           const yaml_node_t *node, struct tny_error *error)
{
  enum tny_status status = tny_yaml_check_shape(&reader->yaml, node, &block_shape, error);
  if (!status)
    status = name_of(reader, node, &block_shape, &name, error);
  if (status)
    return status;
  reader->has_domains = true;
  const uint32_t block = tny_build_find(&reader->blocks, name);
  if (block == TNY_NONE)
    return TNY_OK;
  reader->is_there[block] = true;
  return add_names(reader, node, "nodes", &reader->entries[reader->owners[block]].hosts, error);
}

static enum tny_status read_capacity_blocks(struct reader *reader, const yaml_node_t *root,
                                            struct tny_error *error)
{
  const uint32_t count = reader->blocks.node_count;
  reader->is_there = tny_new(count, sizeof *reader->is_there);
  if (!reader->is_there)
    return tny_error_memory(error);
  const enum tny_status status =
      visit_members(reader, root, "capacity_blocks", read_capacity_block, error);
  uint32_t lost = 0;
  while (lost < count && reader->is_there[lost])
    lost++;
  if (status || lost == count)
    return status;
  const uint32_t owner = reader->owners[lost];
  return tny_error_at(error, TNY_BAD_INPUT, reader->yaml.file, reader->entries[owner].line, 0,
                      "switch %.80s has capacity block %.80s, which is nowhere else: add it with "
                      "its nodes, or leave it out here",
                      tny_build_name(&reader->names, owner), tny_build_name(&reader->blocks, lost));
}

/* --- a graph: an instance and the switches above it --- */

/* Puts `child` below `parent`, once. */
static enum tny_status put_below(struct reader *reader, uint32_t child, uint32_t parent,
                                 const yaml_node_t *node, struct tny_error *error)
{
  struct entry *entry = &reader->entries[child];
  const char *name = tny_build_name(&reader->names, child);
  if (entry->parent == parent)
    return TNY_OK;
  if (entry->parent != TNY_NONE)
    return tny_yaml_refuse(
        &reader->yaml, node, error,
        "switch %.80s is below %.80s here, and below %.80s elsewhere: in a graph "
        "a switch has one above it",
        name, tny_build_name(&reader->names, parent),
        tny_build_name(&reader->names, entry->parent));
  entry->parent = parent;
  return add_name(reader, &reader->entries[parent].switches, name, node, error);
}

static enum tny_status read_layer(struct reader *reader, const char *key, const yaml_node_t *node,
                                  struct tny_error *error)
{
  uint32_t index;
  const char *name = tny_yaml_text(node);
  (void)key;
  if (!name)
    return tny_yaml_refuse(&reader->yaml, node, error, "the name of a switch belongs here");
  enum tny_status status = find_switch(reader, name, line_of(node), &index, error);
  if (!status && reader->current == TNY_NONE)
    status = add_name(reader, &reader->entries[index].hosts, reader->instance, node, error);
  else if (!status)
    status = put_below(reader, reader->current, index, node, error);
  reader->current = index;
  return status;
}

static enum tny_status read_instance(struct reader *reader, const char *key,
                                     const yaml_node_t *node, struct tny_error *error)
{
  (void)key;
  if (node->type != YAML_MAPPING_NODE)
    return tny_yaml_refuse(&reader->yaml, node, error, "an instance with its id belongs here");
  enum tny_status status = tny_yaml_read_text(&reader->yaml, node, "id", &reader->instance, error);
  if (!status && !reader->instance)
    status = tny_yaml_refuse(&reader->yaml, node, error, "an instance without an id");
  if (status)
    return status;
  reader->has_domains |= tny_yaml_value(&reader->yaml, node, "attributes") ||
                         tny_yaml_value(&reader->yaml, node, "labels");
  reader->current = TNY_NONE;
  status = visit_members(reader, node, "network_layers", read_layer, error);
  if (!status && reader->current == TNY_NONE)
    status = tny_yaml_refuse(&reader->yaml, node, error,
                             "which switch is instance %.80s on? It has no network_layers: leave "
                             "it out, or add them",
                             reader->instance);
  return status;
}

/* --- the whole --- */

/* All but the capacity blocks of a model without switches. */
static enum tny_status read_model(struct reader *reader, const yaml_node_t *root,
                                  struct tny_error *error)
{
  enum tny_status status = tny_yaml_check_shape(&reader->yaml, root, &model_shape, error);
  if (!status)
    status = visit_members(reader, root, "switches", read_switch, error);
  if (!status)
    status = visit_members(reader, root, "switches", read_children, error);
  if (!status)
    status = visit_members(reader, root, "switches", read_owners, error);
  if (!status)
    status = visit_members(reader, root, "blocks", read_block, error);
  if (!status)
    status = visit_members(reader, root, "instances", read_instance, error);
  return status ? status : read_capacity_blocks(reader, root, error);
}

static enum tny_status add_tiers(struct reader *reader, struct tny_tiers *tiers,
                                 struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < reader->names.node_count; i++) {
    struct entry *entry = &reader->entries[i];
    if (entry->hosts.failed || entry->switches.failed)
      return tny_error_memory(error);
    const struct tny_tier_line line = {.name = tny_build_name(&reader->names, i),
                                       .hosts = entry->hosts.bytes,
                                       .switches = entry->switches.bytes,
                                       .may_have_both = true,
                                       .file = reader->yaml.file,
                                       .line = entry->line};
    status = tny_tiers_add(tiers, &line, error);
  }
  return status;
}

/* A name of the lists of nodes that must be on switches. */
static enum tny_status check_host(void *state, const char *name, struct tny_error *error)
{
  const struct tny_build *build = state;
  if (tny_build_find(build, name) != TNY_NONE)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "node %.80s is on no switch: name it among the nodes of one", name);
}

static enum tny_status check_hosts(struct reader *reader, const yaml_node_t *node, const char *list,
                                   struct tny_error *error)
{
  struct tny_error cause = {0};
  const enum tny_status status = tny_hostlist_expand(list, check_host, reader->build, &cause);
  return status == TNY_BAD_INPUT ? tny_yaml_refuse(&reader->yaml, node, error, "%s", cause.text)
                                 : status;
}

static enum tny_status check_node(struct reader *reader, const char *name, const yaml_node_t *node,
                                  struct tny_error *error)
{
  const char *text = name ? name : tny_yaml_text(node);
  return text && *text ? check_hosts(reader, node, text, error) : TNY_OK;
}

static enum tny_status check_block(struct reader *reader, const char *name, const yaml_node_t *node,
                                   struct tny_error *error)
{
  (void)name;
  return visit_members(reader, node, "nodes", check_node, error);
}

static enum tny_status join(struct reader *reader, const yaml_node_t *root, struct tny_tiers *tiers,
                            struct tny_error *error)
{
  const bool is_alone = reader->names.node_count == 0;
  enum tny_status status =
      is_alone ? visit_members(reader, root, "capacity_blocks", read_alone, error) : TNY_OK;
  if (!status && reader->names.node_count == 0)
    status =
        tny_yaml_refuse(&reader->yaml, root, error,
                        "there is no switch: a model has switches: with their nodes, or blocks "
                        "with a switch each");
  if (!status)
    status = add_tiers(reader, tiers, error);
  if (!status)
    status = is_alone ? tny_tiers_join_under_one(tiers, error) : tny_tiers_join(tiers, error);
  if (!status)
    status = visit_members(reader, root, "nodes", check_node, error);
  if (!status)
    status = visit_members(reader, root, "capacity_blocks", check_block, error);
  if (!status && !is_alone && reader->has_domains)
    tiers->build->note = "NVLink domains were left out: they are no cables of this network, in "
                         "which hosts reach each other by their switches";
  return status;
}

static void release(struct reader *reader)
{
  for (uint32_t i = 0; i < reader->names.node_count; i++) {
    tny_text_release(&reader->entries[i].hosts);
    tny_text_release(&reader->entries[i].switches);
  }
  tny_free(reader->entries);
  tny_free(reader->owners);
  tny_free(reader->is_there);
  tny_build_release(&reader->names);
  tny_build_release(&reader->blocks);
  yaml_document_delete(&reader->yaml.document);
}

enum tny_status tny_topograph_read(const struct tny_import_request *import, struct tny_build *build,
                                   struct tny_error *error)
{
  const char *file = import->files[0].name;
  struct reader reader = {.build = build};
  struct tny_tiers tiers;
  if (import->file_count > 1)
    return tny_error_at(error, TNY_BAD_INPUT, import->files[1].name, 0, 0,
                        "a model is one file, and this is a second one: give one");
  enum tny_status status = tny_yaml_load(&import->files[0], &reader.yaml, error);
  if (status)
    return status;
  tny_build_init(&reader.names, file, file);
  tny_build_init(&reader.blocks, file, file);
  tny_tiers_init(&tiers, import, build);
  const yaml_node_t *root = yaml_document_get_root_node(&reader.yaml.document);
  status = read_model(&reader, root, error);
  if (!status)
    status = join(&reader, root, &tiers, error);
  tny_tiers_release(&tiers);
  release(&reader);
  return status;
}

/* A mapping whose first key is one of a model's, or of a graph's. */
bool tny_topograph_recognize(const char *text)
{
  for (;; text += strcspn(text, "\n")) {
    text += strspn(text, "-{\"' \t\r\n");
    if (*text != '#' && *text != '%')
      break;
  }
  for (unsigned i = 0; model_shape.keys[i]; i++) {
    const size_t length = strlen(model_shape.keys[i]);
    const char *behind = text + length;
    if (!strncmp(text, model_shape.keys[i], length) && behind[strspn(behind, "\"' \t")] == ':')
      return true;
  }
  return false;
}
