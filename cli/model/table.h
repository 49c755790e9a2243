/* What `tourney model` knows of the papers: their parameters, what their formulas say, and what is
   simulated or counted next to it. */
#ifndef TOURNEY_MODEL_TABLE_H
#define TOURNEY_MODEL_TABLE_H

#include "cli/shared/options.h"
#include "core/units.h"
#include "reproduce/shared/experiment.h"

/* Every paper's, each an option. */
enum model_parameter {
  MODEL_NODES,
  MODEL_OTHERS,
  MODEL_SIDE,
  MODEL_DIMENSIONS,
  MODEL_FLITS,
  MODEL_FLIT,
  MODEL_BYTES,
  MODEL_MESSAGE,
  MODEL_PACKET,
  MODEL_FAN_OUT,
  MODEL_OVERHEAD,
  MODEL_STARTUP,
  MODEL_RATE,
  MODEL_SEND,
  MODEL_RECEIVE,
  MODEL_USER,
  MODEL_GAP,
  MODEL_LATENCY,
  MODEL_PARAMETER_COUNT,
};
enum model_kind { MODEL_COUNT, MODEL_TIME, MODEL_SIZE, MODEL_BANDWIDTH }; /* 1, ns, bytes, bit/s */
/* By parameter: the option's name, and what its values are. */
struct model_option {
  const char *name;
  enum model_kind kind;
};
extern const struct model_option model_options[MODEL_PARAMETER_COUNT];

/* A parameter as a paper has it. */
struct model_field {
  enum model_parameter parameter;
  const char *symbol; /* the paper's own: "P" */
  const char *what;
  uint64_t standard, least, most;
};
/* By parameter; those that the paper doesn't have are 0. */
struct model_values {
  uint64_t of[MODEL_PARAMETER_COUNT];
};

enum model_trial_kind {
  MODEL_NO_TRIAL,
  MODEL_SIMULATED_TIME,
  MODEL_COUNTED_PHASES,
  MODEL_COUNTED_CROSSINGS,       /* messages from zone to zone */
  MODEL_COUNTED_CROSSING_PHASES, /* phases with such messages */
  MODEL_RATE_OF_ROW,             /* as much more as the time of an earlier row is less */
};
/* How a number of ours is made, to be shown beside a formula's. */
struct model_trial {
  enum model_trial_kind kind;
  char cluster[80]; /* a generator */
  enum tny_collective collective;
  char algorithm[TNY_ALGORITHM_CHOICE_CHARS];
  uint32_t chunk_count;             /* 0: 1 */
  struct tny_experiment experiment; /* of MODEL_SIMULATED_TIME */
  uint32_t row;                     /* of MODEL_RATE_OF_ROW */
};

/* One formula. */
struct model_row {
  const char *name, *formula;
  const char *source; /* where the paper has it: "Eq. 3" */
  const char *unit;   /* "us", "GB/s", "" */
  double predicted;
  struct model_trial trial;
  double ours;      /* NAN: nothing was simulated or counted */
  char refused[96]; /* why not, or "" */
};
enum { MODEL_ROWS_MAX = 16 };
struct model_table {
  struct model_row rows[MODEL_ROWS_MAX];
  uint32_t row_count;
  char verdict[160]; /* what the formulas say in words, or "" */
  bool is_tried;     /* there are numbers of ours, where there can be */
};

struct model_paper {
  const char *key; /* in docs/papers.bib */
  const char *title;
  const struct model_field *fields; /* up to one without `what` */
  /* Makes the rows; replaces values that mean "the default" (0) by what that is. */
  void (*fill)(struct model_values *values, struct model_table *table);
};
/* Ends with NULL. */
extern const struct model_paper *const model_papers[];
/* The paper's field of a parameter, or NULL. */
const struct model_field *model_field_find(const struct model_paper *paper,
                                           enum model_parameter parameter);

/* Does all rows' trials. What an algorithm refuses is no error: the row says why. */
enum tny_status model_try(const struct model_paper *paper, struct model_table *table,
                          struct tny_error *error) TNY_MUST_CHECK;

/* A paper with its values and its table. */
struct model_answer {
  const struct model_paper *paper;
  struct model_values values;
  struct model_table table;
};
/* A parameter's value as people write it: "16ns". */
struct tny_quantity model_value_words(const struct model_field *field, uint64_t value);
/* Owns: *shown by tny_text_free. */
enum tny_status model_write(const struct model_answer *answers, uint32_t count,
                            enum cli_format format, char **shown,
                            struct tny_error *error) TNY_MUST_CHECK;

#endif
