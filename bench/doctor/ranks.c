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
   - alltoall VARIANT BYTES SECONDS ALGORITHM: VARIANT planned or native; the shortest of three
   - window VARIANT HOST SEGMENTS LOST TIMEOUTS DROPPED ERRORS: meanwhile, on a host
   - skipped WHAT REASON
   - plan SECONDS, progress WHAT DONE COUNT, mark NAME: how far it is; not facts
   - done

   Usage: tourney-doctor-ranks [--no-traffic] [--meet FOLDER], or --local: this machine alone,
   without MPI. --meet: after each mark, rank 0 waits until FOLDER has a file of that name, so that
   who started it can count meanwhile. */
#include "ranks.h"

#include <inttypes.h>
#include <unistd.h>

#include "core/alloc.h"
#include "host.h"

#define LIMIT_SECONDS 900 /* a job that hangs ends itself */

static _Noreturn void give_up(const char *why)
{
  fprintf(stderr, "tourney-doctor-ranks: %s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

void doctor_tell(const struct doctor_job *job, struct tny_text *lines)
{
  if (lines->failed)
    give_up("out of memory");
  int length = (int)lines->length, total = 0;
  int *lengths = tny_new(job->rank_count, sizeof *lengths);
  int *starts = tny_new(job->rank_count, sizeof *starts);
  if (!lengths || !starts)
    give_up("out of memory");
  MPI_Gather(&length, 1, MPI_INT, lengths, 1, MPI_INT, 0, job->comm);
  for (uint32_t r = 0; r < job->rank_count; r++) {
    starts[r] = total;
    total += lengths[r];
  }
  char *all = job->rank ? NULL : tny_new((size_t)total + 1, 1);
  if (!job->rank && !all)
    give_up("out of memory");
  MPI_Gatherv(lines->bytes, length, MPI_CHAR, all, lengths, starts, MPI_CHAR, 0, job->comm);
  if (all) {
    fputs(all, stdout);
    fflush(stdout);
  }
  tny_free(all);
  tny_free(lengths);
  tny_free(starts);
  tny_text_release(lines);
}

static void find_names(struct doctor_job *job)
{
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length;
  MPI_Get_processor_name(name, &length);
  job->names = tny_new(job->rank_count, sizeof name);
  if (!job->names)
    give_up("out of memory");
  MPI_Allgather(name, sizeof name, MPI_CHAR, job->names, sizeof name, MPI_CHAR, job->comm);
  job->leads = true;
  for (uint32_t r = 0; r < job->rank; r++)
    job->leads &= strcmp(job->names[r], name) != 0;
}

static void tell_places(const struct doctor_job *job)
{
  struct tny_text lines = {0};
  char processors[512];
  doctor_processors(processors, sizeof processors);
  if (!job->rank)
    tny_text_add(&lines, "facts 1\nranks %" PRIu32 "\n", job->rank_count);
  tny_text_add(&lines, "rank %" PRIu32 " %s %s\n", job->rank, job->names[job->rank], processors);
  doctor_tell(job, &lines);
}

static void tell_hosts(const struct doctor_job *job)
{
  struct tny_text lines = {0};
  if (job->leads) {
    doctor_host_add(&lines, job->names[job->rank]);
    doctor_mpi_add(&lines, job->names[job->rank]);
  }
  doctor_tell(job, &lines);
}

/* After something was sent: MPIs connect late. */
static void tell_connections(const struct doctor_job *job)
{
  struct tny_text lines = {0};
  int next = (int)((job->rank + 1) % job->rank_count);
  int before = (int)((job->rank + job->rank_count - 1) % job->rank_count), token = 0;
  MPI_Sendrecv_replace(&token, 1, MPI_INT, next, 0, before, 0, job->comm, MPI_STATUS_IGNORE);
  if (job->leads)
    doctor_connections_add(&lines, job->names[job->rank]);
  doctor_tell(job, &lines);
}

struct options {
  bool local, no_traffic;
  const char *meeting;
};

static bool read_options(int argc, char **argv, struct options *options)
{
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--local"))
      options->local = true;
    else if (!strcmp(argv[i], "--no-traffic"))
      options->no_traffic = true;
    else if (!strcmp(argv[i], "--meet") && i + 1 < argc)
      options->meeting = argv[++i];
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
  doctor_host_add(&lines, name);
  tny_text_add(&lines, "done\n");
  if (lines.failed)
    return 1;
  fputs(lines.bytes, stdout);
  tny_text_release(&lines);
  return fflush(stdout) ? 1 : 0;
}

static void run(struct doctor_job *job, const struct options *options)
{
  doctor_stay_native();
  find_names(job);
  tell_places(job);
  tell_hosts(job);
  if (!options->no_traffic && job->rank_count > 1)
    doctor_measure_network(job);
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
    fputs("usage: tourney-doctor-ranks [--no-traffic] [--meet FOLDER] | --local\n", stderr);
    return 2;
  }
  alarm(LIMIT_SECONDS);
  if (options.local)
    return run_local();
  MPI_Init(&argc, &argv);
  int rank, rank_count;
  struct doctor_job job = {.meeting = options.meeting};
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
