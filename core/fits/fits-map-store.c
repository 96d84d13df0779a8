/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-map-writer.h"

gboolean
armilla_pixel_store_init (ArmillaPixelStore *store, gint64 n_pixels, gboolean single)
{
  store->single = single;
  store->n_blocks = n_pixels / ARMILLA_STORE_BLOCK + 1;
  store->blocks = g_try_new0 (gpointer, store->n_blocks);
  return store->blocks != NULL;
}

static gpointer
store_block (const ArmillaPixelStore *store)
{
  float *singles;
  double *doubles;

  if (store->single)
    {
      singles = g_new (float, ARMILLA_STORE_BLOCK);
      for (int i = 0; i < ARMILLA_STORE_BLOCK; i++)
        singles[i] = (float) ARMILLA_UNSEEN;
      return singles;
    }
  doubles = g_new (double, ARMILLA_STORE_BLOCK);
  for (int i = 0; i < ARMILLA_STORE_BLOCK; i++)
    doubles[i] = ARMILLA_UNSEEN;
  return doubles;
}

void
armilla_pixel_store_set (ArmillaPixelStore *store, gint64 pixel, double value)
{
  gpointer *block = &store->blocks[pixel / ARMILLA_STORE_BLOCK];

  if (*block == NULL)
    {
      if (armilla_is_unseen (value))
        return;
      *block = store_block (store);
    }
  if (store->single)
    ((float *) *block)[pixel % ARMILLA_STORE_BLOCK] = (float) value;
  else
    ((double *) *block)[pixel % ARMILLA_STORE_BLOCK] = value;
}

double
armilla_pixel_store_get (const ArmillaPixelStore *store, gint64 pixel)
{
  gpointer block = store->blocks[pixel / ARMILLA_STORE_BLOCK];

  if (block == NULL)
    return ARMILLA_UNSEEN;
  return store->single ? ((float *) block)[pixel % ARMILLA_STORE_BLOCK]
                       : ((double *) block)[pixel % ARMILLA_STORE_BLOCK];
}

void
armilla_pixel_store_clear (ArmillaPixelStore *store)
{
  for (gint64 i = 0; store->blocks != NULL && i < store->n_blocks; i++)
    g_free (store->blocks[i]);
  g_clear_pointer (&store->blocks, g_free);
}
