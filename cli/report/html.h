/* HTML and SVG, written so that nothing a user named can be taken for markup: markup is a literal
   and goes in by html_add; every name, path and text goes in by html_words or html_say, which
   escape it. */
#ifndef TOURNEY_CLI_HTML_H
#define TOURNEY_CLI_HTML_H

#include "core/text.h"

/* Markup, and numbers in it; never a name. */
#define html_add tny_text_add
/* A text of any length, within an element or an attribute in double quotation marks. */
void html_words(struct tny_text *html, const char *words);
/* The same, formatted; cut after 1023 bytes. */
void html_say(struct tny_text *html, const char *format, ...) TNY_PRINTF(2, 3);

/* --- sections --- */

/* A section with its heading; literals. */
void html_section_begin(struct tny_text *html, const char *id, const char *heading);
void html_section_end(struct tny_text *html);

/* --- tables, each in a box that scrolls within itself --- */

/* The caption is escaped. The headers follow. */
void html_table_begin(struct tny_text *html, const char *caption);
/* A column's header: `headers` ends with NULL. */
void html_table_headers(struct tny_text *html, const char *const *headers);
void html_table_end(struct tny_text *html);
/* Begins a row by the cell that names it. */
void html_row(struct tny_text *html, const char *name);
/* A cell; html_number's is set flush right. */
void html_cell(struct tny_text *html, const char *format, ...) TNY_PRINTF(2, 3);
void html_number(struct tny_text *html, const char *format, ...) TNY_PRINTF(2, 3);
/* A row of a name and a value, in a table of facts. */
void html_fact(struct tny_text *html, const char *name, const char *format, ...) TNY_PRINTF(3, 4);

#endif
