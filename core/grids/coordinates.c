/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "core/grids/grid.h"

#include <math.h>
#include <string.h>

typedef double Matrix[3][3];

/* Multiplying a direction in ecliptic coordinates (mean ecliptic of J2000) by these gives galactic
 * and equatorial (FK5, J2000) ones: the matrices of healpy 1.20, which are astropy's. */
static const Matrix ecliptic_to_galactic = {
  { -0.054875634866282955, -0.9938213523891724, -0.09647685853808491 },
  { 0.49410952885789594, -0.11099097203832753, 0.8622857865103742 },
  { -0.8676660868040468, -0.00035165514701401834, 0.49714730025296094 },
};
static const Matrix ecliptic_to_equatorial = {
  { 0.9999999999999906, -8.651314600163712e-08, -9.838583464995654e-08 },
  { 4.02386553932528e-08, 0.9174821682916503, -0.3977769109272801 },
  { 1.2468018087495808e-07, 0.3977769109272727, 0.9174821682916464 },
};

/* Sets @matrix to the rotation from ecliptic coordinates to @system. */
static void
matrix_of (char system, Matrix matrix)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      matrix[i][j] = system == 'G'   ? ecliptic_to_galactic[i][j]
                     : system == 'C' ? ecliptic_to_equatorial[i][j]
                                     : (i == j);
}

/* Returns the letter of a coordinate system. Whole words are tried first (EQUATORIAL, CELESTIAL,
 * ICRS, FK5 and J2000, GALACTIC, ECLIPTIC), then single letters; case and blanks around the word
 * are ignored. The letter is C (equatorial), G (galactic) or E (ecliptic); 0 if the word is
 * unknown.
 * @word: as given in a file or by a caller (may be NULL). */
char
armilla_coordinates_letter (const char *word)
{
  static const struct { const char *word; char letter; } known[] = {
    { "EQUATORIAL", 'C' }, { "CELESTIAL", 'C' }, { "ICRS", 'C' }, { "FK5", 'C' }, { "J2000", 'C' },
    { "GALACTIC", 'G' }, { "ECLIPTIC", 'E' }, { "C", 'C' }, { "G", 'G' }, { "E", 'E' },
  };
  g_autofree char *bare = g_strstrip (g_strdup (word != NULL ? word : ""));

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_ascii_strcasecmp (bare, known[i].word) == 0)
      return known[i].letter;
  return 0;
}

/* Finds the rotation of a field from one system to another: by psi about z, then by theta about y,
 * then by phi about z, with theta from 0 to pi. Returns whether both systems are known. @angles:
 * psi, theta and phi, radian. */
gboolean
armilla_coordinates_angles (char from, char to, double angles[3], GError **error)
{
  Matrix a, b, r = { { 0 } };

  if (from == 0 || to == 0 || strchr ("GEC", from) == NULL || strchr ("GEC", to) == NULL)
    return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                         "unknown coordinates %c or %c; must be G (galactic), E (ecliptic) or C "
                         "(equatorial)", g_ascii_isprint (from) ? from : '?',
                         g_ascii_isprint (to) ? to : '?');
  memset (angles, 0, 3 * sizeof *angles);
  if (from == to)
    return TRUE;
  /* The inverse of a rotation is its transpose: r = b a'. */
  matrix_of (from, a);
  matrix_of (to, b);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        r[i][j] += b[i][k] * a[j][k];
  angles[0] = atan2 (r[2][1], -r[2][0]);
  angles[1] = atan2 (hypot (r[2][0], r[2][1]), r[2][2]);
  angles[2] = atan2 (r[1][2], r[0][2]);
  return TRUE;
}
