/* Everything that is reproduced, paper by paper. */
#include "reproduce/list.h"

const struct tny_reproduction *const tny_reproductions[] = {
    NULL,
};
