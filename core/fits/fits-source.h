/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A FITS file as bytes: opened by its literal name; gzip is inflated into an unlinked temporary
 * file. Reading is by position, so it is thread-safe once all bytes needed are available. */
typedef struct _ArmillaFitsSource ArmillaFitsSource;

ArmillaFitsSource *armilla_fits_source_open (const char *path, GError **error);
const char *armilla_fits_source_path (const ArmillaFitsSource *source);
gint64 armilla_fits_source_need (ArmillaFitsSource *source, gint64 end, GError **error);
gboolean armilla_fits_source_is_fits (ArmillaFitsSource *source, gboolean *is_fits, GError **error);
gint64 armilla_fits_source_need_all (ArmillaFitsSource *source, gint64 limit, GError **error);
gboolean armilla_fits_source_finish (ArmillaFitsSource *source, gint64 end, GError **error);
gboolean armilla_fits_source_read (const ArmillaFitsSource *source, gint64 offset, gint64 n,
                                   void *buffer, GError **error);
void armilla_fits_source_free (ArmillaFitsSource *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaFitsSource, armilla_fits_source_free)

/* In fits-gzip.c: */
/* A gzip file that is decompressed only as far as its FITS headers require. */
typedef struct _ArmillaGzipInput ArmillaGzipInput;

ArmillaGzipInput *armilla_gzip_input_new (const char *path, int fd, gint64 size, GError **error);
int armilla_gzip_input_fd (const ArmillaGzipInput *input);
gint64 armilla_gzip_input_inflate (ArmillaGzipInput *input, gint64 end, GError **error);
gint64 armilla_gzip_input_inflate_all (ArmillaGzipInput *input, gint64 limit, GError **error);
gint64 armilla_gzip_input_finish (ArmillaGzipInput *input, gint64 end, GError **error);
void armilla_gzip_input_free (ArmillaGzipInput *input);

/* In fits-sum.c: */
guint32 armilla_fits_sum (guint32 sum, const guint8 *bytes, gsize n);
guint32 armilla_fits_sum_at (gint64 offset, const guint8 *bytes, gsize n);
void armilla_fits_sum_add (guint32 *sum, guint32 more);

G_END_DECLS
