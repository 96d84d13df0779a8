/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/files/output.h"
#include "tests/lib/output-helpers.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
assert_says (const GError *error, const char *a, const char *b)
{
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  if (strstr (error->message, a) == NULL || strstr (error->message, b) == NULL)
    g_error ("\"%s\" and \"%s\" are not both in: %s", a, b, error->message);
}

/* This file system can hold files without a name; test-output-faults.c is for others. */
static gboolean
has_no_name (ArmillaOutput *output)
{
  return g_str_has_prefix (armilla_output_temporary (output), "/proc/");
}

static void
test_commit (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = output_new (fixture->file, FALSE);
  g_autofree char *start = g_strdup_printf ("%s/.%s.", fixture->folder, (const char *) name);
  g_autoptr (GError) error = NULL;
  mode_t mask = umask (0);
  struct stat status;

  umask (mask);
  g_assert_cmpstr (armilla_output_path (output), ==, fixture->file);
  if (has_no_name (output))
    g_assert_cmpint (count_files (fixture->folder), ==, 0);
  else
    {
      g_assert_true (g_str_has_prefix (armilla_output_temporary (output), start));
      g_assert_true (g_str_has_suffix (armilla_output_temporary (output), ".tmp"));
    }
  g_assert_cmpint (g_stat (armilla_output_temporary (output), &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0666 & ~mask);
  put (armilla_output_temporary (output), "whole");
  g_assert_false (g_file_test (fixture->file, G_FILE_TEST_EXISTS));
  g_assert_true (armilla_output_finish (output, &error));
  g_assert_true (armilla_output_finish (output, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (fixture->file, G_FILE_TEST_EXISTS));
  g_assert_true (armilla_output_commit (output, &error));
  g_assert_no_error (error);
  assert_holds (fixture->file, "whole");
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
}

/* commit () without finish () finishes. */
static void
test_commit_at_once (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = output_new (fixture->file, FALSE);

  (void) name;
  put (armilla_output_temporary (output), "at once");
  g_assert_true (armilla_output_commit (output, NULL));
  assert_holds (fixture->file, "at once");
}

static void
test_relative (Fixture *fixture, gconstpointer name)
{
  g_autofree char *before = g_get_current_dir ();
  g_autoptr (ArmillaOutput) output = NULL;

  g_assert_cmpint (g_chdir (fixture->folder), ==, 0);
  output = output_new (name, FALSE);
  put (armilla_output_temporary (output), "here");
  g_assert_true (armilla_output_commit (output, NULL));
  g_assert_cmpint (g_chdir (before), ==, 0);
  assert_holds (fixture->file, "here");
}

static void
test_drop (Fixture *fixture, gconstpointer name)
{
  (void) name;
  for (int finished = 0; finished < 2; finished++)
    {
      ArmillaOutput *output = output_new (fixture->file, FALSE);

      put (armilla_output_temporary (output), "never seen");
      if (finished)
        g_assert_true (armilla_output_finish (output, NULL));
      armilla_output_free (output);
      g_assert_cmpint (count_files (fixture->folder), ==, 0);
    }
  armilla_output_free (NULL);
}

static void
test_compress (Fixture *fixture, gconstpointer name)
{
  enum { N = 1000000 };
  g_autoptr (ArmillaOutput) output = output_new (fixture->file, FALSE);
  g_autofree char *data = g_malloc (N), *back = g_malloc (N + 1);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  FILE *file;
  gzFile in;
  struct stat status;

  (void) name;
  for (int i = 0; i < N; i++)
    data[i] = (char) g_rand_int_range (random, 0, 4); /* 2 bits each */
  file = g_fopen (armilla_output_temporary (output), "wb");
  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (data, 1, N, file), ==, N);
  g_assert_cmpint (fclose (file), ==, 0);
  g_assert_true (armilla_output_finish (output, NULL));
  g_assert_cmpint (count_files (fixture->folder), ==, has_no_name (output) ? 0 : 1);
  g_assert_true (armilla_output_commit (output, NULL));
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
  g_assert_cmpint (g_stat (fixture->file, &status), ==, 0);
  g_assert_cmpint (status.st_size, <, N / 2);
  in = gzopen (fixture->file, "rb");
  g_assert_nonnull (in);
  g_assert_cmpint (gzread (in, back, N + 1), ==, N);
  g_assert_false (gzdirect (in));
  g_assert_cmpint (gzclose (in), ==, Z_OK);
  g_assert_cmpmem (back, N, data, N);
}

static void
test_existing (Fixture *fixture, gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = NULL;

  (void) name;
  put (fixture->file, "old");
  g_assert_null (armilla_output_new (fixture->file, FALSE, &error));
  assert_says (error, fixture->file, "exists already");
  g_assert_cmpint (count_files (fixture->folder), ==, 1);

  output = output_new (fixture->file, TRUE);
  put (armilla_output_temporary (output), "new");
  assert_holds (fixture->file, "old");
  g_assert_true (armilla_output_commit (output, NULL));
  assert_holds (fixture->file, "new");
}

/* Another process creates the file while ours is being written. */
static void
test_existing_later (Fixture *fixture, gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  ArmillaOutput *output = output_new (fixture->file, FALSE);

  (void) name;
  put (armilla_output_temporary (output), "ours");
  g_assert_true (armilla_output_finish (output, NULL));
  put (fixture->file, "theirs");
  g_assert_false (armilla_output_commit (output, &error));
  assert_says (error, fixture->file, "exists already");
  armilla_output_free (output);
  assert_holds (fixture->file, "theirs");
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
}

/* A link is replaced; what it points to stays. */
static void
test_symbolic_link (Fixture *fixture, gconstpointer name)
{
  g_autofree char *target = g_build_filename (fixture->folder, "target", NULL);
  g_autoptr (ArmillaOutput) output = NULL;

  (void) name;
  put (target, "old");
  g_assert_cmpint (symlink ("target", fixture->file), ==, 0);
  g_assert_null (armilla_output_new (fixture->file, FALSE, NULL));
  output = output_new (fixture->file, TRUE);
  put (armilla_output_temporary (output), "new");
  g_assert_true (armilla_output_commit (output, NULL));
  assert_holds (target, "old");
  assert_holds (fixture->file, "new");
  g_assert_cmpint (g_unlink (target), ==, 0);
}

static void
test_no_file (Fixture *fixture, gconstpointer name)
{
  g_autofree char *missing = g_build_filename (fixture->folder, "missing", "map.fits", NULL);
  g_autofree char *below_file = g_build_filename (fixture->file, "map.fits", NULL);
  g_autofree char *slash = g_strconcat (fixture->folder, "/", NULL);
  g_autofree char *long_name = g_strnfill (256, 'x');
  g_autofree char *too_long = g_build_filename (fixture->folder, long_name, NULL);
  const struct {
    const char *path, *say;
  } bad[] = {
    { "", "not a file name" },
    { slash, "not a file name" },
    { fixture->folder, "is a folder" },
    { "/dev/null", "is a device" },
    { missing, "create the folder first" },
    { below_file, "create the folder first" },
    { too_long, long_name },
  };

  (void) name;
  put (fixture->file, "a file, not a folder");
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (armilla_output_new (bad[i].path, TRUE, &error));
      assert_says (error, bad[i].path, bad[i].say);
      g_assert_cmpint (count_files (fixture->folder), ==, 1);
    }
}

/* The longest name that a file may have leaves room for nothing in the temporary name. */
static void
test_longest_name (Fixture *fixture, gconstpointer name)
{
  g_autofree char *longest = g_strnfill (255, 'x');
  g_autofree char *path = g_build_filename (fixture->folder, longest, NULL);
  g_autoptr (ArmillaOutput) output = output_new (path, FALSE);

  (void) name;
  put (armilla_output_temporary (output), "long");
  g_assert_true (armilla_output_commit (output, NULL));
  assert_holds (path, "long");
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* A process that is killed leaves nothing where files can be without a name. */
static void
test_killed (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = output_new (fixture->file, FALSE);
  int status;
  pid_t child;

  (void) name;
  if (!has_no_name (output))
    {
      g_test_skip ("temporary files have names here");
      return;
    }
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      ArmillaOutput *own = armilla_output_new (fixture->file, FALSE, NULL);

      put (armilla_output_temporary (own), "lost");
      if (armilla_output_finish (own, NULL))
        raise (SIGKILL);
      _exit (1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  g_assert_cmpint (count_files (fixture->folder), ==, 0);
}

/* Mounts a tmpfs on the folder, in a name space of this process's own: nothing outside sees it, and
 * it goes with the process. */
static gboolean
mount_small (const char *folder, gulong flags)
{
  if (unshare (CLONE_NEWNS) != 0 || mount ("none", "/", "none", MS_REC | MS_PRIVATE, "") != 0)
    return FALSE;
  return mount ("armilla-test", folder, "tmpfs", flags, "size=64k") == 0;
}

static gboolean
fill (const char *path)
{
  int fd = g_open (path, O_WRONLY | O_CREAT, 0600);
  char block[4096] = { 0 };
  gboolean full = FALSE;

  for (int i = 0; i < 64 && !full; i++)
    full = write (fd, block, sizeof block) < 0 && errno == ENOSPC;
  return close (fd) == 0 && full;
}

/* The following run in a child; they return its exit status, 77 where the system does not allow
 * what they need. */
static int
full_disk_child (const Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *filler = g_build_filename (fixture->folder, "filler", NULL);
  g_autofree char *data = g_malloc (40000);
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  ArmillaOutput *output;

  if (!mount_small (fixture->folder, 0))
    return 77;
  for (int i = 0; i < 40000; i++) /* no compressor makes less of this */
    data[i] = (char) g_rand_int_range (random, 0, 256);
  output = output_new (fixture->file, FALSE);
  {
    int fd = g_open (armilla_output_temporary (output), O_WRONLY, 0);

    g_assert_cmpint (write (fd, data, 40000), ==, 40000);
    g_assert_cmpint (close (fd), ==, 0);
  }
  g_assert_true (fill (filler));
  g_assert_false (armilla_output_finish (output, &error));
  assert_says (error, fixture->file, "free some space");
  /* only the plain temporary file, if it has a name, and the filler are there */
  g_assert_cmpint (count_files (fixture->folder), ==, has_no_name (output) ? 1 : 2);
  g_clear_error (&error);
  g_assert_false (armilla_output_commit (output, &error));
  assert_says (error, fixture->file, "free some space");
  armilla_output_free (output);
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
  return 0;
}

/* A folder without permission. It does not stop root, so root changes to an unprivileged user
 * first. */
static int
unwritable_child (const Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  if (g_chmod (fixture->folder, 0555) != 0 || (geteuid () == 0 && setuid (65534) != 0))
    return 77;
  g_assert_null (armilla_output_new (fixture->file, FALSE, &error));
  assert_says (error, fixture->file, "with write permission");
  return 0;
}

static int
read_only_child (const Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  if (!mount_small (fixture->folder, MS_RDONLY))
    return 77;
  g_assert_null (armilla_output_new (fixture->file, FALSE, &error));
  assert_says (error, fixture->file, "with write permission");
  return 0;
}

static void
in_child (const Fixture *fixture, int (*function) (const Fixture *))
{
  int status = 0;
  pid_t child = fork ();

  if (child == 0)
    _exit (function (fixture));
  g_assert_cmpint (child, >, 0);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == 77)
    g_test_skip ("this needs rights that this process does not have");
  else
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

static void
test_unwritable (Fixture *fixture, gconstpointer name)
{
  (void) name;
  in_child (fixture, unwritable_child);
  g_assert_cmpint (g_chmod (fixture->folder, 0700), ==, 0);
}

static void
test_full_disk (Fixture *fixture, gconstpointer name)
{
  (void) name;
  in_child (fixture, full_disk_child);
}

static void
test_read_only (Fixture *fixture, gconstpointer name)
{
  (void) name;
  in_child (fixture, read_only_child);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*function) (Fixture *, gconstpointer);
    const char *name;
  } tests[] = {
    { "/output/commit", test_commit, "map.fits" },
    { "/output/commit-XXXXXX", test_commit, "XXXXXX" },
    { "/output/commit-at-once", test_commit_at_once, "map.fits" },
    { "/output/relative", test_relative, "map.fits" },
    { "/output/drop", test_drop, "map.fits" },
    { "/output/drop-compressed", test_drop, "map.fits.gz" },
    { "/output/compress", test_compress, "map.fits.gz" },
    { "/output/existing", test_existing, "map.fits" },
    { "/output/existing-later", test_existing_later, "map.fits" },
    { "/output/symbolic-link", test_symbolic_link, "map.fits" },
    { "/output/no-file", test_no_file, "map.fits" },
    { "/output/longest-name", test_longest_name, "map.fits" },
    { "/output/killed", test_killed, "map.fits" },
    { "/output/killed-compressed", test_killed, "map.fits.gz" },
    { "/output/unwritable", test_unwritable, "map.fits" },
    { "/output/full-disk", test_full_disk, "map.fits.gz" },
    { "/output/read-only", test_read_only, "map.fits" },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, tests[i].name, fixture_init, tests[i].function, tear_down);
  return g_test_run ();
}
