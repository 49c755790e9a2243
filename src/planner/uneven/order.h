/* The order in which messages are placed. */
#ifndef TOURNEY_PLANNER_UNEVEN_ORDER_H
#define TOURNEY_PLANNER_UNEVEN_ORDER_H

#include "planner/phases/traffic.h"

struct tny_placing {
  uint32_t message;
  uint32_t key; /* the higher the sooner */
};

/* The bits of a positive number: as whole numbers they are in the same order. */
static inline uint32_t tny_placing_key(double number)
{
  union {
    float number;
    uint32_t bits;
  } key = {.number = (float)number};
  return key.bits;
}

/* Sorts by key; equal ones stay in their order. `room` has `count` entries too. */
void tny_placing_sort(struct tny_placing *order, uint32_t count, struct tny_placing *room);

#endif
