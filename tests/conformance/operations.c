/* The operations of reductions. */
#include "operations.h"

#include <stdint.h>
#include <string.h>

static MPI_Op own, own_ordered;
static const struct layout *used;

/* --- by definition --- */

static int32_t integer_of(const unsigned char *item)
{
  int32_t value;
  memcpy(&value, item, sizeof value);
  return value;
}

static double double_of(const unsigned char *item)
{
  double value;
  memcpy(&value, item, sizeof value);
  return value;
}

/* An item's value, where it is a number: an integer, or a double. */
static double number_of(const unsigned char *item, int bytes)
{
  return bytes == sizeof(double) ? double_of(item) : integer_of(item);
}

static void set_number(unsigned char *item, int bytes, double number)
{
  const int32_t integer = (int32_t)number;
  if (bytes == sizeof(double))
    memcpy(item, &number, sizeof number);
  else
    memcpy(item, &integer, sizeof integer);
}

/* The first operand whose lowest bit is set, or else the last one: that is associative, and doesn't
   commute. */
static void take_first_odd(const unsigned char *left, unsigned char *right, int bytes)
{
  if (left[0] % 2 == 1)
    memcpy(right, left, (size_t)bytes);
}

static void exclude(const unsigned char *left, unsigned char *right, int bytes)
{
  for (int i = 0; i < bytes; i++)
    right[i] ^= left[i];
}

/* The greater value, and of equal ones the least place. */
static void combine_places(const struct layout *layout, const struct element *left,
                           struct element *right)
{
  const double one = number_of(left->items[0], layout->bytes[0]);
  const double other = number_of(right->items[0], layout->bytes[0]);
  if (one > other || (one == other && integer_of(left->items[1]) < integer_of(right->items[1])))
    *right = *left;
}

static void combine_item(enum operation operation, const unsigned char *left, unsigned char *right,
                         int bytes)
{
  const bool is_bits = operation == EXCLUSIVE_OR || operation == OWN || operation == OWN_ORDERED;
  if (operation == OWN_ORDERED)
    take_first_odd(left, right, bytes);
  else if (is_bits)
    exclude(left, right, bytes);
  if (is_bits)
    return;
  const double one = number_of(left, bytes), other = number_of(right, bytes);
  double result = one > other ? one : other;
  if (operation == SUM)
    result = one + other;
  else if (operation == PRODUCT)
    result = one * other;
  set_number(right, bytes, result);
}

void operation_combine(enum operation operation, const struct layout *layout,
                       const struct element *left, struct element *right)
{
  if (operation == GREATEST_PLACE) {
    combine_places(layout, left, right);
    return;
  }
  for (int i = 0; i < layout->items; i++)
    combine_item(operation, left->items[i], right->items[i], layout->bytes[i]);
}

/* 16 factors of up to 3 and sums of 16 numbers under 1000 are integers; differing signs and equal
   values are for what compares. */
static double draw_number(enum operation operation, unsigned drawn)
{
  switch (operation) {
  case SUM:
    return drawn % 1000;
  case PRODUCT:
    return 1 + drawn % 3;
  case GREATEST_PLACE:
    return drawn % 4;
  default:
    return (int32_t)drawn;
  }
}

void operation_fill(enum operation operation, const struct layout *layout, const unsigned *drawn,
                    int place, struct element *element)
{
  const bool is_number = operation == SUM || operation == PRODUCT || operation == GREATEST ||
                         operation == GREATEST_PLACE;
  for (int i = 0; i < layout->items; i++) {
    const unsigned words[2] = {drawn[i], ~drawn[i]};
    memcpy(element->items[i], words, ITEM_BYTES_MAX);
    if (is_number)
      set_number(element->items[i], layout->bytes[i],
                 i == 1 ? place : draw_number(operation, drawn[i]));
  }
}

/* --- for MPI --- */

/* Of elements that lie in memory as the layout that is used has them. */
static void combine_all(enum operation operation, void *left, void *right, int count)
{
  for (int i = 0; i < count; i++)
    for (int item = 0; item < used->items; item++) {
      const MPI_Aint at = i * used->extent + used->offsets[item];
      combine_item(operation, (unsigned char *)left + at, (unsigned char *)right + at,
                   used->bytes[item]);
    }
}

static void combine_own(void *left, void *right, int *count, MPI_Datatype *type)
{
  (void)type;
  combine_all(OWN, left, right, *count);
}

static void combine_own_ordered(void *left, void *right, int *count, MPI_Datatype *type)
{
  (void)type;
  combine_all(OWN_ORDERED, left, right, *count);
}

void operations_begin(void)
{
  MPI_Op_create(combine_own, 1, &own);
  MPI_Op_create(combine_own_ordered, 0, &own_ordered);
}

void operations_end(void)
{
  MPI_Op_free(&own);
  MPI_Op_free(&own_ordered);
}

MPI_Op operation_use(enum operation operation, const struct layout *layout)
{
  used = layout;
  switch (operation) {
  case OPERATION_NONE:
    break;
  case SUM:
    return MPI_SUM;
  case PRODUCT:
    return MPI_PROD;
  case GREATEST:
    return MPI_MAX;
  case EXCLUSIVE_OR:
    return MPI_BXOR;
  case GREATEST_PLACE:
    return MPI_MAXLOC;
  case OWN:
    return own;
  case OWN_ORDERED:
    return own_ordered;
  }
  return MPI_OP_NULL;
}
