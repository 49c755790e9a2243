/* The rounds of dissemination. A member that has heard of a run of members behind it in the circle
   tells the member that follows this run's end, and n - 1 others further on, a run apart. */
#include "collectives/barrier/dissemination_rounds.h"

#include "collectives/shared/after.h"
#include "planner/position.h"

/* The messages of a member in the round that begins with runs of this length. */
static uint32_t messages_in(const struct tny_dissemination *dissemination, uint32_t run)
{
  const uint32_t needed = (dissemination->count - 1) / run;
  return needed < dissemination->ways ? needed : dissemination->ways;
}

/* The length of the next round's runs; `count` or more: there is no next round. */
static uint64_t longer_run(const struct tny_dissemination *dissemination, uint64_t run)
{
  return run * (messages_in(dissemination, (uint32_t)run) + UINT64_C(1));
}

uint32_t tny_dissemination_phases(const struct tny_dissemination *dissemination)
{
  uint32_t phases = 0;
  for (uint64_t run = 1; run < dissemination->count; run = longer_run(dissemination, run))
    phases += messages_in(dissemination, (uint32_t)run);
  return phases;
}

void tny_dissemination_emit(const struct tny_dissemination *dissemination, uint32_t member,
                            uint32_t phase, struct tny_builder *builder)
{
  const uint32_t *members = dissemination->members, count = dissemination->count;
  for (uint64_t run = 1; run < count; run = longer_run(dissemination, run)) {
    const uint32_t here = builder->steps.count;
    const uint32_t messages = messages_in(dissemination, (uint32_t)run);
    for (uint32_t i = 1; i <= messages; i++) {
      const uint32_t to = tny_position_rank(members, count, member, i * (uint32_t)run);
      tny_builder_send(builder, to, tny_span_nothing(), phase + i - 1);
      tny_after_receives(builder, 0, here);
    }
    for (uint32_t i = 1; i <= messages; i++) {
      const uint32_t from = tny_position_rank(members, count, member, count - i * (uint32_t)run);
      tny_builder_recv(builder, from, tny_span_nothing(), phase + i - 1);
    }
    phase += messages;
  }
}

struct tny_claim tny_dissemination_claim(const struct tny_dissemination *dissemination)
{
  const uint32_t phases = tny_dissemination_phases(dissemination);
  return (struct tny_claim){.rounds = phases, .phases = phases, .port_messages = 1};
}
