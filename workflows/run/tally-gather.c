/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects on rank 0 what nodes have read and written on the other ranks. */
#include "tasks/graph/graph.h"
#include "tasks/runtime/share.h"
#include "workflows/run/tally.h"

#include <string.h>

#define PATTERN "(xaytttb)"
#define NODE "(asa(s" PATTERN ")dxd" PATTERN "aayd)"

static GVariant *
pack_pattern (const ArmillaNamePattern *names)
{
  return g_variant_new ("(x@aytttb)", names->n,
                        g_variant_new_bytestring (names->first != NULL ? names->first : ""),
                        (guint64) names->prefix, (guint64) names->suffix,
                        (guint64) names->shortest, names->differ);
}

static void
merge_pattern (ArmillaNamePattern *names, GVariant *packed)
{
  g_autoptr (GVariant) first = NULL;
  ArmillaNamePattern other;
  guint64 prefix, suffix, shortest;

  g_variant_get (packed, "(x@aytttb)", &other.n, &first, &prefix, &suffix, &shortest,
                 &other.differ);
  other.first = (char *) g_variant_get_bytestring (first);
  other.prefix = prefix;
  other.suffix = suffix;
  other.shortest = shortest;
  armilla_name_pattern_merge (names, &other);
}

static GVariant *
pack_node (const ArmillaTallyNode *node)
{
  GVariantBuilder shapes, reads, first;

  g_variant_builder_init (&shapes, G_VARIANT_TYPE ("as"));
  g_variant_builder_init (&reads, G_VARIANT_TYPE ("a(s" PATTERN ")"));
  g_variant_builder_init (&first, G_VARIANT_TYPE ("aay"));
  for (int i = 0; i < ARMILLA_STAGE_MAX_PORTS; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (node->shapes[i] ? node->shapes[i] : "", -1);

      g_variant_builder_add (&shapes, "s", valid);
    }
  for (guint i = 0; i < node->reads->len; i++)
    {
      const ArmillaTallyRead *read = &g_array_index (node->reads, ArmillaTallyRead, i);

      g_variant_builder_add (&reads, "(s@" PATTERN ")", read->property,
                             pack_pattern (&read->names));
    }
  for (guint i = 0; i < node->first->len; i++)
    g_variant_builder_add_value (&first,
                                 g_variant_new_bytestring (g_ptr_array_index (node->first, i)));
  return g_variant_new ("(asa(s" PATTERN ")dxd@" PATTERN "aayd)", &shapes, &reads, node->pixels,
                        node->objects, node->seconds, pack_pattern (&node->written), &first,
                        node->bytes);
}

/* Adds the files that properties of a node name on another rank. All ranks list the properties in
 * the same order, that of the class. */
static void
merge_reads (const ArmillaNode *node, ArmillaTallyNode *mine, GVariant *packed)
{
  GVariantIter iter;
  const char *property;
  GVariant *names;

  g_variant_iter_init (&iter, packed);
  while (g_variant_iter_next (&iter, "(&s@" PATTERN ")", &property, &names))
    {
      const GParamSpec *pspec
        = g_object_class_find_property (G_OBJECT_CLASS (node->klass), property);

      if (pspec != NULL)
        merge_pattern (armilla_tally_reads (mine, pspec->name), names);
      g_variant_unref (names);
    }
}

static void
merge_node (const ArmillaNode *node, ArmillaTallyNode *mine, GVariant *packed)
{
  g_autoptr (GVariant) shapes = NULL, reads = NULL, written = NULL, first = NULL;
  double pixels, seconds, bytes;
  gint64 objects;

  g_variant_get (packed, "(@as@a(s" PATTERN ")dxd@" PATTERN "@aayd)", &shapes, &reads, &pixels,
                 &objects, &seconds, &written, &first, &bytes);
  for (gsize i = 0; i < g_variant_n_children (shapes); i++)
    {
      const char *shape;

      g_variant_get_child (shapes, i, "&s", &shape);
      if (mine->shapes[i] == NULL && *shape != '\0')
        mine->shapes[i] = g_strdup (shape);
    }
  merge_reads (node, mine, reads);
  mine->pixels += pixels;
  mine->objects += objects;
  mine->seconds += seconds;
  merge_pattern (&mine->written, written);
  for (gsize i = 0; i < g_variant_n_children (first); i++)
    {
      g_autoptr (GVariant) name = g_variant_get_child_value (first, i);

      if (mine->first->len < ARMILLA_LEDGER_MAX_NAMES)
        g_ptr_array_add (mine->first, g_strdup (g_variant_get_bytestring (name)));
    }
  mine->bytes += bytes;
}

/* Adds what this rank's graph has recorded, except for the files of lots. */
static void
add_ledger (ArmillaTally *self, ArmillaGraph *graph)
{
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (self->workflow, (int) i);
      const ArmillaLedgerEntry *entry = armilla_graph_ledger (graph, node->name);
      ArmillaTallyNode *mine = &self->nodes[i];

      if (entry == NULL)
        continue;
      mine->seconds += entry->seconds;
      if (self->counts && mine->reads->len > 0)
        mine->objects += entry->objects;
      if (node->n_outputs > 0)
        continue;
      armilla_name_pattern_merge (&mine->written, &entry->names);
      for (guint j = 0; j < entry->first->len; j++)
        g_ptr_array_add (mine->first, g_strdup (g_ptr_array_index (entry->first, j)));
      mine->bytes += entry->bytes;
    }
}

static void
merge_rank (ArmillaTally *self, const GByteArray *bytes)
{
  g_autoptr (GVariant) packed
    = g_variant_ref_sink (g_variant_new_from_data (G_VARIANT_TYPE ("a" NODE), bytes->data,
                                                   bytes->len, FALSE, NULL, NULL));

  for (guint i = 0; i < self->workflow->nodes->len && i < g_variant_n_children (packed); i++)
    {
      g_autoptr (GVariant) node = g_variant_get_child_value (packed, i);

      merge_node (armilla_workflow_node (self->workflow, (int) i), &self->nodes[i], node);
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  g_autofree char *x = g_utf8_collate_key_for_filename (*(const char *const *) a, -1);
  g_autofree char *y = g_utf8_collate_key_for_filename (*(const char *const *) b, -1);

  return strcmp (x, y);
}

static void
sort_names (ArmillaTally *self)
{
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    g_ptr_array_sort (self->nodes[i].first, compare_names);
}

/* Adds what the finished graph has recorded and, on rank 0, what the other ranks have.
 * Collective. */
gboolean
armilla_tally_gather (ArmillaTally *self, ArmillaRuntime *runtime, ArmillaGraph *graph,
                      GError **error)
{
  g_autoptr (GByteArray) own = g_byte_array_new ();
  g_autoptr (GVariant) packed = NULL;
  g_autoptr (GPtrArray) all = NULL;
  GVariantBuilder nodes;

  add_ledger (self, graph);
  if (armilla_runtime_n_ranks (runtime) == 1)
    {
      sort_names (self);
      return TRUE;
    }
  g_variant_builder_init (&nodes, G_VARIANT_TYPE ("a" NODE));
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    g_variant_builder_add_value (&nodes, pack_node (&self->nodes[i]));
  packed = g_variant_ref_sink (g_variant_builder_end (&nodes));
  g_byte_array_append (own, g_variant_get_data (packed), (guint) g_variant_get_size (packed));
  all = armilla_runtime_collect (runtime, own, error);
  if (all == NULL)
    return FALSE;
  for (guint rank = 1; rank < all->len; rank++)
    merge_rank (self, g_ptr_array_index (all, rank));
  sort_names (self);
  return TRUE;
}
