/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in checkpoints, where they are in memory that holds all. */
#include "config.h"

#include "tasks/data/checkpoint.h"
#include "tasks/data/data-private.h"

static gboolean
save_piece (gpointer user, ArmillaPiece *piece, GError **error)
{
  return armilla_checkpoint_write (user, 8 * piece->place, piece->values, 8 * piece->n_values,
                                   error);
}

static gboolean
load_piece (gpointer user, ArmillaPiece *piece, GError **error)
{
  return armilla_checkpoint_read (user, 8 * piece->place, piece->values, 8 * piece->n_values,
                                  error);
}

/* The @save of data that are numbers. */
gboolean
armilla_numbers_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                      GError **error)
{
  return armilla_graph_drain (graph, data, save_piece, armilla_checkpoint_end, file,
                              armilla_checkpoint_free, error);
}

/* Their @load. */
gboolean
armilla_numbers_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                      GError **error)
{
  return armilla_graph_fill (graph, data, load_piece, file, armilla_checkpoint_free, error);
}
