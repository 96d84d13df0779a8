/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times the CPU kernels of delta_recurrence: tests/lib/bench-helpers.h. */
#include "tests/legendre/delta-reference.h"
#include "tests/lib/bench-helpers.h"

static DeltaBlock *blocks;

static gint64
start (const Sky *sky, gint64 block, gint64 m_first, gint64 m_last)
{
  const ArmillaDeltaShape shape = { .lmax = sky->lmax,
                                    .m_first = m_first,
                                    .m_last = m_last,
                                    .n_fields = sky->n_fields,
                                    .n_pairs = sky->block_pairs,
                                    .isa = armilla_isa_detect () };

  if (block == 0)
    blocks = g_new (DeltaBlock, sky->n_blocks);
  delta_block_init (&blocks[block], &shape);
  delta_random (blocks[block].alm, 2 * blocks[block].n_alm * sky->n_fields, 1);
  return armilla_delta_tile_size (&shape);
}

static void
run (gint64 block, Step step, gint64 n_pairs, double *pairs, double *tile)
{
  const DeltaBlock *b = &blocks[block];
  ArmillaDeltaShape shape = b->shape;

  shape.n_pairs = n_pairs;
  switch (step)
    {
    case TABLE:
      armilla_delta_table_cpu (&shape, b->table);
      break;
    case PREPARE:
      one_tile_delta_prepare (&shape, b->basis, b->alm, b->prepared);
      break;
    case SYNTHESIS:
      armilla_delta_synthesis_cpu (&shape, b->basis, b->prepared, pairs, NULL, tile, b->scratch);
      break;
    case ADJOINT:
      armilla_delta_adjoint_cpu (&shape, b->basis, tile, pairs, NULL, FALSE, b->prepared,
                                 b->scratch);
      break;
    default:
      one_tile_delta_finish (&shape, b->basis, b->prepared, b->alm);
    }
}

static void
clear (gint64 n_blocks)
{
  for (gint64 i = 0; i < n_blocks; i++)
    delta_block_clear (&blocks[i]);
  g_free (blocks);
}

int
main (int argc, char *argv[])
{
  const Bench bench = { "fields", start, run, clear };

  return bench_main (&bench, argc, argv);
}
