/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that sum over degrees, by recurrence or by a table. */
#include "plugins/base/stage-util.h"

static const char *const kinds[] = {
  [ARMILLA_LEGENDRE_AUTO] = "auto", [ARMILLA_LEGENDRE_RECURRENCE] = "recurrence",
  [ARMILLA_LEGENDRE_BUTTERFLY] = "butterfly", NULL,
};

static const ArmillaProperty properties[] = {
  { "legendre", ARMILLA_ENUM (ArmillaStageLegendre, kind, kinds, ARMILLA_LEGENDRE_AUTO),
    "how to sum over multipoles: by recurrence; by butterfly, with the matrices of table, which is "
    "made if it does not exist (scalar fields); or auto, by table for the orders where that is "
    "faster, and by recurrence where there is none" },
  { "table", ARMILLA_TEXT (ArmillaStageLegendre, table, NULL),
    "file of compressed Legendre matrices, for one grid and lmax; armilla precompute makes it" },
  { "table-tolerance", ARMILLA_DOUBLE (ArmillaStageLegendre, tolerance, 1e-14, 1, 1e-10),
    "RMS error of a transform by table, relative to the RMS of what it gives (a table may be up to "
    "ten times as far off)" },
  { "table-transforms", ARMILLA_INT64 (ArmillaStageLegendre, transforms, 0,
                                       G_GINT64_CONSTANT (1) << 40, 0),
    "how many transforms the table is for: orders that do not repay their compression within so "
    "many are left out; 0 leaves out those that the table does not make faster (auto) or none "
    "(butterfly)" },
};

/**
 * armilla_stage_install_legendre:
 * @klass: class of a stage
 * @part: where the #ArmillaStageLegendre is in the object
 *
 * Installs the properties that say how to sum over degrees.
 */
void
armilla_stage_install_legendre (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, properties, G_N_ELEMENTS (properties));
}

/**
 * armilla_stage_legendre_prepare:
 * @self: values of the properties
 * @error: return location
 *
 * Returns: whether they can be together; %ARMILLA_ERROR_VALUE otherwise
 */
gboolean
armilla_stage_legendre_prepare (const ArmillaStageLegendre *self, GError **error)
{
  if (self->kind != ARMILLA_LEGENDRE_BUTTERFLY || (self->table != NULL && *self->table != '\0'))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "legendre = butterfly needs table, the name of a file");
}

/**
 * armilla_stage_legendre_build:
 * @self: values of the properties
 * @graph: the graph
 * @alm: a_lm of the transform
 * @map: map of the transform
 * @done: (out): whether nothing else is to be built, since only tables are made
 * @error: return location
 *
 * Tells the graph how to sum, and asks for the table where it is due.
 *
 * Returns: whether it worked
 */
gboolean
armilla_stage_legendre_build (const ArmillaStageLegendre *self, ArmillaGraph *graph,
                              ArmillaAlm *alm, ArmillaMap *map, gboolean *done, GError **error)
{
  const gboolean named = self->table != NULL && *self->table != '\0';
  const ArmillaLegendreOptions options = { .kind = (ArmillaLegendre) self->kind,
                                           .table = named ? self->table : NULL,
                                           .tolerance = self->tolerance,
                                           .transforms = self->transforms };

  *done = armilla_graph_precomputes (graph);
  armilla_graph_set_legendre (graph, &options);
  if (*done ? !named : self->kind != ARMILLA_LEGENDRE_BUTTERFLY)
    return TRUE;
  return armilla_graph_precompute (graph, armilla_alm_layout (alm), armilla_map_grid (map),
                                   armilla_alm_n_fields (alm), error);
}
