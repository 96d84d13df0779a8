/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"
#include "plugins/base/stage.h"
#include "tasks/harmonic/harmonic.h"

struct _ArmillaGradient {
  ArmillaStage parent_instance;
  gboolean keep;
};

ARMILLA_DEFINE_STAGE (ArmillaGradient, armilla_gradient, ARMILLA, GRADIENT)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields of spin 0" },
  { "out", armilla_alm_get_type, ARMILLA_PORT_OUT,
    "a_lm, 3 F fields (2 F with keep = false): for each field, the field itself, and gradient and "
    "curl of spin 1" },
  { NULL, NULL, 0, NULL },
};

/* Windows that multiply the field by 1 (if it is requested) or 0, since the transform computes it
 * together with its derivatives. */
typedef struct {
  gint64 lmax;
  gboolean keep;
} Windows;

static gboolean
fill_windows (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Windows *windows = user;
  gint64 n = windows->lmax + 1;

  (void) error;
  for (gint64 l = 0; windows->keep && l < n; l++)
    piece->values[l] = 1;
  piece->values += windows->keep ? n : 0;
  for (gint64 l = 0; l < n; l++)
    {
      piece->values[l] = sqrt ((double) l * (double) (l + 1));
      piece->values[n + l] = 0;
    }
  return TRUE;
}

/* Sets the names of the output fields: NAME, D_THETA and D_PHI; those of further input fields end
 * with a number. */
static void
name_fields (ArmillaGradient *self, ArmillaData *out, ArmillaData *from, int n_fields)
{
  const char *const *names = armilla_fields_known_names (armilla_data_fields (from));
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);

  for (int f = 0; f < n_fields; f++)
    {
      g_autofree char *number = f == 0 ? g_strdup ("") : g_strdup_printf ("_%d", f + 1);

      if (self->keep)
        g_ptr_array_add (made, names != NULL ? g_strdup (names[f])
                                             : g_strconcat ("TEMPERATURE", number, NULL));
      g_ptr_array_add (made, g_strconcat ("D_THETA", number, NULL));
      g_ptr_array_add (made, g_strconcat ("D_PHI", number, NULL));
    }
  g_ptr_array_add (made, NULL);
  armilla_fields_set_names (armilla_data_fields (out), (const char *const *) made->pdata);
}

static gboolean
gradient_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaGradient *self = ARMILLA_GRADIENT (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]), *out;
  const int *of = armilla_alm_spins (alm);
  int n_fields = armilla_alm_n_fields (alm), n = self->keep ? 3 : 2;
  g_autofree int *spins = g_new0 (int, n * n_fields);

  (void) context;
  for (int f = 0; f < n_fields; f++)
    {
      if (of[f] != 0)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "alm: field %d has spin %d, but must be a scalar; select scalars with "
                             "fields of the stage that reads", f, of[f]);
      spins[n * f + n - 2] = spins[n * f + n - 1] = 1;
    }
  out = armilla_alm_new (armilla_alm_layout (alm), n * n_fields);
  armilla_alm_set_spins (out, spins);
  armilla_alm_set_unit (out, armilla_alm_unit (alm));
  armilla_alm_set_coordsys (out, armilla_alm_coordsys (alm));
  name_fields (self, ARMILLA_DATA (out), inputs[0], n_fields);
  armilla_stage_inherit (ARMILLA_DATA (out), inputs[0]);
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

static gboolean
gradient_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  ArmillaGradient *self = ARMILLA_GRADIENT (stage);
  static const char *const names[] = { "VALUE", "GRADIENT", "CURL" };
  Windows windows = { armilla_alm_layout (ARMILLA_ALM (inputs[0])).lmax, self->keep };
  g_autoptr (ArmillaCl) cl
    = armilla_cl_new (windows.lmax, self->keep ? names : names + 1, self->keep ? 3 : 2);

  return armilla_graph_fill (graph, ARMILLA_DATA (cl), fill_windows,
                             g_memdup2 (&windows, sizeof windows), g_free, error)
         && armilla_graph_derive_alm (graph, ARMILLA_ALM (inputs[0]), cl, ARMILLA_ALM (outputs[0]),
                                      error);
}

static const ArmillaProperty properties[] = {
  { "keep", ARMILLA_BOOLEAN (ArmillaGradient, keep, TRUE),
    "include the field itself, before its derivatives" },
};

static void
armilla_gradient_class_init (ArmillaGradientClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "gradient";
  stage->summary = "Compute the a_lm of the gradient of a field";
  stage->description =
    "alm2map computes maps of the field itself (unless keep = false), its derivative in theta, "
    "and its derivative in phi divided by sin theta, per radian, as healpy's alm2map_der1. The "
    "gradient is a pair of fields of spin 1: E_lm = sqrt(l (l + 1)) a_lm and B_lm = 0.";
  stage->reference = "Goldberg et al. (1967), Spin-s spherical harmonics and eth, eqs. 2.7";
  stage->ports = ports;
  stage->prepare = gradient_prepare;
  stage->build = gradient_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
