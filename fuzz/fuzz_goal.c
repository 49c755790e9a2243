/* Fuzz target: the input as GOAL. Reading and proving it ends, and what is proved and has data
   becomes a schedule of ours that is proved too. As a program it comes to its end or deadlocks, all
   ranks on one host. */
#include "fuzz_foreign.h"

#include <tourney/simulate.h>

static void simulate(const struct tny_program *program)
{
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  struct tny_simulation *simulation;
  uint32_t *host_of_rank = tny_new(program->rank_count, sizeof *host_of_rank);
  require(host_of_rank && tny_cluster_generate("single:1", &cluster, NULL) == TNY_OK &&
          tny_routes_make(cluster, &routes, NULL) == TNY_OK);
  const struct tny_network_model network = {.routes = routes,
                                            .channels = 1,
                                            .depth = 1,
                                            .link_cycles = 1,
                                            .inject_cycles = 1,
                                            .eject_cycles = 1,
                                            .credit_cycles = 1,
                                            .ports = 1};
  const struct tny_host_model hosts = {
      .host_of_rank = host_of_rank, .flit_bytes = UINT32_MAX, .send_ns = 3, .recv_ns = 2};
  const enum tny_status status =
      tny_simulate(&network, &hosts, program, NULL, &simulation, NULL, NULL);
  require(status == TNY_OK || status == TNY_BROKEN || status == TNY_REFUSED);
  tny_simulation_free(simulation);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  tny_free(host_of_rank);
}

static void fuzz(const char *text)
{
  struct tny_foreign *foreign;
  struct tny_program *program;
  if (tny_goal_read(text, "fuzz", &foreign, NULL) != TNY_OK)
    return;
  prove_and_take_over(foreign);
  const enum tny_status status = tny_foreign_program(foreign, &program, NULL);
  require(status == TNY_OK || status == TNY_BROKEN || status == TNY_REFUSED);
  if (status == TNY_OK)
    simulate(program);
  tny_program_free(program);
  tny_foreign_free(foreign);
}
