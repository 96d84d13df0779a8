/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the curves of a plot, and assigns names and styles. */
#include <string.h>

#include "core/spectra/spectrum-roles.h"
#include "plugins/pictures/plot-private.h"

static const double grey[3] = { 0.3, 0.3, 0.3 };

static ArmillaCurve *
curve_at (const ArmillaFigure *self, guint i)
{
  return &g_array_index (self->curves, ArmillaCurve, i);
}

static char **
words_of (const char *text)
{
  char **words = g_strsplit (text, ",", -1);

  for (char **word = words; *word != NULL; word++)
    g_strstrip (*word);
  return words;
}

/* Returns whether word is the curve's name, or its number among the curves of its input. */
static gboolean
is_called (const ArmillaFigure *self, guint i, const char *word)
{
  const ArmillaCurve *curve = curve_at (self, i);
  guint64 number = 0, mine = 0;

  if (g_ascii_strcasecmp (curve->group, armilla_spectrum_pair (word)) == 0
      || g_ascii_strcasecmp (curve->name, word) == 0)
    return TRUE;
  for (guint k = 0; k < i; k++)
    mine += curve_at (self, k)->input == curve->input;
  return g_ascii_string_to_unsigned (word, 10, 0, G_MAXUINT32, &number, NULL) && number == mine;
}

static gboolean
fail_unknown (const ArmillaFigure *self, const char *text, const char *word, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < self->curves->len; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", curve_at (self, i)->name);
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                       "spectra = %s: no \"%s\"; there are %s; must be names or numbers from 0 "
                       "separated by commas, or all", text, word, known->str);
}

/* Finds the indices of the named curves, by input, in the order of the names. */
static gboolean
find_named (const ArmillaFigure *self, const char *text, GArray *chosen, GError **error)
{
  g_auto (GStrv) words = words_of (text);
  const guint n = self->curves->len;
  const int last = n > 0 ? curve_at (self, n - 1)->input : -1;

  for (int input = 0; input <= last; input++)
    for (char **word = words; *word != NULL; word++)
      for (guint i = 0; i < n; i++)
        if (curve_at (self, i)->input == input && is_called (self, i, *word))
          g_array_append_val (chosen, i);
  for (char **word = words; *word != NULL; word++)
    {
      gboolean found = FALSE;

      for (guint i = 0; i < n; i++)
        found = found || is_called (self, i, *word);
      if (!found)
        return fail_unknown (self, text, *word, error);
    }
  return TRUE;
}

static gboolean
has_data (const ArmillaFigure *self, const char *group)
{
  for (guint i = 0; i < self->curves->len; i++)
    if (curve_at (self, i)->data
        && (group == NULL || strcmp (curve_at (self, i)->group, group) == 0))
      return TRUE;
  return FALSE;
}

/* Selects all curves. If both theory (lines) and data exist for some quantity, omits lines of
 * quantities without data. */
static void
find_all (const ArmillaFigure *self, GArray *chosen)
{
  gboolean common = FALSE;

  for (guint i = 0; i < self->curves->len; i++)
    common = common || (!curve_at (self, i)->data && has_data (self, curve_at (self, i)->group));
  for (guint i = 0; i < self->curves->len; i++)
    if (!common || curve_at (self, i)->data || *curve_at (self, i)->group == '\0'
        || has_data (self, curve_at (self, i)->group))
      g_array_append_val (chosen, i);
}

static gboolean
choose (ArmillaFigure *self, const char *text, GError **error)
{
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *kept;

  if (text == NULL || g_ascii_strcasecmp (text, "all") == 0)
    find_all (self, chosen);
  else if (!find_named (self, text, chosen, error))
    return FALSE;
  kept = armilla_curves_new ();
  for (guint i = 0; i < chosen->len; i++)
    {
      ArmillaCurve *curve = curve_at (self, g_array_index (chosen, guint, i));

      /* not if an earlier name has moved it */
      if (curve->group != NULL)
        g_array_append_val (kept, *curve);
      memset (curve, 0, sizeof *curve);
    }
  g_array_unref (self->curves);
  self->curves = kept;
  return TRUE;
}

static gboolean
check_alike (const ArmillaFigure *self, GError **error)
{
  const char *unit = "";

  for (guint i = 0; i < self->curves->len; i++)
    {
      const ArmillaCurve *curve = curve_at (self, i);

      if (curve->kind != curve_at (self, 0)->kind)
        return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                             "the inputs have different horizontal axes (%s and %s); plot them "
                             "in two pictures", curve_at (self, 0)->x_label, curve->x_label);
      if (self->unit == NULL && *unit != '\0' && *curve->unit != '\0'
          && strcmp (unit, curve->unit) != 0)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "one axis would have the units \"%s\" and \"%s\"; convert one of the "
                             "inputs, or set unit if both are the same", unit, curve->unit);
      if (*unit == '\0')
        unit = curve->unit;
    }
  return TRUE;
}

/* The distinct quantities of the curves, or the distinct inputs, in the order of first
 * appearance. */
typedef struct {
  GArray *of;    /* [curve]: index of its quantity or input */
  GArray *first; /* [index]: the first curve of the quantity or input */
} Parts;

static void
find_parts (const ArmillaFigure *self, gboolean inputs, Parts *parts)
{
  parts->of = g_array_new (FALSE, FALSE, sizeof (guint));
  parts->first = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < self->curves->len; i++)
    {
      const ArmillaCurve *curve = curve_at (self, i);
      guint k = 0;

      for (; k < parts->first->len; k++)
        {
          const ArmillaCurve *other = curve_at (self, g_array_index (parts->first, guint, k));

          if (inputs ? other->input == curve->input : strcmp (other->group, curve->group) == 0)
            break;
        }
      if (k == parts->first->len)
        g_array_append_val (parts->first, i);
      g_array_append_val (parts->of, k);
    }
}

static guint
part_of (const Parts *parts, guint curve)
{
  return g_array_index (parts->of, guint, curve);
}

static void
parts_clear (Parts *parts)
{
  g_array_unref (parts->of);
  g_array_unref (parts->first);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

/* Checks that property @key has a word for each curve, quantity or input. */
static gboolean
check_count (const ArmillaFigure *self, const char *key, guint n, guint n_groups, guint n_inputs,
             GError **error)
{
  if (n == self->curves->len || n == n_groups || n == n_inputs)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s has %u entries; must be one per curve (%u), quantity (%u) or input (%u)",
                       key, n, self->curves->len, n_groups,
                       n_inputs);
}

static gboolean
set_colours (ArmillaFigure *self, const ArmillaPlotStyle *style, const Parts *groups,
             const Parts *inputs, gboolean by_group, GError **error)
{
  const guint n_groups = groups->first->len, n_inputs = inputs->first->len;
  g_auto (GStrv) words = style->colours != NULL ? words_of (style->colours) : NULL;
  const guint n = words != NULL ? g_strv_length (words) : 0;

  if (words != NULL && !check_count (self, "colours", n, n_groups, n_inputs, error))
    return FALSE;
  for (guint i = 0; i < self->curves->len; i++)
    {
      const guint usual = by_group ? part_of (groups, i) : part_of (inputs, i);
      const guint mine = n == self->curves->len ? i
                         : n == n_groups && (by_group || n != n_inputs) ? part_of (groups, i)
                                                                        : part_of (inputs, i);
      const double *colour = armilla_plot_colour ((int) usual);

      memcpy (curve_at (self, i)->colour, colour, 3 * sizeof (double));
      if (words != NULL && !armilla_colour_parse (words[mine], curve_at (self, i)->colour, error))
        return FALSE;
    }
  return TRUE;
}

/* Gives each input its own marker. Lines get a dash pattern per input only if colours stand for
 * quantities. */
static void
set_marks (ArmillaFigure *self, const Parts *inputs, gboolean by_group)
{
  int n_lines = 0, n_points = 0;

  for (guint k = 0; k < inputs->first->len; k++)
    {
      const gboolean data = curve_at (self, g_array_index (inputs->first, guint, k))->data;

      for (guint i = 0; i < self->curves->len; i++)
        if (part_of (inputs, i) == k)
          {
            ArmillaCurve *curve = curve_at (self, i);

            curve->mark = curve->kind == ARMILLA_CURVE_HISTOGRAM ? ARMILLA_MARK_STEPS
                          : curve->data ? ARMILLA_MARK_CIRCLE + (ArmillaMark) (n_points % 4)
                          : by_group    ? ARMILLA_MARK_LINE + (ArmillaMark) (n_lines % 4)
                                        : ARMILLA_MARK_LINE;
          }
      n_lines += !data;
      n_points += data;
    }
}

/* Adds a legend row for each quantity or input. */
static void
name_parts (ArmillaFigure *self, const Parts *parts, char *const *names, gboolean coloured)
{
  for (guint k = 0; k < parts->first->len; k++)
    {
      const ArmillaCurve *curve = curve_at (self, g_array_index (parts->first, guint, k));

      armilla_legend_add (self->legend, curve->mark, FALSE, coloured ? curve->colour : grey,
                          names != NULL ? names[k] : curve->group);
    }
}

static gboolean
set_legend (ArmillaFigure *self, const ArmillaPlotStyle *style, const Parts *groups,
            const Parts *inputs, gboolean by_group, GError **error)
{
  const guint n_groups = groups->first->len, n_inputs = inputs->first->len;
  g_auto (GStrv) words = style->labels != NULL ? words_of (style->labels) : NULL;
  const guint n = words != NULL ? g_strv_length (words) : 0;
  const gboolean say_groups = !style->panels && (n_groups > 1 || n_inputs == 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (words != NULL && !check_count (self, "labels", n, n_groups, n_inputs, error))
    return FALSE;
  if (n == self->curves->len && !style->panels)
    {
      for (guint i = 0; i < n; i++)
        armilla_legend_add (self->legend, curve_at (self, i)->mark, FALSE,
                            curve_at (self, i)->colour, words[i]);
      return TRUE;
    }
  if (n > 0 && n == n_groups && n != n_inputs)
    {
      name_parts (self, groups, words, TRUE);
      g_clear_pointer (&words, g_strfreev);
    }
  else if (say_groups)
    name_parts (self, groups, NULL, TRUE);
  if (n_inputs == 1 && words == NULL)
    return TRUE;
  for (guint k = 0; k < n_inputs; k++)
    {
      const int input = curve_at (self, g_array_index (inputs->first, guint, k))->input;

      g_ptr_array_add (names, words != NULL ? words[k] : (char *) style->inputs[input]);
    }
  name_parts (self, inputs, (char *const *) names->pdata, !by_group);
  return TRUE;
}

/* Keeps the selected curves, and assigns panels, colours, marks and a legend. If there are several
 * quantities, each has a colour, and inputs differ by marks; otherwise each input has a colour.
 * Fails if @style does not fit the curves. */
gboolean
armilla_figure_arrange (ArmillaFigure *self, const ArmillaPlotStyle *style, GError **error)
{
  g_auto (Parts) groups = { NULL, NULL }, inputs = { NULL, NULL };
  const gboolean chosen = choose (self, style->spectra, error);
  gboolean by_group;

  find_parts (self, FALSE, &groups);
  find_parts (self, TRUE, &inputs);
  if (!chosen || !check_alike (self, error))
    return FALSE;
  by_group = groups.first->len > 1 && (!style->panels || inputs.first->len == 1);
  self->n_panels = style->panels ? (int) groups.first->len : 1;
  if (self->n_panels > ARMILLA_MAX_PANELS)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "panels = true: there are %d spectra; select at most %d by spectra",
                         self->n_panels, ARMILLA_MAX_PANELS);
  for (guint i = 0; style->panels && i < self->curves->len; i++)
    curve_at (self, i)->panel = (int) part_of (&groups, i);
  if (!set_colours (self, style, &groups, &inputs, by_group, error))
    return FALSE;
  set_marks (self, &inputs, by_group);
  self->legend = armilla_legend_new ();
  return set_legend (self, style, &groups, &inputs, by_group, error);
}

void
armilla_figure_clear (ArmillaFigure *self)
{
  g_clear_pointer (&self->curves, g_array_unref);
  g_clear_pointer (&self->legend, g_array_unref);
}
