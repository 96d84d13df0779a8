/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares passes before the first task to find errors. */
#include "workflows/run/realisation.h"

#include "tasks/graph/graph.h"
#include "workflows/file/passes.h"
#include "workflows/run/run-passes.h"

/* Prepares the shared pass, with the shapes of the first remaining realisation (@left is NULL: of
 * the first one); see armilla_realisation_prepare_once (). */
ArmillaRealisation *
armilla_tries_once (const ArmillaWorkflow *workflow, const ArmillaRunContext *context,
                    const GArray *left, GError **error)
{
  ArmillaRunContext first = *context;

  first.resume = NULL;
  first.pass = left != NULL && left->len > 0 ? g_array_index (left, gint64, 0) : 0;
  return armilla_realisation_prepare_once (workflow, &first, error);
}

/* Returns whether a property of some node differs between passes. */
static gboolean
varies (const ArmillaWorkflow *workflow)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const GArray *settings = armilla_workflow_node (workflow, (int) i)->settings;

      for (guint s = 0; s < settings->len; s++)
        if (g_array_index (settings, ArmillaSetting, s).varies)
          return TRUE;
    }
  return FALSE;
}

/* Prepares passes and frees them again, one at a time, so that for example a file missing in the
 * last one is reported before the first task. Of many passes only the first and last ones are
 * tried, so that the run starts within seconds. If no property varies, one is tried. */
gboolean
armilla_tries_all (const ArmillaWorkflow *workflow, const ArmillaRunContext *context,
                   GError **error)
{
  const gint64 n = armilla_workflow_n_passes (workflow);
  const gboolean one = !varies (workflow);
  ArmillaRunContext now = *context;

  now.tries = TRUE;
  for (now.pass = 0; now.pass < n; now.pass++)
    {
      ArmillaRealisation *realisation;

      if (now.pass == ARMILLA_RUN_MAX_TRIES)
        now.pass = MAX (now.pass, n - ARMILLA_RUN_MAX_TRIES);
      if (now.resume != NULL && armilla_resume_done (now.resume, now.pass))
        continue;
      if (now.graph != NULL && armilla_graph_failed (now.graph))
        return armilla_passes_stopped (error);
      realisation = armilla_realisation_prepare (workflow, &now, error);
      if (realisation == NULL)
        return FALSE;
      armilla_realisation_free (realisation);
      if (one)
        return TRUE;
    }
  return TRUE;
}
