/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that create or read part of the rings of a map. */
#include "core/grids/grid.h"
#include "plugins/base/stage-util.h"

/* Estimated bytes per ring of tables, plans and lists that must be in memory. */
#define RING_BYTES 512

/* Fails with ARMILLA_ERROR_MEMORY if the machine has less than bytes of memory. For stages that
 * allocate much while they are prepared, before the class's memory function is called. what ("a map
 * of nside 8") and advice appear in the message. */
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

/* Installs the two properties that select rings by co-latitude; part is the offset of
 * ArmillaStageTheta in the object. */
void
armilla_stage_install_theta (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, theta, G_N_ELEMENTS (theta));
}

/* Returns the rings of grid in the range of the properties; grid itself if neither property is set;
 * ARMILLA_ERROR_VALUE if the range contains no ring. */
ArmillaGrid *
armilla_stage_select_theta (gpointer stage, ArmillaGrid *grid, const ArmillaStageTheta *range,
                            GError **error)
{
  if (!armilla_stage_given (stage, "theta-min") && !armilla_stage_given (stage, "theta-max"))
    return armilla_grid_ref (grid);
  return armilla_grid_select_theta (grid, range->min, range->max, error);
}
