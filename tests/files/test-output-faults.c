/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs on file systems that fail, or that cannot do what others can: some of the C library's
 * functions are replaced here by ones that can be told to fail. */
#include "config.h"

#include "tests/lib/output-helpers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
  int unnamed; /* for files that have no name yet; the error to report; 0: work */
  int linkat, renameat2, link, rename, fsync; /* same */
  int good_fsyncs;                    /* how many work nevertheless */
  int killed;                         /* a signal that comes with the renaming */
  const char *appears;                /* a file that appears just before the renaming */
} faults;

static int
fail (int number)
{
  errno = number;
  return -1;
}

int
open (const char *path, int flags, ...)
{
  va_list words;
  int mode;

  va_start (words, flags);
  mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (words, int) : 0;
  va_end (words);
  if (faults.unnamed != 0 && (flags & O_TMPFILE) == O_TMPFILE)
    return fail (faults.unnamed);
  return (int) syscall (SYS_openat, AT_FDCWD, path, flags, mode);
}

int
linkat (int old_folder, const char *old, int new_folder, const char *new, int flags)
{
  if (faults.appears != NULL)
    put (faults.appears, "theirs");
  if (faults.linkat != 0)
    return fail (faults.linkat);
  return (int) syscall (SYS_linkat, old_folder, old, new_folder, new, flags);
}

int
renameat2 (int old_folder, const char *old, int new_folder, const char *new, unsigned flags)
{
  if (faults.appears != NULL)
    put (faults.appears, "theirs");
  if (faults.renameat2 != 0)
    return fail (faults.renameat2);
  return (int) syscall (SYS_renameat2, old_folder, old, new_folder, new, flags);
}

int
link (const char *old, const char *new)
{
  if (faults.link != 0)
    return fail (faults.link);
  return (int) syscall (SYS_linkat, AT_FDCWD, old, AT_FDCWD, new, 0);
}

int
rename (const char *old, const char *new)
{
  if (faults.killed != 0)
    raise (faults.killed);
  if (faults.rename != 0)
    return fail (faults.rename);
  return (int) syscall (SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}

int
fsync (int fd)
{
  if (faults.fsync != 0 && faults.good_fsyncs-- <= 0)
    return fail (faults.fsync);
  return (int) syscall (SYS_fsync, fd);
}

static void
set_up (Fixture *fixture, gconstpointer name)
{
  fixture_init (fixture, name);
  memset (&faults, 0, sizeof faults);
  faults.unnamed = EOPNOTSUPP;
}

static ArmillaOutput *
written (const Fixture *fixture, gboolean overwrite)
{
  ArmillaOutput *output = output_new (fixture->file, overwrite);

  put (armilla_output_temporary (output), "ours");
  return output;
}

static void
assert_commit_fails (ArmillaOutput *output, const char *say)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (armilla_output_commit (output, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (error->message, armilla_output_path (output)));
  if (strstr (error->message, say) == NULL)
    g_error ("\"%s\" is not in: %s", say, error->message);
}

/* The ways to rename to a new name: each is used where the one before does not exist. */
static const struct {
  int renameat2, link;
} ways[] = { { 0, 0 }, { EINVAL, 0 }, { ENOSYS, 0 }, { EINVAL, EPERM }, { ENOSYS, EOPNOTSUPP } };

static void
test_new_name (Fixture *fixture, gconstpointer name)
{
  (void) name;
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (ArmillaOutput) output = written (fixture, FALSE);
      g_autoptr (GError) error = NULL;

      faults.renameat2 = ways[i].renameat2;
      faults.link = ways[i].link;
      g_assert_true (armilla_output_commit (output, &error));
      g_assert_no_error (error);
      assert_holds (fixture->file, "ours");
      g_assert_cmpint (g_unlink (fixture->file), ==, 0);
      g_assert_cmpint (g_rmdir (fixture->folder), ==, 0); /* nothing else was in it */
      g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
    }
}

/* Another process creates the file a moment earlier: that file stays. */
static void
test_taken_name (Fixture *fixture, gconstpointer name)
{
  (void) name;
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (ArmillaOutput) output = written (fixture, FALSE);

      faults.renameat2 = ways[i].renameat2;
      faults.link = ways[i].link;
      faults.appears = fixture->file;
      assert_commit_fails (output, "exists already");
      assert_holds (fixture->file, "theirs");
      g_assert_cmpint (g_unlink (fixture->file), ==, 0);
    }
}

/* The disk reports a failure when told to write, first of the file, then of its folder. */
static void
test_flush (Fixture *fixture, gconstpointer name)
{
  (void) name;
  for (int good = 0; good < 2; good++)
    {
      g_autoptr (ArmillaOutput) output = written (fixture, FALSE);

      faults.fsync = good == 0 ? ENOSPC : EIO;
      faults.good_fsyncs = good;
      assert_commit_fails (output, good == 0 ? "free some space" : "was renamed");
      g_assert_cmpint (g_file_test (fixture->file, G_FILE_TEST_EXISTS), ==, good == 1);
    }
}

/* File systems that flush no folders are no reason to fail. */
static void
test_flush_folder_unknown (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = written (fixture, FALSE);

  (void) name;
  faults.fsync = EINVAL;
  faults.good_fsyncs = 1;
  g_assert_true (armilla_output_commit (output, NULL));
  assert_holds (fixture->file, "ours");
}

static void
test_rename (Fixture *fixture, gconstpointer name)
{
  static const int numbers[][3] = { { EIO, 0, 0 }, { EINVAL, EIO, 0 }, { EINVAL, EPERM, EIO } };

  (void) name;
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (ArmillaOutput) output = written (fixture, FALSE);

      faults.renameat2 = numbers[i][0];
      faults.link = numbers[i][1];
      faults.rename = numbers[i][2];
      assert_commit_fails (output, "cannot rename");
      g_assert_false (g_file_test (fixture->file, G_FILE_TEST_EXISTS));
    }
}

static void
test_rename_over (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = NULL;

  (void) name;
  put (fixture->file, "theirs");
  output = written (fixture, TRUE);
  faults.rename = EROFS;
  assert_commit_fails (output, "with write permission");
  assert_holds (fixture->file, "theirs");
}

/* The temporary file vanishes before it is finished. */
static void
test_vanished (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = written (fixture, FALSE);

  (void) name;
  g_assert_cmpint (g_unlink (armilla_output_temporary (output)), ==, 0);
  assert_commit_fails (output, "temporary file");
}

/* The same with files that have no name until they are whole. */
static ArmillaOutput *
written_unnamed (const Fixture *fixture, gboolean overwrite)
{
  g_autoptr (ArmillaOutput) output = NULL;

  faults.unnamed = 0;
  output = written (fixture, overwrite);
  if (g_str_has_prefix (armilla_output_temporary (output), "/proc/"))
    return g_steal_pointer (&output);
  g_test_skip ("temporary files have names here");
  return NULL;
}

static void
test_unnamed (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = written_unnamed (fixture, FALSE);

  (void) name;
  if (output == NULL)
    return;
  faults.linkat = ENOSPC;
  assert_commit_fails (output, "free some space");
  faults.linkat = 0;
  g_assert_true (armilla_output_commit (output, NULL));
  assert_holds (fixture->file, "ours");
}

static void
test_unnamed_taken (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = written_unnamed (fixture, FALSE);

  (void) name;
  if (output == NULL)
    return;
  faults.appears = fixture->file;
  assert_commit_fails (output, "exists already");
  assert_holds (fixture->file, "theirs");
}

/* A second name is needed for a moment, and does not stay. */
static void
test_unnamed_over (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = NULL;

  (void) name;
  put (fixture->file, "theirs");
  output = written_unnamed (fixture, TRUE);
  if (output == NULL)
    return;
  faults.linkat = EEXIST;
  assert_commit_fails (output, "exists already");
  faults.linkat = 0;
  g_assert_true (armilla_output_commit (output, NULL));
  assert_holds (fixture->file, "ours");
}

static void
test_unnamed_rename (Fixture *fixture, gconstpointer name)
{
  g_autoptr (ArmillaOutput) output = NULL;

  (void) name;
  put (fixture->file, "theirs");
  output = written_unnamed (fixture, TRUE);
  if (output == NULL)
    return;
  faults.rename = EROFS;
  assert_commit_fails (output, "with write permission");
  assert_holds (fixture->file, "theirs");
}

/* How many files are there besides the final one. */
static int
count_others (const Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  g_autofree char *own = g_path_get_basename (fixture->file);
  const char *name;
  int n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += strcmp (name, own) != 0;
  return n;
}

/* A process that gets a signal when its file has its temporary name only. Returns it when it has
 * ended, or has stopped. */
static pid_t
leave_behind (const Fixture *fixture, int signal_number)
{
  pid_t child = fork ();
  int status;

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      ArmillaOutput *output = written (fixture, TRUE);

      faults.killed = signal_number;
      _exit (!armilla_output_commit (output, NULL));
    }
  g_assert_cmpint (waitpid (child, &status, WUNTRACED), ==, child);
  g_assert_cmpint (count_others (fixture), ==, 1);
  return child;
}

/* What a killed process left goes away with the next that writes the file, with and without
 * files that have no name. */
static void
test_killed (Fixture *fixture, gconstpointer name)
{
  (void) name;
  for (int unnamed = 0; unnamed < 2; unnamed++)
    {
      g_autoptr (ArmillaOutput) output = NULL;

      faults.unnamed = unnamed ? 0 : EOPNOTSUPP;
      leave_behind (fixture, SIGKILL);
      output = written (fixture, FALSE);
      g_assert_cmpint (count_others (fixture), ==, unnamed ? 0 : 1);
      g_assert_true (armilla_output_commit (output, NULL));
      assert_holds (fixture->file, "ours");
      g_assert_cmpint (count_others (fixture), ==, 0);
      g_assert_cmpint (g_unlink (fixture->file), ==, 0);
    }
}

/* That of a process that lives stays, and comes to its name. */
static void
test_alive (Fixture *fixture, gconstpointer name)
{
  (void) name;
  for (int unnamed = 0; unnamed < 2; unnamed++)
    {
      g_autoptr (ArmillaOutput) output = NULL;
      pid_t child;
      int status;

      faults.unnamed = unnamed ? 0 : EOPNOTSUPP;
      child = leave_behind (fixture, SIGSTOP);
      output = written (fixture, TRUE);
      g_assert_true (armilla_output_commit (output, NULL));
      g_assert_cmpint (count_others (fixture), ==, 1);
      g_assert_cmpint (kill (child, SIGCONT), ==, 0);
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
      g_assert_cmpint (count_others (fixture), ==, 0);
      assert_holds (fixture->file, "ours");
      g_assert_cmpint (g_unlink (fixture->file), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*function) (Fixture *, gconstpointer);
    const char *name;
  } tests[] = {
    { "/output-faults/new-name", test_new_name, "map.fits" },
    { "/output-faults/taken-name", test_taken_name, "map.fits" },
    { "/output-faults/flush", test_flush, "map.fits" },
    { "/output-faults/flush-compressed", test_flush, "map.fits.gz" },
    { "/output-faults/flush-folder-unknown", test_flush_folder_unknown, "map.fits" },
    { "/output-faults/rename", test_rename, "map.fits" },
    { "/output-faults/rename-over", test_rename_over, "map.fits" },
    { "/output-faults/vanished", test_vanished, "map.fits" },
    { "/output-faults/vanished-compressed", test_vanished, "map.fits.gz" },
    { "/output-faults/unnamed", test_unnamed, "map.fits" },
    { "/output-faults/unnamed-taken", test_unnamed_taken, "map.fits" },
    { "/output-faults/unnamed-over", test_unnamed_over, "map.fits" },
    { "/output-faults/unnamed-rename", test_unnamed_rename, "map.fits" },
    { "/output-faults/killed", test_killed, "map.fits" },
    { "/output-faults/alive", test_alive, "map.fits" },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, tests[i].name, set_up, tests[i].function, tear_down);
  return g_test_run ();
}
