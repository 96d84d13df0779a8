/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On its first start on a machine StarPU measures the paths between memories and keeps the figures
 * in files. It locks each file, but only after it has made it, and a process that reads in between
 * finds an empty file and aborts. So first starts at the same time (ranks of one host, jobs of one
 * batch) take turns here, and all that come later find whole files. */
#include "config.h"

#include "tasks/runtime/first-start.h"
#include "tasks/runtime/starpu-stop.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <starpu.h>
#include <sys/file.h>
#include <unistd.h>

/* A first start takes a tenth of a second, with GPUs some seconds each. Whoever is stopped while it
 * holds the lock does not stop the others for ever. */
#define WAIT_SECONDS 60
#define WAIT_STEP (G_USEC_PER_SEC / 50)

/* What names StarPU's files, and what makes it measure again. (GPUs are not asked for their names:
 * that would start CUDA in every run, also in those that shall not use it.) */
static const char *const variables[]
  = { "HOME", "XDG_CACHE_HOME", "STARPU_HOME", "STARPU_PERF_MODEL_DIR", "STARPU_PERF_MODEL_PATH",
      "STARPU_HOSTNAME", "STARPU_NCUDA", "CUDA_VISIBLE_DEVICES" };

/* (transfer full): the file whose presence says that StarPU has its files */
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
  for (gsize i = 0; i < G_N_ELEMENTS (variables); i++)
    g_string_append_printf (key, "%s\n", g_getenv (variables[i]) ? g_getenv (variables[i]) : "");
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key->str, (gssize) key->len);
  name = g_strdup_printf ("started-%.12s", hash);
  return g_build_filename (folder, name, NULL);
}

/* Whether the file is locked now; where there are no locks it is not. */
static gboolean
lock (int file)
{
  const gint64 end = g_get_monotonic_time () + WAIT_SECONDS * G_USEC_PER_SEC;

  while (flock (file, LOCK_EX | LOCK_NB) != 0)
    {
      if ((errno != EWOULDBLOCK && errno != EINTR) || g_get_monotonic_time () > end)
        return FALSE;
      g_usleep (WAIT_STEP);
    }
  return TRUE;
}

/* Why it does not start is told by the start that follows. */
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

/**
 * armilla_first_start:
 *
 * Before StarPU's first start on this machine: starts and stops it while no other process does,
 * so that it finds its files whole. Otherwise, and where the user's cache folder cannot be
 * written, does nothing.
 */
void
armilla_first_start (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "armilla", NULL);
  g_autofree char *mark = mark_path (folder);
  g_autofree char *path = g_build_filename (folder, "first-start.lock", NULL);
  int file, made;

  if (g_file_test (mark, G_FILE_TEST_EXISTS) || g_mkdir_with_parents (folder, 0700) != 0)
    return;
  file = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return;
  if (lock (file) && !g_file_test (mark, G_FILE_TEST_EXISTS) && start_once ())
    {
      made = g_open (mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
      if (made < 0 || close (made) != 0)
        g_debug ("%s: cannot be written", mark);
    }
  if (close (file) != 0) /* unlocks it */
    g_debug ("%s: %s", path, g_strerror (errno));
}
