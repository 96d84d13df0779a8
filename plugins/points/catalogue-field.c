/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Those sums over objects of catalogue2alm that need no harmonics. Every rank has all objects and
 * sums them in the same order, so all ranks get the same bits. */
#include "plugins/points/catalogue-field.h"

#include <armilla/armilla.h>
#include <math.h>

#include "core/base/pseudo-inverse.h"
#include "core/catalogues/catalogue.h"

/* Number of products that are summed before the sum is added to the total, which reduces rounding
 * errors. */
#define SUMMED 4096

/* Returns the sum of a[i] b[i]; without @b the sum of a[i]. */
static double
sum_products (const double *a, const double *b, gint64 n)
{
  double sum = 0;

  for (gint64 first = 0; first < n; first += SUMMED)
    {
      double part = 0;

      for (gint64 i = first; i < MIN (first + SUMMED, n); i++)
        part += a[i] * (b != NULL ? b[i] : 1);
      sum += part;
    }
  return sum;
}

/* Returns the mean contribution of objects paired with themselves to the cross spectrum of two
 * weighted values. */
double
catalogue_field_shot (const double *a, const double *b, gint64 n)
{
  return sum_products (a, b, n) / (4 * G_PI);
}

/* A field to be weighted, and the description of the result. */
typedef struct {
  CatalogueField field;
  ArmillaObjects *out;
} Weigh;

static void
weigh_free (gpointer user)
{
  Weigh *self = user;

  g_object_unref (self->out);
  g_free ((gpointer) self->field.columns);
  g_free ((gpointer) self->field.templates);
  g_free (self);
}

/* Stores the values of a column times the weights. */
static gboolean
weigh_column (const Weigh *self, const ArmillaCatalogue *objects, int column, double *out,
              GError **error)
{
  const double *values = column >= 0 ? objects->values[column].value
                         : column == CATALOGUE_FIELD_Q ? objects->g1
                         : column == CATALOGUE_FIELD_U ? objects->g2 : NULL;
  const double *weights = self->field.weighted ? NULL : objects->weight;
  const double sign = column == CATALOGUE_FIELD_U ? -1 : 1;

  for (gint64 i = 0; i < objects->n; i++)
    {
      out[i] = (values != NULL ? sign * values[i] : 1) * (weights != NULL ? weights[i] : 1);
      if (!isfinite (out[i]))
        return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                             "%s, column %s: the value of object %" G_GINT64_FORMAT " is not "
                             "finite; select-rows can exclude such objects", self->field.port,
                             column >= 0 ? objects->values[column].name : "of the shears", i + 1);
    }
  return TRUE;
}

/* Subtracts from the values the templates that fit them best, all of them weighted. @values:
 * [value]; @templates: [template][value]; @n: number of objects */
static void
deproject (const CatalogueField *field, double *const *values, double *const *templates, gint64 n)
{
  const int n_templates = field->n_templates, n_values = field->n;
  g_autofree double *matrix = g_new0 (double, n_templates * n_templates);
  g_autofree double *right = g_new0 (double, n_templates);
  g_autofree double *factors = g_new0 (double, n_templates);

  for (int j = 0; j < n_templates; j++)
    for (int f = 0; f < n_values; f++)
      {
        const double *own = templates[j * n_values + f];

        right[j] += sum_products (own, values[f], n);
        for (int k = 0; k < n_templates; k++)
          matrix[j * n_templates + k] += sum_products (own, templates[k * n_values + f], n);
      }
  armilla_pseudo_solve (matrix, n_templates, field->tolerance, right, factors);
  for (int j = 0; j < n_templates; j++)
    for (int f = 0; f < n_values; f++)
      for (gint64 i = 0; i < n; i++)
        values[f][i] -= factors[j] * templates[j * n_values + f][i];
}

/* Weights the templates and deprojects them. */
static gboolean
weigh_templates (const Weigh *self, const ArmillaCatalogue *objects, double *const *values,
                 GError **error)
{
  const int n = self->field.n_templates * self->field.n;
  g_autoptr (GPtrArray) templates = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; i < n; i++)
    {
      double *own = g_try_new (double, objects->n);

      if (own == NULL)
        return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                             "out of memory: cannot store %d templates of %" G_GINT64_FORMAT
                             " objects", self->field.n_templates, objects->n);
      g_ptr_array_add (templates, own);
      if (!weigh_column (self, objects, self->field.templates[i], own, error))
        return FALSE;
    }
  if (n > 0)
    deproject (&self->field, values, (double *const *) templates->pdata, objects->n);
  return TRUE;
}

/* Creates the weighted values, and the weights as the last column. */
static gboolean
weigh (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Weigh *self = user;
  ArmillaCatalogue *objects = in[0].catalogue;
  const int n = self->field.n;
  g_autofree double **columns = g_new (double *, n + 1);
  g_autoptr (ArmillaCatalogue) made = NULL;

  if (objects->n == 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: no objects; must have at least one",
                         self->field.port);
  made = armilla_objects_with_columns (self->out, objects, n + 1, columns, error);
  if (made == NULL)
    return FALSE;
  for (int f = 0; f < n; f++)
    if (!weigh_column (self, objects, self->field.columns[f], columns[f], error))
      return FALSE;
  for (gint64 i = 0; i < objects->n; i++)
    columns[n][i] = objects->weight != NULL ? objects->weight[i] : 1;
  if (!(sum_products (columns[n], NULL, objects->n) > 0))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: the weights of all %" G_GINT64_FORMAT " objects are 0; some must be "
                         "positive", self->field.port, objects->n);
  if (!weigh_templates (self, objects, columns, error))
    return FALSE;
  out->catalogue = g_steal_pointer (&made);
  return TRUE;
}

/* Requests the objects with further columns: the weighted and deprojected values, and the weights.
 * Returns (transfer full) the objects; NULL on error. */
ArmillaObjects *
catalogue_field_weigh (ArmillaGraph *graph, ArmillaObjects *objects, const CatalogueField *field,
                       GError **error)
{
  g_autoptr (ArmillaCatalogue) like
    = armilla_catalogue_select (armilla_objects_like (objects), NULL, 0, error);
  ArmillaData *in = ARMILLA_DATA (objects);
  Weigh *self;

  for (int i = 0; like != NULL && i <= field->n; i++)
    if (armilla_catalogue_add_value (like, i < field->n ? "weighted value" : "weight", "", error)
        == NULL)
      return NULL;
  if (like == NULL)
    return NULL;
  self = g_new0 (Weigh, 1);
  self->field = *field;
  self->field.columns
    = g_memdup2 (field->columns, sizeof *field->columns * (gsize) field->n);
  self->field.templates = g_memdup2 (field->templates, sizeof *field->templates
                                                         * (gsize) (field->n_templates * field->n));
  self->out = armilla_objects_new_like (like);
  armilla_objects_expect (self->out, armilla_objects_expected (objects));
  g_autoptr (ArmillaObjects) out = g_object_ref (self->out);
  return armilla_graph_make (graph, &in, 1, ARMILLA_DATA (out), weigh, self, weigh_free, error)
    ? g_steal_pointer (&out) : NULL;
}

/* Returns the column with the weighted value @i, or, after the last one, with the weights. */
int
catalogue_field_column (ArmillaObjects *weighed, const CatalogueField *field, int i)
{
  return armilla_objects_like (weighed)->n_values - field->n - 1 + i;
}

static const double *
last_column (const ArmillaCatalogue *objects, int from_end)
{
  return objects->values[objects->n_values - 1 - from_end].value;
}

/* Inputs of the steps below. */
enum { DATA, RANDOM, NUMBERS };

static void
store_ratio (const ArmillaPiece *in, ArmillaPiece *out, double integral)
{
  const double sum = sum_products (last_column (in[DATA].catalogue, 0), NULL,
                                   in[DATA].catalogue->n);

  for (gint64 l = 0; l < out->n_values; l++)
    out->values[l] = integral / sum;
}

static gboolean
scale_by_randoms (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const ArmillaCatalogue *random = in[RANDOM].catalogue;

  (void) user, (void) error;
  store_ratio (in, out, sum_products (last_column (random, 0), NULL, random->n));
  return TRUE;
}

static gboolean
scale_by_mask (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  /* a_00 is the integral over Y_00 = (4 pi)^(-1/2) */
  const double integral = sqrt (4 * G_PI * in[NUMBERS].values[0]);

  (void) user;
  if (!(integral > 0))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the sum of the pixels of mask is %g; must be positive", integral);
  store_ratio (in, out, integral);
  return TRUE;
}

/* Requests 1 / alpha at each multipole, the sum of the weights of @random, or the integral of the
 * mask, over the sum of the weights of @data. @mask: spectrum of the mask, instead of @random. */
gboolean
catalogue_field_scale (ArmillaGraph *graph, ArmillaObjects *data, ArmillaObjects *random,
                       ArmillaCl *mask, ArmillaCl *scale, GError **error)
{
  ArmillaData *in[] = { ARMILLA_DATA (data), (ArmillaData *) random, (ArmillaData *) mask };

  return armilla_graph_make (graph, in, G_N_ELEMENTS (in), ARMILLA_DATA (scale),
                             random != NULL ? scale_by_randoms : scale_by_mask, NULL, NULL, error);
}

/* Stores the noise of each auto spectrum, which come first, and 0 for cross spectra. */
static gboolean
store_noise (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const int n_fields = GPOINTER_TO_INT (user);
  const ArmillaCatalogue *data = in[DATA].catalogue, *random = in[RANDOM].catalogue;
  const double scale = in[NUMBERS].values != NULL ? in[NUMBERS].values[0] : 1;
  const int n_columns = MAX (n_fields, 1);
  const gint64 n_l = out->n_values / (n_columns * (n_columns + 1) / 2);
  double noise = 0;

  (void) error;
  for (int f = 0; data != NULL && f < n_columns; f++)
    {
      const double *values = last_column (data, n_fields > 0 ? f + 1 : 0);

      noise += scale * scale * catalogue_field_shot (values, values, data->n) / n_columns;
    }
  if (random != NULL)
    noise += catalogue_field_shot (last_column (random, 0), last_column (random, 0), random->n);
  for (gint64 i = 0; i < out->n_values; i++)
    out->values[i] = i < n_columns * n_l ? noise : 0;
  return TRUE;
}

/* Requests the mean contribution of single objects to the spectra of the weighted values of @data,
 * or, if @n_fields is 0, of their weights. @data: (nullable): NULL: 0; @random: (nullable): objects
 * whose weights were subtracted; @scale: (nullable): factor of the values at each multipole. */
gboolean
catalogue_field_noise (ArmillaGraph *graph, ArmillaObjects *data, int n_fields,
                       ArmillaObjects *random, ArmillaCl *scale, ArmillaCl *noise, GError **error)
{
  ArmillaData *in[] = { (ArmillaData *) data, (ArmillaData *) random, (ArmillaData *) scale };

  return armilla_graph_make (graph, in, G_N_ELEMENTS (in), ARMILLA_DATA (noise), store_noise,
                             GINT_TO_POINTER (n_fields), NULL, error);
}
