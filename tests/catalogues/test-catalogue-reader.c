/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/catalogue.h"
#include "tests/lib/fits-fixture.h"

#include <armilla/catalogue.h>
#include <fitsio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define N 5

static const ArmillaCatalogueColumns equatorial = { .coordsys = 'C' };

/* CFITSIO writes a table: what we read was written by others. */
static char *
write_fits (Fixture *fixture, int n_columns, const char *const *names, const char *const *forms,
            const char *const *units, const double *const *values, int n_rows)
{
  char *path = fixture_path (fixture, "catalogue.fits");
  fitsfile *file;
  int status = 0;

  g_remove (path);
  fits_create_diskfile (&file, path, &status);
  fits_create_tbl (file, BINARY_TBL, n_rows, n_columns, (char **) names, (char **) forms,
                   (char **) units, "OBJECTS", &status);
  for (int i = 0; i < n_columns && n_rows > 0; i++)
    if (values[i] != NULL)
      fits_write_col (file, TDOUBLE, i + 1, 1, 1, n_rows, (void *) values[i], &status);
  fits_write_chksum (file, &status);
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
  return path;
}

static ArmillaCatalogue *
read_all (const char *path, const ArmillaCatalogueColumns *columns)
{
  GError *error = NULL;
  g_autoptr (ArmillaCatalogueReader) reader
    = armilla_catalogue_reader_open (path, -1, columns, &error);
  ArmillaCatalogue *catalogue;

  g_assert_no_error (error);
  catalogue = armilla_catalogue_reader_read (reader, &error);
  g_assert_no_error (error);
  g_assert_cmpint (catalogue->n, ==, armilla_catalogue_reader_count (reader));
  return catalogue;
}

/* Opening or reading fails with this code and these words. */
static void
refuse (const char *path, int hdu, const ArmillaCatalogueColumns *columns, int code,
        const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaCatalogueReader) reader
    = armilla_catalogue_reader_open (path, hdu, columns, &error);
  g_autoptr (ArmillaCatalogue) catalogue
    = reader != NULL ? armilla_catalogue_reader_read (reader, &error) : NULL;

  g_assert_null (catalogue);
  g_assert_error (error, ARMILLA_ERROR, code);
  /* the file is named, or the key that is to blame */
  if (strstr (error->message, part) == NULL
      || (strstr (error->message, path) == NULL
          && !g_str_has_prefix (error->message, "longitude-unit: ")))
    g_error ("\"%s\" is not in \"%s\"", part, error->message);
}

static const double ra[N] = { 0, 90, 180, 270, 359.5 }, dec[N] = { 0, 30, -30, 90, -90 };
static const double hours[N] = { 0, 6, 12, 18, 23.966666666666665 };
static const double weight[N] = { 1, 2, 0, 4, 0.5 }, g1[N] = { 0.1, 0.2, 0.3, 0.4, 0.5 };
static const double patch[N] = { 0, 1, 2, 1, 0 };

static void
check_positions (const ArmillaCatalogue *cat)
{
  for (int i = 0; i < N; i++)
    {
      const double l = ra[i] * G_PI / 180, b = dec[i] * G_PI / 180;

      /* angles in double times a rounded pi: 4e-16 at most */
      g_assert_cmpfloat (fabs (cat->x[i] - cos (b) * cos (l)), <, 1e-15);
      g_assert_cmpfloat (fabs (cat->y[i] - cos (b) * sin (l)), <, 1e-15);
      g_assert_cmpfloat (fabs (cat->z[i] - sin (b)), <, 1e-15);
    }
}

static void
test_fits (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const char *names[] = { "id", "ALPHA", "dec", "W", "e1", "e2", "jk" };
  const char *forms[] = { "4A", "D", "D", "E", "D", "D", "I" };
  const char *units[] = { "", "hour", "deg", "", "", "", "" };
  const double *values[] = { NULL, hours, dec, weight, g1, g1, patch };
  g_autofree char *path = write_fits (fixture, 7, names, forms, units, values, N);
  ArmillaCatalogueColumns columns = { .column = { "alpha", "2", NULL, NULL, NULL, "w", "e1", "e2",
                                                  "JK" },
                                      .coordsys = 'C', .flip_g2 = TRUE, .n_patches = 3 };
  g_autoptr (ArmillaCatalogue) cat = read_all (path, &columns);
  g_autoptr (ArmillaCatalogue) bare = NULL;

  check_positions (cat);
  g_assert_true (cat->coordsys == 'C');
  g_assert_cmpint (cat->n_patches, ==, 3);
  for (int i = 0; i < N; i++)
    {
      g_assert_true (cat->weight[i] == weight[i] && cat->patch[i] == (int) patch[i]);
      if (dec[i] == 90 || dec[i] == -90)
        continue;
      g_assert_true (cat->g1[i] == g1[i] && cat->g2[i] == -g1[i]);
    }
  /* at the north pole, longitude 270: psi - 270 deg turns (g, -g) into (-g, g) */
  g_assert_cmpfloat (fabs (cat->g1[3] + g1[3]), <, 1e-16);
  g_assert_cmpfloat (fabs (cat->g2[3] - g1[3]), <, 1e-16);
  columns = (ArmillaCatalogueColumns) { .column = { "ALPHA", "dec" }, .coordsys = 'C' };
  bare = read_all (path, &columns);
  check_positions (bare);
  g_assert_true (bare->weight == NULL && bare->g1 == NULL && bare->patch == NULL);
}

/* Weights and patches of unsigned integers, 64 bits and less. */
static void
test_unsigned (Fixture *fixture, gconstpointer data)
{
  const char *names[] = { "RA", "DEC", "W", "P", "ID" };
  const char *forms[] = { "D", "D", data, data, data };
  const char *units[] = { "deg", "deg", "", "", "" };
  const double counts[N] = { 1, 60000, 0, 4, 5 };
  const double *values[] = { ra, dec, counts, patch, counts };
  g_autofree char *path = write_fits (fixture, 5, names, forms, units, values, N);
  const char *const further[] = { "ID", NULL };
  ArmillaCatalogueColumns columns = { .column = { [ARMILLA_ROLE_WEIGHT] = "W",
                                                  [ARMILLA_ROLE_PATCH] = "P" },
                                      .values = further, .coordsys = 'C', .n_patches = 3 };
  g_autoptr (ArmillaCatalogue) cat = read_all (path, &columns);

  check_positions (cat);
  for (int i = 0; i < N; i++)
    {
      g_assert_cmpfloat (cat->weight[i], ==, counts[i]);
      g_assert_cmpfloat (cat->values[0].value[i], ==, counts[i]);
      g_assert_cmpint (cat->patch[i], ==, (int) patch[i]);
    }
}

/* COORDSYS counts unless the caller says what the angles are. */
static void
test_coordsys (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct { const char *word; char given, found; gboolean note; } cases[] = {
    { "GALACTIC", 0, 'G', FALSE }, { "EQUATORIAL", 0, 'C', FALSE }, { "e", 0, 'E', FALSE },
    { "Earth", 0, 'C', TRUE },     { "GALACTIC", 'E', 'E', TRUE },  { "ICRS", 'C', 'C', FALSE },
  };
  const char *names[] = { "LON", "LAT" }, *forms[] = { "D", "D" }, *units[] = { "deg", "deg" };
  const double *values[] = { ra, dec };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_fits (fixture, 2, names, forms, units, values, N);
      ArmillaCatalogueColumns columns = { .column = { "LON", "LAT" }, .coordsys = cases[i].given };
      g_autoptr (ArmillaCatalogueReader) reader = NULL;
      g_autoptr (ArmillaCatalogue) cat = NULL;
      fitsfile *file;
      int status = 0;

      fits_open_diskfile (&file, path, READWRITE, &status);
      fits_movabs_hdu (file, 2, NULL, &status);
      fits_write_key_str (file, "COORDSYS", cases[i].word, NULL, &status);
      fits_write_chksum (file, &status);
      fits_close_file (file, &status);
      g_assert_cmpint (status, ==, 0);
      reader = armilla_catalogue_reader_open (path, -1, &columns, NULL);
      cat = armilla_catalogue_reader_read (reader, NULL);
      g_assert_cmpint (cat->coordsys, ==, cases[i].found);
      g_assert_true ((armilla_catalogue_reader_note (reader) != NULL) == cases[i].note);
      check_positions (cat);
    }
}

/* Scaled integers, single precision, names that are guessed, gzip. */
static void
test_columns (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const char *names[] = { "RAJ2000", "DEJ2000" }, *forms[] = { "J", "E" };
  const char *units[] = { "arcsec", "degrees" };
  const double *values[] = { ra, dec };
  g_autofree char *path = write_fits (fixture, 2, names, forms, units, values, N);
  g_autofree char *packed = fixture_path (fixture, "catalogue.fits.gz");
  g_autofree guint8 *bytes = NULL;
  g_autoptr (ArmillaCatalogue) cat = NULL;
  g_autoptr (ArmillaCatalogue) again = NULL;
  double scale = 1800, zero = 0;
  fitsfile *file;
  int status = 0;
  gsize n;

  fits_open_diskfile (&file, path, READWRITE, &status);
  fits_movabs_hdu (file, 2, NULL, &status);
  fits_update_key (file, TDOUBLE, "TSCAL1", &scale, NULL, &status);
  fits_update_key (file, TDOUBLE, "TZERO1", &zero, NULL, &status);
  fits_set_hdustruc (file, &status);
  for (int i = 0; i < N; i++)
    {
      double seconds = 3600 * ra[i];

      fits_write_col (file, TDOUBLE, 1, i + 1, 1, 1, &seconds, &status);
    }
  fits_write_chksum (file, &status);
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
  cat = read_all (path, &equatorial);
  check_positions (cat);
  fixture_load (path, &bytes, &n);
  fixture_gzip (packed, bytes, n);
  again = read_all (packed, &equatorial);
  check_positions (again);
  /* a user's unit counts more than the file's */
  armilla_catalogue_unref (g_steal_pointer (&cat));
  cat = read_all (path, &(ArmillaCatalogueColumns) { .coordsys = 'C', .unit = { "rad", "deg" } });
  g_assert_cmpfloat (fabs (cat->x[1] - cos (G_PI / 6) * cos (324000)), <, 1e-12);
}

static void
test_vectors (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const char *names[] = { "x", "y", "z" }, *forms[] = { "D", "D", "D" }, *units[] = { "", "", "" };
  const double x[] = { 1, 0.6 }, y[] = { 0, 0 }, z[] = { 0, -0.8 }, *values[] = { x, y, z };
  g_autofree char *path = write_fits (fixture, 3, names, forms, units, values, 2);
  const ArmillaCatalogueColumns columns = { .column = { [ARMILLA_ROLE_X] = "x", "y", "z" },
                                            .coordsys = 'C' };
  g_autoptr (ArmillaCatalogue) cat = read_all (path, &columns);

  g_assert_true (cat->x[0] == 1 && cat->x[1] == 0.6 && cat->z[1] == -0.8);
  refuse (path, -1, &equatorial, ARMILLA_ERROR_UNKNOWN, "no columns look like right ascension");
  refuse (path, -1, &(ArmillaCatalogueColumns) { .column = { [ARMILLA_ROLE_X] = "x" } },
          ARMILLA_ERROR_VALUE, "x, y and z are needed together");
  refuse (path, -1, &(ArmillaCatalogueColumns) { .column = { "x", "y", "x", "y", "z" } },
          ARMILLA_ERROR_VALUE, "not both");
}

static const char *const texts[] = {
  "# ra dec w\n0 0 1\n90 30 2\n180 -30 0\n270 90 4\n359.5 -90 .5\n",
  "name,RA,DEC,w\na,0,0,1\nb,90,3d1,2\n\nc,180,-30,0\r\nd,270,+90,4\ne,359.5,-9.0D1,0.5",
  "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: ra, unit: deg, datatype: float64}\n"
  "# - {name: dec, unit: deg, datatype: float64}\n# - {name: w, datatype: float64}\n"
  "# - {name: note, datatype: string}\n\"ra\" dec w note\n"
  "0 0 1 \"a b\"\n90 30 2 \"\"\n180 -30 0 x\n"
  "270 90 4 y\n359.5 -90 0.5 z\n",
};

static void
test_text (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const ArmillaCatalogueColumns columns = { .column = { [ARMILLA_ROLE_WEIGHT] = "w" },
                                            .unit = { "deg", "deg" }, .coordsys = 'C' };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = fixture_path (fixture, "catalogue.txt");
      g_autoptr (ArmillaCatalogue) cat = NULL;

      fixture_store (path, texts[i], strlen (texts[i]));
      cat = read_all (path, &columns);
      check_positions (cat);
      for (int k = 0; k < N; k++)
        g_assert_true (cat->weight[k] == weight[k]);
    }
}

/* Text as others write it, with blanks and commas within fields, and numbers of columns: two
 * objects, at (7.7, 31.28) and (3.72, -39.2), and a third column. */
static const struct {
  const char *text, *longitude, *latitude, *value, *name;
  double first, second;
} foreign[] = {
  { "name,ra,dec,z err\nNGC 44,7.7,31.28,0.1\nNGC 55,3.72,-39.2,\n", NULL, NULL, "z err", "z err",
    0.1, NAN },
  { "NGC 44,7.7,31.28,4\nNGC 55,3.72,-39.2,nan\n", "1", "2", "3", "COLUMN3", 4, NAN },
  { "1,,7.7,31.28,5\n2,7,3.72,-39.2,6\n", "2", "3", "1", "COLUMN1", NAN, 7 },
  { "\357\273\277RA;DEC;q\n7.7;31.28;1\n3.72;-39.2;NULL\n", NULL, NULL, "q", "q", 1, NAN },
  { ",ra,dec\n0,7.7,31.28\n1,3.72,-39.2\n", NULL, NULL, "0", "COLUMN0", 0, 1 },
  { "ra\tdec\texp time\n7.7\t31.28\t30\n3.72\t-39.2\t31\n", NULL, NULL, "exp time", "exp time",
    30, 31 },
  { "\"a, b\",\"dec\",\"ra\"\r\n7,\"31.28\",\"7.7\"\r\n8,-39.2,3.72\r\n", NULL, NULL, "a, b",
    "a, b", 7, 8 },
};

static void
check_two (const ArmillaCatalogue *cat)
{
  static const double at[2][2] = { { 7.7, 31.28 }, { 3.72, -39.2 } };

  g_assert_cmpint (cat->n, ==, 2);
  for (int k = 0; k < 2; k++)
    {
      g_assert_cmpfloat (fabs (cat->z[k] - sin (at[k][1] * G_PI / 180)), <, 1e-15);
      g_assert_cmpfloat (fabs (atan2 (cat->y[k], cat->x[k]) * 180 / G_PI - at[k][0]), <, 1e-13);
    }
}

static gboolean
equal (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

static void
test_foreign (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char ecsv[]
    = "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
      "# - {name: ra, unit: hourangle, datatype: float64}\n"
      "# - {name: dec, unit: deg, datatype: float64}\n"
      "# - {name: mag, unit: mag, datatype: float32}\n"
      "ra,dec,mag\n0.51333333333333333,31.28,\n0.248,-39.2,20.5\n";
  g_autofree char *path = fixture_path (fixture, "catalogue.txt");
  ArmillaCatalogueColumns columns = { .coordsys = 'C' };
  const char *values[] = { "mag", NULL };
  g_autoptr (ArmillaCatalogue) units = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (foreign); i++)
    {
      const char *further[] = { foreign[i].value, NULL };
      const ArmillaCatalogueColumns how = { .column = { foreign[i].longitude, foreign[i].latitude },
                                            .unit = { "deg", "deg" }, .coordsys = 'C',
                                            .values = further };
      g_autoptr (ArmillaCatalogue) cat = NULL;

      fixture_store (path, foreign[i].text, strlen (foreign[i].text));
      cat = read_all (path, &how);
      check_two (cat);
      g_assert_cmpstr (cat->values[0].name, ==, foreign[i].name);
      g_assert_true (equal (cat->values[0].value[0], foreign[i].first));
      g_assert_true (equal (cat->values[0].value[1], foreign[i].second));
    }
  fixture_store (path, ecsv, strlen (ecsv));
  columns.values = values;
  units = read_all (path, &columns);
  check_two (units);
  g_assert_cmpstr (units->values[0].unit, ==, "mag");
  g_assert_true (isnan (units->values[0].value[0]) && units->values[0].value[1] == 20.5);
}

static const struct {
  const char *text;
  const char *unit;
  int code;
  const char *part;
} bad_texts[] = {
  { "ra dec\n1 2\n", "", ARMILLA_ERROR_VALUE, "column 0 \"ra\" has no unit" },
  { "ra dec\n1 2\n", "pc", ARMILLA_ERROR_UNKNOWN, "longitude-unit: \"pc\" is not a unit of angle" },
  { "ra dec\n1 2\n3\n", "deg", ARMILLA_ERROR_PARSE, ":3: has 1 columns, but the lines above" },
  { "ra dec\n1 2\n3 x\n", "deg", ARMILLA_ERROR_PARSE, ":3: 'x' (column 1, latitude) is not" },
  { "ra dec z\n1 2\n", "deg", ARMILLA_ERROR_PARSE,
    ":2: has 2 columns, but the lines above have 3" },
  { "ra dec\n# nothing\n", "deg", ARMILLA_ERROR_VALUE, "the catalogue has no rows" },
  { "ra b\n1 2\n", "deg", ARMILLA_ERROR_UNKNOWN, "no columns look like right ascension and" },
  { "1 2\n3 4\n", "deg", ARMILLA_ERROR_UNKNOWN, "it has 0, 1" },
  { "ra dec\n1 91\n", "deg", ARMILLA_ERROR_VALUE, "object 1: the declination (latitude) is 91" },
  { "ra dec\n1 2\nnan 1\n", "deg", ARMILLA_ERROR_NUMERIC, "object 2: the right ascension" },
  { "ra,dec\n1,2\n,1\n2,NA\n,3\n", "deg", ARMILLA_ERROR_NUMERIC,
    "; longitude is missing (NaN) in 2 of the 4 rows; latitude is missing (NaN) in 1 of the 4" },
  { "ra dec\n1 2\n1 inf\n", "deg", ARMILLA_ERROR_VALUE, "from -90 to 90 deg" },
};

static void
test_bad_text (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "catalogue.txt");

  for (gsize i = 0; i < G_N_ELEMENTS (bad_texts); i++)
    {
      const ArmillaCatalogueColumns columns = { .unit = { bad_texts[i].unit, bad_texts[i].unit },
                                                .coordsys = 'C' };
      int code = bad_texts[i].code;

      if (strstr (bad_texts[i].text, "inf") != NULL)
        code = ARMILLA_ERROR_NUMERIC;
      fixture_store (path, bad_texts[i].text, strlen (bad_texts[i].text));
      refuse (path, -1, &columns, code, bad_texts[i].part);
    }
  fixture_store (path, "ra dec\n1 \0 2\n", 13);
  refuse (path, -1, &equatorial, ARMILLA_ERROR_IO, "is neither a FITS file nor text");
  fixture_store (path, "PAR1\x15\x04\x15\0PAR1", 12);
  refuse (path, -1, &equatorial, ARMILLA_ERROR_IO, "convert it in Python with astropy and pyarr");
  fixture_store (path, "PAR1 b\n1 2\n", 11);
  refuse (path, -1, &equatorial, ARMILLA_ERROR_UNKNOWN, "PAR1");
  fixture_store (path, "", 0);
  refuse (path, -1, &equatorial, ARMILLA_ERROR_IO, "is empty");
  g_remove (path);
  refuse (path, -1, &equatorial, ARMILLA_ERROR_IO, "No such file");
}

static void
refuse_column (const char *path, ArmillaCatalogueRole role, const char *name, int n_patches,
               int code, const char *part)
{
  ArmillaCatalogueColumns columns = { .coordsys = 'C', .n_patches = n_patches };

  columns.column[role] = name;
  if (role == ARMILLA_ROLE_G1)
    columns.column[ARMILLA_ROLE_G2] = name;
  refuse (path, -1, &columns, code, part);
}

static void
test_bad_fits (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const char *names[] = { "RA", "DEC", "MAG", "W", "NAN", "TEXT", "PAIR" };
  const char *forms[] = { "D", "D", "E", "D", "D", "3A", "2D" };
  const char *units[] = { "deg", "deg", "mag", "", "", "", "" };
  const double negative[N] = { 1, 1, -2, 1, 1 }, nan_values[N] = { 1, 1, 1, NAN, 1 };
  const double *values[] = { ra, dec, ra, negative, nan_values, NULL, ra };
  g_autofree char *path = write_fits (fixture, 7, names, forms, units, values, N);
  ArmillaCatalogueColumns columns = equatorial;

  refuse_column (path, ARMILLA_ROLE_WEIGHT, "WEIGHT", 0, ARMILLA_ERROR_UNKNOWN,
                 "no column \"WEIGHT\" (weight); it has 0 RA, 1 DEC, 2 MAG");
  refuse_column (path, ARMILLA_ROLE_WEIGHT, "W", 0, ARMILLA_ERROR_VALUE,
                 "object 3: the weight is -2; it must be finite and not negative");
  refuse_column (path, ARMILLA_ROLE_WEIGHT, "NAN", 0, ARMILLA_ERROR_NUMERIC,
                 "object 4: the weight is nan");
  refuse_column (path, ARMILLA_ROLE_WEIGHT, "TEXT", 0, ARMILLA_ERROR_SHAPE,
                 "column 5 \"TEXT\" (weight) is not numeric");
  refuse_column (path, ARMILLA_ROLE_WEIGHT, "PAIR", 0, ARMILLA_ERROR_SHAPE,
                 "has 2 values per row");
  refuse_column (path, ARMILLA_ROLE_PATCH, "RA", 10, ARMILLA_ERROR_VALUE, "patch = 90");
  refuse_column (path, ARMILLA_ROLE_PATCH, "RA", 0, ARMILLA_ERROR_VALUE, "patch and patches");
  columns.column[ARMILLA_ROLE_G2] = "MAG";
  refuse (path, -1, &columns, ARMILLA_ERROR_VALUE, "g1 and g2 are needed together");
  columns = (ArmillaCatalogueColumns) { .column = { "MAG", "DEC" }, .coordsys = 'C' };
  refuse (path, -1, &columns, ARMILLA_ERROR_UNKNOWN,
          "column 2 \"MAG\" is in \"mag\", which is not a unit of angle; choose another column");
  columns = (ArmillaCatalogueColumns) { .column = { "MAG", "W" }, .unit = { "deg", "" } };
  refuse (path, -1, &columns, ARMILLA_ERROR_VALUE, "set latitude-unit");
  refuse (path, 0, &equatorial, ARMILLA_ERROR_SHAPE, "HDU 0 is not a binary table");
  refuse (path, 7, &equatorial, ARMILLA_ERROR_SHAPE, "no HDU 7");
  fixture_set_card (path, "NAXIS2", "                  50");
  refuse (path, -1, &equatorial, ARMILLA_ERROR_IO, "");
  g_free (path);
  path = write_fits (fixture, 2, names, forms, units, values, 0);
  refuse (path, -1, &equatorial, ARMILLA_ERROR_VALUE, "the catalogue has no rows");
}

/* Blocks of rows: the last object of 70001 is where it belongs. */
static void
test_many (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  enum { MANY = 70001 };
  const char *names[] = { "RA", "DEC", "W" }, *forms[] = { "D", "D", "D" };
  const char *units[] = { "deg", "deg", "" };
  g_autofree double *number = g_new (double, MANY), *zero = g_new0 (double, MANY);
  const double *values[] = { number, zero, number };
  const ArmillaCatalogueColumns columns = { .column = { [ARMILLA_ROLE_WEIGHT] = "W" },
                                            .coordsys = 'C' };
  g_autofree char *path = NULL;
  g_autoptr (ArmillaCatalogue) cat = NULL;

  for (int i = 0; i < MANY; i++)
    number[i] = i;
  path = write_fits (fixture, 3, names, forms, units, values, MANY);
  cat = read_all (path, &columns);
  for (int i = 0; i < MANY; i++)
    {
      double s, c;

      armilla_angle_sin_cos (i, ARMILLA_ANGLE_DEG, &s, &c);
      g_assert_true (cat->weight[i] == i && cat->x[i] == c && cat->y[i] == s && cat->z[i] == 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  FIXTURE_ADD ("/catalogue-reader/fits", NULL, test_fits);
  FIXTURE_ADD ("/catalogue-reader/unsigned/16", "U", test_unsigned);
  FIXTURE_ADD ("/catalogue-reader/unsigned/32", "V", test_unsigned);
  FIXTURE_ADD ("/catalogue-reader/unsigned/64", "W", test_unsigned);
  FIXTURE_ADD ("/catalogue-reader/coordsys", NULL, test_coordsys);
  FIXTURE_ADD ("/catalogue-reader/columns", NULL, test_columns);
  FIXTURE_ADD ("/catalogue-reader/vectors", NULL, test_vectors);
  FIXTURE_ADD ("/catalogue-reader/text", NULL, test_text);
  FIXTURE_ADD ("/catalogue-reader/foreign", NULL, test_foreign);
  FIXTURE_ADD ("/catalogue-reader/bad-text", NULL, test_bad_text);
  FIXTURE_ADD ("/catalogue-reader/bad-fits", NULL, test_bad_fits);
  FIXTURE_ADD ("/catalogue-reader/many", NULL, test_many);
  return g_test_run ();
}
