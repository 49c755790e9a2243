/* The plan of an algorithm that goes level by level: made, released. */
#include "collectives/shared/hierarchical.h"

#include "core/alloc.h"
#include "core/error.h"

enum tny_status tny_hierarchical_prepare(const struct tny_problem *problem, size_t plan_bytes,
                                         tny_hierarchical_fill *fill, void **prepared,
                                         struct tny_error *error)
{
  struct tny_hierarchical *plan = tny_new(1, plan_bytes);
  if (!plan)
    return tny_error_memory(error);
  enum tny_status status = tny_representatives_init(problem, &plan->representatives, error);
  if (status == TNY_OK)
    status = fill(problem, plan, error);
  if (status == TNY_OK)
    *prepared = plan;
  else
    tny_hierarchical_release(plan);
  return status;
}

void tny_hierarchical_release(void *prepared)
{
  struct tny_hierarchical *plan = prepared;
  tny_representatives_release(&plan->representatives);
  tny_free(plan);
}

struct tny_claim tny_hierarchical_claim(const struct tny_problem *problem)
{
  const struct tny_hierarchical *plan = problem->prepared;
  return plan->claim;
}
