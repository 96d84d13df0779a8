/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/ring-dft.h"

#include <fftw3.h>
#include <glib.h>
#include <string.h>

#include "codelets/ring-fft-math.h"

/* FFTW needs 1 to 7 ms and some 100 kB to plan a length with a large prime factor, and a HEALPix
 * map of nside 2048 has 2047 lengths in its caps: 11 s and 140 MB. So FFTW plans the smooth and the
 * very short lengths only. The others, n = radix * q, are radix chirp-z transforms of q points at a
 * padded length of which there are two an octave: measured, faster than FFTW's own plans for such
 * lengths, because q is only a quarter of HEALPix's n. Which way a length goes depends on
 * that length alone: the same bits whatever else was planned. */

#define N_BUCKETS 1024
#define SHORT_LENGTH 16

struct _ArmillaDftPlan {
  int64_t n;
  fftw_plan plan;               /* NULL: chirp-z */
  const ArmillaDftPlan *padded; /* the plan of the padded parts */
  ArmillaDftPlan *next;
};

/* Buckets are lists that only grow: a look-up needs no lock. */
struct _ArmillaFftPlans {
  ArmillaDftPlan *buckets[N_BUCKETS];
};

/* FFTW's planner is one per process and not thread-safe. */
static GMutex planner_lock;

/**
 * armilla_fft_plans_new:
 *
 * Returns: (transfer full): an empty set of plans
 */
ArmillaFftPlans *
armilla_fft_plans_new (void)
{
  return g_new0 (ArmillaFftPlans, 1);
}

/**
 * armilla_fft_plans_free:
 * @plans: (transfer full) (nullable): a set of plans that no kernel uses any more
 */
void
armilla_fft_plans_free (ArmillaFftPlans *plans)
{
  if (!plans)
    return;
  g_mutex_lock (&planner_lock);
  for (int i = 0; i < N_BUCKETS; i++)
    while (plans->buckets[i])
      {
        ArmillaDftPlan *plan = plans->buckets[i];

        plans->buckets[i] = plan->next;
        if (plan->plan)
          fftw_destroy_plan (plan->plan);
        g_free (plan);
      }
  g_mutex_unlock (&planner_lock);
  g_free (plans);
}

const ArmillaDftPlan *
armilla_fft_plans_find (const ArmillaFftPlans *plans, int64_t n)
{
  const ArmillaDftPlan *plan = __atomic_load_n (&plans->buckets[n % N_BUCKETS],
                                                __ATOMIC_ACQUIRE);

  while (plan && plan->n != n)
    plan = plan->next;
  return plan;
}

static gboolean
is_direct (int64_t n)
{
  return n <= SHORT_LENGTH || armilla_is_smooth (n);
}

/* The least 2^k or 5 * 2^k, from 16 on, that holds the convolution of q points. */
static int64_t
padded_length (int64_t q)
{
  int64_t power = 16;

  while (power < 2 * q - 1)
    power *= 2;
  return power >= 32 && power / 8 * 5 >= 2 * q - 1 ? power / 8 * 5 : power;
}

/* Alignment is that of our scratch, always 64 bytes, so FFTW_ESTIMATE's choice is the same in every
 * call; plans that take any alignment run at half the speed. */
static fftw_plan
make_fftw_plan (int64_t n)
{
  const fftw_iodim64 dimension = { n, 1, 1 };
  fftw_complex *in = fftw_malloc (sizeof *in * (gsize) (n + 4));
  fftw_complex *out = fftw_malloc (sizeof *out * (gsize) (n + 4));
  fftw_plan plan = NULL;

  if (in && out)
    {
      double *aligned_in = (double *) (((uintptr_t) in + 63) / 64 * 64);
      double *aligned_out = (double *) (((uintptr_t) out + 63) / 64 * 64);

      plan = fftw_plan_guru64_dft (1, &dimension, 0, NULL, (fftw_complex *) aligned_in,
                                   (fftw_complex *) aligned_out, FFTW_BACKWARD,
                                   FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    }
  fftw_free (in);
  fftw_free (out);
  return plan;
}

/* The lock is held. */
static const ArmillaDftPlan *
add_length (ArmillaFftPlans *plans, int64_t n)
{
  const ArmillaDftPlan *found = armilla_fft_plans_find (plans, n);
  ArmillaDftPlan *plan;

  if (found)
    return found;
  plan = g_new0 (ArmillaDftPlan, 1);
  plan->n = n;
  if (is_direct (n))
    plan->plan = make_fftw_plan (n);
  else
    plan->padded = add_length (plans, padded_length (n / armilla_ring_radix (n)));
  if (!plan->plan && !plan->padded)
    {
      g_free (plan);
      return NULL;
    }
  plan->next = plans->buckets[n % N_BUCKETS];
  __atomic_store_n (&plans->buckets[n % N_BUCKETS], plan, __ATOMIC_RELEASE);
  return plan;
}

/**
 * armilla_fft_plans_add:
 * @plans: a set of plans
 * @slots: (array length=n_slots): rings
 * @n_slots: number of slots
 *
 * Makes the plans of the rings' lengths, where they are missing. May run while kernels use @plans.
 *
 * Returns: 0; or -1 when FFTW gave no plan, for want of memory
 */
int
armilla_fft_plans_add (ArmillaFftPlans *plans, const ArmillaRingSlot *slots, int64_t n_slots)
{
  int result = 0;

  g_mutex_lock (&planner_lock);
  for (int64_t i = 0; i < n_slots && result == 0; i++)
    if (slots[i].n_phi > 0 && !add_length (plans, slots[i].n_phi))
      result = -1;
  g_mutex_unlock (&planner_lock);
  return result;
}

/* Doubles, in steps of 64 bytes. */
static int64_t
aligned_complex (int64_t n)
{
  return (2 * n + 7) / 8 * 8;
}

/* Scratch in doubles for rings of up to @longest pixels: an odd length is a single part. */
int64_t
armilla_dft_work_size (int64_t longest)
{
  return 3 * aligned_complex (padded_length (longest)) + 2 * aligned_complex (longest);
}

void
armilla_dft_work_init (ArmillaDftWork *work, double *scratch, int64_t longest)
{
  const int64_t padded = aligned_complex (padded_length (longest));

  work->simd = armilla_ring_simd ();
  work->a = scratch;
  work->b = work->a + padded;
  work->kernel = work->b + padded;
  work->chirp = work->kernel + padded;
  work->twiddle = work->chirp + aligned_complex (longest);
  work->prepared = 0;
}

/* roots[j] = exp (i pi step j / n), j < count: products of two tables, each good to 1.5e-16. */
static void
fill_roots (const ArmillaRingSimd *simd, double *roots, int64_t step, int64_t n, int64_t count)
{
  double small[2 * 64];

  for (int64_t j = 0; j < 64; j++)
    armilla_root_of_unity ((uint64_t) (step * j % (2 * n)), (uint64_t) n, &small[2 * j],
                           &small[2 * j + 1]);
  for (int64_t first = 0; first < count; first += 64)
    {
      double c, s;

      armilla_root_of_unity ((uint64_t) (step * first % (2 * n)), (uint64_t) n, &c, &s);
      for (int64_t j = first; j < MIN (first + 64, count); j++)
        {
          roots[2 * j] = c;
          roots[2 * j + 1] = s;
        }
      simd->multiply (roots + 2 * first, roots + 2 * first, small, ARMILLA_SIMD_PLAIN,
                      MIN (64, count - first));
    }
}

static void
prepare_chirp (const ArmillaDftPlan *plan, ArmillaDftWork *work)
{
  const int64_t radix = armilla_ring_radix (plan->n), q = plan->n / radix;
  const int64_t length = plan->padded->n;
  const double scale = 1.0 / (double) length;
  int64_t index = 0; /* j * j mod 2 q */

  fill_roots (work->simd, work->b, 1, q, q);
  memset (work->a, 0, sizeof (double) * (gsize) (2 * length));
  for (int64_t j = 0; j < q; j++)
    {
      const double *root = work->b + 2 * (index < q ? index : index - q);
      double sign = index < q ? 1 : -1;

      work->chirp[2 * j] = sign * root[0];
      work->chirp[2 * j + 1] = sign * root[1];
      work->a[2 * j] = scale * work->chirp[2 * j];
      work->a[2 * j + 1] = -scale * work->chirp[2 * j + 1];
      index += 2 * j + 1;
      if (index >= 2 * q)
        index -= 2 * q;
    }
  for (int64_t j = 1; j < q; j++)
    memcpy (work->a + 2 * (length - j), work->a + 2 * j, 2 * sizeof (double));
  fftw_execute_dft (plan->padded->plan, (fftw_complex *) work->a, (fftw_complex *) work->kernel);
  if (radix > 1)
    fill_roots (work->simd, work->twiddle, 2, plan->n, q);
  work->prepared = plan->n;
}

/* part[j] <- sum_k in[radix k + s] exp (2 pi i j k / q), by a convolution with the chirp. */
static void
transform_part (const ArmillaDftPlan *plan, ArmillaDftWork *work, const double *in, int64_t radix,
                double *part)
{
  const int64_t q = plan->n / radix, length = plan->padded->n;
  const ArmillaRingSimd *simd = work->simd;

  for (int64_t k = 0; k < q; k++)
    memcpy (work->a + 2 * k, in + 2 * radix * k, 2 * sizeof (double));
  simd->multiply (work->a, work->a, work->chirp, ARMILLA_SIMD_PLAIN, q);
  memset (work->a + 2 * q, 0, sizeof (double) * (gsize) (2 * (length - q)));
  fftw_execute_dft (plan->padded->plan, (fftw_complex *) work->a, (fftw_complex *) work->b);
  /* The inverse transform is the conjugate of the transform of the conjugate: one plan does. */
  simd->multiply (work->a, work->b, work->kernel, ARMILLA_SIMD_CONJ, length);
  fftw_execute_dft (plan->padded->plan, (fftw_complex *) work->a, (fftw_complex *) work->b);
  simd->multiply (part, work->b, work->chirp, ARMILLA_SIMD_CONJ_A, q);
}

/* Parts 0 and 1, and their sum and difference. */
static void
combine_two (double *out, int64_t q)
{
  for (int64_t j = 0; j < 2 * q; j++)
    {
      double x = out[j], y = out[2 * q + j];

      out[j] = x + y;
      out[2 * q + j] = x - y;
    }
}

/* out[t q + j] = sum_s i^(s t) part_s[j], in place. */
static void
combine_four (double *out, int64_t q)
{
  for (int64_t j = 0; j < 2 * q; j += 2)
    {
      double *p0 = out + j, *p1 = p0 + 2 * q, *p2 = p1 + 2 * q, *p3 = p2 + 2 * q;
      double sum_re = p0[0] + p2[0], sum_im = p0[1] + p2[1];
      double dif_re = p0[0] - p2[0], dif_im = p0[1] - p2[1];
      double odd_re = p1[0] + p3[0], odd_im = p1[1] + p3[1];
      double rot_re = p3[1] - p1[1], rot_im = p1[0] - p3[0];

      p0[0] = sum_re + odd_re;
      p0[1] = sum_im + odd_im;
      p1[0] = dif_re + rot_re;
      p1[1] = dif_im + rot_im;
      p2[0] = sum_re - odd_re;
      p2[1] = sum_im - odd_im;
      p3[0] = dif_re - rot_re;
      p3[1] = dif_im - rot_im;
    }
}

void
armilla_dft_run (const ArmillaDftPlan *plan, ArmillaDftWork *work, double *in, double *out)
{
  const int64_t radix = armilla_ring_radix (plan->n), q = plan->n / radix;

  if (plan->plan)
    {
      fftw_execute_dft (plan->plan, (fftw_complex *) in, (fftw_complex *) out);
      return;
    }
  if (work->prepared != plan->n)
    prepare_chirp (plan, work);
  for (int64_t s = 0; s < radix; s++)
    {
      double *part = out + 2 * q * s;

      transform_part (plan, work, in + 2 * s, radix, part);
      for (int64_t power = 0; power < s; power++)
        work->simd->multiply (part, part, work->twiddle, ARMILLA_SIMD_PLAIN, q);
    }
  if (radix == 4)
    combine_four (out, q);
  else if (radix == 2)
    combine_two (out, q);
}
