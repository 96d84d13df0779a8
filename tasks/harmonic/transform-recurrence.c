/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a transform between a_lm and Delta. Fields are processed in groups of one spin, each
 * with its own coefficients and a_lm in the basis of the recurrence. A tile of Delta holds the
 * fields of all groups; the task of the first group overwrites it, the others add their fields. */
#include "config.h"

#include "codelets/fields/field-codelets.h"
#include "codelets/legendre/delta-codelets.h"
#include "codelets/legendre/spin-codelets.h"
#include "tasks/harmonic/transform.h"

/* Steps, each with codelets for groups without spin and for groups with spin. */
typedef enum {
  STEP_TABLE,
  STEP_PREPARE,
  STEP_FINISH,
  STEP_FINISH_IN_ALM,
  STEP_SYNTHESIS,
  STEP_ADJOINT
} Step;

static ArmillaCodelet *const codelets[][2] = {
  [STEP_TABLE] = { &armilla_delta_table_cl, &armilla_spin_table_cl },
  [STEP_PREPARE] = { &armilla_delta_prepare_cl, &armilla_spin_prepare_cl },
  [STEP_FINISH] = { &armilla_delta_finish_cl, &armilla_spin_finish_cl },
  [STEP_FINISH_IN_ALM] = { &armilla_delta_finish_in_alm_cl, NULL },
  [STEP_SYNTHESIS] = { &armilla_delta_synthesis_cl, &armilla_spin_synthesis_cl },
  [STEP_ADJOINT] = { &armilla_delta_adjoint_cl, &armilla_spin_adjoint_cl },
};

static ArmillaDeltaShape
delta_shape (const ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block,
             gint64 n_pairs)
{
  return (ArmillaDeltaShape) { .lmax = t->orders->layout.lmax,
                               .m_first = t->orders->m_first[m_block],
                               .m_last = t->orders->m_last[m_block],
                               .n_fields = group->n,
                               .n_pairs = n_pairs,
                               .isa = t->isa,
                               .in_alm = t->in_alm };
}

static ArmillaSpinShape
spin_shape (const ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block, gint64 n_pairs)
{
  return (ArmillaSpinShape) { .lmax = t->orders->layout.lmax,
                              .m_first = t->orders->m_first[m_block],
                              .m_last = t->orders->m_last[m_block],
                              .n_maps = group->n / 2,
                              .n_pairs = n_pairs,
                              .spin = group->spin,
                              .isa = t->isa };
}

static gboolean
submit_step (ArmillaTransform *t, const ArmillaFieldGroup *group, Step step, int m_block,
             const ArmillaRingBlock *pairs, int fresh, const ArmillaUse *uses, int n_uses,
             GError **error)
{
  gint64 n_pairs = pairs ? pairs->n_pairs : 0;
  ArmillaDeltaArgs delta = { .fault = armilla_graph_fault (t->graph),
                             .first_field = group->first,
                             .n_skies = t->n_skies,
                             .fresh = fresh,
                             .basis = t->orders->basis,
                             .shape = delta_shape (t, group, m_block, n_pairs) };
  ArmillaSpinArgs spin = { .fault = armilla_graph_fault (t->graph),
                           .first_field = group->first,
                           .n_skies = t->n_skies,
                           .fresh = fresh,
                           .basis = t->orders->basis,
                           .shape = spin_shape (t, group, m_block, n_pairs) };
  gboolean scalar = group->spin == 0;

  if (pairs && !scalar)
    spin.n_polar = armilla_spin_count_polar (&spin.shape, pairs->pairs);

  return armilla_submit (t->graph, codelets[step][!scalar], t->orders->owner[m_block],
                         scalar ? (gconstpointer) &delta : &spin,
                         scalar ? sizeof delta : sizeof spin, uses, n_uses,
                         step == STEP_ADJOINT ? PRIORITY_DELTA_ADJOINT : PRIORITY_DELTA, error);
}

static gint64
table_size (const ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block)
{
  ArmillaDeltaShape delta = delta_shape (t, group, m_block, 0);
  ArmillaSpinShape spin = spin_shape (t, group, m_block, 0);

  return group->spin == 0 ? armilla_delta_table_size (&delta) : armilla_spin_table_size (&spin);
}

static gint64
prepared_size (const ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block)
{
  ArmillaDeltaShape delta = delta_shape (t, group, m_block, 0);
  ArmillaSpinShape spin = spin_shape (t, group, m_block, 0);

  return group->spin == 0 ? armilla_delta_prepared_size (&delta)
                          : armilla_spin_prepared_size (&spin);
}

/* Creates, once per graph, the tables of the recurrence, which depend on lmax, and for GPUs its
 * coefficients, which depend on the orders and the spin. CPUs compute coefficients when needed. */
static gboolean
make_tables (ArmillaTransform *t, ArmillaFieldGroup *group, GError **error)
{
  ArmillaOrderBlocks *orders = t->orders;
  ArmillaTile **tables = &orders->tables[group->spin];
  const gint64 highest = orders->layout.lmax + ARMILLA_SPIN_MAX;

  if (!orders->basis)
    {
      orders->basis = g_new (double, armilla_delta_basis_size (highest));
      armilla_delta_basis_cpu (highest, orders->basis);
    }
  if (!t->graph->view.gpus)
    return TRUE;

  group->tables = *tables;
  if (*tables)
    return TRUE;
  group->tables = *tables = g_new0 (ArmillaTile, orders->n);
  for (int b = 0; b < orders->n; b++)
    {
      ArmillaTile *table = &(*tables)[b];

      if (!armilla_tile_new (t->graph, orders->owner[b], table_size (t, group, b), table, error)
          || !submit_step (t, group, STEP_TABLE, b, NULL, 0,
                           (ArmillaUse[]) { { table->handle, STARPU_W } }, 1, error))
        return FALSE;
    }
  return TRUE;
}

static void
find_groups (ArmillaTransform *t)
{
  const int n_fields = t->n_fields / t->n_skies;

  t->groups = g_new0 (ArmillaFieldGroup, n_fields);
  for (int f = 0; f < n_fields; f++)
    {
      if (f == 0 || t->spins[f] != t->spins[f - 1])
        t->groups[t->n_groups++]
          = (ArmillaFieldGroup) { .spin = t->spins[f], .first = f * t->n_skies };
      t->groups[t->n_groups - 1].n += t->n_skies;
    }
}

/* Returns whether the recurrence can read the tiles of the a_lm themselves instead of prepared
 * copies (a_lm converted to its basis): for one field without spin on CPUs. Otherwise copies have
 * another layout. */
static gboolean
can_be_in_alm (const ArmillaTransform *t)
{
  return t->n_fields == 1 && t->spins[0] == 0 && !t->graph->view.gpus
         && !t->legendre->table;
}

static gboolean
make_prepared (ArmillaTransform *t, ArmillaFieldGroup *group, GError **error)
{
  group->prepared = g_new0 (ArmillaTile, t->orders->n);
  for (int b = 0; b < t->orders->n; b++)
    if (!armilla_tile_new (t->graph, t->orders->owner[b], prepared_size (t, group, b),
                           &group->prepared[b], error))
      return FALSE;
  group->mover = armilla_mover_new (t->graph, group->prepared, t->orders, NULL);
  return TRUE;
}

/* Creates the groups of fields, their coefficients, and tiles for a_lm in the recurrence's basis if
 * needed. armilla_transform_recurrence_end () must follow, even on failure. */
gboolean
armilla_transform_recurrence_begin (ArmillaTransform *t, GError **error)
{
  find_groups (t);
  t->in_alm = can_be_in_alm (t);
  for (int i = 0; i < t->n_groups; i++)
    {
      ArmillaFieldGroup *group = &t->groups[i];

      group->summed = g_new0 (guint8, t->orders->n);
      if ((!t->in_alm && !make_prepared (t, group, error)) || !make_tables (t, group, error))
        return FALSE;
    }
  return TRUE;
}

void
armilla_transform_recurrence_end (ArmillaTransform *t)
{
  for (int i = 0; i < t->n_groups; i++)
    {
      ArmillaFieldGroup *group = &t->groups[i];

      armilla_mover_free (group->mover);
      for (int b = 0; group->prepared && !t->in_alm && b < t->orders->n; b++)
        armilla_tile_drop (&group->prepared[b]);
      if (!t->in_alm)
        g_free (group->prepared);
      g_free (group->summed);
    }
  t->n_groups = 0;
  g_clear_pointer (&t->groups, g_free);
}

/* Returns the doubles of scratch space that tasks with at most n_pairs ring pairs need. */
gint64
armilla_transform_recurrence_scratch (ArmillaTransform *t, gint64 n_pairs)
{
  gint64 n = 1;

  for (int i = 0; i < t->n_groups; i++)
    for (int b = 0; b < t->orders->n; b++)
      {
        ArmillaDeltaShape delta = delta_shape (t, &t->groups[i], b, n_pairs);
        ArmillaSpinShape spin = spin_shape (t, &t->groups[i], b, n_pairs);

        if (t->groups[i].spin == 0)
          n = MAX (n, armilla_delta_scratch_size (&delta));
        else
          n = MAX (n, MAX (armilla_spin_scratch_size (&spin), armilla_spin_coupling_size (&spin)));
        if (t->groups[i].spin != 0 && t->graph->view.gpus)
          n = MAX (n, MAX (armilla_spin_cuda_scratch_size (&spin),
                           armilla_spin_cuda_coupling_size (&spin)));
      }
  return n;
}

/* Submits the conversion between the a_lm of an m-block and the prepared a_lm of a group. @of_alm:
 * index of the buffer with the a_lm of the first realisation (those of other realisations are the
 * last buffers); @mode: access mode of these buffers. */
static gboolean
submit_alm_step (ArmillaTransform *t, const ArmillaFieldGroup *group, Step step, int m_block,
                 const ArmillaTile *const *alm, int of_alm, enum starpu_data_access_mode mode,
                 GError **error)
{
  const enum starpu_data_access_mode other = mode == STARPU_R ? STARPU_W : STARPU_R;
  ArmillaUse *uses = g_newa (ArmillaUse, (gsize) t->n_skies + 3);
  int n = 2;

  uses[of_alm] = (ArmillaUse) { alm[0][m_block].handle, mode };
  uses[1 - of_alm] = (ArmillaUse) { group->prepared[m_block].handle, other };
  if (group->spin != 0)
    uses[n++] = (ArmillaUse) { t->delta_scratch.handle, STARPU_SCRATCH };
  if (group->tables)
    uses[n++] = (ArmillaUse) { group->tables[m_block].handle, STARPU_R };
  for (int sky = 1; sky < t->n_skies; sky++)
    uses[n++] = (ArmillaUse) { alm[sky][m_block].handle, mode };
  return submit_step (t, group, step, m_block, NULL, 0, uses, n, error);
}

/* Converts the a_lm of each realisation to the basis of the recurrence, for the next calls of
 * armilla_transform_rings (). With t.in_alm, the tiles of the a_lm must exist until the last of
 * these calls. */
gboolean
armilla_transform_prepare (ArmillaTransform *t, const ArmillaTile *const *alm, GError **error)
{
  if (t->in_alm)
    {
      t->groups[0].prepared = (ArmillaTile *) alm[0];
      return TRUE;
    }
  for (int b = 0; b < t->orders->n; b++)
    for (int i = 0; i < t->n_groups; i++)
      if (!submit_alm_step (t, &t->groups[i], STEP_PREPARE, b, alm, 0, STARPU_R, error))
        return FALSE;
  return TRUE;
}

/* Begins new sums: armilla_transform_rings () adds to them, and armilla_transform_finish ()
 * converts them to @alm. */
void
armilla_transform_restart (ArmillaTransform *t, const ArmillaTile *const *alm)
{
  if (t->in_alm)
    t->groups[0].prepared = (ArmillaTile *) alm[0];
  for (int i = 0; i < t->n_groups; i++)
    memset (t->groups[i].summed, 0, sizeof (guint8) * (gsize) t->orders->n);
}

/* Returns flags ARMILLA_SPIN_PART_*: the parts of a group's prepared a_lm that the adjoint on these
 * ring pairs updates. Ring pairs near a pole and other ones update different parts; fields without
 * spin have the middle part only. */
static int
parts_of (const ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block,
          const ArmillaRingBlock *pairs)
{
  ArmillaSpinShape spin = spin_shape (t, group, m_block, pairs->n_pairs);
  int parts = 0;

  if (group->spin == 0)
    return ARMILLA_SPIN_PART_MIDDLE;
  if (armilla_spin_count_polar (&spin, pairs->pairs) < pairs->n_pairs)
    parts |= ARMILLA_SPIN_PART_MIDDLE;
  if (armilla_spin_has_polar (&spin, pairs->pairs))
    parts |= ARMILLA_SPIN_PART_POLAR;
  return parts;
}

/* Sets part @part of an m-block's sum, the doubles @first to @end - 1, to 0 unless a task has added
 * to it. */
static gboolean
complete_part (ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block, int part,
               gint64 first, gint64 end, GError **error)
{
  const ArmillaTile *sum = &group->prepared[m_block];
  const int summed = group->summed[m_block];
  ArmillaVectorArgs fill
    = { .fault = armilla_graph_fault (t->graph), .n = end - first, .first = first };
  ArmillaUse use = { sum->handle, summed ? STARPU_RW : STARPU_W };

  if (summed & part || end <= first)
    return TRUE;
  group->summed[m_block] = (guint8) (summed | part);
  return armilla_submit (t->graph, &armilla_zero_cl, sum->owner, &fill, sizeof fill, &use, 1,
                         PRIORITY_DELTA, error);
}

/* Sets the parts to 0 to which no task has added since armilla_transform_restart (). */
gboolean
armilla_transform_complete_sum (ArmillaTransform *t, int m_block, GError **error)
{
  for (int i = 0; i < t->n_groups; i++)
    {
      const ArmillaFieldGroup *group = &t->groups[i];
      ArmillaSpinShape spin = spin_shape (t, group, m_block, 0);
      gint64 n = prepared_size (t, group, m_block);
      gint64 middle = group->spin == 0 ? n : armilla_spin_middle_size (&spin);

      if (!complete_part (t, group, m_block, ARMILLA_SPIN_PART_MIDDLE, 0, middle, error)
          || !complete_part (t, group, m_block, ARMILLA_SPIN_PART_POLAR, middle, n, error))
        return FALSE;
    }
  return TRUE;
}

/* Submits a recurrence step of a group. @fresh: flags of the parts of the sum that an adjoint
 * overwrites instead of adding */
static gboolean
submit_delta (ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block,
              const ArmillaRingBlock *pairs, const ArmillaTile *tile, int fresh, GError **error)
{
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  const ArmillaUse prepared = { group->prepared[m_block].handle,
                                synthesis                ? STARPU_R
                                : group->summed[m_block] ? STARPU_RW
                                                         : STARPU_W };
  const ArmillaUse rows = { tile->handle, !synthesis           ? STARPU_R
                                          : group == t->groups ? STARPU_W
                                                               : STARPU_RW };
  ArmillaUse uses[5] = { synthesis ? prepared : rows,
                         { pairs->pairs_handle, STARPU_R },
                         synthesis ? rows : prepared,
                         { t->delta_scratch.handle, STARPU_SCRATCH } };
  int n = 4;

  if (group->tables)
    uses[n++] = (ArmillaUse) { group->tables[m_block].handle, STARPU_R };
  return submit_step (t, group, synthesis ? STEP_SYNTHESIS : STEP_ADJOINT, m_block, pairs, fresh,
                      uses, n, error);
}

/* Submits the recurrence of one group of fields, one m-block and one block of ring pairs. Synthesis
 * writes @tile; the adjoint adds @tile to the m-block's sum. The first group must be submitted
 * first. */
gboolean
armilla_transform_delta (ArmillaTransform *t, int i_group, int m_block,
                         const ArmillaRingBlock *pairs, const ArmillaTile *tile, GError **error)
{
  const ArmillaFieldGroup *group = &t->groups[i_group];
  int fresh = 0;

  if (!armilla_transform_is_synthesis (t))
    fresh = parts_of (t, group, m_block, pairs) & ~group->summed[m_block];
  if (!submit_delta (t, group, m_block, pairs, tile, fresh, error))
    return FALSE;
  group->summed[m_block] |= (guint8) fresh;
  return TRUE;
}

/* Converts the sum into the a_lm of armilla_transform_restart (). */
gboolean
armilla_transform_finish (ArmillaTransform *t, const ArmillaTile *const *alm, GError **error)
{
  for (int b = 0; b < t->orders->n; b++)
    if (!armilla_transform_complete_sum (t, b, error))
      return FALSE;
  for (int b = 0; t->in_alm && b < t->orders->n; b++)
    if (!submit_step (t, t->groups, STEP_FINISH_IN_ALM, b, NULL, 0,
                      (ArmillaUse[]) { { alm[0][b].handle, STARPU_RW } }, 1, error))
      return FALSE;
  for (int i = 0; !t->in_alm && i < t->n_groups; i++)
    for (int b = 0; b < t->orders->n; b++)
      if (!submit_alm_step (t, &t->groups[i], STEP_FINISH, b, alm, 1,
                            i == 0 ? STARPU_W : STARPU_RW, error))
        return FALSE;
  return TRUE;
}
