/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of stages with Legendre transforms: by recurrence or by a table. */
#include "plugins/base/stage-util.h"
#include "tasks/harmonic/harmonic.h"

static const char *const kinds[] = {
  [ARMILLA_LEGENDRE_AUTO] = "auto", [ARMILLA_LEGENDRE_RECURRENCE] = "recurrence",
  [ARMILLA_LEGENDRE_BUTTERFLY] = "butterfly", NULL,
};

static const ArmillaProperty properties[] = {
  { "legendre", ARMILLA_ENUM (ArmillaStageLegendre, kind, kinds, ARMILLA_LEGENDRE_AUTO),
    "method of the sum over multipoles: recurrence; butterfly: the matrices of table, which is "
    "computed if it does not exist (scalar fields only); auto: table for the orders for which it "
    "is faster, recurrence for the others and if there is no table" },
  { "table", ARMILLA_TEXT (ArmillaStageLegendre, table, NULL),
    "file of compressed Legendre matrices, for one grid and lmax; armilla precompute creates it" },
  { "table-tolerance", ARMILLA_DOUBLE (ArmillaStageLegendre, tolerance, 1e-14, 1, 1e-10),
    "RMS error of a transform by table, relative to the RMS of the result (tables with up to ten "
    "times this error are accepted)" },
  { "table-transforms", ARMILLA_INT64 (ArmillaStageLegendre, transforms, 0,
                                       G_GINT64_CONSTANT (1) << 40, 0),
    "number of transforms for which the table will be used: orders whose compression takes longer "
    "than it saves in these are omitted; 0 omits those that the table does not make faster (auto) "
    "or none (butterfly)" },
};

/* Installs the properties that choose how to sum over multipoles. @part: offset of the
 * ArmillaStageLegendre in the object. */
void
armilla_stage_install_legendre (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, properties, G_N_ELEMENTS (properties));
}

gboolean
armilla_stage_legendre_prepare (const ArmillaStageLegendre *self, GError **error)
{
  if (self->kind != ARMILLA_LEGENDRE_BUTTERFLY || (self->table != NULL && *self->table != '\0'))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "legendre = butterfly needs table, the name of a file");
}

/* Passes the properties to the graph, and requests the table. Sets @done if the graph only creates
 * tables: the stage then has nothing else to submit. */
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
