/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a_lm to a map: a sky of the one harmonic Y_20, whose poles are the warmest.
 *
 *   cc alm2map.c $(pkg-config --cflags --libs armilla) -o alm2map */
#include <armilla/arrays.h>
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  const int spins[] = { 0 };
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 64, .lmax = 128,
                                   .mmax = 128, .spins = spins, .n_spins = 1, .copies = 1 };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure = { "" };
  ArmillaPlan *plan;

  if (armilla_plan_new (session, &shape, &plan, &failure) == ARMILLA_STATUS_OK)
    {
      const int64_t n_alm = armilla_plan_n_alm (plan), n_pixels = armilla_plan_n_pixels (plan);
      double complex *alm = calloc (n_alm, sizeof *alm);
      double *map = calloc (n_pixels, sizeof *map);
      const ArmillaArray in = { .data = alm, .shape = { 1, 1, n_alm },
                                .strides = { 0, 0, sizeof *alm } };
      const ArmillaArray out = { .data = map, .shape = { 1, 1, n_pixels },
                                 .strides = { 0, 0, sizeof *map } };

      alm[2] = 1; /* l = 2, m = 0: its number is m (2 lmax + 1 - m) / 2 + l */
      if (armilla_plan_synthesis (plan, &in, &out, &failure) == ARMILLA_STATUS_OK)
        printf ("north pole %.6f, equator %.6f\n", map[0], map[n_pixels / 2]);
      free (alm);
      free (map);
    }
  armilla_plan_free (plan);
  armilla_session_free (session);
  fputs (failure.text, stderr);
  return failure.text[0] != '\0';
}
