/* What the entries for Swing share: rings and tori, and all-gathers planned for them. */
#ifndef TOURNEY_REPRODUCE_DESENSI2024_H
#define TOURNEY_REPRODUCE_DESENSI2024_H

#include "reproduce/shared/entry.h"
#include "reproduce/shared/experiment.h"

/* A ring or torus of equal sides, each a power of two. */
struct tny_swing_network {
  const char *cluster; /* a generator: "torus:8x8" */
  uint32_t dimensions, side;
};
/* They end with one without dimensions. */
extern const struct tny_swing_network tny_swing_networks[];

/* A network, rank r on host r, and an all-gather planned for it. */
struct tny_swing_plan {
  struct tny_site site;
  struct tny_schedule *schedule; /* NULL: none yet */
};
/* Owns: tny_swing_close, also after a failure. */
enum tny_status tny_swing_open(const struct tny_swing_network *network, struct tny_swing_plan *plan,
                               struct tny_error *error) TNY_MUST_CHECK;
/* Plans it, once. */
enum tny_status tny_swing_plan(struct tny_swing_plan *plan, const char *algorithm,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_swing_close(struct tny_swing_plan *plan);

/* The entries. */
extern const struct tny_reproduction tny_swing_distances, tny_swing_links;

#endif
