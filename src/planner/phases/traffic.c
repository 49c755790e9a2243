/* From a problem to its messages: the pattern's, or from every rank to every other. */
#include "planner/phases/traffic.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"

/* What is needed while the messages are collected. */
struct collection {
  const struct tny_problem *problem;
  struct tny_traffic *traffic;
  /* By rank: its track for sending; the next one is for receiving. TNY_NONE: it is alone on its
     host, whose port keeps its messages apart. */
  uint32_t *own_track_of;
  uint64_t track_total;
};

static uint64_t bytes_of(const struct tny_problem *problem, uint32_t from, uint32_t to)
{
  if (from == to)
    return 0;
  return problem->pattern ? problem->pattern->bytes[(size_t)from * problem->rank_count + to] : 1;
}

/* Gives tracks of their own to the ranks that share their hosts. */
static enum tny_status find_own_tracks(struct collection *collection, struct tny_error *error)
{
  const struct tny_network *network = collection->problem->network;
  const struct tny_cluster *cluster = network->routes->cluster;
  const uint32_t p = collection->problem->rank_count;
  uint32_t next = cluster->link_count;
  collection->own_track_of = tny_new(p, sizeof *collection->own_track_of);
  uint32_t *ranks_on = tny_new(cluster->host_count, sizeof *ranks_on);
  if (!collection->own_track_of || !ranks_on) {
    tny_free(ranks_on);
    return tny_error_memory(error);
  }
  for (uint32_t rank = 0; rank < p; rank++)
    ranks_on[network->host_of_rank[rank]]++;
  for (uint32_t rank = 0; rank < p; rank++) {
    const bool shares = ranks_on[network->host_of_rank[rank]] > 1;
    collection->own_track_of[rank] = shares ? next : TNY_NONE;
    next += shares ? 2 : 0;
  }
  collection->traffic->track_count = next;
  tny_free(ranks_on);
  return TNY_OK;
}

static uint32_t list_tracks(const struct collection *collection, uint32_t from, uint32_t to,
                            uint32_t *tracks)
{
  struct tny_route route = tny_route_begin(collection->problem->network, from, to);
  uint32_t count = 0;
  for (uint32_t link; (link = tny_route_next(&route)) != TNY_NONE; count++)
    if (tracks)
      tracks[count] = link;
  for (int receives = 0; receives < 2; receives++) {
    const uint32_t own_track = collection->own_track_of[receives ? to : from];
    if (own_track == TNY_NONE)
      continue;
    if (tracks)
      tracks[count] = own_track + (uint32_t)receives;
    count++;
  }
  return count;
}

/* Counts messages and tracks. */
static enum tny_status count_all(struct collection *collection, struct tny_error *error)
{
  const uint32_t p = collection->problem->rank_count;
  uint64_t count = 0;
  for (uint32_t from = 0; from < p; from++)
    for (uint32_t to = 0; to < p && count <= TNY_TRAFFIC_MESSAGES_MAX; to++)
      if (bytes_of(collection->problem, from, to) > 0) {
        count++;
        collection->track_total += list_tracks(collection, from, to, NULL);
      }
  if (count > TNY_TRAFFIC_MESSAGES_MAX || collection->track_total >= TNY_NONE)
    return tny_error_set(error, TNY_REFUSED,
                         "there are more than %u messages, or of more than %u hops in all, and "
                         "each is planned by itself: take fewer ranks",
                         TNY_TRAFFIC_MESSAGES_MAX, TNY_NONE);
  collection->traffic->count = (uint32_t)count;
  return TNY_OK;
}

static enum tny_status make_room(struct collection *collection, struct tny_error *error)
{
  struct tny_traffic *traffic = collection->traffic;
  traffic->from = tny_new(traffic->count, sizeof *traffic->from);
  traffic->to = tny_new(traffic->count, sizeof *traffic->to);
  traffic->first = tny_new((size_t)traffic->count + 1, sizeof *traffic->first);
  traffic->tracks = tny_new(collection->track_total, sizeof *traffic->tracks);
  if (collection->problem->pattern)
    traffic->bytes = tny_new(traffic->count, sizeof *traffic->bytes);
  if (!traffic->from || !traffic->to || !traffic->first || !traffic->tracks ||
      (collection->problem->pattern && !traffic->bytes))
    return tny_error_memory(error);
  return TNY_OK;
}

static void fill(struct collection *collection)
{
  struct tny_traffic *traffic = collection->traffic;
  const uint32_t p = collection->problem->rank_count;
  uint32_t message = 0;
  for (uint32_t from = 0; from < p; from++)
    for (uint32_t to = 0; to < p; to++) {
      const uint64_t bytes = bytes_of(collection->problem, from, to);
      if (bytes == 0)
        continue;
      const uint32_t first = traffic->first[message];
      const uint32_t count = list_tracks(collection, from, to, traffic->tracks + first);
      traffic->from[message] = from;
      traffic->to[message] = to;
      traffic->tracks_most = count > traffic->tracks_most ? count : traffic->tracks_most;
      if (traffic->bytes)
        traffic->bytes[message] = bytes;
      traffic->first[++message] = first + count;
    }
}

/* Messages that all have as many bytes have none to plan by. */
static void forget_even_bytes(struct tny_traffic *traffic)
{
  bool even = true;
  for (uint32_t message = 1; traffic->bytes && even && message < traffic->count; message++)
    even = traffic->bytes[message] == traffic->bytes[0];
  if (!even)
    return;
  tny_free(traffic->bytes);
  traffic->bytes = NULL;
}

/* Finds the loads of the most loaded tracks. */
static enum tny_status find_largest_loads(struct tny_traffic *traffic, struct tny_error *error)
{
  uint32_t *messages = tny_new(traffic->track_count, sizeof *messages);
  uint64_t *bytes = tny_new(traffic->track_count, sizeof *bytes);
  if (messages && bytes)
    for (uint32_t message = 0; message < traffic->count; message++)
      for (uint32_t i = traffic->first[message]; i < traffic->first[message + 1]; i++) {
        const uint32_t track = traffic->tracks[i];
        bytes[track] += tny_traffic_bytes(traffic, message);
        if (++messages[track] > traffic->most)
          traffic->most = messages[track];
        if (bytes[track] > traffic->bytes_most)
          traffic->bytes_most = bytes[track];
      }
  const bool failed = !messages || !bytes;
  tny_free(messages);
  tny_free(bytes);
  return failed ? tny_error_memory(error) : TNY_OK;
}

enum tny_status tny_traffic_make(const struct tny_problem *problem, struct tny_traffic *traffic,
                                 struct tny_error *error)
{
  *traffic = (struct tny_traffic){0};
  struct collection collection = {.problem = problem, .traffic = traffic};
  enum tny_status status = find_own_tracks(&collection, error);
  if (status == TNY_OK)
    status = count_all(&collection, error);
  if (status == TNY_OK)
    status = make_room(&collection, error);
  if (status == TNY_OK) {
    fill(&collection);
    forget_even_bytes(traffic);
    status = find_largest_loads(traffic, error);
  }
  tny_free(collection.own_track_of);
  return status;
}

void tny_traffic_release(struct tny_traffic *traffic)
{
  tny_free(traffic->from);
  tny_free(traffic->to);
  tny_free(traffic->bytes);
  tny_free(traffic->first);
  tny_free(traffic->tracks);
  *traffic = (struct tny_traffic){0};
}
