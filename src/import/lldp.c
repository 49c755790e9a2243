/* What lldpd's lldpcli prints as JSON, in its forms json and json0: `show neighbors`, with or
   without details, a file for each system that was asked. `show chassis` may stand before it in the
   same file and says whose it is; without it, the file's name does. Systems are found again by
   the id of their chassis, and by their names, with the domain or without. */
#include <ctype.h>
#include <jansson.h>
#include <strings.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/scan.h"
#include "import/cabling.h"
#include "import/format.h"
#include "import/names.h"
#include "import/systems.h"

struct reader {
  struct tny_build *build;
  struct tny_cabling cabling;
  struct tny_systems systems;
  json_t *documents; /* an array for each file */
  uint32_t *owners;  /* by file: a system, or TNY_NONE where it is left out */
  const struct tny_import_file *file;
  uint32_t owner;     /* of the file */
  const char *cursor; /* where in the text the last interface was found */
  unsigned line;      /* of the cursor */
};

/* --- the text --- */

static unsigned count_lines(const char *text, size_t bytes)
{
  unsigned count = 0;
  for (size_t i = 0; i < bytes; i++)
    count += text[i] == '\n';
  return count;
}

static enum tny_status refuse_json(const struct tny_import_file *file, unsigned lines_before,
                                   const json_error_t *fault, struct tny_error *error)
{
  if (json_error_code(fault) == json_error_out_of_memory)
    return tny_error_memory(error);
  return tny_error_at(error, TNY_BAD_INPUT, file->name, lines_before + (unsigned)fault->line,
                      (unsigned)fault->column,
                      "not JSON: %.150s; give what lldpcli -f json0 show neighbors prints",
                      fault->text);
}

/* All documents of a file, one after the other. */
static enum tny_status load(const struct tny_import_file *file, json_t *documents,
                            struct tny_error *error)
{
  const char *at = file->text;
  size_t left = strlen(at);
  unsigned lines = 0;
  do {
    json_error_t fault;
    json_t *document =
        json_loadb(at, left, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &fault);
    if (!document)
      return refuse_json(file, lines, &fault, error);
    if (json_array_append_new(documents, document))
      return tny_error_memory(error);
    size_t read = (size_t)fault.position;
    while (read < left && isspace((unsigned char)at[read]))
      read++;
    lines += count_lines(at, read);
    at += read;
    left -= read;
  } while (left);
  return TNY_OK;
}

/* The line of the text that names an interface; the text is gone through once, as interfaces come
   in its order. */
static unsigned line_of(struct reader *reader, const char *interface)
{
  char quoted[80];
  const int length = snprintf(quoted, sizeof quoted, "\"%s\"", interface);
  const char *found = length < (int)sizeof quoted ? strstr(reader->cursor, quoted) : NULL;
  if (!found)
    return reader->line;
  reader->line += count_lines(reader->cursor, (size_t)(found - reader->cursor));
  reader->cursor = found + 1;
  return reader->line;
}

/* --- values, which json0 puts into lists of one --- */

static const json_t *only(const json_t *value)
{
  return json_is_array(value) && json_array_size(value) == 1 ? json_array_get(value, 0) : value;
}

static const json_t *get(const json_t *object, const char *key)
{
  return only(json_object_get(object, key));
}

/* The text of {"value": text} or of the text itself; NULL: it is neither. */
static const char *text_of(const json_t *value)
{
  return json_string_value(json_is_object(value) ? get(value, "value") : value);
}

/* --- the chassis of an interface, or of the local system --- */

/* "forwards" is told by the capabilities Bridge and Router. */
static void read_capabilities(const json_t *list, struct tny_mention *mention)
{
  const size_t count = json_is_array(list) ? json_array_size(list) : json_is_object(list);
  for (size_t i = 0; i < count; i++) {
    const json_t *capability = json_is_array(list) ? json_array_get(list, i) : list;
    const char *type = text_of(json_object_get(capability, "type"));
    const bool enabled = json_is_true(get(capability, "enabled"));
    mention->tells |= type != NULL;
    mention->forwards |= type && enabled && (!strcmp(type, "Bridge") || !strcmp(type, "Router"));
  }
}

/* json has the chassis behind its name, json0 has it in a list, with the name inside. */
static struct tny_mention read_chassis(const json_t *owner)
{
  struct tny_mention mention = {0};
  const json_t *listed = json_object_get(owner, "chassis"), *chassis = only(listed);
  if (!json_is_array(listed) && json_object_size(chassis) == 1 && !json_object_get(chassis, "id")) {
    void *pair = json_object_iter((json_t *)chassis);
    mention.name = json_object_iter_key(pair);
    chassis = only(json_object_iter_value(pair));
  } else {
    mention.name = text_of(get(chassis, "name"));
  }
  const json_t *id = get(chassis, "id");
  mention.id_type = text_of(get(id, "type"));
  mention.id = text_of(id);
  if (!mention.id_type)
    mention.id = NULL;
  if (mention.name && !*mention.name)
    mention.name = NULL;
  read_capabilities(json_object_get(chassis, "capability"), &mention);
  return mention;
}

/* --- whose file it is --- */

static enum tny_status refuse_owner(const struct reader *reader, struct tny_error *error)
{
  return tny_error_at(error, TNY_BAD_INPUT, reader->file->name, 0, 0,
                      "%.80s is told of already, by %.80s: give one file for each system, named "
                      "after it",
                      tny_build_name(reader->build, reader->owner),
                      reader->systems.systems[reader->owner].file);
}

static enum tny_status find_owner(struct reader *reader, const json_t *documents,
                                  struct tny_error *error)
{
  char stem[TNY_NAME_BYTES_MAX + 1];
  struct tny_mention owner = {0};
  for (size_t i = 0; !owner.name && i < json_array_size(documents); i++) {
    const json_t *local = get(json_array_get(documents, i), "local-chassis");
    if (local)
      owner = read_chassis(local);
  }
  enum tny_status status = TNY_OK;
  if (!owner.name) {
    status = tny_names_of_file(reader->file->name, stem, error);
    owner.name = stem;
  }
  reader->owner = TNY_NONE;
  if (status || tny_cabling_leaves_out(&reader->cabling, owner.name))
    return status;
  status = tny_systems_find(&reader->systems, &owner, &reader->owner, error);
  if (status)
    return status;
  struct tny_system *system = &reader->systems.systems[reader->owner];
  if (system->file)
    return refuse_owner(reader, error);
  system->file = reader->file->name;
  return TNY_OK;
}

/* --- what its interfaces see --- */

/* The rate of a type of medium, as in "1000BaseTFD - ...", "2p5GbaseX", "10GigBaseSR"; 0: it says
   none. */
static uint64_t rate_of(const char *type)
{
  uint64_t mbps = 0;
  const char *at = type;
  for (; *at >= '0' && *at <= '9' && mbps < 1000000; at++)
    mbps = 10 * mbps + (uint64_t)(*at - '0');
  const bool is_half = at[0] == 'p' && at[1] == '5';
  at += is_half ? 2 : 0;
  if (at != type && *at == 'G')
    mbps = 1000 * mbps + (is_half ? 500 : 0);
  else if (at == type || is_half || strncasecmp(at, "base", 4) != 0)
    return 0;
  return mbps * 1000000;
}

/* The number of a port's link aggregation, as a text or a number; 0: it is in none. */
static uint32_t aggregate_of(const json_t *port)
{
  const json_t *value = get(port, "aggregation");
  const char *text = text_of(value);
  uint64_t number = 0;
  if (json_is_object(value))
    value = get(value, "value");
  if (json_is_integer(value) && json_integer_value(value) > 0)
    number = (uint64_t)json_integer_value(value);
  else if (!text || !tny_scan_whole(text, &number))
    return 0;
  return number <= UINT32_MAX ? (uint32_t)number : 0;
}

static enum tny_status read_entry(struct reader *reader, const char *interface, const json_t *entry,
                                  struct tny_error *error)
{
  const struct tny_mention mention = read_chassis(entry);
  const unsigned line = line_of(reader, interface);
  reader->build->line = line;
  if (!mention.name && !mention.id)
    return tny_error_at(error, TNY_BAD_INPUT, reader->file->name, line, 0,
                        "what %.60s sees has neither a name nor an id: its chassis has \"name\" or "
                        "\"id\" in what lldpcli prints",
                        interface);
  struct tny_sight sight = {
      .from = reader->owner, .port = interface, .file = reader->file->name, .line = line};
  const char *type = text_of(get(get(get(entry, "port"), "auto-negotiation"), "current"));
  sight.rate_bps = type ? rate_of(type) : 0;
  sight.aggregate = aggregate_of(get(entry, "port"));
  if (tny_cabling_leaves_out(&reader->cabling, mention.name ? mention.name : mention.id))
    return TNY_OK;
  const enum tny_status status = tny_systems_find(&reader->systems, &mention, &sight.to, error);
  if (status)
    return status;
  if (sight.to != sight.from)
    reader->systems.systems[sight.to].is_seen = true;
  return tny_cabling_add(&reader->cabling, &sight, error);
}

/* What to do with each entry of an interface. */
typedef enum tny_status entry_visitor(struct reader *reader, json_t *named, const char *interface,
                                      const json_t *entry, struct tny_error *error);

/* Remembers the interfaces that see a system with a name: then what has none there isn't another
   system but the agent of a network card. */
static enum tny_status note_named(struct reader *reader, json_t *named, const char *interface,
                                  const json_t *entry, struct tny_error *error)
{
  (void)reader;
  if (!read_chassis(entry).name)
    return TNY_OK;
  return json_object_set_new(named, interface, json_true()) ? tny_error_memory(error) : TNY_OK;
}

static enum tny_status take_entry(struct reader *reader, json_t *named, const char *interface,
                                  const json_t *entry, struct tny_error *error)
{
  const bool is_named = read_chassis(entry).name != NULL;
  if (!is_named && json_object_get(named, interface))
    return TNY_OK;
  return read_entry(reader, interface, entry, error);
}

static enum tny_status refuse_entry(struct reader *reader, struct tny_error *error)
{
  return tny_error_at(error, TNY_BAD_INPUT, reader->file->name, reader->line, 0,
                      "an interface with its \"chassis\" belongs here: give what lldpcli -f json0 "
                      "show neighbors prints, whole");
}

/* json has {"eth0": {...}}, json0 {"name": "eth0", ...}. */
static enum tny_status visit_entries(struct reader *reader, json_t *named, const json_t *entries,
                                     entry_visitor *visit, struct tny_error *error)
{
  const char *name = json_string_value(json_object_get(entries, "name"));
  if (name && json_is_object(get(entries, "chassis")))
    return visit(reader, named, name, entries, error);
  enum tny_status status = json_is_object(entries) ? TNY_OK : refuse_entry(reader, error);
  json_t *entry;
  json_object_foreach((json_t *)entries, name, entry)
  {
    const size_t count = json_is_array(entry) ? json_array_size(entry) : 1;
    for (size_t i = 0; !status && i < count; i++) {
      const json_t *one = json_is_array(entry) ? json_array_get(entry, i) : entry;
      status = json_is_object(get(one, "chassis")) ? visit(reader, named, name, one, error)
                                                   : refuse_entry(reader, error);
    }
    if (status)
      break;
  }
  return status;
}

static enum tny_status visit_interfaces(struct reader *reader, json_t *named,
                                        const json_t *interfaces, entry_visitor *visit,
                                        struct tny_error *error)
{
  if (!json_is_array(interfaces))
    return visit_entries(reader, named, interfaces, visit, error);
  enum tny_status status = TNY_OK;
  for (size_t i = 0; !status && i < json_array_size(interfaces); i++)
    status = visit_entries(reader, named, json_array_get(interfaces, i), visit, error);
  return status;
}

/* A document without neighbours says so by having no interface. */
static enum tny_status read_neighbours(struct reader *reader, const json_t *lldp,
                                       struct tny_error *error)
{
  const json_t *interfaces = json_object_get(lldp, "interface");
  if (!interfaces)
    return TNY_OK;
  json_t *named = json_object();
  if (!named)
    return tny_error_memory(error);
  enum tny_status status = visit_interfaces(reader, named, interfaces, note_named, error);
  if (!status)
    status = visit_interfaces(reader, named, interfaces, take_entry, error);
  json_decref(named);
  return status;
}

static enum tny_status read_documents(struct reader *reader, const json_t *documents,
                                      struct tny_error *error)
{
  bool any = false;
  enum tny_status status = TNY_OK;
  reader->cursor = reader->file->text;
  reader->line = 1;
  for (size_t i = 0; !status && i < json_array_size(documents); i++) {
    const json_t *lldp = json_object_get(json_array_get(documents, i), "lldp");
    if (lldp && !any)
      status = read_neighbours(reader, only(lldp), error);
    else if (lldp)
      status = tny_error_at(error, TNY_BAD_INPUT, reader->file->name, 0, 0,
                            "neighbours are in it twice: give one file for each system");
    any |= lldp != NULL;
  }
  if (!status && !any)
    status = tny_error_at(error, TNY_BAD_INPUT, reader->file->name, 0, 0,
                          "there is no \"lldp\" in it: give what lldpcli -f json0 show neighbors "
                          "prints");
  return status;
}

/* --- all files --- */

static enum tny_status load_all(struct reader *reader, const struct tny_import_request *import,
                                struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < import->file_count; i++) {
    json_t *documents = json_array();
    if (!documents || json_array_append_new(reader->documents, documents))
      return tny_error_memory(error);
    reader->file = &import->files[i];
    reader->build->file = reader->file->name;
    status = load(reader->file, documents, error);
    if (!status)
      status = find_owner(reader, documents, error);
    reader->owners[i] = reader->owner;
  }
  return status;
}

static enum tny_status read_all(struct reader *reader, const struct tny_import_request *import,
                                struct tny_error *error)
{
  enum tny_status status = load_all(reader, import, error);
  for (uint32_t i = 0; !status && i < import->file_count; i++) {
    const json_t *documents = json_array_get(reader->documents, i);
    reader->file = &import->files[i];
    reader->build->file = reader->file->name;
    reader->build->line = 0;
    reader->owner = reader->owners[i];
    if (reader->owner != TNY_NONE)
      status = read_documents(reader, documents, error);
  }
  reader->build->file = import->files[0].name;
  reader->build->line = 0;
  return status;
}

static enum tny_status read_network(struct reader *reader, const struct tny_import_request *import,
                                    struct tny_error *error)
{
  enum tny_status status = tny_systems_init(&reader->systems, reader->build, error);
  if (!status && (!reader->documents || !reader->owners))
    status = tny_error_memory(error);
  if (!status)
    status = read_all(reader, import, error);
  if (!status)
    status = tny_cabling_settle(&reader->cabling, error);
  if (!status)
    status = tny_systems_check_files(&reader->systems, &reader->cabling, error);
  if (!status)
    status = tny_systems_classify(&reader->systems, &reader->cabling, error);
  if (!status)
    status = tny_cabling_check_hosts(&reader->cabling, error);
  if (!status)
    status = tny_systems_check_joined(&reader->systems, &reader->cabling, error);
  return status ? status : tny_cabling_connect(&reader->cabling, error);
}

enum tny_status tny_lldp_read(const struct tny_import_request *import, struct tny_build *build,
                              struct tny_error *error)
{
  struct reader reader = {.build = build,
                          .documents = json_array(),
                          .owners = tny_new(import->file_count, sizeof *reader.owners)};
  tny_cabling_init(&reader.cabling, import, build);
  reader.cabling.rate_hint = "what lldpcli show neighbors details prints, which tells rates";
  const enum tny_status status = read_network(&reader, import, error);
  tny_cabling_release(&reader.cabling);
  tny_systems_release(&reader.systems);
  json_decref(reader.documents);
  tny_free(reader.owners);
  return status;
}

/* An object whose first key is lldp or local-chassis. */
bool tny_lldp_recognize(const char *text)
{
  static const char *const keys[] = {"\"lldp\"", "\"local-chassis\""};
  text += strspn(text, " \t\r\n");
  if (*text != '{')
    return false;
  text++;
  text += strspn(text, " \t\r\n");
  return !strncmp(text, keys[0], strlen(keys[0])) || !strncmp(text, keys[1], strlen(keys[1]));
}
