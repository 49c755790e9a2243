/* A file's tree of switches, in which cables between the same two nodes count once. */
#ifndef TOURNEY_DISCOVER_FILE_TREE_H
#define TOURNEY_DISCOVER_FILE_TREE_H

#include <tourney/cluster.h>

#define TNY_SAID_RATE_SHARE 0.15 /* by so much may rates differ */

/* A bundle carries anything between what can be relied on and all its cables' rate. */
struct tny_said_rate {
  double bps, best_bps;
};

bool tny_said_rate_differs(double measured, struct tny_said_rate said);

/* Of cables between the same two nodes one is the first, in both of its directions. */
bool tny_file_tree_is_first(const struct tny_cluster *cluster, uint32_t link);
/* Sets for each node whether a cable and those beside it cut it off from the cable's end `from`. */
void tny_file_tree_cut(const struct tny_cluster *cluster, const struct tny_link *link,
                       uint8_t *side);
/* What a cable and those beside it carry together, and how many they are. */
struct tny_said_rate tny_file_tree_add_parallel(const struct tny_cluster *cluster,
                                                const struct tny_link *link, uint32_t *cables);

#endif
