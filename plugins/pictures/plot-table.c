/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of tables: bandpowers, correlation functions, histograms, and columns against the first
 * one. */
#include <math.h>
#include <string.h>

#include "core/spectra/spectrum-roles.h"
#include "core/tables/table.h"
#include "plugins/pictures/plot-private.h"

/* Number of points above which the columns of a table are drawn as lines. */
#define MAX_POINTS 150

/* Columns of the tables of correlations. */
static const struct {
  const char *value, *error, *formula;
} functions[] = {
  { "w", "error", "*{w}(\316\270)" },
  { "xi_plus", "error_plus", "\316\276_{+}" },
  { "xi_minus", "error_minus", "\316\276_{\342\210\222}" },
  { "gamma_t", "error_t", "\316\263_{t}" },
  { "gamma_x", "error_x", "\316\263_{\303\227}" },
  { "xi_t", "error_t", "\316\276_{t}" },
  { "xi_x", "error_x", "\316\276_{\303\227}" },
  { "xi", "error", "\316\276" },
  { "zeta", "error", "\316\266" },
};

static gboolean
is_number (const ArmillaColumn *column)
{
  return column != NULL
    && (column->type == ARMILLA_COLUMN_DOUBLE || column->type == ARMILLA_COLUMN_INT64);
}

static double
value_at (const ArmillaColumn *column, gint64 row)
{
  return column->type == ARMILLA_COLUMN_DOUBLE ? column->doubles[row]
    : (double) column->integers[row];
}

static double *
copy (const ArmillaColumn *column, gint64 n)
{
  double *values;

  if (!is_number (column))
    return NULL;
  values = g_new (double, n);
  for (gint64 i = 0; i < n; i++)
    values[i] = value_at (column, i);
  return values;
}

static const ArmillaColumn *
find_number (const ArmillaTable *table, const char *name)
{
  const ArmillaColumn *column = armilla_table_find (table, name);

  return is_number (column) ? column : NULL;
}

static const ArmillaColumn *
find_error (const ArmillaTable *table, const char *name)
{
  g_autofree char *error = g_strconcat (name, "_error", NULL);

  return find_number (table, error);
}

static gboolean
is_error (const ArmillaTable *table, const char *name)
{
  g_autofree char *of = g_str_has_suffix (name, "_error")
                          ? g_strndup (name, strlen (name) - strlen ("_error")) : NULL;

  return of != NULL && armilla_table_find (table, of) != NULL;
}

/* Fills a curve with points at the values of column @x; NULL: at the centres of the bins. */
static void
fill (ArmillaCurve *curve, const ArmillaColumn *x, const ArmillaColumn *low,
      const ArmillaColumn *high, const ArmillaColumn *y, const ArmillaColumn *error)
{
  curve->data = TRUE;
  curve->low = copy (low, curve->n);
  curve->high = copy (high, curve->n);
  curve->error = copy (error, curve->n);
  for (gint64 i = 0; i < curve->n; i++)
    {
      curve->y[i] = value_at (y, i);
      curve->x[i] = x != NULL && isfinite (value_at (x, i)) ? value_at (x, i)
                    : curve->low[0] > 0                      ? sqrt (curve->low[i] * curve->high[i])
                                                             : (curve->low[i] + curve->high[i]) / 2;
    }
}

static void
set_text (char **where, const char *text)
{
  g_free (*where);
  *where = g_utf8_make_valid (text, -1);
}

/* Returns whether the spectra in the table are D_l = l (l + 1) C_l / 2 pi. */
static gboolean
is_scaled (const ArmillaTable *table)
{
  const ArmillaTableKey *key = armilla_table_key (table, "SCALING");

  return key != NULL && key->text != NULL && g_ascii_strcasecmp (key->text, "dl") == 0;
}

/* Drops multipoles below 2, unless there are no others. */
static void
drop_first (ArmillaCurve *curve)
{
  gint64 k = 0;

  while (k < curve->n && curve->x[k] < 2)
    k++;
  if (k == curve->n)
    return;
  curve->n -= k;
  memmove (curve->x, curve->x + k, (gsize) curve->n * sizeof (double));
  memmove (curve->y, curve->y + k, (gsize) curve->n * sizeof (double));
  if (curve->error != NULL)
    memmove (curve->error, curve->error + k, (gsize) curve->n * sizeof (double));
}

static void
add_bandpowers (GArray *curves, int input, const ArmillaTable *table,
                ArmillaSpectrumQuantity quantity)
{
  const ArmillaColumn *l = find_number (table, "l"), *low = find_number (table, "l_min");
  const ArmillaColumn *high = find_number (table, "l_max");
  const gboolean bins = low != NULL && high != NULL;

  for (int c = 0; c < table->n_columns; c++)
    {
      const ArmillaColumn *column = &table->columns[c];
      g_autofree char *formula = NULL;
      ArmillaCurve *curve;

      if (!is_number (column) || column == l || column == low || column == high
          || is_error (table, column->name))
        continue;
      formula = armilla_spectrum_formula (quantity, armilla_spectrum_pair (column->name), FALSE);
      curve = armilla_curves_add (curves, ARMILLA_CURVE_MULTIPOLES, input,
                                  armilla_spectrum_pair (column->name), formula, table->n_rows);
      fill (curve, l, bins ? low : NULL, bins ? high : NULL, column,
            find_error (table, column->name));
      set_text (&curve->name, column->name);
      curve->bars = bins;
      curve->data = bins || curve->n <= MAX_POINTS;
      set_text (&curve->unit, column->unit);
      set_text (&curve->x_label, "multipole \342\204\223");
      for (gint64 i = 0; i < curve->n; i++)
        {
          const double dl = curve->x[i] * (curve->x[i] + 1) / (2 * G_PI);
          const double factor = is_scaled (table) == (quantity == ARMILLA_QUANTITY_DL) ? 1
                                : quantity == ARMILLA_QUANTITY_DL                      ? dl
                                                                                       : 1 / dl;

          curve->y[i] *= factor;
          if (curve->error != NULL)
            curve->error[i] *= factor;
        }
      if (!bins)
        drop_first (curve);
    }
}

/* Returns whether the three sides of each triangle are in the same bin, so that zeta is a function
 * of one angle. */
static gboolean
equal_sides (const ArmillaTable *table)
{
  const ArmillaColumn *first = find_number (table, "side1_min");
  const ArmillaColumn *third = find_number (table, "side3_min");

  for (gint64 k = 0; first != NULL && third != NULL && k < table->n_rows; k++)
    if (value_at (first, k) != value_at (third, k))
      return FALSE;
  return first != NULL && third != NULL;
}

static void
add_correlation (GArray *curves, int input, const ArmillaTable *table)
{
  const gboolean sides = equal_sides (table);
  const ArmillaColumn *low = find_number (table, sides ? "side1_min" : "theta_min");
  const ArmillaColumn *high = find_number (table, sides ? "side1_max" : "theta_max");
  const char *unit = low != NULL && *low->unit != '\0' ? low->unit : "deg";

  for (gsize i = 0; low != NULL && high != NULL && i < G_N_ELEMENTS (functions); i++)
    {
      const ArmillaColumn *value = find_number (table, functions[i].value);
      const ArmillaColumn *error;
      ArmillaCurve *curve;

      if (value == NULL)
        continue;
      error = find_error (table, functions[i].value);
      curve = armilla_curves_add (curves, ARMILLA_CURVE_ANGLES, input, functions[i].formula,
                                  functions[i].formula, table->n_rows);
      set_text (&curve->name, functions[i].value);
      fill (curve, find_number (table, "theta"), low, high, value,
            error != NULL ? error : find_number (table, functions[i].error));
      g_free (curve->x_label);
      curve->x_label = g_strdup_printf ("\316\270  [%s]", unit);
    }
}

/* Returns NAME if the description of a column is "pixels of NAME in the bin". */
static char *
counted (const ArmillaColumn *column)
{
  static const char before[] = "pixels of ", after[] = " in the bin";

  if (g_str_has_prefix (column->blurb, before) && g_str_has_suffix (column->blurb, after))
    return g_strndup (column->blurb + strlen (before),
                      strlen (column->blurb) - strlen (before) - strlen (after));
  return g_strdup (column->name);
}

/* Edges of bins, and the quantity that is binned. */
typedef struct {
  const ArmillaColumn *low, *high;
  char *name; /* name of the quantity; NULL: values of pixels */
} Bins;

static void
bins_clear (Bins *bins)
{
  g_free (bins->name);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bins, bins_clear)

/* Finds the columns LOW and HIGH, or the first pair NAME_min and NAME_max. */
static gboolean
find_bins (const ArmillaTable *table, Bins *bins)
{
  bins->low = find_number (table, "LOW");
  bins->high = find_number (table, "HIGH");
  if (bins->low != NULL && bins->high != NULL)
    return TRUE;
  for (int c = 0; c < table->n_columns; c++)
    if (g_str_has_suffix (table->columns[c].name, "_min"))
      {
        const char *name = table->columns[c].name;
        g_autofree char *stem = g_strndup (name, strlen (name) - strlen ("_min"));
        g_autofree char *other = g_strconcat (stem, "_max", NULL);

        bins->low = find_number (table, name);
        bins->high = find_number (table, other);
        if (bins->low == NULL || bins->high == NULL)
          continue;
        bins->name = g_steal_pointer (&stem);
        return TRUE;
      }
  return FALSE;
}

static void
add_histogram (GArray *curves, int input, const ArmillaTable *table, const Bins *bins)
{
  g_autofree char *unit = armilla_unit_formula (bins->low->unit);
  const char *axis = bins->name != NULL ? bins->name : "value";

  for (int c = 0; c < table->n_columns; c++)
    {
      const ArmillaColumn *column = &table->columns[c];
      g_autofree char *name = NULL;
      ArmillaCurve *curve;

      if (!is_number (column) || column == bins->low || column == bins->high
          || is_error (table, column->name)
          || (bins->name != NULL && strcmp (column->name, bins->name) == 0))
        continue;
      name = counted (column);
      curve = armilla_curves_add (curves, ARMILLA_CURVE_HISTOGRAM, input, name,
                                  bins->name != NULL ? column->name : "pixels", table->n_rows);
      set_text (&curve->name, column->name);
      fill (curve, NULL, bins->low, bins->high, column, find_error (table, column->name));
      for (gint64 i = 0; i < curve->n; i++)
        curve->x[i] = (curve->low[i] + curve->high[i]) / 2;
      set_text (&curve->unit, column->unit);
      g_free (curve->x_label);
      curve->x_label = *unit != '\0' ? g_strdup_printf ("%s  [%s]", axis, unit) : g_strdup (axis);
    }
}

/* Adds the numeric columns as functions of the first. */
static void
add_columns (GArray *curves, int input, const ArmillaTable *table)
{
  const ArmillaColumn *x = NULL;

  for (int c = 0; c < table->n_columns; c++)
    {
      const ArmillaColumn *column = &table->columns[c];
      g_autofree char *unit = NULL;
      ArmillaCurve *curve;

      if (!is_number (column) || is_error (table, column->name))
        continue;
      if (x == NULL)
        {
          x = column;
          continue;
        }
      curve = armilla_curves_add (curves, ARMILLA_CURVE_OTHER, input, column->name, column->name,
                                  table->n_rows);
      fill (curve, x, NULL, NULL, column, find_error (table, column->name));
      for (gint64 i = 0; i < curve->n; i++)
        curve->x[i] = value_at (x, i);
      curve->data = curve->n <= MAX_POINTS;
      set_text (&curve->unit, column->unit);
      unit = armilla_unit_formula (x->unit);
      g_free (curve->x_label);
      curve->x_label = *unit != '\0' ? g_strdup_printf ("%s  [%s]", x->name, unit)
        : g_strdup (x->name);
    }
}

/* Adds the curves of a table of any kind. */
static void
add_any (GArray *curves, int input, const ArmillaTable *table, ArmillaSpectrumQuantity quantity)
{
  const guint before = curves->len;
  g_auto (Bins) bins = { NULL, NULL, NULL };
  /* triangles of any shape, and pairs of bins, are not a function of one number */
  const gboolean many = armilla_table_find (table, "side1_min") != NULL
                        || armilla_table_find (table, "bin1") != NULL;

  if (table->n_rows > 0 && find_number (table, "l") != NULL)
    add_bandpowers (curves, input, table, quantity);
  else if (table->n_rows > 0)
    {
      add_correlation (curves, input, table);
      if (curves->len == before && !many && find_bins (table, &bins))
        add_histogram (curves, input, table, &bins);
      if (curves->len == before && !many)
        add_columns (curves, input, table);
    }
}

/* Returns whether sweep-table has added the column: values of a swept key. */
static gboolean
is_swept (const ArmillaColumn *column)
{
  return strcmp (column->blurb, "value that is swept") == 0;
}

/* Returns the columns of swept keys. (element-type ArmillaColumn) */
static GPtrArray *
find_swept (const ArmillaTable *table)
{
  GPtrArray *keys = g_ptr_array_new ();

  for (int c = 0; c < table->n_columns; c++)
    if (is_swept (&table->columns[c]))
      g_ptr_array_add (keys, &table->columns[c]);
  return keys;
}

static gboolean
same_values (const GPtrArray *keys, gint64 a, gint64 b)
{
  for (guint k = 0; k < keys->len; k++)
    {
      const ArmillaColumn *key = keys->pdata[k];

      if (is_number (key) ? value_at (key, a) != value_at (key, b)
                          : g_strcmp0 (key->strings[a], key->strings[b]) != 0)
        return FALSE;
    }
  return TRUE;
}

/* Returns the swept keys whose values distinguish curves. If each point of the sweep has one row,
 * the last key, which varies fastest, is on the horizontal axis instead. */
static GPtrArray *
find_keys (const ArmillaTable *table)
{
  GPtrArray *keys = find_swept (table);
  gboolean single = keys->len > 0;

  for (gint64 row = 1; single && row < table->n_rows; row++)
    single = !same_values (keys, row - 1, row);
  if (single)
    g_ptr_array_set_size (keys, (int) keys->len - 1);
  return keys;
}

/* Describes the values of the keys in a row, as in "beam.fwhm = 5 arcmin, sky.nside = 64". */
static char *
describe_values (const GPtrArray *keys, gint64 row)
{
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < keys->len; k++)
    {
      const ArmillaColumn *key = keys->pdata[k];
      g_autofree char *number
        = is_number (key) ? g_strdup_printf ("%.10g", value_at (key, row)) : NULL;

      g_string_append_printf (text, "%s%s = %s%s%s", k > 0 ? ", " : "", key->name,
                              number != NULL ? number : key->strings[row],
                              *key->unit != '\0' ? " " : "", key->unit);
    }
  return g_string_free (text, FALSE);
}

/* Returns a table with the rows from @first to @end - 1, without the columns of @keys. */
static ArmillaTable *
take_rows (const ArmillaTable *table, const GPtrArray *keys, gint64 first, gint64 end)
{
  ArmillaTable *part = armilla_table_new (table->name, end - first);
  g_autofree gint64 *rows = g_new (gint64, end - first);

  for (gint64 row = first; row < end; row++)
    rows[row - first] = row;
  armilla_table_copy_keys (part, table);
  for (int c = 0; c < table->n_columns; c++)
    if (!g_ptr_array_find ((GPtrArray *) keys, &table->columns[c], NULL))
      armilla_table_add_copy (part, &table->columns[c], rows);
  return part;
}

/* Adds the curves of the rows from @first to @end - 1, in which @keys have the same values; appends
 * these values to the names of the curves. */
static void
add_part (GArray *curves, int input, const ArmillaTable *table, const GPtrArray *keys,
          gint64 first, gint64 end, ArmillaSpectrumQuantity quantity)
{
  g_autoptr (ArmillaTable) part = take_rows (table, keys, first, end);
  g_autofree char *values = describe_values (keys, first);
  const guint before = curves->len;

  add_any (curves, input, part, quantity);
  for (guint i = before; i < curves->len; i++)
    {
      ArmillaCurve *curve = &g_array_index (curves, ArmillaCurve, i);
      g_autofree char *group = g_strdup_printf ("%s, %s", curve->group, values);

      set_text (&curve->group, group);
    }
}

/* Adds the curves of a table: bandpowers or spectra (columns l and perhaps l_min, l_max); w, xi+
 * and xi-, or zeta of triangles with equal sides; a histogram (columns LOW and HIGH, or NAME_min
 * and NAME_max); otherwise all columns of numbers as functions of the first. NAME_error contains
 * the errors of NAME. Spectra are C_l unless the key SCALING is "dl". Each point of a sweep gets
 * its own curves. */
gboolean
armilla_curves_add_table (GArray *curves, int input, const ArmillaTable *table,
                          ArmillaSpectrumQuantity quantity, GError **error)
{
  const guint before = curves->len;
  g_autoptr (GPtrArray) keys = find_keys (table);
  gint64 first = 0;

  if (keys->len == 0)
    add_any (curves, input, table, quantity);
  for (gint64 end = 1; keys->len > 0 && end <= table->n_rows; end++)
    if (end == table->n_rows || !same_values (keys, first, end))
      {
        add_part (curves, input, table, keys, first, end, quantity);
        first = end;
      }
  if (curves->len > before)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "table: %s has no columns that can be plotted; accepted are spectra with a "
                       "column l, functions of one angle, histogram bins, or two numeric columns; "
                       "connect covariances to the input covariance",
                       table->name);
}
