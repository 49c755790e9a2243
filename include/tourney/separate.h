/* The pass that keeps phases apart, so that the messages of one phase don't meet those of another
   on a link. Three ways, for any phased schedule, cut in chunks or not. */
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

/* What was found, for TNY_SEPARATE_TOKENS: conflicts = redundant + waits + tokens. */
struct tny_separation_report {
  uint64_t conflicts; /* pairs of messages, of neighbouring phases among those that use some link */
  uint64_t redundant; /* whose order other waits, messages and tokens see to */
  uint64_t waits;     /* kept apart by a wait within a rank */
  uint64_t tokens;    /* kept apart by a token; for TNY_SEPARATE_BARRIER: the barriers' tokens */
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

#endif
