/* Fuzz target: the input as the record of a run. What is read becomes a page's sections, in which
   no text of the file's is markup. */
#include "fuzz_support.h"

#include "cli/report/recorded.h"
#include "cli/report/run_sections.h"
#include "core/alloc.h"

/* Bounds of larger networks only take time. */
enum { RANKS_MAX = 64, NODES_MAX = 200 };

static void write_sections(struct recorded *recorded)
{
  struct tny_text html = {0};
  run_section_summary(recorded, &html);
  run_section_bars(recorded, &html);
  run_section_calls(recorded, &html);
  run_section_decisions(recorded, &html);
  run_section_drops(recorded, &html);
  require(!html.failed && !strstr(html.bytes, "<script"));
  tny_text_release(&html);
}

static void fuzz(const char *text)
{
  struct recorded recorded;
  struct tny_error error = {0};
  if (recorded_parse("fuzz.json", text, &recorded, &error) == TNY_OK) {
    const struct tny_cluster *cluster = recorded.cluster;
    require(recorded.ranks > 0);
    if (!cluster ||
        (recorded.ranks <= RANKS_MAX && cluster->host_count + cluster->switch_count <= NODES_MAX))
      require(recorded_find_bounds(&recorded, &error) == TNY_OK || error.text[0]);
    write_sections(&recorded);
  } else {
    require(error.text[0]);
  }
  recorded_release(&recorded);
}
