/* The messages of a schedule, link by link, and their phases. */
#ifndef TOURNEY_VERIFY_LINK_SENDS_H
#define TOURNEY_VERIFY_LINK_SENDS_H

#include "schedule/match.h"
#include "schedule/words.h"

struct tny_crossings {
  const struct tny_match *match; /* borrowed, as is the network */
  const struct tny_network *network;
  size_t *first;   /* by link: its first message in `sends`; link_count + 1 */
  uint32_t *sends; /* ids, by link, ascending */
};

/* Owns: in the match's arena. */
enum tny_status tny_crossings_make(const struct tny_match *match, const struct tny_network *network,
                                   struct tny_crossings *crossings,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* 1 + the highest phase of any step; 0: none has one. */
uint32_t tny_phases_of(const struct tny_schedule *schedule);

/* Are both ends of every message of the same phase? Errors: TNY_BROKEN. */
enum tny_status tny_phases_agree(const struct tny_match *match,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* Sorts steps, given by their ids, by phase; those of a phase as they are numbered. */
void tny_phases_sort(const struct tny_match *match, uint32_t *ids, size_t count);

#endif
