/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast kernels and host steps were, from the traces of runs. */
#include <string.h>

#include "workflows/forecast-run.h"
#include "workflows/trace-reader.h"

typedef struct {
  double flops, bytes, seconds;
} Sum;

static const struct {
  const char *kind, *group;
} groups[] = { { "CPU", "cpu" }, { "CUDA", "cuda" }, { "host", "host" } };

static void
add_file (const ArmillaTraceFile *file, GHashTable *const *sums)
{
  for (guint i = 0; i < file->events->len; i++)
    {
      const ArmillaTraceEvent *event = &g_array_index (file->events, ArmillaTraceEvent, i);

      for (gsize k = 0; k < G_N_ELEMENTS (groups); k++)
        if (strcmp (event->kind, groups[k].kind) == 0)
          {
            Sum *sum = g_hash_table_lookup (sums[k], event->name);

            if (sum == NULL)
              {
                sum = g_new0 (Sum, 1);
                g_hash_table_insert (sums[k], g_strdup (event->name), sum);
              }
            sum->flops += event->flops;
            sum->bytes += event->bytes;
            sum->seconds += event->duration;
          }
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

static void
append_group (GString *text, const char *group, GHashTable *sums)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (sums), compare_names);

  if (names != NULL)
    g_string_append_printf (text, "[%s]\n", group);
  for (GList *i = names; i != NULL; i = i->next)
    {
      const Sum *sum = g_hash_table_lookup (sums, i->data);

      armilla_node_model_print_rate (text, i->data, sum->flops, sum->bytes, sum->seconds);
    }
}

/**
 * armilla_measure_rates:
 * @traces: (array zero-terminated=1): files of armilla run --trace or armilla bench --trace
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the groups [cpu], [cuda] and [host] of a node's file: work
 *   over time of all tasks of a name; or %NULL with the error of a file that is no trace
 */
char *
armilla_measure_rates (char *const *traces, GError **error)
{
  GHashTable *sums[G_N_ELEMENTS (groups)];
  GString *text = g_string_new (NULL);
  gboolean ok = TRUE;

  for (gsize k = 0; k < G_N_ELEMENTS (groups); k++)
    sums[k] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (; ok && *traces != NULL; traces++)
    {
      g_autoptr (ArmillaTraceFile) file = armilla_trace_file_read (*traces, error);

      ok = file != NULL;
      if (ok)
        add_file (file, sums);
    }
  for (gsize k = 0; k < G_N_ELEMENTS (groups); k++)
    {
      append_group (text, groups[k].group, sums[k]);
      g_hash_table_unref (sums[k]);
    }
  return g_string_free (text, !ok);
}
