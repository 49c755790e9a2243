/* The passes that put tokens between the messages of a phased schedule, cut in chunks or not: one
   keeps phases apart, so that the messages of one don't meet those of another on a link; one keeps
   every link to a window, so that no more messages are under way over it than its buffer holds. */
#ifndef TOURNEY_SEPARATE_H
#define TOURNEY_SEPARATE_H

#include <tourney/schedule.h>

enum tny_separation {
  TNY_SEPARATE_NONE,
  /* Between two phases all ranks wait for each other: a dissemination barrier of ceil(log2 p)
     tokens a rank. Sends of a later phase wait for it; receives may be posted ahead. */
  TNY_SEPARATE_BARRIER,
  /* Only messages that share a link wait for each other: the receiver of the earlier one sends a
     token to the sender of the later one. The synchronizing switch (Hinrichs and others 1994, 2.2)
     in software. Two messages of one sender that go the same way up to the link need no token: the
     later one waits until the earlier one's send is complete, and then follows it through the same
     port. What other waits, messages and tokens see to needs no token of its own (Faraj and Yuan).
     */
  TNY_SEPARATE_TOKENS
};

/* What was found, for TNY_SEPARATE_TOKENS and windows: conflicts = redundant + waits + tokens. */
struct tny_separation_report {
  uint64_t
      conflicts; /* pairs of messages: of neighbouring phases among those that use some link; or
                         that follow each other in its chains, and what else tokens tell of */
  uint64_t redundant; /* whose order other waits, messages and tokens see to */
  uint64_t waits;     /* kept apart by a wait within a rank */
  uint64_t tokens;    /* kept apart by a token; for TNY_SEPARATE_BARRIER: the barriers' tokens */
  uint32_t open; /* of windows: links that carry more than theirs in a phase, and aren't limited */
};

/* `network` may be NULL unless `how` is TNY_SEPARATE_TOKENS; so may `report`. The schedule that
   comes out is free of deadlock where `in` is, for any window. Owns: *out is the caller's.
   Errors: TNY_REFUSED where a message has no phase, where a rank's sends or receives aren't listed
   phase by phase or wait for later phases, and where there are tokens already (from pacing by
   credits). Cost: about the pairs of messages, times what lies between their phases. */
enum tny_status tny_pass_separate(const struct tny_schedule *in, const struct tny_network *network,
                                  enum tny_separation how, struct tny_schedule **out,
                                  struct tny_separation_report *report,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* Windows, link by link: the most messages that may be under way over it at once. */
struct tny_windows {
  const struct tny_network *network;
  const uint32_t *messages; /* by link; 0: any number */
  /* May a send wait for what its own rank received half a window before? Where ranks have no other
     clock that saves tokens, for then messages tell of what came before. */
  bool may_wait;
};

/* Does every link keep to its window anyway? Fills is_kept by link: true where clocks show that its
   messages fall into as many chains, of which each is received before the next is sent. What clocks
   don't show may still be so: enough, not necessary; the exact count is tny_verify_in_flight. There
   may be tokens; the schedule must be free of deadlock. Errors: as above. Cost: messages times
   ranks and windows. */
enum tny_status tny_windows_check(const struct tny_schedule *schedule,
                                  const struct tny_windows *windows, bool *is_kept,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Lets no link have more messages under way, sent and not yet received, than its window, in any
   interleaving: its messages fall into as many chains, and each waits until the one before it in
   its chain is received. Where the ranks aren't the same, a token says so, unless something else
   does. A link that carries more than its window in one phase stays as it is. Owns, errors: as
   above. Cost: messages times ranks. */
enum tny_status tny_pass_limit_links(const struct tny_schedule *in,
                                     const struct tny_windows *windows, struct tny_schedule **out,
                                     struct tny_separation_report *report,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
