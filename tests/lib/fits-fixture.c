/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/files/output.h"
#include "tests/lib/fits-fixture.h"

#include <fitsio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

void
fixture_setup (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("armilla-fits-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->random = g_rand_new_with_seed (20260921);
}

/* Whatever a test has made must be gone or be a plain file of its own: nothing may lie about. */
void
fixture_teardown (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_rand_free (fixture->random);
}

char *
fixture_path (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->folder, name, NULL);
}

/* Returns whether a file of healpy-data is there; the test is skipped otherwise. */
gboolean
fixture_healpy (const char *name, char **path)
{
  *path = g_build_filename (HEALPY_DATA, name, NULL);
  if (g_file_test (*path, G_FILE_TEST_EXISTS))
    return TRUE;
  g_test_skip ("needs " HEALPY_DATA " (package healpy-data)");
  g_clear_pointer (path, g_free);
  return FALSE;
}

void
fixture_load (const char *path, guint8 **bytes, gsize *n)
{
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, (char **) bytes, n, &error);
  g_assert_no_error (error);
}

void
fixture_store (const char *path, const void *bytes, gsize n)
{
  g_autoptr (GError) error = NULL;

  /* Without the fsync of g_file_set_contents (), and without its cutting off what is longer. */
  g_remove (path);
  g_file_set_contents_full (path, bytes, n, G_FILE_SET_CONTENTS_NONE, 0666, &error);
  g_assert_no_error (error);
}

void
fixture_gzip (const char *path, const void *bytes, gsize n)
{
  gzFile file = gzopen (path, "wb");

  g_assert_nonnull (file);
  g_assert_cmpint (gzwrite (file, bytes, n), ==, n);
  g_assert_cmpint (gzclose (file), ==, Z_OK);
}

void
fixture_set_card (const char *path, const char *keyword, const char *value)
{
  g_autofree guint8 *bytes = NULL;
  g_autofree char *start = g_strdup_printf ("%-8s=", keyword);
  g_autofree char *padded = g_strdup_printf ("%-70s", value);
  gsize n;

  fixture_load (path, &bytes, &n);
  for (gsize i = 0; i < n; i += 80)
    if (memcmp (bytes + i, start, strlen (start)) == 0)
      {
        memcpy (bytes + i + 10, padded, strlen (padded));
        fixture_store (path, bytes, n);
        return;
      }
  g_error ("%s has no %s", path, keyword);
}

void
fixture_commit (ArmillaOutput *output)
{
  g_autoptr (GError) error = NULL;

  armilla_output_finish (output, &error);
  g_assert_no_error (error);
  armilla_output_commit (output, &error);
  g_assert_no_error (error);
}

void
fixture_verify (const char *path)
{
  fitsfile *fits;
  int status = 0, n;

  fits_open_diskfile (&fits, path, READONLY, &status);
  fits_get_num_hdus (fits, &n, &status);
  g_assert_cmpint (status, ==, 0);
  for (int i = 1; i <= n; i++)
    {
      int type, data = 0, whole = 0;

      fits_movabs_hdu (fits, i, &type, &status);
      fits_verify_chksum (fits, &data, &whole, &status);
      g_assert_cmpint (status, ==, 0);
      g_assert_cmpint (data, ==, 1);
      g_assert_cmpint (whole, ==, 1);
    }
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
}

double
fixture_value (Fixture *fixture)
{
  return (float) g_rand_double_range (fixture->random, -1, 1);
}

/* The file must be refused, in words that match, with its name in front; -1 is any code. */
void
fixture_refuse (const char *path, int code, const char *pattern)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaMapReader) reader = armilla_map_reader_open (path, 0, &error);

  g_assert_null (reader);
  if (code >= 0)
    g_assert_error (error, ARMILLA_ERROR, code);
  g_assert_cmpuint (error->domain, ==, ARMILLA_ERROR);
  g_assert_true (g_str_has_prefix (error->message, path));
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("%s does not match %s", error->message, pattern);
}

double
fixture_sum (const double *values, gint64 n)
{
  double sum = 0, low = 0;

  for (gint64 i = 0; i < n; i++)
    {
      double x = values[i], total = sum + x;

      if (armilla_is_unseen (x))
        continue;
      low += fabs (sum) >= fabs (x) ? (sum - total) + x : (x - total) + sum;
      sum = total;
    }
  return sum + low;
}

ArmillaMapWriter *
fixture_begin_map (ArmillaOutput *output, gint64 nside, int n_fields, gboolean single)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (nside, &error);
  ArmillaMapHeader header = { .grid = grid, .single = single, .fields.n = n_fields };
  ArmillaMapWriter *writer;

  g_assert_no_error (error);
  writer = armilla_map_writer_open (output, &header, &error);
  g_assert_no_error (error);
  return writer;
}

/* A right file: nside 16, one field of 0, 1, 2 .. */
char *
fixture_map (Fixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;
  char *path = fixture_path (fixture, name);
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  g_autoptr (ArmillaMapWriter) writer = fixture_begin_map (output, 16, 1, FALSE);
  double pixels[3072];

  for (int i = 0; i < 3072; i++)
    pixels[i] = i;
  armilla_map_writer_write (writer, 0, 0, 3072, pixels, &error);
  g_assert_no_error (error);
  armilla_map_writer_close (writer, &error);
  g_assert_no_error (error);
  fixture_commit (output);
  return path;
}
