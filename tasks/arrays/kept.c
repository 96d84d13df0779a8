/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plans keep between calls, shared by those of one shape. All functions are called with the
 * session's lock held. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tasks/arrays/kept.h"
#include "tasks/graph/in-thread.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/ranks/share.h"

/* Without a plan so many are kept in the hope that they are wanted again. */
#define MAX_IDLE 4
/* Bytes of a ring block's modes, of arrays of a GPU's. */
#define MAX_MODES (1 << 30)
#define STEP_PAIRS 128

/* Cost of a transform on a core with 256-bit vectors: flops of the recurrence per pair of rings and
 * coefficient, flops of the Fourier transforms per pixel and doubling, flops per second. */
#define RECURRENCE_FLOPS 6
#define RECURRENCE_RATE 2e10
#define FOURIER_FLOPS 4
#define FOURIER_RATE 4e9
/* Work that is worth one more thread of a team, and above which StarPU's workers are faster: of
 * fields of one spin, and of several, whose tasks wait for each other. */
#define MEMBER_SECONDS 2e-5
#define LARGE_SECONDS 0.25
#define LARGE_SECONDS_OF_SPINS 5e-2
/* Every thread of a team of more than this wants a block of orders; orders of a block at least. */
#define FEW_MEMBERS 2
#define MIN_ORDERS 4

static gboolean
equal (const ArmillaKept *a, const ArmillaKept *b)
{
  return a->layout.lmax == b->layout.lmax && a->layout.mmax == b->layout.mmax
         && a->n_fields == b->n_fields && a->n_copies == b->n_copies
         && memcmp (a->spins, b->spins, sizeof (int) * (gsize) a->n_fields) == 0
         && memcmp (a->component, b->component, sizeof (int) * (gsize) a->n_fields) == 0
         && armilla_grid_equal (a->grid, b->grid);
}

static void
forget_graphs (ArmillaKept *kept)
{
  for (int i = 0; i < ARMILLA_KEPT_GRAPHS; i++)
    g_clear_pointer (&kept->graphs[i], armilla_graph_free);
}

/* Of what is in no list. */
static void
kept_free (gpointer data)
{
  ArmillaKept *kept = data;

  forget_graphs (kept);
  g_clear_pointer (&kept->grid, armilla_grid_unref);
  g_free (kept->spins);
  g_free (kept->copy);
  g_free (kept->component);
  g_free (kept);
}

/* The oldest go when there are too many without a plan. */
static void
drop_idle (ArmillaSession *session)
{
  int idle = 0;

  for (GList *link = session->kept, *next; link; link = next)
    {
      ArmillaKept *kept = link->data;

      next = link->next;
      if (kept->users > 0 || ++idle <= MAX_IDLE)
        continue;
      session->kept = g_list_delete_link (session->kept, link);
      kept_free (kept);
    }
}

/* Takes wanted, without graphs, unless the session keeps one of that shape. Returns that with
 * one more user. */
ArmillaKept *
armilla_kept_find (ArmillaSession *session, ArmillaKept *wanted)
{
  ArmillaKept *found = NULL;

  for (GList *link = session->kept; link && !found; link = link->next)
    if (equal (link->data, wanted))
      found = link->data;
  if (found)
    kept_free (wanted);
  else
    {
      found = wanted;
      session->kept = g_list_prepend (session->kept, found);
    }
  found->users++;
  return found;
}

/* Removes a user. */
void
armilla_kept_leave (ArmillaKept *kept)
{
  kept->users--;
  drop_idle (kept->session);
}

/* Seconds that one core takes for a transform, to a factor of two. */
static double
seconds_on_one_core (const ArmillaKept *kept)
{
  const double n_fields = kept->n_fields;
  const double recurrence = RECURRENCE_FLOPS * n_fields * (double) kept->grid->n_pairs
                            * (double) armilla_alm_count (kept->layout);
  const double fourier = n_fields * (double) kept->grid->n_pixels
                         * log2 ((double) (2 * kept->layout.mmax + 2));

  return recurrence / RECURRENCE_RATE + fourier * FOURIER_FLOPS / FOURIER_RATE;
}

static gboolean
has_one_spin (const ArmillaKept *kept)
{
  for (int i = 1; i < kept->n_fields; i++)
    if (kept->spins[i] != kept->spins[0])
      return FALSE;
  return TRUE;
}

/* Threads that shorten a transform which is too small for StarPU's workers; 0: it is not. */
static int
count_members (const ArmillaKept *kept)
{
  const ArmillaRuntime *runtime = kept->session->runtime;
  const double seconds = seconds_on_one_core (kept);
  const double large = has_one_spin (kept) ? LARGE_SECONDS : LARGE_SECONDS_OF_SPINS;

  if (runtime->gpus || runtime->n_ranks > 1 || runtime->bound || seconds > large)
    return 0;
  return (int) CLAMP (seconds / MEMBER_SECONDS, 1, MAX (runtime->cpu_workers, 1));
}

/* Between ring blocks a GPU is idle for a moment, and at the end of one for a part: a percent or
 * more of a transform. Blocks are smaller for what is copied beside the work; of arrays of its own
 * nothing is. */
static ArmillaTilingOptions
tiling_of (const ArmillaKept *kept, gboolean large, gboolean many_blocks)
{
  const gint64 a_pair
    = 4 * (gint64) sizeof (double) * (kept->layout.mmax + 1) * MAX (kept->n_fields, 1);
  const gint64 pairs = MAX_MODES / a_pair / STEP_PAIRS * STEP_PAIRS;
  const gint64 usual = armilla_ring_blocks_default (kept->grid, TRUE);
  const gint64 m_blocks = MIN (count_members (kept), kept->layout.mmax / MIN_ORDERS + 1);

  return (ArmillaTilingOptions) {
    .ring_block = large && pairs > usual ? pairs : 0,
    .m_blocks = many_blocks && m_blocks > FEW_MEMBERS ? m_blocks : 0
  };
}

static void
trim_graphs (ArmillaKept *kept, const ArmillaGraph *but)
{
  for (int i = 0; i < ARMILLA_KEPT_GRAPHS; i++)
    if (kept->graphs[i] && kept->graphs[i] != but)
      armilla_tile_pool_trim (kept->graphs[i], TRUE);
}

/* Returns the idle graph which, made if need be, and frees the tiles of the others: memory is
 * for the graph that computes. */
ArmillaGraph *
armilla_kept_graph (ArmillaKept *kept, ArmillaKeptGraph which, GError **error)
{
  ArmillaSession *session = kept->session;
  ArmillaKept *last = session->kept->data;
  const gboolean large = which == ARMILLA_KEPT_GPU && session->runtime->n_ranks == 1
                         && !session->runtime->bound;
  const ArmillaTilingOptions tiling = tiling_of (kept, large, which != ARMILLA_KEPT_SUMS);
  ArmillaGraph **graph = &kept->graphs[which];

  trim_graphs (last, *graph);
  if (last != kept)
    {
      session->kept = g_list_remove (session->kept, kept);
      session->kept = g_list_prepend (session->kept, kept);
    }
  /* A failure is permanent, and cancelling stops every graph of this runtime. Ranks have one graph,
   * or none. */
  if (armilla_runtime_most (session->runtime, !*graph || armilla_graph_failed (*graph)))
    g_clear_pointer (graph, armilla_graph_free);
  if (!*graph)
    {
      *graph = armilla_graph_new (session->runtime, &tiling, error);
      if (*graph)
        {
          armilla_graph_expect_calls (*graph);
          armilla_graph_expect_copies (*graph, kept->n_copies);
        }
      if (*graph && count_members (kept) > 0 && armilla_graph_can_run_in_thread (*graph))
        armilla_graph_run_in_thread (*graph, count_members (kept));
    }
  return *graph;
}

/* Frees a graph that has failed. */
void
armilla_kept_forget_graph (ArmillaKept *kept, const ArmillaGraph *graph)
{
  for (int i = 0; i < ARMILLA_KEPT_GRAPHS; i++)
    if (kept->graphs[i] == graph)
      g_clear_pointer (&kept->graphs[i], armilla_graph_free);
}

/* Frees all graphs before the session's workers stop. */
void
armilla_kept_forget_graphs (ArmillaSession *session)
{
  for (GList *link = session->kept; link; link = link->next)
    forget_graphs (link->data);
}

/* The session does not run, and no plan uses it. */
void
armilla_kept_free_all (ArmillaSession *session)
{
  g_list_free_full (g_steal_pointer (&session->kept), kept_free);
}
