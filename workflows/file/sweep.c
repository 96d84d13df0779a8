/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/file/sweep.h"

#include <glib/gstdio.h>
#include <string.h>

struct _ArmillaSweep {
  char *folder, *journal; /* folder of the journal, and its name in the folder */
  GHashTable *folders;    /* folder -> set of file names */
};

/* Creates the state of the removal of temporary files. @journal: (nullable): journal of the run;
 * results saved beside it are removed, too. */
ArmillaSweep *
armilla_sweep_new (const char *journal)
{
  ArmillaSweep *self = g_new0 (ArmillaSweep, 1);

  self->folder = g_path_get_dirname (journal);
  self->journal = g_path_get_basename (journal);
  self->folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) g_hash_table_unref);
  armilla_sweep_add (self, journal);
  return self;
}

/* Adds an output of this run: files that have the temporary name of @path are removed. */
void
armilla_sweep_add (ArmillaSweep *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  GHashTable *names = g_hash_table_lookup (self->folders, folder);

  if (names == NULL)
    {
      names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_hash_table_insert (self->folders, g_steal_pointer (&folder), names);
    }
  g_hash_table_add (names, g_path_get_basename (path));
}

/* Returns the final name of a temporary file .NAME.XXXXXX.tmp; NULL for other files. */
static char *
final_name (const char *name)
{
  gsize length = strlen (name), tail = strlen (".XXXXXX.tmp");

  if (name[0] != '.' || length <= tail + 1 || !g_str_has_suffix (name, ".tmp")
      || name[length - tail] != '.')
    return NULL;
  return g_strndup (name + 1, length - tail - 1);
}

/* Returns whether the file contains a result saved for resuming:
 * NAME.journal.INDEX.NODE.PORT.part. */
static gboolean
is_part (const ArmillaSweep *self, const char *folder, const char *name)
{
  gsize length = strlen (self->journal);

  return strcmp (folder, self->folder) == 0 && strncmp (name, self->journal, length) == 0
         && name[length] == '.' && g_str_has_suffix (name, ".part");
}

/* Removes the temporary files. Errors are ignored, since such files do no harm. */
void
armilla_sweep_run (ArmillaSweep *self)
{
  GHashTableIter iter;
  gpointer folder, names;

  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, &folder, &names))
    {
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *final = final_name (name);
          g_autofree char *path = g_build_filename (folder, name, NULL);

          if (final != NULL
              && (g_hash_table_contains (names, final) || is_part (self, folder, final)))
            g_unlink (path);
        }
    }
}

void
armilla_sweep_free (ArmillaSweep *self)
{
  g_hash_table_unref (self->folders);
  g_free (self->journal);
  g_free (self->folder);
  g_free (self);
}
