/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/run/tally.h"

#include <string.h>

#include "plugins/base/stage.h"
#include "tasks/data/data.h"
#include "workflows/file/passes.h"

/* Returns an empty tally; @workflow must outlive it. @counts: whether this rank counts the files
 * that nodes read. */
ArmillaTally *
armilla_tally_new (const ArmillaWorkflow *workflow, gboolean counts)
{
  ArmillaTally *self = g_new0 (ArmillaTally, 1);

  self->workflow = workflow;
  self->counts = counts;
  self->nodes = g_new0 (ArmillaTallyNode, workflow->nodes->len);
  self->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      ArmillaTallyNode *node = &self->nodes[i];

      node->reads = g_array_new (FALSE, TRUE, sizeof (ArmillaTallyRead));
      node->first = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (self->numbers, (char *) armilla_workflow_node (workflow, (int) i)->name,
                           GINT_TO_POINTER (i));
    }
  return self;
}

ArmillaNamePattern *
armilla_tally_reads (ArmillaTallyNode *node, const char *property)
{
  ArmillaTallyRead fresh = { property, { 0 } };

  for (guint i = 0; i < node->reads->len; i++)
    if (strcmp (g_array_index (node->reads, ArmillaTallyRead, i).property, property) == 0)
      return &g_array_index (node->reads, ArmillaTallyRead, i).names;
  g_array_append_val (node->reads, fresh);
  return &g_array_index (node->reads, ArmillaTallyRead, node->reads->len - 1).names;
}

/* Counts what a built node reads. */
void
armilla_tally_node (ArmillaTally *self, const ArmillaNode *node, gint64 pass,
                    ArmillaData *const *outputs)
{
  ArmillaTallyNode *mine
    = &self->nodes[GPOINTER_TO_INT (g_hash_table_lookup (self->numbers, node->name))];
  gboolean reads = FALSE;

  for (int i = 0; i < node->n_outputs; i++)
    if (outputs[i] != NULL && mine->shapes[i] == NULL)
      mine->shapes[i] = armilla_data_describe (outputs[i]);
  for (guint i = 0; self->counts && i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);
      g_auto (GValue) value = G_VALUE_INIT;

      /* An invalid value was reported by the stage. */
      if (!armilla_param_spec_is_input_file (setting->pspec)
          || !armilla_workflow_value (self->workflow, setting, pass, &value, NULL)
          || !armilla_param_spec_names_input (setting->pspec, g_value_get_string (&value)))
        continue;
      armilla_name_pattern_add (armilla_tally_reads (mine, setting->pspec->name),
                                g_value_get_string (&value));
      reads |= strcmp (setting->pspec->name, "file") == 0;
    }
  for (int i = 0; reads && i < node->n_outputs; i++)
    if (outputs[i] != NULL && armilla_data_has_pixels (outputs[i]))
      mine->pixels += (double) armilla_map_grid (ARMILLA_MAP (outputs[i]))->n_covered
                      * armilla_map_n_fields (ARMILLA_MAP (outputs[i]));
}

static gboolean
is_picture (const char *name)
{
  return g_str_has_suffix (name, ".png") || g_str_has_suffix (name, ".pdf")
         || g_str_has_suffix (name, ".svg");
}

/* Returns the kind of data: the part of a description before the colon. */
static char *
kind_of (const char *shape)
{
  return shape != NULL ? g_strndup (shape, strcspn (shape, ":")) : NULL;
}

/* Returns what a node's files contain: a kind of data, "picture", or the name of the stage. */
char *
armilla_tally_kind (const ArmillaTally *self, int number)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
  const ArmillaTallyNode *mine = &self->nodes[number];
  char *kind = NULL;

  if (mine->written.n > 0 && is_picture (mine->written.first))
    return g_strdup ("picture");
  for (int i = 0; kind == NULL && i < node->n_outputs; i++)
    kind = kind_of (mine->shapes[i]);
  for (int i = 0; kind == NULL && i < node->n_inputs; i++)
    if (node->inputs[i].node >= 0)
      kind = kind_of (self->nodes[node->inputs[i].node].shapes[node->inputs[i].port]);
  return kind != NULL ? kind : g_strdup (node->klass->nick);
}

void
armilla_tally_free (ArmillaTally *self)
{
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    {
      ArmillaTallyNode *node = &self->nodes[i];

      for (guint j = 0; j < node->reads->len; j++)
        armilla_name_pattern_clear (&g_array_index (node->reads, ArmillaTallyRead, j).names);
      g_array_unref (node->reads);
      g_ptr_array_unref (node->first);
      armilla_name_pattern_clear (&node->written);
      for (int port = 0; port < ARMILLA_STAGE_MAX_PORTS; port++)
        g_free (node->shapes[port]);
    }
  g_hash_table_unref (self->numbers);
  g_free (self->nodes);
  g_free (self);
}
