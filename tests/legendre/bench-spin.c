/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times the CPU kernels of fields of spin 2: tests/lib/bench-helpers.h. */
#include "tests/lib/bench-helpers.h"
#include "tests/legendre/spin-reference.h"

static SpinBlock *blocks;

static gint64
start (const Sky *sky, gint64 block, gint64 m_first, gint64 m_last)
{
  const ArmillaSpinShape shape = { .lmax = sky->lmax,
                                   .m_first = m_first,
                                   .m_last = m_last,
                                   .n_maps = sky->n_fields,
                                   .n_pairs = sky->block_pairs,
                                   .spin = 2,
                                   .isa = armilla_isa_detect () };

  if (block == 0)
    blocks = g_new (SpinBlock, sky->n_blocks);
  spin_block_init (&blocks[block], &shape);
  delta_random (blocks[block].alm, 4 * blocks[block].n_alm * sky->n_fields, 1);
  return armilla_spin_tile_size (&shape);
}

static void
run (gint64 block, Step step, gint64 n_pairs, double *pairs, double *tile)
{
  const SpinBlock *b = &blocks[block];
  ArmillaSpinShape shape = b->shape;

  shape.n_pairs = n_pairs;
  switch (step)
    {
    case TABLE:
      armilla_spin_table_cpu (&shape, b->table);
      break;
    case PREPARE:
      one_tile_spin_prepare (&shape, b->basis, b->alm, b->prepared, b->coupling);
      break;
    case SYNTHESIS:
      armilla_spin_synthesis_cpu (&shape, b->basis, b->prepared, pairs, tile, b->scratch);
      break;
    case ADJOINT:
      armilla_spin_adjoint_cpu (&shape, b->basis, tile, pairs, 0, b->prepared, b->scratch);
      break;
    default:
      one_tile_spin_finish (&shape, b->basis, b->prepared, b->alm, b->coupling);
    }
}

static void
clear (gint64 n_blocks)
{
  for (gint64 i = 0; i < n_blocks; i++)
    spin_block_clear (&blocks[i]);
  g_free (blocks);
}

int
main (int argc, char *argv[])
{
  const Bench bench = { "maps", start, run, clear };

  return bench_main (&bench, argc, argv);
}
