/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/files/output.h"
#include "core/fits/fits.h"
#include "core/spectra/cl-table.h"
#include "tests/fuzz/fits-mutate.h"

#include <glib/gstdio.h>
#include <string.h>

/* Where seeds are made before they are loaded. */
static ArmillaOutput *
seed_output (const char *folder, char **path)
{
  g_autoptr (GError) error = NULL;
  ArmillaOutput *output;

  *path = g_build_filename (folder, "seed.fits", NULL);
  output = armilla_output_new (*path, TRUE, &error);
  g_assert_no_error (error);
  return output;
}

/* Checksums become comments unless they are to stay. */
static void
seed_take (GPtrArray *seeds, ArmillaOutput *output, const char *path, gboolean sums)
{
  g_autoptr (GError) error = NULL;
  GByteArray *bytes;
  char *text;
  gsize n;

  armilla_output_finish (output, &error);
  g_assert_no_error (error);
  armilla_output_commit (output, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &text, &n, &error);
  g_assert_no_error (error);
  for (gsize i = 0; !sums && i < n; i += 80)
    if (memcmp (text + i, "CHECKSUM", 8) == 0 || memcmp (text + i, "DATASUM ", 8) == 0)
      memcpy (text + i, "COMMENT ", 8);
  bytes = g_byte_array_new_take ((guint8 *) text, n);
  g_ptr_array_add (seeds, bytes);
  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
add_map (GPtrArray *seeds, const char *folder, ArmillaGrid *grid, ArmillaMapOrder order,
         gboolean partial, gboolean single, int n_fields, gboolean sums)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autoptr (ArmillaOutput) output = seed_output (folder, &path);
  g_autofree double *pixels = g_new (double, grid->n_pixels);
  g_autoptr (ArmillaMapWriter) writer = NULL;
  ArmillaMapHeader header = { .grid = grid, .order = order, .partial = partial,
                              .single = single, .fields.n = n_fields,
                              .fields.coordsys = (char *) "G" };

  writer = armilla_map_writer_open (output, &header, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < grid->n_pixels; i++)
    pixels[i] = i % 3 == 0 ? ARMILLA_UNSEEN : 0.5 * i;
  for (int i = 0; i < n_fields; i++)
    {
      armilla_map_writer_write (writer, i, 0, grid->n_pixels, pixels, &error);
      g_assert_no_error (error);
    }
  armilla_map_writer_close (writer, &error);
  g_assert_no_error (error);
  seed_take (seeds, output, path, sums);
}

static void
add_maps (GPtrArray *seeds, const char *folder)
{
  g_autoptr (ArmillaGrid) healpix = armilla_grid_new_healpix (4, NULL);
  g_autoptr (ArmillaGrid) wide = armilla_grid_new_healpix (16, NULL);
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (6, 12, NULL);
  g_autoptr (ArmillaGrid) equal
    = armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, 7, 12, NULL);
  g_autoptr (ArmillaGrid) rings = armilla_grid_new_rings (gauss->rings, gauss->n_rings, NULL);

  add_map (seeds, folder, healpix, ARMILLA_ORDER_RING, FALSE, TRUE, 3, FALSE);
  add_map (seeds, folder, healpix, ARMILLA_ORDER_NESTED, FALSE, FALSE, 1, FALSE);
  add_map (seeds, folder, healpix, ARMILLA_ORDER_RING, TRUE, FALSE, 2, FALSE);
  add_map (seeds, folder, healpix, ARMILLA_ORDER_NESTED, TRUE, TRUE, 1, FALSE);
  add_map (seeds, folder, wide, ARMILLA_ORDER_RING, FALSE, TRUE, 2, FALSE);
  add_map (seeds, folder, gauss, ARMILLA_ORDER_RING, FALSE, FALSE, 2, FALSE);
  add_map (seeds, folder, equal, ARMILLA_ORDER_RING, FALSE, TRUE, 1, FALSE);
  add_map (seeds, folder, rings, ARMILLA_ORDER_RING, FALSE, FALSE, 1, FALSE);
  add_map (seeds, folder, healpix, ARMILLA_ORDER_RING, FALSE, TRUE, 1, TRUE);
}

static void
add_alm (GPtrArray *seeds, const char *folder, ArmillaAlmLayout layout, int n_fields)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autoptr (ArmillaOutput) output = seed_output (folder, &path);
  g_autofree double *values = g_new0 (double, 2 * armilla_alm_count (layout));
  g_autoptr (ArmillaAlmWriter) writer
    = armilla_alm_writer_open (output, layout, n_fields, NULL, NULL, NULL, n_fields > 1, NULL,
                               &error);

  g_assert_no_error (error);
  for (int i = 0; i < n_fields; i++)
    armilla_alm_writer_write (writer, i, 0, armilla_alm_count (layout), values, &error);
  g_assert_no_error (error);
  armilla_alm_writer_close (writer, &error);
  g_assert_no_error (error);
  seed_take (seeds, output, path, FALSE);
}

static void
add_cl (GPtrArray *seeds, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autoptr (ArmillaOutput) output = seed_output (folder, &path);
  g_autoptr (ArmillaClTable) table = armilla_cl_table_new (20, 4);

  armilla_cl_write (output, table, NULL, &error);
  g_assert_no_error (error);
  seed_take (seeds, output, path, FALSE);
}

static void
add_text (GPtrArray *seeds, const char *text)
{
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) text, strlen (text));
  g_ptr_array_add (seeds, bytes);
}

static void
put_cards (GByteArray *bytes, const char *const *cards)
{
  for (; *cards != NULL; cards++)
    {
      g_autofree char *card = g_strdup_printf ("%-80s", *cards);

      g_byte_array_append (bytes, (const guint8 *) card, 80);
    }
  while (bytes->len % 2880 != 0)
    g_byte_array_append (bytes, (const guint8 *) " ", 1);
}

/* A text table as anafast writes spectra. */
static void
add_text_table (GPtrArray *seeds)
{
  static const char *const primary[] = {
    "SIMPLE  =                    T", "BITPIX  =                    8",
    "NAXIS   =                    0", "EXTEND  =                    T", "END", NULL
  };
  static const char *const table[] = {
    "XTENSION= 'TABLE   '",           "BITPIX  =                    8",
    "NAXIS   =                    2", "NAXIS1  =                   22",
    "NAXIS2  =                   40", "PCOUNT  =                    0",
    "GCOUNT  =                    1", "TFIELDS =                    2",
    "TTYPE1  = 'TEMPERATURE'",        "TFORM1  = 'E15.7   '",
    "TBCOL1  =                    1", "TTYPE2  = 'COUNT   '",
    "TFORM2  = 'I6      '",           "TBCOL2  =                   17",
    "TZERO2  =                    1", "END", NULL
  };
  GByteArray *bytes = g_byte_array_new ();

  put_cards (bytes, primary);
  put_cards (bytes, table);
  for (int i = 0; i < 40; i++)
    g_byte_array_append (bytes, (const guint8 *) "  1.2345678E-05     42", 22);
  while (bytes->len % 2880 != 0)
    g_byte_array_append (bytes, (const guint8 *) " ", 1);
  g_ptr_array_add (seeds, bytes);
}

GPtrArray *
fits_seeds_new (void)
{
  GPtrArray *seeds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  g_autofree char *folder = g_dir_make_tmp ("armilla-fuzz-XXXXXX", NULL);

  g_assert_nonnull (folder);
  add_maps (seeds, folder);
  add_alm (seeds, folder, (ArmillaAlmLayout) { 8, 5 }, 1);
  add_alm (seeds, folder, (ArmillaAlmLayout) { 4, 4 }, 3);
  add_cl (seeds, folder);
  add_text_table (seeds);
  add_text (seeds, "# L TT EE BB TE\n2 1.5 2e-3 0 -1\n3 1.25 3D-3 0 -2\n4 1 4e-3 0 -3\n");
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return seeds;
}
