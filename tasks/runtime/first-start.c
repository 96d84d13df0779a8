/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prevents races of processes that start StarPU for the first time on a machine. StarPU then
 * measures the paths between memories and saves the figures in files; it creates each file before
 * locking it, so that another process can read an empty file, and aborts. Processes that start at
 * the same time (ranks of one host, jobs of one batch) therefore take turns here. */
#include "config.h"

#include "tasks/runtime/first-start.h"
#include "tasks/runtime/starpu-folder.h"
#include "tasks/runtime/starpu-stop.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <starpu.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A first start takes a tenth of a second, plus some seconds per GPU. The maximum wait bounds the
 * delay by a process that was stopped while it holds the lock. */
#define WAIT_SECONDS 60
#define TELL_SECONDS 2
#define WAIT_STEP (G_USEC_PER_SEC / 50)

/* Variables that point StarPU to the temporary folder. The host name is replaced too, since
 * StarPU 1.4 would also read the files of this host in the user's folder. */
static const char *const redirected[] = { "STARPU_PERF_MODEL_DIR", "STARPU_HOSTNAME" };

typedef enum { LOCKED, HELD, NO_LOCKS, CANCELLED } Lock;

/* Environment variables that determine where StarPU's files are or make it measure again. GPUs are
 * not identified, since that would initialise CUDA even in runs that must not use it. */
static const char *const key_variables[]
  = { "HOME", "XDG_CACHE_HOME", "STARPU_HOME", "STARPU_PERF_MODEL_DIR", "STARPU_PERF_MODEL_PATH",
      "STARPU_HOSTNAME", "STARPU_NCUDA", "CUDA_VISIBLE_DEVICES" };

/* Returns (transfer full) the marker file, which exists if StarPU has its files. */
static char *
mark_path (const char *folder)
{
  g_autofree char *hash = NULL;
  g_autofree char *name = NULL;
  g_autoptr (GString) key = g_string_new (g_get_host_name ());
  int version[3];

  starpu_get_version (&version[0], &version[1], &version[2]);
  g_string_append_printf (key, "\n%ld cores\nStarPU %d.%d.%d\n", sysconf (_SC_NPROCESSORS_ONLN),
                          version[0], version[1], version[2]);
  for (gsize i = 0; i < G_N_ELEMENTS (key_variables); i++)
    {
      const char *value = g_getenv (key_variables[i]);

      g_string_append_printf (key, "%s\n", value ? value : "");
    }
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key->str, (gssize) key->len);
  name = g_strdup_printf ("started-%.12s", hash);
  return g_build_filename (folder, name, NULL);
}

/* Returns the process that holds a lock of the file; 0 if unknown, as on network file systems. */
static gint64
find_holder (int file)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  struct stat status;

  if (fstat (file, &status) != 0 || !g_file_get_contents ("/proc/locks", &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", 0);
  for (char **line = lines; *line; line++)
    {
      int process;
      guint64 inode;

      if (sscanf (*line, "%*d: FLOCK %*s %*s %d %*x:%*x:%" G_GUINT64_FORMAT, &process, &inode) == 2
          && inode == status.st_ino && process > 0)
        return process;
    }
  return 0;
}

static void
tell_wait (ArmillaRuntime *runtime, int file, const char *path)
{
  const gint64 holder = find_holder (file);
  g_autofree char *name = holder > 0
                            ? g_strdup_printf ("process %" G_GINT64_FORMAT, holder)
                            : g_strdup ("another process");
  g_autofree char *text
    = g_strdup_printf ("waiting for %s, which holds %s while StarPU measures this machine; "
                       "continuing without it after %d s", name, path, WAIT_SECONDS);

  if (runtime->process && runtime->process->waits)
    runtime->process->waits (runtime->process->user, text);
}

static Lock
lock (ArmillaRuntime *runtime, int file, const char *path)
{
  const gint64 start = g_get_monotonic_time ();
  gboolean told = FALSE;

  while (flock (file, LOCK_EX | LOCK_NB) != 0)
    {
      const gint64 waited = g_get_monotonic_time () - start;

      if (errno != EWOULDBLOCK && errno != EINTR)
        return NO_LOCKS;
      if (armilla_runtime_is_cancelled (runtime))
        return CANCELLED;
      if (waited > WAIT_SECONDS * G_USEC_PER_SEC)
        return HELD;
      if (!told && waited > TELL_SECONDS * G_USEC_PER_SEC)
        {
          tell_wait (runtime, file, path);
          told = TRUE;
        }
      g_usleep (WAIT_STEP);
    }
  return LOCKED;
}

/* Starts and stops StarPU. Returns FALSE if it does not start: the start of the run will report
 * why. */
static gboolean
start_once (void)
{
  struct starpu_conf conf;

  if (starpu_conf_init (&conf) != 0)
    return FALSE;
  conf.catch_signals = 0;
  if (starpu_init (&conf) != 0)
    return FALSE;
  return armilla_starpu_stop (FALSE) == 0;
}

static void
make_mark (const char *mark)
{
  const int made = g_open (mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

  if (made < 0 || close (made) != 0)
    g_debug ("%s: cannot be written", mark);
}

/* Makes StarPU measure; @mark: marker file to create, or NULL. Called with the lock, or on a file
 * system without locks. */
static gboolean
measure (const char *folder, const char *mark, GError **error)
{
  const gboolean whole = armilla_starpu_folder_is_whole (folder);

  if (!armilla_starpu_folder_probe (folder, error)
      || (!whole && !armilla_starpu_folder_repair (folder, error)))
    return FALSE;
  if (mark && (!whole || !g_file_test (mark, G_FILE_TEST_EXISTS)) && start_once ())
    make_mark (mark);
  return TRUE;
}

/* Waits for the lock and makes StarPU measure, unless another process has done so meanwhile. */
static gboolean
take_turn (ArmillaRuntime *runtime, const char *folder, GError **error)
{
  g_autofree char *own = g_build_filename (g_get_user_cache_dir (), "armilla", NULL);
  g_autofree char *mark = mark_path (own);
  g_autofree char *path = g_build_filename (own, "first-start.lock", NULL);
  gboolean good = FALSE;
  int file;

  if (g_file_test (mark, G_FILE_TEST_EXISTS) && armilla_starpu_folder_is_whole (folder))
    return TRUE;
  if (g_mkdir_with_parents (own, 0700) != 0)
    return measure (folder, NULL, error);
  file = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return measure (folder, NULL, error);
  switch (lock (runtime, file, path))
    {
    case LOCKED:
      good = measure (folder, mark, error);
      break;
    case NO_LOCKS:
      good = measure (folder, NULL, error);
      break;
    case HELD:
      good = armilla_starpu_folder_is_whole (folder)
             || armilla_fail (error, ARMILLA_ERROR_IO, "%s: files are incomplete, and %s is locked",
                              folder, path);
      break;
    case CANCELLED:
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_CANCELLED, "stopped by %s",
                   runtime->cancelled);
      break;
    }
  if (close (file) != 0) /* releases the lock */
    g_debug ("%s: %s", path, g_strerror (errno));
  return good;
}

/* Makes StarPU use a temporary folder of this process; @why: error of the user's folder. */
static gboolean
use_private_folder (ArmillaRuntime *runtime, const GError *why, GError **error)
{
  const char *const places[] = { g_get_tmp_dir (), "/tmp", "/var/tmp", "/dev/shm" };

  for (gsize i = 0; i < G_N_ELEMENTS (places) && !runtime->private_folder; i++)
    {
      g_autofree char *path = g_build_filename (places[i], "armilla-starpu-XXXXXX", NULL);

      if (!g_mkdtemp (path))
        continue;
      if (armilla_starpu_folder_prepare (path, NULL) && armilla_starpu_folder_probe (path, NULL))
        runtime->private_folder = g_steal_pointer (&path);
      else
        armilla_starpu_folder_remove (path);
    }
  if (!runtime->private_folder)
    return armilla_fail (error, ARMILLA_ERROR_IO,
                         "StarPU cannot save its measurements: %s; set STARPU_PERF_MODEL_DIR to a "
                         "writable folder", why->message);
  runtime->note = g_strdup_printf (
    "StarPU measures this machine again, since its folder is unusable: %s; set "
    "STARPU_PERF_MODEL_DIR to another one", why->message);
  for (gsize i = 0; i < G_N_ELEMENTS (redirected); i++)
    runtime->redirected[i] = g_strdup (g_getenv (redirected[i]));
  g_setenv ("STARPU_PERF_MODEL_DIR", runtime->private_folder, TRUE);
  g_setenv ("STARPU_HOSTNAME", "armilla-private", TRUE);
  return TRUE;
}

/* Gives StarPU a usable folder. Before its first start on this machine, and if its files are
 * damaged, starts and stops it while no other process does. If its folder is unusable, StarPU
 * gets a temporary one, and armilla_runtime_warnings () says why. */
gboolean
armilla_first_start (ArmillaRuntime *runtime, GError **error)
{
  g_autofree char *folder = armilla_starpu_folder ();
  g_autoptr (GError) why = NULL;

  if (armilla_starpu_folder_prepare (folder, &why) && take_turn (runtime, folder, &why))
    return TRUE;
  if (!g_error_matches (why, ARMILLA_ERROR, ARMILLA_ERROR_CANCELLED))
    return use_private_folder (runtime, why, error);
  g_propagate_error (error, g_steal_pointer (&why));
  return FALSE;
}

/* Removes the temporary folder, if any, after StarPU has stopped. */
void
armilla_first_start_end (ArmillaRuntime *runtime)
{
  for (gsize i = 0; i < G_N_ELEMENTS (redirected) && runtime->private_folder; i++)
    {
      if (runtime->redirected[i])
        g_setenv (redirected[i], runtime->redirected[i], TRUE);
      else
        g_unsetenv (redirected[i]);
      g_clear_pointer (&runtime->redirected[i], g_free);
    }
  if (runtime->private_folder)
    armilla_starpu_folder_remove (runtime->private_folder);
  g_clear_pointer (&runtime->private_folder, g_free);
  g_clear_pointer (&runtime->note, g_free);
}
