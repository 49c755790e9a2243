/* What MSCCL calls the collectives. */
#include "exchange/msccl/names.h"

#include <string.h>

const char tny_msccl_names[] = "allgather, alltoall or broadcast";

const char *tny_msccl_name(enum tny_collective collective)
{
  static const char *const names[TNY_COLLECTIVE_COUNT] = {
      [TNY_BROADCAST] = "broadcast",
      [TNY_ALLGATHER] = "allgather",
      [TNY_ALLTOALL] = "alltoall",
  };
  return names[collective];
}

bool tny_msccl_collective(const char *name, enum tny_collective *collective)
{
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++) {
    const char *other = tny_msccl_name((enum tny_collective)i);
    if (other && strcmp(name, other) == 0) {
      *collective = (enum tny_collective)i;
      return true;
    }
  }
  return false;
}
