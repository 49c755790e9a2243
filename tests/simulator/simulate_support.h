/* What the simulator's tests share: a network, hosts, and programs written op by op. Included once
   by each test program. Unless a test says otherwise, a cycle is a ns, links' own latencies are
   left out, and a message of F flits takes INJECT + SWITCH + EJECT + F cycles over one switch. */
#ifndef TOURNEY_TESTS_SIMULATE_SUPPORT_H
#define TOURNEY_TESTS_SIMULATE_SUPPORT_H

#include "support/setting.h"

#include <tourney/simulate.h>

enum { INJECT = 2, SWITCH = 3, EJECT = 4, LINK = 5, ONE_SWITCH = INJECT + SWITCH + EJECT };
enum { OPS_MAX = 64 };

/* It stays where it is. */
struct bench {
  struct setting setting;
  struct tny_network_model network;
  struct tny_host_model hosts;
  struct tny_op ops[OPS_MAX];
  uint32_t after[OPS_MAX], first[SETTING_RANKS_MAX + 1];
  uint32_t op_count, after_count;
  struct tny_program program; /* of the ops above */
};

/* rank_count 0: one a host. Takes the cluster over. */
static inline void bench_open_on(struct bench *bench, struct tny_cluster *cluster,
                                 uint32_t rank_count)
{
  *bench = (struct bench){0};
  set_up_on(&bench->setting, cluster, TNY_MAP_BLOCK, rank_count);
  bench->network = (struct tny_network_model){.routes = bench->setting.routes,
                                              .channels = 1,
                                              .depth = 32,
                                              .switch_cycles = SWITCH,
                                              .link_cycles = LINK,
                                              .inject_cycles = INJECT,
                                              .eject_cycles = EJECT,
                                              .credit_cycles = 1,
                                              .ports = 1,
                                              .seed = 1};
  bench->hosts = (struct tny_host_model){.host_of_rank = bench->setting.hosts, .flit_bytes = 1};
  bench->program = (struct tny_program){.rank_count = bench->setting.problem.rank_count,
                                        .first = bench->first,
                                        .ops = bench->ops,
                                        .after = bench->after};
}

static inline void bench_open(struct bench *bench, const char *cluster, uint32_t rank_count)
{
  bench_open_on(bench, open_cluster(cluster), rank_count);
}

static inline void bench_close(struct bench *bench)
{
  tear_down(&bench->setting);
}

/* The next op of `rank`; ranks come one after the other. Returns its number. */
static inline uint32_t add_op(struct bench *bench, uint32_t rank, struct tny_op op)
{
  assert_true(bench->op_count < OPS_MAX);
  op.after_first = bench->after_count;
  bench->ops[bench->op_count] = op;
  for (uint32_t next = rank + 1; next <= bench->program.rank_count; next++)
    bench->first[next] = bench->op_count + 1;
  return bench->op_count++;
}

/* A send or receive; its other end is named later. */
static inline uint32_t add_message(struct bench *bench, uint32_t rank, enum tny_op_kind kind,
                                   uint64_t bytes)
{
  return add_op(bench, rank,
                (struct tny_op){.kind = kind,
                                .partner = TNY_NONE,
                                .bytes = bytes,
                                .phase = TNY_NONE,
                                .behind = TNY_NONE});
}

static inline uint32_t add_work(struct bench *bench, uint32_t rank, uint64_t ns)
{
  return add_message(bench, rank, TNY_OP_WORK, ns);
}

static inline void join(struct bench *bench, uint32_t send, uint32_t recv)
{
  bench->ops[send].partner = recv;
  bench->ops[recv].partner = send;
}

/* The last op waits for `other`. */
static inline void wait_for(struct bench *bench, uint32_t other)
{
  bench->after[bench->after_count++] = other;
  bench->ops[bench->op_count - 1].after_count++;
}

static inline struct tny_simulation *run_program(const struct bench *bench,
                                                 const struct tny_program *program)
{
  struct tny_simulation *simulation;
  struct tny_error error = {0};
  if (tny_simulate(&bench->network, &bench->hosts, program, NULL, &simulation, NULL, &error))
    fail_msg("%s", error.text);
  return simulation;
}

/* The time that the bench's program takes. */
static inline uint64_t cycles_of(const struct bench *bench)
{
  struct tny_simulation *simulation = run_program(bench, &bench->program);
  const uint64_t cycles = simulation->cycles;
  tny_simulation_free(simulation);
  return cycles;
}

#endif
