/* The kinds of datatypes. Bounds and offsets in bytes, for four-byte integers. */
#include "layouts.h"

enum { INT = sizeof(int) };

static struct layout items_of(int items, int bytes, MPI_Aint extent)
{
  struct layout layout = {.items = items, .extent = extent, .repeat = 1};
  for (int i = 0; i < items; i++) {
    layout.offsets[i] = i * bytes;
    layout.bytes[i] = bytes;
  }
  return layout;
}

static void place(struct layout *layout, const int *offsets)
{
  for (int i = 0; i < layout->items; i++)
    layout->offsets[i] = offsets[i];
}

static struct layout predefined(MPI_Datatype type, int bytes)
{
  struct layout layout = items_of(1, bytes, bytes);
  layout.type = type;
  return layout;
}

static struct layout finish(struct layout layout, MPI_Datatype type)
{
  layout.type = type;
  layout.is_made = true;
  MPI_Type_commit(&layout.type);
  return layout;
}

static struct layout contiguous(int integers)
{
  MPI_Datatype type;
  MPI_Type_contiguous(integers, MPI_INT, &type);
  return finish(items_of(integers, INT, integers * INT), type);
}

/* Three pairs of integers, each with two left out behind it, but for the last. */
static struct layout vector(void)
{
  MPI_Datatype type;
  struct layout layout = items_of(6, INT, 10 * INT);
  MPI_Type_vector(3, 2, 4, MPI_INT, &type);
  place(&layout, (int[]){0, 4, 16, 20, 32, 36});
  return finish(layout, type);
}

/* An integer before the buffer's address and one behind it, in 24 bytes from 8 before it on. */
static struct layout resized(void)
{
  MPI_Datatype inner, type;
  struct layout layout = items_of(2, INT, 24);
  MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){-8, 4}, MPI_INT, &inner);
  MPI_Type_create_resized(inner, -8, 24, &type);
  MPI_Type_free(&inner);
  place(&layout, (int[]){-8, 4});
  return finish(layout, type);
}

/* An integer, a double and three bytes, as in a C structure. */
static struct layout structure(void)
{
  MPI_Datatype inner, type;
  struct layout layout = items_of(5, 1, 24);
  MPI_Type_create_struct(3, (int[]){1, 1, 3}, (MPI_Aint[]){0, 8, 17},
                         (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_BYTE}, &inner);
  MPI_Type_create_resized(inner, 0, 24, &type);
  MPI_Type_free(&inner);
  place(&layout, (int[]){0, 8, 17, 18, 19});
  layout.bytes[0] = INT;
  layout.bytes[1] = sizeof(double);
  return finish(layout, type);
}

static struct layout indexed(void)
{
  MPI_Datatype type;
  struct layout layout = items_of(3, INT, 5 * INT);
  MPI_Type_indexed(2, (int[]){2, 1}, (int[]){0, 4}, MPI_INT, &type);
  place(&layout, (int[]){0, 4, 16});
  return finish(layout, type);
}

static struct layout reordered(void)
{
  MPI_Datatype type;
  struct layout layout = items_of(3, INT, 3 * INT);
  MPI_Type_indexed(3, (int[]){1, 1, 1}, (int[]){2, 0, 1}, MPI_INT, &type);
  place(&layout, (int[]){8, 0, 4});
  return finish(layout, type);
}

static struct layout duplicate(void)
{
  MPI_Datatype inner, type;
  MPI_Type_contiguous(2, MPI_INT, &inner);
  MPI_Type_dup(inner, &type);
  MPI_Type_free(&inner);
  return finish(items_of(2, INT, 2 * INT), type);
}

/* An integer at an address, the next one right behind it. */
static struct layout absolute(void *memory)
{
  MPI_Datatype inner, type;
  MPI_Aint address;
  MPI_Get_address(memory, &address);
  MPI_Type_create_hindexed(1, (int[]){1}, &address, MPI_INT, &inner);
  MPI_Type_create_resized(inner, 0, INT, &type);
  MPI_Type_free(&inner);
  struct layout layout = finish(items_of(1, INT, INT), type);
  layout.is_absolute = true;
  return layout;
}

/* What MPI_MAXLOC takes: a value and a place, in C's structure of both. */
static struct layout pair(MPI_Datatype type, int value_bytes, MPI_Aint extent)
{
  struct layout layout = items_of(2, INT, extent);
  layout.bytes[0] = value_bytes;
  layout.offsets[1] = value_bytes;
  layout.type = type;
  return layout;
}

/* Six integers, in three ways. */
static struct layout mixed(int which)
{
  if (which == 0)
    return vector();
  struct layout layout = which == 1 ? predefined(MPI_INT, INT) : contiguous(3);
  layout.repeat = which == 1 ? 6 : 2;
  return layout;
}

int layouts_of(enum kind kind)
{
  return kind == KIND_MIXED ? LAYOUTS_MAX : 1;
}

struct layout layout_make(enum kind kind, int which, void *address)
{
  switch (kind) {
  case KIND_INT:
    return predefined(MPI_INT, INT);
  case KIND_DOUBLE:
    return predefined(MPI_DOUBLE, sizeof(double));
  case KIND_BYTE:
    return predefined(MPI_BYTE, 1);
  case KIND_CONTIGUOUS:
    return contiguous(3);
  case KIND_VECTOR:
    return vector();
  case KIND_RESIZED:
    return resized();
  case KIND_STRUCT:
    return structure();
  case KIND_INDEXED:
    return indexed();
  case KIND_ZERO:
    return contiguous(0);
  case KIND_REORDERED:
    return reordered();
  case KIND_DUP:
    return duplicate();
  case KIND_ABSOLUTE:
    return absolute(address);
  case KIND_MIXED:
    return mixed(which);
  case KIND_PAIR:
    return pair(MPI_2INT, INT, 2 * INT);
  case KIND_DOUBLE_PAIR:
    return pair(MPI_DOUBLE_INT, sizeof(double), 2 * sizeof(double));
  }
  return predefined(MPI_DATATYPE_NULL, 0);
}

void layout_release(struct layout *layout)
{
  if (layout->is_made)
    MPI_Type_free(&layout->type);
}
