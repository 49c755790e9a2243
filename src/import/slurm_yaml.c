/* Slurm's topology.yaml: a list of topologies, each a tree of switches, blocks, or flat, as its
   manual page has it. One is read: the one that is asked for, else the first with cluster_default,
   else the only one. */
#include <stdarg.h>
#include <strings.h>
#include <yaml.h>

#include "core/error.h"
#include "core/text.h"
#include "import/format.h"
#include "import/tiers.h"

struct reader {
  yaml_document_t document;
  const char *file;
  struct tny_tiers tiers;
};

/* --- the document --- */

/* Where the byte at `offset` is. */
static unsigned line_at(const char *text, size_t offset)
{
  unsigned line = 1;
  for (size_t i = 0; i < offset && text[i]; i++)
    line += text[i] == '\n';
  return line;
}

static enum tny_status refuse_yaml(const yaml_parser_t *parser, const struct tny_import_file *file,
                                   struct tny_error *error)
{
  if (parser->error == YAML_MEMORY_ERROR)
    return tny_error_memory(error);
  const unsigned line = parser->error == YAML_READER_ERROR
                            ? line_at(file->text, parser->problem_offset)
                            : (unsigned)parser->problem_mark.line + 1;
  return tny_error_at(error, TNY_BAD_INPUT, file->name, line, 0, "not YAML: %s%s%s",
                      parser->context ? parser->context : "", parser->context ? ", " : "",
                      parser->problem ? parser->problem : "it can't be read");
}

static enum tny_status refuse_second(yaml_parser_t *parser, const struct tny_import_file *file,
                                     struct tny_error *error)
{
  yaml_document_t second;
  if (!yaml_parser_load(parser, &second))
    return refuse_yaml(parser, file, error);
  const yaml_node_t *root = yaml_document_get_root_node(&second);
  const enum tny_status status =
      root ? tny_error_at(error, TNY_BAD_INPUT, file->name, (unsigned)root->start_mark.line + 1, 0,
                          "a second document begins here: all topologies are one list")
           : TNY_OK;
  yaml_document_delete(&second);
  return status;
}

/* The document is there only after TNY_OK. */
static enum tny_status load(const struct tny_import_file *file, yaml_document_t *document,
                            struct tny_error *error)
{
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser))
    return tny_error_memory(error);
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const unsigned char *)file->text, strlen(file->text));
  enum tny_status status = TNY_OK;
  if (!yaml_parser_load(&parser, document)) {
    status = refuse_yaml(&parser, file, error);
  } else if (yaml_document_get_root_node(document)) {
    status = refuse_second(&parser, file, error);
    if (status)
      yaml_document_delete(document);
  } else {
    yaml_document_delete(document);
    status = tny_error_at(error, TNY_BAD_INPUT, file->name, 0, 0, "nothing is in it");
  }
  yaml_parser_delete(&parser);
  return status;
}

/* --- nodes of it --- */

static enum tny_status refuse(const struct reader *reader, const yaml_node_t *node,
                              struct tny_error *error, const char *format, ...) TNY_PRINTF(4, 5);
static enum tny_status refuse(const struct reader *reader, const yaml_node_t *node,
                              struct tny_error *error, const char *format, ...)
{
  char text[sizeof error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return tny_error_at(error, TNY_BAD_INPUT, reader->file, (unsigned)node->start_mark.line + 1, 0,
                      "%s", text);
}

/* The text of a scalar; NULL where it isn't one, or has a NUL byte. */
static const char *text_of(const yaml_node_t *node)
{
  if (node->type != YAML_SCALAR_NODE)
    return NULL;
  const char *text = (const char *)node->data.scalar.value;
  return strlen(text) == node->data.scalar.length ? text : NULL;
}

/* What a key has; NULL: the mapping doesn't have it, or has nothing behind it. */
static yaml_node_t *value_of(struct reader *reader, const yaml_node_t *mapping, const char *key)
{
  for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
       pair < mapping->data.mapping.pairs.top; pair++) {
    const char *name = text_of(yaml_document_get_node(&reader->document, pair->key));
    yaml_node_t *value = yaml_document_get_node(&reader->document, pair->value);
    if (!name || strcmp(name, key))
      continue;
    const char *text = text_of(value);
    const bool is_null = text && value->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                         (!*text || !strcmp(text, "~") || !strcasecmp(text, "null"));
    return is_null ? NULL : value;
  }
  return NULL;
}

/* The kinds of mappings, and the keys of each. */
struct shape {
  const char *what;
  const char *keys[6]; /* NULL behind the last one */
};
static const struct shape topology_shape = {
    "a topology", {"topology", "cluster_default", "tree", "block", "flat"}};

static enum tny_status refuse_key(const struct reader *reader, const yaml_node_t *key,
                                  const struct shape *shape, struct tny_error *error)
{
  char list[100];
  size_t used = 0;
  for (unsigned i = 0; shape->keys[i]; i++)
    used +=
        (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", shape->keys[i]);
  const char *name = text_of(key);
  return refuse(reader, key, error, "%s has no \"%.60s\": there are %s", shape->what,
                name ? name : "...", list);
}

/* `node` must be a mapping with no key but those of the shape, each once. */
static enum tny_status check_shape(struct reader *reader, const yaml_node_t *node,
                                   const struct shape *shape, struct tny_error *error)
{
  unsigned seen = 0;
  if (node->type != YAML_MAPPING_NODE)
    return refuse(reader, node, error, "%s belongs here, as in %s: ...", shape->what,
                  shape->keys[0]);
  for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
       pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *key = yaml_document_get_node(&reader->document, pair->key);
    const char *name = text_of(key);
    unsigned i = 0;
    while (name && shape->keys[i] && strcmp(name, shape->keys[i]))
      i++;
    if (!name || !shape->keys[i])
      return refuse_key(reader, key, shape, error);
    if (seen >> i & 1)
      return refuse(reader, key, error, "%s has %s twice", shape->what, name);
    seen |= 1U << i;
  }
  return TNY_OK;
}

/* The text behind a key; NULL where the mapping doesn't have it. */
static enum tny_status read_text(struct reader *reader, const yaml_node_t *mapping, const char *key,
                                 const char **text, struct tny_error *error)
{
  const yaml_node_t *value = value_of(reader, mapping, key);
  *text = value ? text_of(value) : NULL;
  if (value && !*text)
    return refuse(reader, value, error, "%s is one text, as in %s: \"n[0-3],n7\"", key, key);
  return TNY_OK;
}

/* --- which topology --- */

static enum tny_status read_bool(struct reader *reader, const yaml_node_t *mapping, const char *key,
                                 bool *is_true, struct tny_error *error)
{
  static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
  const char *text;
  *is_true = false;
  const enum tny_status status = read_text(reader, mapping, key, &text, error);
  if (status || !text)
    return status;
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcasecmp(text, words[i])) {
      *is_true = i % 2;
      return TNY_OK;
    }
  return refuse(reader, mapping, error, "%s is true or false, not \"%.40s\"", key, text);
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
    return refuse(reader, topology, error, "a topology belongs here, as in - topology: NAME");
  enum tny_status status = read_text(reader, topology, "topology", &name, error);
  if (!status && !name)
    status = refuse(reader, topology, error, "a topology without a name: begin it with topology:");
  if (!status)
    status = read_bool(reader, topology, "cluster_default", &is_default, error);
  if (status)
    return status;
  tny_text_add(&choice->names, "%s%.60s", choice->count++ ? ", " : "", name);
  if (choice->wanted && !strcmp(name, choice->wanted)) {
    if (choice->found)
      return refuse(reader, topology, error, "there are two topologies called %.60s", name);
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
    status = tny_error_at(error, TNY_BAD_INPUT, reader->file, 0, 0,
                          "no topology is called %.60s: there are %.350s", choice->wanted, names);
  else if (!choice->wanted && !choice->is_default && choice->count > 1)
    status = tny_error_at(error, TNY_BAD_INPUT, reader->file, 0, 0,
                          "none of the topologies has cluster_default: say by --topology which of "
                          "%.350s it is to be",
                          names);
  tny_text_free(names);
  return status;
}

static enum tny_status choose(struct reader *reader, const char *wanted,
                              const yaml_node_t **topology, struct tny_error *error)
{
  const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
  if (root->type != YAML_SEQUENCE_NODE ||
      root->data.sequence.items.start == root->data.sequence.items.top)
    return refuse(reader, root, error, "a list of topologies belongs here, - topology: NAME each");
  struct choice choice = {.wanted = wanted};
  enum tny_status status = TNY_OK;
  for (const yaml_node_item_t *item = root->data.sequence.items.start;
       !status && item < root->data.sequence.items.top; item++)
    status = consider(reader, yaml_document_get_node(&reader->document, *item), &choice, error);
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
  struct shape shape, item;
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
  struct tny_tier_line line = {.file = reader->file, .line = (unsigned)node->start_mark.line + 1};
  enum tny_status status = check_shape(reader, node, &sort->item, error);
  if (!status)
    status = read_text(reader, node, sort->item.keys[0], &line.name, error);
  if (!status && !line.name)
    status = refuse(reader, node, error, "%s without a name: it has no %s:", sort->item.what,
                    sort->item.keys[0]);
  if (!status)
    status = read_text(reader, node, "children", &line.switches, error);
  if (!status)
    status = read_text(reader, node, "nodes", &line.hosts, error);
  return status ? status : tny_tiers_add(&reader->tiers, &line, error);
}

static enum tny_status read_sort(struct reader *reader, const yaml_node_t *node,
                                 const struct sort *sort, struct tny_error *error)
{
  enum tny_status status = check_shape(reader, node, &sort->shape, error);
  const yaml_node_t *list = status ? NULL : value_of(reader, node, sort->list);
  if (status)
    return status;
  if (!list || list->type != YAML_SEQUENCE_NODE ||
      list->data.sequence.items.start == list->data.sequence.items.top)
    return refuse(reader, list ? list : node, error, "%s has a list of %s, - %s: NAME each",
                  sort->shape.what, sort->list, sort->item.keys[0]);
  for (const yaml_node_item_t *item = list->data.sequence.items.start;
       !status && item < list->data.sequence.items.top; item++)
    status = read_item(reader, yaml_document_get_node(&reader->document, *item), sort, error);
  return status ? status : sort->join(&reader->tiers, error);
}

static enum tny_status read_topology(struct reader *reader, const yaml_node_t *topology,
                                     struct tny_error *error)
{
  enum tny_status status = check_shape(reader, topology, &topology_shape, error);
  if (status)
    return status;
  const struct sort *sort = NULL;
  unsigned count = value_of(reader, topology, "flat") != NULL;
  for (size_t i = 0; i < SORT_COUNT; i++)
    if (value_of(reader, topology, sorts[i].key)) {
      sort = &sorts[i];
      count++;
    }
  if (count != 1)
    return refuse(reader, topology, error,
                  "a topology has one of tree, block and flat; this has %s",
                  count ? "several" : "none");
  if (!sort)
    return refuse(reader, topology, error,
                  "a flat topology names no hosts: for hosts on one switch, write a cluster file, "
                  "graph { s0 -- \"n[0-15]\" }");
  return read_sort(reader, value_of(reader, topology, sort->key), sort, error);
}

enum tny_status tny_slurm_yaml_read(const struct tny_import_request *import,
                                    struct tny_build *build, struct tny_error *error)
{
  struct reader reader = {.file = import->files[0].name};
  if (import->file_count > 1)
    return tny_error_at(error, TNY_BAD_INPUT, import->files[1].name, 0, 0,
                        "a topology.yaml is one file, and this is a second one: give one");
  enum tny_status status = load(&import->files[0], &reader.document, error);
  if (status)
    return status;
  const yaml_node_t *topology = NULL;
  tny_tiers_init(&reader.tiers, import, build);
  status = choose(&reader, import->topology, &topology, error);
  if (!status)
    status = read_topology(&reader, topology, error);
  tny_tiers_release(&reader.tiers);
  yaml_document_delete(&reader.document);
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
