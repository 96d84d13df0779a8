/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder of StarPU's measurements. StarPU aborts if the folder is not writable or a file in it
 * is damaged, so both are checked before StarPU starts. */
#include "config.h"

#include "tasks/runtime/starpu-folder.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MODELS "codelets/45" /* the same for StarPU 1.3 and 1.4 */
#define MAX_LENGTH 200       /* maximum length of the path: StarPU's buffers have 256 bytes */
#define PROBE_BYTES 65536    /* more than all files of a machine without GPUs */

static const char *const variables[]
  = { "XDG_CACHE_HOME", "STARPU_HOME", "HOME", "TMPDIR", "TEMP", "TMP" };

/* Returns the folder that StarPU will use. */
char *
armilla_starpu_folder (void)
{
  const char *home = NULL;

  if (g_getenv ("STARPU_PERF_MODEL_DIR"))
    return g_strdup (g_getenv ("STARPU_PERF_MODEL_DIR"));
  for (gsize i = 0; i < G_N_ELEMENTS (variables) && !home; i++)
    home = g_getenv (variables[i]);
  return g_build_filename (home ? home : "/tmp", ".starpu", "sampling", NULL);
}

/* Returns the host name in the names of StarPU's files. */
static char *
host_name (void)
{
  const char *chosen = g_getenv ("STARPU_HOSTNAME");
  char name[64] = "";

  if (chosen && *chosen != '\0')
    return g_strndup (chosen, sizeof name - 1);
  if (gethostname (name, sizeof name - 1) != 0)
    *name = '\0';
  name[strcspn (name, ".")] = '\0';
  return g_strdup (name);
}

static gboolean
fail (const char *path, GError **error)
{
  return armilla_fail (error, ARMILLA_ERROR_IO, "%s: %s", path, g_strerror (errno));
}

/* Fails if the disk is full: StarPU would create its files, but not be able to write them. */
gboolean
armilla_starpu_folder_probe (const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, ".armilla-XXXXXX", NULL);
  g_autofree char *zeros = g_malloc0 (PROBE_BYTES);
  const int file = g_mkstemp (path);
  gboolean good;

  if (file < 0)
    return fail (path, error);
  good = write (file, zeros, PROBE_BYTES) == PROBE_BYTES || fail (folder, error);
  if (close (file) != 0 && good)
    good = fail (folder, error);
  if (g_unlink (path) != 0 && good)
    good = fail (path, error);
  return good;
}

/* Creates the folder and its subfolders; fails unless this process may write to all of them. */
gboolean
armilla_starpu_folder_prepare (const char *folder, GError **error)
{
  static const char *const parts[] = { "bus", MODELS, "debug" };

  if (strlen (folder) > MAX_LENGTH)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: the name has more than %d bytes", folder,
                         MAX_LENGTH);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *part = g_build_filename (folder, parts[i], NULL);

      if (g_mkdir_with_parents (part, 0700) != 0 || g_access (part, R_OK | W_OK | X_OK) != 0)
        return fail (part, error);
    }
  return TRUE;
}

/* State of the search for files that StarPU cannot read; with @repair they are removed. */
typedef struct {
  gboolean repair, damaged;
  GError *error;
} Check;

static void
found (Check *check, const char *path)
{
  check->damaged = TRUE;
  if (check->repair && !check->error && g_unlink (path) != 0)
    fail (path, &check->error);
}

/* Returns the text of a file that this process may read and write; NULL otherwise. */
static char *
read_file (const char *path)
{
  char *text = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || g_access (path, R_OK | W_OK) != 0
      || !g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  return text;
}

static gboolean
exists (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (path, G_FILE_TEST_IS_SYMLINK);
}

/* Checks the files with bandwidths and latencies. They are written together, so if one is damaged,
 * all are removed. */
static void
check_bus (Check *check, const char *folder, const char *host)
{
  static const char *const kinds[]
    = { "config", "affinity", "latency", "bandwidth", "platform.xml", "platform.v4.xml" };
  gboolean whole = TRUE;
  gint64 n_devices = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/bus/%s.%s", folder, host, kinds[i]);
      g_autofree char *text = NULL;

      if (!exists (path))
        continue;
      text = read_file (path);
      if (text && i == 0)
        n_devices = armilla_starpu_config_devices (text);
      whole = whole && text
              && (i > 3 || armilla_starpu_bus_file_is_whole (kinds[i], text, n_devices));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (kinds) && !whole; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/bus/%s.%s", folder, host, kinds[i]);

      if (exists (path))
        found (check, path);
    }
}

/* Checks the files with durations of Armilla's codelets on this host, the only ones that StarPU
 * reads. */
static void
check_models (Check *check, const char *folder, const char *host)
{
  g_autofree char *models = g_build_filename (folder, MODELS, NULL);
  g_autofree char *ending = g_strconcat (".", host, NULL);
  g_autoptr (GDir) names = g_dir_open (models, 0, NULL);
  const char *name;

  while (names && (name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (models, name, NULL);
      g_autofree char *text = NULL;

      if (!g_str_has_prefix (name, "armilla_") || !g_str_has_suffix (name, ending))
        continue;
      text = read_file (path);
      if (!text || !armilla_starpu_model_file_is_whole (text))
        found (check, path);
    }
}

static gboolean
check_all (const char *folder, gboolean repair, GError **error)
{
  g_autofree char *host = host_name ();
  Check check = { .repair = repair };

  check_bus (&check, folder, host);
  check_models (&check, folder, host);
  if (!check.error)
    return repair || !check.damaged;
  g_propagate_error (error, check.error);
  return FALSE;
}

/* Returns whether StarPU can read its files of this host, if any. */
gboolean
armilla_starpu_folder_is_whole (const char *folder)
{
  return check_all (folder, FALSE, NULL);
}

/* Removes damaged files; StarPU then measures again. */
gboolean
armilla_starpu_folder_repair (const char *folder, GError **error)
{
  return check_all (folder, TRUE, error);
}

static void
remove_files (const char *folder)
{
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const char *name;

  while (names && (name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_remove (path) != 0)
        g_debug ("%s: %s", path, g_strerror (errno));
    }
}

/* Removes the folder with StarPU's files; no other process uses it. */
void
armilla_starpu_folder_remove (const char *folder)
{
  static const char *const parts[] = { "bus", MODELS, "codelets", "debug", "." };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *part = g_build_filename (folder, parts[i], NULL);

      remove_files (part);
    }
  if (g_rmdir (folder) != 0)
    g_debug ("%s: %s", folder, g_strerror (errno));
}
