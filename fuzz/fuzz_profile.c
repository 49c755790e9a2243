/* Fuzz target: the input as a profile in the flat form. What is read is written and read again
   alike, and what is looked up in it comes in order. */
#include "fuzz_support.h"

#include <tourney/profile.h>

static void write_and_read_again(const struct tny_profile *profile)
{
  struct tny_profile *again;
  char *first, *second;
  require(tny_profile_write_flat(profile, &first, NULL) == TNY_OK);
  require(tny_profile_read_flat(first, &again, NULL) == TNY_OK);
  require(tny_profile_write_flat(again, &second, NULL) == TNY_OK);
  require(strcmp(first, second) == 0);
  tny_text_free(second);
  tny_profile_free(again);
  tny_text_free(first);
}

static void look_up(const struct tny_profile *profile)
{
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    const enum tny_collective collective = (enum tny_collective)c;
    for (uint64_t bytes = 1; bytes < UINT64_MAX / 3; bytes *= 3) {
      struct tny_profile_candidate list[4];
      const uint32_t count = tny_profile_candidates(
          profile, collective, profile->fingerprint.rank_count, bytes, list, 4);
      for (uint32_t i = 0; i < count; i++)
        require(list[i].ns >= (i ? list[i - 1].ns : 1));
    }
    require(tny_profile_bytes_min(profile, collective) >= 1);
  }
}

static void fuzz(const char *text)
{
  struct tny_profile *profile;
  if (tny_profile_read_flat(text, &profile, NULL) == TNY_OK) {
    write_and_read_again(profile);
    if (profile->point_count < 50)
      look_up(profile);
    tny_profile_free(profile);
  }
}
