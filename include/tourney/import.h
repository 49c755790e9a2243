/* Clusters from what other tools know of a network, such as a batch system's topology file. What is
   read and what it means: docs/cluster-files.md, "Import". Units: bit/s. */
#ifndef TOURNEY_IMPORT_H
#define TOURNEY_IMPORT_H

#include <tourney/cluster.h>

struct tny_import_file {
  const char *name; /* what errors call it */
  const char *text;
};

/* What is to be read; all borrowed. */
struct tny_import_request {
  /* One description, in this order; the first names it. Files of hwloc's beside those of another
     format, in any order, tell of that network's hosts. */
  const struct tny_import_file *files;
  uint32_t file_count;  /* at least 1 */
  const char *format;   /* its name; NULL: by how the first file begins */
  const char *topology; /* which of several in a file; NULL: the file's default */
  /* Those to be kept, as "n[00-11],m3", with what joins them; NULL: all. Of Slurm's formats. */
  const char *hosts;
  uint64_t link_bps;  /* of the hosts' cables, where the files tell none; 0: not given */
  uint64_t trunk_bps; /* of cables between switches, likewise; 0: as link_bps */
  /* How messages are spread over ways of equal length, which are then taken together; NONE: the
     routes say which way a message takes. Not with forwarding tables. */
  enum tny_spreading multipath;
  /* Of formats that tell of ports; shell patterns, with commas between several, or NULL. */
  const char *interfaces; /* hosts' interfaces that count, where not all of theirs do */
  const char *without;    /* names of systems that are left out */
  /* NULL: not wanted. Else it gets the routes that the files have, as a text for tny_routes_read
     on the cluster; NULL where they have none. Owns: the caller's, tny_text_free. */
  char **routes;
};

/* Reads a description into a cluster; latencies and buffers of which it says nothing are those of
   cluster files. *format is the name of the format it was read as, a literal. In the library with
   libyaml and libxml2, as tny_cluster_open.
   Owns: *cluster is the caller's, to be freed by tny_cluster_free. Errors: TNY_BAD_INPUT with file
   and, where there is one, line. */
enum tny_status tny_cluster_import(const struct tny_import_request *import,
                                   struct tny_cluster **cluster, const char **format,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
