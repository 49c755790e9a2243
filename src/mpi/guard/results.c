/* Lists of what classes were settled on. Times are handed on as whole nanoseconds. */
#include "mpi/guard/results.h"

#include "core/alloc.h"

static struct tny_guard_result *find(const struct tny_guard_results *results,
                                     enum tny_collective collective, uint32_t number)
{
  for (uint32_t i = 0; i < results->count; i++)
    if (results->list[i].collective == collective && results->list[i].number == number)
      return &results->list[i];
  return NULL;
}

const struct tny_guard_result *tny_guard_results_find(const struct tny_guard_results *results,
                                                      enum tny_collective collective,
                                                      uint32_t number)
{
  return find(results, collective, number);
}

void tny_guard_results_put(struct tny_guard_results *results, const struct tny_guard_result *result)
{
  struct tny_guard_result *earlier = find(results, result->collective, result->number);
  if (earlier) {
    const size_t behind = (size_t)(results->list + results->count - earlier - 1);
    memmove(earlier, earlier + 1, behind * sizeof *earlier);
    results->list[results->count - 1] = *result;
    return;
  }
  if (results->count == results->room) {
    struct tny_guard_result *grown =
        tny_resize(results->list, results->room + 8, sizeof *results->list);
    if (!grown)
      return;
    results->list = grown;
    results->room += 8;
  }
  results->list[results->count++] = *result;
}

void tny_guard_results_release(struct tny_guard_results *results)
{
  tny_free(results->list);
  *results = (struct tny_guard_results){0};
}

/* The place in the list of all algorithms, from 1, above 32 bits of parameter; 0: the MPI's own. */
int64_t tny_guard_choice_code(struct tny_algorithm_choice choice)
{
  int64_t place = 0;
  if (!choice.algorithm)
    return choice.parameter;
  while (tny_algorithms[place] != choice.algorithm)
    place++;
  return (place + 1) << 32 | choice.parameter;
}

struct tny_algorithm_choice tny_guard_choice_of(int64_t code)
{
  const int64_t place = code >> 32;
  return (struct tny_algorithm_choice){.algorithm = place ? tny_algorithms[place - 1] : NULL,
                                       .parameter = (uint32_t)(code & UINT32_MAX)};
}

uint32_t tny_guard_results_pack(const struct tny_guard_results *results,
                                int64_t words[TNY_GUARD_HANDED * TNY_GUARD_RESULT_WORDS])
{
  const uint32_t count = results->count < TNY_GUARD_HANDED ? results->count : TNY_GUARD_HANDED;
  for (uint32_t i = 0; i < count; i++) {
    const struct tny_guard_result *result = &results->list[results->count - 1 - i];
    int64_t *word = words + i * TNY_GUARD_RESULT_WORDS;
    word[0] =
        ((int64_t)result->collective * TNY_GUARD_CLASSES + result->number) * 2 + result->is_read;
    word[1] = tny_guard_choice_code(result->choice);
    word[2] = (int64_t)result->native_ns;
    word[3] = (int64_t)result->settled_ns;
  }
  return count;
}

struct tny_guard_result tny_guard_result_unpack(const int64_t words[TNY_GUARD_RESULT_WORDS])
{
  return (struct tny_guard_result){
      .collective = (enum tny_collective)(words[0] / 2 / TNY_GUARD_CLASSES),
      .number = (uint32_t)(words[0] / 2 % TNY_GUARD_CLASSES),
      .is_read = words[0] % 2,
      .choice = tny_guard_choice_of(words[1]),
      .native_ns = (double)words[2],
      .settled_ns = (double)words[3],
  };
}
