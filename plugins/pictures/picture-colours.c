/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour axes: range, lookup table, and colour bar. */
#include <math.h>

#include "plugins/pictures/plot-private.h"

/* Fractions of the largest value: minimum lower end of a logarithmic axis, and end of the linear
 * range of a symmetric one. */
#define MIN_LOW 1e-6
#define LINEAR 1e-3

/* Lengths in units of the letter height. */
#define BAR 1.15
#define APART 0.2 /* half the minimum gap between labels */

#define MAX_TICKS 5

/* Returns the @k-th smallest value by Hoare's FIND, in expected time O(n). Reorders @x. */
static double
select_value (double *x, gsize n, gsize k)
{
  gint64 low = 0, high = (gint64) n - 1, wanted = (gint64) k;
  guint32 random = 1;

  while (low < high)
    {
      gint64 i = low, j = high;
      double pivot;

      random = random * 1664525u + 1013904223u;
      pivot = x[low + (gint64) ((guint64) (high - low + 1) * random >> 32)];
      while (i <= j)
        {
          while (x[i] < pivot)
            i++;
          while (x[j] > pivot)
            j--;
          if (i <= j)
            {
              double swapped = x[i];

              x[i++] = x[j];
              x[j--] = swapped;
            }
        }
      if (wanted <= j)
        high = j;
      else if (wanted >= i)
        low = i;
      else
        break;
    }
  return x[wanted];
}

/* Moves the values that the axis can show to the front; returns their number. */
static gsize
gather (const ArmillaAxis *colours, double *values, gsize n)
{
  gsize kept = 0;

  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]) && !armilla_is_unseen (values[i])
        && (colours->scale != ARMILLA_SCALE_LOG || values[i] > 0))
      values[kept++] = values[i];
  return kept;
}

/* Sets ends that are still NaN since there are no values; a logarithmic axis without positive
 * values keeps NaN. */
static void
make_up (ArmillaAxis *colours)
{
  const gboolean logarithmic = colours->scale == ARMILLA_SCALE_LOG;

  if (isnan (colours->low) && isnan (colours->high) && logarithmic)
    return;
  if (isnan (colours->low))
    colours->low = isnan (colours->high) ? 0
                   : logarithmic         ? 0.1 * colours->high
                                         : colours->high - 1;
  if (isnan (colours->high))
    colours->high = logarithmic ? 10 * colours->low : colours->low + 1;
}

static void
widen (ArmillaAxis *colours)
{
  const double middle = colours->low, margin = middle != 0 ? fabs (middle) * 0.01 : 1;

  if (colours->high > middle)
    return;
  colours->low = middle - margin;
  colours->high = middle + margin;
}

/* Sets ends of the axis that are NaN so that @percentile percent of the values are beyond either
 * end; also sets the linear range of a symmetric axis. Reorders @values; ignores UNSEEN and
 * non-finite ones. A logarithmic axis ignores values that are not positive and spans at most six
 * decades; if there are no positive values its ends stay NaN, which armilla_axis_check () reports.
 * An empty range is widened. */
void
armilla_colours_range (ArmillaAxis *colours, double *values, gsize n, double percentile)
{
  const gsize kept = gather (colours, values, n);
  const gboolean open = isnan (colours->low);
  const double share = percentile / 100, last = (double) kept - 1;

  if (kept > 0 && open)
    colours->low = select_value (values, kept, (gsize) floor (share * last));
  if (kept > 0 && isnan (colours->high))
    colours->high = select_value (values, kept, (gsize) ceil ((1 - share) * last));
  make_up (colours);
  if (isnan (colours->low))
    return;
  if (open && colours->scale == ARMILLA_SCALE_LOG)
    colours->low = MAX (colours->low, MIN_LOW * colours->high);
  widen (colours);
  if (isnan (colours->at))
    colours->at = LINEAR * MAX (fabs (colours->low), fabs (colours->high));
}

/* Makes a range that contains 0 symmetric about 0 by widening it. */
void
armilla_colours_centre (ArmillaAxis *colours)
{
  const double end = MAX (-colours->low, colours->high);

  if (!(colours->low < 0 && colours->high > 0))
    return;
  colours->low = -end;
  colours->high = end;
}

/* Returns the index of a value's colour in the table that armilla_colours_pack () fills. */
int
armilla_colours_find (const ArmillaAxis *colours, double value)
{
  if (!isfinite (value) || armilla_is_unseen (value))
    return ARMILLA_PALETTE_SIZE;
  return (int) CLAMP (armilla_axis_place (colours, value) * ARMILLA_PALETTE_SIZE, 0,
                      ARMILLA_PALETTE_SIZE - 1);
}

static guint32
pack (const double rgb[3])
{
  return 0xff000000u | (guint32) lrint (rgb[0] * 255) << 16 | (guint32) lrint (rgb[1] * 255) << 8
    | (guint32) lrint (rgb[2] * 255);
}

/* Converts colours to CAIRO_FORMAT_ARGB32 pixels, followed by the colour of missing data. */
void
armilla_colours_pack (const double table[ARMILLA_PALETTE_SIZE][3],
                      guint32 packed[ARMILLA_PALETTE_SIZE + 1])
{
  static const double bad[3] = { ARMILLA_UNSEEN_LEVEL, ARMILLA_UNSEEN_LEVEL, ARMILLA_UNSEEN_LEVEL };

  for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
    packed[i] = pack (table[i]);
  packed[ARMILLA_PALETTE_SIZE] = pack (bad);
}

/* Returns whether no two adjacent labels touch. */
static gboolean
is_apart (const ArmillaFrame *frame, const GArray *ticks, double size, cairo_t *cr)
{
  double last = -INFINITY;

  for (guint i = 0; i < ticks->len; i++)
    {
      const ArmillaTick *tick = &g_array_index (ticks, ArmillaTick, i);
      double half;

      if (tick->label == NULL)
        continue;
      half = armilla_formula_width (cr, tick->label, size) / 2 + APART * size;
      if (armilla_frame_x (frame, tick->value) - half < last)
        return FALSE;
      last = armilla_frame_x (frame, tick->value) + half;
    }
  return TRUE;
}

/* Finds the largest number of ticks whose labels fit. */
static GArray *
find_ticks (const ArmillaFrame *frame, double size, int *exponent, cairo_t *cr)
{
  for (int about = MAX_TICKS; about > 2; about--)
    {
      g_autoptr (GArray) ticks = armilla_axis_ticks (&frame->x, about, exponent);

      if (is_apart (frame, ticks, size, cr))
        return g_steal_pointer (&ticks);
    }
  return armilla_axis_ticks (&frame->x, 2, exponent);
}

/* Draws a colour bar; with its labels and unit (may be NULL) it is 4.6 letters high. */
void
armilla_colours_bar (const double table[ARMILLA_PALETTE_SIZE][3], const ArmillaAxis *colours,
                     const char *unit, double left, double top, double length, double size,
                     cairo_t *cr)
{
  const ArmillaFrame frame = { .left = left, .top = top, .width = length, .height = BAR * size,
                               .x = *colours };
  const double bottom = top + BAR * size;
  cairo_pattern_t *pattern = cairo_pattern_create_linear (left, 0, left + length, 0);
  int exponent;
  g_autoptr (GArray) ticks = find_ticks (&frame, size, &exponent, cr);
  g_autofree char *formula = armilla_bar_unit (exponent, unit);

  for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
    cairo_pattern_add_color_stop_rgb (pattern, (i + 0.5) / ARMILLA_PALETTE_SIZE, table[i][0],
                                      table[i][1], table[i][2]);
  cairo_rectangle (cr, left, top, length, bottom - top);
  cairo_set_source (cr, pattern);
  cairo_fill_preserve (cr);
  cairo_pattern_destroy (pattern);
  cairo_set_source_rgb (cr, 0.1, 0.1, 0.1);
  cairo_set_line_width (cr, size / 22);
  cairo_stroke (cr);
  for (guint i = 0; i < ticks->len; i++)
    if (g_array_index (ticks, ArmillaTick, i).label != NULL)
      {
        cairo_move_to (cr, armilla_frame_x (&frame, g_array_index (ticks, ArmillaTick, i).value),
                       bottom);
        cairo_rel_line_to (cr, 0, 0.3 * size);
        cairo_stroke (cr);
      }
  armilla_frame_numbers (&frame, cr, size, ticks, TRUE);
  armilla_formula (cr, formula, left + length / 2, bottom + 1.75 * size, size, 0.5, 1);
}
