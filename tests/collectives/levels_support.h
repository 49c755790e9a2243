/* What tests on levels share: zones of switches of hosts of ranks, from a line of text. Included
   once by each test program. */
#ifndef TOURNEY_TESTS_LEVELS_SUPPORT_H
#define TOURNEY_TESTS_LEVELS_SUPPORT_H

#include "support/cluster.h"

#include <tourney/algorithm.h>

enum { RANKS_MAX = 256, SHAPE_MAX = 512 };

/* A cluster with ranks on it, from a line of text: "2.2+1|3" has a zone of two switches, the first
   with two hosts of 2 ranks each, the second with one host of 1; and a zone of one switch, whose
   one host has 3. Switches of a zone are in a line, each zone's first one is joined to all
   others'. */
struct stage {
  const char *shape;
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  struct tny_placement *placement;
  struct tny_network network;
  uint32_t rank_count;
  uint32_t hosts[RANKS_MAX];     /* by rank */
  uint32_t zone_of[SHAPE_MAX];   /* by node */
  uint32_t switch_of[SHAPE_MAX]; /* by node, as a node; of a switch, itself */
};

/* Where the next rank, host and switch go, while the text is read. */
struct draft {
  struct tny_text nodes, cables;
  uint32_t host, first_in_zone[SHAPE_MAX], switches[SHAPE_MAX], zone_count, switch_count;
  uint32_t zone_of_switch[SHAPE_MAX], switch_of_host[SHAPE_MAX];
};

static inline void begin_switch(struct draft *draft, bool begins_zone)
{
  const uint32_t at = draft->switch_count++;
  if (begins_zone) {
    for (uint32_t zone = 0; zone < draft->zone_count; zone++)
      tny_text_add(&draft->cables, "cable s%u s%u 1000000000 10000000 65536\n",
                   draft->first_in_zone[zone], at);
    draft->first_in_zone[draft->zone_count++] = at;
  } else {
    tny_text_add(&draft->cables, "cable s%u s%u 1000000000 1000 65536\n", at - 1, at);
  }
  draft->zone_of_switch[at] = draft->zone_count - 1;
}

static inline uint32_t read_shape(const char *shape, struct draft *draft, uint32_t *hosts)
{
  uint32_t rank_count = 0;
  begin_switch(draft, true);
  for (const char *at = shape; *at; at++) {
    if (*at == '+' || *at == '|')
      begin_switch(draft, *at == '|');
    if (*at < '1' || *at > '9')
      continue;
    const uint32_t host = draft->host++;
    draft->switch_of_host[host] = draft->switch_count - 1;
    tny_text_add(&draft->nodes, "host h%u\n", host);
    tny_text_add(&draft->cables, "cable h%u s%u 1000000000 1000 65536\n", host,
                 draft->switch_count - 1);
    for (uint32_t i = 0; i < (uint32_t)(*at - '0'); i++)
      hosts[rank_count++] = host;
  }
  assert_true(rank_count <= RANKS_MAX);
  return rank_count;
}

/* Ranks by number from the first host on, or scattered. */
static inline void set_up(struct stage *stage, const char *shape, uint64_t scatter)
{
  struct draft draft = {0};
  struct tny_text text = {0};
  struct tny_error error = {0};
  *stage = (struct stage){.shape = shape};
  stage->rank_count = read_shape(shape, &draft, stage->hosts);
  for (uint32_t i = stage->rank_count; scatter > 0 && i-- > 1;) {
    const uint32_t other = draw(&scatter, i + 1), kept = stage->hosts[i];
    stage->hosts[i] = stage->hosts[other];
    stage->hosts[other] = kept;
  }
  tny_text_add(&text, "cluster 1 levels\n%s", draft.nodes.bytes);
  for (uint32_t i = 0; i < draft.switch_count; i++) {
    tny_text_add(&text, "switch s%u\n", i);
    stage->zone_of[draft.host + i] = draft.zone_of_switch[i];
    stage->switch_of[draft.host + i] = draft.host + i;
  }
  for (uint32_t host = 0; host < draft.host; host++) {
    stage->switch_of[host] = draft.host + draft.switch_of_host[host];
    stage->zone_of[host] = draft.zone_of_switch[draft.switch_of_host[host]];
  }
  tny_text_add(&text, "%s", draft.cables.bytes);
  if (tny_cluster_read_flat(text.bytes, &stage->cluster, &error) != TNY_OK)
    fail_msg("%s: %u: %s", shape, error.line, error.text);
  stage->routes = make_routes(stage->cluster);
  assert_int_equal(
      tny_placement_make(stage->cluster, stage->hosts, stage->rank_count, &stage->placement, NULL),
      TNY_OK);
  assert_int_equal(stage->placement->zone_count, draft.zone_count);
  stage->network = (struct tny_network){stage->routes, stage->hosts, stage->rank_count};
  tny_text_release(&text);
  tny_text_release(&draft.nodes);
  tny_text_release(&draft.cables);
}

static inline void tear_down(struct stage *stage)
{
  tny_placement_free(stage->placement);
  tny_routes_free(stage->routes);
  tny_cluster_free(stage->cluster);
}

#endif
