/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A FITS file as bytes: opened by its literal name, gzip undone into an unlinked temporary file.
 * Reading is by position, hence safe from several threads once everything needed is there. */
typedef struct _ArmillaFitsSource ArmillaFitsSource;

ArmillaFitsSource *armilla_fits_source_open (const char *path, GError **error);
const char *armilla_fits_source_path (const ArmillaFitsSource *source);
int armilla_fits_source_fd (const ArmillaFitsSource *source);
gint64 armilla_fits_source_need (ArmillaFitsSource *source, gint64 end, GError **error);
gboolean armilla_fits_source_is_fits (ArmillaFitsSource *source, gboolean *is_fits, GError **error);
gint64 armilla_fits_source_need_all (ArmillaFitsSource *source, gint64 limit, GError **error);
gboolean armilla_fits_source_finish (ArmillaFitsSource *source, gint64 end, GError **error);
gboolean armilla_fits_source_read (const ArmillaFitsSource *source, gint64 offset, gint64 n,
                                   void *buffer, GError **error);
void armilla_fits_source_free (ArmillaFitsSource *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaFitsSource, armilla_fits_source_free)

G_END_DECLS
