/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peak FILE COMMAND...: runs a command and appends its largest resident size, in KiB, to a file.
 * Its exit status is the command's; of one that a signal ended, 128 and the signal's number. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (int argc, char *argv[])
{
  struct rusage usage;
  int status;
  FILE *file;
  pid_t child;

  if (argc < 3)
    {
      fputs ("usage: peak FILE COMMAND...\n", stderr);
      return 2;
    }
  child = fork ();
  if (child == 0)
    {
      execvp (argv[2], argv + 2);
      fprintf (stderr, "%s: %s\n", argv[2], strerror (errno));
      _exit (127);
    }
  while (child < 0 || wait4 (child, &status, 0, &usage) < 0)
    if (child < 0 || errno != EINTR)
      {
        perror ("peak");
        return 126;
      }
  file = fopen (argv[1], "a");
  if (!file || fprintf (file, "%ld\n", usage.ru_maxrss) < 0 || fclose (file) != 0)
    {
      perror (argv[1]);
      return 126;
    }
  return WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
}
