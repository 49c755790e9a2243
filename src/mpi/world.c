/* Where the world is found. start.c makes it. */
#include "mpi/world.h"

static const struct tny_world *world;

const struct tny_world *tny_world_get(void)
{
  return world;
}

void tny_world_set(const struct tny_world *made)
{
  world = made;
}
