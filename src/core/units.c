/* Parses and prints bandwidths (bit/s), times (ns) and sizes (bytes), by a table of units for each.
   */
#include "core/units.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

struct unit {
  const char *name;
  uint64_t factor;
  bool printed; /* the formatter may choose it */
};

/* What the numbers measure. Units: largest first, ends with a NULL name. */
struct measure {
  const char *what;
  const char *known; /* the units as an error lists them */
  const struct unit *units;
};

static const struct unit bandwidth_units[] = {
    {"Tbit/s", 1000000000000, true},
    {"Gbit/s", 1000000000, true},
    {"Mbit/s", 1000000, true},
    {"kbit/s", 1000, true},
    {"bit/s", 1, true},
    {"Tbps", 1000000000000, false},
    {"Gbps", 1000000000, false},
    {"Mbps", 1000000, false},
    {"kbps", 1000, false},
    {"bps", 1, false},
    {NULL, 0, false},
};
static const struct unit time_units[] = {
    {"s", 1000000000, true}, {"ms", 1000000, true}, {"us", 1000, true},
    {"ns", 1, true},         {NULL, 0, false},
};
static const struct unit byte_units[] = {
    {"GiB", 1 << 30, true}, {"GB", 1000000000, true}, {"MiB", 1 << 20, true}, {"MB", 1000000, true},
    {"KiB", 1 << 10, true}, {"kB", 1000, true},       {"B", 1, true},         {"G", 1 << 30, false},
    {"M", 1 << 20, false},  {"K", 1 << 10, false},    {"", 1, false},         {NULL, 0, false},
};

static const struct measure bandwidths = {
    "bandwidth", "bit/s, kbit/s, Mbit/s, Gbit/s or Tbit/s, as in 10Gbit/s", bandwidth_units};
static const struct measure times = {"time", "ns, us, ms or s, as in 5us", time_units};
static const struct measure sizes = {
    "size", "B, KiB, MiB or GiB (1024), kB, MB or GB (1000), as in 64KiB", byte_units};

/* A decimal number: digits * 10^-decimals. */
struct decimal {
  uint64_t digits;
  unsigned decimals;
  const char *end; /* what follows the number; NULL: the number doesn't fit in 64 bits */
  bool any;        /* there was a digit */
};

static struct decimal read_decimal(const char *text)
{
  struct decimal number = {0};
  bool in_fraction = false;
  for (; (*text >= '0' && *text <= '9') || (*text == '.' && !in_fraction); text++) {
    if (*text == '.') {
      in_fraction = true;
      continue;
    }
    const uint64_t digit = (uint64_t)(*text - '0');
    if (number.digits > (UINT64_MAX - digit) / 10)
      return (struct decimal){.any = true};
    number.digits = number.digits * 10 + digit;
    number.decimals += in_fraction;
    number.any = true;
  }
  for (; number.decimals && number.digits % 10 == 0; number.decimals--)
    number.digits /= 10;
  number.end = text;
  return number;
}

static const struct unit *find_unit(const struct measure *measure, const char *name)
{
  for (const struct unit *unit = measure->units; unit->name; unit++)
    if (!strcmp(unit->name, name))
      return unit;
  return NULL;
}

static enum tny_status parse(const struct measure *measure, const char *text, uint64_t *value,
                             struct tny_error *error)
{
  const struct decimal number = read_decimal(text);
  if (!number.any)
    return tny_error_set(error, TNY_BAD_INPUT, "\"%.60s\" is no %s: write a number with a unit, %s",
                         text, measure->what, measure->known);
  if (!number.end)
    return tny_error_set(error, TNY_BAD_INPUT, "the %s \"%.60s\" is too large", measure->what,
                         text);
  const char *name = number.end + (*number.end == ' ');
  const struct unit *unit = find_unit(measure, name);
  if (!unit && !*name && number.digits == 0)
    unit = measure->units;
  if (!unit && !*name)
    return tny_error_set(error, TNY_BAD_INPUT, "the %s \"%.60s\" has no unit: write %s",
                         measure->what, text, measure->known);
  if (!unit)
    return tny_error_set(error, TNY_BAD_INPUT, "the %s \"%.60s\" has an unknown unit: write %s",
                         measure->what, text, measure->known);
  uint64_t factor = unit->factor, digits = number.digits;
  for (unsigned i = 0; i < number.decimals; i++) {
    if (factor % 10 == 0)
      factor /= 10;
    else if (digits % 10 == 0)
      digits /= 10;
    else if (factor % 2 == 0 && digits % 5 == 0)
      factor /= 2, digits /= 5;
    else if (factor % 5 == 0 && digits % 2 == 0)
      factor /= 5, digits /= 2;
    else
      return tny_error_set(error, TNY_BAD_INPUT, "the %s \"%.60s\" is no whole number of %s",
                           measure->what, text,
                           measure == &times        ? "nanoseconds"
                           : measure == &bandwidths ? "bit/s"
                                                    : "bytes");
  }
  if (digits && factor > UINT64_MAX / digits)
    return tny_error_set(error, TNY_BAD_INPUT, "the %s \"%.60s\" is too large", measure->what,
                         text);
  *value = digits * factor;
  return TNY_OK;
}

enum tny_status tny_bandwidth_parse(const char *text, uint64_t *bandwidth_bps,
                                    struct tny_error *error)
{
  return parse(&bandwidths, text, bandwidth_bps, error);
}

enum tny_status tny_time_parse(const char *text, uint64_t *time_ns, struct tny_error *error)
{
  return parse(&times, text, time_ns, error);
}

enum tny_status tny_bytes_parse(const char *text, uint64_t *bytes, struct tny_error *error)
{
  return parse(&sizes, text, bytes, error);
}

/* The value in this unit, with up to three decimals; false where that isn't exact or below 1. */
static bool write_in(uint64_t value, const struct unit *unit, struct tny_quantity *quantity)
{
  const uint64_t whole = value / unit->factor, rest = value % unit->factor;
  if (whole == 0 || rest * 1000 % unit->factor)
    return false;
  unsigned thousandths = (unsigned)(rest * 1000 / unit->factor);
  int decimals = 3;
  for (; decimals && thousandths % 10 == 0; decimals--)
    thousandths /= 10;
  if (decimals)
    snprintf(quantity->text, sizeof quantity->text, "%llu.%0*u%s", (unsigned long long)whole,
             decimals, thousandths, unit->name);
  else
    snprintf(quantity->text, sizeof quantity->text, "%llu%s", (unsigned long long)whole,
             unit->name);
  return true;
}

static struct tny_quantity format(const struct measure *measure, uint64_t value)
{
  struct tny_quantity best = {"0"}, candidate;
  size_t length = SIZE_MAX;
  const struct unit *smallest = measure->units;
  for (const struct unit *unit = measure->units; unit->name && unit->printed; unit++) {
    smallest = unit;
    if (write_in(value, unit, &candidate) && strlen(candidate.text) < length) {
      best = candidate;
      length = strlen(best.text);
    }
  }
  if (value == 0)
    snprintf(best.text, sizeof best.text, "0%s", smallest->name);
  return best;
}

struct tny_quantity tny_bandwidth_format(uint64_t bandwidth_bps)
{
  return format(&bandwidths, bandwidth_bps);
}

struct tny_quantity tny_time_format(uint64_t time_ns)
{
  return format(&times, time_ns);
}

struct tny_quantity tny_bytes_format(uint64_t bytes)
{
  return format(&sizes, bytes);
}
