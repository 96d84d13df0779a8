/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What callers declare about the transforms of a graph before they request any. */
#include "config.h"

#include "tasks/harmonic/harmonic-state.h"

static void
state_free (gpointer data)
{
  ArmillaHarmonicState *self = data;

  g_hash_table_unref (self->legendre);
  g_free (self);
}

static const ArmillaExtraKind state_kind = { .free = state_free };

/* Returns the graph's state, creating it at the first call. */
ArmillaHarmonicState *
armilla_harmonic_state (ArmillaGraph *graph)
{
  GPtrArray *one = armilla_extras_get (graph->extras, &state_kind);

  if (one->len == 0)
    {
      ArmillaHarmonicState *self = g_new0 (ArmillaHarmonicState, 1);

      self->legendre = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      g_ptr_array_add (one, self);
    }
  return g_ptr_array_index (one, 0);
}

/* Returns the options for sums over multipoles of the node that the label names. */
const ArmillaLegendreOptions *
armilla_legendre_options (ArmillaGraph *graph, const ArmillaLabel *label)
{
  static const ArmillaLegendreOptions defaults = { .kind = ARMILLA_LEGENDRE_AUTO };
  const ArmillaLegendreOptions *options
    = g_hash_table_lookup (armilla_harmonic_state (graph)->legendre, label);

  return options ? options : &defaults;
}

/* Sets how transforms requested by the current node sum over multipoles. */
void
armilla_graph_set_legendre (ArmillaGraph *graph, const ArmillaLegendreOptions *options)
{
  ArmillaLegendreOptions *copy = g_memdup2 (options, sizeof *options);

  if (copy->table)
    copy->table = g_string_chunk_insert_const (graph->names, copy->table);
  g_hash_table_replace (armilla_harmonic_state (graph)->legendre, graph->label, copy);
}

/* Makes transforms write the tables of Legendre matrices that they name and compute nothing else.
 * Must be called before any work is requested. */
void
armilla_graph_set_precomputes (ArmillaGraph *graph)
{
  armilla_harmonic_state (graph)->precomputes = TRUE;
}

/* Returns whether the graph only creates tables. */
gboolean
armilla_graph_precomputes (ArmillaGraph *graph)
{
  return armilla_harmonic_state (graph)->precomputes;
}

/* Announces the directions of the transforms. A graph with one direction is cut into the tiles that
 * armilla_runtime_tune() found best for it; otherwise into those found best for both directions
 * together. The arguments must be the same on all ranks. */
void
armilla_graph_expect_transforms (ArmillaGraph *graph, ArmillaTransforms which)
{
  graph->tuned_for |= which;
}

/* Announces that transforms of several realisations may be requested before armilla_graph_flush(),
 * which computes similar ones together with the same bits. Has no effect if GPUs compute. The
 * arguments must be the same on all ranks. Returns whether requesting several together is
 * faster. */
gboolean
armilla_graph_expect_skies (ArmillaGraph *graph, gint64 n)
{
  ArmillaHarmonicState *state = armilla_harmonic_state (graph);

  state->many_skies = n > 1 && !graph->view.gpus;
  return state->many_skies;
}

/* Announces that similar transforms will be requested repeatedly, so that a slow one-time search
 * (for fewer rings in iterations) may pay. armilla_graph_expect_skies() announces the same for
 * several realisations. The arguments must be the same on all ranks. */
void
armilla_graph_expect_calls (ArmillaGraph *graph)
{
  armilla_harmonic_state (graph)->many_calls = TRUE;
}

/* Returns the number of iterations of the last solution by conjugate gradients, 0 if there was
 * none, and sets the largest relative residual. */
int
armilla_graph_iterations (ArmillaGraph *graph, double *residual)
{
  const ArmillaHarmonicState *state = armilla_harmonic_state (graph);

  *residual = state->residual;
  return state->n_iterations;
}
