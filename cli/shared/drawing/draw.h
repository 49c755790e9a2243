/* Drawing a Graphviz graph by its program dot. The graph's text is made by whoever has it drawn. */
#ifndef TOURNEY_DRAW_H
#define TOURNEY_DRAW_H

#include <tourney/status.h>

/* Draws the graph into a file, as its name says: .svg or .png by dot, .dot as it is. Errors:
   TNY_BAD_INPUT for other names, TNY_SYSTEM where dot isn't here or fails. */
enum tny_status draw_to_file(const char *graph, const char *path,
                             struct tny_error *error) TNY_MUST_CHECK;
/* The same by dot as `kind` ("svg"), whatever the file's name. */
enum tny_status draw_as(const char *graph, const char *kind, const char *path,
                        struct tny_error *error) TNY_MUST_CHECK;
/* What draw_to_file would refuse. */
enum tny_status draw_check_name(const char *path, struct tny_error *error) TNY_MUST_CHECK;

#endif
