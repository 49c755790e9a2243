/* What a lab takes follows from its numbers of nodes, cables and routes; what the kernel has left
   is read from /proc. */
#include "lab/capacity.h"

#include "core/error.h"
#include "lab/relay.h"

/* The kernel's memory was measured (Linux 6.1, Slab and Percpu of /proc/meminfo before and after
   labs of 130 to 290 nodes). Other kernels take somewhat more or less. */
enum { NAMESPACE_BYTES = 320 << 10, CABLE_BYTES = 16 << 10, ROUTE_BYTES = 800 };

void tny_lab_needs_of(const struct tny_cluster *cluster, struct tny_lab_needs *needs)
{
  const uint64_t nodes = (uint64_t)cluster->host_count + cluster->switch_count;
  const uint64_t delayed_bytes = tny_lab_relay_bytes(cluster);
  needs->namespaces = nodes + 1; /* one is the keeper's */
  needs->namespaces += tny_lab_wiring_delays(cluster);
  needs->cables = cluster->link_count / 2;
  needs->routes = cluster->host_count + (uint64_t)cluster->switch_count * cluster->host_count;
  needs->memory_bytes = needs->namespaces * NAMESPACE_BYTES + needs->cables * CABLE_BYTES +
                        needs->routes * ROUTE_BYTES;
  needs->memory_bytes = delayed_bytes < UINT64_MAX - needs->memory_bytes
                            ? needs->memory_bytes + delayed_bytes
                            : UINT64_MAX;
}

/* Reads the number behind `key` in a file of /proc; with an empty key, the one at its begin.
   Returns UINT64_MAX where there is none. */
static uint64_t read_number(const char *path, const char *key)
{
  char line[256];
  uint64_t number = UINT64_MAX;
  FILE *file = fopen(path, "re");
  while (file && number == UINT64_MAX && fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0)
      number = strtoull(line + strlen(key), NULL, 10);
  if (file)
    fclose(file);
  return number;
}

static uint64_t count_lines(const char *path)
{
  uint64_t count = 0;
  FILE *file = fopen(path, "re");
  for (int c; file && (c = getc(file)) != EOF;)
    count += c == '\n';
  if (file)
    fclose(file);
  return count;
}

void tny_lab_capacity_find(struct tny_lab_capacity *capacity)
{
  const uint64_t mounts_max = read_number("/proc/sys/fs/mount-max", "");
  const uint64_t mounts = count_lines("/proc/self/mountinfo");
  const uint64_t memory_kb = read_number("/proc/meminfo", "MemAvailable:");
  capacity->namespaces = read_number("/proc/sys/user/max_net_namespaces", "");
  capacity->mounts = mounts_max == UINT64_MAX ? UINT64_MAX
                     : mounts_max > mounts    ? mounts_max - mounts
                                              : 0;
  capacity->memory_bytes = memory_kb == UINT64_MAX ? UINT64_MAX : memory_kb << 10;
}

enum tny_status tny_lab_capacity_check(const struct tny_lab_needs *needs,
                                       const struct tny_lab_capacity *capacity,
                                       struct tny_error *error)
{
  const unsigned long long namespaces = needs->namespaces, mib = 1 << 20;
  if (needs->namespaces > capacity->namespaces)
    return tny_error_set(error, TNY_SYSTEM,
                         "this lab takes %llu network namespaces, and %llu are all this user may "
                         "have: take a smaller cluster, or raise the limit (sysctl "
                         "user.max_net_namespaces=%llu)",
                         namespaces, (unsigned long long)capacity->namespaces, namespaces);
  /* Each namespace takes one mount; the keeper's own mounts are few. */
  if (needs->namespaces > capacity->mounts)
    return tny_error_set(
        error, TNY_SYSTEM,
        "this lab takes %llu mounts, and %llu more are all a program may have: take "
        "a smaller cluster, or raise the limit (sysctl fs.mount-max)",
        namespaces, (unsigned long long)capacity->mounts);
  if (needs->memory_bytes > capacity->memory_bytes)
    return tny_error_set(error, TNY_SYSTEM,
                         "this lab takes about %llu MiB of memory (%llu namespaces, %llu "
                         "cables, %llu routes, and what is under way on links with a latency), and "
                         "%llu MiB are free: take a smaller cluster",
                         (unsigned long long)(needs->memory_bytes / mib), namespaces,
                         (unsigned long long)needs->cables, (unsigned long long)needs->routes,
                         (unsigned long long)(capacity->memory_bytes / mib));
  return TNY_OK;
}
