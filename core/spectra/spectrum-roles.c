/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the spectra that mix with each other, and their coupling matrices. */
#include "core/spectra/spectrum-roles.h"

#include <string.h>

/* healpy's and HEALPix's names of the spectra of T, E and B. */
static const char *const known[][2] = {
  { "TEMPERATURE", "TT" }, { "GRADIENT", "EE" }, { "CURL", "BB" },
  { "G-T", "TE" },         { "C-G", "EB" },      { "C-T", "TB" },
};

/* Returns TT, EE, BB, TE, EB or TB for HEALPix's name of it, ignoring case; @name for any other. */
const char *
armilla_spectrum_pair (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_ascii_strcasecmp (name, known[i][0]) == 0)
      return known[i][1];
  return name;
}

static gboolean
has_spin (char field)
{
  return field == 'E' || field == 'B';
}

static gboolean
is_pure (char field, ArmillaPure pure)
{
  return (field == 'E' && pure & ARMILLA_PURE_E) || (field == 'B' && pure & ARMILLA_PURE_B);
}

/* Finds the coupling matrices by the number of spin-2 fields and of purified fields. */
static void
find_role (ArmillaSpectrum *spectrum, ArmillaPure pure)
{
  static const ArmillaCouplingKinds kinds[3][3] = {
    { ARMILLA_COUPLING_KIND_00 },
    { ARMILLA_COUPLING_KIND_0P, ARMILLA_COUPLING_KIND_0PURE },
    { ARMILLA_COUPLING_KIND_PP, ARMILLA_COUPLING_KIND_PPURE, ARMILLA_COUPLING_KIND_PUREPURE },
  };
  const char *name = spectrum->name;

  spectrum->own = kinds[has_spin (name[0]) + has_spin (name[1])]
                       [is_pure (name[0], pure) + is_pure (name[1], pure)];
  if (spectrum->own == ARMILLA_COUPLING_KIND_PP)
    spectrum->mixed = name[0] == name[1] ? 1 : -1;
}

static gboolean
read_name (const char *name, ArmillaPure pure, ArmillaSpectrum *spectrum, GError **error)
{
  name = armilla_spectrum_pair (name);
  if (strcmp (name, "-") == 0)
    return TRUE;
  if (strlen (name) != 2 || !g_ascii_isalnum (name[0]) || !g_ascii_isalnum (name[1]))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "spectra: '%s' is not a pair of fields; must be two letters, such as TT, "
                         "TE, EE or BB, or - to skip a spectrum",
                         name);
  memcpy (spectrum->name, name, 2);
  find_role (spectrum, pure);
  return TRUE;
}

/* Finds the partner: the other one of EE and BB, or of EB and BE. */
static gboolean
find_partner (GArray *spectra, guint i, GError **error)
{
  ArmillaSpectrum *all = (ArmillaSpectrum *) (gpointer) spectra->data, *one = &all[i];

  for (guint j = 0; j < spectra->len; j++)
    if (j != i && strcmp (all[j].name, one->name) == 0)
      return armilla_fail (error, ARMILLA_ERROR_VALUE, "spectra: %s occurs twice", one->name);
  if (!one->mixed)
    return TRUE;
  for (guint j = 0; j < spectra->len; j++)
    if (has_spin (all[j].name[0]) && all[j].name[0] != one->name[0] && has_spin (all[j].name[1])
        && all[j].name[1] != one->name[1])
      one->partner = (int) j;
  if (one->partner < 0 && one->mixed > 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "spectra: a mask mixes EE and BB: %s cannot be computed without %s",
                         one->name, one->name[0] == 'E' ? "BB" : "EE");
  return TRUE;
}

/* Assigns coupling matrices to the spectra. With @exchanged, each spectrum of two different fields
 * is followed at the end by that of the exchanged fields (BE for EB); without it, both skies are
 * the same and BE equals EB. Returns the spectra that are not skipped; NULL on error. */
GArray *
armilla_spectra_roles (const char *const *names, int n_names, gboolean exchanged,
                       ArmillaPure pure, GError **error)
{
  g_autoptr (GArray) spectra = g_array_new (FALSE, FALSE, sizeof (ArmillaSpectrum));

  for (int i = 0; i < n_names; i++)
    {
      ArmillaSpectrum spectrum = { .source = i, .partner = -1 };

      if (!read_name (names[i], pure, &spectrum, error))
        return NULL;
      if (spectrum.own != 0)
        g_array_append_val (spectra, spectrum);
    }
  for (guint i = 0, n = spectra->len; exchanged && i < n; i++)
    {
      ArmillaSpectrum other = g_array_index (spectra, ArmillaSpectrum, i);

      if (other.name[0] == other.name[1])
        continue;
      other.source += n_names;
      other.name[0] = other.name[1];
      other.name[1] = g_array_index (spectra, ArmillaSpectrum, i).name[0];
      g_array_append_val (spectra, other);
    }
  if (spectra->len == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "spectra: all of them are skipped");
  for (guint i = 0; i < spectra->len; i++)
    if (!find_partner (spectra, i, error))
      return NULL;
  return g_steal_pointer (&spectra);
}

/* Returns the coupling matrices that the spectra need. */
ArmillaCouplingKinds
armilla_spectra_kinds (const GArray *spectra)
{
  ArmillaCouplingKinds kinds = 0;

  for (guint i = 0; i < spectra->len; i++)
    {
      const ArmillaSpectrum *one = &g_array_index (spectra, ArmillaSpectrum, i);

      kinds |= one->own | (one->mixed ? ARMILLA_COUPLING_KIND_MM : 0);
    }
  return kinds;
}

/* Returns the names of the window functions of their bandpowers, as "EE of BB" for the contribution
 * of BB to EE; for each spectrum first its own, then that of its partner. */
char **
armilla_spectra_window_names (const GArray *spectra)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < spectra->len; i++)
    {
      const ArmillaSpectrum *one = &g_array_index (spectra, ArmillaSpectrum, i);

      g_ptr_array_add (names, g_strdup_printf ("%s of %s", one->name, one->name));
      if (one->partner >= 0)
        g_ptr_array_add (names, g_strdup_printf ("%s of %s", one->name,
                                                 g_array_index (spectra, ArmillaSpectrum,
                                                                one->partner).name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}
