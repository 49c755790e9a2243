/* Charts, drawn by gnuplot from a script that has its data in it. */
#ifndef TOURNEY_CLI_GNUPLOT_H
#define TOURNEY_CLI_GNUPLOT_H

#include <tourney/status.h>

#include "core/text.h"

/* A text in a script: in single quotes nothing has a meaning but these themselves. */
void gnuplot_add_quoted(const char *words, struct tny_text *text);
/* "set COMMAND 'WORDS'", for titles and labels. */
void gnuplot_add_title(const char *command, const char *words, struct tny_text *text);

/* Is gnuplot here? Errors: TNY_SYSTEM, with the package that has it. */
enum tny_status gnuplot_check(struct tny_error *error) TNY_MUST_CHECK;
/* Runs a script that draws on standard output; the file `path` is written whole or not at all.
   Owns: takes the text over. */
enum tny_status gnuplot_draw(struct tny_text *text, const char *path,
                             struct tny_error *error) TNY_MUST_CHECK;

#endif
