/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra of spectra, degree by degree, by formulas. */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/arithmetic/formulas.h"
#include "plugins/base/stage-util.h"

#define MOST 8

struct _ArmillaExpressionCl {
  ArmillaStage parent_instance;
  ArmillaFormulaTexts texts;
  ArmillaFormulas *formulas;
  gint64 lmax;
  int n_inputs, n_fields[MOST]; /* of those that are connected */
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
  { "out", armilla_cl_get_type, ARMILLA_PORT_OUT, "a spectrum for each expression" },
  { NULL, NULL, 0, NULL },
};

static void
name_spectra (ArmillaNames *names, ArmillaData *const *inputs)
{
  int variable = 0;

  for (int i = 0; i < MOST; i++)
    for (int f = 0; inputs[i] != NULL && f < armilla_cl_n_fields (ARMILLA_CL (inputs[i])); f++)
      {
        ArmillaCl *cl = ARMILLA_CL (inputs[i]);

        variable = armilla_names_add (names, armilla_cl_names (cl)[f], armilla_cl_unit (cl));
        armilla_names_call_spectrum (names, variable, NULL, armilla_cl_names (cl)[f]);
      }
  variable = 0;
  for (int i = 0; i < MOST; i++)
    {
      int n = inputs[i] != NULL ? armilla_cl_n_fields (ARMILLA_CL (inputs[i])) : 0;

      if (n == 1)
        armilla_names_call (names, variable, NULL, ports[i].name);
      for (int f = 0; f < n; f++, variable++)
        {
          g_autofree char *number = g_strdup_printf ("%d", f);

          armilla_names_call_spectrum (names, variable, ports[i].name,
                                       armilla_cl_names (ARMILLA_CL (inputs[i]))[f]);
          armilla_names_call (names, variable, ports[i].name, number);
        }
    }
  armilla_names_call (names, armilla_names_add (names, "l", ""), NULL, "l");
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

static gboolean
expression_cl_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                       ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaExpressionCl *self = ARMILLA_EXPRESSION_CL (stage);
  g_autoptr (ArmillaNames) names = armilla_names_new ();
  ArmillaCl *out;

  (void) context;
  if (!check_lmax (inputs, error))
    return FALSE;
  name_spectra (names, inputs);
  self->formulas = armilla_formulas_new (&self->texts, names, error);
  if (self->formulas == NULL)
    return FALSE;
  out = armilla_cl_new (armilla_cl_lmax (ARMILLA_CL (inputs[0])),
                        (const char *const *) self->formulas->names, self->formulas->n);
  armilla_cl_set_unit (out, common_unit (self->formulas));
  armilla_cl_set_coordsys (out, armilla_cl_coordsys (ARMILLA_CL (inputs[0])));
  for (int i = 0; i < MOST; i++)
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
                       "expression = %s: it is not finite at %" G_GINT64_FORMAT " degree%s, the "
                       "first is l = %" G_GINT64_FORMAT "; say what it is there, as in where(l "
                       "> 0, .., 0)",
                       self->formulas->texts[i], n_bad, n_bad == 1 ? "" : "s", first);
}

static gboolean
convert (gpointer user, const double *const *in, double *out, GError **error)
{
  const ArmillaExpressionCl *self = user;
  const gint64 n = self->lmax + 1;
  g_autofree const double **values = g_new (const double *, self->formulas->n_variables);
  g_autofree double *degrees = g_new (double, n);
  int variable = 0;

  for (gint64 l = 0; l < n; l++)
    degrees[l] = (double) l;
  for (int i = 0; i < self->n_inputs; i++)
    for (int f = 0; f < self->n_fields[i]; f++)
      values[variable++] = in[i] + f * n;
  values[variable] = degrees;
  for (int i = 0; i < self->formulas->n; i++)
    if (!armilla_expression_evaluate (self->formulas->expression[i], values, n, out + i * n, error)
        || !check_finite (self, i, out + i * n, error))
      return FALSE;
  return TRUE;
}

static gboolean
expression_cl_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                     ArmillaData *const *outputs, GError **error)
{
  ArmillaExpressionCl *self = ARMILLA_EXPRESSION_CL (stage);
  ArmillaCl *found[MOST];

  for (int i = 0; i < MOST; i++)
    if (inputs[i] != NULL)
      {
        found[self->n_inputs] = ARMILLA_CL (inputs[i]);
        self->n_fields[self->n_inputs++] = armilla_cl_n_fields (ARMILLA_CL (inputs[i]));
      }
  self->lmax = armilla_cl_lmax (ARMILLA_CL (inputs[0]));
  return armilla_graph_convert_cl (graph, found, self->n_inputs, convert, g_object_ref (self),
                                   g_object_unref, ARMILLA_CL (outputs[0]), error);
}

static void
armilla_expression_cl_class_init (ArmillaExpressionClClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "expression-cl";
  stage->summary = "Compute spectra from spectra by formulas, degree by degree";
  stage->description =
    "Spectra go by their names, those of T, E and B as TT, EE, BB, TE, EB and TB; cl2.TT is that "
    "of the second input, cl2.1 its spectrum 1 (from 0), and cl2 its only one. l is the degree, so "
    "l*(l+1)/(2*pi)*TT is D_l. What comes out must be finite at every l. "
    "doc/expressions.md has all that expressions may say.";
  stage->ports = ports;
  stage->prepare = expression_cl_prepare;
  stage->build = expression_cl_build;
  armilla_formulas_install (stage, G_STRUCT_OFFSET (ArmillaExpressionCl, texts));
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionCl, formulas, armilla_formulas_free);
}
