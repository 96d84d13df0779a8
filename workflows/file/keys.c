/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "workflows/file/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/build-identity.h"
#include "core/files/regular-file.h"
#include "tasks/runtime/share.h"
#include "workflows/file/passes.h"
#include "workflows/text/expand.h"

#define CHUNK 1048576
#define NO_FILE "-" /* replaces the checksum if the path is not a file */

struct _ArmillaKeys {
  const ArmillaWorkflow *workflow;
  char *run;          /* text on which the keys of all nodes depend */
  char **codes;       /* [node]: identity of the module that contains its stage */
  char **keys;        /* [node]: key */
  /* [node][point]: key of the collected data; one point if the node joins points */
  char **collected;
  GHashTable *files;  /* path -> checksum of the contents, or NO_FILE if it is no file */
};

static gsize
n_collected (const ArmillaWorkflow *workflow)
{
  return (gsize) workflow->nodes->len * (gsize) armilla_sweep_points_count (workflow->points);
}

/* Returns the keys of a workflow without problems, which must outlive them. @machine: other
 * properties on which the last bits of results depend, see armilla_runtime_kind (). */
ArmillaKeys *
armilla_keys_new (const ArmillaWorkflow *workflow, const char *machine)
{
  ArmillaKeys *self = g_new0 (ArmillaKeys, 1);
  g_autofree char *library = armilla_build_identity ((const void *) armilla_runtime_kind);
  g_autofree char *program = armilla_build_identity ((const void *) armilla_keys_new);

  self->workflow = workflow;
  self->run = g_strdup_printf ("%s\n%s\n%s\n%s\n%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %d %d\n",
                               PACKAGE_STRING, library, program, machine, workflow->ring_block,
                               workflow->m_blocks, (int) workflow->interpolation,
                               armilla_workflow_n_realisations (workflow) > 1);
  self->codes = g_new0 (char *, workflow->nodes->len + 1);
  self->keys = g_new0 (char *, workflow->nodes->len + 1);
  self->collected = g_new0 (char *, n_collected (workflow));
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      self->codes[i] = armilla_build_identity ((const void *) node->klass->prepare);
    }
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

/* Returns the SHA-256 of a file. */
char *
armilla_keys_sum_file (const char *path, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *buffer = g_malloc (CHUNK);
  g_autoptr (GError) why = NULL;
  int fd = armilla_regular_open (path, O_RDONLY, &why);
  gssize got = -1;

  while (fd >= 0 && (got = armilla_read_all (fd, buffer, CHUNK, ARMILLA_AT_POSITION)) > 0)
    g_checksum_update (sum, buffer, got);
  if (got < 0)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s: cannot be read: %s", path,
                 why != NULL ? why->message : g_strerror (errno));
  if (fd >= 0)
    close (fd); /* the file was only read */
  return got < 0 ? NULL : g_strdup (g_checksum_get_string (sum));
}

/* Returns the checksum of the file that a property names, if there is one. An unreadable file is
 * not reported here: the stage knows what the file is for. */
static const char *
file_sum (ArmillaKeys *self, const char *path)
{
  const char *known = g_hash_table_lookup (self->files, path);
  char *sum = NULL;
  struct stat status;

  if (known != NULL)
    return known;
  if (*path != '\0' && g_stat (path, &status) == 0 && S_ISREG (status.st_mode))
    sum = armilla_keys_sum_file (path, NULL);
  if (sum == NULL)
    sum = g_strdup (NO_FILE);
  g_hash_table_insert (self->files, g_strdup (path), sum);
  return sum;
}

static int
compare_settings (gconstpointer a, gconstpointer b)
{
  const ArmillaSetting *const *x = a, *const *y = b;

  return strcmp ((*x)->pspec->name, (*y)->pspec->name);
}

static gboolean
add_setting (ArmillaKeys *self, const ArmillaNode *node, const ArmillaSetting *setting,
             gint64 pass, GString *text, GError **error)
{
  g_autofree char *value = NULL;
  ArmillaExpansion expansion;
  gboolean own = node->n_outputs == 0 && strcmp (setting->pspec->name, "file") == 0;

  if (!armilla_workflow_expand (self->workflow, setting->entry->value, pass, &expansion, error))
    return FALSE;
  value = expansion.text;
  g_string_append_printf (text, "%s = %s\n", setting->pspec->name, value);
  /* no checksum for a file that this workflow writes: the key of the node that writes it stands for
   * its contents */
  if (armilla_written_by (node, setting) >= 0)
    g_string_append_printf (text, "%s\n", self->keys[armilla_written_by (node, setting)]);
  else if (!own && G_IS_PARAM_SPEC_STRING (setting->pspec))
    {
      g_autofree char *path = armilla_unescape (value, error);

      if (path == NULL)
        return FALSE;
      g_string_append_printf (text, "%s\n", file_sum (self, path));
    }
  return TRUE;
}

static guint32
find_used (const ArmillaWorkflow *workflow, int number)
{
  guint32 used = 0;

  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      for (int k = 0; k < node->n_inputs; k++)
        if (node->inputs[k].node == number)
          used |= 1U << node->inputs[k].port;
    }
  return used;
}

static char **
collected_place (const ArmillaKeys *self, int node, gint64 point)
{
  return &self->collected[(gint64) node * armilla_sweep_points_count (self->workflow->points)
                          + point];
}

static gboolean
set_node (ArmillaKeys *self, int number, gint64 pass, GError **error)
{
  const ArmillaWorkflow *workflow = self->workflow;
  const ArmillaNode *node = armilla_workflow_node (workflow, number);
  const ArmillaNodePasses kind = armilla_pass_kind (workflow, pass);
  g_autoptr (GString) text = g_string_new (self->run);
  g_autoptr (GPtrArray) settings = g_ptr_array_new ();

  g_string_append_printf (text, "%s\n%s\n%s%" G_GINT64_FORMAT "\n", self->codes[number],
                          node->klass->nick, kind == ARMILLA_PASS_LAST  ? "last "
                                             : kind == ARMILLA_PASS_END ? "end " : "",
                          armilla_pass_index (workflow, pass));
  for (guint i = 0; i < node->settings->len; i++)
    g_ptr_array_add (settings, &g_array_index (node->settings, ArmillaSetting, i));
  g_ptr_array_sort (settings, compare_settings);
  for (guint i = 0; i < settings->len; i++)
    if (!add_setting (self, node, g_ptr_array_index (settings, i), pass, text, error))
      return FALSE;
  if (armilla_node_collects (node))
    g_string_append_printf (text, "used %x\n", find_used (workflow, number));
  if (armilla_node_gives (node, kind))
    g_string_append (text, *collected_place (self, number, armilla_pass_point (workflow, pass)));
  for (int i = 0; i < node->n_inputs; i++)
    g_string_append_printf (
      text, "%s %d\n", node->inputs[i].node >= 0 ? self->keys[node->inputs[i].node] : "none",
      node->inputs[i].port);
  g_free (self->keys[number]);
  self->keys[number] = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, -1);
  return TRUE;
}

/* Sets the key of the data that a node has collected at a point of the sweep. Must be called before
 * the keys of the last pass of that point are computed. */
void
armilla_keys_set_collected (ArmillaKeys *self, int node, gint64 point, const char *key)
{
  char **place = collected_place (self, node, point);

  g_free (*place);
  *place = g_strdup (key);
}

/* Computes the keys of all nodes in a pass. They depend on: the program and the modules of the
 * stages, the sizes of tiles, the number of the realisation, the properties of the node and of the
 * nodes before it, and the contents of files that properties name. For an output file the name
 * counts, not the contents. */
gboolean
armilla_keys_set (ArmillaKeys *self, gint64 pass, GError **error)
{
  for (guint i = 0; i < self->workflow->order->len; i++)
    if (!set_node (self, g_array_index (self->workflow->order, int, i), pass, error))
      return FALSE;
  return TRUE;
}

/* Returns the node's key, 64 digits. */
const char *
armilla_keys_get (const ArmillaKeys *self, int node)
{
  return self->keys[node];
}

/* Returns whether the collecting node stores sums (of maps or a_lm), and only those that its
 * connected outputs need; of other data it stores everything. */
static gboolean
keeps_sums (const ArmillaWorkflow *workflow, const ArmillaLink *link)
{
  const ArmillaNode *node = armilla_workflow_node (workflow, link->node);
  const GType type = armilla_stage_port (node->klass, ARMILLA_PORT_OUT, link->port)->get_type ();

  return !g_type_is_a (type, ARMILLA_TYPE_CL) && !g_type_is_a (type, ARMILLA_TYPE_TABLE_DATA);
}

/* Returns a key of the data that a collecting node reads in this pass. It depends on the node's
 * connected outputs only if they determine what is stored. */
char *
armilla_keys_get_taken (const ArmillaKeys *self, int node)
{
  const ArmillaNode *collector = armilla_workflow_node (self->workflow, node);
  g_autoptr (GString) text = g_string_new (self->run);

  g_string_append_printf (text, "%s\n%s\n", self->codes[node], collector->klass->nick);
  for (int i = 0; i < collector->n_inputs; i++)
    {
      const ArmillaLink *link = &collector->inputs[i];

      if (link->node < 0)
        continue;
      g_string_append_printf (text, "%s %d", self->keys[link->node], link->port);
      if (keeps_sums (self->workflow, link))
        g_string_append_printf (text, " used %x", find_used (self->workflow, node));
    }
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, -1);
}

/* Appends the checksums of all files to @bytes, so that other ranks need not read the files. */
void
armilla_keys_save (const ArmillaKeys *self, GByteArray *bytes)
{
  GHashTableIter iter;
  gpointer path, sum;

  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, &path, &sum))
    {
      g_byte_array_append (bytes, path, (guint) strlen (path) + 1);
      g_byte_array_append (bytes, sum, (guint) strlen (sum) + 1);
    }
}

/* Adds checksums that armilla_keys_save () wrote on another rank. */
void
armilla_keys_load (ArmillaKeys *self, const GByteArray *bytes)
{
  const char *p = (const char *) bytes->data, *end = p + bytes->len;

  while (p < end)
    {
      const char *sum = p + strlen (p) + 1;

      g_hash_table_insert (self->files, g_strdup (p), g_strdup (sum));
      p = sum + strlen (sum) + 1;
    }
}

void
armilla_keys_free (ArmillaKeys *self)
{
  g_hash_table_unref (self->files);
  g_strfreev (self->codes);
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    g_free (self->keys[i]);
  for (gsize i = 0; i < n_collected (self->workflow); i++)
    g_free (self->collected[i]);
  g_free (self->collected);
  g_free (self->keys);
  g_free (self->run);
  g_free (self);
}
