/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in formulas of maps and spectra, such as values of tables and mean(T). */
#include <math.h>
#include <string.h>

#include "plugins/arithmetic/expression.h"

/* Request for the numbers of one level. */
typedef struct {
  ArmillaExpressionStage *stage;
  /* nesting depth of reductions over elements; 0: values of tables and reductions of their
   * columns */
  int level;
} Level;

static void
level_free (gpointer data)
{
  g_object_unref (((Level *) data)->stage);
  g_free (data);
}

/* Computes the numbers of a level from the tables and from the statistics of a pass over pixels. */
static gboolean
read_numbers (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Level *level = user;
  const ArmillaExpressionStage *self = level->stage;
  const GArray *all = self->formulas->numbers;
  ArmillaNamedTable named[ARMILLA_EXPRESSION_TABLES];
  int row = 0;

  for (int t = 0; t < self->n_tables; t++)
    named[t] = (ArmillaNamedTable) { self->tables[t], in[t].table };
  for (guint k = 0; k < all->len; k++)
    {
      const ArmillaNumber *number = &g_array_index (all, ArmillaNumber, k);

      if (number->level != level->level)
        continue;
      if (number->kind == ARMILLA_NUMBER_REDUCED)
        self->numbers[k] = in[self->n_tables].table->columns[number->how].doubles[row++];
      else if (!armilla_formulas_number (self->formulas, (int) k, named, self->n_tables, NULL,
                                         self->numbers, error))
        {
          g_prefix_error (error, "expression: ");
          return FALSE;
        }
    }
  memcpy (out->values, self->numbers, sizeof (double) * all->len);
  return TRUE;
}

/* Requests the numbers of a level. @found: (nullable): statistics of a pass over pixels; @numbers:
 * numbers of lower levels; replaced by those of all levels so far */
gboolean
armilla_expression_ask_numbers (ArmillaExpressionStage *self, ArmillaGraph *graph,
                                ArmillaTableData *const *tables, int level,
                                ArmillaTableData *found, ArmillaCl **numbers, GError **error)
{
  const guint n = self->formulas->numbers->len;
  ArmillaData *all[ARMILLA_EXPRESSION_TABLES + 1];
  g_autoptr (ArmillaCl) now = armilla_cl_new (n - 1, NULL, 1);
  Level *user = g_new (Level, 1);

  if (self->numbers == NULL)
    {
      self->numbers = g_new (double, n);
      for (guint k = 0; k < n; k++)
        self->numbers[k] = NAN;
    }
  for (int t = 0; t < self->n_tables; t++)
    all[t] = ARMILLA_DATA (tables[t]);
  all[self->n_tables] = (ArmillaData *) found;
  *user = (Level) { g_object_ref (self), level };
  if (!armilla_graph_make (graph, all, self->n_tables + (found != NULL), ARMILLA_DATA (now),
                           read_numbers, user, level_free, error))
    return FALSE;
  g_set_object (numbers, now);
  return TRUE;
}
