/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/graph/extras.h"

typedef struct {
  const ArmillaExtraKind *kind;
  gpointer extra;
} Kept;

/* A handful: found by looking at each. */
struct _ArmillaExtras {
  GArray *kept; /* Kept, in the order of making */
};

/**
 * armilla_extras_new:
 *
 * Returns: (transfer full): extras of a new graph: none
 */
ArmillaExtras *
armilla_extras_new (void)
{
  ArmillaExtras *self = g_new0 (ArmillaExtras, 1);

  self->kept = g_array_new (FALSE, FALSE, sizeof (Kept));
  return self;
}

/**
 * armilla_extras_get:
 * @self: extras of @graph
 * @graph: the graph
 * @kind: what is wanted
 *
 * For the submitting thread only.
 *
 * Returns: (transfer none): the graph's extra of that kind, made when it is asked for first
 */
gpointer
armilla_extras_get (ArmillaExtras *self, ArmillaGraph *graph, const ArmillaExtraKind *kind)
{
  Kept fresh = { kind, NULL };

  for (guint i = 0; i < self->kept->len; i++)
    if (g_array_index (self->kept, Kept, i).kind == kind)
      return g_array_index (self->kept, Kept, i).extra;
  fresh.extra = kind->create (graph);
  g_array_append_val (self->kept, fresh);
  return fresh.extra;
}

/**
 * armilla_extras_trim:
 * @self: extras of @graph
 * @graph: the graph, to which nothing more is submitted for now
 *
 * Lets all extras free what nobody will need.
 */
void
armilla_extras_trim (ArmillaExtras *self, ArmillaGraph *graph)
{
  for (guint i = 0; i < self->kept->len; i++)
    {
      const Kept *kept = &g_array_index (self->kept, Kept, i);

      if (kept->kind->trim)
        kept->kind->trim (graph, kept->extra);
    }
}

/**
 * armilla_extras_free:
 * @self: (transfer full): extras of a graph whose tasks are done
 *
 * Frees the last ones first, since they may look at those before them.
 */
void
armilla_extras_free (ArmillaExtras *self)
{
  for (guint i = self->kept->len; i-- > 0;)
    {
      const Kept *kept = &g_array_index (self->kept, Kept, i);

      kept->kind->free (kept->extra);
    }
  g_array_unref (self->kept);
  g_free (self);
}
