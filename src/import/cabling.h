/* A network as its ports tell it: which system each port sees at the other end of its cable. Both
   ends of a cable may tell of it, or one. What has ports in common: LLDP, and plans of cables. */
#ifndef TOURNEY_IMPORT_CABLING_H
#define TOURNEY_IMPORT_CABLING_H

#include <tourney/import.h>

#include "cluster/build.h"

/* A port of `from` that sees `to`. */
struct tny_sight {
  uint32_t from, to; /* nodes of the build */
  const char *port;  /* of `from`; copied */
  /* At the other end; copied. NULL: it isn't known, or may be called by several names. */
  const char *far_port;
  uint64_t rate_bps; /* of the cable; 0: nothing is said */
  /* The number of the link aggregation that the port at the other end is in; 0: none is told. */
  uint32_t aggregate;
  const char *file; /* must outlive the cabling */
  unsigned line;
};

/* A sight as it is kept. */
struct tny_cabling_port {
  uint32_t from, to;
  size_t name;     /* in the cabling's names */
  size_t far_name; /* of the port at the other end; that of an empty name: none is told */
  uint64_t rate_bps;
  const char *file;
  unsigned line;
  uint32_t index; /* how many were told before it */
  uint32_t bundle;
  uint32_t aggregate;
  uint32_t cable_count; /* that it stands for; 0: another one of its aggregation does */
  bool is_unlike;       /* they have several rates */
  bool is_unwanted;     /* its system has ports that --interface names, and this is none of them */
  bool is_left_out;     /* for that, or as the other end tells of the same cable */
};

/* All cables between the same two systems. */
struct tny_bundle {
  uint32_t count, first; /* cables, and the number of the first that is told of */
  uint64_t rate_bps;     /* of each, where one is known, or 0 */
  bool is_unlike;        /* they have several */
};

struct tny_cabling {
  struct tny_build *build; /* borrowed, as is the next */
  const struct tny_import_request *import;
  struct tny_cabling_port *ports;
  uint32_t port_count, port_room;
  char *names; /* NUL-terminated, one after another */
  size_t names_used, names_room;
  struct tny_bundle *bundles;
  uint32_t bundle_count;
  bool *chooses;         /* by node: it has ports that --interface names */
  uint32_t *neighbours;  /* by node, once settled: how many systems it has cables to */
  const char *rate_hint; /* what else would say the rates, for an error; NULL: nothing */
};

/* Storage is the caller's; the build must outlive it. */
void tny_cabling_init(struct tny_cabling *cabling, const struct tny_import_request *import,
                      struct tny_build *build);
void tny_cabling_release(struct tny_cabling *cabling);
/* Whether the import leaves out systems of that name, which then aren't to be added. */
bool tny_cabling_leaves_out(const struct tny_cabling *cabling, const char *name);
/* Adds a sight; a port that sees another one of its own system is passed over. */
enum tny_status tny_cabling_add(struct tny_cabling *cabling, const struct tny_sight *sight,
                                struct tny_error *error) TNY_MUST_CHECK;
/* After all sights: each port has one cable, or is refused, and a cable that both ends tell of is
   one. Between two systems there are as many as the end tells that tells of more. Of systems that
   have ports of the import's `interfaces` only these count. From here on `neighbours` are known. */
enum tny_status tny_cabling_settle(struct tny_cabling *cabling,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* After the kinds of the build's nodes were set: refuses hosts without a cable and hosts with
   cables to several switches. */
enum tny_status tny_cabling_check_hosts(const struct tny_cabling *cabling,
                                        struct tny_error *error) TNY_MUST_CHECK;
/* After that: connects all. A host's cables to one switch become a bundle, and so do cables that
   are said to be aggregated. */
enum tny_status tny_cabling_connect(struct tny_cabling *cabling,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
