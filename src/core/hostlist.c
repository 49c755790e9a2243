/* Expands and folds host lists. */
#include "core/hostlist.h"

#include "core/error.h"
#include "core/scan.h"

/* One name of the list while it is expanded, and who gets the results. */
struct expansion {
  const char *item, *end; /* of the list: one name with its brackets */
  tny_hostlist_visitor *visit;
  void *state;
  struct tny_error *error;
  char name[TNY_NAME_BYTES_MAX + 1];
};

static enum tny_status refuse(struct expansion *expansion, const char *why)
{
  return tny_error_set(
      expansion->error, TNY_BAD_INPUT, "the name \"%.*s\" %s",
      (int)(expansion->end - expansion->item < 80 ? expansion->end - expansion->item : 80),
      expansion->item, why);
}

/* Digits at `*text`; the width is how many. */
static enum tny_status read_number(struct expansion *expansion, const char **text, uint64_t *number,
                                   int *width)
{
  const char *start = *text;
  *number = 0;
  for (; tny_is_digit(**text); ++*text) {
    if (*text - start >= 18)
      return refuse(expansion, "has a number of more than 18 digits in its brackets");
    *number = *number * 10 + (uint64_t)(**text - '0');
  }
  *width = (int)(*text - start);
  if (*width == 0)
    return refuse(expansion, "has brackets without numbers in them: write n[0-3,8]");
  return TNY_OK;
}

static enum tny_status expand_from(struct expansion *expansion, const char *text, size_t length);

/* `text` stands behind the opening bracket; `length` bytes of the name are there. */
static enum tny_status expand_bracket(struct expansion *expansion, const char *text, size_t length)
{
  const char *close = memchr(text, ']', (size_t)(expansion->end - text));
  if (!close)
    return refuse(expansion, "has a [ without a ]");
  for (;; text++) {
    uint64_t first, last;
    int width, last_width;
    enum tny_status status = read_number(expansion, &text, &first, &width);
    if (status)
      return status;
    last = first;
    if (*text == '-') {
      text++;
      status = read_number(expansion, &text, &last, &last_width);
      if (status)
        return status;
    }
    if (*text != ',' && text != close)
      return refuse(expansion, "has something else than numbers in its brackets: write n[0-3,8]");
    if (last < first)
      return refuse(expansion, "counts downwards in its brackets");
    for (uint64_t number = first; number <= last; number++) {
      const size_t room = sizeof expansion->name - length;
      const int added =
          snprintf(expansion->name + length, room, "%0*llu", width, (unsigned long long)number);
      if (added < 0 || (size_t)added >= room)
        return refuse(expansion, "is longer than 255 bytes");
      status = expand_from(expansion, close + 1, length + (size_t)added);
      if (status)
        return status;
    }
    if (text == close)
      return TNY_OK;
  }
}

static enum tny_status expand_from(struct expansion *expansion, const char *text, size_t length)
{
  for (; text < expansion->end; text++) {
    if (*text == '[')
      return expand_bracket(expansion, text + 1, length);
    if (*text == ']')
      return refuse(expansion, "has a ] without a [");
    if (length + 1 >= sizeof expansion->name)
      return refuse(expansion, "is longer than 255 bytes");
    expansion->name[length++] = *text;
  }
  if (length == 0)
    return tny_error_set(expansion->error, TNY_BAD_INPUT, "an empty name");
  expansion->name[length] = '\0';
  return expansion->visit(expansion->state, expansion->name, expansion->error);
}

/* The end of the first name of the list: a comma outside brackets, or the list's end. */
static const char *end_of_item(const char *list)
{
  bool inside = false;
  for (; *list && (inside || *list != ','); list++)
    inside = *list == '[' || (inside && *list != ']');
  return list;
}

enum tny_status tny_hostlist_expand(const char *list, tny_hostlist_visitor *visit, void *state,
                                    struct tny_error *error)
{
  for (const char *item = list;; item++) {
    struct expansion expansion = {
        .item = item, .end = end_of_item(item), .visit = visit, .state = state, .error = error};
    const enum tny_status status = expand_from(&expansion, item, 0);
    if (status || !*expansion.end)
      return status;
    item = expansion.end;
  }
}

/* A name cut around its last number; digit_count 0: it has none that can be counted. */
struct parts {
  size_t prefix_length;
  int digit_count;
  uint64_t number;
  const char *digits, *suffix;
};

static struct parts cut(const char *name)
{
  size_t end = strlen(name);
  while (end && !tny_is_digit(name[end - 1]))
    end--;
  size_t start = end;
  while (start && tny_is_digit(name[start - 1]) && end - start < 18)
    start--;
  struct parts parts = {.prefix_length = start,
                        .digit_count = (int)(end - start),
                        .digits = name + start,
                        .suffix = name + end};
  for (size_t i = start; i < end; i++)
    parts.number = parts.number * 10 + (uint64_t)(name[i] - '0');
  return parts;
}

static bool same_frame(const char *a, const struct parts *a_parts, const char *b,
                       const struct parts *b_parts)
{
  return a_parts->digit_count && b_parts->digit_count &&
         a_parts->prefix_length == b_parts->prefix_length &&
         !memcmp(a, b, a_parts->prefix_length) && !strcmp(a_parts->suffix, b_parts->suffix);
}

/* Whether a range that begins with `first` writes the number after `previous` as in `next`. */
static bool follows(const struct parts *first, const struct parts *previous,
                    const struct parts *next)
{
  char digits[24];
  const int count = snprintf(digits, sizeof digits, "%0*llu", first->digit_count,
                             (unsigned long long)previous->number + 1);
  return count == next->digit_count && !memcmp(digits, next->digits, (size_t)count);
}

/* Appends the ranges of names[0..count), which share their frame, without brackets. */
static void add_ranges(struct tny_text *text, const char *const *names, uint32_t count)
{
  for (uint32_t i = 0; i < count;) {
    const struct parts first = cut(names[i]);
    struct parts last = first;
    uint32_t end = i + 1;
    for (; end < count; end++) {
      const struct parts next = cut(names[end]);
      if (!follows(&first, &last, &next))
        break;
      last = next;
    }
    tny_text_add(text, "%s%.*s", i ? "," : "", first.digit_count, first.digits);
    if (end > i + 1)
      tny_text_add(text, "-%.*s", last.digit_count, last.digits);
    i = end;
  }
}

void tny_hostlist_fold(struct tny_text *text, const char *const *names, uint32_t count)
{
  for (uint32_t i = 0; i < count;) {
    const struct parts first = cut(names[i]);
    uint32_t end = i + 1;
    for (; end < count; end++) {
      const struct parts next = cut(names[end]);
      if (!same_frame(names[i], &first, names[end], &next))
        break;
    }
    if (i)
      tny_text_add(text, ",");
    if (end == i + 1) {
      tny_text_add(text, "%s", names[i]);
    } else {
      tny_text_add(text, "%.*s[", (int)first.prefix_length, names[i]);
      add_ranges(text, names + i, end - i);
      tny_text_add(text, "]%s", first.suffix);
    }
    i = end;
  }
}

bool tny_same_but_for_domain(const char *a, const char *b)
{
  const size_t length = strcspn(a, ".");
  return length > 0 && length == strcspn(b, ".") && !a[length] != !b[length] &&
         strncmp(a, b, length) == 0;
}
