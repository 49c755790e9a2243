/* YAML documents by libyaml. */
#include "import/yaml.h"

#include <stdarg.h>
#include <strings.h>

#include "core/error.h"

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

enum tny_status tny_yaml_load(const struct tny_import_file *file, struct tny_yaml *yaml,
                              struct tny_error *error)
{
  yaml_parser_t parser;
  yaml->file = file->name;
  if (!yaml_parser_initialize(&parser))
    return tny_error_memory(error);
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const unsigned char *)file->text, strlen(file->text));
  enum tny_status status = TNY_OK;
  if (!yaml_parser_load(&parser, &yaml->document)) {
    status = refuse_yaml(&parser, file, error);
  } else if (yaml_document_get_root_node(&yaml->document)) {
    status = refuse_second(&parser, file, error);
    if (status)
      yaml_document_delete(&yaml->document);
  } else {
    yaml_document_delete(&yaml->document);
    status = tny_error_at(error, TNY_BAD_INPUT, file->name, 0, 0, "nothing is in it");
  }
  yaml_parser_delete(&parser);
  return status;
}

/* --- nodes of it --- */

enum tny_status tny_yaml_refuse(const struct tny_yaml *yaml, const yaml_node_t *node,
                                struct tny_error *error, const char *format, ...)
{
  char text[sizeof error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return tny_error_at(error, TNY_BAD_INPUT, yaml->file, (unsigned)node->start_mark.line + 1, 0,
                      "%s", text);
}

const char *tny_yaml_text(const yaml_node_t *node)
{
  if (node->type != YAML_SCALAR_NODE)
    return NULL;
  const char *text = (const char *)node->data.scalar.value;
  return strlen(text) == node->data.scalar.length ? text : NULL;
}

yaml_node_t *tny_yaml_value(struct tny_yaml *yaml, const yaml_node_t *mapping, const char *key)
{
  for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
       pair < mapping->data.mapping.pairs.top; pair++) {
    const char *name = tny_yaml_text(yaml_document_get_node(&yaml->document, pair->key));
    yaml_node_t *value = yaml_document_get_node(&yaml->document, pair->value);
    if (!name || strcmp(name, key))
      continue;
    const char *text = tny_yaml_text(value);
    const bool is_null = text && value->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                         (!*text || !strcmp(text, "~") || !strcasecmp(text, "null"));
    return is_null ? NULL : value;
  }
  return NULL;
}

static enum tny_status refuse_key(const struct tny_yaml *yaml, const yaml_node_t *key,
                                  const struct tny_yaml_shape *shape, struct tny_error *error)
{
  char list[160];
  size_t used = 0;
  for (unsigned i = 0; shape->keys[i]; i++)
    used +=
        (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", shape->keys[i]);
  const char *name = tny_yaml_text(key);
  return tny_yaml_refuse(yaml, key, error, "%s has no \"%.60s\": there are %s", shape->what,
                         name ? name : "...", list);
}

enum tny_status tny_yaml_check_shape(struct tny_yaml *yaml, const yaml_node_t *node,
                                     const struct tny_yaml_shape *shape, struct tny_error *error)
{
  unsigned seen = 0;
  if (node->type != YAML_MAPPING_NODE)
    return tny_yaml_refuse(yaml, node, error, "%s belongs here, as in %s: ...", shape->what,
                           shape->keys[0]);
  for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
       pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *key = yaml_document_get_node(&yaml->document, pair->key);
    const char *name = tny_yaml_text(key);
    unsigned i = 0;
    while (name && shape->keys[i] && strcmp(name, shape->keys[i]))
      i++;
    if (!name || !shape->keys[i])
      return refuse_key(yaml, key, shape, error);
    if (seen >> i & 1)
      return tny_yaml_refuse(yaml, key, error, "%s has %s twice", shape->what, name);
    seen |= 1U << i;
  }
  return TNY_OK;
}

enum tny_status tny_yaml_read_text(struct tny_yaml *yaml, const yaml_node_t *mapping,
                                   const char *key, const char **text, struct tny_error *error)
{
  const yaml_node_t *value = tny_yaml_value(yaml, mapping, key);
  *text = value ? tny_yaml_text(value) : NULL;
  if (value && !*text)
    return tny_yaml_refuse(yaml, value, error, "%s is one text, as in %s: \"n[0-3],n7\"", key, key);
  return TNY_OK;
}
