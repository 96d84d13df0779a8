/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/fits/fits.h"
#include "core/kernels/kernel.h"
#include "plugins/base/stage-util.h"

struct _ArmillaSmoothAlm {
  ArmillaStage parent_instance;
  double fwhm, sigma;
  char *beam;
  char *beam_column;
  char *pixel_window;
  double *window;       /* [field][l]: factors of the a_lm */
  gboolean *polarised;  /* [field]: whether it is E or B */
  gint64 lmax;
  int n_fields;
  gint64 nside; /* nside of the pixel window to be computed; 0: none */
};

ARMILLA_DEFINE_STAGE (ArmillaSmoothAlm, armilla_smooth_alm, ARMILLA, SMOOTH_ALM)

static const ArmillaPort in_out[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields" },
  { "out", armilla_alm_get_type, ARMILLA_PORT_OUT, "b_l a_lm, F fields" },
  { NULL, NULL, 0, NULL },
};

#define COMPUTE "compute "

static gboolean
smooth_alm_fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaSmoothAlm *self = user;
  const gint64 n = self->lmax + 1;
  g_autofree double *pixel = NULL;

  memcpy (piece->values, self->window, (gsize) self->n_fields * (gsize) n * sizeof (double));
  if (self->nside == 0)
    return TRUE;
  pixel = g_new (double, 2 * n);
  if (!armilla_pixel_window_compute (self->nside, self->lmax, pixel, pixel + n, error))
    return FALSE;
  for (int f = 0; f < self->n_fields; f++)
    for (gint64 l = 0; l < n; l++)
      piece->values[f * n + l] *= pixel[self->polarised[f] ? n + l : l];
  return TRUE;
}

/* Multiplies by the window of a Gaussian beam, b_l = exp (-(l (l + 1) - s^2) sigma^2 / 2) for spin
 * s (Challinor et al. 2000, co-polarised). */
static void
multiply_gaussian (double *window, gint64 lmax, double sigma, int spin)
{
  for (gint64 l = 0; l <= lmax; l++)
    window[l] *= exp (-0.5 * ((double) l * (double) (l + 1) - spin * spin) * sigma * sigma);
}

static gboolean
multiply_column (double *window, gint64 lmax, const ArmillaClTable *table, int column,
                 const char *path, GError **error)
{
  const double *values = table->values + column * (table->lmax + 1);

  if (table->lmax < lmax)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%s ends at l = %" G_GINT64_FORMAT ", but lmax of the a_lm is %"
                         G_GINT64_FORMAT "; use a longer table or lower lmax", path, table->lmax,
                         lmax);
  if (!armilla_cl_table_check (table, column, lmax, ARMILLA_CL_COMPLETE, path, error))
    return FALSE;
  for (gint64 l = 0; l <= lmax; l++)
    window[l] *= values[l];
  return TRUE;
}

/* Returns the column of a table for each field. For T, E and B, a beam has three columns, a pixel
 * window two: one for T, and one for E and B. */
static GArray *
choose_columns (const ArmillaClTable *table, const char *columns, ArmillaAlm *alm, int per_pair,
                const char *property, const char *path, GError **error)
{
  g_autoptr (GArray) chosen = NULL;
  int n_fields = armilla_alm_n_fields (alm);
  const int *spins = armilla_alm_spins (alm);

  if (columns[0] != '\0')
    {
      chosen = armilla_stage_columns (columns, (const char *const *) table->names, table->n_fields,
                                      property, path, error);
      if (chosen == NULL)
        return NULL;
      if (chosen->len == 1)
        {
          int only = g_array_index (chosen, int, 0);

          while ((int) chosen->len < n_fields)
            g_array_append_val (chosen, only);
        }
      if ((int) chosen->len == n_fields)
        return g_steal_pointer (&chosen);
      return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                "%s names %u columns; must be one, or one for each of the %d "
                                "fields", property, chosen->len, n_fields);
    }
  chosen = g_array_new (FALSE, TRUE, sizeof (int));
  for (int i = 0; i < n_fields; i++)
    {
      int column = MIN (armilla_fields_part (spins, i), per_pair);

      if (column >= table->n_fields)
        {
          g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                       "%s: %s has %d columns; fields with polarisation require %d (%s)",
                       property, path, table->n_fields, per_pair + 1,
                       per_pair == 2 ? "T, E and B, or choose with beam-column"
                                     : "temperature and polarisation");
          return NULL;
        }
      g_array_append_val (chosen, column);
    }
  return g_steal_pointer (&chosen);
}

static gboolean
multiply_file (double *window, ArmillaAlm *alm, const ArmillaStageContext *context,
               const char *property, const char *path, const char *columns, int per_pair,
               GError **error)
{
  const ArmillaClTable *table
    = armilla_stage_table (context, path, ARMILLA_CL_COMPLETE, error);
  g_autoptr (GArray) chosen = NULL;
  gint64 lmax = armilla_alm_layout (alm).lmax;

  if (table == NULL)
    return FALSE;
  chosen = choose_columns (table, columns, alm, per_pair, property, path, error);
  for (int i = 0; chosen != NULL && i < (int) chosen->len; i++)
    if (!multiply_column (window + i * (lmax + 1), lmax, table, g_array_index (chosen, int, i),
                          path, error))
      return FALSE;
  return chosen != NULL;
}

/* Fails if the pixel window of self->nside cannot be computed. */
static gboolean
may_compute (const ArmillaSmoothAlm *self, gint64 lmax, const char *path, GError **error)
{
  g_autofree char *limit = NULL;

  if (self->nside > ARMILLA_PIXEL_WINDOW_MAX_NSIDE)
    limit = g_strdup_printf ("pixel windows are computed up to nside = %d only",
                             ARMILLA_PIXEL_WINDOW_MAX_NSIDE);
  else if (lmax > 4 * self->nside)
    limit = g_strdup_printf ("pixel windows are computed up to l = 4 nside = %" G_GINT64_FORMAT
                             " only, but the a_lm go to lmax = %" G_GINT64_FORMAT,
                             4 * self->nside, lmax);
  else
    return TRUE;
  if (path != NULL)
    armilla_stage_healpix_missing ("pixel-window", self->pixel_window, path, limit, error);
  else
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "pixel-window = %s: %s; name a file", self->pixel_window, limit);
  return FALSE;
}

/* Multiplies by the pixel window of a file, or sets the nside of the window that is computed
 * later. */
static gboolean
prepare_pixel_window (ArmillaSmoothAlm *self, ArmillaAlm *alm, const ArmillaStageContext *context,
                      GError **error)
{
  const gboolean asked = g_str_has_prefix (self->pixel_window, COMPUTE);
  const char *value = self->pixel_window + (asked ? strlen (COMPUTE) : 0);
  g_autofree char *path
    = armilla_stage_healpix_file (value, "pixel_window_n", 4, &self->nside);

  if (asked && self->nside == 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "pixel-window = %s: \"%s\" is not an nside; write " COMPUTE
                         "256, for example", self->pixel_window, value);
  if (self->nside > 0 && (asked || !g_file_test (path, G_FILE_TEST_EXISTS)))
    return may_compute (self, armilla_alm_layout (alm).lmax, asked ? NULL : path, error);
  self->nside = 0;
  return multiply_file (self->window, alm, context, "pixel-window", path, "", 1, error);
}

static gboolean
check_given (ArmillaSmoothAlm *self, GError **error)
{
  const char *wrong = NULL;

  if (armilla_stage_given (self, "fwhm") && armilla_stage_given (self, "sigma"))
    wrong = "fwhm and sigma are alternatives; set one of them";
  else if (!armilla_stage_given (self, "fwhm") && !armilla_stage_given (self, "sigma")
           && !armilla_stage_given (self, "beam") && !armilla_stage_given (self, "pixel-window"))
    wrong = "no beam; set fwhm, sigma, beam or pixel-window";
  else if (armilla_stage_given (self, "beam-column") && !armilla_stage_given (self, "beam"))
    wrong = "beam-column requires beam, which is not set";
  if (wrong == NULL)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s", wrong);
}

static gboolean
smooth_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaSmoothAlm *self = ARMILLA_SMOOTH_ALM (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  gint64 lmax = armilla_alm_layout (alm).lmax;
  int n_fields = armilla_alm_n_fields (alm);

  if (!check_given (self, error))
    return FALSE;
  self->window = g_new (double, n_fields * (lmax + 1));
  for (gint64 i = 0; i < n_fields * (lmax + 1); i++)
    self->window[i] = 1;
  for (int f = 0; f < n_fields; f++)
    {
      int spin = armilla_alm_spins (alm)[f];

      if (armilla_stage_given (self, "fwhm"))
        multiply_gaussian (self->window + f * (lmax + 1), lmax, self->fwhm / sqrt (8 * G_LN2),
                           spin);
      if (armilla_stage_given (self, "sigma"))
        multiply_gaussian (self->window + f * (lmax + 1), lmax, self->sigma, spin);
    }
  if (armilla_stage_given (self, "beam")
      && !multiply_file (self->window, alm, context, "beam-column", self->beam, self->beam_column,
                         2, error))
    return FALSE;
  self->nside = 0;
  if (armilla_stage_given (self, "pixel-window")
      && !prepare_pixel_window (self, alm, context, error))
    return FALSE;
  outputs[0] = ARMILLA_DATA (armilla_stage_copy_alm (alm, armilla_alm_layout (alm)));
  /* Not if it is computed because a file is missing: the files of ranks may differ, but headers
   * must not. */
  if (self->nside > 0 && g_str_has_prefix (self->pixel_window, COMPUTE))
    armilla_stage_note (outputs[0], "pixel window of nside %" G_GINT64_FORMAT " computed",
                        self->nside);
  return TRUE;
}

static gboolean
smooth_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaSmoothAlm *self = ARMILLA_SMOOTH_ALM (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  g_autoptr (ArmillaCl) window
    = armilla_cl_new (armilla_alm_layout (alm).lmax, NULL, armilla_alm_n_fields (alm));

  self->lmax = armilla_alm_layout (alm).lmax;
  self->n_fields = armilla_alm_n_fields (alm);
  self->polarised = g_new (gboolean, self->n_fields);
  for (int f = 0; f < self->n_fields; f++)
    self->polarised[f] = armilla_fields_part (armilla_alm_spins (alm), f) > 0;
  return armilla_graph_fill (graph, ARMILLA_DATA (window), smooth_alm_fill, g_object_ref (self),
                             g_object_unref, error)
         && armilla_graph_scale_alm (graph, alm, window, ARMILLA_ALM (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "fwhm", ARMILLA_QUANTITY (ArmillaSmoothAlm, fwhm, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "full width at half maximum of a Gaussian" },
  { "sigma", ARMILLA_QUANTITY (ArmillaSmoothAlm, sigma, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "standard deviation of a Gaussian" },
  { "beam", ARMILLA_TEXT (ArmillaSmoothAlm, beam, NULL),
    "file with a table of b_l, FITS or text, at least up to lmax", ARMILLA_PROPERTY_INPUT_FILE },
  { "beam-column", ARMILLA_TEXT (ArmillaSmoothAlm, beam_column, ""),
    "columns of the beam file, by name or number from 0: one for all fields, or one per field, "
    "separated by commas; empty: the first for scalars, the second and third for E and B" },
  { "pixel-window", ARMILLA_TEXT (ArmillaSmoothAlm, pixel_window, NULL),
    "nside whose pixel window is read from HEALPix's data, or a file with one "
    "(pixel_window_nNNNNN.fits): its first column for scalars, its second for E and B",
    ARMILLA_PROPERTY_FILE_OR_NSIDE },
};

static void
armilla_smooth_alm_class_init (ArmillaSmoothAlmClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "smooth-alm";
  armilla_stage_set_example (stage, "fwhm = 5 deg");
  stage->summary = "Multiply a_lm by a beam";
  stage->description =
    "b_l is the product of the given factors, at least one of these: a Gaussian, exp(-(l (l + 1) "
    "- s^2) sigma^2 / 2) for a field of spin s, given by sigma or fwhm = sqrt(8 ln 2) sigma; a "
    "table of b_l; a pixel window.";
  stage->ports = in_out;
  stage->prepare = smooth_alm_prepare;
  stage->build = smooth_alm_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaSmoothAlm, window, g_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaSmoothAlm, polarised, g_free);
}
