/* Graphviz graphs by cgraph, for the readers of files that have the form: cluster files, and plans
   of cables. */
#ifndef TOURNEY_CLUSTER_GRAPHVIZ_H
#define TOURNEY_CLUSTER_GRAPHVIZ_H

#include <cgraph.h>

#include <tourney/status.h>

/* Where a graph's first word stands in its text, behind white space and comments. */
size_t tny_graphviz_first_word(const char *text);
/* Reads the one undirected graph of a text; `file` is what errors call it. Owns: *graph is the
   caller's, to be closed by agclose where it isn't NULL, even where it is refused. Threads: one at
   a time, for cgraph has globals. */
enum tny_status tny_graphviz_parse(const char *text, const char *file, Agraph_t **graph,
                                   struct tny_error *error) TNY_MUST_CHECK;
typedef enum tny_status tny_graphviz_visitor(void *state, Agedge_t *edge, struct tny_error *error);
/* Visits all edges in the order of the file, until one fails. */
enum tny_status tny_graphviz_each_edge(Agraph_t *graph, tny_graphviz_visitor *visit, void *state,
                                       struct tny_error *error) TNY_MUST_CHECK;

#endif
