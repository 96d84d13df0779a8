/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A file that will get a final name. If the file system supports O_TMPFILE, it has no name yet, so
 * that no file remains however the process ends, even after SIGKILL. A file with a temporary name
 * is locked while its process lives; the next process that writes the same file removes it. */
typedef struct {
  char *name;     /* path by which it can be opened; NULL: no file */
  int fd;         /* descriptor of the file, which holds its lock; -1: no file */
  gboolean named; /* whether it has a name in its folder */
} ArmillaTemporary;

#define ARMILLA_TEMPORARY_NONE { NULL, -1, FALSE }

/* Functions that return an int return 0 or an errno. */
int armilla_temporary_make (ArmillaTemporary *temporary, const char *folder, const char *path);
int armilla_temporary_name (ArmillaTemporary *temporary, const char *folder, const char *path,
                            gboolean replace);
int armilla_temporary_show (ArmillaTemporary *temporary, const char *folder, const char *path);
char *armilla_temporary_elsewhere (const ArmillaTemporary *temporary);
void armilla_temporary_remove (ArmillaTemporary *temporary);
