/* All of Tourney's allocation, so that a test can fail the n-th one. */
#ifndef TOURNEY_CORE_ALLOC_H
#define TOURNEY_CORE_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory for count elements; NULL where there is none left or the product overflows. count 0
   gives a pointer that can be freed. Owns: caller's, tny_free. */
void *tny_new(size_t count, size_t element_bytes) __attribute__((malloc));
/* Grows or shrinks to count elements, new ones not zeroed; NULL leaves the old memory as it was. */
void *tny_resize(void *memory, size_t count, size_t element_bytes);
void tny_free(void *memory);
char *tny_copy_text(const char *text) __attribute__((malloc));

/* For tests: the n-th allocation from now fails (1: the next), and all after it; 0: none does. */
void tny_alloc_fail_from(uint64_t n);
/* For tests: the bytes that this thread has asked for so far, each time anew that memory grows. */
uint64_t tny_alloc_bytes(void);

#endif
