/* The passes that insert tokens between the messages of a phased schedule, cut in chunks or not.
   One separates phases, so that the messages of one don't meet those of another on a link. The
   other limits every link to a window, so that no more messages are in flight over it than its
   buffer takes. */
#ifndef TOURNEY_SEPARATE_H
#define TOURNEY_SEPARATE_H

#include <tourney/schedule.h>

enum tny_separation {
  TNY_SEPARATE_NONE,
  /* Between two phases all ranks wait for each other: a dissemination barrier of ceil(log2 p)
     tokens a rank. Sends of a later phase wait for it; receives may be posted before. */
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
  /* Pairs of messages on a link: of phases that follow each other among those that use the link, or
     neighbours in one of its chains; and the other pairs that tokens order. */
  uint64_t conflicts;
  uint64_t redundant; /* pairs that other waits, messages and tokens order already */
  uint64_t waits;     /* kept apart by a wait within a rank */
  uint64_t tokens;    /* kept apart by a token; for TNY_SEPARATE_BARRIER: the barriers' tokens */
  /* Links that carry more messages than their window in one phase: these aren't limited. */
  uint32_t open;
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

/* The window of each link: the most messages that may be in flight over it at once. */
struct tny_windows {
  const struct tny_network *network;
  const uint32_t *messages; /* by link; 0: any number */
  /* May a send wait for what its own rank received half a window before? Where nothing else paces
     ranks, that saves tokens, as messages then carry more recent vector clocks. */
  bool may_wait;
};

/* Does every link keep to its window anyway? Fills is_kept by link: true where vector clocks show
   that its messages fall into as many chains, of which each is received before the next is sent.
   That is sufficient, not necessary; the exact count is tny_verify_in_flight. There may be tokens;
   the schedule must be free of deadlock. Errors: as above. Cost: messages times ranks and windows.
   */
enum tny_status tny_windows_check(const struct tny_schedule *schedule,
                                  const struct tny_windows *windows, bool *is_kept,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Lets no link have more messages in flight than its window, in any interleaving: its messages fall
   into as many chains, and each waits until the one before it in its chain is received. Where the
   ranks aren't the same, a token orders them, unless something else does. A link that carries more
   than its window in one phase stays as it is. Owns, errors: as above. Cost: messages times ranks.
   */
enum tny_status tny_pass_limit_links(const struct tny_schedule *in,
                                     const struct tny_windows *windows, struct tny_schedule **out,
                                     struct tny_separation_report *report,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
