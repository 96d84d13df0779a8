/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout that CosmoSIS reads (github.com/joezuntz/2point): an image of the covariance, one
 * binary table per function with the bins of all statistics, and tables of n(z). */
#include "core/catalogues/two-point-file.h"

#include <armilla/memory.h>
#include <string.h>

#include "core/fits/fits-output.h"
#include "core/tables/table.h"

/* How the format calls a function and what it correlates. */
static const struct {
  const char *function, *name, *quantity[2];
  ArmillaNzKind nz[2];
} kinds[] = {
  { "xi_plus", "xip", { "G+R", "G+R" }, { ARMILLA_NZ_SOURCE, ARMILLA_NZ_SOURCE } },
  { "xi_minus", "xim", { "G-R", "G-R" }, { ARMILLA_NZ_SOURCE, ARMILLA_NZ_SOURCE } },
  { "gamma_t", "gammat", { "GPR", "G+R" }, { ARMILLA_NZ_LENS, ARMILLA_NZ_SOURCE } },
  { "w", "wtheta", { "GPR", "GPR" }, { ARMILLA_NZ_LENS, ARMILLA_NZ_LENS } },
};

static const char *const nz_names[ARMILLA_N_NZ] = { "nz_lens", "nz_source" };

/* The columns of a data vector, see armilla_joint_vector(). */
typedef struct {
  char **statistic, **function;
  const gint64 *bin;
  const double *theta, *low, *high, *value;
} Vector;

static const ArmillaColumn *
find (const ArmillaTable *table, const char *name, ArmillaColumnType type, const char *what,
      GError **error)
{
  const ArmillaColumn *column = armilla_table_find (table, name);

  if (column != NULL && column->type == type)
    return column;
  return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                            "%s: has no such column %s as joint-covariance makes; connect its "
                            "output %s", what, name, what);
}

static gboolean
read_vector (const ArmillaTable *table, Vector *out, GError **error)
{
  static const char *const names[]
    = { "statistic", "function", "bin", "theta", "theta_min", "theta_max", "value" };
  const ArmillaColumn *columns[G_N_ELEMENTS (names)];

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      columns[i] = find (table, names[i],
                         i < 2 ? ARMILLA_COLUMN_STRING
                               : i == 2 ? ARMILLA_COLUMN_INT64 : ARMILLA_COLUMN_DOUBLE,
                         "vector", error);
      if (columns[i] == NULL)
        return FALSE;
    }
  *out = (Vector) { columns[0]->strings, columns[1]->strings, columns[2]->integers,
                    columns[3]->doubles, columns[4]->doubles, columns[5]->doubles,
                    columns[6]->doubles };
  return TRUE;
}

/* Finds the numbers of the two tomographic bins at the end of a statistic's name: of gt-1-2 they
 * are 1 and 2, of w-3 both are 3, without a number 1. */
static void
find_bins (const char *statistic, gint64 bins[2])
{
  g_auto (GStrv) words = g_strsplit (statistic, "-", -1);
  const guint n = g_strv_length (words);
  gint64 found[2] = { 0 };

  for (guint i = 0; i < 2 && i < n; i++)
    if (strspn (words[n - 1 - i], "0123456789") != strlen (words[n - 1 - i])
        || !g_ascii_string_to_signed (words[n - 1 - i], 10, 1, 9999, &found[i], NULL))
      break;
  bins[1] = MAX (found[0], 1);
  bins[0] = found[1] > 0 ? found[1] : bins[1];
}

/* Returns the rows of the vector that have one function, in their order. (element-type gint64) */
static GArray *
find_rows (const ArmillaTable *table, const Vector *vector, const char *function)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 k = 0; k < table->n_rows; k++)
    if (g_strcmp0 (vector->function[k], function) == 0)
      g_array_append_val (rows, k);
  return rows;
}

/* Checks that the format knows all functions, and that their statistics are not of the same bins of
 * redshift. */
static gboolean
check_vector (const ArmillaTable *table, const Vector *vector, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (gint64 k = 0; k < table->n_rows; k++)
    {
      const char *function = vector->function[k] != NULL ? vector->function[k] : "";
      const char *statistic = vector->statistic[k] != NULL ? vector->statistic[k] : "";
      gint64 bins[2];
      gsize kind = 0;
      char *key;

      while (kind < G_N_ELEMENTS (kinds) && strcmp (kinds[kind].function, function) != 0)
        kind++;
      if (kind == G_N_ELEMENTS (kinds))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "vector: the format has no name for %s; it knows xi_plus, xi_minus, "
                             "gamma_t and w: choose them with functions of joint-covariance",
                             function);
      find_bins (statistic, bins);
      key = g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                             function, bins[0], bins[1], vector->bin[k]);
      if (!g_hash_table_add (known, key))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "vector: %s has %s of the bins %" G_GINT64_FORMAT " and %"
                             G_GINT64_FORMAT " again; end the names of statistics with the "
                             "numbers of their bins of redshift, as in gt-1-2 (labels of "
                             "joint-covariance)", statistic, function, bins[0], bins[1]);
    }
  return TRUE;
}

static double *
add_reals (ArmillaTable *table, const char *name, const char *unit)
{
  return armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, name, unit, "")->doubles;
}

static gint64
count_distinct (const gint64 *numbers, guint n)
{
  g_autoptr (GHashTable) found = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < n; i++)
    g_hash_table_add (found, (gpointer) &numbers[i]);
  return g_hash_table_size (found);
}

/* Makes the table of a function. */
static ArmillaTable *
function_table (gsize kind, const Vector *vector, const GArray *rows)
{
  ArmillaTable *out = armilla_table_new (kinds[kind].name, rows->len);
  gint64 *columns[3];
  double *value, *angle, *low, *high;

  for (int c = 0; c < 3; c++)
    {
      static const char *const names[] = { "BIN1", "BIN2", "ANGBIN" };

      columns[c] = armilla_table_add (out, ARMILLA_COLUMN_INT64, names[c], "", "")->integers;
    }
  value = add_reals (out, "VALUE", "");
  angle = add_reals (out, "ANG", "arcmin");
  low = add_reals (out, "ANGLEMIN", "arcmin");
  high = add_reals (out, "ANGLEMAX", "arcmin");
  for (guint i = 0; i < rows->len; i++)
    {
      const gint64 k = g_array_index (rows, gint64, i);
      gint64 bins[3];

      find_bins (vector->statistic[k], bins);
      bins[2] = vector->bin[k];
      for (int c = 0; c < 3; c++)
        columns[c][i] = bins[c];
      value[i] = vector->value[k];
      angle[i] = 60 * vector->theta[k];
      low[i] = 60 * vector->low[k];
      high[i] = 60 * vector->high[k];
    }
  armilla_table_set_text (out, "QUANT1", kinds[kind].quantity[0], "");
  armilla_table_set_text (out, "QUANT2", kinds[kind].quantity[1], "");
  armilla_table_set_text (out, "KERNEL_1", nz_names[kinds[kind].nz[0]], "");
  armilla_table_set_text (out, "KERNEL_2", nz_names[kinds[kind].nz[1]], "");
  armilla_table_set_text (out, "WINDOWS", "SAMPLE", "");
  armilla_table_set_integer (out, "N_ZBIN_1", count_distinct (columns[0], rows->len), "");
  armilla_table_set_integer (out, "N_ZBIN_2", count_distinct (columns[1], rows->len), "");
  armilla_table_set_integer (out, "N_ANG", count_distinct (columns[2], rows->len), "");
  return out;
}

/* Tables of the functions, and the row of the vector of each of their rows. */
typedef struct {
  GPtrArray *tables;
  GArray *rows; /* (element-type gint64) */
} Functions;

static void
functions_clear (Functions *self)
{
  g_ptr_array_unref (self->tables);
  g_array_unref (self->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Functions, functions_clear)

static GString *
covariance_cards (const Functions *functions, char **history)
{
  const gint64 axes[] = { functions->rows->len, functions->rows->len };
  GString *cards = armilla_fits_image_header (FALSE, FALSE, 2, axes);
  gint64 start = 0;

  armilla_fits_put_string (cards, "EXTNAME", "COVMAT", NULL);
  armilla_fits_put_true (cards, "COVDATA", NULL);
  for (guint i = 0; i < functions->tables->len; i++)
    {
      const ArmillaTable *table = functions->tables->pdata[i];
      char keyword[9];

      g_snprintf (keyword, sizeof keyword, "STRT_%u", i);
      armilla_fits_put_int (cards, keyword, start, NULL);
      g_snprintf (keyword, sizeof keyword, "NAME_%u", i);
      armilla_fits_put_string (cards, keyword, table->name, NULL);
      start += table->n_rows;
    }
  armilla_fits_put_string (cards, "CREATOR", "armilla", NULL);
  armilla_fits_put_history (cards, history);
  return cards;
}

/* Writes the covariance with the rows in the order of the tables. */
static gboolean
write_covariance (ArmillaFitsOutput *out, gint64 offset, const double *covariance,
                  const GArray *rows, GError **error)
{
  const gint64 n = rows->len;
  g_autofree guint8 *bytes = armilla_try_new (guint8, 8 * n * n, "the covariance", error);
  guint8 *p = bytes;

  if (bytes == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    for (gint64 j = 0; j < n; j++)
      p = armilla_put_real (p, FALSE, covariance[g_array_index (rows, gint64, i) * n
                                                 + g_array_index (rows, gint64, j)]);
  return armilla_fits_output_write (out, offset, bytes, 8 * n * n, error);
}

/* Returns a table of n(z) under the name that the functions refer to; checks its columns. */
static ArmillaTable *
nz_table (const ArmillaTable *table, ArmillaNzKind kind, GError **error)
{
  static const char *const first[] = { "Z_LOW", "Z_MID", "Z_HIGH" };
  ArmillaTable *out = armilla_table_new (nz_names[kind], table->n_rows);
  gboolean good = table->n_columns > 3;

  for (int c = 0; good && c < table->n_columns; c++)
    {
      g_autofree char *name = c < 3 ? g_strdup (first[c]) : g_strdup_printf ("BIN%d", c - 2);

      good = table->columns[c].type == ARMILLA_COLUMN_DOUBLE
             && strcmp (table->columns[c].name, name) == 0;
      armilla_table_add_copy (out, &table->columns[c], NULL);
    }
  if (good)
    return out;
  armilla_table_free (out);
  return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                            "%s: the columns must be Z_LOW, Z_MID, Z_HIGH, BIN1, BIN2 and so on, "
                            "all of them numbers with a decimal point or an exponent",
                            kind == ARMILLA_NZ_LENS ? "nz-lens" : "nz-source");
}

static gboolean
find_functions (const ArmillaTable *vector, const ArmillaTable *const nz[ARMILLA_N_NZ],
                Functions *out, GError **error)
{
  Vector columns;

  if (!read_vector (vector, &columns, error) || !check_vector (vector, &columns, error))
    return FALSE;
  for (gsize kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    {
      g_autoptr (GArray) rows = find_rows (vector, &columns, kinds[kind].function);

      if (rows->len == 0)
        continue;
      g_ptr_array_add (out->tables, function_table (kind, &columns, rows));
      g_array_append_vals (out->rows, rows->data, rows->len);
    }
  for (int kind = 0; kind < ARMILLA_N_NZ; kind++)
    if (nz[kind] != NULL)
      {
        ArmillaTable *table = nz_table (nz[kind], kind, error);

        if (table == NULL)
          return FALSE;
        g_ptr_array_add (out->tables, table);
      }
  return TRUE;
}

/* Adds the covariance and the tables to the file, and writes them. */
static gboolean
write_all (ArmillaFitsOutput *out, const Functions *functions, const double *covariance,
           GString *cards, GError **error)
{
  const gint64 n = functions->rows->len;
  const gint64 matrix = armilla_fits_output_add (out, cards, 8 * n * n);
  g_autofree gint64 *offsets = g_new (gint64, functions->tables->len);

  for (guint i = 0; i < functions->tables->len; i++)
    {
      const ArmillaTable *table = functions->tables->pdata[i];
      const gboolean is_nz = g_str_has_prefix (table->name, "nz_");

      offsets[i]
        = armilla_table_add_to_fits (table, out, is_nz ? "NZDATA" : "2PTDATA", NULL, error);
      if (offsets[i] < 0)
        return FALSE;
    }
  if (!armilla_fits_output_reserve (out, error)
      || !write_covariance (out, matrix, covariance, functions->rows, error))
    return FALSE;
  for (guint i = 0; i < functions->tables->len; i++)
    if (!armilla_table_write_rows (functions->tables->pdata[i], out, offsets[i], error))
      return FALSE;
  return armilla_fits_output_close (out, error);
}

/* Writes a data vector and its covariance, as armilla_joint_vector() and armilla_joint_covariance()
 * make them. @nz: columns Z_LOW, Z_MID, Z_HIGH, BIN1 and so on; NULL: not known; @history: lines
 * for HISTORY. Returns whether the temporary file is complete; ARMILLA_ERROR_SHAPE for tables with
 * other columns or numbers of rows, ARMILLA_ERROR_VALUE for functions that the format does not
 * know, ARMILLA_ERROR_IO. */
gboolean
armilla_two_point_write (ArmillaOutput *output, const ArmillaTable *vector,
                         const ArmillaTable *covariance,
                         const ArmillaTable *const nz[ARMILLA_N_NZ], char **history,
                         GError **error)
{
  g_auto (Functions) functions
    = { g_ptr_array_new_with_free_func ((GDestroyNotify) armilla_table_free),
        g_array_new (FALSE, FALSE, sizeof (gint64)) };
  const ArmillaColumn *elements
    = find (covariance, "covariance", ARMILLA_COLUMN_DOUBLE, "covariance", error);
  g_autoptr (ArmillaFitsOutput) out = NULL;
  g_autoptr (GString) cards = NULL;

  if (elements == NULL || !find_functions (vector, nz, &functions, error))
    return FALSE;
  if (covariance->n_rows != vector->n_rows * vector->n_rows)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "covariance: has %" G_GINT64_FORMAT " rows, and the vector %"
                         G_GINT64_FORMAT "; connect the outputs of one joint-covariance",
                         covariance->n_rows, vector->n_rows);
  out = armilla_fits_output_new (output, error);
  if (out == NULL)
    return FALSE;
  cards = covariance_cards (&functions, history);
  return write_all (out, &functions, elements->doubles, cards, error);
}
