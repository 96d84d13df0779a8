/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A disk to which StarPU may move tiles: one unnamed file in a folder. */
#pragma once

#include <armilla/error.h>


G_BEGIN_DECLS

typedef struct _ArmillaSpill ArmillaSpill;

/* Called with the first error, in any thread. */
typedef void (*ArmillaSpillFailed) (gpointer user, const GError *error);

typedef struct {
  gint64 max_bytes; /* maximum bytes of tiles on the disk at any time */
  gint64 written; /* bytes written so far */
  gint64 read;    /* bytes read so far */
} ArmillaSpillUse;

ArmillaSpill *armilla_spill_new (const char *folder, GError **error);
int armilla_spill_register (ArmillaSpill *self, ArmillaSpillFailed failed, gpointer user,
                            GError **error);
void armilla_spill_skip (ArmillaSpill *self, gboolean skip);
ArmillaSpillUse armilla_spill_use (ArmillaSpill *self);
char *armilla_spill_warning (ArmillaSpill *self);
void armilla_spill_free (ArmillaSpill *self);

G_END_DECLS
