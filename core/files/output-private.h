/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals shared by output.c and output-share.c. */
#pragma once

#include <armilla/output.h>

#include "core/files/temporary.h"

G_BEGIN_DECLS

struct _ArmillaOutput {
  char *path; /* the final name */
  char *folder;
  ArmillaTemporary temporary; /* holds the data until the file has its final name */
  gboolean overwrite;
  gboolean packed, finished;
  gboolean passing; /* whether another process created the file, and writes to it after this one */
  gboolean joined; /* whether another process created the file and will rename it */
};

gboolean armilla_output_error (GError **error, const ArmillaOutput *output, const char *what,
                               int number);

G_END_DECLS
