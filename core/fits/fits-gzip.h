/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A gzip file that is inflated only as far as a FITS header proves to be worth it. */
typedef struct _ArmillaGzipInput ArmillaGzipInput;

ArmillaGzipInput *armilla_gzip_input_new (const char *path, int fd, gint64 size, GError **error);
int armilla_gzip_input_fd (const ArmillaGzipInput *input);
gint64 armilla_gzip_input_inflate (ArmillaGzipInput *input, gint64 end, GError **error);
gint64 armilla_gzip_input_inflate_all (ArmillaGzipInput *input, gint64 limit, GError **error);
gint64 armilla_gzip_input_finish (ArmillaGzipInput *input, gint64 end, GError **error);
void armilla_gzip_input_free (ArmillaGzipInput *input);

G_END_DECLS
