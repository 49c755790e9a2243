/* What is known of a cluster: facts of its hosts, and what was measured. Read from lines that
   tourney-doctor-ranks prints (bench/doctor/ranks.c describes them), or that a file has; only data,
   which the rules judge. Units: bit/s, seconds, bytes. */
#ifndef TOURNEY_DOCTOR_FACTS_H
#define TOURNEY_DOCTOR_FACTS_H

#include <tourney/cluster.h>

/* A list of T in the arena. */
#define DOCTOR_LIST(T)                                                                             \
  struct {                                                                                         \
    T *at;                                                                                         \
    uint32_t count, room;                                                                          \
  }

enum doctor_variant { DOCTOR_PLANNED, DOCTOR_NATIVE };
#define DOCTOR_VARIANT_COUNT 2

/* What a host's network lost while all-to-alls ran. */
struct doctor_losses {
  uint64_t segments, lost, timeouts, dropped, errors;
};

struct doctor_fact {
  const char *key, *value;
};

struct doctor_host {
  const char *name;
  uint32_t cluster_host; /* TNY_NONE: the cluster doesn't have it */
  uint32_t rank_count;
  DOCTOR_LIST(struct doctor_fact) facts;
  uint64_t processors[16]; /* those that its ranks may use, as bits */
  bool counted[DOCTOR_VARIANT_COUNT];
  struct doctor_losses losses[DOCTOR_VARIANT_COUNT];
};

enum doctor_transfer_kind { DOCTOR_SOLO, DOCTOR_INSIDE, DOCTOR_CUT };

/* From one host to another (indices into facts' hosts). */
struct doctor_transfer {
  enum doctor_transfer_kind kind;
  uint32_t link; /* the trunk that a cut is about, else TNY_NONE */
  uint32_t from, to;
  double bps;
};
struct doctor_latency {
  uint32_t from, to;
  double seconds;
};
struct doctor_buffer {
  uint32_t link, from, to;
  double bytes, lost;
};
struct doctor_exchange {
  double bytes, seconds; /* seconds 0: none was made */
  const char *algorithm;
};
struct doctor_port {
  uint32_t link;
  uint64_t dropped[DOCTOR_VARIANT_COUNT];
};
struct doctor_skipped {
  const char *what, *reason;
};

struct doctor_facts {
  const struct tny_cluster *cluster; /* borrowed; NULL: none was given */
  struct tny_routes *routes;         /* owned; NULL without a cluster */
  const char *lab;                   /* the lab's name; NULL: a real cluster */
  bool started, done;                /* the first line came; the last one */
  uint32_t rank_count;
  DOCTOR_LIST(struct doctor_host) hosts;
  DOCTOR_LIST(struct doctor_transfer) transfers;
  DOCTOR_LIST(struct doctor_latency) latencies;
  DOCTOR_LIST(struct doctor_buffer) buffers;
  DOCTOR_LIST(struct doctor_port) ports;
  DOCTOR_LIST(struct doctor_skipped) skipped;
  struct doctor_exchange exchanges[DOCTOR_VARIANT_COUNT];
  struct tny_arena *arena; /* private */
};

/* Begins without facts. `cluster` may be NULL. Owns: doctor_facts_release, also after a failure. */
enum tny_status doctor_facts_init(struct doctor_facts *facts, const struct tny_cluster *cluster,
                                  struct tny_error *error) TNY_MUST_CHECK;
void doctor_facts_release(struct doctor_facts *facts);
/* Takes in one line; one of an unknown kind isn't a fact, and *known is false. Errors:
   TNY_BAD_INPUT. */
enum tny_status doctor_facts_read(struct doctor_facts *facts, const char *line, bool *known,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Takes in a file of lines. */
enum tny_status doctor_facts_open(struct doctor_facts *facts, const char *path,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* A host's fact; NULL where it doesn't have it. */
const char *doctor_fact(const struct doctor_host *host, const char *key);
/* The same as a number; `otherwise` where there is none. */
double doctor_fact_number(const struct doctor_host *host, const char *key, double otherwise);
/* How many processors the ranks of a host may use. */
uint32_t doctor_processor_count(const struct doctor_host *host);
/* The reason why something wasn't measured; NULL where it was, or wasn't asked for. */
const char *doctor_skip_reason(const struct doctor_facts *facts, const char *what);

#endif
