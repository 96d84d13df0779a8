/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversions between texts and values of properties. */
#include "workflows/text/property.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/base/quantity.h"
#include "plugins/base/stage.h"
#include "workflows/text/expand.h"
#include "workflows/text/problems.h"

#define MAX_WHOLE 9007199254740992.0 /* 2^53: smaller whole numbers are exact in a double */

/* Bounds of a property with an integer value. */
typedef struct {
  gboolean is_signed;
  gint64 minimum, maximum;
  guint64 u_minimum, u_maximum;
  gint64 value;
  guint64 u_value;
} WholeSpec;

static gboolean
whole_spec (GParamSpec *pspec, WholeSpec *w)
{
  *w = (WholeSpec) { .is_signed = TRUE };
  if (G_IS_PARAM_SPEC_INT (pspec))
    {
      const GParamSpecInt *p = G_PARAM_SPEC_INT (pspec);

      w->minimum = p->minimum, w->maximum = p->maximum, w->value = p->default_value;
    }
  else if (G_IS_PARAM_SPEC_INT64 (pspec))
    {
      const GParamSpecInt64 *p = G_PARAM_SPEC_INT64 (pspec);

      w->minimum = p->minimum, w->maximum = p->maximum, w->value = p->default_value;
    }
  else if (G_IS_PARAM_SPEC_UINT (pspec))
    {
      const GParamSpecUInt *p = G_PARAM_SPEC_UINT (pspec);

      w->is_signed = FALSE;
      w->u_minimum = p->minimum, w->u_maximum = p->maximum, w->u_value = p->default_value;
    }
  else if (G_IS_PARAM_SPEC_UINT64 (pspec))
    {
      const GParamSpecUInt64 *p = G_PARAM_SPEC_UINT64 (pspec);

      w->is_signed = FALSE;
      w->u_minimum = p->minimum, w->u_maximum = p->maximum, w->u_value = p->default_value;
    }
  else
    return FALSE;
  return TRUE;
}

/* Formats a quantity with a unit that makes the number short. */
static char *
format_quantity (ArmillaDimension dimension, double value)
{
  static const char *const bytes[] = { "B", "KiB", "MiB", "GiB", "TiB" };
  double deg = value * (180 / G_PI);
  int k = 0;

  switch (dimension)
    {
    case ARMILLA_DIMENSION_ANGLE:
      if (deg == 0 || fabs (deg) >= 0.99999)
        return g_strdup_printf ("%.10g deg", deg);
      if (fabs (deg) * 60 >= 0.99999)
        return g_strdup_printf ("%.10g arcmin", deg * 60);
      return g_strdup_printf ("%.10g arcsec", deg * 3600);
    case ARMILLA_DIMENSION_BYTES:
      for (; k < 4 && value >= 1024 && fmod (value, 1024) == 0; k++)
        value /= 1024;
      return g_strdup_printf ("%.10g %s", value, bytes[k]);
    case ARMILLA_DIMENSION_TIME:
      return g_strdup_printf ("%.10g s", value);
    case ARMILLA_DIMENSION_NONE:
      break;
    }
  return g_strdup_printf ("%.10g", value);
}

static char *
range_of_double (GParamSpec *pspec)
{
  const GParamSpecDouble *p = G_PARAM_SPEC_DOUBLE (pspec);
  ArmillaDimension dimension = armilla_param_spec_dimension (pspec);
  g_autofree char *low = format_quantity (dimension, p->minimum);
  g_autofree char *high = format_quantity (dimension, p->maximum);
  /* The smallest positive number as a minimum means "any positive number". */
  gboolean positive = p->minimum == G_MINDOUBLE;
  gboolean bounded = p->maximum < G_MAXDOUBLE;

  if (p->minimum <= -G_MAXDOUBLE)
    return bounded ? g_strdup_printf ("at most %s", high) : g_strdup ("any");
  if (positive)
    return bounded ? g_strdup_printf ("more than 0, at most %s", high) : g_strdup ("more than 0");
  return bounded ? g_strdup_printf ("%s to %s", low, high) : g_strdup_printf ("at least %s", low);
}

static char *
range_of_enum (GParamSpec *pspec)
{
  const GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < klass->n_values; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", klass->values[i].value_nick);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns the accepted values, e.g. "1 to 8192", "0 deg to 180 deg", "at least 0", "ring,
 * nested"; NULL if any text is accepted. */
char *
armilla_property_range (GParamSpec *pspec)
{
  WholeSpec w;

  if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    return range_of_double (pspec);
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    return range_of_enum (pspec);
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    return g_strdup ("true, false");
  if (!whole_spec (pspec, &w))
    return NULL;
  if (w.is_signed)
    return w.maximum < (G_IS_PARAM_SPEC_INT (pspec) ? G_MAXINT : G_MAXINT64)
               ? g_strdup_printf ("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, w.minimum, w.maximum)
               : g_strdup_printf ("at least %" G_GINT64_FORMAT, w.minimum);
  return w.u_maximum < (G_IS_PARAM_SPEC_UINT (pspec) ? G_MAXUINT : G_MAXUINT64)
             ? g_strdup_printf ("%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, w.u_minimum,
                                w.u_maximum)
             : g_strdup_printf ("at least %" G_GUINT64_FORMAT, w.u_minimum);
}

/* Returns the name of the type for users; NULL for types whose values a workflow file cannot
 * contain. */
char *
armilla_property_type (GParamSpec *pspec)
{
  WholeSpec w;

  if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    switch (armilla_param_spec_dimension (pspec))
      {
      case ARMILLA_DIMENSION_ANGLE:
        return g_strdup ("angle");
      case ARMILLA_DIMENSION_BYTES:
        return g_strdup ("size");
      case ARMILLA_DIMENSION_TIME:
        return g_strdup ("time");
      case ARMILLA_DIMENSION_NONE:
        return g_strdup ("number");
      }
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    return g_strdup ("choice");
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    return g_strdup ("boolean");
  if (G_IS_PARAM_SPEC_STRING (pspec))
    return g_strdup ("text");
  if (G_PARAM_SPEC_VALUE_TYPE (pspec) == G_TYPE_STRV)
    return g_strdup ("list of texts");
  return whole_spec (pspec, &w) ? g_strdup ("whole number") : NULL;
}

/* Returns the default as a user would write it; NULL if there is none. */
char *
armilla_property_default (GParamSpec *pspec)
{
  WholeSpec w;

  if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    return format_quantity (armilla_param_spec_dimension (pspec),
                            G_PARAM_SPEC_DOUBLE (pspec)->default_value);
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    return g_strdup (g_enum_get_value (G_PARAM_SPEC_ENUM (pspec)->enum_class,
                                       G_PARAM_SPEC_ENUM (pspec)->default_value)
                         ->value_nick);
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    return g_strdup (G_PARAM_SPEC_BOOLEAN (pspec)->default_value ? "true" : "false");
  if (G_IS_PARAM_SPEC_STRING (pspec))
    return g_strdup (G_PARAM_SPEC_STRING (pspec)->default_value);
  if (!whole_spec (pspec, &w))
    return NULL;
  return w.is_signed ? g_strdup_printf ("%" G_GINT64_FORMAT, w.value)
                     : g_strdup_printf ("%" G_GUINT64_FORMAT, w.u_value);
}

static gboolean
fail_range (GParamSpec *pspec, const char *text, GError **error)
{
  g_autofree char *range = armilla_property_range (pspec);

  return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s is out of range; allowed: %s", text, range);
}

static gboolean
parse_whole (GParamSpec *pspec, const WholeSpec *w, const char *text, GValue *value,
             GError **error)
{
  const char *digits = text + (*text == '-' || *text == '+');
  guint64 u;
  gint64 i;

  if (*digits == '\0' || digits[strspn (digits, "0123456789")] != '\0')
    {
      g_autofree char *range = armilla_property_range (pspec);

      return armilla_fail (error, ARMILLA_ERROR_PARSE, "\"%s\" is not a whole number; allowed: %s",
                           text, range);
    }
  errno = 0;
  u = *text == '-' ? 0 : g_ascii_strtoull (digits, NULL, 10);
  i = w->is_signed ? g_ascii_strtoll (text, NULL, 10) : 0;
  if (errno == ERANGE
      || (w->is_signed ? i < w->minimum || i > w->maximum
                       : (*text == '-' && strspn (digits, "0") < strlen (digits))
                             || u < w->u_minimum || u > w->u_maximum))
    return fail_range (pspec, text, error);
  if (G_IS_PARAM_SPEC_INT (pspec))
    g_value_set_int (value, (int) i);
  else if (G_IS_PARAM_SPEC_INT64 (pspec))
    g_value_set_int64 (value, i);
  else if (G_IS_PARAM_SPEC_UINT (pspec))
    g_value_set_uint (value, (guint) u);
  else
    g_value_set_uint64 (value, u);
  return TRUE;
}

static gboolean
parse_double (GParamSpec *pspec, const char *text, GValue *value, GError **error)
{
  const GParamSpecDouble *p = G_PARAM_SPEC_DOUBLE (pspec);
  double x;

  if (!armilla_quantity_parse (text, armilla_param_spec_dimension (pspec), &x, error))
    return FALSE;
  if (!(x >= p->minimum && x <= p->maximum))
    return fail_range (pspec, text, error);
  g_value_set_double (value, x);
  return TRUE;
}

static gboolean
parse_choice (GParamSpec *pspec, const char *text, GValue *value, GError **error)
{
  const GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;
  g_autoptr (GPtrArray) nicks = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; i < klass->n_values; i++)
    {
      if (strcmp (klass->values[i].value_nick, text) == 0)
        {
          g_value_set_enum (value, klass->values[i].value);
          return TRUE;
        }
      g_ptr_array_add (nicks, (gpointer) klass->values[i].value_nick);
    }
  g_ptr_array_add (nicks, NULL);
  hint = armilla_suggest_text (text, "allowed", (const char *const *) nicks->pdata);
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN, "\"%s\" is not one of the choices%s", text,
                       hint);
}

static gboolean
parse_boolean (const char *text, GValue *value, GError **error)
{
  gboolean yes = strcmp (text, "true") == 0;

  if (!yes && strcmp (text, "false") != 0)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "\"%s\" is neither true nor false", text);
  g_value_set_boolean (value, yes);
  return TRUE;
}

static gboolean
parse_text (GParamSpec *pspec, const char *text, GValue *value, GError **error)
{
  char *plain = armilla_unescape (text, error);

  if (plain == NULL)
    return FALSE;
  g_value_take_string (value, plain);
  if (*plain == '\0' && armilla_param_spec_is_required (pspec))
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "the value is empty");
  if (!g_param_value_validate (pspec, value))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "\"%s\" is not allowed here", text);
}

/* Returns the value of an expression as text; NULL with an error if it is no integer. */
static char *
compute_whole (const char *expression, GError **error)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  double x;

  if (!armilla_arithmetic_compute (expression, ARMILLA_DIMENSION_NONE, &x, error))
    return NULL;
  if (x == rint (x) && fabs (x) <= MAX_WHOLE)
    return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) x);
  return armilla_fail_null (error, ARMILLA_ERROR_PARSE, "%s is %s; must be an integer%s",
                            expression, g_ascii_dtostr (digits, sizeof digits, x),
                            fabs (x) <= MAX_WHOLE ? "; use rint(), floor() or ceil()"
                                                      : " that can be computed exactly");
}

static gboolean
compute_double (GParamSpec *pspec, const char *expression, GValue *value, GError **error)
{
  const GParamSpecDouble *p = G_PARAM_SPEC_DOUBLE (pspec);
  ArmillaDimension dimension = armilla_param_spec_dimension (pspec);
  g_autofree char *shown = NULL;
  double x;

  if (!armilla_arithmetic_compute (expression, dimension, &x, error))
    return FALSE;
  if (x >= p->minimum && x <= p->maximum)
    {
      g_value_set_double (value, x);
      return TRUE;
    }
  shown = format_quantity (dimension, x);
  if (!fail_range (pspec, shown, error))
    g_prefix_error (error, "%s: ", expression);
  return FALSE;
}

static gboolean
compute_number (GParamSpec *pspec, const char *expression, GValue *value, GError **error)
{
  g_autofree char *digits = NULL;
  WholeSpec w;

  if (!whole_spec (pspec, &w))
    return compute_double (pspec, expression, value, error);
  digits = compute_whole (expression, error);
  if (digits == NULL)
    return FALSE;
  if (parse_whole (pspec, &w, digits, value, error))
    return TRUE;
  g_prefix_error (error, "%s: ", expression);
  return FALSE;
}

/* Returns whether the property is a number or quantity, which may be given as an expression. */
gboolean
armilla_property_is_number (GParamSpec *pspec)
{
  WholeSpec w;

  return G_IS_PARAM_SPEC_DOUBLE (pspec) || whole_spec (pspec, &w);
}

static gboolean
parse_number (GParamSpec *pspec, const char *text, const char *expression, GValue *value,
              GError **error)
{
  g_autoptr (GError) plain = NULL;
  WholeSpec w;
  gboolean ok = whole_spec (pspec, &w) ? parse_whole (pspec, &w, text, value, &plain)
                                       : parse_double (pspec, text, value, &plain);

  if (ok)
    return TRUE;
  if (!g_error_matches (plain, ARMILLA_ERROR, ARMILLA_ERROR_VALUE)
      && armilla_arithmetic_meant (text))
    return compute_number (pspec, expression, value, error);
  g_propagate_error (error, g_steal_pointer (&plain));
  return FALSE;
}

/* Parses an expanded value: a number (with a unit if it is a quantity), an integer, true or false,
 * a name of an enumeration, a text, or a list of texts. Numbers may be expressions; @expression:
 * the value with the values of variables in parentheses (NULL: @text). @value must be zero on
 * entry, and the caller must unset it, also after an error. The error lists the accepted values. */
gboolean
armilla_property_parse (GParamSpec *pspec, const char *text, const char *expression, GValue *value,
                        GError **error)
{
  g_value_init (value, G_PARAM_SPEC_VALUE_TYPE (pspec));
  if (armilla_property_is_number (pspec))
    return parse_number (pspec, text, expression != NULL ? expression : text, value, error);
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    return parse_choice (pspec, text, value, error);
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    return parse_boolean (text, value, error);
  if (G_IS_PARAM_SPEC_STRING (pspec))
    return parse_text (pspec, text, value, error);
  if (G_PARAM_SPEC_VALUE_TYPE (pspec) == G_TYPE_STRV)
    {
      char **list = armilla_split (text, error);

      g_value_take_boxed (value, list);
      return list != NULL;
    }
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "error in the stage: workflow files cannot contain values of type %s",
                       g_type_name (G_PARAM_SPEC_VALUE_TYPE (pspec)));
}
