/* Regular shapes: their text ("torus:8x8"), and whether cables agree. Private to src/cluster; the
   nodes' numbers are in core/grid.h. */
#ifndef TOURNEY_CLUSTER_SHAPE_H
#define TOURNEY_CLUSTER_SHAPE_H

#include <tourney/cluster.h>

/* Reads a kind, "ring", "torus" or "mesh", and its sides, "8x8". */
enum tny_status tny_shape_read(const char *kind, const char *sides, struct tny_shape *shape,
                               struct tny_error *error) TNY_MUST_CHECK;
/* Reads both from "torus:8x8". */
enum tny_status tny_shape_parse(const char *text, struct tny_shape *shape,
                                struct tny_error *error) TNY_MUST_CHECK;

/* "torus:8x8"; passed by value, so it needs no storage of the caller's. */
struct tny_shape_text {
  char text[48];
};
struct tny_shape_text tny_shape_format(const struct tny_shape *shape);

/* Whether the cluster's cables are just those of the shape; TNY_BAD_INPUT names what isn't. */
enum tny_status tny_shape_confirm(const struct tny_shape *shape, const struct tny_cluster *cluster,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
