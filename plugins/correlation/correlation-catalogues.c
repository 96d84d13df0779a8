/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares catalogues for counting: rotates them to common coordinates, assigns patches. */
#include <math.h>

#include "core/catalogues/catalogue.h"
#include "core/tables/table.h"
#include "plugins/correlation/correlation-private.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"

void
armilla_correlation_unref (CorrelationCatalogues *catalogues)
{
  if (!g_atomic_int_dec_and_test (&catalogues->refs))
    return;
  for (int i = 0; i < CORRELATION_CATALOGUES; i++)
    {
      g_clear_object (&catalogues->objects[i]);
      g_clear_object (&catalogues->valued[i]);
      g_clear_pointer (&catalogues->totals[i], armilla_totals_free);
    }
  armilla_bins_unref (catalogues->bins);
  g_free (catalogues);
}

static void
unref (gpointer data)
{
  armilla_correlation_unref (data);
}

static gboolean
check_number (const CorrelationCatalogues *c, int i, const ArmillaCatalogue *catalogue,
              GError **error)
{
  if (catalogue->n >= c->min_objects[i])
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s has %" G_GINT64_FORMAT " object%s; at least %" G_GINT64_FORMAT
                       " are needed within one catalogue", c->names[i], catalogue->n,
                       catalogue->n == 1 ? "" : "s", c->min_objects[i]);
}

/* Checks the total weights, which may be 0 only in catalogues without a minimum number of
 * objects. */
static gboolean
check_totals (const CorrelationCatalogues *c, int i, GError **error)
{
  if (c->totals[i]->weight[0] > 0 || c->min_objects[i] == 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the weights of %s sum to 0; at least one must be positive", c->names[i]);
}

/* Rotates all catalogues to the coordinates of the first one that has some. */
static gboolean
turn_all (ArmillaCatalogue *const *in, ArmillaCatalogue **out, GError **error)
{
  char system = 0;

  for (int i = 0; i < CORRELATION_CATALOGUES; i++)
    {
      if (in[i] == NULL)
        continue;
      if (system == 0)
        system = in[i]->coordsys;
      if (system != 0 && in[i]->coordsys != 0)
        out[i] = armilla_catalogue_rotate (in[i], system, error);
      else
        out[i] = armilla_catalogue_ref (in[i]);
      if (out[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Divides the sky: around the patches of the first catalogue that has some, or by cutting a
 * catalogue into patches of equal numbers of objects. */
static ArmillaPatches *
find_patches (const CorrelationCatalogues *c, ArmillaCatalogue *const *all, GError **error)
{
  ArmillaPatches *patches = NULL;
  int i = 0;

  if (!c->by_column)
    return armilla_patches_new (all[c->cut_by], c->n_patches, error);
  while (i < CORRELATION_CATALOGUES - 1 && (all[i] == NULL || all[i]->patch == NULL))
    i++;
  if (all[i] != NULL && all[i]->patch != NULL)
    patches = armilla_patches_new_around (all[i], error);
  else
    g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                         "the column of patches is empty");
  if (patches == NULL)
    g_prefix_error (error, "%s: ", c->names[i] != NULL ? c->names[i] : c->names[0]);
  return patches;
}

/* Assigns patches to every catalogue without any; drops the patches if the errors need none. */
static gboolean
divide_all (const CorrelationCatalogues *c, ArmillaCatalogue **all, GError **error)
{
  g_autoptr (ArmillaPatches) patches = NULL;

  for (int i = 0; i < CORRELATION_CATALOGUES; i++)
    {
      ArmillaCatalogueParts parts = all[i] != NULL ? armilla_catalogue_parts (all[i]) : 0;
      gboolean has = (parts & ARMILLA_CATALOGUE_PATCH) != 0;
      ArmillaCatalogue *divided;

      if (all[i] == NULL || (c->n_patches == 0 && !has) || (c->by_column && has))
        continue;
      if (c->n_patches > 0 && patches == NULL)
        patches = find_patches (c, all, error);
      if (c->n_patches > 0 && patches == NULL)
        return FALSE;
      divided = patches != NULL
                  ? armilla_patches_apply (patches, all[i], error)
                  : armilla_catalogue_copy (all[i], parts & ~ARMILLA_CATALOGUE_PATCH, error);
      if (divided == NULL)
        return FALSE;
      armilla_catalogue_unref (all[i]);
      all[i] = divided;
    }
  return TRUE;
}

/* Replaces directions by positions in space if distances are counted. */
static gboolean
place_all (const CorrelationCatalogues *c, ArmillaCatalogue **all, GError **error)
{
  for (int i = 0; i < CORRELATION_CATALOGUES; i++)
    {
      ArmillaCatalogue *placed;

      if (all[i] == NULL || c->bins->separation == ARMILLA_SEPARATION_ANGLE)
        continue;
      placed = armilla_catalogue_positions (all[i], c->bins->period, error);
      if (placed == NULL)
        {
          g_prefix_error (error, "%s: ", c->names[i]);
          return FALSE;
        }
      armilla_catalogue_unref (all[i]);
      all[i] = placed;
    }
  return TRUE;
}

/* Sets the objects whose weights are multiplied by a column. */
static gboolean
set_valued (CorrelationCatalogues *c, int i, const ArmillaCatalogue *catalogue, GError **error)
{
  const ArmillaCatalogueValue *column = armilla_catalogue_value (catalogue, c->columns[i]);
  g_autoptr (ArmillaCatalogue) valued = NULL;
  gint64 n_bad = 0;

  for (gint64 k = 0; k < catalogue->n; k++)
    n_bad += !isfinite (column->value[k])
             && (catalogue->weight == NULL || catalogue->weight[k] > 0);
  if (n_bad > 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " objects have no finite "
                         "value in the column %s; set their weight to 0, or leave them out with "
                         "select-rows", c->names[i], n_bad, catalogue->n, column->name);
  valued = armilla_catalogue_weigh (catalogue, column->value, error);
  if (valued == NULL)
    return FALSE;
  armilla_totals_set_value (c->totals[i], catalogue, column->value);
  armilla_objects_set_catalogue (c->valued[i], valued);
  return TRUE;
}

static gboolean
visit (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  CorrelationCatalogues *c = user;
  ArmillaCatalogue *all[CORRELATION_CATALOGUES] = { NULL }, *given[CORRELATION_CATALOGUES];
  gboolean good = TRUE;

  (void) out;
  for (int i = 0; i < CORRELATION_CATALOGUES; i++)
    {
      given[i] = c->names[i] != NULL ? in[i].catalogue : NULL;
      good = good && (given[i] == NULL || check_number (c, i, given[i], error));
    }
  good = good && turn_all (given, all, error) && divide_all (c, all, error)
         && place_all (c, all, error);
  for (int i = 0; i < CORRELATION_CATALOGUES; i++)
    {
      if (good && all[i] != NULL)
        {
          c->totals[i] = armilla_totals_new (all[i]);
          good = check_totals (c, i, error)
                 && (c->valued[i] == NULL || set_valued (c, i, all[i], error));
          armilla_objects_set_catalogue (c->objects[i], all[i]);
        }
      /* the counting tasks hold references, and the last one frees the catalogues */
      g_clear_object (&c->objects[i]);
      g_clear_object (&c->valued[i]);
      g_clear_pointer (&all[i], armilla_catalogue_unref);
    }
  return good;
}

static const ArmillaCatalogue *
like (ArmillaData *input)
{
  return input != NULL ? armilla_objects_like (ARMILLA_OBJECTS (input)) : NULL;
}

/* Checks that all catalogues with patches have equally many; others use the nearest centres. */
static gboolean
patches_of_columns (ArmillaStage *stage, CorrelationProperties *properties,
                    ArmillaData *const *inputs, int n_inputs, const ArmillaPort *ports,
                    GError **error)
{
  const gboolean given = armilla_stage_given (stage, "patches");
  const char *first = NULL;

  properties->n_patches = given ? properties->patches : 0;
  for (int i = 0; i < n_inputs; i++)
    {
      const ArmillaCatalogue *what = like (inputs[i]);

      if (what == NULL || what->patch == NULL)
        continue;
      if (first == NULL && !given)
        properties->n_patches = what->n_patches;
      if (what->n_patches != properties->n_patches)
        {
          g_autofree char *other = given ? g_strdup ("patches")
                                         : g_strdup_printf ("the patches of %s", first);

          return armilla_fail (error, ARMILLA_ERROR_VALUE,
                               "%s = %d, but %s has %d; the numbers must agree; or read one "
                               "catalogue without patch: its objects then get the patches of the "
                               "nearest centres", other, properties->n_patches, ports[i].name,
                               what->n_patches);
        }
      first = first != NULL ? first : ports[i].name;
    }
  properties->by_column = first != NULL;
  if (first != NULL || !given)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "patches-by = column, but neither %s nor another catalogue has a column of "
                       "patches; name one with patch and patches of read-catalogue",
                       ports[0].name);
}

/* Sets, in the properties, the number of patches, and whether the patches are those of the
 * catalogues (NULL: unconnected). */
gboolean
armilla_correlation_check_patches (ArmillaStage *stage, CorrelationProperties *properties,
                                   ArmillaData *const *inputs, int n_inputs,
                                   const ArmillaPort *ports, GError **error)
{
  const gboolean given = armilla_stage_given (stage, "patches");
  const gboolean by_given = armilla_stage_given (stage, "patches-by");
  const gboolean by_column = properties->patches_by == PATCHES_COLUMN;

  properties->n_patches = properties->patches;
  properties->by_column = FALSE;
  if (properties->patches == 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "patches = 1: must be 2 or more, or 0");
  if ((given ? by_column && properties->patches > 0 : by_column || !by_given)
      && !patches_of_columns (stage, properties, inputs, n_inputs, ports, error))
    return FALSE;
  if (properties->n_patches == 0 && by_given)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "patches-by requires patches > 0; set patches, or leave out patches-by");
  if (properties->n_patches == 0 && armilla_stage_given (stage, "cross-patch-weight"))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "cross-patch-weight requires patches > 0; set patches, or leave it out");
  return TRUE;
}

/* Notes in a table of samples whether its patches can also be those of other statistics. They
 * cannot if they divide the objects of one catalogue equally, because those of other catalogues
 * then differ. */
void
armilla_correlation_tell_patches (const CorrelationCatalogues *c, ArmillaTable *table)
{
  armilla_table_set_text (table, "PATCHES", c->by_column ? "column" : "cut",
                          "from a column, or cut from a catalogue");
}

/* Requests the preparation of up to 4 catalogues (NULL: unconnected) for counting: cut_by is the
 * index of the catalogue that is cut into patches of equal numbers, @min_objects: minimum number of
 * objects of each catalogue. The graph has a reference to the result. */
CorrelationCatalogues *
armilla_correlation_catalogues (ArmillaGraph *graph, const CorrelationProperties *properties,
                                ArmillaBins *bins, ArmillaData *const *inputs, int n_inputs,
                                const ArmillaPort *ports, int cut_by, const gint64 *min_objects,
                                GError **error)
{
  CorrelationCatalogues *c = g_new0 (CorrelationCatalogues, 1);
  ArmillaData *in[CORRELATION_CATALOGUES] = { NULL };

  c->refs = 2;
  c->bins = armilla_bins_ref (bins);
  c->cut_by = cut_by;
  c->n_patches = properties->n_patches;
  c->by_column = properties->by_column;
  for (int i = 0; i < n_inputs; i++)
    {
      ArmillaCatalogueParts parts;

      if (inputs[i] == NULL)
        continue;
      in[i] = inputs[i];
      parts = armilla_objects_parts (ARMILLA_OBJECTS (in[i]));
      c->names[i] = ports[i].name;
      c->min_objects[i] = min_objects[i];
      parts &= ~(ARMILLA_CATALOGUE_PATCH | ARMILLA_CATALOGUE_VALUES);
      if (bins->separation != ARMILLA_SEPARATION_ANGLE)
        parts &= ~ARMILLA_CATALOGUE_SHEAR;
      c->columns[i] = properties->columns[i];
      if (c->columns[i] != NULL)
        c->valued[i] = armilla_objects_new (ARMILLA_CATALOGUE_WEIGHT
                                            | (c->n_patches > 0 ? ARMILLA_CATALOGUE_PATCH : 0));
      c->objects[i]
        = armilla_objects_new (parts | (c->n_patches > 0 ? ARMILLA_CATALOGUE_PATCH : 0));
      armilla_objects_expect (c->objects[i], armilla_objects_expected (ARMILLA_OBJECTS (in[i])));
      if (c->valued[i] != NULL)
        armilla_objects_expect (c->valued[i], armilla_objects_expected (ARMILLA_OBJECTS (in[i])));
    }
  if (armilla_graph_make (graph, in, CORRELATION_CATALOGUES, NULL, visit, c, unref, error))
    return c;
  armilla_correlation_unref (c);
  return NULL;
}

/* Returns the bytes of the catalogues and their cells, all of which exist until the last count;
 * @sums: for each catalogue bits 1 << ArmillaHistogramSum: sums over pairs beside weights. */
double
armilla_correlation_cells (ArmillaData *const *inputs, int n_inputs, const int *sums)
{
  double bytes = 0;
  int weight = 0;

  for (int i = 0; i < n_inputs; i++)
    if (inputs[i] != NULL && armilla_correlation_weighted (ARMILLA_OBJECTS (inputs[i]), NULL))
      weight = 1 << ARMILLA_SUM_WEIGHT;
  for (int i = 0; i < n_inputs; i++)
    {
      gboolean again = FALSE;

      for (int j = 0; j < i; j++)
        again = again || inputs[j] == inputs[i];
      if (inputs[i] != NULL && !again)
        bytes += armilla_objects_count_bytes (ARMILLA_OBJECTS (inputs[i]), sums[i] | weight);
    }
  return bytes;
}

/* Returns whether either catalogue (b may be NULL) has weights. */
gboolean
armilla_correlation_weighted (ArmillaObjects *a, ArmillaObjects *b)
{
  return ((armilla_objects_parts (a) | (b != NULL ? armilla_objects_parts (b) : 0))
          & ARMILLA_CATALOGUE_WEIGHT)
         != 0;
}
