/* A search for a network: what is found so far, and room. Private to src/discover. */
#ifndef TOURNEY_DISCOVER_SEARCH_H
#define TOURNEY_DISCOVER_SEARCH_H

#include "discover/found.h"
#include "discover/probes.h"
#include "discover/shares.h"

#define TNY_HOST_SECONDS 1.0
#define TNY_TRUNK_SECONDS 1.5
#define TNY_QUEUE_SECONDS 1.0

struct tny_search {
  const struct tny_probes *probes;
  struct tny_discovery *found;
  const double
      *round_trips_ns; /* host_count rows of as many: of a pair what is above the diagonal */
  uint32_t host_count;
  uint32_t stream_room;             /* streams that may run at once */
  uint32_t *order;                  /* hosts, by switch */
  uint8_t *beyond;                  /* by switch: on which side of a trunk */
  uint32_t *near, *far;             /* hosts on either side */
  struct tny_stream_probe *streams; /* host_count + 2 */
  struct tny_stream_probe *offered; /* the same streams, to see what they could get */
  double *numbers;                  /* host_count + trunks */
  double *before;                   /* by host: a rate */
  struct tny_shares shares;
};

#define TNY_GAIN 0.05       /* more than that, and what was measured is measured again, */
enum { TNY_AGAIN_MAX = 3 }; /* so many times at most */
#define TNY_LIKE_HOSTS 0.1  /* by so much do rates of hosts differ that are taken for one */

/* Of what applications see, what the wire carries. */
double tny_search_wire_bps(double payload_bps);
/* The fastest host's rate, as far as it is known. */
double tny_search_fastest_bps(const struct tny_search *search);
void tny_search_tell(const struct tny_search *search, const char *what, uint32_t done,
                     uint32_t count);

/* Lays streams over a trunk, as many as there are hosts for; `near` and `far` are then all hosts on
   either side, of which there are *near_count and *far_count. Returns how many streams. */
uint32_t tny_search_lay(struct tny_search *search, uint32_t trunk, uint32_t *near_count,
                        uint32_t *far_count);
/* Could the first `count` streams get clearly more than they do if a cable were no limit? Cables
   are counted as in shares.h. */
bool tny_search_fills(struct tny_search *search, uint32_t count, uint32_t cable);

/* What the first `count` streams get together, to and fro, until the most is had twice, or often
   enough: over several cables streams may be dealt out badly in one direction, and what waited for
   a lost segment comes all at once. So the second most counts. */
bool tny_search_most(struct tny_search *search, uint32_t count, double seconds, double *second);

/* The rate of each cable of a host, and of each trunk. False where measuring failed. */
bool tny_search_hosts(struct tny_search *search);
bool tny_search_trunks(struct tny_search *search);
/* Which hosts may be faster than all that they could send at once shows when trunks are known. */
void tny_search_judge_hosts(struct tny_search *search);
/* Makes the rates of like cables the same. */
void tny_search_settle(struct tny_search *search);
/* The buffers of ports: of trunks that streams fill, and towards one host of each rate at each
   switch. */
bool tny_search_buffers(struct tny_search *search);

#endif
