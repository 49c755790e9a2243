/* On which hosts the ranks of a program of ours are, by the lines in which they say it. */
#ifndef TOURNEY_LAUNCH_PLACES_H
#define TOURNEY_LAUNCH_PLACES_H

#include <stdbool.h>

#include <tourney/cluster.h>

/* All zero, with the program: nothing yet. */
struct launch_places {
  const char *program;               /* borrowed; as errors name it */
  const struct tny_cluster *cluster; /* borrowed */
  bool by_number;                    /* placed by `map`, whatever the hosts' names are, as
                                        TOURNEY_MAP tells the runtime */
  enum tny_map map;
  uint32_t rank_count;    /* 0: not said yet */
  uint32_t *host_of_rank; /* owned */
  uint32_t placed_count;  /* ranks of this start that said where they are */
};

/* Gets ready for ranks on this cluster, by TOURNEY_MAP where that is set. */
enum tny_status launch_places_begin(struct launch_places *places, const struct tny_cluster *cluster,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Takes a line, "ranks P" or "rank R host NAME" with R from 0 on. "ranks P" is a new start of the
   program, whose ranks must be as many as before and where they were; host_of_rank stays where it
   is. Errors: any other line; a host that isn't in the cluster; one rank alone, or too many a host;
   a start that isn't like the one before. */
enum tny_status launch_places_take(struct launch_places *places, const char *line,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Whether every rank is placed. */
bool launch_places_are_complete(const struct launch_places *places);
void launch_places_release(struct launch_places *places);

/* The error of a line that the program shouldn't have said. */
enum tny_status launch_places_refuse(const struct launch_places *places, const char *line,
                                     struct tny_error *error);

#endif
