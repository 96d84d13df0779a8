/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptions of the spectra of a_lm. */
#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"

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

/* Returns (element-type utf8) the names of the spectra of each field of @a with each of @b. */
static GPtrArray *
cross_names (ArmillaAlm *a, ArmillaAlm *b)
{
  static const char *const te[] = { "G-T", "C-T" }, *const et[] = { "ET", "BT" };
  const int n_a = armilla_alm_n_fields (a), n_b = armilla_alm_n_fields (b);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  if (n_a == 1 && n_b == 2 && armilla_alm_spins (b)[0] == 2)
    return add_all (names, te, G_N_ELEMENTS (te));
  if (n_a == 2 && n_b == 1 && armilla_alm_spins (a)[0] == 2)
    return add_all (names, et, G_N_ELEMENTS (et));
  for (int i = 1; i <= n_a; i++)
    for (int j = 1; j <= n_b; j++)
      g_ptr_array_add (names, g_strdup_printf ("FIELD%dxFIELD%d", i, j));
  return names;
}

/* Returns whether two a_lm have the same fields: their number and spins. */
gboolean
armilla_stage_same_fields (ArmillaAlm *a, ArmillaAlm *b)
{
  const int n = armilla_alm_n_fields (a);

  return n == armilla_alm_n_fields (b)
         && armilla_fields_equal (armilla_alm_spins (a), armilla_alm_spins (b), n);
}

/* Describes the spectra of two a_lm, or of one, up to @lmax: those of all pairs of fields in
 * healpy's order or, if their fields are not the same, of each field of @a with each of @b. */
ArmillaCl *
armilla_stage_new_spectra (ArmillaAlm *a, ArmillaAlm *b, gint64 lmax)
{
  g_autoptr (GPtrArray) names
    = armilla_stage_same_fields (a, b)
        ? spectrum_names (armilla_alm_spins (a), armilla_alm_n_fields (a)) : cross_names (a, b);
  g_autofree char *unit = product_unit (armilla_alm_unit (a), armilla_alm_unit (b));
  ArmillaCl *cl
    = armilla_cl_new (lmax, (const char *const *) names->pdata, (int) names->len);

  armilla_cl_set_unit (cl, unit);
  return cl;
}
