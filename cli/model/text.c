/* Writes the formulas' tables as text, CSV and JSON. */
#include <inttypes.h>
#include <math.h>

#include "cli/shared/columns.h"
#include "cli/shared/json.h"
#include "cli/shared/options.h"
#include "table.h"

struct tny_quantity model_value_words(const struct model_field *field, uint64_t value)
{
  struct tny_quantity words;
  switch (model_options[field->parameter].kind) {
  case MODEL_TIME:
    return tny_time_format(value);
  case MODEL_SIZE:
    return tny_bytes_format(value);
  case MODEL_BANDWIDTH:
    return tny_bandwidth_format(value);
  default:
    snprintf(words.text, sizeof words.text, "%" PRIu64, value);
    return words;
  }
}

enum column {
  COLUMN_NAME,
  COLUMN_FORMULA,
  COLUMN_SOURCE,
  COLUMN_PREDICTED,
  COLUMN_OURS,
  COLUMN_UNIT,
  COLUMN_RATIO,
  COLUMN_COUNT,
};

/* Counts have no unit and no decimals. */
static void fill_cell(char *cell, const char *unit, double value)
{
  if (isnan(value))
    snprintf(cell, COLUMNS_CELL, "-");
  else
    snprintf(cell, COLUMNS_CELL, "%.*f", *unit ? 3 : 0, value);
}

/* Cells stay empty, and their columns out, where nothing was simulated or counted. */
static void fill_row(char (*cells)[COLUMNS_CELL], const struct model_row *row, bool is_tried)
{
  if (!cells)
    return;
  snprintf(cells[COLUMN_NAME], COLUMNS_CELL, "%s", row->name);
  snprintf(cells[COLUMN_FORMULA], COLUMNS_CELL, "%s", row->formula);
  snprintf(cells[COLUMN_SOURCE], COLUMNS_CELL, "%s", row->source);
  snprintf(cells[COLUMN_UNIT], COLUMNS_CELL, "%s", *row->unit ? row->unit : "-");
  fill_cell(cells[COLUMN_PREDICTED], row->unit, row->predicted);
  if (!is_tried)
    return;
  fill_cell(cells[COLUMN_OURS], row->unit, row->ours);
  fill_cell(cells[COLUMN_RATIO], "ratio", row->ours / row->predicted);
}

static void add_rows(const struct model_table *table, struct tny_text *text)
{
  static const char *const headings[COLUMN_COUNT] = {"what", "formula", "in",   "predicted",
                                                     "ours", "unit",    "ratio"};
  struct columns columns = {.column_count = COLUMN_COUNT, .left_count = COLUMN_PREDICTED};
  char(*heading)[COLUMNS_CELL] = columns_add(&columns);
  for (int i = 0; heading && i < COLUMN_COUNT; i++)
    snprintf(heading[i], COLUMNS_CELL, "%s", headings[i]);
  for (uint32_t i = 0; i < table->row_count; i++)
    fill_row(columns_add(&columns), &table->rows[i], table->is_tried);
  tny_text_add(text, "\n");
  columns_write_text(&columns, text);
  columns_release(&columns);
  for (const struct model_row *row = table->rows; row < table->rows + table->row_count; row++)
    if (*row->refused)
      tny_text_add(text, "  %s: %s\n", row->name, row->refused);
}

static void add_answer(const struct model_answer *answer, struct tny_text *text)
{
  const struct model_paper *paper = answer->paper;
  tny_text_add(text, "%s: %s\n", paper->key, paper->title);
  for (const struct model_field *field = paper->fields; field->what; field++)
    tny_text_add(text, "  %-7s %-14s --%-11s %s\n", field->symbol,
                 model_value_words(field, answer->values.of[field->parameter]).text,
                 model_options[field->parameter].name, field->what);
  add_rows(&answer->table, text);
  if (*answer->table.verdict)
    tny_text_add(text, "\n%s\n", answer->table.verdict);
}

static enum tny_status write_text(const struct model_answer *answers, uint32_t count, char **shown,
                                  struct tny_error *error)
{
  struct tny_text text = {0};
  for (uint32_t i = 0; i < count; i++) {
    tny_text_add(&text, "%s", i > 0 ? "\n" : "");
    add_answer(&answers[i], &text);
  }
  return tny_text_take(&text, shown, error);
}

/* No name or formula has quotation marks. Numbers are as precise as in JSON. */
static void add_csv_number(struct tny_text *text, double value, const char *after)
{
  if (isnan(value))
    tny_text_add(text, "-%s", after);
  else
    tny_text_add(text, "%.9g%s", value, after);
}

static enum tny_status write_csv(const struct model_answer *answers, uint32_t count, char **shown,
                                 struct tny_error *error)
{
  struct tny_text text = {0};
  tny_text_add(&text, "paper,name,formula,source,unit,predicted,ours,ratio,refused\n");
  for (uint32_t i = 0; i < count; i++) {
    const struct model_table *table = &answers[i].table;
    for (const struct model_row *row = table->rows; row < table->rows + table->row_count; row++) {
      tny_text_add(&text, "%s,\"%s\",\"%s\",\"%s\",%s,", answers[i].paper->key, row->name,
                   row->formula, row->source, row->unit);
      add_csv_number(&text, row->predicted, ",");
      add_csv_number(&text, row->ours, ",");
      add_csv_number(&text, row->ours / row->predicted, ",");
      tny_text_add(&text, "\"%s\"\n", row->refused);
    }
  }
  return tny_text_take(&text, shown, error);
}

static json_t *number_json(double value)
{
  return isnan(value) ? json_null() : json_real(value);
}

static json_t *row_json(const struct model_row *row)
{
  return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s?}", "name", row->name, "formula",
                   row->formula, "source", row->source, "unit", row->unit, "predicted",
                   number_json(row->predicted), "ours", number_json(row->ours), "ratio",
                   number_json(row->ours / row->predicted), "refused",
                   *row->refused ? row->refused : NULL);
}

/* Times in ns, sizes in bytes, rates in bit/s. */
static json_t *values_json(const struct model_answer *answer)
{
  json_t *values = json_object();
  for (const struct model_field *field = answer->paper->fields; field->what; field++)
    if (json_object_set_new(values, model_options[field->parameter].name,
                            json_integer((json_int_t)answer->values.of[field->parameter]))) {
      json_decref(values);
      return NULL;
    }
  return values;
}

static enum tny_status write_json(const struct model_answer *answers, uint32_t count, char **shown,
                                  struct tny_error *error)
{
  json_t *papers = json_array();
  for (uint32_t i = 0; i < count; i++) {
    const struct model_table *table = &answers[i].table;
    json_t *rows = json_array();
    for (uint32_t r = 0; r < table->row_count; r++)
      json_add(&rows, row_json(&table->rows[r]));
    json_add(&papers,
             json_pack("{s:s, s:s, s:o, s:o, s:s?}", "paper", answers[i].paper->key, "title",
                       answers[i].paper->title, "parameters", values_json(&answers[i]), "rows",
                       rows, "verdict", *table->verdict ? table->verdict : NULL));
  }
  return json_take(json_pack("{s:o}", "papers", papers), shown, error);
}

enum tny_status model_write(const struct model_answer *answers, uint32_t count,
                            enum cli_format format, char **shown, struct tny_error *error)
{
  switch (format) {
  case CLI_CSV:
    return write_csv(answers, count, shown, error);
  case CLI_JSON:
    return write_json(answers, count, shown, error);
  default:
    return write_text(answers, count, shown, error);
  }
}
