/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/spectra/spectrum-roles.h"
#include "plugins/base/stage-util.h"
#include "tasks/harmonic/harmonic.h"

struct _ArmillaRandomAlm {
  ArmillaStage parent_instance;
  guint64 seed;
  gint64 lmax, mmax, realisation;
  char *unit, *fields;
  guint64 used_realisation;
  char **names;    /* of the fields */
  GArray *columns; /* int, see ArmillaRandomFields */
};

ARMILLA_DEFINE_STAGE (ArmillaRandomAlm, armilla_random_alm, ARMILLA, RANDOM_ALM)

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN,
    "C_l from l = 0 at least to lmax: one spectrum; TT, EE, BB, TE; TT, EE, BB, TE, EB, TB (select "
    "them by columns of read-cl); those of F > 3 scalars in the order of alm2cl; or with fields, "
    "spectra of any order and number" },
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT, "one field; T, E and B; or F fields" },
  { NULL, NULL, 0, NULL },
};

/* Returns the unit of a_lm whose spectra have the unit @square, such as K for K^2; "" if it is not
 * recognised as a square. */
static char *
root_unit (const char *square)
{
  static const char *const powers[] = { "**2", "^2" };

  for (gsize i = 0; i < G_N_ELEMENTS (powers); i++)
    if (g_str_has_suffix (square, powers[i]) && strpbrk (square, " /") == NULL)
      return g_strndup (square, strlen (square) - strlen (powers[i]));
  return g_strdup ("");
}

/* Finds the spectrum of two fields, which may be named TE, ET, TxE or ExT; -1 if there is none. */
static int
find_spectrum (ArmillaCl *cl, const char *a, const char *b)
{
  const char *const *names = armilla_cl_names (cl);
  const char *const pairs[2][2] = { { a, b }, { b, a } };

  for (int s = 0; s < armilla_cl_n_fields (cl); s++)
    for (int i = 0; i < 4; i++)
      {
        g_autofree char *name
          = g_strconcat (pairs[i / 2][0], i % 2 == 0 ? "" : "x", pairs[i / 2][1], NULL);

        if (g_ascii_strcasecmp (armilla_spectrum_pair (names[s]), name) == 0)
          return s;
      }
  return -1;
}

/* Finds the spectra of the fields that the user names. Those without cross spectrum are
 * independent. */
static gboolean
find_by_names (ArmillaRandomAlm *self, ArmillaCl *cl, GError **error)
{
  self->names = armilla_stage_words (self->fields);
  for (int f = 0; self->names[f] != NULL; f++)
    {
      for (int k = 0; k <= f; k++)
        {
          const int column = find_spectrum (cl, self->names[f], self->names[k]);

          if (k < f && g_str_equal (self->names[f], self->names[k]))
            return armilla_fail (error, ARMILLA_ERROR_VALUE, "fields = %s: %s occurs twice",
                                 self->fields, self->names[f]);
          g_array_append_val (self->columns, column);
        }
      if (g_array_index (self->columns, int, self->columns->len - 1) < 0)
        {
          g_autofree char *all = g_strjoinv (", ", (char **) armilla_cl_names (cl));

          return armilla_fail (error, ARMILLA_ERROR_VALUE,
                               "fields = %s: no spectrum is named %s%s; the spectra are %s; name "
                               "them with names of read-cl or set-fields", self->fields,
                               self->names[f], self->names[f], all);
        }
    }
  return TRUE;
}

/* Finds the spectra by their order: diagonal by diagonal of the matrix. */
static gboolean
find_by_order (ArmillaRandomAlm *self, ArmillaCl *cl, GError **error)
{
  static const char *const teb[] = { "T", "E", "B", NULL };
  const int n_spectra = armilla_cl_n_fields (cl);
  int n = n_spectra == 4 ? 3 : 1;

  while (n_spectra != 4 && n * (n + 1) / 2 < n_spectra)
    n++;
  if (n == 2 || (n_spectra != 4 && n * (n + 1) / 2 != n_spectra))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "cl has %d spectra; must be one for a scalar field, four for T, E and B "
                         "(TT, EE, BB, TE), six (and EB, TB), or F (F + 1) / 2 for F > 3 "
                         "scalars%s; select them with columns of read-cl, or name the fields with "
                         "fields",
                         n_spectra, n_spectra == 3 ? "; TE is missing" : "");
  self->names = n == 3 ? g_strdupv ((char **) teb) : g_new0 (char *, n + 1);
  for (int f = 0; f < n; f++)
    {
      if (n != 3)
        self->names[f] = n == 1 ? g_strdup ("T") : g_strdup_printf ("FIELD%d", f + 1);
      for (int k = 0; k <= f; k++)
        {
          const int apart = f - k, place = apart * n - apart * (apart - 1) / 2 + k;
          const int column = place < n_spectra ? place : -1;

          g_array_append_val (self->columns, column);
        }
    }
  return TRUE;
}

/* Returns the a_lm: E followed by B is a pair of spin 2, and both have the names of the maps that
 * they become. */
static ArmillaAlm *
new_alm (const ArmillaRandomAlm *self, ArmillaAlmLayout layout)
{
  const int n = (int) g_strv_length (self->names);
  g_autofree int *spins = g_new0 (int, n);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  ArmillaAlm *alm = armilla_alm_new (layout, n);

  for (int f = 0; f < n; f++)
    if (f + 1 < n && g_str_equal (self->names[f], "E") && g_str_equal (self->names[f + 1], "B"))
      {
        spins[f] = spins[f + 1] = 2;
        names[f] = "Q_POLARISATION";
        names[++f] = "U_POLARISATION";
      }
    else
      names[f] = g_str_equal (self->names[f], "T") ? "TEMPERATURE" : self->names[f];
  armilla_alm_set_spins (alm, spins);
  if (n > 1 && !armilla_stage_is_teb (spins, n))
    armilla_fields_set_names (armilla_data_fields (ARMILLA_DATA (alm)), names);
  return alm;
}

static gboolean
random_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRandomAlm *self = ARMILLA_RANDOM_ALM (stage);
  gint64 known = armilla_cl_lmax (ARMILLA_CL (inputs[0]));
  ArmillaAlmLayout layout;
  g_autofree char *root = NULL;
  ArmillaAlm *alm;

  g_clear_pointer (&self->names, g_strfreev);
  g_clear_pointer (&self->columns, g_array_unref);
  self->columns = g_array_new (FALSE, FALSE, sizeof (int));
  if (*self->fields != '\0' ? !find_by_names (self, ARMILLA_CL (inputs[0]), error)
                            : !find_by_order (self, ARMILLA_CL (inputs[0]), error))
    return FALSE;
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
  alm = new_alm (self, layout);
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
  const ArmillaRandomFields fields = { (int) g_strv_length (self->names),
                                       (const char *const *) self->names,
                                       (const int *) (gconstpointer) self->columns->data };

  return armilla_graph_random_alm (graph, ARMILLA_CL (inputs[0]), &fields, self->seed,
                                   self->used_realisation, ARMILLA_ALM (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "fields", ARMILLA_TEXT (ArmillaRandomAlm, fields, ""),
    "names of the fields, separated by commas, whose spectra are found by name: T, E, B, P have "
    "TT, EE, TE, .., shells 1, 2, .. have 1x1, 1x2, ..; a missing cross spectrum is 0; E followed "
    "by B is a pair of spin 2, other fields are scalars; empty: by the order of the spectra" },
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
  stage->summary = "Draw Gaussian a_lm from a spectrum, or correlated fields from their spectra";
  stage->description =
    "a_l0 = sqrt(C_l) g0 and a_lm = sqrt(C_l / 2) (g0 + i g1), where g0 and g1 are standard "
    "normal numbers that depend only on seed, realisation, field, l and m: the result does not "
    "depend on tiles, the number of ranks and the machine, and a higher lmax keeps the lower a_lm. "
    "Several fields are L g, where g are independent normal numbers and L L' is the covariance "
    "matrix of the multipole; fields do not depend on those after them: T is the same as from TT "
    "alone, and T, E and B are the same with and without a potential after them. Impossible "
    "spectra are an error: a negative one, or TE^2 above TT EE (and so on) by a relative "
    "difference of more than 1e-6, which rounding to single precision may cause; or a correlation "
    "matrix with an eigenvalue below -1e-6.";
  stage->reference = "Salmon et al. (2011), Parallel random numbers: as easy as 1, 2, 3";
  stage->ports = ports;
  stage->draws = TRUE;
  stage->prepare = random_alm_prepare;
  stage->build = random_alm_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaRandomAlm, names, g_strfreev);
  ARMILLA_STAGE_OWNS (stage, ArmillaRandomAlm, columns, g_array_unref);
}
