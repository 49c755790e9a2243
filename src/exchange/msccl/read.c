/* MSCCL's XML, read by expat. An <algo> has a <gpu> for each rank, a <gpu> has a <tb>
   (threadblock) for each connection, a <tb> has <step>s. A threadblock does its steps one after
   the other, and a step may wait (depid, deps) for one of another threadblock. The k-th send of a
   threadblock meets the k-th receive of the peer's threadblock on the same channel. Buffers are
   counted in chunks, of which `nchunksperloop` are all of an output.

   Steps are s(end), r(eceive), rcs (receive, keep and send on), cpy and nop. Those that add data
   up (re, rrc, rrs, rrcs) are refused: a schedule of ours has none. So is what the executor
   doesn't take: a nop that waits for nothing, a nop whose next step waits for nothing, and waiting
   for a step that doesn't say when it is done (hasdep). */

#include "core/alloc.h"
#include "core/error.h"
#include "exchange/collectives.h"
#include "exchange/list.h"
#include "exchange/msccl/gpu.h"
#include "exchange/msccl/limits.h"
#include "exchange/msccl/names.h"
#include "schedule/steps.h"

static enum tny_collective read_collective(struct tny_msccl *reader)
{
  enum tny_collective collective = (enum tny_collective)0;
  const char *name = tny_msccl_attribute(reader, "coll");
  if (!tny_msccl_collective(name, &collective))
    tny_msccl_fail(reader, TNY_REFUSED, "coll is %s to be proved here, not \"%.40s\"",
                   tny_msccl_names, name);
  return collective;
}

/* The name as one word, as schedules have it. */
static void copy_name(const char *name, char *word, size_t word_bytes)
{
  size_t length = 0;
  for (; name[length] && length + 1 < word_bytes; length++) {
    const char c = name[length];
    word[length] = c > ' ' && c <= '~' && c != '#' ? c : '_';
  }
  word[length] = '\0';
  if (length == 0)
    snprintf(word, word_bytes, "msccl");
}

/* An output is all the chunks of the loop, which its blocks share evenly. */
static void set_locations(struct tny_msccl *reader, uint32_t chunks_per_loop)
{
  struct tny_foreign *foreign = reader->foreign;
  struct tny_schedule *head = foreign->head;
  const uint32_t blocks = tny_buffer_blocks(head->collective, TNY_OUTPUT, head->rank_count);
  if (chunks_per_loop % blocks != 0)
    tny_msccl_fail(reader, TNY_BAD_INPUT, "nchunksperloop is %u, which %u GPUs can't share evenly",
                   chunks_per_loop, head->rank_count);
  head->chunk_count = chunks_per_loop / blocks;
  foreign->output_locations = chunks_per_loop;
  foreign->input_locations =
      (uint64_t)tny_buffer_blocks(head->collective, TNY_INPUT, head->rank_count) *
      head->chunk_count;
}

static void read_algo(struct tny_msccl *reader)
{
  struct tny_foreign *foreign = reader->foreign;
  char name[sizeof foreign->head->algorithm];
  const int32_t ranks_most = reader->ranks_max < 1 << 20 ? (int32_t)reader->ranks_max : 1 << 20;
  const uint32_t rank_count = (uint32_t)tny_msccl_number(reader, "ngpus", 1, ranks_most);
  const uint32_t chunks = (uint32_t)tny_msccl_number(reader, "nchunksperloop", 1, TNY_CHUNKS_MAX);
  foreign->in_place = tny_msccl_number(reader, "inplace", 0, 1) == 1;
  const enum tny_collective collective = read_collective(reader);
  copy_name(tny_msccl_attribute(reader, "name"), name, sizeof name);
  if (reader->has_algo)
    tny_msccl_fail(reader, TNY_BAD_INPUT, "a file has one <algo>");
  if (foreign->in_place && tny_exchange_in_place_block(collective, 0) == TNY_NONE)
    tny_msccl_fail(reader, TNY_REFUSED, "an %s in place can't be proved here",
                   tny_collective_name(collective));
  reader->has_algo = true;
  if (reader->status != TNY_OK)
    return;
  tny_msccl_note(reader, tny_foreign_set_ranks(foreign, rank_count, reader->error));
  if (reader->status != TNY_OK)
    return;
  tny_msccl_note(reader,
                 tny_schedule_new(collective, rank_count, 0, name, &foreign->head, reader->error));
  reader->seen = tny_new(rank_count, sizeof *reader->seen);
  if (!reader->seen)
    tny_msccl_note(reader, tny_error_memory(reader->error));
  if (reader->status == TNY_OK)
    set_locations(reader, chunks);
}

static void read_gpu(struct tny_msccl *reader)
{
  static const char *const names[] = {"id", "i_chunks", "o_chunks", "s_chunks", NULL};
  struct tny_foreign *foreign = reader->foreign;
  tny_msccl_check_attributes(reader, names);
  reader->rank = (uint32_t)tny_msccl_number(reader, "id", 0, (int32_t)foreign->rank_count - 1);
  for (int buffer = 0; buffer < 3; buffer++)
    reader->declared[buffer] =
        (uint32_t)tny_msccl_number(reader, names[1 + buffer], 0, TNY_CHUNKS_MAX);
  if (reader->status == TNY_OK && reader->seen[reader->rank])
    tny_msccl_fail(reader, TNY_BAD_INPUT, "GPU %u is here twice", reader->rank);
  if (reader->status != TNY_OK)
    return;
  reader->seen[reader->rank] = true;
  reader->step_count = reader->block_count = 0;
  foreign->first[reader->rank] = foreign->operation_count;
  if (reader->declared[TNY_SCRATCH] > foreign->scratch_locations)
    foreign->scratch_locations = reader->declared[TNY_SCRATCH];
}

static void read_block(struct tny_msccl *reader)
{
  static const char *const names[] = {"id", "send", "recv", "chan", NULL};
  const int32_t last_rank = (int32_t)reader->foreign->rank_count - 1;
  tny_msccl_check_attributes(reader, names);
  struct tny_msccl_block block = {
      .line = (unsigned)XML_GetCurrentLineNumber(reader->parser),
      .id = (uint32_t)tny_msccl_limited(reader, "id", 0, TNY_MSCCL_BLOCKS_MAX - 1),
      .send = tny_msccl_number(reader, "send", -1, last_rank),
      .recv = tny_msccl_number(reader, "recv", -1, last_rank),
      .channel = tny_msccl_limited(reader, "chan", 0, TNY_MSCCL_CHANNELS_MAX - 1),
      .first_step = reader->step_count};
  if (block.send == (int32_t)reader->rank || block.recv == (int32_t)reader->rank)
    tny_msccl_fail(reader, TNY_BAD_INPUT, "GPU %u has a threadblock that talks to itself",
                   reader->rank);
  if (reader->status != TNY_OK)
    return;
  struct tny_msccl_block *blocks =
      tny_list_reserve(reader->blocks, reader->block_count, &reader->block_room, sizeof *blocks);
  if (!blocks) {
    tny_msccl_note(reader, tny_error_memory(reader->error));
    return;
  }
  reader->blocks = blocks;
  blocks[reader->block_count++] = block;
}

/* "src" or "dst": `cnt` chunks of a buffer. */
static struct tny_region read_region(struct tny_msccl *reader, const char *side, uint32_t count)
{
  static const char *const letters[] = {"i", "o", "s"};
  const struct tny_foreign *foreign = reader->foreign;
  char name[8];
  snprintf(name, sizeof name, "%sbuf", side);
  const char *letter = tny_msccl_attribute(reader, name);
  int buffer = 0;
  while (buffer < 3 && strcmp(letter, letters[buffer]) != 0)
    buffer++;
  if (buffer == 3) {
    tny_msccl_fail(reader, TNY_BAD_INPUT, "%s is i, o or s, not \"%.40s\"", name, letter);
    return (struct tny_region){0};
  }
  snprintf(name, sizeof name, "%soff", side);
  const uint32_t first = (uint32_t)tny_msccl_limited(reader, name, 0, TNY_MSCCL_OFFSETS_MAX - 1);
  const uint64_t locations[] = {foreign->input_locations, foreign->output_locations,
                                TNY_CHUNKS_MAX};
  const uint64_t chunks =
      reader->declared[buffer] < locations[buffer] ? reader->declared[buffer] : locations[buffer];
  if (first + (uint64_t)count > chunks)
    tny_msccl_fail(reader, TNY_BAD_INPUT, "chunks %u to %u of %s, which has %llu chunks here",
                   first, first + count - 1, letter, (unsigned long long)chunks);
  const uint64_t base = buffer == TNY_INPUT
                            ? tny_foreign_input(foreign, reader->rank)
                            : tny_foreign_buffer_first(foreign, (enum tny_buffer)buffer);
  return (struct tny_region){base + first, 1, count, 0};
}

/* Adds one operation behind the one before it in the threadblock. */
static void add(struct tny_msccl *reader, const struct tny_msccl_step *step,
                struct tny_operation *operation)
{
  const struct tny_msccl_block *block = &reader->blocks[reader->block_count - 1];
  operation->rank = reader->rank;
  operation->line = step->line;
  operation->phase = TNY_NONE;
  operation->peer = operation->act == TNY_ACT_SEND   ? (uint32_t)block->send
                    : operation->act == TNY_ACT_RECV ? (uint32_t)block->recv
                                                     : TNY_NONE;
  operation->channel = (uint32_t)block->channel;
  if (operation->act != TNY_ACT_LOCAL && operation->peer == TNY_NONE)
    tny_msccl_fail(reader, TNY_BAD_INPUT, "this step %s, but its threadblock names no GPU for it",
                   operation->act == TNY_ACT_SEND ? "sends" : "receives");
  if (reader->status != TNY_OK)
    return;
  const uint32_t index = reader->foreign->operation_count;
  tny_msccl_note(reader, tny_foreign_add(reader->foreign, operation, reader->error));
  const bool is_first = block->step_count == 0 && index == step->first;
  if (reader->status == TNY_OK && !is_first)
    tny_msccl_note(reader, tny_foreign_need(reader->foreign,
                                            (struct tny_edge){index, {.operation = index - 1}},
                                            reader->error));
}

/* Adds the step's operations. */
static void add_operations(struct tny_msccl *reader, struct tny_msccl_step *step, const char *type)
{
  struct tny_msccl_block *block = &reader->blocks[reader->block_count - 1];
  const bool copies = strcmp(type, "cpy") == 0, both = strcmp(type, "rcs") == 0;
  const bool sends = both || strcmp(type, "s") == 0, receives = both || strcmp(type, "r") == 0;
  step->is_nop = strcmp(type, "nop") == 0;
  if (type[0] == 'r' && type[1] && !both)
    tny_msccl_fail(reader, TNY_REFUSED,
                   "a step of type %.10s adds data up, which has no place here", type);
  else if (!copies && !sends && !receives && !step->is_nop)
    tny_msccl_fail(reader, TNY_BAD_INPUT, "a step's type is s, r, rcs, cpy or nop, not \"%.40s\"",
                   type);
  const uint32_t count =
      (uint32_t)(step->is_nop ? tny_msccl_number(reader, "cnt", -1, TNY_CHUNKS_MAX)
                              : tny_msccl_limited(reader, "cnt", 1, TNY_MSCCL_COUNT_MAX));
  struct tny_region from = {0}, to = {0};
  if (copies || (sends && !both))
    from = read_region(reader, "src", count);
  if (copies || receives)
    to = read_region(reader, "dst", count);
  if (receives)
    add(reader, step, &(struct tny_operation){.act = TNY_ACT_RECV, .to = to});
  if (sends)
    add(reader, step, &(struct tny_operation){.act = TNY_ACT_SEND, .from = both ? to : from});
  if (copies || step->is_nop)
    add(reader, step, &(struct tny_operation){.act = TNY_ACT_LOCAL, .from = from, .to = to});
  block->sends = block->sends || sends;
  block->receives = block->receives || receives;
}

static void read_step(struct tny_msccl *reader)
{
  static const char *const names[] = {"s",   "type",  "srcbuf", "srcoff", "dstbuf", "dstoff",
                                      "cnt", "depid", "deps",   "hasdep", NULL};
  struct tny_msccl_block *block = &reader->blocks[reader->block_count - 1];
  tny_msccl_check_attributes(reader, names);
  struct tny_msccl_step step = {
      .line = (unsigned)XML_GetCurrentLineNumber(reader->parser),
      .first = reader->foreign->operation_count,
      .depid = tny_msccl_limited(reader, "depid", -1, TNY_MSCCL_WAITED_MAX - 1),
      .deps = tny_msccl_number(reader, "deps", -1, TNY_CHUNKS_MAX),
      .hasdep = tny_msccl_number(reader, "hasdep", 0, 1) == 1};
  const uint32_t number = (uint32_t)tny_msccl_limited(reader, "s", 0, TNY_MSCCL_STEPS_MAX - 1);
  if (number != block->step_count)
    tny_msccl_fail(reader, TNY_BAD_INPUT, "the threadblock's next step is %u, not %u",
                   block->step_count, number);
  const struct tny_msccl_step *previous =
      block->step_count > 0 ? &reader->steps[reader->step_count - 1] : NULL;
  const char *const type = tny_msccl_attribute(reader, "type");
  if (reader->status == TNY_OK)
    add_operations(reader, &step, type);
  if (step.depid < 0 && step.is_nop)
    tny_msccl_fail(reader, TNY_BAD_INPUT, "a nop that waits for no step (depid) does nothing");
  if (step.depid < 0 && previous && previous->is_nop)
    tny_msccl_fail(reader, TNY_BAD_INPUT, "a step behind a nop has to wait for a step (depid) too");
  step.last = reader->foreign->operation_count - 1;
  if (reader->status != TNY_OK)
    return;
  struct tny_msccl_step *steps =
      tny_list_reserve(reader->steps, reader->step_count, &reader->step_room, sizeof *steps);
  if (!steps) {
    tny_msccl_note(reader, tny_error_memory(reader->error));
    return;
  }
  reader->steps = steps;
  steps[reader->step_count++] = step;
  block->step_count++;
}

static void begin_element(void *into, const XML_Char *name, const XML_Char **attributes)
{
  static const char *const names[] = {"algo", "gpu", "tb", "step"};
  struct tny_msccl *reader = into;
  if (reader->status != TNY_OK)
    return;
  reader->element = name;
  reader->attributes = attributes;
  if (reader->level == TNY_IN_STEP || strcmp(name, names[reader->level]) != 0) {
    tny_msccl_fail(reader, TNY_BAD_INPUT, "<%.40s> doesn't belong here%s%s%s", name,
                   reader->level == TNY_IN_STEP ? "" : ", but <",
                   reader->level == TNY_IN_STEP ? "" : names[reader->level],
                   reader->level == TNY_IN_STEP ? "" : ">");
    return;
  }
  if (reader->level == TNY_IN_FILE)
    read_algo(reader);
  else if (reader->level == TNY_IN_ALGO)
    read_gpu(reader);
  else if (reader->level == TNY_IN_GPU)
    read_block(reader);
  else
    read_step(reader);
  reader->level++;
}

static void end_element(void *into, const XML_Char *name)
{
  struct tny_msccl *reader = into;
  (void)name;
  if (reader->status != TNY_OK)
    return;
  reader->level--;
  if (reader->level == TNY_IN_ALGO)
    tny_msccl_end_gpu(reader);
}

/* A document type could define entities, which may grow without end. */
static void begin_doctype(void *into, const XML_Char *name, const XML_Char *system,
                          const XML_Char *public, int has_internal)
{
  (void)name, (void)system, (void)public, (void)has_internal;
  tny_msccl_fail(into, TNY_BAD_INPUT, "a document type has no place in MSCCL's XML");
}

static void finish(struct tny_msccl *reader)
{
  struct tny_foreign *foreign = reader->foreign;
  for (uint32_t rank = 0; reader->status == TNY_OK && rank < foreign->rank_count; rank++)
    if (!reader->seen[rank])
      tny_msccl_fail(reader, TNY_BAD_INPUT, "GPU %u is missing", rank);
  if (reader->status != TNY_OK)
    return;
  if (tny_foreign_locations(foreign) > TNY_FOREIGN_LOCATIONS_MAX / foreign->rank_count)
    tny_msccl_fail(reader, TNY_REFUSED, "%u GPUs with %llu chunks each are too many to prove here",
                   foreign->rank_count, (unsigned long long)tny_foreign_locations(foreign));
  const uint32_t chunks = foreign->head->chunk_count;
  foreign->head->scratch_blocks = (uint32_t)((foreign->scratch_locations + chunks - 1) / chunks);
  foreign->scratch_locations = (uint64_t)foreign->head->scratch_blocks * chunks;
  if (tny_collective_has_root(foreign->head->collective))
    tny_msccl_find_root(reader);
  if (reader->status == TNY_OK)
    reader->status = tny_foreign_finish(foreign, reader->error);
}

static void parse(struct tny_msccl *reader, const char *text)
{
  XML_SetUserData(reader->parser, reader);
  XML_SetElementHandler(reader->parser, begin_element, end_element);
  XML_SetStartDoctypeDeclHandler(reader->parser, begin_doctype);
  const size_t length = strlen(text);
  if (length > INT32_MAX) {
    tny_msccl_fail(reader, TNY_REFUSED, "more than 2 GiB");
    return;
  }
  if (XML_Parse(reader->parser, text, (int)length, XML_TRUE) != XML_STATUS_ERROR)
    finish(reader);
  else if (XML_GetErrorCode(reader->parser) == XML_ERROR_NO_MEMORY)
    tny_msccl_note(reader, tny_error_memory(reader->error));
  else
    tny_msccl_fail(reader, TNY_BAD_INPUT, "this isn't XML: %s",
                   XML_ErrorString(XML_GetErrorCode(reader->parser)));
}

static void *take_memory(size_t bytes)
{
  return tny_new(bytes, 1);
}

static void *grow_memory(void *memory, size_t bytes)
{
  return tny_resize(memory, bytes, 1);
}

enum tny_status tny_msccl_read(const char *text, const char *name, struct tny_foreign **foreign,
                               struct tny_error *error)
{
  static const XML_Memory_Handling_Suite memory = {take_memory, grow_memory, tny_free};
  struct tny_msccl reader = {.error = error};
  const size_t ranks_max = strlen(text) / strlen("<gpu id=\"0\"/>") + 1;
  reader.ranks_max = ranks_max < TNY_NONE ? (uint32_t)ranks_max : TNY_NONE;
  *foreign = NULL;
  reader.status = tny_foreign_new(TNY_FORM_MSCCL, name, &reader.foreign, error);
  reader.parser = reader.status == TNY_OK ? XML_ParserCreate_MM(NULL, &memory, NULL) : NULL;
  if (reader.status == TNY_OK && !reader.parser)
    reader.status = tny_error_memory(error);
  if (reader.status == TNY_OK)
    parse(&reader, text);
  if (reader.parser)
    XML_ParserFree(reader.parser);
  tny_free(reader.seen);
  tny_free(reader.steps);
  tny_free(reader.blocks);
  if (reader.status == TNY_OK)
    *foreign = reader.foreign;
  else
    tny_foreign_free(reader.foreign);
  return reader.status;
}
