/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/base/compare.h"
#include "plugins/base/registry.h"

#include <string.h>

typedef struct {
  /* class of the stage; the reference keeps its ports and properties alive */
  ArmillaStageClass *klass;
  char *origin;
} Entry;

struct _ArmillaRegistry {
  /* (nullable): registry whose stages and aliases are available, too */
  const ArmillaRegistry *base;
  GHashTable *stages;   /* nick -> Entry */
  GHashTable *families; /* family name -> path of its module */
  GPtrArray *aliases;   /* const ArmillaAlias *: former names */
  GHashTable *noted;    /* former names for which there is a warning already */
  GHashTable *folders;  /* canonical paths of loaded folders */
  GString *warnings;    /* one line for each module that failed to load */
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_type_class_unref (entry->klass);
  g_free (entry->origin);
  g_free (entry);
}

/* Returns a registry without stages. */
ArmillaRegistry *
armilla_registry_new (void)
{
  ArmillaRegistry *self = g_new0 (ArmillaRegistry, 1);

  self->stages = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, entry_free);
  self->families = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  self->folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->aliases = g_ptr_array_new ();
  self->noted = g_hash_table_new (NULL, NULL);
  self->warnings = g_string_new (NULL);
  return self;
}

/* Frees the registry. Modules stay in memory, since GObject types cannot be unregistered. */
void
armilla_registry_free (ArmillaRegistry *self)
{
  g_hash_table_unref (self->stages);
  g_hash_table_unref (self->families);
  g_hash_table_unref (self->folders);
  g_ptr_array_unref (self->aliases);
  g_hash_table_unref (self->noted);
  g_string_free (self->warnings, TRUE);
  g_free (self);
}

static gboolean
fail_twice (const char *origin, const char *nick, const Entry *other, GError **error)
{
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s: a stage %s exists already, from %s; remove one of the two", origin,
                       nick, other->origin);
}

static gboolean
is_name (const char *name)
{
  if (name == NULL || !g_ascii_islower (name[0]))
    return FALSE;
  for (const char *p = name; *p; p++)
    if (!g_ascii_islower (*p) && !g_ascii_isdigit (*p) && *p != '-')
      return FALSE;
  return TRUE;
}

/* Returns whether a name is a key of every node, which stages must not use. */
static gboolean
is_taken (const char *name)
{
  return strcmp (name, "stage") == 0 || strcmp (name, "each") == 0;
}

static gboolean
check_port (ArmillaStageClass *klass, const ArmillaPort *port, GError **error)
{
  gboolean in = (port->flags & ARMILLA_PORT_IN) != 0;
  gboolean out = (port->flags & ARMILLA_PORT_OUT) != 0;
  const char *what = NULL;

  if (!is_name (port->name) || is_taken (port->name))
    what = "is not a valid name; names are lower-case letters, digits and hyphens, except stage "
           "and each";
  else if (in == out)
    what = "must be either an input or an output";
  else if (out && (port->flags & ARMILLA_PORT_OPTIONAL))
    what = "is an output and cannot be optional";
  else if (in && (port->flags & ARMILLA_PORT_AS_INPUT))
    what = "is an input, but only outputs can be of the kind of the first input";
  else if (port->get_type == NULL)
    what = "has no type";
  else if (g_object_class_find_property (G_OBJECT_CLASS (klass), port->name) != NULL)
    what = "has the name of a property";
  for (const ArmillaPort *p = klass->ports; what == NULL && p < port; p++)
    if (strcmp (p->name, port->name) == 0)
      what = "is declared twice";
  if (what == NULL)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "port %s %s", port->name, what);
}

static gboolean
check_ports (ArmillaStageClass *klass, GError **error)
{
  int n_in = 0, n_out = 0;

  for (const ArmillaPort *port = klass->ports; port->name != NULL; port++)
    {
      if (!check_port (klass, port, error))
        return FALSE;
      if (port->flags & ARMILLA_PORT_IN)
        n_in++;
      else
        n_out++;
    }
  if (n_in <= ARMILLA_STAGE_MAX_PORTS && n_out <= ARMILLA_STAGE_MAX_PORTS)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%d inputs and %d outputs; must be at most %d of each", n_in, n_out,
                       ARMILLA_STAGE_MAX_PORTS);
}

/* Checks a class when it is registered, so that mistakes in it are not reported as errors of a
 * workflow. */
static gboolean
check_class (ArmillaStageClass *klass, GError **error)
{
  const GType type = G_TYPE_FROM_CLASS (klass);
  const GQuark checked = g_quark_from_static_string ("armilla-checked-stage");
  g_autofree GParamSpec **props = NULL;
  guint n_props;

  if (g_type_get_qdata (type, checked) != NULL)
    return TRUE;
  if (!is_name (klass->nick) || klass->summary == NULL || klass->ports == NULL
      || klass->prepare == NULL || klass->build == NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the class must set nick (lower-case letters, digits, hyphens), summary, "
                         "ports, prepare and build");
  props = g_object_class_list_properties (G_OBJECT_CLASS (klass), &n_props);
  for (guint i = 0; i < n_props; i++)
    if (is_taken (props[i]->name) || (props[i]->flags & G_PARAM_CONSTRUCT_ONLY)
        || !(props[i]->flags & G_PARAM_WRITABLE))
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "property %s must be writable at any time and not be called stage or "
                           "each", props[i]->name);
  if (!check_ports (klass, error))
    return FALSE;
  g_type_set_qdata (type, checked, klass);
  return TRUE;
}

static const Entry *
find_entry (const ArmillaRegistry *self, const char *nick)
{
  const Entry *entry = g_hash_table_lookup (self->stages, nick);

  return entry == NULL && self->base != NULL ? find_entry (self->base, nick) : entry;
}

/* Makes the stages and aliases of @base available, too; @base must outlive the registry and not
 * change. Returns FALSE with ARMILLA_ERROR_VALUE if both have a stage of the same name. */
gboolean
armilla_registry_set_base (ArmillaRegistry *self, const ArmillaRegistry *base, GError **error)
{
  GHashTableIter iter;
  gpointer nick, entry;

  g_hash_table_iter_init (&iter, self->stages);
  while (g_hash_table_iter_next (&iter, &nick, &entry))
    if (find_entry (base, nick) != NULL)
      return fail_twice (find_entry (base, nick)->origin, nick, entry, error);
  self->base = base;
  return TRUE;
}

/* Checks a stage class and adds the stage. Returns whether it was added; ARMILLA_ERROR_VALUE if the
 * class is invalid or a stage of this name exists. */
gboolean
armilla_registry_add (ArmillaRegistry *self, GType type, const char *origin, GError **error)
{
  ArmillaStageClass *klass;
  const Entry *other;
  Entry *entry;

  if (type == G_TYPE_INVALID)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: GObject rejected the type of a stage (its warning is above): the "
                         "name of a type must have 3 characters or more, a letter or _ first, then "
                         "letters, digits, -, _ and +; no two types may have one name", origin);
  if (!g_type_is_a (type, ARMILLA_TYPE_STAGE) || G_TYPE_IS_ABSTRACT (type))
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: type %s is not a stage", origin,
                         g_type_name (type));
  klass = g_type_class_ref (type);
  if (!check_class (klass, error))
    {
      g_prefix_error (error, "%s: stage %s (%s): ", origin, klass->nick ? klass->nick : "?",
                      g_type_name (type));
      g_type_class_unref (klass);
      return FALSE;
    }
  other = find_entry (self, klass->nick);
  if (other != NULL)
    {
      fail_twice (origin, klass->nick, other, error);
      g_type_class_unref (klass);
      return FALSE;
    }
  entry = g_new0 (Entry, 1);
  entry->klass = klass;
  entry->origin = g_strdup (origin);
  g_hash_table_insert (self->stages, (gpointer) klass->nick, entry);
  return TRUE;
}

static const ArmillaPluginDesc *
check_module (ArmillaRegistry *self, GModule *module, const char *path, GError **error)
{
  const ArmillaPluginDesc *desc;
  const char *other;
  gpointer symbol;

  if (!g_module_symbol (module, "armilla_plugin_desc", &symbol) || symbol == NULL)
    return armilla_fail_null (error, ARMILLA_ERROR_UNKNOWN,
                              "%s is not a plugin of Armilla: it exports no armilla_plugin_desc",
                              path);
  desc = symbol;
  if (desc->abi != ARMILLA_PLUGIN_ABI)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%s was built for plugin interface %u, but this program has %d; "
                              "build it again with this program's headers", path, desc->abi,
                              ARMILLA_PLUGIN_ABI);
  if (desc->name == NULL || desc->stage_types == NULL)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%s: armilla_plugin_desc needs a name and stage_types", path);
  /* Checked before any type is registered: GObject aborts if two types have the same name. */
  other = g_hash_table_lookup (self->families, desc->name);
  if (other != NULL)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%s: plugin %s is loaded already, from %s; remove one of the two",
                              path, desc->name, other);
  return desc;
}

static gboolean
comes_from (gpointer nick, gpointer entry, gpointer path)
{
  (void) nick;
  return strcmp (((const Entry *) entry)->origin, path) == 0;
}

/* Loads a module permanently and adds its stages: all of them, or none. Returns whether it
 * succeeded; ARMILLA_ERROR_IO if it cannot be loaded, ARMILLA_ERROR_UNKNOWN if it is no plugin,
 * ARMILLA_ERROR_VALUE if it was built for another interface, is already loaded, or has an invalid
 * class. */
gboolean
armilla_registry_load_module (ArmillaRegistry *self, const char *path, GError **error)
{
  const ArmillaPluginDesc *desc;
  GModule *module = g_module_open (path, G_MODULE_BIND_LOCAL); /* missing symbols fail here */

  if (module == NULL)
    return armilla_fail (error, ARMILLA_ERROR_IO, "cannot load plugin %s: %s", path,
                         g_module_error ());
  desc = check_module (self, module, path, error);
  if (desc == NULL)
    {
      g_module_close (module);
      return FALSE;
    }
  g_module_make_resident (module);
  g_hash_table_insert (self->families, (gpointer) desc->name, g_strdup (path));
  for (GType (*const *get_type) (void) = desc->stage_types; *get_type != NULL; get_type++)
    if (!armilla_registry_add (self, (*get_type) (), path, error))
      {
        g_hash_table_foreach_remove (self->stages, comes_from, (gpointer) path);
        return FALSE;
      }
  return TRUE;
}

/* Loads every module of the folder (files ending in .so), in the order of their names. A folder
 * that is already loaded is skipped. The stages of a module that fails to load are unavailable, and
 * armilla_registry_warnings () returns the reason. Returns whether the folder could be read. */
gboolean
armilla_registry_load_folder (ArmillaRegistry *self, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &local);
  const char *name;

  if (dir == NULL)
    return armilla_fail (error, ARMILLA_ERROR_IO, "cannot search for plugins: %s", local->message);
  if (!g_hash_table_add (self->folders, g_canonicalize_filename (folder, NULL)))
    return TRUE;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, "." G_MODULE_SUFFIX))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, armilla_compare_texts);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, g_ptr_array_index (names, i), NULL);
      g_autoptr (GError) problem = NULL;

      if (!armilla_registry_load_module (self, path, &problem))
        g_string_append_printf (self->warnings, "warning: %s; its stages are missing\n",
                                problem->message);
    }
  return TRUE;
}

/* Lets workflows use @n former names. @aliases: static */
void
armilla_registry_add_aliases (ArmillaRegistry *self, const ArmillaAlias *aliases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_ptr_array_add (self->aliases, (gpointer) &aliases[i]);
}

/* Returns the alias of a former name of a stage or of its inputs; NULL if all names are current. */
const ArmillaAlias *
armilla_registry_alias (const ArmillaRegistry *self, const char *name)
{
  for (guint i = 0; i < self->aliases->len; i++)
    if (strcmp (((const ArmillaAlias *) self->aliases->pdata[i])->old, name) == 0)
      return self->aliases->pdata[i];
  return self->base != NULL ? armilla_registry_alias (self->base, name) : NULL;
}

/* Returns an alias by number; NULL beyond the last one. */
const ArmillaAlias *
armilla_registry_old_name (const ArmillaRegistry *self, guint number)
{
  if (number < self->aliases->len)
    return self->aliases->pdata[number];
  return self->base != NULL
           ? armilla_registry_old_name (self->base, number - self->aliases->len) : NULL;
}

/* Returns the current name of an input, (transfer full); NULL if @name is no former name. */
char *
armilla_alias_input (const ArmillaAlias *alias, const char *name)
{
  const gsize n = strlen (alias->key);

  if (strcmp (alias->key, alias->input) == 0 || strncmp (name, alias->key, n) != 0
      || name[n + strspn (name + n, "0123456789")] != '\0')
    return NULL;
  return g_strconcat (alias->input, name + n, NULL);
}

/* Adds a line with the current names to the warnings, once. */
void
armilla_registry_note_alias (ArmillaRegistry *self, const ArmillaAlias *alias)
{
  if (!g_hash_table_add (self->noted, (gpointer) alias))
    return;
  if (strcmp (alias->key, alias->input) == 0)
    g_string_append_printf (self->warnings, "warning: stage %s is now called %s", alias->old,
                            alias->nick);
  else
    g_string_append_printf (self->warnings,
                            "warning: stage %s with inputs %s, %s2 .. is now called %s, with "
                            "inputs %s, %s2 ..", alias->old, alias->key, alias->key, alias->nick,
                            alias->input, alias->input);
  g_string_append (self->warnings, "; the next release will not know the former names\n");
}

/* Returns a line for each module that failed to load, and for each former name that was used; "" if
 * there are none. */
const char *
armilla_registry_warnings (const ArmillaRegistry *self)
{
  return self->warnings->str;
}

/* Returns the class of a stage, which lives as long as the registry; NULL if there is none. @nick:
 * its name, or a former name */
ArmillaStageClass *
armilla_registry_lookup (ArmillaRegistry *self, const char *nick)
{
  const ArmillaAlias *alias = armilla_registry_alias (self, nick);
  const Entry *entry = find_entry (self, alias != NULL ? alias->nick : nick);

  return entry != NULL ? entry->klass : NULL;
}

/* Returns the path of the stage's module; NULL if unknown. */
const char *
armilla_registry_origin (ArmillaRegistry *self, const char *nick)
{
  const Entry *entry = find_entry (self, nick);

  return entry != NULL ? entry->origin : NULL;
}

/* Returns the sorted names of all stages. */
char **
armilla_registry_nicks (ArmillaRegistry *self)
{
  g_autoptr (GPtrArray) nicks = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  for (const ArmillaRegistry *from = self; from != NULL; from = from->base)
    {
      g_hash_table_iter_init (&iter, from->stages);
      while (g_hash_table_iter_next (&iter, &key, NULL))
        g_ptr_array_add (nicks, g_strdup (key));
    }
  g_ptr_array_sort (nicks, armilla_compare_texts);
  g_ptr_array_add (nicks, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&nicks), FALSE);
}
