/* What is to be built: the caller of `up` makes it, and the keeper builds by it. */
#ifndef TOURNEY_LAB_SPEC_H
#define TOURNEY_LAB_SPEC_H

#include "lab/lab.h"

/* All is borrowed. */
struct tny_lab_spec {
  const struct tny_cluster *cluster;
  const struct tny_routes *routes;
  const char *congestion;
  const char *directory;                 /* the state folder, in which `in` exists */
  const char *ip, *tc;                   /* the tools' paths */
  const struct tny_lab_options *options; /* the caller's, for its progress callback */
  void (*report)(
      const struct tny_lab_progress *progress); /* in the keeper: sends it to the caller */
};

#endif
