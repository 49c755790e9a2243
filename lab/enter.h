/* Going into a lab. The caller forks a guest, which enters the keeper's namespaces and those of a
   node, does its body, and is waited for with signals and a time limit. */
#ifndef TOURNEY_LAB_ENTER_H
#define TOURNEY_LAB_ENTER_H

#include "lab/process.h"
#include "lab/state.h"

/* What a body is told; it runs in the guest, in the caller's folder. */
struct tny_lab_guest {
  const struct tny_lab *lab;
  void *context;
  const sigset_t *signals; /* the mask to give to programs */
  int report;              /* for tny_lab_guest_fail */
};

struct tny_lab_visit {
  const char *node;
  /* Returns the guest's exit code. */
  int (*body)(const struct tny_lab_guest *guest);
  void *context;
  struct tny_lab_watch watch; /* child is filled in; output only where `receive` is given */
};

enum tny_status tny_lab_visit(const struct tny_lab *lab, struct tny_lab_visit *visit,
                              struct tny_lab_end *end, struct tny_error *error) TNY_MUST_CHECK;

/* Ends the calling process, which may be a child of the guest, with an error for the caller. */
_Noreturn void tny_lab_guest_fail(const struct tny_lab_guest *guest, const struct tny_error *error);
/* Forks a child that dies with the guest; as fork. Fails as above. */
pid_t tny_lab_guest_fork(const struct tny_lab_guest *guest);
/* Waits for such a child; its exit code. Fails as above. */
int tny_lab_guest_wait(const struct tny_lab_guest *guest, const struct tny_lab_watch *watch);
/* Enters a node's network and host name. */
enum tny_status tny_lab_node_enter(const char *directory, const char *node,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Becomes the program, with the environment that marks the inside of a lab. */
_Noreturn void tny_lab_guest_become(const struct tny_lab_guest *guest, char *const *argv);

#endif
