/* A network that was found, with its hosts' names: as a cluster, and beside one that is on file. */
#ifndef TOURNEY_DISCOVER_DESCRIBE_H
#define TOURNEY_DISCOVER_DESCRIBE_H

#include <tourney/cluster.h>

#include "core/text.h"
#include "discover/discover.h"

struct tny_discovered {
  const struct tny_discovery *found; /* borrowed */
  const char *const *names;          /* by host; borrowed */
};

/* A rate or a size to three digits: more wasn't measured. */
uint64_t tny_discovered_rounded(double number);
/* The name of a switch, by its number in the tree. */
void tny_discovered_switch(const struct tny_discovered *network, uint32_t number, char name[32]);
/* Owns: *cluster is the caller's. */
enum tny_status tny_discovered_cluster(const struct tny_discovered *network,
                                       struct tny_cluster **cluster,
                                       struct tny_error *error) TNY_MUST_CHECK;

enum tny_fault_kind {
  TNY_FAULT_STRANGER,  /* a host that the file hasn't */
  TNY_FAULT_MISSING,   /* a host of the file that wasn't there */
  TNY_FAULT_MISCABLED, /* a host at another switch */
  TNY_FAULT_HOST_RATE,
  TNY_FAULT_TRUNK_RATE,
  TNY_FAULT_NO_TRUNK,  /* a trunk of the file that nothing was seen of */
  TNY_FAULT_NEW_TRUNK, /* one that the file hasn't */
};
const char *tny_fault_kind_name(enum tny_fault_kind kind);

struct tny_fault {
  enum tny_fault_kind kind;
  char what[96]; /* the host, or the two ends */
  char text[320];
};

struct tny_faults {
  struct tny_fault *at;
  uint32_t count, room;
  uint32_t unjudged; /* trunks of the file whose rate no streams could fill */
};

/* TNY_OK where what is found can be held beside the cluster: it is a tree but for parallel cables.
   Errors: TNY_REFUSED; the text has the remedy where parallel spines make the cycles. */
enum tny_status tny_discovered_require_tree(const struct tny_cluster *cluster,
                                            struct tny_error *error) TNY_MUST_CHECK;
/* What differs from a cluster. Errors: those of tny_discovered_require_tree. Owns: *faults, by
   tny_faults_release, also after a failure. */
enum tny_status tny_discovered_check(const struct tny_discovered *network,
                                     const struct tny_cluster *cluster, struct tny_faults *faults,
                                     struct tny_error *error) TNY_MUST_CHECK;
void tny_faults_release(struct tny_faults *faults);

#endif
