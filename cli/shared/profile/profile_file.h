/* A profile as a file: JSON with the profile and where it comes from (docs/tuning.md). */
#ifndef TOURNEY_CLI_PROFILE_FILE_H
#define TOURNEY_CLI_PROFILE_FILE_H

#include <tourney/profile.h>

/* One of the MPI's own algorithms, forced, on one size. The MPI numbers its algorithms. Times are
   as in struct tny_profile_point. */
struct profile_native_point {
  enum tny_collective collective;
  uint64_t block_bytes;
  uint32_t number, segment_bytes; /* segment 0: none */
  uint64_t median_ns, q1_ns, q3_ns;
  uint32_t sample_count;
};

/* All is owned. */
struct profile_file {
  struct tny_profile *profile; /* the natives that the runtime can force are among its points */
  char cluster[256];           /* its name */
  char mpi[160], machine[160], date[40];
  double seconds; /* that measuring took */
  uint32_t native_count;
  struct profile_native_point *natives;
};

/* Opens and reads a file. Owns: profile_file_release, also after a failure. Errors: TNY_BAD_INPUT,
   with the line where JSON is wrong. */
enum tny_status profile_file_read(const char *path, struct profile_file *file,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* The text of a file. Owns: *text is the caller's (tny_text_free). */
enum tny_status profile_file_write(const struct profile_file *file, char **text,
                                   struct tny_error *error) TNY_MUST_CHECK;
enum tny_status profile_file_add_native(struct profile_file *file,
                                        const struct profile_native_point *point,
                                        struct tny_error *error) TNY_MUST_CHECK;
/* Adds the natives that the runtime can force to the profile's points. A file that is read has
   them. */
enum tny_status profile_file_offer_natives(struct profile_file *file,
                                           struct tny_error *error) TNY_MUST_CHECK;
void profile_file_release(struct profile_file *file);

/* Reads a file's profile in the form that the runtime is told it in. Owns: *flat is the caller's
   (tny_text_free). */
enum tny_status profile_file_flatten(const char *path, char **flat,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
