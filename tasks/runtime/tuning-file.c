/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a tuning is kept, and how all ranks come to have the same one. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "codelets/common/devices.h"
#include "core/files/regular-file.h"
#include "tasks/runtime/runtime-private.h"
#include "tasks/runtime/tuning-file.h"
#include "tasks/tuning/processor.h"

#define LONGEST_FILE (1 << 20)
#define HASH_LENGTH 12

/* Returns what distinguishes machines: processor, instruction set, number of cores, GPUs. Equal
 * nodes of a cluster are one machine. */
char *
armilla_tuning_machine (void)
{
  g_autofree char *processor = armilla_machine_processor ();
  g_autofree char *gpus = armilla_cuda_device_names ();

  return g_strdup_printf ("%s, %s, %ld cores%s%s", processor,
                          armilla_isa_name (armilla_isa_detect ()), sysconf (_SC_NPROCESSORS_ONLN),
                          gpus[0] ? ", " : "", gpus);
}

/* Returns where armilla_runtime_tune() keeps what it found on this machine: a file in the user's
 * data folder. */
char *
armilla_runtime_tuning_path (ArmillaRuntime *runtime)
{
  g_autofree char *machine = armilla_tuning_machine ();
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, machine, -1);
  g_autofree char *name = g_strdup_printf ("tuning-%.*s.ini", HASH_LENGTH, hash);

  (void) runtime;
  return g_build_filename (g_get_user_data_dir (), "armilla", name, NULL);
}

/* NULL with @error, or NULL without it when there is no file. */
static char *
read_file (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  gsize length;
  char *text = armilla_regular_read (path, LONGEST_FILE, &length, &local);

  if (!text && !g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, local->message);
  return text;
}

/* Returns "cpu", "cuda" or "both": the workers of this rank. */
const char *
armilla_tuning_workers (void)
{
  if (starpu_cuda_worker_get_count () == 0)
    return "cpu";
  return starpu_cpu_worker_get_count () == 0 ? "cuda" : "both";
}

#ifdef HAVE_MPI
static gboolean
broadcast (ArmillaRuntime *runtime, void *data, int n, GError **error)
{
  if (MPI_Bcast (data, n, MPI_CHAR, 0, runtime->comm) == MPI_SUCCESS)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MPI,
                       "MPI cannot send the tuning of rank 0 to the other ranks");
}

/* Replaces *@text on the other ranks by that of rank 0. */
static gboolean
share (ArmillaRuntime *runtime, char **text, GError **error)
{
  int n = *text ? (int) strlen (*text) : -1;

  if (!broadcast (runtime, &n, (int) sizeof n, error))
    return FALSE;
  if (runtime->rank != 0)
    {
      g_free (*text);
      *text = n >= 0 ? g_malloc0 ((gsize) n + 1) : NULL;
    }
  return n < 0 || broadcast (runtime, *text, n, error);
}
#endif

/* Graphs that are made from now on use what armilla_runtime_tune() has found on the machine of
 * rank 0. Collective. Returns FALSE only when the ranks cannot agree. @remark: why the file of
 * this machine is ignored; NULL where there is none or all is well. */
gboolean
armilla_runtime_load_tuning (ArmillaRuntime *runtime, char **remark, GError **error)
{
  g_autofree char *path = armilla_runtime_tuning_path (runtime);
  g_autofree char *machine = armilla_tuning_machine ();
  g_autofree char *workers = g_strdup (armilla_tuning_workers ());
  g_autofree char *text = NULL;
  g_autoptr (ArmillaTuning) tuning = NULL;
  g_autoptr (GError) local = NULL;

  *remark = NULL;
  if (runtime->rank == 0)
    text = read_file (path, &local);
#ifdef HAVE_MPI
  if (runtime->mpi && (!share (runtime, &path, error) || !share (runtime, &machine, error)
                       || !share (runtime, &workers, error) || !share (runtime, &text, error)))
    return FALSE;
#else
  (void) error;
#endif
  if (text)
    tuning = armilla_tuning_parse (text, strlen (text), machine, path, &local);
  if (local)
    *remark = g_strdup_printf ("%s is ignored: %s; armilla tune makes a new one", path,
                               local->message);
  armilla_runtime_set_tuning (runtime, tuning, workers);
  return TRUE;
}

/* Sets the tuning, final from now on, of later graphs (NULL: none) and the kind of workers to
 * look up. */
void
armilla_runtime_set_tuning (ArmillaRuntime *runtime, ArmillaTuning *tuning, const char *workers)
{
  armilla_tuning_ref (tuning);
  armilla_tuning_unref (runtime->tuning);
  runtime->tuning = tuning;
  runtime->tuning_workers = g_intern_string (workers);
}

/* Replaces the file once the new one is complete. */
gboolean
armilla_tuning_save (const ArmillaTuning *tuning, const char *path, GError **error)
{
  g_autofree char *machine = armilla_tuning_machine ();
  g_autofree char *text = armilla_tuning_to_text (tuning, machine);
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_mkdir_with_parents (folder, 0777) != 0)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: cannot be made: %s", folder,
                         g_strerror (errno));
  return g_file_set_contents_full (path, text, -1,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   0666, error);
}
