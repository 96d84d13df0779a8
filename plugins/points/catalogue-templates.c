/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The templates t that fit the field f best are those of the linear system sum over k of M_jk a_k =
 * b_j, where M_jk and b_j are sums of the spectra of t_j t_k and f t_j over all modes, less what
 * each random object contributes with itself. The spectra are only known to a host step: it stores
 * the factors a_k as windows, by which tasks multiply the a_lm. */
#include "plugins/points/catalogue-templates.h"

#include <armilla/armilla.h>

#include "core/base/pseudo-inverse.h"
#include "core/catalogues/catalogue.h"
#include "plugins/points/catalogue-field.h"
#include "tasks/harmonic/harmonic.h"

enum { SQUARES, PRODUCTS, RANDOM };

/* Returns the sum over the modes up to lmax of a spectrum less a constant. */
static double
sum_modes (const double *cl, gint64 lmax, double noise)
{
  double sum = 0;

  for (gint64 l = 0; l <= lmax; l++)
    sum += (double) (2 * l + 1) * (cl[l] - noise);
  return sum;
}

/* Returns the spectrum of fields i and j >= i of n, as armilla_graph_spectra() orders them. */
static const double *
spectrum_of (const double *all, int n, int i, int j, gint64 n_l)
{
  const int apart = j - i, before = apart * n - apart * (apart - 1) / 2;

  return all + (before + i) * n_l;
}

/* Returns template field @i at the random objects, or, after the last, their weights. */
static const double *
template_values (const ArmillaCatalogue *random, int n_all, int i)
{
  return random->values[random->n_values - n_all - 1 + i].value;
}

/* Stores minus the factors of the templates at each multipole. */
static gboolean
find_factors (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const CatalogueTemplates *self = user;
  const ArmillaCatalogue *random = in[RANDOM].catalogue;
  const int n = self->n, n_fields = self->n_fields, n_all = n * n_fields;
  const gint64 n_l = out->n_values / n_all;
  g_autofree double *matrix = g_new0 (double, n * n), *right = g_new0 (double, n);
  g_autofree double *factors = g_new0 (double, n);

  (void) error;
  for (int j = 0; j < n_all; j++)
    {
      const int row = j / n_fields;
      const double *own = random != NULL ? template_values (random, n_all, j) : NULL;
      const double noise
        = random != NULL && self->subtracted
            ? -catalogue_field_shot (own, template_values (random, n_all, n_all), random->n) : 0;

      right[row] += sum_modes (in[PRODUCTS].values + j * n_l, self->lmax, noise);
      for (int k = j; k < n_all; k += n_fields)
        matrix[row * n + k / n_fields] += sum_modes (
          spectrum_of (in[SQUARES].values, n_all, j, k, n_l), self->lmax,
          random != NULL ? catalogue_field_shot (own, template_values (random, n_all, k),
                                                 random->n) : 0);
    }
  for (int j = 0; j < n; j++)
    for (int k = 0; k < j; k++)
      matrix[j * n + k] = matrix[k * n + j];
  armilla_pseudo_solve (matrix, n, self->tolerance, right, factors);
  for (int j = 0; j < n_all; j++)
    for (gint64 l = 0; l < n_l; l++)
      out->values[j * n_l + l] = -factors[j / n_fields];
  return TRUE;
}

/* Requests the factors. */
static gboolean
add_factors (ArmillaGraph *graph, const CatalogueTemplates *self, ArmillaAlm *field,
             ArmillaCl *factors, GError **error)
{
  const int n_all = self->n * self->n_fields;
  const ArmillaAlmLayout layout = armilla_alm_layout (field);
  g_autoptr (ArmillaAlm) each = armilla_alm_new (layout, n_all);
  g_autoptr (ArmillaCl) squares = armilla_cl_new (layout.lmax, NULL, n_all * (n_all + 1) / 2);
  g_autoptr (ArmillaCl) products = armilla_cl_new (layout.lmax, NULL, n_all);
  g_autofree int *fields = g_new (int, n_all);
  ArmillaData *in[] = { [SQUARES] = ARMILLA_DATA (squares), [PRODUCTS] = ARMILLA_DATA (products),
                        [RANDOM] = (ArmillaData *) self->random };

  for (int i = 0; i < n_all; i++)
    fields[i] = i % self->n_fields;
  return armilla_graph_select_fields (graph, ARMILLA_DATA (field), fields, ARMILLA_DATA (each),
                                      error)
         && armilla_graph_spectra (graph, self->alm, self->alm, squares, error)
         && armilla_graph_spectra (graph, each, self->alm, products, error)
         && armilla_graph_make (graph, in, G_N_ELEMENTS (in), ARMILLA_DATA (factors), find_factors,
                                g_memdup2 (self, sizeof *self), g_free, error);
}

/* Requests the sum of the field and of one of the scaled templates. */
static gboolean
add_template (ArmillaGraph *graph, const CatalogueTemplates *self, ArmillaAlm *scaled, int number,
              ArmillaAlm *field, ArmillaAlm *out, GError **error)
{
  static const double sum[] = { 1, 1 };
  const int fields[2] = { number * self->n_fields, number * self->n_fields + 1 };
  g_autoptr (ArmillaAlm) one = armilla_alm_new (armilla_alm_layout (field), self->n_fields);
  ArmillaData *const both[] = { ARMILLA_DATA (field), ARMILLA_DATA (one) };

  return armilla_graph_select_fields (graph, ARMILLA_DATA (scaled), fields, ARMILLA_DATA (one),
                                      error)
         && armilla_graph_combine (graph, both, sum, 2, ARMILLA_DATA (out), error);
}

/* Requests the a_lm of the field without the templates that fit it best. */
gboolean
catalogue_templates_deproject (ArmillaGraph *graph, const CatalogueTemplates *self,
                               ArmillaAlm *field, ArmillaAlm *out, GError **error)
{
  const ArmillaAlmLayout layout = armilla_alm_layout (field);
  const int n_all = self->n * self->n_fields;
  g_autoptr (ArmillaCl) factors = armilla_cl_new (layout.lmax, NULL, n_all);
  g_autoptr (ArmillaAlm) scaled = armilla_alm_new (layout, n_all), rest = g_object_ref (field);
  gboolean ok = add_factors (graph, self, field, factors, error)
                && armilla_graph_scale_alm (graph, self->alm, factors, scaled, error);

  for (int j = 0; ok && j < self->n; j++)
    {
      g_autoptr (ArmillaAlm) sum = j < self->n - 1 ? armilla_alm_new (layout, self->n_fields)
                                                   : g_object_ref (out);

      ok = add_template (graph, self, scaled, j, rest, sum, error);
      g_set_object (&rest, sum);
    }
  return ok;
}
