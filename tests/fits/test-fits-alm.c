/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/lib/fits-fixture.h"

#include <fitsio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

typedef struct {
  gint64 lmax, mmax;
  int n_fields;
  gboolean single;
  int spins[3];
} Variant;

static void
write_alm (Fixture *fixture, const char *path, const Variant *variant, double **values)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  g_autoptr (ArmillaAlmWriter) writer = NULL;
  ArmillaAlmLayout layout = { variant->lmax, variant->mmax };
  gint64 n = armilla_alm_count (layout), cut = g_rand_int_range (fixture->random, 0, n + 1);
  char *history[] = { (char *) "made by a test", NULL };

  writer = armilla_alm_writer_open (output, layout, variant->n_fields, variant->spins,
                                    NULL, NULL, variant->single, history, &error);
  g_assert_no_error (error);
  for (int i = variant->n_fields - 1; i >= 0; i--)
    {
      armilla_alm_writer_write (writer, i, cut, n - cut, values[i] + 2 * cut, &error);
      g_assert_no_error (error);
      armilla_alm_writer_write (writer, i, 0, cut, values[i], &error);
      g_assert_no_error (error);
    }
  armilla_alm_writer_close (writer, &error);
  g_assert_no_error (error);
  fixture_commit (output);
}

static ArmillaAlmReader *
open_alm (const char *path)
{
  g_autoptr (GError) error = NULL;
  ArmillaAlmReader *reader = armilla_alm_reader_open (path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (reader);
  return reader;
}

typedef struct {
  ArmillaAlmLayout layout;
  double *values;
} Target;

static void
store (gpointer user, gint64 n, const gint64 *l, const gint64 *m, const double *values)
{
  Target *target = user;

  for (gint64 i = 0; i < n; i++)
    {
      gint64 k = armilla_alm_index (target->layout.lmax, l[i], m[i]);

      g_assert_true (l[i] <= target->layout.lmax && m[i] >= 0 && m[i] <= l[i]
                     && m[i] <= target->layout.mmax);
      target->values[2 * k] = values[2 * i];
      target->values[2 * k + 1] = values[2 * i + 1];
    }
}

static double *
read_alm (ArmillaAlmReader *reader, int field)
{
  g_autoptr (GError) error = NULL;
  Target target = { .layout = armilla_alm_reader_header (reader)->layout };

  target.values = g_new0 (double, 2 * armilla_alm_count (target.layout));
  armilla_alm_reader_visit (reader, field, store, &target, &error);
  g_assert_no_error (error);
  return target.values;
}

static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  const Variant *variant = data;
  ArmillaAlmLayout layout = { variant->lmax, variant->mmax };
  g_autofree char *path = fixture_path (fixture, "alm.fits");
  g_autoptr (ArmillaAlmReader) reader = NULL;
  gint64 n = armilla_alm_count (layout);
  double *values[3];

  for (int i = 0; i < variant->n_fields; i++)
    {
      values[i] = g_new (double, 2 * n);
      for (gint64 k = 0; k < 2 * n; k++)
        values[i][k] = variant->single ? fixture_value (fixture) : g_rand_double (fixture->random);
    }
  write_alm (fixture, path, variant, values);
  fixture_verify (path);
  reader = open_alm (path);
  g_assert_cmpint (armilla_alm_reader_header (reader)->n_fields, ==, variant->n_fields);
  g_assert_cmpint (armilla_alm_reader_header (reader)->layout.lmax, ==, variant->lmax);
  g_assert_cmpint (armilla_alm_reader_header (reader)->layout.mmax, ==, variant->mmax);
  for (int i = 0; i < variant->n_fields; i++)
    {
      g_autofree double *back = read_alm (reader, i);

      g_assert_cmpint (armilla_alm_reader_header (reader)->fields[i].spin, ==, variant->spins[i]);
      g_assert_cmpmem (back, 2 * n * sizeof *back, values[i], 2 * n * sizeof *back);
      g_free (values[i]);
    }
}

/* CFITSIO finds the columns that healpy.write_alm makes: index, real, imag, by m, then l. */
static void
test_file (Fixture *fixture, gconstpointer data)
{
  const Variant *variant = data;
  ArmillaAlmLayout layout = { variant->lmax, variant->mmax };
  gint64 n = armilla_alm_count (layout), k = 0;
  g_autofree char *path = fixture_path (fixture, "alm.fits");
  g_autofree double *values = g_new (double, 2 * n);
  g_autofree LONGLONG *index = g_new (LONGLONG, n);
  g_autofree double *real = g_new (double, n);
  char name[FLEN_VALUE];
  fitsfile *fits;
  int status = 0, any;

  for (gint64 i = 0; i < 2 * n; i++)
    values[i] = g_rand_double (fixture->random);
  write_alm (fixture, path, variant, &values);
  fits_open_diskfile (&fits, path, READONLY, &status);
  fits_movabs_hdu (fits, 2, NULL, &status);
  fits_read_key (fits, TSTRING, "TUNIT1", name, NULL, &status);
  g_assert_cmpstr (name, ==, "l*l+l+m+1");
  fits_read_key (fits, TSTRING, "TTYPE3", name, NULL, &status);
  g_assert_cmpstr (name, ==, "imag");
  fits_read_key (fits, TSTRING, "TFORM1", name, NULL, &status);
  g_assert_cmpstr (name, ==, variant->lmax >= 46340 ? "K" : "J");
  fits_read_col (fits, TLONGLONG, 1, 1, 1, n, NULL, index, &any, &status);
  fits_read_col (fits, TDOUBLE, 2, 1, 1, n, NULL, real, &any, &status);
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
  for (gint64 m = 0; m <= variant->mmax; m++)
    for (gint64 l = m; l <= variant->lmax; l++, k++)
      {
        g_assert_cmpint (index[k], ==, l * l + l + m + 1);
        g_assert_cmpfloat (real[k], ==, values[2 * k]);
      }
}

/* A table of a_lm made by CFITSIO: rows in any order. */
static void
make_alm (const char *path, const char *type, int n, const LONGLONG *index, const double *real,
          gboolean append)
{
  char *ttype[] = { (char *) "index", (char *) "real", (char *) "imag", (char *) "error" };
  char *tform[] = { (char *) type, (char *) "D", (char *) "E", (char *) "E" };
  fitsfile *fits;
  int status = 0;

  if (append)
    fits_open_diskfile (&fits, path, READWRITE, &status);
  else
    fits_create_diskfile (&fits, path, &status);
  fits_create_tbl (fits, BINARY_TBL, n, 4, ttype, tform, NULL, NULL, &status);
  fits_write_col (fits, TLONGLONG, 1, 1, 1, n, (void *) index, &status);
  fits_write_col (fits, TDOUBLE, 2, 1, 1, n, (void *) real, &status);
  fits_write_col (fits, TDOUBLE, 3, 1, 1, n, (void *) real, &status);
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
}

/* (5, 2), (0, 0), (3, 3): neither order, most rows missing; the second field has less. */
static void
test_any_order (Fixture *fixture, gconstpointer data)
{
  const LONGLONG index[] = { 33, 1, 16 };
  const double real[] = { 0.5, 2, -3 };
  g_autofree char *path = fixture_path (fixture, "alm.fits");
  g_autoptr (ArmillaAlmReader) reader = NULL;
  g_autofree double *first = NULL, *second = NULL;
  double sum = 0;

  make_alm (path, data, 3, index, real, FALSE);
  make_alm (path, data, 2, index + 1, real + 1, TRUE);
  reader = open_alm (path);
  g_assert_cmpint (armilla_alm_reader_header (reader)->n_fields, ==, 2);
  g_assert_cmpint (armilla_alm_reader_header (reader)->layout.lmax, ==, 5);
  g_assert_cmpint (armilla_alm_reader_header (reader)->layout.mmax, ==, 3);
  first = read_alm (reader, 0);
  second = read_alm (reader, 1);
  g_assert_cmpfloat (first[2 * armilla_alm_index (5, 5, 2)], ==, 0.5);
  g_assert_cmpfloat (first[2 * armilla_alm_index (5, 3, 3) + 1], ==, -3);
  g_assert_cmpfloat (second[0], ==, 2);
  g_assert_cmpfloat (second[2 * armilla_alm_index (5, 5, 2)], ==, 0);
  for (int i = 0; i < 2 * 18; i++)
    sum += fabs (first[i]);
  g_assert_cmpfloat (sum, ==, 11);
}

/* Words of COORDSYS, and a note of one that is not known. */
static void
test_coordsys (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const words[][2] = { { "EQUATORIAL", "C" }, { "Galactic", "G" }, { "E", "E" },
                                          { "Earth", NULL } };
  const LONGLONG index[] = { 1 };
  const double real[] = { 2 };
  g_autofree char *path = fixture_path (fixture, "alm.fits");

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (ArmillaAlmReader) reader = NULL;
      fitsfile *fits;
      int status = 0;

      make_alm (path, "J", 1, index, real, FALSE);
      fits_open_diskfile (&fits, path, READWRITE, &status);
      fits_movabs_hdu (fits, 2, NULL, &status);
      fits_write_key_str (fits, "COORDSYS", words[i][0], NULL, &status);
      fits_close_file (fits, &status);
      g_assert_cmpint (status, ==, 0);
      reader = open_alm (path);
      g_assert_cmpstr (armilla_alm_reader_header (reader)->fields[0].coordsys, ==, words[i][1]);
      g_assert_true ((armilla_alm_reader_header (reader)->note == NULL) == (words[i][1] != NULL));
      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

/* The degree is the floor of a square root, which must not be off by one where it is rounded. */
static void
test_large_index (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  /* l = 2^24 - 1: the first index (m = -l) is 2 less than 2^48 - 2^25 + 2 ... and so on; m >= 0. */
  const gint64 l = 60000;
  const LONGLONG index[] = { l * l + l + 1, l * l + 2 * l + 1, (l + 1) * (l + 1) + l + 2 };
  const double real[] = { 1, 2, 3 };
  g_autofree char *path = fixture_path (fixture, "alm.fits");
  g_autoptr (ArmillaAlmReader) reader = NULL;

  make_alm (path, "K", 3, index, real, FALSE);
  reader = open_alm (path);
  g_assert_cmpint (armilla_alm_reader_header (reader)->layout.lmax, ==, l + 1);
  g_assert_cmpint (armilla_alm_reader_header (reader)->layout.mmax, ==, l);
}

typedef struct {
  const char *name;
  int n, code;
  LONGLONG index[3];
  double real[3];
  const char *message;
} Bad;

static const Bad bad[] = {
  { "zero", 2, ARMILLA_ERROR_VALUE, { 1, 0 }, { 0 }, "*row 2: index 0 is not*" },
  { "negative-index", 2, ARMILLA_ERROR_VALUE, { 1, -7 }, { 0 }, "*row 2: index -7 is not*" },
  { "negative-m", 2, ARMILLA_ERROR_VALUE, { 1, 5 }, { 0 }, "*l = 2, m = -2*" },
  { "twice", 3, ARMILLA_ERROR_VALUE, { 3, 1, 3 }, { 0 }, "*3 (l = 1, m = 0) occurs twice*" },
  { "twice-in-a-row", 3, ARMILLA_ERROR_VALUE, { 1, 3, 3 }, { 0 }, "*occurs twice*" },
  { "huge", 1, ARMILLA_ERROR_VALUE, { G_MAXINT64 }, { 0 }, "*is not l*" },
  { "sparse", 2, ARMILLA_ERROR_VALUE, { 1, 10000000000001 }, { 0 }, "*only 2 rows*" },
  { "nan", 3, ARMILLA_ERROR_NUMERIC, { 1, 3, 4 }, { 0, 1, NAN }, "*l = 1, m = 1*finite*" },
  { "infinite", 3, ARMILLA_ERROR_NUMERIC, { 1, 7, 4 }, { 0, INFINITY, 0 }, "*l = 2, m = 0*" },
};

static void
ignore (gpointer user G_GNUC_UNUSED, gint64 n G_GNUC_UNUSED, const gint64 *l G_GNUC_UNUSED,
        const gint64 *m G_GNUC_UNUSED, const double *values G_GNUC_UNUSED)
{
}

static void
test_bad (Fixture *fixture, gconstpointer data)
{
  const Bad *test = data;
  g_autofree char *path = fixture_path (fixture, "alm.fits");
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaAlmReader) reader = NULL;

  make_alm (path, "K", test->n, test->index, test->real, FALSE);
  reader = armilla_alm_reader_open (path, &error);
  if (reader != NULL)
    armilla_alm_reader_visit (reader, 0, ignore, NULL, &error);
  g_assert_error (error, ARMILLA_ERROR, test->code);
  g_assert_true (g_pattern_match_simple (test->message, error->message));
  g_assert_true (g_str_has_prefix (error->message, path));
}

/* A map is no a_lm, nor is a field that is not there. */
static void
test_other_files (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "alm.fits"), *map = NULL;
  const LONGLONG index[] = { 1 };
  const double real[] = { 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaAlmReader) reader = NULL;

  make_alm (path, "J", 1, index, real, FALSE);
  reader = open_alm (path);
  g_assert_false (armilla_alm_reader_visit (reader, 1, ignore, NULL, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  if (!fixture_healpy ("test/data/map_synfast_seed12345.fits", &map))
    return;
  g_assert_null (armilla_alm_reader_open (map, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
}

/* What a writer refuses; nothing of it may get its final name. */
static void
test_refused (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "alm.fits");
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  g_autoptr (ArmillaAlmWriter) writer = NULL;
  ArmillaAlmLayout layout = { 4, 3 }, wrong = { 3, 4 };
  double values[2 * 14] = { 0 };

  g_assert_null (armilla_alm_writer_open (output, wrong, 1, NULL, NULL, NULL, FALSE, NULL, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  g_assert_null (armilla_alm_writer_open (output, layout, 0, NULL, NULL, NULL, FALSE, NULL,
                                          &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_clear_error (&error);
  writer = armilla_alm_writer_open (output, layout, 1, NULL, NULL, NULL, TRUE, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (armilla_alm_writer_write (writer, 1, 0, 1, values, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  armilla_alm_writer_write (writer, 0, 0, 13, values, &error);
  g_assert_no_error (error);
  g_assert_false (armilla_alm_writer_close (writer, &error));
  g_assert_true (g_str_has_suffix (error->message,
                                   "1 of 14 coefficients were never written, the first is 13"));
  g_clear_error (&error);
  values[1] = 1e300;
  g_assert_false (armilla_alm_writer_write (writer, 0, 13, 1, values, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
  g_assert_nonnull (strstr (error->message, "l = 4, m = 3"));
  g_clear_error (&error);
  g_assert_false (armilla_alm_writer_write (writer, 0, 0, 1, values, &error));
  g_assert_nonnull (strstr (error->message, "written twice"));
  g_clear_error (&error);
  g_assert_false (armilla_alm_writer_close (writer, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_clear_pointer (&output, armilla_output_free);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static const Variant variants[] = {
  { 0, 0, 1, FALSE, { 0 } }, { 1, 1, 2, TRUE, { 1, 1 } }, { 7, 3, 3, FALSE, { 0, 2, 2 } },
  { 64, 64, 3, TRUE, { 0 } },
  { 300, 299, 1, FALSE, { 0 } }, { 46340, 2, 1, TRUE, { 0 } },
  { 46339, 1, 1, FALSE, { 0 } },
};

int
main (int argc, char *argv[])
{
  static const Variant small = { 40, 30, 1, FALSE, { 0 } },
                       large = { 46340, 1, 1, FALSE, { 0 } };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      g_autofree char *name
        = g_strdup_printf ("/fits-alm/round-trip/lmax-%d/mmax-%d", (int) variants[i].lmax,
                           (int) variants[i].mmax);

      FIXTURE_ADD (name, &variants[i], test_round_trip);
    }
  FIXTURE_ADD ("/fits-alm/file/small", &small, test_file);
  FIXTURE_ADD ("/fits-alm/file/large", &large, test_file);
  FIXTURE_ADD ("/fits-alm/any-order/int16", "I", test_any_order);
  FIXTURE_ADD ("/fits-alm/any-order/int32", "J", test_any_order);
  FIXTURE_ADD ("/fits-alm/any-order/int64", "K", test_any_order);
  FIXTURE_ADD ("/fits-alm/any-order/uint16", "U", test_any_order);
  FIXTURE_ADD ("/fits-alm/any-order/uint32", "V", test_any_order);
  FIXTURE_ADD ("/fits-alm/any-order/uint64", "W", test_any_order);
  FIXTURE_ADD ("/fits-alm/coordsys", NULL, test_coordsys);
  FIXTURE_ADD ("/fits-alm/large-index", NULL, test_large_index);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *name = g_strdup_printf ("/fits-alm/bad/%s", bad[i].name);

      FIXTURE_ADD (name, &bad[i], test_bad);
    }
  FIXTURE_ADD ("/fits-alm/other-files", NULL, test_other_files);
  FIXTURE_ADD ("/fits-alm/refused", NULL, test_refused);
  return g_test_run ();
}
