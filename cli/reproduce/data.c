/* What was found, as CSV and JSON, for other programs. */
#include "reproduced.h"

#include <math.h>

#include "cli/shared/csv.h"
#include "cli/shared/json.h"

const char reproduced_csv_header[] =
    "paper,name,series,label,x,unit,value,low,high,paper_value,ratio,least,most,verdict\n";

/* A field with quotation marks around it, so that it may have commas in it. */
static void add_word(const char *word, struct tny_text *text)
{
  csv_add_quoted(text, word);
  tny_text_add(text, ",");
}

/* Empty for what isn't a number. */
static void add_number(double number, struct tny_text *text)
{
  if (isnan(number))
    tny_text_add(text, ",");
  else
    tny_text_add(text, "%.9g,", number);
}

static double ratio_of(const struct tny_finding *finding)
{
  return finding->paper != 0 ? finding->value / finding->paper : NAN;
}

static void add_row(const struct tny_reproduction *entry, const struct tny_finding *finding,
                    struct tny_text *text)
{
  tny_text_add(text, "%s,%s,", entry->paper, entry->name);
  add_word(finding->series, text);
  add_word(finding->label, text);
  add_number(finding->x, text);
  add_word(entry->unit, text);
  add_number(finding->value, text);
  add_number(finding->low, text);
  add_number(finding->high, text);
  add_number(finding->paper, text);
  add_number(ratio_of(finding), text);
  add_number(finding->least, text);
  add_number(finding->most, text);
  tny_text_add(text, "%s\n", reproduced_verdict_word(reproduced_judge(finding)));
}

void reproduced_write_csv(const struct reproduced *reproduced, struct tny_text *text)
{
  for (size_t i = 0; i < reproduced->findings.count; i++)
    add_row(reproduced->entry, &reproduced->findings.list[i], text);
}

static json_t *number_json(double number)
{
  return isfinite(number) ? json_real(number) : json_null();
}

static json_t *finding_json(const struct tny_finding *finding)
{
  static const char *const words[] = {
      [REPRODUCED_FREE] = NULL, [REPRODUCED_IN] = "in", [REPRODUCED_OUT] = "out"};
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?}", "series",
                   finding->series, "label", finding->label, "x", number_json(finding->x), "value",
                   number_json(finding->value), "low", number_json(finding->low), "high",
                   number_json(finding->high), "paper", number_json(finding->paper), "ratio",
                   number_json(ratio_of(finding)), "least", number_json(finding->least), "most",
                   number_json(finding->most), "verdict", words[reproduced_judge(finding)]);
}

json_t *reproduced_json(const struct reproduced *reproduced)
{
  const struct tny_reproduction *entry = reproduced->entry;
  json_t *findings = json_array();
  for (size_t i = 0; i < reproduced->findings.count; i++)
    json_add(&findings, finding_json(&reproduced->findings.list[i]));
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:o}", "paper", entry->paper, "name",
                   entry->name, "title", entry->title, "unit", entry->unit, "note", entry->note,
                   "seconds", reproduced->seconds, "findings", findings);
}
