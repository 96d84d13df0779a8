/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans, orders of fields and scratch space of ring transforms with equal arguments, created once
 * per graph. */
#include "config.h"

#include "tasks/harmonic/ring-plans.h"

static const ArmillaExtraKind fft_plans_kind = { .free = (GDestroyNotify) armilla_fft_plans_free };

/* Returns the cache of FFTW plans, which tasks create at first use: at nside 4096, creating all in
 * advance took 0.3 s in which no worker had a task. */
ArmillaFftPlans *
armilla_graph_fft_plans (ArmillaGraph *graph)
{
  GPtrArray *all = armilla_extras_get (graph->extras, &fft_plans_kind);

  if (all->len == 0)
    g_ptr_array_add (all, armilla_fft_plans_new ());
  return g_ptr_array_index (all, 0);
}

static const ArmillaExtraKind worker_plans_kind
  = { .free = (GDestroyNotify) armilla_worker_plans_free };

ArmillaWorkerPlans *
armilla_graph_worker_plans (ArmillaGraph *graph)
{
  GPtrArray *all = armilla_extras_get (graph->extras, &worker_plans_kind);

  if (all->len == 0)
    g_ptr_array_add (all, armilla_worker_plans_new ());
  return g_ptr_array_index (all, 0);
}

static void
free_ring_plans (gpointer data)
{
  ArmillaRingPlans *plans = data;

  if (plans->scratch.handle)
    starpu_data_unregister_no_coherency (plans->scratch.handle);
  g_free (plans->spins);
  g_free (plans->place);
  g_free (plans);
}

static const ArmillaExtraKind ring_plans_kind = { .free = free_ring_plans };

gboolean
armilla_graph_add_ring_shapes (ArmillaGraph *graph, const ArmillaRingBlocks *rings, int n_fields,
                               gint64 mmax, const gint64 *each, gint64 *first_block,
                               gint64 *scratch, GError **error)
{
  g_autofree ArmillaRingShape *shapes = g_new (ArmillaRingShape, rings->n);
  g_autofree const ArmillaRingSlot **slots = g_new (const ArmillaRingSlot *, rings->n);

  for (int b = 0; b < rings->n; b++)
    {
      shapes[b] = (ArmillaRingShape) { .mmax = each ? each[b] : mmax,
                                       .n_fields = n_fields,
                                       .n_slots = 2 * rings->block[b].n_pairs,
                                       .n_pixels = rings->block[b].n_pixels };
      slots[b] = rings->block[b].slots;
    }
  if (!armilla_worker_plans_add (armilla_graph_worker_plans (graph), rings->n, shapes, slots,
                                 first_block, scratch, error))
    return FALSE;
  *scratch = MAX (*scratch, armilla_ring_scratch_size (rings->longest, mmax));
  return TRUE;
}

static gboolean
add_plans (ArmillaGraph *graph, ArmillaRingPlans *plans, GError **error)
{
  gint64 scratch;

  return armilla_graph_add_ring_shapes (graph, plans->rings, plans->n_fields, plans->mmax, NULL,
                                        &plans->first_block, &scratch, error)
         && armilla_tile_new (graph, 0, scratch, &plans->scratch, error);
}

/* Returns the index in the maps of each field of the modes: modes contain the fields of one spin of
 * all realisations together, a map contains all fields of its realisation. */
static gint64 *
find_places (const int *spins, int n_fields, int n_skies)
{
  gint64 *place = g_new (gint64, (gsize) n_fields * (gsize) n_skies), *next = place;

  for (int first = 0, end; first < n_fields; first = end)
    {
      for (end = first + 1; end < n_fields && spins[end] == spins[first]; end++)
        ;
      for (int sky = 0; sky < n_skies; sky++)
        for (int f = first; f < end; f++)
          *next++ = (gint64) sky * n_fields + f;
    }
  return place;
}

/* Returns the shared data of ring transforms, created at the first call; @spins: spins of one
 * realisation. */
const ArmillaRingPlans *
armilla_graph_ring_plans (ArmillaGraph *graph, ArmillaRingBlocks *rings, gint64 mmax,
                          const int *spins, int n_fields, int n_skies, GError **error)
{
  GPtrArray *all = armilla_extras_get (graph->extras, &ring_plans_kind);
  ArmillaRingPlans *plans;

  for (guint i = 0; i < all->len; i++)
    {
      plans = g_ptr_array_index (all, i);
      if (plans->rings == rings && plans->mmax == mmax && plans->n_skies == n_skies
          && plans->n_fields == n_fields * n_skies
          && armilla_fields_equal (plans->spins, spins, n_fields))
        return plans;
    }
  plans = g_new0 (ArmillaRingPlans, 1);
  plans->rings = rings;
  plans->mmax = mmax;
  plans->n_fields = n_fields * n_skies;
  plans->n_skies = n_skies;
  plans->spins = g_memdup2 (spins, sizeof (int) * (gsize) n_fields);
  plans->place = find_places (spins, n_fields, n_skies);
  if (!add_plans (graph, plans, error))
    {
      free_ring_plans (plans);
      return NULL;
    }
  g_ptr_array_add (all, plans);
  return plans;
}
