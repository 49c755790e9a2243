/* hammingmesh:AxB,boards=CxD: boards of A x B accelerators, C boards in each of D rows. An
   accelerator is a host h<i> with its router s<i>; the routers of a board are a mesh, and the
   network of each line of accelerators is a switch, to which both ends of the line are wired on
   every board: r<y> for the line y of all rows of boards, c<x> for the column x. So each router has
   its host and four more cables. (Hoefler and others: HammingMesh: a network topology for
   large-scale deep learning, SC 2022; where a line has more ports than a switch, theirs is a fat
   tree.)

   Hosts are numbered board by board, and x before y on a board and among boards. */
#include "cluster/generation.h"
#include "core/error.h"

/* Columns and rows. */
struct sides {
  uint32_t x, y;
};

struct hammingmesh {
  struct sides board, boards;
  uint32_t first_row, first_column; /* nodes: the switches of the lines */
};

/* The router at a place of a board; each was added with its host. */
static uint32_t router_at(const struct hammingmesh *mesh, uint32_t board, uint32_t x, uint32_t y)
{
  return 2 * (board * mesh->board.x * mesh->board.y + y * mesh->board.x + x);
}

static enum tny_status add_routers(struct tny_generation *generation,
                                   const struct hammingmesh *mesh, struct tny_error *error)
{
  const uint32_t count = mesh->board.x * mesh->board.y * mesh->boards.x * mesh->boards.y;
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < count; i++) {
    uint32_t node = 0;
    status = tny_generation_switch(generation, 's', i, &node, error);
    if (!status)
      status = tny_generation_hosts(generation, node, 1, error);
  }
  return status;
}

static enum tny_status add_lines(struct tny_generation *generation, char letter, uint32_t count,
                                 uint32_t *first, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < count; i++) {
    uint32_t node = 0;
    status = tny_generation_switch(generation, letter, i, &node, error);
    if (i == 0)
      *first = node;
  }
  return status;
}

/* The routers of a line on one board. */
struct chain {
  uint32_t first, stride, count; /* nodes */
};

/* The cables between a chain's neighbours, and from both of its ends to the switch of the line. */
static enum tny_status add_chain(struct tny_generation *generation, struct chain chain,
                                 uint32_t line, struct tny_error *error)
{
  const struct tny_build_cable *like = &generation->trunk;
  const uint32_t last = chain.first + (chain.count - 1) * chain.stride;
  enum tny_status status = tny_generation_cable(generation, like, line, chain.first, error);
  for (uint32_t at = chain.first; !status && at < last; at += chain.stride)
    status = tny_generation_cable(generation, like, at, at + chain.stride, error);
  if (!status)
    status = tny_generation_cable(generation, like, last, line, error);
  return status;
}

static enum tny_status add_board(struct tny_generation *generation, const struct hammingmesh *mesh,
                                 uint32_t board, struct tny_error *error)
{
  const struct sides *side = &mesh->board;
  const uint32_t row = mesh->first_row + board / mesh->boards.x * side->y;
  const uint32_t column = mesh->first_column + board % mesh->boards.x * side->x;
  enum tny_status status = TNY_OK;
  for (uint32_t y = 0; !status && y < side->y; y++) {
    const struct chain chain = {router_at(mesh, board, 0, y), 2, side->x};
    status = add_chain(generation, chain, row + y, error);
  }
  for (uint32_t x = 0; !status && x < side->x; x++) {
    const struct chain chain = {router_at(mesh, board, x, 0), 2 * side->x, side->y};
    status = add_chain(generation, chain, column + x, error);
  }
  return status;
}

static enum tny_status read_sides(const struct tny_generation *generation, struct hammingmesh *mesh,
                                  struct tny_error *error)
{
  uint32_t sides[2];
  const enum tny_status status = tny_generation_sides(
      generation->arguments, "the sides of a board, as in 2x2", 2, sides, error);
  if (status)
    return status;
  if (!generation->has[TNY_OPTION_BOARDS])
    return tny_error_set(error, TNY_BAD_INPUT, "how many boards? Add boards=2x2");
  const uint64_t boards = generation->values[TNY_OPTION_BOARDS];
  mesh->board = (struct sides){.x = sides[0], .y = sides[1]};
  mesh->boards = (struct sides){.x = (uint32_t)(boards >> 32), .y = (uint32_t)boards};
  if (mesh->boards.x < 2 || mesh->boards.y < 2)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "boards=%ux%u: a row and a column have at least 2 boards; for one board, "
                         "take mesh",
                         mesh->boards.x, mesh->boards.y);
  if ((uint64_t)sides[0] * sides[1] * mesh->boards.x * mesh->boards.y > TNY_HOSTS_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "more than %u hosts", TNY_HOSTS_MAX);
  return TNY_OK;
}

enum tny_status tny_generate_hammingmesh(struct tny_generation *generation, struct tny_error *error)
{
  struct hammingmesh mesh = {0};
  generation->build->routing = TNY_ROUTING_SHORTEST_LANES;
  enum tny_status status = read_sides(generation, &mesh, error);
  if (!status)
    status = add_routers(generation, &mesh, error);
  if (!status)
    status = add_lines(generation, 'r', mesh.board.y * mesh.boards.y, &mesh.first_row, error);
  if (!status)
    status = add_lines(generation, 'c', mesh.board.x * mesh.boards.x, &mesh.first_column, error);
  for (uint32_t board = 0; !status && board < mesh.boards.x * mesh.boards.y; board++)
    status = add_board(generation, &mesh, board, error);
  return status;
}
