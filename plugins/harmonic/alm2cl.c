/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "tasks/harmonic/harmonic.h"

struct _ArmillaAlm2cl {
  ArmillaStage parent_instance;
  gint64 lmax;
};

ARMILLA_DEFINE_STAGE (ArmillaAlm2cl, armilla_alm2cl, ARMILLA, ALM2CL)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields" },
  { "alm2", armilla_alm_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "other a_lm of the same lmax, mmax and coordinates, for cross spectra" },
  { "cl", armilla_cl_get_type, ARMILLA_PORT_OUT,
    "F (F + 1) / 2 spectra in the square of the unit: fields 1x1, 2x2 .. FxF, then 1x2, 2x3 ..; "
    "of T, E and B: TT, EE, BB, TE, EB, TB; of E and B: EE, BB, EB. If the fields of alm2 have "
    "another number or spins: each field of alm with each of alm2, such as TE and TB" },
  { NULL, NULL, 0, NULL },
};

static gboolean
alm2cl_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  gint64 lmax = ARMILLA_ALM2CL (stage)->lmax, known = armilla_alm_layout (alm).lmax;
  const gboolean same
    = inputs[1] == NULL || armilla_stage_same_fields (alm, ARMILLA_ALM (inputs[1]));
  const ArmillaStageAgree demands = ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_COORDINATES
                                    | (same ? ARMILLA_AGREE_FIELDS : 0);
  ArmillaCl *cl;

  (void) context;
  if (!armilla_stage_agree (ports, inputs, demands, error))
    return FALSE;
  if (lmax > known)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "lmax is %" G_GINT64_FORMAT ", but the a_lm end at l = %" G_GINT64_FORMAT,
                         lmax, known);
  cl = armilla_stage_new_spectra (alm, inputs[1] != NULL ? ARMILLA_ALM (inputs[1]) : alm,
                                  lmax >= 0 ? lmax : known);
  armilla_stage_carry (ARMILLA_DATA (cl), ports, inputs, ARMILLA_AGREE_COORDINATES);
  outputs[0] = ARMILLA_DATA (cl);
  return TRUE;
}

/* Requests a_lm whose fields pair with those of the other a_lm: fields i n + j are field i, or, of
 * the second a_lm, j. @n: number of fields of the second */
static ArmillaAlm *
repeat_fields (ArmillaGraph *graph, ArmillaAlm *alm, int n_pairs, int n, gboolean second,
               GError **error)
{
  g_autofree int *fields = g_new (int, n_pairs);
  g_autoptr (ArmillaAlm) out = armilla_alm_new (armilla_alm_layout (alm), n_pairs);

  for (int i = 0; i < n_pairs; i++)
    fields[i] = second ? i % n : i / n;
  return armilla_graph_select_fields (graph, ARMILLA_DATA (alm), fields, ARMILLA_DATA (out), error)
    ? g_steal_pointer (&out) : NULL;
}

static gboolean
alm2cl_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  ArmillaAlm *one = ARMILLA_ALM (inputs[0]);
  ArmillaAlm *two = inputs[1] != NULL ? ARMILLA_ALM (inputs[1]) : one;
  const int n = armilla_alm_n_fields (two), n_pairs = armilla_alm_n_fields (one) * n;
  g_autoptr (ArmillaAlm) a = NULL, b = NULL;

  (void) stage;
  if (armilla_stage_same_fields (one, two))
    return armilla_graph_spectra (graph, one, two, ARMILLA_CL (outputs[0]), error);
  a = repeat_fields (graph, one, n_pairs, n, FALSE, error);
  b = a != NULL ? repeat_fields (graph, two, n_pairs, n, TRUE, error) : NULL;
  return b != NULL && armilla_graph_spectra (graph, a, b, ARMILLA_CL (outputs[0]), error);
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
