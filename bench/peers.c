/* The MPI's own algorithms, each on a communicator that has it forced. */
#include "bench/peers.h"

#include <stdio.h>

#include <tourney/algorithm.h>

#include "mpi/forced_comm.h"

bool bench_peer_read(const char *text, struct bench_peer *peer)
{
  unsigned long long least, most;
  *peer = (struct bench_peer){.comm = MPI_COMM_NULL};
  if (sscanf(text, "%15[a-z]/%d/%d/%llu/%llu/%63s", peer->collective, &peer->algorithm,
             &peer->segment_bytes, &least, &most, peer->name) != 6)
    return false;
  peer->bytes_min = least;
  peer->bytes_max = most;
  return peer->algorithm >= 0 && peer->segment_bytes >= 0;
}

/* Returns whether it could be. */
static bool force_algorithm(struct bench_peer *peer)
{
  uint32_t forced[TNY_COLLECTIVE_COUNT] = {0};
  enum tny_collective collective;
  if (tny_collective_parse(peer->collective, &collective, NULL) != TNY_OK)
    return false;
  forced[collective] =
      tny_choice_of_native((uint32_t)peer->algorithm, (uint32_t)peer->segment_bytes).parameter;
  return tny_forced_comm_make(MPI_COMM_WORLD, forced, &peer->comm) == MPI_SUCCESS &&
         peer->comm != MPI_COMM_NULL;
}

/* HAN's priority can't be written once the MPI runs, but a communicator's info may prefer a
   component. Another MPI ignores that: then this peer is native once more. */
static void prefer_han(struct bench_peer *peer)
{
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "ompi_comm_coll_preference", peer->name);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &peer->comm);
  MPI_Info_free(&info);
}

void bench_peers_open(struct bench_peer *peers, uint32_t count)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  uint32_t missing = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!peers[i].algorithm)
      prefer_han(&peers[i]);
    else if (!force_algorithm(&peers[i]))
      missing++;
  }
  if (missing && !rank)
    fprintf(stderr,
            "tourney-bench-ranks: %u of %u peers are left out, since this MPI doesn't let them be "
            "forced: Open MPI's coll_tuned does, where OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
            "reaches every rank\n",
            (unsigned)missing, (unsigned)count);
}

void bench_peers_close(struct bench_peer *peers, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (peers[i].comm != MPI_COMM_NULL)
      MPI_Comm_free(&peers[i].comm);
  }
}
