/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes tuning files. */
#include "config.h"

#include <errno.h>
#include <unistd.h>

#include <starpu.h>

#include "codelets/common/devices.h"
#include "codelets/common/isa.h"
#include "core/files/regular-file.h"
#include "tasks/tuning/processor.h"
#include "tasks/tuning/tuning-file.h"

#define MAX_FILE (1 << 20)
#define HASH_LENGTH 12

/* Returns a name that distinguishes machines: processor, instruction set, number of cores, GPUs.
 * Equal nodes of a cluster have the same name. */
char *
armilla_tuning_machine (void)
{
  g_autofree char *processor = armilla_machine_processor ();
  g_autofree char *gpus = armilla_cuda_device_names ();

  return g_strdup_printf ("%s, %s, %ld cores%s%s", processor,
                          armilla_isa_name (armilla_isa_detect ()), sysconf (_SC_NPROCESSORS_ONLN),
                          gpus[0] ? ", " : "", gpus);
}

/* Returns the file of armilla_runtime_tune() for this machine, in the user's data folder. */
char *
armilla_tuning_path (void)
{
  g_autofree char *machine = armilla_tuning_machine ();
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, machine, -1);
  g_autofree char *name = g_strdup_printf ("tuning-%.*s.ini", HASH_LENGTH, hash);

  return g_build_filename (g_get_user_data_dir (), "armilla", name, NULL);
}

/* Reads a tuning file. Returns NULL with @error, or NULL without @error if the file does not
 * exist. */
char *
armilla_tuning_read (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  gsize length;
  char *text = armilla_regular_read (path, MAX_FILE, &length, &local);

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

/* Replaces the file once the new one is complete. */
gboolean
armilla_tuning_save (const ArmillaTuning *tuning, const char *path, GError **error)
{
  g_autofree char *machine = armilla_tuning_machine ();
  g_autofree char *text = armilla_tuning_to_text (tuning, machine);
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_mkdir_with_parents (folder, 0777) != 0)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: cannot create the folder: %s", folder,
                         g_strerror (errno));
  return g_file_set_contents_full (path, text, -1,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   0666, error);
}
