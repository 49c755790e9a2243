/* What a lab takes of the machine, and whether there is room for it. */
#ifndef TOURNEY_LAB_ROOM_H
#define TOURNEY_LAB_ROOM_H

#include "lab/lab.h"

/* What is left of what the kernel limits; UINT64_MAX: it doesn't say. */
struct tny_lab_room {
  uint64_t namespaces, mounts, memory_bytes;
};

void tny_lab_room_find(struct tny_lab_room *room);
/* Errors: TNY_SYSTEM, with what is too little and what to do. */
enum tny_status tny_lab_room_check(const struct tny_lab_needs *needs,
                                   const struct tny_lab_room *room,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
