/* The frame of a report: one HTML page that loads nothing. Its style and its script are page.css
   and page.js, which the build embeds (cmake/embed.cmake). */
#ifndef TOURNEY_CLI_PAGE_H
#define TOURNEY_CLI_PAGE_H

#include "core/text.h"

/* Embedded files, each ended by a 0. */
extern const char report_style[];
extern const char report_script[];

/* Up to the main part, under the heading "TITLE NAME". All texts are escaped. */
void page_begin(struct tny_text *html, const char *title, const char *name, const char *about);
void page_end(struct tny_text *html);

/* Writes the page to the file, whole or not at all; prints it where `path` is NULL or "-". Returns
   the exit code. Owns: takes `html` over. */
int page_write(struct tny_text *html, const char *path);

#endif
