/* The bundles of a cluster and what was relied on of them, as text and as JSON. */
#include <inttypes.h>

#include "certificate.h"
#include "cluster/links.h"
#include "core/alloc.h"
#include "core/hostlist.h"

enum { LINES_MAX = 16 }; /* with more, the first, unless all links are wanted */

/* Cables that differ in one end only. */
struct run {
  uint32_t first, end; /* links */
  bool same_from;
};

static bool are_alike(const struct tny_link *a, const struct tny_link *b)
{
  return a->cable_count == b->cable_count && a->spread == b->spread && a->best_bps == b->best_bps;
}

/* The run that begins at `first`, which is a bundle's. Bundles between the same two nodes are no
   run. */
static struct run run_from(const struct tny_cluster *cluster, uint32_t first)
{
  const struct tny_link *links = cluster->links;
  struct run run = {.first = first, .end = first + 2, .same_from = true};
  if (run.end < cluster->link_count)
    run.same_from = links[first].to != links[run.end].to;
  while (run.end < cluster->link_count && are_alike(&links[first], &links[run.end])) {
    const struct tny_link *last = &links[run.end - 2], *next = &links[run.end];
    if ((last->from == next->from) != run.same_from || (last->to == next->to) == run.same_from)
      break;
    run.end += 2;
  }
  return run;
}

static bool name_ends(const struct tny_cluster *cluster, const struct run *run, bool from,
                      struct tny_text *text)
{
  const uint32_t count = from == run->same_from ? 1 : (run->end - run->first) / 2;
  const char **names = tny_new(count, sizeof *names);
  if (!names)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const struct tny_link *link = &cluster->links[run->first + 2 * i];
    names[i] = cluster->node_names[from ? link->from : link->to];
  }
  tny_hostlist_fold(text, names, count);
  tny_free(names);
  return true;
}

static void describe_run(const struct tny_cluster *cluster, const struct run *run,
                         struct tny_text *text)
{
  const struct tny_link *link = &cluster->links[run->first];
  bool named = name_ends(cluster, run, true, text);
  tny_text_add(text, " -- ");
  named = name_ends(cluster, run, false, text) && named;
  text->failed |= !named;
  tny_text_add(text, ": %" PRIu32 " x %s, spread by %s, relied on for %s\n", link->cable_count,
               tny_bandwidth_format(tny_link_cable_bps(link)).text,
               tny_spreading_name(link->spread), tny_bandwidth_format(link->bandwidth_bps).text);
}

void bundles_describe(const struct tny_cluster *cluster, bool all, struct tny_text *text)
{
  const char *indent = "  bundles       ";
  uint32_t lines = 0, left = 0;
  bool any_flow = false;
  for (uint32_t link = 0; link < cluster->link_count;) {
    struct run run = {.end = link + 2};
    if (cluster->links[link].cable_count > 1) {
      run = run_from(cluster, link);
      any_flow |= cluster->links[link].spread == TNY_SPREADING_FLOW;
      if (all || lines < LINES_MAX) {
        tny_text_add(text, "%s", indent);
        describe_run(cluster, &run, text);
        indent = "                ";
      } else {
        left += (run.end - run.first) / 2;
      }
      lines++;
    }
    link = run.end;
  }
  if (left)
    tny_text_add(text, "%sand %" PRIu32 " more (--links names all)\n", indent, left);
  if (any_flow)
    tny_text_add(text,
                 "%sby flow: a hash chooses the cable, and which messages share one isn't known;\n"
                 "%srelied on is one cable, the bound counts all\n",
                 indent, indent);
}

json_t *bundles_json(const struct tny_cluster *cluster)
{
  json_t *bundles = json_array();
  for (uint32_t i = 0; i < cluster->link_count; i += 2) {
    const struct tny_link *link = &cluster->links[i];
    if (link->cable_count > 1)
      json_add(
          &bundles,
          json_pack("{s:s, s:s, s:I, s:s, s:I, s:I, s:b}", "from", cluster->node_names[link->from],
                    "to", cluster->node_names[link->to], "cables", (json_int_t)link->cable_count,
                    "spread", tny_spreading_name(link->spread), "relied_on_bps",
                    (json_int_t)link->bandwidth_bps, "best_bps", (json_int_t)link->best_bps,
                    "load_of_each_cable_is_known", (int)(link->spread == TNY_SPREADING_PACKET)));
  }
  return bundles;
}
