/* How blocks are cut and paced, in words. */
#include <inttypes.h>

#include "core/units.h"
#include "plan.h"

void plan_blocks_describe(const struct plan *plan, struct tny_text *text)
{
  const uint32_t segments = plan->footprint.segment_count;
  const uint32_t chunks = plan->schedule ? plan->schedule->chunk_count : plan->pace.chunk_count;
  const char *pacing = plan_pacing(plan);
  if (tny_collective_synchronizes(plan->request->collective)) {
    tny_text_add(text, "blocks        none: messages carry nothing\n");
    return;
  }
  tny_text_add(text, "blocks        %s in ", tny_bytes_format(plan->block_bytes).text);
  if (segments > 1)
    tny_text_add(text, "%" PRIu32 " segments of ", segments);
  tny_text_add(text, "%" PRIu32 " chunk%s", chunks, chunks == 1 ? "" : "s");
  if (plan->chunks_wanted > 0)
    tny_text_add(text, " (%" PRIu32 " would be too many to plan at once)", plan->chunks_wanted);
  if (pacing)
    tny_text_add(text, ", window %" PRIu32 " (%s)", plan->pace.window, pacing);
  tny_text_add(text, "%s\n",
               plan->pace.limit_message_bytes ? ", links limited to their buffers"
               : pacing                       ? ""
                                              : ", not paced");
}
