/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_NAME 255 /* of a file, in bytes, on every file system worth writing to */
#define TRIES 100

/* FOLDER/.NAME.RANDOM.tmp */
static char *
temporary_path (const char *folder, const char *path, const char *random)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *file = g_strdup_printf (
    ".%.*s.%s.tmp", LONGEST_NAME - (int) strlen ("..XXXXXX.tmp"), base, random);

  return g_build_filename (folder, file, NULL);
}

/* FALSE where this file system or this kernel cannot, or /proc is not there to give it a name. */
static gboolean
make_unnamed (ArmillaTemporary *temporary, const char *folder)
{
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  g_autofree char *name = g_strdup_printf ("/proc/self/fd/%d", fd);

  if (fd < 0)
    return FALSE;
  if (access (name, R_OK | W_OK) != 0)
    {
      close (fd); /* nothing was written */
      return FALSE;
    }
  *temporary = (ArmillaTemporary) { g_steal_pointer (&name), fd };
  return TRUE;
}

/**
 * armilla_temporary_make:
 * @temporary: (out): the file, empty
 * @folder: where it is to be
 * @path: the final name
 *
 * Returns: 0, or the number of the error
 */
int
armilla_temporary_make (ArmillaTemporary *temporary, const char *folder, const char *path)
{
  int fd;

  *temporary = (ArmillaTemporary) ARMILLA_TEMPORARY_NONE;
  if (make_unnamed (temporary, folder))
    return 0;
  temporary->name = temporary_path (folder, path, "XXXXXX");
  /* the umask takes away what the user does not want others to have */
  fd = g_mkstemp_full (temporary->name, O_RDWR | O_CLOEXEC, 0666);
  if (fd >= 0 && close (fd) == 0)
    return 0;

  int number = errno;
  if (fd >= 0)
    g_unlink (temporary->name);
  g_clear_pointer (&temporary->name, g_free);
  return number;
}

/* Renames unless the final name is taken. File systems that cannot do that in one step link and
 * unlink; those without links are asked first, and a file that appears in between is lost. */
static int
rename_to_new (const char *temporary, const char *path)
{
  struct stat status;

  if (renameat2 (AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return errno;
  if (link (temporary, path) == 0)
    return unlink (temporary) == 0 ? 0 : errno;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
    return errno;
  if (lstat (path, &status) == 0)
    return EEXIST;
  return rename (temporary, path) == 0 ? 0 : errno;
}

static int
link_unnamed (const char *unnamed, const char *path)
{
  return linkat (AT_FDCWD, unnamed, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

/* A name of its own for an unnamed file. */
static int
link_hidden (const char *unnamed, const char *folder, const char *path, char **name)
{
  for (int i = 0; i < TRIES; i++)
    {
      g_autofree char *random = g_strdup_printf ("%06x", g_random_int () & 0xffffff);
      g_autofree char *hidden = temporary_path (folder, path, random);
      int number = link_unnamed (unnamed, hidden);

      if (number == EEXIST)
        continue;
      if (number == 0)
        *name = g_steal_pointer (&hidden);
      return number;
    }
  return EEXIST;
}

/* A link replaces nothing, so the file gets a name of its own first and is renamed then. */
static int
link_over (const char *unnamed, const char *folder, const char *path)
{
  g_autofree char *name = NULL;
  int number = link_hidden (unnamed, folder, path, &name);

  if (number == 0 && rename (name, path) != 0)
    {
      number = errno;
      g_unlink (name);
    }
  return number;
}

/**
 * armilla_temporary_show:
 * @temporary: a file
 * @folder: where it is
 * @path: the final name
 *
 * Gives a file without a name a temporary one in the folder.
 *
 * Returns: 0, or the number of the error
 */
int
armilla_temporary_show (ArmillaTemporary *temporary, const char *folder, const char *path)
{
  char *name = NULL;
  int number;

  if (temporary->fd < 0)
    return 0;
  number = link_hidden (temporary->name, folder, path, &name);
  if (number != 0)
    return number;
  close (temporary->fd); /* nothing was written through it */
  g_free (temporary->name);
  *temporary = (ArmillaTemporary) { name, -1 };
  return 0;
}

/**
 * armilla_temporary_elsewhere:
 * @temporary: a file
 *
 * Returns: (transfer full): what opens it in other processes; where it has no name, in those on
 *   this machine, while this one keeps it
 */
char *
armilla_temporary_elsewhere (const ArmillaTemporary *temporary)
{
  if (temporary->fd < 0)
    return g_strdup (temporary->name);
  return g_strdup_printf ("/proc/%ld/fd/%d", (long) getpid (), temporary->fd);
}

/**
 * armilla_temporary_name:
 * @temporary: a complete file; there is none afterwards if this succeeds
 * @folder: where it is
 * @path: the final name
 * @replace: whether a file with that name is replaced
 *
 * Gives the file its final name, in one step.
 *
 * Returns: 0, or the number of the error; EEXIST when there is a file and @replace is FALSE
 */
int
armilla_temporary_name (ArmillaTemporary *temporary, const char *folder, const char *path,
                        gboolean replace)
{
  int number;

  if (temporary->fd >= 0 && replace)
    number = link_over (temporary->name, folder, path);
  else if (temporary->fd >= 0)
    number = link_unnamed (temporary->name, path);
  else if (replace)
    number = rename (temporary->name, path) == 0 ? 0 : errno;
  else
    number = rename_to_new (temporary->name, path);
  if (number != 0)
    return number;
  if (temporary->fd >= 0)
    close (temporary->fd); /* the file was flushed before */
  temporary->fd = -1;
  g_clear_pointer (&temporary->name, g_free);
  return 0;
}

/**
 * armilla_temporary_remove:
 * @temporary: a file, or none
 */
void
armilla_temporary_remove (ArmillaTemporary *temporary)
{
  if (temporary->fd >= 0)
    close (temporary->fd); /* and it is gone */
  else if (temporary->name != NULL)
    g_unlink (temporary->name);
  temporary->fd = -1;
  g_clear_pointer (&temporary->name, g_free);
}
