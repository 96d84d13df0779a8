/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that the files that a workflow reads exist. */
#include "workflows/run/runner.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/base/stage.h"
#include "workflows/file/passes.h"

/* Adds a problem with the reason unless the file is readable. */
static gboolean
check_file (const ArmillaWorkflow *workflow, const ArmillaNode *node,
            const ArmillaSetting *setting, gint64 index, const char *path,
            ArmillaProblems *problems)
{
  g_autofree char *pass = armilla_pass_describe (workflow, index);
  g_autofree char *where = setting->varies && *pass != '\0' ? g_strdup_printf ("in %s: ", pass)
                                                            : g_strdup ("");
  const ArmillaPlace place = setting->entry->value_place;
  const char *key = setting->pspec->name;
  struct stat status;
  int problem = 0;

  if (g_stat (path, &status) != 0 || g_access (path, R_OK) != 0)
    problem = errno;
  if (problem == 0 && !S_ISDIR (status.st_mode))
    return TRUE;
  if (problem == 0)
    armilla_problems_add (problems, place, node->name, key, "%s%s is a folder, not a file", where,
                          path);
  else
    armilla_problems_add (problems, place, node->name, key, "%s%s: cannot be read: %s%s", where,
                          path, g_strerror (problem),
                          problem == ENOENT ? "; check the name" : "");
  return FALSE;
}

typedef struct {
  const ArmillaWorkflow *workflow;
  const ArmillaNode *node;
  const ArmillaSetting *setting;
  ArmillaProblems *problems;
} Search;

static gboolean
look_for (gpointer user, gint64 pass)
{
  const Search *search = user;
  g_auto (GValue) value = G_VALUE_INIT;
  const char *path;

  if (!armilla_workflow_value (search->workflow, search->setting, pass, &value, NULL))
    return FALSE; /* validated */
  path = g_value_get_string (&value);
  return !armilla_param_spec_names_input (search->setting->pspec, path)
         || check_file (search->workflow, search->node, search->setting, pass, path,
                        search->problems);
}

/* Checks the files that a property names in all passes; reports the first one that is missing. */
static void
check_setting (const ArmillaWorkflow *workflow, const ArmillaNode *node,
               const ArmillaSetting *setting, ArmillaProblems *problems)
{
  const Search search = { workflow, node, setting, problems };
  g_auto (GValue) value = G_VALUE_INIT;
  const char *text = NULL;

  if (armilla_workflow_value (workflow, setting, 0, &value, NULL))
    text = g_value_get_string (&value);
  armilla_setting_each_pass (workflow, setting,
                             armilla_workflow_tries (workflow, text != NULL ? text : ""), look_for,
                             (gpointer) &search);
}

/* Checks, without opening them, that the files exist that nodes read in all realisations (if there
 * are many, in the first and last ones). */
gboolean
armilla_inputs_check (const ArmillaWorkflow *workflow, ArmillaProblems *problems)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      for (guint j = 0; j < node->settings->len; j++)
        {
          const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, j);

          if (armilla_param_spec_is_input_file (setting->pspec)
              && armilla_written_by (node, setting) < 0)
            check_setting (workflow, node, setting, problems);
        }
    }
  return armilla_problems_count (problems) == 0;
}
