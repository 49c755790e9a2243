/* Entering a lab. The caller forks a child, the entered process. This one enters the namespaces of
   the lab's keeper and of a node, and executes a task there. The caller waits for it, passes
   signals on to it, and keeps its time limit. */
#ifndef TOURNEY_LAB_ENTER_H
#define TOURNEY_LAB_ENTER_H

#include "lab/process.h"
#include "lab/state.h"

/* The entered process, as the body of a task sees it. The body runs in the caller's folder. */
struct tny_lab_entered {
  const struct tny_lab *lab;
  void *context;
  const sigset_t *signals; /* the mask of the programs that it starts */
  int report;              /* the pipe to the caller: for tny_lab_entered_fail */
};

/* What is to be done in a lab, on one of its nodes. */
struct tny_lab_task {
  const char *node;
  /* Returns the exit code of the entered process. */
  int (*body)(const struct tny_lab_entered *entered);
  void *context;
  struct tny_lab_watch watch; /* The child is filled in, and the output where `receive` is given. */
};

/* Enters the lab, executes the task, and waits until it has ended. */
enum tny_status tny_lab_enter(const struct tny_lab *lab, struct tny_lab_task *task,
                              struct tny_lab_end *end, struct tny_error *error) TNY_MUST_CHECK;

/* Ends the calling process, which is the entered one or a child of it, and makes the error that of
   tny_lab_enter. */
_Noreturn void tny_lab_entered_fail(const struct tny_lab_entered *entered,
                                    const struct tny_error *error);
/* Forks as fork does; the child is killed when its parent ends. An error ends the process, as
   tny_lab_entered_fail. */
pid_t tny_lab_entered_fork(const struct tny_lab_entered *entered);
/* Waits for such a child, and returns its exit code. An error ends the process too. */
int tny_lab_entered_wait(const struct tny_lab_entered *entered, const struct tny_lab_watch *watch);
/* Enters a node's network namespace, and takes its host name. */
enum tny_status tny_lab_node_enter(const char *directory, const char *node,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Gives what the calling process starts System V memory of its own: hosts share none, and UCX tells
   them apart by that. */
enum tny_status tny_lab_memory_separate(struct tny_error *error) TNY_MUST_CHECK;
/* Becomes the program, with the environment variable that marks the inside of a lab. */
_Noreturn void tny_lab_entered_become(const struct tny_lab_entered *entered, char *const *argv);

#endif
