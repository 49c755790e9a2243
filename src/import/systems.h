/* The systems that LLDP tells of, each a node of the build: found again by the ids of their chassis
   and by their names; and which of them are hosts. */
#ifndef TOURNEY_IMPORT_SYSTEMS_H
#define TOURNEY_IMPORT_SYSTEMS_H

#include <jansson.h>

#include "import/cabling.h"

/* What is told of a system; all borrowed. */
struct tny_mention {
  const char *name;         /* NULL: none */
  const char *id_type, *id; /* of its chassis; NULL: none */
  bool tells, forwards;     /* its capabilities are told; it bridges or routes */
};

struct tny_system {
  const char *file; /* its own; NULL: there is none */
  char *id_type, *id;
  bool is_seen; /* by another system */
  bool tells, forwards;
};

struct tny_systems {
  struct tny_build *build;
  struct tny_system *systems; /* by node of the build */
  uint32_t room;
  json_t *by_id, *by_short_name; /* to nodes; -1: several */
};

/* Storage is the caller's; the build must outlive it, and gets its nodes from here alone. */
enum tny_status tny_systems_init(struct tny_systems *systems, struct tny_build *build,
                                 struct tny_error *error) TNY_MUST_CHECK;
void tny_systems_release(struct tny_systems *systems);
/* The node of the system that is mentioned; the first mention adds it. Names are the same with a
   domain and without. Two chassis of one name are refused, and so are two names of one chassis. */
enum tny_status tny_systems_find(struct tny_systems *systems, const struct tny_mention *mention,
                                 uint32_t *node, struct tny_error *error) TNY_MUST_CHECK;
/* Decides which are hosts; the cabling is settled. */
enum tny_status tny_systems_classify(struct tny_systems *systems, const struct tny_cabling *cabling,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Refuses files of systems without a cable; the cabling is settled. */
enum tny_status tny_systems_check_files(const struct tny_systems *systems,
                                        const struct tny_cabling *cabling,
                                        struct tny_error *error) TNY_MUST_CHECK;
/* Refuses networks in parts, and says whose file could join them. */
enum tny_status tny_systems_check_joined(const struct tny_systems *systems,
                                         const struct tny_cabling *cabling,
                                         struct tny_error *error) TNY_MUST_CHECK;

#endif
