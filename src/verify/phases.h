/* The phases of a schedule's steps: how many there are, whether both ends of each message agree,
   and steps sorted by them. */
#ifndef TOURNEY_VERIFY_PHASES_H
#define TOURNEY_VERIFY_PHASES_H

#include "schedule/match.h"

/* 1 + the highest phase of any step; 0: none has one. */
uint32_t tny_phases_of(const struct tny_schedule *schedule);

/* Are both ends of every message of the same phase? Errors: TNY_BROKEN. */
enum tny_status tny_phases_agree(const struct tny_match *match,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* Sorts steps, given by their ids, by phase; those of a phase as they are numbered. */
void tny_phases_sort(const struct tny_match *match, uint32_t *ids, size_t count);

#endif
