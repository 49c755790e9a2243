/* The messages of an all-to-all on a cluster, and what each needs for itself while it is under way:
   its tracks. A track is a directed link; or, of a rank that shares its host with others, its
   sending or its receiving, so that messages within a host are kept apart as well. */
#ifndef TOURNEY_PLANNER_PHASES_TRAFFIC_H
#define TOURNEY_PLANNER_PHASES_TRAFFIC_H

#include <tourney/algorithm.h>

/* More aren't planned one by one. */
#define TNY_TRAFFIC_MESSAGES_MAX ((uint32_t)1 << 22)

struct tny_traffic {
  uint32_t count;      /* messages, none of a rank to itself */
  uint32_t *from, *to; /* by message: ranks */
  uint64_t *bytes;     /* by message; NULL: all alike */
  uint32_t *first;     /* count + 1: message m has tracks[first[m]] .. tracks[first[m + 1] - 1] */
  uint32_t *tracks;
  uint32_t track_count;
  uint32_t tracks_most; /* of a message */
  uint32_t most;        /* messages on a track: no fewer phases will do */
  uint64_t bytes_most;  /* bytes on a track; messages where all are alike */
};

/* The problem has a network. Owns: tny_traffic_release, which may also be called after a failure.
   Errors: TNY_REFUSED for too many messages. Cost: the sum of the routes' lengths. */
enum tny_status tny_traffic_make(const struct tny_problem *problem, struct tny_traffic *traffic,
                                 struct tny_error *error) TNY_MUST_CHECK;
void tny_traffic_release(struct tny_traffic *traffic);

/* A message's tracks. */
struct tny_tracks {
  const uint32_t *at;
  uint32_t count;
};

static inline struct tny_tracks tny_traffic_tracks(const struct tny_traffic *traffic,
                                                   uint32_t message)
{
  const uint32_t first = traffic->first[message];
  return (struct tny_tracks){traffic->tracks + first, traffic->first[message + 1] - first};
}

static inline uint64_t tny_traffic_bytes(const struct tny_traffic *traffic, uint32_t message)
{
  return traffic->bytes ? traffic->bytes[message] : 1;
}

#endif
