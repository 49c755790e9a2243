/* Planned collectives for programs that want them without having MPI functions taken over: planned
   once for a communicator, then started and waited for on the program's buffers, any number of
   times. The library of these functions takes over nothing (docs/api.md).

     struct tourney_plan_request request = {.collective = which, .block_bytes = 65536};
     struct tourney_plan *plan;
     struct tny_error error = {0};
     if (tourney_plan_new(MPI_COMM_WORLD, &request, &plan, &error) != TNY_OK)
       give_up(error.text);
     for (each round) {
       tourney_plan_start(plan, send, receive);
       compute();
       tourney_plan_wait(plan);
     }
     tourney_plan_free(plan);

   Errors: what makes a plan returns enum tny_status and a text, the same at all ranks, since what
   goes wrong there is for a person: a cluster file, an algorithm's name. What runs one returns an
   MPI error code and calls no error handler: what goes wrong there are messages.

   Threads: a plan is one thread's at a time; where MPI provides MPI_THREAD_MULTIPLE, threads may
   each have plans of their own. */
#ifndef TOURNEY_PLAN_H
#define TOURNEY_PLAN_H

#include <mpi.h>
#include <stdint.h>

#include <tourney/collective.h>
#include <tourney/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a plan is for. All ranks ask for the same, but for the cluster, which is rank 0's. */
struct tourney_plan_request {
  enum tny_collective collective; /* a broadcast, an all-gather or an all-to-all */
  uint64_t block_bytes;           /* what one rank gives one receiver: 1 to INT_MAX */
  int root;                       /* of a broadcast; 0 for others */
  const char *algorithm; /* of `tourney algorithms`; NULL: the one predicted to be the fastest */
  /* A generator ("switches:8+8"), the path of a file in flat form (`tourney topology flat`), or
     that form itself; NULL: what TOURNEY_CLUSTER says. The ranks' hosts are found in it by their
     names, or by the ranks' numbers where TOURNEY_MAP is "block" or "interleaved". */
  const char *cluster;
};

/* A planned collective of a communicator's ranks. */
struct tourney_plan;

/* Makes a plan. Collective over `comm`, an intracommunicator, which may be freed afterwards. Owns:
   the caller's, tourney_plan_free; the request is copied. Errors: TNY_BAD_INPUT (a cluster, host or
   algorithm that there isn't, a request that makes no sense or differs between ranks), TNY_REFUSED
   (the algorithm can't serve it), TNY_NO_MEMORY, TNY_SYSTEM (the MPI failed); *plan is NULL then,
   at all ranks. */
enum tny_status tourney_plan_new(MPI_Comm comm, const struct tourney_plan_request *request,
                                 struct tourney_plan **plan,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* The algorithm's name, as `tourney algorithms` lists it. Owns: the plan's. */
const char *tourney_plan_algorithm(const struct tourney_plan *plan);

/* Starts the collective once. A broadcast has one buffer, `output`, of one block, which the root
   sends from; `input` isn't looked at. An all-gather sends one block and gets one from each rank,
   in their order. An all-to-all sends a block to each rank, in their order, and gets one from each.
   `input` may be MPI_IN_PLACE for these two: then it lies in `output`, in the rank's own place or
   all of it. Owns: the buffers are borrowed until the plan is over, the output to be left alone
   altogether, the input to be read. Returns MPI_SUCCESS, MPI_ERR_BUFFER where one is missing,
   MPI_ERR_REQUEST where the plan is under way already, or the error of a message. */
int tourney_plan_start(struct tourney_plan *plan, const void *input, void *output);
/* Asks for progress, of all this process's plans that are under way. *is_over is 1 where this one
   is over or was never started, else 0. Returns MPI_SUCCESS or the error of a message: then the
   plan is over, and so is every later start, with the same error. */
int tourney_plan_test(struct tourney_plan *plan, int *is_over);
/* Waits until the plan is over; meanwhile others that are under way go on too. Returns as
   tourney_plan_test(). */
int tourney_plan_wait(struct tourney_plan *plan);
/* Frees a plan, after waiting where it is under way; NULL does nothing. Collective over the ranks
   that made it; before MPI_Finalize. */
void tourney_plan_free(struct tourney_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
