/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/stage.h>

/**
 * ArmillaStage:
 *
 * Base class of the stages. It has neither state nor behaviour of its own; what a stage is stands
 * in its class, so that names, ports, types and ranges are checked before an object is made.
 */
G_DEFINE_ABSTRACT_TYPE (ArmillaStage, armilla_stage, G_TYPE_OBJECT)

static void
armilla_stage_class_init (ArmillaStageClass *klass)
{
  (void) klass;
}

static void
armilla_stage_init (ArmillaStage *self)
{
  (void) self;
}

static GQuark
dimension_quark (void)
{
  return g_quark_from_static_string ("armilla-param-dimension");
}

static GQuark
required_quark (void)
{
  return g_quark_from_static_string ("armilla-param-required");
}

static GQuark
input_file_quark (void)
{
  return g_quark_from_static_string ("armilla-param-input-file");
}

/**
 * armilla_param_spec_quantity:
 * @name: (transfer none): name of the property, a static string
 * @blurb: (transfer none): what it is, a static string
 * @dimension: what the unit must be
 * @minimum: smallest value, in the base unit of @dimension
 * @maximum: largest value, in the base unit of @dimension
 * @default_value: default, in the base unit of @dimension
 *
 * Makes a property of type double that takes a number with a unit in a workflow file
 * ("4.7 arcmin"). The object sees it in the base unit: radian, byte or second.
 *
 * Returns: (transfer floating): a GParamSpecDouble
 */
GParamSpec *
armilla_param_spec_quantity (const char *name, const char *blurb, ArmillaDimension dimension,
                             double minimum, double maximum, double default_value)
{
  GParamSpec *pspec = g_param_spec_double (name, NULL, blurb, minimum, maximum, default_value,
                                           ARMILLA_PARAM_RW);

  if (pspec != NULL)
    g_param_spec_set_qdata (pspec, dimension_quark (), GINT_TO_POINTER (dimension));
  return pspec;
}

/**
 * armilla_param_spec_dimension:
 * @pspec: a property
 *
 * Returns: what its unit must be; %ARMILLA_DIMENSION_NONE unless armilla_param_spec_quantity()
 *   made it
 */
ArmillaDimension
armilla_param_spec_dimension (GParamSpec *pspec)
{
  return (ArmillaDimension) GPOINTER_TO_INT (g_param_spec_get_qdata (pspec, dimension_quark ()));
}

/**
 * armilla_param_spec_required:
 * @pspec: (transfer none): a property
 *
 * Says that a workflow file must give this property: its default is no sensible value.
 *
 * Returns: (transfer none): @pspec, still floating if it was
 */
GParamSpec *
armilla_param_spec_required (GParamSpec *pspec)
{
  g_param_spec_set_qdata (pspec, required_quark (), GINT_TO_POINTER (TRUE));
  return pspec;
}

/**
 * armilla_param_spec_is_required:
 * @pspec: a property
 *
 * Returns: whether a workflow file must give it
 */
gboolean
armilla_param_spec_is_required (GParamSpec *pspec)
{
  return GPOINTER_TO_INT (g_param_spec_get_qdata (pspec, required_quark ()));
}

/**
 * armilla_param_spec_input_file:
 * @pspec: (transfer none): a property that holds text
 *
 * Says that the text, unless it is empty, names a file that the stage reads and that must be there
 * before the run: `armilla check` looks for it.
 *
 * Returns: (transfer none): @pspec, still floating if it was
 */
GParamSpec *
armilla_param_spec_input_file (GParamSpec *pspec)
{
  g_param_spec_set_qdata (pspec, input_file_quark (), GINT_TO_POINTER (TRUE));
  return pspec;
}

/**
 * armilla_param_spec_is_input_file:
 * @pspec: a property
 *
 * Returns: whether it names a file that must be there before the run
 */
gboolean
armilla_param_spec_is_input_file (GParamSpec *pspec)
{
  return GPOINTER_TO_INT (g_param_spec_get_qdata (pspec, input_file_quark ()));
}
