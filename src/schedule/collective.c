/* The collectives' names, as typed on the command line. */
#include <string.h>

#include "core/error.h"

#include <tourney/cluster.h>

static const char *const names[TNY_COLLECTIVE_COUNT] = {
    [TNY_BROADCAST] = "bcast", [TNY_ALLGATHER] = "allgather", [TNY_ALLTOALL] = "alltoall"};

const char *tny_collective_name(enum tny_collective collective)
{
  return names[collective];
}

enum tny_status tny_collective_parse(const char *name, enum tny_collective *collective,
                                     struct tny_error *error)
{
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++)
    if (!strcmp(name, names[i])) {
      *collective = (enum tny_collective)i;
      return TNY_OK;
    }
  return tny_error_set(error, TNY_BAD_INPUT,
                       "unknown collective \"%.40s\": there are bcast, allgather and alltoall",
                       name);
}
