/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles to modes and back: every value is where the layouts of redistribute.h say. */
#include <glib.h>

#include "codelets/rings/redistribute.h"

#define POISON 7.7e77

/* Pairs of the tile. */
static gint64
tile_pairs (const ArmillaRedistributeShape *shape)
{
  return shape->tile_pairs ? shape->tile_pairs : shape->n_pairs;
}

static gint64
tile_index (const ArmillaRedistributeShape *shape, gint64 m, gint64 field, gint64 row, gint64 pair)
{
  const gint64 n_orders = shape->m_last - shape->m_first + 1;

  pair += shape->tile_first;
  return 2 * (((field * tile_pairs (shape) + pair) * 2 + row / 2) * n_orders + m - shape->m_first)
         + row % 2;
}

static gint64
modes_index (const ArmillaRedistributeShape *shape, gint64 field, gint64 slot, gint64 m)
{
  return 2 * ((field * 2 * shape->n_pairs + slot) * (shape->mmax + 1) + m);
}

static void
check_forward (const ArmillaRedistributeShape *shape, const ArmillaRingSlot *slots,
               const double *tile)
{
  const gint64 n = shape->n_fields * 4 * shape->n_pairs * (shape->mmax + 1);
  g_autofree double *modes = g_new (double, (gsize) n);

  for (gint64 i = 0; i < n; i++)
    modes[i] = POISON;
  armilla_redistribute_forward_cpu (shape, slots, tile, modes);
  for (gint64 field = 0; field < shape->n_fields; field++)
    for (gint64 slot = 0; slot < 2 * shape->n_pairs; slot++)
      for (gint64 m = 0; m <= shape->mmax; m++)
        for (int part = 0; part < 2; part++)
          {
            double expected = POISON;

            if (m >= shape->m_first && m <= shape->m_last)
              expected = slots[slot].n_phi ? tile[tile_index (shape, m, field,
                                                              2 * (slot % 2) + part, slot / 2)]
                                           : 0;
            g_assert_cmpfloat (modes[modes_index (shape, field, slot, m) + part], ==, expected);
          }
}

static void
check_backward (const ArmillaRedistributeShape *shape, const ArmillaRingSlot *slots,
                const double *modes)
{
  const gint64 n
      = (shape->m_last - shape->m_first + 1) * shape->n_fields * 4 * tile_pairs (shape);
  g_autofree double *tile = g_new (double, (gsize) n);
  gint64 n_written = 0;

  for (gint64 i = 0; i < n; i++)
    tile[i] = POISON;
  armilla_redistribute_backward_cpu (shape, slots, modes, tile);
  for (gint64 i = 0; i < n; i++)
    n_written += tile[i] != POISON;
  /* Nothing beyond the pairs that are meant. */
  g_assert_cmpint (n_written, ==, n / tile_pairs (shape) * shape->n_pairs);
  for (gint64 m = shape->m_first; m <= shape->m_last; m++)
    for (gint64 field = 0; field < shape->n_fields; field++)
      for (gint64 row = 0; row < 4; row++)
        for (gint64 pair = 0; pair < shape->n_pairs; pair++)
          {
            const gint64 slot = 2 * pair + row / 2;
            const double expected
                = slots[slot].n_phi ? modes[modes_index (shape, field, slot, m) + row % 2] : 0;

            g_assert_cmpfloat (tile[tile_index (shape, m, field, row, pair)], ==, expected);
          }
}

static void
check_shape (const ArmillaRedistributeShape *shape, gboolean absent)
{
  const gint64 n_tile
      = (shape->m_last - shape->m_first + 1) * shape->n_fields * 4 * tile_pairs (shape);
  const gint64 n_modes = shape->n_fields * 4 * shape->n_pairs * (shape->mmax + 1);
  g_autofree ArmillaRingSlot *slots = g_new0 (ArmillaRingSlot, (gsize) (2 * shape->n_pairs));
  g_autofree double *tile = g_new (double, (gsize) n_tile);
  g_autofree double *modes = g_new (double, (gsize) n_modes);

  for (gint64 i = 0; i < 2 * shape->n_pairs; i++)
    slots[i].n_phi = absent && (i * 7 + i / 5) % 4 == 0 ? 0 : 4 + i;
  for (gint64 i = 0; i < n_tile; i++)
    tile[i] = (double) i + 0.5;
  for (gint64 i = 0; i < n_modes; i++)
    modes[i] = -(double) i - 0.25;
  check_forward (shape, slots, tile);
  check_backward (shape, slots, modes);
}

/* Sizes on both sides of the squares that the CUDA kernel works in, 32 orders by 32 pairs. */
static void
test_all_sizes (void)
{
  const gint64 sizes[] = { 1, 2, 3, 15, 16, 17, 31, 32, 33, 50 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++)
      for (gint64 first = 0; first < 20; first += 19)
        for (gint64 n_fields = 1; n_fields <= 3; n_fields += 2)
          {
            const ArmillaRedistributeShape shape
                = { first + sizes[i] + (first ? 4 : -1), first, first + sizes[i] - 1, n_fields,
                    sizes[j], first ? sizes[j] + 7 : 0, first ? 3 : 0 };

            check_shape (&shape, first > 0);
          }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/redistribute/all-sizes", test_all_sizes);
  return g_test_run ();
}
