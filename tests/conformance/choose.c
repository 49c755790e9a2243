/* Chooses combinations out of the table, by a seed: for every algorithm, collective and kind of
   datatype, counts, place, root or setting one in which it serves; for every two values that go
   together one in which they do; and others drawn at random. Prints a line each, by settings; then
   on stderr how many pairs of values occur.
   usage: choose SEED COUNT openmpi|mpich c|fortran SERVING SETTING...
   (SERVING: a file with a line "SETTING ALGORITHM" for each algorithm that can be planned there;
   COUNT: of lines; where the pairs take more than that, they are cut short; fortran: no neighbours,
   no persistent forms, which Fortran's bindings of MPI 3 haven't, and no large counts, which only
   its mpi_f08 has; nor has Open MPI 4 any) */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axes.h"

enum {
  VALUES_MAX = 128,
  TRIES = 3000, /* before two values are said not to go together */
  LINE_BYTES = 512,
  KEYS = 1 << 20
};

static const char *settings[VALUES_MAX], *algorithms[VALUES_MAX];
static struct axis table[AXES];
static bool serves[VALUES_MAX][VALUES_MAX]; /* by setting and algorithm */
static bool is_covered[AXES][AXES][VALUES_MAX][VALUES_MAX];
static uint64_t keys[KEYS];
static uint32_t random_state;
static bool is_fortran, is_mpich;

struct list {
  struct combination *items;
  size_t count, room;
};

static void die(const char *what)
{
  fprintf(stderr, "choose: %s\n", what);
  exit(2);
}

static size_t draw(size_t limit)
{
  random_state = random_state * 1664525U + 1013904223U;
  return (size_t)(((uint64_t)random_state * limit) >> 32);
}

static size_t world_ranks(size_t setting)
{
  return strtoul(settings[setting], NULL, 10);
}

/* The collective that an algorithm is for, or NULL. */
static const char *family(size_t algorithm)
{
  static char names[VALUES_MAX][32];
  const char *end = strchr(algorithms[algorithm], '=');
  if (!end)
    return NULL;
  snprintf(names[algorithm], sizeof names[algorithm], "%.*s", (int)(end - algorithms[algorithm]),
           algorithms[algorithm]);
  return names[algorithm];
}

/* Of elements of no bytes Open MPI 4.1.4's nonblocking reduce-scatters of like blocks return an
   error; where an element begins before its address, its ring for long all-reduces crashes, and so
   do nonblocking reduces. */
static bool reduces_wrong_in_openmpi(const struct combination *combination)
{
  const size_t *value = combination->value;
  const enum collective collective = (enum collective)value[AXIS_COLLECTIVE];
  const enum form form = (enum form)value[AXIS_FORM];
  if (collective == REDUCE_SCATTER_BLOCK)
    return value[AXIS_KIND] == KIND_ZERO && form != BLOCKING;
  if (value[AXIS_KIND] != KIND_RESIZED)
    return false;
  if (collective == REDUCE)
    return form != BLOCKING && value[AXIS_PATTERN] != NONE;
  return collective == ALLREDUCE && form == BLOCKING && value[AXIS_PATTERN] == THOUSANDS;
}

/* Where ranks describe one signature by different types, Open MPI 4.1.4 chooses an all-gather-v's
   algorithm by each rank's own, so that ranks wait for ever; and between two groups it sends a
   scatter-v's counts to ranks that take them for counts of their own type, and a gather-v's. From
   Fortran, a nonblocking all-to-all-w may crash: its array of C's types is gone when the request is
   complete. */
static bool fails_in_openmpi(const struct combination *combination)
{
  const size_t *value = combination->value;
  const enum collective collective = (enum collective)value[AXIS_COLLECTIVE];
  const enum form form = (enum form)value[AXIS_FORM];
  const bool is_gathered = collective == GATHERV || collective == SCATTERV;
  if ((is_fortran && collective == ALLTOALLW && form == NONBLOCKING) ||
      reduces_wrong_in_openmpi(combination))
    return true;
  return form == BLOCKING && value[AXIS_KIND] == KIND_MIXED &&
         (collective == ALLGATHERV || (is_gathered && value[AXIS_COMM] == COMM_INTER));
}

/* What MPICH 4.0.2 answers to erroneous calls depends on when ranks arrive, and on who relays: of a
   gather only the root finds a type that isn't committed, and others' messages wait for it; what is
   too long for the first rank of a host, it passes on to its host's root as an error. */
static bool errs_differently_in_mpich(const struct combination *combination)
{
  const size_t *value = combination->value;
  const enum collective collective = (enum collective)value[AXIS_COLLECTIVE];
  const enum fault fault = (enum fault)value[AXIS_FAULT];
  return (collective == GATHERV && fault == UNCOMMITTED_TYPE) ||
         (collective == BCAST && fault == TRUNCATED && value[AXIS_ROOT] != ROOT_FIRST);
}

/* MPICH 4.0.2 truncates long messages of a type with gaps between unlike items, or brings wrong
   data, where it packs them: in all-to-alls in place (as in MPI_Sendrecv_replace), in an all-gather
   between two groups, and in the nonblocking all-to-all by Bruck's algorithm, which many ranks get
   for short blocks. */
static bool is_packed_wrong_by_mpich(const struct combination *combination)
{
  const size_t *value = combination->value;
  const enum collective collective = (enum collective)value[AXIS_COLLECTIVE];
  const bool is_long = value[AXIS_PATTERN] == THOUSANDS || value[AXIS_PATTERN] == LONG_ROW;
  if (value[AXIS_KIND] != KIND_STRUCT && value[AXIS_KIND] != KIND_DOUBLE_PAIR)
    return false;
  if (collective == ALLGATHER && value[AXIS_COMM] == COMM_INTER)
    return is_long || value[AXIS_PATTERN] == PRIME;
  if (collective == ALLTOALL && value[AXIS_FORM] == NONBLOCKING && value[AXIS_PATTERN] == PRIME &&
      ranks_of(value[AXIS_RANKS]) > 8)
    return true;
  return is_long && value[AXIS_PLACE] == IN_PLACE &&
         strcmp(family_of(collective), "alltoall") == 0 &&
         (value[AXIS_FORM] != NONBLOCKING || collective == ALLTOALL);
}

/* Do elements of this kind have gaps in them, or behind them? */
static bool has_gaps(enum kind kind)
{
  return kind == KIND_VECTOR || kind == KIND_RESIZED || kind == KIND_STRUCT ||
         kind == KIND_INDEXED || kind == KIND_DOUBLE_PAIR;
}

/* MPICH 4.0.2 doesn't look at a reduction's count: it crashes by a negative one, or spoils memory.
   A long reduce in place crashes at another root than the first, and a reduce-scatter whose
   operation doesn't commute, of elements with gaps. */
static bool reduces_wrong_in_mpich(const struct combination *combination)
{
  const size_t *value = combination->value;
  const enum collective collective = (enum collective)value[AXIS_COLLECTIVE];
  const bool is_long = value[AXIS_PATTERN] == PRIME || value[AXIS_PATTERN] == THOUSANDS;
  if (!reduces(collective))
    return false;
  if (value[AXIS_FAULT] == NEGATIVE_COUNT)
    return true;
  if (collective == REDUCE)
    return value[AXIS_PLACE] == IN_PLACE && value[AXIS_ROOT] != ROOT_FIRST && is_long;
  return collective != ALLREDUCE && value[AXIS_OPERATION] == OWN_ORDERED &&
         has_gaps((enum kind)value[AXIS_KIND]);
}

/* MPICH 4.0.2's mpi_f08 takes as many types of an all-to-all-w as the rank's own group has ranks:
   between two groups of different sizes there are too few. */
static bool is_short_of_types_in_mpich(const struct combination *combination)
{
  const size_t *value = combination->value;
  return is_fortran && value[AXIS_COLLECTIVE] == ALLTOALLW && value[AXIS_COMM] == COMM_INTER &&
         ranks_of(value[AXIS_RANKS]) % 2 == 1;
}

/* MPICH 4.0.2's persistent requests give other data, or crash, when they are started a second time;
   its nonblocking broadcasts between two groups give wrong data or crash, by chance; and where
   ranks describe one signature by different types, it truncates long all-gather-vs, and nonblocking
   all-to-all-ws in place. */
static bool fails_in_mpich(const struct combination *combination)
{
  const size_t *value = combination->value;
  const enum collective collective = (enum collective)value[AXIS_COLLECTIVE];
  const bool is_nonblocking = value[AXIS_FORM] == NONBLOCKING;
  if (value[AXIS_FORM] == PERSISTENT || reduces_wrong_in_mpich(combination))
    return true;
  if (value[AXIS_KIND] == KIND_MIXED && collective == ALLGATHERV)
    return value[AXIS_PATTERN] == THOUSANDS;
  if (value[AXIS_KIND] == KIND_MIXED && collective == ALLTOALLW)
    return is_nonblocking && value[AXIS_PLACE] == IN_PLACE;
  return is_packed_wrong_by_mpich(combination) || errs_differently_in_mpich(combination) ||
         is_short_of_types_in_mpich(combination) ||
         (collective == BCAST && is_nonblocking && value[AXIS_COMM] == COMM_INTER);
}

/* Does the MPI itself fail, without the runtime? Then there is nothing to compare with. */
static bool fails_natively(const struct combination *combination)
{
  return is_mpich ? fails_in_mpich(combination) : fails_in_openmpi(combination);
}

/* What plans by sizes serves calls that have them alone, and so no others are made by it. */
static bool has_what_it_plans_by(const struct combination *combination)
{
  const enum collective collective = (enum collective)combination->value[AXIS_COLLECTIVE];
  const char *name = algorithms[combination->value[AXIS_ALGORITHM]];
  return !strstr(name, "open-shop") || collective == ALLTOALLV || collective == ALLTOALLW ||
         has_neighbours(collective);
}

static bool is_allowed(const struct combination *combination)
{
  const size_t setting = combination->value[AXIS_SETTING];
  const size_t algorithm = combination->value[AXIS_ALGORITHM];
  return (algorithm < ALGORITHMS_OTHER || serves[setting][algorithm]) &&
         has_what_it_plans_by(combination) &&
         go_together(combination, world_ranks(setting), family(algorithm)) &&
         !fails_natively(combination);
}

/* --- drawing --- */

/* An operation for what reduces, and elements that it is for. */
static void settle_operation(struct combination *drawn, const bool *is_fixed)
{
  size_t *value = drawn->value;
  const bool combines = reduces((enum collective)value[AXIS_COLLECTIVE]);
  if (!is_fixed[AXIS_COLLECTIVE] && combines != (value[AXIS_OPERATION] != OPERATION_NONE)) {
    const size_t reductions = NEIGHBOR_ALLGATHER - REDUCE;
    value[AXIS_COLLECTIVE] = value[AXIS_OPERATION] != OPERATION_NONE
                                 ? REDUCE + draw(reductions)
                                 : draw(table[AXIS_COLLECTIVE].count - reductions);
    if (value[AXIS_OPERATION] == OPERATION_NONE && value[AXIS_COLLECTIVE] >= REDUCE)
      value[AXIS_COLLECTIVE] += reductions;
  } else if (!is_fixed[AXIS_OPERATION]) {
    value[AXIS_OPERATION] = combines ? 1 + draw(table[AXIS_OPERATION].count - 1) : OPERATION_NONE;
  }
  if (combines && value[AXIS_FAULT] != FAULT_NONE && !is_fixed[AXIS_OPERATION])
    value[AXIS_OPERATION] = SUM;
  for (int i = 0; i < 16 && !is_fixed[AXIS_KIND] &&
                  !is_for((enum operation)value[AXIS_OPERATION], (enum kind)value[AXIS_KIND]);
       i++)
    value[AXIS_KIND] = draw(table[AXIS_KIND].count);
}

static const enum comm topologies[] = {COMM_CARTESIAN, COMM_GRAPH, COMM_DIST_GRAPH};

/* Brings what was drawn nearer to what goes together; two axes are fixed. */
static void settle(struct combination *drawn, const bool *is_fixed)
{
  size_t *value = drawn->value;
  const bool errs = value[AXIS_FAULT] != FAULT_NONE;
  if (errs && !is_fixed[AXIS_FORM] && value[AXIS_FORM] != LARGE)
    value[AXIS_FORM] = BLOCKING;
  if (errs && !is_fixed[AXIS_KIND])
    value[AXIS_KIND] = draw(2) ? KIND_INT : KIND_VECTOR;
  if (errs && !is_fixed[AXIS_PATTERN])
    value[AXIS_PATTERN] = draw(2) ? FEW : THOUSANDS;
  settle_operation(drawn, is_fixed);
  const bool is_local = has_neighbours((enum collective)value[AXIS_COLLECTIVE]);
  if (is_local && !is_fixed[AXIS_COMM])
    value[AXIS_COMM] = topologies[draw(sizeof topologies / sizeof *topologies)];
  if (!is_fixed[AXIS_PLACE] && (errs || is_local || value[AXIS_COLLECTIVE] == BCAST))
    value[AXIS_PLACE] = APART;
  if (!is_fixed[AXIS_ROOT] && !has_root((enum collective)value[AXIS_COLLECTIVE]))
    value[AXIS_ROOT] = ROOT_FIRST;
  while (!is_fixed[AXIS_RANKS] && ranks_of(value[AXIS_RANKS]) > world_ranks(value[AXIS_SETTING]))
    value[AXIS_RANKS]--;
  while (!is_fixed[AXIS_RANKS] && is_whole((enum comm)value[AXIS_COMM]) &&
         ranks_of(value[AXIS_RANKS]) < world_ranks(value[AXIS_SETTING]))
    value[AXIS_RANKS]++;
  for (int i = 0; i < 16 && !is_fixed[AXIS_ALGORITHM] && !is_allowed(drawn); i++)
    value[AXIS_ALGORITHM] = draw(table[AXIS_ALGORITHM].count);
}

/* What plans serve today is drawn more often than the rest. */
static void favour(struct combination *drawn, const bool *is_fixed)
{
  static const enum collective favoured[] = {BCAST,  ALLGATHER, ALLTOALL,
                                             REDUCE, ALLREDUCE, REDUCE_SCATTER_BLOCK};
  size_t *value = drawn->value;
  if (!is_fixed[AXIS_FAULT] && draw(10) > 0)
    value[AXIS_FAULT] = FAULT_NONE;
  if (!is_fixed[AXIS_FORM] && draw(2))
    value[AXIS_FORM] = BLOCKING;
  if (!is_fixed[AXIS_COLLECTIVE] && draw(2))
    value[AXIS_COLLECTIVE] = favoured[draw(sizeof favoured / sizeof *favoured)];
}

/* Draws a combination, some of whose axes are fixed; false: none was found in so many tries. */
static bool find(struct combination *found, const bool *is_fixed, int tries)
{
  for (int try = 0; try < tries; try++) {
    for (int axis = 0; axis < AXES; axis++)
      if (!is_fixed[axis])
        found->value[axis] = draw(table[axis].count);
    favour(found, is_fixed);
    settle(found, is_fixed);
    if (is_allowed(found))
      return true;
  }
  return false;
}

/* --- the list --- */

/* Notes a combination; false: it was there before. */
static bool is_new(const struct combination *combination)
{
  uint64_t key = 1;
  for (int axis = 0; axis < AXES; axis++)
    key = key * (table[axis].count + 1) + combination->value[axis];
  size_t at = (size_t)(key * 0x9e3779b97f4a7c15U >> 44);
  while (keys[at] && keys[at] != key)
    at = (at + 1) % KEYS;
  if (keys[at])
    return false;
  keys[at] = key;
  return true;
}

static void add(struct list *list, const struct combination *combination)
{
  if (!is_new(combination))
    return;
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 1024;
    list->items = realloc(list->items, list->room * sizeof *list->items);
    if (!list->items || list->room > KEYS / 2)
      die("no memory");
  }
  list->items[list->count++] = *combination;
  for (int a = 0; a < AXES; a++)
    for (int b = 0; b < AXES; b++)
      is_covered[a][b][combination->value[a]][combination->value[b]] = true;
}

/* Has every two values of two axes occur, where they go together. */
static void cover(struct list *list, int a, int b, size_t *apart)
{
  bool is_fixed[AXES] = {false};
  is_fixed[a] = is_fixed[b] = true;
  for (size_t i = 0; i < table[a].count; i++)
    for (size_t j = 0; j < table[b].count; j++) {
      struct combination drawn = {.value = {0}};
      if (is_covered[a][b][i][j])
        continue;
      drawn.value[a] = i;
      drawn.value[b] = j;
      if (find(&drawn, is_fixed, TRIES))
        add(list, &drawn);
      else
        ++*apart;
    }
}

/* Has an algorithm serve the values of an axis in a collective: on a communicator of all ranks, for
   which it can be planned in that setting, or among neighbours. */
static void cover_served(struct list *list, size_t algorithm, size_t collective, int axis)
{
  static const enum form forms[] = {BLOCKING, NONBLOCKING};
  static const enum comm whole[] = {COMM_WORLD, COMM_DUP, COMM_IDUP};
  bool is_fixed[AXES] = {false};
  is_fixed[axis] = is_fixed[AXIS_ALGORITHM] = is_fixed[AXIS_FORM] = true;
  is_fixed[AXIS_FAULT] = is_fixed[AXIS_COMM] = is_fixed[AXIS_COLLECTIVE] = true;
  for (size_t value = 0; value < table[axis].count; value++) {
    struct combination drawn = {.value = {0}};
    const bool is_local = has_neighbours((enum collective)collective);
    drawn.value[AXIS_FORM] = forms[is_mpich || is_local ? 0 : draw(2)];
    drawn.value[AXIS_FAULT] = FAULT_NONE;
    drawn.value[AXIS_COMM] = is_local ? topologies[draw(sizeof topologies / sizeof *topologies)]
                                      : whole[draw(sizeof whole / sizeof *whole)];
    drawn.value[AXIS_ALGORITHM] = algorithm;
    drawn.value[AXIS_COLLECTIVE] = collective;
    drawn.value[axis] = value;
    if (find(&drawn, is_fixed, TRIES))
      add(list, &drawn);
  }
}

/* May the algorithm serve the collective? Neighbours are served by those that plan just a pattern's
   blocks. */
static bool may_serve(size_t algorithm, enum collective collective)
{
  return strcmp(family_of(collective), family(algorithm)) == 0 &&
         (!has_neighbours(collective) || strstr(algorithms[algorithm], "=planned-phases") ||
          strstr(algorithms[algorithm], "=open-shop"));
}

static void cover_all_served(struct list *list)
{
  static const int served[] = {AXIS_KIND, AXIS_PATTERN, AXIS_PLACE, AXIS_ROOT, AXIS_SETTING};
  for (size_t algorithm = ALGORITHMS_OTHER; algorithm < table[AXIS_ALGORITHM].count; algorithm++)
    for (size_t collective = 0; collective < table[AXIS_COLLECTIVE].count; collective++)
      for (size_t i = 0; i < sizeof served / sizeof *served; i++)
        if (may_serve(algorithm, (enum collective)collective))
          cover_served(list, algorithm, collective, served[i]);
}

static size_t count_pairs(void)
{
  size_t pairs = 0;
  for (int a = 0; a < AXES; a++)
    for (int b = a + 1; b < AXES; b++)
      for (size_t i = 0; i < table[a].count; i++)
        for (size_t j = 0; j < table[b].count; j++)
          pairs += is_covered[a][b][i][j];
  return pairs;
}

/* All pairs, then what is drawn, up to `count`; in random order. */
static void fill(struct list *list, size_t count)
{
  static const bool is_fixed[AXES];
  size_t apart = 0;
  cover_all_served(list);
  for (int a = 0; a < AXES; a++)
    for (int b = a + 1; b < AXES; b++)
      cover(list, a, b, &apart);
  fprintf(stderr, "%zu pairs of values occur in %zu combinations, %zu don't go together\n",
          count_pairs(), list->count, apart);
  for (size_t misses = 0; list->count < count && misses < 1000;) {
    struct combination drawn = {.value = {0}};
    const size_t before = list->count;
    if (find(&drawn, is_fixed, TRIES))
      add(list, &drawn);
    misses = list->count > before ? 0 : misses + 1;
  }
  for (size_t i = list->count; i > 1; i--) {
    const size_t other = draw(i);
    const struct combination item = list->items[i - 1];
    list->items[i - 1] = list->items[other];
    list->items[other] = item;
  }
  if (list->count > count)
    list->count = count;
}

static void print(const struct combination *combination)
{
  for (int axis = 0; axis < AXES; axis++)
    printf("%s%s", axis ? " " : "", table[axis].values[combination->value[axis]]);
  printf("\n");
}

/* --- what there is --- */

static size_t value_of(const char **values, struct axis *axis, const char *word)
{
  const size_t at = axis_find(axis, word);
  if (at < axis->count)
    return at;
  if (at == VALUES_MAX)
    die("too many values");
  values[axis->count++] = strdup(word);
  return at;
}

static void read_serving(const char *path)
{
  FILE *file = fopen(path, "r");
  char line[LINE_BYTES], setting[LINE_BYTES], algorithm[LINE_BYTES];
  if (!file)
    die("can't read what serves where");
  value_of(algorithms, &table[AXIS_ALGORITHM], "native");
  value_of(algorithms, &table[AXIS_ALGORITHM], "chosen");
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%511s %511s", setting, algorithm) != 2)
      die("a line isn't SETTING ALGORITHM");
    const size_t at = axis_find(&table[AXIS_SETTING], setting);
    if (at < table[AXIS_SETTING].count)
      serves[at][value_of(algorithms, &table[AXIS_ALGORITHM], algorithm)] = true;
  }
  fclose(file);
}

int main(int argc, char **argv)
{
  struct list list = {0};
  if (argc < 7)
    die("usage: choose SEED COUNT openmpi|mpich c|fortran SERVING SETTING...");
  random_state = (uint32_t)strtoul(argv[1], NULL, 10);
  memcpy(table, axes, sizeof table);
  table[AXIS_SETTING].values = settings;
  table[AXIS_ALGORITHM].values = algorithms;
  is_mpich = strcmp(argv[3], "mpich") == 0;
  is_fortran = strcmp(argv[4], "fortran") == 0;
  if (is_fortran) {
    table[AXIS_FORM].count = PERSISTENT;
    table[AXIS_COLLECTIVE].count = NEIGHBOR_ALLGATHER;
  }
  if (!is_fortran && !is_mpich)
    table[AXIS_FORM].count = LARGE;
  for (int i = 6; i < argc; i++)
    value_of(settings, &table[AXIS_SETTING], argv[i]);
  read_serving(argv[5]);
  fill(&list, strtoul(argv[2], NULL, 10));
  for (size_t setting = 0; setting < table[AXIS_SETTING].count; setting++)
    for (size_t i = 0; i < list.count; i++)
      if (list.items[i].value[AXIS_SETTING] == setting)
        print(&list.items[i]);
  free(list.items);
  return 0;
}
