/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/graph/extras.h"

typedef struct {
  const ArmillaExtraKind *kind;
  GPtrArray *list;
} Kept;

/* There are few kinds, so the list is searched linearly. */
struct _ArmillaExtras {
  GArray *kept; /* Kept, in the order of creation */
};

/* Returns an empty list of extras. */
ArmillaExtras *
armilla_extras_new (void)
{
  ArmillaExtras *self = g_new0 (ArmillaExtras, 1);

  self->kept = g_array_new (FALSE, FALSE, sizeof (Kept));
  return self;
}

/* Returns the graph's extras of that kind, to which more may be added. For the submitting thread
 * only. */
GPtrArray *
armilla_extras_get (ArmillaExtras *self, const ArmillaExtraKind *kind)
{
  Kept fresh = { kind, NULL };

  for (guint i = 0; i < self->kept->len; i++)
    if (g_array_index (self->kept, Kept, i).kind == kind)
      return g_array_index (self->kept, Kept, i).list;
  fresh.list = g_ptr_array_new_with_free_func (kind->free);
  g_array_append_val (self->kept, fresh);
  return fresh.list;
}

/* Frees extras that no later job will need. */
void
armilla_extras_trim (ArmillaExtras *self, ArmillaGraph *graph)
{
  for (guint i = 0; i < self->kept->len; i++)
    {
      const Kept *kept = &g_array_index (self->kept, Kept, i);

      if (kept->kind->trim)
        kept->kind->trim (graph, kept->list);
    }
}

/* Frees the last kinds first, since they may refer to earlier ones. */
void
armilla_extras_free (ArmillaExtras *self)
{
  for (guint i = self->kept->len; i-- > 0;)
    g_ptr_array_unref (g_array_index (self->kept, Kept, i).list);
  g_array_unref (self->kept);
  g_free (self);
}
