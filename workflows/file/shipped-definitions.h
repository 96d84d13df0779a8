/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A file of definitions that the library holds, so that they are there wherever it is. */
typedef struct {
  const char *name; /* name of a file in workflows/; NULL: the end */
  const char *text; /* what is in it */
} ArmillaShipped;

extern const ArmillaShipped armilla_shipped[];

G_END_DECLS
