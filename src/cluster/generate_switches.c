/* Generators that name each switch's hosts: single:16, switches:8+8 (a line) and zones:8+8+8 (each
   joined to each, by a wide-area cable). */
#include "cluster/generation.h"
#include "core/error.h"

/* Zones are few: a cable between each two of more would be a network nobody has. */
#define ZONES_MAX 64

static enum tny_status read_hosts(const char **text, uint32_t *count, struct tny_error *error)
{
  const enum tny_status status = tny_generation_count(text, "hosts", count, error);
  if (!status && *count == 0)
    return tny_error_set(error, TNY_BAD_INPUT, "a switch with 0 hosts: give each at least 1");
  return status;
}

enum tny_status tny_generate_switches(struct tny_generation *generation, struct tny_error *error)
{
  const char *text = generation->arguments;
  uint32_t before = TNY_NONE, node = TNY_NONE, count = 0;
  for (uint32_t number = 0;; number++, before = node, text++) {
    enum tny_status status = read_hosts(&text, &count, error);
    if (!status)
      status = tny_generation_switch(generation, 's', number, &node, error);
    if (!status && before != TNY_NONE)
      status = tny_generation_cable(generation, &generation->trunk, before, node, error);
    if (!status)
      status = tny_generation_hosts(generation, node, count, error);
    if (status || !*text)
      return status;
  }
}

enum tny_status tny_generate_single(struct tny_generation *generation, struct tny_error *error)
{
  if (strchr(generation->arguments, '+'))
    return tny_error_set(error, TNY_BAD_INPUT, "single has one switch; write switches:%.40s",
                         generation->arguments);
  return tny_generate_switches(generation, error);
}

enum tny_status tny_generate_zones(struct tny_generation *generation, struct tny_error *error)
{
  const char *text = generation->arguments;
  uint32_t zones[ZONES_MAX];
  if (!strchr(text, '+'))
    return tny_error_set(error, TNY_BAD_INPUT,
                         "zones are at least two, as in zones:8+8; one is single:%.40s", text);
  for (uint32_t zone = 0;; zone++, text++) {
    uint32_t count = 0;
    if (zone == ZONES_MAX)
      return tny_error_set(error, TNY_BAD_INPUT, "more than %u zones", ZONES_MAX);
    enum tny_status status = read_hosts(&text, &count, error);
    if (!status)
      status = tny_generation_switch(generation, 's', zone, &zones[zone], error);
    for (uint32_t other = 0; !status && other < zone; other++)
      status =
          tny_generation_cable(generation, &generation->wide, zones[other], zones[zone], error);
    if (!status)
      status = tny_generation_hosts(generation, zones[zone], count, error);
    if (status || !*text)
      return status;
  }
}
