/* What can fail, and how it says so. Every fallible function returns enum tny_status and takes,
   last, a struct tny_error * (caller-owned, NULL allowed). The library never prints, exits or
   touches errno. */
#ifndef TOURNEY_STATUS_H
#define TOURNEY_STATUS_H

enum tny_status {
  TNY_OK = 0,
  TNY_NO_MEMORY,   /* an allocation failed */
  TNY_BAD_INPUT,   /* a file, a name or a number that can't be understood */
  TNY_REFUSED,     /* understood, but this can't serve it; the text says why */
  TNY_BROKEN,      /* a schedule was proved wrong; the text is the counterexample */
  TNY_SYSTEM,      /* the operating system said no */
  TNY_INTERRUPTED, /* the caller ended it */
};

#define TNY_MUST_CHECK __attribute__((warn_unused_result))
#define TNY_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* The first error wins: a function that finds `status` already set leaves the error as it is. */
struct tny_error {
  enum tny_status status;
  unsigned line;   /* 1-based, 0: none */
  unsigned column; /* 1-based, 0: none */
  char file[256];  /* "" : none */
  char text[512];  /* what is wrong and what to do next, without a full stop at the end */
};

/* Frees a text that a function of this library handed over. */
void tny_text_free(char *text);

#endif
