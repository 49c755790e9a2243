/* The bytes of messages where the blocks of an all-to-all differ in size. */
#ifndef TOURNEY_SIMULATOR_SIZES_H
#define TOURNEY_SIMULATOR_SIZES_H

#include <tourney/simulate.h>

#include "schedule/match.h"

/* Sets the bytes of all messages: plays the schedule's data moves and sees which blocks a message
   has. Ops are numbered as the steps. Errors: TNY_REFUSED for what is no all-to-all. */
enum tny_status tny_sizes_apply(const struct tny_match *match, const uint64_t *block_bytes_of,
                                struct tny_program *program,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
