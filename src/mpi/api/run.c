/* Plans started, tested and waited for. All that are under way in this process go on in every test
   and wait, so that ranks may end them in different orders. */
#include <pthread.h>

#include "mpi/api/planned.h"

#define EXPORTED __attribute__((visibility("default")))

/* The plans that are under way. Whoever goes on with one that isn't its own to wait for has the
   lock. */
static struct {
  pthread_mutex_t lock;
  struct tourney_plan *first;
} under_way = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void take_off(struct tourney_plan *plan)
{
  struct tourney_plan **at = &under_way.first;
  while (*at != plan)
    at = &(*at)->next;
  *at = plan->next;
  plan->is_under_way = false;
}

/* Goes on with all that no thread waits for in the MPI, and takes those off that are over. With the
   lock held. */
static void go_on_with_all(void)
{
  for (struct tourney_plan *plan = under_way.first, *next; plan; plan = next) {
    bool is_over = false;
    next = plan->next;
    if (plan->is_waited_for)
      continue;
    plan->code = tny_running_advance(plan->running, &is_over);
    if (is_over || plan->code != MPI_SUCCESS)
      take_off(plan);
  }
}

/* Is the plan the only one? */
static bool is_alone(const struct tourney_plan *plan)
{
  return under_way.first == plan && !plan->next;
}

/* Has a rank the buffers that the collective needs of it? */
static bool has_buffers(const struct tourney_plan *plan, const void *input, const void *output)
{
  const struct tny_call *call = &plan->call;
  if (tny_collective_has_one_buffer(call->collective))
    return output != NULL;
  return input != NULL && output != NULL && output != MPI_IN_PLACE;
}

EXPORTED int tourney_plan_start(struct tourney_plan *plan, const void *input, void *output)
{
  if (plan->is_under_way)
    return MPI_ERR_REQUEST;
  if (plan->code != MPI_SUCCESS)
    return plan->code;
  if (!has_buffers(plan, input, output))
    return MPI_ERR_BUFFER;
  plan->call.send = input;
  plan->call.receive = output;
  plan->job.is_over = false;
  pthread_mutex_lock(&under_way.lock);
  plan->code = tny_running_begin(plan->running, &plan->job);
  if (plan->code == MPI_SUCCESS) {
    plan->is_under_way = true;
    plan->next = under_way.first;
    under_way.first = plan;
    go_on_with_all();
  }
  const int code = plan->code;
  pthread_mutex_unlock(&under_way.lock);
  return code;
}

EXPORTED int tourney_plan_test(struct tourney_plan *plan, int *is_over)
{
  pthread_mutex_lock(&under_way.lock);
  go_on_with_all();
  *is_over = !plan->is_under_way;
  const int code = plan->code;
  pthread_mutex_unlock(&under_way.lock);
  return code;
}

/* Waits in the MPI for a plan that is alone, without the lock, so that other threads may begin
   theirs. */
static void finish(struct tourney_plan *plan)
{
  plan->is_waited_for = true;
  pthread_mutex_unlock(&under_way.lock);
  const int code = tny_running_finish(plan->running);
  pthread_mutex_lock(&under_way.lock);
  plan->is_waited_for = false;
  plan->code = code;
  take_off(plan);
}

EXPORTED int tourney_plan_wait(struct tourney_plan *plan)
{
  pthread_mutex_lock(&under_way.lock);
  while (plan->is_under_way && !is_alone(plan)) {
    go_on_with_all();
    pthread_mutex_unlock(&under_way.lock);
    pthread_mutex_lock(&under_way.lock);
  }
  if (plan->is_under_way)
    finish(plan);
  const int code = plan->code;
  pthread_mutex_unlock(&under_way.lock);
  return code;
}
