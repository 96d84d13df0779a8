/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patches of the sky: with about as many objects each, cut again and again, by planes across the
 * axis along which what is to be cut is longest; or around the centres of those that objects have.
 */

#include "core/catalogues/catalogue.h"
#include "core/catalogues/estimator.h"

#include <math.h>

/* More objects do not make a better cut; those looked at are evenly spaced in the catalogue. */
#define LOOKED_AT 200000

/* A node of the tree. Below the plane are @below patches; on it and above are the others. Nodes lie
 * one behind the other: a node, those below its plane, those above. */
typedef struct {
  int axis;
  double plane;
  int below;
} Cut;

typedef struct {
  double v[3];
} Place;

struct _ArmillaPatches {
  int n;
  GArray *cuts;
  Place *centres; /* instead of cuts; NaN where a patch has none */
};

/* By the coordinate of an axis; what is equal is ordered by the other two, so that the order does
 * not depend on how sorting is done. */
static int
compare (gconstpointer a, gconstpointer b, gpointer user)
{
  const Place *p = a, *q = b;

  for (int k = 0; k < 3; k++)
    {
      int axis = (*(const int *) user + k) % 3;

      if (p->v[axis] != q->v[axis])
        return p->v[axis] < q->v[axis] ? -1 : 1;
    }
  return 0;
}

static int
longest_axis (const Place *places, gint64 n)
{
  double low[3], high[3];
  int axis = 0;

  for (int k = 0; k < 3; k++)
    {
      low[k] = high[k] = places[0].v[k];
      for (gint64 i = 1; i < n; i++)
        {
          low[k] = MIN (low[k], places[i].v[k]);
          high[k] = MAX (high[k], places[i].v[k]);
        }
    }
  for (int k = 1; k < 3; k++)
    if (high[k] - low[k] > high[axis] - low[axis])
      axis = k;
  return axis;
}

static void
cut (ArmillaPatches *self, Place *places, gint64 n, int n_patches)
{
  Cut node = { .below = n_patches / 2 };
  gint64 split;

  if (n_patches < 2)
    return;
  if (n < 2)
    {
      /* objects that coincide leave none to cut; the tree keeps its shape */
      node.plane = INFINITY;
      g_array_append_val (self->cuts, node);
      cut (self, places, n, node.below);
      cut (self, places, n, n_patches - node.below);
      return;
    }
  node.axis = longest_axis (places, n);
  g_qsort_with_data (places, (int) n, sizeof *places, compare, &node.axis);
  split = CLAMP (n * node.below / n_patches, 1, n - 1);
  node.plane = places[split].v[node.axis];
  /* objects on the plane are above it */
  while (split > 1 && places[split - 1].v[node.axis] == node.plane)
    split--;
  g_array_append_val (self->cuts, node);
  cut (self, places, split, node.below);
  cut (self, places + split, n - split, n_patches - node.below);
}

/* Divides the sky so that each patch holds about as many of these objects. The same objects give
 * the same patches on every machine. Returns the patches; ARMILLA_ERROR_VALUE when there are
 * fewer objects than two a patch; NULL on error. @n_patches: number of patches, at least 2. */
ArmillaPatches *
armilla_patches_new (const ArmillaCatalogue *catalogue, int n_patches, GError **error)
{
  gint64 step = catalogue->n / LOOKED_AT + 1, n = 0;
  g_autofree Place *places = NULL;
  ArmillaPatches *self;

  if (n_patches < 2 || catalogue->n < 2 * (gint64) n_patches)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%" G_GINT64_FORMAT " objects cannot be divided into %d patches; "
                              "there must be 2 patches at least, and 2 objects per patch",
                              catalogue->n, n_patches);
  places = g_new (Place, catalogue->n / step + 1);
  for (gint64 i = 0; i < catalogue->n; i += step)
    places[n++] = (Place){ { catalogue->x[i], catalogue->y[i], catalogue->z[i] } };
  self = g_new0 (ArmillaPatches, 1);
  self->n = n_patches;
  self->cuts = g_array_new (FALSE, FALSE, sizeof (Cut));
  cut (self, places, n, n_patches);
  return self;
}

/* Divides the sky by the nearest centre of a patch: the direction of the weighted mean of its
 * objects' vectors, as TreeCorr has it. Of centres that are as near the one of the lower number
 * is taken. A patch without objects, or without a mean direction, has no centre and gets
 * nothing. The same objects give the same patches on every machine. Returns the patches;
 * ARMILLA_ERROR_VALUE when none has a centre; NULL on error. */
ArmillaPatches *
armilla_patches_new_around (const ArmillaCatalogue *catalogue, GError **error)
{
  g_autoptr (ArmillaPatches) self = g_new0 (ArmillaPatches, 1);
  int n_centres = 0;

  g_return_val_if_fail (catalogue->patch != NULL, NULL);
  self->n = catalogue->n_patches;
  self->centres = g_new0 (Place, self->n);
  for (gint64 i = 0; i < catalogue->n; i++)
    {
      const double v[3] = { catalogue->x[i], catalogue->y[i], catalogue->z[i] };
      double *sum = self->centres[catalogue->patch[i]].v;

      for (int k = 0; k < 3; k++)
        sum[k] += (catalogue->weight != NULL ? catalogue->weight[i] : 1) * v[k];
    }
  for (int p = 0; p < self->n; p++)
    {
      double *v = self->centres[p].v, length = hypot (hypot (v[0], v[1]), v[2]);

      for (int k = 0; k < 3; k++)
        v[k] /= length; /* NaN where nothing is summed */
      n_centres += length > 0;
    }
  if (n_centres > 0)
    return g_steal_pointer (&self);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "no patch has a centre: their objects weigh nothing, or lie all "
                            "around");
}

static int
nearest (const ArmillaPatches *self, const double v[3])
{
  double least = INFINITY;
  int found = 0;

  for (int p = 0; p < self->n; p++)
    {
      const double *c = self->centres[p].v;
      double x = v[0] - c[0], y = v[1] - c[1], z = v[2] - c[2];
      double s2 = (x * x + y * y) + z * z;

      if (s2 < least)
        {
          least = s2;
          found = p;
        }
    }
  return found;
}

static int
find (const ArmillaPatches *self, const double v[3])
{
  int n = self->n, first = 0;

  for (guint at = 0; n > 1;)
    {
      const Cut *node = &g_array_index (self->cuts, Cut, at);

      if (v[node->axis] < node->plane)
        {
          n = node->below;
          at++;
          continue;
        }
      /* @below patches have one cut fewer than they are many */
      at += (guint) node->below;
      first += node->below;
      n -= node->below;
    }
  return first;
}

/* Returns the same objects with their patches, which replace those they had;
 * ARMILLA_ERROR_MEMORY; NULL on error. */
ArmillaCatalogue *
armilla_patches_apply (const ArmillaPatches *self, const ArmillaCatalogue *catalogue,
                       GError **error)
{
  ArmillaCatalogueParts parts = armilla_catalogue_parts (catalogue) | ARMILLA_CATALOGUE_PATCH;
  ArmillaCatalogue *out = armilla_catalogue_copy (catalogue, parts, error);

  if (out == NULL)
    return NULL;
  out->n_patches = self->n;
  for (gint64 i = 0; i < out->n; i++)
    {
      const double v[3] = { out->x[i], out->y[i], out->z[i] };

      out->patch[i] = self->centres != NULL ? nearest (self, v) : find (self, v);
    }
  return out;
}

void
armilla_patches_free (ArmillaPatches *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->cuts, g_array_unref);
  g_free (self->centres);
  g_free (self);
}
