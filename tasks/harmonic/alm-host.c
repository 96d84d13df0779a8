/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cheap operations on a_lm and spectra that run on the host. */
#include "config.h"

#include <armilla/harmonic.h>
#include <math.h>
#include <string.h>

#include "tasks/harmonic/analysis-private.h"

/* Arguments of a resizing task, which fills an m-block of the new layout from the blocks of the old
 * one that contain some of its orders. */
typedef struct {
  const ArmillaOrderBlocks *from, *to;
  /* indices of a block in @to, and of the first and last block in @from; none if last < first */
  int block, first, last;
  int n_fields;
} Resize;

/* Copies the multipoles of order m that both layouts contain. */
static void
copy_order (const Resize *r, int from, gint64 m, const double *in, double *out)
{
  gint64 lmax_in = r->from->layout.lmax, lmax_out = r->to->layout.lmax;
  gint64 at_in = armilla_alm_index (lmax_in, m, m)
                 - armilla_alm_index (lmax_in, r->from->m_first[from], r->from->m_first[from]);
  gint64 at_out = armilla_alm_index (lmax_out, m, m)
                  - armilla_alm_index (lmax_out, r->to->m_first[r->block],
                                       r->to->m_first[r->block]);
  gint64 n_in = armilla_order_block_count (r->from, from);
  gint64 n_out = armilla_order_block_count (r->to, r->block);
  gint64 n = MIN (lmax_in, lmax_out) + 1 - m;

  for (int f = 0; n > 0 && f < r->n_fields; f++)
    memcpy (out + 2 * (f * n_out + at_out), in + 2 * (f * n_in + at_in),
            sizeof (double) * 2 * (gsize) n);
}

static gboolean
resize_block (gpointer user, double *const *buffers, GError **error)
{
  const Resize *r = user;
  double *out = buffers[r->last - r->first + 1];
  gint64 n = r->n_fields * armilla_order_block_count (r->to, r->block);

  (void) error;
  memset (out, 0, sizeof (double) * 2 * (gsize) n);
  for (int b = r->first; b <= r->last; b++)
    for (gint64 m = MAX (r->from->m_first[b], r->to->m_first[r->block]);
         m <= MIN (r->from->m_last[b], r->to->m_last[r->block]); m++)
      copy_order (r, b, m, buffers[b - r->first], out);
  return TRUE;
}

/* Finds the blocks of the old layout that contain orders of the new block. */
static void
find_blocks (Resize *r)
{
  r->first = r->from->n;
  r->last = -1;
  for (int b = 0; b < r->from->n; b++)
    if (r->from->m_first[b] <= r->to->m_last[r->block]
        && r->from->m_last[b] >= r->to->m_first[r->block])
      {
        r->first = MIN (r->first, b);
        r->last = b;
      }
  if (r->last < 0)
    r->first = 0;
}

/* Submits the copy of a_lm to the tiles of another layout: multipoles that it lacks are dropped,
 * those that the first one lacks are 0. */
gboolean
armilla_alm_tiles_resize (ArmillaGraph *graph, const ArmillaOrderBlocks *from,
                          const ArmillaTile *in, const ArmillaOrderBlocks *to,
                          const ArmillaTile *out, int n_fields, GError **error)
{
  Resize r = { .from = from, .to = to, .n_fields = n_fields };
  g_autofree ArmillaTile *tiles = g_new (ArmillaTile, r.from->n + 1);
  g_autofree enum starpu_data_access_mode *modes
    = g_new (enum starpu_data_access_mode, r.from->n + 1);

  for (r.block = 0; r.block < r.to->n; r.block++)
    {
      int n = 0;

      find_blocks (&r);
      for (int b = r.first; b <= r.last; b++)
        {
          tiles[n] = in[b];
          modes[n++] = STARPU_R;
        }
      tiles[n] = out[r.block];
      modes[n++] = STARPU_W;
      if (!armilla_host_step (graph, r.to->owner[r.block], tiles, modes, n, resize_block,
                              g_memdup2 (&r, sizeof r), g_free, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_resize (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (job->in[0]), *resized = ARMILLA_ALM (job->out);
  const ArmillaTile *in = armilla_alm_tiles (alm, graph, error);
  const ArmillaTile *out = in ? armilla_alm_tiles (resized, graph, error) : NULL;

  return out
         && armilla_alm_tiles_resize (graph, armilla_alm_order_blocks (alm, graph), in,
                                      armilla_alm_order_blocks (resized, graph), out,
                                      armilla_alm_n_fields (alm), error);
}

/* Requests the same a_lm in another layout: multipoles that @out lacks are dropped, those that @alm
 * lacks are 0. Returns whether the shapes fit; ARMILLA_ERROR_SHAPE or ARMILLA_ERROR_VALUE
 * otherwise. @out: a_lm of F fields and any layout; written. */
gboolean
armilla_graph_resize_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaAlm *out, GError **error)
{
  ArmillaJob job
    = { .run = run_resize, .in = { ARMILLA_DATA (alm) }, .out = ARMILLA_DATA (out) };

  if (!armilla_check_fields (armilla_alm_n_fields (alm), armilla_alm_n_fields (out), error)
      || !armilla_alm_layout_check (armilla_alm_layout (alm), error)
      || !armilla_alm_layout_check (armilla_alm_layout (out), error))
    return FALSE;
  armilla_graph_defer (graph, &job);
  return TRUE;
}

typedef struct {
  gint64 lmax;
  int n_fields;
  double power;
  ArmillaGraph *graph;
  const char *node; /* node that computes the spectra; lives as long as the graph */
} Power;

/* Adds a note for the user, once, if negative powers were replaced by 0. */
static void
note_zeros (const Power *power, int field, gint64 n, gint64 first, gint64 last)
{
  armilla_graph_note (power->graph, power->node,
                      "spectrum %d (from 0) is 0 at %" G_GINT64_FORMAT " multipole%s, from l = %"
                      G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                      "; to the power %g it is set to 0 there",
                      field, n, n == 1 ? "" : "s", first, last, power->power);
}

static gboolean
raise_cl (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Power *power = user;

  for (int f = 0; f < power->n_fields; f++)
    {
      gint64 n_zeros = 0, first = 0, last = 0;

      for (gint64 l = 0; l <= power->lmax; l++)
        {
          gint64 i = f * (power->lmax + 1) + l;
          const double x = in[0].values[i];
          const gboolean zero = x == 0 && power->power < 0;
          const double y = zero ? 0 : pow (x, power->power);

          if (!isfinite (y))
            return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                                 "spectrum %d (from 0) is %g at l = %" G_GINT64_FORMAT ", and "
                                 "that to the power %g is not a finite number", f, x, l,
                                 power->power);
          if (zero && n_zeros++ == 0)
            first = l;
          last = zero ? l : last;
          out->values[i] = y;
        }
      if (n_zeros > 0)
        note_zeros (power, f, n_zeros, first, last);
    }
  return TRUE;
}

gboolean
armilla_graph_power_cl (ArmillaGraph *graph, ArmillaCl *cl, double power, ArmillaCl *out,
                        GError **error)
{
  const Power raise
    = { armilla_cl_lmax (cl), armilla_cl_n_fields (cl), power, graph, graph->label->node };
  ArmillaData *in = ARMILLA_DATA (cl);

  return armilla_check_fields (armilla_cl_n_fields (cl), armilla_cl_n_fields (out), error)
         && armilla_data_same_shape (in, "cl", ARMILLA_DATA (out), "out", error)
         && armilla_graph_make (graph, &in, 1, ARMILLA_DATA (out), raise_cl,
                                g_memdup2 (&raise, sizeof raise), g_free, error);
}
