/* Round trips that were measured in several turns, and how long each of them is.

   A processor that is faster or slower for a while (its sibling idles or works, its clock changes)
   makes all round trips of that time shorter or longer, in virtual machines by as much as a trunk
   takes. What system calls take shows it, but for a change that comes and goes within one
   measurement. So of the turns in which both processors had their usual speed the first quartile
   counts: other work makes more of them longer than such a change makes shorter. */
#ifndef TOURNEY_DISCOVER_TURNS_H
#define TOURNEY_DISCOVER_TURNS_H

#include <tourney/cluster.h>

#include "discover/probes.h"

struct tny_timed_trip {
  float ns, first_calls_ns, second_calls_ns;
};

enum { TNY_TURNS_KEPT = 16 };

struct tny_turns {
  uint32_t host_count;
  struct tny_timed_trip *kept[TNY_TURNS_KEPT]; /* by pair; NULL: not yet */
  uint32_t room;                               /* of these there are */
  uint8_t *count;   /* by pair: turns, also those that aren't kept any more */
  double *usual_ns; /* by host: what calls take at its usual speed */
  double *numbers;  /* room: by pair, or by the turns of a host */
};

/* By how much the round trips of the even turns and of the odd ones differ. */
struct tny_turns_spread {
  double half_ns; /* half of all pairs by no more than that, */
  double most_ns; /* nine of ten by no more than that */
};

/* Owns: by tny_turns_release, also after a failure. */
enum tny_status tny_turns_make(uint32_t host_count, struct tny_turns *turns,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_turns_release(struct tny_turns *turns);
/* Makes room for two turns more of each pair, as long as more are kept. */
enum tny_status tny_turns_grow(struct tny_turns *turns, struct tny_error *error) TNY_MUST_CHECK;
/* A turn of a pair, at most 255 of each; its first host has the lower number. */
void tny_turns_add(struct tny_turns *turns, const struct tny_pair_probe *pair);
/* Fills what is above the diagonal of host_count rows of as many. Every pair has had two turns. */
struct tny_turns_spread tny_turns_settle(struct tny_turns *turns, double *ns);
/* After settling: in how many of the kept turns of a pair both speeds were usual. */
uint32_t tny_turns_count_usual(const struct tny_turns *turns, uint32_t first, uint32_t second);

#endif
