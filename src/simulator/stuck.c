/* A deadlock of the program: nothing is under way, and ops are left. Each of them waits for another
   one, so that following the waits from any op leads into a cycle. */
#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "simulator/hosts.h"

enum { SHOWN_MAX = 6 }; /* ops of the cycle in an error's text */

/* An op of an earlier phase that isn't complete; TNY_NONE: there is none. */
static uint32_t earlier_phase(const struct tny_hosts *hosts, uint32_t phase)
{
  for (uint32_t op = 0; op < hosts->op_count; op++)
    if (!hosts->ops[op].is_complete && hosts->program->ops[op].phase < phase)
      return op;
  return TNY_NONE;
}

/* An op that this one waits for: one that isn't complete, or that hasn't started. */
static uint32_t cause_of(const struct tny_hosts *hosts, uint32_t op)
{
  const struct tny_op *at = &hosts->program->ops[op];
  if (hosts->ops[op].has_started)
    return at->partner; /* a receive: whatever else has started comes to its end */
  if (at->behind != TNY_NONE && !hosts->ops[at->behind].has_started)
    return at->behind;
  for (uint32_t i = 0; i < at->after_count; i++) {
    const uint32_t other = hosts->program->after[at->after_first + i];
    if (!hosts->ops[other].is_complete)
      return other;
  }
  return earlier_phase(hosts, at->phase);
}

static void describe(const struct tny_hosts *hosts, uint32_t op, struct tny_text *text)
{
  const struct tny_op *at = &hosts->program->ops[op];
  const uint32_t rank = hosts->rank_of[op];
  if (tny_op_is_work(at))
    tny_text_add(text, "r%u's work", rank);
  else
    tny_text_add(text, "r%u's %s r%u", rank, at->kind == TNY_OP_SEND ? "send to" : "receive from",
                 hosts->rank_of[at->partner]);
  if (at->phase != TNY_NONE)
    tny_text_add(text, " of phase %u", at->phase);
}

/* Puts the cycle in words, from `first` on: each op waits for the next one, the last for the first.
   `line` is for an error and is shortened; `lines` has all of it. */
static void describe_cycle(const struct tny_hosts *hosts, uint32_t first, struct tny_text *line,
                           struct tny_text *lines)
{
  uint32_t shown = 0, op = first;
  do {
    if (shown < SHOWN_MAX) {
      tny_text_add(line, shown ? ", which waits for " : "");
      describe(hosts, op, line);
    }
    describe(hosts, op, lines);
    tny_text_add(lines, "\n");
    shown++;
    op = cause_of(hosts, op);
  } while (op != first);
  if (shown > SHOWN_MAX)
    tny_text_add(line, ", and %u more", shown - SHOWN_MAX);
  tny_text_add(line, ", which waits for the first");
}

/* The lowest op of a cycle of waiting ops. `seen` has an entry for each op, all false. */
static uint32_t find_lowest(const struct tny_hosts *hosts, bool *seen)
{
  uint32_t op = 0;
  while (hosts->ops[op].is_complete)
    op++;
  for (; !seen[op]; op = cause_of(hosts, op))
    seen[op] = true;
  uint32_t lowest = op;
  for (uint32_t next = cause_of(hosts, op); next != op; next = cause_of(hosts, next))
    if (next < lowest)
      lowest = next;
  return lowest;
}

enum tny_status tny_hosts_refuse_deadlock(const struct tny_hosts *hosts, char **deadlock,
                                          struct tny_error *error)
{
  bool *seen = tny_new(hosts->op_count, sizeof *seen);
  if (!seen)
    return tny_error_memory(error);
  struct tny_text line = {0}, lines = {0};
  describe_cycle(hosts, find_lowest(hosts, seen), &line, &lines);
  tny_free(seen);
  enum tny_status status = line.failed || lines.failed ? tny_error_memory(error) : TNY_OK;
  if (status == TNY_OK && deadlock)
    status = tny_text_take(&lines, deadlock, error);
  if (status == TNY_OK)
    status = tny_error_set(error, TNY_BROKEN, "deadlock: %s", line.bytes);
  tny_text_release(&line);
  tny_text_release(&lines);
  return status;
}
