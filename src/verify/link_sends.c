/* Lists by link: the routes of all messages are walked twice, to count and then to note. */
#include "verify/link_sends.h"

#include "cluster/route.h"
#include "core/arena.h"
#include "core/error.h"

/* Counts behind `first[link + 1]`, or notes at `first[link]` and moves it on. */
static void count_or_note(const struct tny_link_sends *link_sends, bool note)
{
  const struct tny_match *match = link_sends->match;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (step->kind != TNY_SEND)
      continue;
    struct tny_route route = tny_route_begin(link_sends->network, match->rank_of[id], step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      if (note)
        link_sends->sends[link_sends->first[link]++] = id;
      else
        link_sends->first[link + 1]++;
    }
  }
}

enum tny_status tny_link_sends_make(const struct tny_match *match,
                                    const struct tny_network *network,
                                    struct tny_link_sends *link_sends, struct tny_error *error)
{
  const uint32_t link_count = network->routes->cluster->link_count;
  *link_sends = (struct tny_link_sends){.match = match, .network = network};
  link_sends->first = tny_arena_take(match->arena, link_count + (size_t)1, sizeof(size_t));
  if (!link_sends->first)
    return tny_error_memory(error);
  count_or_note(link_sends, false);
  for (uint32_t link = 0; link < link_count; link++)
    link_sends->first[link + 1] += link_sends->first[link];
  link_sends->sends =
      tny_arena_take(match->arena, link_sends->first[link_count], sizeof *link_sends->sends);
  if (!link_sends->sends)
    return tny_error_memory(error);
  count_or_note(link_sends, true);
  /* Each link's place has moved on to the next link's. */
  for (uint32_t link = link_count; link > 0; link--)
    link_sends->first[link] = link_sends->first[link - 1];
  link_sends->first[0] = 0;
  return TNY_OK;
}
