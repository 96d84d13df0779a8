/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/tables/table.h"
#include "plugins/spectra/spectra-private.h"
#include "tasks/spectra/spectra.h"

struct _ArmillaBandpowers {
  ArmillaStage parent_instance;
  SpectraProperties properties;
  ArmillaDegreeBins *bins;
  char **names;
};

ARMILLA_DEFINE_STAGE (ArmillaBandpowers, armilla_bandpowers, ARMILLA, BANDPOWERS)

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN, "spectra" },
  { "windows", armilla_matrix_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "window functions of decouple; cl are then full-sky spectra, such as a theory, and the result "
    "is their expected bandpowers" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "columns l (effective multipole), l_min, l_max, and one for each spectrum, in its unit" },
  { NULL, NULL, 0, NULL },
};

/* Returns HEALPix's names of spectra as pairs of letters; other names are unchanged, and the name
 * "-" drops a spectrum. */
static char **
short_names (char **names)
{
  char **out = g_new0 (char *, g_strv_length (names) + 1);

  for (int i = 0; names[i] != NULL; i++)
    out[i] = names[i][0] != '\0' ? g_strdup (armilla_spectrum_pair (names[i]))
                                 : g_strdup_printf ("CL%d", i + 1);
  return out;
}

static gboolean
check_columns (char **names, GError **error)
{
  g_autoptr (ArmillaTable) table = armilla_table_new ("", 0);

  for (const char *const *own = (const char *const[]) { "l", "l_min", "l_max", NULL }; *own; own++)
    armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, *own, "", "");
  for (char **name = names; *name != NULL; name++)
    if (!g_str_equal (*name, "-"))
      armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, *name, "", "");
  return armilla_table_check_columns (table, error);
}

static gboolean
bandpowers_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaBandpowers *self = ARMILLA_BANDPOWERS (stage);
  ArmillaCl *cl = ARMILLA_CL (inputs[0]);
  ArmillaMatrix *windows = inputs[1] != NULL ? ARMILLA_MATRIX (inputs[1]) : NULL;
  const gint64 lmax
    = windows != NULL ? armilla_matrix_header (windows)->columns.n - 1 : armilla_cl_lmax (cl);
  g_auto (GStrv) names = armilla_spectra_names (&self->properties, cl, error);

  (void) context;
  if (names == NULL)
    return FALSE;
  self->bins = armilla_spectra_bins (self, &self->properties, lmax, error);
  if (self->bins == NULL)
    return FALSE;
  self->names = short_names (names);
  if (!check_columns (self->names, error))
    return FALSE;
  if (windows != NULL
      && !armilla_windows_check (cl, (const char *const *) self->names, self->bins, windows, error))
    return FALSE;
  armilla_stage_new_tables (outputs, 1, inputs, 2);
  return TRUE;
}

static gboolean
bandpowers_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaBandpowers *self = ARMILLA_BANDPOWERS (stage);

  if (inputs[1] != NULL)
    return armilla_graph_expect_bandpowers (graph, ARMILLA_CL (inputs[0]),
                                            (const char *const *) self->names, self->bins,
                                            ARMILLA_MATRIX (inputs[1]),
                                            ARMILLA_TABLE_DATA (outputs[0]), error);
  return armilla_graph_bandpowers (graph, ARMILLA_CL (inputs[0]), self->bins,
                                   (const char *const *) self->names,
                                   ARMILLA_TABLE_DATA (outputs[0]), error);
}

static void
armilla_bandpowers_class_init (ArmillaBandpowersClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "bandpowers";
  armilla_stage_set_example (stage, "delta-l = 8");
  stage->summary = "Average spectra in bins of multipoles";
  stage->description =
    "A bandpower is the mean of C_l, or of D_l, over the multipoles of a bin. Spectra of masked "
    "maps are averaged without correction; decouple computes full-sky bandpowers from them. With "
    "windows, the result is the mean of the bandpowers that decouple computes from skies with "
    "these (theory) spectra; bins and dl must be those of decouple.";
  stage->ports = ports;
  stage->prepare = bandpowers_prepare;
  stage->build = bandpowers_build;
  armilla_spectra_install (stage, G_STRUCT_OFFSET (ArmillaBandpowers, properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaBandpowers, bins, armilla_degree_bins_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaBandpowers, names, g_strfreev);
}
