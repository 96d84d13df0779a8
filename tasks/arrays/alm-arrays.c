/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done to a_lm of the caller's without a map. */
#include "config.h"

#include <math.h>

#include <armilla/array-functions.h>
#include <armilla/harmonic.h>

#include "tasks/arrays/array-tiles.h"
#include "tasks/arrays/caller-array.h"
#include "tasks/arrays/ranks.h"
#include "tasks/harmonic/harmonic.h"

/* One call: a graph of its own, and what it needs until its end. */
typedef struct {
  ArmillaSession *session;
  ArmillaGraph *graph;
  ArmillaAlmLayout layout;
  GPtrArray *rows; /* (element-type ArmillaArrayRows) */
} Call;

/* Arrays of a call: the one that is read, that which is written, and perhaps another input. */
enum { IN, OUT, BESIDE, N_ARRAYS };

/* Unless something is wrong already. Ranks compare what they begin. */
static gboolean
begin (Call *call, ArmillaSession *session, ArmillaAlmLayout layout, const char *what,
       const ArmillaNamedArray arrays[N_ARRAYS], GError *wrong, GError **error)
{
  g_autofree char *text = wrong ? NULL
                                : armilla_ranks_describe (session, what, layout, arrays[IN].array,
                                                          arrays[OUT].array);

  *call = (Call) { .session = session, .layout = layout };
  if (!armilla_ranks_enter (session, text, wrong, error))
    return FALSE;
  call->graph = armilla_graph_new (session->runtime, NULL, error);
  if (!call->graph || !armilla_array_begin (call->graph, arrays, N_ARRAYS, error))
    {
      g_clear_pointer (&call->graph, armilla_graph_free);
      armilla_session_let_go (session);
      return FALSE;
    }
  call->rows = g_ptr_array_new_with_free_func (armilla_array_rows_free);
  return TRUE;
}

/* Computes what was asked for, or drops it where asking failed. The numbers of @input may be
 * such that nothing can be computed of them; %NULL: they may not. */
static ArmillaStatus
end (Call *call, const char *input, GError *error, ArmillaFailure *failure)
{
  armilla_ranks_wait (call->graph, g_steal_pointer (&error), &error);
  if (input && g_error_matches (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC))
    g_prefix_error (&error, "%s: ", input);
  armilla_graph_free (call->graph);
  g_ptr_array_unref (call->rows);
  armilla_session_let_go (call->session);
  return armilla_failure_set (failure, error);
}

/* (transfer none): of one copy, each of its components a field */
static ArmillaArrayRows *
rows_of (Call *call, const ArmillaArray *array, gboolean complex, gint64 copy)
{
  const int n = (int) array->shape[1];
  g_autofree int *copies = g_new (int, n), *components = g_new (int, n);
  ArmillaArrayRows *rows;

  for (int i = 0; i < n; i++)
    {
      copies[i] = (int) copy;
      components[i] = i;
    }
  rows = armilla_array_rows_new (array, complex, n, copies, components);
  g_ptr_array_add (call->rows, rows);
  return rows;
}

/* (transfer full) */
static ArmillaAlm *
read_alm (Call *call, const ArmillaArray *array, gint64 copy)
{
  ArmillaAlm *alm = armilla_alm_new (call->layout, (int) array->shape[1]);

  armilla_array_fill (call->graph, ARMILLA_DATA (alm), rows_of (call, array, TRUE, copy), NULL);
  return alm;
}

static gboolean
write_alm (Call *call, ArmillaAlm *alm, const ArmillaArray *array, gint64 copy, GError **error)
{
  return armilla_array_drain (call->graph, ARMILLA_DATA (alm), rows_of (call, array, TRUE, copy),
                              error);
}

static ArmillaCl *
new_cl (const ArmillaArray *array)
{
  g_autofree const char **names = g_new0 (const char *, array->shape[1] + 1);

  for (int i = 0; i < array->shape[1]; i++)
    names[i] = "";
  return armilla_cl_new (array->shape[2] - 1, names, (int) array->shape[1]);
}

/* (transfer full) */
static ArmillaCl *
read_cl (Call *call, const ArmillaArray *array, gint64 copy)
{
  ArmillaCl *cl = new_cl (array);

  armilla_array_fill (call->graph, ARMILLA_DATA (cl), rows_of (call, array, FALSE, copy), NULL);
  return cl;
}

/* As many copies and components as it has, but at least one number of each. */
static gboolean
check_any (const char *name, const ArmillaArray *array, gboolean complex, gint64 numbers,
           GError **error)
{
  if (array && (array->shape[0] < 1 || array->shape[1] < 1 || array->shape[1] > G_MAXINT16
                || array->shape[2] < 1))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "%s: it is empty", name);
  return armilla_array_check (name, array, complex, array ? array->shape[0] : 1,
                              array ? array->shape[1] : 1,
                              numbers > 0 || !array ? numbers : array->shape[2], error);
}

/* An input and an output of one layout. */
static gboolean
check_pair (ArmillaAlmLayout in, const ArmillaArray *alm, ArmillaAlmLayout to,
            const ArmillaArray *out, GError **error)
{
  return armilla_alm_layout_check (in, error)
         && check_any ("alm", alm, TRUE, armilla_alm_count (in), error)
         && armilla_array_check ("out", out, TRUE, alm->shape[0], alm->shape[1],
                                 armilla_alm_count (to), error)
         && armilla_arrays_fit ("alm", alm, TRUE, "out", out, TRUE, error);
}

static gboolean
ask_spectra (Call *call, const ArmillaArray *a, const ArmillaArray *b, const ArmillaArray *cl,
             gint64 copy, GError **error)
{
  g_autoptr (ArmillaAlm) in = read_alm (call, a, copy);
  g_autoptr (ArmillaAlm) other = b ? read_alm (call, b, copy) : NULL;
  g_autoptr (ArmillaCl) out = new_cl (cl);

  return armilla_graph_spectra (call->graph, in, other ? other : in, out, error)
         && armilla_array_drain (call->graph, ARMILLA_DATA (out),
                                 rows_of (call, cl, FALSE, copy), error);
}

ArmillaStatus
armilla_array_spectra (ArmillaSession *session, int64_t lmax, int64_t mmax, const ArmillaArray *a,
                       const ArmillaArray *b, const ArmillaArray *cl, ArmillaFailure *failure)
{
  const ArmillaAlmLayout layout = { lmax, mmax };
  const ArmillaNamedArray arrays[N_ARRAYS] = { { "a", a }, { "cl", cl }, { "b", b } };
  GError *error = NULL, *wrong = NULL;
  gboolean ok;
  Call call;

  ok = armilla_alm_layout_check (layout, &wrong)
       && check_any ("a", a, TRUE, armilla_alm_count (layout), &wrong)
       && (!b
           || armilla_array_check ("b", b, TRUE, a->shape[0], a->shape[1],
                                   armilla_alm_count (layout), &wrong))
       && check_any ("cl", cl, FALSE, 0, &wrong)
       && armilla_array_check ("cl", cl, FALSE, a->shape[0], cl->shape[1], cl->shape[2],
                               &wrong)
       && armilla_arrays_fit ("a", a, TRUE, "cl", cl, FALSE, &wrong)
       && (!b || armilla_arrays_fit ("b", b, TRUE, "cl", cl, FALSE, &wrong));
  if (!begin (&call, session, layout, b ? "cross spectra" : "spectra", arrays, wrong, &error))
    return armilla_failure_set (failure, error);
  for (gint64 copy = 0; ok && copy < a->shape[0]; copy++)
    ok = ask_spectra (&call, a, b, cl, copy, &error);
  return end (&call, NULL, error, failure);
}

static gboolean
ask_scale (Call *call, const ArmillaArray *alm, const ArmillaArray *window,
           const ArmillaArray *out, gint64 copy, GError **error)
{
  g_autoptr (ArmillaAlm) in = read_alm (call, alm, copy);
  g_autoptr (ArmillaCl) factors = read_cl (call, window, window->shape[0] > 1 ? copy : 0);
  g_autoptr (ArmillaAlm) scaled = armilla_alm_new (call->layout, (int) out->shape[1]);

  return armilla_graph_scale_alm (call->graph, in, factors, scaled, error)
         && write_alm (call, scaled, out, copy, error);
}

ArmillaStatus
armilla_array_scale_alm (ArmillaSession *session, int64_t lmax, int64_t mmax,
                         const ArmillaArray *alm, const ArmillaArray *window,
                         const ArmillaArray *out, ArmillaFailure *failure)
{
  const ArmillaAlmLayout layout = { lmax, mmax };
  const ArmillaNamedArray arrays[N_ARRAYS]
    = { { "alm", alm }, { "out", out }, { "window", window } };
  GError *error = NULL, *wrong = NULL;
  gboolean ok;
  Call call;

  ok = check_pair (layout, alm, layout, out, &wrong)
       && check_any ("window", window, FALSE, 0, &wrong)
       && armilla_array_check ("window", window, FALSE,
                               window->shape[0] == 1 ? 1 : alm->shape[0],
                               window->shape[1] == 1 ? 1 : alm->shape[1], window->shape[2],
                               &wrong)
       && armilla_arrays_fit ("window", window, FALSE, "out", out, TRUE, &wrong);
  if (!begin (&call, session, layout, "a product with a window", arrays, wrong, &error))
    return armilla_failure_set (failure, error);
  for (gint64 copy = 0; ok && copy < alm->shape[0]; copy++)
    ok = ask_scale (&call, alm, window, out, copy, &error);
  return end (&call, NULL, error, failure);
}

static gboolean
ask_rotate (Call *call, const ArmillaArray *alm, const double *angles, const ArmillaArray *out,
            gint64 copy, GError **error)
{
  const ArmillaAlmLayout full = { call->layout.lmax, call->layout.lmax };
  g_autoptr (ArmillaAlm) in = read_alm (call, alm, copy);
  g_autoptr (ArmillaAlm) turned = armilla_alm_new (full, (int) out->shape[1]);

  return armilla_graph_rotate_alm (call->graph, in, angles[0], angles[1], angles[2], turned, error)
         && write_alm (call, turned, out, copy, error);
}

ArmillaStatus
armilla_array_rotate_alm (ArmillaSession *session, int64_t lmax, int64_t mmax,
                          const ArmillaArray *alm, const double angles[3],
                          const ArmillaArray *out, ArmillaFailure *failure)
{
  const ArmillaAlmLayout layout = { lmax, mmax }, full = { lmax, lmax };
  const ArmillaNamedArray arrays[N_ARRAYS] = { { "alm", alm }, { "out", out } };
  GError *error = NULL, *wrong = NULL;
  char name[128];
  gboolean ok;
  Call call;

  g_snprintf (name, sizeof name, "a rotation by %g, %g, %g", angles[0], angles[1], angles[2]);
  ok = check_pair (layout, alm, full, out, &wrong);
  if (!begin (&call, session, layout, name, arrays, wrong, &error))
    return armilla_failure_set (failure, error);
  for (gint64 copy = 0; ok && copy < alm->shape[0]; copy++)
    ok = ask_rotate (&call, alm, angles, out, copy, &error);
  return end (&call, NULL, error, failure);
}

static gboolean
ask_random (Call *call, const ArmillaArray *cl, guint64 seed, guint64 realisation,
            const ArmillaArray *alm, gint64 copy, GError **error)
{
  static const int teb[] = { 0, 2, 2 };
  g_autoptr (ArmillaCl) spectra = read_cl (call, cl, cl->shape[0] > 1 ? copy : 0);
  g_autoptr (ArmillaAlm) drawn = armilla_alm_new (call->layout, (int) alm->shape[1]);

  if (alm->shape[1] == G_N_ELEMENTS (teb) && cl->shape[1] > alm->shape[1])
    armilla_alm_set_spins (drawn, teb);
  return armilla_graph_random_alm (call->graph, spectra, seed, realisation, drawn, error)
         && write_alm (call, drawn, alm, copy, error);
}

ArmillaStatus
armilla_array_random_alm (ArmillaSession *session, int64_t lmax, int64_t mmax,
                          const ArmillaArray *cl, uint64_t seed, uint64_t first,
                          const ArmillaArray *alm, ArmillaFailure *failure)
{
  const ArmillaAlmLayout layout = { lmax, mmax };
  const ArmillaNamedArray arrays[N_ARRAYS] = { { "cl", cl }, { "alm", alm } };
  GError *error = NULL, *wrong = NULL;
  char name[128];
  gboolean ok;
  Call call;

  g_snprintf (name, sizeof name, "random a_lm of seed %" G_GUINT64_FORMAT ", from %"
              G_GUINT64_FORMAT " on", (guint64) seed, (guint64) first);
  ok = armilla_alm_layout_check (layout, &wrong)
       && check_any ("alm", alm, TRUE, armilla_alm_count (layout), &wrong)
       && check_any ("cl", cl, FALSE, 0, &wrong)
       && armilla_array_check ("cl", cl, FALSE, cl->shape[0] == 1 ? 1 : alm->shape[0],
                               cl->shape[1], cl->shape[2], &wrong)
       && armilla_arrays_fit ("cl", cl, FALSE, "alm", alm, TRUE, &wrong);
  if (!begin (&call, session, layout, name, arrays, wrong, &error))
    return armilla_failure_set (failure, error);
  for (gint64 copy = 0; ok && copy < alm->shape[0]; copy++)
    ok = ask_random (&call, cl, seed, first + (guint64) copy, alm, copy, &error);
  return end (&call, "cl", error, failure);
}
