/* A short planned all-to-all and a short native one: their times, and what the network lost while
   they ran. */
#include "exchange.h"

#include <inttypes.h>
#include <unistd.h>

#include <tourney/runtime.h>

#include "bench/world.h"
#include "core/alloc.h"
#include "host.h"
#include "transfer.h"

#define CALLS 3
#define RANKS_MAX 512         /* beyond, a planned call takes too long the first time */
#define HANDSHAKE_SECONDS 5.0 /* for who counts the ports; then it goes on without */

/* The runtime's functions, where it is loaded. */
struct runtime {
  __typeof__(tourney_last_algorithm) *last_algorithm;
  __typeof__(tourney_set_native) *set_native;
};

struct exchange {
  const struct probe_job *job;
  char *input, *output;
  uint64_t block_bytes;
};

void probe_stay_native(void)
{
  struct runtime runtime = {0};
  if (bench_find_function("tourney_set_native", &runtime.set_native))
    runtime.set_native(1);
}

static bool find_runtime(const struct probe_job *job, struct runtime *runtime)
{
  const bool here = bench_find_function("tourney_last_algorithm", &runtime->last_algorithm) &&
                    bench_find_function("tourney_set_native", &runtime->set_native);
  return bench_is_everywhere(here, job->comm);
}

static void call(const struct exchange *exchange)
{
  MPI_Alltoall(exchange->input, (int)exchange->block_bytes, MPI_BYTE, exchange->output,
               (int)exchange->block_bytes, MPI_BYTE, MPI_COMM_WORLD);
}

/* Lets who started us count before anything else is sent. */
static void await_count(const struct probe_job *job, const char *variant, const char *when)
{
  if (!job->rank && job->handshake) {
    char path[512];
    const double start = MPI_Wtime();
    printf("mark %s-%s\n", variant, when);
    fflush(stdout);
    snprintf(path, sizeof path, "%s/%s-%s", job->handshake, variant, when);
    while (access(path, F_OK) && MPI_Wtime() - start < HANDSHAKE_SECONDS)
      usleep(2000);
  }
  probe_barrier(job->comm);
}

/* The shortest of the calls; the time of a call is that of the slowest rank. */
static double time_calls(const struct exchange *exchange)
{
  double shortest = 0;
  for (int i = 0; i < CALLS; i++) {
    MPI_Barrier(exchange->job->comm);
    const double start = MPI_Wtime();
    call(exchange);
    const double elapsed = MPI_Wtime() - start;
    double longest = 0;
    MPI_Allreduce(&elapsed, &longest, 1, MPI_DOUBLE, MPI_MAX, exchange->job->comm);
    shortest = i && shortest < longest ? shortest : longest;
  }
  return shortest;
}

static void run_variant(const struct exchange *exchange, const char *variant,
                        const char *(*algorithm)(void))
{
  const struct probe_job *job = exchange->job;
  struct tny_text lines = {0};
  call(exchange); /* connects, and plans */
  const char *served = algorithm ? algorithm() : "native";
  await_count(job, variant, "begin");
  const struct probe_losses before = probe_losses_now();
  const double seconds = time_calls(exchange);
  probe_barrier(job->comm);
  const struct probe_losses after = probe_losses_now();
  await_count(job, variant, "end");
  if (!job->rank)
    tny_text_add(&lines, "exchange %s %" PRIu64 " %.6f %s\n", variant, exchange->block_bytes,
                 seconds, served);
  if (job->leads)
    tny_text_add(&lines,
                 "window %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                 variant, job->names[job->rank], after.segments - before.segments,
                 probe_lost_between(&before, &after), after.timeouts - before.timeouts,
                 after.dropped - before.dropped, after.errors - before.errors);
  probe_tell(job, &lines);
}

void probe_measure_exchange(const struct probe_job *job, uint64_t block_bytes)
{
  struct runtime runtime = {0};
  const bool loaded = find_runtime(job, &runtime);
  struct exchange exchange = {.job = job,
                              .input = tny_new(job->rank_count, block_bytes),
                              .output = tny_new(job->rank_count, block_bytes),
                              .block_bytes = block_bytes};
  const char *skipped = !loaded                       ? "the runtime isn't loaded at every rank"
                        : job->rank_count > RANKS_MAX ? "more than 512 ranks"
                                                      : NULL;
  if (!exchange.input || !exchange.output)
    probe_give_up("out of memory");
  if (skipped && !job->rank)
    printf("skipped exchange %s\n", skipped);
  if (!skipped) {
    runtime.set_native(0);
    run_variant(&exchange, "planned", runtime.last_algorithm);
    runtime.set_native(1);
    run_variant(&exchange, "native", NULL);
  }
  fflush(stdout);
  tny_free(exchange.input);
  tny_free(exchange.output);
}
