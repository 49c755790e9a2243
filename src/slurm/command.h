/* What the plugin asks the tool, made of the site's arguments and of the user's option. */
#ifndef TOURNEY_SLURM_COMMAND_H
#define TOURNEY_SLURM_COMMAND_H

#include <limits.h>
#include <stdbool.h>

#include <tourney/status.h>

struct tny_arena;

/* The plugin's line in Slurm's plugstack.conf. */
struct tny_slurm_site {
  const char *tool;      /* tool=PATH; NULL: not said */
  bool is_default;       /* default=on: for each srun */
  char *const *settings; /* all other arguments: options of `tourney run` without their dashes */
  int setting_count;
};

/* Reads the line's arguments, which stay borrowed. `moved` has room for `count` of them.
   Errors: default= that is neither on nor off. */
enum tny_status tny_slurm_site_read(int count, char *const *arguments, char **moved,
                                    struct tny_slurm_site *site,
                                    struct tny_error *error) TNY_MUST_CHECK;

/* The tool's path, by that of the plugin: in the same folder as in a build, else where it was
   installed with it, whether it is there or not. */
void tny_slurm_find_tool(const char *plugin, char tool[PATH_MAX]);

/* TOOL run --environment --SETTING... --OPTION... -- WORD..., with NULL behind. Options are divided
   by spaces or commas, but for a value's commas: it reaches to the next space. NULL: none were
   given. Owns: `arena`. Returns NULL where there is no memory. */
char **tny_slurm_command(struct tny_arena *arena, const struct tny_slurm_site *site,
                         const char *options, char *const *words);

#endif
