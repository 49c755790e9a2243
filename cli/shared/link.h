/* What is shown of a cluster's links: their names, their kinds, how long they are busy. A trunk is
   a link between two switches; any other link is one direction of a host's port. */
#ifndef TOURNEY_CLI_LINK_H
#define TOURNEY_CLI_LINK_H

#include <tourney/cluster.h>

enum { LINK_NAME_CHARS = 64 };
/* "s0 -> s1" */
void link_name(const struct tny_cluster *cluster, uint32_t link, char name[LINK_NAME_CHARS]);

enum link_kind { LINK_OUT_OF_HOST, LINK_INTO_HOST, LINK_TRUNK, LINK_KIND_COUNT };
enum link_kind link_kind_of(const struct tny_cluster *cluster, uint32_t link);

/* Seconds for which so many bytes keep the link busy at its raw rate. */
double link_busy_seconds(const struct tny_cluster *cluster, uint32_t link, uint64_t bytes);

#endif
