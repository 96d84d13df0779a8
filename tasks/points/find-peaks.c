/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maxima and minima of maps as objects. A step finds those of each ring block; the submitting
 * thread waits for them. */
#include "config.h"

#include <math.h>

#include "codelets/fields/pixel-ops-math.h"
#include "core/catalogues/catalogue.h"
#include "core/grids/grid.h"
#include "tasks/data/data-private.h"
#include "tasks/data/objects.h"
#include "tasks/graph/jobs.h"
#include "tasks/graph/ledger.h"
#include "tasks/pixels/sampler.h"
#include "tasks/points/block-values.h"
#include "tasks/points/sample.h"

/* Request for peaks; each step of an I/O thread has a copy. */
typedef struct {
  int field;
  ArmillaPeaks which;
  double threshold;
} Find;

/* Pixels around a candidate. */
typedef struct {
  const ArmillaGathered *in;
  const ArmillaGrid *whole;
  gint64 *own; /* [ring of the whole grid]: its index in the gathered grid, or -1 */
  int field;
} Around;

typedef struct {
  gint64 pixel;
  double value;
  gboolean is_minimum;
} Peak;

/* State of a request in progress. */
typedef struct {
  const Find *find;
  const ArmillaRingBlocks *rings;
  GArray *peaks; /* Peak */
} Work;

/* Returns whether @value, times @sign, exceeds all seen neighbours; FALSE if there are none. */
static gboolean
exceeds (const Around *around, const ArmillaPixelRun *runs, int n_runs, double value, double sign)
{
  gint64 seen = 0;

  for (int k = 0; k < n_runs; k++)
    {
      const gint64 own = around->own[runs[k].ring];
      const gint64 n_phi = around->whole->rings[runs[k].ring].n_phi;
      const double *ring;

      if (own < 0)
        continue;
      ring = around->in->rings[own] + around->field * around->in->strides[own];
      for (gint64 i = 0; i < runs[k].n; i++)
        {
          const double other = ring[(runs[k].first + i) % n_phi];

          if (armilla_is_unseen_value (other))
            continue;
          if (!(sign * value > sign * other))
            return FALSE;
          seen++;
        }
    }
  return seen > 0;
}

/* Returns 1 for a maximum, -1 for a minimum, 0 for no peak. */
static int
classify (const Find *find, const Around *around, gint64 own, gint64 j)
{
  const ArmillaRing *ring = &around->in->grid->rings[own];
  const double *pixels = around->in->rings[own] + around->field * around->in->strides[own];
  const double value = pixels[j];
  const double west = pixels[(j + ring->n_phi - 1) % ring->n_phi];
  const double east = pixels[(j + 1) % ring->n_phi];
  ArmillaPixelRun runs[ARMILLA_MAX_NEIGHBOUR_RUNS];
  int n;

  if (armilla_is_unseen_value (value))
    return 0;
  for (int type = 1; type >= -1; type -= 2)
    {
      /* a quick test that rejects most pixels; not at a pole, where all pixels of a ring are one
       * point */
      const gboolean lower = ring->sin_theta > 1e-12 && ring->n_phi > 1
                             && ((type * west >= type * value && !armilla_is_unseen_value (west))
                                 || (type * east >= type * value
                                     && !armilla_is_unseen_value (east)));

      if (find->which == (type > 0 ? ARMILLA_PEAKS_MINIMA : ARMILLA_PEAKS_MAXIMA) || lower
          || !(type * value >= find->threshold))
        continue;
      n = armilla_grid_neighbours (around->whole,
                                   armilla_grid_ring_of (around->whole, ring->offset), j, runs);
      if (exceeds (around, runs, n, value, type))
        return type;
    }
  return 0;
}

/* Writes the number of peaks of a block, and then for each peak the number of its pixel (from 1;
 * negative for a minimum) and its value. */
static void
find_in_block (gpointer user, const ArmillaGathered *in, const ArmillaRingBlock *block, double *out)
{
  const Find *find = user;
  const ArmillaGrid *whole = armilla_grid_whole ((ArmillaGrid *) in->grid);
  g_autofree gint64 *own = g_new (gint64, whole->n_rings);
  const Around around = { in, whole, own, find->field };
  gint64 n = 0;

  for (gint64 r = 0; r < whole->n_rings; r++)
    own[r] = armilla_grid_ring_of (in->grid, whole->rings[r].offset);
  for (gint64 slot = 0; slot < 2 * block->n_pairs; slot++)
    for (gint64 j = 0; j < block->slots[slot].n_phi; j++)
      {
        const gint64 pixel = block->first_pixel[slot] + j;
        const gint64 ring = armilla_grid_ring_of (in->grid, block->first_pixel[slot]);
        const int type = classify (find, &around, ring, j);

        if (type == 0)
          continue;
        out[1 + 2 * n] = type * (double) (pixel + 1);
        out[2 + 2 * n++] = in->rings[ring][find->field * in->strides[ring] + j];
      }
  out[0] = (double) n;
}

static int
block_of (gpointer user, int part)
{
  (void) user;
  return part;
}

static gint64
peaks_size (gpointer user, int block)
{
  return 1 + 2 * ((Work *) user)->rings->block[block].n_pixels;
}

static gpointer
begin_block (gpointer user, int block)
{
  (void) block;
  return g_memdup2 (((Work *) user)->find, sizeof (Find));
}

static gboolean
take_peaks (gpointer user, int block, const double *values, GError **error)
{
  Work *work = user;

  (void) block, (void) error;
  for (gint64 i = 0; i < (gint64) values[0]; i++)
    {
      const double number = values[1 + 2 * i];
      const Peak peak = { (gint64) fabs (number) - 1, values[2 + 2 * i], number < 0 };

      g_array_append_val (work->peaks, peak);
    }
  return TRUE;
}

static const ArmillaBlockValues block_peaks
  = { .block = block_of, .size = peaks_size, .begin = begin_block, .step = find_in_block,
      .destroy = g_free, .take = take_peaks };

static int
by_pixel (gconstpointer a, gconstpointer b)
{
  const Peak *p = a, *q = b;

  return p->pixel < q->pixel ? -1 : p->pixel > q->pixel;
}

/* Returns the peaks as a catalogue, in the order of the pixels. */
static ArmillaCatalogue *
make_catalogue (GArray *peaks, const ArmillaGrid *grid, ArmillaObjects *out, GError **error)
{
  const ArmillaCatalogue *like = armilla_objects_like (out);
  g_autoptr (ArmillaCatalogue) c = armilla_catalogue_new (peaks->len, 0, error);
  double *column[ARMILLA_PEAK_COLUMNS];

  if (!c)
    return NULL;
  c->coordsys = like->coordsys;
  for (int i = 0; i < ARMILLA_PEAK_COLUMNS; i++)
    if (!(column[i] = armilla_catalogue_add_value (c, like->values[i].name, like->values[i].unit,
                                                   error)))
      return NULL;
  g_array_sort (peaks, by_pixel);
  for (guint i = 0; i < peaks->len; i++)
    {
      const Peak *peak = &g_array_index (peaks, Peak, i);
      double v[3];

      armilla_grid_pixel_vector (grid, peak->pixel, v);
      c->x[i] = v[0];
      c->y[i] = v[1];
      c->z[i] = v[2];
      column[0][i] = peak->value;
      column[1][i] = (double) peak->pixel;
      column[2][i] = peak->is_minimum ? -1 : 1;
    }
  return g_steal_pointer (&c);
}

/* Adds as many peaks as noise has, in a forecast, which has no pixels. */
static void
expect_peaks (const ArmillaGrid *grid, const Find *find, GArray *peaks)
{
  for (gint64 r = 0; r < grid->n_rings; r++)
    for (gint64 j = r % 9; j < grid->rings[r].n_phi; j += 9)
      {
        const gboolean is_minimum
          = find->which == ARMILLA_PEAKS_BOTH ? j % 2 == 1 : find->which == ARMILLA_PEAKS_MINIMA;
        const double value = isfinite (find->threshold) ? find->threshold : 0;
        const Peak peak = { grid->rings[r].offset + j, is_minimum ? -value : value, is_minimum };

        g_array_append_val (peaks, peak);
      }
}

static gboolean
run_find (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (job->in[0]);
  ArmillaObjects *out = ARMILLA_OBJECTS (job->out);
  ArmillaRingBlocks *rings = armilla_map_ring_blocks (map, graph, error);
  const ArmillaTile *in = rings ? armilla_map_tiles (map, graph, error) : NULL;
  g_autoptr (GArray) peaks = g_array_new (FALSE, FALSE, sizeof (Peak));
  Work work = { job->args, rings, peaks };
  g_autoptr (ArmillaCatalogue) made = NULL;
  g_auto (ArmillaSampler) sampler = { 0 };

  if (!in)
    return FALSE;
  armilla_sampler_init (&sampler, rings->grid);
  if (!armilla_block_values (graph, rings, in, armilla_sampler_reach (&sampler), rings->n,
                             &block_peaks, &work, error))
    return FALSE;
  if (graph->taker.kind)
    expect_peaks (rings->grid, job->args, peaks);
  made = make_catalogue (peaks, rings->grid, out, error);
  if (!made)
    return FALSE;
  armilla_objects_set_catalogue (out, made);
  armilla_ledger_note_objects (graph, job->label->node, made->n);
  return TRUE;
}

/* Estimates the memory for the peaks of a map. In noise every ninth pixel is a maximum. Peaks are
 * stored in results of ring blocks that are not yet taken, in an array, which grows by doubling,
 * and in a catalogue. */
double
armilla_find_peaks_bytes (const ArmillaGrid *grid)
{
  const double n = (double) grid->n_covered, doubles = (double) ARMILLA_PARTS_DOUBLES;

  return sizeof (double) * MIN (2 * n, doubles)
         + n / 9 * (2.0 * sizeof (Peak) + (3 + ARMILLA_PEAK_COLUMNS) * sizeof (double));
}

/* Requests the pixels of a field that are above (maxima) or below (minima) all their seen
 * neighbours, see core/grids/neighbours.c: equal neighbours are no peaks. Maxima are at least
 * @threshold, minima at most -@threshold; -infinity for no limit. @out: objects with
 * ARMILLA_PEAK_COLUMNS further columns. Returns whether the shapes fit; ARMILLA_ERROR_SHAPE
 * otherwise. */
gboolean
armilla_graph_find_peaks (ArmillaGraph *graph, ArmillaMap *map, int field, ArmillaPeaks which,
                          double threshold, ArmillaObjects *out, GError **error)
{
  const Find find = { field, which, threshold };
  const ArmillaJob job = { .run = run_find, .in = { ARMILLA_DATA (map) },
                           .out = ARMILLA_DATA (out), .args = &find, .args_size = sizeof find };

  if (field < 0 || field >= armilla_map_n_fields (map)
      || armilla_objects_like (out)->n_values != ARMILLA_PEAK_COLUMNS)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "peaks of field %d of %d, with %d further columns; they must be %d", field,
                         armilla_map_n_fields (map), armilla_objects_like (out)->n_values,
                         ARMILLA_PEAK_COLUMNS);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
