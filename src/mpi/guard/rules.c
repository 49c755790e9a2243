/* The guard's rules, as rules.h has them.

   Looking at a class goes in rounds (rounds.h). Planning is taken off a candidate's times; of one
   that plans by a call's counts, which others ask for anew, off its first call's alone, and that is
   on the account. What opening connections takes is in the times. */
#include "mpi/guard/rules.h"

#include <math.h>

#include "mpi/cache/same.h"
#include "mpi/guard/rounds.h"

/* What may be lost, in native calls: at first, and for each call more. 200 calls: 10, or 5 %; 1,000
   calls: 20, or 2 %. */
#define LOST_AT_FIRST 6.0
#define LOST_A_CALL (1.0 / 80)

#define STAY_RATIO 1.0     /* a plan that is in goes above this */
#define LATER_RATIO 0.9    /* of candidates' times: what makes a later one take the first place */
#define DRIFTED 1.5        /* a plan's mean time of late to its usual one, */
#define NATIVE_DRIFTED 2.0 /* and native's: it is rarer, and a look more costs more */
#define ELSEWHERE 4.0      /* what was told, either way: a class's blocks differ by two */
#define WATCHED_NS 100e3   /* the shortest native calls whose times are noted: it takes 0.1 us */
#define AGREEMENTS_A_CALL 128 /* checks may cost one part in so many of native */

enum {
  LOOK_AGAIN_CALLS = 128, /* a native class, at the earliest; then after four times as many */
  LOOK_AGAIN_FACTOR = 4,
  PUT_OFF_CALLS = 16, /* a round that isn't covered yet, at the least */
  CHECK_GAP_FIRST = 16,
  CHECK_GAP_TOLD = 1, /* of what a file says; it doubles, too */
  CHECK_GAP_LEAST = 32,
  CHECK_GAP_MOST = 1024,
  LOOK_GAP_FIRST = 32,
  LOOK_GAP_MOST = 4096,
  KNOWN_GAP = 128, /* the first look at what was settled elsewhere */
};

struct tny_guard_class tny_guard_class_new(enum tny_collective collective, uint32_t number,
                                           uint64_t calls)
{
  return (struct tny_guard_class){
      .collective = collective, .number = number, .calls = calls, .look_due = calls + 1};
}

static void set_gaps(struct tny_guard_class *class, uint64_t check_gap, uint64_t look_gap)
{
  class->check_gap = check_gap;
  class->look_gap = look_gap;
  class->check_due = class->calls + check_gap;
  class->look_due = class->calls + look_gap;
  class->is_watched = tny_choice_is_native(&class->settled) && class->native_ns >= WATCHED_NS;
}

struct tny_guard_class tny_guard_class_settled(const struct tny_guard_result *result,
                                               uint64_t calls)
{
  const bool is_native = tny_choice_is_native(&result->choice);
  struct tny_guard_class class = {.collective = result->collective,
                                  .number = result->number,
                                  .calls = calls,
                                  .settled = result->choice,
                                  .native_ns = result->native_ns,
                                  .least_ns = result->native_ns,
                                  .settled_ns = result->settled_ns,
                                  .usual_ns = is_native ? result->native_ns : result->settled_ns,
                                  .is_told = !is_native && result->is_read,
                                  .is_new_winner = !is_native};
  set_gaps(&class, class.is_told ? CHECK_GAP_TOLD : CHECK_GAP_FIRST, KNOWN_GAP);
  return class;
}

struct tny_guard_class tny_guard_class_profiled(const struct tny_guard_result *result,
                                                bool has_guard)
{
  struct tny_guard_class class = tny_guard_class_settled(result, 0);
  class.is_profiled = true;
  class.look_gap = class.look_due = LOOK_GAP_MOST;
  if (!has_guard) {
    class.check_due = class.look_due = UINT64_MAX;
    class.is_watched = false;
  }
  return class;
}

/* --- the account --- */

double tny_guard_allowance(const struct tny_guard_class *class)
{
  return (LOST_AT_FIRST + LOST_A_CALL * (double)class->calls) * class->least_ns;
}

static bool covers_agreement(const struct tny_guard_class *class)
{
  return class->lost_ns + class->agreement_ns <= tny_guard_allowance(class);
}

uint64_t tny_guard_calls_missing(uint64_t calls, double lost_ns, double native_ns)
{
  const double from = ceil((lost_ns / native_ns - LOST_AT_FIRST) / LOST_A_CALL);
  const double missing = from - (double)calls;
  return missing < 1e18 ? (uint64_t)(missing > 0 ? missing : 0) : UINT64_MAX / 2;
}

uint64_t tny_guard_calls_uncovered(const struct tny_guard_class *class)
{
  return tny_guard_calls_missing(class->calls, class->lost_ns + class->asking_ns, class->least_ns);
}

/* --- settling --- */

/* Of candidates that are faster than native the first, unless a later one is clearly faster: a few
   calls tell less about two plans than their predictions do. */
static const struct tny_guard_arm *find_best(const struct tny_guard_class *class)
{
  const struct tny_guard_trial *trial = class->trial;
  const struct tny_guard_arm *best = &trial->arms[0];
  double least_ns = INFINITY;
  for (uint32_t i = 1; i < trial->arm_count; i++) {
    const struct tny_guard_arm *arm = &trial->arms[i];
    const bool is_in = tny_is_same_choice(arm->choice, class->settled);
    const double most = is_in ? STAY_RATIO : TNY_GUARD_ENTER_RATIO;
    if (arm->is_out || arm->sample_count == 0 || arm->ratio > most)
      continue;
    const double ns = tny_guard_arm_spread(arm).median_ns;
    if (ns < LATER_RATIO * least_ns) {
      best = arm;
      least_ns = ns;
    }
  }
  return best;
}

/* After how many calls a check costs little. */
static uint64_t cheap_check_gap(const struct tny_guard_class *class)
{
  const double wanted = AGREEMENTS_A_CALL * class->agreement_ns / class->native_ns;
  return wanted < CHECK_GAP_LEAST  ? CHECK_GAP_LEAST
         : wanted > CHECK_GAP_MOST ? CHECK_GAP_MOST
                                   : (uint64_t)wanted;
}

/* Checks are the rarer the more were passed; of native calls, by which nothing is lost, without
   another bound: an agreement delays ranks that share processors by more than it takes each. */
static uint64_t next_check_gap(const struct tny_guard_class *class)
{
  return tny_guard_at_most(2 * class->check_gap, tny_choice_is_native(&class->settled)
                                                     ? CHECK_GAP_MOST
                                                     : cheap_check_gap(class));
}

static void settle_native(struct tny_guard_class *class, double blocked_ns)
{
  const uint64_t later = LOOK_AGAIN_FACTOR * class->calls;
  const double before_ns = class->is_watched ? class->usual_ns : 0;
  class->settled = (struct tny_algorithm_choice){0};
  class->settled_ns = class->native_ns;
  class->is_put_off = blocked_ns > 0;
  class->usual_ns = fmax(class->native_ns, before_ns);
  set_gaps(class, cheap_check_gap(class),
           (later > LOOK_AGAIN_CALLS ? later : LOOK_AGAIN_CALLS) - class->calls);
  if (class->calls >= class->retry_due)
    class->retry_due = class->look_due;
  if (blocked_ns == 0)
    return;
  const uint64_t missing = tny_guard_calls_missing(class->calls, blocked_ns, class->least_ns);
  const uint64_t wait = missing > PUT_OFF_CALLS ? missing : PUT_OFF_CALLS;
  class->look_due = tny_guard_at_most(class->look_due, class->calls + wait);
}

static void settle(struct tny_guard_class *class)
{
  struct tny_guard_trial *trial = class->trial;
  const struct tny_guard_arm *best = find_best(class);
  for (uint32_t i = 1; i < trial->arm_count; i++)
    class->seen[i - 1] = (struct tny_guard_seen){.choice = trial->arms[i].choice,
                                                 .ratio = (float)trial->arms[i].ratio,
                                                 .planning_ns = (float)trial->arms[i].planning_ns,
                                                 .is_judged = trial->arms[i].is_judged ||
                                                              trial->arms[i].sample_count > 0};
  class->trial = NULL;
  class->is_profiled = class->is_told = class->is_put_off = false;
  class->own_sum_ns = 0;
  class->own_count = 0;
  if (tny_choice_is_native(&best->choice)) {
    settle_native(class, trial->blocked_ns);
    return;
  }
  const bool is_confirmed = tny_is_same_choice(class->settled, best->choice);
  class->settled = best->choice;
  class->settled_ns = tny_guard_arm_spread(best).median_ns;
  if (is_confirmed) {
    set_gaps(class, next_check_gap(class), tny_guard_at_most(2 * class->look_gap, LOOK_GAP_MOST));
  } else {
    class->usual_ns = class->settled_ns;
    class->is_new_winner = true;
    set_gaps(class, CHECK_GAP_FIRST, LOOK_GAP_FIRST);
  }
}

static void go_on(struct tny_guard_class *class)
{
  const double lost_ns = class->lost_ns + class->agreement_ns;
  if (!tny_guard_make_round(class, tny_guard_allowance(class) - lost_ns))
    settle(class);
}

/* --- calls --- */

/* The call's turn, which is counted. */
static struct tny_guard_turn find_turn(struct tny_guard_class *class)
{
  const struct tny_guard_trial *trial = class->trial;
  if (trial) {
    class->trial_calls++;
    return (struct tny_guard_turn){
        .choice = trial->arms[trial->slots[trial->slot]].choice,
        .is_timed = true,
        .is_trial = true,
        .then = trial->slot + 1 == trial->slot_count ? TNY_GUARD_AGREE : TNY_GUARD_NOTHING};
  }
  if (class->calls >= class->look_due) {
    class->trial_calls++;
    return (struct tny_guard_turn){.is_timed = true, .is_trial = true, .then = TNY_GUARD_ASK};
  }
  const bool is_native = tny_choice_is_native(&class->settled);
  const bool is_noted = !is_native || class->is_watched;
  const bool is_checked =
      is_noted && class->calls >= class->check_due && (!is_native || covers_agreement(class));
  return (struct tny_guard_turn){.choice = class->settled,
                                 .is_timed = is_noted,
                                 .is_profiled = class->is_profiled,
                                 .then = is_checked ? TNY_GUARD_CHECK : TNY_GUARD_NOTHING};
}

struct tny_guard_turn tny_guard_begin(struct tny_guard_class *class)
{
  class->calls++;
  const struct tny_guard_turn turn = find_turn(class);
  if (tny_choice_is_native(&turn.choice))
    class->lost_ns += class->asking_ns;
  return turn;
}

/* Is it planned anew for other counts of the same class? */
static bool plans_by_counts(struct tny_algorithm_choice choice)
{
  return choice.algorithm && choice.algorithm->plans_bytes;
}

void tny_guard_note(struct tny_guard_class *class, struct tny_guard_turn turn, double elapsed_ns,
                    double planning_ns)
{
  struct tny_guard_trial *trial = class->trial;
  if (trial) {
    trial->elapsed_ns[trial->slot] = elapsed_ns;
    trial->planning_ns[trial->slot++] = planning_ns;
  } else if (turn.then != TNY_GUARD_ASK) {
    class->own_sum_ns +=
        elapsed_ns - (isfinite(elapsed_ns) && !plans_by_counts(turn.choice) ? planning_ns : 0);
    class->own_count++;
  }
}

/* The fastest that was seen to be faster than native; NULL: none. */
static const struct tny_guard_seen *find_best_seen(const struct tny_guard_class *class)
{
  const struct tny_guard_seen *best = NULL;
  for (uint32_t i = 0; i < TNY_GUARD_CANDIDATES; i++) {
    const struct tny_guard_seen *seen = &class->seen[i];
    if (seen->is_judged && (double)seen->ratio <= TNY_GUARD_ENTER_RATIO &&
        (!best || seen->ratio < best->ratio))
      best = seen;
  }
  return best;
}

void tny_guard_fall_back(struct tny_guard_class *class)
{
  for (uint32_t i = 0; i < TNY_GUARD_CANDIDATES; i++)
    if (tny_is_same_choice(class->seen[i].choice, class->settled))
      class->seen[i] = (struct tny_guard_seen){0};
  const struct tny_guard_seen *best = find_best_seen(class);
  class->settled = best ? best->choice : (struct tny_algorithm_choice){0};
  class->settled_ns = class->usual_ns = class->native_ns * (best ? (double)best->ratio : 1);
  class->is_profiled = class->is_told = false;
  class->is_new_winner = best != NULL;
  class->own_sum_ns = 0;
  class->own_count = 0;
  if (best)
    set_gaps(class, CHECK_GAP_FIRST, LOOK_GAP_FIRST);
  else
    set_gaps(class, cheap_check_gap(class), LOOK_AGAIN_CALLS);
}

/* --- agreements --- */

static void add_sample(struct tny_guard_arm *arm, double ns)
{
  if (arm->sample_count < TNY_GUARD_SAMPLES)
    arm->samples_ns[arm->sample_count++] = ns;
}

static void add_candidate(struct tny_guard_class *class, struct tny_guard_candidate candidate)
{
  struct tny_guard_trial *trial = class->trial;
  struct tny_guard_seen seen = {.ratio = -1};
  if (trial->arm_count == 1 + TNY_GUARD_CANDIDATES)
    return;
  for (uint32_t i = 1; i < trial->arm_count; i++)
    if (tny_is_same_choice(trial->arms[i].choice, candidate.choice))
      return;
  for (uint32_t i = 0; i < TNY_GUARD_CANDIDATES; i++)
    if (tny_is_same_choice(class->seen[i].choice, candidate.choice))
      seen = class->seen[i];
  trial->arms[trial->arm_count++] = (struct tny_guard_arm){
      .choice = candidate.choice,
      .predicted_ns = candidate.predicted_ns,
      .ratio = (double)seen.ratio,
      .cold_ratio = (double)seen.ratio,
      .planning_ns = (double)seen.planning_ns,
      .is_judged = seen.is_judged,
      .is_retried = !tny_choice_is_native(&class->settled) || class->calls >= class->retry_due};
}

/* Trials are put off, as what is settled now stays. */
static void put_off(struct tny_guard_class *class, uint64_t calls)
{
  class->is_put_off = true;
  class->look_due = class->calls + calls;
}

void tny_guard_offered(struct tny_guard_class *class, struct tny_guard_trial *trial,
                       const struct tny_guard_offer *offer, double native_ns, double agreement_ns)
{
  const bool is_first = class->native_ns == 0;
  if (agreement_ns > 0)
    class->agreement_ns = fmax(agreement_ns, class->asking_ns); /* it is as one of those */
  else if (is_first)
    class->agreement_ns = class->asking_ns;
  class->native_ns = class->least_ns = native_ns > 1 ? native_ns : 1;
  class->lost_ns += class->agreement_ns;
  if (class->unpaid_calls > 0)
    class->lost_ns += (double)class->unpaid_calls * (class->usual_ns - class->native_ns);
  class->unpaid_calls = 0;
  class->is_put_off = false;
  if (is_first && offer->is_known) {
    const struct tny_guard_class before = *class;
    *class = tny_guard_class_settled(&offer->known, before.calls);
    class->lost_ns = before.lost_ns;
    class->agreement_ns = before.agreement_ns;
    class->asking_ns = before.asking_ns;
    class->trial_calls = before.trial_calls;
  } else if (offer->wait_calls > 0 || offer->count == 0) {
    put_off(class, offer->wait_calls > 0 ? offer->wait_calls
                                         : LOOK_AGAIN_CALLS + LOOK_AGAIN_FACTOR * class->calls);
  } else {
    class->trial = trial;
    trial->arm_count = 1;
    trial->arms[0] = (struct tny_guard_arm){.ratio = 1};
    add_sample(&trial->arms[0], class->native_ns);
    if (!tny_choice_is_native(&class->settled))
      add_candidate(class, (struct tny_guard_candidate){.choice = class->settled});
    for (uint32_t i = 0; i < offer->count; i++)
      add_candidate(class, offer->candidates[i]);
    go_on(class);
  }
}

uint32_t tny_guard_numbers(const struct tny_guard_class *class, struct tny_guard_turn turn,
                           double numbers[TNY_GUARD_NUMBERS])
{
  const struct tny_guard_trial *trial = class->trial;
  uint32_t count = 0;
  numbers[count++] = -class->own_agreement_ns; /* the greatest is the shortest's */
  if (turn.then == TNY_GUARD_CHECK)
    numbers[count++] = class->own_count > 0 ? class->own_sum_ns / class->own_count : 0;
  for (uint32_t i = 0; turn.then == TNY_GUARD_AGREE && i < trial->slot_count; i++) {
    numbers[count++] = trial->elapsed_ns[i];
    numbers[count++] = trial->planning_ns[i];
  }
  return count;
}

/* Of what plans by counts, planning is a part of each call but the first: there it is on the
   account alone, so that the arm isn't judged by what calls of the same counts don't take again. */
static void take_sample(struct tny_guard_class *class, struct tny_guard_arm *arm, double elapsed_ns,
                        double planning_ns)
{
  const bool is_new = !tny_guard_was_run(arm), by_counts = plans_by_counts(arm->choice);
  const double apart_ns = is_new || !by_counts ? planning_ns : 0;
  const double ns = elapsed_ns > apart_ns ? elapsed_ns - apart_ns : 1;
  if (!isfinite(ns)) {
    arm->is_out = true;
    return;
  }
  arm->planning_ns = is_new && by_counts ? planning_ns : 0;
  if (is_new)
    arm->ratio = arm->cold_ratio = ns / class->native_ns;
  else
    add_sample(arm, ns);
  if (!tny_choice_is_native(&arm->choice))
    class->lost_ns += ns + arm->planning_ns - class->native_ns;
  else if (ns < class->least_ns)
    class->least_ns = ns;
}

static void take_round(struct tny_guard_class *class, const double *numbers)
{
  struct tny_guard_trial *trial = class->trial;
  for (uint32_t i = 0; i < trial->slot_count; i++)
    take_sample(class, &trial->arms[trial->slots[i]], numbers[2 * i], numbers[2 * i + 1]);
  class->native_ns = tny_guard_arm_spread(&trial->arms[0]).median_ns;
  for (uint32_t i = 1; i < trial->arm_count; i++)
    if (trial->arms[i].sample_count > 0)
      trial->arms[i].ratio = tny_guard_arm_spread(&trial->arms[i]).median_ns / class->native_ns;
  go_on(class);
}

/* What the class was told was seen on another network: it holds neither for plans here nor for
   native. So the class is native until the next call's look, which also tells what the calls so far
   have lost. */
static void forget(struct tny_guard_class *class, double mean_ns)
{
  class->settled = (struct tny_algorithm_choice){0};
  class->is_profiled = class->is_told = class->is_new_winner = false;
  class->lost_ns = 0;
  class->unpaid_calls = isfinite(mean_ns) ? class->calls : 0;
}

/* Calls of late were as usual, or the class is to be looked at again. A new winner is one that is
   also faster than native on the mean, not only on the few calls by which it won. Native calls that
   became longer, as they do where TCP has come to send more at once than a port's buffer holds, may
   make a plan the faster one that wasn't. The first calls of what a file says tell only whether it
   is of this network; and the very first one, which opens connections, not whether the file's was
   faster: that the second one tells. */
static void take_check(struct tny_guard_class *class, double mean_ns)
{
  const bool is_native = tny_choice_is_native(&class->settled);
  const bool is_first = class->is_told && class->calls < CHECK_GAP_FIRST / 2;
  const bool is_slow =
      !is_first && (mean_ns > (is_native ? NATIVE_DRIFTED : DRIFTED) * class->usual_ns ||
                    (class->is_new_winner && mean_ns > class->native_ns));
  const bool is_longer = class->is_told && mean_ns > ELSEWHERE * class->usual_ns;
  const bool is_opening = is_longer && class->calls == 1;
  const bool is_elsewhere =
      class->is_told && !is_opening && (is_longer || mean_ns < class->usual_ns / ELSEWHERE);
  if (!is_native && isfinite(mean_ns))
    class->lost_ns += class->own_count * (mean_ns - class->native_ns);
  class->own_sum_ns = 0;
  class->own_count = 0;
  class->is_new_winner &= is_first;
  class->check_gap = is_opening ? CHECK_GAP_TOLD : next_check_gap(class);
  class->check_due = class->calls + class->check_gap;
  if (is_elsewhere)
    forget(class, mean_ns);
  if (is_slow || is_elsewhere) {
    class->usual_ns = mean_ns;
    class->look_due = class->calls + 1;
    class->retry_due = class->calls;
  }
}

void tny_guard_agreed(struct tny_guard_class *class, struct tny_guard_turn turn,
                      const double numbers[TNY_GUARD_NUMBERS])
{
  if (numbers[0] < 0)
    class->agreement_ns = fmax(-numbers[0], class->asking_ns);
  class->lost_ns += class->agreement_ns;
  if (turn.then == TNY_GUARD_AGREE)
    take_round(class, numbers + 1);
  else
    take_check(class, numbers[1]);
}
