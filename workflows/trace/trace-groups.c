/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/trace/trace-reader.h"

/* Finds a group by the addresses of names: equal names of a file have the same address. */
static ArmillaTraceGroup *
find_group (GArray *groups, const ArmillaTraceEvent *event, const char *name)
{
  ArmillaTraceGroup fresh = { event->node, event->stage, name, event->kind, 0, 0, 0, 0 };

  for (guint i = 0; i < groups->len; i++)
    {
      ArmillaTraceGroup *group = &g_array_index (groups, ArmillaTraceGroup, i);

      if (group->node == event->node && group->stage == event->stage && group->name == name
          && group->kind == event->kind)
        return group;
    }
  g_array_append_val (groups, fresh);
  return &g_array_index (groups, ArmillaTraceGroup, groups->len - 1);
}

/* Returns all tasks and steps in groups (ArmillaTraceGroup) of one node and kind of worker, in the
 * order of their first task. @by_name: different names make different groups, too. */
GArray *
armilla_trace_groups (const ArmillaTraceFile *file, gboolean by_name)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (ArmillaTraceGroup));

  for (guint i = 0; i < file->events->len; i++)
    {
      const ArmillaTraceEvent *event = &g_array_index (file->events, ArmillaTraceEvent, i);
      ArmillaTraceGroup *group = find_group (groups, event, by_name ? event->name : NULL);

      group->n++;
      group->seconds += event->duration;
      group->flops += event->flops;
      group->bytes += event->bytes;
    }
  return groups;
}
