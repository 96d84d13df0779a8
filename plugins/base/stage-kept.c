/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that stages store for later realisations and other nodes, so that a run reads each file
 * and computes each grid once. */
#include "plugins/base/stage-util.h"

typedef struct {
  gpointer value;
  GDestroyNotify destroy;
} Kept;

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  kept->destroy (kept->value);
  g_free (kept);
}

GHashTable *
armilla_stage_kept_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, kept_free);
}

gpointer
armilla_stage_kept (const ArmillaStageContext *context, const char *key)
{
  const Kept *kept = g_hash_table_lookup (context->kept, key);

  return kept != NULL ? kept->value : NULL;
}

gpointer
armilla_stage_keep (const ArmillaStageContext *context, const char *key, gpointer value,
                    GDestroyNotify destroy)
{
  Kept *kept = g_new (Kept, 1);

  *kept = (Kept) { value, destroy };
  g_hash_table_insert (context->kept, g_strdup (key), kept);
  return value;
}
