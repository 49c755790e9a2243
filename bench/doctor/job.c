/* What the ranks say together. */
#include "job.h"

#include <stdlib.h>

#include "core/alloc.h"

_Noreturn void probe_give_up(const char *why)
{
  fprintf(stderr, "tourney-doctor-ranks: %s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

void probe_tell(const struct probe_job *job, struct tny_text *lines)
{
  if (lines->failed)
    probe_give_up("out of memory");
  int length = (int)lines->length, total = 0;
  int *lengths = tny_new(job->rank_count, sizeof *lengths);
  int *starts = tny_new(job->rank_count, sizeof *starts);
  if (!lengths || !starts)
    probe_give_up("out of memory");
  MPI_Gather(&length, 1, MPI_INT, lengths, 1, MPI_INT, 0, job->comm);
  for (uint32_t r = 0; r < job->rank_count; r++) {
    starts[r] = total;
    total += lengths[r];
  }
  char *all = job->rank ? NULL : tny_new((size_t)total + 1, 1);
  if (!job->rank && !all)
    probe_give_up("out of memory");
  MPI_Gatherv(lines->bytes, length, MPI_CHAR, all, lengths, starts, MPI_CHAR, 0, job->comm);
  if (all) {
    fputs(all, stdout);
    fflush(stdout);
  }
  tny_free(all);
  tny_free(lengths);
  tny_free(starts);
  tny_text_release(lines);
}
