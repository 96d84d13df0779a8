/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra of spectra, multipole by multipole, by formulas. */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fits.h"
#include "plugins/arithmetic/formulas.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/table.h"

#define MOST 8
#define TABLES 2

struct _ArmillaExpressionCl {
  ArmillaStage parent_instance;
  ArmillaFormulaTexts texts;
  ArmillaFormulas *formulas;
  gint64 lmax;
  int n_inputs, n_fields[MOST]; /* of those that are connected */
  int n_tables;
  const char *tables[TABLES];
};

ARMILLA_DEFINE_STAGE (ArmillaExpressionCl, armilla_expression_cl, ARMILLA, EXPRESSION_CL)

#define MORE(name) \
  { name, armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, \
    "one more, of the same lmax" }

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN, "spectra, l = 0..lmax" },
  MORE ("cl2"),
  MORE ("cl3"),
  MORE ("cl4"),
  MORE ("cl5"),
  MORE ("cl6"),
  MORE ("cl7"),
  MORE ("cl8"),
  { "table", armilla_table_data_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a table, for single values and reductions" },
  { "table2", armilla_table_data_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "one more" },
  { "out", armilla_cl_get_type, ARMILLA_PORT_OUT, "a spectrum for each expression" },
  { NULL, NULL, 0, NULL },
};

/* Spectra have one unit. */
static ArmillaNames *
name_spectra (ArmillaData *const *inputs)
{
  ArmillaNames *names = armilla_names_new ();
  g_autoptr (GPtrArray) units = g_ptr_array_new ();
  ArmillaNamesInput named[MOST];
  int n = 0, n_units = 0;

  for (int i = 0; i < MOST; i++)
    if (inputs[i] != NULL)
      {
        ArmillaCl *cl = ARMILLA_CL (inputs[i]);

        named[n++] = (ArmillaNamesInput) { ports[i].name, armilla_cl_n_fields (cl),
                                           armilla_cl_names (cl), NULL, TRUE };
        for (int f = 0; f < armilla_cl_n_fields (cl); f++)
          g_ptr_array_add (units, (gpointer) armilla_cl_unit (cl));
      }
  for (int i = 0; i < n; n_units += named[i++].n)
    named[i].units = (const char *const *) units->pdata + n_units;
  armilla_names_add_inputs (names, named, n, armilla_names_call_spectrum);
  armilla_names_call (names, armilla_names_add (names, "l", ""), NULL, "l");
  for (int i = MOST; i < MOST + TABLES; i++)
    if (inputs[i] != NULL)
      armilla_names_add_table (names, ports[i].name);
  return names;
}

static gboolean
check_lmax (ArmillaData *const *inputs, GError **error)
{
  const gint64 first = armilla_cl_lmax (ARMILLA_CL (inputs[0]));

  for (int i = 1; i < MOST; i++)
    if (inputs[i] != NULL && armilla_cl_lmax (ARMILLA_CL (inputs[i])) != first)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "cl has lmax %" G_GINT64_FORMAT ", but %s lmax %" G_GINT64_FORMAT
                           "; bring the a_lm that they are made of to one lmax with resize-alm",
                           first, ports[i].name, armilla_cl_lmax (ARMILLA_CL (inputs[i])));
  return TRUE;
}

/* Spectra have one unit: that of all, or none. */
static const char *
common_unit (const ArmillaFormulas *formulas)
{
  for (int i = 1; i < formulas->n; i++)
    if (strcmp (formulas->units[i], formulas->units[0]) != 0)
      return "";
  return formulas->units[0];
}

/* Reductions of tables that depend on those of spectra would need another step. */
static gboolean
check_numbers (const ArmillaExpressionCl *self, GError **error)
{
  const GArray *all = self->formulas->numbers;

  for (guint k = 0; k < all->len; k++)
    if (g_array_index (all, ArmillaNumber, k).kind == ARMILLA_NUMBER_ROWS
        && g_array_index (all, ArmillaNumber, k).level > 0)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "expression: a reduction of a table depends on one of spectra; make "
                           "it with two stages");
  return TRUE;
}

static gboolean
expression_cl_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                       ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaExpressionCl *self = ARMILLA_EXPRESSION_CL (stage);
  g_autoptr (ArmillaNames) names = NULL;
  ArmillaCl *out;

  (void) context;
  if (!check_lmax (inputs, error))
    return FALSE;
  names = name_spectra (inputs);
  self->formulas = armilla_formulas_new (&self->texts, names, error);
  if (self->formulas == NULL || !check_numbers (self, error))
    return FALSE;
  out = armilla_cl_new (armilla_cl_lmax (ARMILLA_CL (inputs[0])),
                        (const char *const *) self->formulas->names, self->formulas->n);
  armilla_cl_set_unit (out, common_unit (self->formulas));
  armilla_cl_set_coordsys (out, armilla_cl_coordsys (ARMILLA_CL (inputs[0])));
  for (int i = 0; i < MOST + TABLES; i++)
    if (inputs[i] != NULL)
      armilla_stage_inherit (ARMILLA_DATA (out), inputs[i]);
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

static gboolean
check_finite (const ArmillaExpressionCl *self, int i, const double *values, GError **error)
{
  gint64 n_bad = 0, first = 0;

  if (armilla_pixels_check_finite (values, self->lmax + 1, 0, &n_bad, &first))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                       "expression = %s: it is not finite at %" G_GINT64_FORMAT " multipole%s, the "
                       "first is l = %" G_GINT64_FORMAT "; say what it is there, as in where(l "
                       "> 0, .., 0)",
                       self->formulas->texts[i], n_bad, n_bad == 1 ? "" : "s", first);
}

/* Values of tables and reductions of them; others are made of the spectra. */
static gboolean
read_numbers (gpointer user, const ArmillaTable *const *tables, double *numbers, GError **error)
{
  const ArmillaExpressionCl *self = user;
  const GArray *all = self->formulas->numbers;
  ArmillaNamedTable named[TABLES];

  for (int t = 0; t < self->n_tables; t++)
    named[t] = (ArmillaNamedTable) { self->tables[t], tables[t] };
  for (guint k = 0; k < all->len; k++)
    if (g_array_index (all, ArmillaNumber, k).level > 0)
      numbers[k] = NAN;
    else if (!armilla_formulas_number (self->formulas, (int) k, named, self->n_tables, NULL,
                                       numbers, error))
      {
        g_prefix_error (error, "expression: ");
        return FALSE;
      }
  return TRUE;
}

/* Spectra, l, and the numbers of the formulas. */
static ArmillaValues *
find_values (const ArmillaExpressionCl *self, const double *const *in, double *numbers)
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
      armilla_values_set (values, variable++, in[i] + f * n, n);
  armilla_values_set (values, variable, multipoles, n);
  for (guint k = 0; k < self->formulas->numbers->len; k++)
    armilla_values_set (values,
                        g_array_index (self->formulas->numbers, ArmillaNumber, k).variable,
                        &numbers[k], 1);
  return values;
}

static gboolean
convert (gpointer user, const double *const *in, double *out, GError **error)
{
  const ArmillaExpressionCl *self = user;
  const ArmillaFormulas *formulas = self->formulas;
  const gint64 n = self->lmax + 1;
  g_autofree double *numbers = g_new (double, MAX (formulas->numbers->len, 1));
  g_autoptr (ArmillaValues) values = find_values (self, in, numbers);

  if (self->n_tables > 0)
    memcpy (numbers, in[self->n_inputs], sizeof (double) * formulas->numbers->len);
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
      memcpy (out + i * n, found, sizeof (double) * (gsize) n);
    }
  return TRUE;
}

static gboolean
expression_cl_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                     ArmillaData *const *outputs, GError **error)
{
  ArmillaExpressionCl *self = ARMILLA_EXPRESSION_CL (stage);
  const gboolean with_numbers = self->formulas->numbers->len > 0;
  g_autoptr (ArmillaCl) numbers = NULL;
  ArmillaTableData *tables[TABLES];
  ArmillaCl *found[MOST + 1];

  for (int i = 0; i < MOST; i++)
    if (inputs[i] != NULL)
      {
        found[self->n_inputs] = ARMILLA_CL (inputs[i]);
        self->n_fields[self->n_inputs++] = armilla_cl_n_fields (ARMILLA_CL (inputs[i]));
      }
  for (int i = MOST; with_numbers && i < MOST + TABLES; i++)
    if (inputs[i] != NULL)
      {
        tables[self->n_tables] = ARMILLA_TABLE_DATA (inputs[i]);
        self->tables[self->n_tables++] = ports[i].name;
      }
  self->lmax = armilla_cl_lmax (ARMILLA_CL (inputs[0]));
  if (self->n_tables > 0)
    {
      numbers = armilla_cl_new (self->formulas->numbers->len - 1, NULL, 1);
      found[self->n_inputs] = numbers;
      if (!armilla_graph_read_numbers (graph, tables, self->n_tables, read_numbers,
                                       g_object_ref (self), g_object_unref, numbers, error))
        return FALSE;
    }
  return armilla_graph_convert_cl (graph, found, self->n_inputs + (numbers != NULL), convert,
                                   g_object_ref (self), g_object_unref, ARMILLA_CL (outputs[0]),
                                   error);
}

static void
armilla_expression_cl_class_init (ArmillaExpressionClClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "expression-cl";
  armilla_stage_set_example (stage, "expression = 2 * cl");
  stage->summary = "Compute spectra from spectra by formulas, multipole by multipole";
  stage->description =
    "Spectra go by their names, those of T, E and B as TT, EE, BB, TE, EB and TB; cl2.TT is that "
    "of the second input, cl2.1 its spectrum 1 (from 0), and cl2 its only one. A name alone is "
    "that of the first input. l is the multipole, so l*(l+1)/(2*pi)*TT is D_l. mean(TT), sum, "
    "var, min and max are numbers: of all l where there is a value. table.A is a number of a "
    "table. What comes out must be finite at every l. "
    "doc/expressions.md has all that expressions may say.";
  stage->ports = ports;
  stage->prepare = expression_cl_prepare;
  stage->build = expression_cl_build;
  armilla_formulas_install (stage, G_STRUCT_OFFSET (ArmillaExpressionCl, texts));
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionCl, formulas, armilla_formulas_free);
}
