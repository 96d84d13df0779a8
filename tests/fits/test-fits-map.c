/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/grids/grid.h"
#include "tests/lib/fits-fixture.h"

#include <fitsio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Of healpy-data's files, by healpy 1.20: m = healpy.read_map (file, field = i, dtype = float),
 * seen = m[m > -1e30]; len (seen), math.fsum (seen), m[0], m[7777], m[12287] */
static const struct {
  const char *file;
  int field, n_seen;
  double sum, first, middle, last;
} published[] = {
  { "wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits", 0, 12288, 872.07127843470516,
    -0.13628759980201721, 0.10521182417869568, 0.018934762105345726 },
  { "wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits", 2, 12288, -5.1367919651602278,
    -0.0033380500972270966, 0.0025941799394786358, -0.007013603113591671 },
  { "wmap_band_iqumap_r9_7yr_W_v4_udgraded32_masked.fits", 1, 7602, 4.9915742033670085,
    ARMILLA_UNSEEN, 0.020078688859939575, 0.02181587927043438 },
  { "justq_gal2ecl.fits.gz", 0, 12288, -701.42203534243163, -0.37845733761787415, 0, 0 },
  { "justq_gal2ecl.fits.gz", 1, 12288, -10.731881559244357, -0.92561870813369751, 0, 0 },
  { "wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits", 0, 12288, 7602, 0, 1, 1 },
  { "map_synfast_seed12345.fits", 0, 12288, -0.026197824148198379, 0.043102476745843887,
    0.022586388513445854, 0.0041478192433714867 },
};

static ArmillaMapReader *
open_map (const char *path)
{
  g_autoptr (GError) error = NULL;
  ArmillaMapReader *reader = armilla_map_reader_open (path, 0, &error);

  g_assert_no_error (error);
  return reader;
}

static double *
read_field (ArmillaMapReader *reader, int field)
{
  g_autoptr (GError) error = NULL;
  gint64 n = armilla_map_reader_header (reader)->grid->n_pixels;
  double *pixels = g_new (double, n);

  armilla_map_reader_read (reader, field, 0, n, pixels, &error);
  g_assert_no_error (error);
  return pixels;
}

static void
test_published (Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  for (gsize i = 0; i < G_N_ELEMENTS (published); i++)
    {
      g_autofree char *name = g_build_filename ("test/data", published[i].file, NULL);
      g_autofree char *path = NULL;
      g_autofree double *pixels = NULL;
      g_autoptr (ArmillaMapReader) reader = NULL;
      double sum;
      int n_seen = 0;

      if (!fixture_healpy (name, &path))
        return;
      reader = open_map (path);
      g_assert_cmpint (armilla_map_reader_header (reader)->grid->nside, ==, 32);
      g_assert_true (armilla_map_reader_header (reader)->single);
      pixels = read_field (reader, published[i].field);
      sum = fixture_sum (pixels, 12288);
      for (int p = 0; p < 12288; p++)
        n_seen += !armilla_is_unseen (pixels[p]);
      g_assert_cmpint (n_seen, ==, published[i].n_seen);
      g_assert_cmpfloat_with_epsilon (sum, published[i].sum,
                                      FIXTURE_SUM_ERROR (published[i].sum, 2e4));
      g_assert_cmpfloat (pixels[0], ==, published[i].first);
      g_assert_cmpfloat (pixels[7777], ==, published[i].middle);
      g_assert_cmpfloat (pixels[12287], ==, published[i].last);
    }
}

static void
test_published_header (Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = NULL;
  g_autoptr (ArmillaMapReader) reader = NULL;
  const ArmillaMapHeader *header;

  if (!fixture_healpy ("test/data/wmap_band_iqumap_r9_7yr_W_v4_udgraded32_masked_smoothed10deg_"
                       "fortran.fits",
                       &path))
    return;
  reader = open_map (path);
  header = armilla_map_reader_header (reader);
  g_assert_cmpint (header->grid->kind, ==, ARMILLA_GRID_HEALPIX);
  g_assert_cmpint (header->fields.n, ==, 3);
  g_assert_cmpstr (header->fields.names[0], ==, "TEMPERATURE");
  g_assert_cmpstr (header->fields.names[2], ==, "U-POLARISATION");
  g_assert_cmpstr (header->fields.units[1], ==, "unknown");
  g_assert_null (header->fields.coordsys);
  g_assert_cmpstr (header->fields.polcconv, ==, "COSMO");
  g_assert_cmpint (header->order, ==, ARMILLA_ORDER_RING);
  g_assert_false (header->partial);
  g_assert_nonnull (header->fields.history);
  g_assert_true (g_strv_contains ((const char *const *) header->fields.history, " Full sky data"));
}

/* One way of writing a map. */
typedef struct {
  ArmillaGridKind kind;
  gint64 size, n_phi;      /* nside, or n_theta */
  int n_fields;
  gboolean single, nested, partial, gzip;
} Variant;

static ArmillaGrid *
make_grid (const Variant *variant)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGrid) base = NULL;
  ArmillaGrid *grid;

  if (variant->kind == ARMILLA_GRID_HEALPIX)
    grid = armilla_grid_new_healpix (variant->size, &error);
  else if (variant->kind == ARMILLA_GRID_GAUSS_LEGENDRE)
    grid = armilla_grid_new_gauss_legendre (variant->size, variant->n_phi, &error);
  else if (variant->kind == ARMILLA_GRID_RINGS)
    {
      base = armilla_grid_new_healpix (variant->size, &error);
      g_assert_no_error (error);
      grid = armilla_grid_new_rings (base->rings, base->n_rings, &error);
    }
  else
    grid = armilla_grid_new_equiangular (variant->kind, variant->size, variant->n_phi, &error);
  g_assert_no_error (error);
  return grid;
}

/* Values that a float32 holds; every seventh pixel unseen, in partial maps most of them. */
static double *
make_pixels (Fixture *fixture, const Variant *variant, gint64 n)
{
  double *pixels = g_new (double, n);

  for (gint64 i = 0; i < n; i++)
    {
      pixels[i] = variant->single ? fixture_value (fixture)
                                  : g_rand_double (fixture->random) * 1e200;
      if (variant->partial ? i % 7 != 0 : i % 7 == 0)
        pixels[i] = ARMILLA_UNSEEN;
    }
  return pixels;
}

static void
write_pieces (Fixture *fixture, ArmillaMapWriter *writer, int field, gint64 n,
              const double *pixels)
{
  g_autoptr (GError) error = NULL;
  gint64 n_pieces = MIN (n, 5), size = (n + n_pieces - 1) / n_pieces;
  gint64 start = g_rand_int_range (fixture->random, 0, n_pieces);

  for (gint64 i = 0; i < n_pieces; i++)
    {
      gint64 first = (start + 3 * i) % n_pieces * size;

      if (n_pieces == 3)
        first = (start + i) % n_pieces * size;
      if (first >= n)
        continue;
      armilla_map_writer_write (writer, field, first, MIN (size, n - first), pixels + first,
                                &error);
      g_assert_no_error (error);
    }
}

static void
write_map (Fixture *fixture, const char *path, const Variant *variant, ArmillaGrid *grid,
           double **pixels)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  g_autoptr (ArmillaMapWriter) writer = NULL;
  char *units[] = { (char *) "mK", (char *) "", (char *) "\302\265K", NULL };
  char *extra[] = { (char *) "first line\nsecond line",
                    (char *) "a line that is far too long for one card of eighty characters, and "
                             "therefore goes on in the next",
                    NULL };
  ArmillaMapHeader header = {
    .grid = grid, .order = variant->nested ? ARMILLA_ORDER_NESTED : ARMILLA_ORDER_RING,
    .partial = variant->partial, .single = variant->single, .fields = {
      .n = variant->n_fields, .units = units, .coordsys = (char *) "G", .polcconv = (char *) "IAU",
      .history = extra } };

  g_assert_no_error (error);
  writer = armilla_map_writer_open (output, &header, &error);
  g_assert_no_error (error);
  for (int i = 0; i < variant->n_fields; i++)
    write_pieces (fixture, writer, i, grid->n_pixels, pixels[i]);
  armilla_map_writer_close (writer, &error);
  g_assert_no_error (error);
  fixture_commit (output);
}

static void
check_header (const ArmillaMapHeader *header, const Variant *variant, const ArmillaGrid *grid)
{
  g_assert_true (armilla_grid_equal (header->grid, grid));
  g_assert_cmpint (header->order, ==,
                   variant->nested ? ARMILLA_ORDER_NESTED : ARMILLA_ORDER_RING);
  g_assert_cmpint (header->partial, ==, variant->partial);
  g_assert_cmpint (header->single, ==, variant->single);
  g_assert_cmpint (header->fields.n, ==, variant->n_fields);
  g_assert_cmpstr (header->fields.units[0], ==, "mK");
  if (variant->n_fields == 3)
    {
      g_assert_cmpstr (header->fields.names[1], ==, "Q_POLARISATION");
      g_assert_cmpstr (header->fields.units[1], ==, "");
      g_assert_cmpstr (header->fields.units[2], ==, "uK");
    }
  g_assert_cmpstr (header->fields.coordsys, ==, "G");
  g_assert_cmpstr (header->fields.polcconv, ==, "IAU");
  g_assert_cmpuint (g_strv_length (header->fields.history), ==, 4);
  g_assert_cmpstr (header->fields.history[1], ==, "second line");
  g_assert_cmpstr (header->fields.history[3], ==, "  therefore goes on in the next");
}

static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  const Variant *variant = data;
  g_autoptr (ArmillaGrid) grid = make_grid (variant);
  g_autofree char *path = fixture_path (fixture, variant->gzip ? "map.fits.gz" : "map.fits");
  g_autoptr (ArmillaMapReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  double *pixels[3];
  gint64 n = grid->n_pixels;

  for (int i = 0; i < variant->n_fields; i++)
    pixels[i] = make_pixels (fixture, variant, n);
  write_map (fixture, path, variant, grid, pixels);
  if (!variant->gzip)
    fixture_verify (path);
  reader = open_map (path);
  check_header (armilla_map_reader_header (reader), variant, grid);
  for (int i = 0; i < variant->n_fields; i++)
    {
      g_autofree double *back = read_field (reader, i);
      double piece[100];
      gint64 first = g_rand_int_range (fixture->random, 0, n), k = MIN (100, n - first);

      g_assert_cmpmem (back, n * sizeof *back, pixels[i], n * sizeof *back);
      armilla_map_reader_read (reader, i, first, k, piece, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (piece, k * sizeof *piece, pixels[i] + first, k * sizeof *piece);
      g_free (pixels[i]);
    }
}

/* Column by column, CFITSIO must find in the file what the formats say: the pixel numbers and the
 * order, which a round trip of ours alone would not show. */
static void
test_nested_file (Fixture *fixture, gconstpointer data)
{
  const Variant *variant = data;
  g_autoptr (ArmillaGrid) grid = make_grid (variant);
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree double *pixels = make_pixels (fixture, variant, grid->n_pixels);
  g_autofree double *column = g_new (double, grid->n_pixels);
  g_autofree LONGLONG *numbers = g_new (LONGLONG, grid->n_pixels);
  fitsfile *fits;
  int status = 0, any;
  LONGLONG rows;
  double unseen = 0;

  write_map (fixture, path, variant, grid, &pixels);
  fits_open_diskfile (&fits, path, READONLY, &status);
  fits_movabs_hdu (fits, 2, NULL, &status);
  fits_get_num_rowsll (fits, &rows, &status);
  g_assert_cmpint (status, ==, 0);
  if (variant->partial)
    {
      fits_read_col (fits, TLONGLONG, 1, 1, 1, rows, NULL, numbers, &any, &status);
      fits_read_col (fits, TDOUBLE, 2, 1, 1, rows, NULL, column, &any, &status);
    }
  else
    {
      rows = grid->n_pixels;
      for (LONGLONG i = 0; i < rows; i++)
        numbers[i] = i;
      fits_read_col (fits, TDOUBLE, 1, 1, 1, rows, NULL, column, &any, &status);
    }
  g_assert_cmpint (status, ==, 0);
  fits_close_file (fits, &status);
  g_assert_cmpint (rows, ==, variant->partial ? (grid->n_pixels + 6) / 7 : grid->n_pixels);
  for (LONGLONG i = 0; i < rows; i++)
    {
      gint64 ring = variant->nested ? armilla_healpix_nest_to_ring (grid->nside, numbers[i])
                                    : numbers[i];

      if (armilla_is_unseen (column[i]))
        unseen++;
      g_assert_true (armilla_is_unseen (column[i]) ? armilla_is_unseen (pixels[ring])
                                                   : column[i] == pixels[ring]);
      g_assert_true (i == 0 || numbers[i] > numbers[i - 1]);
    }
  g_assert_cmpint (unseen, ==, variant->partial ? 0 : (grid->n_pixels + 6) / 7);
}

typedef struct {
  ArmillaMapWriter *writer;
  ArmillaMapReader *reader;
  const double *pixels;
  gint64 n_pixels;
  int field;
} Thread;

static gpointer
thread_write (gpointer data)
{
  Thread *thread = data;
  g_autoptr (GError) error = NULL;

  for (gint64 first = 0; first < thread->n_pixels; first += 1000)
    {
      armilla_map_writer_write (thread->writer, thread->field, first,
                                MIN (1000, thread->n_pixels - first), thread->pixels + first,
                                &error);
      g_assert_no_error (error);
    }
  return NULL;
}

static gpointer
thread_read (gpointer data)
{
  Thread *thread = data;
  g_autoptr (GError) error = NULL;
  double piece[777];

  for (gint64 first = 0, n; first < thread->n_pixels; first += n)
    {
      n = MIN ((gint64) G_N_ELEMENTS (piece), thread->n_pixels - first);
      armilla_map_reader_read (thread->reader, thread->field, first, n, piece, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (piece, n * sizeof *piece, thread->pixels + first, n * sizeof *piece);
    }
  return NULL;
}

static void
run_threads (Thread threads[3], GThreadFunc function)
{
  GThread *running[3];

  for (int i = 0; i < 3; i++)
    running[i] = g_thread_new ("field", function, &threads[i]);
  for (int i = 0; i < 3; i++)
    g_thread_join (running[i]);
}

/* Three threads write, then read, a field each. */
static void
test_threads (Fixture *fixture, gconstpointer data)
{
  const Variant *variant = data;
  g_autoptr (ArmillaGrid) grid = make_grid (variant);
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  g_autoptr (ArmillaMapWriter) writer = NULL;
  g_autoptr (ArmillaMapReader) reader = NULL;
  ArmillaMapHeader header = { .grid = grid, .fields.n = 3, .single = TRUE,
                              .order = variant->nested ? ARMILLA_ORDER_NESTED
                                                       : ARMILLA_ORDER_RING,
                              .partial = variant->partial };
  Thread threads[3];

  writer = armilla_map_writer_open (output, &header, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 3; i++)
    threads[i] = (Thread) { writer, NULL, make_pixels (fixture, variant, grid->n_pixels),
                            grid->n_pixels, i };
  run_threads (threads, thread_write);
  armilla_map_writer_close (writer, &error);
  g_assert_no_error (error);
  fixture_commit (output);
  reader = open_map (path);
  for (int i = 0; i < 3; i++)
    threads[i].reader = reader;
  run_threads (threads, thread_read);
  for (int i = 0; i < 3; i++)
    g_free ((double *) threads[i].pixels);
}

static void
test_check_finite (void)
{
  const double pixels[] = { 1, NAN, 2, INFINITY, -INFINITY, ARMILLA_UNSEEN };
  gint64 n_bad = 0, first_bad = -1;

  g_assert_true (armilla_pixels_check_finite (pixels, 1, 100, &n_bad, &first_bad));
  g_assert_cmpint (n_bad, ==, 0);
  g_assert_false (armilla_pixels_check_finite (pixels, 6, 100, &n_bad, &first_bad));
  g_assert_cmpint (n_bad, ==, 3);
  g_assert_cmpint (first_bad, ==, 101);
  g_assert_false (armilla_pixels_check_finite (pixels + 3, 1, 7, &n_bad, &first_bad));
  g_assert_cmpint (n_bad, ==, 4);
  g_assert_cmpint (first_bad, ==, 7);
}

#define H ARMILLA_GRID_HEALPIX
static const Variant variants[] = {
  { H, 1, 0, 1, FALSE, FALSE, FALSE, FALSE },
  { H, 1, 0, 1, TRUE, TRUE, TRUE, FALSE },
  { H, 2, 0, 3, TRUE, FALSE, FALSE, FALSE },
  { H, 7, 0, 3, FALSE, FALSE, FALSE, FALSE },
  { H, 8, 0, 2, FALSE, TRUE, FALSE, FALSE },
  { H, 10, 0, 3, TRUE, FALSE, FALSE, FALSE },
  { H, 13, 0, 2, FALSE, FALSE, TRUE, FALSE },
  { H, 16, 0, 1, TRUE, FALSE, FALSE, FALSE },
  { H, 32, 0, 3, FALSE, FALSE, FALSE, FALSE },
  { H, 32, 0, 3, TRUE, FALSE, FALSE, TRUE },
  { H, 32, 0, 3, TRUE, TRUE, FALSE, FALSE },
  { H, 32, 0, 3, FALSE, TRUE, FALSE, FALSE },
  { H, 32, 0, 3, TRUE, FALSE, TRUE, FALSE },
  { H, 32, 0, 3, FALSE, TRUE, TRUE, FALSE },
  { H, 64, 0, 1, FALSE, TRUE, TRUE, TRUE },
  { H, 128, 0, 2, TRUE, TRUE, FALSE, FALSE },
  { ARMILLA_GRID_GAUSS_LEGENDRE, 5, 9, 1, FALSE, FALSE, FALSE, FALSE },
  { ARMILLA_GRID_GAUSS_LEGENDRE, 20, 41, 3, TRUE, FALSE, FALSE, TRUE },
  { ARMILLA_GRID_FEJER1, 11, 24, 2, FALSE, FALSE, FALSE, FALSE },
  { ARMILLA_GRID_CLENSHAW_CURTIS, 12, 1, 1, TRUE, FALSE, FALSE, FALSE },
  { ARMILLA_GRID_DRISCOLL_HEALY, 14, 30, 3, FALSE, FALSE, FALSE, FALSE },
  { ARMILLA_GRID_RINGS, 4, 0, 1, FALSE, FALSE, FALSE, FALSE },
  { ARMILLA_GRID_RINGS, 9, 0, 3, TRUE, FALSE, FALSE, FALSE },
};
static const Variant nested[] = {
  { H, 32, 0, 1, TRUE, TRUE, FALSE, FALSE },
  { H, 4, 0, 1, TRUE, TRUE, FALSE, FALSE },
  { H, 16, 0, 1, TRUE, TRUE, TRUE, FALSE },
  { H, 16, 0, 1, TRUE, FALSE, TRUE, FALSE },
};
static const Variant threaded[] = {
  { H, 64, 0, 3, TRUE, FALSE, FALSE, FALSE },
  { H, 64, 0, 3, TRUE, TRUE, FALSE, FALSE },
  { H, 64, 0, 3, TRUE, TRUE, TRUE, FALSE },
};

/* POLCCONV may stand in either header; what contradicts shows. */
static void
test_polcconv (Fixture *fixture, gconstpointer unused)
{
  static const struct { const char *primary, *extension, *seen; } cases[] = {
    { NULL, NULL, NULL },          { NULL, "iau", "IAU" },     { "COSMO", NULL, "COSMO" },
    { "IAU", "IAU", "IAU" },       { "COSMO", "IAU", "COSMO, IAU" },
    { "unknown", "IAU", "IAU" },   { NULL, "unknown", NULL },  { NULL, "left", "LEFT" },
  };

  (void) unused;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = fixture_map (fixture, "polcconv.fits");
      g_autoptr (ArmillaMapReader) reader = NULL;
      fitsfile *file;
      int status = 0;

      fits_open_diskfile (&file, path, READWRITE, &status);
      for (int hdu = 1; hdu <= 2; hdu++)
        {
          const char *value = hdu == 1 ? cases[i].primary : cases[i].extension;

          fits_movabs_hdu (file, hdu, NULL, &status);
          if (value != NULL)
            fits_update_key (file, TSTRING, "POLCCONV", (void *) value, NULL, &status);
          fits_write_chksum (file, &status);
        }
      fits_close_file (file, &status);
      g_assert_cmpint (status, ==, 0);
      reader = open_map (path);
      g_assert_cmpstr (armilla_map_reader_header (reader)->fields.polcconv, ==, cases[i].seen);
      g_unlink (path);
    }
}

/* A map of some rings: the file has the whole grid, and UNSEEN where there are none. */
static void
test_part (Fixture *fixture, gconstpointer data)
{
  const Variant *variant = data;
  g_autoptr (ArmillaGrid) grid = make_grid (variant), part = NULL;
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, NULL);
  g_autoptr (ArmillaMapWriter) writer = NULL;
  g_autoptr (ArmillaMapReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gboolean *wanted = g_new0 (gboolean, grid->n_rings);
  ArmillaMapHeader header = { .order = variant->nested ? ARMILLA_ORDER_NESTED : ARMILLA_ORDER_RING,
                              .partial = variant->partial, .fields.n = variant->n_fields };

  for (gint64 r = 2; r < grid->n_rings; r++)
    wanted[r] = r < 7 || r == grid->n_rings - 3;
  header.grid = part = armilla_grid_select_rings (grid, wanted, NULL);
  writer = armilla_map_writer_open (output, &header, &error);
  g_assert_no_error (error);
  for (int f = 0; f < variant->n_fields; f++)
    for (gint64 r = part->n_rings - 1; r >= 0; r--)
      {
        const ArmillaRing *ring = &part->rings[r];
        g_autofree double *values = g_new (double, ring->n_phi);

        for (gint64 i = 0; i < ring->n_phi; i++)
          values[i] = (double) (1000 * f + ring->offset + i);
        g_assert_true (armilla_map_writer_write (writer, f, ring->offset, ring->n_phi, values,
                                                 NULL));
      }
  g_assert_true (armilla_map_writer_close (writer, NULL));
  fixture_commit (output);
  fixture_verify (path);
  reader = open_map (path);
  g_assert_true (armilla_grid_equal (armilla_map_reader_header (reader)->grid, grid));
  for (int f = 0; f < variant->n_fields; f++)
    {
      g_autofree double *back = read_field (reader, f);

      for (gint64 p = 0; p < grid->n_pixels; p++)
        g_assert_cmpfloat (back[p], ==, wanted[armilla_grid_ring_of (grid, p)]
                                          ? (double) (1000 * f + p) : ARMILLA_UNSEEN);
    }
}

/* A ring of the part that never came is still missed. */
static void
test_part_incomplete (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (2, NULL), part = NULL;
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, NULL);
  g_autoptr (ArmillaMapWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  ArmillaMapHeader header = { .fields.n = 1 };
  double values[12] = { 0 };

  header.grid = part = armilla_grid_select_theta (grid, 0, G_PI / 2 - 0.1, NULL);
  g_assert_cmpint (part->n_covered, ==, 20);
  writer = armilla_map_writer_open (output, &header, NULL);
  g_assert_true (armilla_map_writer_write (writer, 0, 0, 12, values, NULL));
  g_assert_false (armilla_map_writer_write (writer, 0, 19, 2, values, &error));
  g_assert_nonnull (strstr (error->message, "written twice"));
  g_clear_error (&error);
  g_clear_pointer (&writer, armilla_map_writer_free);
  writer = armilla_map_writer_open (output, &header, NULL);
  g_assert_true (armilla_map_writer_write (writer, 0, 0, 12, values, NULL));
  g_assert_false (armilla_map_writer_close (writer, &error));
  g_assert_nonnull (strstr (error->message, "8 of 48 pixels were never written, the first is 12"));
}

static const Variant parts[] = {
  { ARMILLA_GRID_HEALPIX, 8, 0, 2, FALSE, FALSE, FALSE, FALSE },
  { ARMILLA_GRID_HEALPIX, 8, 0, 2, FALSE, TRUE, FALSE, FALSE },
  { ARMILLA_GRID_HEALPIX, 8, 0, 2, FALSE, FALSE, TRUE, FALSE },
  { ARMILLA_GRID_HEALPIX, 8, 0, 2, FALSE, TRUE, TRUE, FALSE },
  { ARMILLA_GRID_GAUSS_LEGENDRE, 11, 9, 1, FALSE, FALSE, FALSE, FALSE },
  { ARMILLA_GRID_RINGS, 4, 0, 2, FALSE, FALSE, FALSE, FALSE },
};

static void
add_tests (const char *what, const Variant *list, gsize n,
           void (*function) (Fixture *, gconstpointer))
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *name
        = g_strdup_printf ("/fits-map/%s/kind-%d/size-%d/%s%s%s%s", what, list[i].kind,
                           (int) list[i].size, list[i].single ? "single" : "double",
                           list[i].nested ? "-nested" : "", list[i].partial ? "-partial" : "",
                           list[i].gzip ? "-gzip" : "");

      g_test_add (name, Fixture, &list[i], fixture_setup, function, fixture_teardown);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/fits-map/published/values", Fixture, NULL, fixture_setup, test_published,
              fixture_teardown);
  g_test_add ("/fits-map/published/header", Fixture, NULL, fixture_setup, test_published_header,
              fixture_teardown);
  g_test_add ("/fits-map/polcconv", Fixture, NULL, fixture_setup, test_polcconv, fixture_teardown);
  add_tests ("round-trip", variants, G_N_ELEMENTS (variants), test_round_trip);
  add_tests ("file", nested, G_N_ELEMENTS (nested), test_nested_file);
  add_tests ("threads", threaded, G_N_ELEMENTS (threaded), test_threads);
  add_tests ("part", parts, G_N_ELEMENTS (parts), test_part);
  g_test_add ("/fits-map/part-incomplete", Fixture, NULL, fixture_setup, test_part_incomplete,
              fixture_teardown);
  g_test_add_func ("/fits-map/check-finite", test_check_finite);
  return g_test_run ();
}
