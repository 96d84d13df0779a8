/* SPDX-License-Identifier: GPL-3.0-or-later */
/* StarPU's own trace, if StarPU was built with FxT: each rank writes its events to a folder of its
 * own beside the trace; after StarPU has stopped, rank 0 converts them to a Paje trace (ViTE). */
#include "config.h"

#include "core/base/printable.h"
#include "tasks/runtime/fxt.h"

#ifdef STARPU_USE_FXT
#include <errno.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <string.h>

/* Returns the trace's path without its extension, .json or .json.gz. */
static char *
stem_of (const char *trace)
{
  g_autofree char *stem = g_strdup (trace);

  if (g_str_has_suffix (stem, ".gz"))
    stem[strlen (stem) - 3] = '\0';
  if (g_str_has_suffix (stem, ".json"))
    stem[strlen (stem) - 5] = '\0';
  return g_steal_pointer (&stem);
}

/* Returns the rank, which is the number at the end of the name of StarPU's file. */
static gint64
rank_of (const char *path)
{
  const char *number = strrchr (path, '_');

  return number ? g_ascii_strtoll (number + 1, NULL, 10) : 0;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  gint64 x = rank_of (*(const char *const *) a), y = rank_of (*(const char *const *) b);

  return (x > y) - (x < y);
}

/* Adds the paths of the files in a folder. No folder if @folder is "". */
static void
list_folder (const char *folder, GPtrArray *paths)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
}

/* Removes the folder, which no other process uses. */
static void
remove_folder (const char *folder)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  list_folder (folder, paths);
  for (guint i = 0; i < paths->len; i++)
    g_unlink (g_ptr_array_index (paths, i));
  g_rmdir (folder);
}

/* Returns (transfer full) (element-type utf8) the event files of all ranks in order; on rank 0. */
static GPtrArray *
gather_events (ArmillaRuntime *runtime)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
#ifdef HAVE_MPI
  g_autofree char *all = g_malloc0 ((gsize) runtime->n_ranks * PATH_MAX);
  char own[PATH_MAX] = "";

  g_strlcpy (own, runtime->fxt_folder ? runtime->fxt_folder : "", sizeof own);
  if (runtime->mpi)
    {
      if (MPI_Gather (own, PATH_MAX, MPI_CHAR, all, PATH_MAX, MPI_CHAR, 0, runtime->comm)
          != MPI_SUCCESS)
        g_warning ("MPI_Gather fails");
      for (int r = 0; runtime->rank == 0 && r < runtime->n_ranks; r++)
        list_folder (all + (gsize) r * PATH_MAX, paths);
    }
  else
#endif
    if (runtime->fxt_folder)
      list_folder (runtime->fxt_folder, paths);
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

/* Generates the Paje trace and removes the dozen other files that StarPU writes. */
static gboolean
generate (const GPtrArray *events, const char *folder, const char *paje)
{
  g_autofree char *made = g_build_filename (folder, "paje.trace", NULL);
  struct starpu_fxt_options options;

  starpu_fxt_options_init (&options);
  options.dir = (char *) folder;
  for (guint i = 0; i < events->len && i < STARPU_FXT_MAX_FILES; i++)
    options.filenames[options.ninputfiles++] = g_ptr_array_index (events, i);
  if (options.ninputfiles > 0)
    starpu_fxt_generate_trace (&options);
  starpu_fxt_options_shutdown (&options);
  return g_rename (made, paje) == 0;
}
#endif

/* Makes StarPU record its own events if the folder can be created (StarPU would end the program
 * otherwise), unless STARPU_FXT_TRACE=0; the same on all ranks. Must be called before StarPU
 * starts. */
void
armilla_fxt_begin (ArmillaRuntime *runtime, const char *trace)
{
#ifdef STARPU_USE_FXT
  g_autofree char *stem = stem_of (trace);
  g_autofree char *prefix = NULL;

  if (g_strcmp0 (g_getenv ("STARPU_FXT_TRACE"), "0") == 0)
    return;
  runtime->paje = g_strconcat (stem, ".paje", NULL);
  runtime->fxt_folder = g_strconcat (stem, ".fxt-XXXXXX", NULL);
  if (!g_mkdtemp (runtime->fxt_folder))
    {
      g_clear_pointer (&runtime->fxt_folder, g_free);
      return;
    }
  g_setenv ("STARPU_FXT_TRACE", "1", TRUE);
  prefix = g_strconcat (runtime->fxt_folder, "/", NULL); /* StarPU 1.3 appends no slash */
  g_setenv ("STARPU_FXT_PREFIX", prefix, TRUE);
  g_setenv ("STARPU_GENERATE_TRACE", "0", TRUE);
#else
  (void) runtime;
  (void) trace;
#endif
}

/* Writes the Paje trace of a successful run whose trace was written, after StarPU has stopped and
 * before MPI does. Collective. */
void
armilla_fxt_end (ArmillaRuntime *runtime)
{
#ifdef STARPU_USE_FXT
  if (runtime->traced && runtime->paje) /* the same on all ranks; benchmarks write no trace */
    {
      g_autoptr (GPtrArray) events = gather_events (runtime);

      if (runtime->rank == 0 && runtime->fxt_folder
          && !generate (events, runtime->fxt_folder, runtime->paje))
        armilla_print (stderr, "armilla: no Paje trace in %s: %s\n", runtime->paje,
                       g_strerror (errno));
#ifdef HAVE_MPI
      /* The folders of the other ranks must exist until rank 0 has read them. */
      if (runtime->mpi && MPI_Barrier (runtime->comm) != MPI_SUCCESS)
        g_warning ("MPI_Barrier fails");
#endif
    }
  if (runtime->fxt_folder)
    remove_folder (runtime->fxt_folder);
  g_free (runtime->fxt_folder);
  g_free (runtime->paje);
#else
  (void) runtime;
#endif
}
