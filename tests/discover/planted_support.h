/* Networks with planted faults, and what differs from their files. Included once by each test
   program. */
#ifndef TOURNEY_TESTS_DISCOVER_PLANTED_SUPPORT_H
#define TOURNEY_TESTS_DISCOVER_PLANTED_SUPPORT_H

#include "discover_support.h"

#include "discover/describe.h"

enum { PLANTED = 40, RIGHT = 150, FAULTS = 4, NAMES = MADE_HOSTS };

static const struct made_wishes wishes = {.hosts_min = 8,
                                          .hosts_max = 40,
                                          .switches_min = 2,
                                          .switches_max = 6,
                                          .hosts_each_min = 4,
                                          .slow_share = 0.5,
                                          .empty_share = 0.3};

/* A network as it is, and as the file says. */
struct planted {
  struct made_network real, said;
  uint32_t left_out; /* a host that the file hasn't; TNY_NONE: it has all */
  bool has_ghost;    /* a host of the file that isn't there */
  bool has_bundles;  /* trunks of several cables are said to be bundles */
  uint32_t is_least; /* 1 + a host: its rate is found to be the least that it has */
  uint32_t in_a_row; /* 1 + a trunk: it is two bundles, with a switch `mid` between */
  uint32_t expected; /* faults */
  struct {
    enum tny_fault_kind kind;
    char what[64], text[64]; /* the text has it somewhere */
  } faults[FAULTS];
};

static inline void begin_planted(struct planted *planted, uint64_t seed,
                                 const struct made_wishes *wanted)
{
  *planted = (struct planted){.real = draw_network(seed, wanted), .left_out = TNY_NONE};
  planted->said = planted->real;
}

static inline void expect(struct planted *planted, enum tny_fault_kind kind, const char *what,
                          const char *text)
{
  const uint32_t i = planted->expected++;
  planted->faults[i].kind = kind;
  snprintf(planted->faults[i].what, sizeof planted->faults[i].what, "%s", what);
  snprintf(planted->faults[i].text, sizeof planted->faults[i].text, "%s", text);
}

static inline void expect_host(struct planted *planted, enum tny_fault_kind kind, uint32_t host,
                               const char *text)
{
  char name[16];
  snprintf(name, sizeof name, "n%u", host);
  expect(planted, kind, name, text);
}

/* --- the file --- */

static inline void add_file_cables(const struct planted *planted, struct tny_text *text)
{
  for (uint32_t t = 0; t < planted->said.trunk_count; t++) {
    const struct made_trunk *trunk = &planted->said.trunks[t];
    if (planted->in_a_row == t + 1)
      tny_text_add(
          text, "bundle s%u mid %u flow %.0f 1000 65536\nbundle mid s%u 2 flow %.0f 1000 65536\n",
          trunk->a, trunk->cables, trunk->bps / trunk->cables, trunk->b, 0.45 * trunk->bps);
    else if (planted->has_bundles && trunk->cables > 1)
      tny_text_add(text, "bundle s%u s%u %u flow %.0f 1000 65536\n", trunk->a, trunk->b,
                   trunk->cables, trunk->bps / trunk->cables);
    else
      for (uint32_t k = 0; k < trunk->cables; k++)
        tny_text_add(text, "cable s%u s%u %.0f 1000 65536\n", trunk->a, trunk->b,
                     trunk->bps / trunk->cables);
  }
}

static inline struct tny_cluster *make_file(const struct planted *planted)
{
  const struct made_network *said = &planted->said;
  struct tny_text text = {0};
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  tny_text_add(&text, "cluster 1 file\n%s", planted->has_ghost ? "host ghost\n" : "");
  for (uint32_t host = 0; host < said->host_count; host++)
    if (host != planted->left_out)
      tny_text_add(&text, "host n%u\n", host);
  for (uint32_t s = 0; s < said->switch_count; s++)
    tny_text_add(&text, "switch s%u\n", s);
  if (planted->in_a_row)
    tny_text_add(&text, "switch mid\n");
  for (uint32_t host = 0; host < said->host_count; host++)
    if (host != planted->left_out)
      tny_text_add(&text, "cable n%u s%u %.0f 1000 65536\n", host, said->hosts[host].at,
                   said->hosts[host].bps);
  if (planted->has_ghost)
    tny_text_add(&text, "cable ghost s%u 20000000 1000 65536\n", said->hosts[0].at);
  add_file_cables(planted, &text);
  assert_false(text.failed);
  if (tny_cluster_read_flat(text.bytes, &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  tny_text_release(&text);
  return cluster;
}

/* --- beside it --- */

static inline const char *const *host_names(void)
{
  static char room[NAMES][16];
  static const char *names[NAMES];
  for (uint32_t host = 0; host < NAMES; host++) {
    snprintf(room[host], sizeof room[host], "n%u", host);
    names[host] = room[host];
  }
  return names;
}

static inline void assert_faults(const struct planted *planted, const struct tny_faults *faults)
{
  uint32_t known = 0;
  for (uint32_t i = 0; i < faults->count; i++) {
    const struct tny_fault *fault = &faults->at[i];
    bool is_known = false;
    for (uint32_t k = 0; k < planted->expected; k++)
      is_known |= fault->kind == planted->faults[k].kind &&
                  !strcmp(fault->what, planted->faults[k].what) &&
                  strstr(fault->text, planted->faults[k].text);
    known += is_known;
    if (!is_known)
      fail_msg("seed %llu: %s: %s", (unsigned long long)planted->real.seed,
               tny_fault_kind_name(fault->kind), fault->text);
  }
  if (known != planted->expected)
    fail_msg("seed %llu: %u of %u faults are found, not %s of %s",
             (unsigned long long)planted->real.seed, known, planted->expected,
             tny_fault_kind_name(planted->faults[0].kind), planted->faults[0].what);
}

static inline void check_planted(const struct planted *planted)
{
  struct made_probes made = {
      .network = &planted->real, .noise = usual_noise, .machines = planted->real.host_count};
  struct tny_cluster *cluster = make_file(planted);
  struct tny_discovery found;
  struct tny_faults faults;
  struct tny_error error = {0};
  discover_made(&made, &found);
  if (planted->is_least)
    found.hosts[planted->is_least - 1].is_least = true;
  const struct tny_discovered network = {&found, host_names()};
  if (tny_discovered_check(&network, cluster, &faults, &error))
    fail_msg("seed %llu: %s", NETWORK(&made), error.text);
  assert_faults(planted, &faults);
  tny_faults_release(&faults);
  tny_discovery_release(&found);
  tny_cluster_free(cluster);
}

#endif
