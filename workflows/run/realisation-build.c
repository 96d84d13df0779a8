/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Submits a prepared realisation to the graph. */
#include "config.h"

#include "tasks/data/data.h"
#include "tasks/graph/graph.h"
#include "tasks/harmonic/harmonic.h"
#include "workflows/file/passes.h"
#include "workflows/run/realisation-private.h"

/* Drops an output that no later node reads; its memory is freed when the tasks submitted so far
 * have ended. */
static void
release_output (ArmillaInstance *instance, int port)
{
  if (instance->outputs[port] != NULL)
    armilla_data_release (instance->outputs[port]);
  g_clear_object (&instance->outputs[port]);
}

static void
release_inputs (ArmillaRealisation *self, const ArmillaNode *node)
{
  for (int i = 0; i < node->n_inputs; i++)
    {
      const ArmillaLink *link = &node->inputs[i];

      if (link->node >= 0 && --self->instances[link->node].n_users[link->port] == 0)
        release_output (&self->instances[link->node], link->port);
    }
}

static gboolean
build_node (ArmillaRealisation *self, int number, ArmillaGraph *graph, GError **error)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
  ArmillaInstance *instance = &self->instances[number];
  ArmillaData *inputs[ARMILLA_STAGE_MAX_PORTS] = { NULL };
  gboolean keeps = self->resume != NULL && self->workflow->checkpoint > 0 && node->n_inputs > 0
                   && !armilla_node_collects (node);

  if (armilla_realisation_state (self, number) == ARMILLA_NODE_RESTORE)
    return armilla_resume_restore (self->resume, graph, self->pass, number,
                                   instance->outputs, node->n_outputs, error);
  armilla_realisation_inputs (self, node, inputs, NULL);
  return node->klass->build (instance->stage, graph, inputs, instance->outputs, error)
         && (!keeps
             || armilla_resume_keep (self->resume, graph, self->pass, number,
                                     instance->outputs, node->n_outputs, error));
}

/* Returns whether the node uses a table of Legendre matrices that can be created in advance. */
gboolean
armilla_node_has_table (const ArmillaNode *node)
{
  if (g_object_class_find_property (G_OBJECT_CLASS (node->klass), "legendre") == NULL)
    return FALSE;
  for (guint i = 0; i < node->settings->len; i++)
    if (strcmp (g_array_index (node->settings, ArmillaSetting, i).pspec->name, "table") == 0)
      return TRUE;
  return FALSE;
}

/* Divides all data of the realisation into tiles, even if few nodes run: equal tiles give equal
 * bits. */
static gboolean
cut_all (ArmillaRealisation *self, ArmillaGraph *graph, GError **error)
{
  for (guint i = 0; i < self->workflow->order->len; i++)
    {
      int number = g_array_index (self->workflow->order, int, i);
      const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
      ArmillaData *const *outputs = armilla_realisation_outputs (self, number);
      GError *local = NULL;

      if (node->phase != self->phase || (self->makes_once && !(node->passes & ARMILLA_PASS_EACH)))
        continue;
      armilla_graph_set_label (graph, node->name, node->klass->nick, self->pass);
      for (int port = 0; port < node->n_outputs; port++)
        if (outputs[port] != NULL && !armilla_graph_cut (graph, outputs[port], &local))
          return armilla_realisation_fail (self, node, &local, error);
    }
  return TRUE;
}

/* Calls @visit for a node that was built or has read its inputs. */
static void
node_done (ArmillaRealisation *self, int number, ArmillaNodeVisitor visit, gpointer user)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
  ArmillaInstance *instance = &self->instances[number];

  if (visit != NULL)
    visit (user, node, self->pass, instance->outputs);
  if (armilla_realisation_reads (self, number))
    release_inputs (self, node);
  for (int port = 0; port < node->n_outputs; port++)
    if (instance->n_users[port] == 0)
      release_output (instance, port);
  g_clear_object (&instance->stage);
  if (self->makes_once)
    armilla_opened_drop (self->opened, node);
}

/* Builds the nodes of the prepared phase in order: requests their work from the graph. (If the
 * graph only precomputes, those that use a table.) Data are dropped when the last node that reads
 * them was built. Collecting nodes follow in armilla_realisations_submit (). */
gboolean
armilla_realisation_build (ArmillaRealisation *self, ArmillaGraph *graph, ArmillaNodeVisitor visit,
                           gpointer user, GError **error)
{
  if ((self->resume != NULL || self->kind != ARMILLA_PASS_EACH || self->makes_once)
      && !cut_all (self, graph, error))
    return FALSE;
  self->built = TRUE;
  for (guint i = 0; i < self->workflow->order->len; i++)
    {
      int number = g_array_index (self->workflow->order, int, i);
      const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
      GError *local = NULL;

      if (node->phase != self->phase || armilla_node_takes (node, self->kind)
          || (!armilla_realisation_builds (self, number)
              && armilla_realisation_state (self, number) != ARMILLA_NODE_RESTORE))
        continue;
      armilla_graph_set_label (graph, node->name, node->klass->nick, self->pass);
      if (node->n_outputs == 0)
        armilla_graph_set_label_apart (graph);
      if ((!armilla_graph_precomputes (graph) || armilla_node_has_table (node))
          && !build_node (self, number, graph, &local))
        return armilla_realisation_fail (self, node, &local, error);
      node_done (self, number, visit, user);
    }
  return TRUE;
}

static gboolean
gather_node (ArmillaRealisation *self, int number, ArmillaGraph *graph, GError **error)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
  ArmillaData *inputs[ARMILLA_STAGE_MAX_PORTS] = { NULL };

  armilla_realisation_inputs (self, node, inputs, NULL);
  return node->klass->gather (self->instances[number].stage, graph, inputs,
                              armilla_collecting_lot (self->collecting, graph, number, self->pass),
                              error);
}

/* Lets the collecting nodes read the outputs of a realisation whose tasks are submitted. */
static gboolean
gather (ArmillaRealisation *self, ArmillaGraph *graph, ArmillaNodeVisitor visit, gpointer user,
        GError **error)
{
  for (guint i = 0; i < self->workflow->order->len; i++)
    {
      int number = g_array_index (self->workflow->order, int, i);
      const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
      GError *local = NULL;

      if (node->phase > self->phase || !armilla_node_takes (node, self->kind)
          || !armilla_realisation_builds (self, number))
        continue;
      armilla_graph_set_label (graph, node->name, node->klass->nick, self->pass);
      if (!armilla_graph_precomputes (graph) && !gather_node (self, number, graph, &local))
        return armilla_realisation_fail (self, node, &local, error);
      node_done (self, number, visit, user);
    }
  return TRUE;
}

GPtrArray *
armilla_realisations_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) armilla_realisation_free);
}

/* Submits the tasks of a batch of built realisations, lets the collecting nodes read the outputs of
 * each in order, and empties the batch. */
gboolean
armilla_realisations_submit (GPtrArray *batch, ArmillaGraph *graph, ArmillaNodeVisitor visit,
                             gpointer user, GError **error)
{
  gboolean ok = armilla_graph_flush (graph, error);

  for (guint i = 0; ok && i < batch->len; i++)
    ok = gather (g_ptr_array_index (batch, i), graph, visit, user, error);
  ok = ok && armilla_graph_flush (graph, error);
  g_ptr_array_set_size (batch, 0);
  return ok;
}
