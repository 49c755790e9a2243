/* Interpolation in logarithms, with whole numbers. */
#include "profile/log_log.h"

enum { FRACTION_BITS = 24 };

/* log2(number) in units of 2^-24, rounded down; number is at least 1. The fraction comes bit by
   bit: squaring a number doubles its logarithm. */
static int64_t log2_fixed(uint64_t number)
{
  int whole = 63;
  while (!(number >> whole))
    whole--;
  uint64_t mantissa = whole >= 31 ? number >> (whole - 31) : number << (31 - whole);
  int64_t result = whole;
  for (int bit = 0; bit < FRACTION_BITS; bit++) {
    mantissa = mantissa * mantissa >> 31;
    result = 2 * result + (int64_t)(mantissa >> 32);
    mantissa >>= mantissa >> 32;
  }
  return result;
}

/* The least number from `least` to `most` whose logarithm is `wanted` or more. */
static uint64_t exp2_fixed(int64_t wanted, uint64_t least, uint64_t most)
{
  while (least < most) {
    const uint64_t middle = least + (most - least) / 2;
    if (log2_fixed(middle) < wanted)
      least = middle + 1;
    else
      most = middle;
  }
  return least;
}

uint64_t tny_log_log(struct tny_sized_time less, struct tny_sized_time more, uint64_t bytes)
{
  if (bytes <= less.bytes)
    return less.ns;
  if (bytes >= more.bytes)
    return more.ns;
  const int64_t from = log2_fixed(less.bytes), width = log2_fixed(more.bytes) - from;
  const int64_t ns_from = log2_fixed(less.ns), height = log2_fixed(more.ns) - ns_from;
  const int64_t way = log2_fixed(bytes) - from;
  if (width <= 0) /* sizes so long that their logarithms are the same */
    return less.ns;
  return less.ns < more.ns ? exp2_fixed(ns_from + height * way / width, less.ns, more.ns)
                           : exp2_fixed(ns_from + height * way / width, more.ns, less.ns);
}
