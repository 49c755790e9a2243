/* Shows what is known of a plan whose steps are too many to be planned for all ranks: the choice of
   the algorithm, one rank's steps, the claim and the bound. */
#include <inttypes.h>

#include "cli/shared/options.h"
#include "core/units.h"
#include "show.h"

/* One rank's steps, as it would plan them itself. */
static enum tny_status describe_rank(const struct plan *plan, struct tny_text *text,
                                     struct tny_error *error)
{
  const uint32_t rank = plan->problem.rank_count / 2;
  struct tny_steps steps;
  const enum tny_status status =
      tny_plan_rank(plan->algorithm, &plan->problem, plan->pace, rank, &steps, error);
  if (status != TNY_OK)
    return status;
  tny_text_add(text, "a rank        %" PRIu32 " steps for rank %" PRIu32 "\n", steps.count, rank);
  tny_steps_release(&steps);
  return TNY_OK;
}

static void describe_claim(const struct plan *plan, struct tny_text *text)
{
  const struct tny_problem whole = tny_plan_problem(plan->algorithm, &plan->problem, 1);
  const struct tny_claim claim = tny_algorithm_claim(plan->algorithm, &whole);
  tny_text_add(text, "claimed       ");
  if (claim.phases > 0)
    tny_text_add(text, "%" PRIu32 " phases uncut, ", claim.phases);
  tny_text_add(text, "%" PRIu64 " blocks sent by a rank, at most\n", claim.blocks_sent_max);
}

static enum tny_status describe_bound(const struct plan *plan, struct tny_text *text,
                                      struct tny_error *error)
{
  const struct tny_network *network = &plan->mapping.network;
  const struct plan_choice *choice = &plan->choice;
  struct tny_bound bound;
  const enum tny_status status = tny_bound_compute(
      network->routes, network->host_of_rank, plan->problem.rank_count, plan->problem.collective,
      plan->problem.root, plan->block_bytes, &bound, error);
  if (status != TNY_OK)
    return status;
  tny_text_add(text, "bound         %.3f ms: %s\n", 1e3 * bound.seconds, bound.text);
  if (choice->chosen < choice->compared && choice->ranked_bytes == plan->block_bytes &&
      bound.seconds > 0)
    tny_text_add(
        text, "estimated     %.1f %% more than the bound, with headers and latency\n",
        100 *
            ((double)choice->ranking.list[choice->chosen].prediction.ns / 1e9 / bound.seconds - 1));
  return TNY_OK;
}

enum tny_status plan_write_outline(const struct plan *plan, char **shown, struct tny_error *error)
{
  const struct plan_request *request = plan->request;
  const char *name = tny_collective_name(request->collective);
  struct tny_text text = {0};
  tny_text_add(&text, "%s on %s, %" PRIu32 " ranks, %s\n", name, request->cluster,
               plan->problem.rank_count, cli_map_name(request->map));
  plan_candidates_describe(plan, &text);
  plan_blocks_describe(plan, &text);
  enum tny_status status = describe_rank(plan, &text, error);
  describe_claim(plan, &text);
  if (status == TNY_OK)
    status = describe_bound(plan, &text, error);
  tny_text_add(&text,
               "not proved    data, progress and links: all ranks' steps are too many to look at; "
               "--chunks 1\n"
               "              does it all the same where it fits, and 'tourney verify --algorithm "
               "%s'\n              proves the algorithm for fewer ranks\n",
               plan->algorithm->name);
  if (status == TNY_OK)
    return tny_text_take(&text, shown, error);
  tny_text_release(&text);
  return status;
}
