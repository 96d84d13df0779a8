/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes: positions of values, and ticks. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/plot-private.h"

#define MINUS "\342\210\222"
#define TIMES "\303\227"

/* Fraction of the length of a log-linear axis that is logarithmic. */
#define LOG_SHARE 0.3

/* Position of values that a logarithmic axis cannot show: far below its lower end. */
#define FAR_BELOW -10.0

static double
symmetric (const ArmillaAxis *axis, double value)
{
  const double t = fabs (value) / axis->at;

  return copysign (t <= 1 ? t : 1 + log10 (t), value);
}

static double
between (double low, double high, double value)
{
  return (value - low) / (high - low);
}

static double
log_between (double low, double high, double value)
{
  return value > 0 ? MAX (log (value / low) / log (high / low), FAR_BELOW) : FAR_BELOW;
}

/* Returns the position of a value: 0 at the lower end of the axis, 1 at the upper end. */
double
armilla_axis_place (const ArmillaAxis *axis, double value)
{
  switch (axis->scale)
    {
    case ARMILLA_SCALE_LOG:
      return log_between (axis->low, axis->high, value);
    case ARMILLA_SCALE_SYMLOG:
      return between (symmetric (axis, axis->low), symmetric (axis, axis->high),
                      symmetric (axis, value));
    case ARMILLA_SCALE_LOG_LINEAR:
      if (axis->high <= axis->at)
        return log_between (axis->low, axis->high, value);
      if (axis->low >= axis->at)
        return between (axis->low, axis->high, value);
      return value <= axis->at ? LOG_SHARE * log_between (axis->low, axis->at, value)
        : LOG_SHARE + (1 - LOG_SHARE) * between (axis->at, axis->high, value);
    default:
      return between (axis->low, axis->high, value);
    }
}

/* Fails if the axis cannot be drawn; name ("vertical") appears in the message. */
gboolean
armilla_axis_check (const ArmillaAxis *axis, const char *name, GError **error)
{
  const gboolean positive = axis->scale == ARMILLA_SCALE_LOG
    || (axis->scale == ARMILLA_SCALE_LOG_LINEAR && axis->low < axis->at);

  if (axis->low < axis->high && isfinite (axis->high - axis->low)
      && (!positive || axis->low > 0))
    return TRUE;
  if (isnan (axis->low) && axis->scale == ARMILLA_SCALE_LOG)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the %s axis is logarithmic, but no value is positive; choose another "
                         "scale, or set its ends", name);
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the %s axis would go from %g to %g%s; change its ends or its scale", name,
                       axis->low, axis->high, positive ? " on a logarithmic scale" : "");
}

static void
clear_tick (gpointer data)
{
  g_free (((ArmillaTick *) data)->label);
}

GArray *
armilla_ticks_new (void)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (ArmillaTick));

  g_array_set_clear_func (ticks, clear_tick);
  return ticks;
}

static void
add (GArray *ticks, const ArmillaAxis *axis, double value, char *label)
{
  const double place = armilla_axis_place (axis, value);
  const ArmillaTick tick = { value, label };

  if (place > -1e-9 && place < 1 + 1e-9)
    g_array_append_val (ticks, tick);
  else
    g_free (label);
}

static char *
number (double value, int decimals)
{
  char format[16], buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_snprintf (format, sizeof format, "%%.%df", CLAMP (decimals, 0, 15));
  g_ascii_formatd (buffer, sizeof buffer, format, fabs (value));
  /* no minus sign if the number is rounded to 0 */
  return g_strconcat (value < 0 && strpbrk (buffer, "123456789") != NULL ? MINUS : "", buffer,
                      NULL);
}

/* Formats factor (1, 2 or 5) times a power of ten. */
static char *
power (int factor, int exponent, gboolean negative, gboolean written_out)
{
  const char *sign = negative ? MINUS : "";

  if (written_out)
    return number ((negative ? -1 : 1) * factor * pow (10, exponent), -exponent);
  if (factor == 1)
    return g_strdup_printf ("%s10^{%s%d}", sign, exponent < 0 ? MINUS : "", ABS (exponent));
  return g_strdup_printf ("%s%d" TIMES "10^{%s%d}", sign, factor, exponent < 0 ? MINUS : "",
                          ABS (exponent));
}

/* Adds labelled ticks at equal distances, whose labels have equal numbers of decimals, and minor
 * ticks between them. */
static void
add_linear (GArray *ticks, const ArmillaAxis *axis, double low, double high, int about,
            int *exponent)
{
  g_autoptr (GArray) majors = armilla_ticks (low, high, about);
  const double *major = (const double *) (gpointer) majors->data;
  const double step = majors->len > 1 ? major[1] - major[0] : high - low;
  const double largest = MAX (fabs (low), fabs (high));
  int digits = (int) floor (log10 (step) + 1e-6), parts;

  /* the leading digit of the step is 1, 2 or 5 */
  parts = lrint (step / pow (10, digits)) == 2 ? 4 : 5;
  *exponent = largest >= 1e5 || digits < -4 ? (int) floor (log10 (largest) + 1e-9) : 0;
  for (guint i = 0; i < majors->len; i++)
    add (ticks, axis, major[i], number (major[i] / pow (10, *exponent), *exponent - digits));
  if (majors->len < 2)
    return;
  for (int i = -parts; i <= parts * (int) majors->len; i++)
    {
      const double value = major[0] + i * step / parts;

      if (i % parts != 0 && value >= low)
        add (ticks, axis, value, NULL);
    }
}

/* Adds ticks at powers of ten (only some, if there are many), and minor ticks at 2 to 9 times
 * these. @sign: -1 for their negatives */
static void
add_decades (GArray *ticks, const ArmillaAxis *axis, double low, double high, int about, int sign)
{
  const double decades = log10 (high / low);
  const int every = MAX (1, (int) ceil (decades / about - 1e-9));
  const int first = (int) floor (log10 (low) + 1e-9), last = (int) ceil (log10 (high) - 1e-9);
  const gboolean written_out = low > 0.99e-3 && high < 1.01e5;
  const gboolean more = decades < 1.7;

  for (int e = first; e <= last; e++)
    for (int factor = 1; factor <= 9; factor++)
      {
        const double value = factor * pow (10, e);
        const gboolean major = factor == 1 ? (e % every + every) % every == 0
          : more && (factor == 2 || factor == 5);

        if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9))
          continue;
        if (major)
          add (ticks, axis, sign * value, power (factor, e, sign < 0, written_out));
        else if (every == 1 || factor == 1)
          add (ticks, axis, sign * value, NULL);
      }
}

static void
add_symmetric (GArray *ticks, const ArmillaAxis *axis, int about)
{
  const int decades = (int) ceil (MAX (log10 (axis->high / axis->at), 0)
                                  + MAX (log10 (-axis->low / axis->at), 0));

  add (ticks, axis, 0, g_strdup ("0"));
  for (int sign = -1; sign <= 1; sign += 2)
    {
      const double end = sign < 0 ? -axis->low : axis->high;

      if (end > axis->at)
        add_decades (ticks, axis, axis->at, end, MAX (1, about * decades / MAX (decades, 1)), sign);
    }
}

static int
n_labels (const GArray *ticks)
{
  int n = 0;

  for (guint i = 0; i < ticks->len; i++)
    n += g_array_index (ticks, ArmillaTick, i).label != NULL;
  return n;
}

/* Returns about @about labelled ticks of the axis. Labels are in units of 10^@exponent. */
GArray *
armilla_axis_ticks (const ArmillaAxis *axis, int about, int *exponent)
{
  GArray *ticks = armilla_ticks_new ();
  const double middle = CLAMP (axis->at, axis->low, axis->high);

  *exponent = 0;
  if (axis->scale == ARMILLA_SCALE_LOG && axis->high / axis->low >= 5)
    add_decades (ticks, axis, axis->low, axis->high, about, 1);
  else if (axis->scale == ARMILLA_SCALE_SYMLOG
           && MAX (axis->high, -axis->low) > axis->at * (1 + 1e-9))
    add_symmetric (ticks, axis, about);
  else if (axis->scale == ARMILLA_SCALE_LOG_LINEAR && middle > axis->low)
    {
      if (middle < axis->high)
        add (ticks, axis, middle, number (middle, middle == rint (middle) ? 0 : 3));
      if (axis->low == rint (axis->low))
        add (ticks, axis, axis->low, number (axis->low, 0));
      add_decades (ticks, axis, axis->low, middle, about, 1);
      if (middle < axis->high)
        add_linear (ticks, axis, middle, axis->high, about, exponent);
    }
  /* The axis is too short for two powers of ten: equal steps are used. */
  if (n_labels (ticks) < 2)
    {
      g_array_set_size (ticks, 0);
      add_linear (ticks, axis, axis->low, axis->high, about, exponent);
    }
  return ticks;
}
