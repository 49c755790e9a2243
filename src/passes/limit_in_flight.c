/* A link's window is its buffer divided by the longest message, and at least one message. */
#include "passes/limit_in_flight.h"

#include <tourney/separate.h>

#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"

/* The schedule's messages. */
struct messages {
  uint64_t longest;     /* pieces */
  uint64_t count, runs; /* of them; runs of them that a rank sends to one peer */
};

static void count_messages(const struct tny_schedule *schedule, uint32_t rank,
                           struct messages *messages)
{
  const struct tny_steps *steps = &schedule->ranks[rank];
  uint32_t last_peer = TNY_NONE;
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (!tny_step_starts_message(step->kind))
      continue;
    const uint64_t pieces = tny_span_pieces(&step->span, schedule->chunk_count);
    if (pieces > messages->longest)
      messages->longest = pieces;
    messages->count++;
    messages->runs += step->peer != last_peer;
    last_peer = step->peer;
  }
}

enum tny_status tny_limit_in_flight(struct tny_schedule **schedule,
                                    const struct tny_network *network, struct tny_limit limit,
                                    struct tny_error *error)
{
  const struct tny_pace pace = limit.pace;
  if (!network)
    return tny_error_set(error, TNY_REFUSED, "links can't be limited where there is no cluster");
  const struct tny_cluster *cluster = network->routes->cluster;
  struct messages messages = {.longest = 1};
  for (uint32_t rank = 0; rank < (*schedule)->rank_count; rank++)
    count_messages(*schedule, rank, &messages);
  if (limit.pieces_a_message > 0)
    messages.longest = 1;
  const bool with_ports = pace.window == 0 || messages.count >= 2 * messages.runs;
  uint32_t *windows = tny_new(cluster->link_count, sizeof *windows);
  if (!windows)
    return tny_error_memory(error);
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const uint64_t window =
        cluster->links[link].buffer_bytes / messages.longest / pace.limit_message_bytes;
    if (with_ports || tny_link_is_trunk(cluster, link))
      windows[link] = window < 1 ? 1 : window > UINT32_MAX ? UINT32_MAX : (uint32_t)window;
  }
  struct tny_schedule *limited;
  const struct tny_windows of_links = {network, windows, pace.window == 0};
  const enum tny_status status = tny_pass_limit_links(*schedule, &of_links, &limited, NULL, error);
  if (status == TNY_OK) {
    tny_schedule_free(*schedule);
    *schedule = limited;
  }
  tny_free(windows);
  return status;
}
