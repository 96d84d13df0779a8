/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A file on its way to a final name. Where the file system can, it has no name of its own yet
 * (O_TMPFILE): then nothing is left of it however the process ends, be it by SIGKILL. What has a
 * name is locked as long as its process lives; the next that writes the same file removes it. */
typedef struct {
  char *name;     /* what opens it; NULL: there is none */
  int fd;         /* keeps it, and its lock; -1: there is none */
  gboolean named; /* in its folder */
} ArmillaTemporary;

#define ARMILLA_TEMPORARY_NONE { NULL, -1, FALSE }

/* Those that give an int return 0 or an error number. */
int armilla_temporary_make (ArmillaTemporary *temporary, const char *folder, const char *path);
int armilla_temporary_name (ArmillaTemporary *temporary, const char *folder, const char *path,
                            gboolean replace);
int armilla_temporary_show (ArmillaTemporary *temporary, const char *folder, const char *path);
char *armilla_temporary_elsewhere (const ArmillaTemporary *temporary);
void armilla_temporary_remove (ArmillaTemporary *temporary);
