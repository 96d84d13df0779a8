/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-map-writer.h"

/* values encoded at a time */
#define CHUNK 65536
/* healpy writes rows of 1024 pixels for maps with more pixels than that */
#define ROW_PIXELS 1024

/* Returns the number of values of one field per row. Maps whose number of pixels 1024 does not
 * divide (nside not a multiple of 16), which healpy cannot write, get rows of 12 nside. */
static gint64
row_values (gint64 nside)
{
  gint64 n_pixels = 12 * nside * nside;

  if (n_pixels <= ROW_PIXELS)
    return 1;
  return n_pixels % ROW_PIXELS == 0 ? ROW_PIXELS : 12 * nside;
}

static void
put_conventions (GString *cards, const ArmillaMapHeader *header)
{
  if (header->fields.coordsys != NULL)
    armilla_fits_put_string (cards, "COORDSYS", header->fields.coordsys,
                             "Ecliptic, Galactic or Celestial (equatorial)");
  if (header->fields.polcconv != NULL)
    armilla_fits_put_string (cards, "POLCCONV", header->fields.polcconv,
                             "Coord. convention for polarisation (COSMO/IAU)");
  armilla_fits_put_string (cards, "CREATOR", "armilla", NULL);
  armilla_fits_put_history (cards, header->fields.history);
}

/* Adds the header of a table of `rows` rows; sets row_bytes and data. */
static void
begin_healpix (ArmillaMapWriter *writer, gint64 rows)
{
  const ArmillaMapHeader *header = &writer->header;
  g_autofree ArmillaFitsField *fields = g_new0 (ArmillaFitsField, header->fields.n + 1);
  gint64 n_pixels = header->grid->n_pixels;
  gboolean nested = header->order == ARMILLA_ORDER_NESTED;
  g_autoptr (GString) cards = NULL;
  int n = 0;

  if (header->partial)
    fields[n++] = (ArmillaFitsField) { "PIXEL", NULL, n_pixels > G_MAXINT32 ? 'K' : 'J', 1 };
  for (int i = 0; i < header->fields.n; i++)
    fields[n++] = (ArmillaFitsField) { header->fields.names[i], header->fields.units[i],
                                       header->single ? 'E' : 'D', writer->repeat };
  cards = armilla_fits_table_header (rows, fields, n, &writer->row_bytes);
  armilla_fits_put_string (cards, "PIXTYPE", "HEALPIX", "HEALPIX pixelisation");
  armilla_fits_put_string (cards, "ORDERING", nested ? "NESTED" : "RING",
                           "Pixel ordering scheme, either RING or NESTED");
  armilla_fits_put_string (cards, "EXTNAME", "xtension", "name of this binary table extension");
  armilla_fits_put_int (cards, "NSIDE", header->grid->nside, "Resolution parameter of HEALPIX");
  if (!header->partial)
    {
      armilla_fits_put_int (cards, "FIRSTPIX", 0, "First pixel # (0 based)");
      armilla_fits_put_int (cards, "LASTPIX", n_pixels - 1, "Last pixel # (0 based)");
    }
  armilla_fits_put_string (cards, "INDXSCHM", header->partial ? "EXPLICIT" : "IMPLICIT",
                           "Indexing: IMPLICIT or EXPLICIT");
  armilla_fits_put_string (cards, "OBJECT", header->partial ? "PARTIAL" : "FULLSKY",
                           "Sky coverage, either FULLSKY or PARTIAL");
  put_conventions (cards, header);
  writer->data = armilla_fits_output_add (writer->out, cards, rows * writer->row_bytes);
}

static gint64
add_rings (ArmillaMapWriter *writer)
{
  static const char *const names[] = { "COSTHETA", "COSTHETA_LOW", "SINTHETA", "SINTHETA_LOW",
                                       "WEIGHT",   "NPHI",         "OFFSET",   "PHI0_NUM",
                                       "PHI0_DEN", "PHI0" };
  ArmillaFitsField fields[G_N_ELEMENTS (names)];
  gint64 row_bytes, rows = writer->header.grid->n_rings;
  g_autoptr (GString) cards = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    fields[i] = (ArmillaFitsField) { names[i], NULL, i >= 5 && i <= 8 ? 'K' : 'D', 1 };
  cards = armilla_fits_table_header (rows, fields, G_N_ELEMENTS (names), &row_bytes);
  armilla_fits_put_string (cards, "EXTNAME", "RINGS", "rings of the map in front");
  return armilla_fits_output_add (writer->out, cards, rows * row_bytes);
}

static gboolean
put_rings (ArmillaMapWriter *writer, gint64 data, GError **error)
{
  const ArmillaGrid *grid = writer->header.grid;
  guint8 row[80];

  for (gint64 i = 0; i < grid->n_rings; i++)
    {
      const ArmillaRing *ring = &grid->rings[i];
      guint8 *p = row;

      p = armilla_put_real (p, FALSE, ring->cos_theta);
      p = armilla_put_real (p, FALSE, ring->cos_lo);
      p = armilla_put_real (p, FALSE, ring->sin_theta);
      p = armilla_put_real (p, FALSE, ring->sin_lo);
      p = armilla_put_real (p, FALSE, ring->weight);
      p = armilla_put_int64 (p, ring->n_phi);
      p = armilla_put_int64 (p, ring->offset);
      p = armilla_put_int64 (p, ring->phi0_num);
      p = armilla_put_int64 (p, ring->phi0_den);
      armilla_put_real (p, FALSE, ring->phi0);
      if (!armilla_fits_output_write (writer->out, data + i * (gint64) sizeof row, row, sizeof row,
                                      error))
        return FALSE;
    }
  return TRUE;
}

/* Adds names and units of the fields of an image, and how it was made. */
static void
put_fields (GString *cards, const ArmillaMapHeader *header)
{
  gboolean one_unit = *header->fields.units[0] != 0;

  for (int i = 0; i < header->fields.n; i++)
    {
      char key[16];

      one_unit = one_unit && strcmp (header->fields.units[i], header->fields.units[0]) == 0;
      g_snprintf (key, sizeof key, "FIELD%d", i + 1);
      armilla_fits_put_string (cards, key, header->fields.names[i], NULL);
      g_snprintf (key, sizeof key, "UNIT%d", i + 1);
      armilla_fits_put_string (cards, key, header->fields.units[i], NULL);
    }
  if (one_unit)
    armilla_fits_put_string (cards, "BUNIT", header->fields.units[0], "unit of all fields");
  put_conventions (cards, header);
}

/* Adds the header of the image of a grid, with the fields as its last axis. */
static gboolean
begin_image (ArmillaMapWriter *writer, GError **error)
{
  const ArmillaMapHeader *header = &writer->header;
  const ArmillaGrid *grid = header->grid;
  const ArmillaCar *car = &writer->car;
  const gboolean rings = grid->kind == ARMILLA_GRID_RINGS, plain = car->n_x > 0;
  gint64 axes[3] = { rings ? grid->n_pixels : grid->rings[0].n_phi, grid->n_rings, 0 };
  gint64 ring_data = 0;
  int n_axes = rings ? 1 : 2;
  g_autoptr (GString) cards = NULL;

  if (plain)
    {
      axes[0] = car->n_x;
      axes[1] = car->n_y;
    }
  if (header->fields.n > 1)
    axes[n_axes++] = header->fields.n;
  cards = armilla_fits_image_header (plain, header->single, n_axes, axes);
  if (plain)
    armilla_map_car_put (cards, car, &header->fields);
  else
    {
      armilla_fits_put_string (cards, "PIXTYPE", armilla_grid_pixtype (grid->kind),
                               "grid of the map");
      armilla_fits_put_string (cards, "EXTNAME", "MAP", NULL);
    }
  if (!rings && !plain)
    {
      armilla_fits_put_int (cards, "NTHETA", grid->n_rings, "rings, north to south");
      armilla_fits_put_int (cards, "NPHI", axes[0], "pixels of a ring, eastwards from phi = 0");
    }
  put_fields (cards, header);
  writer->row_bytes = 0;
  writer->data = armilla_fits_output_add (writer->out, cards,
                                          axes[0] * (rings ? 1 : axes[1]) * header->fields.n
                                            * (header->single ? 4 : 8));
  if (rings)
    ring_data = add_rings (writer);
  return armilla_fits_output_reserve (writer->out, error)
         && (!rings || armilla_fits_output_is_joined (writer->out)
             || put_rings (writer, ring_data, error));
}

/* Writes all headers known before the first pixel; that of a partial map follows at the end. */
gboolean
armilla_map_writer_begin (ArmillaMapWriter *writer, GError **error)
{
  const ArmillaGrid *grid = writer->header.grid;

  if (grid->kind != ARMILLA_GRID_HEALPIX)
    {
      writer->repeat = grid->n_pixels;
      return begin_image (writer, error);
    }
  writer->repeat = writer->header.partial ? 1 : row_values (grid->nside);
  if (writer->header.partial)
    return TRUE;
  begin_healpix (writer, grid->n_pixels / writer->repeat);
  return armilla_fits_output_reserve (writer->out, error);
}

/* Encodes values of an image of a part of the sky, row by row. Pixels outside it are ignored. */
static gboolean
put_car (ArmillaMapWriter *writer, int field, gint64 first, gint64 n, const double *values,
         GError **error)
{
  const ArmillaCar *car = &writer->car;
  const gboolean single = writer->header.single;
  const gint64 n_phi = writer->header.grid->rings[0].n_phi, size = single ? 4 : 8;
  g_autofree guint8 *buffer = g_malloc (MIN (n, car->n_x) * size);

  for (gint64 count; n > 0; first += count, n -= count, values += count)
    {
      const gint64 row = first / n_phi - writer->first_ring, k = first % n_phi;
      const gint64 inside = row >= 0 && row < car->n_y ? CLAMP (car->n_x - k, 0, n) : 0;
      const gint64 last = inside - 1;
      const gboolean back = car->cdelt[0] < 0;
      guint8 *p = buffer;

      count = MIN (n, n_phi - k);
      for (gint64 i = 0; i < inside; i++)
        p = armilla_put_real (p, single, values[back ? last - i : i]);
      if (inside > 0
          && !armilla_fits_output_write (writer->out,
                                         writer->data
                                           + ((field * car->n_y + armilla_car_row (car, row))
                                                * car->n_x
                                              + armilla_car_column (car, back ? k + last : k))
                                               * size,
                                         buffer, inside * size, error))
        return FALSE;
    }
  return TRUE;
}

/* Encodes values of a field from first on, in the order of the file, segment by segment. */
gboolean
armilla_map_writer_put_values (ArmillaMapWriter *writer, int field, gint64 first, gint64 n,
                               const double *values, GError **error)
{
  const ArmillaMapHeader *header = &writer->header;
  gint64 size = header->single ? 4 : 8, repeat = writer->repeat, n_chunk;
  gboolean dense = header->fields.n == 1 && !header->partial;
  g_autofree guint8 *buffer = NULL;

  if (writer->car.n_x > 0)
    return put_car (writer, field, first, n, values, error);
  buffer = g_malloc (CHUNK * size);
  for (; n > 0; first += n_chunk, n -= n_chunk, values += n_chunk)
    {
      gint64 row = first / repeat, k = first % repeat;
      guint8 *p = buffer;

      n_chunk = MIN (MIN (n, CHUNK), dense ? n : repeat - k);
      for (gint64 i = 0; i < n_chunk; i++)
        p = armilla_put_real (p, header->single, values[i]);
      if (!armilla_fits_output_write (writer->out,
                                      writer->data + row * repeat * header->fields.n * size
                                        + (field * repeat + k) * size,
                                      buffer, n_chunk * size, error))
        return FALSE;
    }
  return TRUE;
}

/* Returns whether a block has observed pixels in any field. */
static gboolean
block_exists (const ArmillaMapWriter *writer, gint64 block)
{
  for (int i = 0; i < writer->header.fields.n; i++)
    if (writer->stores[i].blocks[block] != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
pixel_seen (const ArmillaMapWriter *writer, gint64 pixel)
{
  for (int i = 0; i < writer->header.fields.n; i++)
    if (!armilla_is_unseen (armilla_pixel_store_get (&writer->stores[i], pixel)))
      return TRUE;
  return FALSE;
}

static guint8 *
put_partial_row (const ArmillaMapWriter *writer, gint64 pixel, guint8 *p)
{
  const ArmillaMapHeader *header = &writer->header;

  p = header->grid->n_pixels > G_MAXINT32 ? armilla_put_int64 (p, pixel)
                                          : armilla_put_int32 (p, pixel);
  for (int i = 0; i < header->fields.n; i++)
    p = armilla_put_real (p, header->single, armilla_pixel_store_get (&writer->stores[i], pixel));
  return p;
}

/* Visits all pixels observed in any field: counts them, or writes their rows. */
static gboolean
walk_partial (ArmillaMapWriter *writer, gboolean write, gint64 *rows, GError **error)
{
  gint64 n_pixels = writer->header.grid->n_pixels;
  g_autofree guint8 *buffer = g_malloc (ARMILLA_STORE_BLOCK * MAX (1, writer->row_bytes));

  *rows = 0;
  for (gint64 block = 0; block < writer->stores[0].n_blocks; block++)
    {
      gint64 first = block * ARMILLA_STORE_BLOCK, n = 0;
      guint8 *p = buffer;

      if (!block_exists (writer, block))
        continue;
      for (gint64 i = first; i < MIN (first + ARMILLA_STORE_BLOCK, n_pixels); i++)
        if (pixel_seen (writer, i))
          {
            n++;
            if (write)
              p = put_partial_row (writer, i, p);
          }
      if (write
          && !armilla_fits_output_write (writer->out, writer->data + *rows * writer->row_bytes,
                                         buffer, p - buffer, error))
        return FALSE;
      *rows += n;
    }
  return TRUE;
}

/* Writes a partial map when all pixels are known, and so is the number of rows. */
gboolean
armilla_map_writer_put_partial (ArmillaMapWriter *writer, GError **error)
{
  gint64 rows;

  if (!walk_partial (writer, FALSE, &rows, error))
    return FALSE;
  begin_healpix (writer, rows);
  return armilla_fits_output_reserve (writer->out, error)
         && walk_partial (writer, TRUE, &rows, error);
}
