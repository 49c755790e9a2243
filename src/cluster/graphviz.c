/* Cluster files as Graphviz graphs, read by Graphviz's own cgraph; and the opening of a cluster,
   whatever its form. The only file that needs cgraph, so it is in a library of its own.

   A node's name may be a host list ("n[00-15]"), which stands for that many nodes. Attributes: of
   the graph grid, where it is one ("torus:8x8"), routing, where it asks for one ("up-down"), and
   multipath, where messages are spread over ways of equal length; of nodes kind, and alias, other
   names of a host; of edges bandwidth, latency, buffer, back_buffer where the port at the second
   end has another one, and of bundles cables and spread. All others are left to who draws. */
#include "cluster/graphviz.h"

#include "cluster/build.h"
#include "cluster/shape.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"
#include "core/hostlist.h"
#include "core/scan.h"
#include "core/units.h"

/* cgraph reports errors, in pieces, to a function without a closure. */
static _Thread_local struct {
  char text[400];
  size_t length;
} captured;

static int capture(char *piece)
{
  const int added = snprintf(captured.text + captured.length,
                             sizeof captured.text - captured.length, "%s", piece);
  if (added > 0)
    captured.length += (size_t)added;
  if (captured.length >= sizeof captured.text)
    captured.length = sizeof captured.text - 1;
  return 0;
}

/* The text that cgraph still has to read. */
struct source {
  const char *rest;
  size_t bytes;
};

static int read_source(void *channel, char *buffer, int room)
{
  struct source *source = channel;
  const size_t bytes = source->bytes < (size_t)room ? source->bytes : (size_t)room;
  memcpy(buffer, source->rest, bytes);
  source->rest += bytes;
  source->bytes -= bytes;
  return (int)bytes;
}

/* Turns "syntax error in line 3 near 'x'" into an error with a line. */
static enum tny_status refuse_syntax(const char *file, struct tny_error *error)
{
  const char *place = strstr(captured.text, "in line ");
  if (!place)
    return tny_error_at(error, TNY_BAD_INPUT, file, 0, 0,
                        "no Graphviz graph: write graph { s0 -- \"n[0-3]\" }");
  char *rest;
  const unsigned line = (unsigned)strtoul(place + strlen("in line "), &rest, 10);
  const int length = (int)strcspn(rest, "\n");
  return tny_error_at(error, TNY_BAD_INPUT, file, line, 0, "no Graphviz graph: syntax error%.*s",
                      length ? length : 11, length ? rest : " at the end");
}

/* One graph of the source, or NULL where there is none (left). */
static Agraph_t *read_graph(struct source *source)
{
  Agiodisc_t io = {.afread = read_source, .putstr = AgIoDisc.putstr, .flush = AgIoDisc.flush};
  Agdisc_t discipline = {.mem = &AgMemDisc, .id = &AgIdDisc, .io = &io};
  return agread(source, &discipline);
}

/* Reads a text for its effect on cgraph's scanner; whether it is a graph. */
static bool feed(const char *text)
{
  struct source source = {text, strlen(text)};
  Agraph_t *graph = read_graph(&source);
  if (graph)
    agclose(graph);
  return graph != NULL;
}

/* A text may leave cgraph's scanner inside a string, a comment or brackets, and it would take the
   next text for more of it: feeds it what ends these, until it reads again. Returns whether that
   was needed. */
static bool restart_scanner(const char *text)
{
  static const char probe[] = "graph {}";
  if (feed(probe))
    return false;
  feed("\"");
  if (!feed(probe))
    feed("*/");
  for (const char *open = strchr(text, '<'); open && !feed(probe); open = strchr(open + 1, '<'))
    feed(">");
  return true;
}

/* Whether what follows the first graph is another one; reads to the end of the text, for cgraph
   keeps what is left for its next reader. */
static bool has_more(struct source *source)
{
  bool more = false;
  for (Agraph_t *graph; (graph = read_graph(source)); more = true)
    agclose(graph);
  return more;
}

static enum tny_status parse_captured(const char *text, const char *file, Agraph_t **graph,
                                      struct tny_error *error)
{
  struct source source = {text, strlen(text)};
  agreseterrors();
  agreadline(1);
  *graph = read_graph(&source);
  const bool more = *graph && has_more(&source);
  const bool failed = !*graph || agreseterrors() >= AGERR;
  enum tny_status status = failed ? refuse_syntax(file, error) : TNY_OK;
  const bool open_end = restart_scanner(text);
  if (failed)
    return status;
  if (open_end)
    status = tny_error_at(error, TNY_BAD_INPUT, file, 0, 0,
                          "no Graphviz graph: something behind it isn't closed");
  else if (more)
    status = tny_error_at(error, TNY_BAD_INPUT, file, 0, 0,
                          "there is more than one graph in this file: a cluster is one");
  else if (agisdirected(*graph))
    status = tny_error_at(error, TNY_BAD_INPUT, file, 0, 0,
                          "a directed graph: cables go both ways, write graph and -- instead of "
                          "digraph and ->");
  return status;
}

size_t tny_graphviz_first_word(const char *text)
{
  const char *at = text;
  for (;;) {
    at += strspn(at, " \t\r\n\f\v");
    if (*at == '#' || (at[0] == '/' && at[1] == '/'))
      at += strcspn(at, "\n");
    else if (at[0] == '/' && at[1] == '*' && strstr(at + 2, "*/"))
      at = strstr(at + 2, "*/") + 2;
    else
      return (size_t)(at - text);
  }
}

/* Two nodes with several edges; there are some. */
static Agedge_t *find_repeated(Agraph_t *graph)
{
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node))
    for (Agedge_t *edge = agfstedge(graph, node); edge; edge = agnxtedge(graph, edge, node))
      for (Agedge_t *other = agnxtedge(graph, edge, node); other;
           other = agnxtedge(graph, other, node))
        if (other->node == edge->node)
          return edge;
  return NULL;
}

/* cgraph makes one edge of several between the same two nodes where a graph is strict: what it has
   dropped is seen by reading the text once more without that word. */
static enum tny_status check_strict(const char *text, const char *file, Agraph_t *graph,
                                    struct tny_error *error)
{
  char *loose_text = tny_copy_text(text);
  if (!loose_text)
    return tny_error_memory(error);
  memset(loose_text + tny_graphviz_first_word(text), ' ', strlen("strict"));
  struct source source = {loose_text, strlen(loose_text)};
  enum tny_status status = TNY_OK;
  Agraph_t *loose = read_graph(&source);
  const Agedge_t *repeated =
      loose && agnedges(loose) != agnedges(graph) ? find_repeated(loose) : NULL;
  if (repeated)
    status = tny_error_at(error, TNY_BAD_INPUT, file, 0, 0,
                          "%.100s -- %.100s is there more than once, and a strict graph makes one "
                          "cable of them: leave the word strict out where there are several",
                          agnameof(agtail(repeated)), agnameof(aghead(repeated)));
  if (loose)
    agclose(loose);
  restart_scanner(loose_text);
  tny_free(loose_text);
  return status;
}

enum tny_status tny_graphviz_parse(const char *text, const char *file, Agraph_t **graph,
                                   struct tny_error *error)
{
  *graph = NULL;
  captured.length = 0;
  captured.text[0] = '\0';
  const agusererrf outer_report = agseterrf(capture);
  const agerrlevel_t outer_level = agseterr(AGWARN);
  enum tny_status status = parse_captured(text, file, graph, error);
  if (status == TNY_OK && agisstrict(*graph))
    status = check_strict(text, file, *graph, error);
  agseterr(outer_level);
  agseterrf(outer_report);
  return status;
}

/* Bound to each of cgraph's nodes: the nodes of the build that it stands for. */
struct members {
  Agrec_t header;
  uint32_t first, count; /* in the reader's members */
};

struct reader {
  struct tny_build build;
  uint32_t *members;
  uint32_t member_count, member_room;
  enum tny_kind kind;            /* of the node being read */
  const struct members *aliased; /* the node whose aliases are read, ... */
  uint32_t alias_count;          /* ... so many until now */
  struct tny_build_cable cable;  /* of the edge being read */
};

static struct members *members_of(Agnode_t *node)
{
  return (struct members *)aggetrec(node, "tourney", FALSE);
}

static enum tny_status take_member(void *state, const char *name, struct tny_error *error)
{
  struct reader *reader = state;
  struct tny_build *build = &reader->build;
  uint32_t node = tny_build_find(build, name);
  if (node == TNY_NONE) {
    const enum tny_status status = tny_build_add(build, name, reader->kind, &node, error);
    if (status)
      return status;
  } else if (reader->kind != TNY_KIND_UNKNOWN) {
    enum tny_kind *kind = &build->nodes[node].kind;
    if (*kind != TNY_KIND_UNKNOWN && *kind != reader->kind)
      return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                          "%s is said to be both a host and a switch", name);
    *kind = reader->kind;
  }
  if (reader->member_count == reader->member_room) {
    const uint32_t room = reader->member_room ? 2 * reader->member_room : 32;
    uint32_t *members = tny_resize(reader->members, room, sizeof *members);
    if (!members)
      return tny_error_memory(error);
    reader->members = members;
    reader->member_room = room;
  }
  if (reader->member_count == TNY_CABLES_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0, "too many nodes in host lists");
  reader->members[reader->member_count++] = node;
  return TNY_OK;
}

static enum tny_status read_kind(struct reader *reader, Agnode_t *node, struct tny_error *error)
{
  const char *kind = agget(node, "kind");
  if (!kind || !*kind)
    reader->kind = TNY_KIND_UNKNOWN;
  else if (!strcmp(kind, "host"))
    reader->kind = TNY_KIND_HOST;
  else if (!strcmp(kind, "switch"))
    reader->kind = TNY_KIND_SWITCH;
  else
    return tny_error_at(error, TNY_BAD_INPUT, reader->build.file, 0, 0,
                        "node %.100s has the unknown kind \"%.40s\": write host or switch",
                        agnameof(node), kind);
  return TNY_OK;
}

/* Of the node that was read last: aliases in turn to the nodes that it stands for. */
static enum tny_status take_alias(void *state, const char *name, struct tny_error *error)
{
  struct reader *reader = state;
  const struct members *members = reader->aliased;
  const uint32_t index = members->first + reader->alias_count++ % members->count;
  return tny_build_alias(&reader->build, reader->members[index], name, error);
}

static enum tny_status read_aliases(struct reader *reader, Agnode_t *node, struct tny_error *error)
{
  const char *list = agget(node, "alias");
  struct tny_error cause = {0};
  if (!list || !*list)
    return TNY_OK;
  reader->aliased = members_of(node);
  reader->alias_count = 0;
  const enum tny_status status = tny_hostlist_expand(list, take_alias, reader, &cause);
  if (status)
    return tny_error_at(error, status, reader->build.file, 0, 0, "the aliases of %.100s: %s",
                        agnameof(node), cause.text);
  if (reader->alias_count % reader->aliased->count)
    return tny_error_at(
        error, TNY_BAD_INPUT, reader->build.file, 0, 0,
        "%.100s stands for %u nodes, and \"%.60s\" for %u aliases: give each node as "
        "many, in the same order",
        agnameof(node), reader->aliased->count, list, reader->alias_count);
  return TNY_OK;
}

static enum tny_status read_nodes(struct reader *reader, Agraph_t *graph, struct tny_error *error)
{
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node)) {
    struct tny_error cause = {0};
    enum tny_status status = read_kind(reader, node, error);
    if (status)
      return status;
    const uint32_t first = reader->member_count;
    status = tny_hostlist_expand(agnameof(node), take_member, reader, &cause);
    if (status)
      return tny_error_at(error, status, reader->build.file, 0, 0, "%s", cause.text);
    struct members *members = agbindrec(node, "tourney", sizeof *members, FALSE);
    if (!members)
      return tny_error_memory(error);
    members->first = first;
    members->count = reader->member_count - first;
    status = read_aliases(reader, node, error);
    if (status)
      return status;
  }
  return TNY_OK;
}

static enum tny_status read_rates(struct reader *reader, Agedge_t *edge, struct tny_error *error)
{
  struct tny_build_cable *cable = &reader->cable;
  const char *bandwidth = agget(edge, "bandwidth"), *latency = agget(edge, "latency");
  const char *buffer = agget(edge, "buffer"), *back_buffer = agget(edge, "back_buffer");
  struct tny_error cause = {0};
  enum tny_status status = TNY_OK;
  *cable = tny_build_default_cable;
  if (bandwidth && *bandwidth)
    status = tny_bandwidth_parse(bandwidth, &cable->bandwidth_bps, &cause);
  if (!status && latency && *latency)
    status = tny_time_parse(latency, &cable->latency_ns, &cause);
  if (!status && buffer && *buffer)
    status = tny_bytes_parse(buffer, &cable->buffer_bytes, &cause);
  cable->back_buffer_bytes = cable->buffer_bytes;
  if (!status && back_buffer && *back_buffer)
    status = tny_bytes_parse(back_buffer, &cable->back_buffer_bytes, &cause);
  if (status)
    tny_error_at(error, status, reader->build.file, 0, 0, "cable %.60s -- %.60s: %s",
                 agnameof(agtail(edge)), agnameof(aghead(edge)), cause.text);
  return status;
}

static enum tny_status read_bundle(struct reader *reader, Agedge_t *edge, struct tny_error *error)
{
  struct tny_build_cable *cable = &reader->cable;
  const char *cables = agget(edge, "cables"), *spread = agget(edge, "spread");
  uint64_t count = 1;
  if (cables && *cables &&
      (!tny_scan_whole(cables, &count) || count < 1 || count > TNY_BUNDLE_CABLES_MAX))
    return tny_error_at(error, TNY_BAD_INPUT, reader->build.file, 0, 0,
                        "cable %.60s -- %.60s: a bundle has 1 to %u cables, not \"%.40s\"",
                        agnameof(agtail(edge)), agnameof(aghead(edge)), TNY_BUNDLE_CABLES_MAX,
                        cables);
  if (spread && *spread && !tny_spreading_parse(spread, &cable->spread))
    return tny_error_at(error, TNY_BAD_INPUT, reader->build.file, 0, 0,
                        "cable %.60s -- %.60s: the unknown spread \"%.40s\": write flow or packet",
                        agnameof(agtail(edge)), agnameof(aghead(edge)), spread);
  cable->cable_count = (uint32_t)count;
  return TNY_OK;
}

static enum tny_status read_edge(void *state, Agedge_t *edge, struct tny_error *error)
{
  struct reader *reader = state;
  const struct members *tails = members_of(agtail(edge)), *heads = members_of(aghead(edge));
  if (tails->count > 1 && heads->count > 1)
    return tny_error_at(error, TNY_BAD_INPUT, reader->build.file, 0, 0,
                        "a cable joins two lists, %.80s -- %.80s: which to which? One end must be "
                        "a single node",
                        agnameof(agtail(edge)), agnameof(aghead(edge)));
  enum tny_status status = read_rates(reader, edge, error);
  if (!status)
    status = read_bundle(reader, edge, error);
  for (uint32_t i = 0; !status && i < tails->count * heads->count; i++) {
    reader->cable.from = reader->members[tails->first + (tails->count > 1 ? i : 0)];
    reader->cable.to = reader->members[heads->first + (heads->count > 1 ? i : 0)];
    status = tny_build_connect(&reader->build, &reader->cable, error);
  }
  return status;
}

static int compare_edges(const void *a, const void *b)
{
  const unsigned x = AGSEQ(*(Agedge_t *const *)a), y = AGSEQ(*(Agedge_t *const *)b);
  return (x > y) - (x < y);
}

enum tny_status tny_graphviz_each_edge(Agraph_t *graph, tny_graphviz_visitor *visit, void *state,
                                       struct tny_error *error)
{
  size_t count = 0;
  enum tny_status status = TNY_OK;
  Agedge_t **edges = tny_new((size_t)agnedges(graph), sizeof(Agedge_t *));
  if (!edges)
    return tny_error_memory(error);
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node))
    for (Agedge_t *edge = agfstout(graph, node); edge; edge = agnxtout(graph, edge))
      edges[count++] = edge;
  qsort(edges, count, sizeof(Agedge_t *), compare_edges);
  for (size_t i = 0; !status && i < count; i++)
    status = visit(state, edges[i], error);
  tny_free(edges);
  return status;
}

static enum tny_status read_grid(struct reader *reader, Agraph_t *graph, struct tny_error *error)
{
  struct tny_error cause = {0};
  const char *grid = agget(graph, "grid");
  if (!grid || !*grid)
    return TNY_OK;
  if (tny_shape_parse(grid, &reader->build.shape, &cause))
    return tny_error_at(error, TNY_BAD_INPUT, reader->build.file, 0, 0, "%s", cause.text);
  return TNY_OK;
}

static enum tny_status read_routing(struct reader *reader, Agraph_t *graph, struct tny_error *error)
{
  const char *routing = agget(graph, "routing");
  return routing && *routing ? tny_build_route(&reader->build, routing, error) : TNY_OK;
}

static enum tny_status read_multipath(struct reader *reader, Agraph_t *graph,
                                      struct tny_error *error)
{
  const char *spread = agget(graph, "multipath");
  return spread && *spread ? tny_build_multipath(&reader->build, spread, error) : TNY_OK;
}

enum tny_status tny_graphviz_read(const char *text, const char *file, struct tny_cluster **cluster,
                                  struct tny_error *error)
{
  Agraph_t *graph = NULL;
  struct reader reader = {0};
  tny_build_init(&reader.build, file, file);
  *cluster = NULL;
  enum tny_status status = tny_graphviz_parse(text, file, &graph, error);
  if (!status)
    status = read_nodes(&reader, graph, error);
  if (!status)
    status = tny_graphviz_each_edge(graph, read_edge, &reader, error);
  if (!status)
    status = read_grid(&reader, graph, error);
  if (!status)
    status = read_routing(&reader, graph, error);
  if (!status)
    status = read_multipath(&reader, graph, error);
  if (!status)
    status = tny_build_finish(&reader.build, cluster, error);
  tny_build_release(&reader.build);
  tny_free(reader.members);
  if (graph)
    agclose(graph);
  return status;
}

/* A missing file may be a generator with a typing error. */
static enum tny_status load(const char *path, char **text, struct tny_error *error)
{
  struct tny_error cause = {0};
  const enum tny_status status = tny_file_read(path, text, &cause);
  if (status == TNY_BAD_INPUT && strchr(path, ':') && !strchr(path, '/'))
    return tny_error_set(error, status,
                         "\"%.100s\" is neither a file nor a generator: generators are %s", path,
                         tny_generator_usage);
  if (status == TNY_BAD_INPUT)
    return tny_error_at(
        error, status, path, 0, 0,
        "%s; give a Graphviz file, or a generator such as single:16 or switches:8+8", cause.text);
  return status ? tny_error_memory(error) : TNY_OK;
}

enum tny_status tny_cluster_open(const char *text, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  *cluster = NULL;
  if (tny_cluster_is_generator(text))
    return tny_cluster_generate(text, cluster, error);
  char *content;
  enum tny_status status = load(text, &content, error);
  if (status)
    return status;
  status = tny_flat_recognize(content) ? tny_flat_read(content, text, cluster, error)
                                       : tny_graphviz_read(content, text, cluster, error);
  tny_free(content);
  return status;
}
