/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check-png FILE WIDTH HEIGHT GREYS COLOURS [same|differ]: whether a picture has that size, at
 * least GREYS points in the grey of pixels without data, and at least COLOURS colours. GREYS 0
 * allows for some that smooth the edges of letters. With a sixth word, whether its left and right
 * halves are the same, or differ. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>
#include <glib.h>

#define GREY 0xa6a6a6u /* 0.65 of 255 */
#define GREYS_OF_LETTERS 300

static gboolean
same_halves (cairo_surface_t *surface, int width, int height)
{
  const guchar *points = cairo_image_surface_get_data (surface);

  for (int y = 0; y < height; y++, points += cairo_image_surface_get_stride (surface))
    if (memcmp (points, points + 4 * (width / 2), 4 * (size_t) (width / 2)) != 0)
      return FALSE;
  return TRUE;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);
  cairo_surface_t *surface;
  int width, height, greys = 0;
  gboolean same;

  if (argc != 6 && argc != 7)
    return 2;
  surface = cairo_image_surface_create_from_png (argv[1]);
  width = cairo_image_surface_get_width (surface);
  height = cairo_image_surface_get_height (surface);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        guint32 colour;

        memcpy (&colour, cairo_image_surface_get_data (surface)
                + y * cairo_image_surface_get_stride (surface) + 4 * x, 4);
        greys += (colour & 0xffffff) == GREY;
        g_hash_table_add (colours, GUINT_TO_POINTER (colour & 0xffffff));
      }
  same = same_halves (surface, width, height);
  cairo_surface_destroy (surface);
  if (argc == 7 && same != (strcmp (argv[6], "same") == 0))
    return 3;
  printf ("# %d x %d points, %d grey, %u colours\n", width, height, greys,
          g_hash_table_size (colours));
  return width != atoi (argv[2]) || height != atoi (argv[3])
    || (atoi (argv[4]) == 0 ? greys > GREYS_OF_LETTERS : greys < atoi (argv[4]))
    || (int) g_hash_table_size (colours) < atoi (argv[5]);
}
