/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as other programs make them: CFITSIO writes, our reader reads. */
#include "tests/lib/fits-fixture.h"

#include <armilla/table.h>
#include <fitsio.h>
#include <glib/gstdio.h>
#include <string.h>

/* A HEALPix table made by CFITSIO: the pixel column, unless it has no format, and one of values. */
static void
make_table_of (const char *path, int nside, const char *ordering, const char *pixel_form, int n,
               const LONGLONG *pixels, const char *form, const double *values)
{
  char *ttype[] = { (char *) "PIXEL", (char *) "SIGNAL" };
  char *tform[] = { (char *) pixel_form, (char *) form };
  char *tunit[] = { (char *) "", (char *) "K" };
  fitsfile *fits;
  int status = 0, first = pixel_form == NULL;

  fits_create_diskfile (&fits, path, &status);
  fits_create_tbl (fits, BINARY_TBL, n, 2 - first, ttype + first, tform + first, tunit + first,
                   NULL, &status);
  fits_write_key_str (fits, "ORDERING", ordering, NULL, &status);
  fits_write_key_lng (fits, "NSIDE", nside, NULL, &status);
  if (!first)
    {
      fits_write_key_str (fits, "OBJECT", "PARTIAL", NULL, &status);
      fits_write_col (fits, TLONGLONG, 1, 1, 1, n, (void *) pixels, &status);
    }
  fits_write_col (fits, TDOUBLE, 2 - first, 1, 1, n, (void *) values, &status);
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
}

static void
make_table (const char *path, const char *ordering, const char *pixel_form, int n,
            const LONGLONG *pixels, const char *form, const double *values)
{
  make_table_of (path, 1, ordering, pixel_form, n, pixels, form, values);
}

static double *
read_table (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaMapReader) reader = armilla_map_reader_open (path, 0, &error);
  double *pixels = g_new (double, 12);

  g_assert_no_error (error);
  g_assert_cmpstr (armilla_map_reader_header (reader)->fields.names[0], ==, "SIGNAL");
  g_assert_cmpstr (armilla_map_reader_header (reader)->fields.units[0], ==, "K");
  armilla_map_reader_read (reader, 0, 0, 12, pixels, &error);
  g_assert_no_error (error);
  return pixels;
}

/* Pixel numbers of every integer type, in any order; nested ones go to their place in the ring. */
static void
test_partial (Fixture *fixture, gconstpointer data)
{
  const LONGLONG pixels[] = { 7, 0, 11 };
  const double values[] = { 1, 2, 3 };
  g_autofree char *path = fixture_path (fixture, "map.fits");

  for (int nested = 0; nested < 2; nested++)
    {
      g_autofree double *map = NULL;
      int n = 0;

      make_table (path, nested ? "NESTED" : "RING", data, 3, pixels, "E", values);
      map = read_table (path);
      for (int i = 0; i < 12; i++)
        n += armilla_is_unseen (map[i]);
      g_assert_cmpint (n, ==, 9);
      /* healpy.nest2ring (1, [7, 0, 11]) gives [7, 0, 11]: at nside 1 both orders agree. */
      g_assert_cmpfloat (map[7], ==, 1);
      g_assert_cmpfloat (map[0], ==, 2);
      g_assert_cmpfloat (map[11], ==, 3);
      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

/* Pixel numbers beyond 2^32, at nside 32768. */
static void
test_large (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const LONGLONG pixels[] = { 12884901887, 5000000000, 0 };
  /* healpy.nest2ring (32768, [12884901887, 5000000000, 0]) */
  const gint64 ring[] = { 6442631168, 6826150264, 6442270720 };
  const double values[] = { 1, 2, 3 };
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autoptr (GError) error = NULL;

  for (int nested = 0; nested < 2; nested++)
    {
      g_autoptr (ArmillaMapReader) reader = NULL;

      make_table_of (path, 32768, nested ? "NESTED" : "RING", "K", 3, pixels, "D", values);
      reader = armilla_map_reader_open (path, 0, &error);
      g_assert_no_error (error);
      for (int i = 0; i < 3; i++)
        {
          gint64 first = MAX ((nested ? ring[i] : pixels[i]) - 2, 0);
          double piece[3];

          /* The pixel ends the piece, or, the very first one, begins it. */
          armilla_map_reader_read (reader, 0, first, 3, piece, &error);
          g_assert_no_error (error);
          g_assert_cmpfloat (piece[first == 0 ? 0 : 2], ==, values[i]);
          g_assert_cmpfloat (piece[1], ==, ARMILLA_UNSEEN);
        }
      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

static void
test_bad_pixels (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    LONGLONG pixels[3];
    const char *message;
  } bad[] = { { { 7, 12, 0 }, "*row 2: pixel number 12 is not from 0 to 11*" },
              { { 7, 0, -1 }, "*row 3: pixel number -1 is not from 0 to 11*" },
              { { 7, 0, 7 }, "*pixel number 7 is listed twice, in rows * and *" },
              { { 5, 5, 6 }, "*pixel number 5 is listed twice*" } };
  const double values[] = { 1, 2, 3 };
  g_autofree char *path = fixture_path (fixture, "map.fits");

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      make_table (path, "RING", "K", 3, bad[i].pixels, "E", values);
      fixture_refuse (path, ARMILLA_ERROR_VALUE, bad[i].message);
      g_assert_cmpint (g_remove (path), ==, 0);
    }
  make_table (path, "RING", "D", 3, bad[0].pixels, "E", values);
  fixture_refuse (path, ARMILLA_ERROR_SHAPE, "*'PIXEL' must hold integers*");
}

/* Columns of every numeric type, as CFITSIO writes them. */
static void
test_types (Fixture *fixture, gconstpointer data)
{
  const char *form = data;
  double values[12];
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree double *map = NULL;

  for (int i = 0; i < 12; i++)
    values[i] = 3 * i;
  make_table (path, "RING", NULL, 12, NULL, form, values);
  map = read_table (path);
  g_assert_cmpmem (map, sizeof values, values, sizeof values);
}

/* TSCAL, TZERO and TNULL: 16-bit integers that stand for 0.5 i + 100, one of them undefined. */
static void
test_scaled (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  double values[12];
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree double *map = NULL;
  fitsfile *fits;
  int status = 0;

  for (int i = 0; i < 12; i++)
    values[i] = i;
  make_table (path, "RING", NULL, 12, NULL, "I", values);
  fits_open_diskfile (&fits, path, READWRITE, &status);
  fits_movabs_hdu (fits, 2, NULL, &status);
  fits_write_key_dbl (fits, "TSCAL1", 0.5, 10, NULL, &status);
  fits_write_key_dbl (fits, "TZERO1", 100, 10, NULL, &status);
  fits_write_key_lng (fits, "TNULL1", 3, NULL, &status);
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
  map = read_table (path);
  for (int i = 0; i < 12; i++)
    g_assert_cmpfloat (map[i], ==, i == 3 ? ARMILLA_UNSEEN : 0.5 * i + 100);
}

/* healpy.write_map of a mask of booleans makes a column of type L. */
static void
test_logical (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  char *ttype[] = { (char *) "SIGNAL" }, *tform[] = { (char *) "L" }, *tunit[] = { (char *) "K" };
  char truth[12] = { 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1 };
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree double *map = NULL;
  fitsfile *fits;
  int status = 0;

  fits_create_diskfile (&fits, path, &status);
  fits_create_tbl (fits, BINARY_TBL, 12, 1, ttype, tform, tunit, NULL, &status);
  fits_write_col (fits, TLOGICAL, 1, 1, 1, 12, truth, &status);
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
  map = read_table (path);
  for (int i = 0; i < 12; i++)
    g_assert_cmpfloat (map[i], ==, truth[i]);
}

/* A map that stands behind a table of something else is found. */
static void
test_second_table (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  char *ttype[] = { (char *) "FREQUENCY" }, *tform[] = { (char *) "D" };
  char *names[] = { (char *) "SIGNAL" }, *units[] = { (char *) "K" };
  double values[12] = { 5, 6, 7, 8 };
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree double *map = NULL;
  g_autoptr (GError) error = NULL;
  fitsfile *fits;
  int status = 0;

  fits_create_diskfile (&fits, path, &status);
  fits_create_tbl (fits, BINARY_TBL, 2, 1, ttype, tform, NULL, NULL, &status);
  fits_create_tbl (fits, BINARY_TBL, 12, 1, names, tform, units, NULL, &status);
  fits_write_key_lng (fits, "NSIDE", 1, NULL, &status);
  fits_write_col (fits, TDOUBLE, 1, 1, 1, 12, values, &status);
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
  map = read_table (path);
  g_assert_cmpmem (map, sizeof values, values, sizeof values);
  g_assert_null (armilla_map_reader_open (path, 1, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
}

/* A column as these keywords scale it; the bytes are those of raw. */
typedef struct {
  const char *form, *scale, *zero;
  gint64 factor;
  gint64 raw[12];
} Scaled;

static const Scaled scaled[] = {
  { "K", NULL, "9223372036854775808", 1,
    { G_MININT64, G_MININT64 + 1, G_MININT64 + 60000, G_MININT64 + 9007199254740992, 0 } },
  { "K", NULL, "-9223372036854775808", 1, { G_MAXINT64, G_MAXINT64 - 5, 0 } },
  { "K", NULL, "9223372036854775807", 1,
    { -G_MAXINT64, -G_MAXINT64 + 7, -1023, -1023, -1023, -1023, -1023, -1023, -1023, -1023, -1023,
      -G_MAXINT64 + 9007199254740991 } },
  { "K", "3.", "9.007199254740992E15", 3, { -3002399751580330, -3002399751580331, 0 } },
  { "J", NULL, "2147483648", 1, { G_MININT32, G_MAXINT32, -1 } },
  { "I", "-2", "32768.0", -2, { G_MININT16, G_MAXINT16, 7 } },
  { "B", NULL, "-128", 1, { 0, 128, 255 } },
};

static void
make_scaled (const char *path, const Scaled *given, const gint64 *raw, const char *null)
{
  const char *const values[] = { given->scale, given->zero, null };
  static const char *const keywords[] = { "TSCAL1", "TZERO1", "TNULL1" };
  char *ttype[] = { (char *) "SIGNAL" }, *tform[] = { (char *) given->form };
  char *tunit[] = { (char *) "K" };
  LONGLONG bytes[12];
  fitsfile *fits;
  int status = 0;

  for (int i = 0; i < 12; i++)
    bytes[i] = raw[i];
  fits_create_diskfile (&fits, path, &status);
  fits_create_tbl (fits, BINARY_TBL, 12, 1, ttype, tform, tunit, NULL, &status);
  fits_write_col (fits, TLONGLONG, 1, 1, 1, 12, bytes, &status);
  for (int k = 0; k < 3; k++)
    {
      g_autofree char *card = g_strdup_printf ("%-8s= %20s", keywords[k],
                                               values[k] != NULL ? values[k] : "");

      if (values[k] != NULL)
        fits_write_record (fits, card, &status);
    }
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
}

/* Integers with an integer offset are integers, against sums in 128 bits. */
static void
test_offsets (Fixture *fixture, gconstpointer data)
{
  const Scaled *given = data;
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree double *map = NULL;
  double zero = g_ascii_strtod (given->zero, NULL);
  ArmillaInt128 shift = (ArmillaInt128) zero - (g_str_has_suffix (given->zero, "807") ? 1 : 0);

  make_scaled (path, given, given->raw, NULL);
  map = read_table (path);
  for (int i = 0; i < 12; i++)
    {
      const ArmillaInt128 right = given->raw[i] * (ArmillaInt128) given->factor + shift;

      g_assert_true ((ArmillaInt128) map[i] == right && map[i] == (double) right);
    }
}

static void
refuse_read (const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaMapReader) reader = armilla_map_reader_open (path, 0, &error);
  double pixels[12];

  g_assert_no_error (error);
  g_assert_false (armilla_map_reader_read (reader, 0, 0, 12, pixels, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
  g_assert_nonnull (strstr (error->message, words));
}

/* What no double equals is an error, unless it is undefined. */
static void
test_inexact (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const Scaled plain = { .form = "K" };
  static const gint64 bits[12] = { 0, 0, 9007199254740993 };
  static const gint64 large[12] = { 0, 0, 0, G_MAXINT64 };
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree double *map = NULL;

  make_scaled (path, &plain, bits, NULL);
  refuse_read (path, "row 3 is 9007199254740993, an integer beyond 2^53");
  g_assert_cmpint (g_remove (path), ==, 0);
  make_scaled (path, &scaled[0], large, NULL);
  refuse_read (path, "row 4 is 18446744073709551615, an integer beyond 2^53");
  g_assert_cmpint (g_remove (path), ==, 0);
  make_scaled (path, &scaled[0], large, "9223372036854775807");
  map = read_table (path);
  g_assert_true (map[3] == ARMILLA_UNSEEN && map[2] == 0x1p63);
}

/* Scaled float32 in NESTED order: the product is a double, and stays one. */
static void
test_scaled_floats (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  double values[12];
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree double *map = NULL;
  fitsfile *fits;
  int status = 0;

  for (int i = 0; i < 12; i++)
    values[i] = i;
  make_table (path, "NESTED", NULL, 12, NULL, "E", values);
  fits_open_diskfile (&fits, path, READWRITE, &status);
  fits_movabs_hdu (fits, 2, NULL, &status);
  fits_write_key_dbl (fits, "TSCAL1", 0.1, 10, NULL, &status);
  fits_close_file (fits, &status);
  g_assert_cmpint (status, ==, 0);
  map = read_table (path);
  for (int i = 0; i < 12; i++) /* at nside 1 both orders agree */
    g_assert_cmpfloat (map[i], ==, i * 0.1);
}

/* A pixel number that is undefined is none; a file without NSIDE is told so. */
static void
test_missing (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const LONGLONG pixels[] = { 7, 0, 11 };
  const double values[108] = { 1, 2, 3 };
  g_autofree char *path = fixture_path (fixture, "map.fits");
  fitsfile *fits;
  int status = 0;

  for (int k = 0; k < 3; k++)
    {
      if (k == 1)
        make_table (path, "RING", NULL, 100, NULL, "E", values);
      else
        make_table (path, "RING", "K", 3, pixels, "E", values);
      fits_open_diskfile (&fits, path, READWRITE, &status);
      fits_movabs_hdu (fits, 2, NULL, &status);
      if (k == 0)
        fits_write_key_lng (fits, "TNULL1", 11, NULL, &status);
      else
        fits_delete_key (fits, "NSIDE", &status);
      fits_close_file (fits, &status);
      g_assert_cmpint (status, ==, 0);
      if (k == 0)
        fixture_refuse (path, ARMILLA_ERROR_NUMERIC, "*'PIXEL': row 3 is undefined*");
      else
        fixture_refuse (path, ARMILLA_ERROR_SHAPE,
                        k == 1 ? "*NSIDE is missing*100 values, which is not 12 nside^2*"
                               : "*NSIDE is missing*3 values, the pixels of a partial map*");
      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

/* What COORDSYS says: whole words, then letters; of anything else there is a note. */
static void
test_coordsys (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const words[][2] = {
    { "EQUATORIAL", "C" }, { "Celestial", "C" }, { "ICRS", "C" }, { "FK5", "C" }, { "J2000", "C" },
    { "C", "C" }, { "galactic", "G" }, { "g", "G" }, { "Ecliptic", "E" }, { "E ", "E" },
    { "", NULL }, { "unknown", NULL }, { "L", "note" }, { "Earth", "note" }, { "GAL", "note" },
    { "EC", "note" }, { "CAR", "note" },
  };
  g_autofree char *path = fixture_path (fixture, "map.fits");
  const double values[12] = { 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (ArmillaMapReader) reader = NULL;
      const gboolean note = g_strcmp0 (words[i][1], "note") == 0;
      fitsfile *fits;
      int status = 0;

      make_table (path, "RING", NULL, 12, NULL, "E", values);
      fits_open_diskfile (&fits, path, READWRITE, &status);
      fits_movabs_hdu (fits, 2, NULL, &status);
      fits_write_key_str (fits, "COORDSYS", words[i][0], NULL, &status);
      fits_close_file (fits, &status);
      g_assert_cmpint (status, ==, 0);
      reader = armilla_map_reader_open (path, 0, NULL);
      g_assert_cmpstr (armilla_map_reader_header (reader)->fields.coordsys, ==,
                       note ? NULL : words[i][1]);
      g_assert_true ((armilla_map_reader_note (reader) != NULL) == note);
      if (note)
        g_assert_nonnull (strstr (armilla_map_reader_note (reader), words[i][0]));
      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

/* Two columns of one name, or one called as that of pixel numbers: no such file is begun. */
static void
test_equal_names (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static char *names[][3] = { { (char *) "X", (char *) "X", NULL },
                              { (char *) "PIXEL", (char *) "X", NULL },
                              { (char *) "\302\265", (char *) "u", NULL } };
  char *units[] = { (char *) "", (char *) "", NULL };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (1, NULL);
  g_autofree char *path = fixture_path (fixture, "names.fits");

  for (int k = 0; k < 3; k++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
      ArmillaMapHeader header = { .grid = grid, .fields.n = 2, .fields.names = names[k],
                                  .fields.units = units, .partial = k == 1 };

      g_assert_null (armilla_map_writer_open (output, &header, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
      g_assert_nonnull (strstr (error->message, "must have different names"));
    }
}

int
main (int argc, char *argv[])
{
  static const char *const integers[] = { "B", "I", "J", "K", "U", "V", "W" };
  static const char *const forms[] = { "B", "I", "J", "K", "E", "D", "S", "U", "V", "W" };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (integers); i++)
    {
      g_autofree char *name = g_strdup_printf ("/fits-columns/partial/%s", integers[i]);

      FIXTURE_ADD (name, integers[i], test_partial);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *name = g_strdup_printf ("/fits-columns/types/%s", forms[i]);

      FIXTURE_ADD (name, forms[i], test_types);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (scaled); i++)
    {
      g_autofree char *name = g_strdup_printf ("/fits-columns/offsets/%s/%s", scaled[i].form,
                                               scaled[i].zero);

      FIXTURE_ADD (name, &scaled[i], test_offsets);
    }
  FIXTURE_ADD ("/fits-columns/equal-names", NULL, test_equal_names);
  FIXTURE_ADD ("/fits-columns/coordsys", NULL, test_coordsys);
  FIXTURE_ADD ("/fits-columns/inexact", NULL, test_inexact);
  FIXTURE_ADD ("/fits-columns/scaled-floats", NULL, test_scaled_floats);
  FIXTURE_ADD ("/fits-columns/missing", NULL, test_missing);
  FIXTURE_ADD ("/fits-columns/bad-pixels", NULL, test_bad_pixels);
  FIXTURE_ADD ("/fits-columns/large", NULL, test_large);
  FIXTURE_ADD ("/fits-columns/second-table", NULL, test_second_table);
  FIXTURE_ADD ("/fits-columns/scaled", NULL, test_scaled);
  FIXTURE_ADD ("/fits-columns/logical", NULL, test_logical);
  return g_test_run ();
}
