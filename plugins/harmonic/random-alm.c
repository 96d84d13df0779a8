/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "core/base/random-alm.h"
#include "plugins/base/stage-util.h"
#include "tasks/harmonic/harmonic.h"

struct _ArmillaRandomAlm {
  ArmillaStage parent_instance;
  guint64 seed;
  gint64 lmax, mmax, realisation;
  char *unit;
  guint64 used_realisation;
};

ARMILLA_DEFINE_STAGE (ArmillaRandomAlm, armilla_random_alm, ARMILLA, RANDOM_ALM)

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN,
    "C_l from l = 0 at least to lmax: one spectrum, or TT, EE, BB, TE, or TT, EE, BB, TE, EB, TB "
    "(select them by columns of read-cl)" },
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT, "one field; or T, E and B" },
  { NULL, NULL, 0, NULL },
};

/* Returns the square root of the unit of spectra; "" if the unit is not a recognisable square. */
static char *
root_unit (const char *square)
{
  static const char *const powers[] = { "**2", "^2" };

  for (gsize i = 0; i < G_N_ELEMENTS (powers); i++)
    if (g_str_has_suffix (square, powers[i]) && strpbrk (square, " /") == NULL)
      return g_strndup (square, strlen (square) - strlen (powers[i]));
  return g_strdup ("");
}

static gboolean
random_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  static const int teb[] = { 0, 2, 2 };
  ArmillaRandomAlm *self = ARMILLA_RANDOM_ALM (stage);
  int n_spectra = armilla_cl_n_fields (ARMILLA_CL (inputs[0]));
  gint64 known = armilla_cl_lmax (ARMILLA_CL (inputs[0]));
  ArmillaAlmLayout layout;
  g_autofree char *root = NULL;
  ArmillaAlm *alm;

  if (n_spectra != 1 && n_spectra != 4 && n_spectra != 6)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "cl has %d spectra; must be one for a scalar field, four for T, E and B "
                         "(TT, EE, BB, TE), or six (and EB, TB)%s; select them with columns of "
                         "read-cl", n_spectra, n_spectra == 3 ? "; TE is missing" : "");
  layout.lmax = self->lmax >= 0 ? self->lmax : known;
  layout.mmax = self->mmax >= 0 ? self->mmax : layout.lmax;
  if (!armilla_alm_layout_check (layout, error))
    return FALSE;
  if (layout.lmax > known)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "lmax is %" G_GINT64_FORMAT ", but the spectrum ends at l = %"
                         G_GINT64_FORMAT "; lower lmax or connect a longer spectrum", layout.lmax,
                         known);
  self->used_realisation = (guint64) (self->realisation >= 0 ? self->realisation : context->index);
  alm = armilla_alm_new (layout, n_spectra == 1 ? 1 : 3);
  if (n_spectra > 1)
    armilla_alm_set_spins (alm, teb);
  root = root_unit (armilla_cl_unit (ARMILLA_CL (inputs[0])));
  armilla_alm_set_unit (alm, self->unit[0] != '\0' ? self->unit : root);
  armilla_stage_inherit (ARMILLA_DATA (alm), inputs[0]);
  armilla_stage_note (ARMILLA_DATA (alm),
                      "random-alm: Philox4x64-10, seed %" G_GUINT64_FORMAT ", realisation %"
                      G_GUINT64_FORMAT, self->seed, self->used_realisation);
  outputs[0] = ARMILLA_DATA (alm);
  return TRUE;
}

static gboolean
random_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaRandomAlm *self = ARMILLA_RANDOM_ALM (stage);

  return armilla_graph_random_alm (graph, ARMILLA_CL (inputs[0]), self->seed,
                                   self->used_realisation, ARMILLA_ALM (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "seed", ARMILLA_UINT64 (ArmillaRandomAlm, seed, 0, G_MAXUINT64, 0),
    "seed; different seeds give independent skies" },
  { "lmax", ARMILLA_INT64 (ArmillaRandomAlm, lmax, -1, G_MAXINT32, -1),
    "highest multipole; -1: that of the spectrum" },
  { "mmax", ARMILLA_INT64 (ArmillaRandomAlm, mmax, -1, G_MAXINT32, -1),
    "highest order; -1: lmax" },
  { "realisation", ARMILLA_INT64 (ArmillaRandomAlm, realisation, -1, G_MAXINT64, -1),
    "number of the sky; -1: the number of the realisation" },
  { "unit", ARMILLA_TEXT (ArmillaRandomAlm, unit, ""),
    "unit of the a_lm, e.g. uK for a spectrum in uK^2; empty: derived from the unit of the "
    "spectrum" },
};

static void
armilla_random_alm_class_init (ArmillaRandomAlmClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "random-alm";
  stage->summary = "Draw Gaussian a_lm from a spectrum, or correlated T, E and B";
  stage->description =
    "a_l0 = sqrt(C_l) g0 and a_lm = sqrt(C_l / 2) (g0 + i g1), where g0 and g1 are standard "
    "normal numbers that depend only on seed, realisation, l and m: the result does not depend on "
    "tiles, the number of ranks and the machine, and a higher lmax keeps the lower a_lm. T, E and "
    "B are L g, where g are independent normal numbers and L L' is the covariance matrix of the "
    "multipole; T is the same as from TT alone. Impossible spectra are an error: a negative one, "
    "or TE^2 above TT EE (and so on) by a relative difference of more than 1e-6, which rounding "
    "to single precision may cause.";
  stage->reference = "Salmon et al. (2011), Parallel random numbers: as easy as 1, 2, 3";
  stage->ports = ports;
  stage->draws = TRUE;
  stage->prepare = random_alm_prepare;
  stage->build = random_alm_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
