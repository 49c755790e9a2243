/* `tourney simulate --timeline`: what each rank did over time, as SVG. A row's upper half shows
   what the rank sends or works on, the lower half what it receives; with many ranks there is a plot
   of its own for each half. Time is cut in columns; the more of a column is filled, the stronger is
   its colour. */
#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"
#include "simulated.h"
#include "svg.h"

enum {
  COLUMNS = 500, /* of two pixels */
  ROWS_MAX = 1024,
  LEVELS = 4,
  LABEL_HEIGHT = 11,
  ROW_MAX = 24,
  ROW_MIN = 12, /* with both halves */
  HALF_MIN = 2,
  GAP = 8
};
enum activity { SENDS, WORKS, RECEIVES, ACTIVITY_COUNT };

static const char *const colours[ACTIVITY_COUNT][LEVELS] = {
    [SENDS] = {"#c9ddf0", "#8fbbe0", "#4f92cb", "#1f68aa"},
    [WORKS] = {"#d3ecd0", "#a3d69e", "#63b365", "#2c8a3f"},
    [RECEIVES] = {"#fddcc0", "#fbb47e", "#f2883c", "#c95f0e"}};

struct drawing {
  const struct simulated *simulated;
  struct svg svg;
  uint32_t every; /* a row for every so many-th rank */
  uint32_t row_count;
  double column_cycles; /* never 0 */
  double row_height;
  double receives_top; /* of a row's receives, below its sends */
  double half_height;
  float *filled[ACTIVITY_COUNT]; /* by row and column: so many cycles of it */
};

/* Adds an activity from `begin` to `end`, in cycles. */
static void fill(const struct drawing *drawing, enum activity activity, uint32_t row, double begin,
                 double end)
{
  const double width = drawing->column_cycles;
  float *columns = drawing->filled[activity] + (size_t)row * COLUMNS;
  for (uint32_t column = (uint32_t)(begin / width); column < COLUMNS; column++) {
    const double from = column * width > begin ? column * width : begin;
    const double to = (column + 1) * width < end ? (column + 1) * width : end;
    if (to <= from)
      return;
    columns[column] += (float)(to - from);
  }
}

static void fill_op(const struct drawing *drawing, uint32_t row, uint32_t index)
{
  const struct simulated *simulated = drawing->simulated;
  const struct tny_op *op = &simulated->program->ops[index];
  const struct tny_op_times *times = &simulated->simulation->ops[index];
  const uint64_t flit_bytes = simulated->hosts.flit_bytes;
  if (op->kind == TNY_OP_SEND) {
    fill(drawing, SENDS, row, (double)times->start, (double)times->sent);
  } else if (tny_op_is_work(op)) {
    fill(drawing, WORKS, row, (double)times->start, (double)times->end);
  } else {
    /* When its first flit came isn't known: at the latest so many cycles before its last. */
    const uint64_t flits = op->bytes == 0 ? 1 : (op->bytes + flit_bytes - 1) / flit_bytes;
    const uint64_t first = times->sent > flits ? times->sent - flits : 0;
    fill(drawing, RECEIVES, row, (double)first, (double)times->end);
  }
}

static void draw_level(struct drawing *drawing, enum activity activity, int level)
{
  const double width = drawing->column_cycles;
  const double pixels = drawing->svg.plot_width / COLUMNS;
  svg_cells_begin(&drawing->svg);
  for (uint32_t row = 0; row < drawing->row_count; row++) {
    const float *columns = drawing->filled[activity] + (size_t)row * COLUMNS;
    const double y = row * drawing->row_height + (activity == RECEIVES ? drawing->receives_top : 0);
    uint32_t begin = 0;
    for (uint32_t column = 0; column <= COLUMNS; column++) {
      const double share = column < COLUMNS ? (double)columns[column] / width : 0;
      const int here = share <= 0 ? -1 : share >= 1 ? LEVELS - 1 : (int)(share * LEVELS);
      if (column < COLUMNS && here == level)
        continue;
      if (column > begin)
        svg_cell(&drawing->svg, begin * pixels, y, (column - begin) * pixels, drawing->half_height);
      begin = column + 1;
    }
  }
  svg_cells_end(&drawing->svg, colours[activity][level]);
}

/* A rank waits until its last op ends, where it does nothing else. */
static void draw_waiting(struct drawing *drawing)
{
  const struct simulated *simulated = drawing->simulated;
  const struct tny_program *program = simulated->program;
  svg_cells_begin(&drawing->svg);
  for (uint32_t row = 0; row < drawing->row_count; row++) {
    uint64_t end = 0;
    const uint32_t rank = row * drawing->every;
    for (uint32_t op = program->first[rank]; op < program->first[rank + 1]; op++)
      if (simulated->simulation->ops[op].end > end)
        end = simulated->simulation->ops[op].end;
    const double y = row * drawing->row_height;
    const double width =
        drawing->svg.plot_width * (double)end / (double)simulated->simulation->cycles;
    if (end > 0) {
      svg_cell(&drawing->svg, 0, y, width, drawing->half_height);
      svg_cell(&drawing->svg, 0, y + drawing->receives_top, width, drawing->half_height);
    }
  }
  svg_cells_end(&drawing->svg, "#ececec");
}

static void draw_labels(struct drawing *drawing)
{
  static const struct svg_key keys[] = {{"#1f68aa", "sends"},
                                        {"#c95f0e", "receives"},
                                        {"#2c8a3f", "works"},
                                        {"#ececec", "waits"},
                                        {"#fff", "has done all"}};
  uint32_t step = 1;
  while (step * drawing->row_height < LABEL_HEIGHT)
    step *= 2;
  for (uint32_t row = 0; row < drawing->row_count; row += step) {
    char words[32];
    snprintf(words, sizeof words, "%" PRIu32, row * drawing->every);
    const double middle = (row + 0.5) * drawing->row_height;
    svg_row_label(&drawing->svg, middle, words);
    if (drawing->receives_top > drawing->row_height)
      svg_row_label(&drawing->svg, middle + drawing->receives_top, words);
  }
  const struct simulated *simulated = drawing->simulated;
  char side[64] = "rank";
  if (drawing->every > 1)
    snprintf(side, sizeof side, "rank (one of %" PRIu32 ")", drawing->every);
  svg_side_title(&drawing->svg, side);
  svg_legend(&drawing->svg, keys, sizeof keys / sizeof *keys);
  svg_time_axis(&drawing->svg, simulate_us(simulated, (double)simulated->simulation->cycles),
                "time in us");
}

static enum tny_status draw(struct drawing *drawing, char **drawn, struct tny_error *error)
{
  const struct simulated *simulated = drawing->simulated;
  struct tny_text title = {0};
  simulate_title(simulated, &title);
  tny_text_add(&title, " on %s", simulated->options->plan.cluster);
  char *words;
  const enum tny_status status = tny_text_take(&title, &words, error);
  if (status != TNY_OK)
    return status;
  const double height = drawing->row_count * drawing->row_height;
  const bool is_split = drawing->receives_top > drawing->row_height;
  svg_begin(&drawing->svg, is_split ? height + drawing->receives_top : height, 4, words);
  tny_text_free(words);
  draw_waiting(drawing);
  for (int activity = 0; activity < ACTIVITY_COUNT; activity++)
    for (int level = 0; level < LEVELS; level++)
      draw_level(drawing, (enum activity)activity, level);
  draw_labels(drawing);
  return svg_end(&drawing->svg, drawn, error);
}

static void place_rows(struct drawing *drawing)
{
  const int wanted = 640 / (int)drawing->row_count; /* whole pixels are sharp */
  drawing->row_height = wanted > ROW_MAX ? ROW_MAX : wanted;
  drawing->half_height = (drawing->row_height - 2) / 2;
  drawing->receives_top = drawing->half_height;
  if (wanted >= ROW_MIN)
    return;
  drawing->row_height = drawing->half_height = wanted / 2 > HALF_MIN ? wanted / 2 : HALF_MIN;
  drawing->receives_top = drawing->row_count * drawing->row_height + GAP;
}

enum tny_status simulate_draw_timeline(const struct simulated *simulated, char **drawn,
                                       struct tny_error *error)
{
  const struct tny_program *program = simulated->program;
  struct drawing drawing = {.simulated = simulated,
                            .every = (program->rank_count + ROWS_MAX - 1) / ROWS_MAX};
  drawing.row_count = (program->rank_count + drawing.every - 1) / drawing.every;
  const double cycles = (double)simulated->simulation->cycles;
  drawing.column_cycles = (cycles > 0 ? cycles : 1) / COLUMNS;
  place_rows(&drawing);
  bool has_room = true;
  for (int activity = 0; activity < ACTIVITY_COUNT; activity++) {
    drawing.filled[activity] =
        tny_new((size_t)drawing.row_count * COLUMNS, sizeof **drawing.filled);
    has_room &= drawing.filled[activity] != NULL;
  }
  for (uint32_t row = 0; has_room && row < drawing.row_count; row++) {
    const uint32_t rank = row * drawing.every;
    for (uint32_t op = program->first[rank]; op < program->first[rank + 1]; op++)
      fill_op(&drawing, row, op);
  }
  const enum tny_status status = has_room ? draw(&drawing, drawn, error) : tny_error_memory(error);
  for (int activity = 0; activity < ACTIVITY_COUNT; activity++)
    tny_free(drawing.filled[activity]);
  return status;
}
