/* What can be said of MSCCL's GPUs once their threadblocks are read. */
#ifndef TOURNEY_EXCHANGE_MSCCL_GPU_H
#define TOURNEY_EXCHANGE_MSCCL_GPU_H

#include "exchange/msccl/reader.h"

/* At the end of a <gpu>: checks its threadblocks, and has its steps wait for those of others. */
void tny_msccl_end_gpu(struct tny_msccl *reader);
/* A broadcast's root is the GPU that receives nothing: the form doesn't name it. */
void tny_msccl_find_root(struct tny_msccl *reader);

#endif
