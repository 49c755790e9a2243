/* Everything that is reproduced, paper by paper. */
#include "reproduce/reproduce.h"

#include "reproduce/axida2009/axida2009.h"
#include "reproduce/desensi2024/desensi2024.h"
#include "reproduce/desensi2025/desensi2025.h"
#include "reproduce/hinrichs1994/hinrichs1994.h"
#include "reproduce/jacunski1999/jacunski1999.h"
#include "reproduce/jeannot2007/jeannot2007.h"
#include "reproduce/juerss2026b/juerss2026b.h"
#include "reproduce/known/known.h"
#include "reproduce/tam2000/tam2000.h"
#include "reproduce/traeff2024/traeff2024.h"

const struct tny_reproduction *const tny_reproductions[] = {
    &tny_jacunski_table_1,
    &tny_jacunski_figure_6a,
    &tny_jacunski_figure_6b,
    &tny_jacunski_table_2,
    &tny_jacunski_table_3,
    &tny_hinrichs_figure_7,
    &tny_hinrichs_figure_8,
    &tny_hinrichs_figure_9a,
    &tny_hinrichs_figure_9b,
    &tny_hinrichs_table_1,
    &tny_hinrichs_fft,
    &tny_hinrichs_figure_10,
    &tny_hinrichs_tokens,
    &tny_axida_table_1,
    &tny_axida_table_2,
    &tny_axida_figure_7,
    &tny_axida_figure_8,
    &tny_tam_figure_2,
    &tny_tam_figure_3,
    &tny_tam_section_4_3,
    &tny_jeannot_messages,
    &tny_jeannot_figure_4,
    &tny_jeannot_figure_5,
    &tny_jeannot_figure_6,
    &tny_swing_distances,
    &tny_swing_links,
    &tny_bine_distances,
    &tny_bine_small_jobs,
    &tny_bine_jobs,
    &tny_bine_dragonfly,
    &tny_traeff_pipelined,
    &tny_traeff_halving,
    &tny_trivance_steps,
    &tny_trivance_links,
    &tny_trivance_blocks,
    &tny_jiang_zero_load,
    &tny_jiang_latency,
    &tny_jiang_credit_loop,
    &tny_jiang_saturation,
    &tny_jiang_batch,
    &tny_jiang_speed,
    &tny_karol_blocking,
    NULL,
};
