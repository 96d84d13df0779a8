/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches the fastest choices on this machine, one parameter after another. Candidates alternate
 * with the best choice so far, call by call, so that other load on the machine affects both
 * equally.
 *
 * Each direction is searched separately. The cut of data is searched again for graphs with both
 * directions if the two prefer different cuts, since their maps and a_lm are cut once. */
#include "config.h"

#include "core/base/compare.h"
#include "tasks/benchmark/tune-search.h"

#include <string.h>

#define MIN_ROUNDS 3
#define MAX_ROUNDS 9
#define ROUNDS_SECONDS 1.5 /* duration of a comparison, s; longer if the first rounds take longer */
#define HOPELESS 1.15 /* ratio of times in the first rounds from which a candidate is dropped */
#define HOPELESS_ROUNDS 2  /* number of these first rounds: one round may be slow for another
                            * reason */
#define WORTH_MOVING 0.98  /* maximum ratio of times for a candidate to replace the best choice;
                            * smaller gains are noise */
#define WORTH_KEEPING 0.97 /* maximum time of the final choice relative to the defaults */

typedef struct {
  const ArmillaTuneTimer *timer;
  ArmillaTuneClass klass; /* class whose choice is searched */
  gint64 due;             /* time at which the search stops */
  ArmillaTuning *found;
} Search;

typedef struct {
  const ArmillaTuneTimer *timer;
  ArmillaTuneChoice choice;
  gpointer ready;
} Trial;

static void
trial_free (Trial *trial)
{
  if (trial->ready)
    trial->timer->end (trial->ready);
  g_free (trial);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Trial, trial_free)

/* Sets the parameters of one direction: sizes of tiles from @choice, the others as found before. */
static void
set_cut (ArmillaTuning *tuning, ArmillaTuneClass klass, ArmillaTransforms direction,
         const ArmillaTuneChoice *choice)
{
  ArmillaTuneChoice own;

  klass.which = direction;
  for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
    own.value[p]
      = armilla_tune_is_cut (p) ? choice->value[p] : armilla_tuning_get (tuning, klass, p);
  armilla_tuning_set (tuning, klass, &own);
}

static Trial *
trial_new (const Search *search, const ArmillaTuneChoice *choice, GError **error)
{
  g_autoptr (ArmillaTuning) tuning = armilla_tuning_copy (search->found);
  g_autoptr (Trial) trial = g_new0 (Trial, 1);

  trial->timer = search->timer;
  trial->choice = *choice;
  armilla_tuning_set (tuning, search->klass, choice);
  if (search->klass.which == ARMILLA_TRANSFORMS_BOTH)
    {
      set_cut (tuning, search->klass, ARMILLA_TRANSFORMS_SYNTHESIS, choice);
      set_cut (tuning, search->klass, ARMILLA_TRANSFORMS_ANALYSIS, choice);
    }
  trial->ready
    = search->timer->begin (search->timer->user, search->klass.which, tuning, error);
  return trial->ready ? g_steal_pointer (&trial) : NULL;
}

/* @ratio: median of b's time relative to a's. @give_up: stop early if the challenger @b is too slow
 * in each of its first rounds. */
static gboolean
compare (Trial *a, Trial *b, gboolean give_up, double *ratio, GError **error)
{
  g_autoptr (GArray) ratios = g_array_new (FALSE, FALSE, sizeof (double));
  double spent = 0, min_ratio = G_MAXDOUBLE;

  while (ratios->len < MIN_ROUNDS || (spent < ROUNDS_SECONDS && ratios->len < MAX_ROUNDS))
    {
      double of_a, of_b;

      if (!a->timer->call (a->ready, &of_a, error) || !b->timer->call (b->ready, &of_b, error))
        return FALSE;
      spent += of_a + of_b;
      of_b /= MAX (of_a, 1e-6); /* avoids a division by 0: the clock counts microseconds */
      min_ratio = MIN (min_ratio, of_b);
      g_array_append_val (ratios, of_b);
      if (give_up && ratios->len >= HOPELESS_ROUNDS && min_ratio > HOPELESS)
        break;
    }
  g_array_sort (ratios, armilla_compare_doubles);
  *ratio = g_array_index (ratios, double, ratios->len / 2);
  return TRUE;
}

/* Describes the differences from the defaults; NULL if there are none. */
char *
armilla_tune_choice_text (const ArmillaTuneChoice *choice)
{
  GString *text = g_string_new (NULL);

  for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
    if (choice->value[p] > 0)
      g_string_append_printf (text, "%s%s = %" G_GINT64_FORMAT, text->len ? ", " : "",
                              armilla_tune_parameter (p)->key, choice->value[p]);
  return g_string_free (text, text->len == 0);
}

/* Replaces *@best by @choice if that is faster. */
static gboolean
challenge (const Search *search, Trial **best, const ArmillaTuneChoice *choice, GError **error)
{
  g_autoptr (Trial) trial = NULL;
  double ratio;

  if (memcmp (choice, &(*best)->choice, sizeof *choice) == 0)
    return TRUE;
  search->timer->tell (search->timer->user, search->klass.which, choice);
  trial = trial_new (search, choice, error);
  if (!trial || !compare (*best, trial, TRUE, &ratio, error))
    return FALSE;
  if (ratio < WORTH_MOVING)
    {
      Trial *loser = *best;

      *best = g_steal_pointer (&trial);
      trial = loser;
    }
  return TRUE;
}

static gboolean
is_over (const Search *search)
{
  return search->timer->now (search->timer->user) > search->due;
}

static gboolean
search_parameter (const Search *search, ArmillaTuneName name, Trial **best, GError **error)
{
  const ArmillaTuneParameter *parameter = armilla_tune_parameter (name);

  for (int i = 0; i < ARMILLA_TUNE_CANDIDATES && parameter->candidates[i] > 0; i++)
    {
      ArmillaTuneChoice choice = (*best)->choice;

      /* larger values are equivalent: one tile */
      if (parameter->candidates[i] > search->klass.size || is_over (search))
        break;
      choice.value[name] = parameter->candidates[i];
      if (!challenge (search, best, &choice, error))
        return FALSE;
    }
  return TRUE;
}

static void
tell_result (const Search *search, const ArmillaTuneChoice *choice, double ratio, GString *report)
{
  static const char *const names[] = { "", "alm2map", "map2alm", "both in one graph" };
  g_autofree char *text = armilla_tune_choice_text (choice);

  g_string_append_printf (report, "lmax %" G_GINT64_FORMAT, search->klass.size);
  if (search->klass.batch > 1)
    g_string_append_printf (report, ", %" G_GINT64_FORMAT " maps", search->klass.batch);
  g_string_append_printf (report, ", %s: ", names[search->klass.which]);
  if (text)
    g_string_append_printf (report, "%s; %.2f times as fast as the defaults\n", text, 1 / ratio);
  else
    g_string_append (report, "nothing is better than the defaults\n");
}

/* Accepts the best choice if a second comparison with the defaults confirms it. */
static gboolean
conclude (const Search *search, Trial *best, GString *report, GError **error)
{
  ArmillaTuneChoice choice = { { 0 } };
  double ratio = 1;

  if (memcmp (&choice, &best->choice, sizeof choice) != 0)
    {
      g_autoptr (Trial) defaults = trial_new (search, &choice, error);

      if (!defaults || !compare (defaults, best, FALSE, &ratio, error))
        return FALSE;
      if (ratio < WORTH_KEEPING)
        choice = best->choice;
    }
  armilla_tuning_set (search->found, search->klass, &choice);
  tell_result (search, &choice, ratio, report);
  return TRUE;
}

/* Searches for the best choice. @first: (array length=n_first): choices to try before the
 * candidates of all parameters. */
static gboolean
search_choice (const Search *search, const ArmillaTuneChoice *first, int n_first, GString *report,
               GError **error)
{
  const gboolean cuts_only = search->klass.which == ARMILLA_TRANSFORMS_BOTH;
  const ArmillaTuneChoice defaults = { { 0 } };
  Trial *best;
  gboolean ok = TRUE;

  search->timer->tell (search->timer->user, search->klass.which, &defaults);
  best = trial_new (search, &defaults, error);
  if (!best)
    return FALSE;
  for (int i = 0; ok && i < n_first && !is_over (search); i++)
    ok = challenge (search, &best, &first[i], error);
  for (int p = 0; ok && p < ARMILLA_TUNE_COUNT; p++)
    if (!cuts_only || armilla_tune_is_cut (p))
      ok = search_parameter (search, p, &best, error);
  ok = ok && conclude (search, best, report, error);
  trial_free (best);
  return ok;
}

static ArmillaTuneChoice
found_cut (const ArmillaTuning *found, ArmillaTuneClass klass, ArmillaTransforms direction)
{
  ArmillaTuneChoice cut = { { 0 } };

  klass.which = direction;
  for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
    if (armilla_tune_is_cut (p))
      cut.value[p] = armilla_tuning_get (found, klass, p);
  return cut;
}

/* Finds the fastest choices of each direction, and of graphs with both, until @due on the timer's
 * clock; appends a line per search to @report. Fails if the timer fails. */
gboolean
armilla_tune_search (const ArmillaTuneTimer *timer, ArmillaTuneClass klass, gint64 due,
                     ArmillaTuning *found, GString *report, GError **error)
{
  static const ArmillaTransforms directions[]
    = { ARMILLA_TRANSFORMS_SYNTHESIS, ARMILLA_TRANSFORMS_ANALYSIS };
  ArmillaTuneChoice cuts[G_N_ELEMENTS (directions)];
  Search search = { timer, klass, due, found };

  for (gsize i = 0; i < G_N_ELEMENTS (directions); i++)
    {
      gint64 now = timer->now (timer->user);

      search.klass.which = directions[i];
      /* the last third of the time is for both directions together */
      search.due = now + (due - now) / (3 - (gint64) i);
      if (!search_choice (&search, NULL, 0, report, error))
        return FALSE;
      cuts[i] = found_cut (found, klass, directions[i]);
    }
  search.klass.which = ARMILLA_TRANSFORMS_BOTH;
  search.due = due;
  if (memcmp (&cuts[0], &cuts[1], sizeof cuts[0]) != 0)
    return search_choice (&search, cuts, G_N_ELEMENTS (cuts), report, error);
  armilla_tuning_set (found, search.klass, &cuts[0]);
  return TRUE;
}
