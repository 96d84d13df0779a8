/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "workflows/run/realisation-private.h"

#include "core/base/memory.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/collect.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/data/need.h"
#include "workflows/file/links.h"
#include "workflows/file/workflow.h"
#include "workflows/file/passes.h"
#include "workflows/resume/resume.h"
#include "workflows/run/realisation.h"

#define MAX_KEPT 256
#define OPENED_SHARE 8 /* opened files may use 1 / OPENED_SHARE of the memory */

static gboolean
is_same (const ArmillaNode *node)
{
  return (node->passes & ARMILLA_PASS_ONCE) != 0;
}

ArmillaNodeState
armilla_realisation_state (const ArmillaRealisation *self, int number)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);

  if (self->makes_once && is_same (node) && (node->passes & ARMILLA_PASS_EACH))
    return ARMILLA_NODE_RUN;
  if (self->makes_once)
    return is_same (node) || ((node->passes & ARMILLA_PASS_EACH) && node->n_outputs > 0)
             ? ARMILLA_NODE_SHAPE : ARMILLA_NODE_SKIP;
  if (self->instances[number].borrowed)
    return ARMILLA_NODE_SKIP;
  if (self->resume != NULL)
    return (ArmillaNodeState) armilla_resume_states (self->resume, self->pass)[number];
  if (node->passes & self->kind)
    return ARMILLA_NODE_RUN;
  /* In passes after realisations, data have the shapes and tiles of the first realisation. */
  return self->kind != ARMILLA_PASS_EACH && node->n_outputs > 0 ? ARMILLA_NODE_SHAPE
                                                                : ARMILLA_NODE_SKIP;
}

/* Returns whether the node's tasks are submitted. */
gboolean
armilla_realisation_builds (const ArmillaRealisation *self, int number)
{
  ArmillaNodeState state = armilla_realisation_state (self, number);

  return state == ARMILLA_NODE_RUN || state == ARMILLA_NODE_REPLACE;
}

/* Returns whether the node needs the values of its inputs, not only their shapes. */
gboolean
armilla_realisation_reads (const ArmillaRealisation *self, int number)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);

  return armilla_realisation_builds (self, number) && !armilla_node_gives (node, self->kind);
}

/* Returns the node's outputs; those of the shared pass if that has computed them. */
ArmillaData **
armilla_realisation_outputs (ArmillaRealisation *self, int number)
{
  return self->instances[number].borrowed ? self->once->instances[number].outputs
                                          : self->instances[number].outputs;
}

/* Sets the node's inputs (NULL: unconnected) and, unless NULL, @sources to the names of their
 * nodes. */
void
armilla_realisation_inputs (ArmillaRealisation *self, const ArmillaNode *node,
                            ArmillaData **inputs, const char **sources)
{
  for (int i = 0; i < node->n_inputs; i++)
    {
      const ArmillaLink *link = &node->inputs[i];

      inputs[i] = NULL;
      if (link->node < 0)
        continue;
      inputs[i] = armilla_realisation_outputs (self, link->node)[link->port];
      if (sources != NULL)
        sources[i] = armilla_workflow_node (self->workflow, link->node)->name;
    }
}

/* Checks the kinds of data that depend on what their stages prepare. */
static gboolean
check_inputs (const ArmillaWorkflow *workflow, const ArmillaNode *node,
              ArmillaData *const *inputs, GError **error)
{
  for (int i = 0; i < node->n_inputs; i++)
    if (inputs[i] != NULL)
      {
        const ArmillaPort *port = armilla_stage_port (node->klass, ARMILLA_PORT_IN, i);
        const ArmillaNode *source = armilla_workflow_node (workflow, node->inputs[i].node);
        g_autofree char *takes = NULL, *gives = NULL;

        if (g_type_is_a (G_OBJECT_TYPE (inputs[i]), port->get_type ()))
          continue;
        takes = armilla_port_kind (port);
        gives = armilla_data_kind (G_OBJECT_TYPE (inputs[i]));
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "%s: this input accepts data of kind %s, but node %s (%s) outputs %s",
                             port->name, takes, source->name, source->klass->nick, gives);
      }
  return TRUE;
}

/* Checks that the stage has created the outputs that its class declares; otherwise the error would
 * be attributed to the next node. */
static gboolean
check_outputs (const ArmillaNode *node, guint32 used, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  for (int i = 0; i < node->n_outputs; i++)
    {
      const ArmillaPort *port = armilla_stage_port (node->klass, ARMILLA_PORT_OUT, i);
      gboolean own = outputs[i] != NULL
                     && g_type_is_a (G_OBJECT_TYPE (outputs[i]), port->get_type ());

      for (int j = 0; own && j < node->n_inputs; j++)
        own = inputs[j] != outputs[i];
      if (own || (outputs[i] == NULL && !(used >> i & 1)))
        continue;
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "error in the stage: %s has not created its %s for output %s",
                           node->klass->nick, g_type_name (port->get_type ()), port->name);
    }
  return TRUE;
}

static gboolean
set_properties (const ArmillaWorkflow *workflow, gint64 pass, const ArmillaNode *node,
                ArmillaStage *stage, GError **error)
{
  for (guint i = 0; i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);
      g_auto (GValue) value = G_VALUE_INIT;

      if (!armilla_workflow_value (workflow, setting, pass, &value, error))
        return FALSE;
      g_object_set_property (G_OBJECT (stage), setting->pspec->name, &value);
    }
  return TRUE;
}

static ArmillaStage *
new_stage (const ArmillaNode *node)
{
  return g_object_new (G_OBJECT_CLASS_TYPE (node->klass), NULL);
}

static gboolean
make_stage (ArmillaRealisation *self, const ArmillaNode *node, ArmillaInstance *instance,
            GError **error)
{
  const ArmillaWorkflow *workflow = self->workflow;

  instance->stage = new_stage (node);
  if (!set_properties (workflow, self->pass, node, instance->stage, error))
    return FALSE;
  if (workflow->made != NULL)
    workflow->made (workflow->made_user, node,
                    self->kind == ARMILLA_PASS_EACH ? self->pass
                                                    : armilla_pass_point (workflow, self->pass),
                    instance->stage);
  return TRUE;
}

/* Announces all transforms of the run to the graph, with the properties of realisation 0: all
 * realisations must be divided alike into tiles, in a resumed run, too. */
void
armilla_workflow_expect (const ArmillaWorkflow *workflow, ArmillaGraph *graph)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);
      g_autoptr (ArmillaStage) stage = NULL;

      if (node->klass->transforms == NULL)
        continue;
      stage = new_stage (node);
      /* An invalid value is reported when the node is prepared. */
      armilla_graph_expect_transforms (graph, set_properties (workflow, 0, node, stage, NULL)
                                                ? node->klass->transforms (stage)
                                                : ARMILLA_TRANSFORMS_BOTH);
    }
}

/* Returns the number of the first pass that builds the node, for messages. */
static gint64
needed_in (const ArmillaRealisation *self, const ArmillaNode *node)
{
  if (!self->makes_once || (node->passes & ARMILLA_PASS_EACH))
    return self->pass;
  return node->passes & ARMILLA_PASS_LAST ? armilla_pass_last_of (self->workflow, 0)
                                          : armilla_workflow_n_passes (self->workflow) - 1;
}

/* Moves @local (NULL: the stage set no error) to @error, prefixed with the node's place. Returns
 * FALSE. */
gboolean
armilla_realisation_fail (const ArmillaRealisation *self, const ArmillaNode *node,
                          GError **local, GError **error)
{
  if (*local == NULL)
    g_set_error (local, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "error in the stage: %s failed without an error message", node->klass->nick);
  armilla_blame_node (self->workflow, node, needed_in (self, node), local);
  g_propagate_error (error, g_steal_pointer (local));
  return FALSE;
}

/* Checks that a node has enough memory: for its data or, if memory is limited, for the tiles of its
 * largest task. */
static gboolean
check_memory (ArmillaRealisation *self, const ArmillaNode *node, ArmillaStage *stage,
              ArmillaData *const *inputs, ArmillaData *const *all, GError **error)
{
  double own = node->klass->memory ? node->klass->memory (stage, inputs, all) : 0, order;
  ArmillaData *outputs[ARMILLA_STAGE_MAX_PORTS];
  GError *shortage = NULL;
  int n_outputs = 0;

  for (int i = 0; i < node->n_outputs; i++)
    if (all[i] != NULL)
      outputs[n_outputs++] = all[i];
  order = node->n_outputs > 0 && n_outputs == 0
            ? 0 : armilla_memory_held (inputs, node->n_inputs, outputs, n_outputs);

  if (self->graph != NULL
      && !armilla_graph_fits_gpu (self->graph, inputs, node->n_inputs, outputs, n_outputs,
                                  error))
    return FALSE;
  if (self->bound == 0)
    return armilla_memory_check (inputs, node->n_inputs, outputs, n_outputs,
                                 order + own, self->memories, error);
  if (!armilla_memory_check (NULL, 0, NULL, 0, own, self->memories, error))
    return FALSE;
  if (self->graph != NULL
      && !armilla_graph_fits_better (self->graph, inputs, node->n_inputs, outputs, n_outputs,
                                     order, &self->advised, &shortage))
    {
      /* The message is that of the node that needs most, so later nodes are checked, too. */
      armilla_blame_node (self->workflow, node, needed_in (self, node), &shortage);
      g_clear_error (&self->shortage);
      self->shortage = shortage;
    }
  return TRUE;
}

/* Returns the store in which a stage keeps values for later passes; a temporary one if the node's
 * properties vary and many values are stored already. */
static GHashTable *
choose_kept (const ArmillaRealisation *self, const ArmillaNode *node)
{
  gboolean varies = FALSE;

  for (guint i = 0; i < node->settings->len; i++)
    varies |= g_array_index (node->settings, ArmillaSetting, i).varies;
  return varies && g_hash_table_size (self->kept) >= MAX_KEPT
           ? armilla_stage_kept_new () : g_hash_table_ref (self->kept);
}

/* Returns whether this pass can use the outputs that a node has in the shared pass. */
static gboolean
can_borrow (const ArmillaRealisation *self, int number)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);

  if (self->once == NULL || !self->once->instances[number].prepared)
    return FALSE;
  if (self->tries)
    return is_same (node) || self->once->pass == self->pass;
  return self->once->built && is_same (node) && (node->passes & ARMILLA_PASS_EACH);
}

/* If the shared pass has prepared but not built a node, moves its stage here, so that inputs are
 * opened once; the shared pass keeps the shapes of the outputs. If only shapes are needed, uses
 * those. */
static gboolean
take_over (ArmillaRealisation *self, int number)
{
  ArmillaInstance *instance = &self->instances[number], *from;

  if (self->once == NULL || !is_same (armilla_workflow_node (self->workflow, number)))
    return FALSE;
  from = &self->once->instances[number];
  if (from->prepared && armilla_realisation_state (self, number) == ARMILLA_NODE_SHAPE)
    return instance->borrowed = TRUE;
  if (from->stage == NULL)
    return FALSE;
  instance->stage = g_steal_pointer (&from->stage);
  for (int port = 0; port < ARMILLA_STAGE_MAX_PORTS; port++)
    g_set_object (&instance->outputs[port], from->outputs[port]);
  return instance->prepared = TRUE;
}

/* Returns the store of prepared stages for a node; NULL if its stage cannot be prepared twice. */
static ArmillaOpened *
find_opened (const ArmillaRealisation *self, const ArmillaNode *node)
{
  return !node->klass->reusable || node->phase > 0 ? NULL
         : self->once != NULL                      ? self->once->opened : self->opened;
}

/* Sets the stage of a node: one that was prepared with the same properties before, or a new one. */
static gboolean
find_stage (ArmillaRealisation *self, const ArmillaNode *node, ArmillaInstance *instance,
            GError **error)
{
  ArmillaOpened *opened = find_opened (self, node);

  if (opened != NULL)
    instance->stage = armilla_opened_take (opened, self->workflow, node, self->pass, self->tries);
  return instance->stage != NULL || make_stage (self, node, instance, error);
}

static void
keep_stage (ArmillaRealisation *self, const ArmillaNode *node, const ArmillaInstance *instance,
            ArmillaData *const *inputs)
{
  ArmillaOpened *opened = find_opened (self, node);
  double bytes = 0;

  if (opened == NULL)
    return;
  if (node->klass->memory != NULL)
    bytes = node->klass->memory (instance->stage, inputs, instance->outputs);
  for (int i = 0; i < node->n_outputs; i++)
    if (instance->outputs[i] != NULL)
      bytes += armilla_data_bytes (instance->outputs[i]);
  armilla_opened_keep (opened, self->workflow, node, self->pass, self->tries || self->makes_once,
                       instance->stage, bytes);
}

static gboolean
prepare_node (ArmillaRealisation *self, int number, GError **error)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
  ArmillaInstance *instance = &self->instances[number];
  ArmillaData *inputs[ARMILLA_STAGE_MAX_PORTS] = { NULL };
  const char *sources[ARMILLA_STAGE_MAX_PORTS] = { NULL };
  ArmillaStageContext context = self->context;
  g_autoptr (GHashTable) kept = NULL;
  g_autoptr (ArmillaCollected) collected = NULL;
  g_autoptr (ArmillaTable) points = NULL;
  g_autoptr (GError) local = NULL;

  if (armilla_realisation_state (self, number) == ARMILLA_NODE_SKIP || take_over (self, number))
    return TRUE;
  context.overwrite |= armilla_realisation_state (self, number) == ARMILLA_NODE_REPLACE;
  context.used = instance->used;
  context.kept = kept = choose_kept (self, node);
  if (armilla_node_joins (node) && self->kind == ARMILLA_PASS_END)
    context.points = points = armilla_sweep_points_table (self->workflow->points);
  if (armilla_node_gives (node, self->kind) && self->collecting != NULL)
    context.collected = collected
      = armilla_collecting_files (self->collecting, number,
                                  armilla_pass_point (self->workflow, self->pass));
  armilla_realisation_inputs (self, node, inputs, sources);
  context.sources = sources;
  if (node->n_outputs == 0)
    instance->history = armilla_workflow_history (self->workflow, number, self->pass,
                                                  &self->text_sum);
  if (instance->history != NULL)
    context.workflow_text = instance->history;
  if (check_inputs (self->workflow, node, inputs, &local)
      && find_stage (self, node, instance, &local)
      && node->klass->prepare (instance->stage, &context, inputs, instance->outputs, &local)
      && check_outputs (node, instance->used, inputs, instance->outputs, &local)
      && check_memory (self, node, instance->stage, inputs, instance->outputs, &local))
    {
      keep_stage (self, node, instance, inputs);
      return instance->prepared = TRUE;
    }
  return armilla_realisation_fail (self, node, &local, error);
}

/* Finds which outputs are connected, and how many inputs read each. In the shared pass, inputs of
 * all passes count. */
static void
note_uses (ArmillaRealisation *self)
{
  for (guint number = 0; number < self->workflow->nodes->len; number++)
    {
      const ArmillaNode *node = armilla_workflow_node (self->workflow, (int) number);

      for (int i = 0; i < node->n_inputs; i++)
        {
          const ArmillaLink *link = &node->inputs[i];

          if (link->node < 0)
            continue;
          self->instances[link->node].used |= 1U << link->port;
          self->instances[link->node].n_users[link->port]
            += self->makes_once || armilla_realisation_reads (self, (int) number);
        }
    }
}

/* Prepares the nodes of a later phase, when the nodes of earlier phases are built and have written
 * their files. */
gboolean
armilla_realisation_prepare_phase (ArmillaRealisation *self, int phase, GError **error)
{
  self->phase = phase;
  for (guint i = 0; i < self->workflow->order->len; i++)
    {
      int number = g_array_index (self->workflow->order, int, i);

      if (armilla_workflow_node (self->workflow, number)->phase == phase
          && !prepare_node (self, number, error))
        return FALSE;
    }
  if (self->shortage == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->shortage));
  return FALSE;
}

static ArmillaRealisation *
prepare (const ArmillaWorkflow *workflow, const ArmillaRunContext *context, gboolean makes_once,
         GError **error)
{
  g_autoptr (ArmillaRealisation) self = g_new0 (ArmillaRealisation, 1);
  double memory;

  /* the shared pass has found it; asking the kernel again takes longer than preparing a small
   * pass */
  if (context->once != NULL)
    memory = context->once->context.memory;
  else if (armilla_memory_available (&memory, error))
    memory *= context->memories;
  else
    return NULL;
  self->workflow = workflow;
  self->memories = context->memories;
  self->resume = context->resume;
  self->bound = context->bound;
  self->graph = context->graph;
  self->collecting = context->collecting;
  self->pass = context->pass;
  self->kind = armilla_pass_kind (workflow, context->pass);
  self->makes_once = makes_once;
  self->once = context->once;
  self->tries = context->tries;
  self->opened = makes_once ? armilla_opened_new (memory / OPENED_SHARE) : NULL;
  self->kept = self->once != NULL ? g_hash_table_ref (self->once->kept) : armilla_stage_kept_new ();
  self->context = (ArmillaStageContext) {
    .index = armilla_pass_index (workflow, context->pass),
    .n_ranks = context->n_ranks,
    .rank = context->rank,
    .program = PACKAGE_STRING,
    .workflow = workflow->document->path,
    .workflow_text = workflow->text,
    .overwrite = context->overwrite || workflow->overwrite,
    .memory = memory,
    .spills = context->bound > 0,
  };
  self->instances = g_new0 (ArmillaInstance, workflow->nodes->len);
  for (int number = 0; number < (int) workflow->nodes->len; number++)
    self->instances[number].borrowed = can_borrow (self, number);
  note_uses (self);
  if (!armilla_realisation_prepare_phase (self, 0, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Creates the stages of a pass, sets their properties and prepares them: opens files and finds
 * shapes, but submits no task. Nodes of later phases are prepared by
 * armilla_realisation_prepare_phase (). The workflow must outlive the result; errors begin with the
 * node's place. */
ArmillaRealisation *
armilla_realisation_prepare (const ArmillaWorkflow *workflow, const ArmillaRunContext *context,
                             GError **error)
{
  return prepare (workflow, context, FALSE, error);
}

/* Prepares a shared pass: the nodes that are equal in all passes, and the others as in the pass of
 * @context for their shapes. If it is then built before all other passes, it computes the data that
 * are equal in all realisations, and keeps them until it is freed. Passes with this one as @once in
 * their context do not prepare these nodes again: passes that are only tried use its outputs; built
 * passes use the data that it has computed, and its stages that it has not built. */
ArmillaRealisation *
armilla_realisation_prepare_once (const ArmillaWorkflow *workflow,
                                  const ArmillaRunContext *context, GError **error)
{
  return prepare (workflow, context, TRUE, error);
}

/* Calls @visit for each prepared node in the order of the run. */
void
armilla_realisation_visit (ArmillaRealisation *self, ArmillaNodeVisitor visit, gpointer user)
{
  for (guint i = 0; i < self->workflow->order->len; i++)
    {
      int number = g_array_index (self->workflow->order, int, i);
      const ArmillaNode *node = armilla_workflow_node (self->workflow, number);

      if (node->phase <= self->phase)
        visit (user, node, self->pass, armilla_realisation_outputs (self, number));
    }
}

static void
instance_clear (ArmillaInstance *instance)
{
  g_clear_object (&instance->stage);
  g_clear_pointer (&instance->history, g_free);
  for (int port = 0; port < ARMILLA_STAGE_MAX_PORTS; port++)
    g_clear_object (&instance->outputs[port]);
  instance->prepared = FALSE;
}

/* Drops the nodes that each pass prepares itself, after all passes were tried. */
void
armilla_realisation_keep_same (ArmillaRealisation *self)
{
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    if (!is_same (armilla_workflow_node (self->workflow, (int) i)))
      instance_clear (&self->instances[i]);
}

void
armilla_realisation_free (ArmillaRealisation *self)
{
  for (guint i = 0; self->instances != NULL && i < self->workflow->nodes->len; i++)
    instance_clear (&self->instances[i]);
  g_clear_error (&self->shortage);
  g_clear_pointer (&self->opened, armilla_opened_free);
  if (self->kept != NULL)
    g_hash_table_unref (self->kept);
  g_free (self->text_sum);
  g_free (self->instances);
  g_free (self);
}
