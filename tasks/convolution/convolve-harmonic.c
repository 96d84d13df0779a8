/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/harmonic.h>
#include <string.h>

#include "tasks/convolution/convolve-plan.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/pixels/pixels.h"

typedef struct {
  ArmillaKernel *kernel;
  gint64 lmax;
  int n_fields;
} Window;

static void
window_free (gpointer data)
{
  Window *window = data;

  armilla_kernel_unref (window->kernel);
  g_free (window);
}

static gboolean
fill_window (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Window *window = user;
  const gint64 n = window->lmax + 1;

  (void) error;
  armilla_kernel_window (window->kernel, window->lmax, piece->values);
  for (int f = 1; f < window->n_fields; f++)
    memcpy (piece->values + f * n, piece->values, sizeof *piece->values * (gsize) n);
  return TRUE;
}

/* Returns whether all fields are scalars. */
gboolean
armilla_convolve_check_spins (const int *spins, int n_fields, GError **error)
{
  for (int f = 0; f < n_fields; f++)
    if (spins[f] != 0)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "field %d has spin %d, but must be a scalar; use map2alm, smooth-alm "
                           "and alm2map for Q and U", f, spins[f]);
  return TRUE;
}

/* Requests the sum over pixels q of w_q K (p, q) f(q) through a_lm: quadrature, product with b_l,
 * synthesis (Elsner and Wandelt 2011, eq. 5). If b_l = 0 above @lmax, this equals the sum of
 * armilla_graph_convolve_rings(). Returns whether it is possible; ARMILLA_ERROR_SHAPE or
 * ARMILLA_ERROR_VALUE otherwise. */
gboolean
armilla_graph_convolve_harmonic (ArmillaGraph *graph, ArmillaMap *map, ArmillaKernel *kernel,
                                 gint64 lmax, ArmillaMap *out, GError **error)
{
  const int n_fields = armilla_map_n_fields (map);
  const ArmillaMaskOptions seen = { .from_unseen = TRUE, .outside_unseen = TRUE };
  /* The sum over pixels contains all orders, also those above n_phi / 2 of a ring: mmax is lmax. */
  const ArmillaAlmLayout layout = { lmax, lmax };
  g_autoptr (ArmillaAlm) alm = NULL, scaled = NULL;
  g_autoptr (ArmillaMap) whole = NULL;
  g_autoptr (ArmillaCl) window = NULL;
  Window *source;

  if (!armilla_check_fields (n_fields, armilla_map_n_fields (out), error)
      || !armilla_data_same_shape (ARMILLA_DATA (map), "map", ARMILLA_DATA (out), "out", error)
      || !armilla_alm_layout_check (layout, error)
      || !armilla_convolve_check_spins (armilla_map_spins (map), n_fields, error))
    return FALSE;
  alm = armilla_alm_new (layout, n_fields);
  scaled = armilla_alm_new (layout, n_fields);
  whole = armilla_map_new (armilla_map_grid (map), n_fields);
  window = armilla_cl_new (lmax, NULL, n_fields);
  source = g_new (Window, 1);
  *source = (Window) { armilla_kernel_ref (kernel), lmax, n_fields };
  return armilla_graph_fill (graph, ARMILLA_DATA (window), fill_window, source, window_free, error)
         && armilla_graph_quadrature (graph, map, alm, error)
         && armilla_graph_scale_alm (graph, alm, window, scaled, error)
         && armilla_graph_synthesis (graph, scaled, whole, error)
         && armilla_graph_mask (graph, whole, map, &seen, out, error);
}
