/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The base class of stages. Properties are described by tables, and stored in members of the
 * object. */
#include "plugins/base/stage.h"

#include <armilla/stage.h>

/* This class sets properties of armilla_stage_install () to their defaults, and sets, reads and
 * frees them. */
G_DEFINE_ABSTRACT_TYPE (ArmillaStage, armilla_stage, G_TYPE_OBJECT)

static GQuark
place_quark (void)
{
  return g_quark_from_static_string ("armilla-param-place");
}

/* Returns the address of the member of @object that stores @pspec; NULL if the property was not
 * installed by armilla_stage_install (). */
static gpointer
place (GObject *object, GParamSpec *pspec)
{
  gsize offset = GPOINTER_TO_SIZE (g_param_spec_get_qdata (pspec, place_quark ()));

  return offset > 0 ? (char *) object + offset : NULL;
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  gconstpointer from = place (object, pspec);

  if (from == NULL)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else if (G_VALUE_HOLDS_STRING (value))
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
}

/* Copies a string; NULL becomes "" unless the default is NULL. */
static char *
dup_text (const GValue *value, GParamSpec *pspec)
{
  const char *text = g_value_get_string (value);

  return g_strdup (text == NULL && G_PARAM_SPEC_STRING (pspec)->default_value != NULL ? "" : text);
}

/* Stores a value at @to, in a variable of the value's type. */
void
armilla_property_store (gpointer to, const GValue *value, GParamSpec *pspec)
{
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
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  gboolean empty = G_VALUE_HOLDS_STRING (value) && g_value_get_string (value) == NULL;

  if (place (object, pspec) == NULL)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  armilla_property_store (place (object, pspec), value, pspec);
  g_object_set_data (object, pspec->name, empty ? NULL : GINT_TO_POINTER (TRUE));
}

/* What class_init of a type has registered. */
typedef struct {
  GPtrArray *installed; /* (element-type GParamSpec) */
  GArray *owned;        /* Owned */
  const char *example;
} Noted;

/* A member registered by armilla_stage_own (). */
typedef struct {
  gsize offset;
  GDestroyNotify destroy;
} Owned;

static GQuark
noted_quark (void)
{
  return g_quark_from_static_string ("armilla-stage-noted");
}

static Noted *
note (ArmillaStageClass *klass)
{
  const GType type = G_TYPE_FROM_CLASS (klass);
  Noted *noted = g_type_get_qdata (type, noted_quark ());

  if (noted == NULL)
    {
      noted = g_new (Noted, 1);
      *noted = (Noted) { g_ptr_array_new (), g_array_new (FALSE, FALSE, sizeof (Owned)), NULL };
      g_type_set_qdata (type, noted_quark (), noted);
    }
  return noted;
}

/* Calls @visit for each property of armilla_stage_install (). Listing the class's properties with
 * GObject would slow down runs of many small realisations. */
static void
each_installed (GObject *self, void (*visit) (GObject *self, GParamSpec *pspec))
{
  for (GType type = G_OBJECT_TYPE (self); type != armilla_stage_get_type ();
       type = g_type_parent (type))
    {
      const Noted *noted = g_type_get_qdata (type, noted_quark ());

      for (guint i = 0; noted != NULL && i < noted->installed->len; i++)
        visit (self, g_ptr_array_index (noted->installed, i));
    }
}

static void
store_default (GObject *self, GParamSpec *pspec)
{
  armilla_property_store (place (self, pspec), g_param_spec_get_default_value (pspec), pspec);
}

static void
free_text (GObject *self, GParamSpec *pspec)
{
  if (G_IS_PARAM_SPEC_STRING (pspec))
    g_free (*(char **) place (self, pspec));
}

static GObject *
construct (GType type, guint n_given, GObjectConstructParam *given)
{
  GObject *self
    = G_OBJECT_CLASS (armilla_stage_parent_class)->constructor (type, n_given, given);

  each_installed (self, store_default);
  return self;
}

static void
finalize (GObject *self)
{
  const Noted *noted = g_type_get_qdata (G_OBJECT_TYPE (self), noted_quark ());

  for (guint i = 0; noted != NULL && i < noted->owned->len; i++)
    {
      const Owned *what = &g_array_index (noted->owned, Owned, i);

      g_clear_pointer ((gpointer *) ((char *) self + what->offset), what->destroy);
    }
  each_installed (self, free_text);
  G_OBJECT_CLASS (armilla_stage_parent_class)->finalize (self);
}

static void
armilla_stage_class_init (ArmillaStageClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->constructor = construct;
  object->finalize = finalize;
}

static void
armilla_stage_init (ArmillaStage *self)
{
  (void) self;
}

void
armilla_stage_set_example (ArmillaStageClass *klass, const char *text)
{
  note (klass)->example = text;
}

const char *
armilla_stage_example (ArmillaStageClass *klass)
{
  return note (klass)->example;
}

static GQuark
dimension_quark (void)
{
  return g_quark_from_static_string ("armilla-param-dimension");
}

static GQuark
flags_quark (void)
{
  return g_quark_from_static_string ("armilla-param-flags");
}

static ArmillaPropertyFlags
flags_of (GParamSpec *pspec)
{
  return (ArmillaPropertyFlags) GPOINTER_TO_UINT (g_param_spec_get_qdata (pspec, flags_quark ()));
}

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

/* Returns the dimension of the property's unit; ARMILLA_DIMENSION_NONE unless it was created by
 * armilla_param_spec_quantity (). */
ArmillaDimension
armilla_param_spec_dimension (GParamSpec *pspec)
{
  return (ArmillaDimension) GPOINTER_TO_INT (g_param_spec_get_qdata (pspec, dimension_quark ()));
}

/* Sets additional metadata of a property. Returns @pspec, still floating if it was. */
GParamSpec *
armilla_param_spec_set_flags (GParamSpec *pspec, ArmillaPropertyFlags flags)
{
  g_param_spec_set_qdata (pspec, flags_quark (), GUINT_TO_POINTER (flags));
  return pspec;
}

/* Returns whether a workflow file must set the property, because its default is unusable. */
gboolean
armilla_param_spec_is_required (GParamSpec *pspec)
{
  return (flags_of (pspec) & ARMILLA_PROPERTY_REQUIRED) != 0;
}

/* Returns whether the value of the property is, or may be, the name of a file that must exist
 * before the run. */
gboolean
armilla_param_spec_is_input_file (GParamSpec *pspec)
{
  return (flags_of (pspec) & (ARMILLA_PROPERTY_INPUT_FILE | ARMILLA_PROPERTY_FILE_OR_NSIDE)) != 0;
}

/* Returns whether the value names a file that must exist before the run. @text: the value (may be
 * NULL). */
gboolean
armilla_param_spec_names_input (GParamSpec *pspec, const char *text)
{
  if (!armilla_param_spec_is_input_file (pspec) || text == NULL || *text == '\0')
    return FALSE;
  return flags_of (pspec) & ARMILLA_PROPERTY_INPUT_FILE
         || (strcmp (text, "compute") != 0 && !g_str_has_prefix (text, "compute ")
             && text[strspn (text, "0123456789")] != '\0');
}

/* Registers an enumeration type for a property. Names of types must be unique, so stages cannot
 * share one. */
static GType
enum_type (const char *owner, const ArmillaProperty *property)
{
  g_autofree char *name = g_strconcat (owner, "-", property->name, NULL);
  const char *const *words = property->value.words;
  const guint n = g_strv_length ((char **) words);
  /* never freed: the type uses it until the process ends */
  GEnumValue *values = g_new0 (GEnumValue, n + 1);

  for (guint i = 0, n_values = 0; i < n; i++)
    if (*words[i] != '\0')
      values[n_values++] = (GEnumValue) { (int) i, words[i], words[i] };
  return g_enum_register_static (name, values);
}

/* Returns a floating reference. @owner: name of the stage or struct that has the property */
GParamSpec *
armilla_property_spec (const char *owner, const ArmillaProperty *property)
{
  const ArmillaPropertyValue *v = &property->value;
  const char *name = property->name, *blurb = property->blurb;

  switch (v->type)
    {
    case G_TYPE_BOOLEAN:
      return g_param_spec_boolean (name, NULL, blurb, (gboolean) v->whole, ARMILLA_PARAM_RW);
    case G_TYPE_INT:
      return g_param_spec_int (name, NULL, blurb, (int) v->min_whole, (int) v->max_whole,
                               (int) v->whole, ARMILLA_PARAM_RW);
    case G_TYPE_INT64:
      return g_param_spec_int64 (name, NULL, blurb, v->min_whole, v->max_whole, v->whole,
                                 ARMILLA_PARAM_RW);
    case G_TYPE_UINT64:
      return g_param_spec_uint64 (name, NULL, blurb, (guint64) v->min_whole, (guint64) v->max_whole,
                                  (guint64) v->whole, ARMILLA_PARAM_RW);
    case G_TYPE_DOUBLE:
      return armilla_param_spec_quantity (name, blurb, v->dimension, v->min_real, v->max_real,
                                          v->real);
    case G_TYPE_ENUM:
      return g_param_spec_enum (name, NULL, blurb, enum_type (owner, property), (int) v->whole,
                                ARMILLA_PARAM_RW);
    default:
      return g_param_spec_string (name, NULL, blurb, v->text, ARMILLA_PARAM_RW);
    }
}

void
armilla_stage_install (ArmillaStageClass *klass, gsize part, const ArmillaProperty *properties,
                       gsize n)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  g_autofree GParamSpec **before = NULL;
  guint n_before;

  /* The functions of the parent class would be inherited otherwise. */
  object->get_property = get_property;
  object->set_property = set_property;
  before = g_object_class_list_properties (object, &n_before);
  for (gsize i = 0; i < n; i++)
    {
      GParamSpec *pspec = armilla_property_spec (G_OBJECT_CLASS_NAME (klass), &properties[i]);

      g_param_spec_set_qdata (pspec, place_quark (),
                              GSIZE_TO_POINTER (part + properties[i].value.offset));
      armilla_param_spec_set_flags (pspec, properties[i].flags);
      g_object_class_install_property (object, n_before + (guint) i + 1, pspec);
      g_ptr_array_add (note (klass)->installed, pspec);
    }
}

void
armilla_stage_own (ArmillaStageClass *klass, gsize offset, GDestroyNotify destroy)
{
  const Owned what = { offset, destroy };

  g_array_append_val (note (klass)->owned, what);
}

gboolean
armilla_stage_given (gpointer stage, const char *property)
{
  return g_object_get_data (stage, property) != NULL;
}
