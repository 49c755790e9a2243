/* Makes the world in MPI_Init: all ranks agree on the cluster, where everyone sits, and what was
   asked for. Rank 0 reads the environment and any file, and all go by its copy; so no host can see
   something else. */
#include "mpi/start.h"

#include <sys/stat.h>
#include <unistd.h>

#include <tourney/runtime.h>

#include "core/alloc.h"
#include "core/bytes.h"
#include "core/error.h"
#include "core/text.h"
#include "mpi/background/lane.h"
#include "mpi/background/numbers.h"
#include "mpi/background/progress.h"
#include "mpi/background/under_way.h"
#include "mpi/comm_state.h"
#include "mpi/explain.h"
#include "mpi/forced_comm.h"
#include "mpi/guard/clock.h"
#include "mpi/guard/learn.h"
#include "mpi/linkage/bindings.h"
#include "mpi/linkage/mark.h"
#include "mpi/native.h"
#include "mpi/network/network.h"
#include "mpi/presence.h"
#include "mpi/record/job.h"
#include "mpi/world.h"

#define LATE_SECONDS 10.0 /* that MPI_Init may take to bring all ranks here */

static struct tny_world world = {
    .why_native = "MPI isn't initialised",
    .count_keyval = MPI_KEYVAL_INVALID,
    .keyval = MPI_KEYVAL_INVALID,
    .lane_keyval = MPI_KEYVAL_INVALID,
    .comm = MPI_COMM_NULL,
    .self = MPI_COMM_NULL,
};

/* One entry of TOURNEY_ALGORITHM: COLLECTIVE=NAME. */
static enum tny_status force(const char *entry, struct tny_error *error)
{
  char collective_name[32];
  const char *name = strchr(entry, '=');
  const size_t length = name ? (size_t)(name - entry) : 0;
  if (length == 0 || length >= sizeof collective_name)
    return tny_error_set(error, TNY_BAD_INPUT, "TOURNEY_ALGORITHM: '%s' isn't COLLECTIVE=NAME",
                         entry);
  memcpy(collective_name, entry, length);
  collective_name[length] = '\0';
  name++;
  enum tny_collective collective;
  const enum tny_status status = tny_collective_parse(collective_name, &collective, error);
  if (status != TNY_OK)
    return status;
  world.forced[collective].set = true;
  world.forced[collective].choice = (struct tny_algorithm_choice){0};
  if (strcmp(name, "native") == 0)
    return TNY_OK;
  struct tny_error cause = {0};
  if (tny_algorithm_parse(collective, name, &world.forced[collective].choice, &cause) == TNY_OK)
    return TNY_OK;
  return tny_error_set(error, cause.status, "TOURNEY_ALGORITHM: %s", cause.text);
}

/* The comma list of TOURNEY_ALGORITHM; cuts up its argument. */
static enum tny_status read_forced(char *list, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (char *entry = list; status == TNY_OK && entry && entry[0];) {
    char *comma = strchr(entry, ',');
    if (comma)
      *comma = '\0';
    status = force(entry, error);
    entry = comma ? comma + 1 : NULL;
  }
  return status;
}

static void go_native(const char *why)
{
  world.why_native = why;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    world.bytes_min[c] = UINT64_MAX;
}

/* All ranks, of which this is `rank`. */
static struct tny_ranks all_ranks(int rank)
{
  return (struct tny_ranks){MPI_COMM_WORLD, rank, (int)world.rank_count};
}

/* Gives all ranks a copy of rank 0's text, as tny_ranks_share_text() does. */
static char *share_text(const char *text, int rank)
{
  const struct tny_ranks ranks = all_ranks(rank);
  return tny_ranks_share_text(&ranks, text);
}

/* All ranks tell each other whether they have an error. Of those that have one the first warns, and
   all go native. Returns whether none has. */
static bool agree_on_success(const struct tny_error *error, int rank)
{
  const struct tny_ranks ranks = all_ranks(rank);
  const int first = tny_ranks_first_failed(&ranks, error);
  if (first == rank)
    tny_explain_warn("%s; all collectives are native", error->text);
  if (first < (int)world.rank_count)
    go_native("not to be planned for (see the warning)");
  return first == (int)world.rank_count;
}

static bool agree_on_cluster(int rank)
{
  const struct tny_ranks ranks = all_ranks(rank);
  struct tny_error error = {0};
  tny_network_read(&world, &ranks, getenv("TOURNEY_CLUSTER"), &error);
  char *list = share_text(rank == 0 ? getenv("TOURNEY_ALGORITHM") : NULL, rank);
  if (error.status == TNY_OK)
    (void)!read_forced(list, &error);
  tny_free(list);
  return agree_on_success(&error, rank);
}

/* TOURNEY_MAP places the ranks for trying plans out on one machine. */
static bool agree_on_hosts(int rank)
{
  const struct tny_ranks ranks = all_ranks(rank);
  struct tny_error error = {0};
  tny_network_place(&world, &ranks, getenv("TOURNEY_MAP"), &error);
  return agree_on_success(&error, rank);
}

/* At rank 0, for who asked for it: the cluster, how much of it the job has, where it is from. */
static void say_cluster(void)
{
  const char *origin = getenv("TOURNEY_ORIGIN");
  if (tny_explain_is_open())
    tny_explain_cluster("cluster '%.200s', %u of its %u hosts, from %.500s", world.cluster->name,
                        (unsigned)tny_network_host_count(&world),
                        (unsigned)world.cluster->host_count, origin ? origin : "TOURNEY_CLUSTER");
}

/* Rank 0's TOURNEY_PROVE counts. */
static void agree_on_proofs(int rank)
{
  const char *given = getenv("TOURNEY_PROVE");
  int prove = rank == 0 && given && given[0] && strcmp(given, "0") != 0;
  tny_native.bcast(&prove, 1, MPI_INT, 0, MPI_COMM_WORLD);
  world.prove = prove;
}

/* Reads a profile's text, and says where it isn't of this cluster and these ranks. */
static enum tny_status read_profile(const char *text, struct tny_error *error)
{
  const struct tny_network network = {
      .routes = world.routes, .host_of_rank = world.host_of_rank, .rank_count = world.rank_count};
  struct tny_fingerprint here;
  enum tny_status status = tny_profile_read_flat(text, &world.profile, error);
  if (status == TNY_OK)
    status = tny_fingerprint_make(&network, &here, error);
  if (status != TNY_OK)
    return status;
  const char *difference = tny_fingerprint_difference(&world.profile->fingerprint, &here);
  return difference ? tny_error_set(error, TNY_REFUSED,
                                    "the profile was measured on %s: make one for this by 'tourney "
                                    "tune'",
                                    difference)
                    : TNY_OK;
}

/* Rank 0's TOURNEY_PROFILE counts, and only where every rank could read it. */
static void agree_on_profile(int rank)
{
  struct tny_error error = {0};
  const char *given = getenv("TOURNEY_PROFILE");
  const bool is_asked_for = rank == 0 && given && given[0];
  char *text = share_text(is_asked_for ? given : NULL, rank);
  int first = text && read_profile(text, &error) != TNY_OK ? rank : (int)world.rank_count;
  if (is_asked_for && !text)
    first = 0;
  tny_free(text);
  tny_native.allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == (int)world.rank_count)
    return;
  if (first == rank)
    tny_explain_warn("%s; no profile is used", text ? error.text : "no memory for the profile");
  tny_profile_free(world.profile);
  world.profile = NULL;
}

/* Rank 0's TOURNEY_GUARD counts; it is on unless that is 0. */
static void agree_on_guard(int rank)
{
  const char *given = getenv("TOURNEY_GUARD");
  int guard = rank == 0 && !(given && strcmp(given, "0") == 0);
  tny_native.bcast(&guard, 1, MPI_INT, 0, MPI_COMM_WORLD);
  world.guard = guard;
  world.start_ns = tny_clock_ns();
}

/* Rank 0's TOURNEY_STORE counts, and its files alone are read: other hosts may lack them. */
static void agree_on_store(int rank)
{
  const char *given = rank == 0 ? getenv("TOURNEY_STORE") : NULL;
  struct stat found;
  if (given && given[0]) {
    if (stat(given, &found) == 0 && S_ISDIR(found.st_mode))
      world.store = tny_copy_text(given);
    else
      tny_explain_warn("TOURNEY_STORE: %s is no folder; no stored plans are used", given);
  }
  int has_store = world.store != NULL;
  tny_native.bcast(&has_store, 1, MPI_INT, 0, MPI_COMM_WORLD);
  world.has_store = has_store;
}

/* And on whether the MPI can be told to call us as it makes progress. */
static void agree_on_threads(void)
{
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  int greatest[] = {level, !tny_progress_is_possible()};
  tny_native.allreduce(MPI_IN_PLACE, greatest, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  world.threads_multiple = greatest[0] == MPI_THREAD_MULTIPLE;
  world.has_background = !greatest[1];
}

/* While a communicator is made that has one of the MPI's own algorithms forced, no other thread may
   make any. */
static void agree_on_forcing(void)
{
  int can_force = world.profile && !world.threads_multiple && tny_forced_is_possible();
  tny_native.allreduce(MPI_IN_PLACE, &can_force, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  world.can_force = can_force;
}

/* The fewest bytes that are planned for any communicator. */
static void find_shortest(void)
{
  const struct tny_network network = {
      .routes = world.routes, .host_of_rank = world.host_of_rank, .rank_count = world.rank_count};
  const struct tny_model whole =
      tny_model_make(&network, world.rank_count, world.profile ? &world.profile->machine : NULL);
  world.least = tny_model_least(&whole);
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    const enum tny_collective collective = (enum tny_collective)c;
    const uint64_t predicted = tny_model_bytes_min(&world.least, collective, world.guard);
    const uint64_t measured =
        world.profile ? tny_profile_bytes_min(world.profile, collective) : UINT64_MAX;
    const uint64_t shortest = measured < predicted ? measured : predicted;
    world.bytes_min[c] = world.forced[c].set ? 0 : shortest;
  }
}

__attribute__((visibility("default"))) int tourney_set_algorithm(const char *list)
{
  const struct tny_world before = world;
  char *copy = tny_copy_text(list ? list : "");
  if (!copy)
    return -1;
  memset(world.forced, 0, sizeof world.forced);
  const bool is_read = read_forced(copy, NULL) == TNY_OK;
  tny_free(copy);
  if (!is_read)
    world = before;
  else if (!world.why_native)
    find_shortest();
  return is_read ? 0 : -1;
}

/* The greatest tag of the private communicator; 0: unknown. */
static int find_tag_max(void)
{
  int *tag_max, found;
  return PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_max, &found) == MPI_SUCCESS && found
             ? *tag_max
             : 0;
}

/* --- files that rank 0 writes in the end --- */

/* The path that a variable names, from the folder that the program began in; NULL: it names none.
   Owns: tny_text_free. */
static char *find_path(const char *variable)
{
  const char *given = getenv(variable);
  char *folder = given && given[0] && given[0] != '/' ? getcwd(NULL, 0) : NULL;
  struct tny_text text = {0};
  char *path = NULL;
  if (!given || !given[0])
    return NULL;
  tny_text_add(&text, "%s%s%s", folder ? folder : "", folder ? "/" : "", given);
  if (tny_text_take(&text, &path, NULL) != TNY_OK)
    tny_explain_warn("no memory for the path of %s, which isn't written", variable);
  free(folder);
  return path;
}

/* At rank 0, where TOURNEY_RECORD names a file. */
static char *record_path;

static void write_record(void)
{
  struct tny_error error = {0};
  if (tny_record_job_write(&world, record_path, &error) != TNY_OK)
    tny_explain_warn("%s%s%s; there is no record of this run", error.file,
                     error.file[0] ? ": " : "", error.text);
  tny_text_free(record_path);
  record_path = NULL;
}

/* At rank 0, where TOURNEY_LEARN names a file: its path, from the folder that the program began in;
   else NULL. */
static char *learn_path;

static enum tny_status learn_key(struct tny_learn_key *key, struct tny_error *error)
{
  const struct tny_network network = {
      .routes = world.routes, .host_of_rank = world.host_of_rank, .rank_count = world.rank_count};
  struct tny_fingerprint fingerprint;
  const enum tny_status status = tny_fingerprint_make(&network, &fingerprint, error);
  if (status == TNY_OK)
    *key = (struct tny_learn_key){.cluster = world.cluster->name,
                                  .fingerprint =
                                      tny_hash_number(fingerprint.cluster, fingerprint.hosts),
                                  .rank_count = world.rank_count};
  return status;
}

/* At rank 0: gives the group of all ranks what the file has, before the group is asked for it.
   Returns the group, to be put back; NULL: there is none. */
static struct tny_group *read_learnt(void)
{
  MPI_Group members;
  struct tny_group *group = NULL;
  struct tny_error error = {0};
  learn_path = find_path("TOURNEY_LEARN");
  if (!learn_path || PMPI_Comm_group(MPI_COMM_WORLD, &members) != MPI_SUCCESS)
    return NULL;
  struct tny_learn_key key;
  if (!world.guard)
    tny_error_set(&error, TNY_REFUSED, "the guard is off, so that nothing is learnt");
  else if (learn_key(&key, &error) == TNY_OK &&
           (group = tny_group_get(members, 0, (int)world.rank_count, NULL)) != NULL)
    (void)!tny_learn_read(learn_path, &key, &group->results, &error);
  PMPI_Group_free(&members);
  if (error.status != TNY_OK) {
    tny_explain_warn("%s%s%s; nothing is learnt in this run, and the file stays as it is",
                     error.file, error.file[0] ? ": " : "", error.text);
    tny_text_free(learn_path);
    learn_path = NULL;
  }
  return group;
}

/* At rank 0: what all ranks' communicators were settled on. */
static void write_learnt(void)
{
  struct tny_error error = {0};
  struct tny_comm_state *state = NULL;
  if (learn_path && !world.why_native && tny_comm_state_find(MPI_COMM_WORLD, &state) != MPI_SUCCESS)
    state = NULL;
  if (state && state->group && state->group->results.count > 0) {
    struct tny_learn_key key;
    if (learn_key(&key, &error) != TNY_OK ||
        tny_learn_write(learn_path, &key, &state->group->results, &error) != TNY_OK)
      tny_explain_warn("%s%s%s; what was learnt is lost", error.file, error.file[0] ? ": " : "",
                       error.text);
  }
  tny_text_free(learn_path);
  learn_path = NULL;
}

/* Lanes of nonblocking collectives have most of the tags, where there are enough. */
static void share_tags(void)
{
  int tag_max = find_tag_max();
  world.has_background = world.has_background && tny_lane_numbers_open(&tag_max, world.rank_count);
  tny_context_ids_open(tag_max);
}

/* Makes the private communicators, and the state of MPI_COMM_WORLD. */
static bool agree_on_comms(int rank)
{
  struct tny_error error = {0};
  struct tny_comm_state *state;
  if (tny_comm_state_keyval(&world.keyval) != MPI_SUCCESS ||
      tny_lanes_keyval(&world.lane_keyval) != MPI_SUCCESS ||
      PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &world.count_keyval,
                              NULL) != MPI_SUCCESS)
    tny_error_set(&error, TNY_SYSTEM, "MPI gave no attribute key");
  if (PMPI_Comm_dup(MPI_COMM_SELF, &world.self) != MPI_SUCCESS ||
      PMPI_Comm_set_errhandler(world.self, MPI_ERRORS_RETURN) != MPI_SUCCESS)
    tny_error_set(&error, TNY_SYSTEM, "MPI gave no copy of MPI_COMM_SELF");
  if (!agree_on_success(&error, rank))
    return false;
  if (PMPI_Comm_dup(MPI_COMM_WORLD, &world.comm) != MPI_SUCCESS ||
      PMPI_Comm_set_errhandler(world.comm, MPI_ERRORS_RETURN) != MPI_SUCCESS)
    tny_error_set(&error, TNY_SYSTEM, "MPI gave no private communicator");
  if (!agree_on_success(&error, rank))
    return false;
  share_tags();
  struct tny_group *group = rank == 0 ? read_learnt() : NULL;
  if (tny_comm_state_get(MPI_COMM_WORLD, &state) != MPI_SUCCESS)
    tny_error_set(&error, TNY_SYSTEM, "MPI_COMM_WORLD couldn't be prepared");
  if (group)
    tny_group_put(group);
  return agree_on_success(&error, rank);
}

/* Where nobody can be asked who has the runtime, the ranks that have it can't find out either: a
   message to one without it might be taken by the program there. So each of them goes native by
   itself, unless its environment promises that all have it, by TOURNEY_WAIT. */
static bool is_promised(uint32_t rank)
{
  const char *given = getenv("TOURNEY_WAIT");
  if (given && given[0] && strcmp(given, "0") != 0)
    return true;
  if (rank == 0)
    tny_explain_warn("this launcher can't be asked which ranks have the runtime, by PMIx or PMI-1; "
                     "all collectives are native. If all ranks have it, TOURNEY_WAIT=1 says so");
  go_native("not known which ranks have the runtime (see the warning)");
  return false;
}

/* Returns whether every rank has the runtime, as far as the launcher knows; where one hasn't, the
   lowest that has it warns, and all that have it go native. */
static bool check_presence(uint32_t rank)
{
  const struct tny_presence presence = tny_presence_find(world.rank_count);
  if (rank == (presence.is_known ? presence.first_with : 0))
    tny_mark_leave();
  if (world.rank_count == 1)
    return true;
  if (!presence.is_known)
    return is_promised(rank);
  if (presence.first_without == world.rank_count)
    return true;
  if (rank == presence.first_with)
    tny_explain_warn("rank %u has no runtime, or another version of it (is the library on its "
                     "host, is it in its LD_PRELOAD, and is its program linked dynamically?); all "
                     "collectives are native",
                     (unsigned)presence.first_without);
  go_native("a rank without the runtime (see the warning)");
  return false;
}

/* Waits until all ranks are here; says so where that takes long: a rank that was promised to have
   the runtime, and hasn't, never comes. (Rank 0 and the last one look out for it: of programs
   started together, one may be without.) */
static void wait_for_all(int rank)
{
  MPI_Request request;
  int all_here = 0;
  const double start = PMPI_Wtime();
  bool is_late = false;
  if (tny_native.ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS)
    return;
  while (PMPI_Test(&request, &all_here, MPI_STATUS_IGNORE) == MPI_SUCCESS && !all_here) {
    usleep(200);
    if (!is_late && PMPI_Wtime() - start > LATE_SECONDS) {
      is_late = true;
      if (rank == 0 || rank == (int)world.rank_count - 1)
        tny_explain_warn(
            "still waiting in MPI_Init for other ranks: is the runtime's library on all "
            "hosts and in every rank's LD_PRELOAD, and is every program linked dynamically?");
    }
  }
}

void tny_start(void)
{
  int rank, rank_count;
  struct tny_error past = {0};
  (void)!tny_bindings_check(&past);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  const char *explain = getenv("TOURNEY_EXPLAIN");
  if (rank == 0 && explain && explain[0] && strcmp(explain, "0") != 0)
    tny_explain_open();
  record_path = rank == 0 ? find_path("TOURNEY_RECORD") : NULL;
  if (record_path)
    tny_record_job_open();
  world.rank_count = (uint32_t)rank_count;
  tny_world_set(&world);
  if (!check_presence((uint32_t)rank))
    return;
  wait_for_all(rank);
  tny_record_job_agree();
  if (!agree_on_success(&past, rank) || !agree_on_cluster(rank) || !agree_on_hosts(rank))
    return;
  say_cluster();
  agree_on_profile(rank);
  agree_on_threads();
  agree_on_forcing();
  agree_on_proofs(rank);
  agree_on_guard(rank);
  agree_on_store(rank);
  world.why_native = NULL;
  if (agree_on_comms(rank))
    find_shortest();
}

void tny_stop(void)
{
  if (!tny_world_get())
    return;
  write_learnt();
  write_record();
  tny_explain_close();
  if (world.lane_keyval != MPI_KEYVAL_INVALID) {
    tny_under_way_close();
    tny_lanes_close();
    PMPI_Comm_free_keyval(&world.lane_keyval);
  }
  if (world.keyval != MPI_KEYVAL_INVALID) {
    tny_comm_states_close();
    PMPI_Comm_free_keyval(&world.keyval);
  }
  if (world.count_keyval != MPI_KEYVAL_INVALID)
    PMPI_Comm_free_keyval(&world.count_keyval);
  if (world.comm != MPI_COMM_NULL)
    tny_native.comm_free(&world.comm);
  if (world.self != MPI_COMM_NULL)
    tny_native.comm_free(&world.self);
  tny_profile_free(world.profile);
  tny_network_release(&world);
  tny_free(world.store);
  world = (struct tny_world){
      .why_native = "MPI is finalised",
      .count_keyval = MPI_KEYVAL_INVALID,
      .keyval = MPI_KEYVAL_INVALID,
      .lane_keyval = MPI_KEYVAL_INVALID,
      .comm = MPI_COMM_NULL,
      .self = MPI_COMM_NULL,
  };
}
