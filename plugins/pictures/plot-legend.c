/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A legend that covers no data. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/plot-private.h"

/* In heights of letters. */
#define ROW 1.4
#define SAMPLE 1.8
#define PADDING 0.4

/* Of a frame, what a legend may take at most: longer ones have smaller letters. */
#define MOST_WIDTH 0.4
#define MOST_HEIGHT 0.9

/* Points of the picture of the ink in a frame, and places for a legend along each side. */
#define INK 500
#define PLACES 24

typedef struct {
  ArmillaMark mark;
  gboolean hollow;
  double colour[3];
  char *text;
} Row;

static void
clear_row (gpointer data)
{
  g_free (((Row *) data)->text);
}

/**
 * armilla_legend_new:
 *
 * Returns: (transfer full): a legend without rows; free it with g_array_unref()
 */
GArray *
armilla_legend_new (void)
{
  GArray *legend = g_array_new (FALSE, FALSE, sizeof (Row));

  g_array_set_clear_func (legend, clear_row);
  return legend;
}

/**
 * armilla_legend_add:
 * @legend: a legend
 * @mark: what the data are drawn as
 * @hollow: whether points are hollow
 * @colour: (array fixed-size=3): its red, green and blue
 * @text: (nullable): a formula, what the data are; "" adds nothing
 */
void
armilla_legend_add (GArray *legend, ArmillaMark mark, gboolean hollow, const double *colour,
                    const char *text)
{
  Row row = { .mark = mark, .hollow = hollow };

  if (text == NULL || *text == '\0')
    return;
  memcpy (row.colour, colour, sizeof row.colour);
  row.text = g_utf8_make_valid (text, -1);
  g_array_append_val (legend, row);
}

static ArmillaBox
measure (const GArray *legend, const ArmillaFrame *frame, cairo_t *cr, double size)
{
  ArmillaBox box = { .width = 0, .height = (legend->len * ROW + 2 * PADDING) * size };
  double shrink;

  for (guint i = 0; i < legend->len; i++)
    box.width = MAX (box.width,
                     armilla_formula_width (cr, g_array_index (legend, Row, i).text, size));
  box.width += (SAMPLE + 0.4 + 2 * PADDING) * size;
  shrink = MIN (1, MIN (MOST_WIDTH * frame->width / box.width,
                        MOST_HEIGHT * frame->height / box.height));
  box.width *= shrink;
  box.height *= shrink;
  box.size = shrink * size;
  return box;
}

/* How much ink there is in the frame left of and above each point of a picture of it. */
static guint64 *
sum_ink (const ArmillaFrame *frame, ArmillaInk ink, gconstpointer user, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, INK, height);
  cairo_t *cr = cairo_create (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  guint64 *sums = g_new0 (guint64, (gsize) (INK + 1) * (gsize) (height + 1));
  const guchar *points;

  cairo_scale (cr, INK / frame->width, INK / frame->width);
  cairo_translate (cr, -frame->left, -frame->top);
  ink (user, frame, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  points = cairo_image_surface_get_data (surface);
  for (int y = 0; points != NULL && y < height; y++)
    for (int x = 0; x < INK; x++)
      sums[(y + 1) * (INK + 1) + x + 1] = points[y * stride + x] + sums[y * (INK + 1) + x + 1]
        + sums[(y + 1) * (INK + 1) + x] - sums[y * (INK + 1) + x];
  cairo_surface_destroy (surface);
  return sums;
}

/* Whether no ink is in a box of a frame. */
static gboolean
is_free (const guint64 *sums, int height, const ArmillaFrame *frame, const ArmillaBox *box)
{
  const double scale = INK / frame->width;
  const int left = (int) floor (scale * (box->left - frame->left));
  const int top = (int) floor (scale * (box->top - frame->top));
  const int right = MIN ((int) ceil (scale * (box->left + box->width - frame->left)), INK);
  const int bottom = MIN ((int) ceil (scale * (box->top + box->height - frame->top)), height);

  return sums[bottom * (INK + 1) + right] + sums[MAX (top, 0) * (INK + 1) + MAX (left, 0)]
    == sums[bottom * (INK + 1) + MAX (left, 0)] + sums[MAX (top, 0) * (INK + 1) + right];
}

/* Moves a box to where there is no data, as near to a corner as can be, the upper right one before
 * others; FALSE where data are everywhere. */
static gboolean
find_place (ArmillaBox *box, const guint64 *sums, int height, const ArmillaFrame *frame)
{
  const double gap = 0.4 * box->size;
  ArmillaBox at = *box;
  int nearest = G_MAXINT;

  for (int row = 0; row <= PLACES; row++)
    for (int column = PLACES; column >= 0; column--)
      {
        const int apart = MIN (row, PLACES - row) + MIN (column, PLACES - column);

        at.left = frame->left + gap + (frame->width - 2 * gap - box->width) * column / PLACES;
        at.top = frame->top + gap + (frame->height - 2 * gap - box->height) * row / PLACES;
        if (apart < nearest && is_free (sums, height, frame, &at))
          {
            nearest = apart;
            *box = at;
          }
      }
  return nearest < G_MAXINT;
}

/**
 * armilla_legend_place:
 * @legend: a legend
 * @frame: a frame with its axes
 * @cr: where it will be drawn
 * @size: height of letters
 * @ink: draws the data, within @frame only
 * @user: for @ink
 * @box: (out): the place; where there is none, the size
 *
 * Finds a place in a frame where there are no data, with smaller letters if need be.
 *
 * Returns: whether there is one
 */
gboolean
armilla_legend_place (const GArray *legend, const ArmillaFrame *frame, cairo_t *cr, double size,
                      ArmillaInk ink, gconstpointer user, ArmillaBox *box)
{
  static const double sizes[] = { 1, 0.85, 0.7 };
  const int height = MAX ((int) (INK * frame->height / frame->width), 1);
  g_autofree guint64 *sums = sum_ink (frame, ink, user, height);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      *box = measure (legend, frame, cr, sizes[i] * size);
      if (find_place (box, sums, height, frame))
        return TRUE;
    }
  *box = measure (legend, frame, cr, size);
  return FALSE;
}

static void
draw_sample (const Row *row, cairo_t *cr, double left, double y, double size)
{
  const double right = left + SAMPLE * size;

  cairo_set_source_rgb (cr, row->colour[0], row->colour[1], row->colour[2]);
  cairo_set_line_width (cr, size / 10);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  if (armilla_mark_is_line (row->mark))
    {
      armilla_mark_dash (cr, row->mark, size);
      cairo_move_to (cr, left, y);
      cairo_line_to (cr, right, y);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
    }
  else
    armilla_mark_draw (cr, row->mark, row->hollow, 0.5 * (left + right), y, 0.25 * size);
}

/**
 * armilla_legend_draw:
 * @legend: a legend
 * @box: its place
 * @cr: where to draw
 */
void
armilla_legend_draw (const GArray *legend, const ArmillaBox *box, cairo_t *cr)
{
  const double size = box->size, left = box->left + PADDING * size;

  for (guint i = 0; i < legend->len; i++)
    {
      const Row *row = &g_array_index (legend, Row, i);
      const double y = box->top + (PADDING + ROW * (i + 0.5)) * size;

      draw_sample (row, cr, left, y, size);
      cairo_set_source_rgb (cr, 0, 0, 0);
      armilla_formula (cr, row->text, left + (SAMPLE + 0.5) * size, y, size, 0, 0.5);
    }
}
