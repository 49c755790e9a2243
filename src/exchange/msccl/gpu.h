/* What can be said of MSCCL's GPUs once their threadblocks are read. */
#ifndef TOURNEY_EXCHANGE_MSCCL_GPU_H
#define TOURNEY_EXCHANGE_MSCCL_GPU_H

#include "exchange/msccl/reader.h"

/* At the end of a <gpu>: checks its threadblocks, and has its steps wait for those of others that
   they name. */
void tny_msccl_end_gpu(struct tny_msccl *reader);
/* Finds a broadcast's root, which the form doesn't name: it is the GPU that receives nothing. */
void tny_msccl_find_root(struct tny_msccl *reader);

#endif
