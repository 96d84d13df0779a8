/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of spectra: names and values. */
#include <string.h>

#include "core/spectra/spectrum-roles.h"
#include "plugins/pictures/plot-private.h"

static void
clear_curve (gpointer data)
{
  ArmillaCurve *curve = data;

  g_free (curve->name);
  g_free (curve->group);
  g_free (curve->formula);
  g_free (curve->unit);
  g_free (curve->x_label);
  g_free (curve->x);
  g_free (curve->y);
  g_free (curve->low);
  g_free (curve->high);
  g_free (curve->error);
}

GArray *
armilla_curves_new (void)
{
  GArray *curves = g_array_new (FALSE, FALSE, sizeof (ArmillaCurve));

  g_array_set_clear_func (curves, clear_curve);
  return curves;
}

/* Adds a curve with values 0. The returned pointer is valid until another curve is added. @group:
 * its quantity; @formula: label of that quantity on an axis. */
ArmillaCurve *
armilla_curves_add (GArray *curves, ArmillaCurveKind kind, int input, const char *group,
                    const char *formula, gint64 n)
{
  const ArmillaCurve curve = {
    .kind = kind, .input = input, .name = g_utf8_make_valid (group, -1),
    .group = g_utf8_make_valid (group, -1),
    .formula = g_utf8_make_valid (formula, -1), .unit = g_strdup (""), .x_label = g_strdup (""),
    .n = n, .x = g_new0 (double, n), .y = g_new0 (double, n),
  };

  g_array_append_val (curves, curve);
  return &g_array_index (curves, ArmillaCurve, curves->len - 1);
}

/* Returns a formula for a spectrum. @name: such as TT; "": none; @written_out: D_l is written as l
 * (l + 1) C_l / 2 pi. */
char *
armilla_spectrum_formula (ArmillaSpectrumQuantity quantity, const char *name,
                          gboolean written_out)
{
  const gboolean dl = quantity == ARMILLA_QUANTITY_DL;
  g_autofree char *raised = *name != '\0' && strlen (name) <= 8 && strpbrk (name, "^_{}*") == NULL
                              ? g_strdup_printf ("^{%s}", name) : g_strdup ("");

  return g_strdup_printf ("%s*{%c}_{\342\204\223}%s%s",
                          dl && written_out ? "\342\204\223(\342\204\223 + 1) " : "",
                          dl && !written_out ? 'D' : 'C', raised,
                          dl && written_out ? " / 2\317\200" : "");
}

/* Adds a spectrum as a line from l = 2 on; from 0 or 1 if it ends before 2. */
void
armilla_curves_add_spectrum (GArray *curves, int input, const char *name, const char *unit,
                             const double *values, gint64 lmax, ArmillaSpectrumQuantity quantity)
{
  const gint64 first = MIN (2, lmax);
  const char *group = armilla_spectrum_pair (name);
  g_autofree char *formula = armilla_spectrum_formula (quantity, group, FALSE);
  ArmillaCurve *curve = armilla_curves_add (curves, ARMILLA_CURVE_MULTIPOLES, input, group,
                                            formula, lmax - first + 1);

  g_free (curve->name);
  curve->name = g_utf8_make_valid (name, -1);
  g_free (curve->unit);
  curve->unit = g_strdup (unit);
  g_free (curve->x_label);
  curve->x_label = g_strdup ("multipole \342\204\223");
  for (gint64 i = 0; i < curve->n; i++)
    {
      const double l = (double) (first + i);

      curve->x[i] = l;
      curve->y[i] = values[first + i]
        * (quantity == ARMILLA_QUANTITY_DL ? l * (l + 1) / (2 * G_PI) : 1);
    }
}
