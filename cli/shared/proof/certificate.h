/* A schedule compared with the bound, the least that any schedule takes on the cluster. Part of a
   proof (proof.h); certify.c makes it, certificate_text.c says it as text and as JSON. */
#ifndef TOURNEY_CLI_CERTIFICATE_H
#define TOURNEY_CLI_CERTIFICATE_H

#include <jansson.h>

#include <tourney/cluster.h>
#include <tourney/status.h>

#include "cli/shared/json.h"
#include "core/text.h"
#include "core/units.h"

struct proof;
struct proof_subject;

/* What is sent from zone to zone, and the least that any schedule sends there. */
struct zone_traffic {
  uint64_t messages, bytes;
  uint64_t messages_least; /* each as long as the longest of them */
  uint64_t bytes_least;
  uint32_t zone_count; /* 0: there are no zones */
};

/* Phases come one after the other, and each takes as long as its fullest link. The unit of `taken`
   and `least` is the phase that carries one piece (a block, or what it is cut in) over the bound's
   link. Where messages have no phases, rounds are counted instead. */
struct certificate {
  bool by_rounds;       /* there are messages without a phase: rounds are counted, not phases */
  double taken, least;  /* phases (a piece on a link in each) or rounds */
  double seconds;       /* that the phases take at the raw rates; rounds: 0 */
  double seconds_least; /* that any schedule takes */
  double gap_percent;   /* never less than 0; 0: the bound is reached */
  bool by_doubling;     /* the bound is that of a broadcast's last piece */
  bool is_below_bound;  /* forwarding takes less than direct messages could: then the gap is 0 */
  uint32_t fullest_link;
  char reason[256]; /* of the bound */
  struct zone_traffic between_zones;
};

/* Makes the certificate of a proof that is made but for it; subject->network is there. */
enum tny_status certificate_make(const struct proof_subject *subject, struct proof *proof,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* Adds the certificate as text. */
void certificate_describe(const struct proof_subject *subject, const struct proof *proof,
                          struct tny_text *text);
json_t *certificate_json(const struct proof_subject *subject, const struct proof *proof);
/* Each bundle of the cluster, what was relied on of it, and what of it isn't known (bundles.c). */
void bundles_describe(const struct tny_cluster *cluster, bool all, struct tny_text *text);
json_t *bundles_json(const struct tny_cluster *cluster);
/* A number of phases, without decimals where it is whole. */
struct tny_quantity certificate_count(double count);

#endif
