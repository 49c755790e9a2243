/* Link scheduling, of any number of groups in a ring: what LS2 and LS share. */
#ifndef TOURNEY_COLLECTIVES_SHARED_LINK_SCHEDULING_H
#define TOURNEY_COLLECTIVES_SHARED_LINK_SCHEDULING_H

#include "collectives/shared/groups.h"

struct tny_link_scheduling {
  struct tny_groups groups;
  /* LS: every second stage runs backwards, so that the first who received is the first to send on,
     and the last blocks are spread upwards. LS2 does neither, and needs two groups, or one. */
  bool alternates;
};

void tny_link_scheduling_emit(const struct tny_problem *problem,
                              const struct tny_link_scheduling *way, uint32_t rank,
                              struct tny_builder *builder);
struct tny_claim tny_link_scheduling_claim(const struct tny_link_scheduling *way);

#endif
