/* `tourney simulate --heatmap`: how busy each link was over time, as SVG. Time is cut in bins by
   the simulator. */
#include <inttypes.h>

#include "cli/shared/link.h"
#include "core/alloc.h"
#include "core/error.h"
#include "simulated.h"
#include "svg.h"

enum { ROWS_MAX = 512, GROUPS = LINK_KIND_COUNT, LEVELS = 8, LABEL_HEIGHT = 11, GAP = 6 };

static const char *const colours[LEVELS] = {"#fff3d6", "#fee0a3", "#fdc171", "#f99b4e",
                                            "#ec6f3f", "#d1433a", "#a31f3f", "#660f3d"};
static const char *const levels[LEVELS] = {"over 0", "12.5", "25", "37.5",
                                           "50",     "62.5", "75", "87.5 to 100 % busy"};

/* Links in rows: from hosts, between switches, to hosts. */
struct drawing {
  const struct simulated *simulated;
  struct svg svg;
  uint32_t *order;            /* links, group by group */
  uint32_t first[GROUPS + 1]; /* in `order`, by group */
  uint32_t every;             /* a row for so many links of a group: the fullest of them */
  uint32_t row_first[GROUPS + 1];
  double row_height;
};

static const enum link_kind groups[GROUPS] = {LINK_OUT_OF_HOST, LINK_TRUNK, LINK_INTO_HOST};

static void sort_links(struct drawing *drawing)
{
  const struct tny_cluster *cluster = drawing->simulated->plan.mapping.cluster;
  uint32_t count = 0;
  for (uint32_t group = 0; group < GROUPS; group++) {
    drawing->first[group] = count;
    for (uint32_t link = 0; link < cluster->link_count; link++)
      if (link_kind_of(cluster, link) == groups[group])
        drawing->order[count++] = link;
  }
  drawing->first[GROUPS] = count;
  drawing->every = (count + ROWS_MAX - 1) / ROWS_MAX;
  for (uint32_t group = 0; group < GROUPS; group++) {
    const uint32_t links = drawing->first[group + 1] - drawing->first[group];
    drawing->row_first[group + 1] =
        drawing->row_first[group] + (links + drawing->every - 1) / drawing->every;
  }
  const double wanted = 720.0 / drawing->row_first[GROUPS];
  drawing->row_height = wanted > 16 ? 16 : wanted < 2 ? 2 : wanted;
}

/* The share of a bin of time for which a link was busy. */
static double share_of(const struct drawing *drawing, uint32_t link, uint32_t bin)
{
  const struct tny_simulation *simulation = drawing->simulated->simulation;
  const uint64_t begin = bin * simulation->bin_cycles;
  const uint64_t left = simulation->cycles - begin;
  const double cycles = (double)(left < simulation->bin_cycles ? left : simulation->bin_cycles);
  const uint32_t flits = simulation->bin_flits[(size_t)link * simulation->bin_count + bin];
  return flits * simulate_flit_cycles(drawing->simulated, link) / cycles;
}

/* The level of the busiest of some links in a bin; -1: nothing passed. */
static int level_of(const struct drawing *drawing, uint32_t begin, uint32_t end, uint32_t bin)
{
  double share = 0;
  for (uint32_t i = begin; i < end; i++) {
    const double here = share_of(drawing, drawing->order[i], bin);
    share = here > share ? here : share;
  }
  return share <= 0 ? -1 : share >= 1 ? LEVELS - 1 : (int)(share * LEVELS);
}

static double top_of(const struct drawing *drawing, uint32_t group, uint32_t row)
{
  return group * GAP + row * drawing->row_height;
}

/* Fills in the levels of all bins, row by row. */
static void find_levels(const struct drawing *drawing, int8_t *found)
{
  const uint32_t bins = drawing->simulated->simulation->bin_count;
  for (uint32_t group = 0; group < GROUPS; group++)
    for (uint32_t row = drawing->row_first[group]; row < drawing->row_first[group + 1]; row++) {
      const uint32_t begin =
          drawing->first[group] + (row - drawing->row_first[group]) * drawing->every;
      const uint32_t end = begin + drawing->every < drawing->first[group + 1]
                               ? begin + drawing->every
                               : drawing->first[group + 1];
      for (uint32_t bin = 0; bin < bins; bin++)
        found[(size_t)row * bins + bin] = (int8_t)level_of(drawing, begin, end, bin);
    }
}

static void draw_row(struct drawing *drawing, const int8_t *found, int level, double y)
{
  const struct tny_simulation *simulation = drawing->simulated->simulation;
  const double pixels =
      drawing->svg.plot_width * (double)simulation->bin_cycles / (double)simulation->cycles;
  uint32_t begin = 0;
  for (uint32_t bin = 0; bin <= simulation->bin_count; bin++) {
    if (bin < simulation->bin_count && found[bin] == level)
      continue;
    const double end =
        bin * pixels < drawing->svg.plot_width ? bin * pixels : drawing->svg.plot_width;
    if (bin > begin)
      svg_cell(&drawing->svg, begin * pixels, y, end - begin * pixels, drawing->row_height);
    begin = bin + 1;
  }
}

static void draw_cells(struct drawing *drawing, const int8_t *found)
{
  const uint32_t bins = drawing->simulated->simulation->bin_count;
  for (int level = 0; level < LEVELS; level++) {
    svg_cells_begin(&drawing->svg);
    for (uint32_t group = 0; group < GROUPS; group++)
      for (uint32_t row = drawing->row_first[group]; row < drawing->row_first[group + 1]; row++)
        draw_row(drawing, found + (size_t)row * bins, level, top_of(drawing, group, row));
    svg_cells_end(&drawing->svg, colours[level]);
  }
}

static void draw_labels(struct drawing *drawing)
{
  uint32_t step = 1;
  while (step * drawing->row_height < LABEL_HEIGHT)
    step++;
  for (uint32_t group = 0; group < GROUPS; group++)
    for (uint32_t row = drawing->row_first[group]; row < drawing->row_first[group + 1];
         row += step) {
      const uint32_t index = (row - drawing->row_first[group]) * drawing->every;
      char name[LINK_NAME_CHARS];
      link_name(drawing->simulated->plan.mapping.cluster,
                drawing->order[drawing->first[group] + index], name);
      svg_row_label(&drawing->svg, top_of(drawing, group, row) + drawing->row_height / 2, name);
    }
  struct svg_key keys[LEVELS];
  for (int level = 0; level < LEVELS; level++)
    keys[level] = (struct svg_key){colours[level], levels[level]};
  svg_legend(&drawing->svg, keys, LEVELS);
  char side[96] = "link";
  if (drawing->every > 1)
    snprintf(side, sizeof side, "links: the fullest of each %" PRIu32, drawing->every);
  svg_side_title(&drawing->svg, side);
  svg_time_axis(&drawing->svg,
                simulate_us(drawing->simulated, (double)drawing->simulated->simulation->cycles),
                "time in us");
}

static size_t longest_name(const struct simulated *simulated)
{
  size_t longest = 0;
  for (uint32_t link = 0; link < simulated->plan.mapping.cluster->link_count; link++) {
    char name[LINK_NAME_CHARS];
    link_name(simulated->plan.mapping.cluster, link, name);
    longest = strlen(name) > longest ? strlen(name) : longest;
  }
  return longest;
}

static enum tny_status draw(struct drawing *drawing, char **drawn, struct tny_error *error)
{
  const struct simulated *simulated = drawing->simulated;
  const uint32_t rows = drawing->row_first[GROUPS];
  struct tny_text title = {0};
  char *words = NULL;
  simulate_title(simulated, &title);
  tny_text_add(&title, " on %s", simulated->options->plan.cluster);
  int8_t *found = tny_new((size_t)rows * simulated->simulation->bin_count, sizeof *found);
  enum tny_status status = tny_text_take(&title, &words, error);
  if (status == TNY_OK && !found)
    status = tny_error_memory(error);
  if (status == TNY_OK) {
    svg_begin(&drawing->svg, top_of(drawing, GROUPS - 1, rows), longest_name(simulated), words);
    find_levels(drawing, found);
    draw_cells(drawing, found);
    draw_labels(drawing);
    status = svg_end(&drawing->svg, drawn, error);
  }
  tny_free(found);
  tny_text_free(words);
  return status;
}

enum tny_status simulate_draw_heatmap(const struct simulated *simulated, char **drawn,
                                      struct tny_error *error)
{
  struct drawing drawing = {.simulated = simulated};
  drawing.order = tny_new(simulated->plan.mapping.cluster->link_count, sizeof *drawing.order);
  if (!drawing.order)
    return tny_error_memory(error);
  sort_links(&drawing);
  const enum tny_status status = draw(&drawing, drawn, error);
  tny_free(drawing.order);
  return status;
}
