/* Routes by name or from a file of tables. */
#include "routing.h"

#include <sys/stat.h>

#include "core/error.h"
#include "core/file.h"

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
  enum tny_routing routing;
  if (tny_routing_find(text, &routing))
    return tny_routes_make_as(cluster, routing, routes, error);
  return open_file(cluster, text, routes, error);
}
