/* What `tourney verify --all` proves on, as data: families of clusters, each made from a number. */
#ifndef TOURNEY_VERIFY_CASES_H
#define TOURNEY_VERIFY_CASES_H

#include <stdbool.h>

#include <tourney/cluster.h>

/* Which roots a collective that has one is proved for: the first two, the one in the middle and the
   last; the one in the middle alone; or all. */
enum verify_roots { VERIFY_SOME_ROOTS, VERIFY_ONE_ROOT, VERIFY_EVERY_ROOT };

struct verify_family {
  const char *name;
  uint32_t (*hosts)(uint32_t number); /* of the cluster of a number */
  /* Makes the cluster of a number from `first` to `last`. Owns: *cluster is the caller's. */
  enum tny_status (*make)(uint32_t number, struct tny_cluster **cluster, struct tny_error *error);
  uint32_t first, last;
  struct {
    uint32_t count, every;
  } quick; /* --quick takes the first `count` clusters, then each `every`-th; 0: no more */
  /* The algorithm that it serves, which is a broadcast or made of one: it has few steps a rank;
     NULL: all. */
  const char *only;
  bool moves_only;       /* no reductions */
  bool fills_in;         /* only what can't be planned for as many ranks on one switch */
  uint32_t ranks_a_host; /* 0: 1 */
  uint32_t (*ranks)(uint32_t number); /* NULL: ranks_a_host on each host */
  enum tny_map map;
  enum verify_roots roots;
};

extern const struct verify_family verify_families[];
extern const uint32_t verify_family_count;

/* The ranks on the cluster of a number. */
uint32_t verify_rank_count(const struct verify_family *family, uint32_t number);

#endif
