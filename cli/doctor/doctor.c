/* `tourney doctor`: says what costs speed outside our reach. Facts are gathered by ranks that it
   starts (gather.c), or read from a file; rules judge them (rules.c), and what they found is shown
   (show.c). */
#include "cli/shared/help.h"
#include "cli/shared/launch/find_cluster.h"
#include "cli/shared/launch/launch.h"
#include "cli/shared/launch/target.h"
#include "cli/shared/options.h"
#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"
#include "cli/shared/whole_file.h"
#include "core/alloc.h"
#include "core/error.h"
#include "gather.h"
#include "show.h"

#include <getopt.h>

static const char help[] =
    "usage: tourney doctor [OPTION...]\n"
    "\n"
    "Says what costs speed outside Tourney's reach: settings of TCP, of the MPI and of the hosts,\n"
    "and a cluster file that doesn't match what is measured. Each finding has its evidence, what\n"
    "it costs, and the command that changes it. In the lab that is up (tourney lab up), or by\n"
    "--launcher on a real cluster. Traffic is bounded: 16 hosts take about ten seconds.\n"
    "\n"
    "  --no-traffic        gathers facts only: no transfers, no all-to-all\n"
    "  --local             this machine alone, without MPI\n"
    "  --facts FILE        judges facts of a file instead, with --cluster C where it has one\n"
    "  --save-facts FILE   also writes the facts there\n"
    "  --list              lists what is checked\n"
    "  --json, --csv       instead of text\n"
    "  --mpi openmpi|mpich  whose ranks to start; default: the launcher's, else openmpi\n"
    "in the lab:\n"
    "  --lab NAME          which; default: $TOURNEY_LAB, else the one named lab\n"
    "  --ranks N           default: one a host\n"
    "  --map block|interleaved   where the ranks sit; default: block\n"
    "  --cluster C         the cluster to check, instead of the lab's own\n"
    "on a real cluster:\n"
    "  --launcher COMMAND  as in 'mpirun -n 16 --hostfile hosts'\n"
    "  --cluster C         the network: a generator or a file; without it TOURNEY_CLUSTER counts,\n"
    "                      then the site's file or Slurm's topology, as for 'tourney run'\n"
    "\n"
    "Exit code: 0 nothing found; 1 findings; 2 bad arguments or cluster; 3 this machine can't, or\n"
    "the ranks failed; 130 interrupted.\n";

struct options {
  const char *cluster, *launcher, *lab, *facts, *save;
  enum tny_map map;
  enum launch_mpi mpi;
  enum cli_format format;
  uint32_t ranks;
  bool no_traffic, local, list, help, map_given, mpi_given;
};

/* A diagnosis: what was asked for, what it uses, what is known. */
struct diagnosis {
  struct options options;
  struct launch_target target; /* its cluster may be NULL */
  struct doctor_facts facts;
  struct doctor_finding *findings;
  struct signals_blocked blocked;
  struct tny_error error;
};

static enum tny_status read_options(int argc, char **argv, struct options *o,
                                    struct tny_error *error)
{
  const struct cli_option table[] = {
      {.name = "cluster", .text = &o->cluster},
      {.name = "launcher", .text = &o->launcher},
      {.name = "lab", .text = &o->lab},
      {.name = "facts", .text = &o->facts},
      {.name = "save-facts", .text = &o->save},
      {.name = "ranks", .number = &o->ranks, .least = 2, .most = CLI_COUNT_MAX},
      {.name = "map", .map = &o->map, .given = &o->map_given},
      {.name = "mpi", .take = launch_mpi_take, .into = &o->mpi, .given = &o->mpi_given},
      {.name = "no-traffic", .flag = &o->no_traffic},
      {.name = "local", .flag = &o->local},
      {.name = "list", .flag = &o->list},
      {.name = "csv", .format = &o->format, .shorthand = CLI_CSV},
      {.name = "json", .format = &o->format, .shorthand = CLI_JSON},
      {.name = "help", .flag = &o->help},
      {0}};
  const enum tny_status status = cli_options_read(argc, argv, table, error);
  if (status == TNY_OK && optind < argc)
    return tny_error_set(error, TNY_BAD_INPUT, "unknown argument '%s'", argv[optind]);
  return status == TNY_OK ? launch_choose_mpi(o->launcher, o->mpi_given, &o->mpi, error) : status;
}

/* What goes together. */
static enum tny_status check_options(const struct options *o, struct tny_error *error)
{
  const int sources = !!o->launcher + !!o->lab + !!o->facts + o->local;
  if (sources > 1)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--launcher, --lab, --facts and --local: choose one");
  if ((o->ranks || o->map_given) && (o->launcher || o->facts || o->local))
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--ranks and --map are for the lab; tell the launcher, as in --launcher "
                         "'mpirun -n 16'");
  if (o->cluster && o->local)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--local looks at this machine alone, and takes no --cluster");
  return TNY_OK;
}

/* For a launcher without a cluster: looks for one as `tourney run` does, and says where it is
   from. */
static enum tny_status find_cluster(struct diagnosis *diagnosis, char **value)
{
  struct tny_error *error = &diagnosis->error;
  struct launch_finding finding;
  wordexp_t words;
  enum tny_status status = launch_split(diagnosis->options.launcher, &words, error);
  if (status != TNY_OK)
    return status;
  const struct launch_search search = {.launcher = words.we_wordv[0]};
  status = launch_find_cluster(&search, &finding, error);
  wordfree(&words);
  if (status == TNY_OK && !finding.cluster)
    status = tny_error_set(error, TNY_BAD_INPUT, "%s", finding.origin);
  if (status != TNY_OK)
    return status;
  fprintf(stderr, "tourney doctor: the cluster is from %s\n", finding.origin);
  diagnosis->target.cluster = finding.cluster;
  *value = finding.value;
  return TNY_OK;
}

/* Opens the cluster, and tells the ranks of it. */
static enum tny_status open_target(struct diagnosis *diagnosis)
{
  const struct options *o = &diagnosis->options;
  struct tny_error *error = &diagnosis->error;
  const char *named = o->launcher && !o->cluster ? getenv("TOURNEY_CLUSTER") : o->cluster;
  const struct launch_target_wanted wanted = {
      .in_lab = !o->launcher && !o->facts && !o->local,
      .lab = o->lab,
      .cluster = named && *named ? named : NULL,
      .otherwise = "look at a real cluster by --launcher 'mpirun ...' --cluster C, or at this "
                   "machine by --local",
      .is_shared = o->no_traffic};
  char *value;
  enum tny_status status = launch_target_open(&diagnosis->target, &wanted, &value, error);
  if (status == TNY_OK && o->launcher && !wanted.cluster)
    status = find_cluster(diagnosis, &value);
  unsetenv("TOURNEY_MAP"); /* the hosts' names count */
  unsetenv("TOURNEY_ALGORITHM");
  const struct launch_settings settings = {.mpi = o->mpi, .cluster = value};
  if (status == TNY_OK && !o->facts && !o->local)
    status = launch_export(&settings, error);
  tny_text_free(value);
  return status;
}

/* Returns an exit code; CLI_OK: the facts are there. */
static int gather(struct diagnosis *diagnosis)
{
  const struct options *o = &diagnosis->options;
  struct doctor_gathering gathering = {.local = o->local,
                                       .no_traffic = o->no_traffic,
                                       .mpi = o->mpi,
                                       .launcher = o->launcher,
                                       .lab = diagnosis->target.lab,
                                       .map = o->map,
                                       .ranks = o->ranks,
                                       .facts = &diagnosis->facts,
                                       .blocked = &diagnosis->blocked};
  enum tny_status status = doctor_gather(&gathering, &diagnosis->error);
  if (status == TNY_OK && diagnosis->target.lab && !gathering.interrupted) {
    bool known;
    char line[TNY_LAB_NAME_MAX + 8];
    snprintf(line, sizeof line, "lab %s", diagnosis->target.lab->name);
    status = doctor_facts_read(&diagnosis->facts, line, &known, &diagnosis->error);
    tny_text_add(&gathering.lines, "%s\n", line);
  }
  char *lines = NULL;
  if (status == TNY_OK && !gathering.interrupted && o->save)
    status = tny_text_take(&gathering.lines, &lines, &diagnosis->error);
  if (lines)
    status = whole_file_write(o->save, lines, &diagnosis->error);
  tny_text_free(lines);
  tny_text_release(&gathering.lines);
  if (status != TNY_OK)
    return cli_fail(&diagnosis->error);
  if (gathering.interrupted)
    fputs("tourney doctor: interrupted\n", stderr);
  return gathering.interrupted ? CLI_INTERRUPTED : CLI_OK;
}

static int judge(struct diagnosis *diagnosis)
{
  char *shown = NULL;
  diagnosis->findings = tny_new(doctor_rule_count, sizeof *diagnosis->findings);
  enum tny_status status = diagnosis->findings ? TNY_OK : tny_error_memory(&diagnosis->error);
  if (status == TNY_OK)
    status = doctor_judge(&diagnosis->facts, diagnosis->findings, &diagnosis->error);
  if (status == TNY_OK)
    status = doctor_show(&diagnosis->facts, diagnosis->findings, diagnosis->options.format, &shown,
                         &diagnosis->error);
  const int code = cli_finish(status, shown, &diagnosis->error);
  if (code != CLI_OK)
    return code;
  return doctor_count(diagnosis->findings, DOCTOR_FOUND) ? CLI_FAILED : CLI_OK;
}

static int make(struct diagnosis *diagnosis)
{
  enum tny_status status = open_target(diagnosis);
  if (status == TNY_OK)
    status =
        launch_target_ranks(&diagnosis->target, 1, &diagnosis->options.ranks, &diagnosis->error);
  if (status == TNY_OK)
    status = doctor_facts_init(&diagnosis->facts, diagnosis->target.cluster, &diagnosis->error);
  if (status == TNY_OK && diagnosis->options.facts)
    status = doctor_facts_open(&diagnosis->facts, diagnosis->options.facts, &diagnosis->error);
  if (status != TNY_OK)
    return cli_fail(&diagnosis->error);
  const int code = diagnosis->options.facts ? CLI_OK : gather(diagnosis);
  return code == CLI_OK ? judge(diagnosis) : code;
}

static void release(struct diagnosis *diagnosis)
{
  if (diagnosis->findings)
    doctor_findings_release(diagnosis->findings);
  tny_free(diagnosis->findings);
  doctor_facts_release(&diagnosis->facts);
  launch_target_close(&diagnosis->target);
}

int cli_doctor(int argc, char **argv)
{
  struct diagnosis diagnosis = {0};
  if (read_options(argc, argv, &diagnosis.options, &diagnosis.error) != TNY_OK ||
      check_options(&diagnosis.options, &diagnosis.error) != TNY_OK)
    return cli_usage_error("doctor", "%s", diagnosis.error.text);
  if (diagnosis.options.help)
    return cli_print_help(help);
  if (diagnosis.options.list) {
    char *shown = NULL;
    const enum tny_status status = doctor_show_rules(&shown, &diagnosis.error);
    return cli_finish(status, shown, &diagnosis.error);
  }
  signals_block(&diagnosis.blocked);
  const int code = make(&diagnosis);
  release(&diagnosis);
  signals_release(&diagnosis.blocked);
  return code;
}
