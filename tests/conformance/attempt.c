/* One combination, tried. */
#include "attempt.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

#include "calls.h"
#include "comms.h"
#include "exchange.h"

static const char all_native[] =
    "bcast=native,allgather=native,alltoall=native,gather=native,scatter=native,"
    "reduce=native,reducescatter=native,allreduce=native";

static MPI_Errhandler handler;
static int handled, handled_class;

/* What came of a call: its error's class, and what the communicator's error handler was told. */
struct outcome {
  int class, handled, handled_class;
};

static void on_error(MPI_Comm *comm, int *code, ...)
{
  (void)comm;
  handled++;
  MPI_Error_class(*code, &handled_class);
}

static void set_native(int on)
{
  if (tourney_set_native)
    tourney_set_native(on);
}

void attempts_begin(void)
{
  MPI_Comm_create_errhandler(on_error, &handler);
  operations_begin();
}

/* Ranks outside the last combination's communicator were asked for another algorithm: what they
   call together now is native. */
void attempts_end(void)
{
  set_native(1);
  comms_free_all();
  operations_end();
  MPI_Errhandler_free(&handler);
}

static void complain(struct attempt *attempt, const char *what)
{
  if (!attempt->fault[0])
    snprintf(attempt->fault, sizeof attempt->fault, "%s", what);
}

/* --- arguments --- */

/* The arguments of a side. Those that don't count are such as no call would be right with. */
static void describe(const struct exchange *exchange, const struct side *side,
                     struct arguments *arguments)
{
  const bool in_bytes =
      exchange->collective == ALLTOALLW || exchange->collective == NEIGHBOR_ALLTOALLW;
  for (int i = 0; i < PEERS_MAX; i++) {
    arguments->counts[i] = -1;
    arguments->displacements[i] = -1;
    arguments->places[i] = -1;
    arguments->types[i] = MPI_DATATYPE_NULL;
  }
  arguments->buffer = side->layouts[0].is_absolute ? MPI_BOTTOM : side->buffer;
  for (int i = 0; i < side->block_count; i++) {
    const struct block *block = &side->blocks[i];
    const struct layout *layout = &side->layouts[block->layout];
    const MPI_Aint unit = in_bytes ? 1 : layout->extent;
    arguments->counts[i] = block->count;
    arguments->places[i] = block->place;
    arguments->displacements[i] = unit ? (int)(block->place / unit) : 0;
    arguments->types[i] = layout->type;
  }
}

static struct call call_of(const struct exchange *exchange)
{
  struct call call = {.collective = exchange->collective,
                      .root = exchange->root,
                      .op = operation_use(exchange->operation, &exchange->send.layouts[0]),
                      .comm = exchange->member->comm};
  describe(exchange, &exchange->send, &call.send);
  describe(exchange, &exchange->receive, &call.receive);
  if (exchange->is_in_place && exchange->collective == SCATTERV)
    call.receive.buffer = MPI_IN_PLACE;
  else if (exchange->is_in_place)
    call.send.buffer = MPI_IN_PLACE;
  return call;
}

/* More than fits: a broadcast's other ranks, or everyone, has room for less than is sent. */
static void shorten(const struct exchange *exchange, struct call *call)
{
  if (exchange->collective != BCAST || !exchange->is_root)
    call->receive.counts[0]--;
}

/* Makes an argument wrong, on all ranks. Where one alone receives, or where Open MPI looks at the
   receive counts only after others have sent, it is one of the send side. */
static void spoil(const struct exchange *exchange, enum fault fault, struct call *call)
{
  const enum collective collective = exchange->collective;
  struct arguments *receive = &call->receive;
  struct arguments *first = collective == ALLGATHERV || collective == GATHERV || reduces(collective)
                                ? &call->send
                                : receive;
  switch (fault) {
  case FAULT_NONE:
    break;
  case NEGATIVE_COUNT:
    first->counts[0] = -1;
    break;
  case NULL_TYPE:
    first->types[0] = MPI_DATATYPE_NULL;
    if (reduces(collective))
      receive->types[0] = MPI_DATATYPE_NULL;
    break;
  case UNCOMMITTED_TYPE:
    if (exchange->receive.block_count > 0)
      MPI_Type_contiguous(1, receive->types[0], &receive->types[0]);
    break;
  case ROOT_BEYOND:
    call->root = exchange->member->count;
    break;
  case ROOT_NEGATIVE:
    call->root = -17;
    break;
  case TRUNCATED:
    shorten(exchange, call);
    break;
  case NULL_OPERATION:
    call->op = MPI_OP_NULL;
    break;
  case WRONG_OPERATION:
    call->op = MPI_MAXLOC;
    break;
  }
}

static void mend(const struct exchange *exchange, enum fault fault, struct call *call)
{
  if (fault == UNCOMMITTED_TYPE && exchange->receive.block_count > 0)
    MPI_Type_free(&call->receive.types[0]);
}

/* --- a call --- */

static void *copy_of(const struct side *side)
{
  void *copy = malloc(side->bytes);
  if (!copy)
    MPI_Abort(MPI_COMM_WORLD, 9);
  return memcpy(copy, side->memory, side->bytes);
}

static bool is_same(const struct side *side, const void *copy)
{
  return memcmp(side->memory, copy, side->bytes) == 0;
}

/* Fills memory and makes the call. Complains where memory that is only sent from has changed. */
static struct outcome perform(struct attempt *attempt, const struct exchange *exchange,
                              const struct call *call, enum form form)
{
  struct outcome outcome = {.class = MPI_SUCCESS};
  exchange_fill(exchange);
  void *sent = copy_of(&exchange->send);
  handled = 0;
  handled_class = MPI_SUCCESS;
  const int code = call_make(call, form, exchange);
  if (code != MPI_SUCCESS)
    MPI_Error_class(code, &outcome.class);
  exchange_forget(exchange);
  outcome.handled = handled;
  outcome.handled_class = handled_class;
  if (!is_same(&exchange->send, sent))
    complain(attempt, "the call has changed memory that is only sent from");
  free(sent);
  return outcome;
}

static void compare_outcomes(struct attempt *attempt, struct outcome planned, struct outcome native)
{
  if (planned.class == native.class && planned.handled == native.handled &&
      planned.handled_class == native.handled_class)
    return;
  snprintf(attempt->fault, sizeof attempt->fault,
           "error class %d, handler called %d times with %d; native: %d, %d times with %d",
           planned.class, planned.handled, planned.handled_class, native.class, native.handled,
           native.handled_class);
}

/* --- the runtime --- */

static void ask_for(const char *algorithm)
{
  const char *list = strcmp(algorithm, "native") == 0   ? all_native
                     : strcmp(algorithm, "chosen") == 0 ? NULL
                                                        : algorithm;
  if (tourney_set_algorithm)
    tourney_set_algorithm(list);
}

/* With which MPI do plans serve nonblocking calls too? */
static bool serves_form(enum form form)
{
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(version, &length);
  return form == BLOCKING || form == LARGE || (form == NONBLOCKING && strstr(version, "Open MPI"));
}

/* Do plans by that algorithm serve such a call, whatever the sizes of its blocks? Of neighbours, by
   that which plans just a pattern's blocks. */
static bool serves_collective(const struct exchange *exchange, const char *algorithm)
{
  if (has_neighbours(exchange->collective))
    return strcmp(algorithm, "alltoall=planned-phases") == 0;
  if (!reduces(exchange->collective))
    return exchange->collective <= ALLTOALL;
  return exchange->pattern < UNEVEN && exchange->operation < OWN &&
         exchange->kind != KIND_DOUBLE_PAIR;
}

/* Has the communicator all ranks of MPI_COMM_WORLD, in their order? */
static bool has_all(const struct combination *combination, const struct exchange *exchange)
{
  const enum comm comm = (enum comm)combination->value[AXIS_COMM];
  int world_count;
  MPI_Comm_size(MPI_COMM_WORLD, &world_count);
  return is_whole(comm) ||
         (has_neighbours(exchange->collective) && exchange->member->count == world_count);
}

/* Has an algorithm that was asked for to serve? It can be planned for all ranks of MPI_COMM_WORLD,
   or wouldn't be in the list with this setting. */
static bool should_serve(const struct combination *combination, const struct exchange *exchange,
                         const char *algorithm)
{
  const size_t *value = combination->value;
  const enum form form = (enum form)value[AXIS_FORM];
  return tourney_set_algorithm && value[AXIS_ALGORITHM] >= ALGORITHMS_OTHER && serves_form(form) &&
         (form != NONBLOCKING || !has_neighbours(exchange->collective)) &&
         value[AXIS_FAULT] == FAULT_NONE && serves_collective(exchange, algorithm) &&
         has_all(combination, exchange) && exchange->member->count >= 2 &&
         exchange->kind != KIND_ZERO && exchange->pattern != NONE;
}

static void check_server(struct attempt *attempt, const struct combination *combination,
                         const struct exchange *exchange, const char *algorithm)
{
  attempt->by = tourney_last_algorithm ? tourney_last_algorithm() : "native";
  const char *name = strchr(algorithm, '=');
  if (should_serve(combination, exchange, algorithm) && strcmp(attempt->by, name + 1) != 0)
    complain(attempt, "the algorithm that was asked for didn't serve");
}

/* --- the combination --- */

/* Compares what the two calls made, and what the standard defines. */
static void compare_data(struct attempt *attempt, const struct exchange *exchange,
                         const void *planned)
{
  const bool differs = !is_same(&exchange->receive, planned);
  void *native = copy_of(&exchange->receive);
  exchange_fill(exchange);
  exchange_expect(exchange);
  exchange_forget(exchange);
  if (!is_same(&exchange->receive, planned))
    complain(attempt, "memory isn't as the standard defines it");
  if (!is_same(&exchange->receive, native))
    complain(attempt, "native differs from the standard");
  if (differs)
    complain(attempt, "memory isn't as after the native call");
  free(native);
}

static void try_both(struct attempt *attempt, const struct combination *combination,
                     const struct exchange *exchange, const char *algorithm)
{
  const enum fault fault = (enum fault)combination->value[AXIS_FAULT];
  const enum form form = (enum form)combination->value[AXIS_FORM];
  struct call call = call_of(exchange);
  spoil(exchange, fault, &call);
  ask_for(algorithm);
  const struct outcome planned = perform(attempt, exchange, &call, form);
  check_server(attempt, combination, exchange, algorithm);
  void *made = copy_of(&exchange->receive);
  set_native(1);
  const struct outcome native = perform(attempt, exchange, &call, form);
  set_native(0);
  compare_outcomes(attempt, planned, native);
  if (fault == FAULT_NONE && planned.class != MPI_SUCCESS)
    snprintf(attempt->fault, sizeof attempt->fault, "error class %d, natively too", planned.class);
  if (fault == FAULT_NONE)
    compare_data(attempt, exchange, made);
  mend(exchange, fault, &call);
  free(made);
}

struct attempt attempt_make(const struct combination *combination, const char *algorithm)
{
  const size_t *value = combination->value;
  struct attempt attempt = {.by = "native"};
  struct exchange exchange;
  struct member member = comms_get((enum comm)value[AXIS_COMM], (int)ranks_of(value[AXIS_RANKS]),
                                   value[AXIS_ALGORITHM] == ALGORITHM_CHOSEN, handler);
  if (member.comm == MPI_COMM_NULL)
    return attempt;
  attempt.is_first = member.rank == 0 && member.side == 0;
  if (value[AXIS_FAULT] != FAULT_NONE)
    member = comms_copy(&member, handler);
  exchange_make(&exchange, combination, &member);
  try_both(&attempt, combination, &exchange, algorithm);
  exchange_release(&exchange);
  if (value[AXIS_FAULT] != FAULT_NONE)
    MPI_Comm_free(&member.comm);
  return attempt;
}
