/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties that are plain members of a stage's object: where each one lives is told once, and
 * setting, reading, defaults and freeing follow from it. */
#include "plugins/base/stage-util.h"

static GQuark
place_quark (void)
{
  return g_quark_from_static_string ("armilla-param-place");
}

/* The member of @object that @pspec stands for. */
static gpointer
place (GObject *object, GParamSpec *pspec)
{
  return (char *) object + GPOINTER_TO_SIZE (g_param_spec_get_qdata (pspec, place_quark ()));
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  gconstpointer from = place (object, pspec);

  (void) id;
  if (G_VALUE_HOLDS_STRING (value))
    g_value_set_string (value, *(char *const *) from);
  else if (G_VALUE_HOLDS_BOOLEAN (value))
    g_value_set_boolean (value, *(const gboolean *) from);
  else if (G_VALUE_HOLDS_INT (value))
    g_value_set_int (value, *(const int *) from);
  else if (G_VALUE_HOLDS_INT64 (value))
    g_value_set_int64 (value, *(const gint64 *) from);
  else if (G_VALUE_HOLDS_UINT64 (value))
    g_value_set_uint64 (value, *(const guint64 *) from);
  else if (G_VALUE_HOLDS_DOUBLE (value))
    g_value_set_double (value, *(const double *) from);
  else if (G_VALUE_HOLDS_ENUM (value))
    g_value_set_enum (value, *(const int *) from);
  else if (G_VALUE_HOLDS_BOXED (value))
    g_value_set_boxed (value, *(char **const *) from);
}

/* A text whose default is not NULL never becomes NULL. */
static char *
dup_text (const GValue *value, GParamSpec *pspec)
{
  const char *text = g_value_get_string (value);

  return g_strdup (text == NULL && G_PARAM_SPEC_STRING (pspec)->default_value != NULL ? "" : text);
}

static void
store (GObject *object, const GValue *value, GParamSpec *pspec)
{
  gpointer to = place (object, pspec);

  if (G_VALUE_HOLDS_STRING (value))
    {
      g_free (*(char **) to);
      *(char **) to = dup_text (value, pspec);
    }
  else if (G_VALUE_HOLDS_BOOLEAN (value))
    *(gboolean *) to = g_value_get_boolean (value);
  else if (G_VALUE_HOLDS_INT (value))
    *(int *) to = g_value_get_int (value);
  else if (G_VALUE_HOLDS_INT64 (value))
    *(gint64 *) to = g_value_get_int64 (value);
  else if (G_VALUE_HOLDS_UINT64 (value))
    *(guint64 *) to = g_value_get_uint64 (value);
  else if (G_VALUE_HOLDS_DOUBLE (value))
    *(double *) to = g_value_get_double (value);
  else if (G_VALUE_HOLDS_ENUM (value))
    *(int *) to = g_value_get_enum (value);
  else if (G_VALUE_HOLDS_BOXED (value))
    {
      g_strfreev (*(char ***) to);
      *(char ***) to = g_value_dup_boxed (value);
    }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  gboolean empty = G_VALUE_HOLDS_STRING (value) && g_value_get_string (value) == NULL;

  (void) id;
  store (object, value, pspec);
  g_object_set_data (object, pspec->name, empty ? NULL : GINT_TO_POINTER (TRUE));
}

/**
 * armilla_stage_begin_properties:
 * @klass: class of a stage, in its class_init
 *
 * Has all properties of the class, each to be installed by armilla_stage_install(), set and read
 * without code of its own.
 */
void
armilla_stage_begin_properties (GObjectClass *klass)
{
  klass->get_property = get_property;
  klass->set_property = set_property;
}

/**
 * armilla_stage_install:
 * @klass: class of a stage, after armilla_stage_begin_properties()
 * @id: number of the property, from 1
 * @offset: where its value is in the object: a char *, gboolean, int, gint64, guint64, double,
 *   enumeration of int's size, or char **
 * @pspec: (transfer full): the property; its name is a static string
 *
 * Installs a property whose value is a member of the object.
 */
void
armilla_stage_install (GObjectClass *klass, guint id, gsize offset, GParamSpec *pspec)
{
  g_param_spec_set_qdata (pspec, place_quark (), GSIZE_TO_POINTER (offset));
  g_object_class_install_property (klass, id, pspec);
}

/**
 * armilla_stage_defaults:
 * @stage: (type GObject): a stage in its instance init
 *
 * Gives the properties of armilla_stage_install() the defaults that the class declares.
 */
void
armilla_stage_defaults (gpointer stage)
{
  g_autofree GParamSpec **specs = NULL;
  guint n;

  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (stage), &n);
  for (guint i = 0; i < n; i++)
    if (g_param_spec_get_qdata (specs[i], place_quark ()) != NULL)
      store (stage, g_param_spec_get_default_value (specs[i]), specs[i]);
}

/**
 * armilla_stage_free_properties:
 * @stage: (type GObject): a stage in its finalize
 *
 * Frees the texts among its properties.
 */
void
armilla_stage_free_properties (gpointer stage)
{
  g_autofree GParamSpec **specs = NULL;
  guint n;

  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (stage), &n);
  for (guint i = 0; i < n; i++)
    {
      if (g_param_spec_get_qdata (specs[i], place_quark ()) == NULL)
        continue;
      if (G_IS_PARAM_SPEC_STRING (specs[i]))
        g_clear_pointer ((char **) place (stage, specs[i]), g_free);
      else if (G_IS_PARAM_SPEC_BOXED (specs[i]))
        g_clear_pointer ((char ***) place (stage, specs[i]), g_strfreev);
    }
}

/**
 * armilla_stage_given:
 * @stage: (type GObject): a stage
 * @property: name of a property of armilla_stage_install()
 *
 * Returns: whether it was set, be it to its default
 */
gboolean
armilla_stage_given (gpointer stage, const char *property)
{
  return g_object_get_data (stage, property) != NULL;
}
