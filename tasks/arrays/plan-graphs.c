/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs and tables that plans keep between calls. All functions require the session's lock. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tasks/arrays/plan.h"
#include "tasks/graph/in-thread.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/runtime/share.h"

/* maximum bytes of a ring block's modes, for arrays on a GPU */
#define MAX_MODES (1 << 30)
#define STEP_PAIRS 128

/* Cost model of a transform on a core with 256-bit vectors: flops of the recurrence per ring pair
 * and coefficient, flops of the Fourier transforms per pixel and doubling, flops per second. */
#define RECURRENCE_FLOPS 6
#define RECURRENCE_RATE 2e10
#define FOURIER_FLOPS 4
#define FOURIER_RATE 4e9
/* Number of threads of a team above which each needs an m-block of its own; minimum number of
 * orders per block. */
#define FEW_MEMBERS 2
#define MIN_ORDERS 4

/* Estimates the seconds of a transform on one core, to a factor of two. */
static double
seconds_on_one_core (const ArmillaPlan *plan)
{
  const double n_fields = plan->n_fields;
  const double recurrence = RECURRENCE_FLOPS * n_fields * (double) plan->grid->n_pairs
                            * (double) armilla_alm_count (plan->layout);
  const double fourier = n_fields * (double) plan->grid->n_pixels
                         * log2 ((double) (2 * plan->layout.mmax + 2));

  return recurrence / RECURRENCE_RATE + fourier * FOURIER_FLOPS / FOURIER_RATE;
}

/* Returns the number of threads for a transform too small for StarPU's workers; 0: large enough, or
 * of points, for whose values the submitting thread waits. */
static int
count_members (const ArmillaPlan *plan)
{
  if (plan->points)
    return 0;
  return armilla_in_thread_choose (plan->session->runtime, seconds_on_one_core (plan));
}

/* Chooses the tiling. A GPU idles briefly between ring blocks and at the end, for a percent or more
 * of a transform, so blocks are large. They are smaller if data are copied while it computes;
 * arrays on the GPU are not copied. */
static ArmillaTilingOptions
tiling_of (const ArmillaPlan *plan, gboolean large, gboolean many_blocks)
{
  const gint64 a_pair
    = 4 * (gint64) sizeof (double) * (plan->layout.mmax + 1) * MAX (plan->n_fields, 1);
  const gint64 pairs = MAX_MODES / a_pair / STEP_PAIRS * STEP_PAIRS;
  const gint64 usual = large ? armilla_ring_blocks_default (plan->grid, TRUE) : 0;
  const gint64 m_blocks = MIN (count_members (plan), plan->layout.mmax / MIN_ORDERS + 1);

  return (ArmillaTilingOptions) {
    .ring_block = large && pairs > usual ? pairs : 0,
    .m_blocks = many_blocks && m_blocks > FEW_MEMBERS ? m_blocks : 0
  };
}

static void
trim_graphs (ArmillaPlan *plan, const ArmillaGraph *but)
{
  for (int i = 0; i < ARMILLA_PLAN_GRAPHS; i++)
    if (plan->graphs[i] && plan->graphs[i] != but)
      armilla_tile_pool_trim (plan->graphs[i], TRUE);
}

/* Returns the idle graph of kind @which, creating it if needed, and frees the tiles of the other
 * graphs. */
ArmillaGraph *
armilla_plan_graph (ArmillaPlan *plan, ArmillaPlanGraph which, GError **error)
{
  ArmillaSession *session = plan->session;
  ArmillaPlan *last = session->plans->data;
  const gboolean large = which == ARMILLA_PLAN_GPU && session->runtime->n_ranks == 1
                         && !session->runtime->bound;
  const ArmillaTilingOptions tiling = tiling_of (plan, large, which != ARMILLA_PLAN_SUMS);
  ArmillaGraph **graph = &plan->graphs[which];

  trim_graphs (last, *graph);
  if (last != plan)
    {
      session->plans = g_list_remove (session->plans, plan);
      session->plans = g_list_prepend (session->plans, plan);
    }
  /* A failure is permanent, and cancelling stops every graph of this runtime. The ranks either all
   * have a graph or none does. */
  if (armilla_runtime_max (session->runtime, !*graph || armilla_graph_failed (*graph)))
    g_clear_pointer (graph, armilla_graph_free);
  if (!*graph)
    {
      *graph = armilla_graph_new (session->runtime, &tiling, error);
      if (*graph)
        {
          armilla_graph_expect_calls (*graph);
          armilla_graph_expect_copies (*graph, plan->n_copies);
          (*graph)->rests = !session->runtime->gpus && session->runtime->n_ranks == 1;
          armilla_graph_run_in_thread (*graph, count_members (plan));
        }
    }
  return *graph;
}

/* Frees a graph that has failed. */
void
armilla_plan_forget_graph (ArmillaPlan *plan, const ArmillaGraph *graph)
{
  for (int i = 0; i < ARMILLA_PLAN_GRAPHS; i++)
    if (plan->graphs[i] == graph)
      g_clear_pointer (&plan->graphs[i], armilla_graph_free);
}

/* Frees all graphs. */
void
armilla_plan_forget_graphs (ArmillaPlan *plan)
{
  for (int i = 0; i < ARMILLA_PLAN_GRAPHS; i++)
    g_clear_pointer (&plan->graphs[i], armilla_graph_free);
}
