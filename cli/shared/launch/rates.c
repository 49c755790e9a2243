/* Where rates come from: options, the environment, the site's file, the kernel's list of
   interfaces. */
#include "rates.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "core/units.h"

enum tny_status launch_rate_take(struct launch_rate *rate, const char *by, const char *value,
                                 struct tny_error *error)
{
  struct tny_error cause = {0};
  uint64_t bps = 0;
  const enum tny_status status = tny_bandwidth_parse(value, &bps, &cause);
  if (status != TNY_OK)
    return tny_error_set(error, status, "%s: %s", by, cause.text);
  if (bps == 0)
    return tny_error_set(error, TNY_BAD_INPUT, "%s: a rate is more than 0, not '%.40s'", by, value);
  rate->bps = bps;
  snprintf(rate->by, sizeof rate->by, "%s", by);
  return TNY_OK;
}

static enum tny_status take_variable(struct launch_rate *rate, const char *name,
                                     struct tny_error *error)
{
  const char *value = getenv(name);
  return rate->bps || !value || !*value ? TNY_OK : launch_rate_take(rate, name, value, error);
}

/* --- the site's file --- */

/* A line without its end: "link 25Gbit/s", a comment, or nothing. */
static enum tny_status read_line(struct launch_rates *said, const char *path, unsigned number,
                                 const char *line, struct tny_error *error)
{
  char name[16], value[64], rest[2], by[sizeof said->link.by];
  struct tny_error cause = {0};
  line += strspn(line, " \t\r");
  if (!*line || *line == '#')
    return TNY_OK;
  const bool is_pair = sscanf(line, "%15s %63s %1s", name, value, rest) == 2;
  const bool is_link = is_pair && strcmp(name, "link") == 0;
  if (!is_link && !(is_pair && strcmp(name, "trunk") == 0))
    return tny_error_at(error, TNY_BAD_INPUT, path, number, 0,
                        "expected a line \"link RATE\" or \"trunk RATE\", as in link 25Gbit/s");
  snprintf(by, sizeof by, "%.120s", path);
  if (launch_rate_take(is_link ? &said->link : &said->trunk, by, value, &cause) == TNY_OK)
    return TNY_OK;
  return tny_error_at(error, cause.status, path, number, 0, "%s",
                      cause.text + strlen(by) + strlen(": "));
}

static enum tny_status read_site(struct launch_rates *rates, const char *site,
                                 struct tny_error *error)
{
  struct launch_rates said = {0};
  char path[PATH_MAX], *text = NULL;
  snprintf(path, sizeof path, "%s/rates", site);
  if (access(path, F_OK) != 0)
    return TNY_OK;
  enum tny_status status = tny_file_read(path, &text, error);
  unsigned number = 0;
  for (char *line = text, *next; status == TNY_OK && line; line = next) {
    next = strchr(line, '\n');
    if (next)
      *next++ = '\0';
    status = read_line(&said, path, ++number, line, error);
  }
  tny_text_free(text);
  if (status == TNY_OK && !rates->link.bps)
    rates->link = said.link;
  if (status == TNY_OK && !rates->trunk.bps)
    rates->trunk = said.trunk;
  return status;
}

/* --- interfaces --- */

/* The first line of a file beside an interface, "" where there is none. */
static void read_beside(const char *folder, const char *name, char text[64])
{
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(text, 64, file)) /* a port that is down has a file that can't be read */
    text[0] = '\0';
  if (file)
    fclose(file);
}

/* Ethernet's, in Mbit/s. Only what has a device of its own counts: not bridges, not veth. */
static double ethernet_rate(const char *folder)
{
  char device[PATH_MAX], state[64], speed[64];
  snprintf(device, sizeof device, "%s/device", folder);
  read_beside(folder, "operstate", state);
  read_beside(folder, "speed", speed);
  if (access(device, F_OK) != 0 || strncmp(state, "up", 2) != 0)
    return 0;
  return strtod(speed, NULL) * 1e6;
}

/* InfiniBand's, "100 Gb/sec (4X EDR)". */
static double infiniband_rate(const char *folder)
{
  char state[64], rate[64], *unit;
  read_beside(folder, "state", state);
  read_beside(folder, "rate", rate);
  const double number = strtod(rate, &unit);
  return strstr(state, "ACTIVE") && strncmp(unit, " Gb/sec", 7) == 0 ? number * 1e9 : 0;
}

/* The fastest of the folders that match a pattern; its name is so many parts above the last one. */
static void take_fastest(struct launch_rate *rate, const char *pattern, int name_at,
                         double (*rate_of)(const char *folder))
{
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0)
    return;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *folder = found.gl_pathv[i];
    const double bps = rate_of(folder);
    if (!(bps > (double)rate->bps && bps < 1e15))
      continue;
    char *name = strrchr(folder, '/');
    for (int above = 0; above < name_at; above++) {
      *name = '\0';
      name = strrchr(folder, '/');
    }
    rate->bps = (uint64_t)bps;
    snprintf(rate->by, sizeof rate->by, "%.60s's speed on this host", name + 1);
  }
  globfree(&found);
}

static void read_interfaces(struct launch_rate *rate, const char *system)
{
  char pattern[PATH_MAX];
  snprintf(pattern, sizeof pattern, "%s/class/net/*", system);
  take_fastest(rate, pattern, 0, ethernet_rate);
  snprintf(pattern, sizeof pattern, "%s/class/infiniband/*/ports/*", system);
  take_fastest(rate, pattern, 2, infiniband_rate);
}

enum tny_status launch_rates_find(struct launch_rates *rates, const char *site, const char *system,
                                  struct tny_error *error)
{
  enum tny_status status = take_variable(&rates->link, "TOURNEY_LINK", error);
  if (status == TNY_OK)
    status = take_variable(&rates->trunk, "TOURNEY_TRUNK", error);
  if (status == TNY_OK && site)
    status = read_site(rates, site, error);
  if (status == TNY_OK && !rates->link.bps)
    read_interfaces(&rates->link, system);
  return status;
}
