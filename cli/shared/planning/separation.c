/* The option --separate. */
#include <string.h>

#include "core/error.h"
#include "plan.h"

const char *plan_separation_name(enum tny_separation separation)
{
  static const char *const words[] = {[TNY_SEPARATE_NONE] = "none",
                                      [TNY_SEPARATE_BARRIER] = "barrier",
                                      [TNY_SEPARATE_TOKENS] = "tokens"};
  return words[separation];
}

enum tny_status plan_separation_read(void *into, const char *text, struct tny_error *error)
{
  enum tny_separation *separation = into;
  for (*separation = TNY_SEPARATE_NONE; *separation <= TNY_SEPARATE_TOKENS; ++*separation)
    if (strcmp(text, plan_separation_name(*separation)) == 0)
      return TNY_OK;
  *separation = TNY_SEPARATE_NONE;
  return tny_error_set(error, TNY_BAD_INPUT, "--separate is none, barrier or tokens, not '%s'",
                       text);
}
