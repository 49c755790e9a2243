/* The functions that a loaded library calls by name: where it keeps their addresses. */
#ifndef TOURNEY_MPI_IMPORTS_H
#define TOURNEY_MPI_IMPORTS_H

#include <stdbool.h>

/* A slot that the dynamic loader fills with a function's address. */
struct tny_import {
  const char *name;
  void **slot;
  bool is_sealed; /* the loader has made it read-only */
};

/* Returns true to see no more. */
typedef bool tny_import_visit(void *context, const struct tny_import *import);
/* Visits the imports of the library or program that `address` lies in. Returns whether the visitor
   returned true once. */
bool tny_imports_visit(const void *address, tny_import_visit *visit, void *context);
/* Is the library or program that `address` lies in linked with this one, as the loader calls it? */
bool tny_imports_need(const void *address, const char *library);
/* As tny_imports_visit, for all that are linked with this one. */
bool tny_imports_visit_users(const char *library, tny_import_visit *visit, void *context);
/* Puts an address into a slot. Returns false where that can't be. */
bool tny_import_set(const struct tny_import *import, void *address);

#endif
