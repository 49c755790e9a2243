/* What MSCCL's executors take: the limits that the parsers of microsoft/msccl, of RCCL and of
   msccl-executor-nccl check, and the widths of the fields they keep a file in, which none of them
   checks. Where they differ, a limit is the largest; docs/exchange-formats.md says how. */
#ifndef TOURNEY_EXCHANGE_MSCCL_LIMITS_H
#define TOURNEY_EXCHANGE_MSCCL_LIMITS_H

enum {
  TNY_MSCCL_STEPS_MAX = 256,   /* of a threadblock, nops included */
  TNY_MSCCL_BLOCKS_MAX = 1024, /* threadblocks of a GPU */
  TNY_MSCCL_CHANNELS_MAX = 32, /* of a file */
  TNY_MSCCL_PEERS_MAX = 32,    /* threadblocks of a GPU that send on one channel; as many receive */
  TNY_MSCCL_COUNT_MAX = 71,    /* chunks of a step */
  TNY_MSCCL_WAITED_MAX = 128,  /* threadblocks that are waited for: depid is kept in 8 bits */
  TNY_MSCCL_OFFSETS_MAX = 32768, /* chunks of a buffer: offsets are kept in 16 bits */
  TNY_MSCCL_ELEMENTS_MAX = 4096, /* <algo>, every <gpu>, a GPU's <tb> and their <step> */
  TNY_MSCCL_GPUS_MAX = 1024,
};

#endif
