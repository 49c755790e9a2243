/* The network as SVG, and what steps through a plan's messages on it. Hosts and switches are boxes,
   each direction of a cable is a line that page.js colours. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/shared/words.h"
#include "core/alloc.h"
#include "core/error.h"
#include "html.h"
#include "network.h"
#include "sections.h"

enum { NAME_CHARS = 18, LANE = 3, CABLE = 7 };

#define LEAST_SHARE 0.65 /* The drawing shrinks so far; then it scrolls. */

struct point {
  double x, y;
};

/* --- links --- */

/* How many cables between the same two nodes come before this link's. */
static uint32_t cables_before(const struct tny_cluster *cluster, uint32_t link)
{
  const uint32_t from = cluster->links[link].from, to = cluster->links[link].to;
  uint32_t count = 0;
  for (uint32_t i = cluster->first_out[from]; i < cluster->first_out[from + 1]; i++)
    count += cluster->out_links[i] / 2 < link / 2 && cluster->links[cluster->out_links[i]].to == to;
  return count;
}

/* The part of the way from a node's middle to another's that lies in the first one's box. */
static double inside(const struct layout_node *node, double dx, double dy)
{
  const double x = fabs(dx) > 0 ? node->width / 2 / fabs(dx) : 1;
  const double y = fabs(dy) > 0 ? node->height / 2 / fabs(dy) : 1;
  const double share = x < y ? x : y;
  return share < 0.45 ? share : 0.45;
}

static void write_link(const struct tny_cluster *cluster, const struct layout *layout,
                       uint32_t link, struct tny_text *html)
{
  const uint32_t from = cluster->links[link].from, to = cluster->links[link].to;
  const struct layout_node *a = &layout->nodes[from], *b = &layout->nodes[to];
  const double dx = b->x - a->x, dy = b->y - a->y, length = hypot(dx, dy) + 1e-9;
  const double aside = (LANE + CABLE * (double)cables_before(cluster, link)) / length;
  const double begin = inside(a, dx, dy), end = 1 - inside(b, dx, dy);
  html_add(html,
           "<path class=\"link\" id=\"l%" PRIu32 "\" data-from=\"%" PRIu32 "\" data-to=\"%" PRIu32
           "\" d=\"M%.1f %.1fL%.1f %.1f\"><title>",
           link, from, to, a->x + dx * begin - dy * aside, a->y + dy * begin + dx * aside,
           a->x + dx * end - dy * aside, a->y + dy * end + dx * aside);
  html_words(html, cluster->node_names[from]);
  html_add(html, " &#8594; ");
  html_words(html, cluster->node_names[to]);
  html_add(html, "</title></path>\n");
}

/* --- nodes --- */

/* The ranks of a host: "rank 3", "ranks 0-7", "ranks 0, 4, ...". */
static void describe_ranks(const struct tny_network *network, uint32_t host, char *words,
                           size_t room)
{
  const uint32_t p = network->rank_count, *host_of_rank = network->host_of_rank;
  uint32_t count = 0, first = 0, second = 0, last = 0;
  for (uint32_t rank = 0; rank < p; rank++) {
    if (host_of_rank[rank] != host)
      continue;
    first = count == 0 ? rank : first;
    second = count == 1 ? rank : second;
    last = rank;
    count++;
  }
  if (count == 0)
    snprintf(words, room, "no rank");
  else if (count == 1)
    snprintf(words, room, "rank %" PRIu32, first);
  else if (last - first + 1 == count)
    snprintf(words, room, "ranks %" PRIu32 "-%" PRIu32, first, last);
  else
    snprintf(words, room, "ranks %" PRIu32 ", %" PRIu32 "%s", first, second,
             count > 2 ? ", ..." : "");
}

/* Cut where it's long; not within a character of UTF-8. */
static void write_short_name(const char *name, struct tny_text *html)
{
  char cut[NAME_CHARS + 1];
  size_t length = strlen(name);
  if (length <= NAME_CHARS) {
    html_words(html, name);
    return;
  }
  length = NAME_CHARS - 1;
  while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
    length--;
  snprintf(cut, sizeof cut, "%.*s", (int)length, name);
  html_words(html, cut);
  html_add(html, "&#8230;");
}

static void write_node(const struct tny_network *network, const struct layout *layout,
                       uint32_t node, struct tny_text *html)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  const struct layout_node *box = &layout->nodes[node];
  const bool is_host = node < cluster->host_count;
  char ranks[64] = "";
  if (is_host)
    describe_ranks(network, node, ranks, sizeof ranks);
  html_add(html, "<g class=\"node %s\" id=\"n%" PRIu32 "\" data-name=\"",
           is_host ? "host" : "switch", node);
  html_words(html, cluster->node_names[node]);
  html_add(html, "\"><title>%s ", is_host ? "host" : "switch");
  html_words(html, cluster->node_names[node]);
  html_add(html,
           "%s%s</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%d\"/>",
           is_host ? ", " : "", ranks, box->x - box->width / 2, box->y - box->height / 2,
           box->width, box->height, is_host ? 8 : 0);
  html_add(html, "<text x=\"%.1f\" y=\"%.1f\">", box->x, is_host ? box->y - 2 : box->y + 4);
  write_short_name(cluster->node_names[node], html);
  html_add(html, "</text>");
  if (is_host)
    html_add(html, "<text class=\"ranks\" x=\"%.1f\" y=\"%.1f\">%s</text>", box->x, box->y + 12,
             ranks);
  html_add(html, "</g>\n");
}

/* --- the section --- */

static void write_arrow(const char *id, struct tny_text *html)
{
  html_add(html,
           "<marker id=\"arrow-%s\" class=\"%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
           "markerWidth=\"10\" markerHeight=\"10\" markerUnits=\"userSpaceOnUse\" "
           "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>\n",
           id, id);
}

void network_draw(const struct tny_network *network, const struct layout *layout,
                  struct tny_text *html)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  html_add(html,
           "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Drawing of the "
           "network\">\n<svg class=\"network\" role=\"img\" aria-labelledby=\"network-title\" "
           "viewBox=\"0 0 %.0f %.0f\" style=\"width:%.0fpx;max-width:max(100%%,%.0fpx)\">\n"
           "<title id=\"network-title\">",
           layout->width, layout->height, layout->width, LEAST_SHARE * layout->width);
  html_words(html, cluster->name);
  const uint32_t cables = cluster->link_count / 2;
  html_say(html, ": %" PRIu32 " host%s, %" PRIu32 " switch%s, %" PRIu32 " cable%s",
           cluster->host_count, plural(cluster->host_count), cluster->switch_count,
           cluster->switch_count == 1 ? "" : "es", cables, plural(cables));
  html_add(html, "</title>\n<defs>\n");
  write_arrow("busy", html);
  write_arrow("shared", html);
  html_add(html, "</defs>\n");
  for (uint32_t link = 0; link < cluster->link_count; link++)
    write_link(cluster, layout, link, html);
  for (uint32_t node = 0; node < cluster->host_count + cluster->switch_count; node++)
    write_node(network, layout, node, html);
  html_add(html, "</svg>\n</div>\n");
}

static void write_controls(const struct plan_steps *steps, struct tny_text *html)
{
  const char *word = plan_steps_word(steps);
  html_add(
      html,
      "<div class=\"controls\" role=\"group\" aria-label=\"Choose a %s\" hidden>\n"
      "<button type=\"button\" id=\"first\">First</button>\n"
      "<button type=\"button\" id=\"previous\">Previous</button>\n"
      "<button type=\"button\" id=\"next\">Next</button>\n"
      "<button type=\"button\" id=\"last\">Last</button>\n"
      "<label>%s <input type=\"number\" id=\"number\" min=\"0\" max=\"%" PRIu32
      "\" value=\"0\"></label>\n"
      "<label class=\"wide\">all %ss <input type=\"range\" id=\"range\" min=\"0\" max=\"%" PRIu32
      "\" value=\"0\"></label>\n</div>\n",
      word, word, steps->count - 1, word, steps->count - 1);
  html_add(html,
           "<p class=\"hint needs-script\" hidden>Keys: left and right arrow for the %s before and "
           "after, Home and End for the first and the last.</p>\n"
           "<noscript><p>Stepping needs JavaScript; all tables and the heat map don't.</p>"
           "</noscript>\n<p id=\"now\" aria-live=\"polite\"></p>\n",
           word);
}

static void write_legend(struct tny_text *html)
{
  html_add(html, "<ul class=\"legend\">\n<li><span class=\"key idle\"></span>idle direction of a "
                 "cable</li>\n<li><span class=\"key busy\"></span>carries one message</li>\n"
                 "<li><span class=\"key shared\"></span>carries several at once, thick</li>\n"
                 "</ul>\n");
}

enum tny_status section_network(const struct plan_steps *steps, const struct layout *layout,
                                struct tny_text *html, struct tny_error *error)
{
  if (steps->count == 0) {
    html_section_begin(html, "network", "The network");
    html_add(html, "<p>No message is sent.</p>\n");
    network_draw(&steps->plan->mapping.network, layout, html);
    html_section_end(html);
    return TNY_OK;
  }
  html_section_begin(html, "network", "The messages, step by step");
  if (steps->by_rounds)
    html_add(html,
             "<p>The messages of this algorithm have no phases. A round has the messages that "
             "can come at once, with a message of a rank each way.</p>\n");
  write_controls(steps, html);
  network_draw(&steps->plan->mapping.network, layout, html);
  write_legend(html);
  html_add(html, "<div id=\"messages\" class=\"needs-script\" hidden></div>\n");
  html_section_end(html);
  return steps_data(steps, html, error);
}
