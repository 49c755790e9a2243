/* How every cluster is made: a reader or a generator adds nodes and cables to a build; finishing
   the build checks all of them in one place and lays the cluster out. Private to src/cluster and
   src/import. */
#ifndef TOURNEY_CLUSTER_BUILD_H
#define TOURNEY_CLUSTER_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tourney/cluster.h>

/* What a cluster may have at most. */
#define TNY_HOSTS_MAX 1000000u
#define TNY_NODES_MAX 2000000u
#define TNY_CABLES_MAX 8000000u

/* Unknown: finishing decides by its cables whether it is a host or a switch. */
enum tny_kind { TNY_KIND_UNKNOWN, TNY_KIND_HOST, TNY_KIND_SWITCH };

struct tny_build_node {
  size_t name_offset; /* in the build's names */
  enum tny_kind kind;
  uint32_t degree;
};

#define TNY_BUNDLE_CABLES_MAX 1024u

/* Both directions of a cable; they differ only in their buffers: back is the port of `to`. Of a
   bundle, rate and buffers are those of each of its cables. */
struct tny_build_cable {
  uint32_t from, to;
  uint64_t bandwidth_bps, latency_ns, buffer_bytes, back_buffer_bytes;
  uint32_t cable_count; /* 1: a single cable */
  enum tny_spreading spread;
};

struct tny_build_alias {
  size_t name_offset; /* in the build's names */
  uint32_t node;
};

struct tny_build {
  const char *name; /* of the cluster; borrowed */
  const char *file; /* for errors; borrowed, NULL: none */
  unsigned line;    /* for errors; the reader keeps it, 0: none */

  char *names; /* NUL-terminated, one after another */
  size_t names_used, names_room;
  struct tny_build_node *nodes;
  uint32_t node_count, node_room;
  struct tny_build_cable *cables;
  uint32_t cable_count, cable_room;
  struct tny_build_alias *aliases;
  uint32_t alias_count, alias_room;
  uint32_t *table; /* open hash: node index + 1, 0: free; table_room is a power of two */
  uint32_t table_room;
  uint32_t doubtful;   /* 1 + a node that may be a host and was taken for a switch, 0: none */
  const char *note;    /* what else was guessed, for the cluster's note; borrowed, NULL: nothing */
  char made_note[800]; /* room for a note that is put together */
  struct tny_shape shape;   /* what the cluster is said to be; finishing checks it */
  enum tny_routing routing; /* that it asks for */
  /* How messages are spread over ways of equal length; TNY_SPREADING_NONE: the routes say which way
     a message takes. Finishing takes such ways together. */
  enum tny_spreading multipath;
};

/* Stands for a buffer of which nothing is said: tny_build_connect takes one that suits the rate. */
#define TNY_BUFFER_BY_RATE UINT64_MAX

/* All fields but from and to as where nothing is said: a cable of 1Gbit/s, 5us, a buffer by the
   rate. */
extern const struct tny_build_cable tny_build_default_cable;

/* Storage is the caller's; name and file must outlive it. */
void tny_build_init(struct tny_build *build, const char *name, const char *file);
void tny_build_release(struct tny_build *build);
const char *tny_build_name(const struct tny_build *build, uint32_t node);
/* The node of that name, or TNY_NONE. */
uint32_t tny_build_find(const struct tny_build *build, const char *name);
/* Adds a node; its name must be new. `node` may be NULL. */
enum tny_status tny_build_add(struct tny_build *build, const char *name, enum tny_kind kind,
                              uint32_t *node, struct tny_error *error) TNY_MUST_CHECK;
/* Adds a cable between two nodes that are there. */
enum tny_status tny_build_connect(struct tny_build *build, const struct tny_build_cable *cable,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Adds another name of a node's; finishing checks that no other node goes by it. */
enum tny_status tny_build_alias(struct tny_build *build, uint32_t node, const char *name,
                                struct tny_error *error) TNY_MUST_CHECK;
/* Adds the other build's aliases; `index` has this build's node for each of its nodes, or
   TNY_NONE. */
enum tny_status tny_build_copy_aliases(struct tny_build *build, const struct tny_build *from,
                                       const uint32_t *index,
                                       struct tny_error *error) TNY_MUST_CHECK;
/* The nodes, cables and aliases of `made` take the place of the build's, and *made gets these. All
   else of the build stays. */
void tny_build_take_over(struct tny_build *build, struct tny_build *made);
/* Puts a sentence behind what the build's note says already. */
void tny_build_add_note(struct tny_build *build, const char *sentence);
/* Takes the routing of that name for the cluster's. */
enum tny_status tny_build_route(struct tny_build *build, const char *name,
                                struct tny_error *error) TNY_MUST_CHECK;
/* The spread of that name, flow or packet; false: there is none. */
bool tny_spreading_parse(const char *name, enum tny_spreading *spread);
/* Takes the spread of that name for the cluster's multipath. */
enum tny_status tny_build_multipath(struct tny_build *build, const char *name,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Decides what the unknown nodes are, checks all, makes the cluster. The build is to be released
   after, whatever the outcome. */
enum tny_status tny_build_finish(struct tny_build *build, struct tny_cluster **cluster,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* A hash of the name with each number replaced by one '#': names that count alike have it in
   common. */
uint64_t tny_build_stem(const char *name);

/* The steps of tny_build_finish (kinds.c, multipath.c, check.c). */
enum tny_status tny_build_infer_kinds(struct tny_build *build,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* Of a cluster with multipath (multipath.c): parallel cables become a bundle; then, once the kinds
   are known, switches between the same switches become one, until the network is a tree. */
enum tny_status tny_build_bundle_parallel(struct tny_build *build,
                                          struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_build_merge_ways(struct tny_build *build,
                                     struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_build_check(const struct tny_build *build,
                                struct tny_error *error) TNY_MUST_CHECK;

/* tny_cluster_read_flat with the name of the file for errors. */
enum tny_status tny_flat_read(const char *flat, const char *file, struct tny_cluster **cluster,
                              struct tny_error *error) TNY_MUST_CHECK;
bool tny_flat_recognize(const char *text);
/* Reads a Graphviz graph; `file` names the cluster and is what errors call it. In the library with
   cgraph, as tny_cluster_open. Threads: one at a time, for cgraph has globals. */
enum tny_status tny_graphviz_read(const char *text, const char *file, struct tny_cluster **cluster,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* What tny_cluster_generate knows, for errors: "single:N, switches:A+B+...". */
extern const char tny_generator_usage[];

#endif
