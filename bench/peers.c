/* Forcing the MPI's own algorithms, by its tools interface. */
#include "bench/peers.h"

#include <stdio.h>
#include <string.h>

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

/* A control variable of the MPI, for a whole number. */
struct control {
  MPI_T_cvar_handle handle;
  bool is_open;
};

static struct control open_control(const char *name)
{
  struct control control = {.is_open = false};
  int index, count;
  control.is_open = MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
                    MPI_T_cvar_handle_alloc(index, NULL, &control.handle, &count) == MPI_SUCCESS;
  return control;
}

static void close_control(struct control *control)
{
  if (control->is_open)
    MPI_T_cvar_handle_free(&control->handle);
}

/* Whether it then has that value. */
static bool set_control(const struct control *control, int value)
{
  int now = ~value;
  return control->is_open && MPI_T_cvar_write(control->handle, &value) == MPI_SUCCESS &&
         MPI_T_cvar_read(control->handle, &now) == MPI_SUCCESS && now == value;
}

/* Open MPI holds a bool in one byte. */
static bool has_dynamic_rules(void)
{
  struct control control = open_control("coll_tuned_use_dynamic_rules");
  char value[sizeof(int)] = {0};
  const bool is_set =
      control.is_open && MPI_T_cvar_read(control.handle, value) == MPI_SUCCESS && value[0];
  close_control(&control);
  return is_set;
}

static bool at_every_rank(bool here)
{
  int mine = here, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all;
}

/* Duplicates MPI_COMM_WORLD while the algorithm is forced. Returns whether it could be. */
static bool force_algorithm(struct bench_peer *peer)
{
  char name[96];
  snprintf(name, sizeof name, "coll_tuned_%s_algorithm", peer->collective);
  struct control algorithm = open_control(name);
  snprintf(name, sizeof name, "coll_tuned_%s_algorithm_segmentsize", peer->collective);
  struct control segment = open_control(name);
  const bool good = at_every_rank(has_dynamic_rules() && set_control(&algorithm, peer->algorithm) &&
                                  set_control(&segment, peer->segment_bytes));
  if (good)
    MPI_Comm_dup(MPI_COMM_WORLD, &peer->comm);
  set_control(&algorithm, 0);
  set_control(&segment, 0);
  close_control(&segment);
  close_control(&algorithm);
  return good;
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
  int provided, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!count)
    return;
  const bool has_tools =
      at_every_rank(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
  uint32_t missing = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!peers[i].algorithm)
      prefer_han(&peers[i]);
    else if (!has_tools || !force_algorithm(&peers[i]))
      missing++;
  }
  if (missing && !rank)
    fprintf(stderr,
            "tourney-bench-ranks: %u of %u peers are left out, since this MPI doesn't let them be "
            "forced: Open MPI's coll_tuned does, where OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
            "reaches every rank\n",
            (unsigned)missing, (unsigned)count);
  if (has_tools)
    MPI_T_finalize();
}

void bench_peers_close(struct bench_peer *peers, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (peers[i].comm != MPI_COMM_NULL)
      MPI_Comm_free(&peers[i].comm);
  }
}
