/* Help texts: literals, but that the collectives' names come from their table. */
#include "cli/shared/help.h"

#include <string.h>

#include <tourney/collective.h>

#include "cli/shared/report.h"
#include "cli/shared/rows.h"
#include "core/text.h"

/* What may stand in a help text, and the collectives that it stands for. */
static const struct {
  const char *marker;
  bool (*belongs)(enum tny_collective collective);
  struct tny_collective_list (*list)(bool (*belongs)(enum tny_collective), const char *comma,
                                     const char *last);
  const char *comma, *last;
} markers[] = {
    {"{|}", NULL, tny_collective_names, "|", "|"},
    {"{and}", NULL, tny_collective_names, ", ", " and "},
    {"{or}", NULL, tny_collective_names, ", ", " or "},
    {"{served}", tny_collective_is_served, tny_collective_names, ", ", ", "},
    {"{measured}", cli_rows_is_measured, tny_collective_names, ", ", ", "},
    {"{rooted}", tny_collective_has_root, tny_collective_titles, ", ", " or "},
};

/* Adds what the marker at `at` stands for, or its first character where it is none; returns what
   comes behind. */
static const char *add_marked(struct tny_text *text, const char *at)
{
  for (size_t i = 0; i < sizeof markers / sizeof *markers; i++) {
    const size_t length = strlen(markers[i].marker);
    if (strncmp(at, markers[i].marker, length) != 0)
      continue;
    tny_text_add(text, "%s",
                 markers[i].list(markers[i].belongs, markers[i].comma, markers[i].last).text);
    return at + length;
  }
  tny_text_add(text, "%c", *at);
  return at + 1;
}

int cli_print_help(const char *help)
{
  struct tny_text text = {0};
  struct tny_error error = {0};
  char *shown;
  while (*help) {
    const size_t plain = strcspn(help, "{");
    tny_text_add(&text, "%.*s", (int)plain, help);
    help += plain;
    if (*help)
      help = add_marked(&text, help);
  }
  if (tny_text_take(&text, &shown, &error) != TNY_OK)
    return cli_fail(&error);
  const int code = cli_print(shown);
  tny_text_free(shown);
  return code;
}
