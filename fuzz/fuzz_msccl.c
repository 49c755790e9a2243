/* Fuzz target: the input as MSCCL's XML. Reading and proving it ends, and what is proved becomes a
   schedule of ours that is proved too. */
#include "fuzz_foreign.h"

static void fuzz(const char *text)
{
  struct tny_foreign *foreign;
  if (tny_msccl_read(text, "fuzz", &foreign, NULL) == TNY_OK) {
    prove_and_take_over(foreign);
    tny_foreign_free(foreign);
  }
}
