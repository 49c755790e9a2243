/* What an uneven call may have in flight (src/mpi/uneven/send_window.c): as in the pass `pace`
   where all messages are alike, and never more than the window where they differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/random.h"
#include "mpi/uneven/send_window.h"

enum { MESSAGES = 200 };

/* A rank that sends one block and gets one in each phase, in order. */
struct fixture {
  struct tny_step steps[2 * MESSAGES];
  uint32_t posted[MESSAGES], started[MESSAGES];
  MPI_Request requests[2 * MESSAGES];
  struct tny_lone_block sent[MESSAGES], got[MESSAGES];
  struct tny_plan plan;
  struct tny_buffers buffers;
};

static int open_request; /* stands for what isn't complete */

static struct fixture *set_up(uint64_t most_bytes, uint64_t seed)
{
  static struct fixture fixture;
  uint64_t random = seed;
  fixture = (struct fixture){.plan = {.steps = {.count = 2 * MESSAGES, .steps = fixture.steps},
                                      .posted = fixture.posted,
                                      .started = fixture.started,
                                      .posted_count = MESSAGES,
                                      .started_count = MESSAGES,
                                      .requests = fixture.requests}};
  for (uint32_t i = 0; i < MESSAGES; i++) {
    fixture.steps[2 * i] =
        (struct tny_step){.kind = TNY_SEND, .phase = i, .span = tny_span_blocks(TNY_INPUT, i, 1)};
    fixture.steps[2 * i + 1] =
        (struct tny_step){.kind = TNY_RECV, .phase = i, .span = tny_span_blocks(TNY_OUTPUT, i, 1)};
    fixture.started[i] = 2 * i;
    fixture.posted[i] = 2 * i + 1;
    fixture.requests[2 * i] = MPI_REQUEST_NULL;
    fixture.requests[2 * i + 1] = (MPI_Request)(void *)&open_request;
    fixture.sent[i].bytes = seed ? tny_random_next(&random) % (most_bytes + 1) : most_bytes;
    fixture.got[i].bytes = seed ? tny_random_next(&random) % (most_bytes + 1) : most_bytes;
  }
  fixture.buffers.areas[TNY_INPUT].blocks = fixture.sent;
  fixture.buffers.areas[TNY_OUTPUT].blocks = fixture.got;
  return &fixture;
}

/* Starts sends as long as there is room; returns how many there were in all. */
static uint32_t send_all(struct fixture *fixture, struct tny_send_window *window)
{
  MPI_Request *awaited = NULL;
  while (window->sent < MESSAGES &&
         tny_send_window_has_room(window, &fixture->plan, 2 * window->sent, MESSAGES, &awaited))
    tny_send_window_add(window, &fixture->plan, 2 * window->sent);
  if (window->sent < MESSAGES)
    assert_ptr_equal(awaited, &fixture->requests[2 * window->received + 1]);
  return window->sent;
}

static void alike_messages_wait_as_in_the_plan(void **state)
{
  (void)state;
  for (uint32_t w = 1; w < 6; w++) {
    struct fixture *fixture = set_up(1000, 0);
    struct tny_send_window window = {.most = {.bytes = 1000 * w}, .buffers = &fixture->buffers};
    for (uint32_t received = 0; received + w < MESSAGES; received++) {
      assert_int_equal(send_all(fixture, &window), received + w);
      fixture->requests[2 * received + 1] = MPI_REQUEST_NULL;
    }
  }
}

/* By the numbers of what was sent and received. */
static int64_t find_in_flight(const struct fixture *fixture, const struct tny_send_window *window)
{
  int64_t bytes = 0;
  for (uint32_t i = window->received; !window->most.is_balanced && i < window->sent; i++)
    bytes += (int64_t)fixture->sent[i].bytes;
  for (uint32_t i = 0; window->most.is_balanced && i < window->sent; i++)
    bytes += (int64_t)fixture->sent[i].bytes;
  for (uint32_t i = 0; window->most.is_balanced && i < window->received; i++)
    bytes -= (int64_t)fixture->got[i].bytes;
  return bytes;
}

static void run_drawn(uint64_t seed, struct tny_window most)
{
  struct fixture *fixture = set_up(3000, seed);
  struct tny_send_window window = {.most = most, .buffers = &fixture->buffers};
  uint64_t random = seed + 1000;
  uint32_t received = 0;
  while (send_all(fixture, &window) < MESSAGES) {
    /* Sends that were alone, the window's own bytes, and the next send that hasn't room. */
    const uint32_t messages = window.sent - window.received;
    assert_true(messages > 0);
    assert_true(messages == 1 || find_in_flight(fixture, &window) <= (int64_t)most.bytes);
    assert_true(most.messages == 0 || messages <= most.messages);
    assert_true(messages == most.messages ||
                find_in_flight(fixture, &window) + (int64_t)fixture->sent[window.sent].bytes >
                    (int64_t)most.bytes);
    for (uint64_t more = 1 + tny_random_next(&random) % 3; more > 0 && received < MESSAGES; more--)
      fixture->requests[2 * received++ + 1] = MPI_REQUEST_NULL;
  }
}

static void drawn_messages_stay_within_the_window_and_use_it(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    run_drawn(seed,
              (struct tny_window){.bytes = 3000 + 100 * seed, .messages = 4 + (uint32_t)seed % 9});
    run_drawn(seed, (struct tny_window){.bytes = 3000 + 100 * seed, .is_balanced = true});
  }
}

/* Ranks that are idle in some phases send and receive at different times. */
static void nothing_waits_for_a_receive_of_its_own_phase_or_of_a_later_one(void **state)
{
  (void)state;
  struct fixture *fixture = set_up(1000, 0);
  struct tny_send_window window = {.most = {.bytes = 1000}, .buffers = &fixture->buffers};
  for (uint32_t i = 0; i < MESSAGES; i++)
    fixture->steps[2 * i + 1].phase = MESSAGES / 2 + i;
  assert_int_equal(send_all(fixture, &window), MESSAGES / 2 + 1);
}

/* Starts sends from `at` on as long as there is room; returns where it ends. */
static uint32_t start_from(struct fixture *fixture, struct tny_send_window *window, uint32_t at)
{
  MPI_Request *awaited;
  for (; at < MESSAGES &&
         tny_send_window_has_room(window, &fixture->plan, 2 * at, MESSAGES, &awaited);
       at++)
    tny_send_window_add(window, &fixture->plan, 2 * at);
  return at;
}

static void what_is_left_out_takes_no_room_and_is_not_waited_for(void **state)
{
  (void)state;
  struct fixture *fixture = set_up(1000, 0);
  struct tny_send_window window = {.most = {.bytes = 2000, .is_balanced = true},
                                   .buffers = &fixture->buffers};
  fixture->buffers.leaves_out_empty = true;
  for (uint32_t i = 1; i < MESSAGES; i += 2)
    fixture->sent[i].bytes = fixture->got[i].bytes = 0;
  uint32_t at = 0;
  for (uint32_t received = 0; 2 * received + 4 < MESSAGES; received++) {
    at = start_from(fixture, &window, at);
    assert_int_equal(at, 2 * received + 4);
    assert_int_equal(window.sent, received + 2);
    fixture->requests[2 * (2 * received) + 1] = MPI_REQUEST_NULL;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alike_messages_wait_as_in_the_plan),
      cmocka_unit_test(drawn_messages_stay_within_the_window_and_use_it),
      cmocka_unit_test(nothing_waits_for_a_receive_of_its_own_phase_or_of_a_later_one),
      cmocka_unit_test(what_is_left_out_takes_no_room_and_is_not_waited_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
