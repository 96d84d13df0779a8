/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/ring-dft.h"

#include <glib.h>
#include <string.h>

#include "codelets/ring-fft-math.h"

/* n = radix * q: a sequence is radix interleaved parts of q points, each of which has a lane. Where
 * q is a product of 2, 3 and 5, it is transformed as it is; else by chirp-z at a padded length. A
 * HEALPix map has a length of its own for every ring of its caps, but of padded lengths there are
 * three an octave, so rings that are next to each other share the lanes. How a length is
 * transformed depends on that length alone: the same bits whatever else was planned. */

#define N_BUCKETS 1024
#define N_FFTS 256

/* Buckets are lists that only grow: a look-up needs no lock. */
struct _ArmillaFftPlans {
  ArmillaDftPlan *buckets[N_BUCKETS];
  ArmillaLaneFft **ffts; /* as many as lengths of parts */
  int64_t n_ffts, max_ffts;
};

static GMutex lock;

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
  for (int i = 0; i < N_BUCKETS; i++)
    while (plans->buckets[i])
      {
        ArmillaDftPlan *plan = plans->buckets[i];

        plans->buckets[i] = plan->next;
        g_free (plan);
      }
  for (int64_t i = 0; i < plans->n_ffts; i++)
    armilla_lane_fft_free (plans->ffts[i]);
  g_free (plans->ffts);
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

/* The least 2^k, 5/4 or 3/2 of it, from 16 on, that holds the convolution of q points. */
static int64_t
padded_length (int64_t q)
{
  int64_t power = 16;

  while (power < 2 * q - 1)
    power *= 2;
  if (power >= 32 && power / 8 * 5 >= 2 * q - 1)
    return power / 8 * 5;
  return power >= 32 && power / 4 * 3 >= 2 * q - 1 ? power / 4 * 3 : power;
}

/* The lock is held. */
static const ArmillaLaneFft *
find_fft (ArmillaFftPlans *plans, int64_t n)
{
  ArmillaLaneFft *fft;

  for (int64_t i = 0; i < plans->n_ffts; i++)
    if (plans->ffts[i]->n == n)
      return plans->ffts[i];
  fft = armilla_lane_fft_new (n);
  if (!fft)
    return NULL;
  if (plans->n_ffts == plans->max_ffts)
    {
      plans->max_ffts = MAX (2 * plans->max_ffts, N_FFTS);
      plans->ffts = g_renew (ArmillaLaneFft *, plans->ffts, plans->max_ffts);
    }
  plans->ffts[plans->n_ffts++] = fft;
  return fft;
}

/* The lock is held. */
static int
add_length (ArmillaFftPlans *plans, int64_t n)
{
  ArmillaDftPlan *plan;

  if (armilla_fft_plans_find (plans, n))
    return 0;
  plan = g_new0 (ArmillaDftPlan, 1);
  plan->n = n;
  plan->radix = armilla_ring_radix (n);
  plan->q = n / plan->radix;
  plan->chirp = !armilla_is_smooth (n);
  plan->fft = find_fft (plans, plan->chirp ? padded_length (plan->q) : plan->q);
  if (!plan->fft)
    {
      g_free (plan);
      return -1;
    }
  plan->next = plans->buckets[n % N_BUCKETS];
  __atomic_store_n (&plans->buckets[n % N_BUCKETS], plan, __ATOMIC_RELEASE);
  return 0;
}

/**
 * armilla_fft_plans_add:
 * @plans: a set of plans
 * @slots: (array length=n_slots): rings
 * @n_slots: number of slots
 *
 * Makes the plans of the rings' lengths, where they are missing. May run while kernels use @plans.
 *
 * Returns: 0; or -1 for want of memory
 */
int
armilla_fft_plans_add (ArmillaFftPlans *plans, const ArmillaRingSlot *slots, int64_t n_slots)
{
  int result = 0;

  g_mutex_lock (&lock);
  for (int64_t i = 0; i < n_slots && result == 0; i++)
    if (slots[i].n_phi > 0)
      result = add_length (plans, slots[i].n_phi);
  g_mutex_unlock (&lock);
  return result;
}

/* Doubles, in steps of 64 bytes. */
static int64_t
aligned_complex (int64_t n)
{
  return (2 * n + 7) / 8 * 8;
}

static int64_t
work_size (int64_t points, int64_t q, int64_t n)
{
  return 2 * ARMILLA_LANE_POINT * points + ARMILLA_LANES * aligned_complex (q)
         + (ARMILLA_DFT_TABLES + 1) * aligned_complex (n) + aligned_complex (q);
}

/* Scratch in doubles for rings of up to @longest pixels: an odd length is a single part. */
int64_t
armilla_dft_work_size (int64_t longest)
{
  return work_size (padded_length (longest), longest, longest);
}

/* @points, @q, @n: the most points of lanes, of a part, and of a length. Returns what is left. */
double *
armilla_dft_work_init (ArmillaDftWork *work, double *scratch, int64_t points, int64_t q, int64_t n)
{
  *work = (ArmillaDftWork) { .simd = armilla_ring_simd (), .lanes = armilla_lane_kernels () };
  work->points = scratch;
  work->kernel = work->points + ARMILLA_LANE_POINT * points;
  work->chirp[0] = work->kernel + ARMILLA_LANE_POINT * points;
  for (int i = 1; i < ARMILLA_LANES; i++)
    work->chirp[i] = work->chirp[i - 1] + aligned_complex (q);
  work->table[0] = work->chirp[ARMILLA_LANES - 1] + aligned_complex (q);
  for (int i = 1; i < ARMILLA_DFT_TABLES; i++)
    work->table[i] = work->table[i - 1] + aligned_complex (n);
  work->roots = work->table[ARMILLA_DFT_TABLES - 1] + aligned_complex (n);
  return scratch + work_size (points, q, n);
}

/* roots[j] = exp (i pi step j / n), j < count: products of two tables, each good to 1.5e-16. */
static void
fill_roots (const ArmillaRingSimd *simd, double *roots, int64_t step, int64_t n, int64_t count)
{
  double small[2 * 64];

  for (int64_t j = 0; j < MIN (64, count); j++)
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
fill_chirp (const ArmillaDftWork *work, int64_t q, double *chirp)
{
  int64_t index = 0; /* j * j mod 2 q */

  fill_roots (work->simd, work->roots, 1, q, q);
  for (int64_t j = 0; j < q; j++)
    {
      const double *root = work->roots + 2 * (index < q ? index : index - q);
      const double sign = index < q ? 1 : -1;

      chirp[2 * j] = sign * root[0];
      chirp[2 * j + 1] = sign * root[1];
      index += 2 * j + 1;
      if (index >= 2 * q)
        index -= 2 * q;
    }
}

int
armilla_dft_prepared (const ArmillaDftWork *work, const ArmillaDftPlan *plan)
{
  for (int i = 0; i < work->n_lengths; i++)
    if (work->lengths[i] == plan->n)
      return i;
  return -1;
}

void
armilla_dft_prepare (ArmillaDftWork *work, const ArmillaDftPlan *const *plans, int n)
{
  const int64_t length = plans[0]->fft->n;
  const double scale = 1.0 / (double) length;

  memset (work->kernel, 0, sizeof (double) * (gsize) (ARMILLA_LANE_POINT * length));
  for (int i = 0; i < n; i++)
    {
      const double *chirp = work->chirp[i];
      double *lane = work->kernel + i;

      fill_chirp (work, plans[i]->q, work->chirp[i]);
      for (int64_t j = 0; j < plans[i]->q; j++)
        {
          double *mirror = lane + (j ? length - j : 0) * ARMILLA_LANE_POINT;

          lane[j * ARMILLA_LANE_POINT] = mirror[0] = scale * chirp[2 * j];
          lane[j * ARMILLA_LANE_POINT + ARMILLA_LANES] = mirror[ARMILLA_LANES]
            = -scale * chirp[2 * j + 1];
        }
      work->lengths[i] = plans[i]->n;
    }
  work->n_lengths = n;
  work->lanes->forward (plans[0]->fft, work->kernel);
}

/* Lanes @first to @end - 1 of points @from on. */
static void
clear_lanes (ArmillaDftWork *work, int64_t first, int64_t end, int64_t from, int64_t n)
{
  const ArmillaLaneParts parts = { work->points + from * ARMILLA_LANE_POINT, end - first, first,
                                   n - from };

  work->lanes->clear (&parts);
}

static const double *
chirp_of (const ArmillaDftWork *work, const ArmillaDftPlan *plan)
{
  return plan->chirp ? work->chirp[armilla_dft_prepared (work, plan)] : NULL;
}

void
armilla_dft_put (ArmillaDftWork *work, const ArmillaDftPlan *plan, int i, const double *x)
{
  const ArmillaLaneParts parts = armilla_dft_parts (work, plan, i);

  work->lanes->put (&parts, chirp_of (work, plan), x);
}

void
armilla_dft_put_real (ArmillaDftWork *work, const ArmillaDftPlan *plan, int i, const double *re,
                      const double *im, int unseen_is_zero)
{
  const ArmillaLaneParts parts = armilla_dft_parts (work, plan, i);

  work->lanes->put_real (&parts, chirp_of (work, plan), re, im, unseen_is_zero);
}

/* @plans: of the @n sequences in the lanes */
void
armilla_dft_run (ArmillaDftWork *work, const ArmillaDftPlan *const *plans, int n)
{
  const ArmillaLaneFft *fft = plans[0]->fft;
  const int64_t radix = plans[0]->radix;

  for (int i = 0; i < n; i++)
    clear_lanes (work, i * radix, (i + 1) * radix, plans[i]->q, fft->n);
  clear_lanes (work, n * radix, ARMILLA_LANES, 0, fft->n);
  work->lanes->forward (fft, work->points);
  if (!plans[0]->chirp)
    return;
  /* The inverse transform is the conjugate of the transform of the conjugate. */
  for (int i = 0; i < n; i++)
    {
      const ArmillaLaneParts parts = armilla_dft_parts (work, plans[i], i);

      work->lanes->multiply (&parts, fft->n, work->kernel, armilla_dft_prepared (work, plans[i]));
    }
  work->lanes->backward (fft, work->points);
}

/* Parts s become parts of a transform of n by exp (2 pi i s j / n), and those of a chirp-z by the
 * chirp. table[j]: [re: radix][im: radix] */
static void
fill_table (ArmillaDftWork *work, const ArmillaDftPlan *plan, double *table)
{
  const double *chirp = chirp_of (work, plan);
  const int64_t radix = plan->radix, q = plan->q;
  double *roots = work->roots, *factor = work->roots + 2 * q;

  fill_roots (work->simd, roots, 2, plan->n, q);
  for (int64_t s = 0; s < radix; s++)
    {
      if (s == 0 && chirp)
        memcpy (factor, chirp, sizeof (double) * (gsize) (2 * q));
      else if (s == 0)
        for (int64_t j = 0; j < 2 * q; j++)
          factor[j] = j % 2 ? 0 : 1;
      else
        work->simd->multiply (factor, factor, roots, ARMILLA_SIMD_PLAIN, q);
      for (int64_t j = 0; j < q; j++)
        {
          table[2 * radix * j + s] = factor[2 * j];
          table[2 * radix * j + radix + s] = factor[2 * j + 1];
        }
    }
}

/* The table of a length, of those kept or in place of the oldest. */
static const double *
find_table (ArmillaDftWork *work, const ArmillaDftPlan *plan)
{
  int i = 0;

  while (i < ARMILLA_DFT_TABLES && work->table_length[i] != plan->n)
    i++;
  if (i < ARMILLA_DFT_TABLES)
    return work->table[i];
  i = work->next_table;
  work->next_table = (i + 1) % ARMILLA_DFT_TABLES;
  work->table_length[i] = plan->n;
  fill_table (work, plan, work->table[i]);
  return work->table[i];
}

void
armilla_dft_get (ArmillaDftWork *work, const ArmillaDftPlan *plan, int i, double *x)
{
  const ArmillaLaneParts parts = armilla_dft_parts (work, plan, i);

  work->lanes->get (&parts, find_table (work, plan), plan->chirp ? NULL : plan->fft->order, x);
}

void
armilla_dft_get_real (ArmillaDftWork *work, const ArmillaDftPlan *plan, int i, double *re,
                      double *im)
{
  const ArmillaLaneParts parts = armilla_dft_parts (work, plan, i);

  work->lanes->get_real (&parts, find_table (work, plan),
                         plan->chirp ? NULL : plan->fft->order, re, im);
}
