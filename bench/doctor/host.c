/* Facts from /proc and /sys. */
#include "host.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interfaces.h"

#define VALUE_BYTES 512

/* Reads the first line of a file, its blanks made one each; false where there is none. */
static bool read_value(const char *path, char value[VALUE_BYTES])
{
  FILE *file = fopen(path, "re");
  size_t length = 0;
  int c;
  if (!file)
    return false;
  while ((c = getc(file)) != EOF && c != '\n' && length < VALUE_BYTES - 1) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank || (length && value[length - 1] != ' '))
      value[length++] = blank ? ' ' : (char)c;
  }
  value[length] = '\0';
  fclose(file);
  return length > 0;
}

static void add_file(struct tny_text *text, const char *name, const char *key, const char *path)
{
  char value[VALUE_BYTES];
  if (read_value(path, value))
    tny_text_add(text, "host %s %s %s\n", name, key, value);
}

static void add_kernel(struct tny_text *text, const char *name)
{
  static const char *const files[][2] = {
      {"kernel.release", "/proc/sys/kernel/osrelease"},
      {"kernel.boot_id", "/proc/sys/kernel/random/boot_id"},
      {"net.ipv4.tcp_slow_start_after_idle", "/proc/sys/net/ipv4/tcp_slow_start_after_idle"},
      {"net.ipv4.tcp_congestion_control", "/proc/sys/net/ipv4/tcp_congestion_control"},
      {"net.ipv4.tcp_window_scaling", "/proc/sys/net/ipv4/tcp_window_scaling"},
      {"net.ipv4.tcp_rmem", "/proc/sys/net/ipv4/tcp_rmem"},
      {"net.ipv4.tcp_wmem", "/proc/sys/net/ipv4/tcp_wmem"},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    add_file(text, name, files[i][0], files[i][1]);
}

void probe_processors(char *list, size_t room)
{
  cpu_set_t set;
  size_t length = 0;
  list[0] = '\0';
  if (sched_getaffinity(0, sizeof set, &set))
    return;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    unsigned last = cpu;
    if (!CPU_ISSET(cpu, &set))
      continue;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
      last++;
    char range[32];
    const int count = last == cpu ? snprintf(range, sizeof range, "%u", cpu)
                                  : snprintf(range, sizeof range, "%u-%u", cpu, last);
    if (length + (size_t)count + 2 > room)
      return;
    length += (size_t)snprintf(list + length, room - length, "%s%s", length ? "," : "", range);
    cpu = last;
  }
}

/* Of a limit "QUOTA PERIOD", either with its own file or both in one: processors, or 0. */
static double limit_of(const char *quota, const char *period)
{
  const double q = strtod(quota, NULL), p = strtod(period, NULL);
  return q > 0 && p > 0 ? q / p : 0;
}

static double limit_at(const char *folder)
{
  char path[2 * VALUE_BYTES], value[VALUE_BYTES], period[VALUE_BYTES];
  snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", folder);
  if (read_value(path, value)) {
    const char *space = strchr(value, ' ');
    return space ? limit_of(value, space) : 0;
  }
  snprintf(path, sizeof path, "/sys/fs/cgroup/cpu%s/cpu.cfs_quota_us", folder);
  if (!read_value(path, value))
    return 0;
  snprintf(path, sizeof path, "/sys/fs/cgroup/cpu%s/cpu.cfs_period_us", folder);
  return read_value(path, period) ? limit_of(value, period) : 0;
}

/* The cgroup of this process: the part behind "0::", or behind the list with "cpu". */
static bool find_cgroup(char folder[VALUE_BYTES])
{
  char line[VALUE_BYTES];
  bool found = false;
  FILE *file = fopen("/proc/self/cgroup", "re");
  while (file && !found && fgets(line, sizeof line, file)) {
    char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
    if (!path)
      continue;
    *path++ = '\0';
    found = !list[1] || !strcmp(list + 1, "cpu") || !strncmp(list + 1, "cpu,", 4);
    snprintf(folder, VALUE_BYTES, "%.*s", (int)strcspn(path, "\n"), path);
  }
  if (file)
    fclose(file);
  return found;
}

/* The smallest limit of the cgroup and those around it. */
static void add_cgroup_limit(struct tny_text *text, const char *name)
{
  char folder[VALUE_BYTES];
  double least = 0;
  for (bool more = find_cgroup(folder); more;) {
    const double limit = limit_at(strcmp(folder, "/") ? folder : "");
    if (limit > 0 && (least == 0 || limit < least))
      least = limit;
    char *slash = strrchr(folder, '/');
    more = slash && slash[1];
    if (more)
      slash[slash == folder] = '\0';
  }
  if (least > 0)
    tny_text_add(text, "host %s cpu.limit %.2f\n", name, least);
}

/* The governors that the processors have, each once. */
static void add_governors(struct tny_text *text, const char *name)
{
  char all[VALUE_BYTES] = "", path[128], value[VALUE_BYTES];
  const long count = sysconf(_SC_NPROCESSORS_CONF);
  for (long cpu = 0; cpu < count; cpu++) {
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cpufreq/scaling_governor", cpu);
    const size_t length = strlen(all);
    if (read_value(path, value) && !strstr(all, value) && length + strlen(value) + 2 < sizeof all)
      snprintf(all + length, sizeof all - length, "%s%s", length ? "," : "", value);
  }
  if (all[0])
    tny_text_add(text, "host %s cpu.governor %s\n", name, all);
}

void probe_host_add(struct tny_text *text, const char *name)
{
  char list[VALUE_BYTES];
  add_kernel(text, name);
  tny_text_add(text, "host %s cpu.online %ld\n", name, sysconf(_SC_NPROCESSORS_ONLN));
  probe_processors(list, sizeof list);
  tny_text_add(text, "host %s cpu.allowed %s\n", name, list);
  add_cgroup_limit(text, name);
  add_governors(text, name);
  probe_interfaces_add(text, name);
}

/* A table of /proc/net has a line of names and below it one of numbers, both behind "Tcp:". */
static uint64_t read_counter(const char *path, const char *table, const char *counter)
{
  static char names[8192], values[8192];
  const size_t length = strlen(table);
  uint64_t number = 0;
  FILE *file = fopen(path, "re");
  while (file && fgets(names, sizeof names, file)) {
    if (strncmp(names, table, length) || !fgets(values, sizeof values, file))
      continue;
    char *name_rest = NULL, *value_rest = NULL;
    const char *value = strtok_r(values, " \n", &value_rest);
    for (const char *name = strtok_r(names, " \n", &name_rest); name && value;
         name = strtok_r(NULL, " \n", &name_rest)) {
      if (!strcmp(name, counter))
        number = strtoull(value, NULL, 10);
      value = strtok_r(NULL, " \n", &value_rest);
    }
    break;
  }
  if (file)
    fclose(file);
  return number;
}

struct probe_losses probe_losses_now(void)
{
  struct probe_losses losses = {
      .segments = read_counter("/proc/net/snmp", "Tcp:", "OutSegs"),
      .sent_again = read_counter("/proc/net/snmp", "Tcp:", "RetransSegs"),
      .in_vain = read_counter("/proc/net/netstat", "TcpExt:", "TCPDSACKRecv"),
      .timeouts = read_counter("/proc/net/netstat", "TcpExt:", "TCPTimeouts"),
  };
  probe_interfaces_count(&losses.dropped, &losses.errors);
  return losses;
}

uint64_t probe_lost_between(const struct probe_losses *before, const struct probe_losses *after)
{
  const uint64_t sent_again = after->sent_again - before->sent_again;
  const uint64_t in_vain = after->in_vain - before->in_vain;
  return sent_again > in_vain ? sent_again - in_vain : 0;
}
