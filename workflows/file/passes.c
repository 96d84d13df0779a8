/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/file/passes.h"

#include "workflows/text/points.h"
#include "workflows/text/property.h"

/* Number of lots per doubling of the number of realisations. A lot is a group of realisations whose
 * collected data are stored in one file, so that there are few files and a resumed run repeats
 * little. Lots do not depend on the number of realisations, which a later run may increase: the
 * first lots have one realisation each, and realisations 2^k to 2^(k + 1) are divided into this
 * number of lots. */
#define LOTS_PER_OCTAVE 8

/* Returns the number of the lot of realisation @index; sets the lot's first realisation and
 * size. */
static gint64
lot_of (gint64 index, gint64 *first, gint64 *size)
{
  int octave = 0;

  while (index >> octave >= 2 * LOTS_PER_OCTAVE)
    octave++;
  *size = (gint64) 1 << octave;
  *first = index >> octave << octave;
  return (gint64) LOTS_PER_OCTAVE * octave + (index >> octave);
}

static gint64
first_of_lot (gint64 lot)
{
  const gint64 octave = MAX (lot / LOTS_PER_OCTAVE - 1, 0);

  return (lot - LOTS_PER_OCTAVE * octave) << octave;
}

/* Returns the number of realisations of all points of the sweep together. */
gint64
armilla_workflow_n_realisations (const ArmillaWorkflow *self)
{
  return self->repeat * armilla_sweep_points_count (self->points);
}

gint64
armilla_workflow_n_passes (const ArmillaWorkflow *self)
{
  return armilla_workflow_n_realisations (self)
         + (armilla_workflow_has_last (self) ? armilla_sweep_points_count (self->points) : 0)
         + armilla_workflow_has_end (self);
}

/* Returns the kind of a pass: EACH for a realisation, LAST for the pass after the last realisation
 * of a point, END for the pass after the last point. */
ArmillaNodePasses
armilla_pass_kind (const ArmillaWorkflow *self, gint64 pass)
{
  if (!armilla_pass_is_last (self, pass))
    return ARMILLA_PASS_EACH;
  return armilla_workflow_has_end (self) && pass == armilla_workflow_n_passes (self) - 1
           ? ARMILLA_PASS_END : ARMILLA_PASS_LAST;
}

/* Returns whether the pass follows the last realisation of its point, or of all points. */
gboolean
armilla_pass_is_last (const ArmillaWorkflow *self, gint64 pass)
{
  return pass >= armilla_workflow_n_realisations (self);
}

/* Returns the last pass of a point, if armilla_workflow_has_last (). */
gint64
armilla_pass_last_of (const ArmillaWorkflow *self, gint64 point)
{
  return armilla_workflow_n_realisations (self) + point;
}

/* Returns the number of phases of a pass. Realisations have fewer phases than the last pass if some
 * files are written and read after the last realisation only. */
int
armilla_pass_n_phases (const ArmillaWorkflow *self, gint64 pass)
{
  int last = 0;

  if (armilla_pass_is_last (self, pass))
    return self->n_phases;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (self, (int) i);

      if (node->passes & ARMILLA_PASS_EACH)
        last = MAX (last, node->phase);
    }
  return last + 1;
}

/* Returns the point of the sweep to which a pass belongs; 0 for the pass after the last point. */
gint64
armilla_pass_point (const ArmillaWorkflow *self, gint64 pass)
{
  if (!armilla_pass_is_last (self, pass))
    return pass / self->repeat;
  return armilla_pass_kind (self, pass) == ARMILLA_PASS_END
           ? 0 : pass - armilla_workflow_n_realisations (self);
}

/* Returns the value of ${index}: the number of the realisation among those of its point; 0 in
 * passes after realisations. */
gint64
armilla_pass_index (const ArmillaWorkflow *self, gint64 pass)
{
  return armilla_pass_is_last (self, pass) ? 0 : pass % self->repeat;
}

/* Returns the name of the pass in messages; "" if there is only one. */
char *
armilla_pass_describe (const ArmillaWorkflow *self, gint64 pass)
{
  g_autofree char *point
    = armilla_sweep_points_describe (self->points, armilla_pass_point (self, pass));
  const char *of = *point != '\0' ? " of " : "";

  if (armilla_pass_kind (self, pass) == ARMILLA_PASS_END)
    return g_strdup ("after the last point of the sweep");
  if (armilla_pass_is_last (self, pass))
    return g_strdup_printf ("after the last realisation%s%s", of, point);
  if (self->repeat > 1)
    return g_strdup_printf ("realisation %" G_GINT64_FORMAT "%s%s", armilla_pass_index (self, pass),
                            of, point);
  return g_steal_pointer (&point);
}

/* Returns whether the node collects over realisations or points of a sweep. */
gboolean
armilla_node_collects (const ArmillaNode *node)
{
  return node->klass != NULL && node->klass->gather != NULL;
}

/* Returns whether the node collects over points of a sweep. */
gboolean
armilla_node_joins (const ArmillaNode *node)
{
  return armilla_node_collects (node) && node->klass->joins;
}

/* Returns whether the node is a collecting one that produces its outputs in passes of this kind. */
gboolean
armilla_node_gives (const ArmillaNode *node, ArmillaNodePasses kind)
{
  return armilla_node_collects (node)
         && kind == (armilla_node_joins (node) ? ARMILLA_PASS_END : ARMILLA_PASS_LAST);
}

/* Returns whether the node is a collecting one that reads its inputs in passes of this kind. */
gboolean
armilla_node_takes (const ArmillaNode *node, ArmillaNodePasses kind)
{
  return armilla_node_collects (node) && (node->passes & kind) && !armilla_node_gives (node, kind);
}

gboolean
armilla_workflow_collects (const ArmillaWorkflow *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    if (armilla_node_collects (g_ptr_array_index (self->nodes, i)))
      return TRUE;
  return FALSE;
}

static gboolean
has_kind (const ArmillaWorkflow *self, ArmillaNodePasses kind)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const ArmillaNode *node = g_ptr_array_index (self->nodes, i);

      if ((node->passes & kind) || armilla_node_gives (node, kind))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether there is a pass after the last realisation of each point: if data are collected,
 * or data that are equal in all realisations are written or joined with those of other points. */
gboolean
armilla_workflow_has_last (const ArmillaWorkflow *self)
{
  return has_kind (self, ARMILLA_PASS_LAST);
}

gboolean
armilla_workflow_has_end (const ArmillaWorkflow *self)
{
  return has_kind (self, ARMILLA_PASS_END);
}

static gint64
lots_a_point (const ArmillaWorkflow *self)
{
  gint64 first, size;

  return lot_of (self->repeat - 1, &first, &size) + 1;
}

/* Returns the number of lots of all points. */
gint64
armilla_workflow_n_lots (const ArmillaWorkflow *self)
{
  return lots_a_point (self) * armilla_sweep_points_count (self->points);
}

gint64
armilla_pass_lot (const ArmillaWorkflow *self, gint64 pass)
{
  gint64 first, size;

  return armilla_pass_point (self, pass) * lots_a_point (self)
         + lot_of (armilla_pass_index (self, pass), &first, &size);
}

/* Returns the first realisation of a lot. */
gint64
armilla_lot_first (const ArmillaWorkflow *self, gint64 lot)
{
  const gint64 n = lots_a_point (self);

  return lot / n * self->repeat + first_of_lot (lot % n);
}

/* Returns the number of realisations in a lot. */
gint64
armilla_lot_count (const ArmillaWorkflow *self, gint64 lot)
{
  gint64 first, size;

  lot_of (first_of_lot (lot % lots_a_point (self)), &first, &size);
  return MIN (size, self->repeat - first);
}

/* Returns the lot to which a pass belongs in the numbering of a collecting node. */
gint64
armilla_node_lot (const ArmillaWorkflow *self, const ArmillaNode *node, gint64 pass)
{
  return armilla_node_joins (node) ? armilla_pass_point (self, pass)
                                   : armilla_pass_lot (self, pass);
}

/* Returns the number of passes in a lot of a collecting node. */
gint64
armilla_node_lot_count (const ArmillaWorkflow *self, const ArmillaNode *node, gint64 lot)
{
  return armilla_node_joins (node) ? 1 : armilla_lot_count (self, lot);
}

/* Returns the number of lots of all points for a collecting node. */
gint64
armilla_node_n_lots (const ArmillaWorkflow *self, const ArmillaNode *node)
{
  return armilla_node_joins (node) ? armilla_sweep_points_count (self->points)
                                   : armilla_workflow_n_lots (self);
}

/* Returns the part of file names that identifies a lot. It does not depend on the number of
 * realisations. */
char *
armilla_lot_name (const ArmillaWorkflow *self, const ArmillaNode *node, gint64 lot)
{
  const gint64 n = lots_a_point (self);

  if (armilla_node_joins (node) || armilla_sweep_points_count (self->points) == 1)
    return g_strdup_printf ("%" G_GINT64_FORMAT, lot);
  return g_strdup_printf ("%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, lot / n, lot % n);
}

/* Calls @visit for the passes in which a value may differ: in at most @tries first and @tries last
 * realisations, and in the first realisation of each point. */
void
armilla_setting_each_pass (const ArmillaWorkflow *self, const ArmillaSetting *setting,
                           gint64 tries, ArmillaPassVisitor visit, gpointer user)
{
  const gint64 n = armilla_workflow_n_realisations (self);
  gboolean go_on = TRUE;

  for (gint64 pass = 0; go_on && pass < (setting->by_index ? n : 1); pass++)
    {
      if (pass == tries)
        pass = MAX (pass, n - tries);
      go_on = visit (user, pass);
    }
  for (gint64 pass = self->repeat; go_on && setting->by_keys != 0 && pass < n;
       pass += self->repeat)
    go_on = visit (user, pass);
}

/* Replaces variables in a value of the file, as they are in this pass; see armilla_expand(). */
gboolean
armilla_workflow_expand (const ArmillaWorkflow *self, const char *value, gint64 pass,
                         ArmillaExpansion *result, GError **error)
{
  return armilla_expand (self->variables, self->points, value, armilla_pass_index (self, pass),
                         armilla_pass_point (self, pass), result, error);
}

/* Parses the value that a property has in a pass. @value must be zero on entry, and the caller must
 * unset it, also after an error. */
gboolean
armilla_workflow_value (const ArmillaWorkflow *self, const ArmillaSetting *setting, gint64 pass,
                        GValue *value, GError **error)
{
  ArmillaExpansion expansion;
  g_autofree char *text = NULL;
  g_autofree char *expression = NULL;

  if (!armilla_workflow_expand (self, setting->entry->value, pass, &expansion, error))
    return FALSE;
  text = expansion.text;
  if (armilla_property_is_number (setting->pspec))
    expression = armilla_expand_expression (self->variables, self->points, setting->entry->value,
                                            armilla_pass_index (self, pass),
                                            armilla_pass_point (self, pass));
  return armilla_property_parse (setting->pspec, text, expression, value, error);
}
