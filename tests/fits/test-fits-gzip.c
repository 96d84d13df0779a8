/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/catalogue.h"
#include "core/spectra/cl-table.h"
#include "tests/lib/fits-fixture.h"

#include <string.h>
#include <sys/stat.h>

/* gzip: cut, changed in its data, in its sum, and a bomb. */
static void
test_gzip (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_map (fixture, "map.fits.gz");
  g_autofree guint8 *bytes = NULL;
  gsize n;

  fixture_load (path, &bytes, &n);
  for (gsize cut = 1; cut < n - 2; cut += 101)
    {
      fixture_store (path, bytes, n - cut);
      fixture_refuse (path, ARMILLA_ERROR_IO, "*damaged gzip data (the file is truncated)*");
    }
  bytes[n - 6] ^= 1;            /* the CRC is in bytes n - 8 to n - 5 */
  fixture_store (path, bytes, n);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*damaged gzip data (incorrect data check)*");
  bytes[n - 6] ^= 1;
  for (gsize at = n / 8; at < n - 8; at += n / 8)
    {
      bytes[at] ^= 0x10;
      fixture_store (path, bytes, n);
      fixture_refuse (path, ARMILLA_ERROR_IO, "*damaged gzip data*");
      bytes[at] ^= 0x10;
    }
}

/* 64 MiB of zeros behind a right file, or instead of one, are not inflated to their end. */
static void
test_bomb (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *right = fixture_map (fixture, "map.fits");
  g_autofree char *path = fixture_path (fixture, "bomb.fits");
  g_autofree guint8 *zeros = g_malloc0 (64 << 20);
  g_autofree guint8 *bytes = NULL;
  struct stat info;
  gsize n;

  fixture_gzip (path, zeros, 64 << 20);
  g_assert_cmpint (stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_size, <, 100000);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*not text*");
  fixture_load (right, &bytes, &n);
  memcpy (zeros, bytes, n);
  fixture_gzip (path, zeros, 64 << 20);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*far more data than its header declares*");
  /* A header that promises more than deflate can hold in so few bytes. */
  fixture_set_card (right, "NAXIS2", "1000000000");
  g_clear_pointer (&bytes, g_free);
  fixture_load (right, &bytes, &n);
  fixture_gzip (path, bytes, n);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*header declares more data than the file can contain*");
}

/* Two compressed files in a row are one, as gzip has it. */
static void
test_gzip_members (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *right = fixture_map (fixture, "map.fits");
  g_autofree char *one = fixture_path (fixture, "one"), *two = fixture_path (fixture, "two");
  g_autofree guint8 *bytes = NULL, *first = NULL, *second = NULL;
  g_autoptr (GByteArray) both = g_byte_array_new ();
  g_autoptr (ArmillaMapReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  double pixel;
  gsize n;

  fixture_load (right, &bytes, &n);
  fixture_gzip (one, bytes, 10000);
  fixture_gzip (two, bytes + 10000, n - 10000);
  fixture_load (one, &first, &n);
  g_byte_array_append (both, first, n);
  fixture_load (two, &second, &n);
  g_byte_array_append (both, second, n);
  fixture_store (one, both->data, both->len);
  reader = armilla_map_reader_open (one, 0, &error);
  g_assert_no_error (error);
  armilla_map_reader_read (reader, 0, 3071, 1, &pixel, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (pixel, ==, 3071);
}

/* Text has no header that says how long it is: few lines, and many that shrink to a thousandth. */
static void
test_text (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "text.gz");
  const ArmillaCatalogueColumns columns
    = { .column = { "0", "1" }, .unit = { "deg", "deg" }, .coordsys = 'C' };
  static const int rows[] = { 2, 100000 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (ArmillaCatalogueReader) reader = NULL;
      GError *error = NULL;

      for (int row = 0; row < rows[i]; row++)
        g_string_append (text, "10 20\n");
      fixture_gzip (path, text->str, text->len);
      reader = armilla_catalogue_reader_open (path, -1, &columns, &error);
      g_assert_no_error (error);
      g_assert_cmpint (armilla_catalogue_reader_count (reader), ==, rows[i]);
    }
  {
    g_autoptr (ArmillaClTable) spectra = NULL;
    GError *error = NULL;

    fixture_gzip (path, "0 1\n1 2\n2 3\n", 12);
    spectra = armilla_cl_read (path, &error);
    g_assert_no_error (error);
    g_assert_cmpint (spectra->lmax, ==, 2);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  FIXTURE_ADD ("/fits-gzip/damaged", NULL, test_gzip);
  FIXTURE_ADD ("/fits-gzip/bomb", NULL, test_bomb);
  FIXTURE_ADD ("/fits-gzip/members", NULL, test_gzip_members);
  FIXTURE_ADD ("/fits-gzip/text", NULL, test_text);
  return g_test_run ();
}
