/* What is planned, by what, and what is proved; the certificate; what each link carries. The words
   of what is proved are those of `tourney plan`: its lines, a name and what is said of it, become
   rows. */
#include <inttypes.h>
#include <string.h>

#include "cli/shared/link.h"
#include "cli/shared/options.h"
#include "cli/shared/words.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"
#include "html.h"
#include "sections.h"

enum {
  NAME_COLUMNS = 14, /* of a line of tourney plan */
  LINKS_MAX = 1000,  /* in the table */
};

/* Rows of lines "name          words"; `indent` spaces before them. What is only a heading is left
   out. */
static void write_lines(const char *lines, size_t indent, struct tny_text *html)
{
  while (*lines) {
    const char *line = lines;
    const size_t length = (size_t)words_take_line(&lines);
    if (length <= indent + NAME_COLUMNS)
      continue;
    char name[NAME_COLUMNS + 1];
    snprintf(name, sizeof name, "%.*s", NAME_COLUMNS, line + indent);
    for (size_t end = strlen(name); end > 0 && name[end - 1] == ' '; end--)
      name[end - 1] = '\0';
    html_fact(html, name, "%.*s", (int)(length - indent - NAME_COLUMNS),
              line + indent + NAME_COLUMNS);
  }
}

/* The same of a text that is written to its end; what failed to be written shows in `html`. */
static void write_text_lines(struct tny_text *text, size_t indent, struct tny_text *html)
{
  if (text->bytes && !text->failed)
    write_lines(text->bytes, indent, html);
  html->failed |= text->failed;
  tny_text_release(text);
}

static void write_algorithm(const struct plan *plan, struct tny_text *html)
{
  const struct tny_algorithm_choice choice = {plan->algorithm, plan->problem.parameter};
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  struct tny_text why = {0};
  tny_algorithm_choice_write(&choice, name);
  plan_choice_why(plan, &why);
  html_fact(html, "algorithm", "%s (%s)", name, why.bytes ? why.bytes : "");
  tny_text_release(&why);
  if (plan->left_native)
    html_fact(html, "runtime", "would leave this call to the native collective");
}

/* The same of a plan from a file. */
static void write_read(const struct plan *plan, struct tny_text *html)
{
  const uint32_t chunks = plan->schedule->chunk_count;
  html_fact(html, "algorithm", "%s, read from a file", plan->schedule->algorithm);
  if (plan->block_bytes > 0)
    html_fact(html, "blocks", "%s in %" PRIu32 " chunk%s", tny_bytes_format(plan->block_bytes).text,
              chunks, plural(chunks));
}

/* All algorithms, those that were compared first. */
static void write_candidates(const struct plan *plan, struct tny_text *html)
{
  const struct plan_choice *choice = &plan->choice;
  if (choice->compared == 0)
    return;
  html_add(html, "<details>\n<summary>Algorithms compared</summary>\n");
  html_table_begin(html, "Algorithms compared, by the time that the model predicts");
  html_table_headers(html, (const char *const[]){"algorithm", "predicted ms", "", NULL});
  html_add(html, "<tbody>\n");
  for (uint32_t i = 0; i < choice->ranking.count; i++) {
    const struct tny_candidate *candidate = &choice->ranking.list[i];
    char name[TNY_ALGORITHM_CHOICE_CHARS];
    tny_algorithm_choice_write(&candidate->choice, name);
    html_row(html, name);
    if (i < choice->compared)
      html_number(html, "%.3f", plan_candidate_ms(candidate));
    else
      html_number(html, "-");
    html_cell(html, "%s",
              i == choice->chosen  ? "taken"
              : candidate->why_not ? candidate->why_not
                                   : choice->failures[i].text);
    html_add(html, "</tr>\n");
  }
  html_add(html, "</tbody>\n");
  html_table_end(html);
  html_add(html, "</details>\n");
}

void section_summary(const struct plan_steps *steps, struct tny_text *html)
{
  const struct plan *plan = steps->plan;
  struct proof_subject subject = plan_subject(plan);
  struct tny_text text = {0};
  html_section_begin(html, "plan", "The plan");
  html_table_begin(html, "What is planned, and what is proved of it");
  html_add(html, "<tbody>\n");
  html_row(html, "cluster");
  html_add(html, "<td>");
  html_words(html, plan->request->cluster);
  html_say(html, ", %" PRIu32 " rank%s, %s", plan->problem.rank_count,
           plural(plan->problem.rank_count), cli_map_name(plan->request->map));
  html_add(html, "</td></tr>\n");
  if (tny_collective_has_root(plan->schedule->collective))
    html_fact(html, "root", "rank %" PRIu32, plan->problem.root);
  if (plan->algorithm) {
    write_algorithm(plan, html);
    plan_blocks_describe(plan, &text);
    write_text_lines(&text, 0, html);
  } else {
    write_read(plan, html);
  }
  subject.network = NULL; /* Links have a table of their own. */
  proof_describe(&subject, &plan->proof, &text);
  write_text_lines(&text, 0, html);
  html_add(html, "</tbody>\n");
  html_table_end(html);
  write_candidates(plan, html);
  html_section_end(html);
}

/* --- links --- */

struct loaded {
  uint32_t link;
  double seconds;
};

/* The longest busy first. */
static int compare_loaded(const void *a, const void *b)
{
  const struct loaded *x = a, *y = b;
  if (x->seconds > y->seconds || x->seconds < y->seconds)
    return x->seconds > y->seconds ? -1 : 1;
  return (x->link > y->link) - (x->link < y->link);
}

static void write_link(const struct plan *plan, const struct loaded *loaded, struct tny_text *html)
{
  const struct tny_cluster *cluster = plan->mapping.cluster;
  const struct tny_link *link = &cluster->links[loaded->link];
  const struct proof *proof = &plan->proof;
  const struct in_flight *in_flight = &proof->in_flight;
  html_add(html, "<tr><th scope=\"row\">");
  html_words(html, cluster->node_names[link->from]);
  html_add(html, " &#8594; ");
  html_words(html, cluster->node_names[link->to]);
  html_add(html, "</th>");
  if (link->best_bps > link->bandwidth_bps)
    html_number(html, "%s of %s", tny_bandwidth_format(link->bandwidth_bps).text,
                tny_bandwidth_format(link->best_bps).text);
  else
    html_number(html, "%s", tny_bandwidth_format(link->bandwidth_bps).text);
  html_number(html, "%s", tny_bytes_format(proof->load_bytes[loaded->link]).text);
  html_number(html, "%.3f", 1e3 * loaded->seconds);
  if (proof->bound.seconds > 0)
    html_number(html, "%.1f %%", 100 * loaded->seconds / proof->bound.seconds);
  else
    html_number(html, "-");
  if (in_flight->messages)
    html_number(html, "%s%" PRIu32 " = %s%s", in_flight->is_exact[loaded->link] ? "" : "at most ",
                in_flight->messages[loaded->link],
                tny_bytes_format(in_flight_bytes(in_flight, loaded->link)).text,
                in_flight_overflows(in_flight, loaded->link) ? ", more than the buffer" : "");
  else
    html_number(html, "not counted");
  html_number(html, "%s", tny_bytes_format(link->buffer_bytes).text);
  html_add(html, "</tr>\n");
}

static void write_links(const struct plan *plan, const struct loaded *list, struct tny_text *html)
{
  const uint32_t links = plan->mapping.cluster->link_count;
  html_table_begin(html, "What each direction of a cable carries, the busiest first");
  html_table_headers(html,
                     (const char *const[]){"link", "rate", "carries", "busy ms", "of the bound",
                                           "most in flight", "port buffer", NULL});
  html_add(html, "<tbody>\n");
  for (uint32_t i = 0; i < links && i < LINKS_MAX; i++)
    write_link(plan, &list[i], html);
  html_add(html, "</tbody>\n");
  html_table_end(html);
  if (links > LINKS_MAX)
    html_add(html, "<p>%" PRIu32 " links that are less busy are left out.</p>\n",
             links - LINKS_MAX);
}

enum tny_status section_certificate(const struct plan_steps *steps, struct tny_text *html,
                                    struct tny_error *error)
{
  const struct plan *plan = steps->plan;
  const struct proof_subject subject = plan_subject(plan);
  const uint32_t links = plan->mapping.cluster->link_count;
  struct tny_text text = {0};
  struct loaded *list = tny_new(links, sizeof *list);
  if (!list)
    return tny_error_memory(error);
  for (uint32_t link = 0; link < links; link++)
    list[link] = (struct loaded){link, proof_link_seconds(&subject, &plan->proof, link)};
  qsort(list, links, sizeof *list, compare_loaded);
  html_section_begin(html, "certificate", "The certificate");
  html_add(html, "<p>The plan against the bound, the least that any schedule takes on this "
                 "network.</p>\n");
  html_table_begin(html, "The plan against the bound");
  html_add(html, "<tbody>\n");
  certificate_describe(&subject, &plan->proof, &text);
  write_text_lines(&text, 2, html);
  html_add(html, "</tbody>\n");
  html_table_end(html);
  write_links(plan, list, html);
  html_section_end(html);
  tny_free(list);
  return TNY_OK;
}
