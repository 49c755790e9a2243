/* Routes by name or from a file of tables. */
#include "routing.h"

#include <sys/stat.h>

#include "core/error.h"
#include "core/file.h"

static const struct {
  const char *name;
  enum tny_routing routing;
} names[] = {
    {"auto", TNY_ROUTING_AUTO},
    {"shortest", TNY_ROUTING_SHORTEST},
    {"shortest-lanes", TNY_ROUTING_SHORTEST_LANES},
    {"up-down", TNY_ROUTING_UP_DOWN},
    {"dimension-order", TNY_ROUTING_DIMENSION_ORDER},
    {"dimension-order-balanced", TNY_ROUTING_DIMENSION_ORDER_BALANCED},
};

static enum tny_status open_file(const struct tny_cluster *cluster, const char *path,
                                 struct tny_routes **routes, struct tny_error *error)
{
  struct stat file;
  char *text;
  if (stat(path, &file) != 0)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--routing is auto, shortest, shortest-lanes, up-down, dimension-order, "
                         "dimension-order-balanced or a file with tables, and there is no file "
                         "'%.200s'",
                         path);
  enum tny_status status = tny_file_read(path, &text, error);
  if (status != TNY_OK)
    return status;
  status = tny_routes_read(cluster, text, path, routes, error);
  tny_text_free(text);
  return status;
}

enum tny_status routing_open(const struct tny_cluster *cluster, const char *text,
                             struct tny_routes **routes, struct tny_error *error)
{
  *routes = NULL;
  if (!text)
    text = "auto";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(text, names[i].name) == 0)
      return tny_routes_make_as(cluster, names[i].routing, routes, error);
  return open_file(cluster, text, routes, error);
}
