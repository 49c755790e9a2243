/* Jeannot, Steffenel, "Fast and efficient total exchange on two clusters", 4 and 4.2: how many
   messages cross the backbone.

   Algorithm 1's second phase is printed with "only n2 inter-cluster communications": exchanges,
   each two messages. */
#include <tourney/papers.h>

static uint32_t more(const struct tny_jeannot *jeannot)
{
  return jeannot->nodes[0] > jeannot->nodes[1] ? jeannot->nodes[0] : jeannot->nodes[1];
}

static uint32_t fewer(const struct tny_jeannot *jeannot)
{
  return jeannot->nodes[0] < jeannot->nodes[1] ? jeannot->nodes[0] : jeannot->nodes[1];
}

uint64_t tny_jeannot_wide_messages(const struct tny_jeannot *jeannot)
{
  return 2 * (uint64_t)more(jeannot);
}

uint64_t tny_jeannot_direct_messages(const struct tny_jeannot *jeannot)
{
  return 2 * (uint64_t)jeannot->nodes[0] * jeannot->nodes[1];
}

uint32_t tny_jeannot_wide_steps(const struct tny_jeannot *jeannot)
{
  return more(jeannot) / fewer(jeannot) + (more(jeannot) % fewer(jeannot) != 0);
}
