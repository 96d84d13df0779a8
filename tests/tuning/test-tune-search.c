/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of armilla tune, with a timer of which it is known what is fastest: found for each
 * direction and for both together, through noise and hiccups, and not where nothing is. */
#include <armilla/error.h>

#include "tasks/benchmark/tune-search.h"

#define SIZE 4096

/* Seconds of a direction: @seconds, times the factor of each value that a choice has. */
typedef struct {
  ArmillaTuneName name;
  gint64 value;
  double factor;
} Effect;

typedef struct {
  double seconds;
  const Effect *effects; /* ended by a factor of 0 */
} Direction;

typedef struct {
  ArmillaTuneClass klass;
  Direction forth, back;
  double noise;       /* share of the time, at most */
  int hiccup;         /* every so many calls one takes three times as long; 0: none */
  guint32 state;      /* of the noise */
  gint64 clock;       /* microseconds */
  int n_calls, n_begun, n_ended, n_told;
  int fails_at;       /* the trial that cannot be made, 0: none */
  gint64 largest;     /* ring block that was tried */
} Machine;

typedef struct {
  Machine *machine;
  double seconds;
} Trial;

static double
direction_seconds (const Machine *machine, const Direction *direction, ArmillaTransforms which,
                   const ArmillaTuning *tuning)
{
  ArmillaTuneClass klass = machine->klass;
  double seconds = direction->seconds;

  klass.which = which;
  for (const Effect *effect = direction->effects; effect->factor > 0; effect++)
    if (armilla_tuning_get (tuning, klass, effect->name) == effect->value)
      seconds *= effect->factor;
  return seconds;
}

static gpointer
begin (gpointer user, ArmillaTransforms which, ArmillaTuning *tuning, GError **error)
{
  Machine *machine = user;
  Trial *trial;

  if (++machine->n_begun == machine->fails_at)
    {
      machine->n_begun--;
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY, "no memory left");
      return NULL;
    }
  trial = g_new0 (Trial, 1);
  trial->machine = machine;
  if (which & ARMILLA_TRANSFORMS_SYNTHESIS)
    trial->seconds += direction_seconds (machine, &machine->forth, ARMILLA_TRANSFORMS_SYNTHESIS,
                                         tuning);
  if (which & ARMILLA_TRANSFORMS_ANALYSIS)
    trial->seconds += direction_seconds (machine, &machine->back, ARMILLA_TRANSFORMS_ANALYSIS,
                                         tuning);
  return trial;
}

/* From -1 to 1. */
static double
next_noise (Machine *machine)
{
  machine->state = machine->state * 1664525u + 1013904223u;
  return (double) (machine->state >> 8) / (double) (1 << 23) - 1;
}

static gboolean
call (gpointer data, double *seconds, GError **error)
{
  Trial *trial = data;
  Machine *machine = trial->machine;

  (void) error;
  *seconds = trial->seconds * (1 + machine->noise * next_noise (machine));
  if (machine->hiccup > 0 && ++machine->n_calls % machine->hiccup == 0)
    *seconds *= 3;
  machine->clock += (gint64) (1e6 * *seconds);
  return TRUE;
}

static void
end (gpointer data)
{
  Trial *trial = data;

  trial->machine->n_ended++;
  g_free (trial);
}

static gint64
now (gpointer user)
{
  return ((Machine *) user)->clock;
}

static void
tell (gpointer user, ArmillaTransforms which, const ArmillaTuneChoice *choice)
{
  Machine *machine = user;

  g_assert_cmpint (which, !=, ARMILLA_TRANSFORMS_NONE);
  machine->n_told++;
  machine->largest = MAX (machine->largest, choice->value[ARMILLA_TUNE_RING_BLOCK]);
}

/* Cut by itself each direction wants something else, and both together want a third thing:
 * 0.82 + 0.85 < 0.8 + 1.2 < 2 < 1.3 + 0.8. */
static const Effect forth_effects[] = { { ARMILLA_TUNE_RING_BLOCK, 64, 1.3 },
                                        { ARMILLA_TUNE_RING_BLOCK, 384, 0.8 },
                                        { ARMILLA_TUNE_RING_BLOCK, 768, 0.82 },
                                        { ARMILLA_TUNE_VECTOR_LENGTH, 4, 0.9 },
                                        { 0, 0, 0 } };
static const Effect back_effects[] = { { ARMILLA_TUNE_RING_BLOCK, 64, 0.8 },
                                       { ARMILLA_TUNE_RING_BLOCK, 384, 1.2 },
                                       { ARMILLA_TUNE_RING_BLOCK, 768, 0.85 },
                                       { ARMILLA_TUNE_INTERPOLATION, 2, 0.9 },
                                       { 0, 0, 0 } };
static const Effect no_effects[] = { { 0, 0, 0 } };

static Machine
machine_new (void)
{
  return (Machine) { .klass = { "cpu", SIZE, 1, ARMILLA_TRANSFORMS_NONE },
                     .forth = { 0.05, forth_effects },
                     .back = { 0.05, back_effects },
                     .state = 1 };
}

static ArmillaTuning *
search (Machine *machine, gint64 due, char **report, GError **error)
{
  const ArmillaTuneTimer timer = { begin, call, end, now, tell, machine };
  g_autoptr (ArmillaTuning) found = armilla_tuning_new ();
  GString *text = g_string_new (NULL);
  gboolean ok = armilla_tune_search (&timer, machine->klass, due, found, text, error);

  *report = g_string_free (text, FALSE);
  g_assert_cmpint (machine->n_begun, ==, machine->n_ended);
  return ok ? g_steal_pointer (&found) : NULL;
}

static gint64
get (const Machine *machine, const ArmillaTuning *found, ArmillaTransforms which,
     ArmillaTuneName name)
{
  ArmillaTuneClass klass = machine->klass;

  klass.which = which;
  return armilla_tuning_get (found, klass, name);
}

static void
assert_found (const Machine *machine, const ArmillaTuning *found, ArmillaTransforms which,
              gint64 ring_block, gint64 vector_length, gint64 interpolation)
{
  g_assert_cmpint (get (machine, found, which, ARMILLA_TUNE_RING_BLOCK), ==, ring_block);
  g_assert_cmpint (get (machine, found, which, ARMILLA_TUNE_M_BLOCKS), ==, 0);
  g_assert_cmpint (get (machine, found, which, ARMILLA_TUNE_VECTOR_LENGTH), ==, vector_length);
  g_assert_cmpint (get (machine, found, which, ARMILLA_TUNE_INTERPOLATION), ==, interpolation);
}

static void
test_directions (void)
{
  Machine machine = machine_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *report = NULL;
  g_autoptr (ArmillaTuning) found = search (&machine, G_MAXINT64 / 4, &report, &error);

  g_assert_no_error (error);
  assert_found (&machine, found, ARMILLA_TRANSFORMS_SYNTHESIS, 384, 4, 0);
  assert_found (&machine, found, ARMILLA_TRANSFORMS_ANALYSIS, 64, 0, 2);
  assert_found (&machine, found, ARMILLA_TRANSFORMS_BOTH, 768, 0, 0);
  assert_found (&machine, found, ARMILLA_TRANSFORMS_NONE, 768, 0, 0);
  g_assert_nonnull (g_strstr_len (report, -1,
                                  "lmax 4096, alm2map: ring-block = 384, vector-length = 4; "
                                  "1.39 times as fast as the defaults\n"));
  g_assert_nonnull (g_strstr_len (report, -1, "lmax 4096, map2alm: ring-block = 64, "));
  g_assert_nonnull (g_strstr_len (report, -1, "lmax 4096, both in one graph: ring-block = 768; "));
}

/* What both want is taken without another search. */
static void
test_agreed (void)
{
  Machine machine = machine_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *report = NULL;
  g_autoptr (ArmillaTuning) found = NULL;

  machine.back.effects = forth_effects;
  found = search (&machine, G_MAXINT64 / 4, &report, &error);
  g_assert_no_error (error);
  assert_found (&machine, found, ARMILLA_TRANSFORMS_ANALYSIS, 384, 4, 0);
  assert_found (&machine, found, ARMILLA_TRANSFORMS_NONE, 384, 0, 0);
  g_assert_null (g_strstr_len (report, -1, "both in one graph"));
}

/* Each candidate that is the fastest is found, whatever parameter it is of. */
static void
test_each (void)
{
  for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
    for (int i = 0; armilla_tune_parameter (p)->candidates[i] > 0; i++)
      {
        const gint64 value = armilla_tune_parameter (p)->candidates[i];
        const Effect effects[] = { { p, value, 0.9 }, { 0, 0, 0 } };
        Machine machine = machine_new ();
        g_autoptr (GError) error = NULL;
        g_autofree char *report = NULL;
        g_autoptr (ArmillaTuning) found = NULL;

        machine.forth.effects = no_effects;
        machine.back.effects = effects;
        found = search (&machine, G_MAXINT64 / 4, &report, &error);
        g_assert_no_error (error);
        for (int q = 0; q < ARMILLA_TUNE_COUNT; q++)
          {
            g_assert_cmpint (get (&machine, found, ARMILLA_TRANSFORMS_SYNTHESIS, q), ==, 0);
            g_assert_cmpint (get (&machine, found, ARMILLA_TRANSFORMS_ANALYSIS, q), ==,
                             q == p ? value : 0);
          }
      }
}

/* Other things that the machine does: times are up to 3 % off, and every so many calls one takes
 * three times as long, be it the best's so far or the candidate's. */
static void
test_noise (void)
{
  static const int periods[] = { 7, 11, 13, 17 };

  for (int seed = 0; seed < 100; seed++)
    {
      Machine machine = machine_new ();
      g_autoptr (GError) error = NULL;
      g_autofree char *report = NULL;
      g_autoptr (ArmillaTuning) found = NULL;

      machine.noise = 0.03;
      machine.hiccup = periods[seed % 4];
      machine.n_calls = seed / 4;
      machine.state = (guint32) seed;
      machine.forth.effects
        = (const Effect[]) { { ARMILLA_TUNE_RING_BLOCK, 384, 0.8 }, { 0, 0, 0 } };
      machine.back.effects = (const Effect[]) { { ARMILLA_TUNE_M_BLOCKS, 8, 0.8 }, { 0, 0, 0 } };
      found = search (&machine, G_MAXINT64 / 4, &report, &error);
      g_assert_no_error (error);
      g_assert_cmpint (
        get (&machine, found, ARMILLA_TRANSFORMS_SYNTHESIS, ARMILLA_TUNE_RING_BLOCK), ==, 384);
      g_assert_cmpint (get (&machine, found, ARMILLA_TRANSFORMS_ANALYSIS, ARMILLA_TUNE_M_BLOCKS),
                       ==, 8);
    }
}

/* Where nothing is better noise does not make it so. */
static void
test_nothing (void)
{
  for (int seed = 0; seed < 20; seed++)
    {
      Machine machine = machine_new ();
      g_autoptr (GError) error = NULL;
      g_autofree char *report = NULL;
      g_autoptr (ArmillaTuning) found = NULL;

      machine.noise = 0.01;
      machine.state = (guint32) seed;
      machine.forth.effects = machine.back.effects = no_effects;
      found = search (&machine, G_MAXINT64 / 4, &report, &error);
      g_assert_no_error (error);
      assert_found (&machine, found, ARMILLA_TRANSFORMS_SYNTHESIS, 0, 0, 0);
      assert_found (&machine, found, ARMILLA_TRANSFORMS_ANALYSIS, 0, 0, 0);
      assert_found (&machine, found, ARMILLA_TRANSFORMS_NONE, 0, 0, 0);
      g_assert_cmpstr (report, ==,
                       "lmax 4096, alm2map: nothing is better than the defaults\n"
                       "lmax 4096, map2alm: nothing is better than the defaults\n");
    }
}

/* Without time the defaults stay; with some, nothing is begun after it. */
static void
test_due (void)
{
  Machine machine = machine_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *report = NULL;
  g_autofree char *other = NULL;
  g_autoptr (ArmillaTuning) found = search (&machine, -100, &report, &error);

  g_assert_no_error (error);
  g_assert_cmpint (machine.n_told, ==, 2);
  assert_found (&machine, found, ARMILLA_TRANSFORMS_SYNTHESIS, 0, 0, 0);
  armilla_tuning_unref (found);
  machine = machine_new ();
  found = search (&machine, 20 * G_USEC_PER_SEC, &other, &error);
  g_assert_no_error (error);
  /* a last candidate and what is compared in the end: three times 18 calls of 0.1 s at most */
  g_assert_cmpint (machine.clock, <, 26 * G_USEC_PER_SEC);
  g_assert_cmpint (machine.clock, >, 10 * G_USEC_PER_SEC);
}

static void
test_sizes (void)
{
  Machine machine = machine_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *report = NULL;
  g_autoptr (ArmillaTuning) found = NULL;

  machine.klass.size = 512;
  machine.klass.batch = 8;
  found = search (&machine, G_MAXINT64 / 4, &report, &error);
  g_assert_no_error (error);
  g_assert_cmpint (machine.largest, ==, 512);
  assert_found (&machine, found, ARMILLA_TRANSFORMS_SYNTHESIS, 384, 4, 0);
  g_assert_nonnull (g_strstr_len (report, -1, "lmax 512, 8 maps, alm2map: ring-block = 384, "));
}

/* Whichever trial fails, the search ends with its error, and forgets the others. */
static void
test_failure (void)
{
  int n;
  Machine whole = machine_new ();
  g_autoptr (GError) none = NULL;
  g_autofree char *all = NULL;
  g_autoptr (ArmillaTuning) found = search (&whole, G_MAXINT64 / 4, &all, &none);

  g_assert_no_error (none);
  for (n = 1; n <= whole.n_begun; n++)
    {
      Machine machine = machine_new ();
      g_autoptr (GError) error = NULL;
      g_autofree char *report = NULL;

      machine.fails_at = n;
      g_assert_null (search (&machine, G_MAXINT64 / 4, &report, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tune-search/directions", test_directions);
  g_test_add_func ("/tune-search/agreed", test_agreed);
  g_test_add_func ("/tune-search/each", test_each);
  g_test_add_func ("/tune-search/noise", test_noise);
  g_test_add_func ("/tune-search/nothing", test_nothing);
  g_test_add_func ("/tune-search/due", test_due);
  g_test_add_func ("/tune-search/sizes", test_sizes);
  g_test_add_func ("/tune-search/failure", test_failure);
  return g_test_run ();
}
