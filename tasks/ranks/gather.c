/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/ranks/gather.h"

#include <math.h>

/* State of a step, with the ring blocks that it reads. */
typedef struct {
  ArmillaRingBlocks *from;
  GArray *numbers; /* int: number of the ring block of each tile */
  const ArmillaRingBlock *block;
  ArmillaGatherStep step;
  gpointer user;
  GDestroyNotify destroy;
} Gather;

static void
gather_free (gpointer data)
{
  Gather *gather = data;

  g_array_unref (gather->numbers);
  gather->destroy (gather->user);
  g_free (gather);
}

static gint64
first_pair (const ArmillaRingBlocks *blocks, int b)
{
  gint64 first = 0;

  for (int i = 0; i < b; i++)
    first += blocks->block[i].n_pairs;
  return first;
}

static gboolean
run_gather (gpointer data, double *const *buffers, GError **error)
{
  const Gather *gather = data;
  const ArmillaGrid *grid = gather->from->grid;
  g_autofree const double **rings = g_new0 (const double *, grid->n_rings);
  g_autofree gint64 *strides = g_new0 (gint64, grid->n_rings);
  ArmillaGathered in = { grid, rings, strides };
  guint n = gather->numbers->len;

  (void) error;
  for (guint i = 0; i < n; i++)
    {
      int number = g_array_index (gather->numbers, int, i);
      const ArmillaRingBlock *block = &gather->from->block[number];
      gint64 first = first_pair (gather->from, number);

      for (gint64 slot = 0; slot < 2 * block->n_pairs; slot++)
        {
          const ArmillaRingPair *pair = &grid->pairs[first + slot / 2];
          gint64 ring = slot % 2 == 0 ? pair->north : pair->south;

          if (ring < 0)
            continue;
          rings[ring] = buffers[i] + block->slots[slot].offset;
          strides[ring] = block->n_pixels;
        }
    }
  gather->step (gather->user, &in, gather->block, buffers[n]);
  return TRUE;
}

/* Returns the range of colatitudes of a block's rings in the northern hemisphere. */
static void
extent (const ArmillaRingBlock *block, double *low, double *high)
{
  const double *c = block->pairs + ARMILLA_PAIR_COS * block->n_pairs;
  const double *s = block->pairs + ARMILLA_PAIR_SIN * block->n_pairs;

  *low = G_PI;
  *high = 0;
  for (gint64 p = 0; p < block->n_pairs; p++)
    {
      double theta = atan2 (s[p], c[p]);

      *low = MIN (*low, theta);
      *high = MAX (*high, theta);
    }
}

static gboolean
within_reach (const ArmillaRingBlock *a, const ArmillaRingBlock *b, double reach)
{
  double a_low, a_high, b_low, b_high;

  extent (a, &a_low, &a_high);
  extent (b, &b_low, &b_high);
  return (a_low - reach <= b_high && b_low <= a_high + reach)
         || (G_PI - a_high - reach <= b_high && b_low <= G_PI - a_low + reach);
}

/* Creates the state of a step. @tiles: the tiles that it reads, then @out. */
static Gather *
gather_new (ArmillaRingBlocks *from, const ArmillaTile *in, const ArmillaRingBlock *block,
            const ArmillaTile *out, double reach, ArmillaGatherStep step, gpointer user,
            GDestroyNotify destroy, ArmillaTile *tiles)
{
  Gather *gather = g_new0 (Gather, 1);

  *gather = (Gather) { from, g_array_new (FALSE, FALSE, sizeof (int)), block, step, user, destroy };
  for (int b = 0; b < from->n; b++)
    if (within_reach (block, &from->block[b], reach))
      {
        tiles[gather->numbers->len] = in[b];
        g_array_append_val (gather->numbers, b);
      }
  tiles[gather->numbers->len] = *out;
  return gather;
}

/* Adds a step that computes the output of one ring block from the input rings (of the same or
 * another grid) up to @reach radian away. It runs in an I/O thread of the block's owner. Takes
 * ownership of @user, which any thread may free. */
gboolean
armilla_gather (ArmillaGraph *graph, ArmillaRingBlocks *from, const ArmillaTile *in,
                const ArmillaRingBlock *block, const ArmillaTile *out, double reach,
                ArmillaGatherStep step, gpointer user, GDestroyNotify destroy, GError **error)
{
  g_autofree ArmillaTile *tiles = g_new (ArmillaTile, from->n + 1);
  g_autofree enum starpu_data_access_mode *modes
    = g_new (enum starpu_data_access_mode, from->n + 1);
  Gather *gather = gather_new (from, in, block, out, reach, step, user, destroy, tiles);
  const int n = (int) gather->numbers->len;

  for (int i = 0; i <= n; i++)
    modes[i] = i < n ? STARPU_R : STARPU_W;
  return armilla_host_step (graph, block->owner, tiles, modes, n + 1, run_gather, gather,
                            gather_free, error);
}

/* Arguments of a task. The pointer is valid since the rank that submits the task also runs it. */
typedef struct {
  ArmillaFault *fault;
  Gather *gather;
  double flops;
} GatherArgs;

static void
gather_cpu (void *buffers[], void *cl_arg)
{
  g_autofree double **tiles = NULL;
  GError *error = NULL;
  GatherArgs args;
  guint n;

  starpu_codelet_unpack_args (cl_arg, &args);
  n = args.gather->numbers->len;
  tiles = g_new (double *, n + 1);
  for (guint i = 0; i <= n; i++)
    tiles[i] = ARMILLA_BUFFER (i);
  if (!armilla_fault_is_set (args.fault) && !run_gather (args.gather, tiles, &error))
    armilla_fault_take (args.fault, error);
  gather_free (args.gather);
}

ARMILLA_COST (gather, GatherArgs, (ArmillaCost) { args->flops, 0 })
static ArmillaCodelet gather_cl = ARMILLA_CPU_CODELET (gather, "1");

gboolean
armilla_gather_task (ArmillaGraph *graph, ArmillaRingBlocks *from, const ArmillaTile *in,
                     const ArmillaRingBlock *block, const ArmillaTile *out, double reach,
                     ArmillaGatherStep step, gpointer user, GDestroyNotify destroy, double flops,
                     GError **error)
{
  g_autofree ArmillaTile *tiles = g_new (ArmillaTile, from->n + 1);
  g_autofree ArmillaUse *uses = g_new (ArmillaUse, from->n + 1);
  Gather *gather = gather_new (from, in, block, out, reach, step, user, destroy, tiles);
  const int n = (int) gather->numbers->len;
  const gboolean mine = block->owner == graph->view.rank && !graph->taker.kind;
  const GatherArgs args = { armilla_graph_fault (graph), gather, flops };
  gboolean ok;

  for (int i = 0; i <= n; i++)
    uses[i] = (ArmillaUse) { tiles[i].handle, i < n ? STARPU_R : STARPU_W };
  ok = armilla_submit (graph, &gather_cl, block->owner, &args, sizeof args, uses, n + 1, 0, error);
  if (!mine || !ok)
    gather_free (gather);
  return ok;
}
