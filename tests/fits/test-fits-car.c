/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images in the projection CAR. CFITSIO writes them, with a number for each pixel; the position of
 * that pixel is computed from the keywords alone. */
#include "core/grids/car.h"
#include "core/grids/grid.h"
#include "tests/lib/fits-fixture.h"

#include <armilla/output.h>
#include <fitsio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* An image, and the rings that it must have. */
typedef struct {
  const char *name;
  long n_x, n_y;
  double crpix[2], cdelt[2], crval;
  ArmillaGridKind kind;
  gint64 n_theta, first; /* of the whole sky; ring of its northernmost row */
} Image;

#define F1 ARMILLA_GRID_FEJER1
#define CC ARMILLA_GRID_CLENSHAW_CURTIS
#define DH ARMILLA_GRID_DRISCOLL_HEALY

static const Image images[] = {
  { "fejer1", 24, 12, { 12.5, 6.5 }, { -15, 15 }, 7.5, F1, 12, 0 },
  { "fejer1-from-180", 24, 12, { 13, 6.5 }, { -15, 15 }, 0, F1, 12, 0 },
  { "fejer1-eastwards", 24, 12, { 12.5, 6.5 }, { 15, 15 }, 7.5, F1, 12, 0 },
  { "fejer1-southwards", 24, 12, { 12.5, 6.5 }, { -15, -15 }, 7.5, F1, 12, 0 },
  { "fejer1-as-rings", 24, 12, { 12.5, 6.5 }, { 15, -15 }, 7.5, F1, 12, 0 },
  { "fejer1-turned", 24, 12, { 12.5, 6.5 }, { -15, 15 }, 11.1, F1, 12, 0 },
  { "clenshaw-curtis", 24, 13, { 12.5, 7 }, { -15, 15 }, 7.5, CC, 13, 0 },
  { "clenshaw-curtis-half", 24, 13, { 12, 7 }, { -15, 15 }, 7.5, CC, 13, 0 },
  { "driscoll-healy", 24, 12, { 12.5, 6 }, { -15, 15 }, 7.5, DH, 12, 0 },
  { "band", 24, 5, { 12.5, 4.5 }, { -15, 15 }, 7.5, F1, 12, 5 },
  { "patch", 7, 5, { 12.5, 4.5 }, { -15, 15 }, 7.5, F1, 12, 5 },
  { "patch-over-180", 7, 5, { -8.5, 2.5 }, { -15, 15 }, 7.5, F1, 12, 3 },
  { "patch-eastwards", 7, 5, { -8.5, 2.5 }, { 15, -15 }, 7.5, F1, 12, 4 },
  { "patch-clenshaw-curtis", 7, 5, { 3.25, 7 }, { -15, 15 }, 359, CC, 13, 8 },
  { "pixel", 1, 1, { 1, 1 }, { -15, 15 }, 30, CC, 13, 6 },
};

/* Number of a pixel of the file, from 1; the same in single precision. */
static double
value_of (const Image *image, int field, long x, long y)
{
  return (double) ((field * image->n_y + y - 1) * image->n_x + x);
}

static void
write_double (fitsfile *file, const char *key, double value, int *status)
{
  fits_update_key (file, TDOUBLE, key, &value, NULL, status);
}

static void
write_text (fitsfile *file, const char *key, const char *value, int *status)
{
  fits_update_key (file, TSTRING, key, (void *) value, NULL, status);
}

/* Writes an image in the primary HDU; further texts of keywords and values end with NULL. */
static char *
write_image (Fixture *fixture, const Image *image, long n_fields, gboolean single,
             const char *const *more)
{
  char *path = fixture_path (fixture, "image.fits");
  long axes[] = { image->n_x, image->n_y, n_fields };
  const long n = image->n_x * image->n_y * n_fields;
  g_autofree double *values = g_new (double, n);
  fitsfile *file;
  int status = 0;

  g_unlink (path);
  fits_create_diskfile (&file, path, &status);
  fits_create_img (file, single ? FLOAT_IMG : DOUBLE_IMG, n_fields > 1 ? 3 : 2, axes, &status);
  write_text (file, "CTYPE1", "RA---CAR", &status);
  write_text (file, "CTYPE2", "DEC--CAR", &status);
  write_double (file, "CRVAL1", image->crval, &status);
  write_double (file, "CRVAL2", 0, &status);
  for (int i = 0; i < 2; i++)
    {
      write_double (file, i == 0 ? "CRPIX1" : "CRPIX2", image->crpix[i], &status);
      write_double (file, i == 0 ? "CDELT1" : "CDELT2", image->cdelt[i], &status);
    }
  for (; more != NULL && *more != NULL; more += 2)
    {
      char *end;
      const double number = g_ascii_strtod (more[1], &end);

      if (*more[1] != 0 && *end == 0)
        write_double (file, more[0], number, &status);
      else
        write_text (file, more[0], more[1], &status);
    }
  for (long i = 0; i < n; i++)
    values[i] = (double) (i + 1);
  fits_write_img (file, TDOUBLE, 1, n, values, &status);
  fits_write_chksum (file, &status);
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
  return path;
}

static ArmillaMapReader *
open_image (const char *path)
{
  g_autoptr (GError) error = NULL;
  ArmillaMapReader *reader = armilla_map_reader_open (path, 0, &error);

  g_assert_no_error (error);
  return reader;
}

/* Returns what the file has at the position of a pixel of the grid, from the keywords. */
static double
expected (const Image *image, const ArmillaGrid *grid, int field, gint64 pixel)
{
  double v[3], x, y, turn = 360 / fabs (image->cdelt[0]);

  armilla_grid_pixel_vector (grid, pixel, v);
  y = image->crpix[1] + atan2 (v[2], hypot (v[0], v[1])) * 180 / G_PI / image->cdelt[1];
  x = image->crpix[0] + (atan2 (v[1], v[0]) * 180 / G_PI - image->crval) / image->cdelt[0];
  if (fabs (v[2]) == 1) /* a pole has all longitudes */
    x = image->crpix[0]
        + (2 * G_PI * (double) (pixel % grid->rings[0].n_phi) / (double) grid->rings[0].n_phi
             + grid->rings[0].phi0) * 180 / G_PI / image->cdelt[0]
        - image->crval / image->cdelt[0];
  x -= turn * floor ((x - 0.5) / turn);
  g_assert_cmpfloat (fabs (y - rint (y)), <, 1e-9);
  g_assert_cmpfloat (fabs (x - rint (x)), <, 1e-9);
  if (rint (x) > (double) image->n_x || rint (y) < 1 || rint (y) > (double) image->n_y)
    return ARMILLA_UNSEEN;
  return value_of (image, field, lrint (x), lrint (y));
}

static void
assert_header (const char *path, const Image *image, int bitpix)
{
  static const char *const keys[] = { "CRPIX1", "CRPIX2", "CDELT1", "CDELT2", "CRVAL1", "CRVAL2" };
  const double wanted[] = { image->crpix[0], image->crpix[1], image->cdelt[0], image->cdelt[1],
                            image->crval, 0 };
  fitsfile *file;
  int status = 0, type, n_axes;
  long axes[3];

  fits_open_diskfile (&file, path, READONLY, &status);
  fits_get_img_param (file, 3, &type, &n_axes, axes, &status);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      double value;

      fits_read_key (file, TDOUBLE, keys[i], &value, NULL, &status);
      g_assert_cmpfloat (value, ==, wanted[i]);
    }
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpint (type, ==, bitpix);
  g_assert_cmpint (n_axes, ==, 3);
  g_assert_cmpint (axes[0], ==, image->n_x);
  g_assert_cmpint (axes[1], ==, image->n_y);
  g_assert_cmpint (axes[2], ==, 2);
}

/* Copies a map, in pieces that do not end with rings. */
static void
copy_map (ArmillaMapReader *reader, const char *path)
{
  const ArmillaMapHeader *header = armilla_map_reader_header (reader);
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaMapWriter) writer = armilla_map_writer_open (output, header, &error);
  const ArmillaRing *last = &header->grid->rings[header->grid->n_rings - 1];

  g_assert_no_error (error);
  for (int f = 0; f < header->fields.n; f++)
    for (gint64 n, p = header->grid->rings[0].offset; p < last->offset + last->n_phi; p += n)
      {
        double values[37];

        n = MIN (last->offset + last->n_phi - p, 37);
        g_assert_true (armilla_map_reader_read (reader, f, p, n, values, NULL));
        armilla_map_writer_write (writer, f, p, n, values, &error);
        g_assert_no_error (error);
      }
  armilla_map_writer_close (writer, &error);
  g_assert_no_error (error);
  fixture_commit (output);
}

static void
test_pixels (Fixture *fixture, gconstpointer data)
{
  const Image *image = data;
  const gboolean single = image->n_x % 2 == 0;
  g_autofree char *path = write_image (fixture, image, 2, single, NULL);
  g_autofree char *copy = fixture_path (fixture, "copy.fits");
  g_autoptr (ArmillaMapReader) reader = open_image (path), again = NULL;
  const ArmillaMapHeader *header = armilla_map_reader_header (reader);
  ArmillaGrid *whole = armilla_grid_whole (header->grid);
  g_autofree double *values = g_new (double, header->grid->n_pixels);

  g_assert_cmpint (header->grid->kind, ==, image->kind);
  g_assert_cmpint (whole->n_rings, ==, image->n_theta);
  g_assert_cmpint (header->grid->n_rings, ==, image->n_y);
  g_assert_cmpint (header->grid->rings[0].offset, ==, image->first * whole->rings[0].n_phi);
  g_assert_cmpint (header->single, ==, single);
  g_assert_cmpstr (header->fields.coordsys, ==, "C");
  copy_map (reader, copy);
  fixture_verify (copy);
  assert_header (copy, image, single ? FLOAT_IMG : DOUBLE_IMG);
  again = open_image (copy);
  g_assert_true (armilla_grid_equal (armilla_map_reader_header (again)->grid, header->grid));
  for (int f = 0; f < 2; f++)
    for (int times = 0; times < 2; times++)
      {
        g_assert_true (armilla_map_reader_read (times == 0 ? reader : again, f, 0,
                                                header->grid->n_pixels, values, NULL));
        for (gint64 p = 0; p < header->grid->n_pixels; p++)
          g_assert_cmpfloat (values[p], ==, expected (image, header->grid, f, p));
      }
}

/* A file that is read in part is written as the image of that part. */
static void
test_band (Fixture *fixture, gconstpointer data)
{
  const Image *image = data;
  g_autofree char *path = write_image (fixture, image, 2, FALSE, NULL);
  g_autofree char *copy = fixture_path (fixture, "copy.fits");
  g_autoptr (ArmillaMapReader) reader = open_image (path), again = NULL;
  ArmillaMapHeader header = *armilla_map_reader_header (reader);
  g_autoptr (ArmillaGrid) part = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (copy, TRUE, NULL);
  g_autoptr (ArmillaMapWriter) writer = NULL;
  g_autofree gboolean *wanted = g_new0 (gboolean, header.grid->n_rings);
  g_autofree double *values = g_new (double, header.grid->n_pixels);
  Image left = *image;

  wanted[1] = wanted[3] = TRUE;
  header.grid = part = armilla_grid_select_rings (header.grid, wanted, NULL);
  writer = armilla_map_writer_open (output, &header, NULL);
  for (int f = 0; f < 2; f++)
    for (gint64 r = 0; r < 2; r++)
      {
        g_assert_true (armilla_map_reader_read (reader, f, part->rings[r].offset,
                                                part->rings[r].n_phi, values, NULL));
        g_assert_true (armilla_map_writer_write (writer, f, part->rings[r].offset,
                                                 part->rings[r].n_phi, values, NULL));
      }
  g_assert_true (armilla_map_writer_close (writer, NULL));
  fixture_commit (output);
  left.n_y = 3; /* rows 1 to 3 from the north */
  left.crpix[1] -= image->cdelt[1] > 0 ? (double) (image->n_y - 4) : 1;
  assert_header (copy, &left, DOUBLE_IMG);
  again = open_image (copy);
  g_assert_true (armilla_map_reader_read (again, 1, 0, part->n_pixels, values, NULL));
  for (gint64 p = 0; p < part->n_pixels; p++)
    g_assert_cmpfloat (values[p], ==, armilla_grid_ring_of (part, p) >= 0
                                        ? expected (image, part, 1, p) : ARMILLA_UNSEEN);
}

/* Equiangular grids without an image are written as one, too. */
static void
test_plain_grids (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const ArmillaGridKind kinds[] = { F1, CC, DH };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (ArmillaGrid) grid = armilla_grid_new_equiangular (kinds[i], 8, 9, NULL);
      g_autofree char *path = fixture_path (fixture, "grid.fits");
      g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, NULL);
      ArmillaMapHeader header = { .grid = grid, .fields.n = 1 };
      g_autoptr (ArmillaMapWriter) writer = armilla_map_writer_open (output, &header, NULL);
      g_autoptr (ArmillaMapReader) reader = NULL;
      double values[72];

      for (int p = 0; p < 72; p++)
        values[p] = p;
      g_assert_true (armilla_map_writer_write (writer, 0, 0, 72, values, NULL));
      g_assert_true (armilla_map_writer_close (writer, NULL));
      fixture_commit (output);
      reader = open_image (path);
      g_assert_true (armilla_grid_equal (armilla_map_reader_header (reader)->grid, grid));
      g_assert_null (armilla_map_reader_header (reader)->fields.coordsys);
      g_assert_true (armilla_map_reader_read (reader, 0, 0, 72, values, NULL));
      for (int p = 0; p < 72; p++)
        g_assert_cmpfloat (values[p], ==, p);
    }
}

/* Keywords that replace or multiply those of the image, and what they lead to. */
static const struct {
  const char *more[9];
  const char *message; /* NULL if the file is read */
} headers[] = {
  { { "CD1_1", "-15", "CD2_2", "15", "CDELT1", "1", "CDELT2", "1" }, NULL },
  { { "PC1_1", "-15", "PC2_2", "15", "CDELT1", "1", "CDELT2", "1" }, NULL },
  { { "CUNIT1", "deg", "CUNIT2", "deg", "LONPOLE", "0", "LATPOLE", "90" }, NULL },
  { { "LONPOLE", "180", "PC1_2", "0", "RADESYS", "ICRS", "EQUINOX", "2000" }, NULL },
  { { "CTYPE1", "RA---TAN", "CTYPE2", "DEC--TAN" }, "*CTYPE1 = 'RA---TAN'*only projection*CAR*" },
  { { "CTYPE1", "RA---CEA", "CTYPE2", "DEC--CEA" }, "*'RA---CEA'*only projection*CAR*" },
  { { "CTYPE1", "DEC--CAR", "CTYPE2", "RA---CAR" }, "*first axis is the latitude*transpose*" },
  { { "CTYPE1", "GLON-CAR" }, "*CTYPE1 = 'GLON-CAR' and CTYPE2 = 'DEC--CAR'*" },
  { { "CUNIT2", "arcmin" }, "*CUNIT2 is 'arcmin'; must be deg*" },
  { { "CD1_1", "-15", "CD1_2", "0.1", "CD2_2", "15" }, "*CD1_2 = 0.1: the image is rotated*" },
  { { "PC2_1", "1e-3" }, "*PC2_1 = 0.001: the image is rotated*" },
  { { "CROTA2", "2" }, "*CROTA2 = 2: the image is rotated*" },
  { { "CRVAL2", "5" }, "*CRVAL2 = 5: *oblique*" },
  { { "LATPOLE", "0" }, "*LATPOLE = 0: *oblique*" },
  { { "PV1_2", "10" }, "*PV1_2 = 10: *oblique*" },
  { { "CDELT1", "-15.1" }, "*CDELT1 = -15.1: 360 degrees are 23.84* pixels; must be a whole*" },
  { { "CDELT1", "-1e-300" }, "*CDELT1 = *must be finite*" },
  { { "CDELT2", "0" }, "*CDELT2 = 0*must be finite*" },
  { { "CDELT1", "-30" }, "*24 columns of 30 degrees exceed 360*" },
  { { "CDELT2", "30" }, "*12 rows of 30 degrees*extend beyond a pole*" },
  { { "CRPIX2", "8.5" }, "*12 rows of 15 degrees*extend beyond a pole*" },
  { { "CRPIX2", "6.7" }, "*poles are at rows *; both must be in the middle or at the edge*" },
  { { "CDELT2", "14.4", "CRPIX2", "6.75" }, "*layout MWflip (a row on the north pole*" },
  { { "CDELT2", "14.4", "CRPIX2", "6.25" }, "*layout MW (a row on the south pole*" },
  { { "CDELT2", "13.846153846153847", "CRPIX2", "6.5" }, "*layout Fejer 2 (all rows except*" },
  { { "CRVAL1", "far" }, "*value of CRVAL1 is not a finite number*" },
};

static void
test_headers (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (gsize i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      g_autofree char *path = write_image (fixture, &images[0], 1, FALSE, headers[i].more);

      if (headers[i].message != NULL)
        fixture_refuse (path, -1, headers[i].message);
      else
        {
          g_autoptr (ArmillaMapReader) reader = open_image (path);

          g_assert_cmpint (armilla_map_reader_header (reader)->grid->n_pixels, ==, 288);
        }
    }
}

/* The axis of Stokes parameters names fields and decides the convention, by pixell's rule. */
static void
test_stokes (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *more[9], *names, *polcconv, *coordsys;
    int n;
  } cases[] = {
    { { "CTYPE3", "STOKES" }, "TEMPERATURE,Q_POLARISATION,U_POLARISATION", "IAU", "C", 3 },
    { { "CTYPE3", "STOKES", "POLCCONV", "COSMO" },
      "TEMPERATURE,Q_POLARISATION,U_POLARISATION", "COSMO", "C", 3 },
    { { "CTYPE3", "STOKES", "POLCONV", "COSMO" },
      "TEMPERATURE,Q_POLARISATION,U_POLARISATION", "COSMO", "C", 3 },
    { { "CTYPE3", "STOKES", "CRVAL3", "2", "CRPIX3", "1", "CDELT3", "1" },
      "Q_POLARISATION,U_POLARISATION", "IAU", "C", 2 },
    { { "CTYPE3", "STOKES", "CRVAL3", "3", "CRPIX3", "1", "CDELT3", "-1" },
      "U_POLARISATION,Q_POLARISATION,TEMPERATURE", "IAU", "C", 3 },
    { { "CTYPE3", "FREQ", "CTYPE1", "GLON-CAR", "CTYPE2", "GLAT-CAR" },
      "TEMPERATURE,Q_POLARISATION,U_POLARISATION", NULL, "G", 3 },
    { { "CTYPE1", "ELON-CAR", "CTYPE2", "ELAT-CAR", "FIELD1", "A", "FIELD2", "B" },
      "A,B", NULL, "E", 2 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_image (fixture, &images[0], cases[i].n, TRUE, cases[i].more);
      g_autoptr (ArmillaMapReader) reader = open_image (path);
      const ArmillaFields *fields = &armilla_map_reader_header (reader)->fields;
      g_autofree char *names = g_strjoinv (",", fields->names);

      g_assert_cmpstr (names, ==, cases[i].names);
      g_assert_cmpstr (fields->polcconv, ==, cases[i].polcconv);
      g_assert_cmpstr (fields->coordsys, ==, cases[i].coordsys);
      g_assert_cmpint (armilla_map_reader_note (reader) != NULL, ==,
                       g_strcmp0 (cases[i].polcconv, "IAU") == 0);
    }
}

/* Files of earlier versions: the rings from the north, eastwards from longitude 0. */
static void
test_former_files (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = fixture_path (fixture, "former.fits");
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_equiangular (F1, 4, 6, NULL);
  g_autoptr (ArmillaMapReader) reader = NULL;
  long axes[] = { 6, 4 };
  double values[24];
  int status = 0, n_theta = 4, n_phi = 6;
  fitsfile *file;

  for (int p = 0; p < 24; p++)
    values[p] = p;
  fits_create_diskfile (&file, path, &status);
  fits_create_img (file, BYTE_IMG, 0, NULL, &status);
  fits_create_img (file, DOUBLE_IMG, 2, axes, &status);
  write_text (file, "PIXTYPE", "FEJER1", &status);
  fits_update_key (file, TINT, "NTHETA", &n_theta, NULL, &status);
  fits_update_key (file, TINT, "NPHI", &n_phi, NULL, &status);
  fits_write_img (file, TDOUBLE, 1, 24, values, &status);
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
  reader = open_image (path);
  g_assert_true (armilla_grid_equal (armilla_map_reader_header (reader)->grid, grid));
  memset (values, 0, sizeof values);
  g_assert_true (armilla_map_reader_read (reader, 0, 0, 24, values, NULL));
  for (int p = 0; p < 24; p++)
    g_assert_cmpfloat (values[p], ==, p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (images); i++)
    {
      g_autofree char *pixels = g_strdup_printf ("/fits/car/pixels/%s", images[i].name);
      g_autofree char *band = g_strdup_printf ("/fits/car/band/%s", images[i].name);

      FIXTURE_ADD (pixels, &images[i], test_pixels);
      if (images[i].n_y > 4)
        FIXTURE_ADD (band, &images[i], test_band);
    }
  FIXTURE_ADD ("/fits/car/plain-grids", NULL, test_plain_grids);
  FIXTURE_ADD ("/fits/car/headers", NULL, test_headers);
  FIXTURE_ADD ("/fits/car/stokes", NULL, test_stokes);
  FIXTURE_ADD ("/fits/car/former-files", NULL, test_former_files);
  return g_test_run ();
}
