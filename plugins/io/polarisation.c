/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugins/io/polarisation.h"

#include <string.h>

/* Returns whether a word consists of two Stokes parameters, such as IU or QU. */
static gboolean
is_pair (const char *word)
{
  return strlen (word) == 2 && strchr ("ITQUiqtu", word[0]) != NULL
         && strchr ("ITQUiqtu", word[1]) != NULL;
}

/* Returns whether a word beside such a pair does not change the meaning, such as COV or a
 * number. */
static gboolean
is_filler (const char *word)
{
  static const char *const fillers[]
    = { "COV", "COVARIANCE", "COVAR", "CORR", "CORRELATION", "INV", "INVERSE", "INVCOV", "ICOV",
        "WEIGHT", "WEIGHTS", "NOISE", "N", "OBS", "NOBS", "STOKES", "MAP", "POL", "POLARISATION",
        "POLARIZATION" };

  for (gsize i = 0; i < G_N_ELEMENTS (fillers); i++)
    if (g_ascii_strcasecmp (word, fillers[i]) == 0)
      return TRUE;
  return strspn (word, "0123456789") == strlen (word);
}

/* Returns whether a column changes its sign between the IAU and the COSMO convention: covariances
 * and weights of two Stokes parameters one of which is U, such as IU, IU_COV, COV_QU,
 * QU_COVARIANCE_143. UU does not change, nor do columns with other words in their names. */
gboolean
armilla_polarisation_flips (const char *name)
{
  g_auto (GStrv) words = g_strsplit_set (name, "_- .", -1);
  const char *pair = NULL;

  for (char **word = words; *word != NULL; word++)
    {
      if (is_filler (*word))
        continue;
      if (pair != NULL || !is_pair (*word))
        return FALSE;
      pair = *word;
    }
  return pair != NULL
         && (g_ascii_toupper (pair[0]) == 'U') != (g_ascii_toupper (pair[1]) == 'U');
}
