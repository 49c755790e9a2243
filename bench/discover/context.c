/* How hosts wait, and how all end. */
#include "bench/discover/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SLEEP_US_MIN = 200, SLEEP_US_MAX = 1600 };

void discover_wait(void *buffer, int bytes, int from, enum discover_tag tag, MPI_Comm comm)
{
  MPI_Request request;
  int is_there = 0;
  useconds_t sleep_us = SLEEP_US_MIN;
  MPI_Irecv(buffer, bytes, MPI_BYTE, from, (int)tag, comm, &request);
  while (MPI_Test(&request, &is_there, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_there) {
    usleep(sleep_us);
    if (sleep_us < SLEEP_US_MAX)
      sleep_us *= 2;
  }
}

_Noreturn void discover_give_up(const char *why)
{
  fprintf(stderr, "tourney-discover-ranks: %s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

void discover_report(struct discover_host *host, const struct discover_result *result,
                     int32_t number)
{
  if (host->host == 0)
    host->results[number] = *result;
  else
    MPI_Send(result, sizeof *result, MPI_BYTE, 0, DISCOVER_RESULT, host->hosts);
}

void discover_await(struct discover_host *host, int32_t number, int32_t from)
{
  if (from != 0)
    discover_wait(&host->results[number], sizeof *host->results, from, DISCOVER_RESULT,
                  host->hosts);
}
