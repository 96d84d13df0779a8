/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time spent in each node of a workflow. */
#include "workflows/report/report-private.h"

#include <string.h>

#include "workflows/trace/trace-reader.h"

/* Returns the times of all nodes, [node]. */
ArmillaNodeTime *
armilla_report_times (const ArmillaReport *report)
{
  ArmillaNodeTime *times = g_new0 (ArmillaNodeTime, report->workflow->nodes->len + 1);
  g_autoptr (GArray) groups = armilla_trace_groups (report->trace, FALSE);

  for (guint i = 0; i < groups->len; i++)
    {
      const ArmillaTraceGroup *group = &g_array_index (groups, ArmillaTraceGroup, i);
      gpointer number;

      if (!g_hash_table_lookup_extended (report->tally->numbers, group->node, NULL, &number))
        continue;
      if (strcmp (group->kind, "host") == 0)
        times[GPOINTER_TO_INT (number)].host += group->seconds;
      else
        times[GPOINTER_TO_INT (number)].seconds += group->seconds;
      times[GPOINTER_TO_INT (number)].n += group->n;
    }
  return times;
}

/* Returns the time of the slowest node in seconds. */
double
armilla_report_longest (const ArmillaReport *report, const ArmillaNodeTime *times)
{
  double max_seconds = 0;

  for (guint i = 0; i < report->workflow->nodes->len; i++)
    max_seconds = MAX (max_seconds, times[i].seconds + times[i].host);
  return max_seconds;
}
