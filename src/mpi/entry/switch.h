/* What switches all interception off. */
#ifndef TOURNEY_MPI_SWITCH_H
#define TOURNEY_MPI_SWITCH_H

#include <stdbool.h>

/* Does TOURNEY=0 say that this process is to run as without this library? Then calls by MPI_* don't
   come here, and calls by PMPI_* are passed on. */
bool tny_interception_is_off(void);
/* From now on it is as if it said so. */
void tny_interception_switch_off(void);
/* What has all calls lead to another library from now on; set as this one is loaded. */
extern void (*tny_interception_lead_to)(void *library);

#endif
