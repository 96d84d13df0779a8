/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandpower bins and names of spectra from properties. */
#include "plugins/spectra/spectra-private.h"

static const char *const weights[] = {
  [ARMILLA_DEGREE_WEIGHTS_UNIFORM] = "uniform", [ARMILLA_DEGREE_WEIGHTS_MODES] = "modes", NULL,
};

const char *const armilla_spectra_pures[] = {
  [ARMILLA_PURE_NONE] = "none", [ARMILLA_PURE_E] = "e", [ARMILLA_PURE_B] = "b",
  [ARMILLA_PURE_EB] = "eb", NULL,
};

static const ArmillaProperty all[] = {
  { "edges", ARMILLA_TEXT (SpectraProperties, edges, ""),
    "first multipole of each bin, ascending, separated by commas, followed by the multipole after "
    "the last bin: 2, 30, 60, 100; instead of delta-l" },
  { "delta-l", ARMILLA_INT64 (SpectraProperties, delta, 0, G_MAXINT32, 0),
    "width of each bin in multipoles; a shorter remainder at the end is dropped" },
  { "lmin", ARMILLA_INT64 (SpectraProperties, lmin, 0, G_MAXINT32, 2),
    "with delta-l: first multipole of the first bin" },
  { "lmax", ARMILLA_INT64 (SpectraProperties, lmax, -1, G_MAXINT32, -1),
    "with delta-l: highest multipole of the bins; -1: the highest of the data" },
  { "weights", ARMILLA_ENUM (SpectraProperties, weights, weights, ARMILLA_DEGREE_WEIGHTS_UNIFORM),
    "weight of a multipole in its bin: uniform, or 2 l + 1, its number of modes" },
  { "dl", ARMILLA_BOOLEAN (SpectraProperties, dl, FALSE),
    "bandpowers are means of D_l = l (l + 1) C_l / 2 pi instead of C_l" },
  { "spectra", ARMILLA_TEXT (SpectraProperties, spectra, ""),
    "names of the spectra in their order, pairs of letters, separated by commas: TT, EE, BB, TE, "
    "EB, TB; E and B are fields of spin 2, all other letters scalars; - omits one. Empty: the "
    "names of the spectra, if they are HEALPix's" },
};

/* Installs the shared properties; part is the offset of SpectraProperties in the object. */
void
armilla_spectra_install (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, all, G_N_ELEMENTS (all));
}

/* Parses the edges. (element-type gint64) */
static GArray *
parse_edges (const char *text, GError **error)
{
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_auto (GStrv) words = armilla_stage_words (text);

  for (char **word = words; *word != NULL; word++)
    {
      gint64 edge;

      if (!g_ascii_string_to_signed (*word, 10, 0, G_MAXINT32, &edge, NULL))
        return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                  "edges: '%s' is not a multipole; must be an integer from 0 on",
                                  *word);
      g_array_append_val (edges, edge);
    }
  return g_steal_pointer (&edges);
}

static GArray *
even_edges (const SpectraProperties *properties, gint64 lmax, GError **error)
{
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (gint64));
  const gint64 end = properties->lmax < 0 ? lmax : properties->lmax;

  if (end > lmax)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "lmax = %" G_GINT64_FORMAT " is beyond the highest multipole of the "
                              "spectra, %" G_GINT64_FORMAT, end, lmax);
  for (gint64 l = properties->lmin; l <= end + 1; l += properties->delta)
    g_array_append_val (edges, l);
  if (edges->len < 2)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "delta-l: no bin of %" G_GINT64_FORMAT " multipoles fits between "
                              "l = %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT, properties->delta,
                              properties->lmin, end);
  return g_steal_pointer (&edges);
}

ArmillaDegreeBins *
armilla_spectra_bins (gpointer stage, const SpectraProperties *properties, gint64 lmax,
                      GError **error)
{
  static const char *const even[] = { "delta-l", "lmin", "lmax" };
  const gboolean by_edges = properties->edges[0] != '\0';
  g_autoptr (GArray) edges = NULL;

  for (gsize i = 0; by_edges && i < G_N_ELEMENTS (even); i++)
    if (armilla_stage_given (stage, even[i]))
      return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                "edges and %s are both set; edges already define the bins: leave "
                                "out one of them", even[i]);
  if (!by_edges && properties->delta == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "edges: no bins; set edges or delta-l");
  edges = by_edges ? parse_edges (properties->edges, error)
                   : even_edges (properties, lmax, error);
  if (edges == NULL)
    return NULL;
  return armilla_degree_bins_new ((const gint64 *) (gconstpointer) edges->data, edges->len, lmax,
                                  properties->weights, properties->dl, error);
}

/* Fails if the matrices are for purified fields but pure names no field. */
gboolean
armilla_spectra_check_pure (ArmillaMatrix *coupling, ArmillaPure pure, GError **error)
{
  if (pure != ARMILLA_PURE_NONE
      || (armilla_matrix_find (coupling, "0p") < 0 && armilla_matrix_find (coupling, "pp") < 0))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "pure: the coupling is that of purified fields; set pure to b, e or eb, or "
                       "compute the coupling without pure = true");
}

/* Returns a name per spectrum; ARMILLA_ERROR_VALUE if the number of names is wrong. */
char **
armilla_spectra_names (const SpectraProperties *properties, ArmillaCl *cl, GError **error)
{
  const int n = armilla_cl_n_fields (cl);
  g_auto (GStrv) words = NULL;

  if (properties->spectra[0] == '\0')
    return g_strdupv ((char **) armilla_cl_names (cl));
  words = armilla_stage_words (properties->spectra);
  if ((int) g_strv_length (words) != n)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "spectra: %u names for %d spectra; must be one per spectrum (- skips "
                              "it)", g_strv_length (words), n);
  return g_steal_pointer (&words);
}
