/* The cluster of a job for which none was given: the site's file, what Slurm knows of the network,
   or what `tourney discover` found last. */
#ifndef TOURNEY_LAUNCH_FIND_CLUSTER_H
#define TOURNEY_LAUNCH_FIND_CLUSTER_H

#include <tourney/cluster.h>

#include "rates.h"

/* What is known of the job. */
struct launch_search {
  const char *launcher;      /* the command's first word; NULL: not known */
  struct launch_rates rates; /* that were given, for networks without */
};

struct launch_finding {
  struct tny_cluster *cluster; /* owned; NULL: none was found */
  char *value;                 /* for launch_export; owned, tny_text_free */
  char origin[500];            /* where it is from; where there is none, why, and what to do */
};

/* The folder of the site's files: TOURNEY_SITE, else the one that was built in; NULL: none, where
   the variable is empty. */
const char *launch_site_folder(void);

/* Looks in this order: the file cluster.dot of the site's folder; where the job is Slurm's, or srun
   is to make one, what `scontrol show topology` says, cut down to the job's hosts; a remembered
   discovery that has the job's hosts. What is there and can't be used is a reason in `origin`, and
   no error.
   Owns: launch_finding_release, also after a failure. Errors: no memory. */
enum tny_status launch_find_cluster(const struct launch_search *search,
                                    struct launch_finding *finding,
                                    struct tny_error *error) TNY_MUST_CHECK;
void launch_finding_release(struct launch_finding *finding);

#endif
