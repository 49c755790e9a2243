/* `tourney plan --show picture`: a plan on the network, as a Graphviz graph. It shows what each
   link carries, or the messages of one phase on their routes. It can be read without colours:
   labels say the same. Units: points and inches, as Graphviz has them. */
#include <inttypes.h>

#include "cli/shared/link.h"
#include "cli/shared/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "show.h"

enum {
  LINES_MAX = 6, /* side by side on a link; more messages are one thick line with their number */
  SENDS_MAX = 4, /* named at a host */
  SHADES = 6,    /* of what a link carries */
  WIDTH_MAX = 6, /* of a line, in points */
};

#define IDLE "#c8c8c8"

/* Okabe and Ito's colours, which the colour-blind can tell apart too. */
static const char *const colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                      "#d55e00", "#56b4e9", "#000000", "#b8a800"};
#define COLOUR_COUNT (sizeof colours / sizeof *colours)

/* From little to all of what the fullest link carries; each is darker than the one before, also in
   print. */
static const char *const shades[SHADES] = {"#c6dbef", "#9ecae1", "#6baed6",
                                           "#3182bd", "#08519c", "#08306b"};

/* The messages of a phase that cross a link: how many, and the colours of the first ones. */
struct crossing_messages {
  uint32_t count;
  uint8_t colour[LINES_MAX];
};

struct picture {
  const struct plan *plan;
  const struct tny_cluster *cluster;
  bool of_phase; /* else of all */
  uint32_t phase;
  const struct plan_message *messages; /* of the phase, by sender */
  uint64_t count;
  struct crossing_messages *crossing; /* by link */
  struct tny_text *text;
};

/* A text inside a Graphviz string. */
static void add_quoted(struct tny_text *text, const char *value)
{
  for (const char *c = value; *c; c++)
    tny_text_add(text, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
}

static void count_messages(const struct picture *picture)
{
  for (uint64_t i = 0; i < picture->count; i++) {
    struct route route = route_begin(&picture->plan->mapping.network, picture->messages[i].from,
                                     picture->messages[i].to);
    uint32_t link;
    while ((link = route_next(&route)) != TNY_NONE) {
      struct crossing_messages *here = &picture->crossing[link];
      if (here->count < LINES_MAX)
        here->colour[here->count] = (uint8_t)(i % COLOUR_COUNT);
      here->count++;
    }
  }
}

static uint32_t find_fullest_link(const struct picture *picture)
{
  uint32_t fullest = 0;
  for (uint32_t link = 1; link < picture->cluster->link_count; link++)
    if (picture->crossing[link].count > picture->crossing[fullest].count)
      fullest = link;
  return fullest;
}

static void write_title(const struct picture *picture)
{
  const struct plan *plan = picture->plan;
  const struct tny_cluster *cluster = picture->cluster;
  struct tny_text *text = picture->text;
  tny_text_add(text, "%s %s on ", tny_collective_name(plan->wanted.collective),
               plan->schedule->algorithm);
  add_quoted(text, plan->request->cluster);
  tny_text_add(text, ", %" PRIu32 " ranks\\n", plan->wanted.rank_count);
  if (picture->of_phase) {
    const uint32_t link = find_fullest_link(picture), most = picture->crossing[link].count;
    tny_text_add(text, "phase %" PRIu32 " of 0 to %" PRIu32 ": %" PRIu64 " message%s",
                 picture->phase, plan->proof.report.phases - 1, picture->count,
                 picture->count == 1 ? "" : "s");
    if (most > 0)
      tny_text_add(text, ", at most %" PRIu32 " on a link (%s to %s)", most,
                   cluster->node_names[cluster->links[link].from],
                   cluster->node_names[cluster->links[link].to]);
    tny_text_add(text,
                 "\\na line is a message on its way; \\\"0 to 8\\\" at a host: rank 0 sends to "
                 "rank 8;\\nthick with a number: so many messages; grey: idle\\n ");
    return;
  }
  const uint32_t link = plan->proof.certificate.fullest_link;
  if (link != TNY_NONE)
    tny_text_add(text, "%s blocks; 100 %% is %s to %s, which carries %s\\n",
                 tny_bytes_format(plan->block_bytes).text,
                 cluster->node_names[cluster->links[link].from],
                 cluster->node_names[cluster->links[link].to],
                 tny_bytes_format(plan->proof.load_bytes[link]).text);
  tny_text_add(text,
               "width, darkness and %%: how long a link is busy; no arrow: as long each way;\\n"
               "at a host: its port, out and in; grey: idle\\n ");
}

/* Lines of a host's label: which ranks send where. */
static void write_sends(const struct picture *picture, uint32_t host)
{
  const uint32_t *host_of_rank = picture->plan->mapping.host_of_rank;
  uint32_t shown = 0, left = 0;
  for (uint64_t i = 0; i < picture->count; i++) {
    if (host_of_rank[picture->messages[i].from] != host)
      continue;
    if (shown++ < SENDS_MAX)
      tny_text_add(picture->text, "\\n%" PRIu32 " to %" PRIu32, picture->messages[i].from,
                   picture->messages[i].to);
    else
      left++;
  }
  if (left > 0)
    tny_text_add(picture->text, "\\nand %" PRIu32 " more", left);
}

static double share_of(const struct picture *picture, uint32_t link)
{
  const struct plan *plan = picture->plan;
  const struct proof_subject subject = plan_subject(plan);
  const uint32_t fullest = plan->proof.certificate.fullest_link;
  if (fullest == TNY_NONE)
    return 0;
  return proof_link_seconds(&subject, &plan->proof, link) /
         proof_link_seconds(&subject, &plan->proof, fullest);
}

static void write_host(const struct picture *picture, uint32_t host)
{
  const struct tny_cluster *cluster = picture->cluster;
  const uint32_t out = cluster->out_links[cluster->first_out[host]];
  struct tny_text *text = picture->text;
  uint32_t first = TNY_NONE, ranks = 0;
  for (uint32_t rank = 0; rank < picture->plan->wanted.rank_count; rank++)
    if (picture->plan->mapping.host_of_rank[rank] == host) {
      first = first == TNY_NONE ? rank : first;
      ranks++;
    }
  tny_text_add(text, "  \"%s\" [label=\"%s", cluster->node_names[host], cluster->node_names[host]);
  if (ranks == 1)
    tny_text_add(text, "\\nrank %" PRIu32, first);
  else if (ranks > 1)
    tny_text_add(text, "\\n%" PRIu32 " ranks from %" PRIu32, ranks, first);
  if (picture->of_phase)
    write_sends(picture, host);
  else if (ranks > 0)
    tny_text_add(text, "\\n%.0f, %.0f %%", 100 * share_of(picture, out),
                 100 * share_of(picture, out ^ 1));
  tny_text_add(text, "\"");
}

/* 2-D tori and meshes are drawn as grids, other networks as neato lays them out. */
static bool is_grid(const struct picture *picture)
{
  return picture->cluster->shape.dimension_count == 2;
}

/* Where a node of a grid is drawn, in inches; a host is drawn beside its switch. */
struct position {
  double x, y;
};

static struct position position_of(const struct picture *picture, uint32_t node)
{
  const uint32_t hosts = picture->cluster->host_count;
  const uint32_t across = is_grid(picture) ? picture->cluster->shape.size[0] : 1;
  const bool is_host = node < hosts;
  const uint32_t at = is_host ? node : node - hosts;
  const double apart = 2.4, aside = is_host ? 0.95 : 0;
  return (struct position){apart * (at % across) + aside, 0 - apart * (at / across) - aside};
}

static void write_position(const struct picture *picture, struct position position)
{
  if (is_grid(picture))
    tny_text_add(picture->text, ", pos=\"%.2f,%.2f!\"", position.x, position.y);
}

static void write_nodes(const struct picture *picture)
{
  const struct tny_cluster *cluster = picture->cluster;
  tny_text_add(picture->text,
               "  node [shape=ellipse, style=filled, fillcolor=\"#eef4fb\", color=\"#6f8fb0\", "
               "margin=\"0.02,0.02\"];\n");
  for (uint32_t host = 0; host < cluster->host_count; host++) {
    write_host(picture, host);
    write_position(picture, position_of(picture, host));
    tny_text_add(picture->text, "];\n");
  }
  tny_text_add(picture->text, "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#fbe9c8\", "
                              "color=\"#b08a3c\", fontsize=16];\n");
  for (uint32_t node = cluster->host_count; node < cluster->host_count + cluster->switch_count;
       node++) {
    tny_text_add(picture->text, "  \"%s\" [label=\"%s\"", cluster->node_names[node],
                 cluster->node_names[node]);
    write_position(picture, position_of(picture, node));
    tny_text_add(picture->text, "];\n");
  }
}

/* Does the link lead around a torus? Then it is drawn leaving the picture at one side and coming in
   at the other. */
static bool leads_around(const struct picture *picture, uint32_t link)
{
  const struct tny_link *at = &picture->cluster->links[link];
  if (!is_grid(picture) || at->from < picture->cluster->host_count ||
      at->to < picture->cluster->host_count)
    return false;
  const struct position from = position_of(picture, at->from), to = position_of(picture, at->to);
  const double away = (from.x - to.x) * (from.x - to.x) + (from.y - to.y) * (from.y - to.y);
  return away > 6; /* farther than a neighbour, which is 2.4 inches away */
}

/* A node at the rim beside `node`, in place of `other`, which is at the other side. */
static void write_stub(const struct picture *picture, uint32_t node, uint32_t other)
{
  const char *const *names = picture->cluster->node_names;
  struct position position = position_of(picture, node);
  const struct position away = position_of(picture, other);
  position.x += away.x > position.x ? -1.5 : away.x < position.x ? 1.5 : 0;
  position.y += away.y > position.y ? -1.5 : away.y < position.y ? 1.5 : 0;
  tny_text_add(picture->text, "  \"%s around to %s\" [shape=plaintext, style=\"\", label=\"%s\"",
               names[node], names[other], names[other]);
  write_position(picture, position);
  tny_text_add(picture->text, "];\n");
}

/* Draws a link with these attributes; one that leads around a torus twice, once at each side. */
static void write_edge(const struct picture *picture, uint32_t link, const char *attributes)
{
  const struct tny_link *at = &picture->cluster->links[link];
  const char *from = picture->cluster->node_names[at->from];
  const char *to = picture->cluster->node_names[at->to];
  if (!leads_around(picture, link)) {
    tny_text_add(picture->text, "  \"%s\" -> \"%s\" [%s];\n", from, to, attributes);
    return;
  }
  tny_text_add(picture->text, "  \"%s\" -> \"%s around to %s\" [%s];\n", from, from, to,
               attributes);
  tny_text_add(picture->text, "  \"%s around to %s\" -> \"%s\" [%s];\n", to, from, to, attributes);
}

/* A label on a white ground, so that the line behind it is hidden. */
#define LABEL_BEGIN                                                                                \
  "<<table border=\"0\" cellborder=\"0\" cellpadding=\"1\" bgcolor=\"white\"><tr><td>"
#define LABEL_END "</td></tr></table>>"

/* A line for each message, or one thick one. */
static void write_messages(const struct picture *picture, uint32_t link)
{
  const struct crossing_messages *here = &picture->crossing[link];
  char attributes[256];
  if (here->count == 0)
    return;
  if (here->count > LINES_MAX) {
    snprintf(attributes, sizeof attributes,
             "color=\"#303030\", penwidth=%d, arrowsize=0.5, label=" LABEL_BEGIN
             "%" PRIu32 LABEL_END,
             WIDTH_MAX, here->count);
  } else {
    int length = snprintf(attributes, sizeof attributes, "penwidth=2, color=\"");
    for (uint32_t i = 0; i < here->count; i++)
      length += snprintf(attributes + length, sizeof attributes - (size_t)length, "%s%s",
                         i > 0 ? ":" : "", colours[here->colour[i]]);
    snprintf(attributes + length, sizeof attributes - (size_t)length, "\"");
  }
  write_edge(picture, link, attributes);
}

static void write_phase_cable(const struct picture *picture, uint32_t cable)
{
  if (picture->crossing[cable].count == 0 && picture->crossing[cable + 1].count == 0)
    write_edge(picture, cable, "dir=none, color=\"" IDLE "\"");
  write_messages(picture, cable);
  write_messages(picture, cable + 1);
}

/* Where both directions are drawn, the label of each is near its beginning. */
static void write_load(const struct picture *picture, uint32_t link, bool both_ways)
{
  const double share = share_of(picture, link);
  const bool labelled = share > 0 && link_kind_of(picture->cluster, link) == LINK_TRUNK;
  char attributes[512], label[160] = "";
  if (labelled)
    snprintf(label, sizeof label, ", %s=" LABEL_BEGIN "%.0f %%" LABEL_END,
             both_ways ? "label" : "labeldistance=2.4, labelangle=28, taillabel", 100 * share);
  snprintf(attributes, sizeof attributes, "color=\"%s\", dir=%s, penwidth=%.1f, arrowsize=%.1f%s",
           share > 0 ? shades[(int)(share * (SHADES - 1) + 0.5)] : IDLE,
           both_ways ? "none" : "forward", 1 + (WIDTH_MAX - 1) * share, 1 - 0.5 * share, label);
  write_edge(picture, link, attributes);
}

/* One line for both directions where they carry the same, or where one carries nothing. */
static void write_load_cable(const struct picture *picture, uint32_t cable)
{
  const uint64_t *bytes = picture->plan->proof.load_bytes;
  if (bytes[cable] == bytes[cable + 1]) {
    write_load(picture, cable, true);
    return;
  }
  for (uint32_t link = cable; link < cable + 2; link++)
    if (bytes[link] > 0)
      write_load(picture, link, false);
}

static void write_stubs(const struct picture *picture)
{
  tny_text_add(picture->text, "  node [fontsize=12];\n");
  for (uint32_t link = 0; link < picture->cluster->link_count; link++)
    if (leads_around(picture, link))
      write_stub(picture, picture->cluster->links[link].from, picture->cluster->links[link].to);
}

static void write_graph(const struct picture *picture)
{
  const struct tny_cluster *cluster = picture->cluster;
  struct tny_text *text = picture->text;
  tny_text_add(text, "digraph plan {\n  graph [layout=neato, overlap=false, splines=true, "
                     "labelloc=t, fontname=\"sans-serif\", fontsize=16,\n    label=\"");
  write_title(picture);
  tny_text_add(text, "\"];\n  node [fontname=\"sans-serif\", fontsize=12];\n"
                     "  edge [fontname=\"sans-serif\", fontsize=12, arrowsize=0.7, len=1.5];\n");
  write_nodes(picture);
  write_stubs(picture);
  for (uint32_t cable = 0; cable < cluster->link_count; cable += 2)
    if (picture->of_phase)
      write_phase_cable(picture, cable);
    else
      write_load_cable(picture, cable);
  tny_text_add(text, "}\n");
}

/* Keeps only the messages of the wanted phase. */
static enum tny_status take_phase(struct picture *picture, struct tny_error *error)
{
  const struct plan *plan = picture->plan;
  const uint32_t wanted = picture->phase, phases = plan->proof.report.phases;
  if (phases == 0)
    return tny_error_set(error, TNY_REFUSED,
                         "the messages of %s have no phases: draw all together, without --phase",
                         plan->schedule->algorithm);
  if (wanted >= phases)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--phase is from 0 to %" PRIu32 " here, not %" PRIu32, phases - 1, wanted);
  while (picture->count > 0 && picture->messages->phase < wanted) {
    picture->messages++;
    picture->count--;
  }
  while (picture->count > 0 && picture->messages[picture->count - 1].phase > wanted)
    picture->count--;
  return TNY_OK;
}

enum tny_status plan_write_picture(const struct plan *plan, const struct plan_options *options,
                                   char **shown, struct tny_error *error)
{
  struct tny_text text = {0};
  struct plan_message *messages;
  struct picture picture = {.plan = plan,
                            .cluster = plan->mapping.cluster,
                            .of_phase = options->phase != TNY_NONE,
                            .phase = options->phase,
                            .text = &text};
  enum tny_status status = plan_messages(plan->schedule, &messages, &picture.count, error);
  if (status != TNY_OK)
    return status;
  picture.messages = messages;
  picture.crossing = tny_new(picture.cluster->link_count, sizeof *picture.crossing);
  status = picture.crossing ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK && picture.of_phase)
    status = take_phase(&picture, error);
  if (status == TNY_OK) {
    if (picture.of_phase)
      count_messages(&picture);
    write_graph(&picture);
    status = tny_text_take(&text, shown, error);
  }
  tny_text_release(&text);
  tny_free(picture.crossing);
  tny_free(messages);
  return status;
}
