/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/fuzz/cases.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNPRIVILEGED 65534
/* Of what is printed, so much of its end is told of a case that fails. */
#define TOLD 4000

/* What both processes see. */
typedef struct {
  volatile guint64 number; /* case that is tried */
  volatile gint64 since;   /* since when, microseconds */
  guint64 counts[FUZZ_COUNTS];
  gboolean begun;
} Shared;

static Shared *shared;
static int out = -1; /* what is printed goes there */
static int told = -1; /* FUZZ_TELL: and here */

/* Adds 1 to a count that all processes share. */
void
fuzz_add (int what)
{
  shared->counts[what]++;
}

guint64
fuzz_count (int what)
{
  return shared->counts[what];
}

guint32
fuzz_below (GRand *random, guint32 n)
{
  return n == 0 ? 0 : g_rand_int (random) % n;
}

static guint64
from_environment (const char *name, guint64 otherwise)
{
  const char *text = g_getenv (name);

  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : otherwise;
}

/* Removes a file or a folder with all that is in it. */
static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (g_remove (path) == 0)
    return;
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      remove_all (inner);
    }
  g_rmdir (path);
}

/* Empties the folder of the cases except for FUZZ_IN. Returns (transfer full) (nullable) the name
 * of a file that should not have been there. */
static char *
clear_room (const FuzzCases *cases, gboolean removes)
{
  g_autoptr (GDir) dir = g_dir_open (".", 0, NULL);
  g_autofree char *bad = NULL;
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      if (strcmp (name, FUZZ_IN) == 0)
        continue;
      if (bad == NULL && (cases->keeps == NULL || !cases->keeps (name)))
        bad = g_strdup (name);
      if (removes)
        remove_all (name);
    }
  return g_steal_pointer (&bad);
}

/* What was printed since the last time. */
static char *
read_output (gsize *length)
{
  struct stat status;
  char *text;

  if (fstat (out, &status) != 0)
    abort ();
  text = g_malloc0 ((gsize) status.st_size + 1);
  *length = (gsize) MAX (pread (out, text, (gsize) status.st_size, 0), 0);
  return text;
}

static char *
check_text (const char *text, gsize length)
{
  const char *end;

  if (!g_utf8_validate (text, (gssize) length, &end))
    return g_strdup_printf ("byte %d of the output is not UTF-8", (int) (end - text));
  for (const char *p = text; p < text + length; p = g_utf8_next_char (p))
    if (g_unichar_iscntrl (g_utf8_get_char (p)) && *p != '\n')
      return g_strdup_printf ("the output has control character %#x at byte %d",
                              g_utf8_get_char (p), (int) (p - text));
  if (strstr (text, "runtime error: ") != NULL || strstr (text, "Sanitizer") != NULL)
    return g_strdup ("a sanitizer has something to say");
  return NULL;
}

static char *
try_one (const FuzzCases *cases, guint64 number)
{
  const guint32 key[] = { 20261122, (guint32) number, (guint32) (number >> 32) };
  g_autoptr (GRand) random = g_rand_new_with_seed_array (key, G_N_ELEMENTS (key));
  g_autofree char *stray = NULL;
  g_autofree char *text = NULL;
  char *wrong;
  gsize length;

  g_free (clear_room (cases, TRUE));
  if (ftruncate (out, 0) != 0 || lseek (out, 0, SEEK_SET) != 0)
    return g_strdup (g_strerror (errno));
  shared->since = g_get_monotonic_time ();
  shared->number = number;
  wrong = cases->try_case (number, random);
  fflush (stdout);
  fflush (stderr);
  text = read_output (&length);
  if (wrong == NULL)
    wrong = check_text (text, length);
  if (g_getenv ("FUZZ_TELL") != NULL)
    dprintf (told, "%s", text);
  stray = clear_room (cases, FALSE);
  if (wrong == NULL && stray != NULL)
    wrong = g_strdup_printf ("the file \"%s\" is left over", stray);
  return wrong;
}

/* Mutated names must not reach the files of an administrator. */
static void
drop_rights (void)
{
  if (geteuid () != 0)
    return;
  if (setgid (UNPRIVILEGED) != 0 || setuid (UNPRIVILEGED) != 0)
    abort ();
  prctl (PR_SET_DUMPABLE, 1); /* or no leaks would be found */
}

/* Returns whether what is left without the rights can read the program: not below /root, which is
 * root's alone. */
static gboolean
can_read_without_rights (void)
{
  const char *source = g_getenv ("srcdir") != NULL ? g_getenv ("srcdir") : "..";
  g_autofree char *here = g_canonicalize_filename (".", NULL);
  g_autofree char *there = g_canonicalize_filename (source, NULL);
  pid_t pid;
  int status;

  fflush (NULL);
  pid = fork ();
  if (pid == 0)
    {
      drop_rights ();
      _exit (access (here, R_OK | X_OK) != 0 || access (there, R_OK | X_OK) != 0);
    }
  return waitpid (pid, &status, 0) == pid && status == 0;
}

/* Tries cases until one fails, and says of it what is wrong. */
static void
work (const FuzzCases *cases, guint64 first, guint64 n)
{
  told = dup (STDOUT_FILENO);
  dup2 (out, STDOUT_FILENO);
  dup2 (out, STDERR_FILENO);
  drop_rights ();
  if (cases->begin != NULL)
    cases->begin ();
  shared->begun = TRUE;
  for (guint64 number = first; number < first + n; number++)
    {
      g_autofree char *wrong = try_one (cases, number);

      if (wrong == NULL)
        continue;
      fprintf (stderr, "\n%s\n", wrong);
      fflush (NULL);
      _exit (EXIT_FAILURE);
    }
  shared->number = first + n;
  shared->since = g_get_monotonic_time ();
  if (cases->end != NULL)
    cases->end ();
}

/* Waits for a process. Returns what became of it, (transfer full), or %NULL if all is well. */
static char *
wait_for (const FuzzCases *cases, pid_t pid, guint64 last)
{
  int status;

  while (waitpid (pid, &status, WNOHANG) == 0)
    {
      g_usleep (20000);
      if (g_get_monotonic_time () - shared->since < cases->seconds * G_USEC_PER_SEC)
        continue;
      kill (pid, SIGKILL);
      waitpid (pid, &status, 0);
      return g_strdup_printf ("took more than %d seconds", cases->seconds);
    }
  if (WIFSIGNALED (status))
    return g_strdup_printf ("ended by signal %d", WTERMSIG (status));
  if (WEXITSTATUS (status) != 0)
    return g_strdup_printf ("exit status %d", WEXITSTATUS (status));
  return shared->number == last ? NULL : g_strdup ("ended the program");
}

/* Names a case that has failed, tells what was printed, and keeps its files. */
static void
tell (const FuzzCases *cases, const char *what)
{
  const char *folder = g_getenv ("FUZZ_SAVE");
  g_autofree char *text = NULL;
  gsize length;

  text = read_output (&length);
  printf ("# %s %" G_GUINT64_FORMAT ": %s\n", cases->name, shared->number, what);
  for (gsize i = length > TOLD ? length - TOLD : 0; i < length; i++)
    {
      if (i == 0 || text[i - 1] == '\n')
        fputs ("#   ", stdout);
      if (g_ascii_isprint (text[i]) || text[i] == '\n')
        putchar (text[i]);
      else
        printf ("\\x%02x", (guchar) text[i]);
    }
  fflush (stdout);
  if (folder != NULL)
    {
      g_autofree char *to = g_strdup_printf ("%s/%s-%" G_GUINT64_FORMAT, folder, cases->name,
                                             shared->number);
      const char *copy[] = { "cp", "-a", ".", to, NULL };

      g_spawn_sync (NULL, (char **) copy, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                    NULL);
    }
}

static guint64
run_batches (const FuzzCases *cases, guint64 first, guint64 n)
{
  guint64 last = first + n, failed = 0;

  while (first < last)
    {
      guint64 until = MIN (last, first + cases->batch);
      g_autofree char *what = NULL;
      pid_t pid;

      shared->begun = FALSE;
      shared->number = first;
      shared->since = g_get_monotonic_time ();
      fflush (NULL);
      pid = fork ();
      if (pid == 0)
        {
          work (cases, first, until - first);
          exit (EXIT_SUCCESS); /* leaks are looked for now */
        }
      what = wait_for (cases, pid, until);
      if (what != NULL)
        {
          failed++;
          tell (cases, what);
          if (!shared->begun)
            break; /* and none will */
        }
      first = MIN (shared->number + (what != NULL), last);
    }
  return failed;
}

/* In a process of its own: StarPU does not outlive a fork. */
static void
set_up (const FuzzCases *cases)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    {
      cases->set_up ();
      exit (EXIT_SUCCESS);
    }
  if (waitpid (pid, &status, 0) != pid || status != 0)
    abort ();
}

static void
make_room (const FuzzCases *cases, const char *room)
{
  g_autofree char *home = g_strconcat (room, "/../home", NULL);
  g_autofree char *plugins = g_canonicalize_filename ("plugins/.libs", NULL);
  g_autofree char *source
    = g_canonicalize_filename (g_getenv ("srcdir") != NULL ? g_getenv ("srcdir") : "..", NULL);

  if (g_mkdir (room, 0755) != 0 || g_mkdir (home, 0755) != 0 || g_chdir (room) != 0
      || g_mkdir (FUZZ_IN, 0755) != 0)
    abort ();
  if (geteuid () == 0 && (chown (room, UNPRIVILEGED, UNPRIVILEGED) != 0
                          || chown (home, UNPRIVILEGED, UNPRIVILEGED) != 0))
    abort ();
  g_setenv ("FUZZ_SOURCE", source, TRUE);
  if (g_getenv ("FUZZ_PLUGINS") == NULL)
    g_setenv ("FUZZ_PLUGINS", plugins, TRUE);
  g_setenv ("STARPU_HOME", home, TRUE);
  g_setenv ("STARPU_PERF_MODEL_DIR", home, TRUE);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_setenv ("XDG_CACHE_HOME", home, TRUE);
  g_setenv ("TMPDIR", home, TRUE);
  if (cases->set_up != NULL)
    set_up (cases);
  g_chmod (FUZZ_IN, 0555);
}

/* Tries all cases; prints TAP. Returns the exit status of the program. */
int
fuzz_run (const FuzzCases *cases)
{
  guint64 first = from_environment ("FUZZ_FIRST", 0);
  guint64 n = from_environment ("FUZZ_INPUTS", cases->n), failed;
  g_autofree char *top = NULL;
  g_autofree char *room = NULL;

  shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  out = memfd_create ("output", MFD_CLOEXEC);
  if (shared == MAP_FAILED || out < 0)
    abort ();
  if (!can_read_without_rights ())
    {
      puts ("1..0 # SKIP as root in a folder that other users cannot read; build elsewhere");
      return EXIT_SUCCESS;
    }
  top = g_dir_make_tmp ("armilla-fuzz-XXXXXX", NULL);
  room = g_build_filename (top, "room", NULL);
  g_chmod (top, 0755);
  puts ("1..1");
  fflush (stdout); /* children of fork () would print it again */
  make_room (cases, room);
  failed = run_batches (cases, first, n);
  printf ("%s 1 - %s: %" G_GUINT64_FORMAT " cases, %" G_GUINT64_FORMAT " failed\n",
          failed == 0 ? "ok" : "not ok", cases->name, n, failed);
  g_chmod (FUZZ_IN, 0755);
  if (g_chdir ("/") == 0)
    remove_all (top);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
