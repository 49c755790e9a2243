/* Which cluster and placement a profile is of: FNV-1a hashes (Fowler, Noll, Vo) of the cluster's
   flat form without its name, and of every rank's host. */
#include <tourney/profile.h>

#include <string.h>

#include "core/bytes.h"

/* The first line of the flat form has the name. */
static uint64_t hash_flat(const char *flat)
{
  const char *rest = strchr(flat, '\n');
  return tny_hash_bytes(TNY_HASH_START, rest ? rest : "", rest ? strlen(rest) : 0);
}

static uint64_t hash_hosts(const uint32_t *host_of_rank, uint32_t rank_count)
{
  uint64_t hash = TNY_HASH_START;
  for (uint32_t r = 0; r < rank_count; r++) {
    uint8_t bytes[4];
    for (unsigned i = 0; i < sizeof bytes; i++)
      bytes[i] = (uint8_t)(host_of_rank[r] >> 8 * i);
    hash = tny_hash_bytes(hash, bytes, sizeof bytes);
  }
  return hash;
}

enum tny_status tny_fingerprint_make(const struct tny_network *network,
                                     struct tny_fingerprint *fingerprint, struct tny_error *error)
{
  char *flat;
  const enum tny_status status = tny_cluster_write_flat(network->routes->cluster, &flat, error);
  if (status != TNY_OK)
    return status;
  *fingerprint = (struct tny_fingerprint){
      .cluster = hash_flat(flat),
      .rank_count = network->rank_count,
      .hosts = hash_hosts(network->host_of_rank, network->rank_count),
  };
  tny_text_free(flat);
  return TNY_OK;
}

const char *tny_fingerprint_difference(const struct tny_fingerprint *one,
                                       const struct tny_fingerprint *other)
{
  if (one->cluster != other->cluster)
    return "another cluster";
  if (one->rank_count != other->rank_count)
    return "another number of ranks";
  return one->hosts != other->hosts ? "ranks on other hosts" : NULL;
}
