/* Where the nodes of a network are drawn: laid out by Graphviz's dot. Units: pixels, y downwards.
   */
#ifndef TOURNEY_CLI_REPORT_LAYOUT_H
#define TOURNEY_CLI_REPORT_LAYOUT_H

#include <tourney/cluster.h>

struct layout_node {
  double x, y, width, height; /* x, y: the middle */
};
struct layout {
  double width, height;
  struct layout_node *nodes; /* by node */
};

/* Owns: layout_release, also after a failure. Errors: TNY_SYSTEM where dot isn't here or fails. */
enum tny_status layout_make(const struct tny_cluster *cluster, struct layout *layout,
                            struct tny_error *error) TNY_MUST_CHECK;
void layout_release(struct layout *layout);

#endif
