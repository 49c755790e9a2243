/* `tourney run`: starts an MPI program with the runtime preloaded. Signals and the exit code are
   the program's own; in the end this process says where no rank had the runtime. How programs are
   started: shared/launch/launch.h. */
#include <errno.h>
#include <getopt.h>
#include <unistd.h>

#include "child.h"
#include "cli/shared/launch/find_cluster.h"
#include "cli/shared/launch/launch.h"
#include "cli/shared/launch/reproducible.h"
#include "cli/shared/options.h"
#include "cli/shared/profile/profile_file.h"
#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"
#include "core/arena.h"
#include "core/error.h"
#include "environment.h"
#include "mark.h"

static const char help[] =
    "usage: tourney run [--cluster C] [--link RATE] [--trunk RATE]\n"
    "                   [--algorithm COLLECTIVE=NAME[,...]] [--profile FILE]\n"
    "                   [--explain] [--prove] [--store FOLDER] [--no-guard] [--learn FILE]\n"
    "                   [--record FILE] [--reproducible] [--environment] -- COMMAND...\n"
    "\n"
    "Runs COMMAND, usually 'mpirun ... ./app', with planned collectives. The program stays as it\n"
    "is; what isn't served goes to the MPI's own collectives, untouched.\n"
    "\n"
    "  --cluster C      the network: a generator (switches:8+8) or a file; without it the\n"
    "                   variable TOURNEY_CLUSTER counts, in 'tourney lab run' the lab's, then the\n"
    "                   site's file /etc/tourney/cluster.dot ($TOURNEY_SITE is the folder), then,\n"
    "                   in a job of Slurm's or with srun, what 'scontrol show topology' says,\n"
    "                   then what 'tourney discover' found last\n"
    "  --link RATE      of the hosts' links where Slurm's topology counts, which has no rates;\n"
    "                   without it TOURNEY_LINK, a line 'link RATE' of the site's file rates, or\n"
    "                   the speed of this host's fastest interface\n"
    "  --trunk RATE     the same of links between switches; without any of these as the hosts'\n"
    "  --algorithm COLLECTIVE=NAME[,...]\n"
    "                   one for each collective, as in alltoall=shuffle,bcast=native; without it\n"
    "                   the variable TOURNEY_ALGORITHM counts\n"
    "  --profile FILE   what 'tourney tune' measured here: sizes that it knows are served by what\n"
    "                   was fastest: planned, native, or another of the MPI's own algorithms\n"
    "  --explain        ends with the cluster and where it is from, and a table: calls, bytes, "
    "algorithm, served or native and why\n"
    "  --prove          proves each plan before it is first run, as it will run, at rank 0; one\n"
    "                   that isn't proved is named and isn't run: its calls are native\n"
    "  --no-guard       without it, native and plans are tried in the first calls of each size,\n"
    "                   and the faster one serves; with it, plans serve what they are predicted\n"
    "                   to be fastest for, untried\n"
    "  --learn FILE     keeps what the trials found: rank 0 reads it at the start, where it is\n"
    "                   there, and writes it at the end\n"
    "  --record FILE    rank 0 writes there, at the end, what was served by what and how long it\n"
    "                   took; 'tourney report run FILE' makes a page of it\n"
    "  --reproducible   reductions by plans whose results have the same bits for every message\n"
    "                   size and wherever the ranks sit; slower, and by rank order\n"
    "  --environment    runs nothing: prints the variables that COMMAND's ranks are to get, each "
    "as\n"
    "                   NAME=VALUE with a zero byte behind (env -0); of these TOURNEY_PRELOAD is\n"
    "                   what goes in front of LD_PRELOAD. None where COMMAND isn't to be served,\n"
    "                   with the reason. Slurm's plugin asks so (srun --tourney)\n"
    "  --store FOLDER   takes plans from there that 'tourney plan --store FOLDER' made for this\n"
    "                   cluster and these ranks; others are made when they are first used\n"
    "\n"
    "The MPI is recognised, Open MPI or MPICH: by the libraries of the program, also behind env, "
    "a\n"
    "script or Python's mpi4py, else by the launcher. COMMAND is started by either's mpirun or\n"
    "mpiexec, by 'tourney lab run', or by any launcher that hands its environment on to the ranks\n"
    "(srun). A script must itself call 'mpirun\n"
    "-x LD_PRELOAD -x TOURNEY_CLUSTER -x TOURNEY_ALGORITHM -x TOURNEY_EXPLAIN ...', with those\n"
    "that are set (TOURNEY_PROVE, TOURNEY_PROFILE, TOURNEY_STORE, TOURNEY_GUARD, TOURNEY_LEARN,\n"
    "TOURNEY_RECORD, TOURNEY_ORIGIN, TOURNEY_MARK too); where no rank had the runtime, one line "
    "says so in the "
    "end. Tourney's\n"
    "library must lie at the same path on every host.\n"
    "With TOURNEY=0 in the environment the program runs as without Tourney.\n"
    "Exit code: COMMAND's; 2 bad arguments or cluster, 3 a program is missing.\n";

struct options {
  struct launch_rates rates;
  const char *cluster, *algorithms, *profile, *learn, *record, *store;
  bool explain, prove, no_guard, reproducible, environment, help;
};

static enum tny_status take_link(void *rate, const char *value, struct tny_error *error)
{
  return launch_rate_take(rate, "--link", value, error);
}

static enum tny_status take_trunk(void *rate, const char *value, struct tny_error *error)
{
  return launch_rate_take(rate, "--trunk", value, error);
}

static int read_options(int argc, char **argv, struct options *options)
{
  const struct cli_option table[] = {
      {.name = "cluster", .text = &options->cluster},
      {.name = "link", .take = take_link, .into = &options->rates.link},
      {.name = "trunk", .take = take_trunk, .into = &options->rates.trunk},
      {.name = "algorithm", .text = &options->algorithms},
      {.name = "profile", .text = &options->profile},
      {.name = "explain", .flag = &options->explain},
      {.name = "prove", .flag = &options->prove},
      {.name = "no-guard", .flag = &options->no_guard},
      {.name = "reproducible", .flag = &options->reproducible},
      {.name = "environment", .flag = &options->environment},
      {.name = "learn", .text = &options->learn},
      {.name = "record", .text = &options->record},
      {.name = "store", .text = &options->store},
      {.name = "help", .flag = &options->help},
      {0}};
  struct tny_error error = {0};
  if (cli_options_read_front(argc, argv, table, &error) != TNY_OK)
    return cli_usage_error("run", "%s", error.text);
  if (options->learn && options->no_guard)
    return cli_usage_error("run", "--learn and --no-guard: without trials nothing is learnt");
  if (!options->help && optind == argc)
    return cli_usage_error("run", "no command given; as in: tourney run -- mpirun -n 4 ./app");
  return CLI_OK;
}

/* Does the user have the runtime switched off? */
static bool is_off(void)
{
  const char *given = getenv("TOURNEY");
  return given && strcmp(given, "0") == 0;
}

/* The cluster that was given, or else the one that is found. */
static enum tny_status settle_cluster(const struct options *options, char *const *words,
                                      struct launch_finding *finding, struct tny_error *error)
{
  const char *named = options->cluster ? options->cluster : getenv("TOURNEY_CLUSTER");
  const bool is_named = named && *named, is_in_lab = !is_named && launch_is_lab_run(words);
  const struct launch_search search = {.launcher = words[0], .rates = options->rates};
  *finding = (struct launch_finding){0};
  if (!is_named && !is_in_lab)
    return is_off() ? TNY_OK : launch_find_cluster(&search, finding, error);
  snprintf(finding->origin, sizeof finding->origin, "%s",
           is_in_lab          ? "the lab"
           : options->cluster ? "--cluster"
                              : "TOURNEY_CLUSTER");
  return is_named ? launch_open_cluster(named, &finding->cluster, &finding->value, error) : TNY_OK;
}

static enum tny_status export_settings(const struct options *options, char *const *words,
                                       enum launch_mpi mpi, struct tny_error *error)
{
  struct launch_finding finding;
  char *profile = NULL, *store = NULL, *algorithms = NULL;
  enum tny_status status = settle_cluster(options, words, &finding, error);
  if (status == TNY_OK)
    status = options->algorithms
                 ? launch_check_algorithms("--algorithm", options->algorithms, error)
                 : launch_check_exported(error);
  if (status == TNY_OK && options->reproducible)
    status = launch_reproducible_list(options->algorithms ? options->algorithms
                                                          : getenv("TOURNEY_ALGORITHM"),
                                      &algorithms, error);
  if (status == TNY_OK && options->profile)
    status = profile_file_flatten(options->profile, &profile, error);
  if (status == TNY_OK && options->store)
    status = launch_open_store(options->store, &store, error);
  const struct launch_settings settings = {.mpi = mpi,
                                           .cluster = finding.value,
                                           .origin = finding.origin[0] ? finding.origin : NULL,
                                           .algorithms =
                                               algorithms ? algorithms : options->algorithms,
                                           .profile = profile,
                                           .store = store,
                                           .explain = options->explain,
                                           .learn = options->learn,
                                           .record = options->record,
                                           .prove = options->prove,
                                           .no_guard = options->no_guard,
                                           .forces_natives = profile != NULL};
  if (status == TNY_OK)
    status = launch_export(&settings, error);
  launch_finding_release(&finding);
  tny_text_free(profile);
  tny_text_free(store);
  tny_text_free(algorithms);
  return status;
}

/* Comes back only where the program can't be executed. */
static enum tny_status execute(char *const *words, struct tny_error *error)
{
  struct tny_arena *arena = tny_arena_new();
  char **command = NULL;
  if (!arena)
    return tny_error_memory(error);
  enum tny_status status = launch_prepare(arena, words, &command, error);
  if (status == TNY_OK) {
    execvp(command[0], command);
    status = tny_error_set(error, TNY_SYSTEM, "can't start %s: %s", command[0], strerror(errno));
  }
  tny_arena_free(arena);
  return status;
}

/* Says what stands in the way. Returns whether the runtime is to be preloaded. */
static bool say_what_is_found(const struct launch_uses *uses)
{
  switch (uses->found) {
  case LAUNCH_FOUND:
    return true;
  case LAUNCH_UNKNOWN:
    fprintf(stderr,
            "tourney run: no MPI is to be seen in this command; it gets the runtime for %s\n",
            launch_mpi_title(uses->mpi));
    return true;
  case LAUNCH_OTHER:
    fprintf(stderr,
            "tourney run: %s uses %s, which there is no runtime for; all collectives are native\n",
            uses->where, uses->library);
    return false;
  case LAUNCH_STATIC:
    fprintf(stderr,
            "tourney run: %s is linked with its MPI statically, so that no runtime reaches it; all "
            "collectives are native\n",
            uses->where);
    return false;
  }
  return true;
}

/* Starts the command as it is. */
static enum tny_status execute_natively(char *const *words, struct tny_error *error)
{
  execvp(words[0], words);
  return tny_error_set(error, TNY_SYSTEM, "can't start %s: %s", words[0], strerror(errno));
}

/* Where a command ended well and no rank had the runtime: scripts between may drop variables, on
   all hosts, and then nobody else can say so. */
static int say_what_was_missed(const struct run_mark *mark, int wait_status)
{
  const bool is_marked = run_mark_take(mark);
  if (wait_status == 0 && !is_marked)
    fprintf(stderr,
            "tourney run: no rank reported that it has the runtime. Where the hosts share no "
            "folder with this one, none can; else all collectives were native: does something "
            "between drop LD_PRELOAD or TOURNEY_* (env -i, a script's mpirun without -x, srun "
            "--export)?\n");
  return run_child_end(wait_status);
}

/* What the ranks of a command are to get, for who starts them; nothing where they are to get
   nothing, and why. */
static int print_environment(const struct options *options, char *const *words)
{
  struct tny_error error = {0};
  struct launch_uses uses;
  if (is_off())
    return CLI_OK;
  launch_mpi_recognise(words, &uses);
  if (!run_environment_is_wanted(words, &uses) || !say_what_is_found(&uses))
    return CLI_OK;
  if (export_settings(options, words, uses.mpi, &error) != TNY_OK)
    return cli_fail(&error);
  return run_environment_print();
}

int cli_run(int argc, char **argv)
{
  struct options options = {0};
  const int code = read_options(argc, argv, &options);
  if (code != CLI_OK)
    return code;
  if (options.help)
    return cli_print(help);
  if (options.environment)
    return print_environment(&options, argv + optind);
  struct tny_error error = {0};
  struct launch_uses uses;
  launch_mpi_recognise(argv + optind, &uses);
  enum tny_status status = export_settings(&options, argv + optind, uses.mpi, &error);
  if (status == TNY_OK && !say_what_is_found(&uses))
    status = execute_natively(argv + optind, &error);
  struct run_mark mark;
  int wait_status;
  if (status == TNY_OK && !is_off() && run_mark_make(&mark) && run_child_wait(&wait_status))
    return say_what_was_missed(&mark, wait_status);
  if (status == TNY_OK)
    status = execute(argv + optind, &error);
  return status == TNY_OK ? CLI_OK : cli_fail(&error);
}
