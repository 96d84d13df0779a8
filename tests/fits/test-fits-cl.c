/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/spectra/cl-table.h"
#include "tests/lib/fits-fixture.h"

#include <fitsio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static ArmillaClTable *
read_cl (const char *path)
{
  g_autoptr (GError) error = NULL;
  ArmillaClTable *table = armilla_cl_read (path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (table);
  return table;
}

static double
sum_of (const ArmillaClTable *table, int field)
{
  return fixture_sum (table->values + field * (table->lmax + 1), table->lmax + 1);
}

/* c = healpy.read_cl (file); for the beam, astropy.io.fits.open (file)[0].data: shape, names,
 * math.fsum (c[field]), c[field][last]. */
static const struct {
  const char *file;
  gint64 lmax;
  int n_fields, field;
  const char *name;
  double sum, last;
} published[] = {
  { "test/data/cl_wmap_band_iqumap_r9_7yr_W_v4_udgraded32_IQU_lmax64_rmmono_3iter.fits", 64, 6, 3,
    "G-T", 2.2548284380899998e-05, NAN },
  { "test/data/cl_wmap_band_iqumap_r9_7yr_W_v4_udgraded32_IQU_lmax64_rmmono_3iter.fits", 64, 6, 5,
    "C-G", 1.122672358902e-06, -8.6695497999999994e-11 },
  { "test/data/cl_wmap_band_iqumap_r9_7yr_W_v4_udgraded32_II_lmax64_rmmono_3iter_nomask.fits", 64,
    1, 0, "TEMPERATURE", 0.03581901783575183, 2.4070411999999999e-05 },
  { "test/data/gaussbeam_10arcmin_lmax512_pol.fits", 512, 4, 1, "GRADIENT", 480.63963799946634,
    NAN },
  { "test/data/gaussbeam_10arcmin_lmax512_pol.fits", 512, 4, 3, "G-T", NAN, 0.81840593730000355 },
  { "data/pixel_window_n0032.fits", 128, 2, 0, "TEMPERATURE", 101.82049978334452,
    0.4437667135695576 },
  { "data/pixel_window_n0032.fits", 128, 2, 1, "POLARIZATION", NAN, 0.44386230668301474 },
};

static void
test_published (Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  for (gsize i = 0; i < G_N_ELEMENTS (published); i++)
    {
      g_autofree char *path = NULL;
      g_autoptr (ArmillaClTable) table = NULL;
      int field = published[i].field;

      if (!fixture_healpy (published[i].file, &path))
        return;
      table = read_cl (path);
      g_assert_cmpint (table->lmax, ==, published[i].lmax);
      g_assert_cmpint (table->n_fields, ==, published[i].n_fields);
      g_assert_cmpstr (table->names[field], ==, published[i].name);
      if (!isnan (published[i].sum))
        g_assert_cmpfloat_with_epsilon (sum_of (table, field), published[i].sum,
                                        FIXTURE_SUM_ERROR (published[i].sum, 1e3));
      if (!isnan (published[i].last))
        g_assert_cmpfloat (table->values[(field + 1) * (table->lmax + 1) - 1], ==,
                           published[i].last);
    }
}

/* t = numpy.loadtxt ("totcls.dat"); t.shape is (2001, 5), math.fsum (t[:, 1]) and (t[:, 4]). */
static void
test_totcls (Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = NULL;
  g_autoptr (ArmillaClTable) table = NULL;

  if (!fixture_healpy ("data/totcls.dat", &path))
    return;
  table = read_cl (path);
  g_assert_cmpint (table->lmax, ==, 2000);
  g_assert_cmpint (table->n_fields, ==, 4);
  g_assert_cmpfloat (table->values[2], ==, 0.17261E+04);
  g_assert_cmpfloat_with_epsilon (sum_of (table, 0), 3251126.27,
                                  FIXTURE_SUM_ERROR (3251126.27, 3251126.27));
  /* The cross spectrum changes sign: its terms sum to below 2e5 in absolute value. */
  g_assert_cmpfloat_with_epsilon (sum_of (table, 3), -30711.471237999998,
                                  FIXTURE_SUM_ERROR (30711.471237999998, 2e5));
}

/* w = astropy.io.fits.open (file)[1].data.field (0).ravel (); math.fsum (1 + w), 1 + w[0]. */
static void
test_ring_weights (Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *file;
    gint64 nside;
    double sum;
  } weights[] = { { "data/weight_ring_n00032.fits", 32, 64.114939084555814 },
                  { "data/weight_ring_n08192.fits", 8192, 16384.115950117819 } };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      g_autofree char *path = NULL;
      g_autofree double *factors = NULL;
      gint64 n;

      if (!fixture_healpy (weights[i].file, &path))
        return;
      factors = armilla_ring_weights_read (path, weights[i].nside, &n, &error);
      g_assert_no_error (error);
      g_assert_cmpint (n, ==, 2 * weights[i].nside);
      g_assert_cmpfloat_with_epsilon (fixture_sum (factors, n), weights[i].sum,
                                      FIXTURE_SUM_ERROR (weights[i].sum, weights[i].sum));
      if (i == 0)
        g_assert_cmpfloat (factors[0], ==, 1.1685120771519564);
      g_assert_null (armilla_ring_weights_read (path, 16, &n, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
      g_clear_error (&error);
    }
}

static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  int n_fields = GPOINTER_TO_INT (data);
  g_autofree char *path = fixture_path (fixture, "cl.fits");
  g_autoptr (ArmillaClTable) table = armilla_cl_table_new (n_fields == 1 ? 0 : 700, n_fields);
  g_autoptr (ArmillaClTable) back = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  char *history[] = { (char *) "made by a test", NULL };
  gsize bytes = (table->lmax + 1) * n_fields * sizeof (double);

  for (gint64 i = 0; i < (table->lmax + 1) * n_fields; i++)
    table->values[i] = g_rand_double (fixture->random);
  armilla_cl_write (output, table, history, &error);
  g_assert_no_error (error);
  fixture_commit (output);
  fixture_verify (path);
  back = read_cl (path);
  g_assert_cmpint (back->lmax, ==, table->lmax);
  g_assert_cmpint (back->n_fields, ==, n_fields);
  g_assert_cmpmem (back->values, bytes, table->values, bytes);
  for (int i = 0; i < n_fields; i++)
    g_assert_cmpstr (back->names[i], ==, table->names[i]);
  if (n_fields == 7)
    g_assert_cmpstr (back->names[6], ==, "COLUMN_7");
}

/* Text that is read, and what comes of it. */
static const struct {
  const char *text;
  gint64 lmax;
  int n_fields;
  double first, last;
  const char *name;
} texts[] = {
  { "1\n2\n3\n", 2, 1, 1, 3, "TEMPERATURE" },
  { "# L TT EE\n2 10 20\n3 11 21\n", 3, 2, 0, 21, "TT" },
  { "0,1.5\n1,2.5D1", 1, 1, 1.5, 25, "TEMPERATURE" },
  { "# a long comment\n\n 0.5 7 # another\r\n\t0.6\t8\r\n", 1, 2, 0.5, 8, "TEMPERATURE" },
  { "# A B\n1 2\n3 4\n", 1, 2, 1, 4, "A" },
  { "l TT EE\n2 10 20\n3 11 21\n", 3, 2, 0, 21, "TT" },
  { "TT;ell;BB\r10;2;20\r11;3;21\r", 3, 2, 0, 21, "TT" },
  { "# l, TT, EE, BB\n2,5,,7\n3,6,,8\n", 3, 3, 0, 8, "TT" },
  { "l,,BB\n2,5,7\n3,6,8\n", 3, 2, 0, 8, "COLUMN_1" },
  { "#  1:l   2:TT   3:EE\n 2 10 20\n 3 11 21\n", 3, 2, 0, 21, "TT" },
  { "# l  D_l [muK^2], D_l of E\n2 10 20\n", 2, 2, 0, 20, "TEMPERATURE" },
  { "\357\273\277\"l\",\"T, T\"\r\n0,5\r\n1,6\r\n", 1, 1, 5, 6, "T, T" },
  { "5 2\n", 0, 2, 5, 2, "TEMPERATURE" },
  { "# A B C D\n1 2\n2 4\n", 2, 1, 0, 4, "TEMPERATURE" },
};

static void
test_text (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = fixture_path (fixture, "cl.dat");
      g_autoptr (ArmillaClTable) table = NULL;

      fixture_store (path, texts[i].text, strlen (texts[i].text));
      table = read_cl (path);
      g_assert_cmpint (table->lmax, ==, texts[i].lmax);
      g_assert_cmpint (table->n_fields, ==, texts[i].n_fields);
      g_assert_cmpfloat (table->values[0], ==, texts[i].first);
      g_assert_cmpfloat (table->values[(table->lmax + 1) * table->n_fields - 1], ==,
                         texts[i].last);
      g_assert_cmpstr (table->names[0], ==, texts[i].name);
    }
}

static const struct {
  const char *text;
  int code;
  const char *message;
} bad_texts[] = {
  { "", ARMILLA_ERROR_IO, "*is empty*" },
  { "\n# nothing\n", ARMILLA_ERROR_PARSE, "*contains no numbers*" },
  { "1 2\n3\n", ARMILLA_ERROR_PARSE, "*:2: has 1 columns, but the lines above have 2*" },
  { "1\n2\nthree\n", ARMILLA_ERROR_PARSE, "*:3: 'three' is not a number*" },
  { "1 2\n3 4\n", ARMILLA_ERROR_PARSE, "*first column increases from 1 to 3 in steps*" },
  { "47.7 2\n76.5 4\n", ARMILLA_ERROR_PARSE, "*first column increases from 47.7 to 76.5*" },
  { "# l TT\n2 1\n4 2\n", ARMILLA_ERROR_PARSE, "*l = 3 is missing: rows 1 and 2 have l = 2*" },
  { "# l and more words\n2 1\n4 2\n", ARMILLA_ERROR_PARSE, "*l = 3 is missing*" },
  { "TT ell\n2 1\n4 1\n", ARMILLA_ERROR_PARSE, "*row 2 (line 3): l = 1 comes after 1; multip*" },
  { "l,x\n2.5,1\n", ARMILLA_ERROR_PARSE, "*row 1 (line 2): l = 2.5 is not an integer*" },
  { "l,x\n,1\n", ARMILLA_ERROR_PARSE, "*row 1 (line 2): l = nan: must be from 0 to 16777216*" },
  { "l,x\n-1,1\n", ARMILLA_ERROR_PARSE, "*row 1 (line 2): l = -1: must be from 0*" },
  { "l\n2\n3\n", ARMILLA_ERROR_PARSE, "*has no column except l*" },
  { "l TT\n", ARMILLA_ERROR_PARSE, "*contains no numbers*" },
  { "l,\"TT\n2,3\n", ARMILLA_ERROR_PARSE, "*:1: has a quotation mark that is not closed*" },
  { "SIMPLE  =                    T", ARMILLA_ERROR_IO, "*is not a FITS file*" },
};

static void
test_bad_text (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "cl.dat");
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (bad_texts); i++)
    {
      fixture_store (path, bad_texts[i].text, strlen (bad_texts[i].text));
      g_assert_null (armilla_cl_read (path, &error));
      g_assert_error (error, ARMILLA_ERROR, bad_texts[i].code);
      g_assert_true (g_pattern_match_simple (bad_texts[i].message, error->message));
      g_clear_error (&error);
    }
  fixture_store (path, "1\n\0002\n", 5);
  g_assert_null (armilla_cl_read (path, &error));
  g_assert_true (g_str_has_suffix (error->message, "is neither a FITS file nor text"));
}

/* A value that the file does not have is NaN; whether it is needed is not known here. */
static void
test_missing (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char text[] = "l,TT,,BB\n2,5,,7\n3,nan,NA,1e999\n";
  g_autofree char *path = fixture_path (fixture, "cl.csv");
  g_autoptr (ArmillaClTable) table = NULL;

  fixture_store (path, text, strlen (text));
  table = read_cl (path);
  g_assert_cmpint (table->n_fields, ==, 3);
  g_assert_cmpstr (table->names[2], ==, "BB");
  g_assert_true (table->values[2] == 5 && table->values[4 + 0] == 0 && table->values[8 + 2] == 7);
  g_assert_true (isnan (table->values[3]) && isnan (table->values[4 + 2]));
  g_assert_true (isnan (table->values[4 + 3]) && isinf (table->values[8 + 3]));
}

/* Interpolation in a straight line gives the line; rows at whole multipoles stay as they are. */
static void
test_interpolated (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const double at[] = { 1.5, 3, 4, 8, 8.75, 12 };
  g_autofree char *path = fixture_path (fixture, "cl.dat");
  g_autoptr (GString) text = g_string_new ("# ell X Y\n");
  g_autoptr (ArmillaClTable) table = NULL;
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (at); i++)
    g_string_append_printf (text, "%g %g %g\n", at[i], 3 * at[i] - 1, at[i] * at[i]);
  fixture_store (path, text->str, text->len);
  table = armilla_cl_read_rows (path, ARMILLA_CL_INTERPOLATED, &error);
  g_assert_no_error (error);
  g_assert_cmpint (table->lmax, ==, 12);
  for (int l = 0; l <= 12; l++)
    g_assert_cmpfloat (fabs (table->values[l] - (l < 2 ? 0 : 3 * l - 1)), <=, 1e-14);
  g_assert_true (table->values[13 + 4] == 16 && table->values[13 + 8] == 64);
  g_assert_cmpfloat (table->values[13 + 6], ==, 40); /* half way from 16 to 64 */
  armilla_cl_table_free (table);
  table = armilla_cl_read_rows (path, ARMILLA_CL_AS_ROWS, &error);
  g_assert_no_error (error);
  g_assert_true (table->n_fields == 3 && table->lmax == 5 && table->values[4] == 8.75);
}

/* A column of multipoles in FITS, from 2 on. */
static void
test_fits_multipoles (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  char *ttype[] = { (char *) "D_ELL", (char *) "ELL" }, *tform[] = { (char *) "D", (char *) "J" };
  double values[] = { 1002, 1003, 1004 }, multipoles[] = { 2, 3, 4 };
  g_autofree char *path = fixture_path (fixture, "ell.fits");
  g_autoptr (ArmillaClTable) table = NULL;
  g_autoptr (GError) error = NULL;

  for (int gap = 0; gap < 2; gap++)
    {
      fitsfile *fits;
      int status = 0;

      multipoles[2] += gap;
      g_remove (path);
      fits_create_diskfile (&fits, path, &status);
      fits_create_tbl (fits, BINARY_TBL, 3, 2, ttype, tform, NULL, NULL, &status);
      fits_write_col (fits, TDOUBLE, 1, 1, 1, 3, values, &status);
      fits_write_col (fits, TDOUBLE, 2, 1, 1, 3, multipoles, &status);
      fits_close_file (fits, &status);
      g_assert_cmpint (status, ==, 0);
      if (gap)
        break;
      table = read_cl (path);
      g_assert_true (table->n_fields == 1 && table->lmax == 4);
      g_assert_cmpstr (table->names[0], ==, "D_ELL");
      for (int l = 0; l <= 4; l++)
        g_assert_cmpfloat (table->values[l], ==, l < 2 ? 0 : 1000 + l);
    }
  g_assert_null (armilla_cl_read (path, &error));
  g_assert_nonnull (strstr (error->message, "l = 4 is missing"));
}

/* Vector columns and other types, made by CFITSIO: one row of five values and five rows of one. */
static void
test_shapes (Fixture *fixture, gconstpointer data)
{
  gboolean vector = GPOINTER_TO_INT (data);
  char *ttype[] = { (char *) "A", (char *) "B" };
  char *tform[] = { (char *) (vector ? "5D" : "D"), (char *) (vector ? "5I" : "I") };
  double values[] = { 1, 2, 3, 4, 5 };
  g_autofree char *path = fixture_path (fixture, "cl.fits");
  g_autoptr (ArmillaClTable) table = NULL;
  fitsfile *fits;
  int status = 0;

  fits_create_diskfile (&fits, path, &status);
  fits_create_tbl (fits, BINARY_TBL, vector ? 1 : 5, 2, ttype, tform, NULL, NULL, &status);
  fits_write_col (fits, TDOUBLE, 1, 1, 1, 5, values, &status);
  fits_write_col (fits, TDOUBLE, 2, 1, 1, 5, values, &status);
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
  table = read_cl (path);
  g_assert_cmpint (table->lmax, ==, 4);
  g_assert_cmpint (table->n_fields, ==, 2);
  g_assert_cmpstr (table->names[1], ==, "B");
  for (int i = 0; i < 10; i++)
    g_assert_cmpfloat (table->values[i], ==, values[i % 5]);
}

static void
test_text_table (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  char *ttype[] = { (char *) "X", (char *) "Y" };
  char *tform[] = { (char *) "D20.12", (char *) "I6" };
  double values[] = { 0.5, -2e-30, 3e10 }, integers[] = { 1, -2, 3 };
  g_autofree char *path = fixture_path (fixture, "cl.fits");
  g_autoptr (ArmillaClTable) table = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *bytes = NULL;
  fitsfile *fits;
  int status = 0;
  gsize n;

  fits_create_diskfile (&fits, path, &status);
  fits_create_tbl (fits, ASCII_TBL, 3, 2, ttype, tform, NULL, NULL, &status);
  fits_write_col (fits, TDOUBLE, 1, 1, 1, 3, values, &status);
  fits_write_col (fits, TDOUBLE, 2, 1, 1, 3, integers, &status);
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
  table = read_cl (path);
  for (int i = 0; i < 3; i++)
    {
      g_assert_cmpfloat (table->values[i], ==, values[i]);
      g_assert_cmpfloat (table->values[3 + i], ==, integers[i]);
    }
  /* The data begin at the third block; a letter in the first number makes it none. */
  fixture_load (path, &bytes, &n);
  bytes[2 * 2880 + 10] = 'x';
  fixture_store (path, bytes, n);
  g_assert_null (armilla_cl_read (path, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, "row 1 of column 'X'"));
}

static void
test_not_finite (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "cl.fits");
  g_autoptr (ArmillaClTable) table = armilla_cl_table_new (5, 2);
  g_autoptr (ArmillaClTable) back = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  gint64 n;

  table->values[4] = table->values[6 + 4] = NAN;
  armilla_cl_write (output, table, NULL, &error);
  g_assert_no_error (error);
  fixture_commit (output);
  back = read_cl (path);
  g_assert_true (isnan (back->values[6 + 4]) && back->values[6 + 3] == 0);
  g_assert_null (armilla_ring_weights_read (path, 3, &n, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
  g_assert_nonnull (strstr (error->message, "first is in row 5"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  FIXTURE_ADD ("/fits-cl/published", NULL, test_published);
  FIXTURE_ADD ("/fits-cl/totcls", NULL, test_totcls);
  FIXTURE_ADD ("/fits-cl/missing", NULL, test_missing);
  FIXTURE_ADD ("/fits-cl/interpolated", NULL, test_interpolated);
  FIXTURE_ADD ("/fits-cl/fits-multipoles", NULL, test_fits_multipoles);
  FIXTURE_ADD ("/fits-cl/ring-weights", NULL, test_ring_weights);
  FIXTURE_ADD ("/fits-cl/round-trip/1", GINT_TO_POINTER (1), test_round_trip);
  FIXTURE_ADD ("/fits-cl/round-trip/6", GINT_TO_POINTER (6), test_round_trip);
  FIXTURE_ADD ("/fits-cl/round-trip/7", GINT_TO_POINTER (7), test_round_trip);
  FIXTURE_ADD ("/fits-cl/text", NULL, test_text);
  FIXTURE_ADD ("/fits-cl/bad-text", NULL, test_bad_text);
  FIXTURE_ADD ("/fits-cl/shapes/rows", GINT_TO_POINTER (FALSE), test_shapes);
  FIXTURE_ADD ("/fits-cl/shapes/vector", GINT_TO_POINTER (TRUE), test_shapes);
  FIXTURE_ADD ("/fits-cl/text-table", NULL, test_text_table);
  FIXTURE_ADD ("/fits-cl/not-finite", NULL, test_not_finite);
  return g_test_run ();
}
