/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What callers declare about the transforms of a graph before they ask for any. */
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

/* Returns the graph's state, made at the first call. */
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

/* Returns how the transforms of the label's node sum over multipoles. */
const ArmillaLegendreOptions *
armilla_legendre_options (ArmillaGraph *graph, const ArmillaLabel *label)
{
  static const ArmillaLegendreOptions defaults = { .kind = ARMILLA_LEGENDRE_AUTO };
  const ArmillaLegendreOptions *options
    = g_hash_table_lookup (armilla_harmonic_state (graph)->legendre, label);

  return options ? options : &defaults;
}

/* Says how the transforms sum over degrees that the node of the graph's label asks for. */
void
armilla_graph_set_legendre (ArmillaGraph *graph, const ArmillaLegendreOptions *options)
{
  ArmillaLegendreOptions *copy = g_memdup2 (options, sizeof *options);

  if (copy->table)
    copy->table = g_string_chunk_insert_const (graph->names, copy->table);
  g_hash_table_replace (armilla_harmonic_state (graph)->legendre, graph->label, copy);
}

/* Has transforms make the tables of Legendre matrices that they name, and compute nothing else.
 * Called before any work is asked for. */
void
armilla_graph_set_precomputes (ArmillaGraph *graph)
{
  armilla_harmonic_state (graph)->precomputes = TRUE;
}

/* Returns whether it makes tables only. */
gboolean
armilla_graph_precomputes (ArmillaGraph *graph)
{
  return armilla_harmonic_state (graph)->precomputes;
}

/* A graph that is to have transforms of one direction only is cut as armilla_runtime_tune()
 * found to be best for that direction; any other as was found for both together. The same on all
 * ranks. */
void
armilla_graph_expect_transforms (ArmillaGraph *graph, ArmillaTransforms which)
{
  graph->tuned_for |= which;
}

/* Says that transforms of several skies may be asked for before armilla_graph_flush(), which has
 * those done together that are alike, with the same bits as one by one. Not where GPUs compute.
 * The same on all ranks. Returns whether anything is gained by asking for several. */
gboolean
armilla_graph_expect_skies (ArmillaGraph *graph, gint64 n)
{
  ArmillaHarmonicState *state = armilla_harmonic_state (graph);

  state->many_skies = n > 1 && !graph->view.gpus;
  return state->many_skies;
}

/* Says that transforms alike will be asked for again and again, so that what takes a while to
 * find, once, may be found if it spares a part of each: fewer rings for iterations. That they
 * are alike in several skies says armilla_graph_expect_skies(). The same on all ranks. */
void
armilla_graph_expect_calls (ArmillaGraph *graph)
{
  armilla_harmonic_state (graph)->many_calls = TRUE;
}
