/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/run/opened.h"

#include <sys/resource.h>

#include "workflows/file/passes.h"

/* Maximum number of stored stages, each of which may have a file open, and fraction 1 / FILES_SHARE
 * of the file descriptors of the process that they may use. */
#define MAX_STAGES 256
#define FILES_SHARE 4

struct _ArmillaOpened {
  GHashTable *stages;  /* (element-type utf8 Entry): by name_alike() */
  double bytes, limit; /* bytes of stored stages with properties that vary, and their maximum */
  guint max_stages;    /* maximum number of stored stages with properties that vary */
};

typedef struct {
  ArmillaStage *stage;
  double bytes;
} Entry;

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_object_unref (entry->stage);
  g_free (entry);
}

/* Returns an empty store. @limit: maximum bytes of the data of stages whose properties vary. */
ArmillaOpened *
armilla_opened_new (double limit)
{
  ArmillaOpened *self = g_new0 (ArmillaOpened, 1);
  struct rlimit files;

  self->stages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
  self->limit = limit;
  self->max_stages = MAX_STAGES;
  if (getrlimit (RLIMIT_NOFILE, &files) == 0)
    self->max_stages = (guint) MIN (files.rlim_cur / FILES_SHARE, MAX_STAGES);
  return self;
}

void
armilla_opened_free (ArmillaOpened *self)
{
  g_hash_table_unref (self->stages);
  g_free (self);
}

/* Returns a name that all passes share in which the node's properties are the same. @varies: (out):
 * whether the properties vary; @last: (inout): whether no later pass shares the name. */
static char *
name_alike (const ArmillaWorkflow *workflow, const ArmillaNode *node, gint64 pass,
            gboolean *varies, gboolean *last)
{
  const gint64 index = armilla_pass_index (workflow, pass);
  gboolean by_index = FALSE;

  *varies = FALSE;
  for (guint i = 0; i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);

      by_index |= setting->by_index;
      *varies |= setting->varies;
    }
  *last = *last && by_index && index > 0;
  return !*varies ? g_strdup (node->name)
                  : g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, node->name,
                                     armilla_pass_point (workflow, pass), by_index ? index : 0);
}

/* Returns (transfer full) (nullable): the stage that is stored for the pass. If no later pass can
 * use it, it is removed from the store. @again: whether this pass is prepared once more. */
ArmillaStage *
armilla_opened_take (ArmillaOpened *self, const ArmillaWorkflow *workflow, const ArmillaNode *node,
                     gint64 pass, gboolean again)
{
  gboolean varies, last = !again;
  g_autofree char *name = name_alike (workflow, node, pass, &varies, &last);
  const Entry *entry = g_hash_table_lookup (self->stages, name);
  ArmillaStage *stage;

  if (entry == NULL)
    return NULL;
  stage = g_object_ref (entry->stage);
  if (last)
    {
      self->bytes -= entry->bytes;
      g_hash_table_remove (self->stages, name);
    }
  return stage;
}

/* Stores a stage, whose data have @bytes, for passes with the same properties. If its properties
 * vary, does so only within the limits. */
void
armilla_opened_keep (ArmillaOpened *self, const ArmillaWorkflow *workflow, const ArmillaNode *node,
                     gint64 pass, gboolean again, ArmillaStage *stage, double bytes)
{
  gboolean varies, last = !again;
  g_autofree char *name = name_alike (workflow, node, pass, &varies, &last);
  Entry *entry;

  if (last || g_hash_table_contains (self->stages, name)
      || (varies && (self->bytes + bytes > self->limit
                     || g_hash_table_size (self->stages) >= self->max_stages)))
    return;
  entry = g_new (Entry, 1);
  *entry = (Entry) { g_object_ref (stage), varies ? bytes : 0 };
  self->bytes += entry->bytes;
  g_hash_table_insert (self->stages, g_steal_pointer (&name), entry);
}

/* Removes a stage that is prepared once for all passes. */
void
armilla_opened_drop (ArmillaOpened *self, const ArmillaNode *node)
{
  g_hash_table_remove (self->stages, node->name);
}
