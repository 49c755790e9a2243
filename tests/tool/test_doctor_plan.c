/* The transfers by which tourney doctor measures a cluster are bounded, and go between the right
   hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/doctor/plan.h"
#include "cluster/links.h"
#include "core/alloc.h"

static const char *const clusters[] = {
    "single:2",   "single:16", "switches:8+8",  "switches:1+1",
    "torus:4x4",  "fattree:4", "switches:5+11", "irregular:24,switches=3,seed=7001",
    "single:200",
};
#define CLUSTER_COUNT (sizeof clusters / sizeof *clusters)

struct planned {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint32_t *leaders;
  struct probe_plan plan;
};

/* One rank a host; every `gap`-th host has none, where gap isn't 0. */
static void plan(struct planned *planned, const char *cluster, uint32_t gap)
{
  struct tny_error error = {0};
  assert_int_equal(tny_cluster_generate(cluster, &planned->cluster, &error), TNY_OK);
  assert_int_equal(tny_routes_make(planned->cluster, &planned->routes, &error), TNY_OK);
  planned->leaders = tny_new(planned->cluster->host_count, sizeof *planned->leaders);
  for (uint32_t h = 0; h < planned->cluster->host_count; h++)
    planned->leaders[h] = gap && h % gap == 1 ? TNY_NONE : h;
  assert_int_equal(probe_plan_make(planned->routes, planned->leaders, &planned->plan, &error),
                   TNY_OK);
}

static void release(struct planned *planned)
{
  probe_plan_release(&planned->plan);
  tny_free(planned->leaders);
  tny_routes_free(planned->routes);
  tny_cluster_free(planned->cluster);
}

static void nobody_sends_twice_in_a_round_or_receives_more_than_fits(void **state)
{
  (void)state;
  for (size_t c = 0; c < CLUSTER_COUNT; c++) {
    struct planned p;
    plan(&p, clusters[c], 5);
    for (uint32_t r = 0; r < p.plan.round_count; r++) {
      const struct probe_round *round = &p.plan.rounds[r];
      assert_true(round->count > 0);
      for (uint32_t i = round->first; i < round->first + round->count; i++) {
        uint32_t sends = 0, receives = 0;
        assert_int_not_equal(p.plan.transfers[i].from, p.plan.transfers[i].to);
        assert_int_not_equal(p.plan.transfers[i].from, TNY_NONE);
        assert_int_not_equal(p.plan.transfers[i].to, TNY_NONE);
        for (uint32_t k = round->first; k < round->first + round->count; k++) {
          sends += p.plan.transfers[k].from == p.plan.transfers[i].from;
          receives += p.plan.transfers[k].to == p.plan.transfers[i].to;
        }
        assert_int_equal(sends, 1);
        assert_true(receives <= PROBE_INCOMING_MAX);
      }
    }
    release(&p);
  }
}

static void every_port_sends_and_receives_alone(void **state)
{
  (void)state;
  for (size_t c = 0; c < CLUSTER_COUNT; c++) {
    struct planned p;
    plan(&p, clusters[c], 0);
    for (uint32_t h = 0; h < p.cluster->host_count; h++) {
      bool sends = false, receives = false;
      for (uint32_t r = 0; r < p.plan.round_count; r++)
        for (uint32_t i = 0; p.plan.rounds[r].kind == PROBE_SOLO && i < p.plan.rounds[r].count;
             i++) {
          sends |= p.plan.transfers[p.plan.rounds[r].first + i].from == h;
          receives |= p.plan.transfers[p.plan.rounds[r].first + i].to == h;
        }
      assert_true(sends && receives);
    }
    release(&p);
  }
}

static void what_is_in_flight_fits_the_files_buffers(void **state)
{
  (void)state;
  for (size_t c = 0; c < CLUSTER_COUNT; c++) {
    struct planned p;
    plan(&p, clusters[c], 0);
    for (uint32_t r = 0; r < p.plan.round_count; r++) {
      uint64_t in_flight = 0;
      for (uint32_t i = 0; i < p.plan.rounds[r].count; i++) {
        const struct probe_transfer *t = &p.plan.transfers[p.plan.rounds[r].first + i];
        assert_true(t->chunk_bytes > 0 && t->chunk_bytes <= PROBE_CHUNK_BYTES_MAX);
        assert_true(t->window > 0);
        in_flight += (uint64_t)t->window * t->chunk_bytes;
      }
      if (p.plan.rounds[r].kind == PROBE_CUT || p.plan.rounds[r].kind == PROBE_BUFFER)
        assert_true(in_flight <= tny_cluster_least_buffer(p.cluster));
    }
    release(&p);
  }
}

static void transfers_of_a_cut_take_its_trunk(void **state)
{
  (void)state;
  struct planned p;
  uint32_t cuts = 0;
  plan(&p, "switches:4+4+4", 0);
  for (uint32_t r = 0; r < p.plan.round_count; r++)
    for (uint32_t i = 0; p.plan.rounds[r].kind == PROBE_CUT && i < p.plan.rounds[r].count; i++) {
      const struct probe_transfer *t = &p.plan.transfers[p.plan.rounds[r].first + i];
      bool takes = false;
      uint32_t l;
      for (uint32_t n = t->from; (l = tny_routes_next(p.routes, n, t->to)) != TNY_NONE;
           n = p.cluster->links[l].to)
        takes |= l == t->link;
      assert_true(takes);
      cuts++;
    }
  assert_true(cuts >= 4);
  release(&p);
}

static void measuring_sixteen_hosts_takes_under_half_a_minute(void **state)
{
  (void)state;
  static const char *const sixteen[] = {"single:16", "switches:8+8", "torus:4x4", "fattree:4"};
  for (size_t c = 0; c < sizeof sixteen / sizeof *sixteen; c++) {
    struct planned p;
    plan(&p, sixteen[c], 0);
    assert_true(p.plan.seconds > 1 && p.plan.seconds < 30);
    release(&p);
  }
}

static void a_thousand_hosts_are_measured_several_at_once(void **state)
{
  (void)state;
  struct planned p;
  plan(&p, "single:1000", 0);
  assert_true(p.plan.seconds < 60);
  release(&p);
}

static void a_single_host_has_nothing_to_measure(void **state)
{
  (void)state;
  struct planned p;
  plan(&p, "single:2", 2);
  assert_int_equal(p.plan.round_count, 0);
  release(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nobody_sends_twice_in_a_round_or_receives_more_than_fits),
      cmocka_unit_test(every_port_sends_and_receives_alone),
      cmocka_unit_test(what_is_in_flight_fits_the_files_buffers),
      cmocka_unit_test(transfers_of_a_cut_take_its_trunk),
      cmocka_unit_test(measuring_sixteen_hosts_takes_under_half_a_minute),
      cmocka_unit_test(a_thousand_hosts_are_measured_several_at_once),
      cmocka_unit_test(a_single_host_has_nothing_to_measure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
