/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the node files that are shipped with the program, for --nodes. */
#include "core/base/compare.h"
#include "workflows/program/commands.h"

#include <string.h>

#define SUFFIX ".node"

/* Returns the folder of node files: in the build tree, in a bundle, beside a moved program, or the
 * installed one. */
static char *
find_folder (void)
{
  static const char *const places[] = { "../share/armilla/nodes", "doc/nodes", "../doc/nodes" };
  g_autofree char *exe = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *dir = exe != NULL ? g_path_get_dirname (exe) : NULL;

  for (gsize i = 0; dir != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *folder = g_build_filename (dir, places[i], NULL);

      if (g_file_test (folder, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&folder);
    }
  return g_strdup (ARMILLA_NODE_DIR);
}

static char *
list_names (const char *folder)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (names, g_strndup (name, strlen (name) - strlen (SUFFIX)));
  if (names->len == 0)
    return g_strdup ("none");
  g_ptr_array_sort (names, armilla_compare_texts);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

/* Returns the path of a file or, if it does not exist, of the shipped node file of that name, with
 * or without .node. */
char *
armilla_find_node_file (const char *name, GError **error)
{
  g_autofree char *folder = NULL;
  g_autofree char *file = NULL;
  g_autofree char *path = NULL;
  g_autofree char *names = NULL;

  if (strchr (name, G_DIR_SEPARATOR) != NULL || g_file_test (name, G_FILE_TEST_IS_REGULAR))
    return g_strdup (name);
  folder = find_folder ();
  file = g_strconcat (name, g_str_has_suffix (name, SUFFIX) ? "" : SUFFIX, NULL);
  path = g_build_filename (folder, file, NULL);
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&path);
  if (g_file_test (name, G_FILE_TEST_EXISTS))
    return g_strdup (name); /* the reader rejects it if it is a folder or a pipe */
  names = list_names (folder);
  return armilla_fail_null (error, ARMILLA_ERROR_IO,
                            "armilla plan: --nodes: %s is not a file; the nodes shipped with "
                            "Armilla are: %s", name, names);
}
