/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis at points: a map on an oversampled grid (tasks/harmonic/transform-resample.c), of which
 * each ring block is a band of points, is interpolated band by band. The adjoint spreads the values
 * of each band, and each ring block gathers what its neighbours have spread. The catalogue is known
 * while the graph is submitted, and so are the values: the submitting thread waits for them. */
#include "config.h"

#include <armilla/memory.h>
#include <math.h>

#include "core/catalogues/catalogue.h"
#include "tasks/data/data-private.h"
#include "tasks/data/objects.h"
#include "tasks/graph/jobs.h"
#include "tasks/graph/ledger.h"
#include "tasks/harmonic/transform.h"
#include "tasks/planning/forecast-private.h"
#include "tasks/points/points.h"
#include "tasks/points/sorted-points.h"

/* values that a thread checks at a time */
#define CHECKED 65536

/* Points, a transform, and the tiles of both. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaTransform transform;
  const ArmillaSortedPoints *points;
  int n_fields;
  gboolean begun;      /* whether the transform must be ended */
  ArmillaTile *values; /* [band]: values, [field][point]; no handle if the band has no points */
  ArmillaTile *pixels; /* [band]: tile of the grid, while it is needed */
  ArmillaTile *spread; /* [group of fields][band]: spread values, while they are needed */
  int *n_missing;      /* [band]: tiles of its supports that are not submitted */
  int *n_readers;      /* [band]: bands that need its tile and are not submitted */
} Work;

static void
count_neighbours (Work *self)
{
  const ArmillaSortedPoints *points = self->points;

  self->n_missing = g_new0 (int, points->rings->n);
  self->n_readers = g_new0 (int, points->rings->n);
  for (int b = 0; b < points->rings->n; b++)
    for (int i = points->first_tile[b]; i <= points->last_tile[b]; i++)
      {
        self->n_missing[b]++;
        self->n_readers[i]++;
      }
}

/* Begins the transform of a job. work_end () must follow, even on failure. */
static gboolean
work_begin (Work *self, ArmillaGraph *graph, ArmillaTransforms which, ArmillaAlm *alm,
            const ArmillaJob *job, GError **error)
{
  const ArmillaPointsNeed *need = job->args;
  ArmillaCatalogue *catalogue
    = armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[need->input]), error);

  *self = (Work) { .graph = graph, .n_fields = armilla_alm_n_fields (alm) };
  if (catalogue)
    self->points = armilla_sorted_points_get (graph, need, catalogue, error);
  if (!self->points)
    return FALSE;
  self->values = g_new0 (ArmillaTile, self->points->rings->n);
  self->pixels = g_new0 (ArmillaTile, self->points->rings->n);
  self->spread = g_new0 (ArmillaTile, self->points->rings->n * self->n_fields);
  count_neighbours (self);
  self->begun = TRUE;
  return armilla_transform_begin_points (&self->transform, graph, which, need->layout,
                                         self->points->grid, &self->points->kernel,
                                         armilla_alm_spins (alm), self->n_fields, error);
}

static void
work_end (Work *self)
{
  for (int b = 0; self->begun && b < self->points->rings->n; b++)
    {
      armilla_tile_return_sent (self->graph, &self->pixels[b]);
      armilla_tile_drop (&self->values[b]);
      for (int i = 0; i < self->n_fields; i++)
        armilla_tile_drop (&self->spread[i * self->points->rings->n + b]);
    }
  if (self->begun)
    armilla_transform_end (&self->transform);
  if (self->points)
    armilla_sorted_points_trim (self->graph);
  g_free (self->values);
  g_free (self->pixels);
  g_free (self->spread);
  g_free (self->n_missing);
  g_free (self->n_readers);
}

static gboolean
borrow_pixels (Work *self, int band, GError **error)
{
  const ArmillaRingBlocks *rings = self->points->rings;

  return armilla_tile_borrow_to_send (self->graph, rings->block[band].owner,
                              rings->max_pixels * self->n_fields, &self->pixels[band], error);
}

/* Describes the tasks of a group of fields on a band. */
static ArmillaPointsArgs
args_of (const Work *self, const ArmillaFieldGroup *group, int band)
{
  ArmillaPointsArgs args
    = { .fault = armilla_graph_fault (self->graph),
        .shape = armilla_sorted_points_shape (self->points, self->graph, band),
        .first_field = group->first };

  args.shape.n_fields = group->n;
  args.shape.spin = group->spin;
  return args;
}

/* Submits the interpolation of the values of a band. */
static gboolean
interpolate (Work *self, int band, GError **error)
{
  ArmillaTransform *t = &self->transform;
  const int owner = t->rings->block[band].owner;
  ArmillaUse uses[3 + ARMILLA_POINTS_TILES];
  ArmillaPointsTiles tiles;
  const int n = armilla_sorted_points_uses (self->points, band, FALSE, self->pixels, &tiles,
                                            uses + 3);
  gboolean ok = armilla_tile_new (self->graph, owner,
                                  armilla_sorted_points_count (self->points, band)
                                    * self->n_fields, &self->values[band], error);

  for (int i = 0; ok && i < t->n_groups; i++)
    {
      ArmillaPointsArgs args = args_of (self, &t->groups[i], band);

      args.tiles = tiles;
      uses[0] = (ArmillaUse) { self->points->places[band].handle, STARPU_R };
      uses[1] = (ArmillaUse) { self->points->start[band].handle, STARPU_R };
      uses[2] = (ArmillaUse) { self->values[band].handle, i == 0 ? STARPU_W : STARPU_RW };
      ok = armilla_submit (self->graph, &armilla_points_interpolate_cl, owner, &args, sizeof args,
                           uses, 3 + n, PRIORITY_RING, error);
    }
  return ok;
}

/* Submits the interpolation of all bands whose last tile is this one, and returns tiles that no
 * other band needs: a few are in memory, not the whole grid. */
static gboolean
interpolate_after (Work *self, int tile, GError **error)
{
  const ArmillaSortedPoints *points = self->points;
  gboolean ok = TRUE;

  if (self->n_readers[tile] == 0)
    armilla_tile_return_sent (self->graph, &self->pixels[tile]);
  for (int b = 0; ok && b < points->rings->n; b++)
    {
      if (tile < points->first_tile[b] || tile > points->last_tile[b] || --self->n_missing[b] > 0)
        continue;
      ok = interpolate (self, b, error);
      for (int i = points->first_tile[b]; i <= points->last_tile[b]; i++)
        if (--self->n_readers[i] == 0)
          armilla_tile_return_sent (self->graph, &self->pixels[i]);
    }
  return ok;
}

/* Submits the map on the grid, and the interpolation. */
static gboolean
submit_values (Work *self, const ArmillaTile *alm, GError **error)
{
  ArmillaTransform *t = &self->transform;
  gboolean ok = armilla_transform_prepare (t, &alm, error);

  for (int i = 0; ok && i < t->rings->n; i++)
    {
      const int b = armilla_transform_block (t, i);
      const ArmillaTile *tile = &self->pixels[b];

      armilla_transform_next_epoch (t);
      ok = borrow_pixels (self, b, error) && armilla_transform_rings (t, b, &tile, 0, error)
           && interpolate_after (self, b, error);
    }
  return ok;
}

/* What the threads share that copy values between tiles and columns. */
typedef struct {
  const Work *work;
  double **values;        /* [band]: memory of the tiles; NULL: none */
  double *const *columns; /* [field] */
} Copy;

static void
put_band (gpointer user, gint64 band, int member)
{
  const Copy *self = user;
  const gint64 n = armilla_sorted_points_count (self->work->points, (int) band);
  const gint64 *order = self->work->points->order
                        + armilla_sorted_points_first (self->work->points, (int) band);

  (void) member;
  for (int f = 0; self->values[band] && f < self->work->n_fields; f++)
    for (gint64 i = 0; i < n; i++)
      self->columns[f][order[i]] = self->values[band][f * n + i];
}

/* Waits for the values and stores them in the columns. In a forecast they are 0. */
static gboolean
take_values (Work *self, double *const *columns, GError **error)
{
  const int n = self->points->rings->n;
  g_autofree double **values = g_new0 (double *, n);
  Copy copy = { self, values, columns };
  gboolean ok = TRUE;

  for (int b = 0; ok && b < n; b++)
    if (self->values[b].handle && self->graph->taker.kind)
      armilla_forecast_fetch (self->graph, &self->values[b]);
    else if (self->values[b].handle)
      {
        values[b] = (double *) armilla_graph_hold (self->graph, &self->values[b], error);
        ok = values[b] != NULL;
      }
  if (ok)
    armilla_graph_use_cores (self->graph, n, put_band, &copy);
  for (int b = 0; b < n; b++)
    if (values[b])
      starpu_data_release (self->values[b].handle);
  return ok;
}

static gboolean
run_points (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (job->in[0]);
  ArmillaObjects *points = ARMILLA_OBJECTS (job->in[1]), *out = ARMILLA_OBJECTS (job->out);
  const int n_fields = armilla_alm_n_fields (alm);
  g_autofree double **columns = g_new0 (double *, n_fields);
  g_autoptr (ArmillaCatalogue) made = NULL;
  const ArmillaTile *alm_tiles;
  Work work;
  gboolean ok = work_begin (&work, graph, ARMILLA_TRANSFORMS_SYNTHESIS, alm, job, error);

  if (ok)
    made = armilla_objects_with_columns (out, armilla_objects_catalogue (points, NULL), n_fields,
                                         columns, error);
  alm_tiles = made ? armilla_alm_tiles (alm, graph, error) : NULL;
  ok = alm_tiles && submit_values (&work, alm_tiles, error)
       && take_values (&work, columns, error);
  work_end (&work);
  if (!ok)
    return FALSE;
  armilla_objects_set_catalogue (out, made);
  armilla_ledger_note_objects (graph, job->label->node, made->n);
  return TRUE;
}

static void
get_band (gpointer user, gint64 band, int member)
{
  const Copy *self = user;
  const gint64 n = armilla_sorted_points_count (self->work->points, (int) band);
  const gint64 *order = self->work->points->order
                        + armilla_sorted_points_first (self->work->points, (int) band);

  (void) member;
  for (int f = 0; self->values[band] && f < self->work->n_fields; f++)
    for (gint64 i = 0; i < n; i++)
      self->values[band][f * n + i] = self->columns[f][order[i]];
}

/* Fills the tiles of values from the columns. */
static gboolean
give_values (Work *self, double *const *columns, GError **error)
{
  const int n = self->points->rings->n;
  g_autofree double **values = g_new0 (double *, n);
  Copy copy = { self, values, columns };
  gboolean ok = TRUE;

  for (int b = 0; ok && b < n; b++)
    {
      const int owner = self->points->rings->block[b].owner;
      const gint64 size = armilla_sorted_points_count (self->points, b) * self->n_fields;

      if (size > 0 && owner == self->graph->view.rank)
        {
          values[b] = armilla_tile_memory (self->graph, owner, size, &self->values[b], error);
          ok = values[b] != NULL;
        }
      else if (size > 0)
        ok = armilla_tile_new (self->graph, owner, size, &self->values[b], error);
    }
  if (ok)
    armilla_graph_use_cores (self->graph, n, get_band, &copy);
  for (int b = 0; b < n; b++)
    if (values[b])
      starpu_data_release (self->values[b].handle);
  return ok;
}

/* Submits the spreading of a band's values of a group of fields. */
static gboolean
spread (Work *self, int i_group, int band, GError **error)
{
  const int owner = self->points->rings->block[band].owner;
  const ArmillaPointsArgs args = args_of (self, &self->transform.groups[i_group], band);
  ArmillaTile *tile = &self->spread[i_group * self->points->rings->n + band];

  if (!armilla_tile_new (self->graph, owner, armilla_points_spread_size (&args.shape), tile, error))
    return FALSE;
  const ArmillaUse uses[] = { { self->points->places[band].handle, STARPU_R },
                              { self->points->start[band].handle, STARPU_R },
                              { self->values[band].handle, STARPU_R },
                              { tile->handle, STARPU_W } };

  return armilla_submit (self->graph, &armilla_points_spread_cl, owner, &args, sizeof args, uses,
                         G_N_ELEMENTS (uses), PRIORITY_DELTA, error);
}

/* Submits the sum of what bands have spread to the tile of a ring block. */
static gboolean
gather (Work *self, int i_group, int tile, GError **error)
{
  ArmillaPointsArgs args = args_of (self, &self->transform.groups[i_group], tile);
  ArmillaUse uses[1 + ARMILLA_POINTS_TILES];
  const int n = armilla_sorted_points_uses (self->points, tile, TRUE,
                                            self->spread + i_group * self->points->rings->n,
                                            &args.tiles, uses + 1);

  uses[0] = (ArmillaUse) { self->pixels[tile].handle, i_group == 0 ? STARPU_W : STARPU_RW };
  return armilla_submit (self->graph, &armilla_points_gather_cl,
                         self->points->rings->block[tile].owner, &args, sizeof args, uses, 1 + n,
                         PRIORITY_DELTA, error);
}

/* Submits the tile of a ring block of the grid, before it the spreading of the bands that reach it
 * and have not been spread; drops spread values that no other tile needs. */
static gboolean
submit_pixels (Work *self, int tile, GError **error)
{
  const ArmillaSortedPoints *points = self->points;
  const int n = points->rings->n, n_groups = self->transform.n_groups;
  gboolean ok = borrow_pixels (self, tile, error);

  for (int b = 0; ok && b < n; b++)
    for (int i = 0; tile >= points->first_tile[b] && tile <= points->last_tile[b] && i < n_groups;
         i++)
      ok = ok && (self->spread[i * n + b].handle || spread (self, i, b, error));
  for (int i = 0; ok && i < n_groups; i++)
    ok = gather (self, i, tile, error);
  for (int b = 0; ok && b < n; b++)
    if (tile >= points->first_tile[b] && tile <= points->last_tile[b]
        && --self->n_missing[b] == 0)
      for (int i = 0; i < n_groups; i++)
        armilla_tile_drop (&self->spread[i * n + b]);
  return ok;
}

static gboolean
adjoin (Work *self, const ArmillaTile *alm, GError **error)
{
  ArmillaTransform *t = &self->transform;
  gboolean ok = TRUE;

  armilla_transform_restart (t, &alm);
  for (int i = 0; ok && i < t->rings->n; i++)
    {
      const int b = armilla_transform_block (t, i);
      const ArmillaTile *tile = &self->pixels[b];

      armilla_transform_next_epoch (t);
      ok = submit_pixels (self, b, error) && armilla_transform_rings (t, b, &tile, 0, error);
      armilla_tile_return_sent (self->graph, &self->pixels[b]);
    }
  return ok && armilla_transform_finish (t, &alm, error);
}

/* A column whose values are checked. */
typedef struct {
  const ArmillaCatalogueValue *value;
  gint64 n;
  gint bad; /* atomic: whether some value is not finite */
} Check;

static void
check_part (gpointer user, gint64 part, int member)
{
  Check *self = user;
  const gint64 end = MIN ((part + 1) * CHECKED, self->n);
  double sum = 0;

  (void) member;
  for (gint64 i = part * CHECKED; i < end; i++)
    sum += 0 * self->value->value[i];
  if (sum != 0)
    g_atomic_int_set (&self->bad, TRUE);
}

static gboolean
check_values (ArmillaGraph *graph, const ArmillaCatalogueValue *value, gint64 n, GError **error)
{
  Check check = { value, n, FALSE };

  armilla_graph_use_cores (graph, (n + CHECKED - 1) / CHECKED, check_part, &check);
  for (gint64 i = 0; check.bad && i < n; i++)
    if (!isfinite (value->value[i]))
      return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                           "column %s: the value of object %" G_GINT64_FORMAT " is not finite; "
                           "select-rows can exclude such objects", value->name, i + 1);
  return TRUE;
}

/* Finds the columns of values and checks these. */
static gboolean
find_columns (ArmillaGraph *graph, const ArmillaCatalogue *catalogue, const int *which,
              int n_fields, double **columns, GError **error)
{
  for (int f = 0; f < n_fields; f++)
    {
      const ArmillaCatalogueValue *value = &catalogue->values[which[f]];

      if (!check_values (graph, value, catalogue->n, error))
        return FALSE;
      columns[f] = value->value;
    }
  return TRUE;
}

static gboolean
run_adjoint (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (job->out);
  const int n_fields = armilla_alm_n_fields (alm);
  const ArmillaTile *tiles = armilla_alm_tiles (alm, graph, error);
  const ArmillaCatalogue *catalogue
    = tiles ? armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[0]), error) : NULL;
  g_autofree double **columns = g_new0 (double *, n_fields);
  Work work;
  gboolean ok;

  if (!catalogue || !find_columns (graph, catalogue, job->user, n_fields, columns, error))
    return FALSE;
  ok = work_begin (&work, graph, ARMILLA_TRANSFORMS_ANALYSIS, alm, job, error)
       && give_values (&work, columns, error) && adjoin (&work, tiles, error);
  work_end (&work);
  return ok;
}

/* Checks what both directions need. */
static gboolean
check (ArmillaAlm *alm, double epsilon, GError **error)
{
  if (!(epsilon >= ARMILLA_POINTS_MIN_EPSILON && epsilon <= ARMILLA_POINTS_MAX_EPSILON))
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "epsilon = %g: must be from %g to %g",
                         epsilon, ARMILLA_POINTS_MIN_EPSILON, ARMILLA_POINTS_MAX_EPSILON);
  return armilla_alm_layout_check (armilla_alm_layout (alm), error);
}

/* Adds a job, whose work is about that of a transform on the grid and of the points. */
static void
defer (ArmillaGraph *graph, ArmillaJob *job, ArmillaAlm *alm, int input, double epsilon)
{
  const ArmillaPointsNeed need = { armilla_alm_layout (alm), epsilon, input };
  const ArmillaAlmLayout *layout = &need.layout;
  const gint64 n = armilla_objects_expected (ARMILLA_OBJECTS (job->in[input]));

  job->times = 1;
  job->work = armilla_alm_n_fields (alm)
              * (4.0 * (double) (layout->lmax + 1) * (double) (layout->lmax + 1)
                   * (double) (layout->mmax + 1)
                 + 200.0 * (double) n);
  armilla_graph_defer_points (graph, job, &need);
}

gboolean
armilla_graph_points (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaObjects *points, double epsilon,
                      ArmillaObjects *out, GError **error)
{
  ArmillaJob job = { .run = run_points,
                     .in = { ARMILLA_DATA (alm), ARMILLA_DATA (points) },
                     .out = ARMILLA_DATA (out) };
  const int more = armilla_objects_like (out)->n_values - armilla_objects_like (points)->n_values;

  if (more != armilla_alm_n_fields (alm))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the output has %d further column(s), the a_lm %d field(s); they must "
                         "have the same number", more, armilla_alm_n_fields (alm));
  if (!check (alm, epsilon, error))
    return FALSE;
  defer (graph, &job, alm, 1, epsilon);
  return TRUE;
}

gboolean
armilla_graph_adjoint_points (ArmillaGraph *graph, ArmillaObjects *points, const int *columns,
                              double epsilon, ArmillaAlm *alm, GError **error)
{
  ArmillaJob job = { .run = run_adjoint, .in = { ARMILLA_DATA (points) },
                     .out = ARMILLA_DATA (alm) };
  const ArmillaCatalogue *like = armilla_objects_like (points);

  for (int f = 0; f < armilla_alm_n_fields (alm); f++)
    if (columns[f] < 0 || columns[f] >= like->n_values)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE, "the catalogue has no further column %d",
                           columns[f]);
  if (!check (alm, epsilon, error))
    return FALSE;
  job.user = g_memdup2 (columns, sizeof (int) * (gsize) armilla_alm_n_fields (alm));
  job.destroy = g_free;
  defer (graph, &job, alm, 0, epsilon);
  return TRUE;
}

double
armilla_points_bytes (ArmillaAlmLayout layout, double epsilon, int n_fields, gint64 n)
{
  /* places and order, while points are sorted both and the cells twice; then values */
  const double of_point = MAX (5.75, 3 + n_fields);
  gint64 n_rings, n_columns;
  double grid, delta; /* Delta: on all rings of the grid */

  armilla_points_grid_size (layout, epsilon, &n_rings, &n_columns);
  grid = (double) n_rings * (double) n_columns;
  delta = 2.0 * (double) n_rings * (double) (layout.mmax + 1);
  return sizeof (double) * ((grid + delta) * n_fields + of_point * (double) n);
}
