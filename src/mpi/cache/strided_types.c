/* A table of datatypes, each made once. Where it is full, the oldest one goes: a message that is
   under way with it keeps what it needs. */
#include "mpi/cache/strided_types.h"

#include "core/alloc.h"

enum { ROOM_FIRST = 8 };

bool tny_strided_types_init(struct tny_strided_types *types)
{
  *types = (struct tny_strided_types){.list = tny_new(ROOM_FIRST, sizeof *types->list),
                                      .room = ROOM_FIRST};
  return types->list != NULL;
}

void tny_strided_types_release(struct tny_strided_types *types)
{
  for (uint32_t i = 0; i < types->count; i++)
    PMPI_Type_free(&types->list[i].type);
  tny_free(types->list);
  *types = (struct tny_strided_types){0};
}

static bool is_same(const struct tny_strided *one, const struct tny_strided *other)
{
  return one->count == other->count && one->bytes == other->bytes && one->stride == other->stride;
}

static int make(struct tny_strided *wanted)
{
  int code = PMPI_Type_create_hvector((int)wanted->count, (int)wanted->bytes,
                                      (MPI_Aint)wanted->stride, MPI_BYTE, &wanted->type);
  if (code != MPI_SUCCESS)
    return code;
  code = PMPI_Type_commit(&wanted->type);
  if (code != MPI_SUCCESS)
    PMPI_Type_free(&wanted->type);
  return code;
}

static void grow(struct tny_strided_types *types)
{
  const uint32_t room = 2 * types->room;
  void *grown =
      room <= TNY_STRIDED_TYPES_MAX ? tny_resize(types->list, room, sizeof *types->list) : NULL;
  if (!grown)
    return;
  types->list = grown;
  types->room = room;
}

/* The index for one more. */
static uint32_t make_room(struct tny_strided_types *types)
{
  if (types->count == types->room)
    grow(types);
  if (types->count < types->room)
    return types->count++;
  const uint32_t index = types->oldest;
  types->oldest = (index + 1) % types->count;
  PMPI_Type_free(&types->list[index].type);
  return index;
}

int tny_strided_types_get(struct tny_strided_types *types, struct tny_strided *wanted,
                          uint32_t *hint)
{
  uint32_t index = *hint;
  if (index >= types->count || !is_same(&types->list[index], wanted))
    for (index = 0; index < types->count && !is_same(&types->list[index], wanted);)
      index++;
  if (index == types->count) {
    const int code = make(wanted);
    if (code != MPI_SUCCESS)
      return code;
    index = make_room(types);
    types->list[index] = *wanted;
  }
  *hint = index;
  *wanted = types->list[index];
  return MPI_SUCCESS;
}
