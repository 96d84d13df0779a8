/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/graph/blocks.h"

#include <armilla/memory.h>

#include "core/grids/grid.h"
#include "tasks/runtime/block-deal.h"

/* 256 pairs are 8 groups of the widest CPU kernel (128 cost 10 to 15 % at nside 1024), and keep a
 * few ring blocks of Delta (16 bytes x 2 rings x pairs x orders) small beside the map. */
#define DEFAULT_BLOCK_PAIRS 256
/* Grids with few rings have two blocks, so that a second core can transform rings. Blocks are
 * multiples of the ring pairs that the widest kernel processes, and not so small that the overhead
 * of tasks matters. */
#define MIN_BLOCK_PAIRS 64
#define KERNEL_PAIRS 32
/* Maximum for GPUs: tasks of 256 pairs are too short to keep a GPU busy; those of 1024 take
 * milliseconds. */
#define MAX_GPU_BLOCK_PAIRS 1024
/* Default number of orders per block: Delta of 64 orders and 256 ring pairs is half a megabyte per
 * field, which stays in a core's second-level cache until a ring transform reads it. With several
 * fields, blocks have fewer orders, at least 16: the overhead of more tasks is per block. */
#define DEFAULT_BLOCK_ORDERS 64
#define MIN_BLOCK_ORDERS 16
/* minimum mean number of orders per block if several ranks have GPUs */
#define MIN_SHARED_ORDERS 512
#define MAX_DEFAULT_ORDER_BLOCKS 128
/* number of coefficients (lmax 95) whose synthesis takes some 150 us on a core */
#define FEW_COEFFICIENTS 4700
/* cost of an order in such a synthesis, as a number of coefficients */
#define COEFFICIENTS_OF_AN_ORDER 35

static void
fill_slot (ArmillaRingBlock *block, const ArmillaGrid *grid, gint64 slot, gint64 ring)
{
  const ArmillaRing *r;

  if (ring < 0)
    return;
  r = &grid->rings[ring];
  block->slots[slot] = (ArmillaRingSlot) { .n_phi = r->n_phi,
                                           .offset = block->n_pixels,
                                           .phi0_num = r->phi0_num,
                                           .phi0_den = r->phi0_den,
                                           .phi0 = r->phi0,
                                           .weight = r->weight };
  block->first_pixel[slot] = r->offset;
  block->n_pixels += r->n_phi;
  block->longest = MAX (block->longest, r->n_phi);
}

static gboolean
fill_block (ArmillaRingBlock *block, const ArmillaGrid *grid, gint64 first, gint64 n_pairs,
            GError **error)
{
  const char *what = "the rings of a block";

  block->n_pairs = n_pairs;
  if (!(block->pairs = armilla_try_new (double, ARMILLA_PAIR_ROWS * n_pairs, what, error))
      || !(block->slots = armilla_try_new (ArmillaRingSlot, 2 * n_pairs, what, error))
      || !(block->first_pixel = armilla_try_new (gint64, 2 * n_pairs, what, error)))
    return FALSE;
  armilla_grid_fill_pairs (grid, first, n_pairs, block->pairs);
  for (gint64 p = 0; p < n_pairs; p++)
    fill_slot (block, grid, 2 * p, grid->pairs[first + p].north);
  for (gint64 p = n_pairs - 1; p >= 0; p--)
    fill_slot (block, grid, 2 * p + 1, grid->pairs[first + p].south);
  return TRUE;
}

/* Returns the default number of ring pairs per block. It depends on the grid and on whether GPUs
 * compute, not on the numbers of workers, ranks and fields, so that these do not change results. */
gint64
armilla_ring_blocks_default (const ArmillaGrid *grid, gboolean gpus)
{
  gint64 half = (grid->n_pairs + 1) / 2;

  if (!gpus)
    return CLAMP ((half + KERNEL_PAIRS - 1) / KERNEL_PAIRS * KERNEL_PAIRS, MIN_BLOCK_PAIRS,
                  DEFAULT_BLOCK_PAIRS);
  /* A GPU is idle for some 60 us between two dependent tasks, so few large blocks are best, but at
   * least two: one is copied while the other is computed. */
  return CLAMP ((half + 127) / 128 * 128, DEFAULT_BLOCK_PAIRS, MAX_GPU_BLOCK_PAIRS);
}

/* Returns the number of m-blocks of equal work if several ranks have GPUs: a power of two. */
static gint64
shared_order_blocks (ArmillaAlmLayout layout)
{
  gint64 n = 1;

  /* Kernels choose their method by the number of orders, so a block must have enough to choose like
   * a block of all orders. */
  while (layout.mmax == layout.lmax && n < ARMILLA_ORDER_PARTS
         && (layout.lmax + 1) / (2 * n) >= MIN_SHARED_ORDERS)
    n *= 2;
  return n;
}

/* Returns one or two m-blocks for few a_lm, whose tasks would otherwise be shorter than their
 * overhead; 0 for more a_lm. */
static gint64
few_order_blocks (ArmillaAlmLayout layout)
{
  const gint64 count = armilla_alm_count (layout);

  return count < FEW_COEFFICIENTS ? 1 : count < 3 * FEW_COEFFICIENTS ? 2 : 0;
}

/* Returns the default number of m-blocks; 0: as many as needed for blocks of DEFAULT_BLOCK_ORDERS.
 * A single rank with GPUs has one block, whose tile the ring transforms read directly. If several
 * ranks have GPUs (@n_sharing of them) there are more blocks, whose number depends on lmax only.
 * The results have the same bits: kernels depend on lmax, and sums over orders are divided by
 * armilla_order_blocks_parts (). The number of workers does not matter. */
gint64
armilla_order_blocks_default (ArmillaAlmLayout layout, int n_sharing, gboolean gpus)
{
  if (!gpus)
    return few_order_blocks (layout);
  return n_sharing > 1 ? shared_order_blocks (layout) : 1;
}

/* Divides a grid into blocks with equal numbers of ring pairs, not registered with StarPU, and
 * assigns them to ranks, whose numbers of pixels become proportional to their speeds. */
ArmillaRingBlocks *
armilla_ring_blocks_new (ArmillaGrid *grid, gint64 block_pairs, int n_ranks,
                         const double *speeds, GError **error)
{
  g_auto (ArmillaBlockDeal) deal = { 0 };
  ArmillaRingBlocks *blocks = g_new0 (ArmillaRingBlocks, 1);
  gint64 size = CLAMP (block_pairs, 1, MAX (grid->n_pairs, 1));

  blocks->grid = armilla_grid_ref (grid);
  blocks->n = (int) ((grid->n_pairs + size - 1) / size);
  blocks->block = g_new0 (ArmillaRingBlock, blocks->n);
  armilla_block_deal_init (&deal, n_ranks, speeds);
  for (int b = 0; b < blocks->n; b++)
    {
      ArmillaRingBlock *block = &blocks->block[b];

      if (!fill_block (block, grid, b * size, MIN (size, grid->n_pairs - b * size), error))
        {
          armilla_ring_blocks_free (blocks);
          return NULL;
        }
      block->owner = armilla_block_deal_next (&deal, (double) block->n_pixels);
      blocks->max_pairs = MAX (blocks->max_pairs, block->n_pairs);
      blocks->max_pixels = MAX (blocks->max_pixels, block->n_pixels);
      blocks->longest = MAX (blocks->longest, block->longest);
    }
  return blocks;
}

/* Frees the blocks, whose handles must have been unregistered. */
void
armilla_ring_blocks_free (ArmillaRingBlocks *blocks)
{
  for (int b = 0; b < blocks->n; b++)
    {
      g_free (blocks->block[b].pairs);
      g_free (blocks->block[b].slots);
      g_free (blocks->block[b].first_pixel);
    }
  g_free (blocks->block);
  armilla_grid_unref (blocks->grid);
  g_free (blocks);
}

/* Advances @run, zero at first, to the next run of pixels; returns FALSE after the last. */
gboolean
armilla_ring_block_next_run (const ArmillaRingBlock *block, ArmillaRun *run)
{
  run->n = 0;
  for (; run->next < 2 * block->n_pairs; run->next++)
    {
      /* Tiles contain the northern rings in the order of the pairs, and then the southern ones in
       * reverse order. */
      gint64 slot = run->next < block->n_pairs
                      ? 2 * run->next : 2 * (2 * block->n_pairs - 1 - run->next) + 1;
      const ArmillaRingSlot *ring = &block->slots[slot];

      if (ring->n_phi == 0)
        continue;
      if (run->n == 0)
        {
          run->start = ring->offset;
          run->first = block->first_pixel[slot];
        }
      else if (run->first + run->n != block->first_pixel[slot]
               || run->start + run->n != ring->offset)
        break;
      run->n += ring->n_phi;
    }
  return run->n > 0;
}

/* Returns the default number of orders per block: a multiple of 4, so that kernels write whole
 * cache lines; small problems have at least four blocks. */
static gint64
default_block_orders (gint64 n_orders, gint64 n_fields)
{
  gint64 size = DEFAULT_BLOCK_ORDERS;

  while (size > MIN_BLOCK_ORDERS && size * n_fields > DEFAULT_BLOCK_ORDERS)
    size /= 2;
  while (size > 16 && 4 * size > n_orders)
    size /= 2;
  while (size * MAX_DEFAULT_ORDER_BLOCKS * n_fields < n_orders)
    size *= 2;
  return size;
}

/* Returns the cost of order m, as a number of coefficients. */
static double
order_work (ArmillaAlmLayout layout, gint64 m)
{
  return (double) (layout.lmax + 1 - m
                   + (few_order_blocks (layout) > 0 ? COEFFICIENTS_OF_AN_ORDER : 0));
}

/* Returns whether a block ends with order m. If @n_blocks is 0, blocks have @size orders; otherwise
 * the blocks have about equal cost: orders up to m cost @sum of @total. */
static gboolean
block_ends (const ArmillaOrderBlocks *blocks, gint64 n_blocks, gint64 size, gint64 m,
            double sum, double total)
{
  gint64 n_orders = blocks->layout.mmax + 1;

  if (m == blocks->layout.mmax)
    return TRUE;
  if (n_blocks == 0) /* the last block takes a remainder, such as order lmax = 1024 */
    return (m + 1) % size == 0 && blocks->layout.mmax - m >= size / 2;
  if (n_orders - m - 1 == n_blocks - blocks->n - 1) /* every remaining block must get an order */
    return TRUE;
  if ((m + 1) % 4 != 0 && n_orders >= 16 * n_blocks)
    return FALSE;
  return blocks->n + 1 < n_blocks && sum * (double) n_blocks >= total * (blocks->n + 1);
}

/* Divides the orders 0..mmax into contiguous blocks and assigns them to ranks, whose numbers of
 * coefficients become proportional to their speeds. @n_blocks blocks have about equal numbers of
 * coefficients, to which the cost of the recurrence is proportional. If @n_blocks is 0, a block has
 * about 64 orders, fewer if there are several fields. */
ArmillaOrderBlocks *
armilla_order_blocks_new (ArmillaAlmLayout layout, int n_fields, gint64 n_blocks, int n_ranks,
                          const double *speeds)
{
  g_auto (ArmillaBlockDeal) deal = { 0 };
  ArmillaOrderBlocks *blocks = g_new0 (ArmillaOrderBlocks, 1);
  gint64 n_orders = layout.mmax + 1, size = default_block_orders (n_orders, n_fields), max_blocks;
  double sum = 0, total = 0;

  n_blocks = CLAMP (n_blocks, 0, n_orders);
  max_blocks = n_blocks > 0 ? n_blocks : n_orders / size + 1;
  blocks->layout = layout;
  blocks->m_first = g_new0 (gint64, max_blocks);
  blocks->m_last = g_new0 (gint64, max_blocks);
  blocks->owner = g_new0 (int, max_blocks);
  armilla_block_deal_init (&deal, n_ranks, speeds);
  for (gint64 m = 0; m <= layout.mmax; m++)
    total += order_work (layout, m);
  for (gint64 m = 0; m <= layout.mmax; m++)
    {
      int b = blocks->n;

      sum += order_work (layout, m);
      blocks->m_last[b] = m;
      if (!block_ends (blocks, n_blocks, size, m, sum, total))
        continue;
      blocks->owner[b]
        = armilla_block_deal_next (&deal, (double) armilla_order_block_count (blocks, b));
      blocks->max_orders = MAX (blocks->max_orders, m + 1 - blocks->m_first[b]);
      blocks->n++;
      if (m < layout.mmax)
        blocks->m_first[b + 1] = m + 1;
    }
  return blocks;
}

/* Divides the orders of a block at the boundaries of the m-blocks that several ranks with GPUs
 * would have. Sums over orders add the sums over these parts in sequence, so one block of all
 * orders and the blocks of several ranks give the same bits. */
void
armilla_order_blocks_parts (const ArmillaOrderBlocks *blocks, int block, ArmillaOrderParts *parts)
{
  static const double alike[1] = { 1 };
  const gint64 first = blocks->m_first[block], last = blocks->m_last[block];
  ArmillaOrderBlocks *cut = armilla_order_blocks_new (
    blocks->layout, 1, shared_order_blocks (blocks->layout), G_N_ELEMENTS (alike), alike);

  *parts = (ArmillaOrderParts) { .n = 0 };
  for (int b = 0; b < cut->n; b++)
    if (cut->m_last[b] >= first && cut->m_first[b] <= last)
      parts->first[parts->n++] = MAX (cut->m_first[b], first);
  parts->first[parts->n] = last + 1;
  armilla_order_blocks_free (cut);
}

void
armilla_order_blocks_free (ArmillaOrderBlocks *blocks)
{
  g_free (blocks->m_first);
  g_free (blocks->m_last);
  g_free (blocks->owner);
  for (int spin = 0; spin <= ARMILLA_SPIN_MAX; spin++)
    g_free (blocks->tables[spin]);
  g_free (blocks->basis);
  g_free (blocks);
}
