/* Letting allocations fail. Included once by each test program. */
#ifndef TOURNEY_TESTS_SUPPORT_MEMORY_H
#define TOURNEY_TESTS_SUPPORT_MEMORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <tourney/status.h>

#include "core/alloc.h"

/* Some work that allocates; returns its status. */
typedef enum tny_status allocating_work(const void *subject, struct tny_error *error);

/* Lets the n-th allocation fail, and all behind it, for every n until the work gets through: each
   time it has to answer TNY_NO_MEMORY. Returns how many allocations the work has. */
static inline uint64_t starve(allocating_work *work, const void *subject)
{
  for (uint64_t n = 1;; n++) {
    struct tny_error error = {0};
    tny_alloc_fail_from(n);
    const enum tny_status status = work(subject, &error);
    tny_alloc_fail_from(0);
    if (status != TNY_OK && status != TNY_NO_MEMORY)
      fail_msg("allocation %u: %s", (unsigned)n, error.text);
    assert_int_equal(error.status, status);
    if (status == TNY_OK)
      return n - 1;
    assert_true(n < 10000);
  }
}

#endif
