/* What generators add to a build: counted hosts, numbered switches, cables. */
#include "cluster/generation.h"

#include "core/error.h"
#include "core/scan.h"

enum tny_status tny_generation_count(const char **text, const char *what, uint32_t *count,
                                     struct tny_error *error)
{
  const char *start = *text;
  uint64_t number;
  const enum tny_scan found = tny_scan_number(text, TNY_HOSTS_MAX, &number);
  if (found == TNY_SCAN_TOO_LARGE)
    return tny_error_set(error, TNY_BAD_INPUT, "more than %u hosts", TNY_HOSTS_MAX);
  if (found == TNY_SCAN_NO_DIGIT || (**text && **text != '+'))
    return tny_error_set(error, TNY_BAD_INPUT, "\"%.40s\" is no number of %s", start, what);
  *count = (uint32_t)number;
  return TNY_OK;
}

enum tny_status tny_generation_sides(const char *text, const char *example, uint32_t count,
                                     uint32_t *sides, struct tny_error *error)
{
  const char *start = text;
  uint64_t product = 1;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t side;
    const enum tny_scan found = tny_scan_number(&text, TNY_HOSTS_MAX, &side);
    product *= side;
    if (found == TNY_SCAN_TOO_LARGE || product > TNY_HOSTS_MAX)
      return tny_error_set(error, TNY_BAD_INPUT, "more than %u hosts", TNY_HOSTS_MAX);
    if (side == 0 || *text != (i + 1 < count ? 'x' : '\0'))
      return tny_error_set(error, TNY_BAD_INPUT, "\"%.40s\" isn't %s, each at least 1", start,
                           example);
    sides[i] = (uint32_t)side;
    text++;
  }
  return TNY_OK;
}

static enum tny_status add_numbered(struct tny_build *build, char letter, uint32_t number,
                                    uint32_t *node, struct tny_error *error)
{
  char name[16];
  snprintf(name, sizeof name, "%c%u", letter, number);
  return tny_build_add(build, name, letter == 'h' ? TNY_KIND_HOST : TNY_KIND_SWITCH, node, error);
}

enum tny_status tny_generation_switch(struct tny_generation *generation, char letter,
                                      uint32_t number, uint32_t *node, struct tny_error *error)
{
  return add_numbered(generation->build, letter, number, node, error);
}

enum tny_status tny_generation_cable(struct tny_generation *generation,
                                     const struct tny_build_cable *like, uint32_t from, uint32_t to,
                                     struct tny_error *error)
{
  struct tny_build_cable cable = *like;
  cable.from = from;
  cable.to = to;
  return tny_build_connect(generation->build, &cable, error);
}

enum tny_status tny_generation_hosts(struct tny_generation *generation, uint32_t at, uint32_t count,
                                     struct tny_error *error)
{
  if (count > TNY_HOSTS_MAX - generation->host_count)
    return tny_error_set(error, TNY_BAD_INPUT, "more than %u hosts", TNY_HOSTS_MAX);
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < count; i++) {
    uint32_t host;
    status = add_numbered(generation->build, 'h', generation->host_count++, &host, error);
    if (!status)
      status = tny_generation_cable(generation, &generation->link, at, host, error);
  }
  return status;
}
