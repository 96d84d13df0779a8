/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters found by `armilla tune`, as a graph uses them. */
#include "config.h"

#include "tasks/graph/graph-private.h"

/* Declares that every map contains the fields of @n maps of one kind ("copies"; at least 1). Fields
 * are divided into tiles and computed as for a single copy, so that each copy gets the bits that it
 * would get alone. */
void
armilla_graph_expect_copies (ArmillaGraph *graph, int n)
{
  graph->copies = n;
}

/* Returns the number of fields of one copy. */
int
armilla_graph_fields_of_one (const ArmillaGraph *graph, int n_fields)
{
  return graph->copies > 1 ? MAX (n_fields / graph->copies, 1) : n_fields;
}

/* Returns the tuned value for this machine, 0 for the default; the same on all ranks. */
gint64
armilla_graph_tuned (const ArmillaGraph *graph, ArmillaTransforms which, gint64 size,
                     gint64 batch, ArmillaTuneName name)
{
  ArmillaTuneClass klass = { graph->tuning_workers, MAX (size, 1),
                             armilla_graph_fields_of_one (graph, (int) batch), which };

  return graph->tuning ? armilla_tuning_get (graph->tuning, klass, name) : 0;
}

/* Returns the ArmillaIsa of the CPU kernels of transforms: the best that all ranks support, or one
 * with shorter vectors if tuning found it faster. */
gint32
armilla_graph_isa (const ArmillaGraph *graph, ArmillaTransforms which, gint64 lmax, int n_fields)
{
  gint64 length = armilla_graph_tuned (graph, which, lmax, n_fields, ARMILLA_TUNE_VECTOR_LENGTH);
  gint32 isa = (gint32) graph->view.isa;

  while (length > 0 && isa > ARMILLA_ISA_PORTABLE && length < 2 << isa)
    isa--;
  return isa;
}
