/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of a graph. A node's layer is the length of the longest path to it. Then the items of each
 * layer are moved towards their neighbours in other layers: first their order is chosen (Sugiyama,
 * Tagawa and Toda 1981), then their positions, with a minimum distance between items (isotonic
 * regression by least squares). */
#include "workflows/report/layout.h"

#define SWEEPS 12
#define MAX_BENDS 20000 /* number of bends above which edges are straight */
#define BEND_WIDTH 4

typedef struct {
  GArray *items;
  GPtrArray *layers;        /* [layer]: GArray of int: items from left to right */
  GPtrArray *neighbours[2]; /* [above, below][item]: GArray of int: neighbours */
  double gap;
} Search;

static ArmillaLayoutItem *
item (const Search *self, int number)
{
  return &g_array_index (self->items, ArmillaLayoutItem, number);
}

static GArray *
ints_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (int));
}

/* Assigns layers. A node without dependencies is placed just above the first node that needs it. */
static void
find_layers (const Search *self, int n, const ArmillaLayoutEdge *edges, int n_edges)
{
  g_autofree gboolean *has_input = g_new0 (gboolean, n + 1);
  g_autofree int *first_use = g_new (int, n + 1);
  gboolean changed = TRUE;

  while (changed)
    {
      changed = FALSE;
      for (int e = 0; e < n_edges; e++)
        if (item (self, edges[e].to)->layer <= item (self, edges[e].from)->layer)
          {
            item (self, edges[e].to)->layer = item (self, edges[e].from)->layer + 1;
            changed = TRUE;
          }
    }
  for (int i = 0; i < n; i++)
    first_use[i] = G_MAXINT;
  for (int e = 0; e < n_edges; e++)
    {
      has_input[edges[e].to] = TRUE;
      first_use[edges[e].from]
        = MIN (first_use[edges[e].from], item (self, edges[e].to)->layer);
    }
  for (int i = 0; i < n; i++)
    if (!has_input[i] && first_use[i] < G_MAXINT)
      item (self, i)->layer = first_use[i] - 1;
}

static void
connect (const Search *self, int above, int below)
{
  g_array_append_val ((GArray *) g_ptr_array_index (self->neighbours[1], above), below);
  g_array_append_val ((GArray *) g_ptr_array_index (self->neighbours[0], below), above);
}

static void
add_item (const Search *self, int layer, double width)
{
  const ArmillaLayoutItem fresh = { layer, 0, width };

  g_array_append_val (self->items, fresh);
  for (int side = 0; side < 2; side++)
    g_ptr_array_add (self->neighbours[side], ints_new ());
}

static void
add_edges (const Search *self, ArmillaLayoutEdge *edges, int n_edges)
{
  gint64 n_bends = 0;

  for (int e = 0; e < n_edges; e++)
    n_bends += item (self, edges[e].to)->layer - item (self, edges[e].from)->layer - 1;
  for (int e = 0; e < n_edges; e++)
    {
      const int top = item (self, edges[e].from)->layer;
      const int n = n_bends <= MAX_BENDS ? item (self, edges[e].to)->layer - top - 1 : 0;
      int before = edges[e].from;

      edges[e].first = (int) self->items->len;
      edges[e].n = n;
      for (int i = 1; i <= n; i++)
        {
          add_item (self, top + i, BEND_WIDTH);
          connect (self, before, (int) self->items->len - 1);
          before = (int) self->items->len - 1;
        }
      if (item (self, edges[e].to)->layer == item (self, before)->layer + 1)
        connect (self, before, edges[e].to);
    }
}

static void
fill_layers (const Search *self, int n_layers)
{
  for (int i = 0; i < n_layers; i++)
    g_ptr_array_add (self->layers, ints_new ());
  for (int i = 0; i < (int) self->items->len; i++)
    g_array_append_val ((GArray *) g_ptr_array_index (self->layers, item (self, i)->layer), i);
}

/* Returns the mean position of the neighbours of an item above or below it; its own position if
 * there are none. */
static double
wanted (const Search *self, int number, int side)
{
  const GArray *near = g_ptr_array_index (self->neighbours[side], number);
  double sum = 0;

  for (guint i = 0; i < near->len; i++)
    sum += item (self, g_array_index (near, int, i))->x;
  return near->len > 0 ? sum / near->len : item (self, number)->x;
}

typedef struct {
  double wanted;
  guint place;
  int number;
} Wish;

static int
compare_wishes (gconstpointer a, gconstpointer b)
{
  const Wish *x = a, *y = b;

  if (x->wanted != y->wanted)
    return x->wanted < y->wanted ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

/* Sorts the items of a layer by the positions of their neighbours above or below, rounded to
 * integers. */
static void
order_layer (const Search *self, GArray *layer, int side)
{
  g_autofree Wish *wishes = g_new (Wish, layer->len + 1);

  for (guint i = 0; i < layer->len; i++)
    wishes[i] = (Wish) { wanted (self, g_array_index (layer, int, i), side), i,
                         g_array_index (layer, int, i) };
  qsort (wishes, layer->len, sizeof *wishes, compare_wishes);
  for (guint i = 0; i < layer->len; i++)
    {
      g_array_index (layer, int, i) = wishes[i].number;
      item (self, wishes[i].number)->x = i - layer->len / 2.0;
    }
}

/* Places the items of a layer as close as possible to the mean position of their neighbours above
 * or below. Items that would overlap move together, to the mean of their wanted positions. */
static void
place_layer (const Search *self, const GArray *layer, int side)
{
  g_autofree double *offset = g_new (double, layer->len + 1);
  g_autofree double *mean = g_new (double, layer->len + 1);
  g_autofree guint *count = g_new (guint, layer->len + 1);
  guint n = 0, at = 0;

  for (guint i = 0; i < layer->len; i++)
    {
      const int number = g_array_index (layer, int, i);
      const double half = item (self, number)->width / 2;

      offset[i] = i == 0 ? 0
                         : offset[i - 1] + self->gap + half
                             + item (self, g_array_index (layer, int, i - 1))->width / 2;
      mean[n] = wanted (self, number, side) - offset[i];
      count[n++] = 1;
      for (; n > 1 && mean[n - 2] > mean[n - 1]; n--)
        {
          const guint sum = count[n - 2] + count[n - 1];

          mean[n - 2] = (mean[n - 2] * count[n - 2] + mean[n - 1] * count[n - 1]) / sum;
          count[n - 2] = sum;
        }
    }
  for (guint stretch = 0; stretch < n; stretch++)
    for (guint i = 0; i < count[stretch]; i++, at++)
      item (self, g_array_index (layer, int, at))->x = mean[stretch] + offset[at];
}

static void
sweep (const Search *self, gboolean order)
{
  const int n = (int) self->layers->len;

  for (int s = 0; s < SWEEPS; s++)
    for (int i = 0; i < n; i++)
      {
        const int side = s % 2;
        GArray *layer = g_ptr_array_index (self->layers, side == 0 ? i : n - 1 - i);

        if (order)
          order_layer (self, layer, side);
        else
          place_layer (self, layer, side);
      }
}

/* Shifts all items so that the leftmost begins at 0; returns the width. */
static double
shift (const Search *self)
{
  double left = G_MAXDOUBLE, right = -G_MAXDOUBLE;

  for (int i = 0; i < (int) self->items->len; i++)
    {
      left = MIN (left, item (self, i)->x - item (self, i)->width / 2);
      right = MAX (right, item (self, i)->x + item (self, i)->width / 2);
    }
  for (int i = 0; i < (int) self->items->len; i++)
    item (self, i)->x -= left;
  return self->items->len > 0 ? right - left : 0;
}

/* Places nodes with these widths in layers, at a distance of at least @gap, and adds bends to
 * edges. The edges must not form circles. */
ArmillaLayout *
armilla_layout_new (const double *widths, int n, ArmillaLayoutEdge *edges, int n_edges, double gap)
{
  ArmillaLayout *self = g_new0 (ArmillaLayout, 1);
  Search search = { .gap = gap };

  search.items = self->items = g_array_new (FALSE, FALSE, sizeof (ArmillaLayoutItem));
  search.layers = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (int side = 0; side < 2; side++)
    search.neighbours[side] = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (int i = 0; i < n; i++)
    add_item (&search, 0, widths[i]);
  find_layers (&search, n, edges, n_edges);
  add_edges (&search, edges, n_edges);
  for (int i = 0; i < n; i++)
    self->n_layers = MAX (self->n_layers, item (&search, i)->layer + 1);
  fill_layers (&search, self->n_layers);
  sweep (&search, TRUE);
  sweep (&search, FALSE);
  self->width = shift (&search);
  g_ptr_array_unref (search.layers);
  for (int side = 0; side < 2; side++)
    g_ptr_array_unref (search.neighbours[side]);
  return self;
}

void
armilla_layout_free (ArmillaLayout *self)
{
  g_array_unref (self->items);
  g_free (self);
}
