/* Values of attributes in SimGrid's platform files: rates, times, sharing policies. */
#include <ctype.h>
#include <math.h>

#include "import/simgrid_values.h"

/* What a cable has at most. */
#define RATE_MAX_BPS 1e15
#define TIME_MAX_NS 3600e9

/* The number that a text begins with, and what is behind it; NULL: it begins with none. */
static const char *read_number(const char *text, double *number)
{
  char *end;
  if (!isdigit((unsigned char)text[0]) && text[0] != '.')
    return NULL;
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return NULL;
  *number = strtod(text, &end);
  return end == text ? NULL : end + strspn(end, " ");
}

/* The factor to bit/s of a unit: a prefix, an i for powers of 1024, bps or Bps. 0: it is none. */
static double rate_of_unit(const char *unit)
{
  static const char prefixes[] = "KMGTPE";
  double factor = 1;
  if (!*unit)
    return 8;
  const char *found = strchr(prefixes, toupper((unsigned char)*unit));
  if (found && *unit != 'b' && *unit != 'B') {
    const double base = unit[1] == 'i' ? 1024 : 1000;
    factor = pow(base, (double)(found - prefixes + 1));
    unit += base > 1000 ? 2 : 1;
  }
  if (!strcmp(unit, "bps"))
    return factor;
  return strcmp(unit, "Bps") ? 0 : 8 * factor;
}

enum tny_status tny_simgrid_read_rate(const struct tny_xml_element *element, const char *name,
                                      uint64_t *bps, struct tny_error *error)
{
  const char *text;
  const enum tny_status status = tny_xml_require(element, name, &text, error);
  if (status)
    return status;
  double number;
  const char *unit = read_number(text, &number);
  const double rate = unit ? number * rate_of_unit(unit) : 0;
  if (rate > RATE_MAX_BPS)
    return tny_xml_refuse(element, error,
                          "%s=\"%.60s\" is more than 1000Tbit/s: is its unit wrong?", name, text);
  if (!(rate >= 0.5))
    return tny_xml_refuse(element, error,
                          "%s=\"%.60s\" isn't a rate: one is as 125MBps (bytes) or 1Gbps (bits), "
                          "with a prefix K, M, G, T, P, E, or Ki, Mi and so on for powers of 1024",
                          name, text);
  *bps = (uint64_t)llround(rate);
  return TNY_OK;
}

enum tny_status tny_simgrid_read_time(const struct tny_xml_element *element, const char *name,
                                      uint64_t *time_ns, struct tny_error *error)
{
  static const struct {
    const char *unit;
    double ns;
  } units[] = {{"", 1e9},  {"ps", 1e-3}, {"ns", 1},     {"us", 1e3},    {"ms", 1e6},
               {"s", 1e9}, {"m", 60e9},  {"h", 3600e9}, {"d", 86400e9}, {"w", 604800e9}};
  const char *text = tny_xml_attribute(element, name);
  *time_ns = 0;
  if (!text)
    return TNY_OK;
  double number;
  const char *unit = read_number(text, &number);
  for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++) {
    if (strcmp(unit, units[i].unit) != 0)
      continue;
    if (number * units[i].ns > TIME_MAX_NS)
      return tny_xml_refuse(element, error, "%s=\"%.60s\" is more than an hour: is its unit wrong?",
                            name, text);
    *time_ns = (uint64_t)llround(number * units[i].ns);
    return TNY_OK;
  }
  return tny_xml_refuse(element, error,
                        "%s=\"%.60s\" isn't a time: one is as 50us, with ps, ns, us, ms, s, m, h, "
                        "d or w",
                        name, text);
}

enum tny_status tny_simgrid_read_sharing(const struct tny_xml_element *element, const char *name,
                                         enum tny_sharing *sharing, struct tny_error *error)
{
  const char *text = tny_xml_attribute(element, name);
  if (!text)
    return TNY_OK;
  if (!strcmp(text, "SHARED"))
    *sharing = TNY_SHARED;
  else if (!strcmp(text, "FATPIPE"))
    *sharing = TNY_FATPIPE;
  else if (!strcmp(text, "SPLITDUPLEX") || !strcmp(text, "FULLDUPLEX")) /* its older name */
    *sharing = TNY_SPLIT;
  else if (!strcmp(text, "WIFI"))
    return tny_xml_refuse(element, error,
                          "a cell of a wireless network is no cable: leave its zone out");
  else
    return tny_xml_refuse(element, error,
                          "%s=\"%.60s\" is none: there are SPLITDUPLEX, SHARED and FATPIPE", name,
                          text);
  return TNY_OK;
}
