/* Clusters whose switches are trees, for the families of `tourney verify`. */
#ifndef TOURNEY_VERIFY_SWITCH_TREES_H
#define TOURNEY_VERIFY_SWITCH_TREES_H

#include <tourney/cluster.h>

enum { VERIFY_TREE_HOSTS_MAX = 129 };

/* A core switch without hosts, and two leaves or more with about as many hosts as there are leaves,
   dealt out in turn. Owns: *cluster is the caller's, of this and the other two. */
enum tny_status verify_star_make(uint32_t hosts, struct tny_cluster **cluster,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* A random tree of up to 16 switches, the same each time for a number. */
enum tny_status verify_random_tree_make(uint32_t number, uint32_t hosts,
                                        struct tny_cluster **cluster,
                                        struct tny_error *error) TNY_MUST_CHECK;
/* The same, in which about every third cable between switches has a delay so long that a zone
   begins there. */
enum tny_status verify_zone_tree_make(uint32_t number, uint32_t hosts, struct tny_cluster **cluster,
                                      struct tny_error *error) TNY_MUST_CHECK;

#endif
