/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that make or read some rings of a map only. */
#include "plugins/stage-util.h"

/**
 * armilla_stage_install_theta:
 * @klass: class of a stage, after armilla_stage_begin_properties()
 * @min_id: number of the property theta-min
 * @min_offset: where its value is in the object, a double
 * @max_id: number of the property theta-max
 * @max_offset: where its value is in the object, a double
 *
 * Installs the two properties that choose rings by their co-latitude.
 */
void
armilla_stage_install_theta (GObjectClass *klass, guint min_id, gsize min_offset, guint max_id,
                             gsize max_offset)
{
  armilla_stage_install (
    klass, min_id, min_offset,
    armilla_param_spec_quantity ("theta-min",
                                 "co-latitude (0 at the north pole) from which on rings are taken; "
                                 "what lies on no ring is UNSEEN", ARMILLA_DIMENSION_ANGLE, 0, G_PI,
                                 0));
  armilla_stage_install (
    klass, max_id, max_offset,
    armilla_param_spec_quantity ("theta-max", "co-latitude up to which rings are taken",
                                 ARMILLA_DIMENSION_ANGLE, 0, G_PI, G_PI));
}

/**
 * armilla_stage_select_theta:
 * @stage: (type GObject): a stage with the two properties
 * @grid: a grid
 * @theta_min: value of theta-min, radian
 * @theta_max: value of theta-max, radian
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the rings of @grid in that range; @grid itself where neither
 *   property is given; %ARMILLA_ERROR_VALUE when there is none
 */
ArmillaGrid *
armilla_stage_select_theta (gpointer stage, ArmillaGrid *grid, double theta_min, double theta_max,
                            GError **error)
{
  if (!armilla_stage_given (stage, "theta-min") && !armilla_stage_given (stage, "theta-max"))
    return armilla_grid_ref (grid);
  return armilla_grid_select_theta (grid, theta_min, theta_max, error);
}
