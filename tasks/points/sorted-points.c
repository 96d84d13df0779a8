/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the grid for points and sorts these into its bands. A band is a ring block of the grid:
 * the supports of its points begin in the rings of the block, and end in neighbouring blocks. */
#include "config.h"

#include <armilla/memory.h>
#include <math.h>

#include "codelets/rings/ring-fft-math.h"
#include "core/catalogues/catalogue.h"
#include "core/grids/grid.h"
#include "tasks/data/objects.h"
#include "tasks/planning/forecast-private.h"
#include "tasks/points/points.h"
#include "tasks/points/sorted-points.h"
#include "tasks/trace/trace-private.h"

/* Samples of the grid per sample that the a_lm need, in both directions. A coarser grid needs wider
 * kernels, but unless there are many more points than pixels, most of the time is spent on the
 * grid. From this error on kernels of a coarse grid have at most 14 taps. */
#define FINE 2.0
#define COARSE 1.5
#define COARSE_EPSILON 1e-9
/* Minimum numbers of rings and of columns; they must exceed the width of the kernel. */
#define MIN_SAMPLES 20
/* Ring pairs of a band on cores: a tile of one field and its neighbours stay in a cache, and there
 * are tasks for many cores. 256 pairs took 1.4 times as long for lmax 1500 and 4e6 points. */
#define BAND_PAIRS 64
/* Relative times of a pixel and of a point, for one field. */
#define PIXEL_COST 1.0
#define POINT_COST 2.0
/* name of the sorting in a trace */
#define STEP "sort-points"

static const char need_type;

/* Data shared by the threads that sort. */
typedef struct {
  const ArmillaSortedPoints *points;
  gint64 *bad;      /* [block]: first object whose position is not finite; -1: none */
  double **places;  /* [band]: memory of the tiles; NULL on ranks that do not own them */
  gint64 **start;   /* [band] */
} Sorting;

static gint64
smooth_from (gint64 n)
{
  while (!armilla_is_smooth (n))
    n++;
  return n;
}

static double
oversampling (double epsilon)
{
  return epsilon >= COARSE_EPSILON ? COARSE : FINE;
}

void
armilla_points_grid_size (ArmillaAlmLayout layout, double epsilon, gint64 *n_rings,
                          gint64 *n_columns)
{
  const double rings = ceil (oversampling (epsilon) * (double) (layout.lmax + 1));
  const double half = ceil (oversampling (epsilon) * ((double) layout.mmax + 0.5));

  *n_rings = smooth_from (MAX ((gint64) rings, MIN_SAMPLES)) + 1;
  *n_columns = 2 * smooth_from (MAX ((gint64) half, MIN_SAMPLES / 2));
}

gint64
armilla_sorted_points_first (const ArmillaSortedPoints *self, int band)
{
  return self->sort->first[band];
}

gint64
armilla_sorted_points_count (const ArmillaSortedPoints *self, int band)
{
  return self->sort->first[band + 1] - self->sort->first[band];
}

static void
sort_block (gpointer user, gint64 block, int member)
{
  const Sorting *self = user;
  const ArmillaSortedPoints *points = self->points;

  (void) member;
  self->bad[block]
    = armilla_points_sort_block (points->sort, block, points->x, points->y, points->z);
}

static void
sort_band (gpointer user, gint64 band, int member)
{
  const Sorting *self = user;
  const ArmillaSortedPoints *points = self->points;

  (void) member;
  if (self->start[band])
    armilla_points_sort_band (points->sort, band, self->places[band], self->start[band],
                              points->order + points->sort->first[band]);
}

/* Creates the tiles of the bands, and allocates those of this rank. */
static gboolean
make_tiles (ArmillaSortedPoints *self, ArmillaGraph *graph, Sorting *sorting, GError **error)
{
  for (int b = 0; b < self->rings->n; b++)
    {
      const int owner = self->rings->block[b].owner;
      const gint64 n = armilla_sorted_points_count (self, b);
      const gint64 n_starts = self->sort->first_cell[b + 1] - self->sort->first_cell[b] + 1;

      if (n == 0)
        continue;
      if (owner != graph->view.rank)
        {
          sorting->start[b] = g_new (gint64, n_starts); /* for the order, which all ranks need */
          if (!armilla_tile_new (graph, owner, 2 * n, &self->places[b], error)
              || !armilla_tile_new (graph, owner, n_starts, &self->start[b], error))
            return FALSE;
          continue;
        }
      sorting->places[b] = armilla_tile_memory (graph, owner, 2 * n, &self->places[b], error);
      if (!sorting->places[b])
        return FALSE;
      sorting->start[b]
        = (gint64 *) armilla_tile_memory (graph, owner, n_starts, &self->start[b], error);
      if (!sorting->start[b])
        return FALSE;
    }
  return TRUE;
}

static void
release_tiles (const ArmillaSortedPoints *self, const Sorting *sorting)
{
  for (int b = 0; b < self->rings->n; b++)
    {
      if (!sorting->places[b])
        {
          g_free (sorting->start[b]);
          continue;
        }
      starpu_data_release (self->places[b].handle);
      if (sorting->start[b])
        starpu_data_release (self->start[b].handle);
    }
}

static gboolean
sort_bands (ArmillaSortedPoints *self, ArmillaGraph *graph, GError **error)
{
  g_autofree double **places = g_new0 (double *, self->rings->n);
  g_autofree gint64 **start = g_new0 (gint64 *, self->rings->n);
  Sorting sorting = { self, NULL, places, start };
  const gboolean ok = make_tiles (self, graph, &sorting, error);

  if (ok)
    armilla_graph_use_cores (graph, self->rings->n, sort_band, &sorting);
  release_tiles (self, &sorting);
  return ok;
}

static double
cost_of (const ArmillaSortedPoints *self, int band)
{
  return PIXEL_COST * (double) self->rings->block[band].n_pixels
         + POINT_COST * (double) armilla_sorted_points_count (self, band);
}

/* Distributes the bands (ring blocks of the grid) to the ranks, in their order, so that ranks
 * exchange little more than halos, and so that the work (pixels and points) is even. */
static void
deal_bands (ArmillaSortedPoints *self, ArmillaGraph *graph)
{
  const double *speeds = armilla_graph_speeds (graph);
  const int n_ranks = graph->view.n_ranks;
  double all = 0, all_speeds = 0, before = 0, end = 0;

  for (int r = 0; r < n_ranks; r++)
    all_speeds += speeds[r];
  for (int b = 0; b < self->rings->n; b++)
    all += cost_of (self, b);
  for (int b = 0, rank = -1; b < self->rings->n; b++)
    {
      const double cost = cost_of (self, b);

      while (rank < n_ranks - 1 && (rank < 0 || before + cost / 2 >= end))
        end += all * speeds[++rank] / all_speeds;
      self->rings->block[b].owner = rank;
      before += cost;
    }
}

static gboolean
sort_with (ArmillaSortedPoints *self, ArmillaGraph *graph, void *scratch, GError **error)
{
  g_autofree gint64 *bad = NULL;
  Sorting sorting = { .points = self };

  self->sort = armilla_points_sort_new (&self->shape, self->n, scratch);
  self->order = g_try_new (gint64, (gsize) MAX (self->n, 1));
  if (!self->sort || !self->order)
    return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                         "out of memory: cannot sort %" G_GINT64_FORMAT " points", self->n);
  sorting.bad = bad = g_new (gint64, self->sort->n_blocks + 1);
  armilla_graph_use_cores (graph, self->sort->n_blocks, sort_block, &sorting);
  for (gint64 i = 0; i < self->sort->n_blocks; i++)
    if (bad[i] >= 0)
      return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                           "the position of object %" G_GINT64_FORMAT " is not finite",
                           bad[i] + 1);
  armilla_points_sort_count (self->sort);
  if (graph->view.n_ranks > 1)
    deal_bands (self, graph);
  return sort_bands (self, graph, error);
}

/* Sorts with scratch memory for tiles, which is reused for the next tiles. */
static gboolean
sort (ArmillaSortedPoints *self, ArmillaGraph *graph, GError **error)
{
  const gsize size = (gsize) armilla_points_sort_scratch (MAX (self->n, 1));
  gpointer step = armilla_trace_step (armilla_graph_get_trace (graph), graph, STEP,
                                      (double) size);
  void *scratch = NULL;
  gboolean ok;

  if (starpu_malloc_flags (&scratch, size, 0) != 0)
    return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                         "out of memory: cannot allocate %" G_GSIZE_FORMAT " bytes for points",
                         size);
  armilla_trace_step_event (step, ARMILLA_STEP_READY);
  armilla_trace_step_event (step, ARMILLA_STEP_BEGINS);
  ok = sort_with (self, graph, scratch, error);
  armilla_trace_step_event (step, ARMILLA_STEP_ENDS);
  starpu_free_flags (scratch, size, 0);
  return ok;
}

/* Finds the tiles that bands with points need. */
static void
find_tiles (ArmillaSortedPoints *self)
{
  const int n = self->rings->n;

  self->first_tile = g_new0 (int, n);
  self->last_tile = g_new (int, n);
  for (int b = 0; b < n; b++)
    {
      const ArmillaPointsBand band = armilla_points_grid_band (&self->shape, b);
      gint64 end, first = armilla_points_needed (&band, &end);

      self->last_tile[b] = -1;
      for (int i = 0; armilla_sorted_points_count (self, b) > 0 && i < n; i++)
        {
          if (self->first_pair[i] <= first)
            self->first_tile[b] = i;
          if (self->first_pair[i] < end)
            self->last_tile[b] = i;
        }
    }
}

/* Frees the data once the tasks submitted so far are done with the tiles. */
static void
sorted_points_free (gpointer data)
{
  ArmillaSortedPoints *self = data;

  for (int b = 0; self->places && b < self->rings->n; b++)
    {
      armilla_tile_drop (&self->places[b]);
      armilla_tile_drop (&self->start[b]);
    }
  g_free (self->places);
  g_free (self->start);
  g_free (self->first_pair);
  g_free (self->first_tile);
  g_free (self->last_tile);
  g_free (self->order);
  g_clear_pointer (&self->sort, armilla_points_sort_free);
  g_clear_pointer (&self->grid, armilla_grid_unref);
  if (self->catalogue)
    armilla_catalogue_unref (self->catalogue);
  g_free (self);
}

static gboolean
init (ArmillaSortedPoints *self, ArmillaGraph *graph, GError **error)
{
  gint64 n_rings, n_columns;

  armilla_points_grid_size (self->need.layout, self->need.epsilon, &n_rings, &n_columns);
  self->grid = armilla_grid_new_unweighted (n_rings, n_columns, error);
  if (!self->grid)
    return FALSE;
  self->rings = armilla_graph_ring_blocks_of (
    graph, self->grid,
    graph->view.gpus ? armilla_ring_blocks_default (self->grid, TRUE) : BAND_PAIRS, error);
  if (!self->rings)
    return FALSE;
  if (armilla_points_kernel_init (&self->kernel, self->need.epsilon,
                                  oversampling (self->need.epsilon))
      != 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "epsilon = %g: must be from %g to %g",
                         self->need.epsilon, ARMILLA_POINTS_MIN_EPSILON,
                         ARMILLA_POINTS_MAX_EPSILON);
  self->first_pair = g_new (gint64, self->rings->n);
  for (gint64 b = 0, pair = 0; b < self->rings->n; pair += self->rings->block[b++].n_pairs)
    self->first_pair[b] = pair;
  self->shape = (ArmillaPointsGrid) { n_rings, n_columns, self->kernel.width,
                                      (gint64) graph->view.isa, self->rings->n, self->first_pair };
  self->places = g_new0 (ArmillaTile, self->rings->n);
  self->start = g_new0 (ArmillaTile, self->rings->n);
  if (!sort (self, graph, error))
    return FALSE;
  find_tiles (self);
  return TRUE;
}

/* Returns whether the points serve a job on these positions; a NULL catalogue is not known yet, and
 * may have them. */
static gboolean
serves (const ArmillaSortedPoints *self, const ArmillaPointsNeed *need,
        const ArmillaCatalogue *catalogue)
{
  return need->epsilon == self->need.epsilon && need->layout.lmax == self->need.layout.lmax
         && need->layout.mmax == self->need.layout.mmax
         && need->angles == self->need.angles
         && (!catalogue || catalogue->x == self->x);
}

static void
trim (ArmillaGraph *graph, GPtrArray *all)
{
  for (guint i = all->len; i-- > 0;)
    {
      gboolean needed
        = ((ArmillaSortedPoints *) g_ptr_array_index (all, i))->need.angles != NULL;

      for (GList *link = graph->jobs.head; link && !needed; link = link->next)
        {
          const ArmillaJob *job = link->data;
          const ArmillaPointsNeed *need = job->args;

          needed = job->args_type == &need_type && !need->angles
                   && serves (g_ptr_array_index (all, i), need,
                              armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[need->input]),
                                                         NULL));
        }
      if (!needed)
        g_ptr_array_remove_index (all, i);
    }
}

static const ArmillaExtraKind sorted_kind = { .free = sorted_points_free, .trim = trim };

void
armilla_graph_defer_points (ArmillaGraph *graph, ArmillaJob *job, const ArmillaPointsNeed *need)
{
  job->args = need;
  job->args_size = sizeof *need;
  job->args_type = &need_type;
  armilla_graph_defer (graph, job);
}

const ArmillaSortedPoints *
armilla_sorted_points_get (ArmillaGraph *graph, const ArmillaPointsNeed *need,
                           ArmillaCatalogue *catalogue, GError **error)
{
  GPtrArray *all = armilla_extras_get (graph->extras, &sorted_kind);
  const double begin = armilla_forecast_clock (graph);
  ArmillaSortedPoints *self;
  gboolean ok;

  for (guint i = 0; i < all->len; i++)
    if (serves (g_ptr_array_index (all, i), need, catalogue))
      return g_ptr_array_index (all, i);
  self = g_new0 (ArmillaSortedPoints, 1);
  self->need = *need;
  if (need->angles)
    {
      self->n = need->angles->n;
      self->x = need->angles->theta;
      self->y = need->angles->phi;
    }
  else
    {
      self->catalogue = armilla_catalogue_ref (catalogue);
      self->n = catalogue->n;
      self->x = catalogue->x;
      self->y = catalogue->y;
      self->z = catalogue->z;
    }
  ok = init (self, graph, error);
  armilla_forecast_spend (graph, begin);
  if (ok)
    {
      g_ptr_array_add (all, self);
      return self;
    }
  sorted_points_free (self);
  return NULL;
}

void
armilla_sorted_points_trim (ArmillaGraph *graph)
{
  trim (graph, armilla_extras_get (graph->extras, &sorted_kind));
}

ArmillaPointsShape
armilla_sorted_points_shape (const ArmillaSortedPoints *self, const ArmillaGraph *graph, int band)
{
  return (ArmillaPointsShape) { .band = armilla_points_grid_band (&self->shape, band),
                                .n_points = armilla_sorted_points_count (self, band),
                                .isa = (gint32) graph->view.isa,
                                .kernel = self->kernel };
}

int
armilla_sorted_points_uses (const ArmillaSortedPoints *self, int band, gboolean of_bands,
                            const ArmillaTile *all, ArmillaPointsTiles *tiles, ArmillaUse *uses)
{
  *tiles = (ArmillaPointsTiles) { 0 };
  for (int b = 0; b < self->rings->n; b++)
    {
      const ArmillaPointsBand other = armilla_points_grid_band (&self->shape, b);
      const int reader = of_bands ? b : band, read = of_bands ? band : b;

      if (read < self->first_tile[reader] || read > self->last_tile[reader])
        continue;
      tiles->first_pair[tiles->n] = other.first_pair;
      tiles->n_pairs[tiles->n] = other.n_pairs;
      uses[tiles->n++] = (ArmillaUse) { all[b].handle, STARPU_R };
    }
  return (int) tiles->n;
}
