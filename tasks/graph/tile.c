/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "tasks/graph/bundle.h"
#include "tasks/graph/in-thread.h"

ArmillaTileMark armilla_tile_written;

/* Registers a handle of StarPU with StarPU-MPI, in the same order on every rank. */
void
armilla_tile_register (ArmillaGraph *graph, starpu_data_handle_t handle, int owner)
{
#ifdef HAVE_MPI
  if (graph->view.mpi)
    starpu_mpi_data_register_comm (handle, graph->runtime->next_tag++, owner, graph->view.comm);
#else
  (void) graph;
  (void) handle;
  (void) owner;
#endif
}

void
armilla_tile_register_table (ArmillaGraph *graph, starpu_data_handle_t *handle,
                             gconstpointer elements, gint64 n, gsize size)
{
  starpu_vector_data_register (handle, STARPU_MAIN_RAM, (uintptr_t) elements, (uint32_t) n, size);
  armilla_tile_register (graph, *handle, ARMILLA_OWNER_EACH);
}

gboolean
armilla_tile_new (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile, GError **error)
{
  n = MAX (n, 1); /* StarPU has no empty vectors */
  /* StarPU counts the elements of a vector in 32 bits, MPI in an int. */
  if (n > (graph->view.mpi ? G_MAXINT32 : G_MAXUINT32))
    return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                         "a tile of %" G_GINT64_FORMAT " numbers is more than StarPU can hold; "
                         "choose a smaller ring-block or more m-blocks", n);
  if (graph->bundling)
    {
      graph->bundling->tile (graph, n, tile);
      return TRUE;
    }
  armilla_observers_make_tile (&graph->observers, &tile->handle, (uint32_t) n);
  tile->owner = owner;
  tile->n = n;
  if (graph->in_thread)
    starpu_data_set_user_data (tile->handle, graph->in_thread);
  armilla_tile_register (graph, tile->handle, owner);
  return TRUE;
}

void
armilla_tile_drop (ArmillaTile *tile)
{
  ArmillaTileMark *mark = tile->handle ? starpu_data_get_user_data (tile->handle) : NULL;

  if (tile->handle && !(mark && mark->drop && mark->drop (mark, tile->handle)))
    starpu_data_unregister_submit (tile->handle);
  tile->handle = NULL;
}

gboolean
armilla_graph_unbundle (ArmillaGraph *graph, GError **error)
{
  return !graph->bundling || graph->bundling->close (graph, error);
}

/* Creates a tile whose memory the caller may fill until starpu_data_release(). @owner is this rank,
 * or ARMILLA_OWNER_EACH. */
double *
armilla_tile_memory (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile, GError **error)
{
  int status;

  if (!armilla_tile_new (graph, owner, n, tile, error) || !armilla_graph_unbundle (graph, error))
    return NULL;
  status = starpu_data_acquire (tile->handle, STARPU_W);
  if (status == 0)
    return starpu_data_get_local_ptr (tile->handle);
  return armilla_fail_null (error, ARMILLA_ERROR_MEMORY,
                            "out of memory: cannot allocate %" G_GINT64_FORMAT " bytes: %s", 8 * n,
                            g_strerror (-status));
}

/* Creates a tile of 64-bit words on rank @owner, or ARMILLA_OWNER_EACH. */
gboolean
armilla_tile_from_words (ArmillaGraph *graph, int owner, gconstpointer words, gint64 n,
                         ArmillaTile *tile, GError **error)
{
  double *memory;

  if (owner != ARMILLA_OWNER_EACH && owner != graph->view.rank)
    return armilla_tile_new (graph, owner, n, tile, error);
  memory = armilla_tile_memory (graph, owner, n, tile, error);
  if (!memory)
    return FALSE;
  if (n > 0)
    memcpy (memory, words, sizeof *memory * (gsize) n);
  starpu_data_release (tile->handle);
  return TRUE;
}
