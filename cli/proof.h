/* A schedule proved, and what the proof found, for people. */
#ifndef TOURNEY_PROOF_H
#define TOURNEY_PROOF_H

#include <tourney/verify.h>

#include "core/text.h"

/* What to prove, and where. All borrowed. */
struct proof_subject {
  const struct tny_schedule *schedule;
  const struct tny_network *network; /* NULL: no cluster, nothing about links */
  uint64_t block_bytes;
  uint32_t link_messages_max; /* more in a phase is a counterexample; 0: any number may be */
  bool all_links;             /* tell each host's port, not only the fullest */
};

/* What was found; by link where there is a network. */
struct proof {
  struct tny_report report;
  uint64_t *load_bytes;
  uint32_t *in_flight; /* messages; NULL: not counted, then `uncounted` says why */
  struct tny_error uncounted;
  uint64_t message_bytes_max;
};

/* Proves data, progress and, with a network, links. Owns: proof_release, also after a failure.
   Errors: TNY_BROKEN with the counterexample. */
enum tny_status proof_make(const struct proof_subject *subject, struct proof *proof,
                           struct tny_error *error) TNY_MUST_CHECK;
void proof_release(struct proof *proof);

/* Adds what was found: counts, then a table of links against the bound. */
enum tny_status proof_describe(const struct proof_subject *subject, const struct proof *proof,
                               struct tny_text *text, struct tny_error *error) TNY_MUST_CHECK;

#endif
