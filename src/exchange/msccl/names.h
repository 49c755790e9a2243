/* What MSCCL calls the collectives, in the attribute `coll`. */
#ifndef TOURNEY_EXCHANGE_MSCCL_NAMES_H
#define TOURNEY_EXCHANGE_MSCCL_NAMES_H

#include <tourney/collective.h>

/* Those that are known here, in words. */
extern const char tny_msccl_names[];
/* NULL: MSCCL has no such collective. */
const char *tny_msccl_name(enum tny_collective collective);
/* The collective of that name; false: there is none. */
bool tny_msccl_collective(const char *name, enum tny_collective *collective);

#endif
