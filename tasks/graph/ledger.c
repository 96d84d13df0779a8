/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/graph/ledger.h"

#include <glib/gstdio.h>

#include "tasks/graph/graph-private.h"

static void
entry_free (gpointer data)
{
  ArmillaLedgerEntry *entry = data;

  armilla_name_pattern_clear (&entry->names);
  g_ptr_array_unref (entry->first);
  g_free (entry);
}

GHashTable *
armilla_ledger_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
}

/* Returns the entry of a node, creating it if needed. The caller holds the graph's lock. */
static ArmillaLedgerEntry *
entry_of (ArmillaGraph *graph, const char *node)
{
  ArmillaLedgerEntry *entry = g_hash_table_lookup (graph->ledger, node);

  if (!entry)
    {
      entry = g_new0 (ArmillaLedgerEntry, 1);
      entry->first = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (graph->ledger, g_strdup (node), entry);
    }
  return entry;
}

/* Adds a written file to the node's entry. Thread-safe. @node: name of a node (may be NULL: nothing
 * is recorded). */
void
armilla_ledger_note_file (ArmillaGraph *graph, const char *node, const char *path)
{
  ArmillaLedgerEntry *entry;
  GStatBuf status;
  double bytes;

  if (!node)
    return;
  /* no error: another process may have removed the file */
  bytes = g_stat (path, &status) == 0 ? (double) status.st_size : 0;
  g_mutex_lock (&graph->lock);
  entry = entry_of (graph, node);
  armilla_name_pattern_add (&entry->names, path);
  if (entry->first->len < ARMILLA_LEDGER_MAX_NAMES)
    g_ptr_array_add (entry->first, g_strdup (path));
  entry->bytes += bytes;
  g_mutex_unlock (&graph->lock);
}

/* Adds seconds of reading, drawing and writing to the node's entry. Thread-safe. @node: name of a
 * node (may be NULL). */
void
armilla_ledger_note_time (ArmillaGraph *graph, const char *node, gint64 begin)
{
  const double seconds = 1e-6 * (double) (g_get_monotonic_time () - begin);

  if (!node)
    return;
  g_mutex_lock (&graph->lock);
  entry_of (graph, node)->seconds += seconds;
  g_mutex_unlock (&graph->lock);
}

/* Adds objects to the node's entry. Thread-safe. @node: name of a node (may be NULL). */
void
armilla_ledger_note_objects (ArmillaGraph *graph, const char *node, gint64 n)
{
  if (!node)
    return;
  g_mutex_lock (&graph->lock);
  entry_of (graph, node)->objects += n;
  g_mutex_unlock (&graph->lock);
}

/* Returns the entry of the node on this rank; NULL if there is none. */
const ArmillaLedgerEntry *
armilla_graph_ledger (ArmillaGraph *graph, const char *node)
{
  return g_hash_table_lookup (graph->ledger, node);
}
