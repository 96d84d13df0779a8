/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores data that are collected over realisations, lot by lot (a lot is a group of realisations),
 * in files that the journal records. */
#include <string.h>

#include "workflows/file/passes.h"
#include "workflows/resume/resume-private.h"

/* Returns the name of the file of a lot of a collecting node. */
char *
armilla_resume_lot (const ArmillaResume *self, gint64 lot, int node)
{
  const ArmillaNode *collector = armilla_workflow_node (self->workflow, node);
  g_autofree char *name = g_strdelimit (g_strdup (collector->name), "/", '.');
  g_autofree char *number = armilla_lot_name (self->workflow, collector, lot);

  return g_strdup_printf ("%s.lot%s.%s.part", self->path, number, name);
}

static guint
n_collectors (const ArmillaWorkflow *workflow)
{
  guint n = 0;

  for (guint i = 0; i < workflow->nodes->len; i++)
    n += armilla_node_collects (armilla_workflow_node (workflow, (int) i));
  return n;
}

/* Returns where the key of a lot is in lot_keys. */
static gsize
place_of (const ArmillaWorkflow *workflow, gint64 lot, int node)
{
  guint before = 0;

  for (int i = 0; i < node; i++)
    before += armilla_node_collects (armilla_workflow_node (workflow, i));
  return ARMILLA_LOT_KEY * ((gsize) lot * n_collectors (workflow) + before);
}

/* Returns a checksum of all that determines the contents of a lot's file. */
char *
armilla_resume_lot_key (const ArmillaResume *self, gint64 lot, int node)
{
  return g_strndup ((const char *) self->lot_keys->data + place_of (self->workflow, lot, node),
                    ARMILLA_LOT_KEY);
}

static void
set_lot_key (ArmillaResume *self, gint64 lot, int node, const char *key)
{
  memcpy (self->lot_keys->data + place_of (self->workflow, lot, node), key, ARMILLA_LOT_KEY);
}

static gboolean
add_lot (ArmillaResume *self, gint64 lot, GChecksum **sums, GError **error)
{
  const ArmillaWorkflow *workflow = self->workflow;
  const gint64 first = armilla_lot_first (workflow, lot);

  for (gint64 pass = first; pass < first + armilla_lot_count (workflow, lot); pass++)
    {
      if (!armilla_keys_set (self->keys, pass, error))
        return FALSE;
      for (guint i = 0; i < workflow->nodes->len; i++)
        if (sums[i] != NULL)
          {
            g_autofree char *key = armilla_keys_get_taken (self->keys, (int) i);

            g_checksum_update (sums[i], (const guchar *) key, -1);
          }
    }
  for (guint i = 0; i < workflow->nodes->len; i++)
    if (sums[i] != NULL)
      set_lot_key (self, lot, (int) i, g_checksum_get_string (sums[i]));
  return TRUE;
}

/* Computes the keys of the lots of nodes that collect over realisations. */
static gboolean
add_lots (ArmillaResume *self, GError **error)
{
  const ArmillaWorkflow *workflow = self->workflow;
  g_autofree GChecksum **sums = g_new0 (GChecksum *, workflow->nodes->len);
  gboolean any = FALSE, ok = TRUE;

  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      if (!armilla_node_collects (node) || armilla_node_joins (node))
        continue;
      sums[i] = g_checksum_new (G_CHECKSUM_SHA256);
      any = TRUE;
    }
  for (gint64 lot = 0; ok && any && lot < armilla_workflow_n_lots (workflow); lot++)
    {
      ok = add_lot (self, lot, sums, error);
      for (guint i = 0; i < workflow->nodes->len; i++)
        if (sums[i] != NULL)
          g_checksum_reset (sums[i]);
    }
  for (guint i = 0; i < workflow->nodes->len; i++)
    g_clear_pointer (&sums[i], g_checksum_free);
  return ok;
}

/* Computes the keys of the points of a node that joins them. */
static gboolean
add_points (ArmillaResume *self, int number, GError **error)
{
  const ArmillaWorkflow *workflow = self->workflow;
  const ArmillaNode *node = armilla_workflow_node (workflow, number);

  for (gint64 point = 0; point < armilla_sweep_points_count (workflow->points); point++)
    {
      const gint64 pass = armilla_node_takes (node, ARMILLA_PASS_LAST)
                            ? armilla_pass_last_of (workflow, point) : point;
      g_autofree char *key = NULL;

      if (!armilla_keys_set (self->keys, pass, error))
        return FALSE;
      key = armilla_keys_get_taken (self->keys, number);
      set_lot_key (self, point, number, key);
    }
  return TRUE;
}

/* Computes, on rank 0, the keys of all lots, each from the keys of its realisations. Nodes that
 * join points come last, since they may read data that other nodes collect. Then sets the keys of
 * the collecting nodes. */
gboolean
armilla_resume_make_lot_keys (ArmillaResume *self, GError **error)
{
  const ArmillaWorkflow *workflow = self->workflow;
  gsize size = ARMILLA_LOT_KEY * (gsize) armilla_workflow_n_lots (workflow);
  gboolean ok;

  size *= n_collectors (workflow);
  g_byte_array_set_size (self->lot_keys, (guint) size);
  if (size == 0)
    return TRUE;
  memset (self->lot_keys->data, 0, size);
  ok = add_lots (self, error);
  armilla_resume_set_collected (self);
  for (guint i = 0; ok && i < workflow->nodes->len; i++)
    if (armilla_node_joins (armilla_workflow_node (workflow, (int) i)))
      ok = add_points (self, (int) i, error);
  armilla_resume_set_collected (self);
  return ok;
}

/* Sets, on any rank, the key of each collecting node to a checksum of the keys of its lots. */
void
armilla_resume_set_collected (ArmillaResume *self)
{
  const ArmillaWorkflow *workflow = self->workflow;

  const gint64 n_points = armilla_sweep_points_count (workflow->points);

  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);
      const gboolean joins = armilla_node_joins (node);
      const gint64 n = joins ? n_points : armilla_workflow_n_lots (workflow) / n_points;

      for (gint64 point = 0; armilla_node_collects (node) && point < (joins ? 1 : n_points);
           point++)
        {
          g_autoptr (GString) all = g_string_new (NULL);

          for (gint64 lot = point * n; lot < (point + 1) * n; lot++)
            {
              g_autofree char *key = armilla_resume_lot_key (self, lot, (int) i);

              g_string_append (all, key);
            }
          armilla_keys_set_collected (self->keys, (int) i, point, all->str);
        }
    }
}

/* Finds, on rank 0, whether the file of a lot exists; sets an error if it was changed. */
gboolean
armilla_resume_has_lot (ArmillaResume *self, gint64 lot, int node, gboolean *kept, GError **error)
{
  g_autofree char *path = armilla_resume_lot (self, lot, node);
  g_autofree char *key = armilla_resume_lot_key (self, lot, node);
  gpointer known;

  if (g_hash_table_lookup_extended (self->kept_lots, path, NULL, &known))
    {
      *kept = GPOINTER_TO_INT (known);
      return TRUE;
    }
  if (!armilla_resume_is_part_kept (self, path, key, kept, error))
    return FALSE;
  g_hash_table_insert (self->kept_lots, g_steal_pointer (&path), GINT_TO_POINTER (*kept));
  return TRUE;
}
