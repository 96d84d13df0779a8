/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of collected realisations ("lots"), for their readers. */
#pragma once

#include <armilla/checkpoint.h>

G_BEGIN_DECLS

typedef struct {
  ArmillaCheckpoint **files; /* the files, in the order of the realisations */
  gint64 n;                  /* number of files */
} ArmillaLotFiles;

gboolean armilla_lot_files_open (ArmillaLotFiles *self, const ArmillaCollected *from,
                                 GError **error);
void armilla_lot_files_close (ArmillaLotFiles *self);
gint64 armilla_collected_find_lot (const ArmillaCollected *self, gint64 *sample);
const char *armilla_collected_path (const ArmillaCollected *self, gint64 lot);
gint64 armilla_collected_lot_size (const ArmillaCollected *self, gint64 lot);

G_END_DECLS
