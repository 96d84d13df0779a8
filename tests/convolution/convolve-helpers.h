/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions of arrays through the graph, and the sum over pixels itself. They set the
 * runtime. */
#pragma once

#include "core/kernels/kernel.h"
#include "tasks/convolution/convolve.h"
#include "tests/lib/transform-helpers.h"

static const double arcmin = G_PI / 10800;

/* By rings (lmax < 0), or through a_lm. */
static inline double *
convolve (ArmillaGrid *grid, double *values, int n_fields, ArmillaKernel *kernel,
          const ArmillaRingConvolution *options, gint64 lmax, gint64 ring_block)
{
  const ArmillaTilingOptions tiling = { .ring_block = ring_block };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, &tiling, &error);
  g_autoptr (ArmillaMap) in = armilla_map_new (grid, n_fields);
  g_autoptr (ArmillaMap) out = armilla_map_new (grid, n_fields);
  WholeMap from = { values, grid->n_pixels };
  WholeMap to = { g_new (double, grid->n_pixels * n_fields), grid->n_pixels };

  for (gint64 i = 0; i < grid->n_pixels * n_fields; i++)
    to.values[i] = NAN;
  g_assert_no_error (error);
  armilla_graph_fill (graph, ARMILLA_DATA (in), whole_map_fill, &from, NULL, &error);
  g_assert_no_error (error);
  if (lmax < 0)
    armilla_graph_convolve_rings (graph, in, kernel, options, out, &error);
  else
    armilla_graph_convolve_harmonic (graph, in, kernel, lmax, out, &error);
  g_assert_no_error (error);
  armilla_graph_drain (graph, ARMILLA_DATA (out), whole_map_take, NULL, &to, NULL, &error);
  g_assert_no_error (error);
  armilla_data_release (ARMILLA_DATA (in));
  armilla_data_release (ARMILLA_DATA (out));
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_no_error (error);
  return to.values;
}

/* sum over q of w_q K (p, q) f(q) at one pixel (Elsner and Wandelt 2011, eq. 6), the chord from
 * unit vectors in long double. */
static inline double
pixel_sum (const ArmillaGrid *grid, const double *vectors, const double *values,
           const ArmillaKernelTable *table, gint64 p)
{
  const double *v = vectors + 3 * p;
  long double sum = 0;

  for (gint64 r = 0; r < grid->n_rings; r++)
    {
      const ArmillaRing *ring = &grid->rings[r];
      const double dz = v[2] - ring->cos_theta, ds = hypot (v[0], v[1]) - ring->sin_theta;

      if (dz * dz + ds * ds > table->chord2 * (1 + 1e-9) + 1e-12)
        continue;
      for (gint64 q = ring->offset; q < ring->offset + ring->n_phi; q++)
        {
          const double *w = vectors + 3 * q;
          const double x = v[0] - w[0], y = v[1] - w[1], z = v[2] - w[2];
          const double chord2 = x * x + y * y + z * z;

          if (chord2 <= table->chord2 && !armilla_is_unseen (values[q]))
            sum += (long double) (ring->weight * armilla_kernel_table_value (table, chord2))
                   * values[q];
        }
    }
  return (double) sum;
}

static inline double *
pixel_vectors (const ArmillaGrid *grid)
{
  double *vectors = g_new (double, 3 * grid->n_pixels);

  for (gint64 p = 0; p < grid->n_pixels; p++)
    armilla_grid_pixel_vector (grid, p, vectors + 3 * p);
  return vectors;
}
