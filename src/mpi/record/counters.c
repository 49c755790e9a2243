/* /proc/net/snmp and /proc/net/netstat have pairs of lines: "Tcp: NAME ...", "Tcp: NUMBER ...".
   /proc/net/dev has a line an interface: sixteen numbers, of which the fourth and the twelfth are
   the packets dropped. */
#include "mpi/record/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_CHARS = 512, DEVICE_NUMBERS = 16, DROPPED_IN = 3, DROPPED_OUT = 11 };

static FILE *open_in(const char *folder, const char *name)
{
  char path[PATH_CHARS];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return fopen(path, "re");
}

/* The number that stands where the names' line has the name. */
static bool find_number(const char *names, const char *numbers, const char *name, uint64_t *number)
{
  const size_t length = strlen(name);
  for (;;) {
    names += strspn(names, " \n");
    numbers += strspn(numbers, " \n");
    const size_t name_length = strcspn(names, " \n"), number_length = strcspn(numbers, " \n");
    if (name_length == 0 || number_length == 0)
      return false;
    if (name_length == length && strncmp(names, name, length) == 0) {
      *number = strtoull(numbers, NULL, 10);
      return true;
    }
    names += name_length;
    numbers += number_length;
  }
}

/* Reads some numbers of a protocol's two lines, `count` of them; false: not all of them are there.
 */
static bool read_pair(FILE *file, const char *protocol, const char *const *names,
                      uint64_t *const *numbers, size_t count)
{
  char *heading = NULL, *values = NULL;
  size_t heading_room = 0, values_room = 0, found = 0;
  while (found == 0 && getline(&heading, &heading_room, file) > 0 &&
         getline(&values, &values_room, file) > 0) {
    if (strncmp(heading, protocol, strlen(protocol)) != 0)
      continue;
    while (found < count && find_number(heading, values, names[found], numbers[found]))
      found++;
  }
  free(heading);
  free(values);
  return found == count;
}

static bool read_tcp(const char *folder, struct tny_counters *counters)
{
  static const char *const names[] = {"OutSegs", "RetransSegs"};
  uint64_t *const numbers[] = {&counters->list[TNY_COUNT_SEGMENTS],
                               &counters->list[TNY_COUNT_RETRANSMITTED]};
  FILE *file = open_in(folder, "snmp");
  const bool is_read = file && read_pair(file, "Tcp: ", names, numbers, 2);
  if (file)
    fclose(file);
  return is_read;
}

static bool read_timeouts(const char *folder, struct tny_counters *counters)
{
  static const char *const names[] = {"TCPTimeouts"};
  uint64_t *const numbers[] = {&counters->list[TNY_COUNT_TIMEOUTS]};
  FILE *file = open_in(folder, "netstat");
  const bool is_read = file && read_pair(file, "TcpExt: ", names, numbers, 1);
  if (file)
    fclose(file);
  return is_read;
}

/* What an interface's line says was dropped; 0 for the lines of the heading. */
static uint64_t device_drops(const char *line)
{
  const char *at = strchr(line, ':');
  uint64_t numbers[DEVICE_NUMBERS] = {0};
  for (size_t i = 0; at && i < DEVICE_NUMBERS; i++) {
    char *end;
    numbers[i] = strtoull(i == 0 ? at + 1 : at, &end, 10);
    at = end;
  }
  return numbers[DROPPED_IN] + numbers[DROPPED_OUT];
}

static bool read_devices(const char *folder, struct tny_counters *counters)
{
  char *line = NULL;
  size_t room = 0;
  FILE *file = open_in(folder, "dev");
  if (!file)
    return false;
  while (getline(&line, &room, file) > 0)
    counters->list[TNY_COUNT_INTERFACE_DROPS] += device_drops(line);
  free(line);
  fclose(file);
  return true;
}

struct tny_counters tny_counters_read(const char *folder)
{
  struct tny_counters counters = {0};
  counters.is_known = read_tcp(folder, &counters) && read_timeouts(folder, &counters) &&
                      read_devices(folder, &counters);
  return counters;
}

struct tny_counters tny_counters_between(const struct tny_counters *begin,
                                         const struct tny_counters *end)
{
  struct tny_counters between = {.is_known = begin->is_known && end->is_known};
  for (int i = 0; i < TNY_COUNTER_COUNT; i++) {
    const uint64_t before = begin->list[i], after = end->list[i];
    between.list[i] = between.is_known && after > before ? after - before : 0;
  }
  return between;
}
