/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/dipole.h"

#include "codelets/fields/field-ops-math.h"

#define BLOCK 64
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Azimuths of a ring: exp (i phi) of pixel j is that of pixel 64 (j / 64) times small[j % 64]. */
typedef struct {
  const ArmillaRingSlot *slot;
  double cos_theta, sin_theta;
  double first[2]; /* exp (i phi0) */
  double small[BLOCK][2];
} Ring;

static void
ring_open (Ring *ring, const ArmillaDipoleShape *shape, const ArmillaRingSlot *slots,
           const double *pairs, int64_t index)
{
  const int64_t n_pairs = shape->n_slots / 2;
  const ArmillaRingSlot *slot = &slots[index];
  const double cos_theta = pairs[ARMILLA_PAIR_COS * n_pairs + index / 2];

  ring->slot = slot;
  ring->cos_theta = index % 2 ? -cos_theta : cos_theta;
  ring->sin_theta = pairs[ARMILLA_PAIR_SIN * n_pairs + index / 2];
  armilla_ring_phase (1, slot->phi0_num, slot->phi0_den, slot->phi0, &ring->first[0],
                      &ring->first[1]);
  for (int64_t j = 0; j < BLOCK && j < slot->n_phi; j++)
    armilla_root_of_unity ((uint64_t) (2 * j), (uint64_t) slot->n_phi, &ring->small[j][0],
                           &ring->small[j][1]);
}

/* Computes exp (i phi) of up to 64 pixels from @j, a multiple of 64, on. Returns their number. */
static int64_t
ring_azimuths (const Ring *ring, int64_t j, double azimuth[BLOCK][2])
{
  const int64_t count = MIN (BLOCK, ring->slot->n_phi - j);
  double c, s, base[2];

  armilla_root_of_unity ((uint64_t) (2 * j), (uint64_t) ring->slot->n_phi, &c, &s);
  base[0] = ring->first[0] * c - ring->first[1] * s;
  base[1] = ring->first[0] * s + ring->first[1] * c;
  for (int64_t k = 0; k < count; k++)
    {
      azimuth[k][0] = base[0] * ring->small[k][0] - base[1] * ring->small[k][1];
      azimuth[k][1] = base[0] * ring->small[k][1] + base[1] * ring->small[k][0];
    }
  return count;
}

void
armilla_dipole_moments_cpu (const ArmillaDipoleShape *shape, const ArmillaRingSlot *slots,
                            const double *pairs, const double *pixels, double *moments)
{
  double azimuth[BLOCK][2];
  Ring ring;

  for (int64_t i = 0; i < shape->n_fields * ARMILLA_MOMENTS; i++)
    moments[i] = 0;
  for (int64_t index = 0; index < shape->n_slots; index++)
    {
      ring_open (&ring, shape, slots, pairs, index);
      if (slots[index].n_phi == 0 || fabs (ring.cos_theta) < shape->sin_cut)
        continue;
      for (int64_t field = 0; field < shape->n_fields; field++)
        {
          const double *values = pixels + field * shape->n_pixels + slots[index].offset;
          ArmillaRingSums sums = { 0 };

          for (int64_t j = 0; j < slots[index].n_phi; j += BLOCK)
            {
              const int64_t count = ring_azimuths (&ring, j, azimuth);

              for (int64_t k = 0; k < count; k++)
                armilla_ring_sums_add (&sums, values[j + k], azimuth[k][0], azimuth[k][1]);
            }
          armilla_moments_add (moments + field * ARMILLA_MOMENTS, &sums, ring.cos_theta,
                               ring.sin_theta);
        }
    }
}

void
armilla_dipole_solve_cpu (int64_t n_fields, int dipole, const double *moments, double *fit,
                          int32_t *status)
{
  for (int64_t field = 0; field < n_fields; field++)
    status[field]
        = armilla_moments_solve (moments + field * ARMILLA_MOMENTS, dipole, fit + 4 * field) ? 1
                                                                                             : 0;
}

void
armilla_dipole_remove_cpu (const ArmillaDipoleShape *shape, const ArmillaRingSlot *slots,
                           const double *pairs, const double *fit, const double *in, double *out)
{
  double azimuth[BLOCK][2];
  Ring ring;

  for (int64_t index = 0; index < shape->n_slots; index++)
    {
      if (slots[index].n_phi == 0)
        continue;
      ring_open (&ring, shape, slots, pairs, index);
      for (int64_t j = 0; j < slots[index].n_phi; j += BLOCK)
        {
          const int64_t count = ring_azimuths (&ring, j, azimuth);

          for (int64_t field = 0; field < shape->n_fields; field++)
            {
              const int64_t first = field * shape->n_pixels + slots[index].offset + j;

              for (int64_t k = 0; k < count; k++)
                out[first + k]
                    = armilla_dipole_remove (in[first + k], fit + 4 * field, ring.cos_theta,
                                             ring.sin_theta, azimuth[k][0], azimuth[k][1]);
            }
        }
    }
}
