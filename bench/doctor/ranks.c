/* The ranks of `tourney doctor`: an MPI program that gathers what each host says about itself, and
   measures the network with bounded traffic. Rank 0 prints lines, which cli/doctor/facts.c reads:

   - facts 1: the version of this form
   - ranks P
   - rank R HOST PROCESSORS: where a rank runs, and the processors it may use, as in 0-3,8
   - host HOST KEY VALUE: a fact of a host; the keys are listed in docs/doctor.md
   - transfer KIND LINK FROM TO BPS: KIND solo, inside or cut; LINK the index of the trunk, or -
   - latency FROM TO SECONDS: one way, of a byte
   - buffer LINK FROM TO BYTES LOST: BYTES were in flight to TO from all its senders; LOST: segments
     that TCP sent again, and not in vain
   - exchange VARIANT BYTES SECONDS ALGORITHM: an all-to-all, planned or
     native; the shortest of three calls
   - window VARIANT HOST SEGMENTS LOST TIMEOUTS DROPPED ERRORS: meanwhile, on a host
   - skipped WHAT REASON
   - plan SECONDS, progress WHAT DONE COUNT, mark NAME: how far it is; not facts
   - done

   Usage: tourney-doctor-ranks [--no-traffic] [--handshake FOLDER], or --local: this machine
   alone, without MPI. --handshake: after each mark, rank 0 waits until FOLDER has a file of that
   name, so that who started it can count meanwhile. */
#include <inttypes.h>
#include <unistd.h>

#include "core/alloc.h"
#include "exchange.h"
#include "host.h"
#include "interfaces.h"
#include "job.h"
#include "network.h"
#include "settings.h"

#define LIMIT_SECONDS 900 /* a job that hangs ends itself */

static void find_names(struct probe_job *job)
{
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length;
  MPI_Get_processor_name(name, &length);
  job->names = tny_new(job->rank_count, sizeof name);
  if (!job->names)
    probe_give_up("out of memory");
  MPI_Allgather(name, sizeof name, MPI_CHAR, job->names, sizeof name, MPI_CHAR, job->comm);
  job->leads = true;
  for (uint32_t r = 0; r < job->rank; r++)
    job->leads &= strcmp(job->names[r], name) != 0;
}

static void tell_places(const struct probe_job *job)
{
  struct tny_text lines = {0};
  char processors[512];
  probe_processors(processors, sizeof processors);
  if (!job->rank)
    tny_text_add(&lines, "facts 1\nranks %" PRIu32 "\n", job->rank_count);
  tny_text_add(&lines, "rank %" PRIu32 " %s %s\n", job->rank, job->names[job->rank], processors);
  probe_tell(job, &lines);
}

static void tell_hosts(const struct probe_job *job)
{
  struct tny_text lines = {0};
  if (job->leads) {
    probe_host_add(&lines, job->names[job->rank]);
    probe_mpi_add(&lines, job->names[job->rank]);
  }
  probe_tell(job, &lines);
}

/* After something was sent: MPIs connect late. */
static void tell_connections(const struct probe_job *job)
{
  struct tny_text lines = {0};
  int next = (int)((job->rank + 1) % job->rank_count);
  int before = (int)((job->rank + job->rank_count - 1) % job->rank_count), token = 0;
  MPI_Sendrecv_replace(&token, 1, MPI_INT, next, 0, before, 0, job->comm, MPI_STATUS_IGNORE);
  if (job->leads)
    probe_connections_add(&lines, job->names[job->rank]);
  probe_tell(job, &lines);
}

struct options {
  bool local, no_traffic;
  const char *handshake;
};

static bool read_options(int argc, char **argv, struct options *options)
{
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--local"))
      options->local = true;
    else if (!strcmp(argv[i], "--no-traffic"))
      options->no_traffic = true;
    else if (!strcmp(argv[i], "--handshake") && i + 1 < argc)
      options->handshake = argv[++i];
    else
      return false;
  }
  return true;
}

static int run_local(void)
{
  char name[256] = "";
  struct tny_text lines = {0};
  gethostname(name, sizeof name - 1);
  tny_text_add(&lines, "facts 1\n");
  probe_host_add(&lines, name);
  tny_text_add(&lines, "done\n");
  if (lines.failed)
    return 1;
  fputs(lines.bytes, stdout);
  tny_text_release(&lines);
  return fflush(stdout) ? 1 : 0;
}

static void run(struct probe_job *job, const struct options *options)
{
  probe_stay_native();
  find_names(job);
  tell_places(job);
  tell_hosts(job);
  if (!options->no_traffic && job->rank_count > 1)
    probe_measure_network(job);
  tell_connections(job);
  if (!job->rank)
    puts("done");
  fflush(stdout);
  tny_free(job->names);
}

int main(int argc, char **argv)
{
  struct options options = {0};
  if (!read_options(argc, argv, &options)) {
    fputs("usage: tourney-doctor-ranks [--no-traffic] [--handshake FOLDER] | --local\n", stderr);
    return 2;
  }
  alarm(LIMIT_SECONDS);
  if (options.local)
    return run_local();
  MPI_Init(&argc, &argv);
  int rank, rank_count;
  struct probe_job job = {.handshake = options.handshake};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  job.rank = (uint32_t)rank;
  job.rank_count = (uint32_t)rank_count;
  MPI_Comm_dup(MPI_COMM_WORLD, &job.comm);
  run(&job, &options);
  MPI_Comm_free(&job.comm);
  MPI_Finalize();
  return 0;
}
