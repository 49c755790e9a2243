#include "discover/turns.h"

#include <math.h>

#include "core/alloc.h"
#include "core/error.h"
#include "discover/alike.h"

enum { KEPT = 16 };
#define USUAL 0.02 /* by so much does a usual pace differ from the median */
#define MOST 0.9   /* of the pairs */

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
  const size_t n = host_count, pairs = count_pairs(n);
  *turns = (struct tny_turns){
      .host_count = host_count,
      .turns = tny_new(pairs * KEPT, sizeof *turns->turns),
      .count = tny_new(pairs, sizeof *turns->count),
      .usual = tny_new(n, sizeof *turns->usual),
      .numbers = tny_new(pairs > n * KEPT ? pairs : n * KEPT, sizeof *turns->numbers)};
  return turns->turns && turns->count && turns->usual && turns->numbers ? TNY_OK
                                                                        : tny_error_memory(error);
}

void tny_turns_release(struct tny_turns *turns)
{
  tny_free(turns->turns);
  tny_free(turns->count);
  tny_free(turns->usual);
  tny_free(turns->numbers);
  *turns = (struct tny_turns){0};
}

void tny_turns_add(struct tny_turns *turns, const struct tny_pair_probe *pair)
{
  const size_t at = find_pair(pair->first, pair->second);
  turns->turns[at * KEPT + turns->count[at]++ % KEPT] =
      (struct tny_turn){(float)pair->ns, (float)pair->first_pace_ns, (float)pair->second_pace_ns};
}

static uint32_t count_kept(const struct tny_turns *turns, size_t pair)
{
  return turns->count[pair] < KEPT ? turns->count[pair] : KEPT;
}

static void find_usual_paces(struct tny_turns *turns)
{
  for (uint32_t host = 0; host < turns->host_count; host++) {
    size_t count = 0;
    for (uint32_t other = 0; other < turns->host_count; other++) {
      if (other == host)
        continue;
      const size_t pair = other < host ? find_pair(other, host) : find_pair(host, other);
      for (uint32_t i = 0; i < count_kept(turns, pair); i++) {
        const struct tny_turn *turn = &turns->turns[pair * KEPT + i];
        const double pace = other < host ? turn->second_pace : turn->first_pace;
        if (pace < INFINITY)
          turns->numbers[count++] = pace;
      }
    }
    tny_sort_numbers(turns->numbers, count);
    turns->usual[host] = count > 0 ? turns->numbers[count / 2] : 1;
  }
}

static const struct tny_turn *find_turn(const struct tny_turns *turns, uint32_t first,
                                        uint32_t second, uint32_t at)
{
  return &turns->turns[find_pair(first, second) * KEPT + at];
}

/* By which share the pace of either host was off its usual one. */
static double find_off(const struct tny_turns *turns, uint32_t first, uint32_t second, uint32_t at)
{
  const struct tny_turn *turn = find_turn(turns, first, second, at);
  return fmax(fabs(turn->first_pace / turns->usual[first] - 1),
              fabs(turn->second_pace / turns->usual[second] - 1));
}

/* What a round trip would have been at the usual paces, about: both hosts have a part in it. */
static double correct(const struct tny_turns *turns, uint32_t first, uint32_t second, uint32_t at)
{
  const struct tny_turn *turn = find_turn(turns, first, second, at);
  return turn->ns * 2 /
         (turn->first_pace / turns->usual[first] + turn->second_pace / turns->usual[second]);
}

/* Of every `step`th turn from `start` on those in which both paces were usual: the first quartile.
   Where there is none, of the turn in which they were most so what it would have been, if they were
   steady at all. */
static double find_ns(const struct tny_turns *turns, uint32_t first, uint32_t second,
                      uint32_t start, uint32_t step)
{
  const uint32_t kept = count_kept(turns, find_pair(first, second));
  uint32_t nearest = start, count = 0;
  double numbers[KEPT], least_off = INFINITY;
  for (uint32_t at = start; at < kept; at += step) {
    const double off = find_off(turns, first, second, at);
    if (off <= USUAL)
      numbers[count++] = find_turn(turns, first, second, at)->ns;
    if (off < least_off) {
      least_off = off;
      nearest = at;
    }
  }
  if (count > 0) {
    tny_sort_numbers(numbers, count);
    return numbers[(count - 1) / 4];
  }
  return least_off < INFINITY ? correct(turns, first, second, nearest)
                              : find_turn(turns, first, second, start)->ns;
}

bool tny_turns_are_unusual(const struct tny_turns *turns, uint32_t first, uint32_t second)
{
  const uint32_t kept = count_kept(turns, find_pair(first, second));
  uint32_t at = 0;
  while (at < kept && find_off(turns, first, second, at) > USUAL)
    at++;
  return at == kept;
}

uint32_t tny_turns_count(const struct tny_turns *turns, uint32_t first, uint32_t second)
{
  return turns->count[find_pair(first, second)];
}

struct tny_turns_spread tny_turns_settle(struct tny_turns *turns, double *ns)
{
  const uint32_t n = turns->host_count;
  const size_t pairs = count_pairs(n);
  find_usual_paces(turns);
  for (uint32_t second = 1; second < n; second++)
    for (uint32_t first = 0; first < second; first++) {
      ns[(size_t)first * n + second] = find_ns(turns, first, second, 0, 1);
      turns->numbers[find_pair(first, second)] =
          fabs(find_ns(turns, first, second, 0, 2) - find_ns(turns, first, second, 1, 2));
    }
  tny_sort_numbers(turns->numbers, pairs);
  return (struct tny_turns_spread){.half_ns = turns->numbers[pairs / 2],
                                   .most_ns = turns->numbers[(size_t)(MOST * (double)pairs)]};
}
