/* YAML documents by libyaml, for the formats that are YAML: loaded, asked, refused by line. */
#ifndef TOURNEY_IMPORT_YAML_H
#define TOURNEY_IMPORT_YAML_H

#include <yaml.h>

#include <tourney/import.h>

struct tny_yaml {
  yaml_document_t document;
  const char *file;
};

/* A kind of mappings, and its keys. */
struct tny_yaml_shape {
  const char *what;
  const char *keys[10]; /* NULL behind the last one */
};

/* Loads the one document of a file. Owns: after TNY_OK, the document is the caller's, to be freed
   by yaml_document_delete. */
enum tny_status tny_yaml_load(const struct tny_import_file *file, struct tny_yaml *yaml,
                              struct tny_error *error) TNY_MUST_CHECK;
/* An error at the line of a node. */
enum tny_status tny_yaml_refuse(const struct tny_yaml *yaml, const yaml_node_t *node,
                                struct tny_error *error, const char *format, ...) TNY_PRINTF(4, 5);
/* The text of a scalar; NULL where it isn't one, or has a NUL byte. */
const char *tny_yaml_text(const yaml_node_t *node);
/* What a key has; NULL: the mapping doesn't have it, or has nothing behind it. */
yaml_node_t *tny_yaml_value(struct tny_yaml *yaml, const yaml_node_t *mapping, const char *key);
/* Refuses all but a mapping with no key but those of the shape, each once. */
enum tny_status tny_yaml_check_shape(struct tny_yaml *yaml, const yaml_node_t *node,
                                     const struct tny_yaml_shape *shape,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* The text behind a key; NULL where the mapping doesn't have it. */
enum tny_status tny_yaml_read_text(struct tny_yaml *yaml, const yaml_node_t *mapping,
                                   const char *key, const char **text,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
