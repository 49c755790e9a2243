/* A schedule proved, and what the proof found, for people and for programs. */
#ifndef TOURNEY_PROOF_H
#define TOURNEY_PROOF_H

#include <jansson.h>

#include <tourney/pattern.h>
#include <tourney/verify.h>

#include "core/text.h"
#include "core/units.h"
#include "in_flight.h"
#include "progress.h"

/* What to prove, and where. All borrowed. */
struct proof_subject {
  const struct tny_schedule *schedule;
  const struct tny_network *network;     /* NULL: no cluster, nothing about links */
  const struct tny_placement *placement; /* on that cluster */
  const struct tny_pattern *pattern; /* of an all-to-all; NULL: every rank has something for all */
  uint64_t block_bytes;              /* with a pattern: the most in it */
  uint32_t segment_count;     /* the schedule is run so often, for a part of each block; 0: once */
  uint32_t link_messages_max; /* more in a phase is a counterexample; 0: any number may be */
  bool without_in_flight;     /* it takes a while */
  bool all_links;             /* describe each host's port, not only the fullest */
  struct progress *progress;  /* NULL: nobody wants to know */
};

/* What crosses from zone to zone, and the least that any schedule takes across. */
struct wide_count {
  uint64_t messages, bytes;
  uint64_t messages_least; /* each as long as the longest of them */
  uint64_t bytes_least;
  uint32_t zone_count; /* 0: there are no zones */
};

/* The schedule against the bound. Phases come one after the other, and each takes as long as its
   fullest link; so it counts for as many phases as that link carries pieces in it. */
struct certificate {
  bool by_rounds;       /* there are messages without a phase: rounds are counted, not phases */
  double taken, least;  /* phases (a piece on a link in each) or rounds */
  double seconds;       /* that the phases take at the raw rates; rounds: 0 */
  double seconds_least; /* that any schedule takes */
  double gap_percent;   /* never less than 0; 0: the bound is reached */
  bool doubles;         /* a broadcast's last piece is the bound */
  bool goes_around;     /* forwarding takes less than direct messages could: then the gap is 0 */
  uint32_t fullest_link;
  char reason[256]; /* of the bound */
  struct wide_count wide;
};

/* What was found; by link where there is a network. */
struct proof {
  struct tny_report report;
  enum tny_status in_place;        /* TNY_OK: right in place too, or no input can be so */
  struct tny_error in_place_fault; /* else the counterexample */
  uint64_t message_bytes_max, message_pieces_max;
  struct tny_bound bound;
  struct certificate certificate;
  uint64_t *load_bytes;
  struct in_flight in_flight; /* empty: not looked at */
};

/* Proves data, progress and, with a network, links. Owns: proof_release, also after a failure.
   Errors: TNY_BROKEN with the counterexample. */
enum tny_status proof_make(const struct proof_subject *subject, struct proof *proof,
                           struct tny_error *error) TNY_MUST_CHECK;
void proof_release(struct proof *proof);

/* How long the link is busy at its raw rate. */
double proof_link_seconds(const struct proof_subject *subject, const struct proof *proof,
                          uint32_t link);
/* The most bytes in flight over a link, where that was looked at. */
uint64_t proof_in_flight_bytes(const struct proof *proof, uint32_t link);
/* Is that more than its port buffer? */
bool proof_overflows(const struct proof_subject *subject, const struct proof *proof, uint32_t link);

/* Makes the certificate of a proof that is made but for it; subject->network is there. */
enum tny_status certificate_make(const struct proof_subject *subject, struct proof *proof,
                                 struct tny_error *error) TNY_MUST_CHECK;
void certificate_describe(const struct proof_subject *subject, const struct proof *proof,
                          struct tny_text *text);
json_t *certificate_json(const struct proof_subject *subject, const struct proof *proof);
/* A number of phases, without decimals where it is whole. */
struct tny_quantity certificate_count(double count);

/* Adds what was found: counts, a table of links against the bound, the certificate. */
void proof_describe(const struct proof_subject *subject, const struct proof *proof,
                    struct tny_text *text);
/* A link's ends, null for TNY_NONE. */
json_t *proof_link_json(const struct tny_cluster *cluster, uint32_t link);
/* The same as an object, with every link. */
json_t *proof_json(const struct proof_subject *subject, const struct proof *proof);

#endif
