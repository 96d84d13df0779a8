/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis at points. A band is the set of points of a ring block of the oversampled grid
 * (tasks/harmonic/transform-resample.c); the map on this grid is interpolated band by band. In the
 * adjoint the values of each band are spread to the grid, and each ring block adds what
 * neighbouring bands have spread to it. The catalogue and the values must exist during submission,
 * so the submitting thread waits for them. */
#include "config.h"

#include "tasks/points/points-work.h"

#include "codelets/arrays/array-copy-math.h"
#include "tasks/data/objects.h"
#include "tasks/planning/forecast-private.h"

/* Sets the numbers of tiles and readers at the beginning of a pass. */
static void
count_neighbours (ArmillaPointsWork *self)
{
  const ArmillaSortedPoints *points = self->points;

  for (int b = 0; b < points->rings->n; b++)
    self->n_missing[b] = self->n_readers[b] = 0;
  for (int b = 0; b < points->rings->n; b++)
    for (int i = points->first_tile[b]; i <= points->last_tile[b]; i++)
      {
        self->n_missing[b]++;
        self->n_readers[i]++;
      }
}

/* Begins the transform of the a_lm of a job. armilla_points_work_end () must follow, even on
 * failure. */
gboolean
armilla_points_work_begin (ArmillaPointsWork *self, ArmillaGraph *graph, ArmillaTransforms which,
                           ArmillaAlm *alm, const ArmillaJob *job, GError **error)
{
  const ArmillaPointsNeed *need = job->args;
  ArmillaCatalogue *catalogue
    = need->angles ? NULL
                   : armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[need->input]), error);

  *self = (ArmillaPointsWork) { .graph = graph, .n_fields = armilla_alm_n_fields (alm) };
  if (catalogue || need->angles)
    self->points = armilla_sorted_points_get (graph, need, catalogue, error);
  if (!self->points)
    return FALSE;
  self->values = g_new0 (ArmillaTile, self->points->rings->n);
  self->pixels = g_new0 (ArmillaTile, self->points->rings->n);
  self->spread = g_new0 (ArmillaTile, self->points->rings->n * self->n_fields);
  self->n_missing = g_new (int, self->points->rings->n);
  self->n_readers = g_new (int, self->points->rings->n);
  self->begun = TRUE;
  return armilla_transform_begin_points (&self->transform, graph, which, need->layout,
                                         self->points->grid, &self->points->kernel,
                                         armilla_alm_spins (alm), self->n_fields, error);
}

/* Frees the values once the tasks submitted so far are done. */
void
armilla_points_drop_values (ArmillaPointsWork *self)
{
  for (int b = 0; b < self->points->rings->n; b++)
    armilla_tile_drop (&self->values[b]);
}

void
armilla_points_work_end (ArmillaPointsWork *self)
{
  if (self->begun)
    armilla_points_drop_values (self);
  for (int b = 0; self->begun && b < self->points->rings->n; b++)
    {
      armilla_tile_return_sent (self->graph, &self->pixels[b]);
      for (int i = 0; i < self->n_fields; i++)
        armilla_tile_drop (&self->spread[i * self->points->rings->n + b]);
    }
  if (self->begun)
    armilla_transform_end (&self->transform);
  g_free (self->values);
  g_free (self->pixels);
  g_free (self->spread);
  g_free (self->n_missing);
  g_free (self->n_readers);
}

static gboolean
borrow_pixels (ArmillaPointsWork *self, int band, GError **error)
{
  const ArmillaRingBlocks *rings = self->points->rings;

  return armilla_tile_borrow_to_send (self->graph, rings->block[band].owner,
                              rings->max_pixels * self->n_fields, &self->pixels[band], error);
}

/* Describes the tasks of a group of fields on a band. */
static ArmillaPointsArgs
args_of (const ArmillaPointsWork *self, const ArmillaFieldGroup *group, int band)
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
interpolate (ArmillaPointsWork *self, int band, GError **error)
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

/* Submits the interpolation of all bands for which this tile is the last needed one, and drops
 * tiles that no other band needs. So only a few tiles of the grid exist at a time. */
static gboolean
interpolate_after (ArmillaPointsWork *self, int tile, GError **error)
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

/* Submits the map on the grid, and the interpolation, which makes the tiles of values. */
gboolean
armilla_points_synthesise (ArmillaPointsWork *self, const ArmillaTile *alm, GError **error)
{
  ArmillaTransform *t = &self->transform;
  gboolean ok = armilla_transform_prepare (t, &alm, error);

  count_neighbours (self);
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

/* Data shared by the threads that copy values between tiles and rows of numbers. */
typedef struct {
  const ArmillaPointsWork *work;
  double **values;             /* [band]: memory of the tiles; NULL: none */
  const ArmillaArrayRow *rows; /* [field] */
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
    {
      const ArmillaArrayRow *row = &self->rows[f];
      const double *from = self->values[band] + f * n;
      double *whole = (double *) (gpointer) row->data;

      if (armilla_array_row_is_whole (row))
        for (gint64 i = 0; i < n; i++)
          whole[order[i]] = from[i];
      else
        for (gint64 i = 0; i < n; i++)
          armilla_array_write_number (row, order[i], &from[i], 1);
    }
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
    {
      const ArmillaArrayRow *row = &self->rows[f];
      const double *whole = (const double *) (gconstpointer) row->data;
      double *to = self->values[band] + f * n;

      if (armilla_array_row_is_whole (row))
        for (gint64 i = 0; i < n; i++)
          to[i] = whole[order[i]];
      else
        for (gint64 i = 0; i < n; i++)
          armilla_array_read_number (row, order[i], &to[i]);
    }
}

/* Waits for the values and stores them in the rows, one for each field, in the order of the
 * catalogue. In a forecast nothing is stored. */
gboolean
armilla_points_take_values (ArmillaPointsWork *self, const ArmillaArrayRow *rows, GError **error)
{
  const int n = self->points->rings->n;
  g_autofree double **values = g_new0 (double *, n);
  Copy copy = { self, values, rows };
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

/* Makes the tiles of values from the rows. */
gboolean
armilla_points_give_values (ArmillaPointsWork *self, const ArmillaArrayRow *rows, GError **error)
{
  const int n = self->points->rings->n;
  g_autofree double **values = g_new0 (double *, n);
  Copy copy = { self, values, rows };
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
spread (ArmillaPointsWork *self, int i_group, int band, GError **error)
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

/* Submits the task that adds to the tile of a ring block the values that bands have spread to
 * it. */
static gboolean
gather (ArmillaPointsWork *self, int i_group, int tile, GError **error)
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

/* Submits the spreading of all bands that reach a ring block and have not been spread, and then the
 * tile of the block. Drops spread values that no other tile needs. */
static gboolean
submit_pixels (ArmillaPointsWork *self, int tile, GError **error)
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

/* Submits the adjoint: spreading of the tiles of values, and the sum over the grid. */
gboolean
armilla_points_adjoin (ArmillaPointsWork *self, const ArmillaTile *alm, GError **error)
{
  ArmillaTransform *t = &self->transform;
  gboolean ok = TRUE;

  count_neighbours (self);
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
