/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/run/opened.h"

#include <sys/resource.h>

#include "workflows/file/passes.h"

/* Maximum number of stages. Each may hold an open file: stages use a fraction of the descriptors of
 * the process. */
#define MAX_STAGES 256
#define FILES_SHARE 4

struct _ArmillaOpened {
  GHashTable *stages;  /* (element-type utf8 Entry): by node, and by pass if properties vary */
  double bytes, limit; /* bytes of stages whose properties vary, and their limit */
  guint max_stages;    /* maximum number of stored stages whose properties vary */
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

/* Returns an empty store. @limit: maximum bytes of parsed files of stages whose properties vary. */
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

/* Returns a name common to all passes in which the node's properties are the same. After the last
 * realisation the properties are those of the first. @varies: (out): whether the properties vary.
 * @last: (inout): whether no later pass prepares the node or one with the same properties. */
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

/* Returns (transfer full) (nullable): the stage kept for the pass. @again: whether the pass is
 * prepared again; if not, a stage that no other pass uses is dropped. */
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

/* Keeps a stage whose data take @bytes for later preparations of its passes; if its properties
 * vary, only while few and small stages are kept. */
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

/* Drops the stage of a node that is made once for all passes. */
void
armilla_opened_drop (ArmillaOpened *self, const ArmillaNode *node)
{
  g_hash_table_remove (self->stages, node->name);
}
