/* Has dot lay a network out, and reads its plain output: "graph SCALE WIDTH HEIGHT", then "node
   NAME X Y WIDTH HEIGHT ..." in inches, y upwards. Nodes are named by their numbers, so that no
   name of a user's is in it. */
#include "layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/shared/drawing/program.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"

enum {
  NEATO_NODES = 300, /* sfdp lays out more, in less time */
  PIXELS = 72,       /* an inch */
  MARGIN = 12,
};

static double width_of(const struct tny_cluster *cluster, uint32_t node)
{
  const size_t chars = strlen(cluster->node_names[node]);
  return 0.45 + 0.085 * (double)(chars < 4 ? 4 : chars > 20 ? 20 : chars);
}

static void write_graph(const struct tny_cluster *cluster, struct tny_text *text)
{
  const uint32_t nodes = cluster->host_count + cluster->switch_count;
  tny_text_add(text,
               "graph network {\n graph [layout=%s, overlap=false, splines=false, sep=\"+6\"];\n"
               " node [shape=box, fixedsize=true, label=\"\", height=0.5];\n edge [len=1.4];\n",
               nodes > NEATO_NODES ? "sfdp" : "neato");
  for (uint32_t node = 0; node < nodes; node++)
    tny_text_add(text, " n%u [width=%.2f];\n", (unsigned)node, width_of(cluster, node));
  for (uint32_t link = 0; link < cluster->link_count; link += 2)
    tny_text_add(text, " n%u -- n%u;\n", (unsigned)cluster->links[link].from,
                 (unsigned)cluster->links[link].to);
  tny_text_add(text, "}\n");
}

/* Reads what dot wrote; false where a node is missing. */
static bool read_plain(FILE *plain, uint32_t nodes, struct layout *layout)
{
  char line[512];
  uint32_t seen = 0;
  double height = 0;
  while (fgets(line, sizeof line, plain)) {
    double scale, x, y, wide, high;
    unsigned node;
    if (sscanf(line, "graph %lf %lf %lf", &scale, &wide, &high) == 3) {
      height = high;
      layout->width = PIXELS * wide + 2 * MARGIN;
      layout->height = PIXELS * high + 2 * MARGIN;
    } else if (sscanf(line, "node n%u %lf %lf %lf %lf", &node, &x, &y, &wide, &high) == 5 &&
               node < nodes) {
      layout->nodes[node] = (struct layout_node){
          PIXELS * x + MARGIN, PIXELS * (height - y) + MARGIN, PIXELS * wide, PIXELS * high};
      seen++;
    }
  }
  return seen == nodes;
}

static enum tny_status lay_out(const char *graph, uint32_t nodes, struct layout *layout,
                               struct tny_error *error)
{
  FILE *plain = tmpfile();
  if (!plain)
    return tny_error_set(error, TNY_SYSTEM, "can't make a temporary file: %s", strerror(errno));
  const struct program dot = {
      .arguments = (char *const[]){"dot", "-Tplain", NULL},
      .input = graph,
      .output = fileno(plain),
      .missing = "the drawing of the network needs Graphviz's dot, which isn't here: install the "
                 "package graphviz",
      .failed = "dot couldn't lay the network out; what it said is above"};
  enum tny_status status = program_run(&dot, error);
  rewind(plain);
  if (status == TNY_OK && !read_plain(plain, nodes, layout))
    status = tny_error_set(error, TNY_SYSTEM,
                           "dot's plain output doesn't have all nodes of the network: is another "
                           "program called dot first on PATH?");
  fclose(plain);
  return status;
}

enum tny_status layout_make(const struct tny_cluster *cluster, struct layout *layout,
                            struct tny_error *error)
{
  const uint32_t nodes = cluster->host_count + cluster->switch_count;
  struct tny_text text = {0};
  char *graph = NULL;
  *layout = (struct layout){.nodes = tny_new(nodes, sizeof *layout->nodes)};
  if (!layout->nodes)
    return tny_error_memory(error);
  write_graph(cluster, &text);
  enum tny_status status = tny_text_take(&text, &graph, error);
  if (status == TNY_OK)
    status = lay_out(graph, nodes, layout, error);
  tny_text_free(graph);
  return status;
}

void layout_release(struct layout *layout)
{
  tny_free(layout->nodes);
  *layout = (struct layout){0};
}
