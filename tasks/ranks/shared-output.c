/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that several ranks write. Rank 0 creates the temporary file and the others open it; each
 * writes its own rows. When all ranks have agreed that nothing failed, they send rank 0 a summary
 * of what they have written and its checksums; rank 0 completes the headers and renames the file.
 * If a rank does not find the temporary file (on another machine), rank 0 writes all rows. */
#include "config.h"

#include "tasks/ranks/shared-output.h"

#include <string.h>

#include "core/files/output.h"
#include "tasks/ranks/parts.h"
#include "tasks/runtime/share.h"
#include "tasks/trace/trace-private.h"

/* This rank's part of one output. */
struct _ArmillaOutputPart {
  ArmillaHostParts parts; /* functions to call */
  gpointer user;          /* user data of these calls */
  ArmillaLabel *label;    /* label of the output */
  GByteArray *summary;    /* data for rank 0 */
  gboolean ended;         /* whether this rank has written its whole part */
  gpointer hold;          /* (owned): object that keeps user alive */
  GDestroyNotify free_hold; /* frees hold */
};

/* Creates this rank's part of an output; NULL in a graph that only records tasks. Every rank makes
 * the same calls. @hold: (transfer full): keeps @user alive until the parts are merged. */
ArmillaOutputPart *
armilla_output_part_new (ArmillaGraph *graph, const ArmillaHostParts *parts, gpointer user,
                         gpointer hold, GDestroyNotify free_hold)
{
  ArmillaOutputPart *part;

  if (graph->taker.kind)
    {
      free_hold (hold);
      return NULL;
    }
  part = g_new0 (ArmillaOutputPart, 1);
  *part = (ArmillaOutputPart) { *parts, user, graph->label, g_byte_array_new (), FALSE, hold,
                                free_hold };
  g_ptr_array_add (graph->parts, part);
  return part;
}

void
armilla_output_part_free (gpointer data)
{
  ArmillaOutputPart *part = data;

  part->free_hold (part->hold);
  g_byte_array_unref (part->summary);
  g_free (part);
}

/* Flushes the part to the disk after all of its data were written. */
gboolean
armilla_output_part_end (ArmillaOutputPart *part, GError **error)
{
  part->ended = part->parts.end (part->user, part->summary, error);
  return part->ended;
}

/* Returns the number of shared files that are not renamed yet; the same on every rank. */
int
armilla_graph_n_parts (ArmillaGraph *graph)
{
  return (int) graph->parts->len;
}

/* Writes the length of the summary that follows, or -1 for an unfinished part. */
static void
put_summary (GByteArray *bytes, const ArmillaOutputPart *part)
{
  gint64 length = part->ended ? (gint64) part->summary->len : -1;

  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  if (part->ended)
    g_byte_array_append (bytes, part->summary->data, part->summary->len);
}

/* Merges the parts of one rank for all outputs; clears @whole for outputs that it did not
 * finish. */
static gboolean
merge_rank (ArmillaGraph *graph, const guint8 *bytes, gboolean *whole,
            const ArmillaLabel **culprit, GError **error)
{
  for (guint i = 0; i < graph->parts->len; i++)
    {
      ArmillaOutputPart *part = g_ptr_array_index (graph->parts, i);
      gint64 length;

      memcpy (&length, bytes, sizeof length);
      bytes += sizeof length;
      whole[i] = whole[i] && length >= 0;
      *culprit = part->label;
      if (whole[i] && !part->parts.merge (part->user, bytes, (gsize) length, error))
        return FALSE;
      bytes += MAX (length, 0);
    }
  return TRUE;
}

/* Completes the files on rank 0. The failure that left a part unfinished is reported elsewhere. */
static gboolean
complete (ArmillaGraph *graph, GPtrArray *all, const ArmillaLabel **culprit, GError **error)
{
  g_autofree gboolean *whole = g_new (gboolean, graph->parts->len);

  for (guint i = 0; i < graph->parts->len; i++)
    whole[i] = ((ArmillaOutputPart *) g_ptr_array_index (graph->parts, i))->ended;
  for (guint rank = 1; rank < all->len; rank++)
    if (!merge_rank (graph, ((GByteArray *) g_ptr_array_index (all, rank))->data, whole, culprit,
                     error))
      return FALSE;
  for (guint i = 0; i < graph->parts->len; i++)
    {
      ArmillaOutputPart *part = g_ptr_array_index (graph->parts, i);

      *culprit = part->label;
      if (whole[i] && !part->parts.done (part->user, error))
        return FALSE;
    }
  return TRUE;
}

/* Like armilla_runtime_collect(), among the ranks that share the graph. */
static GPtrArray *
collect (ArmillaGraph *graph, GByteArray *own, GError **error)
{
  GPtrArray *all;

  if (graph->view.mpi)
    return armilla_runtime_collect (graph->runtime, own, error);
  all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  g_ptr_array_add (all, g_byte_array_ref (own));
  return all;
}

/* Sends the summaries of the other ranks to rank 0, which completes the files if no rank has failed
 * and all steps are done. Returns this rank's error. Collective. */
GError *
armilla_graph_join_parts (ArmillaGraph *graph)
{
  g_autoptr (GByteArray) own = g_byte_array_new ();
  g_autoptr (GPtrArray) all = NULL;
  const ArmillaLabel *culprit = NULL;
  GError *error = NULL;

  if (graph->parts->len == 0)
    return NULL;
  for (guint i = 0; i < graph->parts->len; i++)
    put_summary (own, g_ptr_array_index (graph->parts, i));
  all = collect (graph, own, &error);
  if (all && all->len > 0 && !complete (graph, all, &culprit, &error))
    armilla_graph_blame (graph, culprit, &error);
  g_ptr_array_set_size (graph->parts, 0);
  return error;
}

/* Returns, on rank 0, the path by which other ranks open the temporary file; empty if ranks must
 * not share it. */
static GByteArray *
make_ticket (ArmillaGraph *graph, const char *path, ArmillaOutput *output, gboolean named)
{
  GByteArray *bytes = g_byte_array_new ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GBytes) ticket = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  gconstpointer data;

  /* Compressed files cannot be written in parts. */
  if (!output || g_str_has_suffix (path, ".gz") || g_hash_table_contains (graph->apart, folder))
    return bytes;
  ticket = armilla_output_offer (output, named, &error);
  if (!ticket)
    {
      g_hash_table_insert (graph->apart, g_steal_pointer (&folder), g_strdup (error->message));
      return bytes;
    }
  data = g_bytes_get_data (ticket, &size);
  g_byte_array_append (bytes, data, (guint) size);
  return bytes;
}

/* Tries to open the file on all ranks. @refused: the rank that could not, and its reason. */
static gboolean
try_to_share (ArmillaGraph *graph, const char *path, gboolean named, ArmillaOutput **output,
              gboolean *shared, GError **refused, GError **error)
{
  g_autoptr (ArmillaOutput) joined = NULL;
  g_autoptr (GByteArray) ticket
    = graph->view.rank == 0 ? make_ticket (graph, path, *output, named) : g_byte_array_new ();
  GError *local = NULL;

  *shared = FALSE;
  if (!armilla_runtime_share (graph->runtime, ticket, error))
    return FALSE;
  if (ticket->len == 0)
    return TRUE;
  if (graph->view.rank != 0)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (ticket->data, ticket->len);

      joined = armilla_output_join (path, bytes, &local);
    }
  g_clear_error (refused);
  *shared = armilla_graph_agree (graph, local, refused);
  if (*shared && graph->view.rank != 0)
    *output = g_steal_pointer (&joined);
  return TRUE;
}

static void
note (ArmillaGraph *graph, const char *path, gboolean shared, const GError *refused)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = NULL;

  if (refused && !shared)
    g_hash_table_insert (graph->apart, g_strdup (folder), g_strdup (refused->message));
  if (!armilla_graph_is_traced (graph))
    return;
  if (shared)
    text = g_strdup_printf ("%s: each of %d ranks writes its rows", path,
                            graph->view.n_ranks);
  else
    text = g_strdup_printf ("%s: rank 0 writes all rows%s%s", path, refused ? ": " : "",
                            refused ? refused->message : "");
  armilla_trace_note (graph, "output", text);
}

gboolean
armilla_graph_share_output (ArmillaGraph *graph, const char *path, ArmillaOutput **output,
                            gboolean *shared, GError **error)
{
  const ArmillaView *view = &graph->view;
  g_autoptr (GError) refused = NULL;
  gboolean one_machine;

  *shared = view->n_ranks > 1 && graph->taker.kind;
  if (view->n_ranks == 1 || *shared || !view->mpi)
    return TRUE;
  /* On one machine the temporary file is unnamed, so that it disappears however the run ends. */
  one_machine = armilla_runtime_n_local_ranks (graph->runtime) == view->n_ranks;
  if (one_machine && !try_to_share (graph, path, FALSE, output, shared, &refused, error))
    return FALSE;
  if (!*shared && (!one_machine || refused)
      && !try_to_share (graph, path, TRUE, output, shared, &refused, error))
    return FALSE;
  note (graph, path, *shared, refused);
  return TRUE;
}
