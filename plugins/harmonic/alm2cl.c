/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"

struct _ArmillaAlm2cl {
  ArmillaStage parent_instance;
  gint64 lmax;
};

ARMILLA_DEFINE_STAGE (ArmillaAlm2cl, armilla_alm2cl, ARMILLA, ALM2CL)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields" },
  { "alm2", armilla_alm_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "other a_lm, F fields of the same lmax, mmax, spins and coordinates, for cross spectra" },
  { "cl", armilla_cl_get_type, ARMILLA_PORT_OUT,
    "F (F + 1) / 2 spectra in the square of the unit: fields 1x1, 2x2 .. FxF, then 1x2, 2x3 ..; "
    "of T, E and B: TT, EE, BB, TE, EB, TB; of E and B: EE, BB, EB" },
  { NULL, NULL, 0, NULL },
};

/* Returns the unit of a product; "" if one of the units is unknown. */
static char *
product_unit (const char *a, const char *b)
{
  if (a[0] == '\0' || b[0] == '\0')
    return g_strdup ("");
  return g_strcmp0 (a, b) == 0 ? g_strconcat (a, "^2", NULL) : g_strconcat (a, " ", b, NULL);
}

static GPtrArray *
add_all (GPtrArray *names, const char *const *all, gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_ptr_array_add (names, g_strdup (all[i]));
  return names;
}

/* Returns (element-type utf8) the names, in healpy's order, diagonal by diagonal. The last two are
 * EB and TB, as in HEALPix; healpy.write_cl swaps these two names. */
static GPtrArray *
spectrum_names (const int *spins, int n_fields)
{
  static const char *const teb[]
    = { "TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-G", "C-T" };
  static const char *const eb[] = { "GRADIENT", "CURL", "C-G" };
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  if (n_fields == 1)
    g_ptr_array_add (names, g_strdup ("TEMPERATURE"));
  if (armilla_stage_is_teb (spins, n_fields))
    return add_all (names, teb, G_N_ELEMENTS (teb));
  if (n_fields == 2 && spins[0] == 2)
    return add_all (names, eb, G_N_ELEMENTS (eb));
  for (int apart = 0; n_fields > 1 && apart < n_fields; apart++)
    for (int i = 1; i + apart <= n_fields; i++)
      g_ptr_array_add (names, g_strdup_printf ("FIELD%dxFIELD%d", i, i + apart));
  return names;
}

static gboolean
alm2cl_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  g_autoptr (GPtrArray) names
    = spectrum_names (armilla_alm_spins (alm), armilla_alm_n_fields (alm));
  gint64 lmax = ARMILLA_ALM2CL (stage)->lmax, known = armilla_alm_layout (alm).lmax;
  const ArmillaStageAgree demands
    = ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_FIELDS | ARMILLA_AGREE_COORDINATES;
  g_autofree char *unit
    = product_unit (armilla_alm_unit (alm),
                    armilla_alm_unit (inputs[1] != NULL ? ARMILLA_ALM (inputs[1]) : alm));
  ArmillaCl *cl;

  (void) context;
  if (!armilla_stage_agree (ports, inputs, demands, error))
    return FALSE;
  if (lmax > known)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "lmax is %" G_GINT64_FORMAT ", but the a_lm end at l = %" G_GINT64_FORMAT,
                         lmax, known);
  cl = armilla_cl_new (lmax >= 0 ? lmax : known, (const char *const *) names->pdata,
                       (int) names->len);
  armilla_cl_set_unit (cl, unit);
  armilla_stage_carry (ARMILLA_DATA (cl), ports, inputs, ARMILLA_AGREE_COORDINATES);
  outputs[0] = ARMILLA_DATA (cl);
  return TRUE;
}

static gboolean
alm2cl_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  ArmillaData *other = inputs[1] != NULL ? inputs[1] : inputs[0];

  (void) stage;
  return armilla_graph_spectra (graph, ARMILLA_ALM (inputs[0]), ARMILLA_ALM (other),
                                ARMILLA_CL (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "lmax", ARMILLA_INT64 (ArmillaAlm2cl, lmax, -1, G_MAXINT32, -1),
    "highest multipole of the spectra; -1: that of the a_lm" },
};

static void
armilla_alm2cl_class_init (ArmillaAlm2clClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "alm2cl";
  stage->summary = "Estimate the power spectra of a_lm";
  stage->description =
    "C_l = sum over m from -l to l of a_lm conj(b_lm) / (2 l + 1), real part, for each pair of "
    "fields in healpy's order; a and b are alm and alm2, or both alm. In a pair the first field "
    "is of alm, the second of alm2, as in healpy's alm2cl.";
  stage->ports = ports;
  stage->prepare = alm2cl_prepare;
  stage->build = alm2cl_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
