/* Processes: finding tools, running helpers, and waiting for a child while signals are passed on to
   it and its time limit is kept. */
#ifndef TOURNEY_LAB_PROCESS_H
#define TOURNEY_LAB_PROCESS_H

#include <signal.h>

#include "lab/lab.h"

/* Finds a program in PATH, or else where system tools lie. Errors: TNY_SYSTEM; the text names the
   package that has it. */
enum tny_status tny_lab_tool_find(const char *name, const char *package, char path[256],
                                  struct tny_error *error) TNY_MUST_CHECK;

/* Gives a descriptor a number behind the standard ones, as in dup, and closes the one that it had;
   -1 stays -1. For descriptors that are kept while standard ones are replaced: a caller may have
   closed its own, and what it opens then takes their numbers. -1, with errno, where that fails. */
int tny_lab_descriptor_raise(int file);

/* A tool to run with a text as its input. */
struct tny_lab_helper {
  char *const *argv;
  const char *input;
  int netns; /* to run in; -1: the caller's */
};
/* Runs the tool and waits until it has ended. *output is all that it printed, errors too. Owns:
   *output is the caller's, tny_text_free; output may be NULL. Errors: TNY_SYSTEM where the tool
   fails, with what it printed. */
enum tny_status tny_lab_helper_run(const struct tny_lab_helper *helper, char **output,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* How to wait for a child. */
struct tny_lab_watch {
  pid_t child;
  int send; /* The child gets this signal when the caller is sent one; 0: that same signal. */
  double timeout_seconds; /* After these the child gets `send`; 0: there is no limit. */
  int output;             /* the read end of a pipe whose bytes go to `receive`; -1: none */
  void (*receive)(void *context, const char *bytes, size_t count);
  void *context;
};
/* Blocks SIGCHLD and the signals that are passed on: SIGINT, SIGTERM, SIGHUP and SIGQUIT, without
   those that the caller ignores (as under nohup). To be called before the fork. */
void tny_lab_signals_block(sigset_t *before);
/* Blocks one more signal, also where it is ignored: the one by which the calling process is told to
   end. */
void tny_lab_signals_block_one(int number);
/* True where a blocked signal that is to be passed on is pending. */
bool tny_lab_signals_pending(void);
void tny_lab_signals_restore(const sigset_t *before);
/* Waits until the child has ended, and takes its output until then. The signals must be blocked.
   Errors: TNY_SYSTEM where waiting fails; the child is then killed. */
enum tny_status tny_lab_watch_child(const struct tny_lab_watch *watch, struct tny_lab_end *end,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
