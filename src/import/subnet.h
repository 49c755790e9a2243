/* An InfiniBand subnet as its tools list it: nodes with numbered ports, each of which says what is
   at the other end of its cable. What becomes of it in a cluster, and in tables of routes. Texts
   are borrowed from the subnet's copies of the files. */
#ifndef TOURNEY_IMPORT_SUBNET_H
#define TOURNEY_IMPORT_SUBNET_H

#include <tourney/import.h>

#include "cluster/build.h"
#include "core/text.h"

#define TNY_SUBNET_PORT_MAX 254 /* port numbers, of switches too */

enum tny_subnet_kind {
  TNY_SUBNET_SWITCH,
  TNY_SUBNET_ADAPTER, /* a channel adapter, of a host */
  TNY_SUBNET_OTHER,   /* a router, or of no kind that is known: left out, with its cables */
};

struct tny_subnet_id {
  char letter; /* S, H, R or ?, as "S-0002c902..." begins */
  uint64_t guid;
};

/* Where something was read. */
struct tny_subnet_place {
  const char *file; /* as the request calls it */
  unsigned line;
};

struct tny_subnet_port {
  uint32_t node, number;
  uint64_t guid; /* 0: not told */
  uint32_t lid;  /* the first of its LIDs; 0: not told */
  uint32_t lmc;  /* of which it has 2 to the power of this */
  uint64_t bps;  /* 0: not known */
  struct tny_subnet_id far_node;
  uint32_t far_number;
  struct tny_subnet_place place;
  uint32_t peer;       /* the port at the other end; TNY_NONE: that is left out */
  uint32_t build_node; /* that the cable is plugged into: a switch, or a host or its own switch */
  uint32_t parallel, parallel_count; /* which of how many cables between the same build nodes */
};

struct tny_subnet_node {
  struct tny_subnet_id id;
  enum tny_subnet_kind kind;
  const char *description;
  struct tny_subnet_place place;
  uint32_t first_port, port_count;
  uint32_t host;         /* of an adapter: in hosts */
  uint32_t next_adapter; /* of the same host; TNY_NONE: the last */
  uint32_t build_node;   /* of a switch */
};

/* A machine: the adapters whose descriptions name it. */
struct tny_subnet_host {
  uint32_t build_node;
  uint32_t own_switch; /* where it has several cables: stands for its adapters; else TNY_NONE */
  uint32_t first_adapter, last_adapter;
  uint32_t cable_count;
};

/* All zero is empty. */
struct tny_subnet {
  const struct tny_import_request *import;
  char **texts; /* the files' copies, cut in lines */
  struct tny_subnet_node *nodes;
  struct tny_subnet_port *ports;
  struct tny_subnet_host *hosts;
  uint32_t *by_id; /* nodes, sorted */
  /* Adapters whose hosts come first, in this order, and all switches, in the order in which they
     are reached from these hosts; NULL: no file has an order. */
  uint32_t *order, *switch_order;
  uint32_t node_count, node_room, port_count, port_room, host_count;
  uint32_t order_count, switch_count; /* of these orders */
};

void tny_subnet_release(struct tny_subnet *subnet);
typedef enum tny_status (*tny_subnet_line_reader)(void *reader, char *line,
                                                  struct tny_error *error);
/* Has each line of the text read, which is cut into them; place->line counts them. */
enum tny_status tny_subnet_read_lines(char *text, struct tny_subnet_place *place,
                                      tny_subnet_line_reader read, void *reader,
                                      struct tny_error *error);
/* The same of a copy of the file, which is gone then; *place begins there. */
enum tny_status tny_subnet_read_file(const struct tny_import_file *file,
                                     struct tny_subnet_place *place, tny_subnet_line_reader read,
                                     void *reader, struct tny_error *error);
/* Reads hexadecimal digits, at most 16, and moves *text behind them. */
bool tny_subnet_read_hex(const char **text, uint64_t *number);
/* What stands behind lines of comments and empty ones. */
const char *tny_subnet_skip_comments(const char *text);
/* The length of the host's name in the description "HOST ADAPTER" or "HOST", and where it begins;
   0: the description has more words, as makers' names have, or is none. */
size_t tny_subnet_host_name(const char *description, const char **name);
/* Whether an adapter is one by which a switch reduces as it forwards, and so of no host. */
bool tny_subnet_is_aggregation(const char *description);
/* Adds a node, and then its ports. */
enum tny_status tny_subnet_add_node(struct tny_subnet *subnet, const struct tny_subnet_node *node,
                                    struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_subnet_add_port(struct tny_subnet *subnet, const struct tny_subnet_port *port,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Joins the ports' ends. Errors: ends that contradict each other, two nodes of a GUID. */
enum tny_status tny_subnet_join(struct tny_subnet *subnet, struct tny_error *error) TNY_MUST_CHECK;
/* The node of that id, or TNY_NONE; of a subnet that is joined. */
uint32_t tny_subnet_find(const struct tny_subnet *subnet, struct tny_subnet_id id);
/* The port of that number, or TNY_NONE. */
uint32_t tny_subnet_find_port(const struct tny_subnet *subnet, uint32_t node, uint32_t number);
/* What a node is called in errors. */
struct tny_subnet_name {
  char text[100];
};
struct tny_subnet_name tny_subnet_name(const struct tny_subnet *subnet, uint32_t node);

/* The cluster (subnet_cluster.c): hosts, switches, cables, and the build's note. */
enum tny_status tny_subnet_build(struct tny_subnet *subnet, bool has_tables,
                                 struct tny_build *build, struct tny_error *error) TNY_MUST_CHECK;

/* OpenSM's order of hosts (ftree_order.c). Whether a text begins like one. */
bool tny_ftree_order_recognize(const char *text);
/* Reads all of the request's files that are orders into those of the subnet, which is joined.
   Errors: hosts that it hasn't got, or that are named twice. */
enum tny_status tny_ftree_order_read(struct tny_subnet *subnet,
                                     struct tny_error *error) TNY_MUST_CHECK;

/* Forwarding tables (forwarding.c). Whether a text begins like them. */
bool tny_forwarding_recognize(const char *text);
/* Reads all of the request's files that are tables into the text of a table of routes. Owns:
   *routes is the caller's, to be freed by tny_text_free. Errors: tables that don't fit, or don't
   lead everywhere. */
enum tny_status tny_forwarding_read(const struct tny_subnet *subnet, const struct tny_build *build,
                                    char **routes, struct tny_error *error) TNY_MUST_CHECK;

#endif
