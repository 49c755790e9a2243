/* XML by libxml2, for the formats that are XML: elements in turn, their attributes, and errors by
   line. A document's own entities are refused, and nothing outside of the text is read. */
#ifndef TOURNEY_IMPORT_XML_H
#define TOURNEY_IMPORT_XML_H

#include <tourney/import.h>

/* An element, while it begins; all borrowed. */
struct tny_xml_element {
  const char *name;
  const char *const *attributes; /* names and values in turn, then NULL; NULL: none */
  const char *file;
  unsigned line; /* where it begins */
};

struct tny_xml_reader {
  /* Called for each element; the first one that fails ends the reading. `end` gets the name. */
  enum tny_status (*begin)(void *state, const struct tny_xml_element *element,
                           struct tny_error *error);
  enum tny_status (*end)(void *state, const char *name, struct tny_error *error);
  void *state;
};

/* The name of the first element of a text that begins like XML; NULL: it doesn't. Not terminated:
   *length bytes. */
const char *tny_xml_first_element(const char *text, size_t *length);
enum tny_status tny_xml_read(const struct tny_import_file *file,
                             const struct tny_xml_reader *reader,
                             struct tny_error *error) TNY_MUST_CHECK;
/* An error at the line of an element. */
enum tny_status tny_xml_refuse(const struct tny_xml_element *element, struct tny_error *error,
                               const char *format, ...) TNY_PRINTF(3, 4);
/* What an attribute has; NULL: the element doesn't have it. */
const char *tny_xml_attribute(const struct tny_xml_element *element, const char *name);
/* The same of one that must be there, and not be empty. */
enum tny_status tny_xml_require(const struct tny_xml_element *element, const char *name,
                                const char **value, struct tny_error *error) TNY_MUST_CHECK;

#endif
