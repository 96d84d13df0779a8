/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/stage-util.h"
#include "plugins/stages.h"

struct _ArmillaAlm2cl {
  ArmillaStage parent_instance;
};

G_DECLARE_FINAL_TYPE (ArmillaAlm2cl, armilla_alm2cl, ARMILLA, ALM2CL, ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaAlm2cl, armilla_alm2cl, ARMILLA_TYPE_STAGE)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields" },
  { "alm2", armilla_alm_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "other a_lm, F fields of the same lmax and mmax, for cross spectra" },
  { "cl", armilla_cl_get_type, ARMILLA_PORT_OUT,
    "F (F + 1) / 2 spectra in the square of the unit: fields 1x1, 2x2 .. FxF, then 1x2, 2x3 .." },
  { NULL, NULL, 0, NULL },
};

static gboolean
check_pair (ArmillaAlm *a, ArmillaAlm *b, GError **error)
{
  ArmillaAlmLayout la = armilla_alm_layout (a), lb = armilla_alm_layout (b);

  if (la.lmax == lb.lmax && la.mmax == lb.mmax
      && armilla_alm_n_fields (a) == armilla_alm_n_fields (b))
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
               "alm has lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT " and %d fields, alm2 "
               "lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT " and %d; a cross spectrum "
               "needs the same", la.lmax, la.mmax, armilla_alm_n_fields (a), lb.lmax, lb.mmax,
               armilla_alm_n_fields (b));
  return FALSE;
}

/* (element-type utf8): as healpy orders them, diagonal by diagonal */
static GPtrArray *
spectrum_names (int n_fields)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  if (n_fields == 1)
    g_ptr_array_add (names, g_strdup ("TEMPERATURE"));
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
  g_autoptr (GPtrArray) names = spectrum_names (armilla_alm_n_fields (alm));
  ArmillaCl *cl;

  (void) stage;
  (void) context;
  if (inputs[1] != NULL && !check_pair (alm, ARMILLA_ALM (inputs[1]), error))
    return FALSE;
  cl = armilla_cl_new (armilla_alm_layout (alm).lmax, (const char *const *) names->pdata,
                       (int) names->len);
  armilla_stage_inherit (ARMILLA_DATA (cl), inputs[0]);
  armilla_stage_inherit (ARMILLA_DATA (cl), inputs[1]);
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

static void
armilla_alm2cl_class_init (ArmillaAlm2clClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "alm2cl";
  stage->summary = "Estimate the power spectra of a_lm";
  stage->description =
    "C_l = sum over m from -l to l of a_lm conj(b_lm) / (2 l + 1), real part, for each pair of "
    "fields in healpy's order; a and b are alm and alm2, or alm twice. Spectra of different fields "
    "are the mean of both ways round.";
  stage->ports = ports;
  stage->prepare = alm2cl_prepare;
  stage->build = alm2cl_build;
}

static void
armilla_alm2cl_init (ArmillaAlm2cl *self)
{
  (void) self;
}
