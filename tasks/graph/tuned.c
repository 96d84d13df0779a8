/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of armilla tune for a graph, by the number of fields of one copy. */
#include "config.h"

#include "tasks/graph/graph-private.h"

/* Declares that the fields of every map are those of @n maps of the same kind. They are divided and
 * computed like those of one map, so that a copy has the same bits as alone. @n: number of copies,
 * at least 1. */
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
