/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that come back from files. */
#include "core/tables/table.h"
#include "tests/lib/fits-fixture.h"

#include <armilla/table.h>
#include <fitsio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static const char *const texts[] = { "plain", "two \"words\", a # and 'one' \\", "" };

static ArmillaTable *
make (void)
{
  static const double doubles[] = { 0.1, -1.7976931348623157e308, NAN };
  static const gint64 integers[] = { G_MAXINT64, G_MININT64, 9007199254740993 };
  ArmillaInt128 max_wide = ((ArmillaInt128) G_MAXINT64 << 64) | (ArmillaInt128) G_MAXUINT64;
  const ArmillaInt128 wide[] = { max_wide, -max_wide - 1, 0 };
  ArmillaTable *table = armilla_table_new ("TEST", 3);

  for (int i = 0; i < 3; i++)
    {
      if (i == 0)
        {
          armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "theta", "deg", "angle: 'a', \"b\"");
          armilla_table_add (table, ARMILLA_COLUMN_INT64, "count of", "", "pairs");
          armilla_table_add (table, ARMILLA_COLUMN_INT128, "total", "uK^2", "");
          armilla_table_add (table, ARMILLA_COLUMN_STRING, "note", "", "");
        }
      table->columns[0].doubles[i] = doubles[i];
      table->columns[1].integers[i] = integers[i];
      table->columns[2].wide[i] = wide[i];
      table->columns[3].strings[i] = g_strdup (texts[i]);
    }
  armilla_table_set_text (table, "ESTIMATR", "landy's / one", "estimator");
  armilla_table_set_text (table, "DIGITS", "12", "a text");
  armilla_table_set_integer (table, "NDATA", -182520, "number of objects");
  return table;
}

static char *
write_table (Fixture *fixture, const char *name, const ArmillaTable *table,
             ArmillaTableFormat format)
{
  char *history[] = { (char *) "armilla", (char *) "- {name: \"no\", datatype: int64}", NULL };
  char *path = fixture_path (fixture, name);
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, NULL);
  GError *error = NULL;

  g_assert_true (armilla_table_write (output, table, format, history, &error));
  g_assert_no_error (error);
  fixture_commit (output);
  return path;
}

static void
check_values (const ArmillaColumn *a, const ArmillaColumn *b, gint64 row)
{
  switch (a->type)
    {
    case ARMILLA_COLUMN_DOUBLE:
      g_assert_true (a->doubles[row] == b->doubles[row]
                     || (isnan (a->doubles[row]) && isnan (b->doubles[row])));
      break;
    case ARMILLA_COLUMN_INT64: g_assert_cmpint (a->integers[row], ==, b->integers[row]); break;
    case ARMILLA_COLUMN_INT128: g_assert_true (a->wide[row] == b->wide[row]); break;
    default: g_assert_cmpstr (a->strings[row], ==, b->strings[row]);
    }
}

static void
check_same (const ArmillaTable *a, const ArmillaTable *b, gboolean all, gboolean comments)
{
  g_assert_cmpint (a->n_rows, ==, b->n_rows);
  g_assert_cmpint (a->n_columns, ==, b->n_columns);
  for (int i = 0; i < a->n_columns; i++)
    {
      g_assert_cmpstr (a->columns[i].name, ==, b->columns[i].name);
      g_assert_cmpint (a->columns[i].type, ==, b->columns[i].type);
      for (gint64 row = 0; row < a->n_rows; row++)
        check_values (&a->columns[i], &b->columns[i], row);
      g_assert_cmpstr (a->columns[i].unit, ==, all ? b->columns[i].unit : "");
      g_assert_cmpstr (a->columns[i].blurb, ==, all ? b->columns[i].blurb : "");
    }
  if (!all)
    return;
  g_assert_cmpstr (a->name, ==, b->name);
  g_assert_cmpint (a->n_keys, ==, b->n_keys);
  for (int i = 0; i < a->n_keys; i++)
    {
      g_assert_cmpstr (a->keys[i].keyword, ==, b->keys[i].keyword);
      g_assert_cmpstr (a->keys[i].text, ==, b->keys[i].text);
      g_assert_cmpint (a->keys[i].integer, ==, b->keys[i].integer);
      g_assert_cmpstr (a->keys[i].blurb, ==, comments ? b->keys[i].blurb : "");
    }
}

/* What was written comes back. */
static void
test_back (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[]
    = { "t.fits", "t.ecsv", "t.csv", "t.txt", "t.fits.gz", "t.ecsv.gz" };
  static const ArmillaTableFormat formats[] = { ARMILLA_TABLE_FITS, ARMILLA_TABLE_ECSV,
    ARMILLA_TABLE_CSV, ARMILLA_TABLE_TEXT, ARMILLA_TABLE_FITS, ARMILLA_TABLE_ECSV };
  g_autoptr (ArmillaTable) table = make ();

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = write_table (fixture, names[i], table, formats[i]);
      GError *error = NULL;
      g_autoptr (ArmillaTable) back = armilla_table_read (path, -1, &error);

      g_assert_no_error (error);
      check_same (back, table, formats[i] <= ARMILLA_TABLE_ECSV, formats[i] == ARMILLA_TABLE_FITS);
    }
}

/* No rows are rows, too: names, units and types come back. */
static void
test_empty (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (int k = 0; k < 2; k++)
    {
      g_autoptr (ArmillaTable) table = armilla_table_new ("NONE", 0);
      g_autoptr (ArmillaTable) back = NULL;
      g_autofree char *path = NULL;
      GError *error = NULL;

      armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "x", "deg", "");
      armilla_table_add (table, ARMILLA_COLUMN_STRING, "y", "", "");
      path = write_table (fixture, k == 0 ? "n.fits" : "n.ecsv", table,
                          k == 0 ? ARMILLA_TABLE_FITS : ARMILLA_TABLE_ECSV);
      back = armilla_table_read (path, -1, &error);
      g_assert_no_error (error);
      check_same (back, table, TRUE, TRUE);
    }
}

static ArmillaTable *
read_text (Fixture *fixture, const char *text, GError **error)
{
  g_autofree char *path = fixture_path (fixture, "text.txt");

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return armilla_table_read (path, -1, error);
}

/* What others write. */
static void
test_text (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GError *error = NULL;
  g_autoptr (ArmillaTable) table
    = read_text (fixture, "a, b,c ,\"d e\"\r\n1,2.5,,x\r\n-3,,1D3,\"y, z\"\r\n\r\n", &error);
  g_autoptr (ArmillaTable) plain
    = read_text (fixture, "# without names above\n 1  2.5\n 3\t4 ", NULL);
  g_autoptr (ArmillaTable) foreign
    = read_text (fixture, "# %ECSV 0.9\n# ---\n# delimiter: ','\n# datatype:\n"
                          "# - {name: a, datatype: int32}\n"
                          "# - {name: 'it''s', unit: km / s, datatype: float32,\n"
                          "#   description: 'two\n#   lines'}\n"
                          "# - {name: flag, datatype: bool}\n"
                          "a,it's,flag\n1,,True\n,2,False\n", NULL);

  g_assert_no_error (error);
  g_assert_cmpint (table->n_rows, ==, 2);
  g_assert_cmpint (table->columns[0].integers[1], ==, -3);
  g_assert_cmpfloat (table->columns[1].doubles[0], ==, 2.5);
  g_assert_true (isnan (table->columns[1].doubles[1]) && isnan (table->columns[2].doubles[0]));
  g_assert_cmpfloat (table->columns[2].doubles[1], ==, 1000);
  g_assert_cmpstr (table->columns[3].name, ==, "d e");
  g_assert_cmpstr (table->columns[3].strings[1], ==, "y, z");
  g_assert_cmpstr (plain->columns[1].name, ==, "COLUMN2");
  g_assert_cmpint (plain->columns[0].integers[1], ==, 3);
  g_assert_cmpfloat (plain->columns[1].doubles[0], ==, 2.5);
  g_assert_cmpstr (foreign->columns[1].name, ==, "it's");
  g_assert_cmpstr (foreign->columns[1].unit, ==, "km / s");
  g_assert_cmpfloat (foreign->columns[1].doubles[1], ==, 2);
  g_assert_true (isnan (foreign->columns[0].doubles[1]) && foreign->columns[0].doubles[0] == 1);
  g_assert_true (foreign->columns[2].doubles[0] == 1 && foreign->columns[2].doubles[1] == 0);
}

/* The names of the columns, then the rows; "-" where there is no number. */
static char *
render (const ArmillaTable *table)
{
  GString *text = g_string_new (NULL);

  for (gint64 row = -1; row < table->n_rows; row++)
    for (int i = 0; i < table->n_columns; i++)
      {
        const ArmillaColumn *column = &table->columns[i];

        g_string_append (text, i > 0 ? "|" : row >= 0 ? " / " : "");
        if (row < 0)
          g_string_append (text, column->name);
        else if (column->type == ARMILLA_COLUMN_DOUBLE && isnan (column->doubles[row]))
          g_string_append (text, "-");
        else if (column->type == ARMILLA_COLUMN_DOUBLE)
          g_string_append_printf (text, "%.10g", column->doubles[row]);
        else if (column->type == ARMILLA_COLUMN_INT64)
          g_string_append_printf (text, "%d", (int) column->integers[row]);
        else
          g_string_append (text, column->strings[row]);
      }
  return g_string_free (text, FALSE);
}

/* Text, and the table that astropy or pandas reads from it. */
static const char *const dialects[][2] = {
  { "name,ra,dec,z err\nNGC 44,7.7,31.28,0.1\nNGC 55,3.72,-39.2,0.2\n",
    "name|ra|dec|z err / NGC 44|7.7|31.28|0.1 / NGC 55|3.72|-39.2|0.2" },
  { "NGC 44,7.7,31.28\nNGC 55,3.72,-39.2\n",
    "COLUMN1|COLUMN2|COLUMN3 / NGC 44|7.7|31.28 / NGC 55|3.72|-39.2" },
  { "1,,10,20,5\n2,7,11,21,\n", "COLUMN1|COLUMN2|COLUMN3|COLUMN4|COLUMN5 / 1|-|10|20|5 / "
                                "2|7|11|21|-" },
  { "\357\273\277a;b c;d\n1;x, y;2\n3;;NA\n", "a|b c|d / 1|x, y|2 / 3||-" },
  { ",ra,dec\n0,1.5,2\n1,2.5,3\n", "COLUMN1|ra|dec / 0|1.5|2 / 1|2.5|3" },
  { ",0,1\n0,1.5,2\n1,2.5,3\n", "COLUMN1|0|1 / 0|1.5|2 / 1|2.5|3" },
  { "\ta\tb\n0\t1\t\n1\tx y\t4\n", "COLUMN1|a|b / 0|1|- / 1|x y|4" },
  { "a\tb\tc\n\t\t\n1\t\t3\n", "a|b|c / -|-|- / 1|-|3" },
  { "id\t\tra\tdec\nx\t\t1\t2\n", "id|ra|dec / x|1|2" },
  { "# made by a survey\n# ra, dec, e1\n1 2 3\n4 5 6 # a note\n", "ra|dec|e1 / 1|2|3 / 4|5|6" },
  { "#ra\tdec\n1\t2\n", "ra|dec / 1|2" },
  { "# what, and how\na b\n1 2\n# in between\n\n3 4\n", "a|b / 1|2 / 3|4" },
  { "\"a, b\",c\r\n\"x \"\"y\"\"\nz\",1\r\n w ,2\r\n", "a, b|c / x \"y\"\nz|1 / w|2" },
  { "a,b,c\n1,2,3,\n4,5,6,\n", "a|b|c / 1|2|3 / 4|5|6" },
  { "a,b\r1,2\r3,4", "a|b / 1|2 / 3|4" },
  { "a,ok\n1,True\n2,FALSE\n", "a|ok / 1|1 / 2|0" },
  { "id,v\n0x1F,1\n12,2\n", "id|v / 0x1F|1 / 12|2" },
  { "word,v\nNA,NA\nb,1e2\n", "word|v / NA|- / b|100" },
  { "a,b\n# one,1\n# two\nx,2\n", "a|b / # one|1 / x|2" },
  { "#note\nx\n1\n2\n", "x / 1 / 2" },
  { "name, mag\n5\" disc, 3\n", "name|mag / 5\" disc|3" },
  { "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n# -\n#   name: source_id\n"
    "#   datatype: int64\n#   description: Source, as 'it' is\n# -\n#   name: ra\n#   unit: deg\n"
    "#   datatype: float64\n# - name: \"odd: name\"\n#   datatype: string\n# meta: !!omap\n"
    "# - {x: y}\nsource_id,ra,odd: name\n1,2.5,null\nnull,null,b\n",
    "source_id|ra|odd: name / 1|2.5|null / -|-|b" },
};

static void
test_dialects (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (gsize i = 0; i < G_N_ELEMENTS (dialects); i++)
    {
      GError *error = NULL;
      g_autoptr (ArmillaTable) table = read_text (fixture, dialects[i][0], &error);
      g_autofree char *found = NULL;

      g_assert_no_error (error);
      found = render (table);
      g_assert_cmpstr (found, ==, dialects[i][1]);
    }
  /* the last one, as Gaia's archive writes it, has units */
  {
    g_autoptr (ArmillaTable) gaia
      = read_text (fixture, dialects[G_N_ELEMENTS (dialects) - 1][0], NULL);

    g_assert_cmpstr (gaia->columns[1].unit, ==, "deg");
    g_assert_cmpstr (gaia->columns[0].blurb, ==, "Source, as 'it' is");
  }
}

static void
test_refused (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const bad[][2] = {
    { "", "is empty" },
    { "# only a comment\n", "contains no table" },
    { "a,b\n1\n", ":2: has 1 columns, but the lines above have 2" },
    { "a,a\n1,2\n", "several columns are called \"a\"" },
    { "a,\"b\n1,2\n", ":1: has a quotation mark that is not closed before the file ends" },
    { "a,COLUMN1,\n1,2,3,4\n", ":2: has 4 columns, but the lines above have 3" },
    { "# %ECSV 1.0\n# - {name: x, datatype: int64}\na\n1\n",
      "names column 1 \"a\", but the header names it \"x\"" },
    { "# %ECSV 1.0\n# - {name: x, datatype: int64}\nx y\n1 2\n", "header declares 1 columns" },
    { "# %ECSV 1.0\n# - {name: x, datatype: int64}\nx\nz\n",
      "column \"x\" has a value that is not a number" },
    { "# %ECSV 1.0\n# - {name: \"x\n", "contains no table" },
  };
  g_autofree char *path = fixture_path (fixture, "not.there");
  GError *error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_null (read_text (fixture, bad[i][0], &error));
      if (error == NULL || strstr (error->message, bad[i][1]) == NULL)
        g_error ("text %d: %s", (int) i, error != NULL ? error->message : "nothing is said");
      g_clear_error (&error);
    }
  g_assert_null (armilla_table_read (path, -1, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_clear_error (&error);
  {
    g_autoptr (ArmillaTable) table = make ();
    g_autofree char *fits = write_table (fixture, "hdu.fits", table, ARMILLA_TABLE_FITS);

    g_assert_null (armilla_table_read (fits, 0, &error));
    g_assert_nonnull (strstr (error->message, "HDU 0 is not a binary table"));
    g_clear_error (&error);
    g_assert_null (armilla_table_read (fits, 7, &error));
    g_assert_nonnull (strstr (error->message, "no HDU 7; the last one is 1"));
    g_clear_error (&error);
  }
}

/* Writes a table by CFITSIO whose columns are called C0, C1 and so on, with the raw bytes of
 * integers; the cards scale them. */
static char *
write_raw (Fixture *fixture, int n_columns, const char *const *forms, const LONGLONG (*raw)[3],
           const char *const *cards)
{
  char *path = fixture_path (fixture, "raw.fits"), *names[8];
  fitsfile *file;
  int status = 0;

  for (int i = 0; i < n_columns; i++)
    names[i] = g_strdup_printf ("C%d", i);
  g_remove (path);
  fits_create_diskfile (&file, path, &status);
  fits_create_tbl (file, BINARY_TBL, 3, n_columns, names, (char **) forms, NULL, NULL, &status);
  for (int i = 0; i < n_columns; i++)
    fits_write_col (file, TLONGLONG, i + 1, 1, 1, 3, (void *) raw[i], &status);
  for (; *cards != NULL; cards++)
    fits_write_record (file, *cards, &status);
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
  for (int i = 0; i < n_columns; i++)
    g_free (names[i]);
  return path;
}

/* Integers of every size and sign stay integers, whatever the offset. */
static void
test_integers (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const forms[] = { "K", "K", "B", "K", "K", "I", "K" };
  static const LONGLONG raw[][3] = { { G_MININT64, 0, G_MAXINT64 }, { G_MININT64, -1, 60000 },
    { 0, 127, 255 }, { 9007199254740993, 5, 7 }, { 3, 5, 7 }, { -32768, 0, 32767 },
    { G_MININT64, G_MININT64 + 1, -1 } };
  static const char *const cards[]
    = { "TZERO1  =  9223372036854775808", "TZERO3  = -128", "TNULL4  = 7", "TNULL5  = 7",
        "TSCAL6  = 0.25", "TZERO7  = 9223372036854775808", NULL };
  g_autofree char *path = write_raw (fixture, G_N_ELEMENTS (forms), forms, raw, cards);
  GError *error = NULL;
  g_autoptr (ArmillaTable) table = armilla_table_read (path, -1, &error);
  const ArmillaColumn *c = table != NULL ? table->columns : NULL;

  g_assert_no_error (error);
  g_assert_cmpint (c[0].type, ==, ARMILLA_COLUMN_INT128);
  g_assert_true (c[0].wide[0] == 0 && c[0].wide[1] == (ArmillaInt128) G_MAXINT64 + 1
                 && c[0].wide[2] == (ArmillaInt128) G_MAXUINT64);
  g_assert_cmpint (c[1].type, ==, ARMILLA_COLUMN_INT64);
  g_assert_true (c[1].integers[0] == G_MININT64 && c[1].integers[2] == 60000);
  g_assert_cmpint (c[2].type, ==, ARMILLA_COLUMN_INT64);
  g_assert_true (c[2].integers[0] == -128 && c[2].integers[2] == 127);
  /* undefined beside an integer that no double equals, and beside small ones */
  g_assert_cmpint (c[3].type, ==, ARMILLA_COLUMN_STRING);
  g_assert_cmpstr (c[3].strings[0], ==, "9007199254740993");
  g_assert_cmpstr (c[3].strings[2], ==, "");
  g_assert_cmpint (c[4].type, ==, ARMILLA_COLUMN_DOUBLE);
  g_assert_true (c[4].doubles[0] == 3 && isnan (c[4].doubles[2]));
  g_assert_cmpint (c[5].type, ==, ARMILLA_COLUMN_DOUBLE);
  g_assert_true (c[5].doubles[0] == -8192 && c[5].doubles[2] == 8191.75);
  g_assert_cmpint (c[6].type, ==, ARMILLA_COLUMN_INT64);
  g_assert_true (c[6].integers[0] == 0 && c[6].integers[2] == G_MAXINT64);
}

/* Vectors, and texts in an array, are columns of their own; what cannot be read is not needed. */
static void
test_vectors (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  char *names[] = { (char *) "MAG", (char *) "TAG", (char *) "NONE" };
  char *forms[] = { (char *) "3E", (char *) "6A2", (char *) "0D" };
  double mags[6] = { 1, 2, 3, 4, 5, 6 };
  char *tags[] = { (char *) "ab", (char *) "c", (char *) "", (char *) "d", (char *) "ef",
                   (char *) "gh" };
  g_autofree char *path = fixture_path (fixture, "vectors.fits");
  g_autoptr (ArmillaTable) table = NULL;
  GError *error = NULL;
  fitsfile *file;
  int status = 0;

  fits_create_diskfile (&file, path, &status);
  fits_create_tbl (file, BINARY_TBL, 2, 3, names, forms, NULL, NULL, &status);
  fits_write_col (file, TDOUBLE, 1, 1, 1, 6, mags, &status);
  fits_write_col (file, TSTRING, 2, 1, 1, 6, tags, &status);
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
  table = armilla_table_read (path, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (table->n_columns, ==, 6);
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *mag = g_strdup_printf ("MAG_%d", i + 1);
      g_autofree char *tag = g_strdup_printf ("TAG_%d", i + 1);

      g_assert_cmpstr (table->columns[i].name, ==, mag);
      g_assert_cmpstr (table->columns[3 + i].name, ==, tag);
      for (int row = 0; row < 2; row++)
        {
          g_assert_cmpfloat (table->columns[i].doubles[row], ==, mags[3 * row + i]);
          g_assert_cmpstr (table->columns[3 + i].strings[row], ==, tags[3 * row + i]);
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  FIXTURE_ADD ("/table-reader/back", NULL, test_back);
  FIXTURE_ADD ("/table-reader/empty", NULL, test_empty);
  FIXTURE_ADD ("/table-reader/text", NULL, test_text);
  FIXTURE_ADD ("/table-reader/dialects", NULL, test_dialects);
  FIXTURE_ADD ("/table-reader/refused", NULL, test_refused);
  FIXTURE_ADD ("/table-reader/integers", NULL, test_integers);
  FIXTURE_ADD ("/table-reader/vectors", NULL, test_vectors);
  return g_test_run ();
}
