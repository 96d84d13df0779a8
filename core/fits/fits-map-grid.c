/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-map.h"

#include <armilla/memory.h>
#include <string.h>

static const char *const pixtypes[] = {
  [ARMILLA_GRID_HEALPIX] = "HEALPIX",
  [ARMILLA_GRID_GAUSS_LEGENDRE] = "GAUSSLEGENDRE",
  [ARMILLA_GRID_FEJER1] = "FEJER1",
  [ARMILLA_GRID_CLENSHAW_CURTIS] = "CLENSHAW-CURTIS",
  [ARMILLA_GRID_DRISCOLL_HEALY] = "DRISCOLL-HEALY",
  [ARMILLA_GRID_RINGS] = "RINGS",
};

/* computing a Gauss-Legendre rule of this size already takes long */
#define RINGS_LIMIT (4 * ARMILLA_FITS_NSIDE_LIMIT)

const char *
armilla_grid_pixtype (ArmillaGridKind kind)
{
  return pixtypes[kind];
}

gboolean
armilla_grid_kind_from_pixtype (const char *pixtype, ArmillaGridKind *kind)
{
  for (gsize i = 0; i < G_N_ELEMENTS (pixtypes); i++)
    if (g_ascii_strcasecmp (pixtype, pixtypes[i]) == 0)
      {
        *kind = (ArmillaGridKind) i;
        return TRUE;
      }
  return FALSE;
}

/* Reads a Gauss-Legendre or equiangular grid: NTHETA and NPHI define it, and must agree with the
 * axes of the image. */
ArmillaGrid *
armilla_map_grid_read (ArmillaFitsInput *input, int number, ArmillaGridKind kind, GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, number);
  gint64 n_theta, n_phi;
  g_autoptr (GError) why = NULL;
  ArmillaGrid *grid;

  if (!armilla_fits_input_int (input, "NTHETA", -1, &n_theta, error)
      || !armilla_fits_input_int (input, "NPHI", -1, &n_phi, error))
    return NULL;
  if (hdu->n_axes < 2 || hdu->n_axes > 3 || hdu->axes[0] != n_phi || hdu->axes[1] != n_theta
      || n_theta < 1 || n_theta > RINGS_LIMIT || n_phi < 1)
    {
      armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                "HDU %d: the image must have axes NPHI = %" G_GINT64_FORMAT
                                " and NTHETA = %" G_GINT64_FORMAT " (at most %d), and a third "
                                "axis if there are several fields",
                                number, n_phi, n_theta, RINGS_LIMIT);
      return NULL;
    }
  grid = kind == ARMILLA_GRID_GAUSS_LEGENDRE
           ? armilla_grid_new_gauss_legendre (n_theta, n_phi, &why)
           : armilla_grid_new_equiangular (kind, n_theta, n_phi, &why);
  if (grid == NULL)
    armilla_fits_input_error (input, error, why->code, "HDU %d: %s", number, why->message);
  return grid;
}

/* Position and type of each column of a RINGS extension. */
static const struct {
  const char *name;
  gsize place;
  gboolean integer;
} ring_columns[] = {
  { "COSTHETA", G_STRUCT_OFFSET (ArmillaRing, cos_theta), FALSE },
  { "COSTHETA_LOW", G_STRUCT_OFFSET (ArmillaRing, cos_lo), FALSE },
  { "SINTHETA", G_STRUCT_OFFSET (ArmillaRing, sin_theta), FALSE },
  { "SINTHETA_LOW", G_STRUCT_OFFSET (ArmillaRing, sin_lo), FALSE },
  { "WEIGHT", G_STRUCT_OFFSET (ArmillaRing, weight), FALSE },
  { "NPHI", G_STRUCT_OFFSET (ArmillaRing, n_phi), TRUE },
  { "OFFSET", G_STRUCT_OFFSET (ArmillaRing, offset), TRUE },
  { "PHI0_NUM", G_STRUCT_OFFSET (ArmillaRing, phi0_num), TRUE },
  { "PHI0_DEN", G_STRUCT_OFFSET (ArmillaRing, phi0_den), TRUE },
  { "PHI0", G_STRUCT_OFFSET (ArmillaRing, phi0), FALSE },
};

static gboolean
read_ring_column (ArmillaFitsInput *input, int number, gsize which, ArmillaRing *rings,
                  GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, number);
  const ArmillaFitsColumn *column = &hdu->columns[which];
  g_autofree gint64 *integers = NULL;
  g_autofree double *reals = NULL;

  if (strcmp (column->name, ring_columns[which].name) != 0 || column->repeat != 1
      || column->type != (ring_columns[which].integer ? 'K' : 'D'))
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                     "HDU %d: column %d of the rings must be %s, type %c", number,
                                     (int) which + 1, ring_columns[which].name,
                                     ring_columns[which].integer ? 'K' : 'D');
  integers = armilla_try_new (gint64, hdu->rows, "a column of rings", error);
  reals = integers != NULL ? armilla_try_new (double, hdu->rows, "a column of rings", error) : NULL;
  if (reals == NULL)
    return FALSE;
  if (ring_columns[which].integer
        ? !armilla_fits_column_read_int (input, hdu, column, 0, hdu->rows, integers, error)
        : !armilla_fits_column_read (input, hdu, column, 0, hdu->rows, reals, error))
    return FALSE;
  for (gint64 i = 0; i < hdu->rows; i++)
    {
      char *place = (char *) &rings[i] + ring_columns[which].place;

      if (ring_columns[which].integer)
        *(gint64 *) place = integers[i];
      else
        *(double *) place = reals[i];
    }
  return TRUE;
}

/* The list of rings is in the HDU after the image. */
ArmillaGrid *
armilla_map_rings_read (ArmillaFitsInput *input, int number, GError **error)
{
  g_autofree ArmillaRing *rings = NULL;
  g_autofree char *name = NULL;
  g_autoptr (GError) why = NULL;
  ArmillaFitsHdu *hdu;
  ArmillaGrid *grid;

  if (number + 1 < (int) input->hdus->len)
    {
      if (!armilla_fits_input_select (input, number + 1, error))
        return NULL;
      name = armilla_fits_input_string (input, "EXTNAME");
    }
  if (g_strcmp0 (name, "RINGS") != 0)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                     "HDU %d must be the table RINGS of the map before it",
                                     number + 1), NULL;
  hdu = armilla_fits_input_hdu (input, number + 1);
  if (hdu->kind != ARMILLA_HDU_TABLE || hdu->n_columns < (int) G_N_ELEMENTS (ring_columns)
      || hdu->rows < 1 || hdu->rows > RINGS_LIMIT)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                     "HDU %d: RINGS must be a binary table of %d columns and 1 to "
                                     "%d rows",
                                     number + 1, (int) G_N_ELEMENTS (ring_columns), RINGS_LIMIT),
           NULL;
  rings = armilla_try_new (ArmillaRing, hdu->rows, "the rings of the map", error);
  if (rings == NULL)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (ring_columns); i++)
    if (!read_ring_column (input, number + 1, i, rings, error))
      return NULL;
  grid = armilla_grid_new_rings (rings, hdu->rows, &why);
  if (grid == NULL)
    armilla_fits_input_error (input, error, why->code, "HDU %d: %s", number + 1, why->message);
  return grid;
}
