/* The delay queue of the lab's relay: order, due times, room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/alloc.h"
#include "lab/delay_queue.h"

enum { FRAMES_MAX = 64 };

static struct tny_lab_delay_queue make(uint64_t room)
{
  struct tny_lab_delay_queue queue;
  assert_int_equal(tny_lab_delay_queue_init(&queue, room, NULL), TNY_OK);
  return queue;
}

static void a_frame_waits_until_it_is_due(void **state)
{
  (void)state;
  struct tny_lab_delay_queue queue = make(1024);
  struct tny_lab_delayed frames[FRAMES_MAX];
  assert_int_equal(tny_lab_delay_queue_next(&queue), UINT64_MAX);
  assert_true(tny_lab_delay_queue_put(&queue, 100, "first", 5));
  assert_true(tny_lab_delay_queue_put(&queue, 200, "second", 6));
  assert_int_equal(tny_lab_delay_queue_next(&queue), 100);
  assert_int_equal(tny_lab_delay_queue_due(&queue, 99, frames, FRAMES_MAX), 0);
  assert_int_equal(tny_lab_delay_queue_due(&queue, 199, frames, FRAMES_MAX), 1);
  assert_int_equal(frames[0].length, 5);
  assert_int_equal(frames[0].due_ns, 100);
  assert_memory_equal(frames[0].bytes, "first", 5);
  assert_int_equal(tny_lab_delay_queue_due(&queue, 200, frames, FRAMES_MAX), 2);
  assert_int_equal(tny_lab_delay_queue_due(&queue, 200, frames, 1), 1);
  tny_lab_delay_queue_take(&queue, 1);
  assert_int_equal(tny_lab_delay_queue_next(&queue), 200);
  assert_int_equal(tny_lab_delay_queue_due(&queue, 200, frames, FRAMES_MAX), 1);
  assert_memory_equal(frames[0].bytes, "second", 6);
  tny_lab_delay_queue_release(&queue);
}

static void a_frame_never_overtakes_the_one_before_it(void **state)
{
  (void)state;
  struct tny_lab_delay_queue queue = make(1024);
  struct tny_lab_delayed frames[FRAMES_MAX];
  assert_true(tny_lab_delay_queue_put(&queue, 500, "a", 1));
  assert_true(tny_lab_delay_queue_put(&queue, 300, "b", 1));
  assert_int_equal(tny_lab_delay_queue_due(&queue, 499, frames, FRAMES_MAX), 0);
  assert_int_equal(tny_lab_delay_queue_due(&queue, 500, frames, FRAMES_MAX), 2);
  assert_int_equal(frames[1].due_ns, 500);
  tny_lab_delay_queue_take(&queue, 2);
  assert_true(tny_lab_delay_queue_put(&queue, 400, "c", 1));
  assert_int_equal(tny_lab_delay_queue_next(&queue), 500);
  tny_lab_delay_queue_release(&queue);
}

static void a_full_queue_takes_no_frame_and_keeps_those_it_has(void **state)
{
  (void)state;
  unsigned char frame[100] = {0};
  struct tny_lab_delay_queue queue = make(3 * 128);
  struct tny_lab_delayed frames[FRAMES_MAX];
  for (unsigned char i = 0; i < 3; i++) {
    frame[0] = i;
    assert_true(tny_lab_delay_queue_put(&queue, i, frame, sizeof frame));
  }
  assert_false(tny_lab_delay_queue_put(&queue, 3, frame, sizeof frame));
  assert_false(tny_lab_delay_queue_put(&queue, 3, frame, 0));
  assert_int_equal(tny_lab_delay_queue_due(&queue, 9, frames, FRAMES_MAX), 3);
  for (unsigned char i = 0; i < 3; i++)
    assert_int_equal(frames[i].bytes[0], i);
  tny_lab_delay_queue_take(&queue, 1);
  assert_true(tny_lab_delay_queue_put(&queue, 3, frame, sizeof frame));
  assert_false(tny_lab_delay_queue_put(&queue, 4, frame, 0));
  tny_lab_delay_queue_release(&queue);
  struct tny_lab_delay_queue small = make(64);
  assert_false(tny_lab_delay_queue_put(&small, 0, frame, sizeof frame));
  assert_int_equal(tny_lab_delay_queue_next(&small), UINT64_MAX);
  tny_lab_delay_queue_release(&small);
}

static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
  *seed = *seed * 1664525U + 1013904223U;
  return (*seed >> 8) % limit;
}

/* What the queue should hold, kept without a ring. */
struct model {
  struct {
    size_t length;
    uint64_t due_ns;
    unsigned char first;
  } frames[4096];
  uint32_t head, tail;
};

static void compare_and_take(struct tny_lab_delay_queue *queue, struct model *model, uint64_t now)
{
  struct tny_lab_delayed frames[FRAMES_MAX];
  const uint32_t due = tny_lab_delay_queue_due(queue, now, frames, FRAMES_MAX);
  for (uint32_t i = 0; i < due; i++, model->head++) {
    assert_true(model->head < model->tail);
    assert_int_equal(frames[i].length, model->frames[model->head].length);
    assert_int_equal(frames[i].due_ns, model->frames[model->head].due_ns);
    for (size_t byte = 0; byte < frames[i].length; byte++)
      assert_int_equal(frames[i].bytes[byte],
                       (unsigned char)(model->frames[model->head].first + byte));
  }
  tny_lab_delay_queue_take(queue, due);
  if (due < FRAMES_MAX && model->head < model->tail)
    assert_true(model->frames[model->head].due_ns > now);
}

/* Rings of many sizes, so that records end before, at and behind the ring's end. */
static void frames_come_out_whole_and_in_order_however_the_ring_turns(void **state)
{
  (void)state;
  static struct model model;
  unsigned char frame[300];
  for (uint32_t room = 336; room < 1400; room += 7) {
    struct tny_lab_delay_queue queue = make(room);
    uint32_t seed = room, turned = 0, refused = 0;
    model.head = model.tail = 0;
    for (uint64_t now = 0; now < 3000; now++) {
      const size_t length = random_below(&seed, sizeof frame + 1);
      const unsigned char first = (unsigned char)random_below(&seed, 256);
      for (size_t byte = 0; byte < length; byte++)
        frame[byte] = (unsigned char)(first + byte);
      if (tny_lab_delay_queue_put(&queue, now + 3, frame, length)) {
        model.frames[model.tail].length = length;
        model.frames[model.tail].due_ns = now + 3;
        model.frames[model.tail++].first = first;
      } else {
        refused++;
        assert_true(queue.count > 0);
      }
      turned += queue.wrapped;
      if (random_below(&seed, 3) > 0)
        compare_and_take(&queue, &model, now);
    }
    compare_and_take(&queue, &model, UINT64_MAX - 1);
    assert_int_equal(model.head, model.tail);
    assert_true(turned > 0 && refused > 0);
    tny_lab_delay_queue_release(&queue);
  }
}

/* 1 Gbit/s for 10 ms are 20,833 frames of 60 bytes. */
static void the_room_suffices_for_the_shortest_frames(void **state)
{
  (void)state;
  const unsigned char frame[60] = {0};
  struct tny_lab_delay_queue queue = make(tny_lab_delay_queue_room(1000000000, 10000000));
  uint32_t count = 0;
  while (tny_lab_delay_queue_put(&queue, count, frame, sizeof frame))
    count++;
  assert_int_equal(count, 20833);
  tny_lab_delay_queue_release(&queue);
  assert_int_equal(tny_lab_delay_queue_room(UINT64_MAX, UINT64_MAX), UINT64_MAX);
}

static void a_lack_of_memory_is_an_error(void **state)
{
  (void)state;
  struct tny_lab_delay_queue queue;
  tny_alloc_fail_from(1);
  assert_int_equal(tny_lab_delay_queue_init(&queue, 1024, NULL), TNY_NO_MEMORY);
  tny_alloc_fail_from(0);
  tny_lab_delay_queue_release(&queue);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_frame_waits_until_it_is_due),
      cmocka_unit_test(a_frame_never_overtakes_the_one_before_it),
      cmocka_unit_test(a_full_queue_takes_no_frame_and_keeps_those_it_has),
      cmocka_unit_test(frames_come_out_whole_and_in_order_however_the_ring_turns),
      cmocka_unit_test(the_room_suffices_for_the_shortest_frames),
      cmocka_unit_test(a_lack_of_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
