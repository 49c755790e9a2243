/* Slurm's topology.yaml: a list of topologies, each a tree of switches, blocks, or flat, as its
   manual page has it. One is read: the one that is asked for, else the first with cluster_default,
   else the only one. */
#include <strings.h>

#include "core/error.h"
#include "core/text.h"
#include "import/format.h"
#include "import/tiers.h"
#include "import/yaml.h"

struct reader {
  struct tny_yaml yaml;
  struct tny_tiers tiers;
};

static const struct tny_yaml_shape topology_shape = {
    "a topology", {"topology", "cluster_default", "tree", "block", "flat"}};

/* --- which topology --- */

static enum tny_status read_bool(struct reader *reader, const yaml_node_t *mapping, const char *key,
                                 bool *is_true, struct tny_error *error)
{
  static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
  const char *text;
  *is_true = false;
  const enum tny_status status = tny_yaml_read_text(&reader->yaml, mapping, key, &text, error);
  if (status || !text)
    return status;
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcasecmp(text, words[i])) {
      *is_true = i % 2;
      return TNY_OK;
    }
  return tny_yaml_refuse(&reader->yaml, mapping, error, "%s is true or false, not \"%.40s\"", key,
                         text);
}

/* What is known of the list while it is gone through. */
struct choice {
  const char *wanted; /* NULL: none in particular */
  const yaml_node_t *found;
  bool is_default;       /* the one that was found */
  uint32_t count;        /* so far */
  struct tny_text names; /* of all */
};

static enum tny_status consider(struct reader *reader, const yaml_node_t *topology,
                                struct choice *choice, struct tny_error *error)
{
  const char *name = NULL;
  bool is_default = false;
  if (topology->type != YAML_MAPPING_NODE)
    return tny_yaml_refuse(&reader->yaml, topology, error,
                           "a topology belongs here, as in - topology: NAME");
  enum tny_status status = tny_yaml_read_text(&reader->yaml, topology, "topology", &name, error);
  if (!status && !name)
    status = tny_yaml_refuse(&reader->yaml, topology, error,
                             "a topology without a name: begin it with topology:");
  if (!status)
    status = read_bool(reader, topology, "cluster_default", &is_default, error);
  if (status)
    return status;
  tny_text_add(&choice->names, "%s%.60s", choice->count++ ? ", " : "", name);
  if (choice->wanted && !strcmp(name, choice->wanted)) {
    if (choice->found)
      return tny_yaml_refuse(&reader->yaml, topology, error,
                             "there are two topologies called %.60s", name);
    choice->found = topology;
  } else if (!choice->wanted && is_default && !choice->is_default) {
    choice->found = topology;
    choice->is_default = true;
  } else if (!choice->wanted && choice->count == 1) {
    choice->found = topology;
  }
  return TNY_OK;
}

static enum tny_status settle(const struct reader *reader, struct choice *choice,
                              struct tny_error *error)
{
  char *names;
  enum tny_status status = tny_text_take(&choice->names, &names, error);
  if (status)
    return status;
  if (choice->wanted && !choice->found)
    status = tny_error_at(error, TNY_BAD_INPUT, reader->yaml.file, 0, 0,
                          "no topology is called %.60s: there are %.350s", choice->wanted, names);
  else if (!choice->wanted && !choice->is_default && choice->count > 1)
    status = tny_error_at(error, TNY_BAD_INPUT, reader->yaml.file, 0, 0,
                          "none of the topologies has cluster_default: say by --topology which of "
                          "%.350s it is to be",
                          names);
  tny_text_free(names);
  return status;
}

static enum tny_status choose(struct reader *reader, const char *wanted,
                              const yaml_node_t **topology, struct tny_error *error)
{
  const yaml_node_t *root = yaml_document_get_root_node(&reader->yaml.document);
  if (root->type != YAML_SEQUENCE_NODE ||
      root->data.sequence.items.start == root->data.sequence.items.top)
    return tny_yaml_refuse(&reader->yaml, root, error,
                           "a list of topologies belongs here, - topology: NAME each");
  struct choice choice = {.wanted = wanted};
  enum tny_status status = TNY_OK;
  for (const yaml_node_item_t *item = root->data.sequence.items.start;
       !status && item < root->data.sequence.items.top; item++)
    status =
        consider(reader, yaml_document_get_node(&reader->yaml.document, *item), &choice, error);
  if (!status)
    status = settle(reader, &choice, error);
  tny_text_release(&choice.names);
  *topology = choice.found;
  return status;
}

/* --- what it says --- */

/* The sorts of topologies with hosts: a mapping with a list of mappings. */
static const struct sort {
  const char *key; /* of the topology */
  struct tny_yaml_shape shape, item;
  const char *list; /* the key of the list; the first key of an item is its name */
  enum tny_status (*join)(struct tny_tiers *tiers, struct tny_error *error);
} sorts[] = {
    {"tree",
     {"a tree", {"switches"}},
     {"a switch", {"switch", "children", "nodes"}},
     "switches",
     tny_tiers_join},
    {"block",
     {"a block topology", {"blocks", "block_sizes"}},
     {"a block", {"block", "nodes"}},
     "blocks",
     tny_tiers_join_under_one},
};
#define SORT_COUNT (sizeof sorts / sizeof *sorts)

static enum tny_status read_item(struct reader *reader, const yaml_node_t *node,
                                 const struct sort *sort, struct tny_error *error)
{
  struct tny_tier_line line = {.file = reader->yaml.file,
                               .line = (unsigned)node->start_mark.line + 1};
  enum tny_status status = tny_yaml_check_shape(&reader->yaml, node, &sort->item, error);
  if (!status)
    status = tny_yaml_read_text(&reader->yaml, node, sort->item.keys[0], &line.name, error);
  if (!status && !line.name)
    status =
        tny_yaml_refuse(&reader->yaml, node, error,
                        "%s without a name: it has no %s:", sort->item.what, sort->item.keys[0]);
  if (!status)
    status = tny_yaml_read_text(&reader->yaml, node, "children", &line.switches, error);
  if (!status)
    status = tny_yaml_read_text(&reader->yaml, node, "nodes", &line.hosts, error);
  return status ? status : tny_tiers_add(&reader->tiers, &line, error);
}

static enum tny_status read_sort(struct reader *reader, const yaml_node_t *node,
                                 const struct sort *sort, struct tny_error *error)
{
  enum tny_status status = tny_yaml_check_shape(&reader->yaml, node, &sort->shape, error);
  const yaml_node_t *list = status ? NULL : tny_yaml_value(&reader->yaml, node, sort->list);
  if (status)
    return status;
  if (!list || list->type != YAML_SEQUENCE_NODE ||
      list->data.sequence.items.start == list->data.sequence.items.top)
    return tny_yaml_refuse(&reader->yaml, list ? list : node, error,
                           "%s has a list of %s, - %s: NAME each", sort->shape.what, sort->list,
                           sort->item.keys[0]);
  for (const yaml_node_item_t *item = list->data.sequence.items.start;
       !status && item < list->data.sequence.items.top; item++)
    status = read_item(reader, yaml_document_get_node(&reader->yaml.document, *item), sort, error);
  return status ? status : sort->join(&reader->tiers, error);
}

static enum tny_status read_topology(struct reader *reader, const yaml_node_t *topology,
                                     struct tny_error *error)
{
  enum tny_status status = tny_yaml_check_shape(&reader->yaml, topology, &topology_shape, error);
  if (status)
    return status;
  const struct sort *sort = NULL;
  unsigned count = tny_yaml_value(&reader->yaml, topology, "flat") != NULL;
  for (size_t i = 0; i < SORT_COUNT; i++)
    if (tny_yaml_value(&reader->yaml, topology, sorts[i].key)) {
      sort = &sorts[i];
      count++;
    }
  if (count != 1)
    return tny_yaml_refuse(&reader->yaml, topology, error,
                           "a topology has one of tree, block and flat; this has %s",
                           count ? "several" : "none");
  if (!sort)
    return tny_yaml_refuse(
        &reader->yaml, topology, error,
        "a flat topology names no hosts: for hosts on one switch, write a cluster file, "
        "graph { s0 -- \"n[0-15]\" }");
  return read_sort(reader, tny_yaml_value(&reader->yaml, topology, sort->key), sort, error);
}

enum tny_status tny_slurm_yaml_read(const struct tny_import_request *import,
                                    struct tny_build *build, struct tny_error *error)
{
  struct reader reader = {0};
  if (import->file_count > 1)
    return tny_error_at(error, TNY_BAD_INPUT, import->files[1].name, 0, 0,
                        "a topology.yaml is one file, and this is a second one: give one");
  enum tny_status status = tny_yaml_load(&import->files[0], &reader.yaml, error);
  if (status)
    return status;
  const yaml_node_t *topology = NULL;
  tny_tiers_init(&reader.tiers, import, build);
  status = choose(&reader, import->topology, &topology, error);
  if (!status)
    status = read_topology(&reader, topology, error);
  tny_tiers_release(&reader.tiers);
  yaml_document_delete(&reader.yaml.document);
  return status;
}

/* A list whose first mapping begins with the key "topology", in block or flow style. */
bool tny_slurm_yaml_recognize(const char *text)
{
  static const char key[] = "topology";
  for (;; text += strcspn(text, "\n")) {
    text += strspn(text, "-[{\"' \t\r\n");
    if (*text != '#' && *text != '%')
      break;
  }
  if (strncmp(text, key, strlen(key)))
    return false;
  text += strlen(key);
  text += strspn(text, "\"' \t");
  return *text == ':';
}
