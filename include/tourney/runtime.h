/* What a program may ask of the runtime that is preloaded into it. A program needs none of this to
   be served. Beside <mpi.h>, this header needs no other, and the program no library of ours.

   All functions are weak: their addresses are null where the runtime isn't loaded, so ask first.

     if (tourney_last_algorithm)
       printf("served by %s\n", tourney_last_algorithm());

   That takes an executable whose undefined weak symbols are looked up when it is started, as those
   of position-independent ones are (gcc's and clang's -fPIE); another one can ask dlsym. */
#ifndef TOURNEY_RUNTIME_H
#define TOURNEY_RUNTIME_H

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the algorithm that served this thread's last call of a collective that is served, or
   serves one that it began (MPI_Ibcast), as `tourney algorithms` lists it; "native" where none did,
   and before the first. Owns: a literal. Threads: each has its own. */
const char *tourney_last_algorithm(void) __attribute__((weak));

/* While `on` isn't 0, this process's collectives are native: for programs that compare. All ranks
   have to switch alike, with no collective under way. */
void tourney_set_native(int on) __attribute__((weak));

/* Not 0 where this thread's last broadcast, all-gather or all-to-all was one of those by which the
   runtime finds out what serves such calls best: what comes later may be served by something else.
   All ranks of the call get the same answer. A program that measures calls until it is 0 before it
   counts. */
int tourney_is_trying(void) __attribute__((weak));

/* Has collectives served by these algorithms from now on, as TOURNEY_ALGORITHM does from the start:
   "COLLECTIVE=NAME[,...]", where NAME is an algorithm of `tourney algorithms` or "native". What the
   list doesn't name is chosen by the runtime again; NULL or "": all is. Returns 0; or another
   number where the list can't be read, and then nothing changes. All ranks have to set alike, with
   no collective under way. A communicator of two ranks that was used before is native and stays so.
 */
int tourney_set_algorithm(const char *list) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
