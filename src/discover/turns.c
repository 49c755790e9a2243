/* Turns of all pairs, the usual speed of each host, and what follows of a round trip. */
#include "discover/turns.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "discover/alike.h"

enum {
  DRIFT_PAIRS = 4000,   /* show how long a turn's round trips are, */
  DRIFT_PAIRS_MIN = 10, /* ... at least */
};
#define MOST 0.9 /* of the pairs */
#define NEAR 0.1 /* off the usual by no more than that, a round trip can be corrected */

static size_t count_pairs(size_t hosts)
{
  return hosts * (hosts - 1) / 2;
}

static size_t find_pair(uint32_t first, uint32_t second)
{
  return count_pairs(second) + first;
}

enum tny_status tny_turns_make(uint32_t host_count, struct tny_turns *turns,
                               struct tny_error *error)
{
  const size_t n = host_count, pairs = count_pairs(n), most = n * TNY_TURNS_KEPT;
  *turns =
      (struct tny_turns){.host_count = host_count,
                         .count = tny_new(pairs, sizeof *turns->count),
                         .usual_ns = tny_new(n, sizeof *turns->usual_ns),
                         .numbers = tny_new(pairs > most ? pairs : most, sizeof *turns->numbers)};
  return turns->count && turns->usual_ns && turns->numbers ? TNY_OK : tny_error_memory(error);
}

void tny_turns_release(struct tny_turns *turns)
{
  for (uint32_t i = 0; i < turns->room; i++)
    tny_free(turns->kept[i]);
  tny_free(turns->count);
  tny_free(turns->usual_ns);
  tny_free(turns->numbers);
  *turns = (struct tny_turns){0};
}

enum tny_status tny_turns_begin(struct tny_turns *turns, struct tny_error *error)
{
  turns->begun++;
  if (turns->room == TNY_TURNS_KEPT)
    return TNY_OK;
  struct tny_timed_trip *kept = tny_new(count_pairs(turns->host_count), sizeof *kept);
  if (!kept)
    return tny_error_memory(error);
  turns->kept[turns->room++] = kept;
  return TNY_OK;
}

static uint32_t count_kept(const struct tny_turns *turns, size_t pair)
{
  return turns->count[pair] < turns->room ? turns->count[pair] : turns->room;
}

/* What calls took at a host, where that was always the same. */
static size_t list_speeds(struct tny_turns *turns, uint32_t host)
{
  size_t count = 0;
  for (uint32_t other = 0; other < turns->host_count; other++) {
    if (other == host)
      continue;
    const size_t pair = other < host ? find_pair(other, host) : find_pair(host, other);
    for (uint32_t at = 0; at < count_kept(turns, pair); at++) {
      const struct tny_timed_trip *turn = &turns->kept[at][pair];
      const double calls_ns = other < host ? turn->second_calls_ns : turn->first_calls_ns;
      if (calls_ns < INFINITY)
        turns->numbers[count++] = calls_ns;
    }
  }
  return count;
}

static void find_usual_speeds(struct tny_turns *turns)
{
  for (uint32_t host = 0; host < turns->host_count; host++) {
    const size_t count = list_speeds(turns, host);
    tny_sort_numbers(turns->numbers, count);
    turns->usual_ns[host] = count > 0 ? tny_find_usual(turns->numbers, count) : 1;
  }
}

static const struct tny_timed_trip *find_turn(const struct tny_turns *turns, uint32_t first,
                                              uint32_t second, uint32_t at)
{
  return &turns->kept[at][find_pair(first, second)];
}

/* By which share the speed of either host was off its usual one. */
static double find_off(const struct tny_turns *turns, uint32_t first, uint32_t second, uint32_t at)
{
  const struct tny_timed_trip *turn = find_turn(turns, first, second, at);
  return fmax(fabs(turn->first_calls_ns / turns->usual_ns[first] - 1),
              fabs(turn->second_calls_ns / turns->usual_ns[second] - 1));
}

static double find_level_ns(const struct tny_turns *turns, uint32_t first, uint32_t second,
                            uint32_t at)
{
  const struct tny_timed_trip *turn = find_turn(turns, first, second, at);
  return turn->ns / turns->drift[turn->turn];
}

/* What a round trip would have been at the usual speeds, about: both hosts have a part in it. */
static double correct(const struct tny_turns *turns, uint32_t first, uint32_t second, uint32_t at)
{
  const struct tny_timed_trip *turn = find_turn(turns, first, second, at);
  return find_level_ns(turns, first, second, at) * 2 /
         (turn->first_calls_ns / turns->usual_ns[first] +
          turn->second_calls_ns / turns->usual_ns[second]);
}

static double first_quartile(double *numbers, uint32_t count)
{
  tny_sort_numbers(numbers, count);
  return numbers[(count - 1) / 4];
}

/* Of every `step`th turn from `start` on: those of usual speed; where there is none, one that is
   near it; where there is none either, all. */
static double find_ns(const struct tny_turns *turns, uint32_t first, uint32_t second,
                      uint32_t start, uint32_t step)
{
  const uint32_t kept = count_kept(turns, find_pair(first, second));
  uint32_t nearest = start, count = 0, usual_count = 0;
  double all[TNY_TURNS_KEPT], usual[TNY_TURNS_KEPT], least_off = INFINITY;
  for (uint32_t at = start; at < kept; at += step) {
    const double off = find_off(turns, first, second, at);
    all[count++] = find_level_ns(turns, first, second, at);
    if (off <= turns->off_most)
      usual[usual_count++] = all[count - 1];
    if (off < least_off) {
      least_off = off;
      nearest = at;
    }
  }
  if (usual_count > 0)
    return first_quartile(usual, usual_count);
  return least_off <= NEAR ? correct(turns, first, second, nearest) : first_quartile(all, count);
}

/* Where a turn of a pair goes that has as many as are kept: to the place of the one that is most
   off. Even turns stay among even ones. */
static uint32_t find_place(const struct tny_turns *turns, const struct tny_pair_probe *probe)
{
  const uint32_t turn = turns->count[find_pair(probe->first, probe->second)];
  uint32_t place = turn;
  double most_off = -1;
  if (turn < turns->room)
    return place;
  for (uint32_t at = turn % 2; at < turns->room; at += 2) {
    const double off = find_off(turns, probe->first, probe->second, at);
    if (off > most_off) {
      most_off = off;
      place = at;
    }
  }
  return place;
}

void tny_turns_add(struct tny_turns *turns, const struct tny_pair_probe *probe)
{
  const size_t pair = find_pair(probe->first, probe->second);
  turns->kept[find_place(turns, probe)][pair] =
      (struct tny_timed_trip){(float)probe->ns, (float)probe->first_calls_ns,
                              (float)probe->second_calls_ns, (uint8_t)(turns->begun - 1)};
  turns->count[pair]++;
}

uint32_t tny_turns_counting(const struct tny_turns *turns, uint32_t first, uint32_t second)
{
  const uint32_t kept = count_kept(turns, find_pair(first, second));
  uint32_t count = 0;
  for (uint32_t at = 0; at < kept; at++)
    count += find_off(turns, first, second, at) <= turns->off_most;
  return count;
}

/* The round trip of a pair in a turn, to what it is in all; 0: it doesn't count, or isn't kept. */
static double find_ratio(const struct tny_turns *turns, uint32_t first, uint32_t second,
                         uint32_t turn, const double *ns)
{
  const uint32_t kept = count_kept(turns, find_pair(first, second));
  for (uint32_t at = 0; at < kept; at++) {
    const struct tny_timed_trip *trip = find_turn(turns, first, second, at);
    if (trip->turn == turn)
      return find_off(turns, first, second, at) <= turns->off_most
                 ? trip->ns / ns[(size_t)first * turns->host_count + second]
                 : 0;
  }
  return 0;
}

/* The first quartile, since noise makes some pairs' round trips longer, and drift all. Where too
   few pairs show it, there is taken to be none. */
static double find_drift(struct tny_turns *turns, uint32_t turn, const double *ns)
{
  uint32_t count = 0;
  for (uint32_t second = 1; second < turns->host_count && count < DRIFT_PAIRS; second++)
    for (uint32_t first = 0; first < second; first++) {
      const double ratio = find_ratio(turns, first, second, turn, ns);
      if (ratio > 0)
        turns->numbers[count++] = ratio;
    }
  return count < DRIFT_PAIRS_MIN ? 1 : first_quartile(turns->numbers, count);
}

static void find_all_ns(const struct tny_turns *turns, double *ns)
{
  for (uint32_t second = 1; second < turns->host_count; second++)
    for (uint32_t first = 0; first < second; first++)
      ns[(size_t)first * turns->host_count + second] = find_ns(turns, first, second, 0, 1);
}

static void find_drifts(struct tny_turns *turns, double *ns)
{
  double drift[TNY_TURNS_MOST];
  for (uint32_t turn = 0; turn < turns->begun; turn++)
    turns->drift[turn] = 1;
  find_all_ns(turns, ns);
  for (uint32_t turn = 0; turn < turns->begun; turn++)
    drift[turn] = find_drift(turns, turn, ns);
  memcpy(turns->drift, drift, turns->begun * sizeof *drift);
}

/* With the turns that count if speeds may be so much off. */
static struct tny_turns_spread settle(struct tny_turns *turns, double off_most, double *ns)
{
  const size_t pairs = count_pairs(turns->host_count);
  turns->off_most = off_most;
  find_drifts(turns, ns);
  find_all_ns(turns, ns);
  for (uint32_t second = 1; second < turns->host_count; second++)
    for (uint32_t first = 0; first < second; first++)
      turns->numbers[find_pair(first, second)] =
          fabs(find_ns(turns, first, second, 0, 2) - find_ns(turns, first, second, 1, 2));
  tny_sort_numbers(turns->numbers, pairs);
  return (struct tny_turns_spread){.half_ns = turns->numbers[pairs / 2],
                                   .most_ns = turns->numbers[(size_t)(MOST * (double)(pairs - 1))]};
}

struct tny_turns_spread tny_turns_settle(struct tny_turns *turns, double *ns)
{
  find_usual_speeds(turns);
  const struct tny_turns_spread of_usual = settle(turns, TNY_USUAL_OFF, ns);
  const struct tny_turns_spread of_all = settle(turns, INFINITY, ns);
  return of_all.half_ns < of_usual.half_ns ? of_all : settle(turns, TNY_USUAL_OFF, ns);
}
