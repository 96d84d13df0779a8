/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/fits/fits.h"

G_BEGIN_DECLS

#define HEALPY_DATA "/usr/share/healpy"

/* A folder of its own for each test, removed with all its files at the end. */
typedef struct {
  char *folder;
  GRand *random;
} Fixture;

void fixture_setup (Fixture *fixture, gconstpointer data);
void fixture_teardown (Fixture *fixture, gconstpointer data);

char *fixture_path (Fixture *fixture, const char *name);
gboolean fixture_healpy (const char *name, char **path);
void fixture_load (const char *path, guint8 **bytes, gsize *n);
void fixture_store (const char *path, const void *bytes, gsize n);
void fixture_gzip (const char *path, const void *bytes, gsize n);

/* A writer of a HEALPix map with nothing out of the ordinary. */
ArmillaMapWriter *fixture_begin_map (ArmillaOutput *output, gint64 nside, int n_fields,
                                     gboolean single);

/* A right file: nside 16, one field of 0, 1, 2 .. Returns its path. */
char *fixture_map (Fixture *fixture, const char *name);

/* Finds "KEYWORD = " in a FITS file and puts `value` at column 11; the length stays. */
void fixture_set_card (const char *path, const char *keyword, const char *value);

/* Finishes and commits an output. */
void fixture_commit (ArmillaOutput *output);

/* CFITSIO as an independent judge: DATASUM and CHECKSUM of all HDUs are there and right. */
void fixture_verify (const char *path);

void fixture_refuse (const char *path, int code, const char *pattern);

#define FIXTURE_ADD(NAME, DATA, FUNCTION) \
  g_test_add (NAME, Fixture, DATA, fixture_setup, FUNCTION, fixture_teardown)

/* Compensated sum (Neumaier): |error| <= 2^-53 |sum| + n^2 2^-106 sum |x|, which for the n <= 2^15
 * numbers here is 2^-76 of the sum of their absolute values. UNSEEN is left out. */
double fixture_sum (const double *values, gint64 n);
#define FIXTURE_SUM_ERROR(sum, absolute) (fabs (sum) * 0x1p-53 + (absolute) * 0x1p-76)

/* A number of float32's precision, so that every column type can hold it. */
double fixture_value (Fixture *fixture);

G_END_DECLS
