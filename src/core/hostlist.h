/* Lists of names with numbers in brackets, as batch systems write them: "n[00-15]", "n[0-3,8]x",
   "a[0-1]b[0-3],login". */
#ifndef TOURNEY_CORE_HOSTLIST_H
#define TOURNEY_CORE_HOSTLIST_H

#include <stdbool.h>
#include <stdint.h>

#include <tourney/status.h>

#include "core/text.h"

/* The longest name that expands, without the NUL. */
#define TNY_NAME_BYTES_MAX 255

/* Gets each name in turn; `name` lives only as long as the call. Anything but TNY_OK ends the
   expansion and is what it returns. */
typedef enum tny_status tny_hostlist_visitor(void *state, const char *name,
                                             struct tny_error *error);

/* Calls `visit` for each name of the list, in the order written, several brackets of one name like
   nested loops, the last the innermost. A range keeps the width of its first number: "[08-10]"
   gives 08, 09, 10. Cost: no memory; a range may be as long as 64-bit numbers go, so `visit` says
   when it is enough. */
enum tny_status tny_hostlist_expand(const char *list, tny_hostlist_visitor *visit, void *state,
                                    struct tny_error *error) TNY_MUST_CHECK;

/* Appends the names as a list that expands to just these names in this order, neighbours that
   differ by a counting number folded into one bracket. */
void tny_hostlist_fold(struct tny_text *text, const char *const *names, uint32_t count);

/* One name has a domain, the other hasn't, and they are the same without it. */
bool tny_same_but_for_domain(const char *a, const char *b);

#endif
