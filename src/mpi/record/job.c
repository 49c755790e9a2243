/* What is gathered of the ranks: their hosts' counters. Ranks that share a network see the same
   counters, of which the lowest rank's count. */
#include "mpi/record/job.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"
#include "mpi/guard/clock.h"
#include "mpi/native.h"
#include "mpi/record/text.h"

static struct {
  int is_agreed; /* by all ranks: there is a record */
  int64_t began_s;
  struct tny_counters counters;  /* when it was agreed on */
  struct tny_record_host *hosts; /* at rank 0: room for one a rank, where it was agreed on */
} job;

void tny_record_job_open(void)
{
  job.began_s = (int64_t)time(NULL);
  job.counters = tny_counters_read("/proc/net");
  tny_record_open();
}

void tny_record_job_agree(void)
{
  if (tny_record_is_open)
    job.hosts = tny_new(tny_world_get()->rank_count, sizeof *job.hosts);
  job.is_agreed = job.hosts != NULL;
  tny_native.bcast(&job.is_agreed, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (job.is_agreed)
    job.counters = tny_counters_read("/proc/net");
}

static struct tny_record_host own_host(void)
{
  struct tny_record_host host = {0};
  struct stat space;
  const struct tny_counters now = tny_counters_read("/proc/net");
  gethostname(host.name, sizeof host.name - 1);
  host.space = stat("/proc/self/ns/net", &space) == 0 ? (uint64_t)space.st_ino : 0;
  host.counted = tny_counters_between(&job.counters, &now);
  return host;
}

/* Keeps the first of those that are one network; returns how many are left. */
static uint32_t merge_hosts(struct tny_record_host *hosts, uint32_t count)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t same = 0;
    while (same < kept &&
           (hosts[same].space != hosts[i].space || strcmp(hosts[same].name, hosts[i].name) != 0))
      same++;
    if (same == kept)
      hosts[kept++] = hosts[i];
  }
  return kept;
}

/* The first line of what the MPI calls itself, in which MPICH has a tab. */
static void find_mpi(char name[MPI_MAX_LIBRARY_VERSION_STRING])
{
  int length = 0;
  name[0] = '\0';
  if (PMPI_Get_library_version(name, &length) != MPI_SUCCESS)
    name[0] = '\0';
  name[strcspn(name, "\n")] = '\0';
  for (char *at = name; *at; at++)
    *at = *at == '\t' ? ' ' : *at;
}

static enum tny_status write_record(const struct tny_world *world, struct tny_record_host *hosts,
                                    const char *path, struct tny_error *error)
{
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
  char *text = NULL;
  const char *origin = getenv("TOURNEY_ORIGIN");
  const bool has_cluster = world->comm != MPI_COMM_NULL;
  const struct tny_record *record = tny_record_get();
  find_mpi(mpi);
  const struct tny_record_about about = {
      .version = TOURNEY_VERSION_TEXT,
      .mpi = mpi,
      .program = program_invocation_short_name,
      .began_s = job.began_s,
      .took_ns = tny_clock_ns() - record->begin_ns,
      .rank_count = world->rank_count,
      .why_native = world->why_native,
      .has_guard = world->guard,
      .cluster = has_cluster ? world->cluster : NULL,
      .host_of_rank = world->host_of_rank,
      .origin = origin ? origin : "TOURNEY_CLUSTER",
      .hosts = hosts,
      .host_count = merge_hosts(hosts, job.is_agreed ? world->rank_count : 1),
      .has_all_hosts = job.is_agreed,
  };
  enum tny_status status = tny_record_text(record, &about, &text, error);
  if (status == TNY_OK)
    status = tny_file_write(path, text, error);
  tny_text_free(text);
  return status;
}

enum tny_status tny_record_job_write(const struct tny_world *world, const char *path,
                                     struct tny_error *error)
{
  if (!job.is_agreed && !path)
    return TNY_OK;
  struct tny_record_host own = own_host();
  enum tny_status status = TNY_OK;
  if (job.is_agreed)
    tny_native.gather(&own, (int)sizeof own, MPI_BYTE, job.hosts, (int)sizeof own, MPI_BYTE, 0,
                      MPI_COMM_WORLD);
  if (path)
    status = write_record(world, job.is_agreed ? job.hosts : &own, path, error);
  tny_free(job.hosts);
  memset(&job, 0, sizeof job);
  tny_record_close();
  return status;
}
