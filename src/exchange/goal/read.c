/* GOAL, read. The grammar is that of LogGOPSim's txt2bin (re2c). This reader takes what txt2bin
   takes, except what txt2bin itself would misunderstand:

     num_ranks N
     rank R {
       [LABEL:] send BYTESb to RANK [tag T] [cpu C] [nic N]
       [LABEL:] recv BYTESb from RANK [tag T] [cpu C] [nic N]
       [LABEL:] calc TIME [cpu C]
       LABEL requires LABEL      starts after that one is complete
       LABEL irequires LABEL     starts after that one has started
     }

   A statement ends with its line. Labels are those of the rank, and given before they are used.
   Receives from anywhere or of any tag (-1) are refused: who is faster would decide. */
#include "core/alloc.h"
#include "core/error.h"
#include "exchange/goal/comments.h"
#include "exchange/goal/scan.h"

struct label {
  struct tny_goal_word word;
  uint32_t rank_stamp; /* 1 + number of the rank among those read; 0: free */
  uint32_t operation;
};

struct reader {
  struct tny_goal_scan scan;
  struct tny_foreign *foreign;
  uint32_t ranks_max;
  bool *seen;           /* by rank; NULL: num_ranks isn't read yet */
  uint32_t rank, stamp; /* that is being read; 0: none */
  struct tny_goal_comment comment;
  bool by_queue;        /* what follows stands for the order of a queue, until the next operation */
  struct label *labels; /* a hash table with open addressing; room is a power of 2 */
  uint32_t label_room, label_count;
};

static void take_comment(void *into, struct tny_line_reader *lines)
{
  struct reader *reader = into;
  if (!reader->seen)
    tny_goal_read_head(lines, reader->foreign, reader->ranks_max);
  else if (reader->comment.is_there)
    tny_line_fail(lines, lines->at, "an operation belongs between two comments of ours");
  else if (tny_line_take(lines, "queue")) {
    tny_line_end(lines);
    reader->by_queue = true;
  } else
    reader->comment = tny_goal_read_comment(lines, reader->foreign);
}

/* The label's entry in the table: where it is, or where it belongs. */
static struct label *find_label(const struct reader *reader, struct tny_goal_word word)
{
  uint32_t hash = 2166136261u;
  for (uint32_t i = 0; i < word.length; i++)
    hash = (hash ^ (uint8_t)word.text[i]) * 16777619u;
  for (uint32_t i = hash;; i++) {
    struct label *label = &reader->labels[i & (reader->label_room - 1)];
    if (label->rank_stamp != reader->stamp ||
        (label->word.length == word.length &&
         memcmp(label->word.text, word.text, word.length) == 0))
      return label;
  }
}

static void grow_labels(struct reader *reader)
{
  const struct reader before = *reader;
  reader->label_room = before.label_room ? 2 * before.label_room : 64;
  reader->labels = tny_new(reader->label_room, sizeof *reader->labels);
  if (!reader->labels) {
    *reader = before;
    reader->scan.text.status = tny_error_memory(reader->scan.text.error);
    return;
  }
  for (uint32_t i = 0; i < before.label_room; i++)
    if (before.labels[i].rank_stamp == before.stamp)
      *find_label(reader, before.labels[i].word) = before.labels[i];
  tny_free(before.labels);
}

static void add_label(struct reader *reader, struct tny_goal_word word, uint32_t operation)
{
  if (reader->label_count >= reader->label_room / 2)
    grow_labels(reader);
  if (reader->scan.text.status != TNY_OK)
    return;
  struct label *label = find_label(reader, word);
  if (label->rank_stamp == reader->stamp) {
    tny_line_fail(&reader->scan.text, word.text, "rank %u has two operations called %.*s (line %u)",
                  reader->rank, tny_goal_shown(word), word.text,
                  reader->foreign->operations[label->operation].line);
    return;
  }
  *label = (struct label){word, reader->stamp, operation};
  reader->label_count++;
}

/* The operation of that name; 0 after a failure. */
static uint32_t look_up(struct reader *reader, struct tny_goal_word word)
{
  const struct label *label = reader->label_room ? find_label(reader, word) : NULL;
  if (label && label->rank_stamp == reader->stamp)
    return label->operation;
  tny_line_fail(&reader->scan.text, word.text,
                "rank %u has no operation called %.*s before this line", reader->rank,
                tny_goal_shown(word), word.text);
  return 0;
}

/* "tag T", "cpu C", "nic N", in this order, each where it is. */
static void read_attributes(struct reader *reader, struct tny_operation *operation)
{
  static const char *const names[] = {"tag", "cpu", "nic"};
  struct tny_goal_scan *scan = &reader->scan;
  const bool is_calc = operation->act == TNY_ACT_LOCAL;
  for (int next = is_calc ? 1 : 0;;) {
    const struct tny_goal_word word = tny_goal_read_word(scan);
    if (word.length == 0)
      return;
    int which = next;
    while (which < 3 && !tny_goal_is(word, names[which]))
      which++;
    if (which == 3 || (is_calc && which == 2)) {
      tny_line_fail(&scan->text, word.text, "%s, not \"%.*s\"",
                    is_calc ? "cpu may follow here, or the line's end"
                            : "tag, cpu and nic may follow here, in this order and each once",
                    tny_goal_shown(word), word.text);
      return;
    }
    tny_goal_skip(scan);
    if (which == 0 && *scan->text.at == '-')
      tny_line_fail(&scan->text, scan->text.at,
                    "tag -1 takes whatever comes first, which can't be proved; give "
                    "the tag");
    const uint32_t number =
        (uint32_t)tny_goal_number(scan, names[which], which == 0 ? TNY_NONE - 1 : 255);
    if (which == 0)
      operation->channel = number;
    else if (which == 1)
      operation->processor = number;
    next = which + 1;
  }
}

static void read_message(struct reader *reader, struct tny_operation *operation)
{
  struct tny_goal_scan *scan = &reader->scan;
  const bool sends = operation->act == TNY_ACT_SEND;
  const char *const word = sends ? "to" : "from";
  operation->bytes = tny_goal_number(scan, "a size", UINT64_MAX / 4);
  if (!tny_goal_take(scan, 'b'))
    tny_line_fail(&scan->text, scan->text.at, "'b' belongs behind a size, as in 8b");
  if (!tny_goal_is(tny_goal_read_word(scan), word))
    tny_line_fail(&scan->text, scan->text.at, "\"%s\" belongs here, and a rank", word);
  tny_goal_skip(scan);
  if (!sends && *scan->text.at == '-')
    tny_line_fail(&scan->text, scan->text.at,
                  "-1 takes whatever comes first, which can't be proved; give the rank");
  const char *const at = scan->text.at;
  operation->peer =
      (uint32_t)tny_goal_number(scan, "the other rank", reader->foreign->rank_count - 1);
  if (operation->peer == reader->rank)
    tny_line_fail(&scan->text, at, "rank %u can't send to itself; use a calc", reader->rank);
}

static enum tny_act act_of(struct tny_goal_word word, bool *is_act)
{
  *is_act = true;
  if (tny_goal_is(word, "send"))
    return TNY_ACT_SEND;
  if (tny_goal_is(word, "recv"))
    return TNY_ACT_RECV;
  *is_act = tny_goal_is(word, "calc");
  return TNY_ACT_LOCAL;
}

/* Fills in what our comment before the operation says of it, and checks that both agree. */
static void apply_comment(struct reader *reader, struct tny_operation *operation, const char *at)
{
  const struct tny_goal_comment comment = reader->comment;
  reader->by_queue = false;
  const struct tny_foreign *foreign = reader->foreign;
  const bool is_calc = operation->act == TNY_ACT_LOCAL;
  reader->comment.is_there = false;
  if (!foreign->head || (is_calc && !comment.is_there))
    return;
  if (!comment.is_there || comment.is_copy != is_calc) {
    tny_line_fail(&reader->scan.text, at,
                  "the comment before it should say what this operation moves");
    return;
  }
  operation->phase = comment.phase;
  if (comment.is_token)
    return;
  const struct tny_region region = tny_region_of(foreign, &comment.span);
  if (operation->act != TNY_ACT_RECV)
    operation->from = region;
  if (operation->act != TNY_ACT_SEND)
    operation->to = is_calc ? tny_region_of(foreign, &comment.target) : region;
  if (is_calc && tny_region_chunks(&operation->from) != tny_region_chunks(&operation->to))
    tny_line_fail(&reader->scan.text, at, "the comment before it copies more than it has room for");
  const uint64_t bytes = tny_exchange_message_bytes(&comment.span, foreign->block_bytes);
  if (!is_calc && operation->bytes != bytes)
    tny_line_fail(&reader->scan.text, at, "%llu bytes, but the comment before says what has %llu",
                  (unsigned long long)operation->bytes, (unsigned long long)bytes);
}

/* Reads the rest of an operation; the scanner stands behind `word`. */
static void read_operation(struct reader *reader, struct tny_goal_word word,
                           struct tny_goal_word label)
{
  struct tny_goal_scan *scan = &reader->scan;
  bool is_act;
  struct tny_operation operation = {.act = act_of(word, &is_act),
                                    .rank = reader->rank,
                                    .peer = TNY_NONE,
                                    .phase = TNY_NONE,
                                    .line = scan->text.line};
  if (!is_act)
    tny_line_fail(&scan->text, word.text, "send, recv or calc belongs here, not \"%.*s\"",
                  tny_goal_shown(word), word.text);
  if (operation.act == TNY_ACT_LOCAL)
    operation.bytes = tny_goal_number(scan, "a time", UINT64_MAX / 4);
  else
    read_message(reader, &operation);
  read_attributes(reader, &operation);
  tny_goal_end(scan);
  apply_comment(reader, &operation, word.text);
  if (scan->text.status != TNY_OK)
    return;
  scan->text.status = tny_foreign_add(reader->foreign, &operation, scan->text.error);
  if (label.length > 0 && scan->text.status == TNY_OK)
    add_label(reader, label, reader->foreign->operation_count - 1);
}

static void read_need(struct reader *reader, struct tny_goal_word label, bool started)
{
  struct tny_goal_scan *scan = &reader->scan;
  struct tny_edge edge = {.need = {.started = started, .by_queue = reader->by_queue}};
  edge.operation = look_up(reader, label);
  const struct tny_goal_word other = tny_goal_read_word(scan);
  if (other.length == 0)
    tny_line_fail(&scan->text, scan->text.at, "the label of another operation belongs here");
  edge.need.operation = look_up(reader, other);
  tny_goal_end(scan);
  if (scan->text.status == TNY_OK)
    scan->text.status = tny_foreign_need(reader->foreign, edge, scan->text.error);
}

static void read_statement(struct reader *reader)
{
  struct tny_goal_scan *scan = &reader->scan;
  const struct tny_goal_word first = tny_goal_read_word(scan);
  bool is_act;
  act_of(first, &is_act);
  if (first.length == 0) {
    tny_line_fail(&scan->text, scan->text.at, "a label, send, recv, calc or } belongs here");
  } else if (tny_goal_is(first, "rank") || tny_goal_is(first, "num_ranks")) {
    tny_line_fail(&scan->text, first.text, "a } is missing before: rank %u isn't ended",
                  reader->rank);
  } else if (is_act) {
    read_operation(reader, first, (struct tny_goal_word){NULL, 0});
  } else if (tny_goal_take(scan, ':')) {
    read_operation(reader, tny_goal_read_word(scan), first);
  } else {
    const struct tny_goal_word verb = tny_goal_read_word(scan);
    if (!tny_goal_is(verb, "requires") && !tny_goal_is(verb, "irequires"))
      tny_line_fail(&scan->text, verb.text,
                    "':', requires or irequires belongs behind the label \"%.*s\"",
                    tny_goal_shown(first), first.text);
    else
      read_need(reader, first, tny_goal_is(verb, "irequires"));
  }
}

static void read_rank(struct reader *reader)
{
  struct tny_goal_scan *scan = &reader->scan;
  struct tny_foreign *foreign = reader->foreign;
  tny_goal_skip(scan);
  const char *const at = scan->text.at;
  const unsigned line = scan->text.line;
  if (!reader->seen) {
    tny_line_fail(&scan->text, at, "num_ranks belongs before the first rank");
    return;
  }
  reader->rank = (uint32_t)tny_goal_number(scan, "a rank", foreign->rank_count - 1);
  if (scan->text.status == TNY_OK && reader->seen[reader->rank])
    tny_line_fail(&scan->text, at, "rank %u is here twice", reader->rank);
  if (!tny_goal_take(scan, '{'))
    tny_line_fail(&scan->text, scan->text.at, "{ belongs behind the rank");
  if (scan->text.status != TNY_OK)
    return;
  reader->seen[reader->rank] = true;
  reader->stamp++;
  reader->label_count = 0;
  foreign->first[reader->rank] = foreign->operation_count;
  while (tny_goal_next(scan) && *scan->text.at != '}')
    read_statement(reader);
  foreign->end[reader->rank] = foreign->operation_count;
  if (!tny_goal_take(scan, '}'))
    tny_line_fail(&scan->text, scan->text.at, "rank %u, begun in line %u, has no } at its end",
                  reader->rank, line);
  if (reader->comment.is_there)
    tny_line_fail(&scan->text, scan->text.at, "the comment in line %u belongs before an operation",
                  reader->comment.line);
}

static void read_num_ranks(struct reader *reader)
{
  struct tny_goal_scan *scan = &reader->scan;
  const struct tny_schedule *head = reader->foreign->head;
  tny_goal_skip(scan);
  const char *const at = scan->text.at;
  const uint32_t rank_count = (uint32_t)tny_goal_number(scan, "num_ranks", reader->ranks_max);
  if (rank_count == 0)
    tny_line_fail(&scan->text, at, "there is 1 rank or more");
  else if (reader->seen)
    tny_line_fail(&scan->text, at, "num_ranks is here twice");
  else if (head && head->rank_count != rank_count)
    tny_line_fail(&scan->text, at, "the comment before says %u ranks", head->rank_count);
  if (scan->text.status != TNY_OK)
    return;
  scan->text.status = tny_foreign_set_ranks(reader->foreign, rank_count, scan->text.error);
  reader->seen = scan->text.status == TNY_OK ? tny_new(rank_count, sizeof *reader->seen) : NULL;
  if (scan->text.status == TNY_OK && !reader->seen)
    scan->text.status = tny_error_memory(scan->text.error);
}

static void read_all(struct reader *reader)
{
  struct tny_goal_scan *scan = &reader->scan;
  while (tny_goal_next(scan)) {
    const struct tny_goal_word word = tny_goal_read_word(scan);
    if (tny_goal_is(word, "num_ranks"))
      read_num_ranks(reader);
    else if (tny_goal_is(word, "rank"))
      read_rank(reader);
    else
      tny_line_fail(&scan->text, word.text, "%s belongs here",
                    reader->seen ? "rank and its number" : "num_ranks and how many");
  }
  if (scan->text.status == TNY_OK && !reader->seen)
    tny_line_fail(&scan->text, scan->text.at, "num_ranks is missing");
  for (uint32_t rank = 0; scan->text.status == TNY_OK && rank < reader->foreign->rank_count; rank++)
    if (!reader->seen[rank])
      tny_line_fail(&scan->text, scan->text.at, "rank %u is missing", rank);
}

enum tny_status tny_goal_read(const char *text, const char *name, struct tny_foreign **foreign,
                              struct tny_error *error)
{
  /* Each rank needs a "rank N{}" of its own. */
  const size_t ranks_max = strlen(text) / strlen("rank 0{}") + 1;
  struct reader reader = {
      .scan = {.text = {.name = name, .at = text, .line_start = text, .line = 1, .error = error},
               .take_comment = take_comment},
      .ranks_max = ranks_max < TNY_NONE - 1 ? (uint32_t)ranks_max : TNY_NONE - 1};
  *foreign = NULL;
  reader.scan.into = &reader;
  reader.scan.text.status = tny_foreign_new(TNY_FORM_GOAL, name, &reader.foreign, error);
  if (reader.scan.text.status == TNY_OK)
    read_all(&reader);
  if (reader.scan.text.status == TNY_OK)
    reader.scan.text.status = tny_foreign_finish(reader.foreign, error);
  tny_free(reader.labels);
  tny_free(reader.seen);
  if (reader.scan.text.status == TNY_OK)
    *foreign = reader.foreign;
  else
    tny_foreign_free(reader.foreign);
  return reader.scan.text.status;
}
