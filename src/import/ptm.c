/* Plans of cables for Cumulus Linux's Prescriptive Topology Manager: a Graphviz graph whose edges
   name the port at either end, "leaf1":"swp51" -- "spine1":"swp1". Settings for LLDP and BFD aren't
   looked at. What makes virtual networks of such files gives nodes a `function`, such as "leaf" or
   "host". */
#include <strings.h>

#include "cluster/graphviz.h"
#include "core/alloc.h"
#include "core/error.h"
#include "import/cabling.h"
#include "import/format.h"

struct reader {
  struct tny_build *build;
  struct tny_cabling cabling;
  const char *file;
  const char *cursor; /* where in the text the last edge was found */
  unsigned line;      /* of the cursor */
};

/* --- where an edge stands: cgraph doesn't say --- */

/* Whether "NODE":"PORT" goes on here, behind NODE. */
static bool is_at_port(const char *at, const char *port)
{
  at += *at == '"';
  at += strspn(at, " \t");
  if (*at != ':')
    return false;
  at++;
  at += strspn(at, " \t\"");
  return !strncmp(at, port, strlen(port));
}

/* The next NODE:PORT from the cursor on; NULL: there is none. */
static const char *find_port(const struct reader *reader, const char *node, const char *port)
{
  const char *found = strstr(reader->cursor, node);
  while (found && *node && !is_at_port(found + strlen(node), port))
    found = strstr(found + 1, node);
  return found;
}

/* The line of the next edge between the two, for edges come in the order of the text. The cursor
   passes both where they stand in one line. An edge that isn't found has the line of the last
   one. */
static unsigned line_of(struct reader *reader, const char *const nodes[2],
                        const char *const ports[2])
{
  const char *found = find_port(reader, nodes[0], ports[0]);
  if (!found)
    return reader->line;
  for (const char *c = reader->cursor; c < found; c++)
    reader->line += *c == '\n';
  reader->cursor = found;
  const char *far = find_port(reader, nodes[1], ports[1]);
  if (far && far < found + strcspn(found, "\n"))
    reader->cursor = far;
  reader->cursor += *reader->cursor != '\0';
  return reader->line;
}

/* --- nodes --- */

/* What is said of a node: by our own `kind`, or by its function. */
static enum tny_kind kind_of(Agnode_t *node)
{
  static const struct {
    const char *key, *value;
    enum tny_kind kind;
  } said[] = {
      {"kind", "host", TNY_KIND_HOST},
      {"kind", "switch", TNY_KIND_SWITCH},
      {"function", "host", TNY_KIND_HOST},
      {"function", "server", TNY_KIND_HOST},
      {"function", "oob-server", TNY_KIND_HOST},
      {"function", "leaf", TNY_KIND_SWITCH},
      {"function", "tor", TNY_KIND_SWITCH},
      {"function", "spine", TNY_KIND_SWITCH},
      {"function", "superspine", TNY_KIND_SWITCH},
      {"function", "exit", TNY_KIND_SWITCH},
      {"function", "oob-switch", TNY_KIND_SWITCH},
      {"function", "internet", TNY_KIND_SWITCH},
  };
  for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
    const char *value = agget(node, (char *)said[i].key);
    if (value && !strcmp(value, said[i].value))
      return said[i].kind;
  }
  return TNY_KIND_UNKNOWN;
}

static enum tny_status read_nodes(struct reader *reader, Agraph_t *graph, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (Agnode_t *node = agfstnode(graph); !status && node; node = agnxtnode(graph, node))
    if (!tny_cabling_leaves_out(&reader->cabling, agnameof(node)))
      status = tny_build_add(reader->build, agnameof(node), kind_of(node), NULL, error);
  return status;
}

/* --- edges --- */

static enum tny_status refuse_edge(const struct reader *reader, Agedge_t *edge,
                                   struct tny_error *error)
{
  const char *tail = agnameof(agtail(edge)), *head = agnameof(aghead(edge));
  return tny_error_at(error, TNY_BAD_INPUT, reader->file, 0, 0,
                      "the cable %.60s -- %.60s doesn't name both ports: write \"%.60s\":\"swp1\" "
                      "-- \"%.60s\":\"swp1\"; a cluster file without ports needs no import",
                      tail, head, tail, head);
}

static enum tny_status read_edge(void *state, Agedge_t *edge, struct tny_error *error)
{
  struct reader *reader = state;
  const char *tail_port = agget(edge, "tailport"), *head_port = agget(edge, "headport");
  const char *tail = agnameof(agtail(edge)), *head = agnameof(aghead(edge));
  if (!tail_port || !*tail_port || !head_port || !*head_port)
    return refuse_edge(reader, edge, error);
  struct tny_sight sight = {.from = tny_build_find(reader->build, tail),
                            .to = tny_build_find(reader->build, head),
                            .port = tail_port,
                            .far_port = head_port,
                            .file = reader->file,
                            .line = line_of(reader, (const char *[]){tail, head},
                                            (const char *[]){tail_port, head_port})};
  if (sight.from == TNY_NONE || sight.to == TNY_NONE)
    return TNY_OK;
  enum tny_status status = tny_cabling_add(&reader->cabling, &sight, error);
  const uint32_t from = sight.from;
  sight.from = sight.to;
  sight.to = from;
  sight.port = head_port;
  sight.far_port = tail_port;
  return status ? status : tny_cabling_add(&reader->cabling, &sight, error);
}

/* --- the whole --- */

/* A node with one neighbour is a host where nothing else is said, even by several cables. */
static enum tny_status find_hosts(struct reader *reader, struct tny_error *error)
{
  bool any = false;
  for (uint32_t i = 0; i < reader->build->node_count; i++) {
    struct tny_build_node *node = &reader->build->nodes[i];
    if (node->kind == TNY_KIND_UNKNOWN && reader->cabling.neighbours[i] == 1)
      node->kind = TNY_KIND_HOST;
    any |= node->kind == TNY_KIND_HOST;
  }
  if (any)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, reader->file, 0, 0,
                      "there are no hosts: no node has one neighbour only; say which are hosts by "
                      "\"n1\" [function=\"host\"]");
}

static enum tny_status read_graph(struct reader *reader, Agraph_t *graph, struct tny_error *error)
{
  enum tny_status status = read_nodes(reader, graph, error);
  if (!status)
    status = tny_graphviz_each_edge(graph, read_edge, reader, error);
  if (!status)
    status = tny_cabling_settle(&reader->cabling, error);
  if (!status)
    status = find_hosts(reader, error);
  if (!status)
    status = tny_cabling_check_hosts(&reader->cabling, error);
  return status ? status : tny_cabling_connect(&reader->cabling, error);
}

enum tny_status tny_ptm_read(const struct tny_import_request *import, struct tny_build *build,
                             struct tny_error *error)
{
  const struct tny_import_file *file = &import->files[0];
  struct reader reader = {.build = build, .file = file->name, .cursor = file->text, .line = 1};
  Agraph_t *graph = NULL;
  if (import->file_count > 1)
    return tny_error_at(error, TNY_BAD_INPUT, import->files[1].name, 0, 0,
                        "a topology.dot is one file, and this is a second one: give one");
  tny_cabling_init(&reader.cabling, import, build);
  enum tny_status status = tny_graphviz_parse(file->text, file->name, &graph, error);
  if (!status)
    status = read_graph(&reader, graph, error);
  if (graph)
    agclose(graph);
  tny_cabling_release(&reader.cabling);
  return status;
}

/* The end of a string or comment that begins here, or where this is none. */
static const char *skip_quoted(const char *at, bool begins_line)
{
  if (*at == '"')
    return at + 1 + strcspn(at + 1, "\"");
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 1 : at + strlen(at);
  }
  if ((*at == '#' && begins_line) || (at[0] == '/' && at[1] == '/'))
    return at + strcspn(at, "\n");
  return at;
}

/* A graph whose first edge has a port before it: a colon that isn't quoted. */
bool tny_ptm_recognize(const char *text)
{
  const char *at = text + tny_graphviz_first_word(text);
  if (strncasecmp(at, "graph", 5) != 0 && strncasecmp(at, "strict", 6) != 0)
    return false;
  bool has_port = false;
  for (at += 5; *at; at++) {
    if (at[0] == '-' && at[1] == '-')
      return has_port;
    at = skip_quoted(at, at[-1] == '\n');
    if (!*at)
      return false;
    has_port = *at == ':' || (has_port && !strchr(";{[\n", *at));
  }
  return false;
}
