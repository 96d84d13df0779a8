/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs that are whole on every rank. Each rank writes the tiles that it owns into its own array,
 * as they come; when all are there, each hands its pieces to the others. */
#include "config.h"

#include "tasks/arrays/outputs.h"
#include "tasks/arrays/ranks.h"
#include "tasks/graph/graph-private.h"

#define BUFFER (1 << 22) /* doubles that are handed out at once, unless a piece has more */

/* Pixels, from the first on, so many; or orders, from the first to the last. */
typedef struct {
  gint64 field, first, n_or_last;
} Piece;

typedef enum { MAP, ALM, CL } Kind;

/**
 * ArmillaWhole:
 * @kind: what the array has
 * @host: the array, without factors: what is in it is as it shall be
 * @take: writes pixels into it
 * @take_alm: (transfer none): writes coefficients into it
 * @user: for @take
 * @lock: guards @pieces
 * @pieces: (element-type Piece): what this rank has written
 *
 * One output.
 */
typedef struct {
  Kind kind;
  ArmillaHostArray host;
  ArmillaHostMap take;
  ArmillaHostArray *take_alm;
  gpointer user;
  GMutex lock;
  GArray *pieces;
} ArmillaWhole;

static void
whole_free (gpointer data)
{
  ArmillaWhole *whole = data;

  g_array_unref (whole->pieces);
  g_mutex_clear (&whole->lock);
  g_free (whole);
}

static ArmillaWhole *
add (ArmillaOutputs *self, Kind kind, const ArmillaHostArray *host)
{
  ArmillaWhole *whole = g_new0 (ArmillaWhole, 1);

  if (!self->list)
    self->list = g_ptr_array_new_with_free_func (whole_free);
  whole->kind = kind;
  whole->host = *host;
  whole->host.factors = NULL;
  whole->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_mutex_init (&whole->lock);
  g_ptr_array_add (self->list, whole);
  return whole;
}

static void
note (ArmillaWhole *whole, gint64 field, gint64 first, gint64 n_or_last)
{
  const Piece piece = { field, first, n_or_last };

  if (whole->host.component[field] >= whole->host.array.shape[1])
    return; /* dropped, not written */
  g_mutex_lock (&whole->lock);
  g_array_append_val (whole->pieces, piece);
  g_mutex_unlock (&whole->lock);
}

static gboolean
take_map (gpointer user, int field, gint64 first, gint64 n, double *pixels, GError **error)
{
  ArmillaWhole *whole = user;

  note (whole, field, first, n);
  return whole->take (whole->user, field, first, n, pixels, error);
}

static gboolean
take_alm (gpointer user, int field, gint64 m_first, gint64 m_last, double *values, GError **error)
{
  ArmillaWhole *whole = user;

  note (whole, field, m_first, m_last);
  return armilla_host_array_take_alm (whole->take_alm, field, m_first, m_last, values, error);
}

/* What would be done to a file; the ranks talk when all outputs are there. */
static gboolean
end_nothing (gpointer user, GByteArray *summary, GError **error)
{
  (void) user;
  (void) summary;
  (void) error;
  return TRUE;
}

static gboolean
merge_nothing (gpointer user, const guint8 *summary, gsize size, GError **error)
{
  (void) user;
  (void) summary;
  (void) size;
  (void) error;
  return TRUE;
}

static gboolean
done_nothing (gpointer user, GError **error)
{
  (void) user;
  (void) error;
  return TRUE;
}

static const ArmillaHostParts parts = { end_nothing, merge_nothing, done_nothing };

/**
 * armilla_outputs_init:
 * @self: (out caller-allocates): outputs
 * @graph: (transfer none): the graph of a call
 */
void
armilla_outputs_init (ArmillaOutputs *self, ArmillaGraph *graph)
{
  *self = (ArmillaOutputs) { .graph = graph };
}

/**
 * armilla_outputs_add_map:
 * @self: outputs
 * @map: a map of the graph
 * @take: writes it
 * @user: for @take
 * @host: where to
 * @error: return location
 *
 * Returns: whether the map could be cut into tiles
 */
gboolean
armilla_outputs_add_map (ArmillaOutputs *self, ArmillaMap *map, ArmillaHostMap take, gpointer user,
                         const ArmillaHostArray *host, GError **error)
{
  ArmillaWhole *whole;

  if (armilla_graph_n_ranks (self->graph) == 1)
    return armilla_graph_drain_map (self->graph, map, take, NULL, user, NULL, error);
  whole = add (self, MAP, host);
  whole->take = take;
  whole->user = user;
  return armilla_graph_drain_map_in_parts (self->graph, map, take_map, &parts, whole, NULL, error);
}

/**
 * armilla_outputs_add_alm:
 * @self: outputs
 * @alm: a_lm of the graph
 * @host: where they are written
 * @error: return location
 *
 * Returns: whether the layout can be used
 */
gboolean
armilla_outputs_add_alm (ArmillaOutputs *self, ArmillaAlm *alm, ArmillaHostArray *host,
                         GError **error)
{
  ArmillaWhole *whole;

  if (armilla_graph_n_ranks (self->graph) == 1)
    return armilla_graph_drain_alm (self->graph, alm, armilla_host_array_take_alm, NULL, host,
                                    NULL, error);
  whole = add (self, ALM, host);
  whole->take_alm = host;
  return armilla_graph_drain_alm_in_parts (self->graph, alm, take_alm, &parts, whole, NULL, error);
}

/**
 * armilla_outputs_add_cl:
 * @self: outputs
 * @cl: spectra of the graph
 * @host: where they are written
 * @error: return location
 *
 * Returns: %TRUE
 */
gboolean
armilla_outputs_add_cl (ArmillaOutputs *self, ArmillaCl *cl, ArmillaHostArray *host, GError **error)
{
  if (armilla_graph_n_ranks (self->graph) > 1)
    add (self, CL, host);
  return armilla_graph_drain_cl (self->graph, cl, armilla_host_array_take_cl, NULL, host, NULL,
                                 error);
}

static gsize
count_doubles (const ArmillaWhole *whole, const Piece *piece)
{
  const gint64 lmax = whole->host.layout.lmax;

  if (whole->kind == MAP)
    return (gsize) piece->n_or_last;
  return 2 * (gsize) (armilla_alm_index (lmax, lmax, piece->n_or_last)
                      - armilla_alm_index (lmax, piece->first, piece->first) + 1);
}

static void
copy_piece (ArmillaWhole *whole, const Piece *piece, double *values, gboolean out)
{
  const int field = (int) piece->field;

  if (whole->kind == MAP)
    (out ? armilla_host_array_fill_map : armilla_host_array_take_map) (
      &whole->host, field, piece->first, piece->n_or_last, values, NULL);
  else
    (out ? armilla_host_array_fill_alm : armilla_host_array_take_alm) (
      &whole->host, field, piece->first, piece->n_or_last, values, NULL);
}

/* The pieces from @begin on that fit into a buffer, at least one, and their number of doubles. */
static guint
choose (const ArmillaWhole *whole, const GArray *pieces, guint begin, gsize *size)
{
  guint end = begin;

  *size = 0;
  while (end < pieces->len)
    {
      const gsize more = count_doubles (whole, &g_array_index (pieces, Piece, end));

      if (end > begin && *size + more > BUFFER)
        break;
      *size += more;
      end++;
    }
  return end;
}

/* Some pieces of rank @from, for all. */
static gboolean
hand_out_some (ArmillaWhole *whole, ArmillaRuntime *runtime, int from, const GArray *pieces,
               guint begin, guint end, gsize size, GError **error)
{
  g_autofree double *buffer = g_try_new (double, size);
  GError *local = NULL;
  double *to = buffer;

  if (!buffer)
    g_set_error (&local, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                 "out of memory: cannot allocate %.1f MiB to tell other ranks the result",
                 (double) size / 131072);
  if (!armilla_runtime_agree (runtime, local, error))
    return FALSE;
  for (guint i = begin; runtime->rank == from && i < end; i++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, i);

      copy_piece (whole, piece, to, TRUE);
      to += count_doubles (whole, piece);
    }
  if (!armilla_ranks_hand_out (runtime, from, buffer, size * sizeof *buffer, error))
    return FALSE;
  to = buffer;
  for (guint i = begin; runtime->rank != from && i < end; i++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, i);

      copy_piece (whole, piece, to, FALSE);
      to += count_doubles (whole, piece);
    }
  return TRUE;
}

/* What rank @from has written. */
static gboolean
hand_out_pieces (ArmillaWhole *whole, ArmillaRuntime *runtime, int from, GError **error)
{
  g_autoptr (GArray) pieces
    = runtime->rank == from ? g_array_ref (whole->pieces)
                            : g_array_new (FALSE, FALSE, sizeof (Piece));
  guint n = pieces->len;
  gsize size;

  if (!armilla_ranks_hand_out (runtime, from, &n, sizeof n, error))
    return FALSE;
  g_array_set_size (pieces, n);
  if (!armilla_ranks_hand_out (runtime, from, pieces->data, n * sizeof (Piece), error))
    return FALSE;
  for (guint begin = 0, end; begin < n; begin = end)
    {
      end = choose (whole, pieces, begin, &size);
      if (!hand_out_some (whole, runtime, from, pieces, begin, end, size, error))
        return FALSE;
    }
  return TRUE;
}

/* Spectra come to rank 0. */
static gboolean
hand_out_spectra (ArmillaWhole *whole, ArmillaRuntime *runtime, GError **error)
{
  const ArmillaArray *array = &whole->host.array;
  const gsize n = (gsize) (array->shape[1] * array->shape[2]);
  g_autofree double *values = g_new0 (double, n);

  armilla_host_array_fill_cl (&whole->host, values, NULL);
  return armilla_ranks_hand_out (runtime, 0, values, n * sizeof *values, error)
         && armilla_host_array_take_cl (&whole->host, values, error);
}

static gboolean
hand_out (ArmillaWhole *whole, ArmillaRuntime *runtime, GError **error)
{
  gboolean ok = TRUE;

  if (whole->kind == CL)
    return hand_out_spectra (whole, runtime, error);
  for (int from = 0; ok && from < runtime->n_ranks; from++)
    ok = hand_out_pieces (whole, runtime, from, error);
  return ok;
}

/**
 * armilla_outputs_wait:
 * @self: outputs, which are cleared
 * @wrong: (transfer full) (nullable): why not all of them could be asked for on this rank
 * @error: return location
 *
 * Computes what was asked for, if it could be on all ranks. Collective. The caller's references to
 * the data may be gone already.
 *
 * Returns: whether the outputs are there, whole on every rank; it fails on all ranks, or on none
 */
gboolean
armilla_outputs_wait (ArmillaOutputs *self, GError *wrong, GError **error)
{
  gboolean ok = armilla_graph_agree (self->graph, wrong, error)
                && armilla_graph_wait (self->graph, error);

  for (guint i = 0; ok && self->list && i < self->list->len; i++)
    ok = hand_out (g_ptr_array_index (self->list, i), self->graph->runtime, error);
  g_clear_pointer (&self->list, g_ptr_array_unref);
  return ok;
}
