/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/tables/legendre-table-private.h"

#include <armilla/error.h>
#include <string.h>

#define ODD G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

/* Adds one word to the sum. */
static inline guint64
mix (guint64 sum, const char *from)
{
  guint64 word;

  memcpy (&word, from, sizeof word);
  sum = (sum ^ word) * ODD;
  return sum ^ sum >> 29;
}

/* Returns a checksum. Every step is a bijection of the state and of the added word, so a change of
 * one word changes the sum; a change of several is missed with probability 2^-64. size is a
 * multiple of 8. */
guint64
armilla_legendre_checksum (const void *data, gsize size)
{
  const char *bytes = data;
  guint64 a = 1, b = 2, c = 3, d = size, lanes[4], sum = 0; /* four chains in parallel */
  gsize i = 0;

  for (; i + 32 <= size; i += 32)
    {
      a = mix (a, bytes + i);
      b = mix (b, bytes + i + 8);
      c = mix (c, bytes + i + 16);
      d = mix (d, bytes + i + 24);
    }
  for (; i + 8 <= size; i += 8)
    a = mix (a, bytes + i);
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
  for (int k = 0; k < 4; k++)
    sum = mix (sum, (const char *) (lanes + k));
  return sum;
}

/* Describes the table of a grid, which does not depend on azimuths and weights of the rings. */
void
armilla_legendre_key_init (ArmillaLegendreKey *key, const ArmillaGrid *grid,
                           ArmillaAlmLayout layout, double tolerance)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *words = armilla_grid_describe (grid);
  gsize size = sizeof key->digest;

  memset (key, 0, sizeof *key);
  key->lmax = layout.lmax;
  key->mmax = layout.mmax;
  key->n_pairs = grid->n_pairs;
  key->tolerance = tolerance;
  g_strlcpy (key->grid, words, sizeof key->grid);
  for (gint64 p = 0; p < grid->n_pairs; p++)
    {
      const ArmillaRingPair pair = grid->pairs[p];
      const ArmillaRing *ring = &grid->rings[pair.north >= 0 ? pair.north : pair.south];
      const double sign = pair.north >= 0 ? 1 : -1;
      const double where[4] = { sign * ring->cos_theta, sign * ring->cos_lo, ring->sin_theta,
                                ring->sin_lo };

      g_checksum_update (sum, (const guchar *) where, sizeof where);
    }
  g_checksum_get_digest (sum, key->digest, &size);
}

/* Checks that this machine has the byte order and number format of the file, whose numbers are used
 * without conversion. */
gboolean
armilla_legendre_host_fits (const char *path, GError **error)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_IO,
                       "%s: Legendre tables are little-endian, but this machine is not; use "
                       "legendre = recurrence", path);
}

/* Checks the first words of a table, complete or not. */
gboolean
armilla_legendre_head_check (const ArmillaLegendreHead *head, const char *path, GError **error)
{
  const char *wrong = NULL;

  if (memcmp (head->magic, "ARMLEGT\n", sizeof head->magic) != 0)
    wrong = "is not a Legendre table; choose another name";
  else if (head->byte_order != ARMILLA_LEGENDRE_BYTE_ORDER)
    wrong = "has another byte order; create it again";
  else if (head->version != ARMILLA_LEGENDRE_VERSION)
    wrong = "was created by another version of Armilla; create it again";
  else if (head->checksum != armilla_legendre_checksum (head, sizeof *head - 8)
           || head->key.lmax < 0 || head->key.mmax < 0 || head->key.mmax > head->key.lmax
           || head->key.lmax > G_MAXINT32 || head->key.n_pairs < 0
           || memchr (head->key.grid, '\0', sizeof head->key.grid) == NULL)
    wrong = "has a damaged header; remove it and create it again";
  if (wrong != NULL)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s %s", path, wrong);
  return wrong == NULL;
}

/* Returns whether a record is that of order m and fits into the remaining space. */
gboolean
armilla_legendre_record_check (const ArmillaLegendreRecord *record, gint64 m, gint64 space)
{
  return record->magic == ARMILLA_LEGENDRE_RECORD_MAGIC && record->m == m
         && record->own == armilla_legendre_checksum (record, sizeof *record - 8)
         && record->size >= 0 && record->size % 8 == 0
         && record->size <= space - (gint64) sizeof *record
         && armilla_legendre_pad (record->size) <= space - (gint64) sizeof *record;
}

/* Returns whether a table can be used for another key. */
gboolean
armilla_legendre_keys_fit (const ArmillaLegendreKey *have, const ArmillaLegendreKey *want,
                           const char *path, GError **error)
{
  if (have->lmax != want->lmax || have->mmax != want->mmax)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                 "%s is for lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT
                 ", not for %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                 "; create a Legendre table for this workflow with armilla precompute",
                 path, have->lmax, have->mmax, want->lmax, want->mmax);
  else if (have->n_pairs != want->n_pairs
           || memcmp (have->digest, want->digest, sizeof have->digest) != 0)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                 "%s is for another grid (%s), not for this one (%s); create a Legendre table for "
                 "this workflow with armilla precompute", path, have->grid, want->grid);
  else if (have->tolerance > want->tolerance * (1 + 1e-12))
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "%s has a tolerance of %g; must be %g: raise table-tolerance, or create a "
                 "Legendre table with armilla precompute", path, have->tolerance, want->tolerance);
  else
    return TRUE;
  return FALSE;
}
