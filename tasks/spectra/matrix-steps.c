/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps on the host for the blocks of a matrix, in a fixed order. */
#include "config.h"

#include "tasks/spectra/coupling-bins.h"

#define BLOCK ARMILLA_MATRIX_BLOCK

typedef struct {
  ArmillaMatrixBlock block;
  gboolean reads;
  ArmillaMatrixStep step;
  gpointer user;
  GDestroyNotify unref;
} Step;

static void
step_free (gpointer user)
{
  Step *step = user;

  step->unref (step->user);
  g_free (step);
}

static gboolean
run_step (gpointer user, double *const *buffers, GError **error)
{
  const Step *step = user;

  return step->step (step->user, &step->block, buffers[step->reads ? 0 : 1],
                     buffers[step->reads ? 1 : 0], error);
}

/* Submits @step for each block of @matrix; each step accesses @other, too. */
gboolean
armilla_matrix_each_block (ArmillaGraph *graph, ArmillaMatrix *matrix, ArmillaBlocks how,
                           const ArmillaTile *other, ArmillaMatrixStep step, gpointer user,
                           GDestroyNotify unref, GError **error)
{
  const ArmillaMatrixHeader *header = armilla_matrix_header (matrix);
  const ArmillaTile *tiles = armilla_matrix_tiles (matrix, graph, error);
  const gint64 n_across = (header->columns.n + BLOCK - 1) / BLOCK;
  const gint64 n_down = (header->rows.n + BLOCK - 1) / BLOCK;
  const gboolean reads = how != ARMILLA_BLOCKS_WRITE;
  gboolean ok = tiles != NULL;

  for (gint64 b = 0; ok && b < n_down * n_across; b++)
    {
      const gint64 row = b / n_across * BLOCK, column = b % n_across * BLOCK;
      const ArmillaTile pair[] = { reads ? tiles[b] : *other, reads ? *other : tiles[b] };
      const enum starpu_data_access_mode modes[]
        = { STARPU_R, how == ARMILLA_BLOCKS_WRITE || (how == ARMILLA_BLOCKS_READ && b == 0)
                        ? STARPU_W : STARPU_RW };
      Step *one = g_new (Step, 1);

      *one = (Step) { { row, MIN (BLOCK, header->rows.n - row), column,
                        MIN (BLOCK, header->columns.n - column), b == 0 },
                      reads, step, g_atomic_rc_box_acquire (user), unref };
      ok = armilla_host_step (graph, pair[1].owner, pair, modes, 2, run_step, one, step_free,
                              error);
    }
  return ok;
}
