/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plugins/builtin/builtin.h"

#include <dlfcn.h>
#include <string.h>

#include "plugins/base/stages.h"

#define ARMILLA_STAGE_TYPE(name) armilla_##name##_get_type,

static GType (*const stage_types[]) (void) = { ARMILLA_BUILTIN_STAGES (ARMILLA_STAGE_TYPE) };

/* Former names of stages and inputs, accepted for one release. */
static const ArmillaAlias aliases[] = {
  { "combine", "combine", "map", "input" },
  { "combine-alm", "combine", "alm", "input" },
  { "expression-cl", "expression", "cl", "cl" },
  { "expression-table", "expression", "table", "table" },
  { "set-fields", "set-fields", "map", "input" },
  { "set-fields-alm", "set-fields", "alm", "input" },
};

static gboolean
add_all (ArmillaRegistry *self, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (stage_types); i++)
    if (!armilla_registry_add (self, stage_types[i] (), "libarmilla", error))
      return FALSE;
  armilla_registry_add_aliases (self, aliases, G_N_ELEMENTS (aliases));
  return TRUE;
}

/* Adds the built-in stages of the library, whose classes are checked once per process, so that
 * creating a registry to call one stage takes microseconds. Returns FALSE if one of them is already
 * registered. */
gboolean
armilla_registry_add_builtin (ArmillaRegistry *self, GError **error)
{
  static ArmillaRegistry *builtin; /* constant once made */
  static GError *mistake;
  static gsize made;

  if (g_once_init_enter (&made))
    {
      builtin = armilla_registry_new ();
      add_all (builtin, &mistake);
      g_once_init_leave (&made, 1);
    }
  if (mistake == NULL)
    return armilla_registry_set_base (self, builtin, error);
  g_propagate_error (error, g_error_copy (mistake));
  return FALSE;
}

/* Returns the folder of modules next to the library; NULL if there is none. Not next to the
 * program, which may belong to another package. */
static char *
find_beside_library (void)
{
  g_autofree char *dir = NULL;
  g_autofree char *base = NULL;
  g_autofree char *folder = NULL;
  Dl_info info;

  if (dladdr ((void *) armilla_registry_new, &info) == 0 || info.dli_fname == NULL)
    return NULL;
  dir = g_path_get_dirname (info.dli_fname);
  base = g_path_get_basename (info.dli_fname);
  if (!g_str_has_prefix (base, "libarmilla.so"))
    return NULL;
  if (g_str_has_suffix (dir, "/.libs")) /* The library is in the build tree. */
    folder = g_build_filename (dir, "..", "plugins", ".libs", NULL);
  else
    folder = g_build_filename (dir, "armilla", "plugins", NULL);
  return g_file_test (folder, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&folder) : NULL;
}

/* Returns the module folder of the build tree, the relocatable bundle or the installation,
 * depending on where the program was started from. */
static char *
find_modules (void)
{
  char *beside = find_beside_library ();
  g_autofree char *exe = NULL;

  if (beside != NULL)
    return beside;
  exe = g_file_read_link ("/proc/self/exe", NULL);
  if (exe != NULL)
    {
      g_autofree char *dir = g_path_get_dirname (exe);
      g_autofree char *base = g_path_get_basename (dir);
      g_autofree char *tree = strcmp (base, ".libs") == 0 ? g_path_get_dirname (dir)
                                                          : g_strdup (dir);
      g_autofree char *built = g_build_filename (tree, "plugins", ".libs", NULL);
      g_autofree char *moved = g_build_filename (dir, "..", "lib", "armilla", "plugins", NULL);

      if (g_file_test (built, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&built);
      if (g_file_test (moved, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&moved);
    }
  return g_strdup (ARMILLA_PLUGIN_DIR);
}

/* Adds the stages of the modules in the library's folder, then those in the folders of the
 * environment variable ARMILLA_PLUGIN_PATH (separated by colons; empty entries are skipped).
 * Returns whether it succeeded; errors as in armilla_registry_load_folder (). */
gboolean
armilla_registry_load_modules (ArmillaRegistry *self, GError **error)
{
  g_autofree char *modules = find_modules ();
  const char *path = g_getenv ("ARMILLA_PLUGIN_PATH");
  g_auto (GStrv) folders = g_strsplit (path != NULL ? path : "", G_SEARCHPATH_SEPARATOR_S, -1);

  if (g_file_test (modules, G_FILE_TEST_IS_DIR)
      && !armilla_registry_load_folder (self, modules, error))
    return FALSE;
  for (char **folder = folders; *folder != NULL; folder++)
    if (**folder != '\0' && !armilla_registry_load_folder (self, *folder, error))
      {
        g_prefix_error (error, "ARMILLA_PLUGIN_PATH: ");
        return FALSE;
      }
  return TRUE;
}

/* Adds the stages of the library and of all modules. */
gboolean
armilla_registry_load_default (ArmillaRegistry *self, GError **error)
{
  return armilla_registry_add_builtin (self, error) && armilla_registry_load_modules (self, error);
}
