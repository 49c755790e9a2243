/* XML by libxml2's SAX interface. */
#include "import/xml.h"

#include <limits.h>
#include <stdarg.h>

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include "core/error.h"

struct parsing {
  const struct tny_xml_reader *reader;
  xmlParserCtxt *context;
  const char *file;
  enum tny_status status;
  struct tny_error *error;
};

/* --- what begins like XML --- */

/* Behind the end of what begins here; NULL: it has none. */
static const char *skip(const char *text, const char *end)
{
  const char *found = strstr(text, end);
  return found ? found + strlen(end) : NULL;
}

const char *tny_xml_first_element(const char *text, size_t *length)
{
  if (!strncmp(text, "\xef\xbb\xbf", 3))
    text += 3;
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (!strncmp(text, "<?", 2))
      text = skip(text, "?>");
    else if (!strncmp(text, "<!--", 4))
      text = skip(text, "-->");
    else if (!strncmp(text, "<!", 2))
      text = skip(text, ">");
    else
      break;
    if (!text)
      return NULL;
  }
  if (*text != '<')
    return NULL;
  text++;
  *length = strcspn(text, " \t\r\n/><");
  return text;
}

/* --- elements --- */

/* The line where the tag begins that was just read: the parser stands behind its attributes, in
   whose values there is no "<". */
static unsigned line_of_tag(const xmlParserCtxt *context)
{
  const xmlParserInput *input = context->input;
  int line = input->line;
  for (const xmlChar *at = input->cur; at > input->base && *at != '<';)
    line -= *--at == '\n';
  return line > 0 ? (unsigned)line : 0;
}

static void stop(struct parsing *parsing, enum tny_status status)
{
  parsing->status = status;
  if (status)
    xmlStopParser(parsing->context);
}

static void begin_element(void *into, const xmlChar *name, const xmlChar **attributes)
{
  struct parsing *parsing = into;
  const struct tny_xml_element element = {.name = (const char *)name,
                                          .attributes = (const char *const *)attributes,
                                          .file = parsing->file,
                                          .line = line_of_tag(parsing->context)};
  if (!parsing->status)
    stop(parsing, parsing->reader->begin(parsing->reader->state, &element, parsing->error));
}

static void end_element(void *into, const xmlChar *name)
{
  struct parsing *parsing = into;
  if (!parsing->status)
    stop(parsing, parsing->reader->end(parsing->reader->state, (const char *)name, parsing->error));
}

/* Warnings count as errors: the parser warns of entities that it doesn't know. */
TNY_PRINTF(2, 3) static void take_fault(void *into, const char *format, ...)
{
  struct parsing *parsing = into;
  const xmlError *fault = &parsing->context->lastError;
  (void)format;
  if (parsing->status)
    return;
  if (fault->code == XML_ERR_NO_MEMORY) {
    stop(parsing, tny_error_memory(parsing->error));
    return;
  }
  const unsigned line = fault->line > 0 ? (unsigned)fault->line : 0;
  if (fault->code == XML_ERR_TAG_NAME_MISMATCH && fault->str1 && fault->str2) {
    stop(parsing, tny_error_at(parsing->error, TNY_BAD_INPUT, parsing->file, line, 0,
                               "<%.60s> is open, and </%.60s> ends something else: close it first",
                               fault->str1, fault->str2));
    return;
  }
  const char *text = fault->message ? fault->message : "a fault without a name";
  stop(parsing,
       tny_error_at(parsing->error, TNY_BAD_INPUT, parsing->file, line, 0,
                    "this isn't XML as it should be: %.*s", (int)strcspn(text, "\r\n"), text));
}

enum tny_status tny_xml_read(const struct tny_import_file *file,
                             const struct tny_xml_reader *reader, struct tny_error *error)
{
  const size_t length = strlen(file->text);
  if (length > INT_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, file->name, 0, 0,
                        "it is larger than 2 GiB: is it a network's description?");
  xmlSAXHandler handler = {.startElement = begin_element,
                           .endElement = end_element,
                           .warning = take_fault,
                           .error = take_fault,
                           .fatalError = take_fault};
  xmlParserCtxt *context =
      xmlCreateMemoryParserCtxt(length ? file->text : " ", length ? (int)length : 1);
  if (!context)
    return tny_error_memory(error);
  struct parsing parsing = {
      .reader = reader, .context = context, .file = file->name, .error = error};
  xmlSAXHandler *own = context->sax;
  context->sax = &handler;
  context->userData = &parsing;
  xmlCtxtUseOptions(context, XML_PARSE_NONET | XML_PARSE_NOENT);
  xmlParseDocument(context);
  const bool is_whole = context->wellFormed;
  context->sax = own;
  xmlFreeParserCtxt(context);
  if (!parsing.status && !is_whole)
    return tny_error_at(error, TNY_BAD_INPUT, file->name, 0, 0, "this isn't XML as it should be");
  return parsing.status;
}

/* --- asked of an element --- */

enum tny_status tny_xml_refuse(const struct tny_xml_element *element, struct tny_error *error,
                               const char *format, ...)
{
  struct tny_error made;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(made.text, sizeof made.text, format, arguments);
  va_end(arguments);
  return tny_error_at(error, TNY_BAD_INPUT, element->file, element->line, 0, "%s", made.text);
}

const char *tny_xml_attribute(const struct tny_xml_element *element, const char *name)
{
  for (const char *const *at = element->attributes; at && *at; at += 2)
    if (!strcmp(at[0], name))
      return at[1];
  return NULL;
}

enum tny_status tny_xml_require(const struct tny_xml_element *element, const char *name,
                                const char **value, struct tny_error *error)
{
  *value = tny_xml_attribute(element, name);
  if (*value && **value)
    return TNY_OK;
  return tny_xml_refuse(element, error, "<%.40s> has no %s: add %s=\"...\"", element->name, name,
                        name);
}
