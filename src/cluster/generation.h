/* What the generators share: their options, and the functions by which they add to a build
   (generation.c). Private to src/cluster.

   To add a generator: a function tny_generate_<name> in a file of its own, declared below, and a
   row in the table of generate.c. */
#ifndef TOURNEY_CLUSTER_GENERATION_H
#define TOURNEY_CLUSTER_GENERATION_H

#include "cluster/build.h"

enum tny_generator_option {
  TNY_OPTION_LINK,
  TNY_OPTION_TRUNK,
  TNY_OPTION_LATENCY,
  TNY_OPTION_BUFFER,
  TNY_OPTION_DELAY,
  TNY_OPTION_RATE,
  TNY_OPTION_SWITCHES,
  TNY_OPTION_SEED,
  TNY_OPTION_GLOBAL,
  TNY_OPTION_BOARDS, /* two sides, of 32 bits each: the first is the high half */
};
#define TNY_OPTION_COUNT 10

/* A generator at work. */
struct tny_generation {
  struct tny_build *build;
  const char *name;                   /* "ring" */
  const char *arguments;              /* between the colon and the first comma */
  bool has[TNY_OPTION_COUNT];         /* which options were given */
  uint64_t values[TNY_OPTION_COUNT];  /* their values, 0 where not given */
  struct tny_build_cable link, trunk; /* of hosts, between switches */
  struct tny_build_cable wide;        /* between zones, or a dragonfly's groups */
  uint32_t host_count;                /* added so far; they are numbered through */
};

/* Adds nodes and cables to the build. */
typedef enum tny_status tny_generator(struct tny_generation *generation, struct tny_error *error);

tny_generator tny_generate_single, tny_generate_switches; /* generate_switches.c */
tny_generator tny_generate_zones;                         /* the same */
tny_generator tny_generate_grid;                          /* generate_grid.c */
tny_generator tny_generate_fattree;                       /* generate_fattree.c */
tny_generator tny_generate_irregular;                     /* generate_irregular.c */
tny_generator tny_generate_dragonfly;                     /* generate_dragonfly.c */
tny_generator tny_generate_hammingmesh;                   /* generate_hammingmesh.c */

/* A whole number at *text, which stops behind it; a larger one than TNY_HOSTS_MAX is
   refused as too many hosts. `what` it is, for errors. */
enum tny_status tny_generation_count(const char **text, const char *what, uint32_t *count,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Reads the whole text as `count` numbers of at least 1 with an x between them, whose product is at
   most TNY_HOSTS_MAX. `example` shows them in errors: "groups x switches x hosts, as in 9x4x2". */
enum tny_status tny_generation_sides(const char *text, const char *example, uint32_t count,
                                     uint32_t *sides, struct tny_error *error) TNY_MUST_CHECK;
/* Adds a switch of a letter and a number. */
enum tny_status tny_generation_switch(struct tny_generation *generation, char letter,
                                      uint32_t number, uint32_t *node,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* Adds the next `count` hosts, each with its cable to that switch. */
enum tny_status tny_generation_hosts(struct tny_generation *generation, uint32_t at, uint32_t count,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Adds a cable like that one (the generation's trunk or wide). */
enum tny_status tny_generation_cable(struct tny_generation *generation,
                                     const struct tny_build_cable *like, uint32_t from, uint32_t to,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
