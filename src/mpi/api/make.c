/* Plans made for programs. Each step is taken by all ranks, and then they find whether one has
   failed, so that none goes on alone: all return the error of the lowest rank that has one. */
#include <limits.h>
#include <stdlib.h>

#include "core/alloc.h"
#include "core/bytes.h"
#include "core/error.h"
#include "mpi/api/planned.h"
#include "mpi/handout/handout.h"
#include "mpi/native.h"
#include "mpi/network/network.h"

#define EXPORTED __attribute__((visibility("default")))

/* A plan being made. */
struct making {
  struct tny_ranks ranks; /* on the plan's own communicator */
  const struct tourney_plan_request *request;
  struct tourney_plan *plan; /* NULL: no memory for it */
  struct tny_error *error;
};

/* Has no rank an error? Else all have that of the lowest. */
static bool all_succeed(const struct making *making)
{
  const int first = tny_ranks_first_failed(&making->ranks, making->error);
  if (first < making->ranks.count)
    tny_native.bcast(making->error, sizeof *making->error, MPI_BYTE, first, making->ranks.comm);
  return first == making->ranks.count;
}

/* --- the request --- */

static void check_request(const struct making *making)
{
  const struct tourney_plan_request *request = making->request;
  if ((unsigned)request->collective >= TNY_COLLECTIVE_COUNT ||
      !tny_collective_is_served(request->collective))
    tny_error_set(making->error, TNY_BAD_INPUT, "there is no collective %u",
                  (unsigned)request->collective);
  else if (request->block_bytes == 0 || request->block_bytes > INT_MAX)
    tny_error_set(making->error, TNY_BAD_INPUT, "a block is 1 to %d bytes, not %llu", INT_MAX,
                  (unsigned long long)request->block_bytes);
  else if (request->root < 0 || request->root >= making->ranks.count)
    tny_error_set(making->error, TNY_BAD_INPUT, "root %d isn't one of the %d ranks", request->root,
                  making->ranks.count);
}

/* Do all ranks ask for the same? */
static void compare_requests(const struct making *making)
{
  const struct tourney_plan_request *request = making->request;
  const char *name = request->algorithm ? request->algorithm : "";
  const uint64_t hash = tny_hash_bytes(TNY_HASH_START, name, strlen(name));
  const int64_t values[] = {(int64_t)request->collective, (int64_t)request->block_bytes,
                            request->root, (int64_t)(hash >> 1)};
  enum { COUNT = sizeof values / sizeof *values };
  int64_t least[2 * COUNT];
  for (int i = 0; i < COUNT; i++) {
    least[i] = values[i];
    least[COUNT + i] = -values[i];
  }
  tny_native.allreduce(MPI_IN_PLACE, least, 2 * COUNT, MPI_INT64_T, MPI_MIN, making->ranks.comm);
  for (int i = 0; i < COUNT; i++)
    if (least[i] != -least[COUNT + i])
      tny_error_set(making->error, TNY_BAD_INPUT,
                    "the ranks ask for different plans: collective, block bytes, root and "
                    "algorithm are to be the same at all");
}

/* --- the ranks --- */

/* Opens a communicator of the same ranks. Unlike a duplicate it takes none of the program's
   attributes along. */
static enum tny_status open_ranks(MPI_Comm comm, struct tny_ranks *ranks, struct tny_error *error)
{
  int is_ready = 0, is_inter = 0;
  MPI_Group members;
  if (PMPI_Initialized(&is_ready) != MPI_SUCCESS || !is_ready || comm == MPI_COMM_NULL)
    return tny_error_set(error, TNY_BAD_INPUT, "MPI isn't initialised, or no communicator given");
  if (PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS || is_inter)
    return tny_error_set(error, TNY_BAD_INPUT, "plans are for intracommunicators");
  int code = PMPI_Comm_rank(comm, &ranks->rank);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_size(comm, &ranks->count);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_group(comm, &members);
  if (code != MPI_SUCCESS)
    return tny_error_set(error, TNY_SYSTEM, "MPI doesn't tell the communicator's ranks");
  code = PMPI_Comm_create(comm, members, &ranks->comm);
  PMPI_Group_free(&members);
  if (code != MPI_SUCCESS ||
      PMPI_Comm_set_errhandler(ranks->comm, MPI_ERRORS_RETURN) != MPI_SUCCESS)
    return tny_error_set(error, TNY_SYSTEM, "MPI gave no communicator for the plan");
  return TNY_OK;
}

/* Reads the cluster and finds the ranks in it. */
static bool place_ranks(const struct making *making)
{
  const struct tny_ranks *ranks = &making->ranks;
  struct tny_world *world = &making->plan->world;
  const char *given =
      making->request->cluster ? making->request->cluster : getenv("TOURNEY_CLUSTER");
  if (ranks->rank == 0 && (!given || !given[0]))
    tny_error_set(making->error, TNY_BAD_INPUT,
                  "no cluster given: neither the request names one nor TOURNEY_CLUSTER");
  tny_network_read(world, ranks, given, making->error);
  if (!all_succeed(making))
    return false;
  tny_network_place(world, ranks, getenv("TOURNEY_MAP"), making->error);
  if (!all_succeed(making))
    return false;
  world->comm = world->self = ranks->comm;
  struct tny_group *group = tny_group_of_world(world, (uint32_t)ranks->rank);
  if (!group)
    tny_error_memory(making->error);
  making->plan->state = (struct tny_comm_state){.of = ranks->comm,
                                                .comm = ranks->comm,
                                                .group = group,
                                                .rank = (uint32_t)ranks->rank,
                                                .rank_count = (uint32_t)ranks->count};
  return all_succeed(making);
}

/* --- the algorithm --- */

/* The fastest predicted, at rank 0. Owns: a copy of its name; NULL: no memory. */
static char *predict_fastest(const struct making *making)
{
  const struct tourney_plan_request *request = making->request;
  const struct tny_group *group = making->plan->state.group;
  struct tny_algorithm_choice choice = {.algorithm =
                                            tny_model_default_algorithm(request->collective)};
  const struct tny_problem problem = tny_group_problem(group, choice, (uint32_t)request->root);
  struct tny_ranking ranking;
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  const enum tny_status status = tny_model_rank(&group->model, &problem, tny_model_limits,
                                                request->block_bytes, &ranking, making->error);
  if (status == TNY_OK && !ranking.list[0].why_not)
    choice = ranking.list[0].choice;
  tny_ranking_free(&ranking);
  tny_algorithm_choice_write(&choice, name);
  return status == TNY_OK ? tny_copy_text(name) : NULL;
}

static bool choose(const struct making *making)
{
  const struct tourney_plan_request *request = making->request;
  struct tourney_plan *plan = making->plan;
  const bool is_to_rank = making->ranks.rank == 0 && !request->algorithm;
  char *fastest = is_to_rank ? predict_fastest(making) : NULL;
  char *name =
      tny_ranks_share_text(&making->ranks, request->algorithm ? request->algorithm : fastest);
  struct tny_algorithm_choice *choice = &plan->job.choice;
  tny_free(fastest);
  if (!name)
    tny_error_memory(making->error);
  else if (tny_algorithm_parse(request->collective, name, choice, making->error) == TNY_OK) {
    const struct tny_problem problem =
        tny_group_problem(plan->state.group, *choice, (uint32_t)request->root);
    if (tny_algorithm_check(choice->algorithm, &problem, making->error) == TNY_OK)
      tny_algorithm_choice_write(choice, plan->algorithm);
  }
  tny_free(name);
  return all_succeed(making);
}

/* --- the plan --- */

/* Has this rank's steps made, or rank 0 make them for all. */
static bool lay_out(const struct making *making)
{
  const struct tourney_plan_request *request = making->request;
  struct tourney_plan *plan = making->plan;
  struct tny_job *job = &plan->job;
  const struct tny_plan_request wanted = {
      .choice = job->choice, .root = (uint32_t)request->root, .block_bytes = request->block_bytes};
  int code;
  const char *why = tny_agree_on_plan(&plan->state, &wanted, &job->basis, &code);
  if (code != MPI_SUCCESS)
    tny_error_set(making->error, TNY_SYSTEM, "an MPI error while the plan was handed out");
  else if (why)
    tny_error_set(making->error, TNY_REFUSED, "%s", why);
  else if (!(job->plan = tny_plan_get(plan->state.group, &wanted, &job->basis)))
    tny_error_memory(making->error);
  job->call = &plan->call;
  job->state = &plan->state;
  job->segment_count = job->basis.run.count;
  job->block_bytes = request->block_bytes;
  plan->call = (struct tny_call){.collective = request->collective,
                                 .send_count = (int)request->block_bytes,
                                 .send_type = MPI_BYTE,
                                 .receive_count = (int)request->block_bytes,
                                 .receive_type = MPI_BYTE,
                                 .root = request->root,
                                 .comm = plan->state.comm};
  return all_succeed(making);
}

/* Frees all but the communicator. */
static void release(struct tourney_plan *plan)
{
  if (!plan)
    return;
  struct tny_group *group = plan->state.group;
  tny_plan_free(plan->job.plan);
  if (group)
    tny_group_let_go(group, plan->state.agreed);
  tny_group_free(group);
  tny_network_release(&plan->world);
  tny_running_free(plan->running);
  tny_free(plan);
}

EXPORTED enum tny_status tourney_plan_new(MPI_Comm comm, const struct tourney_plan_request *request,
                                          struct tourney_plan **made, struct tny_error *error)
{
  struct tny_error own = {0};
  struct making making = {
      .request = request, .plan = tny_new(1, sizeof(struct tourney_plan)), .error = &own};
  *made = NULL;
  if (open_ranks(comm, &making.ranks, &own) == TNY_OK) {
    if (making.plan)
      *making.plan = (struct tourney_plan){.running = tny_running_new()};
    if (!making.plan || !making.plan->running)
      tny_error_memory(&own);
    check_request(&making);
    if (all_succeed(&making)) {
      compare_requests(&making);
      if (own.status == TNY_OK && place_ranks(&making) && choose(&making) && lay_out(&making)) {
        *made = making.plan;
        return TNY_OK;
      }
    }
    tny_native.comm_free(&making.ranks.comm);
  }
  release(making.plan);
  if (error && error->status == TNY_OK)
    *error = own;
  return own.status;
}

EXPORTED void tourney_plan_free(struct tourney_plan *plan)
{
  if (!plan)
    return;
  tourney_plan_wait(plan);
  MPI_Comm comm = plan->state.comm;
  release(plan);
  tny_native.comm_free(&comm);
}

EXPORTED const char *tourney_plan_algorithm(const struct tourney_plan *plan)
{
  return plan->algorithm;
}
