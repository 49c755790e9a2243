/* Processes: finding tools, running helpers, waiting for a child with signals and a time limit. */
#ifndef TOURNEY_LAB_PROCESS_H
#define TOURNEY_LAB_PROCESS_H

#include <signal.h>

#include "lab/lab.h"

/* The path of a program, looked for in PATH and then where system tools lie. Errors: TNY_SYSTEM,
   naming the package that has it. */
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
/* Runs it and waits. What it prints, errors too, is handed over in *output (Owns: tny_text_free)
   or, where output is NULL, becomes part of the error. Errors: TNY_SYSTEM where it fails. */
enum tny_status tny_lab_helper_run(const struct tny_lab_helper *helper, char **output,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* How to wait for a child. */
struct tny_lab_watch {
  pid_t child;
  int send; /* the signal the child gets when the caller is sent one; 0: that same signal */
  double timeout_seconds; /* 0: none; then the child gets `send` */
  int output;             /* read end of a pipe whose bytes go to `receive`; -1: none */
  void (*receive)(void *context, const char *bytes, size_t count);
  void *context;
};
/* Blocks SIGCHLD and the signals to pass on, which are those that the caller doesn't ignore
   (nohup); call before the fork. */
void tny_lab_signals_hold(sigset_t *before);
/* Blocks one more, ignored or not: one by which the calling process is told to end. */
void tny_lab_signals_take(int number);
/* True where a held signal that is to be passed on has come and nobody has taken it yet. */
bool tny_lab_signals_pending(void);
void tny_lab_signals_restore(const sigset_t *before);
/* Waits for the child and until its output ends. The signals must be held. Errors: TNY_SYSTEM where
   that can't be done; the child is then killed. */
enum tny_status tny_lab_watch_child(const struct tny_lab_watch *watch, struct tny_lab_end *end,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
