/* A profile: what `tourney tune` measured on a cluster. It holds the machine's parameters, and how
   long collectives of some sizes take, natively and by some planned algorithms. It is read and
   looked up with whole numbers only, so that every rank finds the same. */
#ifndef TOURNEY_PROFILE_H
#define TOURNEY_PROFILE_H

#include <stddef.h>

#include <tourney/algorithm.h>
#include <tourney/machine.h>

/* The version of both forms: the flat one below, and the tool's JSON. */
#define TNY_PROFILE_VERSION 2
/* So many points always fit into an environment variable in the flat form. */
#define TNY_PROFILE_POINTS_MAX 1024

/* What a profile was measured on; two that are equal are of the same cluster and placement. */
struct tny_fingerprint {
  uint64_t cluster; /* a hash of the nodes, cables and shape; the cluster's name doesn't count */
  uint32_t rank_count;
  uint64_t hosts; /* a hash of every rank's host */
};
enum tny_status tny_fingerprint_make(const struct tny_network *network,
                                     struct tny_fingerprint *fingerprint,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* In what two differ, a literal ("another cluster"); NULL: in nothing. */
const char *tny_fingerprint_difference(const struct tny_fingerprint *one,
                                       const struct tny_fingerprint *other);

/* One algorithm's time for one size. */
struct tny_profile_point {
  enum tny_collective collective;
  struct tny_algorithm_choice choice; /* no algorithm: the MPI's own */
  uint64_t block_bytes;               /* at least 1 */
  uint64_t median_ns, q1_ns, q3_ns;   /* at least 1, q1 <= median <= q3 */
  uint32_t sample_count;              /* at least 1 */
};

struct tny_profile {
  struct tny_fingerprint fingerprint;
  struct tny_machine machine;
  uint32_t point_count;
  struct tny_profile_point *points; /* owned; in any order, none twice */
};
void tny_profile_free(struct tny_profile *profile);
/* Adds a point; of one that is there already the new times count. Errors: TNY_REFUSED beyond
   TNY_PROFILE_POINTS_MAX. */
enum tny_status tny_profile_add(struct tny_profile *profile, const struct tny_profile_point *point,
                                struct tny_error *error) TNY_MUST_CHECK;

/* A parameter of the machine, by its name with its unit, as both forms have it. */
struct tny_machine_field {
  const char *name;
  size_t offset; /* of a uint64_t in struct tny_machine */
};
extern const struct tny_machine_field tny_machine_fields[]; /* ends with a NULL name */
uint64_t *tny_machine_field(struct tny_machine *machine, const struct tny_machine_field *field);

/* "ring", "bruck:4", "native", or one of the MPI's own algorithms, "native:6", "native:7+32768" in
   segments; `text` has room for TNY_ALGORITHM_CHOICE_CHARS. */
void tny_profile_choice_write(const struct tny_algorithm_choice *choice, char *text);
enum tny_status tny_profile_choice_parse(enum tny_collective collective, const char *text,
                                         struct tny_algorithm_choice *choice,
                                         struct tny_error *error) TNY_MUST_CHECK;

/* Is this the beginning of a profile's flat form? */
bool tny_profile_is_flat(const char *text);
/* The flat form: lines of words and whole numbers, for the runtime, which has no reader of JSON.
   Owns: *flat is the caller's (tny_text_free). */
enum tny_status tny_profile_write_flat(const struct tny_profile *profile, char **flat,
                                       struct tny_error *error) TNY_MUST_CHECK;
/* Reads it back. Owns: *profile is the caller's (tny_profile_free). Errors: TNY_BAD_INPUT, with the
   line; also for another version and for an algorithm that isn't known here. */
enum tny_status tny_profile_read_flat(const char *flat, struct tny_profile **profile,
                                      struct tny_error *error) TNY_MUST_CHECK;

/* How long something takes, as far as the profile knows. */
struct tny_profile_candidate {
  struct tny_algorithm_choice choice; /* no algorithm: the MPI's own */
  uint64_t ns, q1_ns, q3_ns;          /* the median, and the quartiles */
  uint32_t sample_count;
};
/* Fills `list` with the at most `max` fastest for a size, the fastest first, and returns how many
   there are; 0: nothing is known. An algorithm is known between two of its measured sizes, within a
   factor of 2 of one of them: its time is interpolated, linearly in the logarithms of both. Where
   none is known so, it is as at the next size that was measured of the collective, if that is
   within a factor of 2. */
uint32_t tny_profile_candidates(const struct tny_profile *profile, enum tny_collective collective,
                                uint32_t rank_count, uint64_t block_bytes,
                                struct tny_profile_candidate *list, uint32_t max);
/* What serves a size best. */
struct tny_profile_best {
  /* The fastest of those of which there is no doubt, or of all; native if less than 4 % slower. */
  struct tny_profile_candidate candidate;
  uint64_t native_ns; /* native's time; 0: unknown */
  bool is_doubtful; /* a plan whose third quartile isn't under native's first, another of the MPI's
                       own whose median isn't clearly under native's; of less than three samples,
                       what isn't faster by half */
};
/* False: nothing is known, and *best isn't set. */
bool tny_profile_find_best(const struct tny_profile *profile, enum tny_collective collective,
                           uint32_t rank_count, uint64_t block_bytes,
                           struct tny_profile_best *best);
/* Shorter blocks have native in front; UINT64_MAX: all have. */
uint64_t tny_profile_bytes_min(const struct tny_profile *profile, enum tny_collective collective);

#endif
