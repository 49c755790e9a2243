/* The guard on a communicator: counts the calls of each class, and has all ranks agree where the
   rules (guard/rules.h) say so: after an asking call on what could be tried, after a round on its
   times, after a checked call on the mean of late. An agreement is a native reduction of a few
   numbers on the program's communicator, of which the greatest count; all ranks come to it behind
   the same call, since they count alike.

   What could keep a rank from it, it says in the agreement: where it has no memory, or a plan
   failed it, the communicator is native for good at all ranks. */
#include "mpi/guard.h"

#include <math.h>

#include "core/alloc.h"
#include "mpi/choose.h"
#include "mpi/explain.h"
#include "mpi/guard/clock.h"
#include "mpi/native.h"
#include "mpi/world.h"

const char tny_guard_first_call[] = "the first call of its size: nothing is tried yet";
const char tny_guard_by_profile[] = "the fastest in the profile";
static const char forced_by_profile[] = "the fastest in the profile: another of the MPI's own";
static const char forced[] = "the fastest seen here: another of the MPI's own";
static const char not_faster[] = "no plan was seen to be faster";
static const char no_memory[] = "no memory for trials";
static const char plan_failed[] = "a plan failed on this communicator";

/* To plan by counts takes about so long for each message, what is handed out included: 1 us in most
   clusters, 8 and more on grids whose links are all full (docs/planner.md). */
#define PLANNING_A_MESSAGE_NS 5e3

/* The numbers of an asking call's agreement; rank 0 alone gives those from NUMBER_WAIT on. */
enum {
  NUMBER_TROUBLE, /* in every agreement */
  NUMBER_ELAPSED,
  NUMBER_AGREEMENT,
  NUMBER_WAIT,
  NUMBER_IS_KNOWN,
  NUMBER_KNOWN_CODE,
  NUMBER_KNOWN_NATIVE,
  NUMBER_KNOWN_SETTLED,
  NUMBER_COUNT,
  NUMBER_CANDIDATES,
  ASK_NUMBERS = NUMBER_CANDIDATES + 2 * TNY_GUARD_CANDIDATES,
};

enum { TROUBLE_NONE, TROUBLE_MEMORY, TROUBLE_PLAN };

const char *tny_guard_pass(struct tny_comm_state *state, enum tny_collective collective,
                           uint32_t number)
{
  struct tny_guard_class *class = tny_guard_table_find(&state->guard, collective, number);
  if (class) {
    const char *why = class->is_profiled ? tny_guard_by_profile : not_faster;
    return tny_guard_passes(class) ? why : NULL;
  }
  const bool is_first =
      tny_world_get()->guard && tny_guard_table_see(&state->guard, collective, number);
  return is_first ? tny_guard_first_call : NULL;
}

void tny_guard_uncount(struct tny_comm_state *state, enum tny_collective collective,
                       uint32_t number)
{
  struct tny_guard_class *class = tny_guard_table_find(&state->guard, collective, number);
  if (class)
    tny_guard_take_back(class);
  else
    tny_guard_table_unsee(&state->guard, collective, number);
}

const char *tny_guard_why_native(struct tny_guard_turn turn)
{
  if (turn.is_trial)
    return "a trial";
  if (turn.is_profiled)
    return turn.choice.parameter ? forced_by_profile : tny_guard_by_profile;
  if (turn.choice.parameter)
    return forced;
  return turn.is_timed ? not_faster : "no plan is known";
}

/* The greatest of all ranks' numbers, and how long it took here. */
static int agree(struct tny_comm_state *state, double *numbers, int count, double *took_ns)
{
  const double start_ns = tny_clock_ns();
  const int code =
      tny_native.allreduce(MPI_IN_PLACE, numbers, count, MPI_DOUBLE, MPI_MAX, state->of);
  *took_ns = tny_clock_ns() - start_ns;
  tny_explain_trial(*took_ns);
  if (code != MPI_SUCCESS) {
    tny_comm_state_break(state, code);
    state->why_native = plan_failed;
  }
  return code;
}

static double own_trouble(const struct tny_comm_state *state)
{
  return state->broken == MPI_SUCCESS ? TROUBLE_NONE : TROUBLE_PLAN;
}

/* --- asking --- */

/* The codes of choices are exact as such numbers, as there are few algorithms. */
static void write_offer(const struct tny_guard_offer *offer, double numbers[ASK_NUMBERS])
{
  numbers[NUMBER_WAIT] = (double)offer->wait_calls;
  numbers[NUMBER_IS_KNOWN] = offer->is_known;
  if (offer->is_known) {
    numbers[NUMBER_KNOWN_CODE] = (double)tny_guard_choice_code(offer->known.choice);
    numbers[NUMBER_KNOWN_NATIVE] = offer->known.native_ns;
    numbers[NUMBER_KNOWN_SETTLED] = offer->known.settled_ns;
  }
  numbers[NUMBER_COUNT] = offer->count;
  for (uint32_t i = 0; i < offer->count; i++) {
    numbers[NUMBER_CANDIDATES + 2 * i] = (double)tny_guard_choice_code(offer->candidates[i].choice);
    numbers[NUMBER_CANDIDATES + 2 * i + 1] = offer->candidates[i].predicted_ns;
  }
}

static struct tny_guard_offer read_offer(const struct tny_guarded *guarded,
                                         const double numbers[ASK_NUMBERS])
{
  struct tny_guard_offer offer = {
      .wait_calls = (uint64_t)numbers[NUMBER_WAIT],
      .is_known = numbers[NUMBER_IS_KNOWN] > 0,
      .known = {.collective = guarded->collective,
                .number = guarded->number,
                .choice = tny_guard_choice_of((int64_t)numbers[NUMBER_KNOWN_CODE]),
                .native_ns = numbers[NUMBER_KNOWN_NATIVE],
                .settled_ns = numbers[NUMBER_KNOWN_SETTLED]},
      .count = (uint32_t)numbers[NUMBER_COUNT],
  };
  for (uint32_t i = 0; i < offer.count; i++)
    offer.candidates[i] = (struct tny_guard_candidate){
        .choice = tny_guard_choice_of((int64_t)numbers[NUMBER_CANDIDATES + 2 * i]),
        .predicted_ns = numbers[NUMBER_CANDIDATES + 2 * i + 1]};
  return offer;
}

/* All ranks learn what rank 0 offers. *class is NULL at a rank that has no memory for it. */
static int ask(struct tny_guarded *guarded, struct tny_guard_class *class, bool has_memory,
               double numbers[ASK_NUMBERS])
{
  struct tny_comm_state *state = guarded->state;
  double took_ns;
  numbers[NUMBER_TROUBLE] = own_trouble(state);
  if (!class || !has_memory)
    numbers[NUMBER_TROUBLE] = TROUBLE_MEMORY;
  numbers[NUMBER_AGREEMENT] = class ? -class->own_agreement_ns : 0;
  if (state->rank == 0 && numbers[NUMBER_TROUBLE] == TROUBLE_NONE) {
    struct tny_guard_offer offer;
    tny_group_offer(state->group, class, numbers[NUMBER_ELAPSED], class->native_ns == 0, &offer);
    write_offer(&offer, numbers);
  }
  const int code = agree(state, numbers, ASK_NUMBERS, &took_ns);
  if (code != MPI_SUCCESS)
    return code;
  if (class)
    class->own_agreement_ns = took_ns;
  if (numbers[NUMBER_TROUBLE] == TROUBLE_MEMORY)
    state->why_native = no_memory;
  if (numbers[NUMBER_TROUBLE] == TROUBLE_PLAN)
    state->why_native = plan_failed;
  return code;
}

/* --- what is said and kept of it --- */

static void explain(const struct tny_guarded *guarded, const struct tny_guard_class *class,
                    const struct tny_guard_trial *trial)
{
  const bool is_whole = !guarded->state->is_of_neighbours;
  struct tny_decision decision = {
      .collective = is_whole ? tny_guard_name(class->collective, class->number) : "neighbor_*",
      .is_own = tny_guard_is_own(class->number),
      .class_bytes = tny_guard_bytes(class->number),
      .rank_count = guarded->state->rank_count,
      .native_ns = class->native_ns,
      .trials = class->trial_calls};
  if (!tny_choice_is_native(&class->settled))
    tny_profile_choice_write(&class->settled, decision.served);
  for (uint32_t i = 1; trial && i < trial->arm_count; i++) {
    tny_profile_choice_write(&trial->arms[i].choice, decision.tried[i - 1].name);
    decision.tried[i - 1].predicted_ns = trial->arms[i].predicted_ns;
    decision.tried[i - 1].ns =
        trial->arms[i].is_out ? INFINITY : trial->arms[i].ratio * class->native_ns;
  }
  tny_explain_decision(&decision);
}

/* The class has just settled: rank 0 keeps that for later communicators. */
static void tell(const struct tny_guarded *guarded, const struct tny_guard_class *class,
                 const struct tny_guard_trial *trial)
{
  explain(guarded, class, trial);
  const struct tny_guard_result result = {.collective = class->collective,
                                          .number = class->number,
                                          .choice = class->settled,
                                          .native_ns = class->native_ns,
                                          .settled_ns = class->settled_ns};
  /* Where trials were put off, another communicator may come to them earlier. What a profile has
     forced is the profile's to say. */
  const bool is_tried = trial && trial->arm_count > 1 && trial->arms[1].ratio >= 0;
  const bool is_forced = !class->settled.algorithm && class->settled.parameter;
  if (guarded->state->rank == 0 && is_tried && !is_forced)
    tny_group_keep(guarded->state->group, &result);
}

/* --- calls --- */

/* The model's choice, found by this rank alone; *choice stays where the profile has no plan that is
   near the fastest. */
static int choose_alone(const struct tny_comm_state *state, enum tny_collective collective,
                        uint32_t number, struct tny_algorithm_choice *choice)
{
  const struct tny_guard_class class = tny_guard_class_new(collective, number, 0);
  struct tny_guard_offer offer;
  tny_group_offer(state->group, &class, 0, false, &offer);
  if (!offer.is_made)
    return MPI_ERR_NO_MEM;
  if (offer.count > 0)
    *choice = offer.candidates[0].choice;
  return MPI_SUCCESS;
}

/* With the guard off, the model's choice serves the class from its first call on. Of broadcasts
   every rank finds it alone, since erroneous ones may have given their ranks different sizes. */
static int settle_by_model(struct tny_guarded *guarded, struct tny_guard_class *class)
{
  double numbers[ASK_NUMBERS] = {0};
  if (class)
    class->look_due = class->check_due = UINT64_MAX;
  if (tny_collective_has_one_buffer(guarded->collective)) {
    const int code = choose_alone(guarded->state, guarded->collective, guarded->number,
                                  class ? &class->settled : &guarded->turn.choice);
    if (code != MPI_SUCCESS)
      PMPI_Comm_call_errhandler(guarded->state->of, code);
    return code;
  }
  const int code = ask(guarded, class, true, numbers);
  if (code != MPI_SUCCESS || numbers[NUMBER_TROUBLE] != TROUBLE_NONE)
    return code;
  const struct tny_guard_offer offer = read_offer(guarded, numbers);
  if (offer.count > 0)
    class->settled = offer.candidates[0].choice;
  return code;
}

/* A class of which one call was before; NULL where there is no memory. */
static struct tny_guard_class *add_class(struct tny_comm_state *state,
                                         enum tny_collective collective, uint32_t number)
{
  const struct tny_guard_class new = tny_guard_class_new(collective, number, 1);
  return tny_guard_table_add(&state->guard, &new);
}

void tny_guard_agreed_on_size(struct tny_comm_state *state, enum tny_collective collective,
                              uint32_t number)
{
  struct tny_guard_class *class = tny_guard_table_find(&state->guard, collective, number);
  if (!tny_guard_table_has_seen(&state->guard, collective, number))
    return;
  tny_sizing_pay(&state->sizing, class ? class : add_class(state, collective, number));
}

int tny_guard_take(struct tny_comm_state *state, enum tny_collective collective, uint32_t number,
                   struct tny_guarded *guarded)
{
  const bool has_guard = tny_world_get()->guard;
  int code = MPI_SUCCESS;
  *guarded = (struct tny_guarded){.state = state, .collective = collective, .number = number};
  struct tny_guard_class *class = tny_guard_table_find(&state->guard, collective, number);
  if (!class) {
    class = add_class(state, collective, number);
    if (!has_guard)
      code = settle_by_model(guarded, class);
  }
  if (!class && has_guard) /* it is native, and then all ranks hear of it */
    guarded->turn =
        (struct tny_guard_turn){.is_timed = true, .is_trial = true, .then = TNY_GUARD_ASK};
  else if (class && code == MPI_SUCCESS)
    guarded->turn = tny_guard_begin(class);
  guarded->turn.is_timed &= has_guard;
  return code;
}

static bool goes_by_counts(const struct tny_algorithm *algorithm, const struct tny_guarded *guarded)
{
  const struct tny_algorithm_choice choice = {.algorithm = algorithm};
  return algorithm->collective == guarded->collective && algorithm->plans_bytes &&
         !tny_group_refusal(guarded->state->group, choice, 0);
}

/* The first of the collective's algorithms that plans by the counts of a call and can plan for its
   ranks; NULL: there is none. */
static const struct tny_algorithm *find_by_counts(const struct tny_guarded *guarded)
{
  uint32_t i = 0;
  while (tny_algorithms[i] && !goes_by_counts(tny_algorithms[i], guarded))
    i++;
  return tny_algorithms[i];
}

/* Uneven calls are also tried by an algorithm that plans by their counts, if there is one, in the
   place of the second best; nothing is predicted of it, as the counts aren't known yet. Other
   counts are planned for anew: so only where calls are at least as long as that takes. All ranks
   find the same, by the longest rank's time. */
static void offer_by_counts(const struct tny_guarded *guarded, double native_ns,
                            struct tny_guard_offer *offer)
{
  const struct tny_algorithm *algorithm = find_by_counts(guarded);
  const uint32_t rank_count = guarded->state->rank_count;
  if (!algorithm || offer->count == 0 || !tny_guard_is_uneven(guarded->number) ||
      rank_count > TNY_PLANNER_RANKS ||
      PLANNING_A_MESSAGE_NS * rank_count * (rank_count - 1) > native_ns)
    return;
  offer->count = 2;
  offer->candidates[1] = (struct tny_guard_candidate){
      .choice = {.algorithm = algorithm}, .predicted_ns = offer->candidates[0].predicted_ns};
}

static int end_asking(struct tny_guarded *guarded, struct tny_guard_class *class, double elapsed_ns)
{
  double numbers[ASK_NUMBERS] = {[NUMBER_ELAPSED] = elapsed_ns};
  struct tny_guard_trial *trial = class ? tny_new(1, sizeof *trial) : NULL;
  const int code = ask(guarded, class, trial != NULL, numbers);
  if (code == MPI_SUCCESS && numbers[NUMBER_TROUBLE] == TROUBLE_NONE) {
    struct tny_guard_offer offer = read_offer(guarded, numbers);
    offer_by_counts(guarded, numbers[NUMBER_ELAPSED], &offer);
    tny_guard_offered(class, trial, &offer, numbers[NUMBER_ELAPSED], -numbers[NUMBER_AGREEMENT]);
    if (!class->trial)
      tell(guarded, class, trial);
  }
  if (trial && class->trial != trial)
    tny_free(trial);
  return code;
}

static int end_agreeing(struct tny_guarded *guarded, struct tny_guard_class *class)
{
  struct tny_comm_state *state = guarded->state;
  double numbers[1 + TNY_GUARD_NUMBERS] = {[NUMBER_TROUBLE] = own_trouble(state)};
  const uint32_t count = tny_guard_numbers(class, guarded->turn, numbers + 1);
  double took_ns;
  const int code = agree(state, numbers, (int)(1 + count), &took_ns);
  if (code != MPI_SUCCESS)
    return code;
  class->own_agreement_ns = took_ns;
  if (numbers[NUMBER_TROUBLE] != TROUBLE_NONE) {
    state->why_native = plan_failed;
    return code;
  }
  struct tny_guard_trial *trial = class->trial;
  tny_guard_agreed(class, guarded->turn, numbers + 1);
  if (trial && !class->trial) {
    tell(guarded, class, trial);
    tny_free(trial);
  }
  return code;
}

/* The class goes on without the plan that it was settled on. */
static void fall_back(const struct tny_guarded *guarded, struct tny_guard_class *class)
{
  struct tny_guard_trial trial = {
      .arm_count = 2, .arms = {{.ratio = 1}, {.choice = class->settled, .is_out = true}}};
  tny_guard_fall_back(class);
  explain(guarded, class, &trial);
}

int tny_guard_end(struct tny_guarded *guarded, double elapsed_ns, double planning_ns,
                  enum tny_guard_outcome outcome)
{
  const struct tny_guard_turn turn = guarded->turn;
  const bool has_run = outcome == TNY_GUARD_RUN;
  struct tny_guard_class *class =
      tny_guard_table_find(&guarded->state->guard, guarded->collective, guarded->number);
  if (turn.is_trial)
    tny_explain_trial(elapsed_ns);
  if (class && !turn.is_trial && outcome == TNY_GUARD_REFUSED) {
    fall_back(guarded, class);
    return MPI_SUCCESS;
  }
  if (class && (has_run || class->trial))
    tny_guard_note(class, turn, has_run ? elapsed_ns : INFINITY, planning_ns);
  if (turn.then == TNY_GUARD_ASK)
    return end_asking(guarded, class, elapsed_ns);
  return turn.then == TNY_GUARD_NOTHING ? MPI_SUCCESS : end_agreeing(guarded, class);
}

int tny_guard_find_choice(const struct tny_comm_state *state, enum tny_collective collective,
                          uint32_t number, struct tny_algorithm_choice *choice)
{
  const struct tny_guard_class *class = tny_guard_table_find(&state->guard, collective, number);
  if (class && class->settled.algorithm)
    *choice = class->settled;
  else if (!tny_world_get()->guard)
    return choose_alone(state, collective, number, choice);
  return MPI_SUCCESS;
}

double tny_guard_native_ns(const struct tny_comm_state *state, enum tny_collective collective,
                           uint32_t number)
{
  const struct tny_guard_class *class = tny_guard_table_find(&state->guard, collective, number);
  return class ? class->native_ns * (double)class->calls : 0;
}
