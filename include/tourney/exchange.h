/* Schedules in the forms of other tools: GOAL (LogGOPSim, ATLAHS) and MSCCL's XML. Ours are written
   in them; theirs are read, proved as their own tool would run them, and converted where they fit
   into a schedule. docs/exchange-formats.md has the forms and what is proved of each. */
#ifndef TOURNEY_EXCHANGE_H
#define TOURNEY_EXCHANGE_H

#include <tourney/schedule.h>
#include <tourney/simulate.h>

/* STEPS is our own text form (schedule.h). */
enum tny_form { TNY_FORM_STEPS, TNY_FORM_GOAL, TNY_FORM_MSCCL };
/* "steps", "goal", "msccl" */
const char *tny_form_name(enum tny_form form);
/* By how the text begins; STEPS where it begins like none of the others. */
enum tny_form tny_form_of(const char *text);

/* GOAL knows bytes and no blocks: blocks are of `block_bytes`; comments say what lies where, so
   that our own reader can prove the data. Owns: *text by tny_text_free. A message of a barrier,
   which carries nothing, is one byte. Errors: TNY_REFUSED where a piece would be of no byte;
   TNY_BROKEN where messages don't meet. */
enum tny_status tny_schedule_write_goal(const struct tny_schedule *schedule, uint64_t block_bytes,
                                        char **text, struct tny_error *error) TNY_MUST_CHECK;
/* Owns: as above. Errors: TNY_REFUSED for tokens and sparse patterns, which it has no form for. */
enum tny_status tny_schedule_write_msccl(const struct tny_schedule *schedule, char **text,
                                         struct tny_error *error) TNY_MUST_CHECK;

/* A schedule in one of these forms, as the file has it. */
struct tny_foreign;
/* `name` is what errors call the text. Owns: *foreign by tny_foreign_free; it borrows nothing.
   Errors: TNY_BAD_INPUT with the line; TNY_REFUSED with the line for what can't be proved here
   (reductions, receives from anywhere). */
enum tny_status tny_goal_read(const char *text, const char *name, struct tny_foreign **foreign,
                              struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_msccl_read(const char *text, const char *name, struct tny_foreign **foreign,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_foreign_free(struct tny_foreign *foreign);

/* What the file is about. */
struct tny_foreign_about {
  enum tny_form form;
  uint32_t rank_count;
  /* The collective, the root, the chunks and the algorithm's name, without steps; NULL: a GOAL file
     that doesn't say which data go where. */
  const struct tny_schedule *head; /* borrowed */
  uint64_t block_bytes;            /* as a GOAL file's comments say; 0: nothing does */
  bool in_place;                   /* the input lies in the output at the start */
};
struct tny_foreign_about tny_foreign_about(const struct tny_foreign *foreign);

/* What a GOAL file without comments of ours is to do. */
struct tny_foreign_wanted {
  enum tny_collective collective;
  uint32_t root;
  uint64_t block_bytes;
};

/* How the data were proved. */
enum tny_foreign_data {
  TNY_DATA_PROVED,   /* block for block */
  TNY_DATA_BY_SIZES, /* who sends how much to whom leaves one way to understand it */
  TNY_DATA_UNKNOWN,  /* the form doesn't say */
  TNY_DATA_NONE,     /* a barrier has none: no rank ends before every rank has begun */
};

struct tny_foreign_report {
  uint64_t operations, messages;
  uint64_t message_bytes; /* of all messages; GOAL only */
  uint32_t chain;         /* messages, of which each can only follow the one before */
  enum tny_foreign_data data;
  char why[200]; /* the data are proved by sizes, or unknown */
  /* "": it needs nothing but rendezvous. Else connections have to buffer a message before its
     receive starts; this is the deadlock where they don't. */
  char rendezvous_deadlock[400];
};

/* Proves it as the form's own tool runs it, where nothing keeps operations in order but what the
   file says. Messages: each has its other end, of the same size, and which meet doesn't hang on
   who is faster. Progress: no deadlock, with messages that complete with both ends started;
   MSCCL's, where that deadlocks, with connections that buffer one message. Data, where the form
   says which (GOAL: in our comments): no two operations of a rank race for a location, and every
   rank ends with the right blocks. A barrier: no rank ends before every rank has begun. `wanted`
   (NULL: not known) is for GOAL files that don't say which. Errors: TNY_BROKEN with the line and
   the counterexample; TNY_REFUSED where it's too large. */
enum tny_status tny_foreign_verify(struct tny_foreign *foreign,
                                   const struct tny_foreign_wanted *wanted,
                                   struct tny_foreign_report *report,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Bytes each link carries; `load_bytes` has link_count entries. `block_bytes` is for MSCCL. */
void tny_foreign_load(const struct tny_foreign *foreign, const struct tny_network *network,
                      uint64_t block_bytes, uint64_t *load_bytes);
/* The schedule that a verified one is: as it may run, and with each rank's sends and its receives
   kept in one order. Owns: *schedule by tny_schedule_free. Errors: TNY_REFUSED with the line where
   it fits into none. */
enum tny_status tny_foreign_schedule(const struct tny_foreign *foreign,
                                     struct tny_schedule **schedule,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* What a GOAL file is to a simulator, verified before or not: calcs are work of so many ns, on the
   rank's own processor (cpu 0) or on another one; messages are always the own one's. Owns: *program
   by tny_program_free. Errors: TNY_BROKEN with the line where messages don't meet; TNY_REFUSED for
   other forms, which are simulated as schedules. */
enum tny_status tny_foreign_program(struct tny_foreign *foreign, struct tny_program **program,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
