/* A schedule proved, and what the proof found. prove.c proves it by the library's verifier
   (<tourney/verify.h>) and compares it with the bound (certificate.h); proof_text.c and
   proof_json.c say what was found. */
#ifndef TOURNEY_PROOF_H
#define TOURNEY_PROOF_H

#include <jansson.h>

#include <tourney/pattern.h>
#include <tourney/verify.h>

#include "certificate.h"
#include "cli/shared/json.h"
#include "core/text.h"
#include "in_flight.h"

/* What is proved of a barrier. */
#define PROOF_SYNCHRONIZES "no rank ends before every rank has begun"

/* What to prove, and where. All borrowed. */
struct proof_subject {
  const struct tny_schedule *schedule;
  const struct tny_network *network;     /* NULL: no cluster, nothing about links */
  const struct tny_placement *placement; /* on that cluster */
  const struct tny_pattern *pattern; /* of an all-to-all; NULL: every rank has something for all */
  uint64_t block_bytes;              /* with a pattern: the most in it */
  uint32_t segment_count;     /* the schedule is run so often, for a part of each block; 0: once */
  uint32_t link_messages_max; /* more in a phase is a counterexample; 0: any number may be */
  bool without_in_flight;     /* leave it out: it takes a while */
  bool all_links;             /* describe each host's port, not only the fullest */
  struct progress *progress;  /* NULL: nobody wants to know */
  /* Of a pattern whose blocks are forwarded: the bytes of each message, by step of all ranks;
     proof_message_bytes_find finds them. NULL: the step says which block it is of. */
  const uint64_t *message_bytes;
};

/* What was found; by link where there is a network. */
struct proof {
  struct tny_report report;
  enum tny_status in_place;        /* of an all-gather: TNY_OK where it is right in place too */
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

/* Finds the bytes of messages that hold others' blocks. Owns: *bytes by tny_free; NULL: there are
   none such. */
enum tny_status proof_message_bytes_find(const struct proof_subject *subject, uint64_t **bytes,
                                         struct tny_error *error) TNY_MUST_CHECK;
/* The bytes of a message, over all segments, by its sending step; `id` counts the steps of all
   ranks. */
uint64_t proof_message_bytes(const struct proof_subject *subject, size_t id, uint32_t rank,
                             const struct tny_step *step);
/* How long the link is busy at its raw rate. */
double proof_link_seconds(const struct proof_subject *subject, const struct proof *proof,
                          uint32_t link);
/* Adds what was found: counts, a table of links against the bound, the certificate. */
void proof_describe(const struct proof_subject *subject, const struct proof *proof,
                    struct tny_text *text);
/* The same as an object, with every link. */
json_t *proof_json(const struct proof_subject *subject, const struct proof *proof);

#endif
