/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/spectra/cl-table.h"
#include "tests/lib/fits-fixture.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void
test_not_there (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree char *below = fixture_path (fixture, "map.fits/map.fits");

  fixture_refuse (path, ARMILLA_ERROR_IO, "*No such file*check the name*");
  fixture_refuse (fixture->folder, ARMILLA_ERROR_IO, "*is a folder*");
  fixture_store (path, "", 0);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*is empty*");
  fixture_refuse (below, ARMILLA_ERROR_IO, "*Not a directory*");
  fixture_store (path, "x", 1);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*is not a FITS file*");
  fixture_store (path, "SIMPLE  =                    T", 30);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*is not a FITS file*");
  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  if (geteuid () != 0)
    fixture_refuse (path, ARMILLA_ERROR_IO, "*Permission denied*check its permissions*");
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*not a regular file*");
}

static void
test_not_fits (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree char *text = g_strnfill (100000, 'a');

  fixture_store (path, text, 100000);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*is not a FITS file*SIMPLE*");
  memset (text, 0, 100000);
  fixture_store (path, text, 100000);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*not text*");
}

/* Files of other formats are refused by name, with what makes FITS of them. */
static void
test_formats (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const formats[][2] = {
    { "<?xml version=\"1.0\"?>\n<VOTABLE version=\"1.4\">\n", "*is a VOTable*astropy*votable*" },
    { "\\fixlen = T\n|   ra|   dec|\n|double|double|\n 1 2\n", "*is an IPAC table*ascii.ipac*" },
    { "|   ra|   dec|\n", "*is an IPAC table*" },
    { "BZh91AY&SY", "*compressed by bzip2*bunzip2*" },
    { "\xfd" "7zXZ", "*compressed by xz*unxz*" },
    { "\x89HDF\r\n", "*is an HDF5 file*h5py*" },
  };
  g_autofree char *path = fixture_path (fixture, "map.fits");

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      fixture_store (path, formats[i][0], strlen (formats[i][0]));
      fixture_refuse (path, ARMILLA_ERROR_IO, formats[i][1]);
    }
}

/* Characters that mean something to CFITSIO, and a compressed file beside a name that is free. */
static void
test_names (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[] = { "map[0].fits", "map.fits[1]", "map(1).fits", "!map.fits",
                                       "map.fits+1", "-", "stdin", "mem:" };
  g_autofree char *packed = fixture_map (fixture, "free.fits.gz");
  g_autofree char *free_name = fixture_path (fixture, "free.fits");

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = fixture_map (fixture, names[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (ArmillaMapReader) reader = armilla_map_reader_open (path, 0, &error);
      double pixel;

      g_assert_no_error (error);
      armilla_map_reader_read (reader, 0, 77, 1, &pixel, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (pixel, ==, 77);
    }
  fixture_refuse (free_name, ARMILLA_ERROR_IO, "*No such file*");
}

/* Cut anywhere, the file must be refused: no length but the full one is right. */
static void
test_truncated (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_map (fixture, "map.fits");
  g_autofree guint8 *bytes = NULL;
  gsize n;

  fixture_load (path, &bytes, &n);
  g_assert_cmpuint (n % 2880, ==, 0);
  for (gsize cut = 1; cut < n; cut += cut < 6000 ? 97 : 611)
    {
      g_assert_cmpint (truncate (path, n - cut), ==, 0);
      fixture_refuse (path, ARMILLA_ERROR_IO, "*");
      fixture_store (path, bytes, n);
    }
  g_assert_cmpint (truncate (path, n - 1), ==, 0);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*HDU 1: is truncated*");
  g_assert_cmpint (truncate (path, 3000), ==, 0);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*HDU 1: is truncated: the file ends within its header*");
}

/* Whatever byte changes, the checksums or the structure must tell. */
static void
test_flipped (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_map (fixture, "map.fits");
  g_autofree guint8 *bytes = NULL;
  gsize n;

  fixture_load (path, &bytes, &n);
  for (gsize at = 2880; at < n; at += 89)
    {
      bytes[at] ^= 4;
      fixture_store (path, bytes, n);
      fixture_refuse (path, -1, "*");
      bytes[at] ^= 4;
    }
  bytes[n - 5000] ^= 1;
  fixture_store (path, bytes, n);
  fixture_refuse (path, ARMILLA_ERROR_IO, "*HDU 1: the data contradicts its DATASUM*");
  bytes[n - 5000] ^= 1;
  fixture_store (path, bytes, n);
  fixture_set_card (path, "EXTNAME", "'another'");
  fixture_refuse (path, ARMILLA_ERROR_IO, "*HDU 1: the header contradicts its CHECKSUM*");
}

typedef struct {
  const char *keyword, *value;
  int code;
  const char *message;
} Keyword;

/* The first occurrence of a text, by one as long. */
static void
replace_text (const char *path, const char *from, const char *to)
{
  g_autofree guint8 *bytes = NULL;
  gsize n, length = strlen (from);

  g_assert_cmpuint (strlen (to), ==, length);
  fixture_load (path, &bytes, &n);
  for (gsize i = 0; i + length <= n; i++)
    if (memcmp (bytes + i, from, length) == 0)
      {
        memcpy (bytes + i, to, length);
        fixture_store (path, bytes, n);
        return;
      }
  g_error ("%s has no %s", path, from);
}

static const Keyword keywords[] = {
  { "NAXIS1", "-8", ARMILLA_ERROR_IO, "*NAXIS1 is negative*" },
  { "NAXIS1", "8000", ARMILLA_ERROR_IO, "*NAXIS1 is 8000, but its columns take 8192*" },
  { "NAXIS2", "4", ARMILLA_ERROR_IO, "*is truncated*" },
  { "NAXIS2", "2", ARMILLA_ERROR_SHAPE, "*2048 values, but NSIDE = 16 makes 3072*" },
  { "NAXIS2", "9223372036854775807", ARMILLA_ERROR_IO, "*overflows*" },
  { "NAXIS2", "99999999999999999999", ARMILLA_ERROR_IO, "*NAXIS2 is not an integer*" },
  { "TFIELDS", "2", ARMILLA_ERROR_IO, "*TFORM2 is missing*" },
  { "TFIELDS", "0", ARMILLA_ERROR_IO, "*its columns take 0*" },
  { "TFIELDS", "1000", ARMILLA_ERROR_IO, "*TFIELDS is 1000*" },
  { "TFORM1", "'1024Q'", ARMILLA_ERROR_IO, "*TFORM1 is '1024Q'*" },
  { "TFORM1", "'1PD(9)'", ARMILLA_ERROR_IO, "*its columns take 8 bytes*" },
  { "TFORM1", "'8192A'", ARMILLA_ERROR_SHAPE, "*column 1*is not numeric*" },
  { "TFORM1", "'1024K'", -2, "" },
  { "PCOUNT", "100000", ARMILLA_ERROR_IO, "*is truncated*" },
  { "GCOUNT", "2", ARMILLA_ERROR_IO, "*not that of a table*" },
  { "BITPIX", "16", -3, "" },
  { "NSIDE", "8", ARMILLA_ERROR_SHAPE, "*NSIDE = 8 makes 768*" },
  { "NSIDE", "0", ARMILLA_ERROR_SHAPE, "*NSIDE is *it must be from 1 to*" },
  { "NSIDE", "-16", ARMILLA_ERROR_SHAPE, "*NSIDE is *it must be from 1 to*" },
  { "NSIDE", "4294967296", ARMILLA_ERROR_SHAPE, "*NSIDE is *it must be from 1 to*" },
  { "NSIDE", "15.5", ARMILLA_ERROR_PARSE, "*NSIDE is '15.5', not an integer*" },
  { "NSIDE", "'sixteen'", ARMILLA_ERROR_PARSE, "*NSIDE is 'sixteen', not an integer*" },
  { "NSIDE", "16.0", -2, "" },
  { "ORDERING", "'SPIRAL'", ARMILLA_ERROR_SHAPE, "*ORDERING is 'SPIRAL'*RING or NESTED*" },
  { "ORDERING", "'ring'", -2, "" },
  { "PIXTYPE", "'SQUARE'", ARMILLA_ERROR_SHAPE, "*PIXTYPE is 'SQUARE'*HEALPIX*" },
  { "PIXTYPE", "'FEJER1'", ARMILLA_ERROR_SHAPE, "*must be a binary table, any other an image*" },
  { "INDXSCHM", "'MAYBE'", ARMILLA_ERROR_SHAPE, "*INDXSCHM is 'MAYBE'*" },
  { "INDXSCHM", "'EXPLICIT'", ARMILLA_ERROR_SHAPE, "*EXPLICIT contradicts OBJECT = FULLSKY*" },
  { "OBJECT", "'PARTIAL'", ARMILLA_ERROR_SHAPE, "*IMPLICIT contradicts OBJECT = PARTIAL*" },
  { "OBJECT", "'M 31'", -2, "" },
  { "XTENSION", "'FOREIGN'", -3, "" },
};

/* Changes a keyword of an extension, and makes checksums comments in order that others speak up. */
static void
change_keyword (const char *path, const Keyword *test)
{
  g_autofree guint8 *bytes = NULL;
  gsize n;

  fixture_load (path, &bytes, &n);
  for (gsize i = 0; i < n; i += 80)
    if (memcmp (bytes + i, "CHECKSUM", 8) == 0 || memcmp (bytes + i, "DATASUM ", 8) == 0)
      memcpy (bytes + i, "COMMENT ", 8);
  /* The primary header has BITPIX too: what is changed is the extension's. */
  for (gsize i = 2880; i < n; i += 80)
    if (memcmp (bytes + i, test->keyword, strlen (test->keyword)) == 0
        && (bytes[i + strlen (test->keyword)] == ' ' || bytes[i + strlen (test->keyword)] == '='))
      {
        g_autofree char *value = g_strdup_printf ("%-70s", test->value);

        memcpy (bytes + i + 10, value, 70);
        break;
      }
  fixture_store (path, bytes, n);
}

/* -2: the change does no harm; -3: refused, in whatever words. */
static void
test_keyword (Fixture *fixture, gconstpointer data)
{
  const Keyword *test = data;
  g_autofree char *path = fixture_map (fixture, "map.fits");

  change_keyword (path, test);
  if (test->code == -2)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ArmillaMapReader) reader = armilla_map_reader_open (path, 0, &error);

      g_assert_no_error (error);
      g_assert_nonnull (reader);
    }
  else if (test->code == -3)
    fixture_refuse (path, -1, "*");
  else
    fixture_refuse (path, test->code, test->message);
}

static const Keyword image_keywords[] = {
  { "NTHETA", "4", ARMILLA_ERROR_SHAPE, "*must have axes NPHI = 7 and NTHETA = 4*" },
  { "NPHI", "-7", ARMILLA_ERROR_SHAPE, "*must have axes NPHI = -7*" },
  { "NPHI", "'seven'", ARMILLA_ERROR_PARSE, "*NPHI is 'seven', not an integer*" },
  { "PIXTYPE", "'RINGS'", ARMILLA_ERROR_SHAPE, "*must be the table RINGS*" },
  { "PIXTYPE", "'HEALPIX'", ARMILLA_ERROR_SHAPE, "*a HEALPIX map must be a binary table*" },
  { "BSCALE", "0", ARMILLA_ERROR_VALUE, "*BSCALE is 0*" },
};

static const Keyword ring_keywords[] = {
  { "EXTNAME", "'ELSE'", -3, "" },
  { "TTYPE1", "'SINTHETA'", ARMILLA_ERROR_SHAPE, "*column 1 of the rings must be COSTHETA*" },
  { "TFORM6", "'D'", ARMILLA_ERROR_SHAPE, "*column 6 of the rings must be NPHI, type K*" },
  { "NAXIS2", "2", -3, "" },
};

static char *
good_image (Fixture *fixture, ArmillaGridKind kind)
{
  g_autoptr (GError) error = NULL;
  char *path = fixture_path (fixture, "image.fits");
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (5, 7, &error);
  g_autoptr (ArmillaGrid) rings = armilla_grid_new_rings (gauss->rings, 5, &error);
  ArmillaMapHeader header = { .grid = kind == ARMILLA_GRID_RINGS ? rings : gauss, .fields.n = 1 };
  g_autoptr (ArmillaMapWriter) writer = armilla_map_writer_open (output, &header, &error);
  const double pixels[35] = { 1 };

  g_assert_no_error (error);
  armilla_map_writer_write (writer, 0, 0, 35, pixels, &error);
  g_assert_no_error (error);
  armilla_map_writer_close (writer, &error);
  g_assert_no_error (error);
  fixture_commit (output);
  return path;
}

static void
test_image (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (gsize i = 0; i < G_N_ELEMENTS (image_keywords); i++)
    {
      g_autofree char *path = good_image (fixture, ARMILLA_GRID_GAUSS_LEGENDRE);
      Keyword test = image_keywords[i];

      /* There is no BSCALE to change: another card is made one. */
      if (strcmp (test.keyword, "BSCALE") == 0)
        replace_text (path, "FIELD1  =", "BSCALE  =");
      change_keyword (path, &test);
      fixture_refuse (path, test.code, test.message);
    }
}

/* The keywords of the list of rings, not those of the image in front of it. */
static void
test_rings (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (gsize i = 0; i < G_N_ELEMENTS (ring_keywords); i++)
    {
      g_autofree char *path = good_image (fixture, ARMILLA_GRID_RINGS);

      replace_text (path, "EXTNAME = 'MAP", "COMMENT = 'MAP");
      change_keyword (path, &ring_keywords[i]);
      fixture_refuse (path, ring_keywords[i].code == -3 ? -1 : ring_keywords[i].code,
                      ring_keywords[i].code == -3 ? "*" : ring_keywords[i].message);
    }
}

/* What cannot be read at all, said in so many words. */
static void
test_unsupported (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const cards[][2] = {
    { "ZTABLE  =                    T ", "*is compressed in tiles; run funpack*" },
    { "GRAIN   =                   16 ", "*GRAIN is 16*" },
    { "TSCAL1  =                    0 ", "*TSCAL1 is 0*" },
    { "TZERO1  = 'none'               ", "*TZERO1 is not a finite number*" },
    { "TFORM1  = '1D'                 ", "*has TFORM1 twice*" },
    { "NAXIS2  =                    3 ", "*has NAXIS2 beyond NAXIS or twice*" },
    { "GCOUNT  =                    1 ", "*has GCOUNT twice*" },
    { "THEAP   =  1152921504606846976 ", "*THEAP is not between*" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cards); i++)
    {
      g_autofree char *path = fixture_map (fixture, "map.fits");
      const Keyword none = { "nothing", "", 0, "" };

      change_keyword (path, &none);
      replace_text (path, "CREATOR = 'armilla '           ", cards[i][0]);
      fixture_refuse (path, -1, cards[i][1]);
    }
}

static void
test_hdu (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_map (fixture, "map.fits");
  g_autoptr (GError) error = NULL;
  ArmillaMapReader *reader;
  double pixel;

  for (int hdu = -2; hdu <= 2; hdu += 4)
    {
      g_assert_null (armilla_map_reader_open (path, hdu, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
      g_assert_nonnull (strstr (error->message, "no map"));
      g_clear_error (&error);
    }
  reader = armilla_map_reader_open (path, 1, &error);
  g_assert_no_error (error);
  g_assert_false (armilla_map_reader_read (reader, 1, 0, 1, &pixel, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  g_assert_false (armilla_map_reader_read (reader, 0, 3072, 1, &pixel, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  g_assert_false (armilla_map_reader_read (reader, 0, -1, 1, &pixel, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  armilla_map_reader_free (reader);
}

/* What a writer refuses; nothing of it may get its final name. */
static void
test_refused (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  g_autoptr (ArmillaMapWriter) writer = fixture_begin_map (output, 1, 2, TRUE);
  double pixels[13] = { 0 };

  armilla_map_writer_write (writer, 0, 0, 12, pixels, &error);
  g_assert_no_error (error);
  armilla_map_writer_write (writer, 1, 0, 4, pixels, &error);
  g_assert_no_error (error);
  armilla_map_writer_write (writer, 1, 6, 6, pixels, &error);
  g_assert_no_error (error);
  g_assert_false (armilla_map_writer_close (writer, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message,
                            "field 1: 2 of 12 pixels were never written, the first is 4"));
  g_clear_error (&error);
  pixels[1] = 1e39;
  g_assert_false (armilla_map_writer_write (writer, 1, 4, 2, pixels, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
  g_assert_nonnull (strstr (error->message, "pixel 5"));
  g_clear_error (&error);
  g_assert_false (armilla_map_writer_write (writer, 2, 0, 1, pixels, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  pixels[1] = 0;
  g_assert_false (armilla_map_writer_write (writer, 1, 3, 2, pixels, &error));
  g_assert_nonnull (strstr (error->message, "written twice"));
  g_clear_error (&error);
  g_assert_false (armilla_map_writer_write (writer, 1, 11, 2, pixels, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  /* After a piece that failed the file cannot be closed as if nothing had been. */
  armilla_map_writer_write (writer, 1, 4, 2, pixels, &error);
  g_assert_no_error (error);
  g_assert_false (armilla_map_writer_close (writer, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_clear_pointer (&output, armilla_output_free);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Headers that no file can have. */
static void
test_bad_header (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  g_autoptr (ArmillaGrid) six = armilla_grid_new_healpix (6, NULL);
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (3, 5, NULL);
  const struct {
    ArmillaMapHeader header;
    int code;
  } bad[] = {
    { { .grid = six, .fields.n = 0 }, ARMILLA_ERROR_SHAPE },
    { { .grid = six, .fields.n = 1000 }, ARMILLA_ERROR_SHAPE },
    { { .grid = six, .fields.n = 1, .order = ARMILLA_ORDER_NESTED }, ARMILLA_ERROR_VALUE },
    { { .grid = gauss, .fields.n = 1, .order = ARMILLA_ORDER_NESTED }, ARMILLA_ERROR_VALUE },
    { { .grid = gauss, .fields.n = 1, .partial = TRUE }, ARMILLA_ERROR_VALUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_null (armilla_map_writer_open (output, &bad[i].header, &error));
      g_assert_error (error, ARMILLA_ERROR, bad[i].code);
      g_assert_true (g_str_has_prefix (error->message, path));
      g_clear_error (&error);
    }
}

/* A limit on the size of files acts as a full disk does, on any machine. */
static void
test_no_room (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (64, &error);
  ArmillaMapHeader header = { .grid = grid, .fields.n = 3 };
  struct rlimit before, small;
  ArmillaMapWriter *writer;
  ArmillaAlmWriter *alm;
  ArmillaClTable *table = armilla_cl_table_new (20000, 2);

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  small = (struct rlimit) { 100000, before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  writer = armilla_map_writer_open (output, &header, &error);
  g_assert_null (writer);
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (error->message, g_strerror (EFBIG)));
  g_assert_true (g_str_has_prefix (error->message, path));
  g_clear_error (&error);
  alm = armilla_alm_writer_open (output, (ArmillaAlmLayout) { 200, 200 }, 1, NULL, NULL, NULL,
                                 FALSE, NULL, &error);
  g_assert_null (alm);
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_clear_error (&error);
  g_assert_false (armilla_cl_write (output, table, NULL, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  armilla_cl_table_free (table);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  FIXTURE_ADD ("/fits-damaged/not-there", NULL, test_not_there);
  FIXTURE_ADD ("/fits-damaged/not-fits", NULL, test_not_fits);
  FIXTURE_ADD ("/fits-damaged/formats", NULL, test_formats);
  FIXTURE_ADD ("/fits-damaged/names", NULL, test_names);
  FIXTURE_ADD ("/fits-damaged/truncated", NULL, test_truncated);
  FIXTURE_ADD ("/fits-damaged/flipped", NULL, test_flipped);
  for (gsize i = 0; i < G_N_ELEMENTS (keywords); i++)
    {
      g_autofree char *name = g_strdup_printf ("/fits-damaged/keyword/%s/%d", keywords[i].keyword,
                                               (int) i);

      FIXTURE_ADD (name, &keywords[i], test_keyword);
    }
  FIXTURE_ADD ("/fits-damaged/image", NULL, test_image);
  FIXTURE_ADD ("/fits-damaged/rings", NULL, test_rings);
  FIXTURE_ADD ("/fits-damaged/unsupported", NULL, test_unsupported);
  FIXTURE_ADD ("/fits-damaged/hdu", NULL, test_hdu);
  FIXTURE_ADD ("/fits-damaged/refused", NULL, test_refused);
  FIXTURE_ADD ("/fits-damaged/bad-header", NULL, test_bad_header);
  FIXTURE_ADD ("/fits-damaged/no-room", NULL, test_no_room);
  return g_test_run ();
}
