/* How one rank's steps are run (src/mpi/execute.c), with an MPI of the test's own below: its
   messages go nowhere, and each is complete when it is waited for, or when it is asked for and the
   test lets it be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <time.h>

#include "core/alloc.h"
#include "mpi/execute.h"
#include "mpi/types/combine.h"

enum { BLOCK_BYTES = 3 };

/* What the MPI below was asked for. */
static uint32_t sent, received, waited, sent_after;
static const void *sent_from;
static int sent_count, sent_bytes;
static char request_memory[1];

int PMPI_Irecv(void *memory, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
               MPI_Request *request)
{
  (void)memory, (void)count, (void)type, (void)peer, (void)tag, (void)comm;
  received++;
  *request = (MPI_Request)(void *)request_memory;
  return MPI_SUCCESS;
}

int PMPI_Isend(const void *memory, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
               MPI_Request *request)
{
  sent++;
  sent_after = waited;
  sent_from = memory;
  sent_count = count;
  sent_bytes += count;
  (void)type, (void)peer, (void)tag, (void)comm;
  *request = (MPI_Request)(void *)request_memory;
  return MPI_SUCCESS;
}

/* The request that ends in an error, of those that are waited for, from 1 on; 0: none. Its class is
   that of the code below. */
static uint32_t bad_wait;
static int bad_class;
enum { BAD_CODE = 1000 };
static uint32_t freed;

int PMPI_Error_class(int code, int *class)
{
  assert_int_equal(code, BAD_CODE);
  *class = bad_class;
  return MPI_SUCCESS;
}

int PMPI_Cancel(MPI_Request *request)
{
  (void)request;
  return MPI_SUCCESS;
}

int PMPI_Request_free(MPI_Request *request)
{
  *request = MPI_REQUEST_NULL;
  freed++;
  return MPI_SUCCESS;
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
  (void)status;
  waited++;
  *request = MPI_REQUEST_NULL;
  return waited == bad_wait ? BAD_CODE : MPI_SUCCESS;
}

int PMPI_Waitany(int count, MPI_Request requests[], int *done, MPI_Status *status)
{
  *done = (int)waited % count;
  return PMPI_Wait(&requests[*done], status);
}

int PMPI_Iprobe(int peer, int tag, MPI_Comm comm, int *is_there, MPI_Status *status)
{
  (void)peer, (void)tag, (void)comm, (void)status;
  *is_there = 0;
  return MPI_SUCCESS;
}

/* Elements of two bytes, of which a combination keeps the left operand's first and the right one's
   last: an operation that is associative and doesn't commute. */
static int combined;
int PMPI_Reduce_local(const void *left, void *right, int count, MPI_Datatype type, MPI_Op op)
{
  const char *from = left;
  char *into = right;
  (void)type, (void)op;
  combined += count;
  for (int i = 0; i < count; i++)
    into[2 * i] = from[2 * i];
  return MPI_SUCCESS;
}

/* How many more requests that are asked for are complete. */
static uint32_t complete_left;

int PMPI_Test(MPI_Request *request, int *is_complete, MPI_Status *status)
{
  (void)status;
  *is_complete = complete_left > 0;
  if (*is_complete) {
    complete_left--;
    *request = MPI_REQUEST_NULL;
  }
  return *is_complete && complete_left + 1 == bad_wait ? BAD_CODE : MPI_SUCCESS;
}

/* Datatypes that are alive, and all that were made. */
static uint32_t types_alive, types_made;

int PMPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                             MPI_Datatype *made)
{
  (void)count, (void)length, (void)stride;
  types_alive++;
  types_made++;
  *made = type;
  return MPI_SUCCESS;
}

int PMPI_Type_commit(MPI_Datatype *type)
{
  (void)type;
  return MPI_SUCCESS;
}

int PMPI_Type_free(MPI_Datatype *type)
{
  types_alive--;
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

/* A plan: receives from so many ranks, and behind all of them a copy and a send. */
static struct tny_plan *make_plan(uint32_t receives)
{
  struct tny_builder builder;
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < receives; i++)
    tny_builder_recv(&builder, 1, tny_span_blocks(TNY_SCRATCH, i, 1), TNY_NONE);
  tny_builder_copy(&builder, tny_span_blocks(TNY_SCRATCH, 0, 1), tny_span_blocks(TNY_OUTPUT, 0, 1));
  for (uint32_t i = 0; i < receives; i++)
    tny_builder_after(&builder, i);
  tny_builder_send(&builder, 1, tny_span_blocks(TNY_OUTPUT, 0, 1), TNY_NONE);
  struct tny_steps steps;
  assert_int_equal(tny_builder_finish(&builder, &steps, NULL), TNY_OK);
  struct tny_plan *plan = tny_plan_of_steps(&steps);
  assert_non_null(plan);
  return plan;
}

/* Seconds that it takes to run such a plan. */
static double run(uint32_t receives)
{
  int world_ranks[] = {0, 1};
  struct tny_group group = {.rank_count = 2, .world_ranks = world_ranks};
  const struct tny_comm_state state = {.comm = MPI_COMM_NULL, .group = &group, .rank_count = 2};
  struct tny_plan *plan = make_plan(receives);
  char *scratch = tny_new(receives, BLOCK_BYTES), output[BLOCK_BYTES];
  struct tny_flaws flaws = {0};
  const struct tny_buffers buffers = {
      .areas = {[TNY_OUTPUT] = {.memory = output, .stride = BLOCK_BYTES},
                [TNY_SCRATCH] = {.memory = scratch, .stride = BLOCK_BYTES}},
      .bytes = BLOCK_BYTES};
  struct timespec begin, end;
  sent = received = waited = 0;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  assert_int_equal(tny_execute(plan, &state, &buffers, &flaws), MPI_SUCCESS);
  clock_gettime(CLOCK_MONOTONIC, &end);
  tny_plan_free(plan);
  tny_free(scratch);
  return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

static void a_copy_waits_for_all_its_receives(void **state)
{
  (void)state;
  for (uint32_t receives = 1; receives < 5000; receives = 3 * receives + 1) {
    run(receives);
    assert_int_equal(received, receives);
    assert_int_equal(sent, 1);
    assert_int_equal(sent_after, receives);
    assert_int_equal(waited, receives + 1);
  }
}

/* Runs a plan that sends a chunk of two blocks, of so many bytes each. */
static void run_strided(struct tny_plan *plan, uint32_t bytes)
{
  static char input[4 * 1000];
  int world_ranks[] = {0, 1};
  struct tny_group group = {.rank_count = 2, .world_ranks = world_ranks};
  const struct tny_comm_state state = {.comm = MPI_COMM_NULL, .group = &group, .rank_count = 2};
  struct tny_flaws flaws = {0};
  const struct tny_buffers buffers = {.areas = {[TNY_INPUT] = {.memory = input, .stride = bytes}},
                                      .bytes = bytes};
  assert_int_equal(tny_execute(plan, &state, &buffers, &flaws), MPI_SUCCESS);
}

static void a_size_that_was_run_before_makes_no_datatypes(void **state)
{
  const struct tny_span chunk = {TNY_INPUT, 0, 2, 1, 2, 1};
  struct tny_builder builder;
  struct tny_steps steps;
  (void)state;
  tny_builder_init(&builder);
  tny_builder_send(&builder, 1, chunk, TNY_NONE);
  tny_builder_send(&builder, 1, chunk, TNY_NONE);
  assert_int_equal(tny_builder_finish(&builder, &steps, NULL), TNY_OK);
  struct tny_plan *plan = tny_plan_of_steps(&steps);
  assert_non_null(plan);
  for (int round = 0; round < 3; round++)
    for (uint32_t bytes = 100; bytes < 100 + 2 * TNY_STRIDED_TYPES_MAX / 4; bytes++)
      run_strided(plan, bytes);
  assert_int_equal(types_made, TNY_STRIDED_TYPES_MAX / 2);
  for (uint32_t bytes = 300; bytes < 300 + 2 * TNY_STRIDED_TYPES_MAX; bytes++)
    run_strided(plan, bytes);
  assert_int_equal(types_alive, TNY_STRIDED_TYPES_MAX);
  tny_plan_free(plan);
  assert_int_equal(types_alive, 0);
}

/* The plan of these steps. */
static struct tny_plan *take_plan(struct tny_builder *builder)
{
  struct tny_steps steps;
  assert_int_equal(tny_builder_finish(builder, &steps, NULL), TNY_OK);
  struct tny_plan *plan = tny_plan_of_steps(&steps);
  assert_non_null(plan);
  return plan;
}

/* Runs a plan of these steps once, over one block of the input. */
static void run_steps(struct tny_builder *builder, char *input, uint64_t bytes)
{
  int world_ranks[] = {0, 1};
  struct tny_group group = {.rank_count = 2, .world_ranks = world_ranks};
  const struct tny_comm_state state = {.comm = MPI_COMM_NULL, .group = &group, .rank_count = 2};
  struct tny_flaws flaws = {0};
  const struct tny_buffers buffers = {.areas = {[TNY_INPUT] = {.memory = input, .stride = bytes},
                                                [TNY_OUTPUT] = {.memory = input, .stride = bytes}},
                                      .bytes = bytes};
  struct tny_plan *plan = take_plan(builder);
  sent = received = waited = 0;
  assert_int_equal(tny_execute(plan, &state, &buffers, &flaws), MPI_SUCCESS);
  tny_plan_free(plan);
}

static void pieces_lie_where_the_parts_of_a_block_do(void **state)
{
  (void)state;
  static char input[1000];
  for (uint64_t bytes = 0; bytes < 40; bytes++)
    for (uint32_t pieces = 1; pieces <= 9; pieces++)
      for (uint32_t first = 0; first < pieces; first++)
        for (uint32_t count = 1; first + count <= pieces; count++) {
          const struct tny_span span = {TNY_INPUT, 0, 1, first, pieces, count};
          struct tny_builder builder;
          tny_builder_init(&builder);
          tny_builder_send(&builder, 1, span, TNY_NONE);
          run_steps(&builder, input, bytes);
          const struct tny_part begin = tny_part_of(bytes, first, pieces);
          const struct tny_part end = tny_part_of(bytes, first + count - 1, pieces);
          assert_ptr_equal(sent_from, input + begin.offset);
          assert_int_equal(sent_count, end.offset + end.bytes - begin.offset);
        }
}

/* Each piece of a block is passed on when it is there. Runs the plan for a block of so many bytes,
   cut by its own length or not. */
static void pass_on(uint64_t bytes, uint64_t piece_bytes, uint32_t pieces)
{
  static char output[100];
  int world_ranks[] = {0, 1};
  struct tny_group group = {.rank_count = 2, .world_ranks = world_ranks};
  const struct tny_comm_state state = {.comm = MPI_COMM_NULL, .group = &group, .rank_count = 2};
  const struct tny_lone_block blocks[] = {
      {.memory = output,
       .bytes = bytes,
       .cut = piece_bytes ? tny_block_cut_make(bytes, piece_bytes, 0) : (struct tny_block_cut){0}}};
  struct tny_flaws flaws = {0};
  const struct tny_buffers buffers = {
      .areas = {[TNY_INPUT] = {.blocks = blocks}, [TNY_OUTPUT] = {.blocks = blocks}},
      .leaves_out_empty = piece_bytes > 0};
  struct tny_builder builder;
  tny_builder_init(&builder);
  for (uint32_t piece = 0; piece < pieces; piece++) {
    const struct tny_span span = {TNY_OUTPUT, 0, 1, piece, pieces, 1};
    const uint32_t receive = tny_builder_recv(&builder, 1, span, piece);
    tny_builder_send(&builder, 1, span, piece);
    tny_builder_after(&builder, receive);
  }
  struct tny_plan *plan = take_plan(&builder);
  sent = received = waited = 0;
  sent_bytes = 0;
  assert_int_equal(tny_execute(plan, &state, &buffers, &flaws), MPI_SUCCESS);
  tny_plan_free(plan);
}

static void a_block_cut_by_its_own_length_is_in_as_many_messages_as_it_has_parts(void **state)
{
  (void)state;
  for (uint32_t pieces = 1; pieces <= 9; pieces++)
    for (uint64_t bytes = 0; bytes < 40; bytes++) {
      pass_on(bytes, 0, pieces);
      assert_int_equal(sent, pieces);
      assert_int_equal(sent_bytes, bytes);
      for (uint64_t piece_bytes = 1; piece_bytes < 12; piece_bytes++) {
        const uint64_t parts = (bytes + piece_bytes - 1) / piece_bytes;
        pass_on(bytes, piece_bytes, pieces);
        assert_int_equal(sent, parts < pieces ? parts : pieces);
        assert_int_equal(received, sent);
        assert_int_equal(sent_bytes, bytes);
      }
    }
}

/* Runs a step that combines a span of the input, blocks of "ab", into the same span of the output,
   blocks of "cd". */
static void run_reduce(bool from_left, struct tny_span span, uint64_t bytes, char *output)
{
  enum { BLOCKS = 3, BYTES_MAX = 40, STRIDE = BYTES_MAX + 2 };
  static char input[BLOCKS * STRIDE];
  char aside[6];
  const struct tny_reduction operation = {.element_bytes = 2, .aside = aside, .aside_bytes = 5};
  int world_ranks[] = {0, 1};
  struct tny_group group = {.rank_count = 2, .world_ranks = world_ranks};
  const struct tny_comm_state state = {.comm = MPI_COMM_NULL, .group = &group, .rank_count = 2};
  struct tny_flaws flaws = {0};
  const struct tny_buffers buffers = {
      .areas = {[TNY_INPUT] = {.memory = input, .stride = STRIDE},
                [TNY_OUTPUT] = {.memory = output, .stride = STRIDE}},
      .bytes = bytes,
      .operation = &operation};
  struct tny_span into = span;
  struct tny_builder builder;
  into.buffer = TNY_OUTPUT;
  for (size_t i = 0; i < sizeof input; i++) {
    input[i] = i % 2 ? 'b' : 'a';
    output[i] = i % 2 ? 'd' : 'c';
  }
  tny_builder_init(&builder);
  (from_left ? tny_builder_reduce_left : tny_builder_reduce_right)(&builder, span, into);
  struct tny_plan *plan = take_plan(&builder);
  combined = 0;
  assert_int_equal(tny_execute(plan, &state, &buffers, &flaws), MPI_SUCCESS);
  tny_plan_free(plan);
}

static void a_reduce_combines_whole_elements_on_the_side_that_it_says(void **state)
{
  enum { STRIDE = 42, ELEMENTS_MAX = 20, PIECES = 5 };
  char output[3 * STRIDE];
  (void)state;
  for (uint32_t elements = 0; elements <= ELEMENTS_MAX; elements++)
    for (uint32_t chunk = 0; chunk < PIECES; chunk++)
      for (int from_left = 0; from_left < 2; from_left++) {
        const struct tny_part part = tny_part_of_elements(2 * elements, 2, chunk, PIECES);
        run_reduce(from_left, (struct tny_span){TNY_INPUT, 1, 2, chunk, PIECES, 1}, 2 * elements,
                   output);
        assert_int_equal(combined, part.bytes);
        for (uint32_t i = 0; i < sizeof output; i += 2) {
          const bool is_in =
              i >= STRIDE && i % STRIDE >= part.offset && i % STRIDE < part.offset + part.bytes;
          assert_int_equal(output[i], is_in && from_left ? 'a' : 'c');
          assert_int_equal(output[i + 1], is_in && !from_left ? 'b' : 'd');
        }
      }
}

enum { ROUNDS = 3000 }; /* more than may be under way at once */

/* A receive overwrites what the send before it reads, and the next send passes on what came. */
static void build_relay(struct tny_builder *builder)
{
  const struct tny_span block = tny_span_blocks(TNY_INPUT, 0, 1);
  tny_builder_init(builder);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    const uint32_t send = tny_builder_send(builder, 1, block, TNY_NONE);
    if (round > 0)
      tny_builder_after(builder, send - 1);
    tny_builder_recv(builder, 1, block, TNY_NONE);
    tny_builder_after(builder, send);
  }
}

static void each_message_is_waited_for_once_whichever_queue_waits(void **state)
{
  (void)state;
  struct tny_builder builder;
  build_relay(&builder);
  static char input[BLOCK_BYTES];
  run_steps(&builder, input, BLOCK_BYTES);
  assert_int_equal(sent, ROUNDS);
  assert_int_equal(received, ROUNDS);
  assert_int_equal(waited, 2 * ROUNDS);
  assert_int_equal(sent_after, 2 * (ROUNDS - 1));
}

/* What runs that are begun have of flaws. */
static struct tny_flaws flaws_seen;

/* Begins a run of a plan over one block. */
static void begin(struct tny_execution *run, struct tny_plan *plan)
{
  static char input[BLOCK_BYTES];
  static int world_ranks[] = {0, 1};
  static struct tny_group group = {.rank_count = 2, .world_ranks = world_ranks};
  const struct tny_comm_state state = {.comm = MPI_COMM_NULL, .group = &group, .rank_count = 2};
  const struct tny_buffers buffers = {
      .areas = {[TNY_INPUT] = {.memory = input, .stride = BLOCK_BYTES},
                [TNY_OUTPUT] = {.memory = input, .stride = BLOCK_BYTES}},
      .bytes = BLOCK_BYTES};
  flaws_seen = (struct tny_flaws){0};
  sent = received = waited = 0;
  tny_execution_begin(run, plan, &state, &buffers, &flaws_seen);
}

static void a_run_goes_on_as_far_as_messages_are_there_and_never_waits(void **state)
{
  struct tny_builder builder;
  struct tny_execution run;
  bool is_over = false;
  (void)state;
  build_relay(&builder);
  struct tny_plan *plan = take_plan(&builder);
  begin(&run, plan);
  for (uint32_t complete = 0; complete < 2 * ROUNDS; complete++) {
    complete_left = 0;
    for (int again = 0; again < 2; again++)
      assert_int_equal(tny_execution_advance(&run, &is_over), MPI_SUCCESS);
    assert_false(is_over);
    assert_int_equal(sent, complete / 2 + 1);
    assert_int_equal(received, (complete + 1) / 2);
    complete_left = 1;
    assert_int_equal(tny_execution_advance(&run, &is_over), MPI_SUCCESS);
    assert_int_equal(complete_left, 0);
  }
  assert_true(is_over);
  assert_int_equal(waited, 0);
  tny_plan_free(plan);
}

/* Others wait for what this rank sends. */
static void a_truncated_message_doesnt_end_the_run(void **state)
{
  (void)state;
  for (int advances = 0; advances < 2; advances++)
    for (uint32_t bad = 1; bad <= 2 * ROUNDS; bad += ROUNDS / 3) {
      struct tny_builder builder;
      struct tny_execution run;
      bool is_over = true;
      build_relay(&builder);
      struct tny_plan *plan = take_plan(&builder);
      begin(&run, plan);
      bad_wait = bad;
      bad_class = MPI_ERR_TRUNCATE;
      complete_left = 2 * ROUNDS;
      assert_int_equal(advances ? tny_execution_advance(&run, &is_over)
                                : tny_execution_finish(&run),
                       MPI_SUCCESS);
      assert_true(is_over);
      assert_int_equal(sent, ROUNDS);
      assert_int_equal(received, ROUNDS);
      assert_int_equal(flaws_seen.truncated, BAD_CODE);
      assert_false(flaws_seen.leaves_sends);
      bad_wait = 0;
      tny_plan_free(plan);
    }
}

static void another_error_ends_the_run_and_tells_of_sends(void **state)
{
  (void)state;
  struct tny_builder builder;
  struct tny_execution run;
  tny_builder_init(&builder);
  tny_builder_recv(&builder, 1, tny_span_blocks(TNY_OUTPUT, 0, 1), TNY_NONE);
  tny_builder_send(&builder, 1, tny_span_blocks(TNY_INPUT, 0, 1), TNY_NONE);
  struct tny_plan *plan = take_plan(&builder);
  begin(&run, plan);
  freed = 0;
  bad_wait = 1;
  bad_class = MPI_ERR_OTHER;
  assert_int_equal(tny_execution_finish(&run), BAD_CODE);
  assert_int_equal(flaws_seen.truncated, MPI_SUCCESS);
  assert_int_equal(freed, 1);
  assert_true(flaws_seen.leaves_sends);
  bad_wait = 0;
  tny_plan_free(plan);
}

/* A message may be coming in, and be written, when its receive is taken back. */
static void a_failed_run_is_over_when_its_receives_are_closed_and_never_waits(void **state)
{
  (void)state;
  for (int finishes = 0; finishes < 2; finishes++) {
    struct tny_builder builder;
    struct tny_execution run;
    bool is_over;
    tny_builder_init(&builder);
    tny_builder_recv(&builder, 1, tny_span_blocks(TNY_OUTPUT, 0, 1), TNY_NONE);
    tny_builder_recv(&builder, 1, tny_span_blocks(TNY_OUTPUT, 0, 1), TNY_NONE);
    struct tny_plan *plan = take_plan(&builder);
    begin(&run, plan);
    bad_class = MPI_ERR_OTHER;
    bad_wait = complete_left = 1;
    for (int again = 0; again < 3; again++) {
      assert_int_equal(tny_execution_advance(&run, &is_over), MPI_SUCCESS);
      assert_false(is_over);
      assert_int_equal(complete_left, 0);
    }
    bad_wait = 0;
    assert_int_equal(waited, 0);
    complete_left = 1;
    assert_int_equal(finishes ? tny_execution_finish(&run) : tny_execution_advance(&run, &is_over),
                     BAD_CODE);
    assert_int_equal(waited, finishes);
    assert_int_equal(complete_left, finishes);
    complete_left = 0;
    tny_plan_free(plan);
  }
}

static void a_run_that_was_advanced_is_finished_from_there(void **state)
{
  (void)state;
  for (uint32_t complete = 0; complete <= 2 * ROUNDS; complete += ROUNDS / 2) {
    struct tny_builder builder;
    struct tny_execution run;
    bool is_over;
    build_relay(&builder);
    struct tny_plan *plan = take_plan(&builder);
    begin(&run, plan);
    complete_left = complete;
    assert_int_equal(tny_execution_advance(&run, &is_over), MPI_SUCCESS);
    assert_int_equal(is_over, complete == 2 * ROUNDS);
    assert_int_equal(tny_execution_finish(&run), MPI_SUCCESS);
    assert_int_equal(sent, ROUNDS);
    assert_int_equal(received, ROUNDS);
    assert_int_equal(waited, 2 * ROUNDS - complete);
    tny_plan_free(plan);
  }
}

static double best_of_five(uint32_t receives)
{
  double best = run(receives);
  for (int i = 0; i < 4; i++) {
    const double seconds = run(receives);
    if (seconds < best)
      best = seconds;
  }
  return best;
}

static void waiting_for_four_times_the_receives_takes_four_times_as_long(void **state)
{
  (void)state;
  /* 64 ranks' worth of 128 chunks, and of 512. */
  const double few = best_of_five(64 * 128), many = best_of_five(64 * 512);
  print_message("a copy behind %d receives: %.3f ms, behind %d: %.3f ms\n", 64 * 128, 1e3 * few,
                64 * 512, 1e3 * many);
  assert_true(many < 10 * few + 1e-3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_copy_waits_for_all_its_receives),
      cmocka_unit_test(a_reduce_combines_whole_elements_on_the_side_that_it_says),
      cmocka_unit_test(pieces_lie_where_the_parts_of_a_block_do),
      cmocka_unit_test(a_block_cut_by_its_own_length_is_in_as_many_messages_as_it_has_parts),
      cmocka_unit_test(each_message_is_waited_for_once_whichever_queue_waits),
      cmocka_unit_test(a_run_goes_on_as_far_as_messages_are_there_and_never_waits),
      cmocka_unit_test(a_truncated_message_doesnt_end_the_run),
      cmocka_unit_test(another_error_ends_the_run_and_tells_of_sends),
      cmocka_unit_test(a_failed_run_is_over_when_its_receives_are_closed_and_never_waits),
      cmocka_unit_test(a_run_that_was_advanced_is_finished_from_there),
      cmocka_unit_test(a_size_that_was_run_before_makes_no_datatypes),
      cmocka_unit_test(waiting_for_four_times_the_receives_takes_four_times_as_long),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
