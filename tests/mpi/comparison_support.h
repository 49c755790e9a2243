/* What the programs share that compare calls of blocks of unlike sizes with what they must give
   (uneven.c, neighbours.c): memory and numbers, datatypes, and the counts of what was compared.
   Included once by each. */
#ifndef TOURNEY_TESTS_COMPARISON_SUPPORT_H
#define TOURNEY_TESTS_COMPARISON_SUPPORT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

enum { ELEMENT_ROOM = 16 }; /* bytes from one element to the next, at the most */

static int world_rank;
static enum { EXPECT_PLANNED, EXPECT_NATIVE, EXPECT_ANY } expected;
static long checks, failures, planned_calls;

static void *take(size_t bytes)
{
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 9);
  return memory;
}

static uint32_t scramble(uint32_t a, uint32_t b, uint32_t c)
{
  uint32_t value = (a * 73856093U) ^ (b * 19349663U) ^ (c * 83492791U);
  value = (value ^ value >> 15) * 2246822519U;
  return value ^ value >> 13;
}

static void fill(unsigned char *bytes, size_t length, uint32_t state)
{
  for (size_t i = 0; i < length; i++) {
    state = state * 1664525U + 1013904223U;
    bytes[i] = (unsigned char)(state >> 24);
  }
}

/* Datatypes, all of four bytes an element, so that any describes what any other sends. */
enum { KIND_INT, KIND_GAPPED, KIND_BYTES, KIND_PAIR, KINDS };
static MPI_Datatype kinds[KINDS];

/* The kind of a block; of -1, one for each. */
static MPI_Datatype kind_of(int kind, int block)
{
  return kinds[kind < 0 ? block % KINDS : kind];
}

static void make_kinds(void)
{
  MPI_Datatype vector;
  kinds[KIND_INT] = MPI_INT;
  MPI_Type_vector(2, 1, 3, MPI_SHORT, &vector);
  MPI_Type_create_resized(vector, 0, 12, &kinds[KIND_GAPPED]);
  MPI_Type_contiguous(4, MPI_BYTE, &kinds[KIND_BYTES]);
  MPI_Type_create_indexed_block(2, 1, (int[]){1, 0}, MPI_SHORT, &kinds[KIND_PAIR]);
  MPI_Type_free(&vector);
  for (int i = 1; i < KINDS; i++)
    MPI_Type_commit(&kinds[i]);
}

/* Begins by the arguments planned|native|any [ROUNDS]; returns the rounds. */
static int begin_comparison(int argc, char **argv)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  expected = argc > 1 && !strcmp(argv[1], "native") ? EXPECT_NATIVE
             : argc > 1 && !strcmp(argv[1], "any")  ? EXPECT_ANY
                                                    : EXPECT_PLANNED;
  make_kinds();
  return argc > 2 ? atoi(argv[2]) : 1;
}

/* Counts a call. `fault`: what is wrong with what it gave, or NULL. Returns the fault; that is also
   that the call was planned or native, where the other was wanted. */
static const char *judge(const char *fault, bool is_wanted)
{
  const bool is_planned =
      strcmp(tourney_last_algorithm ? tourney_last_algorithm() : "native", "native") != 0;
  const bool wants_plan = expected == EXPECT_PLANNED && is_wanted;
  checks++;
  planned_calls += is_planned;
  if (!fault && expected != EXPECT_ANY && is_planned != wants_plan)
    fault = is_planned ? "planned" : "native";
  failures += fault != NULL;
  return fault;
}

/* Says what all ranks counted; returns whether something failed. */
static bool end_comparison(void)
{
  long sums[3] = {checks, failures, planned_calls};
  for (int i = 1; i < KINDS; i++)
    MPI_Type_free(&kinds[i]);
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf("%ld calls compared, %ld failed, %ld planned\n", sums[0], sums[1], sums[2]);
  return sums[1] != 0;
}

#endif
