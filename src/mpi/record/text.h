/* A record as text: JSON, which `tourney report run` reads (cli/report/recorded.c). All numbers are
   whole, so that no locale of the program's changes them; times are nanoseconds. */
#ifndef TOURNEY_MPI_RECORD_TEXT_H
#define TOURNEY_MPI_RECORD_TEXT_H

#include <tourney/cluster.h>

#include "core/text.h"
#include "mpi/record/counters.h"
#include "mpi/record/record.h"

/* A network of its own in which ranks run: a host, or a namespace. */
struct tny_record_host {
  char name[64];
  uint64_t space; /* tells networks apart whose hosts have one name */
  struct tny_counters counted;
};
/* What the record's rows don't say of the run. All borrowed. */
struct tny_record_about {
  const char *version, *mpi, *program;
  int64_t began_s; /* since 1970 */
  double took_ns;
  uint32_t rank_count;
  const char *why_native; /* NULL: plans could serve */
  bool has_guard;
  const struct tny_cluster *cluster; /* NULL: none that the ranks agreed on */
  const uint32_t *host_of_rank;
  const char *origin; /* of the cluster, in words */
  const struct tny_record_host *hosts;
  uint32_t host_count;
  bool has_all_hosts; /* or only rank 0's */
};

enum tny_status tny_record_text(const struct tny_record *record,
                                const struct tny_record_about *about, char **text,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
