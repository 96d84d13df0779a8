/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that make or read some rings of a map only. */
#include "plugins/base/stage-util.h"

/* Of tables, plans and lists that are in memory in any case, for each ring. */
#define RING_BYTES 512

/**
 * armilla_stage_holds:
 * @context: the run
 * @bytes: what a stage will need
 * @what: for what, for the message: "a map of nside 8"
 * @advice: what to do
 * @error: return location
 *
 * To be asked while a stage is prepared, before anything large is allocated that @memory of its
 * class would tell too late.
 *
 * Returns: whether there is so much memory; %ARMILLA_ERROR_MEMORY otherwise
 */
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

/**
 * armilla_stage_new_healpix:
 * @context: the run
 * @nside: resolution parameter
 * @n_fields: fields of the map that the grid is for
 * @error: return location
 *
 * As armilla_grid_new_healpix(), but the tables of rings alone can be larger than the memory: what
 * a map needs is asked first.
 *
 * Returns: (transfer full): a grid; NULL with %ARMILLA_ERROR_VALUE or %ARMILLA_ERROR_MEMORY
 */
ArmillaGrid *
armilla_stage_new_healpix (const ArmillaStageContext *context, gint64 nside, int n_fields,
                           GError **error)
{
  const double n = (double) nside;
  g_autofree char *what = g_strdup_printf ("a map of nside %" G_GINT64_FORMAT, nside);

  if (!armilla_stage_holds (context, context->spills ? RING_BYTES * 4 * n : 96 * n * n * n_fields,
                            what,
                            context->spills ? "lower nside"
                                            : "lower nside, or let tiles go to a disk "
                                              "(--memory SIZE)", error))
    return NULL;
  return armilla_grid_new_healpix (nside, error);
}

static const ArmillaProperty theta[] = {
  { "theta-min", ARMILLA_QUANTITY (ArmillaStageTheta, min, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "co-latitude (0 at the north pole) from which on rings are taken; what lies on no ring is "
    "UNSEEN" },
  { "theta-max", ARMILLA_QUANTITY (ArmillaStageTheta, max, ARMILLA_DIMENSION_ANGLE, 0, G_PI, G_PI),
    "co-latitude up to which rings are taken" },
};

/**
 * armilla_stage_install_theta:
 * @klass: class of a stage
 * @part: where the #ArmillaStageTheta is in the object
 *
 * Installs the two properties that choose rings by their co-latitude.
 */
void
armilla_stage_install_theta (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, theta, G_N_ELEMENTS (theta));
}

/**
 * armilla_stage_select_theta:
 * @stage: (type GObject): a stage with the two properties
 * @grid: a grid
 * @range: values of the properties
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the rings of @grid in that range; @grid itself where neither
 *   property is given; %ARMILLA_ERROR_VALUE when there is none
 */
ArmillaGrid *
armilla_stage_select_theta (gpointer stage, ArmillaGrid *grid, const ArmillaStageTheta *range,
                            GError **error)
{
  if (!armilla_stage_given (stage, "theta-min") && !armilla_stage_given (stage, "theta-max"))
    return armilla_grid_ref (grid);
  return armilla_grid_select_theta (grid, range->min, range->max, error);
}
