/* MSCCL's XML, written. A rank has a threadblock for each rank that it sends to, one for each that
   it receives from, and one for its copies, all on channel 0. A threadblock does its steps in list
   order, each complete before the next: more order than the schedule's, and no more than a window
   of one, for which schedules are proved. What else a step waits for are steps of other
   threadblocks: its `after`, and those that use the same place, one of them writing, where it's the
   queue that keeps them apart. One of these by depid and deps, those beyond by nops in front of
   it. */
#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"
#include "core/text.h"
#include "exchange/foreign.h"
#include "schedule/match.h"

enum { CHUNKS_MAX = 1 << 27 }; /* of a rank's buffers */

/* Some chunks of a buffer, as a step names them. */
struct piece {
  const char *buffer;
  uint32_t offset, count;
};

/* An element of a list of steps. */
struct dependency {
  uint32_t step;
  uint32_t next; /* TNY_NONE: the last */
};

/* A threadblock, and the chain of its steps; TNY_NONE: none. */
struct block {
  int32_t send, recv; /* -1: none */
  uint32_t first, last;
};

/* One step of the schedule within its threadblock. */
struct placed {
  uint32_t block, place; /* the first of its XML steps, nops included */
  uint32_t last;         /* the last of them */
  uint32_t next;         /* step of the threadblock; TNY_NONE: the last */
  uint32_t dependency;   /* the first; TNY_NONE: none */
  uint32_t dependency_count;
  bool hasdep;
};

struct writer {
  const struct tny_schedule *schedule;
  struct tny_match match;
  struct tny_text text;
  /* Of one rank; in an arena of its own. */
  struct tny_arena *arena;
  uint32_t rank, block_count;
  uint32_t *block_of[2]; /* sends and receives, by peer; the rank itself: copies */
  struct block *blocks;
  struct placed *placed;
  struct dependency *dependencies;
  uint32_t dependency_count, dependency_room;
  uint32_t *waited; /* by threadblock and threadblock: 1 + step that it has waited for */
  uint32_t *wanted; /* by threadblock: 1 + step that the next step has to wait for, 0: none */
  uint32_t *touched, touched_count; /* threadblocks with something in `wanted` */
  /* By place: 1 + the last step that wrote it, and 1 + the newest of those that read it since. */
  uint32_t *written, *read;
  struct dependency *readers;
  uint32_t reader_count, reader_room;
};

static uint32_t chunks_of(const struct writer *writer, enum tny_buffer buffer)
{
  const struct tny_schedule *schedule = writer->schedule;
  const uint32_t blocks =
      buffer == TNY_SCRATCH ? schedule->scratch_blocks
                            : tny_buffer_blocks(schedule->collective, buffer, schedule->rank_count);
  return blocks * schedule->chunk_count;
}

static bool is_whole(const struct writer *writer, const struct tny_span *span)
{
  return span->chunk_count == 1 || span->chunks == writer->schedule->chunk_count;
}

/* XML steps that a span takes: chunks of several blocks don't lie together. */
static uint32_t pieces_of(const struct writer *writer, const struct tny_span *span)
{
  return is_whole(writer, span) ? 1 : span->count;
}

static struct piece piece_of(const struct writer *writer, const struct tny_span *span, uint32_t k)
{
  static const char *const letters[] = {[TNY_INPUT] = "i", [TNY_OUTPUT] = "o", [TNY_SCRATCH] = "s"};
  const uint32_t chunks = writer->schedule->chunk_count;
  if (is_whole(writer, span))
    return (struct piece){letters[span->buffer], span->first * chunks, span->count * chunks};
  return (struct piece){letters[span->buffer], (span->first + k) * chunks + span->chunk,
                        span->chunks};
}

/* The threadblock of a step; a new one where it's the first. */
static uint32_t block_for(struct writer *writer, const struct tny_step *step)
{
  const bool receives = step->kind == TNY_RECV, copies = step->kind == TNY_COPY;
  uint32_t *block = &writer->block_of[receives][copies ? writer->rank : step->peer];
  if (*block == TNY_NONE) {
    *block = writer->block_count++;
    writer->blocks[*block] = (struct block){.send = receives || copies ? -1 : (int32_t)step->peer,
                                            .recv = receives ? (int32_t)step->peer : -1,
                                            .first = TNY_NONE,
                                            .last = TNY_NONE};
  }
  return *block;
}

/* Puts a step in front of a list. */
static enum tny_status push(struct dependency **list, uint32_t *count, uint32_t *room,
                            struct dependency added, struct tny_error *error)
{
  if (*count == *room) {
    const uint32_t wanted = *room ? 2 * *room : 64;
    void *grown = tny_resize(*list, wanted, sizeof **list);
    if (!grown)
      return tny_error_memory(error);
    *list = grown;
    *room = wanted;
  }
  (*list)[(*count)++] = added;
  return TNY_OK;
}

/* The step at hand has to wait for an earlier one. */
static void want(struct writer *writer, uint32_t index, uint32_t earlier)
{
  const uint32_t own = writer->placed[index].block, other = writer->placed[earlier].block;
  const size_t row = (size_t)own * 2 * writer->schedule->rank_count;
  if (own == other || earlier + 1 <= writer->waited[row + other])
    return;
  if (writer->wanted[other] == 0)
    writer->touched[writer->touched_count++] = other;
  if (earlier + 1 > writer->wanted[other])
    writer->wanted[other] = earlier + 1;
}

/* What is wanted becomes the step's dependencies. */
static enum tny_status settle(struct writer *writer, uint32_t index, struct tny_error *error)
{
  struct placed *placed = &writer->placed[index];
  uint32_t *waited = writer->waited + (size_t)placed->block * 2 * writer->schedule->rank_count;
  enum tny_status status = TNY_OK;
  while (status == TNY_OK && writer->touched_count > 0) {
    const uint32_t other = writer->touched[--writer->touched_count];
    const uint32_t step = writer->wanted[other] - 1;
    waited[other] = step + 1;
    writer->wanted[other] = 0;
    writer->placed[step].hasdep = true;
    status = push(&writer->dependencies, &writer->dependency_count, &writer->dependency_room,
                  (struct dependency){step, placed->dependency}, error);
    placed->dependency = writer->dependency_count - 1;
    placed->dependency_count++;
  }
  return status;
}

/* The first place of a span's k-th block; the others of that block follow. */
static uint32_t place_of(const struct writer *writer, const struct tny_span *span, uint32_t k)
{
  const uint32_t inputs = chunks_of(writer, TNY_INPUT), outputs = chunks_of(writer, TNY_OUTPUT);
  const uint32_t base = span->buffer == TNY_INPUT    ? 0
                        : span->buffer == TNY_OUTPUT ? inputs
                                                     : inputs + outputs;
  return base + (span->first + k) * writer->schedule->chunk_count +
         (is_whole(writer, span) ? 0 : span->chunk);
}

static enum tny_status use_place(struct writer *writer, uint32_t index, uint32_t place, bool writes,
                                 struct tny_error *error)
{
  if (writer->written[place] > 0)
    want(writer, index, writer->written[place] - 1);
  if (!writes) {
    const struct dependency reader = {index, writer->read[place] - 1};
    writer->read[place] = writer->reader_count + 1;
    return push(&writer->readers, &writer->reader_count, &writer->reader_room, reader, error);
  }
  for (uint32_t i = writer->read[place] - 1; i != TNY_NONE; i = writer->readers[i].next)
    want(writer, index, writer->readers[i].step);
  writer->read[place] = 0;
  writer->written[place] = index + 1;
  return TNY_OK;
}

/* Waits for those that used a span's places before. Inputs are only read: nobody waits for that. */
static enum tny_status use_span(struct writer *writer, uint32_t index, const struct tny_span *span,
                                bool writes, struct tny_error *error)
{
  const uint32_t chunks = is_whole(writer, span) ? writer->schedule->chunk_count : span->chunks;
  enum tny_status status = TNY_OK;
  for (uint32_t k = 0; span->buffer != TNY_INPUT && k < span->count; k++)
    for (uint32_t chunk = 0; status == TNY_OK && chunk < chunks; chunk++)
      status = use_place(writer, index, place_of(writer, span, k) + chunk, writes, error);
  return status;
}

static enum tny_status find_dependencies(struct writer *writer, uint32_t index,
                                         struct tny_error *error)
{
  const struct tny_steps *steps = &writer->schedule->ranks[writer->rank];
  const struct tny_step *step = &steps->steps[index];
  for (uint32_t i = 0; i < step->after_count; i++)
    want(writer, index, steps->after[step->after_first + i]);
  enum tny_status status = use_span(writer, index, &step->span, step->kind == TNY_RECV, error);
  if (status == TNY_OK && step->kind == TNY_COPY)
    status = use_span(writer, index, &step->target, true, error);
  return status == TNY_OK ? settle(writer, index, error) : status;
}

static enum tny_status place_steps(struct writer *writer, struct tny_error *error)
{
  const struct tny_steps *steps = &writer->schedule->ranks[writer->rank];
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < steps->count; i++) {
    const uint32_t number = block_for(writer, &steps->steps[i]);
    struct block *block = &writer->blocks[number];
    const uint32_t before = block->last;
    struct placed *placed = &writer->placed[i];
    *placed = (struct placed){.block = number, .next = TNY_NONE, .dependency = TNY_NONE};
    status = find_dependencies(writer, i, error);
    const uint32_t nops = placed->dependency_count > 1 ? placed->dependency_count - 1 : 0;
    placed->place = before == TNY_NONE ? 0 : writer->placed[before].last + 1;
    placed->last = placed->place + nops + pieces_of(writer, &steps->steps[i].span) - 1;
    *(before == TNY_NONE ? &block->first : &writer->placed[before].next) = i;
    block->last = i;
  }
  return status;
}

/* The attributes from depid on: the step's k-th dependency, or none. */
static void write_dependency(struct writer *writer, uint32_t dependency, bool hasdep)
{
  if (dependency == TNY_NONE) {
    tny_text_add(&writer->text, "depid=\"-1\" deps=\"-1\" hasdep=\"%d\"/>\n", hasdep);
    return;
  }
  const struct placed *other = &writer->placed[writer->dependencies[dependency].step];
  tny_text_add(&writer->text, "depid=\"%u\" deps=\"%u\" hasdep=\"%d\"/>\n", other->block,
               other->last, hasdep);
}

static void write_pieces(struct writer *writer, uint32_t place, const char *type,
                         const struct piece pieces[2])
{
  tny_text_add(&writer->text,
               "      <step s=\"%u\" type=\"%s\" srcbuf=\"%s\" srcoff=\"%u\" dstbuf=\"%s\" "
               "dstoff=\"%u\" cnt=\"%u\" ",
               place, type, pieces[0].buffer, pieces[0].offset, pieces[1].buffer, pieces[1].offset,
               pieces[0].count);
}

/* The spans at both ends of a step: what it moves from and to. */
static void ends_of(const struct writer *writer, uint32_t index, const struct tny_span *ends[2])
{
  const struct tny_step *step = &writer->schedule->ranks[writer->rank].steps[index];
  ends[0] = ends[1] = &step->span;
  if (step->kind == TNY_COPY) {
    ends[1] = &step->target;
    return;
  }
  const uint32_t partner = writer->match.partner[writer->match.first[writer->rank] + index];
  ends[step->kind == TNY_SEND] = &tny_match_step(&writer->match, partner)->span;
}

static void write_step(struct writer *writer, uint32_t index)
{
  static const char *const types[] = {[TNY_SEND] = "s", [TNY_RECV] = "r", [TNY_COPY] = "cpy"};
  const struct placed *placed = &writer->placed[index];
  const struct tny_step *step = &writer->schedule->ranks[writer->rank].steps[index];
  const uint32_t count = pieces_of(writer, &step->span);
  const struct tny_span *ends[2];
  uint32_t place = placed->place, dependency = placed->dependency;
  ends_of(writer, index, ends);
  for (uint32_t nop = 1; nop < placed->dependency_count; nop++) {
    write_pieces(writer, place++, "nop", (struct piece[2]){{"i", 0, 0}, {"o", 0, 0}});
    write_dependency(writer, dependency, false);
    dependency = writer->dependencies[dependency].next;
  }
  for (uint32_t k = 0; k < count; k++) {
    const struct piece pieces[2] = {piece_of(writer, ends[0], k), piece_of(writer, ends[1], k)};
    write_pieces(writer, place++, types[step->kind], pieces);
    write_dependency(writer, k == 0 ? dependency : TNY_NONE, placed->hasdep && k + 1 == count);
  }
}

static bool is_root(const struct writer *writer)
{
  return writer->schedule->collective == TNY_BROADCAST && writer->schedule->root == writer->rank;
}

/* MSCCL's root has an output too. */
static void write_root_copy(struct writer *writer, uint32_t place)
{
  const uint32_t chunks = writer->schedule->chunk_count;
  write_pieces(writer, place, "cpy", (struct piece[2]){{"i", 0, chunks}, {"o", 0, chunks}});
  write_dependency(writer, TNY_NONE, false);
}

static void write_block(struct writer *writer, uint32_t number)
{
  const struct block *block = &writer->blocks[number];
  uint32_t place = 0;
  tny_text_add(&writer->text, "    <tb id=\"%u\" send=\"%d\" recv=\"%d\" chan=\"0\">\n", number,
               block->send, block->recv);
  for (uint32_t i = block->first; i != TNY_NONE; i = writer->placed[i].next) {
    write_step(writer, i);
    place = writer->placed[i].last + 1;
  }
  if (number == writer->block_of[0][writer->rank] && is_root(writer))
    write_root_copy(writer, place);
  tny_text_add(&writer->text, "    </tb>\n");
}

static void write_gpu(struct writer *writer)
{
  tny_text_add(&writer->text, "  <gpu id=\"%u\" i_chunks=\"%u\" o_chunks=\"%u\" s_chunks=\"%u\">\n",
               writer->rank, chunks_of(writer, TNY_INPUT), chunks_of(writer, TNY_OUTPUT),
               chunks_of(writer, TNY_SCRATCH));
  for (uint32_t block = 0; block < writer->block_count; block++)
    write_block(writer, block);
  tny_text_add(&writer->text, "  </gpu>\n");
}

static enum tny_status take_rank_memory(struct writer *writer, struct tny_error *error)
{
  const uint32_t count = writer->schedule->rank_count;
  const uint32_t steps = writer->schedule->ranks[writer->rank].count;
  const size_t blocks = 2 * (size_t)count;
  const size_t places = (size_t)chunks_of(writer, TNY_INPUT) + chunks_of(writer, TNY_OUTPUT) +
                        chunks_of(writer, TNY_SCRATCH);
  writer->arena = tny_arena_new();
  if (!writer->arena)
    return tny_error_memory(error);
  for (int queue = 0; queue < 2; queue++) {
    writer->block_of[queue] = tny_arena_take(writer->arena, count, sizeof(uint32_t));
    if (!writer->block_of[queue])
      return tny_error_memory(error);
    for (uint32_t peer = 0; peer < count; peer++)
      writer->block_of[queue][peer] = TNY_NONE;
  }
  writer->blocks = tny_arena_take(writer->arena, blocks, sizeof *writer->blocks);
  writer->placed = tny_arena_take(writer->arena, steps, sizeof *writer->placed);
  writer->waited = tny_arena_take(writer->arena, blocks * blocks, sizeof *writer->waited);
  writer->wanted = tny_arena_take(writer->arena, blocks, sizeof *writer->wanted);
  writer->touched = tny_arena_take(writer->arena, blocks, sizeof *writer->touched);
  writer->written = tny_arena_take(writer->arena, places, sizeof *writer->written);
  writer->read = tny_arena_take(writer->arena, places, sizeof *writer->read);
  return writer->blocks && writer->placed && writer->waited && writer->wanted && writer->touched &&
                 writer->written && writer->read
             ? TNY_OK
             : tny_error_memory(error);
}

static enum tny_status write_rank(struct writer *writer, struct tny_error *error)
{
  writer->block_count = writer->dependency_count = writer->reader_count = 0;
  enum tny_status status = take_rank_memory(writer, error);
  if (status == TNY_OK)
    status = place_steps(writer, error);
  if (status == TNY_OK) {
    if (is_root(writer))
      block_for(writer, &(struct tny_step){.kind = TNY_COPY});
    write_gpu(writer);
  }
  tny_arena_free(writer->arena);
  return status;
}

/* As an attribute's value. */
static void write_escaped(struct tny_text *text, const char *name)
{
  for (; *name; name++) {
    if (strchr("&<>\"'", *name))
      tny_text_add(text, "&#%d;", *name);
    else
      tny_text_add(text, "%c", *name);
  }
}

static void write_algo(struct writer *writer)
{
  static const char *const names[] = {
      [TNY_BROADCAST] = "broadcast", [TNY_ALLGATHER] = "allgather", [TNY_ALLTOALL] = "alltoall"};
  const struct tny_schedule *schedule = writer->schedule;
  tny_text_add(&writer->text, "<algo name=\"");
  write_escaped(&writer->text, schedule->algorithm);
  tny_text_add(&writer->text,
               "\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"%u\" ngpus=\"%u\" "
               "coll=\"%s\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"0\">\n",
               chunks_of(writer, TNY_OUTPUT), schedule->rank_count, names[schedule->collective]);
}

static enum tny_status check(const struct tny_schedule *schedule, struct tny_error *error)
{
  const uint64_t blocks =
      (uint64_t)tny_buffer_blocks(schedule->collective, TNY_INPUT, schedule->rank_count) +
      tny_buffer_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count) +
      schedule->scratch_blocks;
  if (blocks * schedule->chunk_count > CHUNKS_MAX)
    return tny_error_set(error, TNY_REFUSED,
                         "%llu blocks in %u chunks are too many for MSCCL's XML",
                         (unsigned long long)blocks, schedule->chunk_count);
  if (schedule->wanted)
    return tny_error_set(error, TNY_REFUSED,
                         "MSCCL's XML has no sparse patterns: every block is wanted there");
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      if (tny_step_is_token(schedule->ranks[rank].steps[i].kind))
        return tny_error_set(error, TNY_REFUSED,
                             "MSCCL's XML has no messages without data, and rank %u step %u is "
                             "one: plan with --window 0 and without --separate",
                             rank, i);
  return TNY_OK;
}

enum tny_status tny_schedule_write_msccl(const struct tny_schedule *schedule, char **text,
                                         struct tny_error *error)
{
  struct writer writer = {.schedule = schedule};
  *text = NULL;
  enum tny_status status = check(schedule, error);
  if (status == TNY_OK)
    status = tny_match_make(schedule, &writer.match, error);
  if (status != TNY_OK)
    return status;
  write_algo(&writer);
  for (uint32_t rank = 0; status == TNY_OK && rank < schedule->rank_count; rank++) {
    writer.rank = rank;
    status = write_rank(&writer, error);
  }
  tny_text_add(&writer.text, "</algo>\n");
  if (status == TNY_OK)
    status = tny_text_take(&writer.text, text, error);
  tny_text_release(&writer.text);
  tny_free(writer.dependencies);
  tny_free(writer.readers);
  tny_match_release(&writer.match);
  return status;
}
