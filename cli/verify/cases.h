/* What `tourney verify --all` proves on, as data: families of clusters, each made from a number. */
#ifndef TOURNEY_VERIFY_CASES_H
#define TOURNEY_VERIFY_CASES_H

#include <tourney/cluster.h>

/* Which roots a broadcast is proved for. */
enum verify_roots { VERIFY_EVERY_ROOT, VERIFY_SOME_ROOTS, VERIFY_ONE_ROOT };

struct verify_family {
  const char *name;
  uint32_t (*hosts)(uint32_t number); /* of the cluster of a number */
  /* Makes the cluster of a number from `first` to `last`. Owns: *cluster is the caller's. */
  enum tny_status (*make)(uint32_t number, struct tny_cluster **cluster, struct tny_error *error);
  uint32_t first, last;
  struct {
    uint32_t count, every;
  } quick;          /* --quick takes the first `count` clusters, then each `every`-th; 0: no more */
  const char *only; /* the algorithm that it serves; NULL: all */
  uint32_t ranks_a_host; /* 0: 1 */
  enum tny_map map;
  enum verify_roots roots;
};

extern const struct verify_family verify_families[];
extern const uint32_t verify_family_count;

#endif
