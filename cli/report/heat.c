/* The heat map: a row for each direction of a cable that carries something, time from left to
   right, a column for each step or for some that follow each other. Colours are classes of
   page.css. Units: pixels. */
#include <inttypes.h>
#include <string.h>

#include "cli/shared/link.h"
#include "cli/shared/words.h"
#include "core/alloc.h"
#include "core/error.h"
#include "html.h"
#include "sections.h"

enum {
  ROWS_MAX = 512,
  CELLS_MAX = 60000, /* of the map: some 1 MB at the worst */
  COLUMNS_MAX = 240,
  LEVELS = 8,
  GROUPS = LINK_KIND_COUNT,
  GAP = 8,
  PLOT_WIDTH = 720,
  TOP = 4,
  AXIS_HEIGHT = 36,
  LABEL_HEIGHT = 12,
};

static const enum link_kind groups[GROUPS] = {LINK_OUT_OF_HOST, LINK_TRUNK, LINK_INTO_HOST};

struct map {
  const struct plan_steps *steps;
  struct tny_text *html;
  uint32_t *order;            /* links that carry something, group by group */
  uint32_t first[GROUPS + 1]; /* in `order` */
  uint32_t every;             /* a row for so many links of a group: the busiest of them */
  uint32_t row_first[GROUPS + 1];
  uint32_t columns, steps_a_column;
  int8_t *levels; /* by row and column; -1: idle */
  double row_height, left;
};

static void sort_links(struct map *map)
{
  const struct plan *plan = map->steps->plan;
  const struct tny_cluster *cluster = plan->mapping.cluster;
  uint32_t count = 0;
  for (uint32_t group = 0; group < GROUPS; group++) {
    map->first[group] = count;
    for (uint32_t link = 0; link < cluster->link_count; link++)
      if (plan->proof.load_bytes[link] > 0 && link_kind_of(cluster, link) == groups[group])
        map->order[count++] = link;
  }
  map->first[GROUPS] = count;
  map->every = (count + ROWS_MAX - 1) / ROWS_MAX;
  for (uint32_t group = 0; group < GROUPS; group++)
    map->row_first[group + 1] =
        map->row_first[group] +
        (map->first[group + 1] - map->first[group] + map->every - 1) / map->every;
}

static void settle_size(struct map *map)
{
  const uint32_t rows = map->row_first[GROUPS];
  uint32_t most = CELLS_MAX / (rows ? rows : 1);
  size_t longest = 0;
  most = most > COLUMNS_MAX ? COLUMNS_MAX : most;
  map->steps_a_column = (map->steps->count + most - 1) / most;
  map->columns = (map->steps->count + map->steps_a_column - 1) / map->steps_a_column;
  const double wanted = 640.0 / rows;
  map->row_height = wanted > 16 ? 16 : wanted < 3 ? 3 : wanted;
  for (uint32_t i = 0; i < map->first[GROUPS]; i++) {
    char name[LINK_NAME_CHARS];
    link_name(map->steps->plan->mapping.cluster, map->order[i], name);
    longest = strlen(name) > longest ? strlen(name) : longest;
  }
  map->left = 12 + 6.6 * (double)longest;
}

/* The last step of a column, and one more. */
static uint32_t column_end(const struct map *map, uint32_t column)
{
  const uint32_t end = (column + 1) * map->steps_a_column;
  return end < map->steps->count ? end : map->steps->count;
}

static double begin_of(const struct map *map, uint32_t step)
{
  return step == 0 ? 0 : map->steps->end[step - 1];
}

static int level_of(double seconds, double of_seconds)
{
  if (seconds <= 0)
    return -1;
  const double share = seconds / of_seconds;
  return share >= 1 ? LEVELS - 1 : (int)(share * LEVELS);
}

/* Fills in a column; `busy` is by link. */
static void find_column(const struct map *map, uint32_t column, double *busy)
{
  const struct plan_steps *steps = map->steps;
  const uint32_t first = column * map->steps_a_column, end = column_end(map, column);
  const double seconds = steps->end[end - 1] - begin_of(map, first);
  const uint32_t links = steps->plan->mapping.cluster->link_count;
  memset(busy, 0, links * sizeof *busy);
  for (uint32_t step = first; step < end; step++) {
    plan_steps_load(steps, step);
    for (uint32_t link = 0; link < links; link++)
      busy[link] += steps->link_seconds[link];
    plan_steps_unload(steps, step);
  }
  for (uint32_t group = 0; group < GROUPS; group++)
    for (uint32_t i = map->first[group]; i < map->first[group + 1]; i++) {
      const uint32_t row = map->row_first[group] + (i - map->first[group]) / map->every;
      int8_t *level = &map->levels[(size_t)row * map->columns + column];
      const int here = level_of(busy[map->order[i]], seconds);
      *level = here > *level ? (int8_t)here : *level;
    }
}

static double x_of(const struct map *map, double seconds)
{
  return map->left + PLOT_WIDTH * seconds / map->steps->end[map->steps->count - 1];
}

static double y_of(const struct map *map, uint32_t group, uint32_t row)
{
  return TOP + group * GAP + row * map->row_height;
}

/* The cells of one level in a row, those that follow each other as one. */
static void write_row(const struct map *map, uint32_t group, uint32_t row, int level)
{
  const int8_t *levels = &map->levels[(size_t)row * map->columns];
  for (uint32_t column = 0; column < map->columns; column++) {
    if (levels[column] != level)
      continue;
    const uint32_t first = column;
    while (column + 1 < map->columns && levels[column + 1] == level)
      column++;
    const double x = x_of(map, begin_of(map, first * map->steps_a_column));
    const double width = x_of(map, map->steps->end[column_end(map, column) - 1]) - x;
    html_add(map->html, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x, y_of(map, group, row), width,
             map->row_height - (map->row_height > 6), width);
  }
}

static void write_cells(const struct map *map)
{
  for (int level = 0; level < LEVELS; level++) {
    html_add(map->html, "<path class=\"heat%d\" d=\"", level);
    for (uint32_t group = 0; group < GROUPS; group++)
      for (uint32_t row = map->row_first[group]; row < map->row_first[group + 1]; row++)
        write_row(map, group, row, level);
    html_add(map->html, "\"/>\n");
  }
}

static void write_labels(const struct map *map)
{
  uint32_t apart = 1;
  while (apart * map->row_height < LABEL_HEIGHT)
    apart++;
  for (uint32_t group = 0; group < GROUPS; group++)
    for (uint32_t row = map->row_first[group]; row < map->row_first[group + 1]; row += apart) {
      char name[LINK_NAME_CHARS];
      link_name(map->steps->plan->mapping.cluster,
                map->order[map->first[group] + (row - map->row_first[group]) * map->every], name);
      html_add(map->html, "<text class=\"end\" x=\"%.1f\" y=\"%.1f\">", map->left - 6,
               y_of(map, group, row) + map->row_height / 2 + 4);
      html_words(map->html, name);
      html_add(map->html, "</text>\n");
    }
}

static void write_axis(const struct map *map, double bottom)
{
  const double ms = 1e3 * map->steps->end[map->steps->count - 1];
  for (int i = 0; i <= 4; i++) {
    const double x = map->left + PLOT_WIDTH * i / 4.0;
    html_add(map->html,
             "<path class=\"tick\" d=\"M%.1f %.1fv5\"/><text x=\"%.1f\" y=\"%.1f\">%.3g%s</text>\n",
             x, bottom, x, bottom + 18, ms * i / 4, i == 4 ? " ms" : "");
  }
}

static void write_map(const struct map *map)
{
  const double bottom = y_of(map, GROUPS - 1, map->row_first[GROUPS]) + 2;
  const double width = map->left + PLOT_WIDTH + 40, height = bottom + AXIS_HEIGHT;
  html_add(map->html,
           "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Heat map of the "
           "links\">\n<svg class=\"chart\" role=\"img\" aria-labelledby=\"heat-title\" "
           "viewBox=\"0 0 %.0f %.0f\" style=\"width:%.0fpx\">\n<title id=\"heat-title\">How busy "
           "each link is over time; the table of links below has the sums</title>\n",
           width, height, width);
  write_cells(map);
  write_labels(map);
  write_axis(map, bottom);
  html_add(map->html,
           "<rect id=\"heat-now\" class=\"now\" x=\"%.1f\" y=\"%d\" width=\"0\" height=\"%.1f\" "
           "data-left=\"%.1f\" data-width=\"%d\"/>\n</svg>\n</div>\n",
           map->left, TOP - 2, bottom - TOP, map->left, PLOT_WIDTH);
}

static void write_legend(const struct map *map)
{
  html_add(map->html, "<ul class=\"legend\">\n");
  for (int level = 0; level < LEVELS; level++)
    html_add(map->html, "<li><span class=\"key key-heat%d\"></span>%s%.4g %%</li>\n", level,
             level == LEVELS - 1 ? "to " : "under ", 100.0 * (level + 1) / LEVELS);
  html_add(map->html, "</ul>\n");
}

static void write_words(const struct map *map)
{
  const char *word = plan_steps_word(map->steps);
  html_add(
      map->html,
      "<p>Each %s takes as long as its fullest link at the raw rate, one %s after the other; "
      "so the whole is the certificate's time, without latencies and software. The colour says "
      "for which share of that time a link is busy; an empty cell is an idle link.",
      word, word);
  if (map->steps_a_column > 1)
    html_add(map->html, " A column is %" PRIu32 " %ss.", map->steps_a_column, word);
  const uint32_t idle = map->steps->plan->mapping.cluster->link_count - map->first[GROUPS];
  if (idle > 0)
    html_add(map->html, " Left out: %" PRIu32 " link%s that carr%s nothing.", idle, plural(idle),
             idle == 1 ? "ies" : "y");
  if (map->every > 1)
    html_add(map->html, " A row is the busiest of %" PRIu32 " links of a kind.", map->every);
  html_add(map->html,
           " From top to bottom: links out of hosts, between switches, into hosts.</p>\n");
}

enum tny_status section_heat(const struct plan_steps *steps, struct tny_text *html,
                             struct tny_error *error)
{
  const uint32_t links = steps->plan->mapping.cluster->link_count;
  struct map map = {.steps = steps, .html = html};
  enum tny_status status = TNY_OK;
  if (steps->count == 0 || steps->end[steps->count - 1] <= 0)
    return TNY_OK; /* No link carries anything. */
  map.order = tny_new(links, sizeof *map.order);
  double *busy = tny_new(links, sizeof *busy);
  if (map.order && busy) {
    sort_links(&map);
    settle_size(&map);
    const size_t cells = (size_t)map.row_first[GROUPS] * map.columns;
    map.levels = tny_new(cells, sizeof *map.levels);
    if (map.levels)
      memset(map.levels, -1, cells * sizeof *map.levels);
  }
  if (map.levels) {
    for (uint32_t column = 0; column < map.columns; column++)
      find_column(&map, column, busy);
    html_section_begin(html, "heat", "Load of the links over time");
    write_words(&map);
    write_legend(&map);
    write_map(&map);
    html_section_end(html);
  } else {
    status = tny_error_memory(error);
  }
  tny_free(map.levels);
  tny_free(busy);
  tny_free(map.order);
  return status;
}
