/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/tables/table.h"
#include "tests/lib/fits-fixture.h"

#include <armilla/table.h>
#include <fitsio.h>
#include <math.h>
#include <string.h>

static const double doubles[] = { 0.1, -1.7976931348623157e308, 4.9406564584124654e-324 };
static const gint64 integers[] = { G_MAXINT64, G_MININT64, 9007199254740993 };
static const char *const wide[] = { "170141183460469231731687303715884105727",
                                    "-170141183460469231731687303715884105728",
                                    "1000000000000000000000" };
static const char *const texts[] = { "plain", "two \"words\"", "" };

static ArmillaInt128
wide_value (int i)
{
  ArmillaInt128 max_wide = ((ArmillaInt128) G_MAXINT64 << 64) | (ArmillaInt128) G_MAXUINT64;

  return i == 0 ? max_wide : i == 1 ? -max_wide - 1 : (ArmillaInt128) 1000000000000 * 1000000000;
}

static ArmillaTable *
make (void)
{
  ArmillaTable *table = armilla_table_new ("TEST", 3);
  ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "theta", "deg", "angle");

  for (int i = 0; i < 3; i++)
    column->doubles[i] = doubles[i];
  column = armilla_table_add (table, ARMILLA_COLUMN_INT64, "count", "", "pairs");
  for (int i = 0; i < 3; i++)
    column->integers[i] = integers[i];
  column = armilla_table_add (table, ARMILLA_COLUMN_INT128, "total", "", "");
  for (int i = 0; i < 3; i++)
    column->wide[i] = wide_value (i);
  column = armilla_table_add (table, ARMILLA_COLUMN_STRING, "note", "", "");
  for (int i = 0; i < 3; i++)
    column->strings[i] = g_strdup (texts[i]);
  armilla_table_set_text (table, "ESTIMATR", "landy", "estimator");
  armilla_table_set_text (table, "ESTIMATR", "landy-szalay", "estimator");
  armilla_table_set_integer (table, "NDATA", 1, "number of objects");
  armilla_table_set_integer (table, "NDATA", 182520, "number of objects");
  return table;
}

static char *
write_table (Fixture *fixture, const char *name, const ArmillaTable *table)
{
  char *history[] = { (char *) "armilla", (char *) "a \"line\": of history", NULL };
  char *path = fixture_path (fixture, name);
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, NULL);
  ArmillaTableFormat format;
  GError *error = NULL;

  g_assert_true (armilla_table_format (path, &format, &error));
  g_assert_true (armilla_table_write (output, table, format, history, &error));
  g_assert_no_error (error);
  fixture_commit (output);
  return path;
}

static void
check_key (fitsfile *file, const char *keyword, const char *expected)
{
  char value[FLEN_VALUE];
  int status = 0;

  fits_read_key (file, TSTRING, keyword, value, NULL, &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (value, ==, expected);
}

/* CFITSIO reads what we wrote. */
static void
test_fits (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ArmillaTable) table = make ();
  g_autofree char *path = write_table (fixture, "table.fits", table);
  double d[3];
  LONGLONG n[3];
  char first[64], second[64], third[64], *strings[] = { first, second, third };
  fitsfile *file;
  int status = 0, any;

  fixture_verify (path);
  fits_open_diskfile (&file, path, READONLY, &status);
  fits_movabs_hdu (file, 2, NULL, &status);
  fits_read_col (file, TDOUBLE, 1, 1, 1, 3, NULL, d, &any, &status);
  fits_read_col (file, TLONGLONG, 2, 1, 1, 3, NULL, n, &any, &status);
  fits_read_col (file, TSTRING, 3, 1, 1, 3, (char *) "", strings, &any, &status);
  g_assert_cmpint (status, ==, 0);
  for (int i = 0; i < 3; i++)
    {
      g_assert_true (d[i] == doubles[i] && n[i] == integers[i]);
      g_assert_cmpstr (strings[i], ==, wide[i]);
    }
  fits_read_col (file, TSTRING, 4, 1, 1, 3, (char *) "", strings, &any, &status);
  for (int i = 0; i < 3; i++)
    g_assert_cmpstr (strings[i], ==, texts[i]);
  check_key (file, "TUNIT1", "deg");
  check_key (file, "TTYPE2", "count");
  check_key (file, "EXTNAME", "TEST");
  check_key (file, "ESTIMATR", "landy-szalay");
  check_key (file, "NDATA", "182520");
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
}

/* The format is that of APE 6 of astropy: the header is YAML behind hashes, then the names. */
static void
test_ecsv (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ArmillaTable) table = make ();
  g_autofree char *path = write_table (fixture, "table.ecsv", table);
  g_autofree char *text = NULL;
  static const char *const expected
    = "# %ECSV 1.0\n"
      "# ---\n"
      "# datatype:\n"
      "# - {name: \"theta\", unit: \"deg\", datatype: float64, description: \"angle\"}\n"
      "# - {name: \"count\", datatype: int64, description: \"pairs\"}\n"
      "# - {name: \"total\", datatype: string}\n"
      "# - {name: \"note\", datatype: string}\n"
      "# meta: !!omap\n"
      "# - {EXTNAME: \"TEST\"}\n"
      "# - {CREATOR: \"armilla\"}\n"
      "# - {ESTIMATR: \"landy-szalay\"}\n"
      "# - {NDATA: 182520}\n"
      "# - HISTORY:\n"
      "#   - \"armilla\"\n"
      "#   - \"a \\\"line\\\": of history\"\n"
      "# schema: astropy-2.0\n"
      "theta count total note\n"
      "0.10000000000000001 9223372036854775807 170141183460469231731687303715884105727 plain\n"
      "-1.7976931348623157e+308 -9223372036854775808 "
      "-170141183460469231731687303715884105728 \"two \"\"words\"\"\"\n"
      "4.9406564584124654e-324 9007199254740993 1000000000000000000000 \"\"\n";

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

/* Keys and names of columns that other programs write as text: CFITSIO takes the FITS file, and
 * what text can hold comes back. */
static void
test_odd_names (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const keys[]
    = { "instrument name", "TTYPE1", "NAXIS1", "END", "a: {b}, 'c'", "COMMENT", "", "GOOD-1_X" };
  g_autoptr (ArmillaTable) table = armilla_table_new ("TEST", 1), again = NULL;
  g_autofree char *long_text = g_strnfill (300, 'x');
  g_autofree char *fits = NULL, *ecsv = NULL;
  GError *error = NULL;
  fitsfile *file;
  long rows;
  int status = 0;

  armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "z\r\nerr", "", "");
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    armilla_table_set_text (table, keys[i], i == 0 ? long_text : "it's", "");
  ecsv = write_table (fixture, "odd.ecsv", table);
  again = armilla_table_read (ecsv, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->columns[0].name, ==, "z  err");
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_cmpstr (armilla_table_key (again, keys[i])->text, ==, i == 0 ? long_text : "it's");
  fits = write_table (fixture, "odd.fits", again);
  fixture_verify (fits);
  fits_open_diskfile (&file, fits, READONLY, &status);
  fits_movabs_hdu (file, 2, NULL, &status);
  fits_get_num_rows (file, &rows, &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpint (rows, ==, 1);
  check_key (file, "TTYPE1", "z  err");
  check_key (file, "GOOD-1_X", "it's");
  fits_close_file (file, &status);
}

/* More rows than one block holds, and none. */
static void
test_rows (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const gint64 counts[] = { 0, 1, 131072, 200001 };

  for (gsize k = 0; k < G_N_ELEMENTS (counts); k++)
    {
      g_autoptr (ArmillaTable) table = armilla_table_new ("ROWS", counts[k]);
      ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "x", "", "");
      g_autofree char *path = NULL, *text_path = NULL, *text = NULL;
      double last = NAN;
      int status = 0, any;
      long rows = -1;
      fitsfile *file;

      for (gint64 i = 0; i < counts[k]; i++)
        column->doubles[i] = (double) i;
      path = write_table (fixture, "rows.fit", table);
      fixture_verify (path);
      fits_open_diskfile (&file, path, READONLY, &status);
      fits_movabs_hdu (file, 2, NULL, &status);
      fits_get_num_rows (file, &rows, &status);
      g_assert_cmpint (rows, ==, counts[k]);
      if (rows > 0)
        fits_read_col (file, TDOUBLE, 1, rows, 1, 1, NULL, &last, &any, &status);
      fits_close_file (file, &status);
      g_assert_cmpint (status, ==, 0);
      g_assert_true (rows == 0 || last == (double) (rows - 1));
      text_path = write_table (fixture, "rows.ecsv", table);
      g_assert_true (g_file_get_contents (text_path, &text, NULL, NULL));
      rows = 0;
      for (const char *p = text; *p != 0; p++)
        rows += *p == '\n';
      /* ECSV, ---, datatype, column, meta, EXTNAME, CREATOR, HISTORY and 2, schema, names */
      g_assert_cmpint (rows, ==, counts[k] + 12);
    }
}

static void
test_refused (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const good[] = { "a.fits", "b.FIT.GZ", "c.ecsv", "d.ecsv.gz",
                                      "e.csv", "f.CSV.gz", "g.txt", "h.dat.gz" };
  static const char *const bad[] = { "a.png", "b", "c.gz", "fits", "csv", "e.vot", "f.txt.bz2",
                                     "g.fits.fz" };
  g_autoptr (ArmillaTable) table = armilla_table_new ("NONE", 1);
  g_autofree char *path = fixture_path (fixture, "none.fits");
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, FALSE, NULL);
  ArmillaTableFormat format;
  GError *error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_assert_true (armilla_table_format (good[i], &format, &error));
      g_assert_cmpint (format, ==, i < 2 ? ARMILLA_TABLE_FITS : i < 4 ? ARMILLA_TABLE_ECSV
                                   : i < 6 ? ARMILLA_TABLE_CSV : ARMILLA_TABLE_TEXT);
      g_assert_false (armilla_table_format (bad[i], &format, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
      g_assert_nonnull (strstr (error->message, "end in .fits, .fit, .ecsv, .csv, .txt or .dat"));
      g_clear_error (&error);
    }
  g_assert_false (armilla_table_write (output, table, ARMILLA_TABLE_FITS, NULL, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_clear_error (&error);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  FIXTURE_ADD ("/table/fits", NULL, test_fits);
  FIXTURE_ADD ("/table/ecsv", NULL, test_ecsv);
  FIXTURE_ADD ("/table/odd-names", NULL, test_odd_names);
  FIXTURE_ADD ("/table/rows", NULL, test_rows);
  FIXTURE_ADD ("/table/refused", NULL, test_refused);
  return g_test_run ();
}
