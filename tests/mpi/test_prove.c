/* When a rank asks the others whether a plan was proved (src/mpi/prove.c), also where it has no
   memory. The plans and the MPI below are the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "mpi/cache/verdicts.h"
#include "mpi/explain.h"
#include "mpi/native.h"
#include "mpi/prove.h"
#include "mpi/world.h"

struct tny_mpi tny_native;
static bool has_memory;
static uint32_t asked; /* how often the others were */

const struct tny_world *tny_world_get(void)
{
  static const struct tny_world world = {.prove = true};
  return &world;
}

void tny_explain_warn(const char *format, ...)
{
  (void)format;
}

/* Every size is a plan of its own. */
bool tny_plan_segments(struct tny_group *group, const struct tny_plan_request *request,
                       struct tny_segments *run)
{
  (void)group;
  *run = (struct tny_segments){.pace = {.chunk_count = (uint32_t)request->block_bytes}, .count = 1};
  return has_memory;
}

struct tny_prepared *tny_plan_take_prepared(struct tny_group *group,
                                            const struct tny_plan_request *request)
{
  (void)group, (void)request;
  fail(); /* the test's rank isn't the one that proves */
  return NULL;
}

void tny_plan_put_prepared(struct tny_group *group, struct tny_prepared *prepared)
{
  (void)group, (void)prepared;
}

/* The others agree with this rank. */
int PMPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
  (void)send, (void)receive, (void)count, (void)type, (void)op, (void)comm;
  asked++;
  return MPI_SUCCESS;
}

/* A communicator's state, at a rank that has proofs from others. */
static struct tny_comm_state make_state(void)
{
  tny_native = (struct tny_mpi){.allreduce = PMPI_Allreduce};
  asked = 0;
  return (struct tny_comm_state){.rank = 1, .rank_count = 3};
}

static struct tny_plan_request request_of(uint32_t root, uint64_t block_bytes)
{
  return (struct tny_plan_request){
      .choice = {.algorithm = tny_algorithm_find(TNY_BROADCAST, "binomial")},
      .root = root,
      .block_bytes = block_bytes};
}

static bool prove(struct tny_comm_state *state, uint32_t root, uint64_t block_bytes, int *code)
{
  const struct tny_plan_request request = request_of(root, block_bytes);
  return tny_prove_plan(state, &request, code);
}

static void a_plan_is_asked_about_once(void **unused)
{
  struct tny_comm_state state = make_state();
  int code;
  (void)unused;
  has_memory = true;
  for (int round = 0; round < 3; round++)
    for (uint32_t root = 0; root < 3; root++) {
      assert_true(prove(&state, root, 100, &code));
      assert_int_equal(code, MPI_SUCCESS);
    }
  assert_int_equal(asked, 3);
  tny_verdicts_free(state.verdicts);
}

/* No rank has a verdict yet, so all are asked, and all go native. */
static void a_new_plan_is_not_run_without_memory(void **unused)
{
  struct tny_comm_state state = make_state();
  int code;
  (void)unused;
  has_memory = false;
  assert_false(prove(&state, 0, 100, &code));
  assert_int_equal(code, MPI_SUCCESS);
  assert_int_equal(asked, 1);
  assert_int_equal(state.broken, MPI_ERR_NO_MEM);
}

/* The others may have a verdict and not be asked: an answer might come from another call. */
static void nobody_is_asked_where_a_verdict_may_be_known(void **unused)
{
  struct tny_comm_state state = make_state();
  int code;
  (void)unused;
  has_memory = true;
  assert_true(prove(&state, 0, 100, &code));
  has_memory = false;
  prove(&state, 0, 100, &code);
  assert_int_equal(code, MPI_ERR_NO_MEM);
  assert_int_equal(asked, 1);
  tny_verdicts_free(state.verdicts);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plan_is_asked_about_once),
      cmocka_unit_test(a_new_plan_is_not_run_without_memory),
      cmocka_unit_test(nobody_is_asked_where_a_verdict_may_be_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
