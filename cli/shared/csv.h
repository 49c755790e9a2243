/* Fields of CSV (RFC 4180). Lines are written by whoever knows their columns. */
#ifndef TOURNEY_CLI_CSV_H
#define TOURNEY_CLI_CSV_H

#include "core/text.h"

/* A field in quotation marks, whatever is in it. */
void csv_add_quoted(struct tny_text *text, const char *field);
/* A field, in quotation marks where it needs them. */
void csv_add_field(struct tny_text *text, const char *field);

#endif
