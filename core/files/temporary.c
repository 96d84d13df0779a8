/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/files/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/regular-file.h"

#define MAX_NAME 255 /* bytes of a file name that all common file systems support */
#define TRIES 100

/* Returns FOLDER/.NAME.NUMBER.tmp: predictable, so that files left by killed processes are
 * found. */
static char *
temporary_path (const char *folder, const char *path, int number)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *file = g_strdup_printf (
    ".%.*s.%06d.tmp", MAX_NAME - (int) strlen ("..XXXXXX.tmp"), base, number);

  return g_build_filename (folder, file, NULL);
}

/* Returns whether @fd is the file that currently has this name. */
static gboolean
is_called (int fd, const char *name)
{
  struct stat by_name, by_fd;

  return lstat (name, &by_name) == 0 && fstat (fd, &by_fd) == 0
         && by_name.st_ino == by_fd.st_ino && by_name.st_dev == by_fd.st_dev;
}

/* Removes a temporary file whose process has ended. Returns whether the name is free now. On file
 * systems without locks this is unknown, and the file is kept. */
static gboolean
remove_stale (const char *name)
{
  int fd = armilla_regular_open (name, O_RDWR | O_NOFOLLOW, NULL);
  gboolean removed;

  if (fd < 0)
    return errno == ENOENT;
  removed = flock (fd, LOCK_EX | LOCK_NB) == 0 && is_called (fd, name) && unlink (name) == 0;
  close (fd); /* nothing was written */
  return removed;
}

/* Makes a file without a name. Returns FALSE if the file system or kernel cannot, or if /proc,
 * through which the file is named later, is missing. */
static gboolean
make_unnamed (ArmillaTemporary *temporary, const char *folder, const char *path)
{
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  g_autofree char *name = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autofree char *left = temporary_path (folder, path, 0);

  if (fd < 0)
    return FALSE;
  if (access (name, R_OK | W_OK) != 0)
    {
      close (fd); /* nothing was written */
      return FALSE;
    }
  remove_stale (left);
  (void) flock (fd, LOCK_EX | LOCK_NB); /* protects the file once it has a name: remove_stale () */
  *temporary = (ArmillaTemporary) { g_steal_pointer (&name), fd, FALSE };
  return TRUE;
}

/* Makes a file with a temporary name. The umask removes permissions as the user wishes. */
static int
make_named (ArmillaTemporary *temporary, const char *folder, const char *path)
{
  for (int i = 0; i < TRIES; i++)
    {
      g_autofree char *name = temporary_path (folder, path, i);
      int fd = open (name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
      int number = fd < 0 ? errno : 0;

      if (number == EEXIST && remove_stale (name))
        {
          fd = open (name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
          number = fd < 0 ? errno : 0;
        }
      if (number == EEXIST)
        continue;
      if (number != 0)
        return number;
      (void) flock (fd, LOCK_EX | LOCK_NB);
      /* before the lock, another process may have removed the file as left over */
      if (is_called (fd, name))
        {
          *temporary = (ArmillaTemporary) { g_steal_pointer (&name), fd, TRUE };
          return 0;
        }
      close (fd);
    }
  return EEXIST;
}

/* Makes an empty temporary file in folder, after removing those that killed processes left for the
 * same final name. Returns 0 or an errno. */
int
armilla_temporary_make (ArmillaTemporary *temporary, const char *folder, const char *path)
{
  *temporary = (ArmillaTemporary) ARMILLA_TEMPORARY_NONE;
  return make_unnamed (temporary, folder, path) ? 0 : make_named (temporary, folder, path);
}

/* Renames unless the final name exists. On file systems that cannot do that atomically, it links
 * and unlinks; without links it checks first, and a file that appears in between is overwritten. */
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

/* Links an unnamed file to the first free temporary name, which is returned in @name. */
static int
link_hidden (const char *unnamed, const char *folder, const char *path, char **name)
{
  for (int i = 0; i < TRIES; i++)
    {
      g_autofree char *hidden = temporary_path (folder, path, i);
      int number = link_unnamed (unnamed, hidden);

      if (number == EEXIST && remove_stale (hidden))
        number = link_unnamed (unnamed, hidden);
      if (number == EEXIST)
        continue;
      if (number == 0)
        *name = g_steal_pointer (&hidden);
      return number;
    }
  return EEXIST;
}

/* Gives an unnamed file its final name, which another file may have: link() cannot replace that, so
 * the file gets a temporary name first and is then renamed. */
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

/* Gives an unnamed file a temporary name in the folder. Returns 0 or an errno. */
int
armilla_temporary_show (ArmillaTemporary *temporary, const char *folder, const char *path)
{
  char *name = NULL;
  int number;

  if (temporary->named)
    return 0;
  number = link_hidden (temporary->name, folder, path, &name);
  if (number != 0)
    return number;
  g_free (temporary->name);
  temporary->name = name;
  temporary->named = TRUE;
  return 0;
}

/* Returns a path by which other processes can open the file; if it has no name, only processes of
 * this machine while this one keeps it open. */
char *
armilla_temporary_elsewhere (const ArmillaTemporary *temporary)
{
  if (temporary->named)
    return g_strdup (temporary->name);
  return g_strdup_printf ("/proc/%ld/fd/%d", (long) getpid (), temporary->fd);
}

/* Renames the complete file to its final name atomically. Returns 0 or an errno: EEXIST if the file
 * exists and replace is FALSE. */
int
armilla_temporary_name (ArmillaTemporary *temporary, const char *folder, const char *path,
                        gboolean replace)
{
  int number;

  if (!temporary->named && replace)
    number = link_over (temporary->name, folder, path);
  else if (!temporary->named)
    number = link_unnamed (temporary->name, path);
  else if (replace)
    number = rename (temporary->name, path) == 0 ? 0 : errno;
  else
    number = rename_to_new (temporary->name, path);
  if (number != 0)
    return number;
  close (temporary->fd); /* the file was flushed before */
  temporary->fd = -1;
  g_clear_pointer (&temporary->name, g_free);
  return 0;
}

void
armilla_temporary_remove (ArmillaTemporary *temporary)
{
  if (temporary->name != NULL && temporary->named)
    g_unlink (temporary->name);
  if (temporary->fd >= 0)
    close (temporary->fd); /* an unnamed file is then deleted */
  temporary->fd = -1;
  g_clear_pointer (&temporary->name, g_free);
}
