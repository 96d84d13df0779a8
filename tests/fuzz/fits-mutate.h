/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Files that are right, of every kind that is read, without checksums (which would catch nearly
 * every mutation before the code behind them sees it), and one with. */
GPtrArray *fits_seeds_new (void);

/* Damages a file in one way that its structure suggests. */
void fits_mutate (GByteArray *bytes, GRand *random);

/* gzip of the whole. */
GByteArray *fits_compress (const GByteArray *bytes);

G_END_DECLS
