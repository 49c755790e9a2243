/* What a lab takes, by its counts, and what the kernel has left of it, by /proc. */
#include "lab/capacity.h"

#include "core/error.h"

/* Kernel memory by measurement (Linux 6.1, Slab and Percpu of /proc/meminfo before and after labs
   of 130 to 290 nodes); other kernels take somewhat more or less. */
enum { NAMESPACE_BYTES = 320 << 10, CABLE_BYTES = 16 << 10, ROUTE_BYTES = 800 };

void tny_lab_needs_of(const struct tny_cluster *cluster, struct tny_lab_needs *needs)
{
  const uint64_t nodes = (uint64_t)cluster->host_count + cluster->switch_count;
  needs->namespaces = nodes + 1; /* the keeper's */
  needs->cables = cluster->link_count / 2;
  needs->routes = cluster->host_count + (uint64_t)cluster->switch_count * cluster->host_count;
  needs->memory_bytes = needs->namespaces * NAMESPACE_BYTES + needs->cables * CABLE_BYTES +
                        needs->routes * ROUTE_BYTES;
}

/* The number behind `key` in a file of /proc, or at its begin; UINT64_MAX: none. */
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

void tny_lab_room_find(struct tny_lab_room *room)
{
  const uint64_t mounts_max = read_number("/proc/sys/fs/mount-max", "");
  const uint64_t mounts = count_lines("/proc/self/mountinfo");
  const uint64_t memory_kb = read_number("/proc/meminfo", "MemAvailable:");
  room->namespaces = read_number("/proc/sys/user/max_net_namespaces", "");
  room->mounts = mounts_max == UINT64_MAX ? UINT64_MAX
                 : mounts_max > mounts    ? mounts_max - mounts
                                          : 0;
  room->memory_bytes = memory_kb == UINT64_MAX ? UINT64_MAX : memory_kb << 10;
}

enum tny_status tny_lab_room_check(const struct tny_lab_needs *needs,
                                   const struct tny_lab_room *room, struct tny_error *error)
{
  const unsigned long long namespaces = needs->namespaces, mib = 1 << 20;
  if (needs->namespaces > room->namespaces)
    return tny_error_set(error, TNY_SYSTEM,
                         "this lab takes %llu network namespaces, and %llu are all this user may "
                         "have: take a smaller cluster, or raise the limit (sysctl "
                         "user.max_net_namespaces=%llu)",
                         namespaces, (unsigned long long)room->namespaces, namespaces);
  /* One for each namespace; the keeper's own are few. */
  if (needs->namespaces > room->mounts)
    return tny_error_set(
        error, TNY_SYSTEM,
        "this lab takes %llu mounts, and %llu more are all a program may have: take "
        "a smaller cluster, or raise the limit (sysctl fs.mount-max)",
        namespaces, (unsigned long long)room->mounts);
  if (needs->memory_bytes > room->memory_bytes)
    return tny_error_set(error, TNY_SYSTEM,
                         "this lab takes about %llu MiB of kernel memory (%llu namespaces, %llu "
                         "cables, %llu routes), and %llu MiB are free: take a smaller cluster",
                         (unsigned long long)(needs->memory_bytes / mib), namespaces,
                         (unsigned long long)needs->cables, (unsigned long long)needs->routes,
                         (unsigned long long)(room->memory_bytes / mib));
  return TNY_OK;
}
