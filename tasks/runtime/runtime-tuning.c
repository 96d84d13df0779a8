/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives all ranks the same tuning. */
#include "config.h"

#include <string.h>

#include "tasks/runtime/runtime-private.h"
#include "tasks/tuning/tuning-file.h"

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

/* Makes later graphs use what armilla_runtime_tune() has found on the machine of rank 0.
 * Collective. Returns FALSE only if the ranks cannot agree. @remark: why the file of this machine
 * is ignored; NULL if there is none or it is used. */
gboolean
armilla_runtime_load_tuning (ArmillaRuntime *runtime, char **remark, GError **error)
{
  g_autofree char *path = armilla_tuning_path ();
  g_autofree char *machine = armilla_tuning_machine ();
  g_autofree char *workers = g_strdup (armilla_tuning_workers ());
  g_autofree char *text = NULL;
  g_autoptr (ArmillaTuning) tuning = NULL;
  g_autoptr (GError) local = NULL;

  *remark = NULL;
  if (runtime->rank == 0)
    text = armilla_tuning_read (path, &local);
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
    *remark = g_strdup_printf ("%s is ignored: %s; run armilla tune to create a new one", path,
                               local->message);
  armilla_runtime_set_tuning (runtime, tuning, workers);
  return TRUE;
}

/* Sets the tuning (immutable; NULL: none) of later graphs and the kind of workers to look up. */
void
armilla_runtime_set_tuning (ArmillaRuntime *runtime, ArmillaTuning *tuning, const char *workers)
{
  armilla_tuning_ref (tuning);
  armilla_tuning_unref (runtime->tuning);
  runtime->tuning = tuning;
  runtime->tuning_workers = g_intern_string (workers);
}
