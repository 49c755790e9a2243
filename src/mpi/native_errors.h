/* How the MPI itself answers errors, where MPIs differ. */
#ifndef TOURNEY_MPI_NATIVE_ERRORS_H
#define TOURNEY_MPI_NATIVE_ERRORS_H

#include <mpi.h>
#include <stdbool.h>

/* The error handler of MPI_COMM_WORLD, while a plan runs. Some MPIs give it the errors of requests,
   whatever their communicator; the plan's are the user's communicator's. */
struct tny_handler_aside {
  MPI_Errhandler handler;
  bool is_set; /* there is one to be put back */
};
/* Sets it aside. Not where other threads may use the MPI: they would miss it. */
struct tny_handler_aside tny_handler_set_aside(bool threads_multiple);
void tny_handler_put_back(struct tny_handler_aside *aside);

/* What a broadcast returns to a rank that has room for more than the root sends. */
int tny_code_of_room_left(void);

#endif
