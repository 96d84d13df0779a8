/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include <armilla/memory.h>

#include "core/fits/fields.h"
#include "core/fits/fits-map.h"
#include "core/grids/car.h"
#include "core/grids/grid.h"
#include "tasks/arrays/plan.h"
#include "tasks/points/points.h"

/* azimuths from which points are not computed directly, radian */
#define MAX_PHI 1e6

static gboolean
check_rings (const ArmillaRings *rings, GError **error)
{
  if (!rings || rings->n < 1 || !rings->theta || !rings->phi0 || !rings->n_phi || !rings->first)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "rings: ARMILLA_GRID_RINGS requires theta, phi0, n_phi and first of at "
                         "least one ring");
  for (gint64 i = 0; i < rings->n; i++)
    if (!(rings->theta[i] >= 0 && rings->theta[i] <= G_PI))
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "rings: theta of ring %" G_GINT64_FORMAT " is %g; it must be from 0 to "
                           "pi", i, rings->theta[i]);
  return TRUE;
}

/* Returns rings for the grid; the given angles are taken as exact. */
static ArmillaGrid *
new_rings (const ArmillaRings *rings, GError **error)
{
  g_autofree ArmillaRing *list = NULL;
  ArmillaGrid *grid;

  if (!check_rings (rings, error))
    return NULL;
  list = g_new0 (ArmillaRing, rings->n);
  for (gint64 i = 0; i < rings->n; i++)
    {
      const long double c = cosl (rings->theta[i]), s = fabsl (sinl (rings->theta[i]));

      list[i] = (ArmillaRing) { .cos_theta = (double) c,
                                .cos_lo = (double) (c - (double) c),
                                .sin_theta = (double) s,
                                .sin_lo = (double) (s - (double) s),
                                .weight = rings->weight ? rings->weight[i] : 1,
                                .n_phi = rings->n_phi[i],
                                .offset = rings->first[i],
                                .phi0 = rings->phi0[i] };
    }
  grid = armilla_grid_new_rings (list, rings->n, error);
  if (!grid)
    g_prefix_error (error, "rings: ");
  return grid;
}

/* Returns the grid with the pixels of the shape. */
ArmillaGrid *
armilla_plan_shape_grid (const ArmillaPlanShape *shape, GError **error)
{
  g_autoptr (ArmillaGrid) grid = NULL;
  ArmillaGrid *weighted;

  if (shape->positions)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "positions: points are no grid; only transforms accept them");
  switch (shape->car ? ARMILLA_GRID_FEJER1 : shape->geometry)
    {
    case ARMILLA_GRID_HEALPIX:
      grid = armilla_grid_new_healpix (shape->nside, error);
      break;
    case ARMILLA_GRID_GAUSS_LEGENDRE:
      grid = armilla_grid_new_gauss_legendre (shape->n_theta, shape->n_phi, error);
      break;
    case ARMILLA_GRID_FEJER1:
    case ARMILLA_GRID_CLENSHAW_CURTIS:
    case ARMILLA_GRID_DRISCOLL_HEALY:
      grid = shape->car ? armilla_grid_new_car (shape->car, error)
                        : armilla_grid_new_equiangular (shape->geometry, shape->n_theta,
                                                        shape->n_phi, error);
      break;
    case ARMILLA_GRID_RINGS:
      grid = new_rings (shape->rings, error);
      break;
    default:
      return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                "geometry: unknown grid %d", (int) shape->geometry);
    }
  if (!grid || !shape->ring_weights)
    return g_steal_pointer (&grid);
  weighted = armilla_grid_with_ring_weights (grid, shape->ring_weights, shape->n_ring_weights,
                                             error);
  if (!weighted)
    g_prefix_error (error, "ring_weights: ");
  return weighted;
}

static gboolean
read_car (const char *header, ArmillaCar *car, ArmillaPlanShape *shape, const char **coordinates,
          GError **error)
{
  char letter = 0;

  if (!armilla_car_read_cards (car, header, &letter, error)
      || !armilla_car_find_grid (car, &shape->geometry, &shape->n_theta, &shape->n_phi, error))
    return FALSE;
  *coordinates = letter == 'C' ? "C" : letter == 'G' ? "G" : "E";
  shape->car = car;
  return TRUE;
}

ArmillaStatus
armilla_car_read (const char *header, int64_t n_x, int64_t n_y, ArmillaCar *car,
                  ArmillaPlanShape *shape, const char **coordinates, ArmillaFailure *failure)
{
  GError *error = NULL;

  *car = (ArmillaCar) { .n_x = n_x, .n_y = n_y };
  if (read_car (header, car, shape, coordinates, &error))
    return ARMILLA_STATUS_OK;
  return armilla_failure_set (failure, error);
}

static gboolean
check_fields (const ArmillaPlanShape *shape, GError **error)
{
  if (!shape->spins || shape->n_spins < 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "spins: must have at least one");
  for (int i = 0; i < shape->n_spins; i++)
    if (shape->spins[i] < 0 || shape->spins[i] > ARMILLA_SPIN_MAX)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "spins: %d; must be from 0 to %d", shape->spins[i], ARMILLA_SPIN_MAX);
  if (shape->copies < 1 || shape->copies > G_MAXINT / 2 / shape->n_spins)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "copies: %d; must be from 1 to %d",
                         shape->copies, G_MAXINT / 2 / shape->n_spins);
  return TRUE;
}

/* Lists the fields of all copies; those of one transform are adjacent, to share the recurrence. */
static void
list_fields (ArmillaPlan *plan, const ArmillaPlanShape *shape)
{
  plan->spins = g_new (int, 2 * shape->n_spins * shape->copies);
  plan->copy = g_new (int, 2 * shape->n_spins * shape->copies);
  plan->component = g_new (int, 2 * shape->n_spins * shape->copies);
  plan->n_copies = shape->copies;
  for (int i = 0; i < shape->n_spins; i++)
    {
      const int n_parts = shape->spins[i] > 0 ? 2 : 1;

      for (int copy = 0; copy < shape->copies; copy++)
        for (int part = 0; part < n_parts; part++, plan->n_fields++)
          {
            plan->spins[plan->n_fields] = shape->spins[i];
            plan->copy[plan->n_fields] = copy;
            plan->component[plan->n_fields] = plan->n_components + part;
          }
      plan->n_components += n_parts;
    }
}

static void
points_free (ArmillaPositions *points)
{
  g_free ((double *) points->theta);
  g_free ((double *) points->phi);
  g_free (points);
}

/* Returns a copy of the points, whose azimuths are reduced if they are of very many turns. */
static ArmillaPositions *
new_points (const ArmillaPositions *given, GError **error)
{
  ArmillaPositions *points;
  double *theta, *phi;

  if (given->n < 0 || (given->n > 0 && (!given->theta || !given->phi)))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "positions: theta and phi of at least 0 points are needed");
  if (!armilla_points_check_epsilon (given->epsilon, error))
    return NULL;
  for (gint64 i = 0; i < given->n; i++)
    if (!(given->theta[i] >= 0 && given->theta[i] <= G_PI && isfinite (given->phi[i])))
      return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                "positions: point %" G_GINT64_FORMAT " has theta = %g and phi = "
                                "%g; theta must be from 0 to pi, and phi finite", i,
                                given->theta[i], given->phi[i]);
  theta = armilla_try_new (double, given->n, "points", error);
  phi = theta ? armilla_try_new (double, given->n, "points", error) : NULL;
  if (!phi)
    {
      g_free (theta);
      return NULL;
    }
  memcpy (theta, given->theta, sizeof *theta * (gsize) given->n);
  for (gint64 i = 0; i < given->n; i++)
    phi[i] = fabs (given->phi[i]) < MAX_PHI ? given->phi[i]
                                            : atan2 (sin (given->phi[i]), cos (given->phi[i]));
  points = g_new (ArmillaPositions, 1);
  *points = (ArmillaPositions) { given->n, theta, phi, given->epsilon };
  return points;
}

static ArmillaPlan *
new_plan (ArmillaSession *session, const ArmillaPlanShape *shape, GError **error)
{
  const ArmillaAlmLayout layout = { shape->lmax, shape->mmax };
  ArmillaPositions *points = NULL;
  ArmillaGrid *grid = NULL;
  ArmillaPlan *plan;

  if (!check_fields (shape, error) || !armilla_alm_layout_check (layout, error))
    return NULL;
  if (shape->positions)
    points = new_points (shape->positions, error);
  else
    grid = armilla_plan_shape_grid (shape, error);
  if (!grid && !points)
    return NULL;
  plan = g_new0 (ArmillaPlan, 1);
  plan->session = armilla_session_ref (session);
  plan->layout = layout;
  plan->grid = grid;
  plan->points = points;
  list_fields (plan, shape);
  return plan;
}

ArmillaStatus
armilla_plan_new (ArmillaSession *session, const ArmillaPlanShape *shape, ArmillaPlan **plan,
                  ArmillaFailure *failure)
{
  GError *error = NULL;

  *plan = armilla_session_check_caller (session, &error) ? new_plan (session, shape, &error)
                                                         : NULL;
  if (!*plan)
    return armilla_failure_set (failure, error);
  g_mutex_lock (&session->lock);
  session->plans = g_list_prepend (session->plans, *plan);
  g_mutex_unlock (&session->lock);
  return ARMILLA_STATUS_OK;
}

/* Frees the plan; in a forked process, without the memory of its graphs. */
void
armilla_plan_free (ArmillaPlan *plan)
{
  if (!plan)
    return;
  if (armilla_session_hold (plan->session))
    {
      plan->session->plans = g_list_remove (plan->session->plans, plan);
      armilla_plan_forget_graphs (plan);
      armilla_session_leave (plan->session);
    }
  armilla_session_free (plan->session);
  g_clear_pointer (&plan->grid, armilla_grid_unref);
  g_clear_pointer (&plan->points, points_free);
  g_free (plan->spins);
  g_free (plan->copy);
  g_free (plan->component);
  g_free (plan);
}

int64_t
armilla_plan_n_pixels (const ArmillaPlan *plan)
{
  int64_t first, n;

  if (plan->points)
    return plan->points->n;
  armilla_grid_array_pixels (plan->grid, &first, &n);
  return n;
}

int64_t
armilla_plan_n_alm (const ArmillaPlan *plan)
{
  return armilla_alm_count (plan->layout);
}

int
armilla_plan_iterations (const ArmillaPlan *plan, double *residual)
{
  *residual = plan->residual;
  return plan->n_iterations;
}

int
armilla_plan_n_components (const ArmillaPlan *plan)
{
  return plan->n_components;
}

/* Returns a description of the call and the plan's shape, so that ranks can compare their calls;
 * NULL if there is one rank. */
char *
armilla_plan_describe_call (const ArmillaPlan *plan, const char *format, ...)
{
  g_autofree char *grid = NULL;
  GString *text;
  va_list list;

  if (!plan->session->options.communicator)
    return NULL;
  grid = plan->grid ? armilla_grid_describe (plan->grid)
                    : g_strdup_printf ("%" G_GINT64_FORMAT " points, epsilon %g", plan->points->n,
                                       plan->points->epsilon);
  text = g_string_new (NULL);
  va_start (list, format);
  g_string_append_vprintf (text, format, list);
  va_end (list);
  g_string_append_printf (text, " of %s with lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT
                          ", copies %d, spins", grid, plan->layout.lmax, plan->layout.mmax,
                          plan->n_copies);
  for (int f = 0; f < plan->n_fields; f++)
    g_string_append_printf (text, " %d", plan->spins[f]);
  return g_string_free (text, FALSE);
}
