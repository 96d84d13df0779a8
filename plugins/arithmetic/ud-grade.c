/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "tasks/pixels/pixels.h"

struct _ArmillaUdGrade {
  ArmillaStage parent_instance;
  gint64 nside;
  gboolean pess;
  double power;
  gboolean spills; /* whether memory is limited, so that StarPU moves tiles to the disk */
};

ARMILLA_DEFINE_STAGE (ArmillaUdGrade, armilla_ud_grade, ARMILLA, UD_GRADE)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN,
    "a HEALPix map whose nside is a power of two, F fields" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "the map at the other nside, F fields" },
  { NULL, NULL, 0, NULL },
};

static gboolean
ud_grade_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaUdGrade *self = ARMILLA_UD_GRADE (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[0]), *out;
  ArmillaGrid *grid = armilla_map_grid (map);
  g_autoptr (ArmillaGrid) other = NULL;

  self->spills = context->spills;
  if (grid->kind != ARMILLA_GRID_HEALPIX || (grid->nside & (grid->nside - 1)) != 0)
    {
      g_autofree char *what = armilla_grid_describe (grid);

      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "map must be HEALPix with nside a power of two, but it is %s", what);
    }
  if (self->nside < 1 || (self->nside & (self->nside - 1)) != 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "nside is %" G_GINT64_FORMAT "; it must be a power of two", self->nside);
  other = armilla_stage_new_healpix (context, self->nside, armilla_map_n_fields (map), error);
  if (other == NULL)
    return FALSE;
  out = armilla_map_new (other, armilla_map_n_fields (map));
  armilla_stage_copy_header (out, map);
  armilla_stage_inherit (ARMILLA_DATA (out), inputs[0]);
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

/* Returns the memory of the whole map, since any input pixel may be needed. */
static double
ud_grade_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  (void) outputs;
  return ARMILLA_UD_GRADE (stage)->spills ? 0 : armilla_data_bytes (inputs[0]);
}

static gboolean
ud_grade_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  ArmillaUdGrade *self = ARMILLA_UD_GRADE (stage);

  return armilla_graph_ud_grade (graph, ARMILLA_MAP (inputs[0]), self->pess, self->power,
                                 ARMILLA_MAP (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "nside", ARMILLA_INT64 (ArmillaUdGrade, nside, 1, G_GINT64_CONSTANT (1) << 24, 1),
    "resolution of the new map, a power of two", ARMILLA_PROPERTY_REQUIRED },
  { "pess", ARMILLA_BOOLEAN (ArmillaUdGrade, pess, FALSE),
    "pessimistic: a larger pixel is UNSEEN if any pixel in it is UNSEEN; otherwise only if "
    "all are" },
  { "power", ARMILLA_DOUBLE (ArmillaUdGrade, power, -16, 16, 0),
    "the result is divided by (nside of map / nside)^power: -2 keeps the sum of hit counts, 2 "
    "suits variances" },
};

static void
armilla_ud_grade_class_init (ArmillaUdGradeClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "ud-grade";
  armilla_stage_set_example (stage, "nside = 8");
  stage->summary = "Change the resolution of a HEALPix map by averaging or repeating pixels";
  stage->description =
    "A larger pixel is the mean of the pixels in it that are not UNSEEN, a smaller pixel has the "
    "value of the pixel that contains it, as in healpy's ud_grade. Fields are independent.";
  stage->ports = ports;
  stage->prepare = ud_grade_prepare;
  stage->build = ud_grade_build;
  stage->memory = ud_grade_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
