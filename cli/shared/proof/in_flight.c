/* Finds what can be in flight in three ways. The bound costs little. Where it exceeds a port
   buffer, the exact count follows if it is worth its time; else it is checked whether the ranks'
   windows keep links within their buffers. */
#include "in_flight.h"

#include <tourney/separate.h>
#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/error.h"

/* Limits of messages * ranks. Counting takes some 50 ns for each, windows a few. */
#define COUNTED_ALL ((uint64_t)1 << 22)
#define COUNTED_SOME ((uint64_t)1 << 24)
#define CHECKED_BY_CLOCKS ((uint64_t)1 << 26)

static uint64_t work_of(const struct tny_schedule *schedule)
{
  uint64_t messages = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      messages += tny_step_starts_message(schedule->ranks[rank].steps[i].kind);
  return messages * schedule->rank_count;
}

uint64_t in_flight_bytes(const struct in_flight *in_flight, uint32_t link)
{
  return in_flight->messages[link] * in_flight->message_bytes;
}

bool in_flight_overflows(const struct in_flight *in_flight, uint32_t link)
{
  return in_flight_bytes(in_flight, link) > in_flight->cluster->links[link].buffer_bytes;
}

static enum tny_status take_tables(const struct in_flight_subject *subject,
                                   struct in_flight *in_flight, struct tny_error *error)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  const uint32_t link_count = cluster->link_count;
  *in_flight = (struct in_flight){.cluster = cluster, .message_bytes = subject->message_bytes};
  in_flight->budgets = tny_new(link_count, sizeof *in_flight->budgets);
  in_flight->messages = tny_new(link_count, sizeof *in_flight->messages);
  in_flight->is_exact = tny_new(link_count, sizeof *in_flight->is_exact);
  return in_flight->budgets && in_flight->messages && in_flight->is_exact ? TNY_OK
                                                                          : tny_error_memory(error);
}

/* Counts the links that are marked as exact; if that is refused, none is. */
static enum tny_status count(const struct in_flight_subject *subject, struct in_flight *in_flight,
                             struct tny_error *error)
{
  struct tny_error refusal = {0};
  const enum tny_status status = tny_verify_in_flight_on(
      subject->schedule, subject->network, in_flight->is_exact, in_flight->messages, &refusal);
  if (status == TNY_REFUSED)
    memset(in_flight->is_exact, 0,
           subject->network->routes->cluster->link_count * sizeof *in_flight->is_exact);
  return status == TNY_OK || status == TNY_REFUSED
             ? TNY_OK
             : tny_error_set(error, status, "%s", refusal.text);
}

/* Checks the windows of links whose bound exceeds their buffer and that weren't counted. */
static enum tny_status check_clocks(const struct in_flight_subject *subject,
                                    struct in_flight *in_flight, struct tny_error *error)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  uint32_t *windows = tny_new(cluster->link_count, sizeof *windows), checked = 0;
  bool *is_kept = tny_new(cluster->link_count, sizeof *is_kept);
  enum tny_status status = windows && is_kept ? TNY_OK : tny_error_memory(error);
  for (uint32_t link = 0; status == TNY_OK && link < cluster->link_count; link++) {
    if (in_flight->is_exact[link] || !in_flight_overflows(in_flight, link))
      continue;
    windows[link] = (uint32_t)(cluster->links[link].buffer_bytes / subject->message_bytes);
    checked += windows[link] > 0;
  }
  if (status == TNY_OK && checked > 0) {
    const struct tny_windows wanted = {.network = subject->network, .messages = windows};
    struct tny_error refusal = {0};
    status = tny_windows_check(subject->schedule, &wanted, is_kept, &refusal);
    for (uint32_t link = 0; status == TNY_OK && link < cluster->link_count; link++)
      if (windows[link] > 0 && is_kept[link])
        in_flight->messages[link] = windows[link];
    if (status == TNY_REFUSED) /* it has no phases */
      status = TNY_OK;
    else if (status != TNY_OK)
      status = tny_error_set(error, status, "%s", refusal.text);
  }
  tny_free(windows);
  tny_free(is_kept);
  return status;
}

enum tny_status in_flight_find(const struct in_flight_subject *subject, struct in_flight *in_flight,
                               struct tny_error *error)
{
  const uint32_t link_count = subject->network->routes->cluster->link_count;
  const uint64_t work = work_of(subject->schedule);
  enum tny_status status = take_tables(subject, in_flight, error);
  if (status == TNY_OK)
    status = tny_model_budgets(subject->schedule, subject->network, subject->window,
                               in_flight->budgets, error);
  if (status != TNY_OK)
    return status;
  for (uint32_t link = 0; link < link_count; link++) {
    in_flight->messages[link] = in_flight->budgets[link].at_worst;
    in_flight->is_exact[link] =
        work <= COUNTED_ALL || (work <= COUNTED_SOME && in_flight_overflows(in_flight, link));
  }
  status = count(subject, in_flight, error);
  if (status == TNY_OK && work <= CHECKED_BY_CLOCKS)
    status = check_clocks(subject, in_flight, error);
  return status;
}

void in_flight_release(struct in_flight *in_flight)
{
  tny_free(in_flight->budgets);
  tny_free(in_flight->messages);
  tny_free(in_flight->is_exact);
  *in_flight = (struct in_flight){0};
}
