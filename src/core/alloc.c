/* Allocation, with overflow checks and failures on demand for tests. */
#include "core/alloc.h"

static _Thread_local uint64_t allocations_left; /* 0: no fault is planned; 1: every one fails now */

static _Thread_local uint64_t allocated_bytes;

void tny_alloc_fail_from(uint64_t n)
{
  allocations_left = n;
}

uint64_t tny_alloc_bytes(void)
{
  return allocated_bytes;
}

static int may_allocate(size_t count, size_t element_bytes)
{
  if (element_bytes && count > SIZE_MAX / element_bytes)
    return 0;
  if (allocations_left == 1)
    return 0;
  if (allocations_left)
    allocations_left--;
  allocated_bytes += count * element_bytes;
  return 1;
}

void *tny_new(size_t count, size_t element_bytes)
{
  if (!may_allocate(count, element_bytes))
    return NULL;
  return calloc(count ? count : 1, element_bytes ? element_bytes : 1);
}

void *tny_resize(void *memory, size_t count, size_t element_bytes)
{
  if (!may_allocate(count, element_bytes))
    return NULL;
  return realloc(memory, count && element_bytes ? count * element_bytes : 1);
}

void tny_free(void *memory)
{
  free(memory);
}

char *tny_copy_text(const char *text)
{
  const size_t bytes = strlen(text) + 1;
  char *copy = tny_new(bytes, 1);
  if (copy)
    memcpy(copy, text, bytes);
  return copy;
}
