/* With TOURNEY_PROVE, rank 0 of a communicator proves each new plan before it is first run: all
   ranks' steps, made as the ranks make them, for the chunks, pace and limits that will run. What
   isn't proved isn't run: all ranks agree, and such a plan's calls are native from then on.

   What is proved is the plan, run once. A long block is run by it several times, a part after the
   other: a rank begins with a part when its steps of the one before are all complete, and pairs of
   ranks keep the order of their messages, so one run's proof is each run's. Where two parts meet,
   twice as much may be in flight. */
#include "mpi/runtime.h"

#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/error.h"
#include "mpi/native.h"

#define PROVED_STEPS_MAX (UINT64_C(1) << 23) /* of all ranks: more than a gigabyte */

/* What all ranks agreed on of a plan. Kept as long as the channel: plans come and go in each rank's
   cache as it has room, but a proof is a call of all ranks. Not shared by the channels of a group,
   which threads may use at the same time: then not all ranks might know of a proof alike. */
struct tny_verdict {
  struct tny_verdict *next;
  struct tny_algorithm_choice choice;
  uint32_t root;
  struct tny_pace pace;
  bool is_proved;
};

void tny_verdicts_free(struct tny_verdict *verdicts)
{
  while (verdicts) {
    struct tny_verdict *next = verdicts->next;
    tny_free(verdicts);
    verdicts = next;
  }
}

static const struct tny_verdict *find(const struct tny_channel *channel,
                                      const struct tny_plan_request *request, struct tny_pace pace)
{
  const struct tny_verdict *verdict = channel->verdicts;
  while (verdict &&
         (verdict->choice.algorithm != request->choice.algorithm ||
          verdict->choice.parameter != request->choice.parameter ||
          verdict->root != request->root || verdict->pace.chunk_count != pace.chunk_count ||
          verdict->pace.window != pace.window || verdict->pace.held_bytes != pace.held_bytes))
    verdict = verdict->next;
  return verdict;
}

/* Refuses what would take too much memory, by what the algorithm claims to send. */
static enum tny_status check_size(const struct tny_algorithm *algorithm,
                                  const struct tny_plan_key *key, struct tny_error *error)
{
  const struct tny_problem whole = tny_plan_problem(algorithm, key->problem, 1);
  const uint64_t steps =
      4 * algorithm->claim(&whole).blocks_sent_max * whole.rank_count * key->run.pace.chunk_count;
  if (steps <= PROVED_STEPS_MAX)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED,
                       "up to %llu steps are more than the %llu that are proved at run time; try "
                       "`tourney plan`, and run without --prove",
                       (unsigned long long)steps, (unsigned long long)PROVED_STEPS_MAX);
}

static enum tny_status prove(struct tny_algorithm_choice choice, const struct tny_plan_key *key,
                             struct tny_error *error)
{
  struct tny_schedule *schedule = NULL;
  enum tny_status status = check_size(choice.algorithm, key, error);
  if (status == TNY_OK)
    status = tny_plan_all(choice.algorithm, key->problem, key->run.pace, &schedule, error);
  if (status == TNY_OK)
    status = tny_verify_as_run(schedule, error);
  tny_schedule_free(schedule);
  return status;
}

/* At rank 0: proves, and warns where that fails. */
static bool try_proof(const struct tny_plan_request *request, const struct tny_plan_key *key)
{
  struct tny_error error = {0};
  const struct tny_pace pace = key->run.pace;
  if (prove(request->choice, key, &error) == TNY_OK)
    return true;
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&request->choice, name);
  tny_explain_warn(
      "%s %s, %u ranks, root %u, %u chunks, window %u, %u bytes held, isn't proved and "
      "not run, so these calls are native: %s",
      tny_collective_name(key->problem->collective), name, key->problem->rank_count, request->root,
      pace.chunk_count, pace.window, pace.held_bytes, error.text);
  return false;
}

bool tny_plan_is_proved(struct tny_channel *channel, const struct tny_plan_request *request,
                        int *code)
{
  struct tny_plan_key key;
  *code = MPI_SUCCESS;
  if (!tny_world_get()->prove)
    return true;
  const bool has_key = tny_plan_key(channel->group, request, &key);
  const struct tny_verdict *known = has_key ? find(channel, request, key.run.pace) : NULL;
  if (known)
    return known->is_proved;
  struct tny_verdict *verdict = has_key ? tny_new(1, sizeof *verdict) : NULL;
  int is_proved = verdict && (channel->rank > 0 || try_proof(request, &key));
  *code = tny_native.allreduce(MPI_IN_PLACE, &is_proved, 1, MPI_INT, MPI_MIN, channel->of);
  if (*code == MPI_SUCCESS && !verdict)
    channel->broken = MPI_ERR_NO_MEM; /* it can't know next time what all others do */
  if (*code != MPI_SUCCESS || !verdict) {
    tny_free(verdict);
    return false;
  }
  *verdict = (struct tny_verdict){.next = channel->verdicts,
                                  .choice = request->choice,
                                  .root = request->root,
                                  .pace = key.run.pace,
                                  .is_proved = is_proved};
  channel->verdicts = verdict;
  return is_proved;
}
