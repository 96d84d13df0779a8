/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code of stages that create or read a part of the rings of a map, or a part of the pixels of
 * rings. */
#include "core/grids/car.h"
#include "core/grids/grid.h"
#include "plugins/base/stage-util.h"
#include "tasks/pixels/pixels.h"

/* Estimated bytes of tables, plans and lists per ring. */
#define RING_BYTES 512

/* Fails with ARMILLA_ERROR_MEMORY if the machine has less than @bytes of memory. For stages that
 * allocate much in prepare, before the class's memory function is called. @what ("a map of nside
 * 8") and @advice are parts of the message. */
gboolean
armilla_stage_holds (const ArmillaStageContext *context, double bytes, const char *what,
                     const char *advice, GError **error)
{
  if (context->memory <= 0 || bytes <= context->memory)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "%s needs at least %.1f GiB, and %.1f GiB are available; %s", what,
                       bytes / 0x1p30, context->memory / 0x1p30, advice);
}

static void
unref_grid (gpointer grid)
{
  armilla_grid_unref (grid);
}

/* Returns the HEALPix grid of a map, computed once in a run; ARMILLA_ERROR_MEMORY if its ring
 * tables exceed the memory. */
ArmillaGrid *
armilla_stage_new_healpix (const ArmillaStageContext *context, gint64 nside, int n_fields,
                           GError **error)
{
  const double n = (double) nside;
  g_autofree char *what = g_strdup_printf ("a map of nside %" G_GINT64_FORMAT, nside);
  ArmillaGrid *grid;

  if (!armilla_stage_holds (context, context->spills ? RING_BYTES * 4 * n : 96 * n * n * n_fields,
                            what,
                            context->spills ? "lower nside"
                                            : "lower nside, or store tiles on a disk (--memory "
                                              "SIZE)", error))
    return NULL;
  grid = armilla_stage_kept (context, what);
  if (grid == NULL)
    grid = armilla_grid_new_healpix (nside, error);
  else
    return armilla_grid_ref (grid);
  if (grid != NULL)
    armilla_stage_keep (context, what, armilla_grid_ref (grid), unref_grid);
  return grid;
}

static const ArmillaProperty theta[] = {
  { "theta-min", ARMILLA_QUANTITY (ArmillaStageTheta, min, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "minimum co-latitude of the rings (0 at the north pole); pixels on no ring are UNSEEN" },
  { "theta-max", ARMILLA_QUANTITY (ArmillaStageTheta, max, ARMILLA_DIMENSION_ANGLE, 0, G_PI, G_PI),
    "maximum co-latitude of the rings" },
};

/* Installs the two properties that select rings by co-latitude. @part: offset of the
 * ArmillaStageTheta in the object. */
void
armilla_stage_install_theta (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, theta, G_N_ELEMENTS (theta));
}

/* Returns the rings of @grid in the range of the properties, or @grid itself if neither is set;
 * ARMILLA_ERROR_VALUE if the range contains no ring. */
ArmillaGrid *
armilla_stage_select_theta (gpointer stage, ArmillaGrid *grid, const ArmillaStageTheta *range,
                            GError **error)
{
  if (!armilla_stage_given (stage, "theta-min") && !armilla_stage_given (stage, "theta-max"))
    return armilla_grid_ref (grid);
  return armilla_grid_select_theta (grid, range->min, range->max, error);
}

/* Returns the map into which a stage computes whole rings: @out or, if its grid is an image with a
 * part of the columns, a new map, from which armilla_stage_crop () copies the image. */
ArmillaMap *
armilla_stage_uncropped (ArmillaMap *out)
{
  ArmillaGrid *grid = armilla_map_grid (out);
  ArmillaCar car;
  ArmillaMap *map;
  gint64 first;

  if (!armilla_grid_car (grid, &car, &first) || car.n_x == grid->rings[0].n_phi)
    return g_object_ref (out);
  map = armilla_map_new (grid, armilla_map_n_fields (out));
  armilla_map_set_spins (map, armilla_map_spins (out));
  return map;
}

/* Sets the pixels inside the image to 1 and the others to 0. */
static gboolean
fill_columns (gpointer grid, ArmillaPiece *piece, GError **error)
{
  const gint64 n_phi = ((ArmillaGrid *) grid)->rings[0].n_phi;
  ArmillaCar car;
  gint64 first;

  (void) error;
  armilla_grid_car (grid, &car, &first);
  for (gint64 i = 0; i < piece->n; i++)
    piece->values[i] = (piece->first + i) % n_phi < car.n_x;
  return TRUE;
}

/* Copies the pixels of @map that belong to the image of @out, whose other pixels become UNSEEN.
 * Does nothing if both are the same map. */
gboolean
armilla_stage_crop (ArmillaGraph *graph, ArmillaMap *map, ArmillaMap *out, GError **error)
{
  const ArmillaMaskOptions options = { .outside_unseen = TRUE };
  g_autoptr (ArmillaMap) columns = NULL;

  if (map == out)
    return TRUE;
  columns = armilla_map_new (armilla_map_grid (out), 1);
  return armilla_graph_fill (graph, ARMILLA_DATA (columns), fill_columns,
                             armilla_grid_ref (armilla_map_grid (out)), unref_grid, error)
         && armilla_graph_mask (graph, map, columns, &options, out, error);
}
