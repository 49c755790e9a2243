/* Which calls a round of trials has. */
#include "mpi/guard/rounds.h"

#include <math.h>

/* How much longer than native a candidate's call is taken to be that wasn't seen yet, in native
   calls, and for the connections that it may open: what they take in truth is on the account. */
#define UNSEEN_EXCESS 4.0
#define UNSEEN_NS 500e3

#define CLEARLY_SLOWER 1.4
#define CLEARLY_FASTER 0.7
#define COLD_FASTER 0.9     /* of the first call, if one more is to do */
#define PREDICTED_ALIKE 1.1 /* the second candidate, where it is worth a trial */
#define PAIRS_JUDGE 4       /* so many samples show the spread, */
#define PAIRS_DECIDE 10     /* and so many decide in any case */
#define PAIRS_MORE 3        /* after the first */

struct tny_guard_spread tny_guard_arm_spread(const struct tny_guard_arm *arm)
{
  return tny_guard_spread_of(arm->samples_ns, arm->sample_count,
                             tny_choice_is_native(&arm->choice));
}

/* Whether another candidate is faster than native too: then one sample isn't enough to tell which
   of them is the fastest, and more cost nothing. */
static bool has_rival(const struct tny_guard_trial *trial, const struct tny_guard_arm *arm)
{
  for (uint32_t i = 1; i < trial->arm_count; i++) {
    const struct tny_guard_arm *other = &trial->arms[i];
    if (other != arm && !other->is_out && other->sample_count > 0 &&
        other->ratio < TNY_GUARD_ENTER_RATIO)
      return true;
  }
  return false;
}

/* Whether another look at the arm would change nothing. */
static bool is_decided(const struct tny_guard_trial *trial, const struct tny_guard_arm *arm)
{
  if (arm->is_out || arm->sample_count >= PAIRS_DECIDE || (arm->is_judged && !arm->is_retried))
    return true;
  if (arm->sample_count == 0)
    return false;
  if (arm->ratio >= CLEARLY_SLOWER)
    return true;
  if (arm->ratio <= CLEARLY_FASTER && arm->cold_ratio <= COLD_FASTER &&
      (arm->sample_count >= PAIRS_JUDGE || !has_rival(trial, arm)))
    return true;
  if (arm->sample_count < PAIRS_JUDGE)
    return false;
  const struct tny_guard_spread own = tny_guard_arm_spread(arm),
                                native = tny_guard_arm_spread(&trial->arms[0]);
  return own.upper_ns <= TNY_GUARD_ENTER_RATIO * native.lower_ns ||
         own.lower_ns >= TNY_GUARD_ENTER_RATIO * native.upper_ns;
}

/* What the arm's next call may cost more than a native one, and the latter's own agreement. */
static double excess_ns(const struct tny_guard_class *class, const struct tny_guard_arm *arm)
{
  if (!tny_guard_was_run(arm))
    return UNSEEN_EXCESS * class->native_ns + UNSEEN_NS;
  return class->asking_ns + arm->planning_ns +
         (arm->ratio > 1 ? (arm->ratio - 1) * class->native_ns : 0);
}

/* May a candidate turn out to be faster than native, by what was seen of it? */
static bool may_win(const struct tny_guard_trial *trial, const struct tny_guard_arm *arm)
{
  return !arm->is_out &&
         arm->ratio < (is_decided(trial, arm) ? TNY_GUARD_ENTER_RATIO : CLEARLY_SLOWER);
}

/* What the arm is held to take: where samples exceed its prediction, what they say. */
static double expected_ns(const struct tny_guard_class *class, const struct tny_guard_arm *arm)
{
  const double seen_ns = arm->sample_count > 0 ? arm->ratio * class->native_ns : 0;
  return fmax(arm->predicted_ns, seen_ns);
}

/* Is the arm worth a trial, after what was seen of those before it? */
static bool is_wanted(const struct tny_guard_class *class, uint32_t index)
{
  const struct tny_guard_trial *trial = class->trial;
  const struct tny_guard_arm *arm = &trial->arms[index];
  for (uint32_t i = 1; i < index; i++) {
    const struct tny_guard_arm *before = &trial->arms[i];
    if (!tny_guard_was_run(arm) && may_win(trial, before) &&
        arm->predicted_ns > PREDICTED_ALIKE * expected_ns(class, before))
      return false;
  }
  return !is_decided(trial, arm);
}

/* Native and the arm, in an order that changes as no program's calls do. */
static void add_pair(struct tny_guard_trial *trial, uint8_t index, uint64_t turn)
{
  const bool native_first = (turn * UINT64_C(0x9E3779B97F4A7C15)) >> 63;
  trial->slots[trial->slot_count++] = native_first ? 0 : index;
  trial->slots[trial->slot_count++] = native_first ? index : 0;
}

/* Adds the arm's next calls where `room_ns` covers what they may lose; takes that off. */
static bool add_arm(struct tny_guard_class *class, uint8_t index, double *room_ns)
{
  struct tny_guard_trial *trial = class->trial;
  const struct tny_guard_arm *arm = &trial->arms[index];
  const double cost_ns = excess_ns(class, arm);
  const uint32_t least = tny_guard_was_run(arm) ? 2 : 1;
  if (cost_ns > *room_ns || trial->slot_count + least > TNY_GUARD_SLOTS)
    return false;
  if (!tny_guard_was_run(arm)) {
    trial->slots[trial->slot_count++] = index;
    *room_ns -= cost_ns;
    return true;
  }
  uint32_t pairs = arm->sample_count == 0 ? 1 : PAIRS_MORE;
  for (uint32_t i = 0; i < pairs; i++) {
    if (cost_ns > *room_ns || trial->slot_count + 2 > TNY_GUARD_SLOTS)
      break;
    if (arm->sample_count > 0 && arm->ratio <= CLEARLY_FASTER)
      trial->slots[trial->slot_count++] = index; /* it is compared with a rival, not with native */
    else
      add_pair(trial, index, class->calls + i);
    *room_ns -= cost_ns;
  }
  return true;
}

/* Adds the arms that were seen, or those that weren't. */
static void add_arms(struct tny_guard_class *class, bool were_run, double *room_ns)
{
  struct tny_guard_trial *trial = class->trial;
  for (uint32_t i = 1; i < trial->arm_count; i++) {
    const struct tny_guard_arm *arm = &trial->arms[i];
    if (tny_guard_was_run(arm) != were_run || !is_wanted(class, i) ||
        add_arm(class, (uint8_t)i, room_ns))
      continue;
    if (arm->is_judged)
      continue;
    const double needed_ns = class->lost_ns + class->agreement_ns + excess_ns(class, arm);
    if (trial->blocked_ns == 0 || needed_ns < trial->blocked_ns)
      trial->blocked_ns = needed_ns;
  }
}

bool tny_guard_make_round(struct tny_guard_class *class, double room_ns)
{
  struct tny_guard_trial *trial = class->trial;
  trial->slot = trial->slot_count = 0;
  trial->blocked_ns = 0;
  add_arms(class, false, &room_ns);
  add_arms(class, true, &room_ns);
  return trial->slot_count > 0;
}
