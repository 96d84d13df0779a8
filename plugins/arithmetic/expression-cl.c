/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra computed from spectra, multipole by multipole. */
#include <string.h>

#include "core/fits/fits.h"
#include "plugins/arithmetic/expression.h"

/* Returns the common unit of the spectra, "" if they differ: a set of spectra has one unit. */
static const char *
common_unit (const ArmillaFormulas *formulas)
{
  for (int i = 1; i < formulas->n; i++)
    if (strcmp (formulas->units[i], formulas->units[0]) != 0)
      return "";
  return formulas->units[0];
}

/* Rejects reductions of tables that depend on reductions of spectra, which are computed later. */
static gboolean
check_numbers (const ArmillaExpressionStage *self, GError **error)
{
  const GArray *all = self->formulas->numbers;

  for (guint k = 0; k < all->len; k++)
    if (g_array_index (all, ArmillaNumber, k).kind == ARMILLA_NUMBER_ROWS
        && g_array_index (all, ArmillaNumber, k).level > 0)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "expression: a reduction of a table depends on a reduction of spectra; "
                           "compute it in two stages");
  return TRUE;
}

ArmillaData *
armilla_expression_prepare_cl (ArmillaExpressionStage *self, ArmillaData *const *inputs,
                               GError **error)
{
  ArmillaCl *first = ARMILLA_CL (inputs[0]), *out;

  if (!check_numbers (self, error))
    return NULL;
  self->lmax = armilla_cl_lmax (first);
  out = armilla_cl_new (self->lmax, (const char *const *) self->formulas->names, self->formulas->n);
  armilla_cl_set_unit (out, common_unit (self->formulas));
  armilla_cl_set_coordsys (out, armilla_cl_coordsys (first));
  return ARMILLA_DATA (out);
}

static gboolean
check_finite (const ArmillaExpressionStage *self, int i, const double *values, GError **error)
{
  gint64 n_bad = 0, first = 0;

  if (armilla_pixels_check_finite (values, self->lmax + 1, 0, &n_bad, &first))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                       "expression = %s: it is not finite at %" G_GINT64_FORMAT " multipole%s, the "
                       "first is l = %" G_GINT64_FORMAT "; define its value there, as in where(l > "
                       "0, .., 0)",
                       self->formulas->texts[i], n_bad, n_bad == 1 ? "" : "s", first);
}

/* Collects the values of the variables: spectra, l, and the numbers of the formulas. */
static ArmillaValues *
find_values (const ArmillaExpressionStage *self, const ArmillaPiece *in, double *numbers)
{
  ArmillaValues *values = armilla_values_new (self->formulas->n_variables);
  const gint64 n = self->lmax + 1;
  double *multipoles = g_new (double, n);
  int variable = 0;

  for (gint64 l = 0; l < n; l++)
    multipoles[l] = (double) l;
  g_ptr_array_add (values->made, multipoles);
  for (int i = 0; i < self->n_inputs; i++)
    for (int f = 0; f < self->n_fields[i]; f++)
      armilla_values_set (values, variable++, in[i].values + f * n, n);
  armilla_values_set (values, variable, multipoles, n);
  for (guint k = 0; k < self->formulas->numbers->len; k++)
    armilla_values_set (values,
                        g_array_index (self->formulas->numbers, ArmillaNumber, k).variable,
                        &numbers[k], 1);
  return values;
}

static gboolean
convert (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const ArmillaExpressionStage *self = user;
  const ArmillaFormulas *formulas = self->formulas;
  const gint64 n = self->lmax + 1;
  g_autofree double *numbers = g_new (double, MAX (formulas->numbers->len, 1));
  g_autoptr (ArmillaValues) values = find_values (self, in, numbers);

  if (self->n_tables > 0)
    memcpy (numbers, in[self->n_inputs].values, sizeof (double) * formulas->numbers->len);
  for (guint k = 0; k < formulas->numbers->len; k++)
    if (g_array_index (formulas->numbers, ArmillaNumber, k).kind == ARMILLA_NUMBER_REDUCED
        && !armilla_formulas_number (formulas, (int) k, NULL, 0, values, numbers, error))
      return FALSE;
  for (int i = 0; i < formulas->n; i++)
    {
      gint64 n_rows = n;
      g_autofree double *found
        = armilla_values_evaluate (values, formulas->expression[i], &n_rows, error);

      if (found == NULL || !check_finite (self, i, found, error))
        return FALSE;
      memcpy (out->values + i * n, found, sizeof (double) * (gsize) n);
    }
  return TRUE;
}

gboolean
armilla_expression_build_cl (ArmillaExpressionStage *self, ArmillaGraph *graph,
                             ArmillaCl *const *inputs, ArmillaTableData *const *tables,
                             ArmillaCl *out, GError **error)
{
  g_autoptr (ArmillaCl) numbers = NULL;
  ArmillaData *in[ARMILLA_EXPRESSION_INPUTS + 1];

  if (self->formulas->numbers->len == 0)
    self->n_tables = 0;
  if (self->n_tables > 0
      && !armilla_expression_ask_numbers (self, graph, tables, 0, NULL, &numbers, error))
    return FALSE;
  memcpy (in, inputs, sizeof *in * (gsize) self->n_inputs);
  in[self->n_inputs] = (ArmillaData *) numbers;
  return armilla_graph_make (graph, in, self->n_inputs + (numbers != NULL), ARMILLA_DATA (out),
                             convert, g_object_ref (self), g_object_unref, error);
}
