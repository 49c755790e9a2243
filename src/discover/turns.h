/* Round trips that were measured in several turns, and how long each of them is.

   A processor that is faster or slower for a while (its sibling idles or works, its clock changes)
   makes all round trips of that time shorter or longer, in virtual machines by as much as a trunk
   takes. What system calls take shows it, but for a change that comes and goes within one
   measurement. So of the turns in which both processors had their usual speed the first quartile
   counts: other work makes more of them longer than such a change makes shorter.

   Where calls take now more, now less, and round trips don't, all turns count: those that make the
   even and the odd turns agree better.

   What makes all pairs slower or faster for seconds, by a few parts of a hundred and less than
   shows in calls, is told by all round trips of a turn, and taken out of them. */
#ifndef TOURNEY_DISCOVER_TURNS_H
#define TOURNEY_DISCOVER_TURNS_H

#include <tourney/cluster.h>

#include "discover/probes.h"

struct tny_timed_trip {
  float ns, first_calls_ns, second_calls_ns;
  uint8_t turn;
};

enum { TNY_TURNS_KEPT = 16, TNY_TURNS_MOST = 255 };

struct tny_turns {
  uint32_t host_count;
  struct tny_timed_trip *kept[TNY_TURNS_KEPT]; /* by pair; NULL: not yet */
  uint32_t room;                               /* of these there are */
  uint32_t begun;                              /* turns */
  double drift[TNY_TURNS_MOST]; /* by turn: how long its round trips are, to those of all */
  uint8_t *count;               /* by pair: turns, also those that aren't kept any more */
  double *usual_ns;             /* by host: what calls take at its usual speed */
  double off_most;              /* by such a share speeds may be off it in turns that count */
  double *numbers;              /* room: by pair, or by the turns of a host */
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
/* Begins a turn, of TNY_TURNS_MOST at most, of some pairs or all. */
enum tny_status tny_turns_begin(struct tny_turns *turns, struct tny_error *error) TNY_MUST_CHECK;
/* A pair's round trip in this turn; its first host has the lower number. */
void tny_turns_add(struct tny_turns *turns, const struct tny_pair_probe *pair);
/* Fills what is above the diagonal of host_count rows of as many. Every pair has had two turns. */
struct tny_turns_spread tny_turns_settle(struct tny_turns *turns, double *ns);
/* After settling: how many of the kept turns of a pair count. */
uint32_t tny_turns_counting(const struct tny_turns *turns, uint32_t first, uint32_t second);

#endif
