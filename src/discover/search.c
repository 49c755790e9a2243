/* What all parts of a search need. */
#include "discover/search.h"

#include <math.h>

#include "model/cost.h"

#define PAYLOAD (1 << 20)

void tny_search_tell(const struct tny_search *search, const char *what, uint32_t done,
                     uint32_t count)
{
  if (search->probes->tell)
    search->probes->tell(search->probes->state, what, done, count);
}

double tny_search_wire_bps(double payload_bps)
{
  return payload_bps * (double)tny_wire_bytes(PAYLOAD, 1) / PAYLOAD;
}

double tny_search_fastest_bps(const struct tny_search *search)
{
  double bps = 0;
  for (uint32_t host = 0; host < search->host_count; host++)
    bps = fmax(bps, search->found->hosts[host].bps);
  return bps;
}
