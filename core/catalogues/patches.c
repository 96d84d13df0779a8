/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the sky into patches: with about equally many objects each, by recursive cuts across the
 * longest axis; or around centres, those of the patches of a catalogue or of k-means. */

#include "core/catalogues/catalogue.h"
#include "core/catalogues/estimator.h"

#include <math.h>

/* maximum number of objects that determine the cuts, evenly spaced in the catalogue; more do not
 * improve them */
#define LOOKED_AT 200000

/* maximum number of iterations of k-means, which nearly always ends before */
#define MAX_TURNS 200

/* A node of the tree. Below the plane are @below patches; the others are on it or above. Nodes are
 * stored depth first: a node, those below its plane, those above. */
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
  Place *centres; /* centres of patches, used instead of cuts; NaN for patches without a centre */
};

/* Sorts by one coordinate, then by the other two, so that the result does not depend on the sorting
 * algorithm. */
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
      /* coincident objects cannot be divided; the tree keeps its shape */
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
  /* objects on the plane belong to the upper part */
  while (split > 1 && places[split - 1].v[node.axis] == node.plane)
    split--;
  g_array_append_val (self->cuts, node);
  cut (self, places, split, node.below);
  cut (self, places + split, n - split, n_patches - node.below);
}

/* Divides the sky into patches with about equally many of these objects. The same objects give the
 * same patches on every machine. Returns the patches; ARMILLA_ERROR_VALUE if there are fewer than
 * two objects per patch; NULL on error. @n_patches: number of patches, at least 2. */
ArmillaPatches *
armilla_patches_new (const ArmillaCatalogue *catalogue, int n_patches, GError **error)
{
  gint64 step = catalogue->n / LOOKED_AT + 1, n = 0;
  g_autofree Place *places = NULL;
  ArmillaPatches *self;

  if (n_patches < 2 || catalogue->n < 2 * (gint64) n_patches)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%" G_GINT64_FORMAT " objects cannot be divided into %d patches; "
                              "must be at least 2 patches, and 2 objects per patch",
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

/* Divides the sky by the closest patch centre: the direction of the weighted mean of the vectors of
 * its objects, as in TreeCorr. Of equally close centres the one with the lower number is chosen. A
 * patch without objects, or without a mean direction, has no centre and gets no objects. The same
 * objects give the same patches on every machine. Returns the patches; NULL with
 * ARMILLA_ERROR_VALUE if no patch has a centre. */
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
        v[k] /= length; /* NaN if the sum is zero */
      n_centres += length > 0;
    }
  if (n_centres > 0)
    return g_steal_pointer (&self);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "no patch has a centre: the weights of objects are 0, or their "
                            "mean vector vanishes");
}

static int
nearest (const ArmillaPatches *self, const double v[3])
{
  double min_s2 = INFINITY;
  int found = 0;

  for (int p = 0; p < self->n; p++)
    {
      const double *c = self->centres[p].v;
      double x = v[0] - c[0], y = v[1] - c[1], z = v[2] - c[2];
      double s2 = (x * x + y * y) + z * z;

      if (s2 < min_s2)
        {
          min_s2 = s2;
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
      /* Skips the node itself and the below - 1 nodes that divide what is below its plane. */
      at += (guint) node->below;
      first += node->below;
      n -= node->below;
    }
  return first;
}

/* Sets the centres to the directions of the sums of the vectors of their objects; a patch without
 * objects keeps its centre. */
static void
set_means (ArmillaPatches *self, const Place *places, const int *patch, gint64 n)
{
  g_autofree Place *sums = g_new0 (Place, self->n);

  for (gint64 i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      sums[patch[i]].v[k] += places[i].v[k];
  for (int p = 0; p < self->n; p++)
    {
      const double *v = sums[p].v, length = hypot (hypot (v[0], v[1]), v[2]);

      for (int k = 0; k < 3 && length > 0; k++)
        self->centres[p].v[k] = v[k] / length;
    }
}

/* Divides the sky by k-means (Lloyd 1982): each object belongs to the closest of n_patches centres,
 * and each centre is the direction of the mean of its objects. Patches are rounder than those of
 * armilla_patches_new(), from which the iteration starts, but their numbers of objects differ. The
 * same objects give the same patches on every machine. Returns the patches; NULL on the errors of
 * armilla_patches_new(). */
ArmillaPatches *
armilla_patches_new_means (const ArmillaCatalogue *catalogue, int n_patches, GError **error)
{
  g_autoptr (ArmillaPatches) self = armilla_patches_new (catalogue, n_patches, error);
  const gint64 step = catalogue->n / LOOKED_AT + 1;
  g_autofree Place *places = NULL;
  g_autofree int *patch = NULL;
  gint64 n = 0, n_moved = 1;

  if (self == NULL)
    return NULL;
  places = g_new (Place, catalogue->n / step + 1);
  patch = g_new (int, catalogue->n / step + 1);
  for (gint64 i = 0; i < catalogue->n; i += step, n++)
    {
      places[n] = (Place){ { catalogue->x[i], catalogue->y[i], catalogue->z[i] } };
      patch[n] = find (self, places[n].v);
    }
  self->centres = g_new0 (Place, self->n);
  for (int turn = 0; turn < MAX_TURNS && n_moved > 0; turn++)
    {
      set_means (self, places, patch, n);
      n_moved = 0;
      for (gint64 i = 0; i < n; i++)
        {
          const int now = nearest (self, places[i].v);

          n_moved += now != patch[i];
          patch[i] = now;
        }
    }
  return g_steal_pointer (&self);
}

/* Returns the same objects with new patches; NULL with ARMILLA_ERROR_MEMORY on error. */
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
