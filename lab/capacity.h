/* What the machine has left of what a lab takes, and whether that suffices. */
#ifndef TOURNEY_LAB_ROOM_H
#define TOURNEY_LAB_ROOM_H

#include "lab/lab.h"

/* What is left of what the kernel limits; UINT64_MAX where it doesn't say. */
struct tny_lab_capacity {
  uint64_t namespaces, mounts, memory_bytes;
};

void tny_lab_capacity_find(struct tny_lab_capacity *capacity);
/* Errors: TNY_SYSTEM where something doesn't suffice; the text says what, and what to do. */
enum tny_status tny_lab_capacity_check(const struct tny_lab_needs *needs,
                                       const struct tny_lab_capacity *capacity,
                                       struct tny_error *error) TNY_MUST_CHECK;

#endif
