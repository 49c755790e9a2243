/* What a rank does where plans are made by rank 0 and handed out (src/mpi/handout), with an MPI of
   the test's own: the other ranks are all like this one, or say what the test has them say. */
#include "support/setting.h"

#include "core/alloc.h"
#include "mpi/explain.h"
#include "mpi/handout/handout.h"
#include "mpi/native.h"
#include "mpi/world.h"

struct tny_mpi tny_native;
static struct setting setting;
static struct tny_world world;

/* What was called since the state was made. */
static struct {
  uint32_t reductions, scatters, messages, warnings;
} calls;
/* The reduction in which another rank says the least; 0: none does. */
static uint32_t objects_at;
static bool has_another_plan; /* another rank was handed another one */
static int failing_send;      /* the error of messages to other ranks */

void tny_explain_warn(const char *format, ...)
{
  (void)format;
  calls.warnings++;
}

struct tny_problem tny_group_problem(const struct tny_group *group,
                                     struct tny_algorithm_choice choice, uint32_t root)
{
  (void)group;
  struct tny_problem problem = setting.problem;
  problem.collective = choice.algorithm->collective;
  problem.parameter = choice.parameter;
  problem.root = root;
  return problem;
}

void tny_group_let_go(struct tny_group *group, struct tny_agreed *agreed)
{
  tny_agreed_free(agreed, &group->handed);
}

static int allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm comm)
{
  (void)send, (void)op, (void)comm;
  calls.reductions++;
  if (calls.reductions == objects_at && type == MPI_INT)
    *(int *)receive = 0;
  if (calls.reductions == objects_at && type == MPI_INT64_T)
    *(int64_t *)receive = 0;
  if (has_another_plan && count == 3)
    ((int64_t *)receive)[1] = 1;
  return MPI_SUCCESS;
}

/* This rank is rank 0. */
static int scatterv(const void *send, const int *counts, const int *places, MPI_Datatype send_type,
                    void *receive, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  (void)send_type, (void)type, (void)comm, (void)root;
  calls.scatters++;
  assert_int_equal(counts[0], count);
  memcpy(receive, (const char *)send + places[0], (size_t)count);
  return MPI_SUCCESS;
}

int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
  (void)buffer, (void)count, (void)type, (void)tag, (void)comm;
  assert_true(to > 0);
  calls.messages++;
  return failing_send;
}

int PMPI_Comm_call_errhandler(MPI_Comm comm, int code)
{
  (void)comm, (void)code;
  return MPI_SUCCESS;
}

/* A group and a communicator of it, at rank 0. */
struct place {
  struct tny_group group;
  struct tny_comm_state first, second;
};

static void enter(struct place *place, const char *cluster)
{
  set_up(&setting, cluster, TNY_MAP_BLOCK, 0);
  tny_native = (struct tny_mpi){.allreduce = allreduce, .scatterv = scatterv};
  memset(&calls, 0, sizeof calls);
  objects_at = 0;
  has_another_plan = false;
  failing_send = MPI_SUCCESS;
  world = (struct tny_world){0};
  const uint32_t p = setting.problem.rank_count;
  place->group = (struct tny_group){.lock = PTHREAD_MUTEX_INITIALIZER,
                                    .rank_count = p,
                                    .network = setting.network,
                                    .world = &world,
                                    .world_ranks = tny_new(p, sizeof(int))};
  assert_non_null(place->group.world_ranks);
  for (uint32_t rank = 0; rank < p; rank++)
    place->group.world_ranks[rank] = (int)rank;
  place->group.model = tny_model_make(&place->group.network, p, NULL);
  place->first = (struct tny_comm_state){.group = &place->group, .rank_count = p};
  place->second = place->first;
}

static void leave(struct place *place)
{
  tny_group_let_go(&place->group, place->first.agreed);
  tny_group_let_go(&place->group, place->second.agreed);
  for (const struct tny_handed *handed = place->group.handed; handed; handed = handed->next)
    assert_int_equal(handed->use_count, 0);
  tny_handed_free(place->group.handed);
  tny_plans_free(place->group.plans);
  tny_verdicts_free(place->group.verdicts);
  tny_prepared_free(place->group.prepared);
  tny_planned_sizes_free(place->group.sizes);
  tny_free(place->group.world_ranks);
  tear_down(&setting);
}

static const char handed_out[] = "switches:3+3,link=20Mbit/s";

static struct tny_plan_request request_of(uint64_t block_bytes)
{
  return (struct tny_plan_request){
      .choice = {.algorithm = tny_algorithm_find(TNY_ALLTOALL, "tree-phases")},
      .block_bytes = block_bytes};
}

/* Why it's native, or NULL. */
static const char *agree(struct tny_comm_state *state, uint64_t block_bytes,
                         struct tny_plan_basis *basis)
{
  const struct tny_plan_request request = request_of(block_bytes);
  int code;
  const char *why = tny_agree_on_plan(state, &request, basis, &code);
  assert_int_equal(code, MPI_SUCCESS);
  return why;
}

static void a_communicator_agrees_on_a_plan_once(void **unused)
{
  struct place place;
  struct tny_plan_basis basis;
  (void)unused;
  enter(&place, handed_out);
  for (int round = 0; round < 3; round++) {
    assert_null(agree(&place.first, 8192, &basis));
    assert_non_null(basis.handed);
    assert_int_equal(calls.scatters, 1);
    assert_int_equal(calls.reductions, 3);
    assert_int_equal(calls.messages, setting.problem.rank_count - 1);
  }
  leave(&place);
}

static void a_duplicate_shares_what_all_ranks_have(void **unused)
{
  struct place place;
  struct tny_plan_basis first, second;
  (void)unused;
  enter(&place, handed_out);
  assert_null(agree(&place.first, 8192, &first));
  assert_null(agree(&place.second, 8192, &second));
  assert_ptr_equal(first.handed, second.handed);
  assert_int_equal(first.handed->use_count, 2);
  assert_int_equal(calls.scatters, 1);
  leave(&place);
}

/* Another rank has another plan for it, or none: a duplicate's ranks are handed one plan anew. */
static void a_duplicate_is_handed_a_plan_where_ranks_have_others(void **unused)
{
  struct place place;
  struct tny_plan_basis first, second;
  (void)unused;
  enter(&place, handed_out);
  assert_null(agree(&place.first, 8192, &first));
  has_another_plan = true;
  assert_null(agree(&place.second, 8192, &second));
  assert_int_equal(calls.scatters, 2);
  assert_ptr_equal(first.handed, second.handed); /* it is the same one after all */
  leave(&place);
}

/* What was laid out is gone at this rank; it is made again, and no other rank is asked. */
static void a_plan_that_fell_out_of_the_cache_is_made_of_its_part(void **unused)
{
  struct place place;
  struct tny_plan_basis basis;
  const struct tny_plan_request request = request_of(8192);
  (void)unused;
  enter(&place, handed_out);
  assert_null(agree(&place.first, 8192, &basis));
  const uint32_t asked = calls.reductions;
  struct tny_plan *plan = tny_plan_get(&place.group, &request, &basis);
  assert_non_null(plan);
  struct tny_plan *other = tny_plan_get(&place.group, &request, &basis); /* another thread's */
  assert_non_null(other);
  assert_int_equal(plan->steps.count, other->steps.count);
  tny_plan_free(plan);
  tny_plan_free(other);
  assert_null(agree(&place.first, 8192, &basis));
  assert_int_equal(calls.reductions, asked);
  leave(&place);
}

/* In each of the three reductions, another rank says that it can't. */
static void what_one_rank_lacks_makes_all_native_for_once(void **unused)
{
  struct place place;
  struct tny_plan_basis basis;
  (void)unused;
  for (uint32_t at = 1; at <= 3; at++) {
    enter(&place, handed_out);
    objects_at = at;
    assert_string_equal(agree(&place.first, 8192, &basis), "no memory for a plan");
    assert_int_equal(calls.reductions, at);
    assert_null(place.first.agreed);
    objects_at = 0;
    assert_null(agree(&place.first, 8192, &basis));
    leave(&place);
  }
}

/* Whichever allocation of rank 0 fails, it takes part in what the others do: it tells them, and
   nothing is left that they don't have. */
static void without_memory_at_rank_0_nobody_waits(void **unused)
{
  struct place place;
  struct tny_plan_basis basis;
  const char *why = "";
  (void)unused;
  enter(&place, handed_out);
  uint32_t failures = 0;
  while (why) {
    const uint32_t messages = calls.messages, reductions = calls.reductions;
    objects_at = failures == 0 ? reductions + 1 : 0; /* as this rank's own 0 does */
    tny_alloc_fail_from(++failures);
    why = agree(&place.first, 8192, &basis);
    tny_alloc_fail_from(0);
    assert_int_equal(calls.messages - messages, failures == 1 ? 0 : setting.problem.rank_count - 1);
    assert_true(calls.reductions - reductions >= 1);
    if (why)
      assert_null(place.first.agreed);
  }
  assert_true(failures > 10);
  leave(&place);
}

/* Entries are forgotten by their number, or by the bytes that all ranks know alike; the least
   recently used ones go first. */
static void what_a_communicator_agreed_on_is_bounded(void **unused)
{
  struct tny_agreed *list = NULL;
  struct tny_handed *parts = NULL;
  (void)unused;
  for (uint32_t bytes_max = 0; bytes_max <= TNY_AGREED_BYTES_MAX / 2; bytes_max += 1 << 20) {
    const struct tny_plan_key first = {.root = 0};
    uint32_t count = 0;
    uint64_t bytes = 0;
    for (uint32_t root = 0; root < 2 * TNY_AGREED_MAX; root++) {
      struct tny_agreed *entry = tny_new(1, sizeof *entry);
      assert_non_null(entry);
      *entry = (struct tny_agreed){.key = {.root = root}, .bytes_max = bytes_max};
      tny_agreed_free(tny_agreed_add(&list, entry), &parts);
      assert_non_null(tny_agreed_find(&list, &first)); /* it is used all the time */
    }
    for (const struct tny_agreed *entry = list; entry; entry = entry->next) {
      count++;
      bytes += entry->bytes_max;
    }
    assert_in_range(count, 2, TNY_AGREED_MAX);
    assert_in_range(bytes, 0, TNY_AGREED_BYTES_MAX);
    tny_agreed_free(list, &parts);
    list = NULL;
  }
}

static void an_error_of_a_message_is_returned(void **unused)
{
  struct place place;
  struct tny_plan_basis basis;
  const struct tny_plan_request request = request_of(8192);
  int code;
  (void)unused;
  enter(&place, handed_out);
  failing_send = MPI_ERR_OTHER;
  assert_null(tny_agree_on_plan(&place.first, &request, &basis, &code));
  assert_int_equal(code, MPI_ERR_OTHER);
  assert_null(place.first.agreed);
  leave(&place);
}

/* With TOURNEY_PROVE every plan is agreed on, as its proof is. */
static void a_proof_is_agreed_on_for_every_plan(void **unused)
{
  struct place place;
  struct tny_plan_basis basis;
  struct tny_plan_request request = {
      .choice = {.algorithm = tny_algorithm_find(TNY_ALLTOALL, "bruck"), .parameter = 2},
      .block_bytes = 8192};
  int code;
  (void)unused;
  enter(&place, handed_out);
  assert_null(tny_agree_on_plan(&place.first, &request, &basis, &code));
  assert_int_equal(calls.reductions, 0);
  world.prove = true;
  for (int round = 0; round < 2; round++) {
    assert_null(tny_agree_on_plan(&place.first, &request, &basis, &code));
    assert_null(basis.handed); /* every rank makes its own steps, of which all were proved */
    assert_int_equal(calls.reductions, 2);
    assert_int_equal(calls.scatters, 0);
    assert_int_equal(calls.warnings, 0);
  }
  leave(&place);
}

/* Sizes and communicators whose plans are the same have one proof, which rank 0 keeps. */
static void the_same_plan_is_proved_once(void **unused)
{
  struct place place;
  struct tny_plan_basis basis;
  uint32_t count = 0;
  (void)unused;
  enter(&place, handed_out);
  world.prove = true;
  assert_null(agree(&place.first, 1000, &basis));
  assert_null(agree(&place.first, 1020, &basis));
  assert_null(agree(&place.second, 1000, &basis));
  for (const struct tny_verdict *verdict = place.group.verdicts; verdict; verdict = verdict->next)
    count++;
  assert_int_equal(count, 1);
  leave(&place);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_communicator_agrees_on_a_plan_once),
      cmocka_unit_test(a_duplicate_shares_what_all_ranks_have),
      cmocka_unit_test(a_duplicate_is_handed_a_plan_where_ranks_have_others),
      cmocka_unit_test(a_plan_that_fell_out_of_the_cache_is_made_of_its_part),
      cmocka_unit_test(what_one_rank_lacks_makes_all_native_for_once),
      cmocka_unit_test(without_memory_at_rank_0_nobody_waits),
      cmocka_unit_test(what_a_communicator_agreed_on_is_bounded),
      cmocka_unit_test(an_error_of_a_message_is_returned),
      cmocka_unit_test(a_proof_is_agreed_on_for_every_plan),
      cmocka_unit_test(the_same_plan_is_proved_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
