/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/runtime/runtime.h"
#include "workflows/run/progress.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define USUAL_WIDTH 80

/* Returns a descriptor of the launcher's standard error, to which MPI launchers forward that of
 * ranks through a pipe. If the launcher is the parent process, /proc tells where its standard error
 * goes. */
static int
find_of_launcher (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/fd/2", (long) getppid ());
  int fd;

  if (armilla_runtime_launcher () == NULL)
    return -1;
  fd = open (path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0 && isatty (fd))
    return fd;
  if (fd >= 0)
    close (fd); /* it was not written to */
  return -1;
}

/* Returns a descriptor, to be closed, of the terminal that shows standard error; -1 if there is
 * none, or it cannot move its cursor. */
int
armilla_terminal_find (void)
{
  if (g_strcmp0 (g_getenv ("TERM"), "dumb") == 0)
    return -1;
  return isatty (STDERR_FILENO) ? dup (STDERR_FILENO) : find_of_launcher ();
}

/* Returns the characters per line. */
int
armilla_terminal_width (int terminal)
{
  struct winsize size;

  return ioctl (terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL_WIDTH;
}
